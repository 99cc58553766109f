package check

import "precedent/store/cypher"

// sight says what a subquery sees of the variables around it.
type sight int

const (
	visible  sight = iota // all of them, throughout: EXISTS { … }
	imported              // what its first WITH names: CALL { WITH a … }
	named                 // what its scope clause names: CALL (a) { … }
)

// A column is what a query returns under a name.
type column struct {
	name string
	is   *binding
}

// statement reads s inside of around and gives what it returns.
func (v *survey) statement(s *cypher.Statement, around *frame, sees sight) []column {
	var first []column
	for i, part := range s.Parts {
		columns := v.part(part, around, sees)
		if i == 0 {
			first = columns
		}
	}
	if len(s.Parts) == 1 {
		return first
	}
	for i := range first {
		first[i].is = nil // what holds of one part needn't of the others
	}
	return first
}

// A stage is the clauses between two WITHs, where variables stay the same.
type stage struct {
	part  *cypher.Part
	first int // index of the WITH before it in part.Clauses, or -1
	frame *frame
	parts []*piece // for cartesian products
}

func (v *survey) part(p *cypher.Part, around *frame, sees sight) []column {
	base := around
	if sees == imported {
		base = nil
	}
	st := &stage{part: p, first: -1, frame: &frame{parent: base, inner: true}}
	for i, c := range p.Clauses {
		switch c := c.(type) {
		case *cypher.Match:
			v.match(c, st)
		case *cypher.Unwind:
			list := v.expr(c.List, st.frame)
			st.frame.set(c.Var, itemOf(list))
		case *cypher.With:
			if i == 0 && sees == imported {
				st.frame.parent = around
			}
			v.order(&c.Projection, st, i)
			columns := v.projection(&c.Projection, st.frame)
			v.products(st)
			st = &stage{part: p, first: i, frame: &frame{parent: base, inner: true}}
			for _, column := range columns {
				st.frame.set(column.name, column.is)
			}
			if c.Where != nil {
				v.where(c.Where, st.frame)
				v.guards(c.Where, st.frame)
			}
		case *cypher.Return:
			v.order(&c.Projection, st, i)
			columns := v.projection(&c.Projection, st.frame)
			v.products(st)
			return columns
		case *cypher.CallSubquery:
			v.call(c, st.frame)
		case *cypher.CallProcedure:
			v.procedure(c, st.frame)
		}
	}
	v.products(st)
	return nil
}

func (v *survey) match(m *cypher.Match, st *stage) {
	f := st.frame
	if m.Optional {
		f = &frame{parent: st.frame, inner: true}
	}
	for _, path := range m.Patterns {
		v.bind(path, f)
	}
	for _, path := range m.Patterns {
		v.inside(path, f)
	}
	if m.Where != nil {
		v.where(m.Where, f)
	}
	if !m.Optional {
		v.pieces(m, st)
		for _, path := range m.Patterns {
			v.guardsOfPath(path, f)
		}
		if m.Where != nil {
			v.guards(m.Where, f)
		}
		return
	}
	for i, name := range f.names {
		if _, found, _ := st.frame.find(name); found == nil {
			st.frame.set(name, f.values[i])
		}
	}
}

func (v *survey) call(c *cypher.CallSubquery, f *frame) {
	around, sees := f, imported
	if c.Scoped {
		sees = named
		if !c.ImportAll {
			around = &frame{inner: true}
			for _, name := range c.Imports {
				b, _, _ := f.find(name)
				around.set(name, b)
			}
		}
	}
	for _, column := range v.statement(c.Body, around, sees) {
		f.set(column.name, column.is)
	}
}

func (v *survey) procedure(c *cypher.CallProcedure, f *frame) {
	for _, arg := range c.Args {
		v.expr(arg, f)
	}
	for _, y := range c.Yield {
		name := y.Alias
		if name == "" {
			name = y.Name
		}
		f.set(name, nil)
	}
	if c.Where != nil {
		v.where(c.Where, f)
	}
}

// projection reads WITH or RETURN and gives its columns.
func (v *survey) projection(p *cypher.Projection, f *frame) []column {
	var columns []column
	if p.Star {
		for i, name := range f.names {
			columns = append(columns, column{name, f.values[i]})
		}
	}
	for _, item := range p.Items {
		columns = append(columns, column{item.Name(), v.expr(item.Expr, f)})
	}
	sorted := &frame{parent: f}
	for _, c := range columns {
		sorted.set(c.name, c.is)
	}
	for i, s := range p.OrderBy {
		if b := v.expr(s.Expr, sorted); i == 0 {
			v.sorts = append(v.sorts, sorting{p, b})
		}
	}
	for _, e := range []cypher.Expr{p.Skip, p.Limit} {
		if e != nil {
			v.expr(e, f)
		}
	}
	return columns
}

// itemOf is what UNWIND makes of a list.
func itemOf(list *binding) *binding {
	if list == nil || list.items == nil {
		return nil
	}
	if e := list.items.entity; e != nil {
		return &binding{entity: e.narrower()}
	}
	return list.items
}
