package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/store/text"
)

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
			for i, kind := range []Kind{More, Less} {
				op := []string{">", "<"}[i]
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
	if q.qty.kind == Year && c.unit(k+1) == nil && prop != nil && c.is(k-1, More, Less) && !c.r.isTimeProp(*prop) { // longer than 1917
		c.stuck = "a year, a number or a name?"
		return false
	}
	if q.qty.kind == Year && prop != nil && op == "" && c.unit(k+1) == nil && !c.is(k+1, RangeTo, CmpPost) && !c.r.isTimeProp(*prop) { // the rating of 2012
		c.stuck = "a year, a number or a name?"
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
		if second = k + 1; c.isScaled(c.at(second)) && !c.isScaled(c.at(first)) { // between 100 and 200 million
			c.stuck = "a range that begins with what?"
			return false
		}
		to := k
		k += 2
		if u := c.unit(k); u != nil {
			unit = u
			k++
		}
		if q.qty.kind != Year && !c.spans(c.i, to, k) {
			return false
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
		if c.at(second).qty.value < q.qty.value { // between 90 and 2 hours
			c.stuck = "a range that ends before it begins"
			return false
		}
		cond.Slots = append(cond.Slots, c.r.numberSlot(c.at(second), prop.Label, prop.Prop, factor))
	} else if op == "between" {
		return false
	}
	return c.put(k, item{kind: iCond, cond: cond})
}

// rated is the property that users give where they were said to give one, else t.
func (c *chunker) rated(t Term) Term {
	for _, rel := range c.r.rels {
		w := c.r.glossary.Relationships[rel]
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
