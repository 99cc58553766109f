package embedded

import (
	"strings"

	"precedent/store/cypher"
)

// grouping is what a scope behind aggregation or DISTINCT can see: what was
// projected, and aggregates.
type grouping struct {
	inner    *scope // where the arguments of aggregates are computed
	frame    *frame
	stands   []stand
	plain    bool // neither: only expressions written like a projected one stand for it
	simple   bool // only variables and properties stand for what is projected
	distinct bool // DISTINCT, not aggregation
	closed   bool // no further aggregates: ORDER BY sees what was projected
	aggs     []*aggregate
}

// stand is an expression whose value is in a slot already.
type stand struct {
	expr cypher.Expr
	slot int
}

func (g *grouping) stand(e cypher.Expr, slot int) { g.stands = append(g.stands, stand{e, slot}) }

// find returns the slot that holds e's value.
func (g *grouping) find(s *scope, e cypher.Expr) (slot int, ok bool) {
	for _, st := range g.stands {
		if g.simple && !simpleKey(st.expr) || !sameExpr(st.expr, e) {
			continue
		}
		for name := range freeVariables(e) {
			if s.local[name] {
				return 0, false
			}
		}
		return st.slot, true
	}
	return 0, false
}

// simpleKey tells whether e is a variable or a property of one.
func simpleKey(e cypher.Expr) bool {
	switch e := e.(type) {
	case *cypher.Variable:
		return true
	case *cypher.Property:
		return simpleKey(e.X)
	}
	return false
}

func (g *grouping) missing(c *compiler, name string, at cypher.Pos) error {
	if _, ok := g.inner.vars[name]; !ok || g.plain {
		return c.undefined(name, at)
	}
	if g.simple {
		return queryError("Aggregation column contains implicit grouping expressions: `%s` must be projected by itself, in this or an earlier WITH or RETURN%s", name, c.where(at))
	}
	return queryError("In a WITH/RETURN with DISTINCT or an aggregation, it is not possible to access variables declared before the WITH/RETURN: %s%s", name, c.where(at))
}

// An aggregate is one aggregating call and where its result goes.
type aggregate struct {
	name     string
	distinct bool
	arg      expr // nil for count(*)
	second   expr // of the percentiles
	slot     int
}

var aggregateArgs = map[string]int{"count": 1, "sum": 1, "avg": 1, "min": 1, "max": 1, "collect": 1,
	"stdev": 1, "stdevp": 1, "percentilecont": 2, "percentiledisc": 2}

func isAggregate(e *cypher.Call) bool { return aggregateArgs[strings.ToLower(e.Name)] > 0 }

// aggregateIn returns the first aggregating call in e, subqueries left out.
func aggregateIn(e cypher.Expr) (found *cypher.Call) {
	if e == nil {
		return nil
	}
	walk(e, func(n cypher.Node) bool {
		if call, ok := n.(*cypher.Call); ok && found == nil && isAggregate(call) {
			found = call
		}
		_, sub := n.(*cypher.Subquery)
		return found == nil && !sub
	})
	return found
}

// aggregateCall compiles a call of an aggregating function.
func (c *compiler) aggregateCall(s *scope, e *cypher.Call) (expr, error) {
	g := s.grouped
	if g != nil && g.closed {
		return nil, queryError("Illegal aggregation expression(s) in ORDER BY: project %s(...) in the RETURN or WITH itself%s", e.Name, c.where(e.Pos()))
	}
	if g == nil || g.distinct {
		return nil, queryError("Invalid use of aggregating function %s(...) in this context%s", e.Name, c.where(e.Pos()))
	}
	a := &aggregate{name: strings.ToLower(e.Name), distinct: e.Distinct}
	if !e.Star {
		if want := aggregateArgs[a.name]; len(e.Args) != want {
			return nil, argumentCount(e, want, want)
		}
		if err := c.checkArgs(g.inner, e); err != nil {
			return nil, err
		}
		for _, arg := range e.Args {
			if inner := aggregateIn(arg); inner != nil {
				return nil, queryError("Can't use aggregate functions inside of aggregate functions%s", c.where(inner.Pos()))
			}
		}
		var err error
		if a.arg, err = c.expr(g.inner, e.Args[0]); err != nil {
			return nil, err
		}
		if len(e.Args) > 1 {
			if a.second, err = c.expr(g.inner, e.Args[1]); err != nil {
				return nil, err
			}
		}
	}
	a.slot = g.frame.slot()
	g.aggs = append(g.aggs, a)
	return slotOf(a.slot), nil
}

