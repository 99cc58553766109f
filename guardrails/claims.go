package guardrails

import (
	"slices"

	"precedent/store/text"
)

// claims asks of each phrase that claims something that it be true.
func (g *grounding) claims() {
	for _, s := range g.sentences {
		for _, c := range s.cues {
			if !g.stands(s, c) {
				g.want(c.span, false)
			}
		}
		for i := 1; i < len(s.names); i++ {
			if g.unrelated(s, s.names[i-1], s.names[i]) {
				g.want(span{s.names[i-1].last + 1, s.names[i].first - 1}, false)
			}
		}
	}
}

// stands reports whether what a cue claims is so; false too if that can't be told.
func (g *grounding) stands(s *statement, c cue) bool {
	switch c.kind {
	case "more", "less", "over", "under", "beats", "loses":
		return g.compares(s, c)
	case "most", "least":
		return g.tops(s, c)
	case "next":
		return g.follows(s, c)
	case "tie":
		return g.ties(s, c)
	case "all", "none", "only", "majority":
		return g.quantifies(s, c)
	case "not":
		return g.denies(s, c)
	case "than":
		return g.saysHow(s, c)
	case "lacks":
		return !slices.ContainsFunc(s.names, func(n name) bool { return n.first > c.last && n.rows.count() > 0 })
	case "beyond":
		return g.known.says(unmarked(g.tokens[c.first : c.last+1]))
	}
	return true
}

// every reports whether all columns that tell agree, and one does.
func (g *grounding) every(columns []int, holds func(int) (ok, told bool)) bool {
	told := false
	for _, i := range columns {
		ok, tells := holds(i)
		if tells && !ok {
			return false
		}
		told = told || tells
	}
	return told
}

// turned reports whether a word of denial stands before a cue in its chunk.
func (g *grounding) turned(s *statement, c cue) bool {
	return slices.ContainsFunc(s.cues, func(d cue) bool {
		return (d.kind == "not" || d.kind == "none" && g.tokens[d.first].Text == "never") && d.last < c.first && s.chunkOf(d.first) == s.chunkOf(c.first)
	})
}

// saysHow reports whether what "than" or 比 compares is said by a phrase of
// claims.txt: of "funnier than" nothing is known.
func (g *grounding) saysHow(s *statement, c cue) bool {
	han := g.tokens[c.first].Kind == text.Han
	return slices.ContainsFunc(s.cues, func(d cue) bool {
		return slices.Contains([]string{"more", "less", "over", "under", "beats", "loses", "not", "from", "upto", "apart", "tie"}, d.kind) && (d.first > c.last) == han
	}) || c.first > s.first && (g.tokens[c.first-1].Text == "other" || g.tokens[c.first-1].Text == "rather")
}

// denies reports whether a denial may stand: it turns a comparison, a rank or a
// quantifier (held with it), names what is null, or speaks of nothing named.
func (g *grounding) denies(s *statement, c cue) bool {
	for _, d := range s.cues {
		if d.first > c.last && s.chunkOf(d.first) == s.chunkOf(c.first) && slices.Contains([]string{"more", "less", "over", "under", "beats", "loses", "most", "least", "tie"}, d.kind) {
			return true
		}
	}
	if g.known.negated && len(s.names) == 0 {
		return true
	}
	if g.nullCell(s) {
		return true
	}
	if len(s.names) > 0 || len(s.numerals) > 0 {
		return false
	}
	return s.before == nil || len(s.before.names) == 0
}
