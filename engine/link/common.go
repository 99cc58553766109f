package link

import (
	_ "embed"
	"strings"
	"sync"

	"precedent/store/text"
)

//go:embed common.txt
var commonFile string

// commonWords are words so common that on their own they name no value.
var commonWords = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 4096)
	for line := range strings.Lines(commonFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			m[w] = true
		}
	}
	return m
})

func common(word string) bool { return commonWords()[word] }

// isCommon reports whether ts could be ordinary words: a number, one or two
// common words, a single Chinese character or a common Chinese word.
func isCommon(ts []text.Token) bool {
	ts = unmarked(ts)
	switch {
	case len(ts) == 1 && (ts[0].Kind == text.Number || ts[0].Kind == text.Han):
		return true
	case len(ts) == 1:
		return len(ts[0].Text) <= 2 || common(ts[0].Text)
	case ts[0].Kind == text.Han:
		return common(text.Key(ts))
	case len(ts) == 2:
		return (common(ts[0].Text) || len(ts[0].Text) == 1) && (common(ts[1].Text) || len(ts[1].Text) == 1)
	}
	return false
}
