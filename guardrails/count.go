package guardrails

import (
	"slices"
)

// counts reports whether n is how many rows, items or different values are spoken of.
func (g *grounding) counts(s *statement, n numeral, t target) bool {
	if n.kind != plain || n.decimals > 0 || n.scale != 1 && n.value*n.scale > 1e4 {
		return false
	}
	v := int(n.value * n.scale)
	if g.unitNoun(n) || !t.free && len(t.any)+len(t.each) == 0 {
		return false
	}
	if len(t.each) > 0 && g.saysAny(s.span, apieceWord) && !slices.ContainsFunc(t.each, func(rows rowSet) bool { return rows.count() != v }) {
		return true
	}
	if rows := g.picked(s, n); rows != nil {
		return rows.count() == v || !g.namesIn(s, n) && v == g.known.rows && g.isTotal(s, n)
	}
	if v > 1 && (!t.free && !g.isTotal(s, n) && slices.ContainsFunc(t.any, func(rows rowSet) bool { return rows.count() == v }) || s.speaksOf(v)) {
		return true
	}
	return v == g.known.rows || v == g.known.returned || t.free && (v == g.known.lists || slices.Contains(g.distinct(), v))
}

// speaksOf reports whether a group of a sentence has v names, or the sentence
// or one before it: "the two of them".
func (s *statement) speaksOf(v int) bool {
	for b := s; b != nil; b = b.before {
		if len(b.names) == v {
			return true
		}
	}
	return slices.ContainsFunc(s.groups, func(group []name) bool { return len(group) == v })
}

// unitNoun reports whether what follows n is a unit, not what rows are of.
func (g *grounding) unitNoun(n numeral) bool {
	return unitWord.has(g.noun(n))
}

// isTotal reports whether n counts what is spoken of as a whole: "of the five", 四位.
func (g *grounding) isTotal(s *statement, n numeral) bool {
	return n.first > 0 && wholeWord.has(g.tokens[n.first-1].Text) || n.first == s.first
}

// namesIn reports whether n's chunk names anything.
func (g *grounding) namesIn(s *statement, n numeral) bool {
	return slices.ContainsFunc(s.names, func(m name) bool { return s.chunkOf(m.first) == s.chunkOf(n.first) })
}

// picked are the rows that the names, years and limits of n's chunk pick out;
// nil if there are none of these.
func (g *grounding) picked(s *statement, n numeral) rowSet {
	chunk := s.chunkOf(n.first)
	var rows rowSet
	pick := func(more rowSet) {
		if rows == nil {
			rows = more
		} else {
			rows = rows.and(more)
		}
	}
	for _, group := range s.groups {
		if s.chunkOf(group[0].first) == chunk || s.chunkOf(group[len(group)-1].first) == chunk {
			pick(g.known.rowsOf(group))
		}
	}
	for _, m := range s.numerals {
		if m.span == n.span || s.chunkOf(m.first) != chunk || m.kind == ordinal || m.kind == vague {
			continue
		}
		if more := g.selected(s, m); more.count() > 0 && (m.kind == decade || m.kind == calendar || m.value >= 100 || m.decimals > 0 || g.limit(s, m) != "") {
			pick(more)
		}
	}
	return rows
}

// distinct are how many different texts the columns hold.
func (g *grounding) distinct() []int {
	seen := map[int]map[string]bool{}
	for _, c := range g.known.cellText {
		if seen[c.column] == nil {
			seen[c.column] = map[string]bool{}
		}
		seen[c.column][c.words] = true
	}
	var out []int
	for _, set := range seen {
		out = append(out, len(set))
	}
	return out
}
