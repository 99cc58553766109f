package guardrails

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"precedent/store/cypher"
	"precedent/store/text"
)

//go:embed buckets.txt
var bucketsFile string

var buckets = sync.OnceValue(func() map[string]bool {
	words := wordsOf(bucketsFile)
	for _, word := range slices.Collect(maps.Keys(words)) {
		for _, r := range word {
			if unicode.Is(unicode.Han, r) { // a token of its own
				words[string(r)] = true
			}
		}
	}
	return words
})

// says reports whether the question says s or was linked to it, or s says nothing.
func (d *drafted) says(s string) bool {
	key := text.KeyOf(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) || slices.ContainsFunc(d.Values, func(v string) bool { return text.KeyOf(v) == key }) {
		return true
	}
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return strings.Contains(d.asked, key)
	}
	return strings.Contains(d.asked, " "+key+" ")
}

// group reports whether s is no more than the name of a group: short, of words that
// the question, the schema or buckets.txt has, and numbers that the query compares with.
func (d *drafted) group(s string) bool {
	if d.says(s) {
		return true
	}
	const longest = 40 // runes
	if utf8.RuneCountInString(s) > longest || d.names(s) {
		return false
	}
	for _, t := range text.Tokens(spaced(s)) {
		if t.Kind != text.Mark && !d.word(t.Text) {
			return false
		}
	}
	return true
}

// names reports whether s is a value of the graph.
func (d *drafted) names(s string) bool { return d.IsValue != nil && d.IsValue(text.KeyOf(spaced(s))) }

func (d *drafted) word(w string) bool {
	if buckets()[w] || d.says(w) || slices.ContainsFunc(d.Words, func(name string) bool { return strings.Contains(" "+text.KeyOf(spaced(name))+" ", " "+w+" ") }) {
		return true
	}
	digits := strings.TrimRight(w, "s+") // 1990s
	return digits != "" && slices.ContainsFunc(d.numbers, func(n float64) bool { return fmt.Sprint(n) == digits })
}

// column reports whether a column may be called name.
func (d *drafted) column(name string) bool {
	if d.group(name) {
		return true
	}
	const longest = 40 // runes
	if utf8.RuneCountInString(name) > longest || d.names(name) {
		return false
	}
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && !(i > 0 && unicode.IsDigit(r)) {
			return false // no identifier
		}
	}
	for _, t := range text.Tokens(spaced(name)) {
		if strings.ContainsFunc(t.Text, unicode.IsDigit) && len(t.Text) > 1 && !d.word(t.Text) && !d.word(strings.TrimLeftFunc(t.Text, unicode.IsLetter)) {
			return false
		}
	}
	runes := []rune(name)
	for i := range runes { // a Chinese name within
		for j := i + 2; j <= min(len(runes), i+6) && unicode.Is(unicode.Han, runes[i]); j++ {
			if part := string(runes[i:j]); d.names(part) && !d.says(part) {
				return false
			}
		}
	}
	return true
}

// isNamedAfter reports whether a column's name is words of a property that it holds:
// shipped, of shippedDate, though a status be called so.
func isNamedAfter(name string, x cypher.Expr) bool {
	p, ok := x.(*cypher.Property)
	words := text.Tokens(spaced(name))
	if !ok || len(words) == 0 {
		return false
	}
	key := " " + text.KeyOf(spaced(p.Key)) + " "
	return !slices.ContainsFunc(words, func(t text.Token) bool { return t.Kind != text.Mark && !strings.Contains(key, " "+t.Text+" ") })
}
