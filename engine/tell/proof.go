package tell

import (
	"slices"

	"precedent/store/cypher"
)

// hasCut reports whether a WITH keeps only so many rows, so that others may be
// as good as those there are.
func (sh *shape) hasCut() bool {
	return slices.ContainsFunc(sh.clauses, func(c cypher.Clause) bool {
		w, ok := c.(*cypher.With)
		return ok && (w.Limit != nil || w.Skip != nil)
	})
}

// hasFilter reports whether a WITH drops rows by a condition.
func (sh *shape) hasFilter() bool {
	return slices.ContainsFunc(sh.clauses, func(c cypher.Clause) bool {
		w, ok := c.(*cypher.With)
		return ok && w.Where != nil
	})
}

// findsAll reports whether the query shows each of the names in column name for
// which it knows a value in column by: whether it asks nothing else of them.
func (sh *shape) findsAll(name, by int) bool {
	want, value := cypher.Print(sh.end.Items[name].Expr), cypher.Print(sh.item(by))
	for _, e := range sh.required() {
		is, ok := e.(*cypher.IsNull)
		if len(sh.names(e, want)) < 2 && !(ok && is.Not && cypher.Print(sh.meant(is.X)) == value) {
			return false
		}
	}
	variable, _, _ := propertyOf(sh.end.Items[name].Expr)
	all := true
	for _, c := range sh.clauses {
		m, ok := c.(*cypher.Match)
		if !ok || m.Optional {
			continue
		}
		for _, p := range m.Patterns {
			cypher.Walk(p, func(n cypher.Node) bool {
				switch n := n.(type) {
				case *cypher.NodePattern:
					all = all && n.Where == nil && (n.Var != variable || n.Props == nil)
				case *cypher.RelPattern:
					all = all && n.Where == nil
				case *cypher.GroupPattern:
					all = all && n.Where == nil
				}
				return all
			})
		}
	}
	return all
}
