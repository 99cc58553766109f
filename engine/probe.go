package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/engine/check"
	"precedent/store"
	"precedent/store/cypher"
)

// Bounds of what is asked of the graph beside the query itself. A probe that takes
// longer, or fails, tells nothing.
const (
	probeTime  = 500 * time.Millisecond
	lookupTime = time.Second
	maxSteps   = 8 // relationships of one draft that are looked into
	lookupRows = 3 // values that are written almost as a text is
)

// probe runs a query beside the one that answers.
func (a *asking) probe(ctx context.Context, q store.Query, rows int, most time.Duration) (store.Table, bool) {
	start := time.Now()
	defer since(&a.Timings.Database, start)
	t, err := a.gate.run(ctx, q, store.Limits{Rows: rows, Bytes: a.limits.Bytes, Memory: a.limits.Memory, Timeout: most})
	if err != nil {
		a.log.Info("a probe told nothing", "ref", a.ID, "err", err)
	}
	return t, err == nil
}

// leadsToOne reports whether a step leads from each node to one other at most. Each is
// looked into once for a snapshot; where the graph doesn't tell, it does.
func (a *asking) leadsToOne(ctx context.Context) func(check.Step) bool {
	left := maxSteps
	return func(s check.Step) bool {
		if one, ok := a.steps.find(s); ok {
			return one
		}
		if left--; left < 0 {
			return true
		}
		t, ok := a.probe(ctx, s.Probe(), 1, probeTime)
		one := !ok || len(t.Rows) == 0
		a.steps.keep(s, one)
		return one
	}
}

// checked holds a draft against the schema and against what the graph holds. Texts
// that nothing in memory knows are looked up in the graph, all of them at once.
func (a *asking) checked(ctx context.Context, q store.Query, stmt *cypher.Statement) check.Result {
	done := a.checker.Check(q.Text, stmt, q.Params)
	if len(done.Lookups) == 0 {
		return done
	}
	found := a.lookUp(ctx, done.Lookups)
	if len(found) == 0 {
		return done
	}
	c := *a.checker
	c.Values = func(label, property, value string) check.Holding {
		if h, ok := found[strings.Join([]string{label, property, value}, "\x00")]; ok {
			return h
		}
		return a.snapshot.holding(label, property, value)
	}
	return c.Check(q.Text, stmt, q.Params)
}

// lookUp tells of texts that no node has as they are written, which the graph has
// written otherwise.
func (a *asking) lookUp(ctx context.Context, lookups []check.Lookup) map[string]check.Holding {
	held, ok := a.probe(ctx, lookupQuery(lookups, "n.%s = $v%d", "$v%d IN n.%s", 1), len(lookups), lookupTime)
	if !ok {
		return nil
	}
	var missing []check.Lookup
	for i, l := range lookups {
		if !slices.ContainsFunc(held.Rows, func(row []any) bool { return row[0] == int64(i) }) && !l.In {
			missing = append(missing, l)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	alike, ok := a.probe(ctx, lookupQuery(missing, "toLower(n.%s) = toLower($v%d)", "", lookupRows), lookupRows*len(missing), lookupTime)
	if !ok {
		return nil
	}
	found := make(map[string]check.Holding)
	for _, row := range alike.Rows {
		i, isNumber := row[0].(int64)
		value, isText := row[1].(string)
		if !isNumber || !isText {
			continue
		}
		l := missing[i]
		for _, label := range l.Labels {
			key := strings.Join([]string{label, l.Property, l.Value}, "\x00")
			h := found[key]
			h.Known = true
			h.Nearest = append(h.Nearest, value)
			h.Is = ""
			if len(h.Nearest) == 1 {
				h.Is = value
			}
			found[key] = h
		}
	}
	return found
}

// lookupQuery gives, of each lookup that is met, its number and the value, at most rows
// of them.
func lookupQuery(lookups []check.Lookup, equal, in string, rows int) store.Query {
	q := store.Query{Params: make(map[string]any, len(lookups))}
	var parts []string
	for i, l := range lookups {
		condition := fmt.Sprintf(equal, name(l.Property), i)
		if l.In {
			condition = fmt.Sprintf(in, i, name(l.Property))
		}
		var labels []string
		for _, label := range l.Labels {
			labels = append(labels, name(label))
		}
		parts = append(parts, fmt.Sprintf("MATCH (n:%s) WHERE %s RETURN DISTINCT %d AS i, n.%s AS v LIMIT %d", strings.Join(labels, "|"), condition, i, name(l.Property), rows))
		q.Params[fmt.Sprintf("v%d", i)] = l.Value
	}
	q.Text = strings.Join(parts, " UNION ALL ")
	return q
}
