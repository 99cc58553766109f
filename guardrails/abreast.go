package guardrails

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/text"
)

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
