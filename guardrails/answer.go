package guardrails

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"precedent/store/text"
)

// An Ungrounded is a piece of an answer that the facts don't bear out.
type Ungrounded struct {
	Text       string // as the answer has it
	Start, End int    // bytes of the answer
	Number     bool   // a number; otherwise a name, a claim or a shape
}

// ordinaryFile lists words that say nothing of a graph.
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

// singulars are what an English word may be the plural of.
func singulars(word string) []string {
	var out []string
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 2 {
		out = append(out, stem+"y")
	}
	if stem, ok := strings.CutSuffix(word, "es"); ok && len(stem) > 2 {
		out = append(out, stem)
	}
	if stem, ok := strings.CutSuffix(word, "s"); ok && len(stem) > 2 {
		out = append(out, stem)
	}
	return out
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

func (g *grounding) allCovered(at span) bool {
	for i := at.first; i <= at.last; i++ {
		if !g.covered[i] && g.tokens[i].Kind != text.Mark {
			return false
		}
	}
	return true
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

func (g *grounding) anyCovered(at span) bool {
	return slices.Contains(g.covered[at.first:at.last+1], true)
}

// readCues notes the phrases that claim something.
func (g *grounding) readCues() {
	for i := 0; i < len(g.tokens); i++ {
		c, ok := theClaims().cueAt(g.tokens, i)
		if !ok && g.isSuperlative(g.tokens[i]) {
			c, ok = cue{span{i, i}, "most", ""}, true
		}
		if !ok || g.anyCovered(c.span) || g.longerWord(c) {
			continue
		}
		if c.kind != "within" {
			g.cues = append(g.cues, c)
		}
		g.cover(c.span)
		i = c.last
	}
}

// isSuperlative reports whether a word is a common adjective with -est. What it
// measures nobody knows, so that all columns must bear it out.
func (g *grounding) isSuperlative(t text.Token) bool {
	const short = 4 // letters of the adjective
	stem, ok := strings.CutSuffix(t.Text, "est")
	if !ok || t.Kind != text.Word || len(stem) < short || g.known.isCommon == nil {
		return false
	}
	if adjective, ok := strings.CutSuffix(stem, "i"); ok {
		return g.known.isCommon(adjective + "y")
	}
	return g.known.isCommon(stem) || g.known.isCommon(stem+"e") || stem[len(stem)-1] == stem[len(stem)-2] && g.known.isCommon(stem[:len(stem)-1])
}

// longerWord reports whether a Chinese phrase is the beginning of a longer word.
func (g *grounding) longerWord(c cue) bool {
	const longest = 4
	if g.tokens[c.first].Kind != text.Han {
		return false
	}
	for n := c.last - c.first + 2; n <= longest && c.first+n <= len(g.tokens); n++ {
		if at := (span{c.first, c.first + n - 1}); !g.anyCovered(at) && g.tokens[at.last].Kind == text.Han && g.isHanWord(c.first, n) {
			return true
		}
	}
	return false
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
		g.run(span{i, end})
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
func (g *grounding) run(at span) {
	for at.first <= at.last && g.isOrdinary(at.first) {
		g.covered[at.first] = true
		at.first++
	}
	for at.last >= at.first && g.isOrdinary(at.last) {
		g.covered[at.last] = true
		at.last--
	}
	if at.first > at.last {
		return
	}
	ts := unmarked(g.tokens[at.first : at.last+1])
	if g.known.says(ts) || len(ts) == 1 && (g.inflected(ts[0]) || g.opening(at.first)) {
		g.name(at, g.known.part(ts))
		g.cover(at)
		return
	}
	g.want(at, false)
}

// opening reports whether token i is a common word that begins a sentence.
func (g *grounding) opening(i int) bool {
	return g.known.isCommon != nil && strings.HasSuffix(g.tokens[i].Text, "ly") && (i == 0 || strings.ContainsAny(g.tokens[i-1].Text, ".!?;")) && g.known.isCommon(g.tokens[i].Text)
}

func (g *grounding) isOrdinary(i int) bool {
	word := g.tokens[i].Text
	if m := slices.Index(monthNames, word); m >= 0 {
		return g.known.months[m+1]
	}
	return ordinary()[word] || g.tokens[i].Kind == text.Mark || slices.Contains(links, word)
}

// inflected reports whether a known text has the word in another number or tense.
func (g *grounding) inflected(t text.Token) bool {
	return slices.ContainsFunc(stems(t.Text), func(stem string) bool { return g.known.stems[stem] })
}

// stems are an English word and what it may be made of by an ending.
func stems(word string) []string {
	out := append(singulars(word), word)
	for _, ending := range []string{"ed", "d", "ing"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) > 2 {
			out = append(out, stem)
		}
	}
	return out
}

// wordEndings are endings of words that no name has.
var wordEndings = []string{"ous", "tion", "tions", "sion", "sions", "able", "ible", "ically", "ingly", "fully"}

// common reports whether a word, or what it is made of, is a common one.
func (g *grounding) common(word string) bool {
	return slices.ContainsFunc(stems(word), func(stem string) bool { return len(stem) > 2 && g.known.isCommon(stem) }) ||
		len(word) > 6 && slices.ContainsFunc(wordEndings, func(ending string) bool { return strings.HasSuffix(word, ending) })
}

// latin asks of each word in letters that it be of the facts or common; in a
// Chinese text of the facts.
func (g *grounding) latin() {
	han, latin := 0, 0
	for _, t := range g.tokens {
		switch t.Kind {
		case text.Han:
			han++
		case text.Word:
			latin++
		}
	}
	for i := 0; i < len(g.tokens); i++ {
		if g.covered[i] || g.tokens[i].Kind != text.Word {
			continue
		}
		end := i
		for end+1 < len(g.tokens) && !g.covered[end+1] && g.tokens[end+1].Kind == text.Word && g.doubted(end+1, han >= latin) {
			end++
		}
		if g.doubted(i, han >= latin) {
			g.run(span{i, end})
			i = end
		}
	}
}

// doubted reports whether word i, not capitalised, could be a made-up name.
func (g *grounding) doubted(i int, chinese bool) bool {
	t := g.tokens[i]
	foreign := strings.ContainsFunc(t.Text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
	})
	switch {
	case foreign:
		return !g.known.words[t.Text]
	case chinese:
		return true
	case slices.Contains(currencies, t.Text):
		return !g.known.words[t.Text]
	case g.isOrdinary(i) || g.known.words[t.Text] || g.inflected(t) || g.known.isCommon == nil || strings.HasPrefix(t.Text, "'"):
		return false
	case t.Joined && i > 0 && g.tokens[i-1].Kind == text.Number:
		return !g.common(t.Text)
	}
	return !g.common(t.Text) || g.misplaced(i)
}

// currencies are what money may be in; it is told only where the facts say it.
// Dollars are what the graphs hold that say nothing.
var currencies = []string{"euro", "euros", "eur", "pound", "pounds", "gbp", "sterling", "yen", "jpy", "yuan", "rmb", "cny", "renminbi", "rupee", "rupees", "inr", "franc", "francs", "chf", "ruble", "rubles", "peso", "pesos", "krona", "kronor", "krw", "cent", "cents", "€", "£", "¥", "欧元", "英镑", "日元", "人民币", "卢布", "卢比", "法郎", "韩元"}

// misplaced reports whether a common word stands where a name does: behind
// "by" or "with" without an article, or beside another such word.
func (g *grounding) misplaced(i int) bool {
	before, after := "", ""
	if i > 0 {
		before = g.tokens[i-1].Text
	}
	if i+1 < len(g.tokens) && g.tokens[i+1].Kind == text.Word {
		after = g.tokens[i+1].Text
	}
	if !slices.Contains([]string{"by", "with", "starring", "featuring", "director", "actor", "actress", "named", "called", "mr", "ms"}, before) {
		return false
	}
	return !strings.HasSuffix(g.tokens[i].Text, "ing") && !strings.HasSuffix(g.tokens[i].Text, "ly") && !strings.HasSuffix(g.tokens[i].Text, "s") && !ordinary()[after] && after != ""
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
			if c, ok := theClaims().cueAt(g.tokens, i); ok && c.last >= end-1 || ordinary()[text.Key(part)] {
				continue
			}
			if !g.known.says(unmarked(part)) {
				g.want(span{i, end - 1}, false)
			} else {
				g.name(span{i, end - 1}, g.known.part(unmarked(part)))
				g.cover(span{i, end - 1})
			}
			i = end - 1
			break
		}
	}
}

