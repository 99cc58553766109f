package tell

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// A shape is a query of one part, whose columns are the items of its RETURN.
type shape struct {
	clauses []cypher.Clause
	end     *cypher.Return
	params  map[string]any
	alias   map[string]cypher.Expr   // what a name that is given once stands for
	given   map[string][]cypher.Expr // all that a name is given to
}

// shapeOf is the shape of a query, or nil where it has none.
func shapeOf(query string, params map[string]any, columns int) *shape {
	s, err := cypher.Parse(query)
	if err != nil || len(s.Parts) != 1 || len(s.Parts[0].Clauses) == 0 {
		return nil
	}
	clauses := s.Parts[0].Clauses
	end, ok := clauses[len(clauses)-1].(*cypher.Return)
	if !ok || end.Star || len(end.Items) != columns {
		return nil
	}
	sh := &shape{clauses: clauses, end: end, params: params, alias: map[string]cypher.Expr{}, given: map[string][]cypher.Expr{}}
	for _, c := range clauses {
		switch w := c.(type) {
		case *cypher.CallSubquery, *cypher.CallProcedure:
			return nil // names inside are others
		case *cypher.With:
			for _, it := range w.Items {
				if v, ok := it.Expr.(*cypher.Variable); ok && v.Name == it.Name() {
					continue // handed on
				}
				sh.given[it.Name()] = append(sh.given[it.Name()], it.Expr)
				sh.alias[it.Name()] = it.Expr
			}
		}
	}
	for name, given := range sh.given {
		if len(given) > 1 {
			delete(sh.alias, name)
		}
	}
	return sh
}

// item is what stands in a column, an alias of WITH looked up.
func (sh *shape) item(i int) cypher.Expr { return sh.meant(sh.end.Items[i].Expr) }

func (sh *shape) meant(e cypher.Expr) cypher.Expr {
	if v, ok := e.(*cypher.Variable); ok && sh.alias[v.Name] != nil {
		return sh.alias[v.Name]
	}
	return e
}

// column is the column that holds e, or -1.
func (sh *shape) column(e cypher.Expr) int {
	want := cypher.Print(sh.meant(e))
	return slices.IndexFunc(sh.end.Items, func(it *cypher.Item) bool { return cypher.Print(sh.meant(it.Expr)) == want })
}

// sortColumn is the column by which rows are ordered first, or -1.
func (sh *shape) sortColumn() (i int, desc bool) {
	if len(sh.end.OrderBy) == 0 {
		return -1, false
	}
	return sh.keyColumn(sh.end.OrderBy[0].Expr), sh.end.OrderBy[0].Desc
}

// keyColumn is the column that a key of ORDER BY means: by its name, or by what
// it holds, also as coalesce(x, 0).
func (sh *shape) keyColumn(key cypher.Expr) int {
	if c, ok := key.(*cypher.Call); ok && strings.EqualFold(c.Name, "coalesce") && len(c.Args) == 2 {
		if _, ok := bare(c.Args[1]).(*cypher.Literal); ok {
			key = c.Args[0]
		}
	}
	if v, ok := key.(*cypher.Variable); ok {
		if i := slices.IndexFunc(sh.end.Items, func(it *cypher.Item) bool { return it.Name() == v.Name }); i >= 0 {
			return i
		}
	}
	return sh.column(key)
}

// bare is e without a sign.
func bare(e cypher.Expr) cypher.Expr {
	if u, ok := e.(*cypher.Unary); ok && u.Op != cypher.Not {
		return u.X
	}
	return e
}

// propertyOf takes v.key apart.
func propertyOf(e cypher.Expr) (variable, key string, ok bool) {
	p, ok := e.(*cypher.Property)
	if !ok {
		return "", "", false
	}
	v, ok := p.X.(*cypher.Variable)
	if !ok {
		return "", "", false
	}
	return v.Name, p.Key, true
}

// isOf reports whether a column holds what variable stands for, or a property of it.
func (sh *shape) isOf(i int, variable string) bool {
	e := sh.end.Items[i].Expr
	v, _, ok := propertyOf(e)
	return ok && v == variable || isVariable(e, variable)
}

// only reports whether every column but those in except is of one variable, or
// counted for it in the last WITH.
func (sh *shape) only(variable string, except ...int) bool {
	for i := range sh.end.Items {
		if !slices.Contains(except, i) && !sh.isOf(i, variable) && !sh.isCounted(sh.end.Items[i].Expr) {
			return false
		}
	}
	return true
}

// isCounted reports whether e names an aggregate of the last WITH.
func (sh *shape) isCounted(e cypher.Expr) bool {
	v, ok := e.(*cypher.Variable)
	if !ok || len(sh.clauses) < 2 {
		return false
	}
	w, ok := sh.clauses[len(sh.clauses)-2].(*cypher.With)
	return ok && slices.ContainsFunc(w.Items, func(it *cypher.Item) bool { return it.Name() == v.Name && isAggregate(it.Expr) })
}

// aggregates are functions that make one value of many.
var aggregates = []string{"count", "sum", "avg", "min", "max"}

