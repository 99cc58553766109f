package reading

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store/text"
)

// assembly puts the items of a question together to a frame. Every item must
// find its place; the first that doesn't is why there is no frame.
type assembly struct {
	*chunker
	f      Frame
	label  string   // of what is asked for
	roles  []string // what the asked nodes do, where they are doers
	any    bool     // roles are alternatives, not all of them
	also   []string // what others asked for besides do
	joined []string // relationship types by which labels with conditions of their own are tied
	why    string
}

func (c *chunker) assemble() (*Frame, string) {
	a := &assembly{chunker: c}
	for _, step := range []func(){a.questionKind, a.path, a.target, a.together, a.links, a.verbs, a.conditions, a.order, a.group, a.targetNames, a.rest, a.scope} {
		if step(); a.why != "" {
			return nil, a.why
		}
		if a.f.Ask == "path" && len(a.f.Conds) > 0 {
			return &a.f, ""
		}
	}
	return &a.f, ""
}

func (a *assembly) fail(format string, args ...any) { a.why = fmt.Sprintf(format, args...) }

// each returns the unused items of kind.
func (a *assembly) each(kind itemKind) []*item {
	var out []*item
	for i := range a.items {
		if it := &a.items[i]; it.kind == kind && !it.used {
			out = append(out, it)
		}
	}
	return out
}

func (a *assembly) asked(kinds ...Kind) *item {
	for i := range a.items {
		if it := &a.items[i]; it.kind == iAsk && slices.Contains(kinds, it.term.Kind) {
			return it
		}
	}
	return nil
}

// questionKind decides what kind of answer is wanted.
func (a *assembly) questionKind() {
	a.f.Ask = "list"
	if n := 0; a.asked(AskCount) != nil {
		for _, it := range a.items {
			if it.kind == iAsk && it.term.Kind == AskCount && !strings.HasPrefix(a.words(it), "统计") {
				n++
			}
		}
		if n > 1 {
			a.fail("two questions in one")
			return
		}
	}
	aggs := a.each(iAggregate)
	switch {
	case len(aggs) == 1:
		t := aggs[0].term
		aggs[0].used = true
		if t.Prop == "" { // how long … on average
			for i := range a.items {
				if it := &a.items[i]; it.kind == iAsk && it.term.Kind == AskProp || it.kind == iProp {
					t.Label, t.Prop = it.term.Label, it.term.Prop
					it.kind, it.used = iProp, true
				}
			}
			if t.Prop == "" {
				a.fail("the average of what?")
				return
			}
		}
		for _, it := range a.each(iProp) {
			it.used = it.used || it.term.Label == t.Label && it.term.Prop == t.Prop
		}
		a.f.Ask = t.Name + " " + t.Label + "." + t.Prop
		a.label = t.Label
		if a.asked(AskCount) != nil {
			a.fail("a count and an average in one question")
		}
	case len(aggs) > 1:
		a.fail("two aggregates in one question")
	case a.secondQuestion():
		a.fail("two questions in one")
	case a.whos() > 1:
		a.fail("two questions in one")
	case a.asked(AskPath) != nil:
		a.f.Ask = "path"
	case len(a.each(iSimilar)) > 0 && a.asked(AskCount) != nil:
		a.fail("a number of similar things")
	case len(a.each(iSimilar)) > 0:
		a.f.Ask = "recommend"
		for _, it := range a.each(iSimilar) {
			it.used = true
		}
	case a.asked(AskCount) != nil:
		a.f.Ask = "count"
	case a.asked(AskRecommend) != nil:
		a.f.Ask = "recommend"
	case a.asked(AskExists) != nil && a.asked(AskList, AskWho, AskWhen, AskWhere, AskProp) == nil,
		len(a.each(iYesNo)) > 0 && a.asked(AskList, AskWho, AskWhen, AskWhere, AskProp) == nil && len(a.each(iOrder)) == 0:
		a.f.Ask = "exists"
	}
	if who, which := a.asked(AskWho), a.asked(AskList); a.language == "en" && who != nil && which != nil && who.pos > which.pos+1 && a.segs[who.pos-1].has(And) {
		a.fail("two questions in one")
	}
	for _, it := range a.each(iYesNo) {
		it.used = true
	}
	if last := a.asked(AskList); a.f.Ask == "list" && last != nil && last.term.Name == "amount" && len(a.each(iProp)) == 0 && a.asked(AskProp) == nil {
		a.f.Ask = "count" // 出生在中国的人有多少
	}
}

// secondQuestion reports whether a question word follows "and", or "who" follows
// what was asked for before it: "movies directed by someone who …".
func (a *assembly) secondQuestion() bool {
	film, asked := false, false
	for _, it := range a.items {
		switch {
		case it.kind == iNoun && it.term.Label == a.deed():
			film = true
		case it.kind != iAsk:
		case it.term.Kind == AskWhen || it.term.Kind == AskWhere || it.term.Kind == AskProp:
		case asked && it.pos > 0 && a.segs[it.pos-1].has(And):
			return true
		case it.term.Kind == AskWho && a.language == "en" && film:
			return true
		default:
			asked = true
		}
	}
	return false
}

// whos is how often the question asks who.
func (a *assembly) whos() int {
	n := 0
	for _, it := range a.items {
		if it.kind == iAsk && it.term.Kind == AskWho && a.language == "en" {
			n++
		}
	}
	return n
}

