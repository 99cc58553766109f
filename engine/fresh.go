package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

// A source is where a graph comes from, as far as others change it while it is
// answered from.
type source struct {
	// pulse is a cheap sign of what the graph holds; nil of one that never changes.
	pulse func(context.Context) (store.Pulse, error)

	// open opens the graph anew; nil of one that is asked where it is.
	open func() (*gate, error)

	// look is how often a pulse is taken even where nobody waits for one; 0: no
	// more often than the graph is to be made fresh.
	look time.Duration

	// away says that others may change the graph between a pulse and a query.
	away bool
}

// Bounds of how what is known of a graph is kept in step with it.
const (
	DefaultRefresh = 15 * time.Minute

	lookAtFiles  = time.Second     // how often the files of a folder are looked at
	lookForMark  = 2 * time.Second // and the mark of precedent refresh
	wholeEvery   = 8               // every so many times all is read, whatever the pulse says
	mostMoving   = 5               // readings of files that change meanwhile
	leastBetween = 3 * time.Second // between two refreshes that answers ask for
)

var (
	errMoving = errors.New("the graph's files are being written; they are read once they rest")
	errClosed = errors.New("the graph is closed")
)

// Refreshed is what became of a look at the graph.
type Refreshed struct {
	At      time.Time       `json:"at"`
	Took    time.Duration   `json:"-"`
	Changed bool            `json:"changed"`          // the graph was read anew
	Schema  bool            `json:"schema_changed"`   // and has other names
	Out     []cases.Drift   `json:"out,omitempty"`    // cases taken out of use for what the graph lacks
	Stopped []cases.Drift   `json:"stopped"`          // cases that don't answer, and were too many to be taken out
	Of      int             `json:"verified"`         // verified cases that were held against the graph
	Back    []string        `json:"back,omitempty"`   // cases that are in use again
	Silent  []cases.Misread `json:"silent,omitempty"` // verified cases whose words are read otherwise now
}

// Freshness is how well an engine knows its graph.
type Freshness struct {
	Read    time.Time     // when the schema and the values were read
	Looked  time.Time     // when the graph was last found to be as it was read
	Every   time.Duration // how often that is looked at; 0: never
	Cached  bool          // they were read by an earlier run
	Changes bool          // the graph may change at all
	Failed  error         // of the last look; nil: it went well
	Drifted int           // verified cases that don't answer, since the graph lacks what they name
	Silent  []cases.Misread
}

// freshness is how what the engine knows is kept in step with the graph.
type freshness struct {
	turn    sync.Mutex // held by whoever makes it fresh
	pulse   store.Pulse
	partly  int       // readings since all was read
	saved   bool      // what was read is in the cache
	opening Refreshed // what became of the cases as the engine opened; for who keeps it fresh

	once  sync.Once
	ended chan struct{} // closed once the engine is
	asked chan struct{} // somebody found that the graph changed

	mu      sync.Mutex // guards what follows
	status  Freshness
	last    time.Time // that an answer asked for a refresh
	looked  time.Time // that a question's words were looked up
	flagged []string  // the cases that curators are to look at, since their words are read otherwise
}

func (f *freshness) channels() {
	f.once.Do(func() { f.ended, f.asked = make(chan struct{}), make(chan struct{}, 1) })
}

// end has a refresh that is at work end, and none begin.
func (f *freshness) end() {
	f.channels()
	f.mu.Lock()
	select {
	case <-f.ended:
	default:
		close(f.ended)
	}
	f.mu.Unlock()
	f.turn.Lock() // until it has ended
	defer f.turn.Unlock()
}

// begin waits for the turn to make it fresh. The context ends with the engine.
func (f *freshness) begin(ctx context.Context) (_ context.Context, done func(), err error) {
	f.channels()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-f.ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	f.turn.Lock()
	select {
	case <-f.ended:
		err = errClosed
	default:
		err = ctx.Err()
	}
	return ctx, func() { cancel(); f.turn.Unlock() }, err
}

// note keeps what became of a look at the graph.
func (f *freshness) note(done Refreshed, err error, drifted int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.status.Failed = err; err != nil {
		return
	}
	f.status.Looked = done.At
	f.status.Drifted = drifted
	if done.Changed {
		f.status.Read, f.status.Cached, f.status.Silent = done.At, false, done.Silent
	}
}

