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