// path is the shortest path between two people.
func (a *assembly) path() {
	if a.f.Ask != "path" {
		return
	}
	var mentions []segment
	for _, it := range a.each(iLink) {
		mentions = append(mentions, it.links.mentions...)
		it.used = true
	}
	if len(mentions) != 2 {
		a.fail("a path needs two ends")
		return
	}
	var cond Cond
	for _, m := range mentions {
		s := a.key(m)
		if s == nil {
			a.fail("an end of the path is unclear")
			return
		}
		cond.Label, cond.What = s.Label, "is "+s.Property
		cond.Slots = append(cond.Slots, *s)
	}
	for _, it := range a.items {
		if !it.used && it.kind != iAsk && it.kind != iNoun && it.kind != iTogether && it.kind != iBoth {
			a.fail("a path with further conditions")
			return
		}
	}
	a.f.Target = []string{cond.Label}
	a.f.Conds = []Cond{cond}
}

// key is the slot of a mention that names a node by its label's key property.
func (a *assembly) key(m segment) *Slot {
	var found *Slot
	for _, c := range m.mention.Candidates {
		if a.r.glossary.Labels[c.Label].Key != c.Property {
			continue
		}
		if found != nil {
			return nil
		}
		found = a.r.slotOf(m, c.Label, c.Property)
	}
	return found
}

// links gives every linked value its condition.
func (a *assembly) links() {
	for _, it := range a.each(iLink) {
		if a.why != "" {
			return
		}
		it.used = true
		a.link(it)
	}
}

// rest finds items that nothing used.
func (a *assembly) rest() {
	for _, it := range a.items {
		if it.used {
			continue
		}
		switch it.kind {
		case iAsk, iTogether:
		case iElse:
			if !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Neg && c.named() }) {
				a.fail("who or what else?")
				return
			}
		case iCompare: // budget compared with revenue; X or Y
			if len(a.f.Target) < 2 && !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Any }) {
				a.fail("a comparison of something unclear")
				return
			}
		case iNoun:
			if it.term.Label != a.label && it.term.Label != a.deed() && !a.mentioned(it.term.Label) {
				a.fail("a %s has no place here", it.term.Label)
				return
			}
		case iEvent: // "released" beside a film says nothing of its own
			if !a.idle(it) {
				a.fail("an event without a time")
				return
			}
		case iProp:
			if !strings.HasSuffix(a.f.Group, it.term.Label+"."+it.term.Prop) && !a.inTarget(it.term) {
				a.fail("a property without a condition")
				return
			}
		case iBoth: // directors who directed together
			things := 2 * max(len(a.roles)-1, 0)
			for _, c := range a.f.Conds {
				things += max(len(c.Rel)-1, 0) + b2i(len(c.Slots) > 0 || c.named())
			}
			if things < 2 && it.pos < len(a.segs) && !a.segs[it.pos].has(Also) {
				a.fail("both of what?")
				return
			}
		default:
			a.fail("%q has no place here", a.words(it))
			return
		}
	}
	if a.f.Ask == "list" && len(a.f.Target) == 1 && a.f.Target[0] == a.label && len(a.f.Conds) > 1 && a.f.Order == "" {
		for _, c := range a.f.Conds {
			if c.Label == a.label && strings.HasPrefix(c.What, "is ") && !c.Any && !c.Neg { // ⟨film⟩的剧情, of which 剧情 is no genre here
				a.fail("one thing by name, with further conditions")
				return
			}
		}
	}
	both := slices.ContainsFunc(a.items, func(it item) bool {
		return it.kind == iLink && len(it.links.mentions) > 1 || it.kind == iCond && it.cond.Label == a.deed() && len(it.cond.Slots) > 1
	})
	if a.f.Ask == "exists" && !both && slices.ContainsFunc(a.tokens, func(t text.Token) bool {
		return slices.Contains([]string{"all", "every", "each", "所", "每", "都"}, t.Text) && t.Quote == 0
	}) {
		a.fail("all of them, or any?")
		return
	}
	if a.label == a.deed() && len(a.f.Conds) == 0 && a.f.Ask == "exists" {
		a.fail("whether what exists?")
	}
}

func (a *assembly) inTarget(t Term) bool {
	return slices.ContainsFunc(a.f.Target, func(n string) bool {
		return strings.HasPrefix(strings.TrimPrefix(n, "decade of "), t.Label+"."+t.Prop)
	}) ||
		slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Prop == t.Label+"."+t.Prop })
}

// mentioned reports whether a condition is about nodes of label.
func (a *assembly) mentioned(label string) bool {
	for _, c := range a.f.Conds {
		if c.Label == label || slices.ContainsFunc(c.Slots, func(s Slot) bool { return s.Label == label }) || strings.HasPrefix(c.What, "count "+label) {
			return true
		}
	}
	return strings.Contains(a.f.Order, label) || strings.Contains(a.f.Group, label)
}

// idle reports whether an event says nothing of its own: "released" with a
// condition or order on its date elsewhere.
func (a *assembly) idle(it item) bool {
	e := a.r.glossary.Events[it.term.Name]
	if slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Op == "has" }) && it.pos > 0 && a.segs[it.pos-1].mention != nil { // 台湾出品
		return true
	}
	for _, name := range []string{e.Date, e.Year} {
		if name != "" && (strings.Contains(a.f.Order, name) || strings.Contains(a.f.Group, name) || slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Prop == name })) {
			return true
		}
	}
	return false
}

func (a *assembly) words(it item) string {
	if it.pos >= len(a.segs) {
		return ""
	}
	s := a.segs[it.pos]
	return a.question[a.tokens[s.from].Start:a.tokens[s.to-1].End]
}
