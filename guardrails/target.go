package guardrails

import (
	"slices"

	"precedent/store/text"
)

// A target is what something is said of.
type target struct {
	any  []rowSet // it must hold of one of these
	each []rowSet // or, if there are these, of each
	free bool     // nothing is named: the whole table
}

// rows are all rows of a target.
func (t target) rows(k *known) rowSet {
	if t.free {
		return k.all()
	}
	return k.union(slices.Concat(t.any, t.each)...)
}

// target is what the words at a span are said of: the name that brackets
// follow, the name right behind a number ("5 documentaries", "9 by Tarantino"),
// the names before it in its chunk, those after it there, or what the sentence
// and those before it spoke of.
func (g *grounding) target(s *statement, at span) target {
	if open := s.bracketOf(at.first); open >= 0 {
		inside := slices.ContainsFunc(s.names, func(n name) bool { return n.first > open && s.bracketOf(n.first) == open })
		list := g.listed(s, at)
		if before := g.nameBefore(s, open); before != nil && len(s.names) == 1 && len(list) == 2 && list[1].span == at && g.against(s, list[0].last, at.first) {
			return target{any: []rowSet{g.rest(before.rows)}} // A leads (8 versus 4)
		} else if before != nil && !inside && len(list) > 1 && len(list) == len(s.names) {
			return g.inherited(s, at)
		} else if before != nil && !inside {
			return target{any: []rowSet{before.rows}}
		}
	}
	if n := g.nameBehind(s, at); n != nil {
		return g.ofName(s, *n, at)
	}
	before, after := s.around(at.first)
	switch {
	case before != nil:
		return g.ofName(s, *before, at)
	case after != nil:
		return g.ofName(s, *after, at)
	case g.ofStranger(s, at):
		return target{}
	}
	return g.inherited(s, at)
}

// ofStranger reports whether the chunk of a span begins with a word that nobody
// knows: 财务部有4个人.
func (g *grounding) ofStranger(s *statement, at span) bool {
	first := at.first
	for first > s.first && s.chunkOf(first-1) == s.chunkOf(at.first) {
		first--
	}
	for first < at.first && g.tokens[first].Kind == text.Mark {
		first++
	}
	told := func(at span) bool { return at.first <= first && first <= at.last }
	_, cued := g.cueAt(s, first)
	return first < at.first && !cued && !slices.ContainsFunc(s.numerals, func(n numeral) bool { return told(n.span) }) && g.strange(first)
}

// nameBefore is the last name that ends before token i, not far from it.
func (g *grounding) nameBefore(s *statement, i int) *name {
	const far = 4 // tokens
	for j := len(s.names) - 1; j >= 0; j-- {
		if s.names[j].last < i {
			if i-s.names[j].last > far {
				return nil
			}
			return &s.names[j]
		}
	}
	return nil
}

// nameBehind is the name that a number stands right before, or that "by", "for" or "from" joins to it.
func (g *grounding) nameBehind(s *statement, at span) *name {
	const far = 5 // tokens
	for i, n := range s.names {
		if n.first <= at.last {
			continue
		}
		gap := g.tokens[at.last+1 : n.first]
		near := len(gap) == 0 || len(gap) == 1 && (gap[0].Kind == text.Han && hanMeasure.has(gap[0].Text))
		by := len(gap) <= far && slices.ContainsFunc(gap, func(t text.Token) bool { return belongsWord.has(t.Text) }) &&
			s.chunkOf(at.last) == s.chunkOf(n.first) && !slices.ContainsFunc(s.numerals, func(m numeral) bool { return m.first > at.last && m.last < n.first })
		if near && s.chunkOf(at.last) == s.chunkOf(n.first) || by {
			return &s.names[i]
		}
		return nil
	}
	return nil
}

