package check

import (
	"slices"

	"precedent/store/cypher"
)

// A hop is one relationship pattern between two nodes.
type hop struct {
	rel         *cypher.RelPattern
	parts       [3]cypher.Element // left node, rel, right node
	left, right *entity
	is          *entity // the relationship; of a variable length, each of them
	settled     bool
	flip        bool
}

// bind makes p's variables known and gathers its hops.
func (v *survey) bind(p *cypher.Path, f *frame) {
	if p.Var != "" {
		f.set(p.Var, nil)
	}
	var left *entity
	var leftNode *cypher.NodePattern
	var open *hop
	for _, element := range p.Elements {
		switch e := element.(type) {
		case *cypher.NodePattern:
			node := v.node(e, f)
			if open != nil {
				open.right, open.parts[2] = node, e
				v.hops = append(v.hops, open)
			}
			left, leftNode, open = node, e, nil
		case *cypher.RelPattern:
			open = &hop{rel: e, left: left, is: v.relationship(e, f), parts: [3]cypher.Element{leftNode, e}}
			if left == nil {
				open = nil
			}
			v.unbounded(e, p)
		case *cypher.GroupPattern:
			v.group(e, f)
			left, leftNode, open = nil, nil, nil
		}
	}
}

func (v *survey) node(n *cypher.NodePattern, f *frame) *entity {
	e := f.entity(n.Var, false)
	v.fact(e, n.Labels)
	return e
}

func (v *survey) relationship(r *cypher.RelPattern, f *frame) *entity {
	if r.Length == nil && r.Quant == nil {
		e := f.entity(r.Var, true)
		v.fact(e, r.Types)
		return e
	}
	e := &entity{rel: true}
	if r.Var != "" {
		f.set(r.Var, &binding{isList: true, items: &binding{entity: e}})
	}
	v.fact(e, r.Types)
	return e
}

// group reads a path in parentheses. Outside of one that repeats, its
// variables are lists.
func (v *survey) group(g *cypher.GroupPattern, f *frame) {
	if g.Quant == nil {
		v.bind(g.Path, f)
		v.inside(g.Path, f)
		if g.Where != nil {
			v.where(g.Where, f)
		}
		return
	}
	v.unboundedGroup(g)
	inner := &frame{parent: f, inner: true}
	v.bind(g.Path, inner)
	v.inside(g.Path, inner)
	if g.Where != nil {
		v.where(g.Where, inner)
	}
	for i, name := range inner.names {
		f.set(name, &binding{isList: true, items: inner.values[i]})
	}
}

// inside reads the properties and conditions written in p, whose variables are known by now.
func (v *survey) inside(p *cypher.Path, f *frame) {
	for _, element := range p.Elements {
		switch e := element.(type) {
		case *cypher.NodePattern:
			v.written(e.Var, e, e.Props, e.Where, f)
		case *cypher.RelPattern:
			v.written(e.Var, e, e.Props, e.Where, f)
		}
	}
}

func (v *survey) written(name string, element cypher.Node, props, where cypher.Expr, f *frame) {
	if m, ok := props.(*cypher.Map); ok {
		e := v.entityOf(name, element, f)
		for i, key := range m.Keys {
			v.expr(m.Values[i], f)
			if e != nil {
				v.property(e, key, keyBefore(v.text, key, m.Values[i].Pos()))
				v.compare(&binding{origin: &origin{e, key}}, use{with: m.Values[i], at: place{m, i}, of: m})
			}
		}
	} else if props != nil {
		v.expr(props, f)
	}
	if where != nil {
		v.where(where, f)
	}
}

// entityOf finds the entity of an element: by its variable, else by the hop it stands in.
func (v *survey) entityOf(name string, element cypher.Node, f *frame) *entity {
	if name != "" {
		if b, _, _ := f.find(name); b != nil && b.entity != nil {
			return b.entity
		} else if b != nil && b.items != nil {
			return b.items.entity
		}
		return nil
	}
	if e, ok := v.inHop(element); ok {
		return e
	}
	if n, ok := element.(*cypher.NodePattern); ok && n.Labels != nil {
		e := &entity{}
		e.facts = append(e.facts, n.Labels)
		return e
	}
	return nil
}