// isAggregate reports whether e is an aggregate, also rounded.
func isAggregate(e cypher.Expr) bool {
	c, ok := e.(*cypher.Call)
	if !ok {
		return false
	}
	switch name := strings.ToLower(c.Name); {
	case slices.Contains(aggregates, name):
		return true
	case name == "round" || name == "tointeger" || name == "tofloat":
		return len(c.Args) > 0 && isAggregate(c.Args[0])
	}
	return false
}

// conditions are what must all hold of a WHERE.
func conditions(where cypher.Expr) []cypher.Expr {
	if b, ok := where.(*cypher.Binary); ok && b.Op == cypher.And {
		return append(conditions(b.L), conditions(b.R)...)
	}
	if where == nil {
		return nil
	}
	return []cypher.Expr{where}
}

// required are all conditions that matches before the RETURN put on rows.
func (sh *shape) required() []cypher.Expr {
	var out []cypher.Expr
	for _, c := range sh.clauses {
		switch c := c.(type) {
		case *cypher.Match:
			if !c.Optional {
				out = append(out, conditions(c.Where)...)
			}
		case *cypher.With:
			out = append(out, conditions(c.Where)...)
		}
	}
	return out
}

// constant is the value of a literal or a parameter.
func (sh *shape) constant(e cypher.Expr) (any, bool) {
	switch e := e.(type) {
	case *cypher.Literal:
		return e.Value, true
	case *cypher.Parameter:
		v, ok := sh.params[e.Name]
		return v, ok
	}
	return nil, false
}

// equal takes a = b apart.
func equal(e cypher.Expr) (l, r cypher.Expr, ok bool) {
	c, ok := e.(*cypher.Comparison)
	if !ok || len(c.Ops) != 1 || c.Ops[0] != cypher.Eq {
		return nil, nil, false
	}
	return c.X[0], c.X[1], true
}

// among are the names to one of which the query holds a property of the thing
// in column i: WHERE p.name IN [$first, $second], or p.name = $first OR ….
func (sh *shape) among(i int) []string {
	want := cypher.Print(sh.end.Items[i].Expr)
	if _, _, ok := propertyOf(sh.end.Items[i].Expr); !ok {
		return nil
	}
	for _, e := range sh.required() {
		if names := sh.names(e, want); len(names) > 1 {
			return names
		}
	}
	return nil
}

func (sh *shape) names(e cypher.Expr, want string) []string {
	if l, r, ok := equal(e); ok && cypher.Print(l) == want {
		if v, ok := sh.constant(r); ok {
			return textsOf([]any{v})
		}
	}
	b, ok := e.(*cypher.Binary)
	if !ok {
		return nil
	}
	if b.Op == cypher.Or {
		l, r := sh.names(b.L, want), sh.names(b.R, want)
		if l == nil || r == nil {
			return nil
		}
		return append(l, r...)
	}
	if b.Op != cypher.In || cypher.Print(b.L) != want {
		return nil
	}
	if v, ok := sh.constant(b.R); ok {
		list, _ := v.([]any)
		return textsOf(list)
	}
	list, ok := b.R.(*cypher.List)
	if !ok {
		return nil
	}
	var values []any
	for _, x := range list.Items {
		v, _ := sh.constant(x)
		values = append(values, v)
	}
	return textsOf(values)
}

// textsOf are the values if all are texts that aren't empty, or nil.
func textsOf(values []any) []string {
	var out []string
	for _, v := range values {
		s, ok := v.(string)
		if !ok || s == "" {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// isPath reports whether a column holds the nodes of a path.
func (sh *shape) isPath(i int) bool {
	l, ok := sh.item(i).(*cypher.ListComprehension)
	if !ok || l.Map == nil {
		return false
	}
	c, ok := l.List.(*cypher.Call)
	return ok && strings.EqualFold(c.Name, "nodes")
}

// isLength reports whether a column says nothing but how long a path is.
func (sh *shape) isLength(i int) bool {
	lengths, other := 0, false
	cypher.Walk(sh.item(i), func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Call:
			if strings.EqualFold(n.Name, "length") {
				lengths++
				return false
			}
			other = true
		case *cypher.Variable, *cypher.Property:
			other = true
		}
		return true
	})
	return lengths > 0 && !other
}

// isAnswer reports whether a column is a condition that is true or false of the
// whole, not a property.
func (sh *shape) isAnswer(i int) bool {
	switch e := sh.item(i).(type) {
	case *cypher.Comparison, *cypher.PatternPredicate, *cypher.IsNull, *cypher.Quantified:
		return true
	case *cypher.Subquery:
		return e.Kind == cypher.Exists
	case *cypher.Call:
		return strings.EqualFold(e.Name, "exists")
	case *cypher.Unary:
		return e.Op == cypher.Not
	case *cypher.Binary:
		return slices.Contains([]cypher.BinaryOp{cypher.And, cypher.Or, cypher.Xor, cypher.In, cypher.StartsWith, cypher.EndsWith, cypher.Contains}, e.Op)
	}
	return false
}

func isVariable(e cypher.Expr, name string) bool {
	v, ok := e.(*cypher.Variable)
	return ok && v.Name == name
}

// limit is the number of rows that the query asks for, or -1.
func (sh *shape) limit() int64 {
	if sh.end.Limit == nil {
		return -1
	}
	v, _ := sh.constant(sh.end.Limit)
	if n, ok := v.(int64); ok {
		return n
	}
	return -1
}
