package bot

import (
	"slices"
	"testing"
)

func TestParts(t *testing.T) {
	for text, want := range map[string][]string{
		"who directed Heat":                              nil,
		"who directed Heat?":                             nil,
		"who directed Heat? and how long is it?":         {"who directed Heat?", "and how long is it?"},
		"《教父》是谁导演的？片长多少？":                                {"《教父》是谁导演的？", "片长多少？"},
		"who directed Heat\nhow many comedies are there": {"who directed Heat", "how many comedies are there"},
		"谁演过《你是谁？》":                                      nil,
		"really??":                                       nil,
		"a? b? c? d? e?":                                 nil,
		"":                                               nil,
	} {
		if got := parts(text); !slices.Equal(got, want) {
			t.Errorf("parts(%q) = %q, want %q", text, got, want)
		}
	}
}
