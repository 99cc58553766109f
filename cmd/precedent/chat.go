package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/store"
)

// maxLog is the size in bytes beyond which a log begins anew, the old one kept beside it.
const maxLog = 1 << 20

func (p *program) demo(ctx context.Context, cmd *cli.Command) error { return p.talk(ctx, cmd, true) }
func (p *program) chat(ctx context.Context, cmd *cli.Command) error { return p.talk(ctx, cmd, false) }

// talk chats in the terminal until the person leaves.
func (p *program) talk(ctx context.Context, cmd *cli.Command, demo bool) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd, demo)
	if err != nil {
		return err
	}
	log, closeLog, err := p.chatLog(s)
	if err != nil {
		return err
	}
	defer closeLog()
	if demo {
		p.limitMemory(s.engine.Data, demoMemory)
	}
	s.engine.KeptFresh = true
	opening, stop := p.watched(ctx)
	e, notes, err := p.opened(opening, s, log)
	stop()
	if err != nil {
		return err
	}
	defer closed(e, &err)
	defer p.keepFresh(ctx, e, log)()
	t := &bot.Terminal{
		Bot:   &bot.Bot{Ask: e.AskAndKeep, Vote: e.Vote, Log: log, Patience: s.engine.Deadline},
		Graph: e.Name(), Examples: e.Examples, Schema: e.SchemaText,
		Case:  func(ctx context.Context, id string) (store.Case, error) { return e.Library().Case(ctx, id) },
		Notes: notes, User: p.operator(), Language: p.language(),
		Lines: p.lines(s), Out: p.out, Live: p.live(p.out), Print: p.print(s.verbose), Interrupts: p.signals,
	}
	if s.engine.Model != nil {
		t.Model = s.engine.Model.Name
	}
	err = t.Run(ctx)
	if cerr := t.Lines.Close(); cerr != nil {
		log.Warn("closing the terminal", "err", cerr)
	}
	return broke("chatting", err)
}

// lines are where the chat reads from: the terminal with editing where it is
// one at both ends, else standard input as it is.
func (p *program) lines(s settings) bot.Lines {
	in, typed := terminal(p.in)
	if typed && in == os.Stdin && p.out == os.Stdout && p.live(p.out) {
		return bot.Edited(filepath.Join(s.engine.Data, "typed"))
	}
	return bot.Piped(p.in, p.out, typed)
}

// chatLog is the log of a chat: a file beside the cases, so that it doesn't
// write into the conversation; standard error where verbose.
func (p *program) chatLog(s settings) (*slog.Logger, func() error, error) {
	nothing := func() error { return nil }
	if s.verbose {
		return p.log(true), nothing, nil
	}
	if err := os.MkdirAll(s.engine.Data, 0o700); err != nil {
		return nil, nil, usagef("the data folder can't be made: %w; name another with --data", err)
	}
	name := filepath.Join(s.engine.Data, "log")
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		if err := os.Rename(name, name+".old"); err != nil {
			return nil, nil, usagef("the log can't be renamed: %w; name another data folder with --data", err)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, usagef("the log can't be written: %w; name another data folder with --data", err)
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelWarn})), f.Close, nil
}
