package tell

import (
	"fmt"
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// yesOrNo says whether what the first column asks is so, and what follows from
// the others: the values compared, by the names of what has them, if the query
// shows both.
func (t *telling) yesOrNo() string {
	if t.shape == nil || len(t.Rows) != 1 || t.Truncated || !t.shape.isAnswer(0) {
		return ""
	}
	answer := t.Rows[0][0]
	if _, ok := answer.(bool); answer != nil && !ok {
		return ""
	}
	if s := t.subject(); s != "" {
		return t.w.Join(t.yes(answer), s)
	}
	sides, shown := t.sides()
	return t.w.Join(t.yes(answer), t.joined(append(sides, t.labels(0, append(shown, 0)...)...), t.w.PairSep))
}

// subject is what the question is about with the one value that decides it,
// "Titanic (194)"; "" if the row holds anything else.
func (t *telling) subject() string {
	if len(t.Columns) != 3 {
		return ""
	}
	of, key, ok := propertyOf(t.shape.end.Items[1].Expr)
	value, _, second := propertyOf(t.shape.end.Items[2].Expr)
	name, isText := t.Rows[0][1].(string)
	if !ok || !second || of != value || !slices.Contains(naming, key) || !isText || oneLine(name) == "" {
		return ""
	}
	return t.valued(oneLine(name), 0, 2)
}

// sides are the two values that the first column compares, with the names of
// what has them, and the columns they stand in; nil where they can't be matched.
func (t *telling) sides() (said []string, shown []int) {
	c, ok := t.shape.item(0).(*cypher.Comparison)
	if !ok || len(c.Ops) != 1 {
		return nil, nil
	}
	var names [2]string
	var values [2]any
	for i, x := range c.X {
		at := t.shape.column(x)
		v, _, ok := propertyOf(x)
		if at < 1 || !ok {
			return nil, nil
		}
		name, in := t.named(v)
		if name == "" {
			return nil, nil
		}
		if in >= 0 {
			shown = append(shown, in)
		}
		shown = append(shown, at)
		names[i], values[i] = name, t.Rows[0][at]
		said = append(said, t.valued(name, 0, at))
	}
	if names[0] == names[1] {
		return nil, nil
	}
	if c.Ops[0] != cypher.Eq && c.Ops[0] != cypher.Ne && same(values[0], values[1]) { // properties, which nothing rounds
		return []string{fmt.Sprintf(t.w.Tie, t.cell(0, shown[len(shown)-1]), t.joined(names[:], t.w.ListSep))}, shown
	}
	return said, shown
}

// named is the name of what a variable stands for in the one row there is, and
// the column it stands in, or -1.
func (t *telling) named(variable string) (name string, column int) {
	if t.shape.drops(variable) {
		return "", -1
	}
	for i, it := range t.shape.end.Items {
		if v, key, ok := propertyOf(it.Expr); ok && v == variable && slices.Contains(naming, key) {
			if s, ok := t.Rows[0][i].(string); ok && oneLine(s) != "" {
				return oneLine(s), i
			}
		}
	}
	return oneLine(t.shape.nameOf(variable)), -1
}

// path is the one path there is. Its length is said if it was asked for, or if
// it can't be seen at a glance.
func (t *telling) path() string {
	if len(t.Rows) != 1 || t.shape == nil {
		return ""
	}
	for i, v := range t.Rows[0] {
		list, ok := v.([]any)
		if !ok || !t.shape.isPath(i) {
			continue
		}
		shown := []int{i}
		for j := range t.Columns {
			if !t.Counted && len(list) <= shortPath && t.shape.isLength(j) {
				shown = append(shown, j)
			}
		}
		parts := append([]string{t.cell(0, i)}, t.labels(0, shown...)...)
		return t.joined(parts, t.w.PairSep)
	}
	return ""
}

// compared says the values of things that the query names, in the order of the
// query, which puts the winner first. A tie for first is said, and that nobody
// knows where a value isn't known; names without a row are said to be so.
func (t *telling) compared() string {
	if t.shape == nil || len(t.Columns) < 2 || len(t.Rows) > listItems || t.shape.end.Limit != nil || t.shape.end.Skip != nil ||
		t.shape.hasCut() || t.shape.hasFilter() {
		return ""
	}
	by, _ := t.shape.sortColumn()
	name := -1
	var names []string
	for i := range t.Columns {
		if i != by && name < 0 {
			if names = t.shape.among(i); names != nil {
				name = i
			}
		}
	}
	if by < 0 || name < 0 {
		return ""
	}
	v, _, _ := propertyOf(t.shape.end.Items[name].Expr)
	if !t.shape.only(v, by) || !t.isOf(by, v) || t.shape.drops(v) {
		return ""
	}
	var known, unknown []int // rows
	seen := map[string]bool{}
	for i, row := range t.Rows {
		s, ok := row[name].(string)
		if !ok || seen[s] || !slices.Contains(names, s) {
			return ""
		}
		seen[s] = true
		if row[by] != nil {
			known = append(known, i)
		} else {
			unknown = append(unknown, i)
		}
	}
	if len(known) > 0 && !isRanked(t.Rows[known[0]][by]) {
		return ""
	}
	var missing []string
	for _, s := range names {
		if !seen[s] && !slices.Contains(missing, oneLine(s)) {
			missing = append(missing, oneLine(s))
		}
	}
	if len(missing) > 0 && !t.shape.findsAll(name, by) {
		return ""
	}
	said := t.ranked(known, name, by)
	if len(known) < len(t.Rows) {
		said = t.w.Join(t.w.Unsaid, t.beside(append(known, unknown...), name, by))
	}
	if len(missing) > 0 {
		said = fmt.Sprintf(t.w.NotFound, said, t.joined(missing, t.w.ListSep))
	}
	return said
}

// ranked says the values of rows, the first of which is the winner, or ties.
func (t *telling) ranked(rows []int, name, by int) string {
	first := 1
	for first < len(rows) && same(t.Rows[rows[first]][by], t.Rows[rows[0]][by]) {
		first++
	}
	if first == 1 || t.shape.isRounded(by) {
		return t.beside(rows, name, by)
	}
	var tied []string
	for _, i := range rows[:first] {
		tied = append(tied, t.cell(i, name))
	}
	said := fmt.Sprintf(t.w.Tie, t.cell(rows[0], by), t.joined(tied, t.w.ListSep))
	if first < len(rows) {
		said += t.w.Then + t.beside(rows[first:], name, by)
	}
	return said
}

// beside names rows, each with its value.
func (t *telling) beside(rows []int, name, by int) string {
	var parts []string
	for _, i := range rows {
		parts = append(parts, t.valued(t.cell(i, name), i, by))
	}
	return t.joined(parts, t.w.PairSep)
}

// isOf reports whether a column's value belongs to variable alone: a property of
// it, or what was counted for it.
func (t *telling) isOf(column int, variable string) bool {
	return t.shape.isOf(column, variable) || isAggregate(t.shape.item(column))
}

// isRanked reports whether values like v are more and less, not texts.
func isRanked(v any) bool {
	switch v.(type) {
	case int64, float64, store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime:
		return true
	}
	return false
}

// same reports whether two values that can be ranked are equal.
func same(a, b any) bool {
	if !isRanked(a) || !isRanked(b) {
		return false
	}
	if n, ok := a.(int64); ok {
		if f, ok := b.(float64); ok {
			return isExactly(f, n)
		}
	} else if n, ok := b.(int64); ok {
		if f, ok := a.(float64); ok {
			return isExactly(f, n)
		}
	}
	return a == b
}

// isExactly reports whether f is n, which above 2⁵³ not every float64 tells.
func isExactly(f float64, n int64) bool {
	return f == float64(n) && f < 1<<63 && int64(f) == n
}

// tied says how many things share the most or the least, where the query keeps
// those alone.
func (t *telling) tied() string {
	if t.shape == nil || len(t.Rows) < 2 || t.shape.hasCut() {
		return ""
	}
	value, variable, least := t.shape.top()
	if value < 0 || t.shape.isRounded(value) || !t.shape.only(variable, value) || !isRanked(t.Rows[0][value]) || slices.ContainsFunc(t.Rows, func(row []any) bool { return !same(row[value], t.Rows[0][value]) }) {
		return ""
	}
	names := t.distinct(variable, value, len(t.Rows))
	if names == nil {
		return ""
	}
	form := t.w.TieFirst
	if least {
		form = t.w.TieLeast
	}
	return fmt.Sprintf(form, count(len(t.Rows)), t.cell(0, value), t.some(names[:min(len(names), firstItems)], len(names)))
}

// tiedFirst says which of the first rows share the first place, where the query
// orders and cuts off below them.
func (t *telling) tiedFirst() string {
	if t.shape == nil || len(t.Rows) < 2 || t.shape.end.Limit == nil || t.shape.end.Skip != nil || t.shape.hasCut() {
		return ""
	}
	by, desc := t.shape.sortColumn()
	if by < 0 || t.shape.isRounded(by) || !isRanked(t.Rows[0][by]) {
		return ""
	}
	n := 1
	for n < len(t.Rows) && same(t.Rows[n][by], t.Rows[0][by]) {
		n++
	}
	if n == 1 || n == len(t.Rows) && int64(n) >= t.shape.limit() {
		return "" // there may be more below
	}
	at := t.nameColumn("", by)
	if at < 0 {
		return ""
	}
	variable, _, _ := propertyOf(t.shape.end.Items[at].Expr)
	names := t.distinct(variable, by, n)
	if names == nil || !t.shape.only(variable, by) || !t.isOf(by, variable) {
		return ""
	}
	if keys := t.shape.end.OrderBy; len(keys) > 1 && t.shape.keyColumn(keys[1].Expr) != at {
		return "" // the second key may be what decides
	}
	form := t.w.RowsTie
	if !desc {
		form = t.w.RowsTieLeast
	}
	return fmt.Sprintf(form, count(len(t.Rows)), t.cell(0, by), t.some(names[:min(n, firstItems)], n))
}

// nameColumn is the first column of a variable, "" for the first property, but
// for one; -1 if there is none.
func (t *telling) nameColumn(variable string, except int) int {
	for i, it := range t.shape.end.Items {
		_, _, ok := propertyOf(it.Expr)
		if i != except && (variable == "" && ok || variable != "" && t.shape.isOf(i, variable)) {
			return i
		}
	}
	return -1
}

// distinct are the names of the first n rows if all are texts or numbers and no
// two are the same, else nil.
func (t *telling) distinct(variable string, except, n int) []string {
	at := t.nameColumn(variable, except)
	if at < 0 {
		return nil
	}
	seen := map[any]bool{}
	var names []string
	for i := range n {
		v := t.Rows[i][at]
		switch v.(type) {
		case string, int64:
		default:
			return nil
		}
		if v == "" || seen[v] {
			return nil
		}
		seen[v] = true
		names = append(names, t.cell(i, at))
	}
	return names
}
