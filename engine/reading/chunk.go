package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
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
	if c.is(0, Blocker) && !c.is(0, Filler) {
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

// negated reads "not" and "without" with what they deny.
func (c *chunker) negated() bool {
	if !c.is(0, Not, Without) {
		return false
	}
	start, n := c.i, len(c.items)
	if c.language == "en" && c.i > 0 && c.segs[c.i-1].mention == nil && c.segs[c.i-1].has(With) && !c.segs[c.i-1].has(Has) { // with but not by X
		c.stuck = "a negation of something unclear"
		return false
	}
	without := c.is(0, Without)
	if without && c.nullness() {
		return true
	}
	if without && c.seen(iYesNo) || without && c.language == "zh" && c.segs[len(c.segs)-1].has(YesNo) { // 没有喜剧超过3小时吗
		c.stuck = "none, or any but these?"
		return false
	}
	doer := c.is(1, Verb) && slices.ContainsFunc(c.items, func(it item) bool { return it.kind == iLink })
	if t, ok := c.at(1).term(Agent); ok && without && !doer && c.at(2).mention == nil && !c.is(2, Of) { // without a director
		to := c.r.glossary.Relationships[t.Rel].To
		return c.put(2, item{kind: iCond, cond: &Cond{Label: to, What: t.Rel, Neg: true, Rel: []string{t.Rel}}})
	}
	c.i++
	// 不是诺兰导演的: doer, then verb
	if s := c.at(0); s.mention != nil && c.is(1, Verb) {
		v, _ := c.at(1).term(Verb)
		if c.put(0, item{kind: iLink, links: &linkItem{mentions: []segment{s}}}); c.bindDoer(&c.items[n], v) {
			c.items[n].cond.Neg = true
			c.i += 2
			return true
		}
		c.items = c.items[:n]
	}
	if v, ok := c.at(0).term(Verb); ok && !v.Work {
		return c.put(1, item{kind: iVerb, term: v, neg: true})
	}
	if without && c.at(0).mention != nil { // without Tom Hanks, 没有汤姆·汉克斯
		if c.linkList(With) && c.denyLast(n) {
			return true
		}
	}
	for _, step := range []func() bool{c.comparison, c.times, c.contains, c.linked} {
		if c.i < len(c.segs) && step() {
			if c.denyLast(n) && !(without && c.items[n].cond != nil && c.items[n].cond.Op == "=") { // 没有8分: below 8, not unequal
				return true
			}
			break
		}
	}
	c.i, c.items = start, c.items[:n]
	c.stuck = "a negation of something unclear"
	return false
}

// denyLast negates the one item added since there were n.
func (c *chunker) denyLast(n int) bool {
	if len(c.items) != n+1 {
		return false
	}
	it := &c.items[n]
	switch it.kind {
	case iCond:
		it.cond.Neg = !it.cond.Neg
		return true
	case iLink:
		if len(it.links.mentions) == 1 {
			it.neg = true
			return true
		}
	}
	return false
}

// except reads "besides ⟨person⟩" and 除了⟨film⟩: others of the kind asked for.
func (c *chunker) except() bool {
	if c.is(0, Else) {
		return c.put(1, item{kind: iElse})
	}
	behind := c.at(0).mention != nil && c.is(1, But) // 喜剧以外的电影
	if !c.is(0, Except) && !behind {
		return false
	}
	n := len(c.items)
	if !behind {
		c.i++
	}
	for c.linkList(Unknown) {
	}
	if c.is(0, But) { // 除了喜剧以外
		c.i++
	}
	if j := b2i(c.is(0, Noun)); len(c.items) == n || c.is(j, And, Or) && c.at(j+1).mention != nil { // 除了喜剧片和爱情片
		c.stuck = "all but what?"
		return false
	}
	for i := n; i < len(c.items); i++ {
		c.items[i].neg, c.items[i].links.prep = true, Except
		c.items[i].links.any = c.items[i].links.any && len(c.items[i].links.mentions) > 1
	}
	return true
}

func (c *chunker) similar() bool {
	if c.is(0, Similar) && c.mentionOf(1, isNode) {
		c.put(1, item{kind: iSimilar})
		return c.linkList(Unknown)
	}
	// 和X类似的, 像X一样的
	if c.is(0, And, Similar) && c.mentionOf(1, isNode) && c.is(2, Similar) {
		c.i++
		s := c.at(0)
		c.put(1, item{kind: iLink, links: &linkItem{mentions: []segment{s}}})
		return c.put(1, item{kind: iSimilar})
	}
	return false
}

func isNode(cand link.Candidate) bool { return true }

func (c *chunker) mentionOf(k int, want func(link.Candidate) bool) bool {
	m := c.at(k).mention
	return m != nil && slices.ContainsFunc(m.Candidates, want)
}

// sameAs reads "the same director as ⟨film⟩" and 和⟨film⟩同一个导演.
func (c *chunker) sameAs() bool {
	if !c.is(0, Same) {
		if c.is(0, And, Compare) && c.at(1).mention != nil && c.is(2, Same) {
			s := c.at(1)
			c.i++
			c.put(1, item{kind: iLink, links: &linkItem{mentions: []segment{s}}})
			return c.sameAs()
		}
		return false
	}
	for _, k := range []Kind{Agent, Noun, Prop, YearMark, Event} {
		if t, ok := c.at(1).term(k); ok {
			return c.put(2, item{kind: iSame, term: t})
		}
	}
	return false
}

// compared reads 比⟨film⟩长 and 比2小时长.
func (c *chunker) compared() bool {
	if p, ok := c.at(0).term(Prop); ok && c.is(1, Compare) && c.is(2, Prop) && c.isMore(3) { // 票房比预算高
		than, _ := c.at(2).term(Prop)
		if than.Label == p.Label {
			op := "<"
			if c.is(3, Most) {
				op = ">"
			}
			return c.put(4, item{kind: iCond, cond: &Cond{Label: p.Label, What: p.Prop, Op: op, Than: "its " + than.Prop, Prop: p.Label + "." + p.Prop}})
		}
	}
	if !c.is(0, Compare) {
		return false
	}
	if q := c.at(1); q.qty.tokens > 0 && q.qty.kind == Number { // 比三个小时长
		if unit := c.unit(2); unit != nil {
			for kind, op := range map[Kind]string{More: ">", Less: "<"} {
				if t, ok := c.at(3).term(kind); ok && t.Label == unit.Label && t.Prop == unit.Prop {
					return c.put(4, item{kind: iCond, cond: &Cond{Label: t.Label, What: t.Prop, Op: op, Prop: t.Label + "." + t.Prop,
						Slots: []Slot{c.r.numberSlot(q, t.Label, t.Prop, unit.Factor)}}})
				}
			}
		}
	}
	if c.at(1).mention != nil {
		j := 2
		if c.is(j, Else) { // 比X还长
			j++
		}
		for _, k := range []Kind{More, Less} {
			if t, ok := c.measured(j, k, c.at(1)); ok {
				return c.put(j+1, item{kind: iCond, cond: c.than(t, c.at(1), k == More)})
			}
		}
		if p, ok := c.at(j).term(Prop); ok { // 票房比X高
			j++
			if c.is(j, Else) {
				j++
			}
			for _, k := range []Kind{More, Less} {
				if _, ok := c.at(j).term(k); ok {
					s := c.at(1)
					return c.put(j+1, item{kind: iCond, cond: c.than(p, s, k == More)})
				}
			}
		}
	}
	return false
}

// measured is the comparative at k that things like the named s can have:
// older is a film's year or a person's birth.
func (c *chunker) measured(k int, kind Kind, s segment) (Term, bool) {
	for _, t := range c.at(k).terms {
		if t.Kind == kind && c.r.slotOf(s, t.Label, "") != nil {
			return t, true
		}
	}
	return c.at(k).term(kind)
}

// than is "longer than ⟨film⟩".
func (c *chunker) than(t Term, s segment, more bool) *Cond {
	op := "<"
	if more {
		op = ">"
	}
	slot := c.r.slotOf(s, t.Label, "")
	if slot == nil {
		c.stuck = "a comparison with something unclear"
		return nil
	}
	p := t.Label + "." + t.Prop
	return &Cond{Label: t.Label, What: t.Prop, Op: op, Than: p, Prop: p, Slots: []Slot{*slot}}
}

// comparison reads a number with its comparator, unit and property, in any of
// the orders of both languages.
func (c *chunker) comparison() bool {
	k := 0
	for c.is(k, With, Has) && !c.is(k, Contains) {
		k++
	}
	with := k > 0
	if c.is(0, Gt) && c.is(1, With, Has) && c.at(2).qty.tokens > 0 && c.language == "zh" { // 恰好有3个类型
		c.segs = slices.Delete(slices.Clone(c.segs), c.i+1, c.i+2)
		return false
	}
	if n := len(c.items); n > 0 && c.items[n-1].kind == iProp && c.items[n-1].pos == c.i-1 && c.at(0).qty.tokens > 0 {
		if u := c.unit(1); u != nil && (u.Label != c.items[n-1].term.Label || u.Prop != c.items[n-1].term.Prop) { // 用户评分4分
			c.stuck = "a number that measures something else"
			return false
		}
	}
	if c.is(0, Gt) && c.is(1, Verb) && c.at(2).qty.tokens > 0 { // 至少拍过5部
		c.segs[c.i], c.segs[c.i+1] = c.segs[c.i+1], c.segs[c.i]
		return false
	}
	var prop *Term
	op := ""
	if v, ok := c.at(k).term(Verb); ok && v.Work && c.is(k+1, Gt) && c.at(k+2).qty.value >= leastEarnings { // made over $1 billion
		label := c.r.glossary.Relationships[v.Rel].To
		if earns := c.r.glossary.Labels[label].Earns; earns != "" {
			prop = &Term{Kind: Prop, Label: label, Prop: earns}
			k++
		}
	}
	if prop != nil {
	} else if t, ok := c.at(k).term(Prop); ok {
		if v, ok := c.at(k).term(Verb); ok && c.seenLabel(v.Label) { // films Ada rated above 4
			t = c.rated(t)
		}
		prop = &t
		k++
	} else {
		for _, kind := range []Kind{More, Less} {
			if t, ok := c.at(k).term(kind); ok {
				if s := c.at(k + 1); s.mention != nil {
					t, _ = c.measured(k, kind, s)
					cond := c.than(t, s, kind == More)
					return c.put(k+2, item{kind: iCond, cond: cond})
				}
				prop = &t
				op = map[Kind]string{More: ">", Less: "<"}[kind]
				k++
				break
			}
		}
	}
	between, within := false, false
	for prop != nil && c.is(k, In, Between) || c.is(k, Between) && c.at(k+1).qty.tokens > 0 {
		between = between || c.is(k, Between)
		within = within || c.is(k, In)
		k++
	}
	if prop != nil && c.is(k, Of) {
		k++
	}
	if prop != nil && op == "" { // a runtime longer than
		for _, kind := range []Kind{More, Less} {
			if t, ok := c.at(k).term(kind); ok && t.Label == prop.Label && t.Prop == prop.Prop && c.at(k+1).qty.tokens > 0 {
				op = map[Kind]string{More: ">", Less: "<"}[kind]
				k++
				break
			}
		}
	}
	if t, ok := c.at(k).term(Gt); ok && !(op != "" && t.Op == "=") {
		if c.at(k+1).qty.tokens > 0 || c.is(k+1, Prop) || prop != nil && c.at(k+1).mention != nil {
			op = t.Op
			k++
		}
	}
	if op != "" && prop != nil && c.at(k).mention != nil { // rated higher than ⟨film⟩
		if slot := c.r.slotOf(c.at(k), prop.Label, ""); slot != nil && (op == ">" || op == "<") {
			p := prop.Label + "." + prop.Prop
			return c.put(k+1, item{kind: iCond, cond: &Cond{Label: prop.Label, What: prop.Prop, Op: op, Than: p, Prop: p, Slots: []Slot{*slot}}})
		}
	}
	if op != "" && prop != nil { // revenue higher than budget
		if than, ok := c.at(k).term(Prop); ok && c.at(k).qty.tokens == 0 && than.Label == prop.Label && than.Prop != prop.Prop {
			return c.put(k+1, item{kind: iCond, cond: &Cond{Label: prop.Label, What: prop.Prop, Op: op, Than: "its " + than.Prop,
				Prop: prop.Label + "." + prop.Prop}})
		}
	}
	q := c.at(k)
	if q.qty.tokens == 0 || q.qty.kind == Decade {
		return false
	}
	first := k
	k++
	if t, ok := c.at(k).term(CmpPost); ok && op == "" && c.unit(k+1) != nil { // 120+ minutes
		op = t.Op
		k++
	}
	unit := c.unit(k)
	if unit != nil {
		k++
	}
	// two numbers: a range
	second := -1
	if (c.is(k, RangeTo)) && c.at(k+1).qty.tokens > 0 && op == "" {
		second = k + 1
		k += 2
		if u := c.unit(k); u != nil {
			unit = u
			k++
		}
		if c.is(k, RangeEnd) {
			k++
		}
		op = "between"
	}
	if t, ok := c.at(k + 1).term(CmpPost); ok && c.is(k, Measure) && prop == nil && unit == nil && op == "" { // 5部以上
		if c.is(k+2, Noun, Agent) && !c.ofBetween(k+1) {
			return c.counting(k+2, t.Op, c.at(first))
		}
		if c.countMeasure(k, t.Op, c.at(first)) {
			c.i++
			return true
		}
		return false
	}
	// 8 or more; 3小时以上
	if t, ok := c.at(k).term(CmpPost); ok && (op == "" || op == t.Op) && !(t.Op == ">" && unit == nil) {
		op = t.Op
		k++
	}
	if with && op == "" && prop == nil && unit == nil && c.is(k, Measure) && (c.is(k+1, Agent) || c.is(k+1, Noun) && !c.isDeed(k+1)) { // 有两位导演的
		return c.counting(k+1, "=", c.at(first))
	}
	if with && op == "" && prop == nil && unit == nil && (c.is(k, Agent) || c.is(k, Noun) && !c.isDeed(k)) { // with two directors
		return c.counting(k, "=", c.at(first))
	}
	if prop == nil && unit == nil && op != "" && op != "between" { // over 8 imdb rating; more than 3 films
		switch {
		case c.language == "zh" && c.ofBehind(first, k): // 演员超过5位的电影
			if c.countBefore(k, op, c.at(first)) {
				return true
			}
			if c.is(k, Measure) {
				return c.countMeasure(k, op, c.at(first))
			}
			return false
		case c.isList(k):
			return c.counting(k, op, c.at(first))
		case c.is(k, Prop) && !c.is(k, Noun):
			t, _ := c.at(k).term(Prop)
			prop = &t
			k++
		case c.is(k, Measure) && (c.is(k+1, Noun, Agent) || c.isList(k+1)) && !c.ofBetween(k):
			k++
			if c.isList(k) {
				return c.counting(k, op, c.at(first))
			}
			fallthrough
		case c.is(k, Noun, Agent):
			return c.counting(k, op, c.at(first))
		case c.is(k, Measure):
			return c.countMeasure(k, op, c.at(first))
		}
		if prop == nil && c.at(first).qty.kind != Year { // the rating of ⟨film⟩ is higher than 8
			for i := len(c.items) - 1; i >= 0; i-- {
				if it := c.items[i]; it.kind == iProp {
					prop = &it.term
					c.items = slices.Delete(c.items, i, i+1)
					break
				}
			}
		}
	}
	if prop == nil && unit == nil && op != "" && op != "between" && c.at(first).qty.kind == Number && !c.is(k, Noun, Agent, Measure) { // gave ⟨film⟩ less than 4
		if v := c.lastVerb(); v != nil {
			if p := c.r.given(v.Rel); p != nil {
				prop = p
			}
		}
	}
	if unit != nil && prop == nil && c.lastVerb() != nil { // 打了5分
		*unit = c.rated(*unit)
	}
	if unit != nil && prop == nil && c.is(k, Prop) {
		if t, _ := c.at(k).term(Prop); t.Prop == unit.Prop && t.Label == unit.Label {
			k++
		}
	}
	if unit != nil {
		if prop != nil && (prop.Prop != unit.Prop || prop.Label != unit.Label) {
			return false
		}
		prop = unit
	}
	if prop == nil || q.qty.kind == Year && unit == nil && !c.r.isNumberProp(*prop) {
		return false
	}
	if op == "" {
		if within { // 片长于2小时: cut wrongly, 长于 was meant
			return false
		}
		op = "="
	}
	if c.r.isYearProp(*prop) && q.qty.kind != Year {
		return false
	}
	if strings.HasPrefix(c.r.types[prop.Label+"."+prop.Prop], "LIST") {
		return false
	}
	factor := 1.0
	if unit != nil && unit.Factor > 0 {
		factor = unit.Factor
	}
	cond := &Cond{Label: prop.Label, What: prop.Prop, Op: op, Prop: prop.Label + "." + prop.Prop,
		Slots: []Slot{c.r.numberSlot(q, prop.Label, prop.Prop, factor)}}
	if c.is(k, Noun) && unit == nil && slices.ContainsFunc(c.segs[c.i:c.i+first], func(s segment) bool { return s.has(Prop) && s.has(Verb) }) { // users who rated more than 50 movies
		return false
	}
	if second >= 0 {
		cond.Slots = append(cond.Slots, c.r.numberSlot(c.at(second), prop.Label, prop.Prop, factor))
	} else if op == "between" {
		return false
	}
	return c.put(k, item{kind: iCond, cond: cond})
}

// rated is the property that users give where they were said to give one, else t.
func (c *chunker) rated(t Term) Term {
	for rel, w := range c.r.glossary.Relationships {
		if p := c.r.given(rel); p != nil && w.To == t.Label && c.r.glossary.Labels[t.Label].Top == t.Prop && !c.says("imdb") && (c.seenLabel(w.From) || c.lastVerb() != nil && c.lastVerb().Rel == rel) {
			return *p
		}
	}
	return t
}

func (c *chunker) says(word string) bool {
	return slices.ContainsFunc(c.tokens, func(t text.Token) bool { return t.Text == word && t.Quote == 0 })
}

func (c *chunker) lastVerb() *Term {
	for i := len(c.items) - 1; i >= 0; i-- {
		if c.items[i].kind == iVerb {
			return &c.items[i].term
		}
	}
	return nil
}

// leastEarnings is the least number that "made more than" takes for money.
const leastEarnings = 10_000

// ofBetween reports whether 的 stands between the segments at k and k+1: in
// 超过5部的导演 the directors aren't counted.
func (c *chunker) ofBetween(k int) bool {
	if c.at(k).end > c.at(k+1).start {
		return false
	}
	return strings.Contains(c.question[c.at(k).end:c.at(k+1).start], "的")
}

// isDeed reports whether the noun at k is of what doers do.
func (c *chunker) isDeed(k int) bool {
	t, _ := c.at(k).term(Noun)
	for rel := range c.r.deeds.rels {
		if c.r.glossary.Relationships[rel].To == t.Label {
			return true
		}
	}
	return false
}

// unit returns the unit that stands at k, if it isn't ambiguous.
func (c *chunker) unit(k int) *Term {
	s := c.at(k)
	var found *Term
	for _, t := range s.terms {
		if t.Kind == UnitWord {
			if found != nil && (found.Label != t.Label || found.Prop != t.Prop) {
				return nil
			}
			found = &t
		}
	}
	return found
}

// isList reports whether a property with many values is named at k: languages.
func (c *chunker) isList(k int) bool {
	t, ok := c.at(k).term(Prop)
	return ok && !c.is(k, Noun) && strings.HasPrefix(c.r.types[t.Label+"."+t.Prop], "LIST")
}

// counting is "more than 3 films", "at least two genres".
func (c *chunker) counting(k int, op string, n segment) bool {
	t, ok := c.at(k).term(Noun)
	if !ok {
		t, ok = c.at(k).term(Agent)
	}
	if !ok { // languages
		t, _ = c.at(k).term(Prop)
		cond := &Cond{Label: t.Label, What: "count " + t.Prop, Op: op, Prop: t.Label + "." + t.Prop, Slots: []Slot{{Name: n.slot, Type: "count", Value: int64(n.qty.value), Start: n.start, End: n.end}}}
		return c.put(k+1, item{kind: iCond, cond: cond, term: t})
	}
	if n.qty.kind == Year {
		n.qty.kind = Number
	}
	what := "count " + t.Label
	cond := &Cond{What: what, Op: op, Slots: []Slot{{Name: n.slot, Type: "count", Value: int64(n.qty.value), Start: n.start, End: n.end}}}
	if t.Kind == Agent {
		cond.What, cond.Rel = "count "+t.Rel, []string{t.Rel}
	} else {
		cond.Prop = t.Label // the label counted; the relationship is found when the frame is put together
	}
	return c.put(k+1, item{kind: iCond, cond: cond, term: t})
}

// ofBehind reports whether 的 stands behind the number at first and its measure at k.
func (c *chunker) ofBehind(first, k int) bool {
	if c.is(k, Measure) {
		return c.is(k+1, Noun, Agent, Prop) && c.ofBetween(k)
	}
	return c.is(k, Noun, Agent, Prop) && c.ofBetween(first)
}

// countBefore is 演员超过5位的: what is counted stands right before.
func (c *chunker) countBefore(k int, op string, n segment) bool {
	if len(c.items) == 0 {
		return false
	}
	last := c.items[len(c.items)-1]
	if last.kind != iNoun && last.kind != iAgent || last.pos != c.i-1 {
		return false
	}
	i := c.i
	c.items, c.i = c.items[:len(c.items)-1], c.i-1
	if !c.counting(0, op, n) {
		return false
	}
	c.i = i + k + b2i(c.is(i+k-c.i, Measure))
	return true
}

// countMeasure is 超过5部 where the noun is said elsewhere.
func (c *chunker) countMeasure(k int, op string, n segment) bool {
	t, _ := c.at(k).term(Measure)
	if t.Label == "" {
		return false
	}
	t.Kind = Noun
	cond := &Cond{What: "count " + t.Label, Op: op, Prop: t.Label, Slots: []Slot{{Name: n.slot, Type: "count", Value: int64(n.qty.value), Start: n.start, End: n.end}}}
	return c.put(k+1, item{kind: iCond, cond: cond, term: t})
}

// times reads years and decades with what they belong to.
func (c *chunker) times() bool {
	k := 0
	var event *Term
	for c.is(k, With, Has) && c.is(k+1, Prop) {
		k++
	}
	if t, ok := c.at(k).term(Event); ok {
		event = &t
		k++
	} else if t, ok := c.at(k).term(Prop); ok && c.r.isYearProp(t) && (c.is(k+1, In, Of, Between) && c.timeAt(k+2) || c.is(k+1, TimeCmp) && c.timeAt(k+2)) { // with a release year in the 1980s
		k++
	}
	op := ""
	for c.is(k, In, From, Of, Between, By) && c.timeAt(k+1) || c.is(k, From) && c.is(k+1, TimeCmp) && c.timeAt(k+2) {
		k++
	}
	if t, ok := c.at(k).term(TimeCmp); ok && c.timeAt(k+1) {
		op = t.Op
		k++
	} else if t, ok := c.at(k).term(Gt); ok && c.timeAt(k+1) && t.Op == "=" && c.is(k, Filler) {
		k++
	}
	if !c.timeAt(k) {
		return false
	}
	q := c.at(k)
	k++
	if c.is(k, YearMark) && q.qty.kind != Decade {
		k++
	}
	var second *segment
	if c.is(k, RangeTo) && c.timeAt(k+1) && c.at(k+1).qty.kind == q.qty.kind && (op == "" || op == ">=") { // 从1990年到1999年
		op = ""
		s := c.at(k + 1)
		second = &s
		k += 2
		if c.is(k, YearMark) {
			k++
		}
	}
	if c.is(k, RangeEnd) && second != nil {
		k++
	}
	if t, ok := c.at(k).term(TimePost); ok && second == nil && (op == "" || op == t.Op || op == ">=" && t.Op == ">=") {
		op = t.Op
		k++
	}
	if event == nil {
		if c.is(k, In) && c.is(k+1, Event) { // 1970年在…出生 is not read here
			k = k + 0
		}
		if t, ok := c.at(k).term(Event); ok {
			event = &t
			k++
		}
	}
	label, prop, ok := c.r.timeProp(event)
	if !ok {
		return false
	}
	cond := &Cond{Label: label, What: prop, Prop: label + "." + prop}
	slot := func(s segment) Slot {
		v := s.qty.value
		if s.qty.kind == Number {
			v = twoDigitYear(v)
		}
		return Slot{Name: s.slot, Start: s.start, End: s.end, Type: "integer", Label: label, Property: prop, Value: int64(v)}
	}
	switch {
	case q.qty.kind == Decade && second == nil && op == "":
		cond.Op = "decade"
		cond.Slots = []Slot{{Name: q.slot, Type: "decade", Value: int64(q.qty.value), Start: q.start, End: q.end}}
	case q.qty.kind == Decade:
		return false
	case second != nil:
		cond.Op = "between"
		cond.Slots = []Slot{slot(q), slot(*second)}
	default:
		cond.Op = op
		if op == "" {
			cond.Op = "="
		}
		cond.Slots = []Slot{slot(q)}
	}
	return c.put(k, item{kind: iCond, cond: cond})
}

// timeAt reports whether a year or decade stands at k: 1994, the 1990s, 94年.
func (c *chunker) timeAt(k int) bool {
	s := c.at(k)
	switch s.qty.kind {
	case Year, Decade:
		return s.qty.tokens > 0 && c.unit(k+1) == nil
	case Number:
		if t, ok := c.at(k + 2).term(TimePost); ok && t.Op == "<" { // 20年前: how long ago, or before 1920?
			return false
		}
		return s.qty.tokens == 1 && s.end-s.start == 2 && s.qty.value < 100 && c.is(k+1, YearMark)
	}
	return false
}

func twoDigitYear(v float64) float64 {
	if v >= 20 {
		return 1900 + v
	}
	return 2000 + v
}

// superlative reads "5 longest", "highest rating", 评分最高, "the most films".
func (c *chunker) superlative() bool {
	k := 0
	for c.is(k, With, Has) && !c.is(k, Verb) {
		k++
	}
	var n *segment
	if s := c.at(k); s.qty.tokens > 0 && s.qty.kind == Number {
		n = &s
		k++
		if c.is(k, Measure) {
			k++
		}
	}
	if t, ok := c.at(k + 1).term(Noun); ok && c.is(k, First) && !t.Plural && n == nil { // the first film of X
		if l, p, ok := c.r.timeProp(nil); ok && l == t.Label {
			return c.put(k+1, item{kind: iOrder, order: &order{props: []Term{{Kind: Prop, Label: l, Prop: p}}}})
		}
	}
	if c.is(k, Top) && c.is(k+1, Top, PropMost) {
		k++
	}
	o := order{}
	s := c.at(k)
	switch {
	case s.has(PropMost) || s.has(PropLeast):
		kind := PropLeast
		if o.desc = s.has(PropMost); o.desc {
			kind = PropMost
		}
		for _, t := range s.terms {
			if t.Kind == kind {
				t.Kind = Prop
				o.props = append(o.props, t)
			}
		}
		k++
		if t, ok := c.at(k).term(Noun); ok { // the oldest movie: its year, nobody's birth
			own := slices.DeleteFunc(slices.Clone(o.props), func(p Term) bool { return p.Label != t.Label })
			if len(own) > 0 {
				o.props = own
			}
		}
		if c.is(k, First) {
			o.sorted = true
			k++
		}
		if t2, ok := c.at(k).term(Prop); ok && t2.Prop == o.props[0].Prop { // 最高评分 written twice
			k++
		}
	case s.has(Prop) && c.is(k+1, Top) && c.at(k+2).qty.tokens > 0 && c.language == "zh": // 票房前五
		t, _ := s.term(Prop)
		o.props, o.desc = []Term{t}, true
		k++
	case c.common(k): // the most common genre
		o.count, o.desc = &Term{Kind: Noun, Label: c.r.deed()}, c.is(k, Most)
		k++
	case c.is(k, Most) && !c.isMore(k) && c.seen(iTogether) && !c.is(k+1, Prop) && (!c.is(k+1, Noun, Agent) || c.language == "zh"): // 和X合作最多的演员
		o.count, o.desc = &Term{Kind: Noun, Label: c.r.deed()}, true
		k++
	case c.counts(k): // 科幻片最多的年份
		o.count, o.desc = &Term{Kind: Noun, Label: c.r.deed()}, c.is(k, Most)
		k++
	case (s.has(Prop) || s.has(Noun) || s.has(Agent)) && c.is(k+1, Most, Least) && !(c.language == "en" && c.is(k+2, Noun, Agent, Prop)) && !(c.is(k+1, Top) && c.at(k+2).qty.tokens > 0):
		o.desc = c.is(k+1, Most)
		o.more = c.isMore(k + 1)
		if !c.orderBy(&o, s) {
			return false
		}
		k += 2
	case c.is(k, Average) && c.is(k+1, PropMost, PropLeast): // 平均评分最高
		t, ok := c.at(k + 1).term(PropMost)
		if !ok {
			t, _ = c.at(k + 1).term(PropLeast)
		}
		t.Kind = Prop
		o.props, o.average, o.desc = []Term{t}, true, ok
		k += 2
	case c.is(k, Average) && c.is(k+1, Prop) && c.is(k+2, Most, Least) && !c.isMore(k+2): // 平均评分最高
		t, _ := c.at(k + 1).term(Prop)
		o.props, o.average, o.desc = []Term{t}, true, c.is(k+2, Most)
		k += 3
	case c.is(k, Most, Least) && c.is(k+1, Average) && c.is(k+2, Prop): // highest average rating
		t, _ := c.at(k + 2).term(Prop)
		o.props, o.average, o.desc = []Term{t}, true, c.is(k, Most)
		k += 3
	case c.is(k, Most, Least):
		o.desc = c.is(k, Most)
		o.more = c.isMore(k)
		if c.at(k+1).qty.tokens > 0 && n == nil { // top 5 …, most 3 …: read as a limit
			return false
		}
		next := c.at(k + 1)
		if c.language == "en" && !next.has(Prop) && slices.Contains([]string{"highest", "lowest", "best", "worst", "top", "the highest", "the lowest", "max", "min"}, text.Key(c.tokens[s.from:s.to])) { // lowest user rated
			return false
		}
		if t, ok := next.term(Prop); ok && c.r.isYearProp(t) && c.many(c.i+k, c.i+k+1) {
			c.stuck = "the most years?"
			return false
		}
		if !next.has(Prop) && !next.has(Noun) && !next.has(Agent) || !c.orderBy(&o, next) {
			return false
		}
		k += 2
	case s.has(More) || s.has(Less): // which is longer, X or Y
		kind := Less
		if o.desc, o.more = s.has(More), true; o.desc {
			kind = More
		}
		for _, t := range s.terms {
			if t.Kind == kind {
				t.Kind = Prop
				o.props = append(o.props, t)
			}
		}
		k++
	default:
		return false
	}
	if slices.ContainsFunc(o.props, func(p Term) bool { return c.r.types[p.Label+"."+p.Prop] == "FLOAT" }) && c.many(c.i, c.i+k) { // the most ratings
		if o.count = c.r.raters(o.props[0]); o.count == nil {
			c.stuck = "the most of them, or the highest?"
			return false
		}
		o.props = nil
	}
	it := item{kind: iOrder, order: &o}
	if n == nil {
		j := k
		if c.is(j, Top) {
			j++
		}
		if s := c.at(j); s.qty.tokens > 0 && s.qty.kind == Number {
			n = &s
			k = j + 1
			if c.is(k, Measure) {
				k++
			}
		}
	}
	if n != nil {
		c.put(0, item{kind: iLimit, n: &Slot{Name: n.slot, Start: n.start, End: n.end, Type: "limit", Value: int64(n.qty.value)}})
	}
	return c.put(k, it)
}

// common reports whether the word at k means that of which there are most or fewest.
func (c *chunker) common(k int) bool {
	t, ok := c.at(k).term(Most)
	if !ok {
		t, ok = c.at(k).term(Least)
	}
	return ok && t.Name == "count"
}

// counts reports whether the superlative at k counts what stands before it and
// the noun behind is asked for: 拍得最多的类型.
func (c *chunker) counts(k int) bool {
	if c.language != "zh" || c.i+k == 0 || !c.is(k, Most, Least) || !c.is(k+1, Noun, Agent, Prop, DecadeMark, YearMark) || !c.ofBetween(k) || !c.many(c.i+k, c.i+k+1) {
		return false
	}
	if t, ok := c.at(k + 1).term(Noun); ok && t.Label == c.r.deed() {
		return false
	}
	last := c.segs[c.i+k-1]
	return last.mention != nil || last.has(Verb)
}

// many reports whether one of the segments from i to j is a word for the most
// of what is counted, not measured.
func (c *chunker) many(i, j int) bool {
	return slices.ContainsFunc(c.segs[i:j], func(s segment) bool {
		if s.mention != nil {
			return false
		}
		return slices.Contains([]string{"most", "the most", "fewest", "the fewest", "most rated", "the most rated", "最多", "最少"}, text.Key(c.tokens[s.from:s.to]))
	})
}

// isMore reports whether the superlative at k is only a comparative.
func (c *chunker) isMore(k int) bool {
	t, ok := c.at(k).term(Most)
	if !ok {
		t, _ = c.at(k).term(Least)
	}
	return t.Name == "more"
}

// orderBy sets what o orders by from a property, noun or agent.
func (c *chunker) orderBy(o *order, s segment) bool {
	if t, ok := s.term(Prop); ok {
		o.props = []Term{t}
		return true
	}
	t, ok := s.term(Noun)
	if !ok {
		t, ok = s.term(Agent)
	}
	o.count = &t
	return ok
}

// sorting reads "sorted by year", 按评分从高到低, "by rating" after "top 5".
func (c *chunker) sorting() bool {
	k := 0
	explicit := c.is(0, SortBy)
	if explicit || c.is(0, By) && c.is(1, Prop, YearMark) && (c.seen(iTop) || c.seen(iLimit) || c.i+2 == len(c.segs) && !c.seenAsk(AskCount) && !c.seen(iAggregate)) {
		k = 1
	}
	if k == 0 && !(c.is(0, Prop) && c.is(1, Ascending, Descending)) && !c.is(0, Ascending, Descending) && !(c.is(0, By) && c.is(1, AskCount) && c.is(2, Noun, Agent)) {
		return false
	}
	o := order{sorted: true, desc: true}
	if (c.is(0, By) || explicit) && c.is(1, AskCount) && c.is(2, Noun, Agent) && c.language == "en" { // by number of films
		o.sorted = !c.seen(iTop) && !c.seen(iLimit)
		c.orderBy(&o, segment{terms: slices.DeleteFunc(slices.Clone(c.at(2).terms), func(t Term) bool { return t.Kind == Prop })})
		return c.put(3, item{kind: iOrder, order: &o})
	}
	if explicit && c.is(1, Noun, Agent) && c.is(2, AskCount) && c.language == "zh" { // 按电影数量
		c.orderBy(&o, segment{terms: slices.DeleteFunc(slices.Clone(c.at(1).terms), func(t Term) bool { return t.Kind == Prop })})
		return c.put(3, item{kind: iOrder, order: &o})
	}
	if t, ok := c.at(k).term(Prop); ok {
		o.props = []Term{t}
		o.desc = !c.r.isTimeProp(t)
		k++
	} else if t, ok := c.lone(); k == 0 && ok && t.Name != "time" {
		// most first: of what, the group says
	} else if c.is(k, YearMark) || k == 0 {
		l, p, ok := c.r.timeProp(nil)
		if !ok {
			return false
		}
		o.props, o.desc = []Term{{Kind: Prop, Label: l, Prop: p}}, false
		if c.is(k, YearMark) {
			k++
		}
	} else if t, ok := c.at(k).term(Event); ok {
		l, p, ok := c.r.timeProp(&t)
		if !ok {
			return false
		}
		o.props, o.desc = []Term{{Kind: Prop, Label: l, Prop: p}}, false
		k++
		if c.is(k, YearMark) {
			k++
		}
	} else {
		return false
	}
	switch {
	case c.is(k, Ascending):
		o.desc = false
		k++
	case c.is(k, Descending):
		o.desc = true
		k++
	}
	if c.seen(iTop) || c.seen(iLimit) {
		o.sorted = false
		if explicit || k > 0 {
			o.desc = !c.is(k-1, Ascending)
		}
	}
	return c.put(k, item{kind: iOrder, order: &o})
}

// lone is the direction that stands here.
func (c *chunker) lone() (Term, bool) {
	if t, ok := c.at(0).term(Ascending); ok {
		return t, ok
	}
	return c.at(0).term(Descending)
}

func (c *chunker) seen(k itemKind) bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.kind == k })
}

