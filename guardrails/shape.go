package guardrails

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a wording: the prompt asks for three sentences.
const (
	maxAnswerRunes = 600
	maxAnswerLines = 12

	// maxNumbers is how many numbers one sentence may hold: each is held against
	// the others, too.
	maxNumbers = 32
)

// plainMarks are the marks that a wording may use besides letters and digits;
// any other must stand in the facts.
const plainMarks = " \n.,;:?!'\"()/%&+-=*$~·×≈±°–—−…“”‘’«»‹›。，、；：？！（）《》〈〉「」『』【】·•～\u00a0\u3000"

// misshapen returns the first piece of a text that no wording may hold: text
// beyond the bounds, control and format characters (bidirectional, zero-width),
// marks that nobody sees, other currencies than dollars, markup, mentions, links and addresses. said reports
// whether the facts hold a piece as it stands.
func misshapen(s string, said func(string) bool) (start, end int, bad bool) {
	runes, lines := 0, 1
	for i, r := range s {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(s[i:])
			return i, i + n, true
		}
		runes++
		if r == '\n' {
			lines++
		}
		if runes > maxAnswerRunes || lines > maxAnswerLines {
			return i, i + n, true
		}
		if !strings.ContainsRune(plainMarks, r) && !plainRune(r) && !said(s[i:i+n]) {
			return i, i + n, true
		}
	}
	return linked(s, said)
}

// plainRune reports whether r is a letter or a decimal digit that a reader
// sees; in which scripts letters may be is for the words to say.
func plainRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Han, r)
}

// linked finds what a chat would make a link, a mention or an address of: a
// word of two letters or more right behind a point or a slash, @, # and ://.
func linked(s string, said func(string) bool) (start, end int, bad bool) {
	for i := 0; i < len(s); {
		piece := s[i:]
		if cut := strings.IndexFunc(piece, parts); cut > 0 {
			piece = piece[:cut]
		}
		if r, n := utf8.DecodeRuneInString(piece); parts(r) {
			i += n
			continue
		}
		plain := norm.NFKC.String(piece)
		if (isLink(plain) || hasScheme(piece) || strings.Contains(piece, "](") || strings.ContainsAny(plain, "@#<>|`")) && !said(strings.Trim(piece, ".,;:?!()'\"")) {
			return i, i + len(piece), true
		}
		i += len(piece)
	}
	return 0, 0, false
}

// isLink reports whether a piece without spaces has a host name or a scheme.
func isLink(piece string) bool {
	lower := strings.ToLower(piece)
	if strings.Contains(lower, "://") || strings.Contains(lower, "www.") {
		return true
	}
	for i := 1; i+2 < len(lower); i++ {
		if lower[i] == '.' && isLatin(lower[i-1]) && isLatin(lower[i+1]) && isLatin(lower[i+2]) {
			return true
		}
	}
	return false
}

// hasScheme reports whether a colon makes a scheme or a picture of a piece:
// mailto:x, :skull:, but not 10:30.
func hasScheme(piece string) bool {
	_, rest, ok := strings.Cut(piece, ":")
	return ok && rest != "" && isLatin(rest[0])
}

// parts reports whether r stands between pieces: a space, or a Chinese
// character or mark, which no link goes on over.
func parts(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Han, r) || strings.ContainsRune("，。；：！？、（）《》「」“”……", r)
}

func isLatin(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
