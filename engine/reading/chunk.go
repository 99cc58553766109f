package reading

import (
	"slices"

	"precedent/store/text"
)

// An item is what a chunk of a question contributes to its frame.
type item struct {
	kind  itemKind
	pos   int // of its first segment
	term  Term
	links *linkItem
	cond  *Cond
	order *order
	n     *Slot // of limits
	neg   bool
	used  bool
}

type itemKind uint8

const (
	iAsk itemKind = iota
	iNoun
	iAgent
	iVerb
	iLink
	iCond
	iProp
	iEvent
	iOrder
	iLimit
	iGroup
	iAggregate
	iSame
	iTogether
	iBoth
	iSimilar
	iTop
	iYesNo
	iCompare
	iElse
)

// A linkItem is one mention, or several of one kind joined by "and" or "or".
type linkItem struct {
	mentions []segment
	any      bool // joined by or
	prep     Kind // By, With, In, From, Of; or Unknown
}

// An order is a superlative or a sort.
type order struct {
	props   []Term // Kind Prop, or none; which of them the label asked for decides
	count   *Term  // a Noun or Agent whose number orders
	desc    bool
	total   bool // of the property over what hangs on the asked
	average bool // of the property over what hangs on the asked
	more    bool // of things named: which is longer
	sorted  bool // "sorted by", not "the most"
}

// chunker reads segments from left to right into items.
type chunker struct {
	r     *Reader
	segs  []segment
	i     int
	items []item
	stuck string

	question string
	language string
	tokens   []text.Token
}

func (c *chunker) at(k int) segment {
	if c.i+k < 0 || c.i+k >= len(c.segs) {
		return segment{}
	}
	return c.segs[c.i+k]
}

func (c *chunker) is(k int, kinds ...Kind) bool {
	return slices.ContainsFunc(kinds, c.at(k).has)
}

// said is the folded words of the segment k after the present one.
func (c *chunker) said(k int) string {
	s := c.at(k)
	return text.Key(c.tokens[s.from:s.to])
}

// put adds an item made of the next n segments.
func (c *chunker) put(n int, it item) bool {
	it.pos = c.i
	c.items = append(c.items, it)
	c.i += n
	return true
}

// run reads all segments; it reports false where one is left that nothing reads.
func (c *chunker) run() bool {
	steps := []func() bool{
		c.blocked, c.ask, c.negated, c.except, c.similar, c.sameAs, c.compared, c.comparison, c.times, c.superlative, c.sorting,
		c.grouping, c.aggregate, c.nullness, c.contains, c.linked, c.simple, c.skipped,
	}
	for c.i < len(c.segs) {
		if !slices.ContainsFunc(steps, c.try) {
			return false
		}
		if c.stuck != "" {
			return false
		}
	}
	return true
}

// try runs step and undoes what it did if it read nothing after all.
func (c *chunker) try(step func() bool) bool {
	i, n := c.i, len(c.items)
	if step() && (c.i > i || c.stuck != "") { // what reads no segment has read nothing
		return true
	}
	c.i, c.items = i, c.items[:n]
	return false
}

func (c *chunker) blocked() bool {
	if (c.is(0, Blocker) || c.is(0, Dated)) && !c.is(0, Filler) {
		c.stuck = "blocked"
	}
	return c.stuck != ""
}

