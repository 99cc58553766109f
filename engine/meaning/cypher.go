package meaning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// A Printer prints meanings as Cypher over one schema.
type Printer struct {
	// Key is the property that names a node of the label.
	Key func(label string) string
	// Type is the type of a property in the schema, as store.Property.Type.
	Type func(label, property string) string
}

// Query prints m. Its values are parameters; a slot's is called after it. The rows of a
// set come in its order, then by key; those of groups by the value, where that is
// asked for, then by group.
func (p Printer) Query(m *Meaning) store.Query {
	w := &printing{Printer: p, params: map[string]any{}}
	w.meaning(m)
	return store.Query{Text: w.b.String(), Params: w.params}
}

// A printing is one query in the making. The variable of the set that stands i deep is
// nodes[i].
type printing struct {
	Printer
	b      strings.Builder
	params map[string]any
	nodes  []node // the innermost last
	vars   int
}

type node struct{ name, label string }

func (w *printing) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *printing) meaning(m *Meaning) {
	switch m.Do {
	case List:
		x, by := w.set(m.Of)
		w.returns(m, by, append([]string{w.named(x)}, w.lift(x, by, m.Columns...)...), w.columns(m))
	case Count:
		x, _ := w.set(m.Of)
		w.printf("\nRETURN count(%s) AS count", x.name)
	case Exists:
		x, _ := w.set(m.Of)
		w.printf("\nRETURN count(%s) > 0 AS found", x.name)
	case Total:
		x, _ := w.set(m.Of)
		value := w.lift(x, "", m.Measure)[0]
		w.printf("\nRETURN %s AS value", fn(m.Fn, value))
	case Groups:
		w.groups(m)
	case Share:
		x, _ := w.set(m.Of)
		w.printf("\nWITH count(%s) AS whole, count(CASE WHEN %s THEN 1 END) AS part\nRETURN part, whole, CASE WHEN whole > 0 THEN 100.0 * part / whole END AS percent", x.name, cmp.Or(w.all(m.With.Where), "true"))
	case Compare:
		w.compared(m.Of, m.Columns[0])
		w.printf("\nUNION ALL\n")
		w.nodes = nil
		w.compared(m.With, m.Columns[0])
	}
}

// compared prints one side of a comparison.
func (w *printing) compared(s *Set, by Measure) {
	x, _ := w.set(s)
	value := w.lift(x, "", by)[0]
	w.printf("\nRETURN %s AS name, %s AS value", w.named(x), value)
}

// lift works measures of x out before they are returned, and returns what they then
// are called. A property is what it is. kept goes along. (Neo4j wants x among what is
// projected beside a subquery that aggregates.)
func (w *printing) lift(x node, kept string, ms ...Measure) (names []string) {
	with := ""
	for _, m := range ms {
		said := w.measure(m)
		if _, plain := m.(Prop); !plain {
			m := fmt.Sprintf("m%d", w.vars)
			w.vars++
			with += fmt.Sprintf(", %s AS %s", said, m)
			said = m
		}
		names = append(names, said)
	}
	if with != "" {
		if kept != "" && !strings.Contains(kept, ".") {
			with += ", " + kept
		}
		w.printf("\nWITH %s%s", x.name, with)
	}
	return names
}

// returns ends a list. Aliases keep what it is ordered by apart from its columns.
func (w *printing) returns(m *Meaning, by string, cols, names []string) {
	s := m.Of
	w.printf("\nRETURN ")
	for i, c := range cols {
		if i > 0 {
			w.printf(", ")
		}
		w.printf("%s AS %s", c, names[i])
	}
	if s.By != nil {
		unknown := "" // comes last in either direction
		if s.Take == 0 && !s.Ties {
			unknown = "by IS NULL, "
		}
		if shown := m.shown(w.Key(s.Label)); shown < 0 {
			w.printf(", %s AS %s", by, names[len(cols)])
			by = names[len(cols)]
		} else {
			by = names[shown]
		}
		w.printf("\nORDER BY %s%s %s, %s", strings.ReplaceAll(unknown, "by", by), by, direction(s.Sort), names[0])
	} else {
		w.printf("\nORDER BY %s", names[0])
	}
	if s.Take > 0 && !s.Ties {
		w.printf(" LIMIT %d", s.Take)
	}
}

