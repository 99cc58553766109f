// Package words holds the sentences of answers, one file per language. Nothing
// in it decides anything.
package words

// Words are the sentences of one language.
type Words struct {
	None       string // no rows: "Nothing in the graph matches: %s."
	NoneBare   string
	Yes, No    string
	Rows       string // "%d rows"
	More       string // "and %d more"
	Truncated  string // "only the first %d are shown"
	Shortened  string
	ListSep    string
	Unanswered string // no case and no model
	Nearest    string
	DidYouMean string // %s
	WhichOne   string // %s
	CantAsk    string // what it can answer
	Refusals   map[string]string
	Lacks      string // "The graph has no %s."
	NoQuery    string // the model found no query that works
	ModelDown  string
	GraphDown  string
	TooSlow    string
	Internal   string // %s: reference
	Denied     string
	Ties       string
	Limit      string
}

// In returns the words of a language; zh or English.
func In(language string) *Words {
	if language == "zh" {
		return &zh
	}
	return &en
}
