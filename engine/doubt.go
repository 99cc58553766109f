package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// counterparts says what the question says and the query doesn't: a linked
// value, a number, a negation, a superlative or a count. It returns "" where
// everything has its counterpart.
func (a *asking) counterparts(s *cypher.Statement, params map[string]any) string {
	var missing []string
	values := valuesIn(s, params)
	for _, m := range a.rd.Mentions {
		if !m.Sure() {
			continue
		}
		found := false
		for _, c := range m.Candidates {
			key := text.KeyOf(fmt.Sprint(c.Value))
			found = found || slices.ContainsFunc(values, func(v any) bool {
				s, ok := v.(string)
				return ok && strings.Contains(text.KeyOf(s), key)
			})
		}
		if !found {
			c := m.Candidates[0]
			missing = append(missing, fmt.Sprintf("the question names %s.%s %q, the query doesn't look for it", c.Label, c.Property, fmt.Sprint(c.Value)))
		}
	}
	for _, n := range a.rd.Marks.Numbers {
		if n <= 1 || slices.ContainsFunc(values, func(v any) bool { return meets(v, n) }) {
			continue
		}
		missing = append(missing, fmt.Sprintf("the question says %v, the query doesn't use it", n))
	}
	f := reading.FactsOf(s)
	if a.rd.Marks.Negated && !denies(f) {
		missing = append(missing, "the question says not or without, the query denies nothing")
	}
	if a.rd.Marks.Superlative && len(f.Orders) == 0 && !calls(f, "max", "min") {
		missing = append(missing, "the question asks for the most or least of something, the query orders nothing")
	}
	if a.rd.Marks.Counted && !calls(f, "count", "sum", "size") && !strings.Contains(strings.ToLower(cypher.Print(s)), "size(") {
		missing = append(missing, "the question asks how many, the query doesn't count")
	}
	return strings.Join(missing, "; ")
}

func calls(f *reading.Facts, names ...string) bool {
	return slices.ContainsFunc(f.Calls, func(c reading.CallFact) bool { return slices.Contains(names, c.Name) })
}

func denies(f *reading.Facts) bool {
	return slices.ContainsFunc(f.Rels, func(r reading.RelFact) bool { return r.Neg }) ||
		slices.ContainsFunc(f.Compared, func(c reading.Comparison) bool { return c.Neg || c.Op == "<>" }) ||
		slices.ContainsFunc(f.Nulls, func(n reading.NullFact) bool { return n.Null }) ||
		slices.ContainsFunc(f.Compared, func(c reading.Comparison) bool { return c.Count && c.Literal && c.Value == int64(0) })
}

// valuesIn are the literals of a query and the values of its parameters.
func valuesIn(s *cypher.Statement, params map[string]any) []any {
	var out []any
	var add func(v any)
	add = func(v any) {
		if list, ok := v.([]any); ok {
			for _, x := range list {
				add(x)
			}
			return
		}
		out = append(out, v)
	}
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Literal:
			add(n.Value)
		case *cypher.Parameter:
			add(params[n.Name])
		}
		return true
	})
	return out
}

// meets reports whether v is n, or a date or text that holds it.
func meets(v any, n float64) bool {
	switch v := v.(type) {
	case int64:
		return float64(v) == n
	case float64:
		return math.Abs(v-n) < 1e-9
	case string:
		return strings.Contains(v, fmt.Sprint(int64(n)))
	}
	return false
}

// doubt asks, where a query found nothing, whether one of its values is wrong.
// A value that no node holds goes back with the nearest ones; a true "none"
// stands.
func (a *asking) doubt(ctx context.Context, q store.Query, t store.Table) error {
	if len(t.Rows) > 0 && !allNull(t.Rows) {
		return nil
	}
	var said []string
	for _, v := range q.Params {
		s, ok := v.(string)
		if !ok || s == "" {
			continue
		}
		if len(a.reader.Linker().Names(s)) > 0 {
			continue
		}
		near := a.reader.Linker().Nearest(s)
		if len(near) == 0 {
			continue
		}
		if !a.rowsToModel {
			said = append(said, fmt.Sprintf("no node holds %q", s))
			continue
		}
		said = append(said, fmt.Sprintf("no node holds %q; did you mean %s?", s, strings.Join(near, " or ")))
	}
	if len(said) == 0 {
		return nil
	}
	slices.Sort(said)
	return repair("the query finds nothing: " + strings.Join(said, "; "))
}

func allNull(rows [][]any) bool {
	for _, r := range rows {
		for _, v := range r {
			if v != nil {
				return false
			}
		}
	}
	return true
}