func (c *chunker) ask() bool {
	s := c.at(0)
	if c.i == 0 && s.has(YesNo) || s.has(YesNo) && !s.has(Filler) {
		return c.put(1, item{kind: iYesNo})
	}
	for _, k := range []Kind{AskPath, AskRecommend, AskCount, AskExists, AskWho, AskWhere, AskWhen, AskProp} {
		if t, ok := s.term(k); ok {
			if k == AskCount && c.i > 0 && c.segs[c.i-1].has(With) && !c.segs[c.i-1].has(Filler) && c.language == "en" { // genres with the number of films
				c.stuck = "a number beside what is asked for"
				return false
			}
			if k == AskPath && s.has(Filler) {
				continue
			}
			if k == AskWho && s.has(Relative) && c.i > 0 && c.segs[c.i-1].has(Noun) {
				if t, _ := c.segs[c.i-1].term(Noun); t.Label != c.r.doers() && t.Label != c.r.deed() { // users who
					c.i++
					return true
				}
			}
			if t.Name == "how" && !slices.ContainsFunc(c.segs[c.i+1:], func(o segment) bool { o2, ok := o.term(AskPath); return ok && o2.Name != "how" }) {
				continue
			}
			if k == AskWhere && c.i > 0 && c.segs[c.i-1].has(Noun) && s.has(Relative) { // films where revenue exceeds budget
				c.i++
				return true
			}
			if k == AskWhere && s.has(AskList) || t.Name == "tail" && c.i != len(c.segs)-1 {
				continue
			}
			if k == AskCount && t.Name == "who" { // 有多少人
				c.put(0, item{kind: iNoun, term: Term{Kind: Noun, Label: c.r.doers(), Plural: true}})
			}
			return c.put(1, item{kind: iAsk, term: t})
		}
	}
	if t, ok := s.term(AskList); ok {
		if t.Name == "any" && c.seen(iYesNo) { // did he make any westerns
			c.i++
			return true
		}
		t.Plural = s.has(Plural)
		if t.Name == "amount" && c.is(1, Noun, Agent, Measure) { // 有多少演员
			t.Kind = AskCount
		}
		return c.put(1, item{kind: iAsk, term: t})
	}
	return false
}

// simple reads what stands for itself.
func (c *chunker) simple() bool {
	s := c.at(0)
	for _, p := range []struct {
		k    Kind
		kind itemKind
	}{{Together, iTogether}, {Fixed, iCond}, {Noun, iNoun}, {Agent, iAgent}, {Verb, iVerb}, {Prop, iProp}, {DecadeMark, iProp}, {Event, iEvent}} {
		t, ok := s.term(p.k)
		if !ok {
			continue
		}
		if p.k == Verb && s.has(Prop) && !c.seenLabel(t.Label) && !(len(c.items) > 0 && c.items[len(c.items)-1].kind == iAsk && c.items[len(c.items)-1].term.Kind == AskWho && c.at(1).mention != nil) { // rated: the property, unless users do it
			continue
		}
		it := item{kind: p.kind, term: t}
		if p.k == Agent && s.has(Verb) {
			it.term.Work = true // may be either: 导演
		}
		if p.k == DecadeMark {
			l, prop, ok := c.r.timeProp(nil)
			if !ok {
				continue
			}
			it.term = Term{Kind: Prop, Label: l, Prop: prop, Name: "decade"}
		}
		if p.k == Agent && s.has(Verb) && c.afterDoer() && !c.owned() { // 诺兰导演的
			v, _ := s.term(Verb)
			it = item{kind: iVerb, term: v}
		}
		if p.k == Fixed {
			w := c.r.glossary.Conditions[t.Name]
			if name := w.Has + w.Lacks; name != "" {
				label, prop := split(name)
				it.cond = &Cond{Label: label, What: "has " + prop, Neg: w.Lacks != "", Prop: name}
				return c.put(1, it)
			}
			it.cond = &Cond{Label: t.Label, What: t.Name, Rel: w.Relations}
			if len(w.Properties) > 0 {
				it.cond.Prop = w.Properties[0]
			}
		}
		return c.put(1, it)
	}
	if c.is(0, Top) {
		c.put(1, item{kind: iTop})
		if q := c.at(0); q.qty.tokens > 0 && q.qty.kind == Number {
			c.put(1, item{kind: iLimit, n: &Slot{Name: q.slot, Start: q.start, End: q.end, Type: "limit", Value: int64(q.qty.value)}})
			if c.is(0, Measure) {
				c.i++
			}
		}
		return true
	}
	if s.qty.tokens > 0 && s.qty.kind == Number && s.qty.value >= 1 && (c.is(1, Measure, Noun, Agent) || c.isList(1) || c.i == len(c.segs)-1 || c.seenAsk(AskRecommend) && c.at(1).mention != nil && c.unit(1) == nil) {
		c.put(1, item{kind: iLimit, n: &Slot{Name: s.slot, Start: s.start, End: s.end, Type: "limit", Value: int64(s.qty.value)}})
		if c.is(0, Measure) {
			c.i++
		}
		return true
	}
	if c.is(0, Participle) {
		t, _ := s.term(Participle)
		t.Kind, t.Name = Verb, "stranded" // who was X directed by
		return c.put(1, item{kind: iVerb, term: t})
	}
	if c.is(0, Both) && !c.is(0, Filler) || c.is(0, Also) && !c.is(0, Filler) {
		return c.put(1, item{kind: iBoth})
	}
	if c.is(0, Compare) {
		return c.put(1, item{kind: iCompare})
	}
	return false
}

