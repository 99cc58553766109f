package check

import (
	"fmt"
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// guards notes the properties that condition e, which every row passes, keeps
// from being null.
func (v *survey) guards(e cypher.Expr, f *frame) {
	switch e := e.(type) {
	case *cypher.IsNull:
		if e.Not {
			v.guard(e.X, f)
		}
	case *cypher.Comparison:
		for _, x := range e.X {
			v.guard(x, f)
		}
	case *cypher.Call:
		if sameWord(e.Name, "exists") && len(e.Args) == 1 {
			v.guard(e.Args[0], f)
		}
	case *cypher.Binary:
		switch e.Op {
		case cypher.And:
			v.guards(e.L, f)
			v.guards(e.R, f)
		case cypher.In, cypher.StartsWith, cypher.EndsWith, cypher.Contains, cypher.Matches:
			v.guard(e.L, f)
		}
	}
}

// guardsOfPath notes the properties that the maps and conditions of a pattern
// keep from being null.
func (v *survey) guardsOfPath(p *cypher.Path, f *frame) {
	for _, element := range p.Elements {
		var name string
		var props, where cypher.Expr
		switch e := element.(type) {
		case *cypher.NodePattern:
			name, props, where = e.Var, e.Props, e.Where
		case *cypher.RelPattern:
			name, props, where = e.Var, e.Props, e.Where
		}
		if where != nil {
			v.guards(where, f)
		}
		if m, ok := props.(*cypher.Map); ok {
			for _, key := range m.Keys {
				v.guard(&cypher.Property{X: &cypher.Variable{Name: name}, Key: key}, f)
			}
		}
	}
}

func (v *survey) guard(e cypher.Expr, f *frame) {
	if o := originOf(e, f); o != nil {
		v.guarded = append(v.guarded, *o)
	}
}

// originOf is the property that e reads: x.key, or a variable that holds one.
func originOf(e cypher.Expr, f *frame) *origin {
	switch e := e.(type) {
	case *cypher.Variable:
		if b, _, _ := f.find(e.Name); b != nil && b.made == "" {
			return b.origin
		}
	case *cypher.Property:
		if x, ok := e.X.(*cypher.Variable); ok {
			if b, _, _ := f.find(x.Name); b != nil && b.entity != nil {
				return &origin{b.entity, e.Key}
			}
		}
	}
	return nil
}

// order finds missing values that would come first: ORDER BY x.key DESC …
// LIMIT n puts null before every value (Cypher manual, ORDER BY, "null is the
// largest"). Where the rows have one plain place for a condition, it goes
// there; else it is a problem of kind value. Clause at is the one that sorts.
func (v *survey) order(p *cypher.Projection, st *stage, at int) {
	if p.Limit == nil || len(p.OrderBy) == 0 || !p.OrderBy[0].Desc || v.graph.labels.properties == nil {
		return
	}
	key := unaliased(p.OrderBy[0].Expr, p)
	o := originOf(key, st.frame)
	if o == nil || !v.mayBeNull(o) {
		return
	}
	variable := ""
	cypher.Walk(key, func(n cypher.Node) bool {
		if x, ok := n.(*cypher.Variable); ok {
			variable = x.Name
		}
		return true
	})
	place := placeOf(variable, st, at)
	if place == nil {
		v.problem(store.Problem{
			Kind: "value", Name: cypher.Print(key), Pos: int(p.OrderBy[0].Pos()),
			Message: fmt.Sprintf("descending order puts rows without %[1]s first; keep only rows where %[1]s IS NOT NULL", cypher.Print(key)),
		})
		return
	}
	condition := &cypher.IsNull{X: copied(key), Not: true}
	add := func(n cypher.Node) {
		switch c := n.(type) {
		case *cypher.Match:
			c.Where = and(c.Where, condition)
		case *cypher.With:
			c.Where = and(c.Where, condition)
		}
	}
	v.guarded = append(v.guarded, *o)
	v.edits = append(v.edits, edit{
		Change: Change{
			Kind: "null", Before: cypher.Print(place), After: printedWith(place, condition),
			Why: fmt.Sprintf("descending order would put rows without %s first", cypher.Print(key)),
		},
		node: place, make: add,
	})
}

// copied is a copy of x or x.key.
func copied(key cypher.Expr) cypher.Expr {
	switch e := key.(type) {
	case *cypher.Variable:
		return &cypher.Variable{Name: e.Name}
	case *cypher.Property:
		return &cypher.Property{X: copied(e.X), Key: e.Key}
	}
	return key
}

func printedWith(c cypher.Clause, condition cypher.Expr) string {
	switch c := c.(type) {
	case *cypher.Match:
		m := *c
		m.Where = and(m.Where, condition)
		return cypher.Print(&m)
	case *cypher.With:
		w := *c
		w.Where = and(w.Where, condition)
		return cypher.Print(&w)
	}
	return cypher.Print(c)
}

// unaliased is e as it reads before p gives things other names.
func unaliased(e cypher.Expr, p *cypher.Projection) cypher.Expr {
	switch e := e.(type) {
	case *cypher.Variable:
		for _, item := range p.Items {
			if item.Name() == e.Name {
				return item.Expr
			}
		}
	case *cypher.Property:
		if x, ok := unaliased(e.X, p).(*cypher.Variable); ok {
			return &cypher.Property{At: e.At, X: x, Key: e.Key}
		}
	}
	return e
}

// mayBeNull reports whether rows may lack the property at o. One that no node
// or relationship of its kind has is a problem of its own.
func (v *survey) mayBeNull(o *origin) bool {
	known := &v.graph.labels
	if o.entity.rel {
		known = &v.graph.types
	}
	names := empty(len(known.names))
	for e := o.entity; e != nil; e = e.wider {
		if slices.Contains(v.guarded, origin{e, o.key}) {
			return false
		}
		for _, fact := range e.facts {
			for _, group := range known.groups(fact) {
				names = names.or(group)
			}
		}
	}
	if names.none() {
		names = known.all
	}
	for i := range names.each() {
		if p, has := known.properties[i][o.key]; has && !p.always {
			return true
		}
	}
	return false
}

// placeOf is the clause before clause at whose WHERE can speak of variable and
// leaves every row to it: the MATCH that binds it, else the WITH that hands it
// on. It is nil where an optional match, a list or a subquery binds it.
func placeOf(variable string, st *stage, at int) cypher.Clause {
	for i := st.first + 1; i < at; i++ {
		switch c := st.part.Clauses[i].(type) {
		case *cypher.Match:
			if bindsIn(c, variable) {
				if c.Optional {
					return nil
				}
				return c
			}
		case *cypher.Unwind:
			if c.Var == variable {
				return nil
			}
		}
	}
	if st.first <= 0 {
		return nil // nothing before, or a WITH that only imports
	}
	with := st.part.Clauses[st.first].(*cypher.With)
	if !with.Star && !slices.ContainsFunc(with.Items, func(i *cypher.Item) bool { return i.Name() == variable }) {
		return nil
	}
	return with
}

// bindsIn reports whether a pattern of m names variable on its own level.
func bindsIn(m *cypher.Match, variable string) bool {
	for _, p := range m.Patterns {
		for _, element := range p.Elements {
			switch e := element.(type) {
			case *cypher.NodePattern:
				if e.Var == variable {
					return true
				}
			case *cypher.RelPattern:
				if e.Var == variable && e.Length == nil && e.Quant == nil {
					return true
				}
			}
		}
	}
	return false
}
