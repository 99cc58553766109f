package cypher

import "slices"

// A Binding is what the clauses up to some place surely say of a variable.
// A nil Binding says nothing: the variable may stand for any value.
type Binding struct {
	Relationship bool        // a relationship; otherwise a node. Either may be null
	Labels       []LabelExpr // each of which holds of it; of its type, where it is a relationship
}

// A Scope holds the variables that can be used at a place of a query.
type Scope struct {
	parent *Scope
	names  []string
	values []*Binding
}

// Of returns what is known of the value of x at this place; nil for anything
// but a variable that patterns bind.
func (s *Scope) Of(x Expr) *Binding {
	if v, ok := x.(*Variable); ok {
		return s.Named(v.Name)
	}
	return nil
}

// Named is Of for the variable of this name.
func (s *Scope) Named(name string) *Binding {
	b, _ := s.find(name)
	return b
}

func (s *Scope) find(name string) (b *Binding, bound bool) {
	for ; s != nil; s = s.parent {
		if i := slices.Index(s.names, name); i >= 0 {
			return s.values[i], true
		}
	}
	return nil, false
}

func (s *Scope) set(name string, b *Binding) {
	if name == "" {
		return
	}
	if i := slices.Index(s.names, name); i >= 0 {
		s.values[i] = b
		return
	}
	s.names, s.values = append(s.names, name), append(s.values, b)
}

// inside is a scope within s: what it learns says nothing of s.
func (s *Scope) inside() *Scope { return &Scope{parent: s} }

// WalkScoped is [Walk] with the scope that each node stands in: of a clause
// before it, of a pattern with what its MATCH says, of an expression at its
// place. What an optional match, a subquery, a comprehension or a predicate
// says of a variable around it counts only inside.
func WalkScoped(s *Statement, f func(Node, *Scope) bool) {
	v := &scopeWalk{f}
	v.statement(s, nil, nil)
}

type scopeWalk struct{ f func(Node, *Scope) bool }

// A column is what a query returns under a name.
type column struct {
	name string
	is   *Binding
}

// statement visits s, in which all of around can be used throughout, and
// imported only by a WITH in the first place.
func (v *scopeWalk) statement(s *Statement, around, imported *Scope) []column {
	if s == nil || !v.f(s, around) {
		return nil
	}
	var columns []column
	for i, part := range s.Parts {
		returned := v.part(part, around, imported)
		if i == 0 {
			columns = returned
		}
	}
	if len(s.Parts) > 1 { // what holds of one part needn't of the others
		for i := range columns {
			columns[i].is = nil
		}
	}
	return columns
}

func (v *scopeWalk) part(p *Part, around, imported *Scope) []column {
	at := around.inside()
	if !v.f(p, at) {
		return nil
	}
	if len(p.Clauses) > 0 && imported != nil {
		if _, ok := p.Clauses[0].(*With); ok {
			at = imported.inside()
		}
	}
	for _, c := range p.Clauses {
		if !v.f(c, at) {
			continue
		}
		switch c := c.(type) {
		case *Match:
			v.match(c, at)
		case *Unwind:
			v.expr(c.List, at)
			at.set(c.Var, nil)
		case *With:
			columns, sorted := v.projection(&c.Projection, at)
			v.expr(c.Where, sorted)
			at = around.inside()
			for _, column := range columns {
				at.set(column.name, column.is)
			}
		case *Return:
			columns, _ := v.projection(&c.Projection, at)
			return columns
		case *CallSubquery:
			v.call(c, at)
		case *CallProcedure:
			for _, arg := range c.Args {
				v.expr(arg, at)
			}
			for _, y := range c.Yield {
				if y.Alias == "" {
					y.Alias = y.Name
				}
				at.set(y.Alias, nil)
			}
			v.expr(c.Where, at)
		}
	}
	return nil
}

func (v *scopeWalk) match(m *Match, at *Scope) {
	in := at
	if m.Optional {
		in = at.inside()
	}
	for _, path := range m.Patterns {
		in.bind(path)
	}
	for _, path := range m.Patterns {
		v.path(path, in)
	}
	for _, h := range m.Hints {
		v.f(h, in)
	}
	v.expr(m.Where, in)
	if in == at {
		return
	}
	for i, name := range in.names {
		if _, bound := at.find(name); !bound {
			at.set(name, in.values[i])
		}
	}
}

func (v *scopeWalk) call(c *CallSubquery, at *Scope) {
	var columns []column
	switch {
	case c.Scoped && c.ImportAll:
		columns = v.statement(c.Body, at, nil)
	case c.Scoped:
		around := &Scope{}
		for _, name := range c.Imports {
			around.set(name, at.Named(name))
		}
		columns = v.statement(c.Body, around, nil)
	default:
		columns = v.statement(c.Body, nil, at)
	}
	for _, column := range columns {
		at.set(column.name, column.is)
	}
}