// seenProp reports whether the property of the unit s has been asked for.
func (c *chunker) seenProp(s segment) bool {
	t, _ := s.term(UnitWord)
	return slices.ContainsFunc(c.items, func(it item) bool {
		return (it.kind == iProp || it.kind == iAsk && it.term.Kind == AskProp) && it.term.Label == t.Label && it.term.Prop == t.Prop
	})
}

func (c *chunker) seenNoun(label string) bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.kind == iNoun && it.term.Label == label })
}

// seenLabel reports whether a noun for label, or a value of it, has been read.
func (c *chunker) seenLabel(label string) bool {
	return slices.ContainsFunc(c.items, func(it item) bool {
		return (it.kind == iNoun || it.kind == iAgent) && it.term.Label == label || it.kind == iAsk && it.term.Kind == AskWho && label == c.r.doers() || it.kind == iLink && c.r.slotOf(it.links.mentions[0], label, "") != nil
	})
}

// stranded reads the "in" of "films Tom Hanks was in".
func (c *chunker) stranded() bool {
	if c.at(1).mention != nil || c.is(1, Noun, Agent, Both, YearMark) || c.timeAt(1) || !c.seenLabel(c.r.doers()) || c.seen(iVerb) {
		return false
	}
	for _, rel := range c.r.rels {
		if w := c.r.glossary.Relationships[rel]; w.In {
			c.put(0, item{kind: iVerb, term: Term{Kind: Verb, Rel: rel, Label: w.From}})
			return true
		}
	}
	return false
}

// isSaid reports whether a pronoun can only mean the one thing of its kind
// that the question has named before.
func (c *chunker) isSaid(s segment) bool {
	t, _ := s.term(Pronoun)
	n := 0
	for _, it := range c.items {
		if it.kind != iLink {
			continue
		}
		for _, m := range it.links.mentions {
			if c.r.slotOf(m, t.Name, "") != nil {
				n++
			}
		}
	}
	return n == 1
}

// skipped passes over words that join chunks or only shape the sentence.
func (c *chunker) skipped() bool {
	s := c.at(0)
	switch {
	case s.has(In) && c.language == "en" && c.stranded():
	case s.has(Filler), s.has(Relative), s.has(And), s.has(Measure):
	case s.has(With), s.has(Has), s.has(Of), s.has(For), s.has(Plural), s.has(Single):
	case s.has(By) && c.is(1, Agent, AskWho), s.has(In) && c.i == len(c.segs)-1 && false:
	case s.has(In) && (c.is(1, Fixed, Noun, Agent, AskList, AskWho) || c.i > 0 && (c.segs[c.i-1].mention != nil || c.segs[c.i-1].has(Noun))):
	case s.has(Contains) && c.language == "zh" && c.i > 0 && c.segs[c.i-1].has(Noun) && !c.quoted(1): // 电影里有哪些演员
	case s.has(From) && (c.is(1, Noun, AskList) || c.i == len(c.segs)-1):
	case s.has(AgentMark) && c.is(1, AskWho):
	case s.has(Pronoun) && c.language == "en" && c.i == len(c.segs)-1 && c.i > 0 && c.segs[c.i-1].has(In) && (c.seenNoun(c.r.deed()) || c.seen(iBoth)) && c.segs[c.i-1].mention == nil && slices.Contains([]string{"it", "them"}, text.Key(c.tokens[s.from:s.to])): // films with X in them
	case s.has(In) && c.language == "en" && c.i == len(c.segs)-2 && c.is(1, Pronoun) && (c.seenNoun(c.r.deed()) || c.seen(iBoth)):
	case s.has(UnitWord) && c.seenProp(s):
	case s.has(YearMark) && c.seenAsk(AskWhen), s.has(RangeEnd), s.has(Pronoun) && c.isSaid(s):
	default:
		return false
	}
	c.i++
	return true
}
