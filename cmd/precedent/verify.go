package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
)

// replayWorkers is how many cases are replayed at a time.
const replayWorkers = 4

// casesVerify replays all verified cases. With --json it prints a line for each, and
// one with what came of all; else a line for each that doesn't just pass.
func (p *program) casesVerify(ctx context.Context, cmd *cli.Command) error {
	if err := noArgs(cmd); err != nil {
		return err
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		if _, err := e.Refresh(ctx, false); err != nil {
			return broke("looking at the graph", err)
		}
		show, stop := p.counting(func(done, of int) string { return fmt.Sprintf("%d of %d cases verified", done, of) })
		var printing error
		sum, err := e.Replay(ctx, replayWorkers, func(r engine.Replayed, done, of int) {
			switch {
			case cmd.Bool("json"):
				printing = errors.Join(printing, p.json(r))
			case r.Result != engine.Passes:
				p.say("%s  %s  %s: %s", r.Case, r.Result, r.Question, r.Why)
			}
			show(done, of)
		})
		stop()
		switch {
		case ctx.Err() != nil:
			return failure{exitFault, errors.New("interrupted: nothing was changed")}
		case err != nil:
			return broke("verifying", err)
		case printing != nil:
			return printing
		}
		if cmd.Bool("json") {
			if err := p.json(sum); err != nil {
				return err
			}
		} else {
			p.saySum(sum)
		}
		if sum.Kinds[engine.Fails] > 0 {
			return failure{code: exitFault}
		}
		return nil
	})
}

// saySum says what came of all cases.
func (p *program) saySum(sum engine.Replay) {
	p.say("cases: %d; pass: %d, fail: %d, find nothing: %d, find other rows: %d, not reached: %d", sum.Of,
		sum.Kinds[engine.Passes], sum.Kinds[engine.Fails], sum.Kinds[engine.Empties], sum.Kinds[engine.Differs], sum.Kinds[engine.Unreached])
	switch {
	case sum.Stopped:
		p.say("more than one in ten fails: none is taken out of use, and none of those answers; see that this is the right graph, and all of it")
	case len(sum.Out) > 0:
		p.say("taken out of use: %s", strings.Join(sum.Out, ", "))
	}
	if len(sum.Back) > 0 {
		p.say("in use again: %s", strings.Join(sum.Back, ", "))
	}
}

// counting returns what says on standard error how far something is, now and then,
// and what ends that.
func (p *program) counting(say func(done, of int) string) (show func(done, of int), stop func()) {
	live, every, shown := p.live(p.err), importSaidEvery, false
	if live {
		every = importShownEvery
	}
	last := time.Now()
	show = func(done, of int) {
		if time.Since(last) < every {
			return
		}
		last, shown = time.Now(), true
		if live {
			fmt.Fprint(p.err, "\r\x1b[K"+say(done, of))
		} else {
			fmt.Fprintln(p.err, "precedent: "+bot.Plain(say(done, of)))
		}
	}
	return show, func() {
		if live && shown {
			fmt.Fprint(p.err, "\r\x1b[K")
		}
	}
}
