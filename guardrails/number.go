package guardrails

import (
	"math"
	"slices"
	"strings"
)

// numbers asks of each number that it be so in the rows it is said of.
func (g *grounding) numbers() {
	for _, s := range g.sentences {
		if len(s.numerals) > maxNumbers {
			g.want(s.span, true)
			continue
		}
		for _, n := range s.numerals {
			if !g.bears(s, n) {
				g.want(g.wrongPart(s, n), true)
			}
		}
		g.attributes(s)
	}
}

// wrongPart is what of a number isn't so: of a date possibly only the month's name.
func (g *grounding) wrongPart(s *statement, n numeral) span {
	rest := n
	rest.date.month = 0
	for i := n.first; i <= n.last && n.kind == calendar; i++ {
		if monthAt(g.tokens, i) > 0 && g.bears(s, rest) {
			return span{i, i}
		}
	}
	return n.span
}

// bears reports whether the rows that a sentence speaks of hold the number n.
func (g *grounding) bears(s *statement, n numeral) bool {
	k := g.known
	if n.kind == vague || g.numbersLine(n) || g.filters(n) {
		return true
	}
	t := g.target(s, n.span)
	if n.kind == ordinal {
		return g.ranks(s, n, t)
	}
	if n.kind == many {
		return g.holds(s, n, t, func(v float64) bool { return v >= n.scale && v < n.scale*1e3 })
	}
	if n.kind == times || n.kind == fraction {
		return g.ratio(s, n) || n.kind == fraction && g.share(s, n, t)
	}
	if n.kind == percent && (g.share(s, n, t) || len(s.names) > 1 && g.ratio(s, n) || g.isDifference(s, n) && g.ratio(s, n)) {
		return true
	}
	if g.isDifference(s, n) {
		return g.difference(s, n) || g.counts(s, n, t) || g.holdsIn(s, n, t, true)
	}
	if s.has("sum") && g.sums(s, n, t) || s.has("mean", "all") && g.means(s, n, t) || g.counts(s, n, t) {
		return true
	}
	if t.free && k.rows > 1 && s.inChunk(s.chunkOf(n.first), "sum") && !g.saysAny(s.span, pronounWord) {
		return false
	}
	return g.holdsIn(s, n, t, false)
}

// numbersLine reports whether n numbers a line of a list: "2. The Matrix".
func (g *grounding) numbersLine(n numeral) bool {
	t := g.tokens[n.first]
	before := strings.TrimRight(g.text[:t.Start], " \t*")
	after := g.text[g.tokens[n.last].End:]
	return (before == "" || strings.HasSuffix(before, "\n")) && after != "" && strings.ContainsAny(after[:1], ".):") && n.value <= float64(g.known.rows)
}

// filters reports whether n is a limit or a year of the question, said as one:
// "films after 2000", 2024年.
func (g *grounding) filters(n numeral) bool {
	v := n.value * n.scale
	if n.kind == calendar {
		v = float64(n.date.year)
	}
	if !slices.Contains(g.known.asked, v) {
		return false
	}
	before, after := "", ""
	if n.first > 0 {
		before = g.tokens[n.first-1].Text
	}
	if n.last+1 < len(g.tokens) {
		after = g.tokens[n.last+1].Text
	}
	return n.kind == decade || boundWord.has(before) || boundedWord.has(after)
}

// holdsIn reports whether the target's cells hold n, or a limit that n is.
// apart says that n is known to be a difference, so that only a cell that is
// one itself may hold it.
func (g *grounding) holdsIn(s *statement, n numeral, t target, apart bool) bool {
	columns := g.fitting(s, n)
	limit := g.limit(s, n)
	reads := func(rows rowSet) bool {
		for _, c := range columns {
			for r, in := range rows {
				cell := g.known.columns[c].cells[r]
				if !in || apart && !slices.Contains(g.known.columns[c].name, "difference") {
					continue
				}
				if cell.reads(n) || limit != "" && cell.single && len(cell.dates) == 0 && within(cell.value, limit, n) {
					return true
				}
			}
		}
		return false
	}
	switch {
	case t.free && g.known.rows > 1 && !g.saysAny(s.span, pronounWord):
		return g.unnamed(s, columns, n)
	case t.free:
		return reads(g.known.all())
	case len(t.each) > 0:
		return !slices.ContainsFunc(t.each, func(rows rowSet) bool { return !reads(rows) })
	}
	return slices.ContainsFunc(t.any, reads)
}

