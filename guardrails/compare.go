package guardrails

import (
	"slices"

	"precedent/store/text"
)

// compares holds a comparison against the rows of both sides.
func (g *grounding) compares(s *statement, c cue) bool {
	if n := g.numberAfter(s, c); n != nil {
		// The number was held against the rows as a limit.
		return true
	}
	if g.ordinalBefore(s, c) || g.quantified(s) {
		return true // held as a rank, or with the quantifier
	}
	more := c.kind == "more" || c.kind == "over" || c.kind == "beats"
	a, b := g.twoSides(s, c)
	if a.count() == 0 || b.count() == 0 {
		return false
	}
	turned := g.turned(s, c)
	what := c.what
	if (c.kind == "over" || c.kind == "under") && what == "date" && !g.hasDates() {
		what = ""
	}
	return g.every(g.columnsFor(s, c.span, what), func(i int) (ok, told bool) {
		return g.known.columns[i].compare(a, b, more, turned)
	})
}

// compare reports whether a column has more, or less, in each row of a than in
// each other of b, or turned in none, and whether it tells.
func (c column) compare(a, b rowSet, more, turned bool) (ok, told bool) {
	for r, in := range a {
		for q, with := range b {
			x, y := c.cells[r], c.cells[q]
			if !in || !with || !x.single || !y.single || r == q {
				continue
			}
			told = true
			if (ranked(x, more) > ranked(y, more)) == turned {
				return false, true
			}
		}
	}
	return true, told
}

// numberAfter is the number that a comparison is with: "more than 100", 超过80.
func (g *grounding) numberAfter(s *statement, c cue) *numeral {
	const far = 4
	for i, n := range s.numerals {
		if n.first <= c.last || n.first-c.last-1 > far || g.nameBetween(s, c.last, n.first) {
			continue
		}
		if g.limit(s, n) != "" {
			return &s.numerals[i]
		}
	}
	return nil
}

// ordinalBefore reports whether a rank stands right before: "second highest", 第二高.
func (g *grounding) ordinalBefore(s *statement, c cue) bool {
	return slices.ContainsFunc(s.numerals, func(n numeral) bool {
		return n.kind == ordinal && n.last < c.first && c.first-n.last <= 2
	})
}

// quantified reports whether a quantifier speaks of the comparison.
func (g *grounding) quantified(s *statement) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool { return c.kind == "none" && !g.interjected(s, c) })
}

// twoSides are the rows of a comparison: what is more, and than what.
func (g *grounding) twoSides(s *statement, c cue) (a, b rowSet) {
	other := g.otherSide(s, c)
	subject := s.subject(c, other)
	if subject != nil {
		a = g.ofName(s, *subject, c.span).rows(g.known)
	} else {
		a = g.spokenBefore(s, other)
	}
	switch {
	case other != nil:
		return a, g.known.rowsOf(s.groupOf(*other))
	case subject == nil:
		return a, g.known.union()
	}
	return a, g.others(s, *subject, a)
}

// otherSide is the name that a comparison is with, or nil: than B; 比 B 多; 没有 B 多.
func (g *grounding) otherSide(s *statement, c cue) *name {
	han := g.tokens[c.first].Kind == text.Han
	for _, d := range s.cues {
		thanBefore := han && (d.kind == "than" || g.tokens[d.first].Text == "没") && d.last < c.first
		thanAfter := !han && d.kind == "than" && d.first > c.last
		if !thanBefore && !thanAfter {
			continue
		}
		if n := s.firstBehind(d.last); n != nil && (thanAfter || n.last < c.first) {
			return n
		}
	}
	if c.kind == "more" || c.kind == "less" {
		return nil
	}
	return s.firstBehind(c.last)
}

// subject is the name that is said to be more, or nil.
func (s *statement) subject(c cue, other *name) *name {
	var subject *name
	for i, n := range s.names {
		switch {
		case other != nil && n.first == other.first:
		case subject == nil,
			n.last < c.first && s.chunkOf(n.first) == s.chunkOf(c.first) && (other == nil || n.last < other.first):
			subject = &s.names[i]
		}
	}
	return subject
}

// spokenBefore are the rows that the sentences before spoke of last, without the other side.
func (g *grounding) spokenBefore(s *statement, other *name) rowSet {
	for b := s.before; b != nil; b = b.before {
		for _, n := range b.names {
			if other != nil && n.rows.and(other.rows).count() > 0 {
				continue
			}
			if n.rows.count() > 0 {
				return n.rows
			}
			break
		}
	}
	return g.known.union()
}

// others are the rows that a comparison without "than" is with: those named
// before it, else all the rest.
func (g *grounding) others(s *statement, subject name, a rowSet) rowSet {
	out := make(rowSet, g.known.rows)
	for b := s; b != nil; b = b.before {
		for _, n := range b.names {
			if (b != s || n.first < subject.first) && n.rows.and(a).count() == 0 {
				out = out.or(n.rows)
			}
		}
	}
	if out.count() > 0 {
		return out
	}
	return g.rest(a)
}
