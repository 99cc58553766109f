package guardrails

import (
	_ "embed"
	"maps"
	"strings"
	"sync"
)

// ordinaryFile lists words that say nothing of a graph.
//
//go:embed ordinary.txt
var ordinaryFile string

var ordinary = sync.OnceValue(func() map[string]bool { return wordsOf(ordinaryFile) })

// wordsOf are the words of a file, lines that begin with # left out.
func wordsOf(file string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, "#") {
			maps.Copy(words, wordSet(line))
		}
	}
	return words
}
