package engine

import (
	"context"
	"fmt"
	"io"

	"precedent/store"
	"precedent/store/cases"
)

// Add adds a case after the checks of promotion, verified. Literals that a
// bare case's question names become slots.
func (e *Engine) Add(ctx context.Context, c store.Case, by, why string) (store.Case, error) {
	if err := e.follow(ctx); err != nil {
		return c, err
	}
	made, err := e.complete(c, by)
	if err != nil {
		return c, err
	}
	if err := e.checkPromotion(ctx, made); err != nil {
		return c, err
	}
	made.Status = store.Verified
	return e.library.Add(ctx, made, cases.Change{By: by, Why: why})
}

// complete fills in what a bare case lacks.
func (e *Engine) complete(c store.Case, by string) (store.Case, error) {
	if c.Query == "" || c.Question == "" && len(c.Wordings) == 0 {
		return c, fmt.Errorf("%w: want a question and a query", ErrCase)
	}
	if len(c.Wordings) == 0 {
		w, _, err := e.worked(c.Question, store.Query{Text: c.Query})
		if err != nil {
			return c, err
		}
		w.ID, w.Note, w.EmptyOK, w.Source, w.Author = c.ID, c.Note, c.EmptyOK, c.Source, c.Author
		c = w
	}
	c.Graph = e.name
	if c.Source == "" {
		c.Source = "hand"
	}
	if c.Author == "" {
		c.Author = by
	}
	return c, nil
}

// Import reads cases (JSONL, one case or bare {"question","query"} a line; or
// YAML as the shipped files) from r, all or none; name says where they come
// from in errors. "movies" as name with r nil imports the shipped movie cases.
func (e *Engine) Import(ctx context.Context, name string, r io.Reader, by string) (n int, err error) {
	return 0, fmt.Errorf("not yet")
}
