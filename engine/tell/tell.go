package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"precedent/engine/words"
	"precedent/store"
)

// Bounds of what a text names.
const (
	listItems  = 10 // names of a list of one column that the text holds whole
	firstItems = 3  // names of anything longer, which is shown as a table too
	shortPath  = 5  // nodes of a path whose length is seen at a glance
)

// Found is what a query found and what it was asked for.
type Found struct {
	Question  string // as understood
	Counted   bool   // it asks how many
	Query     string
	Params    map[string]any
	Columns   []string
	Rows      [][]any
	Truncated bool     // there are more rows
	Shortened bool     // values were cut
	Missing   []string // values that the question names and the graph doesn't hold
}

// Text says what f found, in the language of w, on one line but for a single
// value that has several.
func Text(f Found, w *words.Words) string {
	t := &telling{Found: f, w: w, numbers: make([]Numbers, len(f.Columns))}
	for i, name := range f.Columns {
		t.numbers[i] = NumbersOf(name, f.Rows, i)
	}
	if len(f.Rows) > 0 {
		t.shape = shapeOf(f.Query, f.Params, len(f.Columns))
	}
	said := t.body()
	if f.Shortened {
		said = w.Join(said, w.Shortened)
	}
	return said
}

type telling struct {
	Found
	w       *words.Words
	shape   *shape // nil where the query proves nothing
	numbers []Numbers
}

func (t *telling) body() string {
	if s := t.yesOrNo(); s != "" {
		return s
	}
	switch {
	case IsNull(t.Rows):
		return t.nothing()
	case t.Truncated:
		return t.w.Join(t.moreThan(), t.first())
	}
	for _, say := range []func() string{t.path, t.compared, t.tied, t.tiedFirst} {
		if s := say(); s != "" {
			return s
		}
	}
	switch {
	case len(t.Rows) > 1:
		if first := t.first(); first != "" {
			return fmt.Sprintf(t.w.Rows, count(len(t.Rows)), first)
		}
		return fmt.Sprintf(t.w.RowsBare, count(len(t.Rows)))
	case len(t.Columns) == 1:
		return t.single()
	}
	return t.labelled()
}

// IsNull reports whether there are no rows, or every cell is null or an empty list.
func IsNull(rows [][]any) bool {
	for _, row := range rows {
		for _, v := range row {
			if list, ok := v.([]any); v != nil && !(ok && len(list) == 0) {
				return false
			}
		}
	}
	return true
}

// nothing says what was looked for and not found.
func (t *telling) nothing() string {
	said := t.w.NoneBare
	if q := oneLine(t.Question); q != "" {
		said = fmt.Sprintf(t.w.None, q)
	}
	for _, v := range t.Missing {
		said = t.w.Join(said, fmt.Sprintf(t.w.Lacks, oneLine(v)))
	}
	return said
}

// moreThan says that as many rows were read as may be.
func (t *telling) moreThan() string {
	if len(t.Rows) == 1 {
		return t.w.MoreThanOne
	}
	return fmt.Sprintf(t.w.MoreThan, count(len(t.Rows)))
}

// count is a number of rows, its thousands set apart.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// single is the one value there is.
func (t *telling) single() string {
	switch v := t.Rows[0][0].(type) {
	case bool:
		return t.yes(v)
	case string:
		if v != "" {
			return v
		}
	}
	return t.cell(0, 0)
}

func (t *telling) yes(v any) string {
	switch v {
	case true:
		return t.w.Yes
	case false:
		return t.w.No
	}
	return t.w.Unsaid
}

// labelled is a row with the names of its columns, but for those in except:
// "title: Inception, year: 2010".
func (t *telling) labelled(except ...int) string {
	return t.joined(t.labels(0, except...), t.w.PairSep)
}

func (t *telling) labels(row int, except ...int) []string {
	var parts []string
next:
	for i := range t.Rows[row] {
		for _, x := range except {
			if x == i {
				continue next
			}
		}
		parts = append(parts, fmt.Sprintf(t.w.Label, oneLine(t.Columns[i]), t.cell(row, i)))
	}
	return parts
}

// first names the first rows by their first column, and by their second where
// there are two, or where the first repeats itself; "" if they still can't be told
// apart. A list of one column that is short it names whole.
func (t *telling) first() string {
	most := firstItems
	if len(t.Columns) == 1 && len(t.Rows) <= listItems {
		most = listItems
	}
	most = min(len(t.Rows), most)
	names := make([]string, most)
	for i := range most {
		names[i] = t.cell(i, 0)
	}
	repeats := len(t.Columns) > 2 && hasRepeats(names)
	if len(t.Columns) == 2 || repeats {
		for i := range most {
			names[i] = t.valued(names[i], i, 1)
		}
	}
	if repeats && hasRepeats(names) {
		return ""
	}
	return t.some(names, len(t.Rows))
}

func hasRepeats(names []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names)
}

// valued is a name with a value in brackets.
func (t *telling) valued(name string, row, column int) string {
	return name + " (" + t.cell(row, column) + ")"
}

// some joins names that are all, or the first of them.
func (t *telling) some(names []string, all int) string {
	said := t.joined(names, t.w.ListSep)
	if len(names) == all {
		return said
	}
	if rest, ok := strings.CutPrefix(t.w.Etc, t.w.ListSep); ok {
		return said + t.between(names, t.w.ListSep) + rest
	}
	return said + t.w.Etc
}

// joined puts parts one behind the other.
func (t *telling) joined(parts []string, sep string) string {
	return strings.Join(parts, t.between(parts, sep))
}

// between is sep, or what parts more strongly if one of the parts has a sep itself.
func (t *telling) between(parts []string, sep string) string {
	if slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(s, sep) }) {
		return t.w.Then
	}
	return sep
}

// cell is a value as people read it, on one line.
func (t *telling) cell(row, column int) string {
	v, n := t.Rows[row][column], t.numbers[column]
	if list, ok := v.([]any); ok && t.shape != nil && t.shape.isPath(column) {
		return strings.Join(t.values(list, n), steps)
	}
	return t.value(v, n)
}

// nothing stands for a null, as it does in tables.
const nothing = "—"

func (t *telling) value(v any, n Numbers) string {
	if s, ok := n.Text(v); ok {
		return s
	}
	switch v := v.(type) {
	case nil:
		return nothing
	case string:
		if s := oneLine(v); s != "" {
			return s
		}
		return "“”"
	case []any:
		return t.joined(t.values(v, n), t.w.ListSep)
	case store.Node:
		for _, key := range naming {
			if s, ok := v.Properties[key].(string); ok {
				return oneLine(s)
			}
		}
	case store.Path:
		nodes := make([]any, len(v.Nodes))
		for i := range v.Nodes {
			nodes[i] = v.Nodes[i]
		}
		return strings.Join(t.values(nodes, n), steps)
	case fmt.Stringer:
		return v.String()
	}
	b, err := store.EncodeValue(v)
	if err != nil {
		return oneLine(fmt.Sprint(v))
	}
	return string(b)
}

// steps stands between the nodes of a path.
const steps = " – "

func (t *telling) values(list []any, n Numbers) []string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = t.value(x, n)
	}
	return parts
}

// oneLine is s without line breaks and other runs of white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
