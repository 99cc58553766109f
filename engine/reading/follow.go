package reading

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store/text"
)

// Resolve replaces the pronouns of a follow-up by what they mean: the only
// value of their kind in the previous question, or else the single value that
// answered it. ok is false where there is no pronoun, or one stays unclear.
func (r *Reader) Resolve(question string, rd Reading, before Reading, previous, answer string) (said string, ok bool) {
	if len(rd.Marks.Pronouns) == 0 {
		return "", false
	}
	var b strings.Builder
	at := 0
	for _, p := range rd.Marks.Pronouns {
		if r.namedBefore(rd, p) {
			return "", false
		}
		name := r.referent(p.Label, before, answer)
		if name == "" {
			return "", false
		}
		b.WriteString(question[at:p.Start])
		word := text.Fold(question[p.Start:p.End])
		if b.Len() > 0 && joins(b.String(), name) {
			b.WriteByte(' ')
		}
		b.WriteString(name)
		if word == "his" || word == "her" && possessive(question[p.End:]) || word == "their" || word == "its" || word == "hers" {
			b.WriteString("'s")
		}
		at = p.End
		if joins(name, question[at:]) {
			b.WriteByte(' ')
		}
	}
	b.WriteString(question[at:])
	return trimOpener(b.String()), true
}

// possessive reports whether a word follows, so that "her" owns it.
func possessive(rest string) bool {
	ts := text.Tokens(rest)
	return len(ts) > 0 && ts[0].Kind == text.Word
}

// namedBefore reports whether a pronoun means something that its own question names.
func (r *Reader) namedBefore(rd Reading, p Reference) bool {
	for _, m := range rd.Mentions {
		for _, c := range m.Candidates {
			if c.Label == p.Label && m.Sure() {
				return true
			}
		}
	}
	return false
}

// referent is the only value of a label that the previous question names, else
// the answer where it is one.
func (r *Reader) referent(label string, before Reading, answer string) string {
	found := ""
	for _, m := range before.Mentions {
		if !m.Sure() {
			continue
		}
		for _, c := range m.Candidates {
			if c.Label != label || c.Property != r.glossary.Labels[label].Key {
				continue
			}
			if found != "" && found != fmt.Sprint(c.Value) {
				return ""
			}
			found = fmt.Sprint(c.Value)
		}
	}
	if found == "" && answer != "" {
		for _, c := range r.linker.Names(answer) {
			if c.Label == label && c.Value == answer {
				return answer
			}
		}
	}
	return found
}

// trimOpener drops the words that only tie a follow-up to what went before.
func trimOpener(s string) string {
	s = strings.TrimSpace(s)
	for _, o := range openers {
		if len(s) > len(o) && strings.EqualFold(s[:len(o)], o) {
			s = s[len(o):]
			break
		}
	}
	for _, c := range closers {
		s = strings.TrimSuffix(s, c)
	}
	return strings.TrimSpace(s)
}

// Words that open and close follow-ups.
var (
	openers = []string{"only those ", "only the ones ", "just those ", "just the ones ", "only ", "the ones ", "and what about ", "and how about ", "what about ", "how about ", "and in ", "and ", "but ", "or ", "same for ", "same question for ", "now ", "then ", "ok, ", "ok ",
		"那么", "那", "还有", "换成", "改成", "如果是", "要是", "如果换成", "再看看", "那再看看", "或者", "只看", "其中"}
	closers = []string{"呢？", "呢?", "呢", "instead?", "instead"}
)

// opensFollowUp reports whether a question begins or ends like a follow-up.
func opensFollowUp(question string) bool {
	q := strings.TrimSpace(strings.ToLower(question))
	return slices.ContainsFunc(openers, func(o string) bool { return strings.HasPrefix(q, o) }) ||
		slices.ContainsFunc(closers, func(c string) bool { return strings.HasSuffix(q, c) })
}

// picking are words by which a follow-up picks from what was answered: those
// that say so anywhere, and those that do where they begin it.
var picking = struct{ anywhere, first []string }{
	anywhere: []string{" of them ", " of those ", " of these ", "这些里", "这里面", "这些当中"},
	first:    []string{"only those ", "only the ones ", "just those ", "just the ones ", "the ones ", "those ", "which ones ", "其中", "哪些是", "哪几部是", "里面", "只看", "只要"},
}

// picks reports whether a question picks from what was answered.
func picks(question string) bool {
	q := strings.ToLower(strings.TrimSpace(question))
	return slices.ContainsFunc(picking.anywhere, func(w string) bool { return strings.Contains(" "+q+" ", w) }) ||
		slices.ContainsFunc(picking.first, func(w string) bool { return strings.HasPrefix(q, w) })
}

