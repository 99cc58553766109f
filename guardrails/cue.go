package guardrails

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"precedent/store/text"
)

// claimsFile lists the words that claim something of a table.
//
//go:embed claims.txt
var claimsFile string

// A cue is a phrase of claims.txt in a text.
type cue struct {
	span
	kind string
	what string // what it measures: "length", or ""
}

// A measure is what a column may hold: money, length, date …
type measure struct {
	names map[string]bool // words of the names of such columns
	says  map[string]bool // words that mean it, Chinese ones as a key
}

// claimWords is claims.txt.
type claimWords struct {
	phrases  map[string][]phraseOf // by the first word
	measures map[string]measure
}

type phraseOf struct {
	words []string
	kind  string
	what  string
}

var theClaims = sync.OnceValue(func() *claimWords {
	w := &claimWords{phrases: map[string][]phraseOf{}, measures: map[string]measure{}}
	for line := range strings.Lines(claimsFile) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, list, ok := strings.Cut(line, ": ")
		if !ok {
			panic(fmt.Sprintf("claims.txt: %q", line))
		}
		kind, what, _ := strings.Cut(head, " ")
		if kind == "what" {
			names, says, _ := strings.Cut(list, "|")
			w.measures[what] = measure{wordSet(names), wordSet(says)}
			continue
		}
		for phrase := range strings.SplitSeq(list, ",") {
			words := split(phrase)
			w.phrases[words[0]] = append(w.phrases[words[0]], phraseOf{words, kind, what})
		}
	}
	for first := range w.phrases { // longest first
		slices.SortStableFunc(w.phrases[first], func(a, b phraseOf) int { return len(b.words) - len(a.words) })
	}
	return w
})

// wordSet holds words; a Chinese one as its characters together.
func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// split cuts a phrase as texts are cut.
func split(phrase string) []string {
	var words []string
	for _, t := range text.Tokens(strings.TrimSpace(phrase)) {
		words = append(words, t.Text)
	}
	return words
}

// cueAt is the longest phrase that begins at token i.
func (w *claimWords) cueAt(ts []text.Token, i int) (cue, bool) {
	for _, p := range w.phrases[ts[i].Text] {
		if i+len(p.words) > len(ts) {
			continue
		}
		found := true
		for j, word := range p.words {
			found = found && ts[i+j].Text == word
		}
		if found {
			return cue{span{i, i + len(p.words) - 1}, p.kind, p.what}, true
		}
	}
	return cue{}, false
}

// what says what a column measures by the words of its name.
func (w *claimWords) what(column []string) []string {
	var out []string
	for name, m := range w.measures {
		if slices.ContainsFunc(column, func(word string) bool { return m.names[word] }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
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