// shown is which column of a list shows what it is ordered by, -1 for none.
func (m *Meaning) shown(key string) int {
	for i, c := range append([]Measure{Prop{key}}, m.Columns...) {
		if ExactMeasure(c) == ExactMeasure(m.Of.By) {
			return i
		}
	}
	return -1
}

// columns are what the columns of a list are called, that of its order last.
func (w *printing) columns(m *Meaning) []string {
	names := []string{w.Key(m.Of.Label)}
	for _, c := range append(slices.Clone(m.Columns), m.Of.By) {
		if c == nil {
			continue
		}
		said := measureName(c)
		for n := 2; slices.Contains(names, said); n++ {
			said = fmt.Sprintf("%s_%d", measureName(c), n)
		}
		names = append(names, said)
	}
	for i, n := range names {
		names[i] = name(n)
	}
	return names
}

// measureName is what a measure's column is called.
func measureName(m Measure) string {
	switch m := m.(type) {
	case Prop:
		return m.Property
	case CountOf:
		return "count"
	case Of:
		return string(m.Fn) + "_" + m.Property
	}
	return "value"
}

// set matches the members of a set and returns their variable, and what they are
// ordered by; a set with ties is narrowed to those.
func (w *printing) set(s *Set) (x node, by string) {
	x = w.enter(s.Label)
	w.printf("MATCH (%s:%s)", x.name, name(x.label))
	where := w.all(s.Where)
	p, plain := s.By.(Prop)
	cuts := s.Take > 0 || s.Ties // then what is unknown isn't first or last
	if plain {
		by = x.name + "." + name(p.Property)
		if cuts {
			where = and(where, by+" IS NOT NULL")
		}
	}
	if where != "" {
		w.printf("\nWHERE %s", where)
	}
	if s.By != nil && !plain {
		by = w.lift(x, "", s.By)[0]
		if cuts {
			w.printf(" WHERE %s IS NOT NULL", by)
		}
	}
	if s.Ties {
		w.printf("\nWITH %[1]s AS rank, collect(%[2]s) AS tied ORDER BY rank %[3]s SKIP %[4]d LIMIT 1\nUNWIND tied AS %[2]s", by, x.name, direction(s.Sort), max(s.Nth, 1)-1)
		by = "rank"
	}
	return x, by
}

func (w *printing) enter(label string) node {
	x := node{fmt.Sprintf("n%d", w.vars), label}
	w.vars++
	w.nodes = append(w.nodes, x)
	return x
}

func (w *printing) leave() { w.nodes = w.nodes[:len(w.nodes)-1] }

// at is the node of the set that stands i deep, the outermost is 0.
func (w *printing) at(i int) node { return w.nodes[i] }

func (w *printing) inner() node { return w.nodes[len(w.nodes)-1] }

// named is what names a node.
func (w *printing) named(x node) string { return x.name + "." + name(w.Key(x.label)) }

// groups prints the value of each group.
func (w *printing) groups(m *Meaning) {
	x, _ := w.set(m.Of)
	if e := m.Each; e.Set != nil {
		y := w.enter(e.Set.Label)
		pattern, where := w.pattern(x, e.Role, y)
		where = and(where, w.all(e.Set.Where))
		w.printf("\nMATCH %s", pattern)
		if where != "" {
			w.printf("\nWHERE %s", where)
		}
		w.leave()
		w.printf("\nWITH DISTINCT %s, %s AS g, %s AS key", x.name, y.name, w.named(y))
	} else if strings.HasPrefix(w.Type(x.label, e.Property), "LIST") {
		w.printf("\nUNWIND %[1]s.%[2]s AS g\nWITH DISTINCT %[1]s, g, g AS key", x.name, name(e.Property))
	} else {
		w.printf("\nWITH %[1]s, %[1]s.%[2]s AS g, %[1]s.%[2]s AS key WHERE key IS NOT NULL", x.name, name(e.Property))
	}
	value := "count(" + x.name + ")"
	if m.Measure != nil {
		value = fn(m.Fn, w.lift(x, "g, key", m.Measure)[0])
	}
	w.printf("\nWITH g, key, %s AS value", value)
	if h := m.Each.Having; h != nil {
		w.printf(" WHERE value %s %s", h.Op, w.param(h.Value, "FLOAT"))
	} else if m.Measure != nil {
		w.printf(" WHERE value IS NOT NULL")
	}
	w.printf("\nRETURN key, value ORDER BY ")
	if m.Each.Order != Unsorted {
		w.printf("value %s, ", direction(m.Each.Order))
	}
	w.printf("key")
	if m.Each.Take > 0 {
		w.printf(" LIMIT %d", m.Each.Take)
	}
}