// han asks of Chinese characters that words of the facts or the language
// account for all of them.
func (g *grounding) han() {
	for i := range g.tokens {
		for n := 2; n <= 3 && i+n <= len(g.tokens); n++ {
			if ts := g.tokens[i : i+n]; slices.Contains(currencies, text.Key(ts)) && !g.known.says(ts) {
				g.want(span{i, i + n - 1}, false)
			}
		}
	}
	for i := 0; i < len(g.tokens); i++ {
		end := i
		for end < len(g.tokens) && !g.covered[end] && g.tokens[end].Kind == text.Han {
			end++
		}
		if end == i {
			continue
		}
		if left := g.leftHan(i, end, g.isHanWord); left >= 0 {
			last := left
			for last+1 < end && g.leftHan(last+1, last+2, g.isHanWord) >= 0 {
				last++
			}
			g.want(span{left, last}, false)
		}
		i = end - 1
	}
}

// leftHan is the first character from first to end that no word accounts for in
// the best cutting, or -1. Words have up to four characters.
func (g *grounding) leftHan(first, end int, isWord func(i, length int) bool) int {
	const longest = 4
	n := end - first
	reach := make([]bool, n+1)
	reach[0] = true
	farthest := 0
	for i := range n {
		if !reach[i] {
			continue
		}
		for l := 1; l <= longest && i+l <= n; l++ {
			if isWord(first+i, l) {
				reach[i+l] = true
				farthest = max(farthest, i+l)
			}
		}
	}
	if reach[n] {
		return -1
	}
	return first + farthest
}

