package embedded

import (
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// An expr computes a value from a row.
type expr func(x *exec, r row) (any, error)

func constant(v any) expr { return func(*exec, row) (any, error) { return v, nil } }

func slotOf(i int) expr { return func(_ *exec, r row) (any, error) { return r[i], nil } }

// expr compiles e as seen from s.
func (c *compiler) expr(s *scope, e cypher.Expr) (expr, error) {
	if s.grouped != nil {
		if slot, ok := s.grouped.find(s, e); ok {
			return slotOf(slot), nil
		}
	}
	switch e := e.(type) {
	case *cypher.Literal:
		return constant(e.Value), nil
	case *cypher.Parameter:
		return c.parameter(e), nil
	case *cypher.Variable:
		v, err := c.variable(s, e.Name, e.Pos())
		if err != nil {
			return nil, err
		}
		return slotOf(v.slot), nil
	case *cypher.Property:
		return c.property(s, e)
	case *cypher.Index:
		if err := c.checkIndex(s, e); err != nil {
			return nil, err
		}
		return c.two(s, e.X, e.I, index)
	case *cypher.Slice:
		return c.slice(s, e)
	case *cypher.List:
		return c.list(s, e)
	case *cypher.Map:
		return c.mapLiteral(s, e)
	case *cypher.MapProjection:
		return c.mapProjection(s, e)
	case *cypher.Unary:
		return c.unary(s, e)
	case *cypher.Binary:
		return c.binary(s, e)
	case *cypher.Comparison:
		return c.comparison(s, e)
	case *cypher.IsNull:
		x, err := c.expr(s, e.X)
		return func(ex *exec, r row) (any, error) {
			v, err := x(ex, r)
			return (v == nil) != e.Not, err
		}, err
	case *cypher.IsTyped:
		return c.isTyped(s, e)
	case *cypher.IsNormalized:
		return c.isNormalized(s, e)
	case *cypher.Subject:
		return slotOf(s.vars[subject].slot), nil
	case *cypher.HasLabels:
		return c.hasLabels(s, e)
	case *cypher.Call:
		return c.call(s, e)
	case *cypher.Case:
		return c.caseOf(s, e)
	case *cypher.ListComprehension:
		return c.listComprehension(s, e)
	case *cypher.Quantified:
		return c.quantified(s, e)
	case *cypher.Reduce:
		return c.reduce(s, e)
	case *cypher.PatternComprehension:
		return c.patternComprehension(s, e)
	case *cypher.PatternPredicate:
		if err := c.checkPattern(e); err != nil {
			return nil, err
		}
		return c.patternPredicate(s, e.Path)
	case *cypher.Subquery:
		return c.subquery(s, e)
	}
	return nil, unsupported("expressions of the kind %T", e)
}

func (c *compiler) exprs(s *scope, es []cypher.Expr) ([]expr, error) {
	out := make([]expr, len(es))
	for i, e := range es {
		var err error
		if out[i], err = c.expr(s, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// two compiles an operation on two values.
func (c *compiler) two(s *scope, a, b cypher.Expr, do func(x *exec, a, b any) (any, error)) (expr, error) {
	return c.operation(c.expr, s, a, b, do)
}

// conditions compiles an operation on two conditions.
func (c *compiler) conditions(s *scope, a, b cypher.Expr, do func(x *exec, a, b any) (any, error)) (expr, error) {
	return c.operation(c.condition, s, a, b, do)
}

func (c *compiler) operation(operand func(*scope, cypher.Expr) (expr, error), s *scope, a, b cypher.Expr,
	do func(x *exec, a, b any) (any, error)) (expr, error) {
	l, err := operand(s, a)
	if err != nil {
		return nil, err
	}
	r, err := operand(s, b)
	if err != nil {
		return nil, err
	}
	return func(x *exec, in row) (any, error) {
		mark := x.temp
		a, err := l(x, in)
		if err != nil {
			return nil, err
		}
		b, err := r(x, in)
		if err != nil {
			return nil, err
		}
		v, err := do(x, a, b)
		x.settle(mark, v)
		return v, err
	}, nil
}

func (c *compiler) variable(s *scope, name string, at cypher.Pos) (variable, error) {
	if v, ok := s.vars[name]; ok {
		return v, nil
	}
	if s.grouped != nil {
		return variable{}, s.grouped.missing(c, name, at)
	}
	return variable{}, c.undefined(name, at)
}

func (c *compiler) parameter(e *cypher.Parameter) expr {
	if _, ok := c.needs[e.Name]; !ok {
		c.needs[e.Name] = int(e.Pos())
	}
	return func(x *exec, _ row) (any, error) { return x.params[e.Name], nil }
}

func (c *compiler) property(s *scope, e *cypher.Property) (expr, error) {
	if err := c.want(s, e.X, withFields); err != nil {
		return nil, err
	}
	of, err := c.expr(s, e.X)
	if err != nil {
		return nil, err
	}
	key := c.g.keys.find(e.Key)
	if v, ok := e.X.(*cypher.Variable); ok && key < 0 {
		if k := s.vars[v.Name].kind; k == nodeKind || k == relKind {
			c.unknownName("property", e.Key, e.X.Pos())
		}
	}
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case *node:
			return property(v.props, key), nil
		case *rel:
			return property(v.props, key), nil
		}
		return fieldOf(v, e.Key)
	}, nil
}

// fieldOf is v.key for values other than nodes and relationships.
func fieldOf(v any, key string) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v[key], nil
	case store.Point:
		return pointField(v, key)
	case store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime, store.Duration:
		return component(v, key)
	}
	return nil, mismatch("Map, Node, Relationship, Point, Duration, Date, Time, LocalTime, LocalDateTime or DateTime", v)
}