// grouping reads "per genre", 每个类型, "by decade" of counts and averages.
func (c *chunker) grouping() bool {
	by := c.is(0, By) && !c.is(1, Agent) || c.is(0, SortBy) && c.is(1, Noun)
	if !c.is(0, Per) && !by {
		return false
	}
	k := 1
	if c.is(k, Measure) {
		k++
	}
	for _, kind := range []Kind{Noun, Agent, Prop, DecadeMark, YearMark} {
		if t, ok := c.at(k).term(kind); ok {
			if by && (kind == Noun && t.Plural || !c.seenAsk(AskCount) && !c.seen(iAggregate)) {
				return false
			}
			return c.put(k+1, item{kind: iGroup, term: t})
		}
	}
	return false
}

func (c *chunker) seenAsk(k Kind) bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.kind == iAsk && it.term.Kind == k })
}

// aggregate reads "average rating", 总票房.
func (c *chunker) aggregate() bool {
	if c.is(0, Average) && c.i == len(c.segs)-1 { // how long … on average
		return c.put(1, item{kind: iAggregate, term: Term{Name: "average"}})
	}
	for _, k := range []Kind{Average, Sum} {
		if t, ok := c.at(0).term(Prop); ok && c.is(1, k) { // 票房加起来
			t.Name = map[Kind]string{Average: "average", Sum: "sum"}[k]
			return c.put(2, item{kind: iAggregate, term: t})
		}
		if !c.is(0, k) {
			continue
		}
		if t, ok := c.at(1).term(Prop); ok {
			name := map[Kind]string{Average: "average", Sum: "sum"}[k]
			t.Name = name
			if c.is(2, And) && c.is(3, Prop) { // the sum of revenue and budget
				c.stuck = "a sum of two properties"
				return false
			}
			return c.put(2, item{kind: iAggregate, term: t})
		}
		if t, ok := c.at(1).term(AskProp); ok && (k == Average || c.seenNoun(c.r.deed())) { // 诺兰的电影总共赚了多少
			t.Kind, t.Name = Prop, map[Kind]string{Average: "average", Sum: "sum"}[k]
			return c.put(2, item{kind: iAggregate, term: t})
		}
	}
	return false
}

