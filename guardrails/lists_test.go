package guardrails

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"precedent/store/movies"
	"precedent/store/text"
)

// TestLists reads every line of the word lists, which else wait for a question.
func TestLists(t *testing.T) {
	l := readLists(movies.OffTopicEnglish, movies.OffTopicChinese)
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
		readLists(movies.OffTopicEnglish, movies.OffTopicChinese)
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

// TestKinds holds kinds.txt to the kinds that are asked for, and a word to one value in each.
func TestKinds(t *testing.T) {
	code, err := os.ReadFile("kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, found := range regexp.MustCompile(`wordKind = "(\w+)"`).FindAllStringSubmatch(string(code), -1) {
		asked[found[1]] = true
		if len(theKinds()[wordKind(found[1])]) == 0 {
			t.Errorf("kinds.txt has no words of %q", found[1])
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(kindsFile) {
		head, words, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		kind, _, _ := strings.Cut(head, " ")
		if !asked[kind] {
			t.Errorf("nothing asks for words of %q", kind)
		}
		for word := range strings.FieldsSeq(words) {
			if seen[kind+" "+word] {
				t.Errorf("%s is told twice: %q", kind, word)
			}
			seen[kind+" "+word] = true
		}
	}
}