// ofName is what is said of a name: of its rows, narrowed by the names of other
// columns in its chunk; of each name of its group, or, where as many numbers as
// names are listed, of the one in the same place.
func (g *grounding) ofName(s *statement, n name, at span) target {
	group := s.groupOf(n)
	if len(group) > 1 {
		list := g.listed(s, at)
		if n := inPlace(group, list, at); n != nil {
			return target{any: []rowSet{n.rows}}
		}
		var each []rowSet
		for _, n := range group {
			each = append(each, n.rows)
		}
		return target{each: each}
	}
	return target{any: []rowSet{g.narrowed(s, n)}}
}

// inPlace is the name that stands where the number at a span does, if as many
// numbers are listed as names; else nil.
func inPlace(names []name, list []numeral, at span) *name {
	i := slices.IndexFunc(list, func(m numeral) bool { return m.span == at })
	if i < 0 || len(list) != len(names) {
		return nil
	}
	return &names[i]
}

// narrowed are the rows of a name and of the others in its chunk.
func (g *grounding) narrowed(s *statement, n name) rowSet {
	rows := n.rows
	for _, other := range s.names {
		if other.column != n.column && s.chunkOf(other.first) == s.chunkOf(n.first) {
			if both := rows.and(other.rows); both.count() > 0 {
				rows = both
			}
		}
	}
	return rows
}

// listed are the numbers of a kind around the one at a span that no name parts.
func (g *grounding) listed(s *statement, at span) []numeral {
	i := slices.IndexFunc(s.numerals, func(n numeral) bool { return n.span == at })
	if i < 0 {
		return nil
	}
	parted := func(a, b span) bool {
		return slices.ContainsFunc(s.names, func(n name) bool { return n.first > a.last && n.last < b.first }) || s.bracketOf(a.first) != s.bracketOf(b.first)
	}
	first, last := i, i
	for first > 0 && !parted(s.numerals[first-1].span, s.numerals[first].span) {
		first--
	}
	for last+1 < len(s.numerals) && !parted(s.numerals[last].span, s.numerals[last+1].span) {
		last++
	}
	return s.numerals[first : last+1]
}

// inherited is what a chunk without names speaks of: where it lists as many
// numbers as the sentence named values, each in its place; else the first or
// the last name before it; else the first after it; else what the sentence
// before spoke of.
func (g *grounding) inherited(s *statement, at span) target {
	var before, after []name
	for _, n := range s.names {
		if n.last < at.first {
			before = append(before, n)
		} else {
			after = append(after, n)
		}
	}
	switch {
	case len(before) > 1:
		if n := inPlace(before, g.listed(s, at), at); n != nil {
			return target{any: []rowSet{n.rows}}
		}
		last := s.groupOf(before[len(before)-1])
		if len(last) > 1 && last[0].first == before[0].first {
			return g.ofName(s, last[0], at)
		}
		return target{any: []rowSet{before[0].rows, before[len(before)-1].rows}}
	case len(before) == 1:
		if list := g.listed(s, at); len(list) == 2 && list[1].span == at && g.against(s, list[0].last, at.first) {
			return target{any: []rowSet{g.rest(before[0].rows)}} // he rates higher, 8.2 against 8.0
		}
		return target{any: []rowSet{before[0].rows}}
	case len(after) > 0:
		return g.ofName(s, after[0], at)
	}
	for b := s.before; b != nil; b = b.before {
		if len(b.names) == 0 {
			continue
		}
		return target{any: append(b.rows(), g.known.rowsOf(b.names))}
	}
	return target{free: true}
}

// spoken are the rows that the sentence names, or those before it, or all.
func (g *grounding) spoken(s *statement) []rowSet {
	for b := s; b != nil; b = b.before {
		if len(b.names) > 0 {
			return b.rows()
		}
	}
	return nil
}

// against reports whether a word between two tokens sets one against the other: versus.
func (g *grounding) against(s *statement, from, to int) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool {
		return c.kind == "break" && c.first > from && c.last < to && c.last-c.first < 2 && c.first-from <= 2
	})
}
