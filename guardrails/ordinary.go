package guardrails

import (
	_ "embed"
	"strings"
	"sync"
)

// ordinaryFile lists words that say nothing of a graph.
//
//go:embed ordinary.txt
var ordinaryFile string

var ordinary = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(ordinaryFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			words[word] = true
		}
	}
	return words
})
