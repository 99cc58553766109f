package embedded

import (
	"math"
	"strings"

	"precedent/store/cypher"
)

func asTruth(v any) (truth, error) {
	switch v := v.(type) {
	case nil:
		return unknown, nil
	case bool:
		return truthOf(v), nil
	case []any: // a list is true where it holds something, as Neo4j still has it
		return truthOf(len(v) > 0), nil
	}
	return no, mismatch("Boolean", v)
}

func (c *compiler) unary(s *scope, e *cypher.Unary) (expr, error) {
	operand := c.expr
	if e.Op == cypher.Not {
		operand = c.condition
	} else if err := c.want(s, e.X, ofNumber); err != nil {
		return nil, err
	}
	of, err := operand(s, e.X)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if err != nil || v == nil {
			return nil, err
		}
		switch e.Op {
		case cypher.Not:
			t, err := asTruth(v)
			return t.not().value(), err
		case cypher.Neg:
			switch v := v.(type) {
			case int64:
				if v == math.MinInt64 {
					return nil, overflow
				}
				return -v, nil
			case float64:
				return -v, nil
			}
		case cypher.Plus:
			switch v.(type) {
			case int64, float64:
				return v, nil
			}
		}
		return nil, mismatch("Float or Integer", v)
	}, nil
}

func (c *compiler) binary(s *scope, e *cypher.Binary) (expr, error) {
	if err := c.checkOperands(s, e); err != nil {
		return nil, err
	}
	switch e.Op {
	case cypher.And, cypher.Or:
		return c.andOr(s, e)
	case cypher.Xor:
		return c.conditions(s, e.L, e.R, func(_ *exec, a, b any) (any, error) {
			l, err := asTruth(a)
			if err != nil {
				return nil, err
			}
			r, err := asTruth(b)
			if err != nil || l == unknown || r == unknown {
				return nil, err
			}
			return l != r, nil
		})
	case cypher.In:
		return c.two(s, e.L, e.R, in)
	case cypher.Matches:
		return c.matches(s, e)
	}
	do, ok := operators[e.Op]
	if !ok {
		return nil, unsupported("operator %d", e.Op)
	}
	return c.two(s, e.L, e.R, do)
}

var operators = map[cypher.BinaryOp]func(x *exec, a, b any) (any, error){
	cypher.Add: add, cypher.Sub: subtract, cypher.Mul: multiply, cypher.Div: divide, cypher.Mod: modulo, cypher.Pow: power,
	cypher.Concat:     concat,
	cypher.StartsWith: onTexts(strings.HasPrefix), cypher.EndsWith: onTexts(strings.HasSuffix), cypher.Contains: onTexts(strings.Contains),
}

// onTexts makes a predicate of two texts, null where either is no text.
func onTexts(holds func(s, part string) bool) func(x *exec, a, b any) (any, error) {
	return func(x *exec, a, b any) (any, error) {
		s, ok := a.(string)
		part, ok2 := b.(string)
		if !ok || !ok2 {
			return nil, nil
		}
		x.work(len(s))
		return holds(s, part), nil
	}
}

// in is a IN b.
func in(x *exec, a, b any) (any, error) {
	if b == nil {
		return nil, nil
	}
	list, ok := b.([]any)
	if !ok {
		return nil, mismatch("List<Any>", b)
	}
	found := no
	for _, item := range list {
		x.tick()
		switch x.equal(a, item) {
		case yes:
			return true, nil
		case unknown:
			found = unknown
		}
	}
	return found.value(), nil
}

func (c *compiler) comparison(s *scope, e *cypher.Comparison) (expr, error) {
	xs, err := c.exprs(s, e.X)
	if err != nil {
		return nil, err
	}
	if len(e.Ops) == 1 {
		op, l, r := e.Ops[0], xs[0], xs[1]
		return func(x *exec, in row) (any, error) {
			temp := x.temp
			a, err := l(x, in)
			if err != nil {
				return nil, err
			}
			b, err := r(x, in)
			if err != nil {
				return nil, err
			}
			t := x.compare(op, a, b)
			x.temp = temp
			return t.value(), nil
		}, nil
	}
	return func(x *exec, in row) (any, error) {
		temp := x.temp
		all := yes
		left, err := xs[0](x, in)
		if err != nil {
			return nil, err
		}
		for i, op := range e.Ops {
			right, err := xs[i+1](x, in)
			if err != nil {
				return nil, err
			}
			switch x.compare(op, left, right) {
			case no:
				return false, nil
			case unknown:
				all = unknown
			}
			left = right
		}
		x.temp = temp
		return all.value(), nil
	}, nil
}

func (x *exec) compare(op cypher.CompareOp, a, b any) truth {
	switch op {
	case cypher.Eq:
		return x.equal(a, b)
	case cypher.Ne:
		return x.equal(a, b).not()
	}
	if a == nil || b == nil {
		return unknown
	}
	c, ok := x.less(a, b)
	if ok != yes {
		return ok
	}
	switch op {
	case cypher.Lt:
		return truthOf(c < 0)
	case cypher.Le:
		return truthOf(c <= 0)
	case cypher.Gt:
		return truthOf(c > 0)
	}
	return truthOf(c >= 0)
}