// A fragment is a follow-up without the words that tie it to what went before.
type fragment struct {
	text     string
	language string
	tokens   []text.Token
	segs     []segment // that mean something
	narrows  bool      // it picks from what was answered
}

func (r *Reader) fragment(question string) fragment {
	f := fragment{text: trimOpener(question), narrows: picks(question)}
	f.tokens = text.Tokens(f.text)
	mentions := r.linker.Mentions(f.text, f.tokens)
	f.language = spokenIn(f.text, f.tokens, mentions, nil)
	if Language(question) == "zh" {
		f.language = "zh"
	}
	f.segs = meaningful(r.segments(r.lexicons[f.language], f.tokens, mentions, nil))
	return f
}

func (f fragment) has(kinds ...Kind) bool {
	return slices.ContainsFunc(f.segs, func(s segment) bool {
		return s.mention == nil && s.qty.tokens == 0 && slices.ContainsFunc(kinds, s.has)
	})
}

// Leans reports whether a question says too little to stand alone, though it may
// read like one that does: "how many?", "in Chinese?", "the longest one?". It
// names neither what it is about nor what was done.
func (r *Reader) Leans(question string) bool {
	f := r.fragment(question)
	if f.narrows {
		return true
	}
	mentions, said := 0, false
	for _, s := range f.segs {
		if len(s.terms) == 0 && s.mention == nil && s.qty.tokens == 0 {
			return false
		}
		if s.mention != nil {
			mentions++
		}
		said = said || !s.has(And)
	}
	asks := f.has(AskList, AskCount, Plural, Single, YesNo)
	switch {
	case !said:
		return false
	case mentions == 0 && !f.has(Noun) && !asks && f.isBare():
		return !f.has(Agent) || opensFollowUp(question) // who? 导演呢?
	case f.has(Noun, Agent, AskWho, AskWhere, AskWhen, AskRecommend, AskPath, AskProp, Event, Together, Compare, Similar, Same, Average, Sum, Per, Pronoun, Blocker, Absent):
		return false
	case f.language == "zh" && !asks && strings.HasSuffix(strings.TrimRight(f.text, "?？。 "), "的"): // 成龙主演的
		return true
	case slices.ContainsFunc(f.segs, func(s segment) bool { return s.mention == nil && s.has(Verb) && !s.has(Prop) }):
		return false
	case mentions == 0 && !f.has(Fixed):
		return !asks || !r.asksElse(f.text)
	}
	for i, s := range f.segs {
		if s.has(AskList) || s.has(AskCount) {
			continue
		}
		return s.mention == nil && (slices.ContainsFunc([]Kind{In, By, With, From, Without, Not, Participle}, s.has) || s.has(Fixed) && len(f.segs) == i+1)
	}
	return false
}

// isBare reports whether a follow-up is nothing but who or what was done.
func (f fragment) isBare() bool {
	return f.has(AskWho, AskWhere, AskWhen, Verb, Agent, Event) && !slices.ContainsFunc(f.segs, func(s segment) bool {
		return s.qty.tokens > 0 || !slices.ContainsFunc([]Kind{AskWho, AskWhere, AskWhen, Verb, Agent, Event, And}, s.has)
	})
}

// asksElse reports whether a question asks for something other than what is
// meant where nothing is named: for people, for languages.
func (r *Reader) asksElse(question string) bool {
	f := r.Read(question).Frame
	return f != nil && f.Order == "" && len(f.Target) == 1 && f.Target[0] != r.deed()
}

// IsValue reports whether a question is nothing but one value: "James Cameron?"
func (r *Reader) IsValue(question string) bool {
	f := r.fragment(question)
	_, _, ok := r.only(f)
	return ok && !f.has(Noun, Event, By, With)
}

// Swap puts the one value of a follow-up ("那喜剧呢?", "and in 2005?") in the
// place of the one slot of the previous question that can hold it. ok is false
// where the follow-up says anything else, or no slot or several would fit.
func (r *Reader) Swap(question string, before Reading, previous string) (said string, ok bool) {
	if before.Frame == nil && before.Literal == "" {
		return "", false
	}
	slot, words, ok := r.only(r.fragment(question))
	if !ok {
		return "", false
	}
	fit := fitting(before.Slots, slot)
	if len(fit) != 1 || fit[0].End <= fit[0].Start || fit[0].End > len(previous) {
		return "", false
	}
	s := fit[0]
	head, tail := previous[:s.Start], previous[s.End:]
	if joins(head, words) {
		head += " "
	}
	if joins(words, tail) {
		words += " "
	}
	said = head + words + tail
	if before.Frame != nil && !sameButRole(before.Frame, r.Read(said).Frame) {
		return "", false
	}
	return said, true
}