// projection visits WITH or RETURN. It gives its columns, and the scope of what
// stands behind them: their names and those before, and nothing of a name that
// means one thing before and another behind.
func (v *scopeWalk) projection(p *Projection, at *Scope) (columns []column, sorted *Scope) {
	if p.Star {
		for s := at; s != nil; s = s.parent {
			for i, name := range s.names {
				if !slices.ContainsFunc(columns, func(c column) bool { return c.name == name }) {
					columns = append(columns, column{name, s.values[i]})
				}
			}
		}
	}
	for _, item := range p.Items {
		if v.f(item, at) {
			v.expr(item.Expr, at)
		}
		columns = append(columns, column{item.Name(), at.Of(item.Expr)})
	}
	sorted = at.inside()
	for _, c := range columns {
		if before, bound := at.find(c.name); bound && before != c.is {
			c.is = nil
		}
		sorted.set(c.name, c.is)
	}
	for _, s := range p.OrderBy {
		if v.f(s, sorted) {
			v.expr(s.Expr, sorted)
		}
	}
	v.expr(p.Skip, at)
	v.expr(p.Limit, at)
	return columns, sorted
}

// expr visits an expression.
func (v *scopeWalk) expr(e Expr, at *Scope) {
	if e == nil {
		return
	}
	Walk(e, func(n Node) bool {
		if !v.f(n, at) {
			return false
		}
		switch n := n.(type) {
		case *ListComprehension:
			v.expr(n.List, at)
			in := at.with(n.Var)
			v.expr(n.Where, in)
			v.expr(n.Map, in)
		case *Quantified:
			v.expr(n.List, at)
			v.expr(n.Where, at.with(n.Var))
		case *Reduce:
			v.expr(n.Init, at)
			v.expr(n.List, at)
			v.expr(n.Body, at.with(n.Acc, n.Var))
		case *PatternComprehension:
			in := at.inside()
			in.bind(n.Path)
			v.path(n.Path, in)
			v.expr(n.Where, in)
			v.expr(n.Map, in)
		case *PatternPredicate:
			in := at.inside()
			in.bind(n.Path)
			v.path(n.Path, in)
		case *Subquery:
			v.statement(n.Body, at, nil)
		default:
			return true
		}
		return false
	})
}

// with is a scope in which these variables stand for any value.
func (s *Scope) with(names ...string) *Scope {
	in := s.inside()
	for _, name := range names {
		in.set(name, nil)
	}
	return in
}

// path visits a pattern whose variables are bound.
func (v *scopeWalk) path(p *Path, at *Scope) {
	if !v.f(p, at) {
		return
	}
	for _, e := range p.Elements {
		group, ok := e.(*GroupPattern)
		if !ok {
			Walk(e, func(n Node) bool {
				if x, ok := n.(Expr); ok {
					v.expr(x, at)
					return false
				}
				return v.f(n, at)
			})
			continue
		}
		if v.f(group, at) {
			in := at.inside()
			in.bind(group.Path)
			v.path(group.Path, in)
			v.expr(group.Where, in)
		}
	}
}

// bind learns what a pattern says of its variables.
func (s *Scope) bind(p *Path) {
	s.set(p.Var, nil)
	for _, e := range p.Elements {
		switch e := e.(type) {
		case *NodePattern:
			s.learn(e.Var, e.Labels, false)
		case *RelPattern:
			if e.Length != nil || e.Quant != nil {
				s.set(e.Var, nil) // a list
			} else {
				s.learn(e.Var, e.Types, true)
			}
		case *GroupPattern:
			s.lists(e.Path)
		}
	}
}

// lists binds the variables of a quantified pattern, lists outside of it.
func (s *Scope) lists(p *Path) {
	Walk(p, func(n Node) bool {
		switch n := n.(type) {
		case *NodePattern:
			s.set(n.Var, nil)
		case *RelPattern:
			s.set(n.Var, nil)
		case *Path:
			s.set(n.Var, nil)
		}
		_, isExpr := n.(Expr)
		return !isExpr
	})
}

// learn adds what a pattern says to what is known of a variable. The old
// binding stays as it was: it holds of the places before.
func (s *Scope) learn(name string, l LabelExpr, relationship bool) {
	if name == "" {
		return
	}
	b := &Binding{Relationship: relationship}
	if known := s.Named(name); known != nil && known.Relationship == relationship {
		b.Labels = slices.Clip(known.Labels)
	}
	if l != nil {
		b.Labels = append(b.Labels, l)
	}
	s.set(name, b)
}
