package cypher

// Walk calls f for n and, where f returns true, for everything below it in
// the order of the text: clauses, paths and their elements, labels, hints,
// items, sort items, map items and expressions. Nodes may be edited in f; what
// f puts in place of a node's children is what is visited.
func Walk(n Node, f func(Node) bool) {
	if isNil(n) || !f(n) {
		return
	}
	switch n := n.(type) {
	case *Statement:
		walkAll(n.Parts, f)
	case *Part:
		walkAll(n.Clauses, f)
	case Clause:
		walkClause(n, f)
	case *Path:
		walkAll(n.Elements, f)
	case Element:
		walkElement(n, f)
	case LabelExpr:
		walkLabels(n, f)
	case *Item:
		Walk(n.Expr, f)
	case *SortItem:
		Walk(n.Expr, f)
	case *MapItem:
		Walk(n.Value, f)
	case Expr:
		walkExpr(n, f)
	}
}

// isNil reports a missing child: a nil interface or a nil pointer in one.
func isNil(n Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *Statement:
		return n == nil
	case *Path:
		return n == nil
	}
	return false
}

func walkAll[N Node](all []N, f func(Node) bool) {
	for _, n := range all {
		Walk(n, f)
	}
}

func walkClause(c Clause, f func(Node) bool) {
	switch c := c.(type) {
	case *Match:
		walkAll(c.Patterns, f)
		walkAll(c.Hints, f)
		Walk(c.Where, f)
	case *Unwind:
		Walk(c.List, f)
	case *With:
		walkProjection(&c.Projection, f)
		Walk(c.Where, f)
	case *Return:
		walkProjection(&c.Projection, f)
	case *CallSubquery:
		Walk(c.Body, f)
	case *CallProcedure:
		walkAll(c.Args, f)
		Walk(c.Where, f)
	}
}

func walkProjection(p *Projection, f func(Node) bool) {
	walkAll(p.Items, f)
	walkAll(p.OrderBy, f)
	Walk(p.Skip, f)
	Walk(p.Limit, f)
}

func walkElement(e Element, f func(Node) bool) {
	switch e := e.(type) {
	case *NodePattern:
		Walk(e.Labels, f)
		Walk(e.Props, f)
		Walk(e.Where, f)
	case *RelPattern:
		Walk(e.Types, f)
		Walk(e.Props, f)
		Walk(e.Where, f)
	case *GroupPattern:
		Walk(e.Path, f)
		Walk(e.Where, f)
	}
}

func walkLabels(l LabelExpr, f func(Node) bool) {
	switch l := l.(type) {
	case *LabelNot:
		Walk(l.X, f)
	case *LabelAnd:
		Walk(l.L, f)
		Walk(l.R, f)
	case *LabelOr:
		Walk(l.L, f)
		Walk(l.R, f)
	}
}

func walkExpr(e Expr, f func(Node) bool) {
	switch e := e.(type) {
	case *Property:
		Walk(e.X, f)
	case *Index:
		Walk(e.X, f)
		Walk(e.I, f)
	case *Slice:
		Walk(e.X, f)
		Walk(e.From, f)
		Walk(e.To, f)
	case *List:
		walkAll(e.Items, f)
	case *Map:
		walkAll(e.Values, f)
	case *MapProjection:
		for i := range e.Items {
			Walk(&e.Items[i], f)
		}
	case *Unary:
		Walk(e.X, f)
	case *Binary:
		Walk(e.L, f)
		Walk(e.R, f)
	case *Comparison:
		walkAll(e.X, f)
	case *IsNull:
		Walk(e.X, f)
	case *IsTyped:
		Walk(e.X, f)
	case *IsNormalized:
		Walk(e.X, f)
	case *HasLabels:
		Walk(e.X, f)
		Walk(e.Labels, f)
	case *Call:
		walkAll(e.Args, f)
	case *Case:
		Walk(e.Subject, f)
		for _, w := range e.Whens {
			Walk(w.Cond, f)
			walkAll(w.Or, f)
			Walk(w.Then, f)
		}
		Walk(e.Else, f)
	case *PatternPredicate:
		Walk(e.Path, f)
	case *Subquery:
		Walk(e.Body, f)
	default:
		walkLoop(e, f)
	}
}

// walkLoop visits the expressions that bind a variable of their own.
func walkLoop(e Expr, f func(Node) bool) {
	switch e := e.(type) {
	case *ListComprehension:
		Walk(e.List, f)
		Walk(e.Where, f)
		Walk(e.Map, f)
	case *PatternComprehension:
		Walk(e.Path, f)
		Walk(e.Where, f)
		Walk(e.Map, f)
	case *Quantified:
		Walk(e.List, f)
		Walk(e.Where, f)
	case *Reduce:
		Walk(e.Init, f)
		Walk(e.List, f)
		Walk(e.Body, f)
	}
}
