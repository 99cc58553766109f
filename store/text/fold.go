package text

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed t2s.txt
var t2sFile string

// simplified maps traditional characters to simplified ones.
var simplified = sync.OnceValue(func() map[rune]rune {
	m := make(map[rune]rune, 4096)
	for line := range strings.Lines(t2sFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for pair := range strings.FieldsSeq(line) {
			t, n := utf8.DecodeRuneInString(pair)
			s, _ := utf8.DecodeRuneInString(pair[n:])
			m[t] = s
		}
	}
	return m
})

// Fold returns s with full-width forms narrowed, letters lower-cased, accents
// dropped and traditional Chinese characters made simplified. Folding twice
// changes nothing more.
func Fold(s string) string {
	if isPlain(s) {
		return s
	}
	t2s := simplified()
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		switch r {
		case '’', '‘', 'ʼ', '`', '´':
			r = '\''
		case 'ø', 'Ø':
			r = 'o'
		case 'ł', 'Ł':
			r = 'l'
		case 'ß':
			b.WriteString("ss")
			continue
		case 'æ', 'Æ':
			b.WriteString("ae")
			continue
		case 'œ', 'Œ':
			b.WriteString("oe")
			continue
		case 'đ', 'ð', 'Đ', 'Ð':
			r = 'd'
		}
		if s, ok := t2s[r]; ok {
			r = s
		}
		b.WriteRune(unicode.ToLower(r))
	}
	// Composed again, so that kana keep their marks' letters and Hangul its syllables.
	return norm.NFC.String(b.String())
}

// isPlain reports whether s folds to itself, judged by ASCII alone.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' || c == '`' {
			return false
		}
	}
	return true
}

// IsHan reports whether s holds a Chinese character.
func IsHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
