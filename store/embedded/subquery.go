package embedded

import (
	"slices"

	"precedent/store/cypher"
)

// visible lists what a subquery in s sees, enclosing queries first.
func visible(s *scope) []string {
	var names []string
	names = append(names, s.outer...)
	for name := range s.vars {
		if name[0] != 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[len(s.outer):])
	return names
}

// callSubquery compiles CALL { … } and CALL (…) { … }.
func (c *compiler) callSubquery(p *partPlan, s *scope, e *cypher.CallSubquery) (*scope, error) {
	var seen, importable []string
	switch {
	case e.ImportAll:
		seen = visible(s)
	case e.Scoped:
		seen = slices.Clone(e.Imports)
		for _, name := range s.outer {
			if !slices.Contains(seen, name) {
				importable = append(importable, name)
			}
		}
	default:
		importable = visible(s)
	}
	for _, name := range seen {
		if _, ok := s.vars[name]; !ok {
			return nil, c.undefined(name, e.Pos())
		}
	}
	b, err := c.statement(e.Body, s, seen, importable)
	if err != nil {
		return nil, err
	}
	o := &callOp{body: b, optional: e.Optional}
	for _, name := range b.columns {
		if _, taken := s.vars[name]; taken {
			return nil, queryError("Variable `%s` already declared in outer scope%s", name, c.where(e.Pos()))
		}
		o.slots = append(o.slots, s.declare(name, anyKind).slot)
	}
	p.ops = append(p.ops, o)
	return s, nil
}

type callOp struct {
	body     *body
	slots    []int
	optional bool
}

func (o *callOp) open(x *exec, _ []any, next sink) sink { return &callSink{o, x, next} }

type callSink struct {
	*callOp
	x    *exec
	next sink
}

func (s *callSink) push(r row) error {
	any := false
	err := s.body.run(s.x, r, func(in row) error {
		any = true
		for i, slot := range s.slots {
			r[slot] = in[i]
		}
		return s.next.push(r)
	})
	if err != nil {
		return err
	}
	if !any && s.optional {
		for _, slot := range s.slots {
			r[slot] = nil
		}
		return s.next.push(r)
	}
	return nil
}

func (s *callSink) done() error { return s.next.done() }

// gathered is a list of what a run inside of an expression finds. It is held
// until it is whole: what the run makes for a row goes with the row.
type gathered struct {
	x     *exec
	list  []any
	bytes int // held
}

func (g *gathered) add(v any) error {
	n := slotBytes + g.x.weigh(v) // a slot more, for a list has room to grow
	g.x.hold(n)
	g.bytes += n
	g.list = append(g.list, v)
	return nil
}

// all returns the list, never nil, which is now part of the row at hand.
func (g *gathered) all() []any {
	g.x.held -= g.bytes
	g.x.make(g.bytes)
	if g.list == nil {
		return []any{}
	}
	return g.list
}

// counting calls found for each row of a subquery expression.
type counting func(x *exec, r row, found func(row) error) error

// subquery compiles EXISTS { … }, COUNT { … } and COLLECT { … }.
func (c *compiler) subquery(s *scope, e *cypher.Subquery) (expr, error) {
	run, err := c.subqueryRows(s, e)
	if err != nil {
		return nil, err
	}
	switch e.Kind {
	case cypher.Exists:
		return existsOf(run), nil
	case cypher.Count:
		return func(x *exec, r row) (any, error) {
			n, temp := int64(0), x.temp
			err := run(x, r, func(row) error { n++; return nil })
			x.temp = temp
			return n, err
		}, nil
	}
	return func(x *exec, r row) (any, error) {
		out := gathered{x: x}
		err := run(x, r, func(in row) error { return out.add(in[0]) })
		return out.all(), err
	}, nil
}

func existsOf(run counting) expr {
	return func(x *exec, r row) (any, error) {
		hit, temp := false, x.temp
		err := run(x, r, func(row) error { hit = true; return errEnough })
		x.temp = temp
		if err == errEnough {
			err = nil
		}
		return hit, err
	}
}

func (c *compiler) subqueryRows(s *scope, e *cypher.Subquery) (counting, error) {
	if len(e.Body.Parts) == 1 {
		if matches := onlyMatches(e.Body.Parts[0]); matches != nil && e.Kind != cypher.Collect {
			return c.matchRows(s, matches)
		}
	}
	st := e.Body
	if e.Kind != cypher.Collect {
		st = withReturns(st)
	}
	b, err := c.statement(st, s, visible(s), nil)
	if err != nil {
		return nil, err
	}
	if e.Kind == cypher.Collect && len(b.columns) != 1 {
		return nil, queryError("A Collect Expression must end with a single return column%s", c.where(e.Pos()))
	}
	return b.run, nil
}

