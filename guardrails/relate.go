package guardrails

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// attributes asks of names of different columns that are said together that one
// row hold them both: in one chunk; or, where a chunk has no other, with the
// name before or behind it, or with those of the sentence before.
func (g *grounding) attributes(s *statement) {
	for i, n := range s.names {
		if n.column != several && s.belies(i) {
			g.want(n.span, false)
		}
	}
}

// belies reports whether the i-th name is in no row of the names it is said with.
func (s *statement) belies(i int) bool {
	n := s.names[i]
	differs := func(m name) bool { return m.column != several && m.column != n.column }
	together := func(m name) bool { return s.chunkOf(m.first) == s.chunkOf(n.first) }
	share := func(m name) bool { return m.rows.and(n.rows).count() > 0 }
	var before, behind *name
	alone := true
	for j, m := range s.names {
		if !differs(m) {
			continue
		}
		alone = alone && !together(m)
		if j < i {
			before = &s.names[j]
		} else if behind == nil {
			behind = &s.names[j]
		}
	}
	switch {
	case before != nil && together(*before):
		return !share(*before)
	case !alone || n.column == s.names[0].column && i > 0:
	case before != nil:
		return !share(*before) && (behind == nil || !share(*behind)) && !(differs(s.names[0]) && share(s.names[0]))
	case i == 0 && behind == nil && s.before != nil && len(s.before.names) > 0:
		return !slices.ContainsFunc(s.before.names, func(m name) bool { return !differs(m) || share(m) })
	}
	return false
}

// unrelated reports whether one thing is said to do to another what no phrase
// of claims.txt tells: "Titanic dwarfs Avatar".
func (g *grounding) unrelated(s *statement, a, b name) bool {
	between := span{a.last + 1, b.first - 1}
	if a.column != b.column || s.chunkOf(a.last) != s.chunkOf(b.first) || len(s.groupOf(a)) > 1 && s.groupOf(a)[0].first == s.groupOf(b)[0].first || between.last < between.first {
		return false
	}
	return !slices.ContainsFunc(s.cues, func(c cue) bool { return between.first <= c.first && c.last <= between.last }) &&
		!g.numberBetween(s, a.last, b.first) && g.strangeWithin(between)
}

// strangeWithin reports whether a span has a word that answers aren't made of.
func (g *grounding) strangeWithin(at span) bool {
	for i := at.first; i <= at.last; i++ {
		switch t := g.tokens[i]; {
		case t.Kind == text.Word && !ordinary()[t.Text] && !strings.HasPrefix(t.Text, "'"):
			return true
		case t.Kind == text.Han:
			end := i
			for end <= at.last && g.tokens[end].Kind == text.Han {
				end++
			}
			if g.leftHan(i, end, g.tellsHan) >= 0 {
				return true
			}
			i = end - 1
		}
	}
	return false
}
