package tell

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// top is the column of the value that all rows share because the query keeps
// those alone that have the most or the least of it, with the variable of what
// has it, and whether it is the least; -1 where the query doesn't say so. Two forms are known, the first also
// as (m:Movie {runtime: top}):
//
//	WITH max(m.runtime) AS top MATCH (m:Movie) WHERE m.runtime = top RETURN m.title, m.runtime
//	WITH p, count(m) AS films WITH max(films) AS top MATCH … WITH p, count(m) AS films, top WHERE films = top RETURN p.name, films
func (sh *shape) top() (column int, variable string, least bool) {
	at, name, of, least := sh.extreme()
	if at < 0 {
		return -1, "", false
	}
	rest := sh.clauses[at+1 : len(sh.clauses)-1]
	if len(rest) == 0 || sh.end.Limit != nil || sh.end.Skip != nil || !covers(rest, sh.clauses[:at], name, of) {
		return -1, "", false
	}
	var kept cypher.Expr
	if with, ok := rest[len(rest)-1].(*cypher.With); ok {
		kept = keeps(conditions(with.Where), name)
		variable = sh.counted(with, kept, name, of, at)
	} else if m, ok := rest[0].(*cypher.Match); ok && len(rest) == 1 {
		if kept = keeps(conditions(m.Where), name); kept == nil {
			kept = keptBy(m.Patterns, name)
		}
		v, key, ok := propertyOf(kept)
		if _, ofKey, is := propertyOf(of); ok && is && key == ofKey {
			variable = v
		}
	}
	if variable == "" {
		return -1, "", false
	}
	for i, it := range sh.end.Items {
		if cypher.Print(it.Expr) == cypher.Print(kept) || isVariable(it.Expr, name) {
			return i, variable, least
		}
	}
	return -1, "", false
}

// keeps is what conditions say to be equal to the variable top, or nil.
func keeps(conditions []cypher.Expr, top string) cypher.Expr {
	for _, e := range conditions {
		if l, r, ok := equal(e); ok && isVariable(r, top) {
			return l
		}
	}
	return nil
}

// keptBy is the property that a node of patterns must have equal to the variable
// top, or nil.
func keptBy(patterns []*cypher.Path, top string) cypher.Expr {
	for _, p := range patterns {
		for _, e := range p.Elements {
			n, ok := e.(*cypher.NodePattern)
			if !ok || n.Var == "" {
				continue
			}
			if m, ok := n.Props.(*cypher.Map); ok && len(m.Keys) == 1 && isVariable(m.Values[0], top) {
				return &cypher.Property{X: &cypher.Variable{Name: n.Var}, Key: m.Keys[0]}
			}
		}
	}
	return nil
}

// covers reports whether what matches clauses matches all that before asks,
// so that the most of before is the most of clauses. The variable top is the most
// of what of is, which is therefore not null.
func covers(clauses, before []cypher.Clause, top string, of cypher.Expr) bool {
	now, was := asksOf(clauses, top), asksOf(before, "")
	if len(was) == 0 {
		return false
	}
	for ask := range was {
		if !now[ask] && ask != cypher.Print(of)+" IS NOT NULL" {
			return false
		}
	}
	return true
}

// asksOf are the patterns and conditions of clauses, printed without the
// property that is top; nil where they have others than MATCH, UNWIND and WITH.
func asksOf(clauses []cypher.Clause, top string) map[string]bool {
	out := map[string]bool{}
	for _, c := range clauses {
		var where cypher.Expr
		switch c := c.(type) {
		case *cypher.Match:
			if c.Optional {
				return nil
			}
			kept, _ := keptBy(c.Patterns, top).(*cypher.Property)
			for _, p := range c.Patterns {
				s := cypher.Print(p)
				if kept != nil {
					s = strings.Replace(s, " {"+kept.Key+": "+top+"}", "", 1)
				}
				out[s] = true
			}
			where = c.Where
		case *cypher.Unwind:
			out["UNWIND "+cypher.Print(c.List)+" AS "+c.Var] = true
		case *cypher.With:
			where = c.Where
		default:
			return nil
		}
		for _, e := range conditions(where) {
			out[cypher.Print(e)] = true
		}
	}
	return out
}

// extreme finds the WITH that is nothing but max(of) or min(of) AS name.
func (sh *shape) extreme() (at int, name string, of cypher.Expr, least bool) {
	for i, c := range sh.clauses {
		w, ok := c.(*cypher.With)
		if !ok || w.Star || len(w.Items) != 1 || w.Where != nil || w.Limit != nil || w.Skip != nil {
			continue
		}
		if call, ok := w.Items[0].Expr.(*cypher.Call); ok && len(call.Args) == 1 && (strings.EqualFold(call.Name, "max") || strings.EqualFold(call.Name, "min")) {
			return i, w.Items[0].Name(), call.Args[0], strings.EqualFold(call.Name, "min")
		}
	}
	return -1, "", nil, false
}

// counted is the variable for which with counts what kept names, if the extreme
// was taken of the same count; else "".
func (sh *shape) counted(with *cypher.With, kept cypher.Expr, name string, of cypher.Expr, at int) string {
	k, isAlias := kept.(*cypher.Variable)
	o, wasAlias := of.(*cypher.Variable)
	if at == 0 || !isAlias || !wasAlias || with.Star || with.Limit != nil || with.Skip != nil {
		return ""
	}
	was, ok := sh.clauses[at-1].(*cypher.With)
	if !ok || was.Star || was.Limit != nil || was.Skip != nil {
		return ""
	}
	first, keys := countIn(was, o.Name, "")
	again, same := countIn(with, k.Name, name)
	if len(keys) != 1 || !slices.Equal(keys, same) || first == "" || first != again {
		return ""
	}
	for _, it := range with.Items {
		if cypher.Print(it) == keys[0] {
			return it.Name()
		}
	}
	return ""
}

// countIn is the aggregate that w calls name, printed, and what else than
// aggregates and the variable top it holds: what is counted for.
func countIn(w *cypher.With, name, top string) (count string, keys []string) {
	for _, it := range w.Items {
		switch {
		case isAggregate(it.Expr):
			if it.Name() == name {
				count = cypher.Print(it.Expr)
			}
		case top == "" || !isVariable(it.Expr, top):
			keys = append(keys, cypher.Print(it))
		}
	}
	return count, keys
}
