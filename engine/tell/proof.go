package tell

import (
	"slices"
	"strings"

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
	_, _, stored := propertyOf(sh.item(by)) // not counted along relationships
	all := true
	for _, c := range sh.clauses {
		m, ok := c.(*cypher.Match)
		if !ok || m.Optional {
			continue
		}
		for _, p := range m.Patterns {
			all = all && (!stored || len(p.Elements) == 1)
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

// rounding are functions that make different numbers equal.
var rounding = []string{"round", "tointeger", "tointegerornull", "floor", "ceil"}

// isRounded reports whether the values of a column, or what they are made of,
// are rounded, so that those that read the same may differ.
func (sh *shape) isRounded(column int) bool {
	seen := map[string]bool{}
	var rounded func(e cypher.Expr) bool
	rounded = func(e cypher.Expr) bool {
		found := false
		cypher.Walk(e, func(n cypher.Node) bool {
			switch n := n.(type) {
			case *cypher.Call:
				found = found || slices.Contains(rounding, strings.ToLower(n.Name))
			case *cypher.Variable:
				if !seen[n.Name] {
					seen[n.Name] = true
					found = found || slices.ContainsFunc(sh.given[n.Name], rounded)
				}
			}
			return !found
		})
		return found
	}
	return rounded(sh.end.Items[column].Expr)
}
