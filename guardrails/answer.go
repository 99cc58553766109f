package guardrails

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"precedent/store/text"
)

// An Ungrounded is a piece of an answer that the facts don't bear out.
type Ungrounded struct {
	Text       string // as the answer has it
	Start, End int    // bytes of the answer
	Number     bool   // a number; otherwise a name
}

// ordinaryFile lists words that are often capitalised without being names.
//
//go:embed ordinary.txt
var ordinaryFile string

var ordinary = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(ordinaryFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			words[word] = true
		}
	}
	return words
})

// Answer returns the numbers and names of an answer that are not facts, in the
// order of the text; none where all are.
//
// A number is borne out by a cell (also within lists, nodes and texts), the
// number of rows, of items of a list, of different texts in a column or of
// links, or by the question: as written, rounded to the places it shows, in
// thousands to billions (万, 亿), as percent, as hours and minutes, as year,
// month or day of a date, as a decade that a number lies in. Ordinals count
// rows. Words from two to ninety-nine and Chinese numerals before a measure word are numbers.
//
// A name is a run of capitalised words, a quotation, a Latin word in a Chinese
// text, or Chinese characters that IsValue knows. It must be a cell, an alias
// of one, a link, a name of the schema, or stand word for word in one of these
// or in the question. Sums, differences and names with a word added are not facts.
func (p Policy) Answer(answer string, facts Facts) []Ungrounded {
	ts := text.Tokens(answer)
	g := grounding{text: answer, tokens: ts, known: facts.known(), covered: make([]bool, len(ts))}
	g.coverWhole()
	g.quotations()
	g.numbers()
	g.capitalised()
	g.latinInHan()
	g.hanValues()
	slices.SortFunc(g.found, func(a, b Ungrounded) int { return a.Start - b.Start })
	return g.found
}

// grounding is one answer held against the facts.
type grounding struct {
	text    string
	tokens  []text.Token
	known   *known
	covered []bool // the token is accounted for: a fact, or found wanting
	found   []Ungrounded
}

func (g *grounding) want(first, last int, number bool) {
	start, end := g.tokens[first].Start, g.tokens[last].End
	g.found = append(g.found, Ungrounded{Text: g.text[start:end], Start: start, End: end, Number: number})
	g.cover(first, last)
}

func (g *grounding) cover(first, last int) {
	for i := first; i <= last; i++ {
		g.covered[i] = true
	}
}

// coverWhole accounts for the longest whole values from left to right.
func (g *grounding) coverWhole() {
	var at []int // positions of tokens that are no marks
	for i, t := range g.tokens {
		if t.Kind != text.Mark {
			at = append(at, i)
		}
	}
	ts := unmarked(g.tokens)
	for i := 0; i < len(ts); {
		longest := 0
		for _, n := range g.known.starts[ts[i].Text] {
			if n > longest && i+n <= len(ts) && g.known.whole[joined(ts[i:i+n])] {
				longest = n
			}
		}
		if longest == 0 {
			i++
			continue
		}
		g.cover(at[i], at[i+longest-1])
		i += longest
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
		if inner := unmarked(g.tokens[i : end+1]); len(inner) > 0 && !g.allCovered(i, end) {
			if g.known.says(inner) {
				g.cover(i, end)
			} else {
				g.want(i, end, false)
			}
		}
		i = end
	}
}

func (g *grounding) allCovered(first, last int) bool {
	for i := first; i <= last; i++ {
		if !g.covered[i] && g.tokens[i].Kind != text.Mark {
			return false
		}
	}
	return true
}

func (g *grounding) numbers() {
	for _, n := range numerals(g.tokens) {
		if g.allCovered(n.first, n.last) {
			continue
		}
		if n.kind == vague || g.known.bears(n) || g.numbersLine(n) {
			g.cover(n.first, n.last)
		} else {
			g.want(n.first, n.last, true)
		}
	}
}

// numbersLine reports whether n numbers a line of a list: "2. The Matrix".
func (g *grounding) numbersLine(n numeral) bool {
	t := g.tokens[n.first]
	before := strings.TrimRight(g.text[:t.Start], " \t*")
	after := g.text[g.tokens[n.last].End:]
	return (before == "" || strings.HasSuffix(before, "\n")) && after != "" && strings.ContainsAny(after[:1], ".):") && n.value <= float64(g.known.rows)
}

// bears reports whether the facts hold the number n.
func (k *known) bears(n numeral) bool {
	if n.exact != "" && k.exact[n.exact] || n.scale == 1 && k.numbers[n.value] {
		return true
	}
	switch n.kind {
	case ordinal:
		return n.value <= float64(max(k.rows, 1))
	case decade:
		from := n.value
		if from < 100 {
			return slices.ContainsFunc(k.list, func(v float64) bool { return v > 1000 && math.Mod(v, 100) >= from && math.Mod(v, 100) < from+10 })
		}
		return slices.ContainsFunc(k.list, func(v float64) bool { return v >= from && v < from+10 })
	case percent:
		return k.near(n, 1) || k.near(n, 0.01)
	case minutes:
		return k.near(n, 1) || k.near(n, 60) || k.nearSpan(n)
	}
	return k.near(n, 1)
}

// near reports whether a number of the facts, shown like n, reads as n does;
// unit is what one of n is worth in the facts' numbers.
func (k *known) near(n numeral, unit float64) bool {
	return slices.ContainsFunc(k.list, func(v float64) bool { return readsAs(v, n, unit) })
}

