package embedded

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed capitals.txt
var capitalsFile string

// capitals are the letters whose capitals are several signs.
var capitals = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(capitalsFile) {
		if letter, upper, ok := strings.Cut(strings.TrimSpace(line), " "); ok && letter != "#" {
			r, _ := utf8.DecodeRuneInString(letter)
			out[r] = upper
		}
	}
	return out
})

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// upperCase is s in capitals, as Java's String.toUpperCase writes it without a
// language.
func upperCase(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	several := capitals()
	var b strings.Builder
	for _, r := range s {
		if upper, ok := several[r]; ok {
			b.WriteString(upper)
		} else {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

// lowerCase is s in small letters, as Java's String.toLowerCase writes it without a
// language: a sigma at the end of a word is ς.
func lowerCase(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	const capitalSigma, dottedI = 'Σ', 'İ'
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == dottedI:
			b.WriteString("i̇")
		case r == capitalSigma && endsWord(s[:i], s[i+utf8.RuneLen(r):]):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// endsWord tells whether the letter between before and behind is the last of a
// word that has others, words being as in java.text.BreakIterator.
func endsWord(before, behind string) bool {
	for before != "" {
		r, size := utf8.DecodeLastRuneInString(before)
		if before = before[:len(before)-size]; !passedOver(r) {
			if !unicode.IsLetter(r) {
				return false
			}
			break
		} else if before == "" {
			return false
		}
	}
	for _, r := range behind {
		if !passedOver(r) {
			return !unicode.IsLetter(r)
		}
	}
	return true
}

// passedOver tells whether a sign stands within words without being a letter.
func passedOver(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Nd, unicode.Pd, unicode.Pc)
}
