package engine

import (
	"maps"
	"slices"

	"precedent/store/cypher"
)

// replaceLiterals puts the parameter name in the places of the literals at.
func replaceLiterals(s *cypher.Statement, at []*cypher.Literal, name string) {
	cypher.Rewrite(s, func(e cypher.Expr) cypher.Expr {
		if x, ok := e.(*cypher.Literal); ok && slices.Contains(at, x) {
			return &cypher.Parameter{At: x.At, Name: name}
		}
		return e
	})
}

// constant is v as it is written in a query.
func constant(v any) cypher.Expr {
	switch v := v.(type) {
	case []any:
		l := &cypher.List{}
		for _, x := range v {
			l.Items = append(l.Items, constant(x))
		}
		return l
	case map[string]any:
		m := &cypher.Map{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			m.Keys, m.Values = append(m.Keys, k), append(m.Values, constant(v[k]))
		}
		return m
	case int:
		return &cypher.Literal{Value: int64(v)}
	}
	return &cypher.Literal{Value: v}
}
