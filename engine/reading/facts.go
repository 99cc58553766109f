package reading

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// Facts are what a query says, found on its tree: enough to hold it against
// the words of a question.
type Facts struct {
	Rels     []RelFact
	Compared []Comparison
	Nulls    []NullFact
	Orders   []OrderFact
	Limits   []cypher.Expr
	Skips    int
	Calls    []CallFact      // aggregates
	Labels   map[string]bool // named in patterns, not denied
	Params   map[string]bool // used anywhere
	Returned map[string]bool // properties that reach the result, by name
	Props    map[string]bool // every property read, by name
	Shortest bool            // a shortest path is looked for
}

// RelFact is a relationship pattern.
type RelFact struct {
	Types []string // none: any
	Neg   bool     // under NOT, or counted to be 0
}

// A Comparison holds something of a node against a parameter, a literal or
// another property.
type Comparison struct {
	Prop    string   // the property's name; "" where Count is compared
	Count   bool     // a number of things, not a property
	Op      string   // =, <>, <, <=, >, >=, has, in, contains, starts with, ends with, matches
	Params  []string // the parameters of a list it is held against
	Param   string   // the parameter it is held against, or ""
	Value   any      // the literal, where Literal
	Literal bool
	Than    string // the property it is held against, or ""
	Neg     bool
}

// NullFact is IS NULL or, negated, IS NOT NULL.
type NullFact struct {
	Prop string
	Null bool
}

// OrderFact is one key of an ORDER BY.
type OrderFact struct {
	Props []string
	Count bool
	Desc  bool
}

// CallFact is an aggregate and the properties in it.
type CallFact struct {
	Name  string // count, avg, sum, min, max, collect, …
	Props []string
}

var aggregates = []string{"count", "avg", "sum", "min", "max", "collect", "stdev", "stdevp", "percentilecont", "percentiledisc"}

// FactsOf reads the facts off a statement.
func FactsOf(s *cypher.Statement) *Facts {
	f := &Facts{Labels: map[string]bool{}, Params: map[string]bool{}, Returned: map[string]bool{}, Props: map[string]bool{}}
	w := factWalk{f: f, alias: map[string]cypher.Expr{}}
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.With:
			w.aliases(n.Projection)
		case *cypher.Return:
			w.aliases(n.Projection)
		case *cypher.Unwind:
			w.alias[n.Var] = n.List
		case *cypher.Parameter:
			f.Params[n.Name] = true
		case *cypher.Property:
			f.Props[n.Key] = true
		}
		return true
	})
	w.statement(s, false)
	return f
}

// cond reads a predicate; neg tells that it is denied.
func (w *factWalk) cond(e cypher.Expr, neg bool) {
	switch x := e.(type) {
	case nil:
	case *cypher.Unary:
		if x.Op == cypher.Not {
			w.cond(x.X, !neg)
			return
		}
		w.value(x, neg)
	case *cypher.Binary:
		switch x.Op {
		case cypher.And, cypher.Or, cypher.Xor:
			w.cond(x.L, neg)
			w.cond(x.R, neg)
		case cypher.In:
			w.membership(x, neg)
		case cypher.Contains, cypher.StartsWith, cypher.EndsWith, cypher.Matches:
			op := map[cypher.BinaryOp]string{cypher.Contains: "contains", cypher.StartsWith: "starts with", cypher.EndsWith: "ends with", cypher.Matches: "matches"}[x.Op]
			w.compare(x.L, op, x.R, neg)
		default:
			w.value(x, neg)
		}
	case *cypher.Comparison:
		for i, op := range x.Ops {
			w.compare(x.X[i], compareOps[op], x.X[i+1], neg)
		}
	case *cypher.IsNull:
		for _, p := range w.props(x.X) {
			w.f.Nulls = append(w.f.Nulls, NullFact{p, x.Not == neg})
		}
		w.value(x.X, neg)
	case *cypher.HasLabels:
		if !neg {
			for _, l := range labels(x.Labels) {
				w.f.Labels[l] = true
			}
		}
	case *cypher.PatternPredicate:
		w.path(x.Path, neg)
	case *cypher.Subquery:
		w.statement(x.Body, neg)
	case *cypher.Quantified:
		w.cond(x.Where, neg != (x.Kind == "none"))
		w.value(x.List, neg)
	case *cypher.Call:
		if strings.EqualFold(x.Name, "exists") && len(x.Args) == 1 {
			if p, ok := x.Args[0].(*cypher.PatternPredicate); ok {
				w.path(p.Path, neg)
				return
			}
		}
		w.value(x, neg)
	default:
		w.value(e, neg)
	}
}

