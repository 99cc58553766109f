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
// bare case's question names become slots. A case that a verified one repeats
// isn't added: that one is returned, and added is false.
func (e *Engine) Add(ctx context.Context, c store.Case, by, why string) (made store.Case, added bool, err error) {
	if err := e.follow(ctx); err != nil {
		return c, false, err
	}
	if made, err = e.complete(c, by); err != nil {
		return c, false, err
	}
	if _, known, err := e.repeated(made); err != nil || known != nil {
		if known != nil {
			c = *known
		}
		return c, false, err
	}
	if err := e.checkPromotion(ctx, made); err != nil {
		return c, false, err
	}
	made.Status = store.Verified
	made, err = e.library.Add(ctx, made, cases.Change{By: by, Why: why})
	return made, err == nil, err
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

// Imported is what became of the cases of an import.
type Imported struct {
	Added   int `json:"imported"`
	Present int `json:"present"` // left out: a verified case has the same readings and the same query
}

// Import reads cases from r, all or none: JSONL (a case or a bare
// {"question","query"} a line), or YAML as the shipped files where name ends in
// .yaml or .yml. name stands in errors. With name "movies" and r nil it brings
// the shipped movie cases. Every case is held to the checks of promotion, but
// for those that verified ones or earlier ones of the import repeat.
func (e *Engine) Import(ctx context.Context, name string, r io.Reader, by string) (done Imported, err error) {
	if err := e.follow(ctx); err != nil {
		return done, err
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
		return done, fmt.Errorf("%w: nothing to import", ErrCase)
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
		return done, err
	}
	var ready []store.Case
	keys := make(map[string]asked)
	for i, checked := range e.checkAll(ctx, found, by) {
		where := fmt.Sprintf("%s:%d", name, found[i].line)
		if id := found[i].ID; id != "" {
			where += " (" + id + ")"
		}
		repeats, err := checked.present, checked.err
		if err == nil && !repeats {
			repeats, err = distinct(asked{checked.says, where}, keys)
		}
		if repeats {
			done.Present++
			continue
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
		return Imported{}, errors.Join(errs...)
	}
	added, err := e.library.AddAll(ctx, ready, cases.Change{By: by, Why: "imported from " + name})
	if err != nil {
		return Imported{}, err
	}
	done.Added = len(added)
	return done, nil
}

// checksAtOnce is how many cases of an import are checked at the same time. A
// Neo4j plans each query anew, which keeps one of its processors busy, so it has
// no more of them at once than a connection pool of the smallest size holds.
const checksAtOnce = 8

// A checkedCase is a case of an import after its checks.
type checkedCase struct {
	c       store.Case // completed
	says    saying
	present bool  // a verified case says the same
	err     error // why it can't be verified
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
	says, known, err := e.repeated(done.c)
	if done.says, done.present, done.err = says, known != nil, err; err != nil || done.present {
		return done
	}
	done.err = e.checkPromotion(ctx, done.c)
	return done
}
