package cypher

import (
	"strings"
	"testing"
)

// FuzzLex checks that tokens lie in the text in order, with nothing but space
// and comments between them, and that what a token is depends on its own text
// alone: apart, by themselves, they are the same.
func FuzzLex(f *testing.F) {
	for _, text := range []string{
		"MATCH (a:Film {title: 'It''s', `odd name`: 0x1F})-[:R*1..3]->() RETURN a.year >= 1.5e-3, $p ;", "/* */ // end\r\n.5 .. :: || += =~ != <> – ⟨a⟩",
		`"\u0022" '\\' "open`, "`a``b` 1_000 12ab 0o7 /* open", "a\x00b \xff ‘quoted’ 年.月 ?", "//\\u000a\n1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := &lexer{text: text}
		l.run()
		at := 0
		last := len(l.tokens) - 1
		for i, token := range l.tokens {
			start, end := int(token.start), int(token.end)
			if ends := token.kind == tEnd || token.kind == tBad; ends != (i == last) {
				t.Fatalf("%q: token %d of %d is of kind %d", text, i, last+1, token.kind)
			}
			if token.kind == tBad {
				if at > start || start > end || end > len(text) || l.bad == "" {
					t.Fatalf("%q: bad at %d to %d after %d: %s", text, start, end, at, l.bad)
				}
				return
			}
			if begins := l.skipSpace(at); begins != start || end > len(text) || (start == end) != (i == last) {
				t.Fatalf("%q: token %d is at %d to %d, expected at %d", text, i, start, end, begins)
			}
			at = end
		}
		var apart strings.Builder
		for _, token := range l.tokens {
			apart.WriteString(text[token.start:token.end] + "\n")
		}
		again := &lexer{text: apart.String()}
		again.run()
		if len(again.tokens) != len(l.tokens) {
			t.Fatalf("%q: %d tokens, apart %d", text, len(l.tokens), len(again.tokens))
		}
		for i, token := range l.tokens {
			if a := again.tokens[i]; a.kind != token.kind || a.word != token.word {
				t.Fatalf("%q: token %d is of kind %d, apart of kind %d", text, i, token.kind, a.kind)
			}
		}
	})
}
