package reading

import (
	"slices"

	"precedent/store/text"
)

// times finds the stretches of the calendar that the question names.
func (h *hearing) times() {
	for i := 0; i < len(h.ps); {
		if t, n := h.timeAt(i); n > 0 {
			for k := i; k < i+n; k++ {
				h.timed = append(h.timed, k)
			}
			t.Words = h.words(i, i+n)
			if op, ok := h.before(i); ok && op.Op != "=" {
				t.Bounded = op.Op
			}
			if op, ok := h.at(i + n).term(comparesBehind...); ok && h.at(i+n+1).qty.tokens == 0 {
				t.Bounded = op.Op
			}
			h.Times = append(h.Times, t)
			i += n
			continue
		}
		if _, ok := h.ps[i].is("range"); ok {
			h.Ranged = true
		}
		i++
	}
}

// timeAt reads a time from the pieces at i; n is 0 if none begins there.
func (h *hearing) timeAt(i int) (t Time, n int) {
	p := h.at(i)
	if p.named {
		return t, 0
	}
	if t, n = h.digits(i); n > 0 {
		return t, n
	}
	year, isYear := h.year(i)
	switch {
	case isYear > 0:
		t.Year = year
		n = isYear
		k := i + n
		for range 2 { // 2025年5月, 2025 Q2, 2024年的上半年
			if h.text(k) == "," || h.text(k) == "-" || h.skips(k) {
				k++
			}
		}
		if part, m := h.part(k, true); m > 0 {
			part.Year = year
			return part, k + m - i
		}
		return t, n
	default:
		t, n = h.part(i, false)
	}
	if n == 0 {
		return t, 0
	}
	k := i + n
	for h.text(k) == "," || h.skips(k) {
		k++
	}
	if year, m := h.year(k); m > 0 { // May 2025, the second quarter of 2025
		t.Year = year
		return t, k + m - i
	}
	return t, n
}

// skips reports whether the words at k stand between the parts of a time: of, 的.
func (h *hearing) skips(k int) bool {
	p := h.at(k)
	_, ok := p.term(Of, In, Filler)
	return ok && p.qty.tokens == 0 && len(p.said) < 2 && p.to > p.from
}

// year reads a year, with the word for one behind it.
func (h *hearing) year(i int) (year int64, n int) {
	p := h.at(i)
	if p.qty.tokens == 0 || p.qty.kind != Year {
		return 0, 0
	}
	if _, mark := h.at(i + 1).term(YearMark); mark {
		return int64(p.qty.value), 2
	}
	if h.isCounted(i) {
		return 0, 0
	}
	return int64(p.qty.value), 1
}

// isCounted reports whether the number at i counts or measures something, so that
// it is no year: over 2000 orders, $1999, 2000元.
func (h *hearing) isCounted(i int) bool {
	p, next := h.at(i), h.at(i+1)
	if h.ts[p.from].Kind == text.Mark || h.isMeasured(i) {
		return true
	}
	if t, ok := h.before(i); ok && t.Kind == Gt {
		_, noun := next.term(Noun, Agent, UnitWord, Measure, Prop)
		return noun || next.to > next.from && h.ts[next.from].Kind == text.Han && !isTimePost(next) || !noun
	}
	_, unit := next.term(UnitWord, Measure)
	return unit
}

func isTimePost(p piece) bool {
	_, ok := p.term(TimePost)
	return ok
}

// part reads a month, with its day, a quarter or a half. Behind says that a year
// stands before it.
func (h *hearing) part(i int, behind bool) (t Time, n int) {
	p := h.at(i)
	if q, ok := p.is("quarter"); ok {
		return Time{Quarter: atoi(q)}, 1
	}
	if half, ok := p.is("half"); ok {
		k := i + 1
		for h.skips(k) {
			k++
		}
		if t, n = h.part(k, true); n > 0 && t.Month > 0 && t.Day == 0 { // the first half of August
			t.Half = atoi(half)
			return t, k + n - i
		}
		return Time{Half: atoi(half)}, 1
	}
	if month, ok := p.is("month"); ok {
		if _, doubtful := p.is("doubtful"); doubtful && !behind && !h.leads(i) {
			return t, 0
		}
		t.Month, n = atoi(month), 1
		if day, m := h.day(i + 1); m > 0 { // May 5th
			t.Day = day
			n += m
		} else if day, m := h.day(i - 1); m > 0 && i > 0 && !slices.Contains(h.timed, i-1) { // 5 May
			t.Day = day
		}
		return t, n
	}
	if _, mark := h.at(i + 1).is("month.mark"); mark && p.qty.tokens > 0 && p.qty.value >= 1 && p.qty.value <= 12 { // 5月
		t.Month, n = int(p.qty.value), 2
		if d := h.at(i + 2); d.qty.tokens > 0 && d.qty.value >= 1 && d.qty.value <= 31 {
			if _, mark := h.at(i + 3).is("day.mark"); mark {
				t.Day, n = int(d.qty.value), 4
			}
		}
	}
	return t, n
}

// day reads a day of a month.
func (h *hearing) day(i int) (day, n int) {
	p := h.at(i)
	if p.qty.tokens != 1 || p.qty.kind != Number || p.qty.value < 1 || p.qty.value > 31 || h.ts[p.from].Kind != text.Number {
		return 0, 0
	}
	if next := h.text(i + 1); next == "th" || next == "st" || next == "nd" || next == "rd" {
		return int(p.qty.value), 2
	}
	return int(p.qty.value), 1
}

// leads reports whether a month stands where only a time does: in May, May 2025, May 3.
func (h *hearing) leads(i int) bool {
	if _, ok := h.at(i - 1).is("lead"); ok && i > 0 {
		return true
	}
	k := i + 1
	if _, n := h.day(k); n > 0 {
		return true
	}
	for h.text(k) == "," || h.skips(k) {
		k++
	}
	_, n := h.year(k)
	return n > 0
}

// digits reads 2025-05 and 2025-05-03, with any mark between.
func (h *hearing) digits(i int) (t Time, n int) {
	p := h.at(i)
	if p.qty.tokens != 1 || p.qty.kind != Year {
		return t, 0
	}
	number := func(k int, most float64) int {
		mark, q := h.text(k), h.at(k+1)
		if (mark == "-" || mark == "/" || mark == ".") && q.qty.tokens == 1 && q.qty.value >= 1 && q.qty.value <= most && q.qty.kind == Number && h.ts[q.from].Start == h.ts[q.from-1].End {
			return int(q.qty.value)
		}
		return 0
	}
	if t.Month = number(i+1, 12); t.Month == 0 {
		return t, 0
	}
	t.Year, n = int64(p.qty.value), 3
	if t.Day = number(i+3, 31); t.Day > 0 {
		n = 5
	}
	return t, n
}