// nullness reads "without a plot", 没有简介, 预算未知, "with a known budget".
func (c *chunker) nullness() bool {
	null := func(t Term, missing bool, k int) bool {
		what := "has " + t.Prop
		return c.put(k, item{kind: iCond, cond: &Cond{Label: t.Label, What: what, Neg: missing, Prop: t.Label + "." + t.Prop}})
	}
	if t, ok := c.at(0).term(Prop); ok {
		switch {
		case c.is(1, Missing):
			return null(t, true, 2)
		case c.is(1, Known):
			return null(t, false, 2)
		}
		return false
	}
	if t, ok := c.at(1).term(Prop); ok {
		if _, rel := c.r.glossary.Relationships[t.Label]; rel || c.is(1, Noun, Verb) {
			return false
		}
		switch {
		case c.is(0, Without):
			k := 2
			if c.is(k, Known) {
				k++
			}
			return null(t, true, k)
		case c.is(0, Known):
			return null(t, false, 2)
		case c.is(0, Missing):
			return null(t, true, 2)
		case c.is(0, With, Has) && c.is(2, Missing): // whose budget is unknown
			return null(t, true, 3)
		case c.is(0, With, Has) && c.language == "zh" && c.i+2 < len(c.segs) && c.ofBetween(1) && !c.isAsked(2): // 有评分的
			return null(t, false, 2)
		case c.is(0, With, Has) && (c.is(2, Known) || !c.is(2, Gt, More, Less, TimeCmp, Between, In, From, Most, Least, CmpPost, Contains, Of, Starts, Ends) && c.at(2).qty.tokens == 0 && c.at(2).mention == nil && !c.isAsked(2)):
			k := 2
			if c.is(k, Known) {
				k++
			}
			return null(t, false, k)
		}
	}
	return false
}

