package reading

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

type factWalk struct {
	f     *Facts
	alias map[string]cypher.Expr
}

func (w *factWalk) aliases(p cypher.Projection) {
	for _, it := range p.Items {
		if it.Alias == "" {
			continue
		}
		if v, ok := it.Expr.(*cypher.Variable); ok && v.Name == it.Alias {
			continue
		}
		if _, ok := w.alias[it.Alias]; !ok {
			w.alias[it.Alias] = it.Expr
		}
	}
}

func (w *factWalk) statement(s *cypher.Statement, neg bool) {
	if s == nil {
		return
	}
	for _, p := range s.Parts {
		for _, c := range p.Clauses {
			switch c := c.(type) {
			case *cypher.Match:
				for _, path := range c.Patterns {
					w.path(path, neg)
				}
				w.cond(c.Where, neg)
			case *cypher.With:
				w.projection(c.Projection, false, neg)
				w.cond(c.Where, neg)
			case *cypher.Return:
				w.projection(c.Projection, true, neg)
			case *cypher.Unwind:
				w.value(c.List, neg)
			case *cypher.CallSubquery:
				w.statement(c.Body, neg)
			case *cypher.CallProcedure:
				w.cond(c.Where, neg)
			}
		}
	}
}

func (w *factWalk) projection(p cypher.Projection, last, neg bool) {
	for _, it := range p.Items {
		w.value(it.Expr, neg)
		if last {
			for _, name := range w.props(it.Expr) {
				w.f.Returned[name] = true
			}
		}
	}
	for _, o := range p.OrderBy {
		w.f.Orders = append(w.f.Orders, OrderFact{Props: w.props(o.Expr), Count: w.counts(o.Expr), Desc: o.Desc})
	}
	if p.Limit != nil {
		w.f.Limits = append(w.f.Limits, p.Limit)
	}
	if p.Skip != nil {
		w.f.Skips++
	}
}

func (w *factWalk) path(p *cypher.Path, neg bool) {
	if p.Shortest != cypher.AnyPath {
		w.f.Shortest = true
	}
	for _, e := range p.Elements {
		switch e := e.(type) {
		case *cypher.NodePattern:
			if !neg {
				for _, l := range labels(e.Labels) {
					w.f.Labels[l] = true
				}
			}
			w.properties(e.Props, neg)
			w.cond(e.Where, neg)
		case *cypher.RelPattern:
			w.f.Rels = append(w.f.Rels, RelFact{Types: labels(e.Types), Neg: neg})
			w.properties(e.Props, neg)
			w.cond(e.Where, neg)
		case *cypher.GroupPattern:
			w.path(e.Path, neg)
			w.cond(e.Where, neg)
		}
	}
}

func labels(e cypher.LabelExpr) []string {
	switch e := e.(type) {
	case *cypher.Label:
		return []string{e.Name}
	case *cypher.LabelAnd:
		return append(labels(e.L), labels(e.R)...)
	case *cypher.LabelOr:
		return append(labels(e.L), labels(e.R)...)
	}
	return nil
}

// properties are the {key: value} of a pattern: each is an equation.
func (w *factWalk) properties(e cypher.Expr, neg bool) {
	m, ok := e.(*cypher.Map)
	if !ok {
		return
	}
	for i, k := range m.Keys {
		w.f.Props[k] = true
		c := Comparison{Prop: k, Op: "=", Neg: neg}
		w.operand(&c, m.Values[i])
		w.f.Compared = append(w.f.Compared, c)
	}
}

// operand sets what c compares with.
func (w *factWalk) operand(c *Comparison, e cypher.Expr) {
	e = w.resolve(e)
	switch x := e.(type) {
	case *cypher.Parameter:
		c.Param = x.Name
		return
	case *cypher.Literal:
		c.Value, c.Literal = x.Value, true
		return
	case *cypher.Unary:
		if l, ok := x.X.(*cypher.Literal); ok && x.Op == cypher.Neg {
			c.Literal = true
			switch v := l.Value.(type) {
			case int64:
				c.Value = -v
			case float64:
				c.Value = -v
			}
			return
		}
	case *cypher.List:
		for _, it := range x.Items {
			if p, ok := it.(*cypher.Parameter); ok {
				c.Params = append(c.Params, p.Name)
				if c.Param == "" {
					c.Param = p.Name
				}
			}
			if l, ok := it.(*cypher.Literal); ok {
				c.Value, c.Literal = l.Value, true
			}
		}
		return
	}
	if ps := w.props(e); len(ps) > 0 {
		c.Than = ps[0]
		return
	}
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Parameter:
			if c.Param == "" {
				c.Param = n.Name
			}
		case *cypher.Literal:
			if c.Param == "" && !c.Literal {
				c.Value, c.Literal = n.Value, true
			}
		}
		return true
	})
	if c.Param != "" {
		c.Literal, c.Value = false, nil
	}
}

// resolve follows a variable to the expression it names.
func (w *factWalk) resolve(e cypher.Expr) cypher.Expr {
	for range 8 { // WITH x AS y, y AS z
		v, ok := e.(*cypher.Variable)
		if !ok {
			return e
		}
		to, ok := w.alias[v.Name]
		if !ok {
			return e
		}
		e = to
	}
	return e
}

// props are the names of the properties in e, aliases followed, each once.
func (w *factWalk) props(e cypher.Expr) []string {
	var out []string
	followed := make(map[string]bool)
	var visit func(e cypher.Expr)
	follow := func(name string) {
		if to, ok := w.alias[name]; ok && !followed[name] {
			followed[name] = true
			visit(to)
		}
	}
	visit = func(e cypher.Expr) {
		if e == nil {
			return
		}
		cypher.Walk(e, func(n cypher.Node) bool {
			switch n := n.(type) {
			case *cypher.Property:
				if inner, ok := n.X.(*cypher.Property); ok { // born.year
					out = append(out, inner.Key)
					return false
				}
				if c, ok := n.X.(*cypher.Call); ok { // date(m.released).year
					for _, a := range c.Args {
						visit(a)
					}
					return false
				}
				if v, ok := n.X.(*cypher.Variable); ok {
					if _, node := w.alias[v.Name].(*cypher.Variable); !node {
						follow(v.Name)
					}
				}
				out = append(out, n.Key)
				return false
			case *cypher.Variable:
				follow(n.Name)
			}
			return true
		})
	}
	visit(e)
	return slices.Compact(out)
}

// counts reports whether e is a number of things.
func (w *factWalk) counts(e cypher.Expr) bool { return w.countsBut(e, make(map[string]bool)) }

// countsBut follows each variable once: UNWIND films AS m, of collect(m) AS
// films, names itself.
func (w *factWalk) countsBut(e cypher.Expr, followed map[string]bool) bool {
	e = w.resolve(e)
	found := false
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Call:
			name := strings.ToLower(n.Name)
			if name == "count" || name == "size" || name == "length" {
				found = true
			}
		case *cypher.Subquery:
			if n.Kind == cypher.Count {
				found = true
			}
			return false
		case *cypher.Variable:
			if to, ok := w.alias[n.Name]; ok && !followed[n.Name] {
				followed[n.Name] = true
				found = found || w.countsBut(to, followed)
			}
		}
		return !found
	})
	return found
}
