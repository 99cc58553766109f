package check

import (
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// A Filter is one condition that rows of a query's first patterns have to meet, with
// queries that tell whether it is what leaves none.
type Filter struct {
	Shown string // as people read it: status = 'open'
	Of    string // the property that it is about, as Label.key, or ""
	Text  string // what it looks for, where that is a text; else ""
	// Numbers are the numbers and points in time that it says.
	Numbers []any
	// Without gives a row where the patterns hold with all conditions but this one.
	Without store.Query
	// Alone gives a row where something meets just this condition; its text is "" where
	// the condition is about several things.
	Alone store.Query
}

// mostFilters is how many conditions of a query are looked into.
const mostFilters = 5

// Filters are the conditions of the patterns that a query begins with, and a query
// that gives a row where all of them are met. There are none where the query begins
// with something else, or has no or too many conditions.
func (c *Checker) Filters(stmt *cypher.Statement, params map[string]any) (all []Filter, whole store.Query) {
	if len(stmt.Parts) != 1 {
		return nil, whole
	}
	n := len(conditionsOf(cypher.Clone(stmt)))
	if n == 0 || n > mostFilters {
		return nil, whole
	}
	whole, ok := existence(cypher.Clone(stmt), params)
	if !ok {
		return nil, whole
	}
	v := &survey{graph: c.graph, params: params, fits: true}
	v.statement(stmt, nil, visible)
	for i := range n {
		rest := cypher.Clone(stmt)
		at := conditionsOf(rest)[i]
		at.remove()
		f := Filter{}
		f.Without, _ = existence(rest, params)
		alone := cypher.Clone(stmt)
		at = conditionsOf(alone)[i]
		f.Alone = at.alone(alone, params)
		f.Shown = shownCondition(at.expr, params, labelsOf(alone))
		if p := propertyOf(at.expr); p != nil {
			f.Of = v.ownerOf(p.Key)
			if label := labelsOf(alone)[at.variable]; label != "" {
				f.Of = label + "." + p.Key
			}
		}
		f.Text, f.Numbers = constantsOf(at.expr, params)
		all = append(all, f)
	}
	return all, whole
}

// A condition is a part of a pattern or a WHERE that can be taken away.
type condition struct {
	expr     cypher.Expr
	variable string // the one that it is about, "" where that is none or several
	remove   func()
}

// conditionsOf are those of the patterns that the only part of s begins with. Nodes
// without a name that have properties are given one.
func conditionsOf(s *cypher.Statement) (all []condition) {
	for _, c := range s.Parts[0].Clauses {
		m, ok := c.(*cypher.Match)
		if !ok {
			break
		}
		if m.Optional {
			continue
		}
		for _, p := range m.Patterns {
			for _, element := range p.Elements {
				switch e := element.(type) {
				case *cypher.NodePattern:
					all = append(all, inMap(&e.Var, e.Props, len(all))...)
				case *cypher.RelPattern:
					if e.Length == nil && e.Quant == nil {
						all = append(all, inMap(&e.Var, e.Props, len(all))...)
					}
				}
			}
		}
		conjuncts(m.Where, func(e cypher.Expr) {
			all = append(all, condition{e, oneVariable(e), func() { m.Where = without(m.Where, e) }})
		})
	}
	return all
}

func inMap(variable *string, props cypher.Expr, n int) (all []condition) {
	m, ok := props.(*cypher.Map)
	if !ok {
		return nil
	}
	if *variable == "" {
		*variable = "any" + string(rune('a'+n))
	}
	for i, key := range m.Keys {
		e := &cypher.Comparison{Ops: []cypher.CompareOp{cypher.Eq}, X: []cypher.Expr{&cypher.Property{X: &cypher.Variable{Name: *variable}, Key: key}, m.Values[i]}}
		all = append(all, condition{e, *variable, func() {
			at := slices.Index(m.Keys, key)
			m.Keys, m.Values = slices.Delete(m.Keys, at, at+1), slices.Delete(m.Values, at, at+1)
		}})
	}
	return all
}

// without is a condition that no longer has the conjunct e, nil where nothing is left.
func without(where, e cypher.Expr) cypher.Expr {
	if where == e {
		return nil
	}
	b, ok := where.(*cypher.Binary)
	if !ok || b.Op != cypher.And {
		return where
	}
	l, r := without(b.L, e), without(b.R, e)
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	}
	return &cypher.Binary{At: b.At, Op: cypher.And, L: l, R: r}
}

// oneVariable is the only variable that e speaks of, "" where there are several.
func oneVariable(e cypher.Expr) string {
	only, several := "", false
	cypher.Walk(e, func(n cypher.Node) bool {
		name := ""
		switch n := n.(type) {
		case *cypher.Variable:
			name = n.Name
		case *cypher.NodePattern, *cypher.Subquery, *cypher.ListComprehension, *cypher.Quantified, *cypher.Reduce:
			several = true
		}
		several = several || name != "" && only != "" && name != only
		if name != "" {
			only = name
		}
		return true
	})
	if several {
		return ""
	}
	return only
}

// existence is a query that gives a row where the patterns that s begins with hold.
func existence(s *cypher.Statement, params map[string]any) (store.Query, bool) {
	part := s.Parts[0]
	for i, c := range part.Clauses {
		switch c := c.(type) {
		case *cypher.Match:
			if c.Optional {
				break
			}
			continue
		case *cypher.With, *cypher.Return:
		default:
			return store.Query{}, false
		}
		if i == 0 {
			return store.Query{}, false
		}
		part.Clauses = append(slices.Clone(part.Clauses[:i]), exists())
		return store.Query{Text: cypher.Print(s), Params: used(s, params)}, true
	}
	return store.Query{}, false
}