func (c *chunker) isAsked(k int) bool {
	return c.is(k, AskList, AskCount, AskWho, AskWhere, AskWhen)
}

// contains reads "titles containing 'love'".
func (c *chunker) contains() bool {
	k := 0
	var prop *Term
	if c.is(0, With, Contains) && c.quoted(1) && c.is(2, In) { // with "Love" in the title
		if t, ok := c.at(3).term(Prop); ok && c.r.types[t.Label+"."+t.Prop] == "STRING" {
			s := c.at(1)
			slot := Slot{Name: s.slot, Start: s.start, End: s.end, Type: "string", Label: t.Label, Property: t.Prop, Value: c.quotedText(s)}
			return c.put(4, item{kind: iCond, cond: &Cond{Label: t.Label, What: t.Prop, Op: "contains", Prop: t.Label + "." + t.Prop, Slots: []Slot{slot}}})
		}
	}
	if t, ok := c.at(0).term(Prop); ok {
		prop = &t
		k = 1
	}
	ops := map[Kind]string{Contains: "contains", Starts: "starts with", Ends: "ends with"}
	for kind, op := range ops {
		if !c.is(k, kind) || !c.quoted(k+1) || prop == nil {
			continue
		}
		s := c.at(k + 1)
		slot := Slot{Name: s.slot, Start: s.start, End: s.end, Type: "string", Label: prop.Label, Property: prop.Prop, Value: c.quotedText(s)}
		return c.put(k+2, item{kind: iCond, cond: &Cond{Label: prop.Label, What: prop.Prop, Op: op, Prop: prop.Label + "." + prop.Prop, Slots: []Slot{slot}}})
	}
	return false
}

