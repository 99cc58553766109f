package engine

import (
	"context"
	"sync"

	"precedent/store"
)

// maxPlans is how many explained queries are remembered.
const maxPlans = 1000

// plans remembers what the graph said of queries, by text and schema. Problems
// depend on the parameters' names only, which are part of the text.
type plans struct {
	mu   sync.Mutex
	said map[[2]string][]store.Problem
}

func newPlans() *plans { return &plans{said: make(map[[2]string][]store.Problem)} }

// explain asks the graph to plan q, once for each text and schema.
func (e *Engine) explain(ctx context.Context, q store.Query, hash string) ([]store.Problem, error) {
	key := [2]string{hash, q.Text}
	e.explained.mu.Lock()
	ps, ok := e.explained.said[key]
	e.explained.mu.Unlock()
	if ok {
		return ps, nil
	}
	ps, err := e.gate.explain(ctx, q)
	if err != nil {
		return nil, err
	}
	e.explained.mu.Lock()
	defer e.explained.mu.Unlock()
	if len(e.explained.said) >= maxPlans {
		clear(e.explained.said)
	}
	e.explained.said[key] = ps
	return ps, nil
}