var compareOps = map[cypher.CompareOp]string{cypher.Eq: "=", cypher.Ne: "<>", cypher.Lt: "<", cypher.Le: "<=", cypher.Gt: ">", cypher.Ge: ">="}

var flipped = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func (w *factWalk) compare(l cypher.Expr, op string, r cypher.Expr, neg bool) {
	zero := func(e cypher.Expr) bool {
		lit, ok := e.(*cypher.Literal)
		return ok && lit.Value == int64(0)
	}
	if s, ok := w.resolve(l).(*cypher.Subquery); ok && s.Kind == cypher.Count && zero(r) { // COUNT {…} = 0, > 0
		w.statement(s.Body, neg != (op == "=" || op == "<="))
		return
	}
	w.value(l, neg)
	w.value(r, neg)
	lp, rp := w.props(l), w.props(r)
	lc, rc := w.counts(l), w.counts(r)
	c := Comparison{Op: op, Neg: neg}
	switch {
	case lc && !rc:
		c.Count = true
		w.operand(&c, r)
	case rc && !lc:
		c.Count, c.Op = true, flipped[op]
		w.operand(&c, l)
	case len(lp) > 0:
		c.Prop = lp[0]
		w.operand(&c, r)
	case len(rp) > 0 && flipped[op] != "":
		c.Prop, c.Op = rp[0], flipped[op]
		w.operand(&c, l)
	case len(rp) > 0:
		c.Prop = rp[0]
		w.operand(&c, l)
	default:
		return
	}
	w.f.Compared = append(w.f.Compared, c)
}

// membership is x IN list: a property's list has a value, or a property is one of several.
func (w *factWalk) membership(x *cypher.Binary, neg bool) {
	w.value(x.L, neg)
	w.value(x.R, neg)
	c := Comparison{Neg: neg}
	if rp := w.props(x.R); len(rp) > 0 {
		c.Prop, c.Op = rp[0], "has"
		w.operand(&c, x.L)
	} else if lp := w.props(x.L); len(lp) > 0 {
		c.Prop, c.Op = lp[0], "in"
		w.operand(&c, x.R)
	} else {
		return
	}
	w.f.Compared = append(w.f.Compared, c)
}

// value reads what stands inside an expression that is no predicate.
func (w *factWalk) value(e cypher.Expr, neg bool) {
	if e == nil {
		return
	}
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Call:
			if name := strings.ToLower(n.Name); slices.Contains(aggregates, name) {
				var ps []string
				for _, a := range n.Args {
					ps = append(ps, w.props(a)...)
				}
				w.f.Calls = append(w.f.Calls, CallFact{name, ps})
			}
		case *cypher.Subquery:
			if n.Kind == cypher.Count {
				w.f.Calls = append(w.f.Calls, CallFact{Name: "count"})
			}
			w.statement(n.Body, neg)
			return false
		case *cypher.PatternPredicate:
			w.path(n.Path, neg)
			return false
		case *cypher.PatternComprehension:
			w.path(n.Path, neg)
			w.cond(n.Where, neg)
			w.value(n.Map, neg)
			return false
		case *cypher.ListComprehension:
			w.cond(n.Where, neg)
			w.value(n.List, neg)
			w.value(n.Map, neg)
			return false
		case *cypher.Quantified:
			w.cond(n, neg)
			return false
		case *cypher.Case:
			for _, when := range n.Whens {
				w.cond(when.Cond, neg)
				for _, or := range when.Or {
					w.cond(or, neg)
				}
			}
		case *cypher.Comparison:
			if n != e {
				w.cond(n, neg)
				return false
			}
			for i, op := range n.Ops {
				w.compare(n.X[i], compareOps[op], n.X[i+1], neg)
			}
			return false
		case *cypher.Unary:
			if n.Op == cypher.Not {
				w.cond(n.X, !neg)
				return false
			}
		case *cypher.IsNull:
			if n != e {
				w.cond(n, neg)
				return false
			}
		}
		return true
	})
}
