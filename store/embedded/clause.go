package embedded

import (
	"slices"

	"precedent/store/cypher"
)

// A sink takes rows. The row is only lent: it changes when push returns. Push
// returns errEnough when it wants no more. Done is called once, after the last
// row, even where push wanted no more.
type sink interface {
	push(r row) error
	done() error
}

// An op is one stage of a part of a statement. Consts are the values of the
// variables of enclosing queries; they stand in the first slots of every row.
type op interface {
	open(x *exec, consts []any, next sink) sink
}

// A body is a compiled statement: what its rows are called, and how to run it
// for one row of the enclosing query.
type body struct {
	columns []string
	parts   []*partPlan
	all     bool // UNION ALL
}

type partPlan struct {
	frame   *frame // of the first scope
	consts  int    // how many of imports all scopes of the part see
	imports []move // from the enclosing row
	ops     []op
	columns []string
	pick    []int // for each column of the body, the column of this part
}

// move copies a slot of one row to a slot of another.
type move struct{ from, to int }

// run calls found with each row of the body, in the body's columns.
func (b *body) run(x *exec, outer row, found func(r row) error) error {
	if len(b.parts) == 1 {
		return b.parts[0].run(x, outer, found)
	}
	emit := found
	if !b.all {
		seen := newKeys(x)
		defer seen.forget()
		emit = func(r row) error {
			if !seen.add(r...) {
				return nil
			}
			return found(r)
		}
	}
	for _, p := range b.parts {
		picked := make(row, len(p.pick))
		err := p.run(x, outer, func(r row) error {
			for i, from := range p.pick {
				picked[i] = r[from]
			}
			return emit(picked)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *partPlan) run(x *exec, outer row, found func(r row) error) error {
	r := make(row, p.frame.size)
	for _, m := range p.imports {
		r[m.to] = outer[m.from]
	}
	end := &endSink{found: found}
	var s sink = end
	for _, o := range slices.Backward(p.ops) {
		s = o.open(x, r[:p.consts:p.consts], s)
	}
	err := s.push(r)
	if err == nil || err == errEnough {
		err = s.done()
	}
	if err == errEnough {
		err = nil
	}
	if err == nil && end.stopped {
		return errEnough
	}
	return err
}

// endSink hands rows to the caller, and remembers if the caller had enough.
type endSink struct {
	found   func(r row) error
	stopped bool
}

func (e *endSink) push(r row) error {
	if e.stopped {
		return errEnough
	}
	err := e.found(r)
	if err == errEnough {
		e.stopped = true
	}
	return err
}

func (e *endSink) done() error { return nil }

// statement compiles st. Outer is the scope that encloses it, nil for a whole
// query; visible are the variables of outer that all of it sees, importable
// those that a leading WITH may take.
func (c *compiler) statement(st *cypher.Statement, outer *scope, visible, importable []string) (*body, error) {
	b := &body{}
	for i, part := range st.Parts {
		p, err := c.part(part, outer, visible, importable)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			b.columns = p.columns
		}
		if len(p.columns) != len(b.columns) {
			return nil, queryError("All sub queries in an UNION must have the same return column names%s", c.where(part.Pos()))
		}
		for _, name := range b.columns {
			at := slices.Index(p.columns, name)
			if at < 0 {
				return nil, queryError("All sub queries in an UNION must have the same return column names: one lacks `%s`%s", name, c.where(part.Pos()))
			}
			p.pick = append(p.pick, at)
		}
		b.parts = append(b.parts, p)
	}
	for i, all := range st.All {
		if i > 0 && all != st.All[0] {
			return nil, queryError("Invalid combination of UNION and UNION ALL")
		}
		b.all = all
	}
	return b, nil
}

func (c *compiler) part(part *cypher.Part, outer *scope, visible, importable []string) (*partPlan, error) {
	s := newScope()
	p := &partPlan{frame: s.frame, consts: len(visible)}
	for _, name := range visible {
		v := outer.vars[name]
		p.imports = append(p.imports, move{v.slot, s.declare(name, v.kind).slot})
	}
	s.outer = visible
	clauses := part.Clauses
	if len(importable) > 0 && len(clauses) > 0 {
		if w, ok := clauses[0].(*cypher.With); ok && importing(w) {
			names := importable
			if !w.Star {
				names = nil
				for _, item := range w.Items {
					names = append(names, item.Expr.(*cypher.Variable).Name)
				}
			}
			for _, name := range names {
				v, ok := outer.vars[name]
				if !ok {
					return nil, c.undefined(name, w.Pos())
				}
				p.imports = append(p.imports, move{v.slot, s.declare(name, v.kind).slot})
			}
			clauses = clauses[1:]
			if w.Where != nil {
				holds, err := c.predicate(s, w.Where)
				if err != nil {
					return nil, err
				}
				p.ops = append(p.ops, &filterOp{holds})
			}
		}
	}
	for i, clause := range clauses {
		last := i == len(clauses)-1
		if _, ok := clause.(*cypher.Return); ok != last {
			if last {
				return nil, queryError("Query cannot conclude with %s (must be a RETURN clause)%s", clauseName(clause), c.where(clause.Pos()))
			}
			return nil, queryError("RETURN can only be used at the end of the query%s", c.where(clause.Pos()))
		}
		var err error
		if s, err = c.clause(p, s, clause); err != nil {
			return nil, err
		}
	}
	if len(clauses) == 0 {
		return nil, queryError("Query must conclude with a RETURN clause%s", c.where(part.Pos()))
	}
	return p, nil
}

// importing tells whether w is a WITH of plain variables, as at the start of
// CALL { WITH a, b … }.
func importing(w *cypher.With) bool {
	if w.Distinct || w.OrderBy != nil || w.Skip != nil || w.Limit != nil {
		return false
	}
	for _, item := range w.Items {
		if v, ok := item.Expr.(*cypher.Variable); !ok || item.Alias != "" && item.Alias != v.Name {
			return false
		}
	}
	return true
}

func clauseName(c cypher.Clause) string {
	switch c := c.(type) {
	case *cypher.Match:
		if c.Optional {
			return "OPTIONAL MATCH"
		}
		return "MATCH"
	case *cypher.Unwind:
		return "UNWIND"
	case *cypher.With:
		return "WITH"
	case *cypher.Return:
		return "RETURN"
	}
	return "CALL"
}

// clause adds the ops of one clause and returns the scope behind it.
func (c *compiler) clause(p *partPlan, s *scope, clause cypher.Clause) (*scope, error) {
	switch clause := clause.(type) {
	case *cypher.Match:
		o, err := c.matchOp(s, clause.Patterns, clause.Where, clause.Optional)
		if err != nil {
			return nil, err
		}
		p.ops = append(p.ops, o)
		return s, nil
	case *cypher.Unwind:
		list, err := c.expr(s, clause.List)
		if err != nil {
			return nil, err
		}
		if _, taken := s.vars[clause.Var]; taken {
			return nil, queryError("Variable `%s` already declared%s", clause.Var, c.where(clause.Pos()))
		}
		p.ops = append(p.ops, &unwindOp{list, s.declare(clause.Var, c.elementKind(s, clause.List)).slot})
		return s, nil
	case *cypher.With:
		return c.with(p, s, clause)
	case *cypher.Return:
		return c.projection(p, s, &clause.Projection, clause.Pos(), false)
	case *cypher.CallSubquery:
		return c.callSubquery(p, s, clause)
	case *cypher.CallProcedure:
		return nil, unsupported("the procedure %s", clause.Name)
	}
	return nil, unsupported("the clause %T", clause)
}

// matchOp is MATCH.
type matchOp struct {
	steps    []step
	optional bool
	fresh    []int // slots that become null where nothing matches
}

func (c *compiler) matchOp(s *scope, paths []*cypher.Path, where cypher.Expr, optional bool) (*matchOp, error) {
	if a := aggregateIn(where); a != nil {
		return nil, queryError("Invalid use of aggregating function %s(...) in this context%s", a.Name, c.where(a.Pos()))
	}
	p, err := c.collect(s, paths, where)
	if err != nil {
		return nil, err
	}
	steps, err := c.plan(p)
	if err != nil {
		return nil, err
	}
	o := &matchOp{steps: steps, optional: optional}
	for name := range p.fresh {
		o.fresh = append(o.fresh, s.vars[name].slot)
	}
	return o, nil
}

func (o *matchOp) open(x *exec, consts []any, next sink) sink {
	s := &matchSink{op: o, next: next}
	s.m = match{x: x, steps: o.steps, found: func() error {
		s.hit = true
		return next.push(s.m.row)
	}}
	return s
}

type matchSink struct {
	op   *matchOp
	m    match
	next sink
	hit  bool
}

func (s *matchSink) push(r row) error {
	s.m.row, s.hit = r, false
	err := s.m.next(-1)
	if err != nil || s.hit || !s.op.optional {
		return err
	}
	for _, slot := range s.op.fresh {
		r[slot] = nil
	}
	return s.next.push(r)
}

func (s *matchSink) done() error { return s.next.done() }

// unwindOp is UNWIND.
type unwindOp struct {
	list expr
	slot int
}

func (o *unwindOp) open(x *exec, consts []any, next sink) sink { return &unwindSink{o, x, next} }

type unwindSink struct {
	*unwindOp
	x    *exec
	next sink
}

func (s *unwindSink) push(r row) error {
	temp := s.x.temp
	v, err := s.list(s.x, r)
	if v == nil || err != nil {
		return err
	}
	defer func() { s.x.temp = temp }()
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	for _, item := range items {
		s.x.tick()
		r[s.slot] = item
		if err := s.next.push(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *unwindSink) done() error { return s.next.done() }

// filterOp is the WHERE of a WITH.
type filterOp struct {
	holds func(x *exec, r row) (truth, error)
}

func (o *filterOp) open(x *exec, consts []any, next sink) sink { return &filterSink{o, x, next} }

type filterSink struct {
	*filterOp
	x    *exec
	next sink
}

func (s *filterSink) push(r row) error {
	temp := s.x.temp
	ok, err := s.holds(s.x, r)
	s.x.temp = temp
	if err != nil || ok != yes {
		return err
	}
	return s.next.push(r)
}

func (s *filterSink) done() error { return s.next.done() }
