package guardrails

import (
	"math"
	"strings"

	"precedent/store"
	"precedent/store/text"
)

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
