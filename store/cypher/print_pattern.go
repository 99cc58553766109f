package cypher

func (p *printer) path(path *Path) {
	if path.Var != "" {
		p.variable(path.Var)
		p.put(" = ")
	}
	closing := ""
	switch path.Shortest {
	case ShortestPath:
		p.put("shortestPath(")
		closing = ")"
	case AllShortestPaths:
		p.put("allShortestPaths(")
		closing = ")"
	case SelectAnyShortest:
		p.put("ANY SHORTEST ")
	case SelectAllShortest:
		p.put("ALL SHORTEST ")
	case SelectShortestK, SelectShortestGroups:
		p.put("SHORTEST ")
		p.int(path.K)
		if path.Shortest == SelectShortestGroups {
			p.put(" GROUPS")
		}
		p.put(" ")
	case SelectAny:
		p.put("ANY ")
		if path.K > 1 {
			p.int(path.K)
			p.put(" ")
		}
	}
	for _, e := range path.Elements {
		p.element(e)
	}
	p.put(closing)
}

func (p *printer) element(e Element) {
	outside := p.barEnds
	p.barEnds = false
	switch e := e.(type) {
	case *NodePattern:
		p.put("(")
		p.filling(e.Var, e.Labels, nil, e.Props, e.Where)
		p.put(")")
	case *RelPattern:
		p.rel(e)
	case *GroupPattern:
		p.put("(")
		p.path(e.Path)
		p.where(e.Where)
		p.put(")")
		p.quant(e.Quant)
	}
	p.barEnds = outside
}

// filling writes what stands inside of a node or relationship.
func (p *printer) filling(name string, labels LabelExpr, length *Length, props, where Expr) {
	start := len(p.text)
	if name != "" {
		p.variable(name)
	}
	if labels != nil {
		p.put(":")
		p.labels(labels, labelOr)
	}
	if length != nil {
		p.length(length)
	}
	if props != nil {
		if len(p.text) > start {
			p.put(" ")
		}
		p.expr(props, levelPostfix)
	}
	if where == nil {
		return
	}
	if len(p.text) > start {
		p.where(where)
		return
	}
	p.put("WHERE (") // without parentheses WHERE might be taken for the variable
	p.expr(where, levelOr)
	p.put(")")
}

func (p *printer) rel(r *RelPattern) {
	if r.Dir == Left {
		p.put("<")
	}
	p.put("-")
	if r.Var != "" || r.Types != nil || r.Length != nil || r.Props != nil || r.Where != nil {
		p.put("[")
		p.filling(r.Var, r.Types, r.Length, r.Props, r.Where)
		p.put("]")
	}
	p.put("-")
	if r.Dir == Right {
		p.put(">")
	}
	p.quant(r.Quant)
}

func (p *printer) length(l *Length) {
	p.put("*")
	if l.Min != nil {
		p.int(*l.Min)
	}
	if l.Min != nil && l.Max != nil && *l.Min == *l.Max || l.Min == nil && l.Max == nil {
		return
	}
	p.put("..")
	if l.Max != nil {
		p.int(*l.Max)
	}
}

func (p *printer) quant(q *Quant) {
	switch {
	case q == nil:
	case q.Max == nil && q.Min == 0:
		p.put("*")
	case q.Max == nil && q.Min == 1:
		p.put("+")
	default:
		p.put("{")
		if q.Min > 0 {
			p.int(q.Min)
		}
		if q.Max == nil || *q.Max != q.Min {
			p.put(",")
			if q.Max != nil {
				p.int(*q.Max)
			}
		}
		p.put("}")
	}
}

// Levels of label operators, weakest first.
const (
	labelOr = iota
	labelAnd
	labelNot
)

// labels writes l, in parentheses if its operator is weaker than least.
func (p *printer) labels(l LabelExpr, least int) {
	level := labelNot
	switch l.(type) {
	case *LabelOr:
		level = labelOr
	case *LabelAnd:
		level = labelAnd
	}
	if level < least {
		p.put("(")
		defer p.put(")")
	}
	switch l := l.(type) {
	case *Label:
		p.name(l.Name)
	case *LabelWildcard:
		p.put("%")
	case *LabelNot:
		p.put("!")
		p.labels(l.X, labelNot)
	case *LabelAnd:
		p.labels(l.L, labelAnd)
		if l.Colons {
			p.put(":")
		} else {
			p.put("&")
		}
		p.labels(l.R, labelNot)
	case *LabelOr:
		p.labels(l.L, labelOr)
		p.put("|")
		p.labels(l.R, labelAnd)
	}
}
