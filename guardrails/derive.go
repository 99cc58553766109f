package guardrails

import (
	"math"
	"slices"
	"strings"

	"precedent/store/cypher"
)

func (d *drafted) expr(x cypher.Expr) origin {
	switch x := x.(type) {
	case *cypher.Literal:
		return d.constant(x.Value)
	case *cypher.Parameter:
		return d.constant(d.params[x.Name])
	case *cypher.Variable:
		if from, ok := d.of[x.Name]; ok {
			return from
		}
		return found
	case *cypher.Property:
		return d.expr(x.X)
	case *cypher.Index:
		return d.expr(x.X)
	case *cypher.Slice:
		return d.expr(x.X)
	case *cypher.List:
		return d.all(x.Items...)
	case *cypher.Map:
		return d.all(x.Values...)
	case *cypher.MapProjection:
		out := d.expr(&cypher.Variable{Name: x.Var})
		for _, item := range x.Items {
			out = both(out, d.all(item.Value))
		}
		return out
	case *cypher.Unary:
		if x.Op == cypher.Not {
			return d.condition(x)
		}
		return d.expr(x.X)
	case *cypher.Binary:
		return d.binary(x)
	case *cypher.Case:
		return d.cases(x)
	case *cypher.Call:
		return d.call(x)
	case *cypher.Subquery:
		if x.Kind == cypher.Collect {
			return d.statement(x.Body)
		}
		return found
	}
	return d.loop(x)
}

// loop judges the expressions that bind a variable of their own, and conditions.
func (d *drafted) loop(x cypher.Expr) origin {
	switch x := x.(type) {
	case *cypher.ListComprehension:
		d.of[x.Var] = d.expr(x.List)
		if x.Map != nil {
			return d.expr(x.Map)
		}
		return d.of[x.Var]
	case *cypher.PatternComprehension:
		d.matched = true
		d.bind(x.Path)
		return d.expr(x.Map)
	case *cypher.Reduce:
		d.of[x.Var] = d.expr(x.List)
		d.of[x.Acc] = d.bucket(x.Init)
		return both(d.of[x.Acc], d.expr(x.Body))
	}
	return d.condition(x)
}

// condition is where a truth value comes from: the graph, if it looks at anything
// of it and nothing in it is settled before.
func (d *drafted) condition(x cypher.Expr) origin {
	out, settled := madeUp, false
	cypher.Walk(x, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Variable:
			if from, ok := d.of[n.Name]; !ok || from == found {
				out = found
			}
		case *cypher.Path, *cypher.Subquery:
			out = found
		case *cypher.Comparison:
			for i, x := range n.X[1:] {
				settled = settled || cypher.Print(x) == cypher.Print(n.X[i])
			}
		case *cypher.Binary:
			if n.Op == cypher.And || n.Op == cypher.Or || n.Op == cypher.Xor {
				settled = settled || isTruth(n.L) || isTruth(n.R)
			}
		case *cypher.Call:
			if d.expr(n) == found {
				out = found
			}
		}
		return true
	})
	if settled {
		return madeUp
	}
	return out
}

// isTruth reports whether x is true or false as written.
func isTruth(x cypher.Expr) bool {
	l, ok := x.(*cypher.Literal)
	if !ok {
		return false
	}
	_, ok = l.Value.(bool)
	return ok
}

func (d *drafted) cases(x *cypher.Case) origin {
	out := said
	for _, w := range x.Whens {
		if slices.ContainsFunc(append([]cypher.Expr{w.Cond}, w.Or...), func(x cypher.Expr) bool { return d.condition(x) == found }) || x.Subject != nil && d.expr(x.Subject) == found {
			out = found
		}
	}
	for _, w := range x.Whens {
		out = both(out, d.bucket(w.Then))
	}
	if x.Else != nil {
		out = both(out, d.bucket(x.Else))
	}
	return out
}

// passes are functions that return what they are given, or put it together.
var passes = []string{"coalesce", "nullif", "head", "last", "reverse", "tail", "collect", "tostring", "tointeger", "tofloat", "toboolean", "abs", "round", "floor", "ceil",
	"toupper", "tolower", "upper", "lower", "trim", "btrim", "ltrim", "rtrim", "left", "right", "substring", "sum", "avg", "min", "max", "date", "datetime", "localdatetime", "time", "localtime", "duration", "range"}

func (d *drafted) call(x *cypher.Call) origin {
	name := strings.ToLower(x.Name)
	switch {
	case name == "count" || name == "size" && len(x.Args) == 1 && d.expr(x.Args[0]) != madeUp:
		if d.matched {
			return found
		}
		return madeUp
	case name == "coalesce":
		out := said
		for _, arg := range x.Args {
			out = both(out, d.bucket(arg))
		}
		return out
	case name == "sum" && len(x.Args) == 1:
		if from := d.bucket(x.Args[0]); from != said || !d.matched {
			return from
		}
		return found
	case name == "replace" && len(x.Args) == 3:
		return both(d.expr(x.Args[0]), d.expr(x.Args[2]))
	case len(x.Args) == 0:
		return said
	case slices.Contains(passes, name):
		return d.expr(x.Args[0])
	case strings.HasPrefix(name, "apoc."):
		return d.all(x.Args...)
	}
	out := said
	for _, arg := range x.Args {
		if from := d.expr(arg); from == found {
			return found
		} else {
			out = both(out, from)
		}
	}
	return out
}

