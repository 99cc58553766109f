package guardrails

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store/cypher"
)

// narrow returns s without what is hidden: nodes of hidden labels and
// relationships of hidden types match nothing, also within paths. Where it can't
// keep them out, the reason says what to write instead. s stays as it is.
func (h *hidden) narrow(s *cypher.Statement) (narrowed *cypher.Statement, reason string) {
	n := &narrowing{hidden: h, labels: h.labels(), types: h.types()}
	if len(n.labels)+len(n.types)+len(h.apart) == 0 {
		return s, ""
	}
	out := cypher.Clone(s)
	cypher.Walk(out, n.visit)
	if n.named > 0 && n.star {
		n.reason = "Name what you return instead of *: the operator hides things that such paths could pass."
	}
	cypher.Walk(out, nameColumns)
	return out, n.reason
}

// nameColumns gives columns the names that they have before they are narrowed.
func nameColumns(n cypher.Node) bool {
	if r, ok := n.(*cypher.Return); ok {
		for _, item := range r.Items {
			if _, short := item.Expr.(*cypher.MapProjection); !short && item.Name() != cypher.Print(item.Expr) {
				item.Alias = item.Name()
			}
		}
	}
	return true
}

type narrowing struct {
	*hidden
	labels, types []string
	named         int  // paths that were given a name
	star          bool // the query projects *
	reason        string
}

func (n *narrowing) visit(at cypher.Node) bool {
	switch at := at.(type) {
	case *cypher.Match:
		for _, path := range at.Patterns {
			at.Where = n.path(path, at.Where)
		}
	case *cypher.PatternComprehension:
		at.Where = n.path(at.Path, at.Where)
	case *cypher.PatternPredicate:
		if n.passes(at.Path) {
			n.reason = "Write EXISTS { MATCH … } or a MATCH of its own for a pattern of variable length: the operator hides things that it could pass."
		}
	case *cypher.With:
		n.star = n.star || at.Star
	case *cypher.Return:
		n.star = n.star || at.Star
	case *cypher.NodePattern:
		at.Labels = n.node(at.Labels)
	case *cypher.RelPattern:
		at.Types = n.relationship(at)
	}
	return n.reason == ""
}

// node keeps hidden nodes out, and those that bear a label under which a
// property is hidden that the query reads of other nodes: none was seen to bear both.
func (n *narrowing) node(l cypher.LabelExpr) cypher.LabelExpr {
	out := n.labels
	if sure, ok := certain(l, false); ok {
		for owner := range n.apart {
			if !slices.Contains(sure, owner) && !n.schema.Meet(append(slices.Clone(sure), owner)) {
				out = append(slices.Clip(out), owner)
			}
		}
	}
	slices.Sort(out)
	return without(l, out)
}

func (n *narrowing) relationship(r *cypher.RelPattern) cypher.LabelExpr {
	sure, ok := certain(r.Types, true)
	switch {
	case ok && !slices.ContainsFunc(sure, n.Name), len(n.types) == 0:
		return r.Types
	case r.Length == nil:
		return without(r.Types, n.types)
	case r.Types != nil || n.schema == nil || len(n.schema.Types) == 0:
		n.reason = "Name the types of every relationship pattern of variable length: the operator hides some."
		return r.Types
	}
	var any cypher.LabelExpr // what has a length takes no expression but A|B
	for _, t := range n.schema.Types {
		any = either(any, &cypher.Label{Name: t.Name})
	}
	return any
}

// path keeps hidden nodes out of the middle of a path, by its WHERE.
func (n *narrowing) path(p *cypher.Path, where cypher.Expr) cypher.Expr {
	if !n.passes(p) {
		return where
	}
	if p.Var == "" {
		for used := true; used; used = strings.Contains(n.query, p.Var) {
			n.named++
			p.Var = fmt.Sprintf("path_%d", n.named)
		}
	}
	const passed = "passed"
	var hides cypher.LabelExpr
	for _, name := range n.labels {
		hides = either(hides, &cypher.Label{Name: name})
	}
	none := &cypher.Quantified{Kind: "none", Var: passed,
		List:  &cypher.Call{Name: "nodes", Args: []cypher.Expr{&cypher.Variable{Name: p.Var}}},
		Where: &cypher.HasLabels{X: &cypher.Variable{Name: passed}, Labels: hides}}
	if where == nil {
		return none
	}
	return &cypher.Binary{Op: cypher.And, L: where, R: none}
}

// passes reports whether p may pass nodes that no pattern of it stands for.
func (n *narrowing) passes(p *cypher.Path) bool {
	if len(n.labels) == 0 {
		return false
	}
	return slices.ContainsFunc(p.Elements, func(e cypher.Element) bool {
		switch e := e.(type) {
		case *cypher.RelPattern:
			if e.Quant != nil {
				n.reason = "Write the pattern with its nodes, as in ((a:A)-[:R]->(b:B))+: the operator hides things that it could pass."
			}
			far := e.Length != nil && (e.Length.Max == nil || *e.Length.Max > 1)
			if far && p.Shortest >= cypher.SelectAnyShortest { // which choose before WHERE is asked
				n.reason = "Use shortestPath, or write the pattern with its nodes, as in ((a:A)-[:R]->(b:B))+: the operator hides things that it could pass."
			}
			return far
		case *cypher.GroupPattern:
			if n.passes(e.Path) {
				n.reason = "Leave out the variable length within a quantified pattern: the operator hides things that it could pass."
			}
		}
		return false
	})
}

// without is l and none of names.
func without(l cypher.LabelExpr, names []string) cypher.LabelExpr {
	l = plainAnds(l)
	for _, name := range names {
		not := &cypher.LabelNot{X: &cypher.Label{Name: name}}
		if l == nil {
			l = not
		} else {
			l = &cypher.LabelAnd{L: l, R: not}
		}
	}
	return l
}

// plainAnds is l with :A:B as :A&B, which alone goes with other signs.
func plainAnds(l cypher.LabelExpr) cypher.LabelExpr {
	if l == nil {
		return nil
	}
	cypher.Walk(l, func(n cypher.Node) bool {
		if and, ok := n.(*cypher.LabelAnd); ok {
			and.Colons = false
		}
		return true
	})
	return l
}

func either(l, r cypher.LabelExpr) cypher.LabelExpr {
	if l == nil {
		return r
	}
	return &cypher.LabelOr{L: l, R: r}
}
