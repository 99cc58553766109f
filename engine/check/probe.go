package check

import (
	"precedent/store"
	"precedent/store/cypher"
)

// Probe is a query that gives a row where the step leads from some node to more than
// one other.
func (s Step) Probe() store.Query {
	const from, over, to = "a", "r", "b"
	node := func(name, label string) *cypher.NodePattern {
		n := &cypher.NodePattern{Var: name}
		if label != "" {
			n.Labels = &cypher.Label{Name: label}
		}
		return n
	}
	rel := &cypher.RelPattern{Var: over, Dir: cypher.Right}
	if s.Back {
		rel.Dir = cypher.Left
	}
	if s.Type != "" {
		rel.Types = &cypher.Label{Name: s.Type}
	}
	variable := func(name string) cypher.Expr { return &cypher.Variable{Name: name} }
	count := &cypher.Item{Expr: &cypher.Call{Name: "count", Args: []cypher.Expr{variable(over)}}, Alias: "n"}
	return store.Query{Text: cypher.Print(&cypher.Statement{Parts: []*cypher.Part{{Clauses: []cypher.Clause{
		&cypher.Match{Patterns: []*cypher.Path{{Elements: []cypher.Element{node(from, s.From), rel, node(to, s.To)}}}},
		&cypher.With{
			Projection: cypher.Projection{Items: []*cypher.Item{{Expr: variable(from)}, count}},
			Where:      &cypher.Comparison{Ops: []cypher.CompareOp{cypher.Gt}, X: []cypher.Expr{variable("n"), &cypher.Literal{Value: int64(1)}}},
		},
		&cypher.Return{Projection: cypher.Projection{Items: []*cypher.Item{{Expr: variable("n")}}, Limit: &cypher.Literal{Value: int64(1)}}},
	}}}})}
}