// bucket is where the value comes from that stands for a group of others: 1 and 0
// count, and a name of a group says no more than why it is one.
func (d *drafted) bucket(x cypher.Expr) origin {
	l, ok := x.(*cypher.Literal)
	if !ok {
		return d.expr(x)
	}
	switch v := l.Value.(type) {
	case bool:
		return said
	case string:
		if d.group(v) {
			return said
		}
	default:
		if n := d.scalar(l); n != nil && (*n == 0 || *n == 1 || *n == -1) {
			return said
		}
	}
	return d.expr(x)
}

// constant is where a value comes from that stands in the query itself.
func (d *drafted) constant(v any) origin {
	switch v := v.(type) {
	case nil:
		return said
	case string:
		if d.says(v) {
			return said
		}
	case []any:
		for _, x := range v {
			if d.constant(x) == madeUp {
				return madeUp
			}
		}
		return said
	case int64:
		if slices.Contains(d.Numbers, float64(v)) {
			return said
		}
	case float64:
		if slices.Contains(d.Numbers, v) {
			return said
		}
	}
	return madeUp
}

func (d *drafted) binary(x *cypher.Binary) origin {
	switch x.Op {
	case cypher.Add, cypher.Sub, cypher.Concat:
		return both(d.added(x.L), d.added(x.R))
	case cypher.Mul, cypher.Div, cypher.Mod, cypher.Pow:
		l, r := d.scalar(x.L), d.scalar(x.R)
		switch {
		case r != nil && d.undone(x, *r) != nil:
			return d.expr(d.undone(x, *r))
		case r != nil && d.factor(*r, x.Op):
			return d.expr(x.L)
		case l != nil && x.Op == cypher.Mul && d.factor(*l, x.Op):
			return d.expr(x.R)
		}
		return both(d.expr(x.L), d.expr(x.R))
	}
	return d.condition(x)
}

// added is where a part of a sum comes from: one more or less is counting.
func (d *drafted) added(x cypher.Expr) origin {
	if n := d.scalar(x); n != nil && (*n == 1 || *n == 0) {
		return said
	}
	return d.expr(x)
}

// scalar is the number that x is as written, or nil.
func (d *drafted) scalar(x cypher.Expr) *float64 {
	var v any
	switch x := x.(type) {
	case *cypher.Literal:
		v = x.Value
	case *cypher.Parameter:
		v = d.params[x.Name]
	}
	switch v := v.(type) {
	case int64:
		f := float64(v)
		return &f
	case float64:
		return &v
	}
	return nil
}

// factor reports whether multiplying or dividing by n changes a unit: percent,
// hours, weeks, thousands, roots and squares.
func (d *drafted) factor(n float64, op cypher.BinaryOp) bool {
	n = math.Abs(n)
	switch op {
	case cypher.Mul:
		return slices.Contains([]float64{1, 100, 60, 24, 7, 12}, n) || d.percents(n)
	case cypher.Div:
		if log := math.Log10(n); n >= 1 && log == math.Trunc(log) {
			return true
		}
		return slices.Contains([]float64{2, 60, 3600, 24, 7, 12, 30, 365, 365.25, 1024, 1048576, 52, 1073741824, 86400}, n)
	case cypher.Mod:
		return true
	case cypher.Pow:
		return n == 2 || n == 0.5
	}
	return false
}

// percents reports whether n is so many percent, or so many more or less than all,
// as the question says.
func (d *drafted) percents(n float64) bool {
	return slices.ContainsFunc(Quantities(d.Question), func(q Quantity) bool {
		return q.percent > 0 && slices.ContainsFunc([]float64{q.percent, 1 + q.percent, 1 - q.percent}, func(m float64) bool { return math.Abs(n-m) < 1e-9 })
	})
}

// undone is what x multiplies by n after it was divided by it, as a decade is made of
// a year, or the other way round, as a number is rounded; nil for anything else.
func (d *drafted) undone(x *cypher.Binary, n float64) cypher.Expr {
	inner := x.L
	for {
		call, ok := inner.(*cypher.Call)
		if !ok || len(call.Args) == 0 {
			break
		}
		inner = call.Args[0]
	}
	by, ok := inner.(*cypher.Binary)
	if !ok || !(x.Op == cypher.Mul && by.Op == cypher.Div || x.Op == cypher.Div && by.Op == cypher.Mul) {
		return nil
	}
	if was := d.scalar(by.R); was == nil || *was != n {
		return nil
	}
	return by.L
}
