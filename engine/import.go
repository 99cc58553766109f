package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
	"precedent/store/written"
)

// Add adds a case, verified, after the checks of promotion. Literals that a
// bare case's question names become slots. A case that a verified one repeats
// isn't added: that one is returned, and added is false.
func (e *Engine) Add(ctx context.Context, c store.Case, by, why string) (made store.Case, added bool, err error) {
	if err := e.follow(ctx); err != nil {
		return c, false, err
	}
	if made, err = e.complete(ctx, c, by); err != nil {
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
	made.AsIs = made.AsIs && e.isDoubted(made)
	made, err = e.library.Add(ctx, made, cases.Change{By: by, Why: why})
	return made, err == nil, err
}

// isDoubted reports whether a wording of c and its query don't prove each other.
func (e *Engine) isDoubted(c store.Case) bool {
	reader := e.snapshot().reader
	return slices.ContainsFunc(c.Wordings, func(w string) bool {
		k, _ := hearWording(reader, w, &c)
		return k.doubted
	})
}

// Edit puts c in place of the case with its id, after the checks of promotion;
// its status stays.
func (e *Engine) Edit(ctx context.Context, c store.Case, by, why string) (store.Case, error) {
	if err := e.follow(ctx); err != nil {
		return c, err
	}
	made, err := e.complete(ctx, c, by)
	if err != nil {
		return c, err
	}
	if err := e.checkPromotion(ctx, made); err != nil {
		return c, err
	}
	return e.library.Replace(ctx, made, cases.Change{By: by, Why: why})
}

// complete fills in what a bare case lacks.
func (e *Engine) complete(ctx context.Context, c store.Case, by string) (store.Case, error) {
	switch {
	case strings.TrimSpace(c.Query) == "" || c.Question == "" && len(c.Wordings) == 0:
		return c, fmt.Errorf("%w: want a question and a query", ErrCase)
	case len(c.Wordings) == 0 && (len(c.Slots) > 0 || len(bracedIn(c.Question)) > 0):
		c.Wordings = []string{c.Question}
	case len(c.Wordings) == 0:
		w, _, err := e.worked(c.Question, store.Query{Text: c.Query})
		if err != nil {
			return c, err
		}
		w.ID, w.Note, w.EmptyOK, w.AsIs, w.Source, w.Author, w.Status = c.ID, c.Note, c.EmptyOK, c.AsIs, c.Source, c.Author, c.Status
		c = w
	}
	if slices.ContainsFunc(c.Wordings, func(w string) bool { return len(bracedIn(w)) > 0 }) {
		made, err := e.slotted(ctx, c)
		if err != nil {
			return c, err
		}
		c = made
	}
	for _, s := range c.Slots {
		if err := isSlot(s); err != nil {
			return c, fmt.Errorf("%w: %w", ErrCase, err)
		}
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
	if c.Graph = e.name; !e.asksThat(c) {
		c.Question = q
	}
	if c.Source == "" {
		c.Source = "hand"
	}
	if c.Author == "" {
		c.Author = by
	}
	return c, nil
}

// asksThat reports whether the question of c is what its first wording asks, as people
// wrote it.
func (e *Engine) asksThat(c store.Case) bool {
	reader := e.snapshot().reader
	rd, err := reader.ReadWording(c.Wordings[0], c.Slots)
	return err == nil && rd.Key() != "" && reader.Read(c.Question).Key() == rd.Key()
}

// maxImportErrors is how many wrong lines one import reports.
const maxImportErrors = 10

// Imported is what became of the cases of an import.
type Imported struct {
	Added   int `json:"imported"`
	Present int `json:"present"`           // left out: a case has the same id, words and query, or a verified one the same readings and query
	Changed int `json:"changed,omitempty"` // cases that are there, and were put as the import has them: shipped ones that people moved or edited
}

// maxImported is how many cases one import may bring.
const maxImported = 2_000_000

// Import reads cases from r, all or none: JSONL (a case or a bare
// {"question","query"} a line), or YAML as the shipped files where name ends in
// .yaml or .yml. name stands in errors. With name "movies" and r nil it brings
// the shipped movie cases. A case keeps the status that it says, so that what was
// exported is the same library again; without one it is verified. Every verified
// case is held to the checks of promotion, but for those that verified ones or
// earlier ones of the import repeat.
//
// Lines are read as they are needed, so that memory doesn't grow with their
// length, and by 60 bytes or so a case. progress, if there is one, is told now
// and then how many cases were checked, and then how many of them were added.
func (e *Engine) Import(ctx context.Context, name string, r io.Reader, by string, progress func(checked, added int)) (done Imported, err error) {
	if err := e.follow(ctx); err != nil {
		return done, err
	}
	found, err := e.imported(name, r, by)
	if err != nil {
		return done, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	ready, err := newSpool(filepath.Dir(e.library.Path()))
	if err != nil {
		return done, err
	}
	defer ready.close()
	checked, present, there, err := e.passed(ctx, name, found, by, ready, progress)
	if err != nil {
		return done, err
	}
	ch := cases.Change{By: by, Why: "imported from " + name}
	added, err := e.library.AddEach(ctx, counting(ready.all(), func(n int) { progress(checked, n) }), ch)
	if err != nil {
		return done, err
	}
	done = Imported{Added: added, Present: present, Changed: len(there)}
	for _, c := range there {
		if _, err := e.library.Replace(ctx, c, ch); err != nil {
			return done, err
		}
		if c.Status != store.Verified {
			if _, err := e.library.Move(ctx, c.ID, c.Status, ch); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// imported are the cases of an import as they are written.
func (e *Engine) imported(name string, r io.Reader, by string) (iter.Seq[writtenCase], error) {
	switch {
	case r == nil && name == "movies":
		shipped, err := shippedCases()
		return listedCases(shipped), err
	case r == nil:
		return nil, fmt.Errorf("%w: nothing to import", ErrCase)
	case strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"):
		content, err := written.All(name, r, written.MaxFile)
		if err != nil {
			return nil, err
		}
		found, err := parseCaseFile(name, content, e.name)
		for i := range found { // not ours
			c := &found[i]
			c.Source, c.Author, c.Created, c.VerifiedBy, c.VerifiedAt = "file", by, time.Time{}, "", nil
		}
		return slices.Values(found), err
	}
	return readLines(r), nil
}

// passed holds the cases of an import to the checks, and keeps in ready those
// that are to be added; there are those to be put in the place of ones that ship. The
// error joins what is wrong with up to maxImportErrors of them.
func (e *Engine) passed(ctx context.Context, name string, found iter.Seq[writtenCase], by string, ready *spool, progress func(checked, added int)) (checked, present int, there []store.Case, err error) {
	said := make(askedBefore)
	var errs []error
	for batch := range batches(found) {
		for i, c := range e.checkAll(ctx, batch, by) {
			where := fmt.Sprintf("%s:%d", name, batch[i].line)
			if id := batch[i].ID; id != "" {
				where += " (" + id + ")"
			}
			repeats, err := c.present, c.err
			if err == nil && !repeats && c.c.Status == store.Verified {
				var as int
				if repeats, as = said.repeats(c.says, batch[i].line); as > 0 && !repeats {
					err = fmt.Errorf("%w: %s:%d is asked the same way", ErrCase, name, as)
				}
			}
			if checked++; checked > maxImported {
				err = fmt.Errorf("%w: an import brings at most %d cases; split it", ErrCase, maxImported)
			}
			switch {
			case err != nil:
				errs = append(errs, fmt.Errorf("%s: %w", where, err))
			case repeats:
				present++
			case c.replaces:
				there = append(there, c.c)
			case len(errs) == 0:
				if c.c.Source = batch[i].Source; c.c.Source == "" || c.c.Source == shippedSource {
					c.c.Source = "file"
				}
				if err := ready.add(c.c); err != nil {
					return checked, present, there, err
				}
			}
			if len(errs) == maxImportErrors || checked > maxImported {
				return checked, present, there, errors.Join(append(errs, errors.New("… and perhaps more"))...)
			}
		}
		if err := ctx.Err(); err != nil {
			return checked, present, there, err
		}
		progress(checked, 0)
	}
	return checked, present, there, errors.Join(errs...)
}

// progressEvery is after how many cases that are added progress is told.
const progressEvery = 1000

// counting is cs, with tell told now and then how many were taken.
func counting(cs iter.Seq2[store.Case, error], tell func(n int)) iter.Seq2[store.Case, error] {
	return func(yield func(store.Case, error) bool) {
		n := 0
		for c, err := range cs {
			if !yield(c, err) {
				return
			}
			if n++; n%progressEvery == 0 {
				tell(n)
			}
		}
	}
}

// checksAtOnce is how many cases of an import are checked at the same time. A
// Neo4j plans each query anew, which keeps one of its processors busy, so it has
// no more of them at once than a connection pool of the smallest size holds.
const checksAtOnce = 8

// A checkedCase is a case of an import after its checks.
type checkedCase struct {
	c        store.Case // completed
	says     saying
	present  bool  // a verified case says the same, or this one is there
	replaces bool  // a case that ships, which people moved or edited where it was exported
	err      error // why it can't be verified
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
				if out[i] = e.checkOne(ctx, cs[i], by); out[i].err != nil {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return out[:min(int(next.Load()), len(cs))]
}

func (e *Engine) checkOne(ctx context.Context, c writtenCase, by string) (done checkedCase) {
	if done.err = c.err; done.err != nil {
		return done
	}
	if done.c, done.err = e.complete(ctx, c.Case, by); done.err != nil {
		return done
	}
	done.c.Status = cmp.Or(done.c.Status, store.Verified)
	if done.c.ID != "" {
		was, err := e.library.Case(ctx, done.c.ID)
		switch same := err == nil && was.Query == done.c.Query && slices.Equal(was.Wordings, done.c.Wordings); {
		case err != nil && !errors.Is(err, cases.ErrUnknownCase):
			done.err = err
			return done
		case same && (was.Status == done.c.Status || !was.Status.CanBecome(done.c.Status)):
			done.present = true
			return done
		case err == nil && was.Source == shippedSource && was.Status == store.Verified:
			done.replaces = true
		}
	}
	if done.c.Status != store.Verified { // which answers nobody
		return done
	}
	if done.replaces {
		done.err = e.checkPromotion(ctx, done.c)
		return done
	}
	says, known, err := e.repeated(done.c)
	if done.says, done.present, done.err = says, known != nil, err; err != nil || done.present {
		return done
	}
	done.err = e.checkPromotion(ctx, done.c)
	return done
}
