package check

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// A relation is how a query holds a value against a property.
type relation int

const (
	equals  relation = iota // =, or an item of what IN looks through
	differs                 // <>
	orders                  // < <= > >=
	begins                  // STARTS WITH, ENDS WITH, CONTAINS
	matches                 // =~
	member                  // 'x' IN n.list
)

var relations = map[cypher.CompareOp]relation{
	cypher.Eq: equals, cypher.Ne: differs, cypher.Lt: orders, cypher.Le: orders, cypher.Gt: orders, cypher.Ge: orders,
}

// A use is an expression that the query holds against a property.
type use struct {
	origin
	made string           // the function that the property's value went through, in lower case, or ""
	is   relation         //
	op   cypher.CompareOp // of orders, as if the property stood on the left
	with cypher.Expr      //
	in   bool             // with is a parameter that holds a list
	at   place            // of with
	left place            // of the property
	of   cypher.Node      // the whole comparison
}

// A place is where an expression stands in the node above it.
type place struct {
	parent cypher.Node // *Comparison, *Binary, *List or *Map
	slot   int
}

// put puts e there.
func (p place) put(parent cypher.Node, e cypher.Expr) {
	switch n := parent.(type) {
	case *cypher.Comparison:
		n.X[p.slot] = e
	case *cypher.Binary:
		if p.slot == 0 {
			n.L = e
		} else {
			n.R = e
		}
	case *cypher.List:
		n.Items[p.slot] = e
	case *cypher.Map:
		n.Values[p.slot] = e
	}
}

// compare notes what the property behind b is compared with.
func (v *survey) compare(b *binding, u use) {
	if v.graph.labels.properties == nil || b == nil || b.origin == nil {
		return
	}
	u.origin, u.made = *b.origin, b.made
	list, isList := u.with.(*cypher.List)
	if !isList || u.is != equals || !u.in {
		v.uses = append(v.uses, u)
		return
	}
	for i, item := range list.Items {
		one := u
		one.with, one.in, one.at = item, false, place{list, i}
		v.uses = append(v.uses, one)
	}
}

// comparison reads a chain of comparisons.
func (v *survey) comparison(e *cypher.Comparison, f *frame) {
	sides := make([]*binding, len(e.X))
	for i, x := range e.X {
		sides[i] = v.expr(x, f)
	}
	for i, op := range e.Ops {
		v.compare(sides[i], use{is: relations[op], op: op, with: e.X[i+1], at: place{e, i + 1}, left: place{e, i}, of: e})
		v.compare(sides[i+1], use{is: relations[op], op: turned(op), with: e.X[i], at: place{e, i}, left: place{e, i + 1}, of: e})
		if op == cypher.Eq && argument(e.X[i], "type") != "" {
			if l := literalName(e.X[i+1]); l != nil {
				v.namesIn(l, nil, true)
			}
		}
	}
}

// turned is op with its sides exchanged.
func turned(op cypher.CompareOp) cypher.CompareOp {
	switch op {
	case cypher.Lt:
		return cypher.Gt
	case cypher.Le:
		return cypher.Ge
	case cypher.Gt:
		return cypher.Lt
	case cypher.Ge:
		return cypher.Le
	}
	return op
}

// operator reads a binary operator, which may hold a value against a property.
func (v *survey) operator(e *cypher.Binary, f *frame) *binding {
	l, r := v.expr(e.L, f), v.expr(e.R, f)
	right := use{with: e.R, at: place{e, 1}, left: place{e, 0}, of: e}
	switch e.Op {
	case cypher.In:
		right.in = true
		v.compare(l, right)
		if r != nil && r.origin != nil && r.made == "" {
			v.compare(r, use{is: member, with: e.L, at: place{e, 0}, left: place{e, 1}, of: e})
		}
		if _, labels := inFact(e); labels != nil {
			v.namesIn(labels, nil, argument(e.L, "type") != "")
		}
	case cypher.StartsWith, cypher.EndsWith, cypher.Contains:
		right.is = begins
		v.compare(l, right)
	case cypher.Matches:
		right.is = matches
		v.compare(l, right)
	case cypher.Mul, cypher.Div, cypher.Sub:
		return &binding{number: l != nil && l.number || r != nil && r.number || e.Op != cypher.Sub}
	}
	return nil
}

// keeping are functions of one argument that make another form of the same value.
var keeping = []string{"tolower", "toupper", "lower", "upper", "trim", "btrim", "ltrim", "rtrim", "tostring", "tointeger", "tofloat", "toboolean", "date", "datetime", "localdatetime", "max", "min", "round", "abs", "ceil", "floor"}

// kept is the value of a property that went through a function which keeps it, or picks it from among others.
func kept(e *cypher.Call, b *binding) *binding {
	name := strings.ToLower(e.Name)
	if b == nil || b.origin == nil || len(e.Args) != 1 || e.Distinct || !slices.Contains(keeping, name) {
		return nil
	}
	if b.made != "" && b.made != name {
		name = b.made + " " + name // of which nothing is known
	}
	return &binding{origin: b.origin, made: name}
}

// get is the expression there, nil where there is none.
func (p place) get(parent cypher.Node) cypher.Expr {
	switch n := parent.(type) {
	case *cypher.Comparison:
		return n.X[p.slot]
	case *cypher.Binary:
		if p.slot == 0 {
			return n.L
		}
		return n.R
	case *cypher.List:
		return n.Items[p.slot]
	case *cypher.Map:
		return n.Values[p.slot]
	}
	return nil
}

// shallow is a copy of a node that places are in, with the same expressions in it.
func shallow(n cypher.Node) cypher.Node {
	switch n := n.(type) {
	case *cypher.Comparison:
		c := *n
		c.X = slices.Clone(n.X)
		return &c
	case *cypher.Binary:
		c := *n
		return &c
	case *cypher.List:
		c := *n
		c.Items = slices.Clone(n.Items)
		return &c
	case *cypher.Map:
		c := *n
		c.Values = slices.Clone(n.Values)
		return &c
	}
	return n
}
