package guardrails

import (
	"slices"
)

// limit is the kind of limit that n is ("over", "from" …), or "".
func (g *grounding) limit(s *statement, n numeral) string {
	const far = 4 // tokens between "more than" and its number
	for _, c := range s.cues {
		gap := n.first - c.last - 1
		switch c.kind {
		case "more", "less": // more than 100
			for i := c.last + 1; i < n.first && gap <= far; i++ {
				if d, ok := g.cueAt(s, i); ok && d.kind == "than" && !g.nameBetween(s, i, n.first) {
					return map[string]string{"more": "over", "less": "under"}[c.kind]
				}
			}
		case "over", "under":
			if gap >= 0 && gap <= 2 && !g.nameBetween(s, c.last, n.first) {
				return c.kind
			}
		case "from", "upto":
			if gap >= 0 && gap <= 2 || c.first > n.last && c.first-n.last <= 3 {
				return c.kind
			}
		}
	}
	return ""
}

// within reports whether v keeps a limit.
func within(v float64, limit string, n numeral) bool {
	at := n.value * n.scale
	if n.kind == minutes && v > 24 && n.scale == 60 {
		at = n.value * 60
	}
	switch limit {
	case "over":
		return v > at
	case "from":
		return v >= at
	case "under":
		return v < at
	case "upto":
		return v <= at
	}
	return false
}

// selected are the rows of which a number is true, as a value or a limit.
func (g *grounding) selected(s *statement, n numeral) rowSet {
	rows := make(rowSet, g.known.rows)
	limit := g.limit(s, n)
	columns := g.fitting(s, n)
	if limit != "" {
		return g.limitedTo(s, n, limit, false)
	}
	for _, i := range columns {
		for r, cell := range g.known.columns[i].cells {
			rows[r] = rows[r] || cell.reads(n)
		}
	}
	return rows
}

// limitedTo are the rows that keep a limit in all columns that it may be of, or in any.
func (g *grounding) limitedTo(s *statement, n numeral, limit string, anyColumn bool) rowSet {
	fitting := g.fitting(s, n)
	columns := g.columnsFor(s, n.span, "")
	if both := slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return !slices.Contains(fitting, i) }); len(both) > 0 {
		columns = both
	} else {
		columns = fitting
	}
	rows := make(rowSet, g.known.rows)
	for r := range rows {
		told, keeps, one := false, true, false
		for _, i := range columns {
			if cell := g.known.columns[i].cells[r]; cell.single && len(cell.dates) == 0 && g.comparable(i, n) {
				told = true
				in := within(cell.value, limit, n)
				keeps, one = keeps && in, one || in
			}
		}
		rows[r] = told && (keeps || anyColumn && one)
	}
	return rows
}
