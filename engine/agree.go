package engine

import (
	"fmt"
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// settled are those of cases with one reading between which a question in these words
// doesn't choose: it is asked with the words of one, or all answer it alike.
func settled(own string, found []indexed) []indexed {
	for _, in := range found {
		if slices.ContainsFunc(in.taught.Wordings, func(w string) bool { return ownWords(asAsked(w, in.taught)) == own }) {
			return []indexed{in}
		}
	}
	if agree(found) {
		return found[:1]
	}
	return found
}

// agree reports whether cases with one reading answer it with the same query, whatever
// they call its columns.
func agree(found []indexed) bool {
	var first saying
	for i, in := range found {
		says, err := formOf(in.c)
		if err != nil || i > 0 && (says.query != first.query || !says.fills(in.keyed, first, found[0].keyed)) {
			return false
		}
		if i == 0 {
			first = says
		}
	}
	return true
}

// formOf is the query of a case in a form that is the same for some ways of writing it:
// columns are numbered, and conditions on properties stand in WHERE.
func formOf(c *store.Case) (says saying, err error) {
	stmt, err := cypher.Parse(c.Query)
	if err != nil {
		return says, err
	}
	for _, p := range stmt.Parts {
		for _, clause := range p.Clauses {
			switch clause := clause.(type) {
			case *cypher.Match:
				for _, path := range clause.Patterns {
					for _, el := range path.Elements {
						liftProperties(clause, el)
					}
				}
			case *cypher.Return:
				numberColumns(&clause.Projection)
			}
		}
	}
	if says.query, says.params, err = canonical(cypher.Print(stmt)); err != nil {
		return says, err
	}
	says.examples = examplesOf(*c, says.params)
	return says, nil
}

// liftProperties writes (v {key: value}) as (v) WHERE v.key = value.
func liftProperties(m *cypher.Match, el cypher.Element) {
	n, ok := el.(*cypher.NodePattern)
	if !ok || n.Var == "" {
		return
	}
	props, ok := n.Props.(*cypher.Map)
	if !ok {
		return
	}
	n.Props = nil
	for i, key := range props.Keys {
		var is cypher.Expr = &cypher.Comparison{Ops: []cypher.CompareOp{cypher.Eq}, X: []cypher.Expr{&cypher.Property{X: &cypher.Variable{Name: n.Var}, Key: key}, props.Values[i]}}
		if m.Where != nil {
			is = &cypher.Binary{Op: cypher.And, L: is, R: m.Where}
		}
		m.Where = is
	}
}

// numberColumns calls the columns of a result by their numbers.
func numberColumns(p *cypher.Projection) {
	names := make(map[string]string)
	for i, it := range p.Items {
		name := fmt.Sprintf("column%d", i+1)
		if it.Alias != "" {
			names[it.Alias] = name
		}
		it.Alias = name
	}
	for _, key := range p.OrderBy {
		if v, ok := key.Expr.(*cypher.Variable); ok && names[v.Name] != "" {
			key.Expr = &cypher.Variable{Name: names[v.Name]}
		}
	}
}
