package guardrails

import (
	"math"
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

	// Aliases returns the other names of a value; nil says there are none.
	Aliases func(value string) []string
	// IsValue reports whether a name, folded as by [text.KeyOf], is a value of
	// the graph or an alias of one; nil says that none is. It finds Chinese
	// names, which nothing else sets apart.
	IsValue func(name string) bool
}

// known is the facts in the form in which an answer is held against them.
type known struct {
	texts   []string         // folded, " word word "
	whole   map[string]bool  // full values: folded keys
	starts  map[string][]int // first token → lengths of whole values
	numbers map[float64]bool // that cells, names and the question hold
	list    []float64        // the same
	exact   map[string]bool  // digits as written
	spans   []float64        // lengths of time in minutes
	rows    int              // and the most items of a list
	months  map[int]bool     // of dates
	isValue func(string) bool
	aliases func(string) []string
}

func (f Facts) known() *known {
	k := &known{
		whole: map[string]bool{}, starts: map[string][]int{}, numbers: map[float64]bool{}, exact: map[string]bool{},
		months: map[int]bool{}, rows: len(f.Table.Rows), isValue: f.IsValue, aliases: f.Aliases,
	}
	if k.isValue == nil {
		k.isValue = func(string) bool { return false }
	}
	k.number(float64(len(f.Table.Rows)))
	if len(f.Links) > 0 {
		k.number(float64(len(f.Links)))
	}
	k.prose(f.Question)
	for _, name := range f.Links {
		k.name(name)
	}
	for _, name := range f.Words {
		k.name(name)
	}
	for c, column := range f.Table.Columns {
		k.name(spaced(column))
		distinct := map[string]bool{}
		for _, row := range f.Table.Rows {
			if c < len(row) {
				if s, ok := row[c].(string); ok {
					distinct[s] = true
				}
			}
		}
		if len(distinct) > 0 {
			k.number(float64(len(distinct)))
		}
	}
	for _, row := range f.Table.Rows {
		for _, cell := range row {
			k.cell(cell)
		}
	}
	return k
}

// cell takes in one value and all it holds.
func (k *known) cell(v any) {
	switch v := v.(type) {
	case string:
		k.name(v)
	case int64:
		k.number(float64(v))
	case int:
		k.number(float64(v))
	case float64:
		k.number(v)
	case []any:
		k.number(float64(len(v)))
		k.rows = max(k.rows, len(v))
		for _, item := range v {
			k.cell(item)
		}
	case map[string]any:
		for key, item := range v {
			k.name(spaced(key))
			k.cell(item)
		}
	case store.Node:
		for _, label := range v.Labels {
			k.name(spaced(label))
		}
		k.cell(v.Properties)
	case store.Relationship:
		k.name(spaced(v.Type))
		k.cell(v.Properties)
	case store.Path:
		k.number(float64(len(v.Relationships)))
		for _, n := range v.Nodes {
			k.cell(n)
		}
		for _, r := range v.Relationships {
			k.cell(r)
		}
	case store.Point:
		k.number(v.X)
		k.number(v.Y)
		k.number(v.Z)
	default:
		k.temporal(v)
	}
}

func (k *known) temporal(v any) {
	switch v := v.(type) {
	case store.Date:
		k.date(v)
	case store.LocalDateTime:
		k.date(v.Date())
		k.prose(v.Time().String())
	case store.DateTime:
		k.date(v.Local().Date())
		k.prose(v.Local().Time().String())
	case store.LocalTime:
		k.prose(v.String())
	case store.Time:
		k.prose(v.String())
	case store.Duration:
		seconds := v.Days*24*3600 + v.Seconds
		k.spans = append(k.spans, float64(seconds)/60)
		for _, part := range []int64{v.Months, v.Days, v.Seconds, v.Seconds / 60, v.Seconds / 3600, v.Months / 12} {
			k.number(float64(part))
		}
	}
}

func (k *known) date(d store.Date) {
	year, month, day := d.Civil()
	k.number(float64(year))
	k.number(float64(month))
	k.number(float64(day))
	k.months[month] = true
}

// number takes in a number of the facts.
func (k *known) number(v float64) {
	if !math.IsNaN(v) && !k.numbers[v] {
		k.numbers[v] = true
		k.list = append(k.list, v)
	}
}

// name takes in a text that may be said as a whole or in part, and its aliases.
func (k *known) name(s string) {
	k.whollyKnown(s)
	if k.aliases != nil {
		for _, alias := range k.aliases(s) {
			k.whollyKnown(alias)
		}
	}
}

func (k *known) whollyKnown(s string) {
	ts := unmarked(text.Tokens(s))
	if key := joined(ts); key != "" && !k.whole[key] {
		k.whole[key] = true
		k.starts[ts[0].Text] = append(k.starts[ts[0].Text], len(ts))
		k.prose(s)
	}
}

// prose takes in a text of which any part may be said.
func (k *known) prose(s string) {
	ts := text.Tokens(s)
	if len(ts) == 0 {
		return
	}
	k.texts = append(k.texts, " "+joined(unmarked(ts))+" ")
	for _, n := range numerals(ts) {
		k.number(n.value * n.scale)
		if n.kind == minutes {
			k.spans = append(k.spans, n.value*n.scale)
		}
	}
	for _, t := range ts {
		if t.Kind == text.Number {
			k.exact[t.Text] = true
		}
	}
}

// says reports whether the tokens stand in a row in some text.
func (k *known) says(ts []text.Token) bool {
	want := " " + joined(ts) + " "
	for _, s := range k.texts {
		if strings.Contains(s, want) {
			return true
		}
	}
	return false
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
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = t.Text
	}
	return strings.Join(words, " ")
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