func (k *known) nearSpan(n numeral) bool {
	return slices.ContainsFunc(k.spans, func(v float64) bool { return readsAs(v, n, 1) })
}

func readsAs(v float64, n numeral, unit float64) bool {
	const tolerance = 1e-9   // of what floats lose
	const leastRounded = 1e4 // numbers from here on may be rounded to zeros at their end
	step := math.Pow(10, -float64(n.decimals))
	shown := math.Abs(v) / (n.scale * unit)
	want := math.Abs(n.value)
	slack := tolerance * math.Max(1, shown)
	switch whole := v == math.Trunc(v) && n.scale == 1 && unit == 1; {
	case whole && want >= leastRounded && n.decimals == 0 && n.kind == plain:
		for math.Mod(want, step*10) == 0 && want/step > 10 {
			step *= 10
		}
		if step == 1 {
			return shown == want
		}
	case whole:
		return shown == want
	}
	// Rounded, or cut off: "over 2.9 billion" for 2,989,000,000.
	return math.Abs(shown-want) <= step/2+slack || n.scale > 1 && n.kind == plain && shown >= want && shown-want < step-slack
}

// links are small words that stand within names.
var links = []string{"of", "the", "de", "la", "le", "du", "da", "di", "del", "van", "von", "der", "den", "bin", "el", "al", "y"}

// capitalised asks of each run of capitalised words that it be a fact.
func (g *grounding) capitalised() {
	for i := 0; i < len(g.tokens); i++ {
		if !g.upper(i) {
			continue
		}
		end := i
		for {
			next := end + 1
			for next < len(g.tokens) && slices.Contains(links, g.tokens[next].Text) && !g.covered[next] && next-end <= 2 {
				next++
			}
			for next < len(g.tokens) && next == end+1 && g.tokens[next].Kind == text.Mark && strings.Contains("-.·", g.tokens[next].Text) && g.tokens[next].Start == g.tokens[end].End {
				next++
			}
			if next >= len(g.tokens) || !g.upper(next) || g.tokens[next-1].Text == "." && !g.initial(next-2) {
				break
			}
			end = next
		}
		g.run(i, end)
		i = end
	}
}

// upper reports whether token i begins with a capital and is not accounted for.
func (g *grounding) upper(i int) bool {
	return i >= 0 && i < len(g.tokens) && g.tokens[i].Upper && g.tokens[i].Kind == text.Word && !g.covered[i]
}

// initial reports whether token i is one letter, as in "J. K. Rowling".
func (g *grounding) initial(i int) bool { return i >= 0 && len(g.tokens[i].Text) == 1 }

// run judges a run of capitalised words; ordinary words at its ends don't count.
func (g *grounding) run(first, last int) {
	for first <= last && g.isOrdinary(first) {
		first++
	}
	for last >= first && g.isOrdinary(last) {
		last--
	}
	if first > last {
		return
	}
	ts := unmarked(g.tokens[first : last+1])
	if g.known.says(ts) || len(ts) == 1 && g.inflected(ts[0]) {
		g.cover(first, last)
		return
	}
	g.want(first, last, false)
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

func (g *grounding) isOrdinary(i int) bool {
	word := g.tokens[i].Text
	if m := slices.Index(monthNames, word); m >= 0 {
		return g.known.months[m+1]
	}
	return ordinary()[word] || g.tokens[i].Kind == text.Mark || slices.Contains(links, word)
}

// inflected reports whether a known text has the word in another number or tense.
func (g *grounding) inflected(t text.Token) bool {
	for _, ending := range []string{"s", "es", "ed", "d", "ing"} {
		if stem, ok := strings.CutSuffix(t.Text, ending); ok && len(stem) > 2 && g.known.says([]text.Token{{Text: stem}}) {
			return true
		}
	}
	return g.known.says([]text.Token{{Text: t.Text + "s"}})
}

// latinInHan asks of Latin words in a mostly Chinese answer that they be facts.
func (g *grounding) latinInHan() {
	han, latin := 0, 0
	for _, t := range g.tokens {
		switch t.Kind {
		case text.Han:
			han++
		case text.Word:
			latin++
		}
	}
	if han < latin {
		return
	}
	for i := 0; i < len(g.tokens); i++ {
		if g.covered[i] || g.tokens[i].Kind != text.Word {
			continue
		}
		end := i
		for end+1 < len(g.tokens) && !g.covered[end+1] && g.tokens[end+1].Kind == text.Word {
			end++
		}
		g.run(i, end)
		i = end
	}
}

// hanValues looks for values of the graph among Chinese characters, longest first.
func (g *grounding) hanValues() {
	const longest = 16 // characters of a name
	for i := 0; i < len(g.tokens); i++ {
		end := i
		for end < len(g.tokens) && end-i < longest && !g.covered[end] && (g.tokens[end].Kind == text.Han || g.tokens[end].Text == "·") {
			end++
		}
		for ; end-i >= 2; end-- {
			part := g.tokens[i:end]
			if part[len(part)-1].Kind == text.Mark || !g.known.isValue(text.Key(part)) {
				continue
			}
			if !g.known.says(unmarked(part)) {
				g.want(i, end-1, false)
			}
			i = end - 1
			break
		}
	}
}
