package guardrails

import (
	"slices"

	"precedent/store/text"
)

// quantifies holds "all", "none", "only" and "most of" against the rows.
func (g *grounding) quantifies(s *statement, c cue) bool {
	switch {
	case c.kind == "only" && g.numberRight(s, c) && (c.first == 0 || g.tokens[c.first-1].Text != "the"):
		return true // only five
	case c.kind == "none" && (g.known.rows == 0 || g.interjected(s, c)):
		return true
	case c.kind == "all" && g.numberRight(s, c) && apieceWord.has(g.tokens[c.first].Text):
		return true // the number was held against each
	case c.kind == "all" && (s.has("mean", "sum") || s.has("apart")):
		return true
	case c.kind == "none" && s.has("more", "less", "most", "least", "beats", "loses") && !s.has("over", "under", "from", "upto") && !g.limited(s):
		return g.ties(s, c)
	}
	predicates := g.predicates(s, c.kind == "none")
	if c.kind == "none" && (g.nullCell(s) || g.zeroCell(s, c)) {
		return true
	}
	if len(predicates) == 0 {
		return false
	}
	if c.kind == "only" {
		return g.exclusive(s, c, predicates)
	}
	last := len(predicates) - 1
	scope := g.scope(s, c, predicates[:last])
	both := scope.and(predicates[last]).count()
	switch c.kind {
	case "none":
		return scope.count() > 0 && both == 0
	case "majority":
		return 2*both > scope.count()
	}
	return scope.count() > 1 && both == scope.count()
}

// scope are the rows that a quantifier is of: those that all of its subject is
// true of, or, of "both" without one, those that were spoken of.
func (g *grounding) scope(s *statement, c cue, subject []rowSet) rowSet {
	if word := g.tokens[c.first].Text; len(subject) == 0 && len(s.names) == 0 && (word == "both" || word == "neither") {
		if named := g.known.union(g.spoken(s)...); named.count() > 1 {
			return named
		}
	}
	scope := g.known.all()
	for _, p := range subject {
		scope = scope.and(p)
	}
	return scope
}

// interjected reports whether a cue is an answer of its own: "No."
func (g *grounding) interjected(s *statement, c cue) bool {
	return g.tokens[c.first].Text == "no" && c.first == s.first && (c.last == s.last || g.tokens[c.last+1].Kind == text.Mark)
}

// limited reports whether a number of the sentence is a limit.
func (g *grounding) limited(s *statement) bool {
	return slices.ContainsFunc(s.numerals, func(n numeral) bool { return g.limit(s, n) != "" })
}

// numberRight reports whether a number follows a cue: "only about five", 仅7.6.
func (g *grounding) numberRight(s *statement, c cue) bool {
	const far = 3
	return slices.ContainsFunc(s.numerals, func(n numeral) bool {
		return n.first > c.last && n.first-c.last <= far && !g.nameBetween(s, c.last, n.first)
	}) || c.last+1 < len(g.tokens) && articleWord.has(g.tokens[c.last+1].Text)
}

// predicates are the rows of which each group of names and each number of a
// sentence is true, in order, of limits in any column or in all that they may
// be of; numbers that count don't say what rows are like.
func (g *grounding) predicates(s *statement, anyColumn bool) []rowSet {
	type part struct {
		at   int
		rows rowSet
	}
	var parts []part
	for _, group := range s.groups {
		parts = append(parts, part{group[0].first, g.known.rowsOf(group)})
	}
	for _, n := range s.numerals {
		if n.kind == ordinal || n.kind == vague {
			continue
		}
		limit := g.limit(s, n)
		t := g.target(s, n.span)
		if limit == "" && g.isTotal(s, n) && n.kind == plain && n.scale == 1 && n.value < 100 || limit == "" && n.kind == plain && g.counts(s, n, t) && !g.anyReads(s, n) {
			continue
		}
		rows := g.selected(s, n)
		if limit != "" {
			rows = g.limitedTo(s, n, limit, anyColumn)
		}
		parts = append(parts, part{n.first, rows})
	}
	slices.SortFunc(parts, func(a, b part) int { return a.at - b.at })
	var out []rowSet
	for _, p := range parts {
		out = append(out, p.rows)
	}
	return out
}

// anyReads reports whether some cell is the number n.
func (g *grounding) anyReads(s *statement, n numeral) bool { return g.selected(s, n).count() > 0 }

// nullCell reports whether what the sentence names has a cell without a value:
// "OPS-40 has no assignee".
func (g *grounding) nullCell(s *statement) bool {
	if len(s.names) == 0 || len(s.numerals) > 0 {
		return false
	}
	for _, c := range g.known.columns {
		empty := true
		for r, in := range s.names[0].rows {
			empty = empty && (!in || c.cells[r].null)
		}
		if empty {
			return true
		}
	}
	return false
}

// zeroCell reports whether what "none" speaks of is a column that is 0 in the
// rows that are spoken of.
func (g *grounding) zeroCell(s *statement, c cue) bool {
	words := g.tokens[c.last+1 : s.last+1]
	rows := g.inherited(s, c.span).rows(g.known)
	return slices.ContainsFunc(g.known.columns, func(col column) bool {
		return slices.ContainsFunc(words, func(t text.Token) bool { return slices.Contains(col.name, t.Text) }) &&
			!slices.ContainsFunc(g.valuesOf(col, rows), func(v float64) bool { return v != 0 }) && len(g.valuesOf(col, rows)) == rows.count()
	})
}

// exclusive holds "only A …" against the rows: what is said is true of A's rows
// and of no others.
func (g *grounding) exclusive(s *statement, c cue, predicates []rowSet) bool {
	if len(s.names) == 0 || len(predicates) < 2 {
		return false
	}
	who := s.names[0].rows
	if n := s.firstBehind(c.last); n != nil {
		who = n.rows
	}
	what, itself := g.known.all(), false
	for _, p := range predicates {
		if !itself && p.within(who) && who.within(p) {
			itself = true
			continue
		}
		what = what.and(p)
	}
	return what.count() > 0 && what.count() < g.known.rows && what.within(who) && who.within(what)
}

// ties holds "the same" against the rows that are spoken of.
func (g *grounding) ties(s *statement, c cue) bool {
	if slices.ContainsFunc(s.numerals, func(n numeral) bool {
		return (n.kind == times || n.kind == fraction) && n.last < c.first && c.first-n.last <= 3
	}) {
		return true // twice as many
	}
	rows := g.known.rowsOf(s.names)
	for _, n := range s.numerals {
		if at := g.selected(s, n); n.kind != ordinal && at.count() > 1 && rows.within(at) && !g.turned(s, c) {
			return true // a tie at 8.8
		}
	}
	for b := s; b != nil && rows.count() < 2; b = b.before {
		rows = rows.or(g.known.rowsOf(b.names))
	}
	if rows.count() < 2 {
		rows = g.known.all()
	}
	equal := g.every(g.columnsFor(s, c.span, anything), func(i int) (ok, told bool) {
		values := map[float64]bool{}
		n := 0
		for r, in := range rows {
			if cell := g.known.columns[i].cells[r]; in && cell.single {
				values[cell.value] = true
				n++
			}
		}
		return len(values) == 1, n > 1
	})
	return equal != g.turned(s, c)
}
