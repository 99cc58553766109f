package engine

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"precedent/store/cases"
)

// markName is the file in a graph's folder of data that precedent refresh writes anew.
const markName = "refresh"

// first has the engine know its graph for the first time: by reading it, or by what
// an earlier run read, where that will do.
func (e *Engine) first(ctx context.Context, c Config) error {
	e.fresh.channels()
	e.config = configDigest(c, [2]any{e.glossary.Linkable, e.linking})
	now := time.Now()
	if e.source.pulse == nil {
		s, err := e.look(ctx, nil, nil)
		if err == nil {
			e.known.Store(s)
			e.fresh.status = Freshness{Read: now, Looked: now}
		}
		return err
	}
	pulse, err := e.source.pulse(ctx)
	if err != nil {
		return fmt.Errorf("looking at the graph: %w", err)
	}
	kept := e.readCache()
	if e.source.away && e.every > 0 && kept.holds() {
		agrees := maps.Equal(pulse, kept.Pulse) && now.Sub(kept.Read) < e.every
		if agrees || c.KeptFresh {
			e.gate.know(kept.Schema)
			g, err := e.glossaryFor(kept.Schema)
			if err != nil {
				return err
			}
			s, err := e.know(ctx, kept.Schema, g, kept.values(), kept.List, nil)
			if err != nil {
				return err
			}
			e.known.Store(s)
			e.fresh.pulse, e.fresh.saved = kept.Pulse, true
			e.fresh.status = Freshness{Read: kept.Read, Looked: kept.Read, Cached: !agrees}
			return nil
		}
	}
	s, err := e.look(ctx, nil, nil)
	if err != nil {
		return err
	}
	e.known.Store(s)
	e.fresh.pulse = pulse
	e.fresh.status = Freshness{Read: now, Looked: now}
	switch {
	case kept.Schema == nil:
	case kept.Schema.Hash != s.schema.Hash:
		e.baseline = kept.Schema
	case !e.source.away:
		e.fresh.saved = true // the schema is all that is kept
	}
	return nil
}

// settle holds the verified cases against the graph where that changed since an
// earlier run, and says what the operator should know.
func (e *Engine) settle(ctx context.Context) (warnings []string, err error) {
	if e.source.pulse == nil {
		done := Refreshed{Silent: e.misread(&drift{})}
		e.fresh.status.Silent = done.Silent
		return done.Said(), e.flagSilent(ctx, done.Silent)
	}
	withheld, err := e.library.Withheld(ctx)
	if err != nil {
		return nil, err
	}
	done := Refreshed{At: e.fresh.status.Read}
	d := &drift{}
	if !e.heldBefore(ctx) || len(withheld) > 0 {
		if d, err = e.hold(ctx, e, e.before()); err != nil {
			return nil, err
		}
		done.Of = d.of
		e.withhold(d.all())
		if err := e.settleDrift(ctx, d, &done); err != nil {
			return nil, err
		}
		if err := e.library.KeepHeld(ctx, e.snapshot().schema.Hash); err != nil {
			return nil, err
		}
	}
	done.Silent = e.misread(d)
	if err := e.flagSilent(ctx, done.Silent); err != nil {
		return nil, err
	}
	e.fresh.status.Silent, e.fresh.status.Drifted = done.Silent, len(done.Out)+len(done.Stopped)
	if !e.fresh.saved {
		e.keep(e.fresh.pulse, e.fresh.status.Read)
	}
	e.fresh.opening = done
	return done.Said(), nil
}

// heldBefore reports whether the cases were held against this schema before.
func (e *Engine) heldBefore(ctx context.Context) bool {
	held, err := e.library.Held(ctx)
	return err == nil && held == e.snapshot().schema.Hash
}

// Said is what became of the cases, in sentences for the operator; none where
// nothing did.
func (done Refreshed) Said() (said []string) {
	if n := len(done.Stopped); n > 0 {
		said = append(said, fmt.Sprintf("%d of %d verified cases name what the graph lacks, and don't answer; none was taken out of use, since they are so many. First: %s: %s. See that the address is that of the right graph, and that it is all there; then precedent cases verify, and precedent cases quarantine ID for what is to go", n, done.Of, done.Stopped[0].Case, done.Stopped[0].Why()))
	}
	if n := len(done.Out); n > 0 {
		said = append(said, fmt.Sprintf("cases taken out of use, since the graph lacks what they name: %d. First: %s: %s. They come back with the names; edit or retire those that are not to", n, done.Out[0].Case, done.Out[0].Why()))
	}
	if n := len(done.Back); n > 0 {
		said = append(said, fmt.Sprintf("cases in use again, since the graph has again what they name: %d", n))
	}
	if len(done.Silent) > 0 {
		said = append(said, silentSaid(done.Silent))
	}
	return said
}

// Mark has whoever keeps an engine on this folder of data fresh read the whole graph
// anew, within a few seconds.
func (e *Engine) Mark() error {
	name := filepath.Join(e.path, markName)
	if err := os.WriteFile(name, []byte(time.Now().UTC().Format(time.RFC3339Nano)+"\n"), 0o600); err != nil {
		return fmt.Errorf("leaving the mark for a running serve: %w", err)
	}
	return nil
}

// marked is when the mark was left; zero if it never was.
func (e *Engine) marked() time.Time {
	info, err := os.Stat(filepath.Join(e.path, markName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Drifted are the cases that don't answer, since the graph lacks what they name:
// those that were taken out of use, and those that were too many for that.
func (e *Engine) Drifted(ctx context.Context) (all []cases.Drift, err error) {
	out, lacks, err := e.library.Drifted(ctx)
	if err != nil {
		return nil, err
	}
	for i, c := range out {
		if e.Shows(c) {
			all = append(all, cases.Drift{Case: c.ID, Question: c.Question, Lacks: lacks[i]})
		}
	}
	held, err := e.library.Withheld(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(held)) {
		all = append(all, held[id])
	}
	return all, nil
}
