package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/store/embedded"
)

// Exit codes.
const (
	exitOK         = 0 // answered, done
	exitFault      = 1 // something broke
	exitUsage      = 2 // the command line, its files or the configuration
	exitRefused    = 3 // refused, or asked back
	exitUnanswered = 4
	exitKilled     = 130 // a second Ctrl-C
)

// A program is one run of precedent. Everything it touches of its process is here.
type program struct {
	lookup   func(string) (string, bool) // of the environment
	environ  func() []string             // all of it, NAME=VALUE
	in       io.Reader
	out, err io.Writer
	signals  <-chan os.Signal // the first ends what is being done, the second the program
	exit     func(int)        // ends the program at once
}

// A failure ends a command with an exit code. Without an error nothing is said
// about it: the command has.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit %d", f.code)
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

func usagef(format string, args ...any) error {
	return failure{exitUsage, fmt.Errorf(format, args...)}
}

// broke is what went wrong in work that the command line asked for rightly.
func broke(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, engine.ErrConfig) || fileError(err):
		return failure{exitUsage, err}
	case doing == "":
		return failure{exitFault, err}
	}
	return failure{exitFault, fmt.Errorf("%s: %w", doing, err)}
}

// fileError tells whether a file of the graph is wrong.
func fileError(err error) bool {
	_, ok := errors.AsType[*embedded.FileError](err)
	return ok
}

// run runs the command that args name and returns the exit code.
func (p *program) run(args []string) int {
	root := p.commands()
	err := root.Run(context.Background(), args)
	if err == nil {
		return exitOK
	}
	f, ours := errors.AsType[failure](err)
	if !ours { // from the parsing of flags
		f = failure{exitUsage, plainUsage(err)}
	}
	if f.err != nil {
		fmt.Fprintf(p.err, "precedent: %s\n", bot.Plain(strings.TrimSpace(f.err.Error())))
		if !ours {
			fmt.Fprintln(p.err, "precedent --help, or --help behind a command, says how to use it.")
		}
	}
	return f.code
}

// watched returns a context that ends at the first signal; the second ends the
// program. stop gives the signals back.
func (p *program) watched(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for n := 0; ; n++ {
			select {
			case <-p.signals:
				cancel()
				if n > 0 {
					p.exit(exitKilled)
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, func() { close(done); <-gone; cancel() }
}

// json writes v as one line.
func (p *program) json(v any) error {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	return broke("writing", e.Encode(v))
}

// say writes a line for people, harmless to a terminal.
func (p *program) say(format string, args ...any) {
	fmt.Fprintln(p.out, bot.Plain(fmt.Sprintf(format, args...)))
}

// released is the version of a release, set as it is linked; "" otherwise.
var released string

func version() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}

// noArgs is for commands that take flags alone.
func noArgs(cmd *cli.Command) error {
	if cmd.NArg() > 0 {
		return usagef("%s takes no %q", cmd.Name, cmd.Args().First())
	}
	return nil
}
