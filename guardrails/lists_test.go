package guardrails

import (
	"slices"
	"strings"
	"testing"

	"precedent/store/text"
)

// TestLists reads every line of the word lists, which else wait for a question.
func TestLists(t *testing.T) {
	l := theLists()
	for _, r := range append([]*rule{l.polite, l.cover, l.filler, l.asking}, l.rules...) {
		for _, p := range r.patterns {
			if err := (&pattern{source: p.source, of: p.of}).parse(); err != nil {
				t.Errorf("%s %s: %v", r.kind, r.name, err)
			}
		}
	}
}

// BenchmarkLists reads the word lists, as the first question of a program does.
func BenchmarkLists(b *testing.B) {
	for b.Loop() {
		readLists()
	}
}

// TestTokenPhrase holds the short ways of reading a phrase to the long one.
func TestTokenPhrase(t *testing.T) {
	l := theLists()
	for _, r := range append([]*rule{l.polite, l.cover, l.filler, l.asking}, l.rules...) {
		for _, p := range r.patterns {
			for field := range strings.FieldsSeq(p.source) {
				for alternative := range strings.SplitSeq(strings.TrimSuffix(field, "?"), "|") {
					if strings.HasSuffix(alternative, "*") {
						continue
					}
					var want phrase
					for _, token := range text.Tokens(strings.ReplaceAll(alternative, "_", " ")) {
						if token.Kind != text.Mark {
							want = append(want, token.Text)
						}
					}
					if got := tokenPhrase(alternative); !slices.Equal(got, want) {
						t.Errorf("%q is %q, want %q", alternative, got, want)
					}
				}
			}
		}
	}
}
