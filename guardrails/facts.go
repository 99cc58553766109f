package guardrails

import (
	"fmt"
	"math"
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

// A column of the table with what is in it.
type column struct {
	name  []string // its words
	what  []string // what it measures
	cells []cell
}

// A cell is what one cell says in numbers.
type cell struct {
	null    bool
	single  bool // the one value is a number or a time, by which rows can be ordered
	value   float64
	numbers []float64
	exact   []string // digits within texts
	dates   []civil
	spans   []float64 // minutes
	sizes   []float64 // of lists
}

// A rowSet says of each row whether it is in.
type rowSet []bool

func (s rowSet) count() int {
	n := 0
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}

func (s rowSet) and(t rowSet) rowSet {
	out := make(rowSet, len(s))
	for i := range s {
		out[i] = s[i] && t[i]
	}
	return out
}

func (s rowSet) or(t rowSet) rowSet {
	out := make(rowSet, max(len(s), len(t)))
	for i := range out {
		out[i] = i < len(s) && s[i] || i < len(t) && t[i]
	}
	return out
}

// within reports whether all rows of s are in t.
func (s rowSet) within(t rowSet) bool { return s.and(t).count() == s.count() }

func (k *known) all() rowSet {
	s := make(rowSet, k.rows)
	for i := range s {
		s[i] = true
	}
	return s
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

// table takes in columns and cells.
func (k *known) table(t store.Table) {
	k.rows = len(t.Rows)
	for c, name := range t.Columns {
		words := strings.Fields(text.Fold(spaced(name)))
		col := column{name: words, what: theClaims().what(words), cells: make([]cell, len(t.Rows))}
		for r, row := range t.Rows {
			if c >= len(row) {
				col.cells[r].null = true
				continue
			}
			k.current, k.column = make(rowSet, k.rows), c
			k.current[r] = true
			k.cell(&col.cells[r], row[c], r)
			col.cells[r].null = row[c] == nil
		}
		if len(col.what) == 0 {
			col.what = byLook(col.cells)
		}
		k.columns = append(k.columns, col)
	}
}

// abreast parts rows that hold several things beside each other, like a.title,
// a.year, b.title, b.year, into a row for each. Columns are of different things
// where their names end in the same word, and two such words have as many
// columns, or where the kinds of their values repeat.
func abreast(t store.Table) store.Table {
	ends := make([]string, len(t.Columns))
	alike := map[string][]int{}
	for i, name := range t.Columns {
		words := strings.Fields(text.Fold(spaced(name)))
		if len(words) > 0 {
			ends[i] = words[len(words)-1]
		}
		alike[ends[i]] = append(alike[ends[i]], i)
	}
	for i, end := range ends { // film, minutes, other, other_minutes
		if again := alike[end]; again[0] == i && len(again) > 1 {
			if things := repeating(t, again[1]-i); things != nil {
				return parted(t, things)
			}
		}
	}
	var columns [][]int
	several := 0
	for i, end := range ends {
		if alike[end][0] != i {
			continue
		}
		columns = append(columns, alike[end])
		if n := len(alike[end]); n > 1 {
			several++
			if n != len(columns[slices.IndexFunc(columns, func(c []int) bool { return len(c) > 1 })]) {
				return t
			}
		}
	}
	if several < 2 {
		return t
	}
	return parted(t, columns)
}

// repeating are the columns of each thing, if the last columns of a table are
// things of as many columns, alike in kind.
func repeating(t store.Table, width int) [][]int {
	first := len(t.Columns) % width
	if len(t.Rows) == 0 || width < 2 || len(t.Columns)/width < 2 {
		return nil
	}
	columns := make([][]int, width)
	for i := first; i < len(t.Columns); i++ {
		at := (i - first) % width
		columns[at] = append(columns[at], i)
		if c := columns[at][0]; c < len(t.Rows[0]) && i < len(t.Rows[0]) && fmt.Sprintf("%T", t.Rows[0][c]) != fmt.Sprintf("%T", t.Rows[0][i]) {
			return nil
		}
	}
	if len(t.Rows[0]) <= first {
		return nil
	}
	if _, ok := t.Rows[0][first].(string); !ok {
		return nil
	}
	return columns
}

// parted has a row for each thing: the columns of a list hold one of each.
func parted(t store.Table, columns [][]int) store.Table {
	out := store.Table{Columns: make([]string, len(columns))}
	things := 0
	for i, list := range columns {
		out.Columns[i] = t.Columns[list[0]]
		things = max(things, len(list))
	}
	for _, row := range t.Rows {
		for thing := range things {
			cells := make([]any, len(columns))
			for i, list := range columns {
				if at := list[min(thing, len(list)-1)]; at < len(row) {
					cells[i] = row[at]
				}
			}
			out.Rows = append(out.Rows, cells)
		}
	}
	return out
}

// byLook says what a column measures whose name doesn't: days and years.
func byLook(cells []cell) []string {
	const from, to = 1800, 2100 // years
	for _, c := range cells {
		if !c.null && len(c.dates) == 0 && !(c.single && c.value == math.Trunc(c.value) && from <= c.value && c.value <= to) {
			return nil
		}
	}
	return []string{"date"}
}

// cell takes in one value and all it holds.
func (k *known) cell(c *cell, v any, row int) {
	switch v := v.(type) {
	case string:
		k.name(v, place{rows: k.current, column: k.column})
		ts := text.Tokens(v)
		k.cellText = append(k.cellText, cellText{" " + joined(unmarked(ts)) + " ", row, k.column})
		for _, t := range ts[:min(len(ts), maxProse)] {
			if t.Kind == text.Number {
				c.exact = append(c.exact, t.Text)
			}
		}
		for _, n := range numerals(ts[:min(len(ts), maxProse)]) {
			if n.kind != calendar {
				c.numbers = append(c.numbers, n.value*n.scale)
			} else {
				c.dates = append(c.dates, n.date)
			}
		}
	case int64:
		c.number(float64(v))
	case int:
		c.number(float64(v))
	case float64:
		c.number(v)
	case []any:
		c.sizes = append(c.sizes, float64(len(v)))
		k.lists = max(k.lists, len(v))
		for _, item := range v {
			k.cell(c, item, row)
		}
		c.single = false
	case map[string]any:
		for key, item := range v {
			k.name(spaced(key), place{schema: true})
			k.cell(c, item, row)
		}
		c.single = false
	case store.Node:
		for _, label := range v.Labels {
			k.name(spaced(label), place{schema: true})
		}
		k.cell(c, v.Properties, row)
	case store.Relationship:
		k.name(spaced(v.Type), place{schema: true})
		k.cell(c, v.Properties, row)
	case store.Path:
		c.sizes = append(c.sizes, float64(len(v.Relationships)))
		for _, n := range v.Nodes {
			k.cell(c, n, row)
		}
		for _, r := range v.Relationships {
			k.cell(c, r, row)
		}
		c.single = false
	case store.Point:
		c.numbers = append(c.numbers, v.X, v.Y, v.Z)
	default:
		k.temporal(c, v)
	}
}

func (k *known) temporal(c *cell, v any) {
	switch v := v.(type) {
	case store.Date:
		k.date(c, v)
	case store.LocalDateTime:
		k.date(c, v.Date())
		k.clock(c, v.Time().String())
	case store.DateTime:
		k.date(c, v.Local().Date())
		k.clock(c, v.Local().Time().String())
	case store.LocalTime:
		k.clock(c, v.String())
	case store.Time:
		k.clock(c, v.String())
	case store.Duration:
		seconds := v.Days*24*3600 + v.Seconds
		c.spans = append(c.spans, float64(seconds)/60)
		for _, part := range []int64{v.Months, v.Days, v.Seconds, v.Seconds / 60, v.Seconds / 3600, v.Months / 12} {
			c.numbers = append(c.numbers, float64(part))
		}
		c.value, c.single = float64(v.Months*store.AverageMonth+seconds), true
	}
}

// clock takes in a time of day.
func (k *known) clock(c *cell, s string) {
	for _, t := range text.Tokens(s) {
		if t.Kind == text.Number {
			c.exact = append(c.exact, t.Text)
		}
	}
}

func (k *known) date(c *cell, d store.Date) {
	year, month, day := d.Civil()
	c.dates = append(c.dates, civil{int(year), month, day})
	c.value, c.single = float64(d.Days), true
	k.months[month] = true
}

func (c *cell) number(v float64) {
	if !math.IsNaN(v) {
		c.numbers = append(c.numbers, v)
		c.value, c.single = v, true
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