// onlyMatches returns the clauses of a part that is nothing but MATCH.
func onlyMatches(p *cypher.Part) []*cypher.Match {
	var out []*cypher.Match
	for _, clause := range p.Clauses {
		m, ok := clause.(*cypher.Match)
		if !ok {
			return nil
		}
		out = append(out, m)
	}
	return out
}

// withReturns gives each part of an EXISTS or COUNT that ends without RETURN one.
func withReturns(st *cypher.Statement) *cypher.Statement {
	out := *st
	out.Parts = slices.Clone(st.Parts)
	for i, p := range out.Parts {
		if n := len(p.Clauses); n > 0 {
			if _, ok := p.Clauses[n-1].(*cypher.Return); ok {
				continue
			}
		}
		item := &cypher.Item{At: p.At, Expr: &cypher.Literal{At: p.At, Value: true}, Alias: "found"}
		ret := &cypher.Return{At: p.At, Projection: cypher.Projection{Items: []*cypher.Item{item}}}
		out.Parts[i] = &cypher.Part{At: p.At, Clauses: append(slices.Clone(p.Clauses), ret)}
	}
	return &out
}

// matchRows compiles MATCH clauses inside an expression. They share the row.
func (c *compiler) matchRows(s *scope, matches []*cypher.Match) (counting, error) {
	inner := s.child()
	var ops []*matchOp
	for _, m := range matches {
		o, err := c.matchOp(inner, m.Patterns, m.Where, m.Optional)
		if err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
	return func(x *exec, r row, found func(row) error) error {
		var s sink = &endSink{found: found}
		for _, o := range slices.Backward(ops) {
			s = o.open(x, nil, s)
		}
		return s.push(r)
	}, nil
}

// patternPredicate compiles a pattern used as an expression, and
// shortestPath(…) as one.
func (c *compiler) patternPredicate(s *scope, path *cypher.Path) (expr, error) {
	if path.Shortest != cypher.AnyPath {
		return c.shortestExpr(s, path)
	}
	for _, el := range path.Elements {
		name := ""
		switch el := el.(type) {
		case *cypher.NodePattern:
			name = el.Var
		case *cypher.RelPattern:
			name = el.Var
		}
		if _, ok := s.vars[name]; name != "" && !ok {
			return nil, queryError("PatternExpressions are not allowed to introduce new variables: '%s'%s", name, c.where(el.Pos()))
		}
	}
	run, err := c.matchRows(s, []*cypher.Match{{At: path.At, Patterns: []*cypher.Path{path}}})
	if err != nil {
		return nil, err
	}
	return existsOf(run), nil
}

// shortestExpr compiles shortestPath((a)-[*]-(b)) as an expression: a path or
// null, and for allShortestPaths a list.
func (c *compiler) shortestExpr(s *scope, path *cypher.Path) (expr, error) {
	inner := s.child()
	named := *path
	named.Var = "\x00path"
	o, err := c.matchOp(inner, []*cypher.Path{&named}, nil, false)
	if err != nil {
		return nil, err
	}
	slot := inner.vars[named.Var].slot
	all := path.Shortest == cypher.AllShortestPaths
	return func(x *exec, r row) (any, error) {
		list := gathered{x: x}
		var one any
		found := func(r row) error {
			if !all {
				one = r[slot]
				return errEnough
			}
			return list.add(r[slot])
		}
		err := o.open(x, nil, &endSink{found: found}).push(r)
		if err == errEnough {
			err = nil
		}
		if all {
			return list.all(), err
		}
		return one, err
	}, nil
}

// patternComprehension compiles [(a)-->(b) WHERE … | …].
func (c *compiler) patternComprehension(s *scope, e *cypher.PatternComprehension) (expr, error) {
	inner := s.child()
	o, err := c.matchOp(inner, []*cypher.Path{e.Path}, e.Where, false)
	if err != nil {
		return nil, err
	}
	value, err := c.expr(inner, e.Map)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		out := gathered{x: x}
		err := o.open(x, nil, &endSink{found: func(r row) error {
			v, err := value(x, r)
			if err != nil {
				return err
			}
			return out.add(v)
		}}).push(r)
		return out.all(), err
	}, nil
}
