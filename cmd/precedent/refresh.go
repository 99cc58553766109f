package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
)

// refresh reads every configured graph anew, holds its cases against it, and has a
// serve that runs on the same data folder do so too.
func (p *program) refresh(ctx context.Context, cmd *cli.Command) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	s, err := p.settings(cmd, false)
	if err != nil {
		return err
	}
	for _, graph := range s.graphs() {
		one := s
		one.engine = s.of(graph)
		if err := p.refreshOne(ctx, cmd, one); err != nil {
			return err
		}
		s.notes = nil // said once
	}
	return nil
}

func (p *program) refreshOne(ctx context.Context, cmd *cli.Command, s settings) (err error) {
	e, notes, err := p.opened(ctx, s, p.log(s.verbose))
	if err != nil {
		return err
	}
	defer closed(e, &err)
	for _, note := range notes {
		fmt.Fprintln(p.err, "precedent: "+bot.Plain(note))
	}
	done, err := e.Refresh(ctx, true)
	if err != nil {
		return broke("refreshing", err)
	}
	if err := e.Mark(); err != nil {
		return broke("refreshing", err)
	}
	if cmd.Bool("json") {
		return p.json(refreshedJSON(e, done))
	}
	schema := e.Schema()
	p.say("%s: %d labels, %d types, read in %v", e.Name(), len(schema.Labels), len(schema.Types), done.Took.Round(time.Millisecond))
	for _, line := range done.Said() {
		p.say("%s", line)
	}
	return nil
}

// refreshedJSON is what refresh --json prints for each graph.
func refreshedJSON(e *engine.Engine, done engine.Refreshed) any {
	return struct {
		Graph string `json:"graph"`
		engine.Refreshed
		Took float64 `json:"took_ms"`
		Hash string  `json:"hash"`
	}{e.Name(), done, float64(done.Took) / float64(time.Millisecond), e.Schema().Hash}
}

// fresh keeps what is known of a graph fresh while the program serves. What becomes
// of verified cases is told to tell. A graph that can't be looked at is tried again;
// what was known of it answers meanwhile.
func fresh(part *bot.Part, e *engine.Engine, tell func(context.Context, engine.Refreshed)) kept {
	return kept{part: part, run: func(ctx context.Context) error {
		if e.Freshness().Failed == nil {
			part.Up()
		}
		err := e.KeepFresh(ctx, func(done engine.Refreshed) {
			part.Up()
			tell(ctx, done)
		})
		if err == nil || ctx.Err() != nil {
			return err
		}
		return stale(err)
	}}
}

// stale says why a graph can't be looked at, and what to do about it where somebody
// has to.
func stale(err error) error {
	if errors.Is(err, store.ErrDenied) || errors.Is(err, store.ErrMissing) || errors.Is(err, engine.ErrConfig) || fileError(err) {
		f := unopened(err)
		what, _, _ := strings.Cut(f.What, "\n")
		return &bot.Lasting{Why: "answers come from what was known before; now " + what, Cure: f.Cure}
	}
	return fmt.Errorf("answers come from what was known before: %w", err)
}

// freshParts keep all open graphs fresh.
func (p *program) freshParts(parts *bot.Parts, open *engines, desk *bot.Desk) (runs []kept) {
	var graphs []string
	for graph := range open.byGraph {
		graphs = append(graphs, graph)
	}
	slices.Sort(graphs)
	for _, graph := range graphs {
		e := open.byGraph[graph].Engine
		if f := e.Freshness(); !f.Changes || f.Every == 0 {
			continue
		}
		name := "graph"
		if len(graphs) > 1 {
			name += " " + e.Name()
		}
		runs = append(runs, fresh(parts.Lesser(name), e, func(ctx context.Context, done engine.Refreshed) {
			if desk != nil {
				desk.Alert(ctx, e.Name(), p.language(), done)
			}
		}))
	}
	return runs
}

// keepFresh keeps what is known of a graph fresh until end is called.
func (p *program) keepFresh(ctx context.Context, e *engine.Engine, log *slog.Logger) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	k := fresh((&bot.Parts{Log: log}).Beside("graph"), e, func(context.Context, engine.Refreshed) {})
	var keeping sync.WaitGroup
	keeping.Go(func() { k.part.Keep(ctx, againFirst, againMost, k.run) })
	return func() { stop(); keeping.Wait() }
}
