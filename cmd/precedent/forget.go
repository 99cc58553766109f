package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"precedent/store/cases"
	"precedent/store/inbox"
)

// forgotten is what the command has removed.
type forgotten struct {
	User    string `json:"user,omitempty"`
	Before  string `json:"before,omitempty"` // a day
	Journal int64  `json:"journal"`          // entries and cases
	Inbox   int64  `json:"inbox"`
}

// forget removes what is known of a user, or what is old, of all graphs in the
// data folder. It may run beside a program that serves.
func (p *program) forget(ctx context.Context, cmd *cli.Command) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd, false)
	if err != nil {
		return err
	}
	done := forgotten{User: cmd.String("user")}
	before := time.Now().AddDate(0, 0, -s.keepDays)
	switch {
	case done.User == "" && s.keepDays == 0:
		return usagef("forget whom, or what? precedent forget --user slack:U012AB3CD, or precedent forget --keep-days 90")
	case done.User != "":
		s.keepDays = 0
	default:
		done.Before = before.Format(time.DateOnly)
	}
	libraries, err := filepath.Glob(filepath.Join(s.engine.Data, "*", "cases.db"))
	if err != nil {
		return broke("looking for case libraries", err)
	}
	for _, path := range libraries {
		n, err := forgetIn(ctx, path, func(l *cases.Library) (int64, error) {
			if done.User != "" {
				return l.Forget(ctx, done.User)
			}
			return l.Prune(ctx, before)
		})
		done.Journal += n
		if err != nil {
			return broke("forgetting in "+path, err)
		}
	}
	path := filepath.Join(s.engine.Data, inboxFile)
	if _, err := os.Stat(path); err == nil {
		in, err := inbox.OpenBeside(ctx, path)
		if err != nil {
			return broke("forgetting", err)
		}
		if done.User != "" {
			done.Inbox, err = in.Forget(ctx, done.User)
		} else {
			err = in.Prune(ctx, before)
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return broke("forgetting", err)
		}
	}
	if cmd.Bool("json") {
		return p.json(done)
	}
	what := "what " + done.User + " asked, heard and voted"
	if done.User == "" {
		what = "what was asked, answered and voted before " + done.Before
	}
	p.say("Removed %s: %d entries of the journal, %d of the inbox.", what, done.Journal, done.Inbox)
	return nil
}

func forgetIn(ctx context.Context, path string, forget func(*cases.Library) (int64, error)) (n int64, err error) {
	l, err := cases.Open(ctx, cases.Config{Path: path})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if n, err = forget(l); err != nil {
		return n, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}
