package cases

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold returns text in lower case, half width and without accents.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	text = strings.ToLower(norm.NFKD.String(text))
	marks := func(r rune) bool { return unicode.Is(unicode.Mn, r) && r < 0x0370 }
	if strings.ContainsFunc(text, marks) {
		text = strings.Map(func(r rune) rune {
			if marks(r) {
				return -1
			}
			return r
		}, text)
	}
	return norm.NFC.String(text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// isCJK reports whether r belongs to a script written without spaces.
func isCJK(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// runs calls word for each run of letters, marks and digits of folded text,
// telling whether it is CJK; a run never mixes the two.
func runs(folded string, word func(run string, cjk bool)) {
	start, cjk := -1, false
	end := func(i int) {
		if start >= 0 {
			word(folded[start:i], cjk)
		}
		start = -1
	}
	for i, r := range folded {
		var letter, han bool
		if r < 0x80 {
			letter = 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		} else {
			letter = unicode.In(r, unicode.L, unicode.N, unicode.M)
			han = isCJK(r)
		}
		if !letter || (start >= 0 && han != cjk) {
			end(i)
		}
		if letter && start < 0 {
			start, cjk = i, han
		}
	}
	end(len(folded))
}

// stem takes the plural from an English word: movies → movie, comedies →
// comedy, glass → glass.
func stem(word string) string {
	switch {
	case len(word) <= 3 || !strings.HasSuffix(word, "s"):
		return word
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > 5:
		return word[:len(word)-3] + "y"
	}
	return word[:len(word)-1]
}

// tokens cuts text into what the full-text index holds: words without plural,
// and of CJK the pairs of neighbours (a single character where it stands alone).
func tokens(text string) []string {
	var found []string
	runs(fold(text), func(run string, cjk bool) {
		if !cjk {
			found = append(found, stem(run))
			return
		}
		starts := runeStarts(run)
		if len(starts) == 2 {
			found = append(found, run)
		}
		for i := 0; i+2 < len(starts); i++ {
			found = append(found, run[starts[i]:starts[i+2]])
		}
	})
	return found
}

// runeStarts returns where the runes of text begin, and its length.
func runeStarts(text string) []int {
	starts := make([]int, 0, len(text)/3+1)
	for i := range text {
		starts = append(starts, i)
	}
	return append(starts, len(text))
}

// distinct returns the different ones among tokens, in order.
func distinct(tokens []string) []string {
	var found []string
	for _, t := range tokens {
		if !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	return found
}

// language returns zh if text has Han characters, else en.
func language(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return "zh"
	}
	return "en"
}
