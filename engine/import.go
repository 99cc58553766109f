package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
)

// Add adds a case, verified, after the checks of promotion. Literals that a
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

// Edit puts c in place of the case with its id, after the checks of promotion;
// its status stays.
func (e *Engine) Edit(ctx context.Context, c store.Case, by, why string) (store.Case, error) {
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
	return e.library.Replace(ctx, made, cases.Change{By: by, Why: why})
}

// complete fills in what a bare case lacks.
func (e *Engine) complete(c store.Case, by string) (store.Case, error) {
	switch {
	case strings.TrimSpace(c.Query) == "" || c.Question == "" && len(c.Wordings) == 0:
		return c, fmt.Errorf("%w: want a question and a query", ErrCase)
	case len(c.Wordings) == 0 && len(c.Slots) > 0:
		c.Wordings = []string{c.Question}
	case len(c.Wordings) == 0:
		w, _, err := e.worked(c.Question, store.Query{Text: c.Query})
		if err != nil {
			return c, err
		}
		w.ID, w.Note, w.EmptyOK, w.Source, w.Author, w.Status = c.ID, c.Note, c.EmptyOK, c.Source, c.Author, c.Status
		c = w
	}
	for i := range c.Slots {
		c.Slots[i].Example = plainExample(plainNumber(c.Slots[i].Example))
	}
	if _, err := cypher.Parse(c.Query); err != nil {
		return c, fmt.Errorf("%w: the query: %w", ErrCase, err)
	}
	q, err := reading.Fill(c.Wordings[0], c.Slots)
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrCase, err)
	}
	c.Question, c.Graph = q, e.name
	if c.Source == "" {
		c.Source = "hand"
	}
	if c.Author == "" {
		c.Author = by
	}
	return c, nil
}

// maxImportErrors is how many wrong lines one import reports.
const maxImportErrors = 10

// Import reads cases from r, all or none: JSONL (a case or a bare
// {"question","query"} a line), or YAML as the shipped files where name ends in
// .yaml or .yml. name stands in errors. With name "movies" and r nil it brings
// the shipped movie cases. Every case is held to the checks of promotion.
func (e *Engine) Import(ctx context.Context, name string, r io.Reader, by string) (n int, err error) {
	if err := e.follow(ctx); err != nil {
		return 0, err
	}
	var found []writtenCase
	var errs []error
	switch {
	case r == nil && name == "movies":
		var shipped []store.Case
		shipped, err = shippedCases()
		for i, c := range shipped {
			found = append(found, writtenCase{c, i + 1})
		}
	case r == nil:
		return 0, fmt.Errorf("%w: nothing to import", ErrCase)
	case strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"):
		var b []byte
		if b, err = io.ReadAll(r); err == nil {
			found, err = parseCaseFile(name, b, e.name)
		}
		for i := range found { // not ours
			c := &found[i]
			c.Source, c.Author, c.Created, c.VerifiedBy, c.VerifiedAt = "file", by, time.Time{}, "", nil
		}
	default:
		found, err = readLines(name, r)
	}
	if err != nil {
		return 0, err
	}
	var ready []store.Case
	keys := make(map[string]string)
	for i, checked := range e.checkAll(ctx, found, by) {
		where := fmt.Sprintf("%s:%d", name, found[i].line)
		if id := found[i].ID; id != "" {
			where += " (" + id + ")"
		}
		err := checked.err
		if err == nil {
			err = distinct(checked, where, keys)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", where, err))
			if len(errs) == maxImportErrors {
				errs = append(errs, errors.New("… and perhaps more"))
				break
			}
			continue
		}
		checked.c.Status, checked.c.Source = store.Verified, "file"
		ready = append(ready, checked.c)
	}
	if len(errs) > 0 {
		return 0, errors.Join(errs...)
	}
	added, err := e.library.AddAll(ctx, ready, cases.Change{By: by, Why: "imported from " + name})
	return len(added), err
}

// checksAtOnce is how many cases of an import are checked at the same time. A
// Neo4j plans each query anew, which keeps one of its processors busy, so it has
// no more of them at once than a connection pool of the smallest size holds.
const checksAtOnce = 8

// A checkedCase is a case of an import after its checks.
type checkedCase struct {
	c    store.Case // completed
	keys []string   // readings of its wordings
	err  error      // why it can't be verified
}

// checkAll holds each of cs to the checks of promotion and returns what came of
// it in the order of cs. After maxImportErrors errors, or once ctx ends, it
// stops with the first cases that aren't checked.
func (e *Engine) checkAll(ctx context.Context, cs []writtenCase, by string) []checkedCase {
	out := make([]checkedCase, len(cs))
	var next, wrong atomic.Int64
	var wg sync.WaitGroup
	for range min(checksAtOnce, len(cs)) {
		wg.Go(func() {
			for wrong.Load() < maxImportErrors {
				i := int(next.Add(1) - 1)
				if i >= len(cs) {
					return
				}
				if out[i] = e.checkOne(ctx, cs[i].Case, by); out[i].err != nil {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return out[:min(int(next.Load()), len(cs))]
}

func (e *Engine) checkOne(ctx context.Context, c store.Case, by string) (done checkedCase) {
	if done.c, done.err = e.complete(c, by); done.err != nil {
		return done
	}
	if done.err = e.checkPromotion(ctx, done.c); done.err != nil {
		return done
	}
	for _, w := range done.c.Wordings {
		rd, err := e.snapshot().reader.ReadWording(w, done.c.Slots)
		if err != nil {
			done.err = fmt.Errorf("%w: %w", ErrCase, err)
			return done
		}
		done.keys = append(done.keys, rd.Key())
	}
	return done
}

// distinct reports a reading that two cases of one import share.
func distinct(c checkedCase, where string, keys map[string]string) error {
	for _, key := range c.keys {
		if key == "" { // no reading, so nothing is asked that way
			continue
		}
		if other, ok := keys[key]; ok && other != where {
			return fmt.Errorf("%w: %s is asked the same way", ErrCase, other)
		}
		keys[key] = where
	}
	return nil
}
