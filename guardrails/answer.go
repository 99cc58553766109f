package guardrails

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// An Ungrounded is a piece of an answer that the facts don't bear out.
type Ungrounded struct {
	Text       string // as the answer has it
	Start, End int    // bytes of the answer
	Number     bool   // a number; otherwise a name, a claim or a shape
}

// Answer returns the pieces of an answer that the facts don't bear out, in the
// order of the text; none where all are. It looks at shape first, then at
// names and words, then at numbers, then at claims, and goes on to the next
// only where nothing was found.
//
// Shape: at most 600 characters and 12 lines of letters, digits and plain
// marks; no control or format character, link, mention, address or markup.
//
// A name is a run of capitalised words, a quotation, a word in another script
// than Latin or Chinese, a Latin word that is neither common nor of the facts,
// Chinese characters that no words account for, or a value of the graph. It
// must be a cell, an alias of one, a link, a name of the schema, or stand word
// for word in one of these or in the question.
//
// A number, in digits of any script or in words, must be in the row of the
// name it is said of: as written, rounded to the places it shows, in thousands
// to billions (万, 亿), as percent, as hours and minutes, as year, month or day
// of a date, as a decade that a number lies in. It may also count rows, or
// follow from their cells where the words say how: a sum, an average, a
// difference, a share, a multiple, a limit. Ordinals count rows or rank them.
//
// A claim is a phrase of claims.txt. Comparisons, ranks, ties and quantifiers
// must be true of the rows that are spoken of; what can't be told is not.
func (p Policy) Answer(answer string, facts Facts) []Ungrounded {
	return grounded(answer, facts, func(g *grounding) []func() { return []func(){g.words, g.numbers, g.claims} })
}

// Back returns the numbers and names of a question back that are not facts. It
// claims nothing, whatever it compares.
func (p Policy) Back(question string, facts Facts) []Ungrounded {
	return grounded(question, facts, func(g *grounding) []func() { return []func(){g.words, g.numbers} })
}

// grounded holds a text against the facts, looking for one thing after the other.
func grounded(answer string, facts Facts, looks func(*grounding) []func()) []Ungrounded {
	k := facts.known()
	raw := k.raw.String()
	if start, end, bad := misshapen(answer, func(s string) bool { return strings.Contains(raw, s) }); bad {
		return []Ungrounded{{Text: answer[start:end], Start: start, End: end}}
	}
	ts := text.Tokens(answer)
	g := &grounding{text: answer, tokens: ts, known: k, covered: make([]bool, len(ts))}
	for _, look := range looks(g) {
		if look(); len(g.found) > 0 {
			break
		}
	}
	slices.SortFunc(g.found, func(a, b Ungrounded) int { return a.Start - b.Start })
	return g.found
}

// A span is a run of tokens, both ends in.
type span struct{ first, last int }

// A name is a value that an answer speaks of.
type name struct {
	span
	rows   rowSet
	column int
}

// grounding is one answer held against the facts.
type grounding struct {
	text    string
	tokens  []text.Token
	known   *known
	covered []bool // the token is accounted for: a fact, or found wanting
	found   []Ungrounded

	names     []name    // in order
	numerals  []numeral // in order
	cues      []cue     // in order
	sentences []*statement
}

func (g *grounding) want(at span, number bool) {
	start, end := g.tokens[at.first].Start, g.tokens[at.last].End
	g.found = append(g.found, Ungrounded{Text: g.text[start:end], Start: start, End: end, Number: number})
	g.cover(at)
}

func (g *grounding) cover(at span) {
	for i := at.first; i <= at.last; i++ {
		g.covered[i] = true
	}
}

func (g *grounding) allCovered(at span) bool {
	for i := at.first; i <= at.last; i++ {
		if !g.covered[i] && g.tokens[i].Kind != text.Mark {
			return false
		}
	}
	return true
}

func (g *grounding) anyCovered(at span) bool {
	return slices.Contains(g.covered[at.first:at.last+1], true)
}

// words accounts for every word: as a value, a number, a claim, or a word of
// the facts or the language.
func (g *grounding) words() {
	g.values()
	g.quotations()
	g.readNumbers()
	g.hanValues()
	g.readCues()
	g.capitalised()
	g.latin()
	g.han()
	slices.SortFunc(g.names, func(a, b name) int { return a.first - b.first })
	g.split()
}

// values accounts for the longest whole values from left to right.
func (g *grounding) values() {
	var at []int // positions of tokens that are no marks
	for i, t := range g.tokens {
		if t.Kind != text.Mark {
			at = append(at, i)
		}
	}
	ts := unmarked(g.tokens)
	for i := 0; i < len(ts); {
		p, n := g.valueAt(ts[i:])
		if p == nil {
			i++
			continue
		}
		found := span{at[i], at[i+n-1]}
		if !p.schema || p.rows != nil {
			g.name(found, p)
		}
		if !p.schema || p.rows != nil || ts[i].Upper {
			g.cover(found)
		}
		i += n
	}
}

// valueAt finds the longest value at the beginning of ts, in its own number or
// another, and its length.
func (g *grounding) valueAt(ts []text.Token) (*place, int) {
	var best *place
	longest := 0
	try := func(key string, n int) {
		p := g.known.whole[key]
		if p == nil || n <= longest || p.small && !ts[0].Upper && ts[0].Quote == 0 {
			return
		}
		best, longest = p, n
	}
	for _, n := range g.known.starts[ts[0].Text] {
		if n <= len(ts) {
			try(joined(ts[:n]), n)
		}
	}
	for _, one := range singulars(ts[0].Text) {
		try(one, 1)
	}
	return best, longest
}

// name notes that the answer speaks of a value.
func (g *grounding) name(at span, p *place) {
	switch {
	case p == nil:
	case p.rows != nil:
		g.names = append(g.names, name{at, p.rows, p.column})
	case p.absent:
		g.names = append(g.names, name{at, make(rowSet, g.known.rows), several})
	}
}

// quotations asks of each quotation that it be said as it stands.
func (g *grounding) quotations() {
	for i := 0; i < len(g.tokens); i++ {
		quote := g.tokens[i].Quote
		if quote == 0 {
			continue
		}
		end := i
		for end+1 < len(g.tokens) && g.tokens[end+1].Quote == quote {
			end++
		}
		if inner := unmarked(g.tokens[i : end+1]); len(inner) > 0 && !g.allCovered(span{i, end}) {
			if g.known.says(inner) {
				g.name(span{i, end}, g.known.part(inner))
				g.cover(span{i, end})
			} else {
				g.want(span{i, end}, false)
			}
		}
		i = end
	}
}

// readNumbers notes the numbers that no value holds.
func (g *grounding) readNumbers() {
	for _, n := range numerals(g.tokens) {
		if g.anyCovered(n.span) {
			continue
		}
		g.numerals = append(g.numerals, n)
		g.cover(n.span)
	}
}