// exists is RETURN count(*) AS n over no more rows than say that there is one.
func exists() *cypher.Return {
	one := &cypher.Item{Expr: &cypher.Literal{Value: int64(1)}, Alias: "n"}
	return &cypher.Return{Projection: cypher.Projection{Items: []*cypher.Item{one}, Limit: &cypher.Literal{Value: int64(1)}}}
}

// used are the parameters that s takes.
func used(s *cypher.Statement, params map[string]any) map[string]any {
	out := make(map[string]any)
	cypher.Walk(s, func(n cypher.Node) bool {
		if p, ok := n.(*cypher.Parameter); ok {
			if v, given := params[p.Name]; given {
				out[p.Name] = v
			}
		}
		return true
	})
	return out
}

// alone is a query that gives a row where something of the kind of c's variable meets
// it.
func (c condition) alone(s *cypher.Statement, params map[string]any) store.Query {
	if c.variable == "" {
		return store.Query{}
	}
	var path *cypher.Path
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.NodePattern:
			if n.Var == c.variable && (path == nil || n.Labels != nil) {
				path = &cypher.Path{Elements: []cypher.Element{&cypher.NodePattern{Var: n.Var, Labels: n.Labels}}}
			}
		case *cypher.RelPattern:
			if n.Var == c.variable {
				r := *n
				r.Props, r.Where = nil, nil
				path = &cypher.Path{Elements: []cypher.Element{&cypher.NodePattern{}, &r, &cypher.NodePattern{}}}
			}
		}
		return true
	})
	if path == nil {
		return store.Query{}
	}
	alone := &cypher.Statement{Parts: []*cypher.Part{{Clauses: []cypher.Clause{&cypher.Match{Patterns: []*cypher.Path{path}, Where: c.expr}, exists()}}}}
	return store.Query{Text: cypher.Print(alone), Params: used(alone, params)}
}

// shownCondition is a condition as people read it: its constants in place of the
// parameters, and properties by their keys, with their labels where these are known.
func shownCondition(e cypher.Expr, params map[string]any, labels map[string]string) string {
	s := cypher.Clone(&cypher.Statement{Parts: []*cypher.Part{{Clauses: []cypher.Clause{&cypher.Return{Projection: cypher.Projection{Items: []*cypher.Item{{Expr: e}}}}}}}})
	cypher.Rewrite(s, func(e cypher.Expr) cypher.Expr {
		switch e := e.(type) {
		case *cypher.Parameter:
			switch v := params[e.Name].(type) {
			case string, int64, float64, bool:
				return &cypher.Literal{Value: v}
			}
		case *cypher.Property:
			x, ok := e.X.(*cypher.Variable)
			switch {
			case ok && labels[x.Name] != "":
				return &cypher.Property{X: &cypher.Variable{Name: labels[x.Name]}, Key: e.Key}
			case ok:
				return &cypher.Variable{Name: e.Key}
			}
		}
		return e
	})
	return cypher.Print(s.Parts[0].Clauses[0].(*cypher.Return).Items[0].Expr)
}

// labelsOf are the first labels or types that patterns of s give to variables.
func labelsOf(s *cypher.Statement) map[string]string {
	out := make(map[string]string)
	note := func(name string, l cypher.LabelExpr) {
		if one, ok := l.(*cypher.Label); ok && name != "" && out[name] == "" {
			out[name] = one.Name
		}
	}
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.NodePattern:
			note(n.Var, n.Labels)
		case *cypher.RelPattern:
			note(n.Var, n.Types)
		}
		return true
	})
	return out
}

func propertyOf(e cypher.Expr) (p *cypher.Property) {
	cypher.Walk(e, func(n cypher.Node) bool {
		if x, ok := n.(*cypher.Property); ok && p == nil && isEntity(x.X) {
			p = x
		}
		return p == nil
	})
	return p
}

// constantsOf are the first text and the numbers that e says. A point in time is no
// text.
func constantsOf(e cypher.Expr, params map[string]any) (text string, numbers []any) {
	take := func(v any) {
		switch v := v.(type) {
		case string:
			switch {
			case isoPrefix.MatchString(v):
				numbers = append(numbers, v)
			case text == "":
				text = v
			}
		case int64, float64:
			numbers = append(numbers, v)
		}
	}
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Literal:
			take(n.Value)
		case *cypher.Parameter:
			take(params[n.Name])
		}
		return true
	})
	return text, numbers
}

// Emptied is the finding that nothing meets f.
func (f Filter) Emptied() Finding { return Finding{Kind: Emptied, Of: f.Of, Has: f.Shown, Pos: -1} }

// ApartOf is the finding that nothing meets all of these.
func ApartOf(all []Filter) Finding {
	shown := make([]string, 0, len(all))
	for _, f := range all {
		shown = append(shown, f.Shown)
	}
	return Finding{Kind: Apart, Has: strings.Join(shown, " AND "), Pos: -1}
}

// ownerOf is a property that the query reads, with its label.
func (v *survey) ownerOf(key string) string {
	for _, u := range v.properties {
		if u.key == key {
			return v.nameOf(u.origin)
		}
	}
	return key
}
