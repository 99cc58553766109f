package guardrails

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"precedent/store/text"
)

// tops holds a superlative against the rows.
func (g *grounding) tops(s *statement, c cue) bool {
	if g.ordinalBefore(s, c) {
		return true
	}
	if g.winsThings(s, c) {
		return true
	}
	if c.first > s.first && possessiveWord.has(g.tokens[c.first-1].Text) && g.asksFor(c) {
		return true // his longest film, as the question chose one for each
	}
	columns := g.columnsFor(s, c.span, c.what)
	sets := g.rowsOf(s, c)
	if sets == nil {
		return g.topNumber(s, c, columns)
	}
	turned := g.turned(s, c)
	return slices.ContainsFunc(sets, func(rows rowSet) bool {
		return g.every(columns, func(i int) (ok, told bool) {
			top := g.top(i, c.kind == "most")
			return (top.count() > 0 && (top.within(rows))) != turned, top.count() > 0
		})
	})
}

// rowsOf are the rows that a rank is claimed of: the names before it in its
// chunk, else those after it, else what the sentence spoke of.
func (g *grounding) rowsOf(s *statement, c cue) []rowSet {
	if before, after := s.around(c.first); before != nil || after != nil {
		t := g.ofName(s, *cmp.Or(before, after), span{-1, -1})
		return []rowSet{t.rows(g.known)}
	}
	t := g.inherited(s, c.span)
	if t.free {
		return nil
	}
	if len(t.each) > 0 {
		return []rowSet{t.rows(g.known)}
	}
	return t.any
}

// winsThings reports whether a cue is a verb of what is counted: "won 9 games".
func (g *grounding) winsThings(s *statement, c cue) bool {
	return victoryWord.has(g.tokens[c.first].Text) &&
		(slices.ContainsFunc(s.numerals, func(n numeral) bool { return n.first == c.last+1 }) || slices.ContainsFunc(s.cues, func(d cue) bool {
			return d.first > c.last && d.first <= c.last+3 && (d.kind == "most" || d.kind == "least")
		}))
}

// asksFor reports whether the question has the words of a cue.
func (g *grounding) asksFor(c cue) bool {
	return strings.Contains(" "+joined(g.known.questionTokens)+" ", " "+joined(g.tokens[c.first:c.last+1])+" ")
}

// top are the rows with the most, or the least, of a column.
func (g *grounding) top(column int, most bool) rowSet {
	rows := make(rowSet, g.known.rows)
	best := math.Inf(-1)
	for _, cell := range g.known.columns[column].cells {
		if v := ranked(cell, most); cell.single && v > best {
			best = v
		}
	}
	for r, cell := range g.known.columns[column].cells {
		rows[r] = cell.single && ranked(cell, most) == best
	}
	return rows
}

func ranked(c cell, most bool) float64 {
	if most {
		return c.value
	}
	return -c.value
}

// topNumber holds a superlative without a name against the numbers said with it.
func (g *grounding) topNumber(s *statement, c cue, columns []int) bool {
	asked := false
	for _, n := range s.numerals {
		if n.kind == ordinal || n.kind == vague || s.chunkOf(n.first) != s.chunkOf(c.first) {
			continue
		}
		for _, i := range columns {
			for r, in := range g.top(i, c.kind == "most") {
				if in && g.known.columns[i].cells[r].reads(n) {
					return true
				}
			}
		}
		asked = true
	}
	return !asked && len(g.names) == 0 && g.known.rows == 1
}

