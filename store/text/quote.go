package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line returns s as it can stand in a line of a prompt or log: everything that ends
// a line, moves the cursor or can't be seen (control characters, marks of direction,
// characters of no width, what no character is) stands as its JSON escape.
func Line(s string) string {
	if !strings.ContainsFunc(s, hides) && utf8.ValidString(s) {
		return s
	}
	return escaped(s, "")
}

// Quote returns s as a JSON string that is a [Line].
func Quote(s string) string { return `"` + escaped(s, `"\`) + `"` }

// hides reports whether a reader could miss r or be misled by it.
func hides(r rune) bool {
	return r == '\u2800' || r != ' ' && !unicode.IsPrint(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// escaped is s with the escapes of JSON (RFC 8259, section 7) for what hides, and for
// signs.
func escaped(s, signs string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(signs, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !hides(r):
			b.WriteRune(r)
		default:
			for _, u := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		}
	}
	return b.String()
}
