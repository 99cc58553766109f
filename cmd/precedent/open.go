package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"precedent/bot"
	"precedent/bot/words"
	"precedent/engine"
)

// open opens the engine of a command that isn't a chat, and says on standard
// error what its operator should know.
func (p *program) open(ctx context.Context, cmd *cli.Command) (*engine.Engine, settings, error) {
	s, err := p.settings(cmd, false)
	if err != nil {
		return nil, s, err
	}
	e, notes, err := p.opened(ctx, s, p.log(s.verbose))
	for _, note := range notes {
		fmt.Fprintln(p.err, "precedent: "+bot.Plain(note))
	}
	return e, s, err
}

// opened opens the engine that s describes, with progress on standard error.
func (p *program) opened(ctx context.Context, s settings, log *slog.Logger) (*engine.Engine, []string, error) {
	c := s.of(s.engine.Graph)
	c.Log = log
	w := words.In(p.language())
	spin := bot.Spin(p.err, p.live(p.err), w, w.Opening)
	e, warnings, err := engine.Open(ctx, c)
	spin.Stop()
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, failure{exitFault, fmt.Errorf("interrupted while opening the graph")}
		}
		return nil, nil, broke("", err)
	}
	return e, slices.Concat(s.notes, s.idle.Lines(), warnings), nil
}

// close closes the engine where err may say more.
func closed(e *engine.Engine, err *error) {
	if cerr := e.Close(context.Background()); cerr != nil && *err == nil {
		*err = broke("closing", cerr)
	}
}

// language is the language of the environment: zh or en.
func (p *program) language() string {
	locale := cmp.Or(p.value("LC_ALL"), p.value("LC_MESSAGES"), p.value("LANG"))
	if strings.HasPrefix(strings.ToLower(locale), "zh") {
		return "zh"
	}
	return "en"
}

// terminal returns the file that f is, if it is a terminal.
func terminal(f any) (*os.File, bool) {
	file, ok := f.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}

// live tells whether f is a terminal that can move its cursor.
func (p *program) live(f any) bool {
	_, ok := terminal(f)
	return ok && p.value("TERM") != "dumb"
}

// print is how answers are printed to standard output. NO_COLOR (no-color.org)
// and TERM=dumb keep colours out.
func (p *program) print(verbose bool) bot.Print {
	file, ok := terminal(p.out)
	pr := bot.Print{Verbose: verbose, Color: ok && p.value("NO_COLOR") == "" && p.value("TERM") != "dumb"}
	if ok {
		pr.Width = func() int {
			w, _, err := term.GetSize(int(file.Fd()))
			if err != nil {
				return 0
			}
			return w
		}
	}
	return pr
}
