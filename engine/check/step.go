package check

import (
	"precedent/store"
	"precedent/store/cypher"
)

// A Step leads from a node over a relationship to a node, by names that the schema
// leaves; "" for a name that isn't said.
type Step struct {
	From, Type, To string
	Back           bool // against the relationship's direction
}

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

// step says what the schema's counts tell of a relationship between two nodes. More
// relationships than nodes that they begin at lead to many from one of these; fewer
// prove nothing.
func (v *survey) step(from *entity, rel *cypher.RelPattern, to *entity, back bool) link {
	g := v.graph
	s := Step{From: v.oneName(from), To: v.oneName(to), Back: back}
	if l, ok := rel.Types.(*cypher.Label); ok {
		s.Type = l.Name
	}
	if s.From == "" || s.Type == "" {
		return link{many: s.From == "" && s.Type == "", step: &s}
	}
	for triple, count := range g.counts {
		starts, ends := triple.Start, triple.End
		if back {
			starts, ends = ends, starts
		}
		if triple.Type == s.Type && starts == s.From && (ends == s.To || s.To == "") && count > g.sizes[s.From] && g.sizes[s.From] > 0 {
			return link{many: true, step: &s}
		}
	}
	return link{step: &s}
}

// oneName is the label of e, the one of fewest nodes where it has several; "" where
// it isn't known.
func (v *survey) oneName(e *entity) string {
	if e == nil || e.rel {
		return ""
	}
	least := ""
	for _, fact := range e.facts {
		if l, ok := fact.(*cypher.Label); ok && v.graph.sizes[l.Name] > 0 && (least == "" || v.graph.sizes[l.Name] < v.graph.sizes[least]) {
			least = l.Name
		}
	}
	if least != "" {
		return least
	}
	if names := v.graph.labels.listed(v.graph.namesOf(e)); len(names) == 1 {
		return names[0]
	}
	return ""
}
