package bot

import (
	"slices"
	"testing"
)

func TestParts(t *testing.T) {
	for text, want := range map[string][]string{
		"who directed Heat":                                 nil,
		"who directed Heat?":                                nil,
		"who directed Heat? and how long is it?":            {"who directed Heat?", "and how long is it?"},
		"《教父》是谁导演的？片长多少？":                                   {"《教父》是谁导演的？", "片长多少？"},
		"Hi! I need this. Who directed Heat? Thanks!":       nil,
		"Hi. Who directed Heat? How long is it? Thanks!":    {"Hi. Who directed Heat?", "How long is it? Thanks!"},
		"谁演过《你是谁？》":                                         nil,
		`who made "What's Up, Doc?" and "Heat"?`:            nil,
		`who made "What's Up, Doc?"? and "Heat"?`:           {`who made "What's Up, Doc?"?`, `and "Heat"?`},
		"see http://a.example/find?q=heat who directed it?": nil,
		"how many films are there?! And which is best?":     {"how many films are there?!", "And which is best?"},
		"(who directed Heat?) And how long is it?":          {"(who directed Heat?)", "And how long is it?"},
		"who directed Heat?它有多长？":                           {"who directed Heat?", "它有多长？"},
		"really??":                                          nil,
		"?? ?":                                              nil,
		"a? b? c? d? e?":                                    nil,
		"":                                                  nil,
	} {
		if got, sure := parts(text); !slices.Equal(got, want) || sure != (want != nil) {
			t.Errorf("parts(%q) = %q, %v, want %q", text, got, sure, want)
		}
	}
	for text, want := range map[string][]string{
		"who directed Heat\nhow many comedies are there": {"who directed Heat", "how many comedies are there"},
		"I have a question.\n\nWho directed\tHeat?":      {"I have a question.", "Who directed\tHeat?"},
		"1\n2\n3\n4\n5": nil,
	} {
		if got, sure := parts(text); !slices.Equal(got, want) || sure {
			t.Errorf("parts(%q) = %q, %v, want %q", text, got, sure, want)
		}
	}
}
