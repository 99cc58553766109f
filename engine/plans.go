package engine

import (
	"context"

	"precedent/store"
)

// plans is what the graph said of queries, by schema and text. Problems depend on
// the parameters' names only, which are part of the text.
type plans = memo[[2]string, []store.Problem]

// explain asks the graph to plan q, once for each text and schema.
func (e *Engine) explain(ctx context.Context, q store.Query, hash string) ([]store.Problem, error) {
	key := [2]string{hash, q.Text}
	if ps, ok := e.explained.find(key); ok {
		return ps, nil
	}
	ps, err := e.gate.explain(ctx, q)
	if err != nil {
		return nil, err
	}
	e.explained.keep(key, ps)
	return ps, nil
}
