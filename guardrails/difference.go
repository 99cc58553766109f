package guardrails

import (
	"math"
	"slices"

	"precedent/store/text"
)

// isDifference reports whether a sentence says n of two rows: "12 years after",
// "two more films than", "by 660 million", 多赚了6亿.
func (g *grounding) isDifference(s *statement, n numeral) bool {
	const far = 3 // tokens between the number and its comparison
	for _, c := range s.cues {
		gap := c.first - n.last - 1
		setting := slices.Contains([]string{"over", "under", "beats", "loses"}, c.kind)
		comparing := c.kind == "more" || c.kind == "less" || setting && g.tokens[c.first].Kind != text.Han
		switch {
		case c.kind == "apart" && (s.chunkOf(c.first) == s.chunkOf(n.first) || !s.has("tie") && len(s.names) == 0):
			return true
		case comparing && (c.kind == "over" || c.kind == "under") && c.what == "" && g.numberAfter(s, c) != nil:
		case comparing && gap >= 0 && gap <= far && s.chunkOf(c.first) == s.chunkOf(n.last) && !g.numberBetween(s, n.last, c.first) && (gap == 0 || c.what == "date" || g.tokens[n.last+1].Kind == text.Word || g.tokens[n.last+1].Text == "-"):
			return true
		case comparing && gap < 0 && n.first > c.last && g.tokens[c.first].Kind == text.Han && g.hanDifference(s, c, n):
			return true
		case setting && g.tokens[c.first].Kind == text.Han && n.first > c.last && g.nameBetween(s, c.last, n.first) && g.hanDifference(s, c, n):
			return true
		}
	}
	if n.first > 0 && g.tokens[n.first-1].Text == "by" {
		return true
	}
	for i := n.first - 1; i >= s.first && i >= n.first-3; i-- { // by about 660 million
		if g.tokens[i].Text == "by" && !g.nameBetween(s, i, n.first) {
			return s.has("more", "less", "over", "under", "beats", "loses", "most", "least")
		}
	}
	return false
}

// hanDifference reports whether n is by how much 比 … 多 or 领先 … says: behind
// the comparison, in the same chunk or the one its other name stands in.
func (g *grounding) hanDifference(s *statement, c cue, n numeral) bool {
	const far = 6 // tokens
	if n.first-c.last > far || g.numberBetween(s, c.last, n.first) {
		return false
	}
	if c.kind != "more" && c.kind != "less" {
		return s.chunkOf(c.first) == s.chunkOf(n.first)
	}
	return s.has("than") && s.chunkOf(c.first) == s.chunkOf(n.first) || s.has("than") && c.last+1 >= n.first-1
}

// difference reports whether n is how far two rows that are spoken of are apart.
func (g *grounding) difference(s *statement, n numeral) bool {
	a, b := g.sides(s)
	for i, column := range g.known.columns {
		if !g.fits(s, n, i) {
			continue
		}
		for _, x := range g.valuesOf(column, a) {
			for _, y := range g.valuesOf(column, b) {
				if d := math.Abs(x - y); d > 0 && readsIn(rounded(d), n) {
					return true
				}
			}
		}
		if len(column.cells) == 0 || !slices.Contains(column.what, "date") {
			continue
		}
		for _, x := range g.datesOf(column, a) {
			for _, y := range g.datesOf(column, b) {
				if g.spansTime(x, y, n) {
					return true
				}
			}
		}
	}
	return false
}

// spansTime reports whether n years, months or days lie between two dates.
func (g *grounding) spansTime(x, y civil, n numeral) bool {
	days := math.Abs(float64(x.days() - y.days()))
	unit := g.noun(n)
	if n.last+1 < len(g.tokens) && g.tokens[n.last+1].Kind == text.Han {
		unit = map[string]string{"年": "years", "个": "months", "月": "months", "天": "days", "日": "days"}[g.tokens[n.last+1].Text]
	}
	v := n.value * n.scale
	switch unit {
	case "days", "day":
		return v == days
	case "months", "month":
		return math.Abs(days/30.44-v) < 1
	case "years", "year", "":
		return v == math.Abs(float64(x.year-y.year)) || math.Abs(days/365.25-v) < 0.5
	}
	return false
}

// days is the day since 1970, near enough to compare.
func (d civil) days() int { return d.year*365 + d.year/4 + max(d.month-1, 0)*30 + d.month/2 + d.day }

// sides are the rows of what a comparison sets against what: of the first name
// and of the others; of the rows before where the sentence names one; of the
// first row and the others where nothing is named.
func (g *grounding) sides(s *statement) (a, b rowSet) {
	sets := g.spoken(s)
	none := make(rowSet, g.known.rows)
	a, b = none, none
	switch len(sets) {
	case 0:
		a, b = g.known.all(), g.known.all()
	case 1:
		a = sets[0]
		b = g.rest(a)
		for before := s.before; before != nil; before = before.before {
			for _, n := range before.names {
				if n.rows.and(a).count() == 0 {
					return a, n.rows
				}
			}
		}
	default:
		a = sets[0]
		for _, set := range sets[1:] {
			b = b.or(set)
		}
		if a.within(b) && b.within(a) {
			b = g.rest(a)
		}
	}
	return a, b
}

func (g *grounding) datesOf(c column, rows rowSet) []civil {
	var out []civil
	for r, in := range rows {
		if in && len(c.cells[r].dates) > 0 {
			out = append(out, c.cells[r].dates[0])
		}
	}
	return out
}