func (c *chunker) quoted(k int) bool {
	s := c.at(k)
	return s.mention != nil && s.mention.Quoted || len(s.terms) == 1 && s.terms[0].Name == "quoted"
}

// linked reads a mention, or several joined, with the preposition before it.
func (c *chunker) linked() bool {
	prep := Unknown
	k := 0
	// born in China, 出生在中国
	if c.is(0, Event) {
		j := 1
		for c.is(j, In, From) {
			j++
		}
		if t, _ := c.at(0).term(Event); c.at(j).mention != nil && c.r.glossary.Events[t.Name].Place != "" {
			return c.place(t, j, j+1)
		}
		return false // the event stands for itself
	}
	// 在中国出生, 中国出生
	if j := b2i(c.is(0, In, From)); c.at(j).mention != nil && c.is(j+1, Event) {
		if t, _ := c.at(j + 1).term(Event); c.r.glossary.Events[t.Name].Place != "" && c.isPlace(t, j) {
			return c.place(t, j, j+2)
		}
	}
	for c.is(k, By, With, In, From, Of, AgentMark, Has, For) && c.at(k).mention == nil {
		switch {
		case c.is(k, AgentMark), c.is(k, By):
			prep = By
		case c.is(k, With) && !c.is(k, Of) && prep == Unknown:
			prep = With
		case c.is(k, In) && prep == Unknown:
			prep = In
		case c.is(k, From) && prep == Unknown:
			prep = From
		case c.is(k, Of) && prep == Unknown:
			prep = Of
		}
		k++
	}
	if c.is(k, Participle) { // directed by X, starring X
		t, _ := c.at(k).term(Participle)
		if second, ok := c.at(k + 2).term(Participle); ok && c.is(k+1, And) && c.at(k+3).mention != nil && second.Rel != t.Rel { // directed by and starring X
			c.i += k + 3
			if !c.linkList(Unknown) || len(c.items[len(c.items)-1].links.mentions) != 1 || !c.bindDoer(&c.items[len(c.items)-1], t) {
				return false
			}
			cond := c.items[len(c.items)-1].cond
			cond.Rel = slices.Sorted(slices.Values([]string{t.Rel, second.Rel}))
			cond.What = strings.Join(cond.Rel, "+") + " by"
			return true
		}
		for c.is(k+1, By) || c.is(k+1, Both) && c.at(k+2).mention != nil {
			if c.is(k+1, Both) {
				c.put(0, item{kind: iBoth})
			}
			k++
		}
		if c.at(k+1).mention == nil {
			return false
		}
		c.i += k + 1
		if !c.linkList(Unknown) {
			return false
		}
		return c.bindDoer(&c.items[len(c.items)-1], t)
	}
	if c.is(k, Both) && c.at(k+1).mention != nil && k > 0 { // in both A and B
		c.put(0, item{kind: iBoth})
		k++
	}
	if c.is(k, Agent) && c.at(k+1).mention != nil && prep == By { // by director X
		k++
	}
	if c.at(k).mention == nil {
		return false
	}
	c.i += k
	// 由X导演: the doer with its verb
	if v, ok := c.at(1).term(Verb); ok && prep == By && !c.is(1, Prop) {
		c.linkList(Unknown)
		if !c.bindDoer(&c.items[len(c.items)-1], v) {
			return false
		}
		c.i++
		return true
	}
	if !c.linkList(prep) {
		return false
	}
	if v, ok := c.at(0).term(Verb); ok && v.Work && c.items[len(c.items)-1].links.isProperty(c.r) { // 日本拍的
		c.i++
	}
	return true
}

