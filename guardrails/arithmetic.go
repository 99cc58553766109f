package guardrails

import (
	"math"
	"slices"

	"precedent/store/text"
)

// valuesOf are the numbers by which a column orders some rows, dates left out.
func (g *grounding) valuesOf(c column, rows rowSet) []float64 {
	var out []float64
	for r, in := range rows {
		if cell := c.cells[r]; in && cell.single && len(cell.dates) == 0 {
			out = append(out, cell.value)
		}
	}
	return out
}

// scopes are the rows that a sum or an average may be of: those of the target,
// those that are spoken of, all.
func (g *grounding) scopes(s *statement, t target) []rowSet {
	var out []rowSet
	add := func(rows rowSet) {
		if rows.count() > 1 {
			out = append(out, rows)
		}
	}
	add(t.rows(g.known))
	add(g.known.union(g.spoken(s)...))
	add(g.known.all())
	return out
}

// amounts are columns that can be added up.
func (g *grounding) amounts(s *statement, n numeral) []column {
	var out []column
	for _, i := range g.fitting(s, n) {
		if c := g.known.columns[i]; !slices.Contains(c.what, "date") {
			out = append(out, c)
		}
	}
	return out
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// sums reports whether n is a column added up.
func (g *grounding) sums(s *statement, n numeral, t target) bool {
	for _, rows := range g.scopes(s, t) {
		for _, c := range g.amounts(s, n) {
			if values := g.valuesOf(c, rows); len(values) > 1 && readsIn(rounded(total(values)), n) {
				return true
			}
		}
	}
	return false
}

// rounded drops what floats lose when they are added.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// means reports whether n is the average of a column, or one column by another in a row.
func (g *grounding) means(s *statement, n numeral, t target) bool {
	if !s.has("mean") {
		return false
	}
	near := func(v float64) bool {
		return readsIn(v, n) || n.decimals == 0 && n.scale == 1 && math.Abs(v-n.value) <= 0.5
	}
	for _, rows := range g.scopes(s, t) {
		for _, c := range g.amounts(s, n) {
			if values := g.valuesOf(c, rows); len(values) > 1 && near(total(values)/float64(len(values))) {
				return true
			}
		}
	}
	for r, in := range t.rows(g.known) {
		for _, c := range g.known.columns {
			for _, d := range g.known.columns {
				x, y := c.cells[r], d.cells[r]
				if in && x.single && y.single && y.value != 0 && !slices.Contains(c.what, "date") && !slices.Contains(d.what, "date") && near(x.value/y.value) {
					return true
				}
			}
		}
	}
	return false
}

// How far "a third" may be off, and "about a third".
const (
	slackOfPart  = 0.02
	slackOfAbout = 0.05
)

// isPart reports whether v is the percentage, fraction or multiple n.
func isPart(v float64, n numeral) bool {
	switch n.kind {
	case percent:
		return math.Abs(v*100-n.value) <= math.Pow(10, -float64(n.decimals))/2+1e-9
	case fraction:
		slack := slackOfPart
		if n.about {
			slack = slackOfAbout
		}
		return math.Abs(v-n.value) <= slack
	}
	return math.Abs(v-n.value*n.scale) <= math.Pow(10, -float64(n.decimals))/2+1e-9 && (n.decimals > 0 || math.Abs(v-n.value) <= n.value*0.12)
}

// share reports whether n is the target's part of a column or of the rows.
func (g *grounding) share(s *statement, n numeral, t target) bool {
	if g.isDifference(s, n) {
		return false
	}
	var targets []rowSet
	if !t.free {
		targets = append(targets, t.any...)
		targets = append(targets, t.rows(g.known))
	}
	counted := g.picked(s, n)
	if counted != nil {
		targets = append(targets, counted)
	}
	whole := g.known.all()
	for _, rows := range targets {
		if rows.count() == 0 {
			continue
		}
		if counted != nil && isPart(float64(rows.count())/float64(whole.count()), n) && rows.count() > 1 {
			return true
		}
		for _, c := range g.amounts(s, n) {
			if of := total(g.valuesOf(c, whole)); of != 0 && isPart(total(g.valuesOf(c, rows))/of, n) {
				return true
			}
		}
	}
	return false
}

// ratio reports whether n is how many times one side is the other, or, of a
// difference, by what part it is more or less.
func (g *grounding) ratio(s *statement, n numeral) bool {
	a, b := g.sides(s)
	if sets := g.spoken(s); len(sets) > 1 {
		a, b = sets[0], sets[1]
		for _, m := range s.names[min(1, len(s.names)):] { // the name behind "as many as", before 的两倍
			if b = m.rows; m.first > n.last {
				break
			}
		}
	}
	apart := g.isDifference(s, n)
	fits := func(x, y float64) bool {
		switch {
		case y == 0:
			return false
		case apart && n.kind == times && n.value >= 2 && isPart(x/y, n): // "three times more" says either
			return g.tokens[n.first].Kind != text.Han
		case apart:
			return isPart(math.Abs(x-y)/math.Abs(y), n)
		}
		return isPart(x/y, n)
	}
	for _, i := range g.columnsFor(s, n.span, "") {
		if c := g.known.columns[i]; !slices.Contains(c.what, "date") {
			for _, x := range g.valuesOf(c, a) {
				if slices.ContainsFunc(g.valuesOf(c, b), func(y float64) bool { return fits(x, y) }) {
					return true
				}
			}
		}
	}
	return false
}
