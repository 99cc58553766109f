package engine

import (
	"fmt"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
)

// worked is work for a question of which nothing was picked.
func (e *Engine) worked(question string, q store.Query) (store.Case, string, error) {
	return e.work(question, nil, q)
}

// work makes a case of a question, of which its asker picked some links, and
// its query: values that the question names become slots. The key is its
// reading and its query tree, whatever its parameters are called.
func (e *Engine) work(question string, picked []store.Link, q store.Query) (store.Case, string, error) {
	s := e.snapshot()
	stmt, err := cypher.Parse(q.Text)
	if err != nil {
		return store.Case{}, "", fmt.Errorf("%w: %w", ErrCase, err)
	}
	rd := s.reader.ReadWith(question, picked)
	c := store.Case{Graph: e.name, Question: question, Schema: s.schema.Hash, Status: store.Candidate}
	made, at := newLift(stmt, q.Params).slots(rd.Slots)
	wording, err := reading.Reslot(strings.NewReplacer("{", "(", "}", ")").Replace(question), nil, at)
	if err != nil {
		return store.Case{}, "", fmt.Errorf("%w: %w", ErrCase, err)
	}
	c.Slots, c.Wordings = made, []string{wording}
	c.Query = cypher.Print(stmt)
	key := rd.Key()
	if again, err := s.reader.ReadWording(wording, c.Slots); err == nil {
		key = again.Key()
	}
	plain, _, err := canonical(c.Query)
	if err != nil {
		return store.Case{}, "", fmt.Errorf("%w: %w", ErrCase, err)
	}
	return c, key + "\n" + plain, nil
}

// canonical is a query with its parameters called p1, p2 … in their order, so
// that equal queries are equal text, and what they were called.
func canonical(query string) (text string, names []string, err error) {
	stmt, err := cypher.Parse(query)
	if err != nil {
		return "", nil, err
	}
	cypher.Rewrite(stmt, func(e cypher.Expr) cypher.Expr {
		p, ok := e.(*cypher.Parameter)
		if !ok {
			return e
		}
		i := slices.Index(names, p.Name)
		if i < 0 {
			i, names = len(names), append(names, p.Name)
		}
		return &cypher.Parameter{At: p.At, Name: fmt.Sprintf("p%d", i+1)}
	})
	return cypher.Print(stmt), names, nil
}

// lift turns the values of a query that a question names into slots.
type lift struct {
	stmt *cypher.Statement
	from map[*cypher.Literal]string // literals that stand where a parameter stood, and its name
	used map[string]bool            // names that are taken
}

// newLift writes the parameters of a query into it as literals.
func newLift(stmt *cypher.Statement, params map[string]any) *lift {
	l := &lift{stmt: stmt, from: make(map[*cypher.Literal]string), used: make(map[string]bool)}
	cypher.Rewrite(stmt, func(e cypher.Expr) cypher.Expr {
		p, ok := e.(*cypher.Parameter)
		if !ok {
			return e
		}
		v, ok := params[p.Name]
		if !ok {
			l.used[p.Name] = true
			return e
		}
		made := constant(v)
		cypher.Walk(made, func(n cypher.Node) bool {
			if x, ok := n.(*cypher.Literal); ok {
				l.from[x] = p.Name
			}
			return true
		})
		return made
	})
	return l
}

// slots puts slots in the places of the values that have none, and tells where in the
// words they stand, with their names. Of two that are alike it makes none: which of
// them a value of the query is can't be told.
func (l *lift) slots(found []reading.Slot) (made []store.Slot, at []reading.Slot) {
	found = slices.DeleteFunc(slices.Clone(found), func(s reading.Slot) bool { return s.End <= s.Start })
	slices.SortStableFunc(found, func(a, b reading.Slot) int { return b.Start - a.Start })
	for i, slot := range found {
		if twin := func(o reading.Slot) bool { return o.Type == slot.Type && same(o.Value, slot.Value) }; slot.Name != "" || slices.ContainsFunc(found[:i], twin) || slices.ContainsFunc(found[i+1:], twin) {
			continue
		}
		name, typ, ok := l.slot(slot)
		if !ok {
			continue
		}
		s := store.Slot{Name: name, Label: slot.Label, Property: slot.Property, Type: typ, Example: slot.Value}
		if typ == "number" {
			s.Type = "integer"
			if _, f := slot.Value.(float64); f {
				s.Type = "float"
			}
		}
		if slot.Type == "decade" {
			s.Example = fmt.Sprintf("%vs", slot.Value)
		}
		slot.Name = name
		made, at = slices.Insert(made, 0, s), slices.Insert(at, 0, slot)
	}
	return made, at
}