func direction(s Sort) string {
	if s == Descending {
		return "DESC"
	}
	return "ASC"
}

// fn is an aggregate; of nothing a sum is unknown, too.
func fn(f Fn, of string) string {
	switch f {
	case Median:
		return fmt.Sprintf("percentileCont(%s, 0.5)", of)
	case Sum:
		return fmt.Sprintf("CASE WHEN count(%[1]s) > 0 THEN sum(%[1]s) END", of)
	}
	return fmt.Sprintf("%s(%s)", f, of)
}

// pattern leads from x to y by a role, with what holds of its last relationship.
func (w *printing) pattern(x node, r Role, y node) (pattern, where string) {
	var b strings.Builder
	fmt.Fprintf(&b, "(%s)", x.name)
	for i, s := range r.Steps {
		rel := ""
		if i == len(r.Steps)-1 && len(r.With) > 0 {
			rel = fmt.Sprintf("r%d", w.vars)
			w.vars++
			for _, c := range r.With {
				where = and(where, w.bound(rel, s.Type, c))
			}
		}
		end := "()"
		if i == len(r.Steps)-1 {
			end = fmt.Sprintf("(%s:%s)", y.name, name(y.label))
		}
		if s.Back {
			fmt.Fprintf(&b, "<-[%s:%s]-%s", rel, name(s.Type), end)
		} else {
			fmt.Fprintf(&b, "-[%s:%s]->%s", rel, name(s.Type), end)
		}
	}
	return b.String(), where
}

// all is what holds where all conditions do, "" for none.
func (w *printing) all(conds []Condition) (out string) {
	for _, c := range conds {
		out = and(out, w.condition(c))
	}
	return out
}

func and(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + " AND " + b
}

func (w *printing) condition(c Condition) string {
	x := w.inner()
	switch c := c.(type) {
	case Property:
		return w.bound(x.name, x.label, c.Bound)
	case Than:
		return fmt.Sprintf("%s.%s %s %s.%s", x.name, name(c.Property), c.Op, w.at(c.Node).name, name(c.Other))
	case Known:
		return fmt.Sprintf("%s.%s IS NOT NULL", x.name, name(c.Property))
	case Missing:
		return fmt.Sprintf("%s.%s IS NULL", x.name, name(c.Property))
	case Same:
		return fmt.Sprintf("%s = %s", x.name, w.at(c.Node).name)
	case Not:
		return "NOT (" + w.condition(c.Cond) + ")"
	case Either:
		return w.either(c.Conds, " OR ")
	case Both:
		return w.either(c.Conds, " AND ")
	case Related:
		return w.related(c)
	}
	return "false"
}

func (w *printing) either(conds []Condition, join string) string {
	var parts []string
	for _, c := range conds {
		parts = append(parts, w.condition(c))
	}
	return "(" + strings.Join(parts, join) + ")"
}

// related prints how many of those that a role leads to are in a set.
func (w *printing) related(c Related) string {
	x := w.inner()
	y := w.enter(c.Set.Label)
	defer w.leave()
	pattern, with := w.pattern(x, c.Role, y)
	where := w.all(c.Set.Where)
	exists := func(where string) string {
		if where != "" {
			where = " WHERE " + where
		}
		return fmt.Sprintf("EXISTS { %s%s }", pattern, where)
	}
	switch c.How {
	case None:
		return "NOT " + exists(and(with, where))
	case Every:
		if where == "" {
			return exists(with)
		}
		return fmt.Sprintf("(%s AND NOT %s)", exists(with), exists(and(with, fmt.Sprintf("NOT coalesce(%s, false)", where))))
	case Number:
		return fmt.Sprintf("%s %s %s", w.count(pattern, and(with, where), y), c.N.Op, w.param(c.N.Value, "INTEGER"))
	}
	return exists(and(with, where))
}

