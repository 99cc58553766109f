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
		for r, in := range a {
			for q, with := range b {
				x, y := g.known.columns[i].cells[r], g.known.columns[i].cells[q]
				if !in || !with || !x.single || !y.single || r == q {
					continue
				}
				told = true
				greater := x.value > y.value
				if !more {
					greater = x.value < y.value
				}
				if greater == turned {
					return false, true
				}
			}
		}
		return true, told
	})
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
	none := make(rowSet, g.known.rows)
	var other *name
	han := g.tokens[c.first].Kind == text.Han
	for _, d := range s.cues { // than B; 比 B 多; 没有 B 多
		thanBefore := han && (d.kind == "than" || g.tokens[d.first].Text == "没") && d.last < c.first
		thanAfter := !han && d.kind == "than" && d.first > c.last
		if !thanBefore && !thanAfter {
			continue
		}
		for i, n := range s.names {
			if n.first > d.last && (thanAfter || n.last < c.first) {
				other = &s.names[i]
				break
			}
		}
		if other != nil {
			break
		}
	}
	if other == nil && c.kind != "more" && c.kind != "less" {
		for i, n := range s.names {
			if n.first > c.last {
				other = &s.names[i]
				break
			}
		}
	}
	var subject *name
	for i, n := range s.names {
		if other != nil && n.first == other.first {
			continue
		}
		if n.last < c.first {
			if subject == nil || s.chunkOf(n.first) == s.chunkOf(c.first) && (other == nil || n.last < other.first) {
				subject = &s.names[i]
			}
		} else if subject == nil {
			subject = &s.names[i]
		}
	}
	if subject != nil {
		a = g.ofName(s, *subject, c.span).rows(g.known)
	} else {
		a = none
		for before := s.before; before != nil && a.count() == 0; before = before.before {
			for _, n := range before.names {
				if other == nil || n.rows.and(other.rows).count() == 0 {
					a = n.rows
					break
				}
			}
		}
	}
	switch {
	case other != nil:
		for _, n := range s.groupOf(*other) {
			none = none.or(n.rows)
		}
		return a, none
	case subject == nil:
		return a, none
	}
	return a, g.others(s, *subject, a)
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
