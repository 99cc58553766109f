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
	graph  store.Graph
	hide   store.Hidden
	holds  bool             // the graph holds what is hidden, and only narrowed queries keep it out
	now    func() time.Time // what clocks in a query show that wasn't given an instant; nil: the graph's own
	policy atomic.Pointer[guardrails.Policy]
	passed memo[judged, string] // what allowed queries run as
}

// A judged query is its text and what it was judged by.
type judged struct {
	by   *guardrails.Policy
	text string
}

// newGate stands before g. A graph that was opened without what is hidden has
// nothing of it that a query could reach.
func newGate(g store.Graph, p guardrails.Policy, holds bool) *gate {
	made := &gate{graph: g, hide: store.NewHidden(p.Hide), holds: holds}
	made.policy.Store(&p)
	return made
}

// Close closes the graph.
func (g *gate) Close(ctx context.Context) error { return g.graph.Close(ctx) }

// schema reads the schema, without hidden names, and judges queries by it from now on.
func (g *gate) schema(ctx context.Context, budget time.Duration) (*store.Schema, error) {
	s, err := g.graph.Schema(ctx, budget)
	if err != nil {
		return nil, err
	}
	p := *g.policy.Load()
	p.Schema = s
	g.policy.Store(&p)
	return s, nil
}

// judge says whether a query may run.
func (g *gate) judge(query string) guardrails.Verdict { return g.policy.Load().Query(query) }

// run reads the graph. The error is an [errPolicy] where the policy refuses q.
func (g *gate) run(ctx context.Context, q store.Query, limits store.Limits) (store.Table, error) {
	narrowed, err := g.pass(q)
	if err != nil {
		return store.Table{}, err
	}
	t, err := g.graph.Run(ctx, narrowed, limits)
	if err != nil {
		return t, g.discreet(err)
	}
	return g.hide.Strip(t), nil
}

// explain asks the graph to plan q; errors are as for run.
func (g *gate) explain(ctx context.Context, q store.Query) ([]store.Problem, error) {
	narrowed, err := g.pass(q)
	if err != nil {
		return nil, err
	}
	problems, err := g.graph.Explain(ctx, narrowed)
	// No query that passes names what is hidden: what does was put in to keep it out.
	return slices.DeleteFunc(problems, func(p store.Problem) bool { return g.hide.Name(p.Name) }), g.discreet(err)
}

// pass is q as it may run.
func (g *gate) pass(q store.Query) (store.Query, error) {
	of := judged{g.policy.Load(), q.Text}
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
