// Package words holds the sentences of answers, one file per language. Nothing
// in it decides anything.
package words

import (
	"strings"
	"unicode/utf8"
)

// A Doubt is something of a question that a query could not be matched with, or of a
// query that may make its answer wrong.
type Doubt string

// Doubts, with the arguments of their sentences.
const (
	Untold      Doubt = ""             // needs no sentence: what was found says it
	NoLink      Doubt = "no_link"      // the words that name a value
	NoNumber    Doubt = "no_number"    // the number as the question says it
	OtherNumber Doubt = "other_number" // the same, and the values that the query has instead
	NoDenial    Doubt = "no_denial"
	NoExtreme   Doubt = "no_extreme"
	NoCount     Doubt = "no_count"
	NoGroup     Doubt = "no_group"
	BothAtOnce  Doubt = "both_at_once" // two values
	EitherOr    Doubt = "either_or"
	OtherUnit   Doubt = "other_unit" // the number as the question says it, the property, the query's number
	NotRead     Doubt = "not_read"   // the words of a property
	Added       Doubt = "added"      // a property, an operator and a value
	Strayed     Doubt = "strayed"    // the names of a relationship and of what it leads to
	Twin        Doubt = "twin"       // a property, and one of the same name
	Cut         Doubt = "cut"        // how many rows at most
	Doubled     Doubt = "doubled"
	Unheld      Doubt = "unheld"     // a property and a value that nothing has in it
	Mistyped    Doubt = "mistyped"   // a property, its type, and what it is compared with
	Multiplied  Doubt = "multiplied" // an aggregate
	Repeated    Doubt = "repeated"   // a count
	Unjoined    Doubt = "unjoined"   // two patterns
	Reversed    Doubt = "reversed"   // a value, and the pattern that has it at the other end
	Turned      Doubt = "turned"     // the words for an order, and the query's
	NoLimit     Doubt = "no_limit"   // the words for how many
	OtherLimit  Doubt = "other_limit"
	OtherBound  Doubt = "other_bound" // the words, and the query's comparison
	NoTime      Doubt = "no_time"     // the words for a time
	OtherTime   Doubt = "other_time"  // the same, and what the query has instead
	Emptied     Doubt = "emptied"     // a condition
	Apart       Doubt = "apart"       // conditions
	Tied        Doubt = "tied"        // what shares the first place
)

// Words are the sentences of one language.
type Words struct {
	None         string // %s: what was looked for
	NoneBare     string
	Lacks        string // %s: a value that the graph doesn't hold
	Yes, No      string
	Unsaid       string // neither yes nor no, as something compared isn't known
	Rows         string // how many, and the first of them
	MoreThan     string // as many rows as may be read were read, twice that number
	MoreThanOne  string
	Shortened    string
	Tie          string // a value and what shares it
	TieFirst     string // how many rows share the first place, with what, and the first of them
	TieLeast     string // as TieFirst, where the least was asked for
	RowsTie      string // how many rows, the first's value, and those that share it
	RowsTieLeast string // as RowsTie, where the least comes first
	RowsBare     string // how many rows
	NotFound     string // behind values that were found, names for which none was
	Label        string // a column and its value
	ListSep      string // between names
	PairSep      string // between what has a name or label beside it
	Then         string // between those that tie and the rest, and between names that have ListSep in them
	Etc          string // behind the first of several
	End          string // of a sentence
	Unanswered   string // no case and no model
	Outdated     string // the graph has changed under a query that was right
	Misread      string // the words of the case are read otherwise now
	Nearest      string
	DidYouMean   string // %s
	WhichOne     string // %s
	WhichMeaning string
	Itself       string // words that could be a name, as no name
	CantAsk      string // what it can answer
	Refusals     map[string]string
	Doubts       map[Doubt]string
	SayMore      string // asked back
	Quoted       string // what the graph lacks: the answer to %s
	NoQuery      string // the model found no query that works
	NotKept      string // the disk didn't take the answer
	ModelDown    string
	GraphDown    string
	TooSlow      string
	Internal     string // %s: reference
	Denied       string
}

// In returns the words of a language; zh or English.
func In(language string) *Words {
	if language == "zh" {
		return &zh
	}
	return &en
}

// Marks that end a sentence or lead on to what follows.
const (
	ends      = ".?!:…"
	fullWidth = "。？！：；，…"
)

// Join puts sentences one behind the other. One that no mark ends is ended, and
// no space follows a full-width mark. What is empty is left out.
func (w *Words) Join(sentences ...string) string {
	var b strings.Builder
	for _, s := range sentences {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			last, _ := utf8.DecodeLastRuneInString(b.String())
			if !strings.ContainsRune(ends+fullWidth, last) {
				b.WriteString(w.End)
				last, _ = utf8.DecodeLastRuneInString(w.End)
			}
			if !strings.ContainsRune(fullWidth, last) || last == '…' && w.End == "." {
				b.WriteByte(' ')
			}
		}
		b.WriteString(s)
	}
	return b.String()
}
