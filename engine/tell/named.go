package tell

import (
	"slices"

	"precedent/store/cypher"
)

// naming are properties that name what has them.
var naming = []string{"name", "title"}

// drops reports whether a WITH doesn't hand variable on, so that behind it the
// name may stand for something else.
func (sh *shape) drops(variable string) bool {
	return slices.ContainsFunc(sh.clauses, func(c cypher.Clause) bool {
		w, ok := c.(*cypher.With)
		return ok && !w.Star && !slices.ContainsFunc(w.Items, func(it *cypher.Item) bool {
			return it.Name() == variable && isVariable(it.Expr, variable)
		})
	})
}

// nameOf is the text by which the query finds what variable stands for:
// (p:Person {name: $first}) or WHERE p.name = $first. It is "" where there is
// none, or where the variable isn't the same throughout.
func (sh *shape) nameOf(variable string) string {
	if sh.drops(variable) {
		return ""
	}
	found := map[string]string{} // by property
	add := func(key string, value cypher.Expr) {
		v, _ := sh.constant(value)
		if s, ok := v.(string); ok {
			found[key] = s
		}
	}
	seen := false
	for _, c := range sh.clauses {
		m, ok := c.(*cypher.Match)
		if !ok {
			continue
		}
		was := seen
		for _, n := range nodesOf(m) {
			if n.Var != variable {
				continue
			}
			seen = true
			if props, ok := n.Props.(*cypher.Map); ok && !(m.Optional && was) {
				for i, key := range props.Keys {
					add(key, props.Values[i])
				}
			}
		}
	}
	for _, e := range sh.required() {
		if l, r, ok := equal(e); ok {
			if v, key, ok := propertyOf(l); ok && v == variable {
				add(key, r)
			}
		}
	}
	for _, key := range naming {
		if s := found[key]; s != "" {
			return s
		}
	}
	return ""
}

// nodesOf are the nodes of a clause's patterns, but for those inside groups.
func nodesOf(m *cypher.Match) []*cypher.NodePattern {
	var out []*cypher.NodePattern
	for _, p := range m.Patterns {
		for _, e := range p.Elements {
			if n, ok := e.(*cypher.NodePattern); ok {
				out = append(out, n)
			}
		}
	}
	return out
}
