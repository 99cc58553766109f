package embedded

import (
	"slices"

	"precedent/store/cypher"
)

// A column is one item of WITH or RETURN, * spelt out.
type projected struct {
	name string
	expr cypher.Expr
	kind kind
}

// projection adds the ops of WITH or RETURN and returns the scope behind it.
func (c *compiler) projection(p *partPlan, s *scope, pr *cypher.Projection, at cypher.Pos, with bool) (*scope, error) {
	items, err := c.items(s, pr, at, with)
	if err != nil {
		return nil, err
	}
	next := newScope()
	next.outer = s.outer
	for _, name := range s.outer {
		next.declare(name, s.vars[name].kind)
	}
	aggregated := false
	slots := make([]int, len(items))
	p.columns = nil
	for i, item := range items {
		slots[i] = next.declare(item.name, item.kind).slot
		p.columns = append(p.columns, item.name)
		aggregated = aggregated || aggregateIn(item.expr) != nil
	}
	keys := make([]int, len(pr.OrderBy))
	for i := range keys {
		keys[i] = next.frame.slot()
	}
	width := next.frame.size
	base := rowMaker{next.frame, slots, keys}
	switch {
	case aggregated:
		err = c.aggregation(p, s, items, pr, base)
	case pr.Distinct:
		err = c.distinct(p, s, items, pr, base, next)
	default:
		err = c.plain(p, s, items, pr, base)
	}
	if err != nil {
		return nil, err
	}
	if aggregated && pr.Distinct {
		p.ops = append(p.ops, &distinctOp{slots})
	}
	if err := c.cut(p, pr, keys, width); err != nil {
		return nil, err
	}
	if !with {
		p.ops = append(p.ops, &columnsOp{slots})
	}
	return next, nil
}

// with adds the ops of WITH and returns the scope behind it.
func (c *compiler) with(p *partPlan, s *scope, w *cypher.With) (*scope, error) {
	carried := stillSeen(s, w)
	pr := w.Projection
	for _, name := range carried {
		pr.Items = append(slices.Clip(pr.Items), &cypher.Item{Expr: &cypher.Variable{Name: name}, Alias: ended + name})
	}
	next, err := c.projection(p, s, &pr, w.Pos(), true)
	if err != nil || w.Where == nil {
		return next, err
	}
	seen := next.child()
	for _, name := range carried {
		seen.vars[name] = next.vars[ended+name]
		delete(next.vars, ended+name)
		next.order = slices.DeleteFunc(next.order, func(o string) bool { return o == ended+name })
	}
	holds, err := c.predicate(seen, w.Where)
	if err != nil {
		return nil, err
	}
	p.ops = append(p.ops, &filterOp{holds})
	return next, nil
}

// ended comes before the name of a variable that ended with a WITH; no query can
// write it.
const ended = "\x00ended "

