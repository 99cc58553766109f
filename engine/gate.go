package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"precedent/guardrails"
	"precedent/store"
)

// A gate is the only way from the engine to its graph. Whatever runs or explains
// a query, be it of a case, a draft, a curator or our own, goes through it: what
// the policy refuses doesn't run, and what it hides is not read.
type gate struct {
	behind atomic.Pointer[behind]
	hide   store.Hidden
	holds  bool                 // the graph holds what is hidden, and only narrowed queries keep it out
	now    func() time.Time     // what clocks in a query show that wasn't given an instant; nil: the graph's own
	passed memo[judged, string] // what allowed queries run as
}

// behind is what stands behind a gate: the graph, and the policy that knows its schema.
type behind struct {
	graph  store.Graph
	policy *guardrails.Policy
}

// A judged query is its text and what it was judged by.
type judged struct {
	by   *guardrails.Policy
	text string
}

// newGate stands before g. A graph that was opened without what is hidden has
// nothing of it that a query could reach.
func newGate(g store.Graph, p guardrails.Policy, holds bool) *gate {
	made := &gate{hide: store.NewHidden(p.Hide), holds: holds}
	made.behind.Store(&behind{g, &p})
	return made
}

// aside is a gate before the same graph, whose schema can be read anew while queries
// here are judged by the one before.
func (g *gate) aside() *gate {
	made := &gate{hide: g.hide, holds: g.holds, now: g.now}
	made.behind.Store(g.behind.Load())
	return made
}

// take has what stands behind another gate stand behind this one. What runs already
// ends with the graph that it began with, which is not closed.
func (g *gate) take(other *gate) { g.behind.Store(other.behind.Load()) }

// Close closes the graph.
func (g *gate) Close(ctx context.Context) error { return g.behind.Load().graph.Close(ctx) }

// schema reads the schema, without hidden names, and judges queries by it from now on.
// Of a graph that can tell, the parts that are the same as in before aren't read again.
func (g *gate) schema(ctx context.Context, budget time.Duration, before *store.Schema, same func(part string) bool) (s *store.Schema, err error) {
	was := g.behind.Load()
	if again, ok := was.graph.(store.Rereader); ok && before != nil && same != nil {
		s, err = again.SchemaAgain(ctx, budget, before, same)
	} else {
		s, err = was.graph.Schema(ctx, budget)
	}
	if err != nil {
		return nil, err
	}
	g.know(s)
	return s, nil
}

// know judges queries by a schema that was read before.
func (g *gate) know(s *store.Schema) {
	was := g.behind.Load()
	p := *was.policy
	p.Schema = s
	g.behind.Store(&behind{was.graph, &p})
}

// pulse is a cheap sign of what the graph holds; nil of one that has none.
func (g *gate) pulse(ctx context.Context) (store.Pulse, error) {
	if r, ok := g.behind.Load().graph.(store.Rereader); ok {
		return r.Pulse(ctx)
	}
	return nil, nil
}

// judge says whether a query may run.
func (g *gate) judge(query string) guardrails.Verdict { return g.behind.Load().policy.Query(query) }

// run reads the graph. The error is an [errPolicy] where the policy refuses q.
func (g *gate) run(ctx context.Context, q store.Query, limits store.Limits) (store.Table, error) {
	now := g.behind.Load()
	narrowed, err := g.pass(now.policy, q)
	if err != nil {
		return store.Table{}, err
	}
	t, err := now.graph.Run(ctx, narrowed, limits)
	if err != nil {
		return t, g.discreet(err)
	}
	t.Problems = g.unhidden(t.Problems)
	return g.hide.Strip(t), nil
}

// explain asks the graph to plan q; errors are as for run.
func (g *gate) explain(ctx context.Context, q store.Query) ([]store.Problem, error) {
	now := g.behind.Load()
	narrowed, err := g.pass(now.policy, q)
	if err != nil {
		return nil, err
	}
	problems, err := now.graph.Explain(ctx, narrowed)
	return g.unhidden(problems), g.discreet(err)
}

// unhidden leaves out the problems with what is hidden: no query that passes names
// it, and what does was put in to keep it out.
func (g *gate) unhidden(problems []store.Problem) []store.Problem {
	return slices.DeleteFunc(problems, func(p store.Problem) bool { return g.hide.Name(p.Name) })
}

// pass is q as it may run under a policy.
func (g *gate) pass(policy *guardrails.Policy, q store.Query) (store.Query, error) {
	of := judged{policy, q.Text}
	as, ok := g.passed.find(of)
	if !ok {
		v := of.by.Query(q.Text)
		if !v.Allow {
			return q, errPolicy{v}
		}
		as = v.Narrowed
		g.passed.keep(of, as)
	}
	if g.holds {
		q.Text = as
	}
	if q.Now.IsZero() && g.now != nil {
		q.Now = g.now()
	}
	return q, nil
}

// discreet is err without the graph's own words where they could quote what is
// hidden: a value that can't be read as a date, the name in a narrowed query.
func (g *gate) discreet(err error) error {
	if err == nil || !g.holds || g.hide.Nothing() {
		return err
	}
	if errors.Is(err, store.ErrTooLarge) {
		return fmt.Errorf("%w: return less, or fewer things together", store.ErrTooLarge)
	}
	for _, kind := range []error{store.ErrQuery, store.ErrUnsupported} {
		if errors.Is(err, kind) {
			return fmt.Errorf("%w: the graph doesn't take it: look at the types of the values, at names, and at what the functions want", kind)
		}
	}
	return err
}

// errPolicy is a query that the policy refuses.
type errPolicy struct{ guardrails.Verdict }

func (e errPolicy) Error() string { return e.Reason }
