package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// casesAliases lists the other names for values that people taught.
func (p *program) casesAliases(ctx context.Context, cmd *cli.Command) error {
	if err := noArgs(cmd); err != nil {
		return err
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		found, err := e.Taught(ctx, store.Status(cmd.String("status")))
		if err != nil {
			return broke("listing aliases", err)
		}
		if cmd.Bool("json") {
			to := json.NewEncoder(p.out)
			to.SetEscapeHTML(false)
			for _, a := range found {
				if err := to.Encode(a); err != nil {
					return broke("writing aliases", err)
				}
			}
			return nil
		}
		rows := make([][]any, len(found))
		for i, a := range found {
			mind := a.Note
			if a.Private {
				mind = "private " + mind
			}
			rows[i] = []any{a.ID, string(a.Status), a.Name, a.Label + "." + a.Property, a.Value, int64(a.Teachers), mind}
		}
		if len(rows) > 0 {
			fmt.Fprint(p.out, bot.Table([]string{"id", "status", "name", "of", "value", "teachers", "note"}, rows, p.listWidth()))
		}
		p.say("aliases: %d", len(found))
		return nil
	})
}

// decide approves or rejects an alias.
func (p *program) decide(ctx context.Context, cmd *cli.Command, e *engine.Engine, name string, to store.Status) error {
	if to != store.Verified && to != store.Rejected {
		return usagef("an alias is approved or rejected: precedent cases reject %s takes it out of use", name)
	}
	a, err := e.DecideTaught(ctx, name, to == store.Verified, p.by(cmd), cmd.String("why"))
	if err != nil {
		return broke("deciding", err)
	}
	if cmd.Bool("json") {
		return p.json(a)
	}
	p.say("%s  %q means %s.%s %s: %s", a.ID, a.Name, a.Label, a.Property, a.Value, a.Status)
	return nil
}

// isAlias reports whether an id is that of an alias; cases that people import
// may be called as they like.
func isAlias(ctx context.Context, e *engine.Engine, name string) bool {
	if !cases.IsTaught(name) {
		return false
	}
	_, err := e.Library().Case(ctx, name)
	return errors.Is(err, cases.ErrUnknownCase)
}

// history is that of a case or an alias.
func history(ctx context.Context, e *engine.Engine, name string) ([]cases.Change, error) {
	if isAlias(ctx, e, name) {
		return e.Library().TaughtHistory(ctx, name)
	}
	return e.Library().History(ctx, name)
}
