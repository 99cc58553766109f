package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/philippgille/chromem-go"
)

// defaultEmbedWorkers is how many cases are embedded at a time.
const defaultEmbedWorkers = 4

// embedPause is how long the background waits after a provider failed.
const embedPause = time.Minute

// embedRest is how long it waits between looks for cases without a vector.
const embedRest = 2 * time.Second

// recallRest is how long after opening the cases are read for recall; a Recall
// before that reads them itself.
const recallRest = time.Second

// A provider makes vectors by a model elsewhere.
type provider struct {
	model   string
	embed   chromem.EmbeddingFunc
	workers int
	vectors *vectors
	dims    atomic.Int64
	ranks   atomic.Bool     // it has ranked once
	missing map[string]made // what waits for a vector, by document; guarded by vectors.mu
	stop    context.CancelFunc
}

func (l *Library) currentProvider() *provider {
	l.recall.mu.Lock()
	defer l.recall.mu.Unlock()
	return l.recall.provider
}

func (l *Library) startRecall(c Config) {
	l.recall.hashed = newVectors(HashedModel)
	if c.Embed != nil {
		l.UseEmbeddings(c.Model, c.Embed, c.EmbedWorkers)
		return
	}
	l.backgroundEnding.Go(func() {
		// Made ready before a question needs it, but not while the program starts.
		select {
		case <-time.After(recallRest):
		case <-l.background.Done():
			return
		}
		if l.synced(l.background) != nil {
			return
		}
		if _, _, err := l.byVectors(l.background, "", 1); err != nil && l.background.Err() == nil {
			l.log.Warn("reading the cases for recall", "error", err)
		}
	})
}

// UseEmbeddings makes the vectors of a provider's model rank from now on, as
// soon as every case has one: missing ones are made in the background, at most
// workers at a time (0: 4), and kept. A model's vectors are found again by its
// name.
func (l *Library) UseEmbeddings(model string, embed chromem.EmbeddingFunc, workers int) {
	if workers <= 0 {
		workers = defaultEmbedWorkers
	}
	ctx, stop := context.WithCancel(l.background)
	p := &provider{model: model, embed: embed, workers: workers, vectors: newVectors(model), missing: map[string]made{}, stop: stop}
	l.recall.mu.Lock()
	if old := l.recall.provider; old != nil {
		old.stop()
	}
	l.recall.provider = p
	l.recall.mu.Unlock()
	l.backgroundEnding.Go(func() { l.keepEmbedding(ctx, p) })
}

