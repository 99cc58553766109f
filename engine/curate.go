package engine

import (
	"context"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/text"
)

// Try runs the query of a case with its example values, within the limits of an
// answer. What the policy refuses doesn't run.
func (e *Engine) Try(ctx context.Context, c store.Case) (store.Table, error) {
	return e.RunCypher(ctx, store.Query{Text: c.Query, Params: exampleParams(c)})
}

// Complete returns at most n questions that verified cases answer and that hold
// typed, those that begin with it first. Case, accents and width don't count.
func (e *Engine) Complete(ctx context.Context, typed string, n int) []string {
	typed = text.Fold(strings.TrimSpace(typed))
	language := reading.Language(typed)
	var begin, hold []string
	e.index.RLock()
	defer e.index.RUnlock()
	for _, id := range e.shown {
		c := e.cases[id]
		if c == nil {
			continue
		}
		for _, w := range c.Wordings {
			if len(begin) == n || ctx.Err() != nil {
				return begin
			}
			if reading.Language(w) != language {
				continue
			}
			q, err := reading.Fill(w, c.Slots)
			if err != nil {
				continue
			}
			switch folded := text.Fold(q); {
			case strings.HasPrefix(folded, typed):
				begin = append(begin, q)
			case len(hold) < n && strings.Contains(folded, typed):
				hold = append(hold, q)
			default:
				continue
			}
			break // one wording of a case is enough
		}
	}
	return slices.Concat(begin, hold)[:min(n, len(begin)+len(hold))]
}
