package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/bot/words"
	"precedent/engine"
)

// Bounds of the file of --history.
const (
	maxHistory     = 64      // turns; earlier ones are left out
	maxHistoryLine = 8 << 20 // bytes
)

// ask answers one question. The exit code says how that went.
func (p *program) ask(ctx context.Context, cmd *cli.Command) (err error) {
	if cmd.NArg() == 0 {
		return usagef("ask what? precedent ask \"Who directed The Matrix?\"")
	}
	q := engine.Question{Text: strings.Join(cmd.Args().Slice(), " "), User: cmd.String("user"), Private: cmd.String("scope") == "private"}
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
	a := e.Ask(ctx, q, spin.Progress)
	spin.Stop()
	if cmd.Bool("json") {
		if err := p.json(a); err != nil {
			return err
		}
	} else {
		p.print(s.verbose).Answer(p.out, a)
	}
	switch a.Route {
	case engine.ByCase, engine.ByModel:
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
	in := p.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, usagef("the history can't be read: %w; check --history", err)
		}
		defer f.Close()
		in = f
	}
	turns := []engine.Turn{}
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, maxHistoryLine)
	line := 0
	for scan.Scan() {
		line++
		if strings.TrimSpace(scan.Text()) == "" {
			continue
		}
		t, err := turn(scan.Bytes())
		if err != nil {
			return nil, usagef("%s:%d: %w; each line is an answer of ask --json", name, line, err)
		}
		turns = append(turns, t)
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, usagef("%s:%d: longer than %d bytes", name, line+1, maxHistoryLine)
	case err != nil:
		return nil, usagef("reading the history: %w", err)
	case len(turns) > maxHistory:
		fmt.Fprintf(p.err, "precedent: only the last %d of %d turns are used\n", maxHistory, len(turns))
		turns = turns[len(turns)-maxHistory:]
	}
	return turns, nil
}

// turn reads one answer as a turn of a conversation.
func turn(line []byte) (engine.Turn, error) {
	var t engine.Turn
	if err := decode(line, &t); err != nil {
		return t, err
	}
	if t.Question == "" || t.Route == "" {
		return t, errors.New(`there is no "question" or no "route"`)
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

// decode reads one JSON value and nothing behind it; numbers become json.Number.
func decode(line []byte, v any) error {
	d := json.NewDecoder(strings.NewReader(string(line)))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the JSON breaks off")
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind the JSON")
	}
	return nil
}

// lively turns decoded JSON into values of a graph: a number with a point or
// exponent is a float, any other an integer of 64 bits, which it must fit.
func lively(v any) (_ any, err error) {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			f, err := v.Float64()
			if err != nil {
				return nil, fmt.Errorf("%s is beyond the range of a float", v)
			}
			return f, nil
		}
		n, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is beyond the range of an integer (64 bits)", v)
		}
		return n, nil
	case []any:
		for i := range v {
			if v[i], err = lively(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = lively(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