// inHop is the entity of an element in the last hop that it stands in, if there is one.
func (v *survey) inHop(element cypher.Node) (e *entity, ok bool) {
	for _, h := range slices.Backward(v.hops) {
		switch element {
		case h.parts[0]:
			return h.left, true
		case h.parts[1]:
			return h.is, true
		case h.parts[2]:
			return h.right, true
		}
	}
	return nil, false
}

// fact notes that e satisfies labels, which may be nil.
func (v *survey) fact(e *entity, labels cypher.LabelExpr) {
	if labels == nil {
		return
	}
	e.facts = append(e.facts, labels)
	v.namesIn(labels, e, e.rel)
}

// where reads a condition that every row passes: what it says of labels holds
// of its entities.
func (v *survey) where(e cypher.Expr, f *frame) {
	v.facts(e, f)
	v.expr(e, f)
}

func (v *survey) facts(e cypher.Expr, f *frame) {
	if b, ok := e.(*cypher.Binary); ok && b.Op == cypher.And {
		v.facts(b.L, f)
		v.facts(b.R, f)
		return
	}
	name, labels := asFact(e)
	if labels == nil {
		return
	}
	if b, _, _ := f.find(name); b != nil && b.entity != nil {
		held := f.entity(name, b.entity.rel)
		held.facts = append(held.facts, labels)
	}
}

// asFact reads n:Label, 'Label' IN labels(n), type(r) = 'TYPE' and what OR and
// NOT make of them, as far as it is about one variable.
func asFact(e cypher.Expr) (string, cypher.LabelExpr) {
	switch e := e.(type) {
	case *cypher.HasLabels:
		if x, ok := e.X.(*cypher.Variable); ok {
			return x.Name, e.Labels
		}
	case *cypher.Unary:
		if name, labels := asFact(e.X); e.Op == cypher.Not && labels != nil {
			return name, &cypher.LabelNot{At: e.At, X: labels}
		}
	case *cypher.Binary:
		if e.Op == cypher.In {
			return inFact(e)
		}
		l, left := asFact(e.L)
		r, right := asFact(e.R)
		if l != r || left == nil || right == nil {
			return "", nil
		}
		switch e.Op {
		case cypher.Or:
			return l, &cypher.LabelOr{At: e.At, L: left, R: right}
		case cypher.And:
			return l, &cypher.LabelAnd{At: e.At, L: left, R: right}
		}
	case *cypher.Comparison:
		if len(e.Ops) == 1 && e.Ops[0] == cypher.Eq {
			if name := argument(e.X[0], "type"); name != "" {
				return name, literalName(e.X[1])
			}
		}
	}
	return "", nil
}

// inFact reads 'Label' IN labels(n) and type(r) IN ['A', 'B'].
func inFact(e *cypher.Binary) (string, cypher.LabelExpr) {
	if name := argument(e.R, "labels"); name != "" {
		return name, literalName(e.L)
	}
	list, ok := e.R.(*cypher.List)
	name := argument(e.L, "type")
	if !ok || name == "" {
		return "", nil
	}
	var either cypher.LabelExpr
	for _, item := range list.Items {
		one := literalName(item)
		if one == nil {
			return "", nil
		}
		if either == nil {
			either = one
		} else {
			either = &cypher.LabelOr{At: one.(*cypher.Label).At, L: either, R: one}
		}
	}
	return name, either
}

// argument is the variable in function(variable), or "".
func argument(e cypher.Expr, function string) string {
	if c, ok := e.(*cypher.Call); ok && len(c.Args) == 1 && sameWord(c.Name, function) {
		if x, ok := c.Args[0].(*cypher.Variable); ok {
			return x.Name
		}
	}
	return ""
}

func literalName(e cypher.Expr) cypher.LabelExpr {
	if l, ok := e.(*cypher.Literal); ok {
		if name, ok := l.Value.(string); ok {
			return &cypher.Label{At: l.At, Name: name}
		}
	}
	return nil
}
