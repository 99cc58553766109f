package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"precedent/engine/check"
	"precedent/engine/words"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// maxProbes is how many queries look for the condition that leaves no row.
const maxProbes = 6

// doubt looks into a query that found nothing, or counted 0, for the condition that no
// row meets, and into LIMIT 1 for what shares the first place. What may be the draft's
// mistake is objected to; what is so however one asks is only told.
func (a *asking) doubt(ctx context.Context, q store.Query, t store.Table) (wrong, told []objection) {
	stmt, err := cypher.Parse(q.Text)
	if err != nil {
		return nil, nil
	}
	if !isNothing(t) {
		if isDoubled(t) && a.checker.Lists(q.Text, stmt) {
			wrong = append(wrong, objection{words.Doubled, nil, "the same row comes several times; write DISTINCT, or EXISTS for the pattern that repeats it"})
		}
		if n, sorted := a.checker.Cuts(stmt, q.Params); (n > 1 || n == 1 && !sorted) && int64(len(t.Rows)) == n && a.said().First == 0 && a.said().Extreme == "" && !slices.ContainsFunc(guardrails.Quantities(a.Restated), func(q guardrails.Quantity) bool { return q.In(n, a.instant) }) {
			wrong = append(wrong, objection{words.Cut, []any{fmt.Sprint(n)}, fmt.Sprintf("the query returns no more than LIMIT %d, which the question doesn't say", n)})
		}
		return wrong, a.tied(ctx, stmt, q.Params, t)
	}
	filters, whole := a.checker.Filters(stmt, q.Params)
	if wrong = a.unknownIn(filters, q.Params); len(wrong) > 0 || len(filters) == 0 {
		return wrong, nil
	}
	e := emptying{asking: a, left: maxProbes, bare: len(t.Rows) == 0}
	if e.some(ctx, whole) {
		return nil, nil // what the query does with its rows leaves nothing
	}
	var freeing []check.Filter
	for _, f := range filters {
		if e.some(ctx, f.Without) {
			freeing = append(freeing, f)
		}
	}
	if e.failed {
		return nil, nil
	}
	switch len(freeing) {
	case 0:
		for _, f := range filters {
			if e.left > 0 && f.Alone.Text != "" && !e.some(ctx, f.Alone) && !e.failed {
				return e.by(f)
			}
		}
	case 1:
		if f := freeing[0]; f.Alone.Text != "" && !e.some(ctx, f.Alone) && !e.failed {
			return e.by(f)
		}
		if len(filters) > 1 {
			return nil, a.objections([]check.Finding{check.ApartOf(filters)})
		}
	default:
		return nil, a.objections([]check.Finding{check.ApartOf(freeing)})
	}
	return nil, nil
}

// isDoubled reports whether a row comes several times.
func isDoubled(t store.Table) bool {
	seen := make(map[string]bool, len(t.Rows))
	for _, row := range t.Rows {
		key := fmt.Sprint(row...)
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// isNothing reports whether a table has no row, nothing but missing values, or one row
// of zeros.
func isNothing(t store.Table) bool {
	return allNull(t.Rows) || len(t.Rows) == 1 && !slices.ContainsFunc(t.Rows[0], func(v any) bool {
		switch v := v.(type) {
		case nil:
			return false
		case int64:
			return v != 0
		case float64:
			return v != 0
		case []any:
			return len(v) > 0
		}
		return true
	})
}

// An emptying is the search for what leaves no row.
type emptying struct {
	*asking
	left   int  // probes
	bare   bool // there is no row, of which names that nothing has are told anyway
	failed bool
}

// some reports whether a probe finds a row.
func (e *emptying) some(ctx context.Context, q store.Query) bool {
	if q.Text == "" || e.left == 0 || e.failed {
		return false
	}
	e.left--
	t, ok := e.probe(ctx, q, 1, probeTime)
	e.failed = !ok
	return len(t.Rows) > 0
}

// unknownIn objects to texts that a query looks for, that no node has, with the nearest
// that some node has. That there is none, where none is near, is told anyway.
func (a *asking) unknownIn(filters []check.Filter, params map[string]any) (out []objection) {
	var texts []string
	known := make(map[string]bool)
	for _, f := range filters {
		texts = append(texts, f.Text)
		known[f.Text] = known[f.Text] || a.holds(f)
	}
	for _, v := range params {
		if s, ok := v.(string); ok {
			texts = append(texts, s)
		}
	}
	slices.Sort(texts)
	for _, s := range slices.Compact(texts) {
		if s == "" || known[s] || a.isNamed(s) {
			continue
		}
		near := a.reader.Linker().Nearest(s)
		if len(near) == 0 {
			continue
		}
		back := fmt.Sprintf("the query finds nothing: no node holds %s", text.Quote(s))
		if a.rowsToModel {
			back += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
		}
		out = append(out, objection{kind: words.Untold, args: []any{s}, back: back})
	}
	return out
}

// by tells of a condition that nothing meets, by itself. It goes back but for what was
// asked for so.
func (a *emptying) by(f check.Filter) (wrong, told []objection) {
	found := f.Emptied()
	unknown := f.Text != "" && !a.holds(f)
	switch {
	case f.Text == "":
		found.By = a.rangeOf(f.Of)
	case unknown && a.bare:
		return nil, nil
	}
	out := a.objections([]check.Finding{found})
	quantities := guardrails.Quantities(a.Restated)
	said := func(v any) bool {
		return slices.ContainsFunc(quantities, func(q guardrails.Quantity) bool { return q.In(v, a.instant) })
	}
	if unknown || f.Text == "" && (len(a.said().Times) > 0 || !slices.ContainsFunc(f.Numbers, func(n any) bool { return !said(n) })) {
		return nil, out
	}
	return out, nil
}

// rangeOf is the range of a property's values, as a query writes them, "" where it isn't
// known.
func (a *asking) rangeOf(property string) string {
	label, key, _ := strings.Cut(property, ".")
	for _, l := range a.schema.Labels {
		for _, p := range l.Properties {
			if l.Name == label && p.Name == key && p.Min != nil && p.Max != nil {
				return fmt.Sprintf("from %v to %v", p.Min, p.Max)
			}
		}
	}
	return ""
}

// tied tells what shares the first place with the only row that LIMIT 1 leaves, where
// the question asks for the most or least of something.
func (a *asking) tied(ctx context.Context, stmt *cypher.Statement, params map[string]any, t store.Table) []objection {
	if len(t.Rows) != 1 || a.said().Extreme == "" && !a.rd.Marks.Superlative {
		return nil
	}
	tie, ok := check.TieOf(stmt, params)
	if !ok {
		return nil
	}
	next, ok := a.probe(ctx, tie.Query, check.MostTied+1, probeTime)
	if !ok {
		return nil
	}
	f, ok := tie.In(next)
	if !ok {
		return nil
	}
	return a.objections([]check.Finding{f})
}
