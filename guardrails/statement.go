package guardrails

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// A statement is a sentence: what an answer says at once. What it says is bound to the rows
// of the names in it: see target.
type statement struct {
	span
	names    []name
	numerals []numeral
	cues     []cue
	chunk    []int    // of each token: which part between commas, conjunctions and brackets
	bracket  []int    // of each token: where the bracket around it opens, or -1
	groups   [][]name // names that "and" joins, of one column
	before   *statement
}

// split cuts the answer into sentences, and these into chunks and groups.
func (g *grounding) split() {
	from := 0
	var before *statement
	for i, t := range g.tokens {
		ends := t.Kind == text.Mark && strings.Contains(";!?", t.Text) || t.Text == "." && !g.abbreviates(i) || i+1 < len(g.tokens) && strings.Contains(g.text[t.End:g.tokens[i+1].Start], "\n")
		if !ends && i+1 < len(g.tokens) {
			continue
		}
		s := &statement{span: span{from, i}, before: before}
		g.fill(s)
		g.sentences = append(g.sentences, s)
		from, before = i+1, s
	}
}

// abbreviates reports whether the point at token i ends no sentence.
func (g *grounding) abbreviates(i int) bool {
	if g.tokens[i].End-g.tokens[i].Start > 1 { // 。
		return false
	}
	return g.covered[i] || i > 0 && abbreviatedWord.has(g.tokens[i-1].Text) ||
		i+1 < len(g.tokens) && g.tokens[i+1].Start == g.tokens[i].End && g.tokens[i+1].Kind != text.Han ||
		i+1 < len(g.tokens) && g.tokens[i+1].Kind == text.Word && !g.tokens[i+1].Upper
}

func (g *grounding) fill(s *statement) {
	in := func(at span) bool { return at.first >= s.first && at.last <= s.last }
	for _, n := range g.names {
		if in(n.span) {
			s.names = append(s.names, n)
		}
	}
	for _, n := range g.numerals {
		if in(n.span) {
			s.numerals = append(s.numerals, n)
		}
	}
	for _, c := range g.cues {
		if in(c.span) {
			s.cues = append(s.cues, c)
		}
	}
	g.group(s)
	g.chunks(s)
}

// group joins names of one column that only "and", commas and articles part.
func (g *grounding) group(s *statement) {
	for i, n := range s.names {
		joins := i > 0 && s.names[i-1].column == n.column
		if joins {
			for at := s.names[i-1].last + 1; at < n.first; at++ {
				t := g.tokens[at]
				c, ok := g.cueAt(s, at)
				if !(t.Text == "," || t.Text == "&" || t.Text == "the" || t.Text == "both" || t.Text == "'s" || ok && c.kind == "and") {
					joins = false
				}
			}
		}
		if joins {
			s.groups[len(s.groups)-1] = append(s.groups[len(s.groups)-1], n)
		} else {
			s.groups = append(s.groups, []name{n})
		}
	}
}

// cueAt is the cue that token i belongs to.
func (g *grounding) cueAt(s *statement, i int) (cue, bool) {
	for _, c := range s.cues {
		if c.first <= i && i <= c.last {
			return c, true
		}
	}
	return cue{}, false
}

// chunks numbers the parts of a sentence.
func (g *grounding) chunks(s *statement) {
	s.chunk, s.bracket = make([]int, s.last-s.first+1), make([]int, s.last-s.first+1)
	inside := func(i int) bool { // within a name, a number, or a group of names
		return slices.ContainsFunc(s.names, func(n name) bool { return n.first <= i && i <= n.last }) ||
			slices.ContainsFunc(s.numerals, func(n numeral) bool { return n.first <= i && i <= n.last }) ||
			slices.ContainsFunc(s.groups, func(g []name) bool { return g[0].first <= i && i <= g[len(g)-1].last })
	}
	current, open := 0, -1
	for i := s.first; i <= s.last; i++ {
		t := g.tokens[i]
		c, isCue := g.cueAt(s, i)
		switch {
		case inside(i):
		case t.Text == "(":
			current++
			open = i
		case t.Text == ")":
			current++
			open = -1
		case t.Kind == text.Mark && (t.Text == "," || t.Text == ":"),
			t.Text == "-" && (i == s.first || g.tokens[i-1].End < t.Start || t.End-t.Start > 1),
			isCue && (c.kind == "break" || c.kind == "than" || c.kind == "and" || c.kind == "next") && c.first == i:
			current++
		}
		s.chunk[i-s.first], s.bracket[i-s.first] = current, open
	}
}

func (s *statement) chunkOf(i int) int { return s.chunk[i-s.first] }

func (s *statement) bracketOf(i int) int { return s.bracket[i-s.first] }

// groupOf is the group that a name stands in.
func (s *statement) groupOf(n name) []name {
	for _, group := range s.groups {
		if group[0].first <= n.first && n.first <= group[len(group)-1].last {
			return group
		}
	}
	return []name{n}
}

// rows are those of each name of a sentence.
func (s *statement) rows() []rowSet {
	var sets []rowSet
	for _, n := range s.names {
		sets = append(sets, n.rows)
	}
	return sets
}

// firstBehind is the first name that begins behind token i, or nil.
func (s *statement) firstBehind(i int) *name {
	for j, n := range s.names {
		if n.first > i {
			return &s.names[j]
		}
	}
	return nil
}

// around are the last name before token i in its chunk, and the first one after, or nil.
func (s *statement) around(i int) (before, after *name) {
	chunk := s.chunkOf(i)
	for j, n := range s.names {
		switch {
		case s.chunkOf(n.last) != chunk && s.chunkOf(n.first) != chunk:
		case n.last < i:
			before = &s.names[j]
		case after == nil:
			after = &s.names[j]
		}
	}
	return before, after
}

// has reports whether a sentence has a cue of one of the kinds.
func (s *statement) has(kinds ...string) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool { return slices.Contains(kinds, c.kind) })
}

// inChunk reports whether a cue of one of the kinds stands in a chunk.
func (s *statement) inChunk(chunk int, kinds ...string) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool { return slices.Contains(kinds, c.kind) && s.chunkOf(c.first) == chunk })
}

// saysAny reports whether a word of a kind stands in a span.
func (g *grounding) saysAny(at span, kind wordKind) bool {
	return slices.ContainsFunc(g.tokens[at.first:at.last+1], func(t text.Token) bool { return kind.has(t.Text) })
}

func (g *grounding) nameBetween(s *statement, from, to int) bool {
	return slices.ContainsFunc(s.names, func(n name) bool { return n.first > from && n.last < to })
}

func (g *grounding) numberBetween(s *statement, from, to int) bool {
	return slices.ContainsFunc(s.numerals, func(m numeral) bool { return m.first > from && m.last < to })
}
