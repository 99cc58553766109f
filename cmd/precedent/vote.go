package main

import (
	"cmp"
	"context"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/bot/words"
)

// vote counts a vote on an answer.
func (p *program) vote(ctx context.Context, cmd *cli.Command) (err error) {
	if cmd.NArg() != 2 {
		return usagef("vote on what, and how? precedent vote ANSWER up|down|none")
	}
	v, err := bot.Ballot(cmd.Args().Get(0), cmd.Args().Get(1), cmd.String("user"), cmd.String("role"), cmd.String("reason"))
	if err != nil {
		return failure{exitUsage, err}
	}
	if v.AsIs = cmd.Bool("as-is"); v.AsIs && (!v.Curator || v.Value != "up") {
		return usagef("--as-is goes with a curator's up: it keeps a case whose words and query don't prove each other")
	}
	v.User, v.Why = cmp.Or(v.User, p.operator()), cmd.String("why")
	ctx, stop := p.watched(ctx)
	defer stop()
	e, s, err := p.open(ctx, cmd)
	if err != nil {
		return err
	}
	defer closed(e, &err)
	done, err := e.Vote(ctx, v)
	if err != nil {
		return broke("voting", err)
	}
	if cmd.Bool("json") {
		return p.json(done)
	}
	p.print(s.verbose).Voted(p.out, done, v.Value, words.In(p.language()))
	return nil
}