// unnamed reports whether n, said of no row by name, is in all rows, or is where
// a column begins or ends and the sentence says so.
func (g *grounding) unnamed(s *statement, columns []int, n numeral) bool {
	ends := s.has("most", "least", "more", "less", "over", "under", "from", "upto", "next", "tie", "all") || g.saysAny(s.span, rangeWord)
	if g.limit(s, n) != "" && s.has("all", "none", "only", "majority") {
		return true // held with the quantifier
	}
	for _, m := range s.numerals { // three came out in 1994
		if m.span != n.span && m.kind == plain && s.chunkOf(m.first) == s.chunkOf(n.first) && g.selected(s, n).count() == int(m.value*m.scale) {
			return true
		}
	}
	for _, i := range columns {
		if at := n.first - 2; at >= s.first && g.tokens[at+1].Text == ":" && strings.HasSuffix(g.tokens[at].Text, joinedEnd(g.known.columns[i].name)) && slices.ContainsFunc(g.known.columns[i].cells, func(c cell) bool { return c.reads(n) }) {
			return true // year: 1994
		}
		all, end := true, false
		for r, cell := range g.known.columns[i].cells {
			reads := cell.reads(n)
			all = all && reads
			end = end || reads && (g.top(i, true)[r] || g.top(i, false)[r] || s.has("tie"))
		}
		if all || end && ends {
			return true
		}
	}
	return false
}

// joinedEnd is the last word of a column's name.
func joinedEnd(name []string) string {
	if len(name) == 0 {
		return "\x00" // no word ends so
	}
	return name[len(name)-1]
}

// holds reports whether a cell of the target passes.
func (g *grounding) holds(s *statement, n numeral, t target, pass func(float64) bool) bool {
	rows := t.rows(g.known)
	for _, c := range g.fitting(s, n) {
		for r, in := range rows {
			if cell := g.known.columns[c].cells[r]; in && cell.single && pass(cell.value) {
				return true
			}
		}
	}
	return false
}

// reads reports whether a cell, shown like n, reads as n does.
func (c cell) reads(n numeral) bool {
	if n.kind == calendar {
		return slices.ContainsFunc(c.dates, func(d civil) bool {
			return (n.date.year == 0 || n.date.year == d.year) && (n.date.month == 0 || n.date.month == d.month) && (n.date.day == 0 || n.date.day == d.day)
		})
	}
	if n.kind == decade {
		in := func(v float64) bool {
			if n.value < 100 {
				return v > 1000 && math.Mod(v, 100) >= n.value && math.Mod(v, 100) < n.value+10
			}
			return v >= n.value && v < n.value+10
		}
		return slices.ContainsFunc(c.numbers, in) || slices.ContainsFunc(c.dates, func(d civil) bool { return in(float64(d.year)) })
	}
	if n.exact != "" && slices.Contains(c.exact, n.exact) {
		return true
	}
	if n.scale == 1 && n.kind == plain && slices.ContainsFunc(c.dates, func(d civil) bool { return float64(d.year) == n.value }) {
		return true
	}
	units := []float64{1}
	switch n.kind {
	case percent:
		units = []float64{1, 0.01}
	case minutes:
		units = []float64{1, 60, 1.0 / 60} // cells in minutes, seconds, hours
		if slices.ContainsFunc(c.spans, func(v float64) bool { return readsAs(v, n, 1) }) {
			return true
		}
	}
	for _, unit := range units {
		if slices.ContainsFunc(slices.Concat(c.numbers, c.sizes), func(v float64) bool { return readsAs(v, n, unit) }) {
			return true
		}
	}
	return false
}

// readsIn is readsAs of a value that may be in seconds, minutes or hours.
func readsIn(v float64, n numeral) bool {
	return readsAs(v, n, 1) || n.kind == minutes && (readsAs(v, n, 60) || readsAs(v, n, 1.0/60))
}

// readsAs reports whether v, shown like n, reads as n does; unit is what one of
// n is worth in v's.
func readsAs(v float64, n numeral, unit float64) bool {
	const tolerance = 1e-9 // of what floats lose
	leastRounded := 1e4    // numbers from here on may be rounded to zeros at their end
	if n.about {
		leastRounded = 100
	}
	step := math.Pow(10, -float64(n.decimals))
	shown := math.Abs(v) / (n.scale * unit)
	want := math.Abs(n.value)
	slack := tolerance * math.Max(1, shown)
	whole := v == math.Trunc(v) && n.scale == 1 && unit == 1
	if want >= leastRounded && n.decimals == 0 && n.scale == 1 && n.kind == plain {
		for math.Mod(want, step*10) == 0 && want/step > 10 {
			step *= 10
		}
	}
	if whole && step <= 1 {
		return shown == want
	}
	return math.Abs(shown-want) <= step/2+slack
}