// aggregation compiles a projection with aggregates: its other items are the
// keys that rows are grouped by.
func (c *compiler) aggregation(p *partPlan, s *scope, items []projected, pr *cypher.Projection, to rowMaker) error {
	gs := newScope()
	g := &grouping{inner: s, frame: gs.frame, simple: true}
	gs.grouped, gs.outer = g, s.outer
	o := &aggregateOp{to: to, frame: gs.frame, values: make([]expr, len(items))}
	for i, item := range items {
		if aggregateIn(item.expr) != nil {
			continue
		}
		key, err := c.expr(s, item.expr)
		if err != nil {
			return err
		}
		slot := gs.frame.slot()
		o.keys, o.keySlots = append(o.keys, key), append(o.keySlots, slot)
		o.values[i] = slotOf(slot)
		g.stand(item.expr, slot)
		if v, ok := item.expr.(*cypher.Variable); ok {
			gs.vars[v.Name] = variable{slot, item.kind}
		}
	}
	gs.local = map[string]bool{}
	for i, item := range items {
		if o.values[i] != nil {
			continue
		}
		v, err := c.expr(gs, item.expr)
		if err != nil {
			return err
		}
		o.values[i] = v
	}
	g.simple, g.closed = false, true
	after := gs.child()
	for _, item := range items {
		slot := gs.frame.slot()
		after.vars[item.name] = variable{slot, item.kind}
		g.stand(item.expr, slot)
		o.aliases = append(o.aliases, slot)
	}
	for i, st := range g.stands { // a new name hides an old one
		if v, ok := st.expr.(*cypher.Variable); ok && i < len(g.stands) {
			if _, renamed := after.vars[v.Name]; renamed {
				g.stands[i].slot = after.vars[v.Name].slot
			}
		}
	}
	for _, key := range pr.OrderBy {
		v, err := c.expr(after, key.Expr)
		if err != nil {
			return err
		}
		o.order = append(o.order, v)
	}
	o.aggs = g.aggs
	p.ops = append(p.ops, o)
	return nil
}

// aggregateOp groups rows.
type aggregateOp struct {
	to       rowMaker
	frame    *frame // of the row that a group has
	keys     []expr
	keySlots []int
	aggs     []*aggregate
	values   []expr // the items, from the group's row
	aliases  []int
	order    []expr
}

type group struct {
	keys []any
	accs []accumulator
}

// What a group takes in memory, in bytes, and each of its accumulators, what
// they were given not counted.
const (
	groupBytes       = 64
	accumulatorBytes = 64
)

func (o *aggregateOp) open(x *exec, consts []any, next sink) sink {
	s := &aggregateSink{aggregateOp: o, x: x, next: next, consts: consts, groups: map[string]*group{}, at: make([]any, len(o.keys))}
	if len(o.keys) == 0 {
		s.list = append(s.list, s.newGroup())
	}
	return s
}

type aggregateSink struct {
	*aggregateOp
	x      *exec
	next   sink
	consts []any
	groups map[string]*group
	list   []*group // in the order they were met
	key    []byte
	at     []any // the keys of the row at hand
	mine   int   // bytes it holds
}

func (s *aggregateSink) newGroup() *group {
	g := &group{accs: make([]accumulator, len(s.aggs))}
	for i, a := range s.aggs {
		g.accs[i] = a.accumulator()
	}
	return g
}

func (s *aggregateSink) push(r row) error {
	s.x.tick()
	temp, held := s.x.temp, s.x.held
	g, err := s.groupOf(r)
	if err != nil {
		return err
	}
	for i, a := range s.aggs {
		var v any = true
		if a.arg != nil {
			if v, err = a.arg(s.x, r); err != nil {
				return err
			}
			if v == nil {
				continue
			}
		}
		var second any
		if a.second != nil {
			if second, err = a.second(s.x, r); err != nil {
				return err
			}
		}
		if err := g.accs[i].add(s.x, v, second); err != nil {
			return err
		}
	}
	s.x.temp = temp
	s.mine += s.x.held - held
	return nil
}

func (s *aggregateSink) groupOf(r row) (*group, error) {
	if len(s.keys) == 0 {
		return s.list[0], nil
	}
	s.key = reused(s.key)
	for i, key := range s.keys {
		v, err := key(s.x, r)
		if err != nil {
			return nil, err
		}
		s.at[i] = v
		s.key = s.x.appendKey(s.key, v)
	}
	if g := s.groups[string(s.key)]; g != nil {
		return g, nil
	}
	g := s.newGroup()
	g.keys = append([]any(nil), s.at...)
	n := groupBytes + accumulatorBytes*len(s.aggs) + seenBytes + len(s.key)
	for _, v := range g.keys {
		n += s.x.weigh(v)
	}
	s.x.hold(n)
	s.groups[string(s.key)] = g
	s.list = append(s.list, g)
	return g, nil
}

func (s *aggregateSink) done() error {
	in, out := make(row, s.frame.size), s.to.row(s.consts)
	for _, g := range s.list {
		s.x.tick()
		for i, slot := range s.keySlots {
			in[slot] = g.keys[i]
		}
		var err error
		for i, a := range s.aggs {
			if in[a.slot], err = g.accs[i].result(s.x); err != nil {
				return err
			}
		}
		temp := s.x.temp
		for i, value := range s.values {
			v, err := value(s.x, in)
			if err != nil {
				return err
			}
			out[s.to.items[i]] = v
		}
		for i, slot := range s.aliases {
			in[slot] = out[s.to.items[i]]
		}
		for i, key := range s.order {
			if out[s.to.keys[i]], err = key(s.x, in); err != nil {
				return err
			}
		}
		err = s.next.push(out)
		s.x.temp = temp
		if err == errEnough {
			break
		} else if err != nil {
			return err
		}
	}
	s.x.held -= s.mine
	s.list, s.groups = nil, nil
	return s.next.done()
}