// stillSeen are the variables that end with a WITH and that its WHERE reads, as it may
// where each row stays one.
func stillSeen(s *scope, w *cypher.With) (names []string) {
	if w.Where == nil || w.Distinct || w.Star || slices.ContainsFunc(w.Items, func(i *cypher.Item) bool { return aggregateIn(i.Expr) != nil }) {
		return nil
	}
	for name := range freeVariables(w.Where) {
		_, before := s.vars[name]
		if before && !slices.Contains(s.outer, name) && !slices.ContainsFunc(w.Items, func(i *cypher.Item) bool { return i.Name() == name }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (c *compiler) items(s *scope, pr *cypher.Projection, at cypher.Pos, with bool) ([]projected, error) {
	var items []projected
	if pr.Star {
		names := slices.Clone(s.order)
		slices.Sort(names)
		for _, name := range names {
			if slices.Contains(s.outer, name) {
				continue
			}
			items = append(items, projected{name, &cypher.Variable{Name: name}, s.vars[name].kind})
		}
		if len(items) == 0 && !with {
			return nil, queryError("RETURN * is not allowed when there are no variables in scope%s", c.where(at))
		}
	}
	for _, item := range pr.Items {
		v, isVar := item.Expr.(*cypher.Variable)
		if with && item.Alias == "" && !isVar {
			return nil, queryError("Expression in WITH must be aliased (use AS)%s", c.where(item.Pos()))
		}
		it := projected{item.Name(), item.Expr, c.kindOf(s, item.Expr)}
		if isVar && item.Alias == "" {
			it.name = v.Name
		}
		if with && slices.Contains(s.outer, it.name) && !(isVar && v.Name == it.name) {
			return nil, queryError("The variable `%s` is shadowing a variable with the same name from the outer scope and needs to be renamed%s", it.name, c.where(item.Pos()))
		}
		if slices.ContainsFunc(items, func(o projected) bool { return o.name == it.name }) {
			return nil, queryError("Multiple result columns with the same name are not supported (`%s`)%s", it.name, c.where(item.Pos()))
		}
		items = append(items, it)
	}
	return items, nil
}

// rowMaker says where the values of a projection go in the next row.
type rowMaker struct {
	frame *frame
	items []int
	keys  []int // of ORDER BY
}

func (m *rowMaker) row(consts []any) row {
	r := make(row, m.frame.size)
	copy(r, consts)
	return r
}

// plain compiles a projection without grouping. Its ORDER BY sees the new
// names and the old.
func (c *compiler) plain(p *partPlan, s *scope, items []projected, pr *cypher.Projection, to rowMaker) error {
	o := &projectOp{to: to}
	for _, item := range items {
		e, err := c.expr(s, item.expr)
		if err != nil {
			return err
		}
		o.items = append(o.items, e)
	}
	if len(pr.OrderBy) > 0 {
		both := s.child()
		g := &grouping{inner: s, frame: s.frame, plain: true}
		for _, item := range items {
			slot := both.declare(item.name, item.kind).slot
			o.aliases = append(o.aliases, slot)
			if _, ok := item.expr.(*cypher.Variable); !ok {
				g.stand(item.expr, slot)
			}
		}
		both.grouped, both.local = g, map[string]bool{}
		for _, key := range pr.OrderBy {
			if a := aggregateIn(key.Expr); a != nil {
				return queryError("Cannot use aggregation in ORDER BY if there are no aggregate expressions in the preceding RETURN or WITH%s", c.where(a.Pos()))
			}
			e, err := c.expr(both, key.Expr)
			if err != nil {
				return err
			}
			o.keys = append(o.keys, e)
		}
	}
	p.ops = append(p.ops, o)
	return nil
}

// distinct compiles a DISTINCT projection. Its ORDER BY sees the new names, and
// what is written like an item.
func (c *compiler) distinct(p *partPlan, s *scope, items []projected, pr *cypher.Projection, to rowMaker, next *scope) error {
	if err := c.plain(p, s, items, &cypher.Projection{}, rowMaker{to.frame, to.items, nil}); err != nil {
		return err
	}
	p.ops = append(p.ops, &distinctOp{to.items})
	if len(pr.OrderBy) == 0 {
		return nil
	}
	g := &grouping{inner: s, frame: next.frame, distinct: true}
	seen := next.child()
	seen.grouped, seen.local = g, map[string]bool{}
	for i, item := range items {
		g.stand(item.expr, to.items[i])
	}
	o := &keysOp{to: to}
	for _, key := range pr.OrderBy {
		e, err := c.expr(seen, key.Expr)
		if err != nil {
			return err
		}
		o.keys = append(o.keys, e)
	}
	p.ops = append(p.ops, o)
	return nil
}

// cut adds ORDER BY, SKIP and LIMIT.
func (c *compiler) cut(p *partPlan, pr *cypher.Projection, keys []int, width int) error {
	count := func(e cypher.Expr, what string) (expr, error) {
		if e == nil {
			return nil, nil
		}
		for name := range freeVariables(e) {
			return nil, queryError("It is not allowed to refer to variables in %s: `%s`%s", what, name, c.where(e.Pos()))
		}
		alone := newScope()
		of, err := c.expr(alone, e)
		return func(x *exec, _ row) (any, error) { return of(x, make(row, alone.frame.size)) }, err
	}
	skip, err := count(pr.Skip, "SKIP")
	if err != nil {
		return err
	}
	limit, err := count(pr.Limit, "LIMIT")
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		o := &sortOp{keys: keys, width: width, skip: skip, limit: limit}
		for _, key := range pr.OrderBy {
			o.desc = append(o.desc, key.Desc)
		}
		p.ops = append(p.ops, o)
	}
	if skip != nil || limit != nil {
		p.ops = append(p.ops, &cutOp{skip, limit})
	}
	return nil
}

// projectOp computes the items of a projection.
type projectOp struct {
	to      rowMaker
	items   []expr
	aliases []int // slots of the old row that hold the items for the keys
	keys    []expr
}

func (o *projectOp) open(x *exec, consts []any, next sink) sink {
	return &projectSink{o, x, next, o.to.row(consts)}
}

type projectSink struct {
	*projectOp
	x    *exec
	next sink
	out  row
}

func (s *projectSink) push(r row) error {
	temp := s.x.temp
	for i, item := range s.items {
		v, err := item(s.x, r)
		if err != nil {
			return err
		}
		s.out[s.to.items[i]] = v
	}
	for i, slot := range s.aliases {
		r[slot] = s.out[s.to.items[i]]
	}
	for i, key := range s.keys {
		v, err := key(s.x, r)
		if err != nil {
			return err
		}
		s.out[s.to.keys[i]] = v
	}
	err := s.next.push(s.out)
	s.x.temp = temp
	return err
}

func (s *projectSink) done() error { return s.next.done() }

// keysOp computes the keys of an ORDER BY behind DISTINCT.
type keysOp struct {
	to   rowMaker
	keys []expr
}

func (o *keysOp) open(x *exec, _ []any, next sink) sink { return &keysSink{o, x, next} }

type keysSink struct {
	*keysOp
	x    *exec
	next sink
}

func (s *keysSink) push(r row) error {
	for i, key := range s.keys {
		v, err := key(s.x, r)
		if err != nil {
			return err
		}
		r[s.to.keys[i]] = v
	}
	return s.next.push(r)
}

func (s *keysSink) done() error { return s.next.done() }

// columnsOp narrows a row to the columns of RETURN.
type columnsOp struct{ slots []int }

func (o *columnsOp) open(_ *exec, _ []any, next sink) sink {
	return &columnsSink{o, next, make(row, len(o.slots))}
}

type columnsSink struct {
	*columnsOp
	next sink
	out  row
}

func (s *columnsSink) push(r row) error {
	for i, slot := range s.slots {
		s.out[i] = r[slot]
	}
	return s.next.push(s.out)
}

func (s *columnsSink) done() error { return s.next.done() }

// distinctOp lets the first of equal rows through.
type distinctOp struct{ slots []int }

func (o *distinctOp) open(x *exec, _ []any, next sink) sink {
	return &distinctSink{o, next, newKeys(x), make([]any, len(o.slots))}
}

type distinctSink struct {
	*distinctOp
	next sink
	seen *keys
	at   []any // what the row at hand has in the slots
}

func (s *distinctSink) push(r row) error {
	for i, slot := range s.slots {
		s.at[i] = r[slot]
	}
	if !s.seen.add(s.at...) {
		return nil
	}
	return s.next.push(r)
}

func (s *distinctSink) done() error {
	s.seen.forget()
	return s.next.done()
}
