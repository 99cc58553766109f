package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/store"
)

// serve answers over HTTP until it is told to end.
func (p *program) serve(ctx context.Context, cmd *cli.Command) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd, false)
	if err != nil {
		return err
	}
	if s.http == "" {
		return usagef("serve where? precedent serve --http 127.0.0.1:8080")
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	log := p.log(s.verbose)
	h := &bot.HTTP{Token: s.token, Log: log}
	l, err := h.Listen(ctx, s.http)
	if err != nil {
		return failure{exitUsage, err}
	}
	defer l.Close() // where the engine doesn't open
	e, notes, err := p.opened(ctx, s, log)
	if err != nil {
		return err
	}
	defer closed(e, &err)
	for _, note := range notes {
		fmt.Fprintln(p.err, "precedent: "+bot.Plain(note))
	}
	h.Bot = &bot.Bot{Ask: e.Ask, Vote: e.Vote, Log: log, Patience: s.engine.Deadline}
	h.Ready = func(ctx context.Context) error {
		_, err := e.RunCypher(ctx, store.Query{Text: "RETURN 1 AS one"})
		return err
	}
	fmt.Fprintf(p.err, "precedent: answering about %s on http://%s\n", bot.Plain(e.Name()), l.Addr())
	return broke("", h.Serve(ctx, l))
}