// Freshness tells how well the engine knows its graph.
func (e *Engine) Freshness() Freshness {
	e.index.RLock()
	drifted := len(e.withheld)
	e.index.RUnlock()
	e.fresh.mu.Lock()
	defer e.fresh.mu.Unlock()
	s := e.fresh.status
	s.Every, s.Changes, s.Silent = e.every, e.source.pulse != nil, slices.Clone(s.Silent)
	s.Drifted = max(s.Drifted, drifted)
	return s
}

// Refresh looks whether the graph changed, and if so reads what did, or all of it
// where whole is set. It holds every verified case against what it read: one that
// names what the graph lacks no longer answers, is taken out of use, and comes back
// by itself with the names; where that would be more than one in ten, none is taken
// out, and none of those answers. Answers are given meanwhile from what was known
// before. Of a graph that can't change, nothing is done.
func (e *Engine) Refresh(ctx context.Context, whole bool) (done Refreshed, err error) {
	done.At = time.Now()
	if e.source.pulse == nil {
		return done, nil
	}
	ctx, end, err := e.fresh.begin(ctx)
	defer end()
	if err == nil {
		done, err = e.refresh(ctx, whole)
	}
	done.Took = time.Since(done.At)
	e.fresh.note(done, err, len(done.Out)+len(done.Stopped))
	return done, err
}

func (e *Engine) refresh(ctx context.Context, whole bool) (done Refreshed, err error) {
	done.At = time.Now()
	before, was := e.snapshot(), e.fresh.pulse
	now, err := e.source.pulse(ctx)
	if err != nil {
		return done, fmt.Errorf("looking whether the graph changed: %w", err)
	}
	exact := e.source.open != nil || now[store.TransactionPart] != ""
	whole = whole || len(was) == 0 || !exact && e.fresh.partly >= wholeEvery
	if !whole && maps.Equal(now, was) {
		e.fresh.partly++
		return done, nil
	}
	aside, err := e.aside()
	if err != nil {
		return done, err
	}
	same := func(part string) bool { sign, ok := now[part]; return ok && sign == was[part] }
	if whole || e.source.open != nil {
		same = nil
	}
	s, err := aside.look(ctx, before, same)
	if err != nil {
		return done, err
	}
	if e.source.open != nil {
		if again, err := e.source.pulse(ctx); err != nil || !maps.Equal(again, now) {
			return done, errors.Join(errMoving, err)
		}
	}
	done.Changed, done.Schema = true, s.schema.Hash != before.schema.Hash
	aside.known.Store(s)
	if err := e.change(ctx, aside, &done); err != nil {
		return done, err
	}
	e.fresh.pulse = now
	if e.fresh.partly++; same == nil {
		e.fresh.partly = 0
	}
	e.keep(now, done.At)
	return done, nil
}

// aside is an engine with the parts and the words of e over the graph as it is now.
// Nobody is answered from it.
func (e *Engine) aside() (a *Engine, err error) {
	a = &Engine{settings: e.settings}
	a.gently = true
	if e.source.open == nil {
		a.gate = e.gate.aside()
		return a, nil
	}
	if a.gate, err = e.source.open(); err == nil {
		a.gate.now = e.gate.now
	}
	return a, err
}

// change makes an index of the cases as aside reads them, holds each against the
// graph, and has e answer from all that.
func (e *Engine) change(ctx context.Context, aside *Engine, done *Refreshed) error {
	before, after := e.snapshot(), aside.snapshot()
	if after.reader == before.reader && !done.Schema { // more or fewer of the same
		e.following.Lock()
		defer e.following.Unlock()
		if now := e.snapshot(); now == before {
			e.known.Store(after)
			e.gate.take(aside.gate)
			return nil
		}
		return fmt.Errorf("%w: something was taught meanwhile", errMoving)
	}
	there, err := aside.changes(ctx, 0)
	if err != nil {
		return err
	}
	aside.begin(there)
	drift, err := e.hold(ctx, aside, before)
	if err != nil {
		return err
	}
	done.Of = drift.of
	if done.Silent = aside.misread(drift); len(done.Silent) > 0 { // before they are
		e.log.Warn(silentSaid(done.Silent))
	}
	aside.withhold(drift.all())
	if err := e.swap(ctx, aside); err != nil {
		return err
	}
	if done.Schema {
		e.explainAll(ctx, drift)
	}
	if err := e.settleDrift(ctx, drift, done); err != nil {
		return err
	}
	for _, said := range (Refreshed{Out: done.Out, Stopped: done.Stopped, Of: done.Of, Back: done.Back}).Said() {
		e.log.Warn(said)
	}
	if err := e.flagSilent(ctx, done.Silent); err != nil {
		return err
	}
	return e.library.KeepHeld(ctx, e.snapshot().schema.Hash)
}