// follows holds "followed by B" against the ranks of B and the name before it.
func (g *grounding) follows(s *statement, c cue) bool {
	most, columns := true, []int(nil)
	for _, d := range s.cues {
		if d.kind == "most" || d.kind == "least" {
			most = d.kind == "most"
			columns = g.columnsFor(s, d.span, d.what)
		}
	}
	if columns == nil {
		columns = g.columnsFor(s, c.span, "")
	}
	var before, after *name
	for i, n := range s.names {
		if n.last < c.first {
			before = &s.names[i]
		} else if after == nil && n.first > c.last {
			after = &s.names[i]
		}
	}
	if after == nil && before != nil && len(s.names) > 1 { // 活着以9.3分居次
		after = before
		before = &s.names[0]
	}
	if before == nil && s.before != nil && len(s.before.names) > 0 {
		before = &s.before.names[len(s.before.names)-1]
	}
	if after == nil {
		return len(s.names) == 0
	}
	if before == nil {
		return false
	}
	// Names of one chunk narrow each other: 张艺谋的《活着》.
	a := g.ofName(s, *before, span{-1, -1}).rows(g.known)
	list := s.groupOf(*after)
	return g.every(columns, func(i int) (ok, told bool) {
		last := a
		for _, n := range list {
			b := g.narrowed(s, n)
			if !g.rightBehind(i, most, last, b) {
				return false, true
			}
			last = b
		}
		return true, true
	})
}

// rightBehind reports whether no row of a column lies between the best of a and
// the best of b, and a isn't behind b.
func (g *grounding) rightBehind(column int, most bool, a, b rowSet) bool {
	best := func(rows rowSet) (float64, int) {
		v, at := math.Inf(-1), -1
		for r, in := range rows {
			if cell := g.known.columns[column].cells[r]; in && cell.single && ranked(cell, most) > v {
				v, at = ranked(cell, most), r
			}
		}
		return v, at
	}
	x, first := best(a)
	y, second := best(b)
	if first < 0 || second < 0 || x < y {
		return false
	}
	for r, cell := range g.known.columns[column].cells {
		if v := ranked(cell, most); cell.single && !a[r] && !b[r] && v < x && v > y {
			return false
		}
	}
	return true
}

// ranks holds "the third", 第二 against the order of the rows and their ranks.
func (g *grounding) ranks(s *statement, n numeral, t target) bool {
	k := int(n.value)
	if t.free || len(g.names) == 0 {
		return k <= max(g.known.rows, g.known.lists, 1)
	}
	sets := slices.Concat(t.any, t.each)
	columns := g.columnsFor(s, n.span, "")
	if k == 1 && g.tokens[n.first].Text == "first" { // "started first" is of times
		for i := range g.known.columns {
			if g.isDate(i) && !slices.Contains(columns, i) && g.known.columns[i].ordered() {
				columns = append(columns, i)
			}
		}
	}
	return slices.ContainsFunc(sets, func(rows rowSet) bool {
		if k >= 1 && k <= len(rows) && rows[k-1] && (g.listsRows(s, n) || len(columns) == 0) {
			return true
		}
		return slices.ContainsFunc(columns, func(i int) bool {
			return g.hasRank(i, true, rows, k) && !g.isDate(i) && !s.has("least") || g.hasRank(i, false, rows, k) && (s.has("least", "less") || g.isDate(i))
		})
	})
}

// listsRows reports whether an ordinal may be of the rows as they are listed,
// "the third is B", and not of a rank: "B comes third", 第三名.
func (g *grounding) listsRows(s *statement, n numeral) bool {
	return n.value > 1 && g.tokens[n.first].Kind != text.Han && !g.saysAny(s.span, placingWord)
}

func (c column) ordered() bool {
	return slices.ContainsFunc(c.cells, func(c cell) bool { return c.single })
}

// hasRank reports whether one of the rows is the k-th of a column.
func (g *grounding) hasRank(column int, most bool, rows rowSet, k int) bool {
	for r, in := range rows {
		cell := g.known.columns[column].cells[r]
		if !in || !cell.single {
			continue
		}
		before := 0
		for _, other := range g.known.columns[column].cells {
			if other.single && ranked(other, most) > ranked(cell, most) {
				before++
			}
		}
		if before+1 == k {
			return true
		}
	}
	return false
}
