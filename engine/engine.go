// Package engine answers questions about a graph.
//
// [Engine.Ask] is the whole life of a question, top to bottom: link, allow,
// restate, reuse, recall, write, check, read, doubt, tell. The folders below it
// hold what each step needs: link finds values in words, reading finds out what
// is asked, check holds a draft against the schema, model talks to the model.
//
// It promises an answer to every question, though it may be that there is none
// and why; that nothing runs which the policy doesn't allow; and that no model
// is called where a verified case covers the question.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"precedent/engine/link"
	"precedent/engine/model"
	"precedent/engine/reading"
	"precedent/engine/words"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/written"
)

// An Engine answers questions about one graph. It is safe for concurrent use.
type Engine struct {
	settings
	known     atomic.Pointer[snapshot]
	explained plans
	naming    memo[judged, lookup] // how what queries name is looked up, by their text and the schema
	fresh     freshness
	baseline  *store.Schema // that the graph had at an earlier run; nil: none, or the same
	following sync.Mutex    // held while the index is brought up to date

	index    sync.RWMutex               // guards what follows
	seq      int64                      // of the library, up to which the index goes
	stopped  map[string]map[string]bool // by key of a meaning, the ids of cases out of use that ask it
	byKey    map[string][]indexed
	readers  map[string][]string    // case → its keys
	doubts   map[string][]doubt     // case → wordings that are read otherwise than its query goes
	cases    map[string]*store.Case // verified, by id
	shown    []*store.Case          // the same in the order of examples, that of their ids; replaced, never changed in place
	withheld map[string]cases.Drift // verified cases that aren't in it, for what they name

	completing  sync.Mutex   // guards what follows; no answer and no change waits for it
	completions *completions // nil until somebody completes a question
}

// settings are the parts of an Engine that stay as they were opened.
type settings struct {
	log         *slog.Logger
	gate        *gate
	name        string // of the graph, for people
	folder      string // of the graph's data
	library     *cases.Library
	model       *model.Model // nil: none
	policy      guardrails.Policy
	offTopic    OffTopic
	limits      store.Limits
	deadline    time.Duration
	composes    bool
	verbose     bool
	rowsToModel bool
	now         func() time.Time
	idle        []string // the entries of hide that match nothing
	linking     Linking
	glossary    *reading.Glossary
	aliases     []link.Alias
	placed      func(path ...any) written.Place // of the configuration
	written     wordFiles
	mistakes    written.Mistakes // of what the operator wrote
	checking    bool             // only to find all of them
	shipped     *shipped         // nil: nothing comes with the program for this graph
	source      source
	every       time.Duration // how often what is known is made fresh; 0: never
	path        string        // of the graph's folder of data
	config      string        // a digest of what decides what is read of the graph
	gently      bool          // it works beside what answers
}

// AskAndKeep is [Engine.Ask] for an answer that leaves the process: it returns when
// the question and the answer's id are on the disk, so that no end of the process
// loses the id that somebody holds. Answers that come at the same time are written
// together. Where the disk doesn't take it, the answer says so.
func (e *Engine) AskAndKeep(ctx context.Context, q Question, progress func(Progress)) Answer {
	a := e.Ask(ctx, q, progress)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	if err := e.library.Kept(ctx, a.ID); err != nil {
		e.log.Error("an answer leaves unkept", "answer", a.ID, "err", err)
		w := words.In(a.Language)
		a.Text = w.Join(a.Text, w.NotKept)
	}
	return a
}

// keepTime is how long an answer waits for the disk, whoever holds it.
const keepTime = 8 * time.Second

// Name is the graph's name for people.
func (e *Engine) Name() string { return e.name }

// Schema describes the graph, without hidden names.
func (e *Engine) Schema() *store.Schema { return e.snapshot().schema }

// SchemaText is the schema as a model is shown it where it isn't too long.
func (e *Engine) SchemaText() string { return e.snapshot().whole }

// Library is the case library.
func (e *Engine) Library() *cases.Library { return e.library }

// HasModel reports whether a model is configured.
func (e *Engine) HasModel() bool { return e.model != nil && e.model.Name() != "" }

// Close ends a refresh that is at work, and closes the library and the graph.
func (e *Engine) Close(ctx context.Context) error {
	e.fresh.end()
	var errs []error
	if e.library != nil {
		errs = append(errs, e.library.Close())
	}
	if e.gate != nil {
		errs = append(errs, e.gate.Close(ctx))
	}
	return errors.Join(errs...)
}