// count is how many different y a pattern leads to.
func (w *printing) count(pattern, where string, y node) string {
	if where != "" {
		where = " WHERE " + where
	}
	return fmt.Sprintf("COUNT { MATCH %s%s RETURN DISTINCT %s }", pattern, where, y.name)
}

// bound compares a property of a variable, or of a relationship of that type.
func (w *printing) bound(variable, owner string, c Bound) string {
	of := variable + "." + name(c.Property)
	typ := w.Type(owner, c.Property)
	switch c.Op {
	case Within:
		next := c.Value
		next.Is, next.Slot = c.Value.Next, ""
		if c.Value.Slot != "" {
			next.Slot = c.Value.Slot + "_to"
			c.Value.Slot += "_from"
		}
		return fmt.Sprintf("%[1]s >= %[2]s AND %[1]s < %[3]s", of, w.param(c.Value, typ), w.param(next, typ))
	case PartOf:
		sep := c.Value
		sep.Is, sep.Slot = c.Value.Next, ""
		if c.Value.Slot != "" {
			sep.Slot = c.Value.Slot + "_between"
		}
		return fmt.Sprintf("%s IN split(%s, %s)", w.param(c.Value, typ), of, w.param(sep, typ))
	case Has:
		return fmt.Sprintf("%s IN %s", w.param(c.Value, typ), of)
	case Contains:
		return fmt.Sprintf("%s CONTAINS %s", of, w.param(c.Value, typ))
	}
	return fmt.Sprintf("%s %s %s", of, c.Op, w.param(c.Value, typ))
}

// param is a parameter for a value, as the type that it is compared with wants it.
func (w *printing) param(v Value, typ string) string {
	slot := v.Slot
	if slot == "" {
		slot = fmt.Sprintf("p%d", len(w.params)+1)
	}
	w.params[slot] = v.Is
	if v.Kind == Day {
		switch typ {
		case "DATE":
			return "date($" + slot + ")"
		case "LOCAL DATETIME":
			return "localdatetime($" + slot + ")"
		case "ZONED DATETIME":
			return "datetime($" + slot + ")"
		}
	}
	return "$" + slot
}

func (w *printing) measure(m Measure) string {
	x := w.inner()
	switch m := m.(type) {
	case Prop:
		return x.name + "." + name(m.Property)
	case CountOf:
		y := w.enter(m.Set.Label)
		defer w.leave()
		pattern, with := w.pattern(x, m.Role, y)
		return w.count(pattern, and(with, w.all(m.Set.Where)), y)
	case Of:
		return w.aggregated(x, m)
	case Minus:
		return fmt.Sprintf("(%s - %s)", w.measure(m.A), w.measure(m.B))
	case By:
		b := w.measure(m.B)
		return fmt.Sprintf("CASE WHEN %[2]s <> 0 THEN toFloat(%[1]s) / %[2]s END", w.measure(m.A), b)
	}
	return "null"
}

// aggregated is Fn over a property of different nodes that a role leads to.
func (w *printing) aggregated(x node, m Of) string {
	y := w.enter(m.Set.Label)
	defer w.leave()
	pattern, with := w.pattern(x, m.Role, y)
	where := and(and(with, w.all(m.Set.Where)), fmt.Sprintf("%s.%s IS NOT NULL", y.name, name(m.Property)))
	list := fmt.Sprintf("COLLECT { MATCH %s WHERE %s WITH DISTINCT %s RETURN %s }", pattern, where, y.name, fn(m.Fn, y.name+"."+name(m.Property)))
	return "head(" + list + ")"
}

// name is a label, type or property as it stands in a query.
func name(s string) string { return cypher.Print(&cypher.Label{Name: s}) }
