package bot

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"precedent/engine/tell"
	"precedent/store"
)

// nothing stands for a null.
const nothing = "—"

// shownProperties is how many properties of a node or relationship are shown.
const shownProperties = 4

// Cell returns a value as people read it where it stands alone, on one line and
// harmless to a terminal: a null is —, a float has no exponent where it needs
// none, a node or relationship shows its first properties.
func Cell(v any) string { return Line(cell(v)) }

// Cells returns the cells of a table as people read them, each line as long as
// columns. They are like those of [Cell], but that the numbers of a column are
// written in one way: see [tell.NumbersOf].
func Cells(columns []string, rows [][]any) [][]string {
	lines := make([][]string, len(rows))
	numbers := make([]tell.Numbers, len(columns))
	for i, name := range columns {
		numbers[i] = tell.NumbersOf(name, rows, i)
	}
	for i, row := range rows {
		lines[i] = make([]string, len(columns))
		for j := range min(len(row), len(columns)) {
			lines[i][j] = Line(cellAs(row[j], numbers[j].Text))
		}
	}
	return lines
}

// cell is a value with its numbers as a file has them.
func cell(v any) string { return cellAs(v, rawNumber) }

// rawNumber is a number without marks between its digits.
func rawNumber(v any) (string, bool) { return tell.Numbers{Places: -1}.Text(v) }

// cellAs is a value with numbers, also those in lists, written by number.
func cellAs(v any, number func(any) (string, bool)) string {
	if s, ok := number(v); ok {
		return s
	}
	switch v := v.(type) {
	case nil:
		return nothing
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = cellAs(v[i], number)
		}
		return strings.Join(items, ", ")
	case map[string]any:
		return "{" + fields(v, len(v)) + "}"
	case store.Node:
		return "(" + strings.Join(append([]string{strings.Join(v.Labels, ":")}, nonEmpty(fields(v.Properties, shownProperties))...), " ") + ")"
	case store.Relationship:
		return "[" + strings.Join(append([]string{v.Type}, nonEmpty(fields(v.Properties, shownProperties))...), " ") + "]"
	case store.Path:
		var b strings.Builder
		for i, n := range v.Nodes {
			if i > 0 {
				b.WriteString("—" + v.Relationships[i-1].Type + "—")
			}
			b.WriteString(cell(n))
		}
		return b.String()
	case store.Point:
		text := tell.Float(v.X) + ", " + tell.Float(v.Y)
		if v.ThreeD() {
			text += ", " + tell.Float(v.Z)
		}
		return "(" + text + ")"
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// fields shows at most most properties: those that name a thing first, then by name.
func fields(m map[string]any, most int) string {
	keys := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if x, y := naming(a), naming(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for i, k := range keys {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, k+": "+cell(m[k]))
	}
	return strings.Join(parts, ", ")
}

func naming(key string) int {
	if i := slices.Index([]string{"name", "title"}, key); i >= 0 {
		return i
	}
	return 2
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