// swap has e answer from what aside knows. Questions that are being answered go on
// with what they began with, and look again at what they ran.
func (e *Engine) swap(ctx context.Context, aside *Engine) error {
	if err := aside.follow(ctx); err != nil { // what was taught and changed meanwhile
		return err
	}
	e.following.Lock()
	defer e.completeAnew()
	defer e.following.Unlock()
	e.index.Lock()
	e.byKey, e.readers, e.doubts, e.cases, e.shown, e.seq, e.withheld = aside.byKey, aside.readers, aside.doubts, aside.cases, aside.shown, aside.seq, aside.withheld
	e.known.Store(aside.snapshot()) // first: what runs on the new graph is held against it
	e.gate.take(aside.gate)
	e.index.Unlock()
	return nil
}

// KeepFresh makes what the engine knows fresh for as long as ctx isn't done: every so
// often, whenever an answer found that the graph changed, after precedent refresh, and
// where the graph is a folder, soon after its files are written. told is called after
// each look. An error of a look ends it, and what was known goes on answering.
func (e *Engine) KeepFresh(ctx context.Context, told func(Refreshed)) error {
	if e.source.pulse == nil || e.every == 0 {
		<-ctx.Done()
		return nil
	}
	e.fresh.channels()
	next := time.NewTimer(e.untilNext())
	defer next.Stop()
	mark := time.NewTicker(lookForMark)
	defer mark.Stop()
	var files <-chan time.Time
	if e.source.look > 0 {
		t := time.NewTicker(e.source.look)
		defer t.Stop()
		files = t.C
	}
	if e.fresh.opening.Said() != nil {
		told(e.fresh.opening)
		e.fresh.opening = Refreshed{}
	}
	marked, resting := e.marked(), store.Pulse(nil)
	for {
		whole := false
		select {
		case <-ctx.Done():
			return nil
		case <-next.C:
		case <-e.fresh.asked:
		case <-mark.C:
			now := e.marked()
			if now.Equal(marked) {
				continue
			}
			marked, whole = now, true
		case <-files:
			now, err := e.source.pulse(ctx)
			if err != nil || e.isPulse(now) || !maps.Equal(now, resting) { // or still being written
				resting = now
				continue
			}
		}
		done, err := e.Refresh(ctx, whole)
		next.Reset(e.every)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		told(done)
	}
}

// isPulse reports whether a pulse is that of what is known.
func (e *Engine) isPulse(now store.Pulse) bool {
	e.fresh.turn.Lock()
	defer e.fresh.turn.Unlock()
	return maps.Equal(now, e.fresh.pulse)
}

// untilNext is how long until the graph is to be looked at: at once where it wasn't
// in this run.
func (e *Engine) untilNext() time.Duration {
	e.fresh.mu.Lock()
	defer e.fresh.mu.Unlock()
	if e.fresh.status.Cached || e.fresh.status.Failed != nil {
		return 0
	}
	return max(0, e.every-time.Since(e.fresh.status.Looked))
}

// askFresh has the graph looked at soon by whoever keeps the engine fresh: at once, or
// as soon as the look that was asked for before is [leastBetween] ago.
func (e *Engine) askFresh() {
	e.fresh.channels()
	e.fresh.mu.Lock()
	defer e.fresh.mu.Unlock()
	wait := time.Until(e.fresh.last.Add(leastBetween))
	if wait > leastBetween { // it is asked for already
		return
	}
	wait = max(wait, 0)
	e.fresh.last = time.Now().Add(wait)
	time.AfterFunc(wait, func() {
		select {
		case e.fresh.asked <- struct{}{}:
		default:
		}
	})
}
