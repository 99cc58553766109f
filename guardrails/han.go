package guardrails

import (
	"strings"

	"precedent/store/text"
)

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
			if ts := g.tokens[i : i+n]; currencyWord.has(text.Key(ts)) && !g.known.says(ts) {
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
	if strings.ContainsFunc(key, func(r rune) bool { return isHanNumeral(string(r)) }) || currencyWord.has(key) {
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
	if currencyWord.has(key) {
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