func (g *grounding) isHanWord(i, length int) bool {
	key := text.Key(g.tokens[i : i+length])
	if g.tellsHan(i, length) {
		return true
	}
	if length == 1 {
		return g.known.isCommon == nil
	}
	if strings.ContainsAny(key, hanNumerals) || slices.Contains(currencies, key) {
		return false
	}
	return g.known.isCommon != nil && g.known.isCommon(key)
}

// tellsHan reports whether characters are a word of answers, of measures or of the facts.
func (g *grounding) tellsHan(i, length int) bool {
	ts := g.tokens[i : i+length]
	key := text.Key(ts)
	if ordinary()[key] {
		return true
	}
	if slices.Contains(currencies, key) {
		return g.known.says(ts)
	}
	for _, m := range theClaims().measures {
		if m.says[key] || m.names[key] {
			return true
		}
	}
	if length == 1 {
		return g.known.askedHan[key]
	}
	return g.known.says(ts)
}

// strange reports whether a Chinese word that is common, but none that answers
// are made of, begins at token i: what is said may be said of it.
func (g *grounding) strange(i int) bool {
	const longest = 4
	if g.tokens[i].Kind != text.Han || g.known.isCommon == nil {
		return false
	}
	for n := 1; n <= longest && i+n <= len(g.tokens); n++ {
		if g.tokens[i+n-1].Kind == text.Han && g.tellsHan(i, n) {
			return false
		}
	}
	return true
}

// readsIn is readsAs of a value that may be in seconds, minutes or hours.
func readsIn(v float64, n numeral) bool {
	return readsAs(v, n, 1) || n.kind == minutes && (readsAs(v, n, 60) || readsAs(v, n, 1.0/60))
}

// readsAs reports whether v, shown like n, reads as n does; unit is what one of
// n is worth in v's.
func readsAs(v float64, n numeral, unit float64) bool {
	const tolerance = 1e-9 // of what floats lose
	leastRounded := 1e4    // numbers from here on may be rounded to zeros at their end
	if n.about {
		leastRounded = 100
	}
	step := math.Pow(10, -float64(n.decimals))
	shown := math.Abs(v) / (n.scale * unit)
	want := math.Abs(n.value)
	slack := tolerance * math.Max(1, shown)
	whole := v == math.Trunc(v) && n.scale == 1 && unit == 1
	if want >= leastRounded && n.decimals == 0 && n.scale == 1 && n.kind == plain {
		for math.Mod(want, step*10) == 0 && want/step > 10 {
			step *= 10
		}
	}
	if whole && step <= 1 {
		return shown == want
	}
	return math.Abs(shown-want) <= step/2+slack
}