// slot puts a parameter in the places of a value of the question and returns the slot's
// name and type; ok is false where the query doesn't have the value, or has it as
// several things. A number that the query has only as the days of that year is a year.
func (l *lift) slot(s reading.Slot) (name, typ string, ok bool) {
	if p, ok := periodOf(s.Type, s.Value); ok {
		if name, ok = l.period(s, p); !ok && s.Type == "month" {
			name, ok = l.month(s, p)
		}
		return name, s.Type, ok
	}
	at := l.places(func(v any) bool { return same(v, s.Value) })
	if len(at) == 0 && s.Type == "number" {
		if p, ok := periodOf("year", s.Value); ok {
			s.Type = "year"
			name, ok = l.period(s, p)
			return name, s.Type, ok
		}
	}
	if len(at) == 0 || number(s.Value) && l.several(at) {
		return "", "", false
	}
	name = l.name(s, l.from[at[0]])
	replaceLiterals(l.stmt, at, name)
	return name, s.Type, true
}

// period puts two parameters in the places of the first of a period and of what comes
// behind it; a last one that is included becomes what comes behind.
func (l *lift) period(s reading.Slot, p period) (name string, ok bool) {
	places := func(v any) []*cypher.Literal { return l.places(func(x any) bool { return same(x, v) }) }
	from, to, last := places(p.first), places(p.next), places(p.last)
	var includes []*cypher.Comparison
	cypher.Walk(l.stmt, func(n cypher.Node) bool {
		if c, ok := n.(*cypher.Comparison); ok && len(c.X) == 2 && c.Ops[0] == cypher.Le && slices.ContainsFunc(last, func(x *cypher.Literal) bool { return holds(c.X[1], x) }) {
			includes = append(includes, c)
		}
		return true
	})
	within := l.places(func(v any) bool { return before(p.first, v) && !before(p.next, v) })
	if len(from) == 0 || len(to)+len(includes) == 0 || len(includes) != len(last) || len(within) != len(to)+len(last) {
		return "", false
	}
	base, _, _ := strings.Cut(l.from[from[0]], "_from")
	name = l.name(s, base)
	l.used[name+"_from"], l.used[name+"_to"] = true, true
	for _, c := range includes {
		c.Ops[0] = cypher.Lt
	}
	replaceLiterals(l.stmt, from, name+"_from")
	replaceLiterals(l.stmt, append(to, last...), name+"_to")
	return name, true
}

// month puts two parameters in the places of a month's year and number.
func (l *lift) month(s reading.Slot, p period) (name string, ok bool) {
	year, month, ok := numbersOf(p)
	years := l.places(func(v any) bool { return same(v, year) })
	months := l.places(func(v any) bool { return same(v, month) })
	if !ok || len(years) == 0 || len(months) == 0 || l.several(years) || l.several(months) {
		return "", false
	}
	name = l.name(s, "")
	l.used[name+"_year"], l.used[name+"_month"] = true, true
	replaceLiterals(l.stmt, years, name+"_year")
	replaceLiterals(l.stmt, months, name+"_month")
	return name, true
}

// holds reports whether e is x, or a date made of it.
func holds(e cypher.Expr, x *cypher.Literal) bool {
	if c, ok := e.(*cypher.Call); ok && len(c.Args) == 1 && strings.EqualFold(c.Name, "date") {
		e = c.Args[0]
	}
	return e == cypher.Expr(x)
}

// places are the literals of the query that fit. A number that was a
// parameter stands before those written into the query, which may be anything.
func (l *lift) places(fits func(v any) bool) []*cypher.Literal {
	var at, params []*cypher.Literal
	cypher.Walk(l.stmt, func(n cypher.Node) bool {
		x, ok := n.(*cypher.Literal)
		if !ok || !fits(x.Value) {
			return true
		}
		at = append(at, x)
		if l.from[x] != "" && number(x.Value) {
			params = append(params, x)
		}
		return true
	})
	if len(params) > 0 {
		return params
	}
	return at
}

// several reports whether literals were different parameters.
func (l *lift) several(at []*cypher.Literal) bool {
	return slices.ContainsFunc(at, func(x *cypher.Literal) bool { return l.from[x] != l.from[at[0]] })
}

// name is what a slot is called: as the query's parameter was, or after what it holds.
func (l *lift) name(s reading.Slot, was string) string {
	base := was
	if !plainName(base) {
		base = strings.ToLower(s.Label)
		if base == "" || isPeriod(store.Slot{Type: s.Type}) {
			base = s.Type
		} else if s.Type != "string" && s.Property != "" {
			base = s.Property
		}
	}
	if !plainName(base) {
		base = "value"
	}
	name := base
	for i := 2; l.used[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	l.used[name] = true
	return name
}

// plainName reports whether a name stands in a query without backquotes.
func plainName(name string) bool {
	for i, r := range name {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return name != ""
}

// same reports whether two values are one, numbers by their value.
func same(a, b any) bool {
	if x, ok := float(a); ok {
		y, ok := float(b)
		return ok && x == y
	}
	x, ok := a.(string)
	y, both := b.(string)
	return ok && both && x == y
}

func number(v any) bool { _, ok := float(v); return ok }

func float(v any) (float64, bool) {
	if n, ok := v.(int); ok {
		return float64(n), true
	}
	return store.Float(v)
}