// index is a[b].
func index(x *exec, a, b any) (any, error) {
	switch a := a.(type) {
	case nil:
		return nil, nil
	case []any:
		if b == nil {
			return nil, nil
		}
		i, ok := b.(int64)
		if !ok {
			return nil, mismatch("Integer", b)
		}
		if i < 0 {
			i += int64(len(a))
		}
		if i < 0 || i >= int64(len(a)) {
			return nil, nil
		}
		return a[i], nil
	case *node, *rel, map[string]any, store.Point:
		if b == nil {
			return nil, nil
		}
		key, ok := b.(string)
		if !ok {
			return nil, mismatch("String", b)
		}
		switch a := a.(type) {
		case *node:
			return property(a.props, x.g.keys.find(key)), nil
		case *rel:
			return property(a.props, x.g.keys.find(key)), nil
		}
		return fieldOf(a, key)
	}
	if key, ok := b.(string); ok {
		return fieldOf(a, key)
	}
	return nil, mismatch("List<Any>, Map, Node or Relationship", a)
}

func (c *compiler) slice(s *scope, e *cypher.Slice) (expr, error) {
	list, err := c.listExpr(s, e.X)
	if err != nil {
		return nil, err
	}
	bound := func(e cypher.Expr) (expr, error) {
		if e == nil {
			return nil, nil
		}
		if err := c.want(s, e, kinds{intKind}); err != nil {
			return nil, err
		}
		return c.expr(s, e)
	}
	from, err := bound(e.From)
	if err != nil {
		return nil, err
	}
	to, err := bound(e.To)
	if err != nil {
		return nil, err
	}
	// at returns where a bound falls in a list of n; ok is false for null.
	at := func(x *exec, r row, e expr, n, missing int) (i int, ok bool, err error) {
		if e == nil {
			return missing, true, nil
		}
		v, err := e(x, r)
		if v == nil || err != nil {
			return 0, false, err
		}
		k, isInt := v.(int64)
		if !isInt {
			return 0, false, mismatch("Integer", v)
		}
		if k < 0 {
			k += int64(n)
		}
		return int(min(max(k, 0), int64(n))), true, nil
	}
	return func(x *exec, r row) (any, error) {
		v, err := list(x, r)
		if v == nil || err != nil {
			return nil, err
		}
		l, ok := v.([]any)
		if !ok { // Neo4j takes what it didn't know to be no list for the only item of one
			l = []any{v}
		}
		i, ok, err := at(x, r, from, len(l), 0)
		if !ok || err != nil {
			return nil, err
		}
		j, ok, err := at(x, r, to, len(l), len(l))
		if !ok || err != nil {
			return nil, err
		}
		if i >= j {
			return []any{}, nil
		}
		x.make(listBytes + slotBytes*(j-i))
		return slices.Clone(l[i:j]), nil // a part would keep the whole
	}, nil
}

func (c *compiler) list(s *scope, e *cypher.List) (expr, error) {
	items, err := c.exprs(s, e.Items)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		x.make(listBytes + largeBytes*len(items))
		out := make([]any, len(items))
		for i, item := range items {
			var err error
			if out[i], err = item(x, r); err != nil {
				return nil, err
			}
		}
		return out, nil
	}, nil
}

func (c *compiler) hasLabels(s *scope, e *cypher.HasLabels) (expr, error) {
	if err := c.want(s, e.X, ofEntity); err != nil {
		return nil, err
	}
	of, err := c.expr(s, e.X)
	if err != nil {
		return nil, err
	}
	kind := anyKind
	if v, ok := e.X.(*cypher.Variable); ok {
		kind = s.vars[v.Name].kind
	}
	var sets, types []bool
	if kind != relKind {
		sets = c.labelSets(e.Labels)
	}
	if kind != nodeKind {
		types = c.typesOf(e.Labels)
	}
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case nil:
			return nil, nil
		case *node:
			return sets == nil || sets[v.labels], nil
		case *rel:
			return types == nil || types[v.typ], nil
		}
		return nil, mismatch("Node or Relationship", v)
	}, nil
}