// keepEmbedding gives a vector to each case that lacks one, until ctx ends.
func (l *Library) keepEmbedding(ctx context.Context, p *provider) {
	done := int64(-1)
	for ctx.Err() == nil {
		pause := embedRest
		last, err := l.watch.last(ctx)
		if err == nil && last != done {
			if err = l.embedMissing(ctx, p); err == nil {
				done = last
			}
		}
		if err != nil && ctx.Err() == nil {
			pause = embedPause
			l.log.Warn("embedding cases failed; hashed vectors stand in where some are missing", "model", p.model, "error", err, "again in", pause)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// A made is a vector that waits to be stored.
type made struct {
	id     string
	text   text
	vector []float32
}

func (l *Library) embedMissing(ctx context.Context, p *provider) error {
	if err := l.followProvider(ctx, p); err != nil {
		return err
	}
	p.vectors.mu.RLock()
	missing := slices.Collect(maps.Values(p.missing))
	p.vectors.mu.RUnlock()
	if len(missing) == 0 {
		return nil
	}
	work, results := make(chan made), make(chan made)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	for range p.workers {
		workers.Go(func() {
			for m := range work {
				vector, err := p.embed(ctx, m.text.text)
				if err == nil {
					err = p.accept(vector)
				}
				if err != nil {
					cancel(fmt.Errorf("embedding case %q: %w", m.id, err))
					return
				}
				m.vector = normalize(append([]float32(nil), vector...))
				results <- m
			}
		})
	}
	go func() {
		defer close(results)
		defer workers.Wait()
		defer close(work)
		for _, m := range missing {
			select {
			case work <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return errors.Join(l.keepVectors(context.WithoutCancel(ctx), p, results), context.Cause(ctx))
}

// embedBatch is how many vectors go to the file in one transaction.
const embedBatch = 64

func (l *Library) keepVectors(ctx context.Context, p *provider, results <-chan made) (err error) {
	var batch []made
	flush := func() {
		if len(batch) > 0 && err == nil {
			err = l.storeVectors(ctx, p, batch)
		}
		batch = batch[:0]
	}
	for m := range results {
		if batch = append(batch, m); len(batch) == embedBatch {
			flush()
		}
	}
	flush()
	return err
}

// accept refuses a vector that can't be ranked with the others of its model.
func (p *provider) accept(vector []float32) error {
	if !usable(vector) {
		return fmt.Errorf("the model gave a vector without direction (%d numbers)", len(vector))
	}
	dims := int64(len(vector))
	if !p.dims.CompareAndSwap(0, dims) && p.dims.Load() != dims {
		return fmt.Errorf("the model gave %d numbers and before %d; name the models differently", dims, p.dims.Load())
	}
	return nil
}

func (l *Library) storeVectors(ctx context.Context, p *provider, batch []made) error {
	err := l.inTransaction(ctx, func(w *writing) error {
		for _, m := range batch {
			_, err := w.exec(`INSERT INTO vectors (case_id, language, model, hash, vector) SELECT id, ?2, ?3, ?4, ?5 FROM cases WHERE id = ?1
				ON CONFLICT (model, case_id, language) DO UPDATE SET hash = excluded.hash, vector = excluded.vector`,
				m.id, m.text.language, p.model, m.text.hash(), bytesOf(m.vector))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.vectors.mu.Lock()
	defer p.vectors.mu.Unlock()
	for _, m := range batch {
		// A case that changed meanwhile waits with its new text.
		if doc := document(m.id, m.text); p.missing[doc].text == m.text {
			delete(p.missing, doc)
			p.vectors.put(m.id, m.text, m.vector)
		}
	}
	return nil
}

// followProvider brings p's vectors up to the file, and what is missing.
func (l *Library) followProvider(ctx context.Context, p *provider) error {
	stored := func(id string, t text) (vector []float32) {
		vector, err := l.storedVector(ctx, p, id, t)
		if err != nil {
			l.log.Warn("reading a vector; it is made again", "case", id, "error", err)
		}
		if vector == nil {
			p.missing[document(id, t)] = made{id: id, text: t}
		}
		return vector
	}
	gone := func(id string) {
		for _, language := range languages {
			delete(p.missing, document(id, text{language: language}))
		}
	}
	return l.follow(ctx, p.vectors, gone, stored)
}

func (l *Library) storedVector(ctx context.Context, p *provider, id string, t text) ([]float32, error) {
	var blob []byte
	err := l.recall.vector.QueryRowContext(ctx, p.model, id, t.language, t.hash()).Scan(&blob)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	vector := vectorOf(blob)
	return vector, p.accept(vector)
}

const vectorQuery = "SELECT vector FROM vectors WHERE model = ? AND case_id = ? AND language = ? AND hash = ?"

// fewMissing is the share of texts without a vector up to which the provider
// ranks; the words find those cases meanwhile.
const fewMissing = 0.02

// errIncomplete reports that too many cases have no vector of the provider yet.
var errIncomplete = errors.New("cases have no vector yet")

// byProvider ranks cases by a provider's vectors.
func (l *Library) byProvider(ctx context.Context, p *provider, question string, depth int) ([]neighbour, error) {
	if err := l.followProvider(ctx, p); err != nil {
		return nil, err
	}
	if !p.ready() {
		return nil, errIncomplete
	}
	vector, err := p.embed(ctx, question)
	if err != nil {
		return nil, err
	}
	if err := p.accept(vector); err != nil {
		return nil, err
	}
	near, err := p.vectors.nearest(ctx, question, vector, depth)
	if err == nil && p.ranks.CompareAndSwap(false, true) {
		l.recall.hashed.clear() // they take memory, and are made again when they are needed
	}
	return near, err
}

// ready reports whether nearly every case has a vector.
func (p *provider) ready() bool {
	p.vectors.mu.RLock()
	defer p.vectors.mu.RUnlock()
	there := 0
	for _, set := range p.vectors.sets {
		there += set.Count()
	}
	return float64(len(p.missing)) <= fewMissing*float64(there)
}
