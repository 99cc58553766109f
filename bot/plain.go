package bot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns text that can't steer a terminal: control characters show as
// pictures of themselves (␛), marks that turn the direction of writing are
// dropped, bytes that aren't UTF-8 show as �. Newlines stay, tabs become spaces.
func Plain(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, steers) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !steers(r):
			b.WriteRune(r)
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case r < 0xa0:
			b.WriteRune(unicode.ReplacementChar)
		case r == '\u2028' || r == '\u2029':
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Line is [Plain] on one line: line breaks become ⏎.
func Line(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(Plain(strings.ReplaceAll(text, "\r\n", "\n")), "\r", "\n"), "\n", "⏎")
}

// steers tells whether a terminal may take r for more than a character to show.
func steers(r rune) bool {
	switch {
	case r == '\n':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u2028' && r <= '\u202e', r >= '\u2066' && r <= '\u2069',
		r == '\ufeff', r >= '\U000e0000' && r <= '\U000e007f' && !tag(r):
		return true
	}
	return false
}

// tag tells whether r belongs to the flags of regions (England, Scotland, Wales).
func tag(r rune) bool {
	return r >= '\U000e0030' && r <= '\U000e0039' || r >= '\U000e0061' && r <= '\U000e007a' || r == '\U000e007f'
}