// fitting are the slots that one of the others could fill.
func fitting(slots, others []Slot) []Slot {
	var fit []Slot
	for _, s := range slots {
		if slices.ContainsFunc(others, func(n Slot) bool { return n.Type == s.Type && n.Label == s.Label && n.Property == s.Property }) {
			fit = append(fit, s)
		}
	}
	return fit
}

// sameButRole reports whether two frames differ at most in what the one named
// did: "Nolan movies" and "Tom Hanks movies".
func sameButRole(f, g *Frame) bool {
	if g == nil {
		return false
	}
	if f.Key() == g.Key() {
		return true
	}
	return withoutRoles(f) == withoutRoles(g)
}

func withoutRoles(f *Frame) string {
	g := *f
	g.Conds = slices.Clone(f.Conds)
	for i, c := range g.Conds {
		if len(c.Rel) > 0 && len(c.Slots) == 1 && c.What == strings.Join(c.Rel, "/")+" by" {
			g.Conds[i].What = "by"
		}
	}
	g.canonical()
	return g.Key()
}

// only reads a follow-up that is one value: the slots it may fill, and its words.
func (r *Reader) only(f fragment) (slots []Slot, words string, ok bool) {
	var value *segment
	for i := range f.segs {
		s := &f.segs[i]
		switch {
		case s.mention != nil && s.mention.Candidates[0].How != "edit" || s.qty.tokens > 0:
			if value != nil {
				return nil, "", false
			}
			value = s
		case s.has(Noun), s.has(In), s.has(By), s.has(With) && !s.has(Without), s.has(From), s.has(Of), s.has(For), s.has(YearMark), s.has(Measure), s.has(And), s.has(UnitWord), s.has(Event):
		case s.has(Filler):
		default:
			return nil, "", false
		}
	}
	if value == nil {
		return nil, "", false
	}
	words = f.text[value.start:value.end]
	if value.mention != nil {
		for _, c := range value.mention.Candidates {
			slots = append(slots, Slot{Type: "string", Label: c.Label, Property: c.Property, Value: c.Value})
		}
		return slots, words, true
	}
	switch value.qty.kind {
	case Decade:
		return []Slot{{Type: "decade"}}, words, true
	case Year:
		if l, p, ok := r.timeProp(nil); ok {
			slots = append(slots, Slot{Type: "integer", Label: l, Property: p})
		}
	}
	for _, s := range f.segs {
		for _, t := range s.terms {
			if t.Kind == UnitWord {
				typ := "integer"
				if r.types[t.Label+"."+t.Prop] == "FLOAT" {
					typ = "float"
				}
				slots = append(slots, Slot{Type: typ, Label: t.Label, Property: t.Prop})
			}
		}
	}
	return slots, words, len(slots) > 0
}

// Extend lays a follow-up over the previous frame: further conditions ("only
// those after 2000"), another kind of answer ("how many?"), another order ("the
// longest one?"), another property ("评分呢"). A condition takes the place of the
// only one on the same property, unless the follow-up picks from what was
// answered. ok is false where it says more than that, or where it is one value
// that could as well stand for another.
func (r *Reader) Extend(question string, before Reading) (Reading, bool) {
	f := r.fragment(question)
	if before.Frame == nil || !f.narrows && f.has(Noun) {
		return Reading{}, false
	}
	if slots, _, ok := r.only(f); ok && !f.narrows && !f.has(By, With, Participle, Verb) {
		if fit := fitting(before.Slots, slots); len(fit) > 1 || len(fit) == 1 && fit[0].End > 0 {
			return Reading{}, false // Swap's to decide
		}
	}
	over := r.Read(f.text).Frame
	if over == nil || over.Group != "" || len(over.Target) != 1 || len(before.Frame.Target) != 1 || before.Frame.Group != "" {
		return Reading{}, false
	}
	g := *before.Frame
	g.Conds = slices.Clone(g.Conds)
	switch {
	case f.isPlain(over) && g.Ask == "list" && over.Ask == "list" && isProperty(g.Target[0]) && isProperty(over.Target[0]) && label(g.Target) == label(over.Target):
		g.Target = over.Target
	case over.Ask == "count" && len(over.Conds) == 0 && !f.has(Prop) && g.Order == "" && !isProperty(g.Target[0]):
		if g.Ask != "list" && g.Ask != "exists" || f.has(Measure) && label(g.Target) != over.Target[0] { // how many of whatever was listed
			return Reading{}, false
		}
		g.Ask = "count"
	case isProperty(g.Target[0]) || label(g.Target) != over.Target[0] || !r.merge(&g, over, f):
		return Reading{}, false
	}
	g.canonical()
	out := before
	out.Frame, out.Slots = &g, g.Slots()
	out.Language = f.language
	return out, true
}

