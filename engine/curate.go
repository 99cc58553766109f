package engine

import (
	"context"

	"precedent/store"
)

// Try runs the query of a case with its example values, within the limits of an
// answer. What the policy refuses doesn't run.
func (e *Engine) Try(ctx context.Context, c store.Case) (store.Table, error) {
	return e.RunCypher(ctx, store.Query{Text: c.Query, Params: exampleParams(c)})
}
