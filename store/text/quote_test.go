package text_test

import (
	"encoding/json"
	"strings"
	"testing"

	"precedent/store/text"
)

// TestQuote checks that what is quoted is one line of JSON that says the same, and
// shows all of it.
func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"Salt Road":              `"Salt Road"`,
		"诺兰《盗梦空间》, café":         `"诺兰《盗梦空间》, café"`,
		`say "no" \ yes`:         `"say \"no\" \\ yes"`,
		"a\nQuestion: b":         `"a\nQuestion: b"`,
		"a\r\n\tb":               `"a\u000d\n\tb"`,
		"a\u2028b\u2029c\u0085d": `"a\u2028b\u2029c\u0085d"`,
		"a\u202eb\u2066c\u200fd": `"a\u202eb\u2066c\u200fd"`,
		"a\u200bb\ufeffc\u00add": `"a\u200bb\ufeffc\u00add"`,
		"a\u3164b\u115fc\u2800":  `"a\u3164b\u115fc\u2800"`,
		"\x00\x1b[31m\x7f":       `"\u0000\u001b[31m\u007f"`,
		"\U000e0041\U0001f600":   `"\udb40\udc41😀"`,
		"a\ufe0fb\U000e0100":     `"a\ufe0fb\udb40\udd00"`,
		"a\u00a0b\u3000c":        `"a\u00a0b\u3000c"`,
		"":                       `""`,
	} {
		got := text.Quote(s)
		if got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != s {
			t.Errorf("%s says %q, want %q: %v", got, back, s, err)
		}
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"a\nb", "\"", "\\", "\xff", "\u202e", "\U000e0041", "诺兰"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted, line := text.Quote(s), text.Line(s)
		if strings.ContainsAny(quoted+line, "\n\r\v\f\u0085\u2028\u2029") {
			t.Errorf("%q is more than a line: %q, %q", s, quoted, line)
		}
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil || back != string([]rune(s)) {
			t.Errorf("%q is quoted as %s: %v", s, quoted, err)
		}
		if text.Line(line) != line {
			t.Errorf("%q isn't settled: %q", line, text.Line(line))
		}
	})
}
