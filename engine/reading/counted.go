package reading

import (
	"strings"
)

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
