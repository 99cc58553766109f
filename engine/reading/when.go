package reading

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
		first, to := c.i, k
		op = ""
		s := c.at(k + 1)
		second = &s
		k += 2
		if c.is(k, YearMark) {
			k++
		}
		if !c.spans(first, to, k) {
			return false
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
	case q.qty.kind == Decade && q.qty.value == lastCentury:
		c.stuck = "a decade, or the century?"
		return false
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

// spans reports whether what joins the ends of a range at k makes one: 1990 to
// 1995 does, 1990 and 1995 only where it says between. i is the first segment
// that may say so, and end stands behind the range.
func (c *chunker) spans(i, to, end int) bool {
	if !c.is(to, And) {
		return true
	}
	said := c.is(end, RangeEnd)
	for k := max(i-1, 0); k < c.i+to; k++ {
		s := c.segs[k]
		said = said || s.mention == nil && s.has(Between) && (c.language == "en" || !s.has(In))
	}
	if !said {
		c.stuck = "these two, or all between them?"
	}
	return said
}

// lastCentury is what the 1900s begin with, whether ten years or a hundred.
const lastCentury = 1900

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