// isPlain reports whether a follow-up's own frame has nothing but its target.
func (f fragment) isPlain(over *Frame) bool {
	return len(over.Conds) == 0 && over.Order == "" && over.Limit == NoLimit
}

// merge lays over on g: frames that ask for the same label.
func (r *Reader) merge(g, over *Frame, f fragment) bool {
	word, _, _ := strings.Cut(g.Ask, " ")
	switch {
	case over.Ask != "list" && over.Ask != "count":
		return false
	case word == "average" || word == "sum":
		if over.Ask != "list" || over.Order != "" || f.has(AskList, Plural) {
			return false
		}
	case word != "list" && word != "count" && word != "exists":
		return false
	}
	for _, c := range over.Conds {
		if !r.lay(g, c, f) {
			return false
		}
	}
	if over.Ask == "count" {
		g.Ask = "count"
	} else if over.Order != "" || f.has(AskList, Plural) {
		g.Ask = "list"
	}
	if over.Order != "" {
		byDefault := f.has(Top) && !slices.ContainsFunc(f.segs, func(s segment) bool {
			return s.has(Prop) || s.has(PropMost) || s.has(PropLeast) || s.has(Least) || s.has(Most) && !s.has(Top)
		})
		if g.Order == "" || !byDefault {
			g.Order, g.Desc = over.Order, over.Desc
		}
		g.Limit, g.N = over.Limit, over.N
		if g.N != nil && g.N.Value == int64(1) {
			g.Limit, g.N = LimitOne, nil // the longest one
		}
	}
	return g.Ask != "count" || g.Order == ""
}

// lay adds c to the conditions of g. Where others say something of the same
// property, it takes the place of the only one; picking from what was answered,
// it can but close a range. Of the same relationship there may be two only where
// it picks. It reports false where what is meant is open.
func (r *Reader) lay(g *Frame, c Cond, f fragment) bool {
	own, other := r.propsOf(c), f.otherProps(c)
	var same []int
	for i, old := range g.Conds {
		if old.Label != c.Label {
			continue
		}
		if len(c.Rel) > 0 && slices.Equal(old.Rel, c.Rel) && !f.narrows {
			return false
		}
		overlaps := func(props []string) bool {
			return slices.ContainsFunc(r.propsOf(old), func(p string) bool { return slices.Contains(props, p) })
		}
		if overlaps(own) {
			same = append(same, i)
		} else if overlaps(other) {
			return false // in French: another language, or also made in France
		}
	}
	if len(same) == 0 {
		g.Conds = append(g.Conds, c)
		return true
	}
	old := g.Conds[same[0]]
	switch {
	case len(same) > 1 || len(old.Slots) > 1 || len(c.Slots) > 1 || old.Neg != c.Neg:
		return false
	case f.narrows && !opposite(old, c):
		return false
	case f.narrows:
		g.Conds = append(g.Conds, c)
	case opposite(old, c) && overlap(old, c):
		return false // before 2000, then after 1990: both, or the other
	default:
		g.Conds[same[0]] = c
	}
	return true
}

// opposite reports whether one condition is a lower bound and the other an upper.
func opposite(a, b Cond) bool {
	return strings.HasPrefix(a.Op, "<") && strings.HasPrefix(b.Op, ">") || strings.HasPrefix(a.Op, ">") && strings.HasPrefix(b.Op, "<")
}

// overlap reports whether a value can be within both of two opposite bounds.
func overlap(a, b Cond) bool {
	if strings.HasPrefix(a.Op, "<") {
		a, b = b, a
	}
	low, isLow := bound(a)
	high, isHigh := bound(b)
	return !isLow || !isHigh || low <= high
}

func bound(c Cond) (float64, bool) {
	if len(c.Slots) != 1 {
		return 0, false
	}
	switch v := c.Slots[0].Value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// otherProps are the properties that the words of a condition could mean as well.
func (f fragment) otherProps(c Cond) []string {
	var props []string
	for _, s := range f.segs {
		if s.mention == nil || !slices.ContainsFunc(c.Slots, func(slot Slot) bool { return slot.Mention == s.mention.Candidates[0].Mention }) {
			continue
		}
		for _, cand := range s.mention.Candidates {
			props = append(props, cand.Label+"."+cand.Property)
		}
	}
	return props
}

// propsOf are the properties that a condition compares.
func (r *Reader) propsOf(c Cond) []string {
	if c.Prop != "" {
		return []string{c.Prop}
	}
	return r.glossary.Conditions[c.What].Properties
}

func isProperty(target string) bool { return strings.Contains(target, ".") }

// label is the label of a frame's only target.
func label(target []string) string {
	if len(target) != 1 {
		return ""
	}
	name, _, _ := strings.Cut(target[0], " via ")
	l, _ := split(name)
	return l
}
