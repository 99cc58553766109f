package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/bot/words"
	"precedent/engine"
	"precedent/store/written"
)

// Bounds of the file of --history.
const (
	maxHistory     = 64      // turns; earlier ones are left out
	maxHistoryFile = 8 << 20 // bytes
)

// routes are those that a turn may have taken.
var routes = []engine.Route{engine.ByCase, engine.Composed, engine.ByModel, engine.Clarify, engine.Refused, engine.Unanswered, engine.Fault}

// ask answers one question. The exit code says how that went.
func (p *program) ask(ctx context.Context, cmd *cli.Command) (err error) {
	if cmd.NArg() == 0 {
		return usagef("ask what? precedent ask \"Who directed The Matrix?\"")
	}
	q := engine.Question{Text: strings.Join(cmd.Args().Slice(), " "), User: cmd.String("user"), Private: cmd.String("scope") == "private", Anyway: cmd.Bool("anyway")}
	if name := cmd.String("history"); name != "" {
		if q.History, err = p.history(name); err != nil {
			return err
		}
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	e, s, err := p.open(ctx, cmd)
	if err != nil {
		return err
	}
	defer closed(e, &err)
	w := words.For(q.Text)
	spin := bot.Spin(p.err, p.live(p.err), w, w.Working)
	a := e.AskAndKeep(ctx, q, spin.Progress)
	spin.Stop()
	if cmd.Bool("json") {
		if err := p.json(a); err != nil {
			return err
		}
	} else {
		p.print(s.verbose).Answer(p.out, a)
		if a.Refusal != nil && a.Refusal.Anyway {
			fmt.Fprintln(p.err, words.In(a.Language).WithAnyway)
		}
	}
	switch a.Route {
	case engine.ByCase, engine.Composed, engine.ByModel:
		return nil
	case engine.Refused, engine.Clarify:
		return failure{code: exitRefused}
	case engine.Unanswered:
		return failure{code: exitUnanswered}
	}
	return failure{code: exitFault}
}

// history reads earlier answers, oldest first. It is never nil, so that no
// other turns are looked for.
func (p *program) history(name string) ([]engine.Turn, error) {
	in, where := io.NopCloser(p.in), name
	if name == "-" {
		where = "standard input"
	} else {
		f, err := written.Open(name)
		if err != nil {
			return nil, usagef("the history can't be read: %w; check --history", err)
		}
		in = f
	}
	defer in.Close()
	text, err := written.All(where, in, maxHistoryFile)
	if err != nil {
		return nil, usagef("the history can't be read: %w; keep its last lines", err)
	}
	turns := []engine.Turn{}
	dropped, n := 0, 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))); len(line) == 0 {
			continue
		}
		t, err := turn(line)
		if err != nil {
			return nil, usagef("%s:%d: %w; each line is an answer of ask --json", name, n, err)
		}
		if turns = append(turns, t); len(turns) > maxHistory {
			turns, dropped = slices.Delete(turns, 0, 1), dropped+1
		}
	}
	if dropped > 0 {
		fmt.Fprintf(p.err, "precedent: only the last %d of %d turns are used\n", maxHistory, maxHistory+dropped)
	}
	return turns, nil
}

// turn reads one answer as a turn of a conversation.
func turn(line []byte) (engine.Turn, error) {
	var t engine.Turn
	if err := written.JSON(line, &t); err != nil {
		return t, err
	}
	if t.Question == "" || t.Route == "" {
		return t, errors.New(`there is no "question" or no "route"`)
	}
	if !slices.Contains(routes, t.Route) {
		return t, fmt.Errorf("there is no route %q", t.Route)
	}
	var err error
	for name, v := range t.Params {
		if t.Params[name], err = lively(v); err != nil {
			return t, fmt.Errorf("params.%s: %w", name, err)
		}
	}
	for i := range t.Links {
		if t.Links[i].Value, err = lively(t.Links[i].Value); err != nil {
			return t, fmt.Errorf("links: %w", err)
		}
	}
	for _, row := range t.Rows {
		for i := range row {
			if row[i], err = lively(row[i]); err != nil {
				return t, fmt.Errorf("rows: %w", err)
			}
		}
	}
	return t, nil
}
