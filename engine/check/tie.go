package check

import (
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// MostTied is how many that share the first place are read.
const MostTied = 10

// A Tie is a query for the rows next to the only one that LIMIT 1 leaves.
type Tie struct {
	Query store.Query
	key   int // the column by which rows are sorted
	shown int // the column that names them
}

// TieOf is the query whose rows tell whether others share the first place with the
// only row of stmt; false where it isn't sorted for that, or not plainly so.
func TieOf(stmt *cypher.Statement, params map[string]any) (Tie, bool) {
	s := cypher.Clone(stmt)
	if len(s.Parts) != 1 || len(s.Parts[0].Clauses) < 2 {
		return Tie{}, false
	}
	clauses := s.Parts[0].Clauses
	last, ok := clauses[len(clauses)-1].(*cypher.Return)
	if !ok || last.Star {
		return Tie{}, false
	}
	sorted := &last.Projection
	if w, isWith := clauses[len(clauses)-2].(*cypher.With); isWith && last.Limit == nil && len(last.OrderBy) == 0 && !last.Distinct && w.Where == nil {
		if slices.ContainsFunc(last.Items, func(i *cypher.Item) bool { return len(aggregatesIn(i.Expr)) > 0 }) {
			return Tie{}, false
		}
		sorted = &w.Projection
	}
	v := &survey{params: params}
	if sorted.Limit == nil || len(sorted.OrderBy) == 0 || sorted.Skip != nil {
		return Tie{}, false
	}
	if n, _ := v.constant(sorted.Limit); n != int64(1) {
		return Tie{}, false
	}
	sorted.Limit = &cypher.Literal{Value: int64(MostTied + 1)}
	t := Tie{key: -1}
	key := sorted.OrderBy[0].Expr
	name := nameIn(sorted, key)
	switch {
	case sorted == &last.Projection && name >= 0:
		t.key = name
	case sorted == &last.Projection:
		if last.Distinct || len(aggregatesIn(key)) > 0 || slices.ContainsFunc(last.Items, func(i *cypher.Item) bool { return len(aggregatesIn(i.Expr)) > 0 }) {
			return Tie{}, false
		}
		last.Items = append(last.Items, &cypher.Item{Expr: key, Alias: "tied"})
	case name >= 0:
		last.Items = append(last.Items, &cypher.Item{Expr: &cypher.Variable{Name: sorted.Items[name].Name()}, Alias: "tied"})
	case len(aggregatesIn(key)) == 0 && handedOn(sorted, key):
		last.Items = append(last.Items, &cypher.Item{Expr: key, Alias: "tied"})
	default:
		return Tie{}, false
	}
	if t.key < 0 {
		t.key = len(last.Items) - 1
	}
	if t.key == 0 && len(last.Items) > 1 {
		t.shown = 1
	}
	t.Query = store.Query{Text: cypher.Print(s), Params: used(s, params)}
	return t, true
}

// nameIn is the item of p that e is, or names; -1 if none is.
func nameIn(p *cypher.Projection, e cypher.Expr) int {
	printed := cypher.Print(e)
	return slices.IndexFunc(p.Items, func(i *cypher.Item) bool {
		x, isVariable := e.(*cypher.Variable)
		return isVariable && i.Name() == x.Name || cypher.Print(i.Expr) == printed
	})
}

// handedOn reports whether e speaks only of what p hands on under its own name.
func handedOn(p *cypher.Projection, e cypher.Expr) bool {
	only := oneVariable(e)
	return only != "" && slices.ContainsFunc(p.Items, func(i *cypher.Item) bool { return i.Name() == only })
}

// In is the finding that several rows share the first place; false where none does.
func (t Tie) In(table store.Table) (Finding, bool) {
	if len(table.Rows) < 2 || t.key >= len(table.Columns) {
		return Finding{}, false
	}
	var tied []any
	first := literal(table.Rows[0][t.key])
	for _, row := range table.Rows {
		if literal(row[t.key]) != first {
			break
		}
		if !slices.ContainsFunc(tied, func(v any) bool { return literal(v) == literal(row[t.shown]) }) { // else it is the same one
			tied = append(tied, row[t.shown])
		}
	}
	return Finding{Kind: Tied, Values: tied, All: len(tied) <= MostTied, Pos: -1}, len(tied) > 1
}
