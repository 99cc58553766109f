package guardrails

import (
	"slices"
	"strings"
	"unicode"

	"precedent/store"
	"precedent/store/text"
)

// Facts are what an answer may say.
type Facts struct {
	Question string      // as asked, or as it was understood
	Table    store.Table // what the query returned
	Links    []string    // values and mentions that the question was linked to
	Words    []string    // further names that may be said: of the schema, of the graph

	// Absent are values that the question sets against others, which stand in
	// the table while these don't: nothing may be said of them.
	Absent []string

	// Aliases returns the other names of a value; nil says there are none.
	Aliases func(value string) []string
	// IsValue reports whether a name, folded as by [text.KeyOf], is a value of
	// the graph or an alias of one; nil says that none is.
	IsValue func(name string) bool
	// IsCommon reports whether a folded word is a common one of its language. A
	// word that is neither common nor a fact is taken for a made-up name; nil
	// says that only capitals and other scripts make a name.
	IsCommon func(word string) bool
}

// maxProse is how many tokens of one text are searched for numbers.
const maxProse = 400

// known is the facts in the form in which an answer is held against them.
type known struct {
	texts          []string // folded, " word word "
	raw            strings.Builder
	words          map[string]bool   // that stand in some text
	stems          map[string]bool   // and these words without their endings
	whole          map[string]*place // full values: folded keys
	starts         map[string][]int  // first token → lengths of whole values
	asked          []float64         // numbers of the question
	questionTokens []text.Token
	months         map[int]bool // of dates
	columns        []column
	rows           int
	returned       int             // rows before those with several things abreast were parted
	lists          int             // the most items of a list
	named          map[string]bool // Chinese characters of values
	askedHan       map[string]bool // Chinese characters of the question that no value has
	negated        bool            // the question asks for what isn't
	current        rowSet          // the rows that the cell being read stands in
	column         int             // its column
	cellText       []cellText
	isValue        func(string) bool
	isCommon       func(string) bool
	aliases        func(string) []string
}

// A place is where a text stands in the table.
type place struct {
	rows   rowSet // nil if it only is a word of the question or the schema
	column int    // several if of several columns
	absent bool   // of Facts.Absent
	schema bool   // a name of a label or property
	small  bool   // words that join others, unless they are written as the value is: "Up"
	upper  bool   // written with a capital
}

const several = -1 // columns

// A cellText is a text of a cell, of which parts may be said.
type cellText struct {
	words  string // folded, " word word "
	row    int
	column int
}

func (f Facts) known() *known {
	k := &known{
		whole: map[string]*place{}, starts: map[string][]int{}, months: map[int]bool{}, words: map[string]bool{}, stems: map[string]bool{}, named: map[string]bool{},
		rows: len(f.Table.Rows), isValue: f.IsValue, isCommon: f.IsCommon, aliases: f.Aliases,
	}
	if k.isValue == nil {
		k.isValue = func(string) bool { return false }
	}
	k.returned = len(f.Table.Rows)
	k.table(abreast(f.Table))
	for _, link := range f.Links {
		k.name(link, place{})
	}
	for _, name := range f.Absent {
		k.name(name, place{absent: true})
	}
	k.question(f.Question)
	for _, name := range f.Table.Columns {
		k.name(spaced(name), place{schema: true})
	}
	for _, name := range f.Words {
		k.name(name, place{schema: true})
		k.name(spaced(name), place{schema: true})
	}
	return k
}

// question takes in the words and numbers that were asked for.
func (k *known) question(s string) {
	ts := text.Tokens(s)
	k.questionTokens = ts
	k.prose(s, ts)
	for _, n := range numerals(ts[:min(len(ts), maxProse)]) {
		k.asked = append(k.asked, n.value*n.scale)
		if n.kind == calendar {
			k.asked = append(k.asked, float64(n.date.year))
		}
	}
	k.askedHan = map[string]bool{}
	for _, t := range ts {
		if t.Kind == text.Han && !k.named[t.Text] {
			k.askedHan[t.Text] = true
		}
	}
	for i := range ts {
		if c, ok := theClaims().cueAt(ts, i); ok && c.kind == "not" {
			k.negated = true
		}
	}
}

// name takes in a text that may be said as a whole or in part, and its aliases.
func (k *known) name(s string, at place) {
	k.whollyKnown(s, at)
	if k.aliases != nil && !at.schema {
		for _, alias := range k.aliases(s) {
			k.whollyKnown(alias, at)
		}
	}
}

func (k *known) whollyKnown(s string, at place) {
	all := text.Tokens(s)
	ts := unmarked(all)
	key := joined(ts)
	if key == "" {
		return
	}
	at.upper = ts[0].Upper
	if !at.schema {
		for _, t := range ts {
			k.named[t.Text] = k.named[t.Text] || t.Kind == text.Han
		}
	}
	at.small = at.upper && !slices.ContainsFunc(ts, func(t text.Token) bool { return !ordinary()[t.Text] })
	old := k.whole[key]
	switch {
	case old == nil:
		p := at
		k.whole[key] = &p
		k.starts[ts[0].Text] = append(k.starts[ts[0].Text], len(ts))
		k.prose(s, all)
	case at.rows == nil:
		old.absent = old.absent || at.absent
	case old.rows == nil:
		*old = at
	default:
		if old.column != at.column {
			old.column = several
		}
		old.rows = old.rows.or(at.rows)
	}
}

// prose takes in a text of which any part may be said.
func (k *known) prose(s string, ts []text.Token) {
	k.raw.WriteString(s)
	k.raw.WriteByte('\n')
	if len(ts) == 0 {
		return
	}
	k.texts = append(k.texts, " "+joined(unmarked(ts))+" ")
	for _, t := range ts {
		k.words[t.Text] = true
		if t.Kind == text.Word && !k.stems[t.Text] {
			for _, stem := range stems(t.Text) {
				k.stems[stem] = true
			}
		}
	}
}

// says reports whether the tokens stand in a row in some text.
func (k *known) says(ts []text.Token) bool {
	for _, t := range ts {
		if !k.words[t.Text] {
			return false
		}
	}
	if len(ts) == 1 {
		return true
	}
	want := " " + joined(ts) + " "
	return slices.ContainsFunc(k.texts, func(s string) bool { return strings.Contains(s, want) })
}

// part is where a part of a cell's text stands; nil if in none.
func (k *known) part(ts []text.Token) *place {
	want := " " + joined(ts) + " "
	var p *place
	for _, c := range k.cellText {
		if !strings.Contains(c.words, want) {
			continue
		}
		if p == nil {
			p = &place{rows: make(rowSet, k.rows), column: c.column}
		}
		p.rows[c.row] = true
		if p.column != c.column {
			p.column = several
		}
	}
	return p
}

func unmarked(ts []text.Token) []text.Token {
	out := make([]text.Token, 0, len(ts))
	for _, t := range ts {
		if t.Kind != text.Mark {
			out = append(out, t)
		}
	}
	return out
}

func joined(ts []text.Token) string {
	var b strings.Builder
	for i, t := range ts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// spaced puts spaces where a name of the schema hides them: imdbRating, ACTED_IN, m.title.
func spaced(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r == '_' || r == '.' || r == '(' || r == ')':
			b.WriteByte(' ')
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}