// isProperty reports whether the links are values that aren't anybody's name.
func (l *linkItem) isProperty(r *Reader) bool {
	return !slices.ContainsFunc(l.mentions[0].mention.Candidates, func(c link.Candidate) bool { return r.glossary.Labels[c.Label].Key == c.Property })
}

// isPlace reports whether the mention at k names a place that event can have.
func (c *chunker) isPlace(event Term, k int) bool {
	label, prop := split(c.r.glossary.Events[event.Name].Place)
	return c.r.slotOf(c.at(k), label, prop) != nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// place is the place of an event: born in China.
func (c *chunker) place(event Term, k, n int) bool {
	label, prop := split(c.r.glossary.Events[event.Name].Place)
	slot := c.r.slotOf(c.at(k), label, prop)
	if slot == nil {
		return false
	}
	return c.put(n, item{kind: iCond, cond: &Cond{Label: label, What: prop, Op: "in", Prop: label + "." + prop, Slots: []Slot{*slot}}})
}

// linkList reads the mention here and those of the same kind joined to it.
func (c *chunker) linkList(prep Kind) bool {
	if c.at(0).mention == nil {
		return false
	}
	l := &linkItem{mentions: []segment{c.at(0)}, prep: prep}
	k := 1
	joined, or := false, false
	for {
		j := k
		for c.is(j, And) || c.is(j, Or) {
			or = or || c.is(j, Or)
			j++
		}
		if j == k || c.at(j).mention == nil || !sameKind(c.at(j), l.mentions[0]) {
			break
		}
		l.mentions = append(l.mentions, c.at(j))
		joined = true
		k = j + 1
	}
	if !joined {
		or = false
	}
	if t, ok := c.at(k).term(Prop); ok && len(l.mentions) == 1 { // French-language
		m := *l.mentions[0].mention
		m.Candidates = slices.DeleteFunc(slices.Clone(m.Candidates), func(x link.Candidate) bool { return x.Label != t.Label || x.Property != t.Prop })
		if len(m.Candidates) > 0 {
			l.mentions[0].mention = &m
			k++
		}
	}
	l.any = or
	return c.put(k, item{kind: iLink, links: l})
}

// sameKind reports whether two mentions may name values of one property.
func sameKind(a, b segment) bool {
	return slices.ContainsFunc(a.mention.Candidates, func(x link.Candidate) bool {
		return slices.ContainsFunc(b.mention.Candidates, func(y link.Candidate) bool { return x.Label == y.Label && x.Property == y.Property })
	})
}

// bindDoer makes a condition of the links of it and a verb whose doer they are.
func (c *chunker) bindDoer(it *item, v Term) bool {
	cond := c.r.doer(it.links, v)
	if cond == nil {
		return false
	}
	it.kind, it.cond = iCond, cond
	return true
}

// owned reports whether 的 stands right before: X的导演.
func (c *chunker) owned() bool {
	return strings.HasSuffix(strings.TrimSpace(c.question[:c.at(0).start]), "的")
}

// afterDoer reports whether the mention of a doer stands right before, or who asks for one.
func (c *chunker) afterDoer() bool {
	if len(c.items) == 0 {
		return false
	}
	last := c.items[len(c.items)-1]
	if last.kind == iBoth && len(c.items) > 1 { // 诺兰既导演又主演的
		last = c.items[len(c.items)-2]
	}
	if last.kind == iAsk && last.term.Kind == AskWho && last.pos == c.i-1 {
		return c.i+1 < len(c.segs)
	}
	if last.kind != iLink || last.pos+len(last.links.mentions) > c.i {
		return false
	}
	for rel := range c.r.deeds.rels {
		if c.r.slotOf(last.links.mentions[len(last.links.mentions)-1], c.r.glossary.Relationships[rel].From, "") != nil {
			return true
		}
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
		if p.k == Verb && s.has(Prop) && !c.seenLabel(t.Label) { // rated: the property, unless users do it
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
	if s.qty.tokens > 0 && s.qty.kind == Number && s.qty.value >= 1 && (c.is(1, Measure, Noun, Agent) || c.i == len(c.segs)-1 || c.seenAsk(AskRecommend) && c.at(1).mention != nil && c.unit(1) == nil) {
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
	for rel, w := range c.r.glossary.Relationships {
		if w.In {
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
	case s.has(Pronoun) && c.language == "en" && c.i == len(c.segs)-1 && c.i > 0 && c.segs[c.i-1].has(In) && c.seenNoun(c.r.deed()) && c.segs[c.i-1].mention == nil && slices.Contains([]string{"it", "them"}, text.Key(c.tokens[s.from:s.to])): // films with X in them
	case s.has(In) && c.language == "en" && c.i == len(c.segs)-2 && c.is(1, Pronoun) && c.seenNoun(c.r.deed()):
	case s.has(UnitWord) && c.seenProp(s):
	case s.has(YearMark) && c.seenAsk(AskWhen), s.has(RangeEnd), s.has(Pronoun) && c.isSaid(s):
	default:
		return false
	}
	c.i++
	return true
}
