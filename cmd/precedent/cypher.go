package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"precedent/engine"
	"precedent/store"
	"precedent/store/written"
)

// maxQueryLine is the most bytes of a line on standard input.
const maxQueryLine = 16 << 20

// A lineError is the result of a line without another one.
type lineError struct {
	Error kindMessage `json:"error"`
}

type kindMessage struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// cypherCheck judges queries without running them.
func (p *program) cypherCheck(ctx context.Context, cmd *cli.Command) error {
	return p.lineByLine(ctx, cmd, func(ctx context.Context, e *engine.Engine, line []byte) (any, error) {
		var c struct {
			Query  *string      `json:"query"`
			Schema [][3]*string `json:"schema"`
		}
		if err := written.JSON(line, &c); err != nil {
			return nil, err
		}
		if c.Query == nil {
			return nil, errors.New(`there is no "query"`)
		}
		check := engine.CypherCheck{Query: *c.Query}
		for i, t := range c.Schema {
			if t[0] == nil || t[1] == nil || t[2] == nil {
				return nil, fmt.Errorf("schema[%d] is not [start, type, end]", i)
			}
			check.Schema = append(check.Schema, [3]string{*t[0], *t[1], *t[2]})
		}
		if c.Schema != nil && check.Schema == nil {
			check.Schema = [][3]string{}
		}
		return e.CheckCypher(ctx, check), nil
	})
}

// cypherRun runs queries as they are, if the policy lets them.
func (p *program) cypherRun(ctx context.Context, cmd *cli.Command) error {
	return p.lineByLine(ctx, cmd, func(ctx context.Context, e *engine.Engine, line []byte) (any, error) {
		var r struct {
			Query  *string        `json:"query"`
			Params map[string]any `json:"params"`
		}
		if err := written.JSON(line, &r); err != nil {
			return nil, err
		}
		if r.Query == nil {
			return nil, errors.New(`there is no "query"`)
		}
		params := make(map[string]any, len(r.Params))
		for name, v := range r.Params {
			var err error
			if params[name], err = lively(v); err != nil {
				return nil, fmt.Errorf("params.%s: %w", name, err)
			}
		}
		t, err := e.RunCypher(ctx, store.Query{Text: *r.Query, Params: params})
		if err != nil {
			return lineError{kindMessage{engine.CypherErrorKind(err), err.Error()}}, nil
		}
		rows, err := store.EncodeRows(t.Rows)
		if err != nil {
			return lineError{kindMessage{"internal", err.Error()}}, nil
		}
		return struct {
			Columns   []string        `json:"columns"`
			Rows      json.RawMessage `json:"rows"`
			Truncated bool            `json:"truncated"`
		}{listed(t.Columns), rows, t.Truncated}, nil
	})
}

// lineByLine answers each line of standard input with one line, in order and
// at once. An error of do is one of the line, and the next goes on.
func (p *program) lineByLine(ctx context.Context, cmd *cli.Command, do func(context.Context, *engine.Engine, []byte) (any, error)) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	e, _, err := p.open(ctx, cmd)
	if err != nil {
		return err
	}
	defer closed(e, &err)
	lines := make(chan inLine)
	go readLines(ctx, p.in, lines)
	for {
		var in inLine
		select {
		case in = <-lines:
		case <-ctx.Done():
			return failure{exitFault, errors.New("interrupted")}
		}
		if errors.Is(in.err, io.EOF) {
			return nil
		}
		if in.err != nil && !errors.Is(in.err, errLongLine) {
			return broke("reading standard input", in.err)
		}
		if len(in.text) == 0 && in.err == nil {
			continue // an empty line asks nothing
		}
		out, err := any(nil), in.err
		if err == nil {
			out, err = do(ctx, e, in.text)
		}
		if err != nil {
			out = lineError{kindMessage{"usage", fmt.Sprintf("line %d: %v", in.number, err)}}
		}
		if err := p.json(out); err != nil {
			return err
		}
	}
}

type inLine struct {
	number int
	text   []byte
	err    error
}

// maxSkipped is how many bytes of a line that is too long are looked through for
// its end.
const maxSkipped = 64 * maxQueryLine

var errEndless = fmt.Errorf("a line of more than %d bytes doesn't end; end each query with a line break", maxSkipped)

var errLongLine = fmt.Errorf("longer than %d bytes", maxQueryLine)

// readLines sends the lines of in, without what ends them, and at last an error.
func readLines(ctx context.Context, in io.Reader, to chan<- inLine) {
	r := bufio.NewReader(in)
	for n := 1; ; n++ {
		text, err := oneLine(r)
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		line := inLine{n, bytes.TrimSpace(text), err}
		select {
		case to <- line:
		case <-ctx.Done():
			return
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return
		}
	}
}

// oneLine reads a line; what is too long is read to its end and is errLongLine.
func oneLine(r *bufio.Reader) ([]byte, error) {
	var out []byte
	long, read := false, 0
	for {
		part, err := r.ReadSlice('\n')
		if read += len(part); read > maxSkipped {
			return nil, errEndless
		}
		if long = long || len(out)+len(part) > maxQueryLine; !long {
			out = append(out, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long:
			return nil, errLongLine
		case err != nil && (len(out) == 0 || !errors.Is(err, io.EOF)):
			return nil, err
		default:
			return out, nil
		}
	}
}