// listExpr compiles a list to go through.
func (c *compiler) listExpr(s *scope, e cypher.Expr) (expr, error) {
	if err := c.want(s, e, ofList); err != nil {
		return nil, err
	}
	return c.expr(s, e)
}

func (c *compiler) listComprehension(s *scope, e *cypher.ListComprehension) (expr, error) {
	list, err := c.listExpr(s, e.List)
	if err != nil {
		return nil, err
	}
	inner := s.child()
	slot := inner.declare(e.Var, c.elementKind(s, e.List)).slot
	where := func(*exec, row) (truth, error) { return yes, nil }
	if e.Where != nil {
		if where, err = c.predicate(inner, e.Where); err != nil {
			return nil, err
		}
	}
	value := slotOf(slot)
	if e.Map != nil {
		if value, err = c.expr(inner, e.Map); err != nil {
			return nil, err
		}
	}
	return func(x *exec, r row) (any, error) {
		items, null, err := eachOf(x, r, list)
		if null || err != nil {
			return nil, err
		}
		out := make([]any, 0, min(len(items), 64))
		for _, item := range items {
			x.tick()
			r[slot] = item
			mark := x.temp
			ok, err := where(x, r)
			if err != nil {
				return nil, err
			}
			x.temp = mark
			if ok != yes {
				continue
			}
			v, err := value(x, r)
			if err != nil {
				return nil, err
			}
			x.settle(mark, v)
			x.make(slotBytes + itemBytes(v)) // a slot more, for a list has room to grow
			out = append(out, v)
		}
		return out, nil
	}, nil
}

// eachOf evaluates a list to go through.
func eachOf(x *exec, r row, list expr) (items []any, null bool, err error) {
	v, err := list(x, r)
	if v == nil || err != nil {
		return nil, true, err
	}
	items, ok := v.([]any)
	if !ok {
		return nil, false, mismatch("List<Any>", v)
	}
	return items, false, nil
}

func (c *compiler) quantified(s *scope, e *cypher.Quantified) (expr, error) {
	list, err := c.listExpr(s, e.List)
	if err != nil {
		return nil, err
	}
	inner := s.child()
	slot := inner.declare(e.Var, c.elementKind(s, e.List)).slot
	if e.Where == nil {
		return nil, queryError("%s(...) requires a WHERE predicate%s", e.Kind, c.where(e.Pos()))
	}
	where, err := c.predicate(inner, e.Where)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		items, null, err := eachOf(x, r, list)
		if null || err != nil {
			return nil, err
		}
		var count [3]int // by truth
		for _, item := range items {
			x.tick()
			r[slot] = item
			mark := x.temp
			t, err := where(x, r)
			if err != nil {
				return nil, err
			}
			x.temp = mark
			count[t]++
			if e.Kind == "any" && t == yes || e.Kind == "all" && t == no || e.Kind == "none" && t == yes || e.Kind == "single" && count[yes] > 1 {
				break
			}
		}
		switch e.Kind {
		case "any":
			return firstTrue(count[yes] > 0, true, count[unknown] > 0, false), nil
		case "all":
			return firstTrue(count[no] > 0, false, count[unknown] > 0, true), nil
		case "none":
			return firstTrue(count[yes] > 0, false, count[unknown] > 0, true), nil
		}
		return firstTrue(count[yes] > 1, false, count[unknown] > 0, count[yes] == 1), nil
	}, nil
}

// firstTrue is decision where decided, else null where in doubt, else otherwise.
func firstTrue(decided, decision, doubt, otherwise bool) any {
	switch {
	case decided:
		return decision
	case doubt:
		return nil
	}
	return otherwise
}

// reachableFrom is how many bytes a reduce makes before it is looked at how many
// of them are still of use.
const reachableFrom = 1 << 20

func (c *compiler) reduce(s *scope, e *cypher.Reduce) (expr, error) {
	start, err := c.expr(s, e.Init)
	if err != nil {
		return nil, err
	}
	list, err := c.listExpr(s, e.List)
	if err != nil {
		return nil, err
	}
	inner := s.child()
	acc, item := inner.declare(e.Acc, anyKind).slot, inner.declare(e.Var, c.elementKind(s, e.List)).slot
	body, err := c.expr(inner, e.Body)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		items, null, err := eachOf(x, r, list)
		if null || err != nil {
			return nil, err
		}
		mark := x.temp
		v, err := start(x, r)
		if err != nil {
			return nil, err
		}
		const stepsPerWeighing = 100 // so that it costs little beside building
		most := reachableFrom
		for i, it := range items {
			x.tick()
			if i%stepsPerWeighing == 0 {
				x.weighAt(v, 0, maxDepth)
			}
			r[acc], r[item] = v, it
			if v, err = body(x, r); err != nil {
				return nil, err
			}
			x.settle(mark, v)
			if x.temp-mark > most {
				if bytes, ok := x.reachable(v); ok {
					x.temp = mark + min(bytes, x.temp-mark)
				}
				most = 2*(x.temp-mark) + reachableFrom
			}
		}
		return v, nil
	}, nil
}
