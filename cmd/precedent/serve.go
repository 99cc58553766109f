package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/slack"
	"precedent/store"
	"precedent/store/inbox"
)

// inboxFile is in the data folder, beside the folders of the graphs.
const inboxFile = "inbox.db"

// slackPath is where Slack's HTTP events go; commands and presses may go to any
// other path under /slack/.
const slackPath = "/slack/events"

// serve answers on Slack, on Discord and over HTTP, as far as it was told, until
// it is told to end.
func (p *program) serve(ctx context.Context, cmd *cli.Command) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	s, err := p.settings(cmd, false)
	if err != nil {
		return err
	}
	chats, err := p.chatTokens(s)
	if err != nil {
		return err
	}
	if s.http == "" && !chats.slack() && chats.discord == "" {
		return usagef("serve where? Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN for Slack, DISCORD_TOKEN for Discord, or say --http 127.0.0.1:8080")
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	log := p.log(s.verbose)
	h := &bot.HTTP{Token: s.token, Trust: s.trust, Log: log}
	var l net.Listener
	if s.http != "" {
		if l, err = h.Listen(ctx, s.http); err != nil {
			return failure{exitUsage, err}
		}
		defer l.Close() // where the engine doesn't open
	}
	open := engines{program: p, settings: s, log: log}
	defer open.close(&err)
	first, err := open.of(ctx, s.engine.Graph)
	if err != nil {
		return err
	}
	for _, graph := range slices.Sorted(maps.Values(s.channels)) {
		if _, err := open.of(ctx, graph); err != nil {
			return err
		}
	}
	if err := open.hideSomething(); err != nil {
		return err
	}
	parts := &bot.Parts{Log: log}
	runs := []kept{watchFolder(parts, s.engine.Data)}
	var desk *bot.Desk
	if chats.slack() || chats.discord != "" {
		var on []kept
		if desk, on, err = p.desk(ctx, s, chats, &open, h, parts); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, desk.Inbox.Close()) }()
		runs = append(runs, on...)
	}
	runs = append(runs, p.freshParts(parts, &open, desk)...)
	if l != nil {
		if h.Desk, err = p.deskOverHTTP(ctx, s, desk, log); err != nil {
			return err
		}
		if desk == nil && h.Desk.Inbox != nil {
			defer func() { err = errors.Join(err, h.Desk.Inbox.Close()) }()
		}
		h.Bot, h.Parts = first, parts
		h.Ready = func(ctx context.Context) error {
			_, err := first.Engine.RunCypher(ctx, store.Query{Text: "RETURN 1 AS one"})
			return err
		}
		fmt.Fprintf(p.err, "precedent: answering about %s on http://%s\n", bot.Plain(first.Engine.Name()), l.Addr())
		runs = append(runs, serveHTTP(parts, h, l))
	}
	return broke("", together(ctx, runs))
}

// How long a part that ended waits before it is run again, at first and at most.
const (
	againFirst = 5 * time.Second
	againMost  = 5 * time.Minute
)

// A kept part is run for as long as the program serves, each for itself.
type kept struct {
	part   *bot.Part
	run    func(context.Context) error
	serves bool // people: it is not there for the others alone
}

// together keeps all parts at work until ctx is done. Where there are chats alone,
// and each network refuses the bot before any let it in, it returns why.
func together(ctx context.Context, all []kept) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var at sync.WaitGroup
	var mu sync.Mutex
	var ended error
	refused := make(map[*bot.Part]error)
	hopeless := func(k kept, err error) {
		mu.Lock()
		defer mu.Unlock()
		if _, lasts := errors.AsType[*bot.Lasting](err); !lasts || !k.serves || k.part.Worked() {
			return
		}
		refused[k.part] = err
		var why []error
		for _, other := range all {
			if other.serves && refused[other.part] == nil {
				return
			}
			why = append(why, refused[other.part])
		}
		stop(errors.Join(why...))
	}
	for _, k := range all {
		at.Go(func() {
			err := k.part.Keep(ctx, againFirst, againMost, func(ctx context.Context) error {
				err := k.run(ctx)
				hopeless(k, err)
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			if context.Cause(ctx) == ctx.Err() { // told to end, and not for what was refused
				ended = errors.Join(ended, err)
			}
		})
	}
	at.Wait()
	if why := context.Cause(ctx); why != nil && why != ctx.Err() {
		return why
	}
	return ended
}

// engines are those of a serving program, one for each graph.
type engines struct {
	*program
	settings settings
	log      *slog.Logger
	byGraph  map[string]*bot.Bot
}

// of opens the engine of a graph, or returns the one that is open.
func (e *engines) of(ctx context.Context, graph string) (*bot.Bot, error) {
	if b := e.byGraph[graph]; b != nil {
		return b, nil
	}
	s := e.settings
	s.engine = s.of(graph)
	s.engine.KeptFresh = true
	if len(e.byGraph) > 0 {
		s.notes = nil // said once
	}
	eng, notes, err := e.opened(ctx, s, e.log)
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		fmt.Fprintln(e.err, "precedent: "+bot.Plain(note))
	}
	b := &bot.Bot{Ask: eng.AskAndKeep, Vote: eng.Vote, Engine: eng, Log: e.log, Patience: s.engine.Deadline}
	if e.byGraph == nil {
		e.byGraph = make(map[string]*bot.Bot)
	}
	e.byGraph[graph] = b
	return b, nil
}

// hideSomething reports the entries of hide that match nothing in any graph.
func (e *engines) hideSomething() error {
	var idle [][]string
	for _, b := range e.byGraph {
		idle = append(idle, b.Engine.HidesNothing())
	}
	return hidesNothing(idle)
}

// hidesNothing reports the entries of hide that match nothing in any of several
// graphs, by those of each graph.
func hidesNothing(idle [][]string) error {
	if len(idle) < 2 { // one graph says so itself
		return nil
	}
	nowhere := everywhere(idle)
	if len(nowhere) == 0 {
		return nil
	}
	return usagef("configuration: hide: no graph has %s, so this hides nothing; precedent schema --graph shows the names of each", strings.Join(nowhere, ", "))
}

// everywhere are the entries that each list has.
func everywhere(lists [][]string) []string {
	return slices.DeleteFunc(slices.Clone(lists[0]), func(entry string) bool {
		return slices.ContainsFunc(lists[1:], func(of []string) bool { return !slices.Contains(of, entry) })
	})
}

func (e *engines) close(err *error) {
	for _, b := range e.byGraph {
		closed(b.Engine, err)
	}
}

// tokens are those of the chat networks.
type tokens struct {
	slackBot, slackApp, slackSecret, discord string
}

func (t tokens) slack() bool { return t.slackBot != "" }

// chatTokens reads the tokens from the environment.
func (p *program) chatTokens(s settings) (tokens, error) {
	t := tokens{p.value("SLACK_BOT_TOKEN"), p.value("SLACK_APP_TOKEN"), p.value("SLACK_SIGNING_SECRET"), p.value("DISCORD_TOKEN")}
	switch {
	case t.slackBot == "" && t.slackApp != "":
		return t, usagef("SLACK_APP_TOKEN is set, and SLACK_BOT_TOKEN isn't; copy it from your app's page, OAuth & Permissions (it begins with xoxb-)")
	case t.slackBot != "" && t.slackApp == "" && t.slackSecret == "":
		return t, usagef("SLACK_BOT_TOKEN is set; set SLACK_APP_TOKEN too (Basic Information, App-Level Tokens, connections:write; it begins with xapp-), or SLACK_SIGNING_SECRET and --http for events over HTTP")
	case t.slackBot != "" && t.slackApp == "" && s.http == "":
		return t, usagef("with SLACK_SIGNING_SECRET, Slack sends its events over HTTP: say where to listen with --http")
	}
	return t, nil
}

// desk sets up the chats, and returns what is to run for them.
func (p *program) desk(ctx context.Context, s settings, t tokens, open *engines, h *bot.HTTP, parts *bot.Parts) (*bot.Desk, []kept, error) {
	in, err := inbox.Open(ctx, filepath.Join(s.engine.Data, inboxFile))
	if err != nil {
		return nil, nil, failure{exitUsage, err}
	}
	d := &bot.Desk{Inbox: in, Curators: s.curators, Rules: s.rules, Log: open.log, Parts: parts, Bot: func(at bot.Place) *bot.Bot {
		graph, mapped := s.channels[at.Chat+":"+at.Channel]
		if !mapped {
			graph = s.engine.Graph
		}
		return open.byGraph[graph]
	}}
	runs := []kept{{part: parts.Beside("chats"), run: d.Run}}
	var on []string
	if t.slack() {
		c := &slack.Slack{BotToken: t.slackBot, AppToken: t.slackApp, SigningSecret: t.slackSecret, APIURL: p.value("SLACK_API_URL"), Log: open.log, Parts: parts,
			Hear: d.Hear, Form: d.Form, Seen: d.Seen, Saw: d.Saw, Recent: d.Recent, Missed: d.Missed}
		if t.slackApp == "" {
			h.Also = map[string]http.Handler{"/slack/": c.Handler()}
			on = append(on, "Slack (events at "+slackPath+")")
		} else {
			on = append(on, "Slack")
		}
		d.Chats, runs = append(d.Chats, c), append(runs, kept{parts.Part("Slack"), c.Run, true})
	}
	if t.discord != "" {
		c := &discord.Discord{Token: t.discord, APIURL: p.value("DISCORD_API_URL"), Content: s.content, Log: open.log, Parts: parts,
			Hear: d.Hear, Form: d.Form, Suggest: d.Suggest, Seen: d.Seen, Saw: d.Saw, Recent: d.Recent, Missed: d.Missed}
		d.Chats, runs, on = append(d.Chats, c), append(runs, kept{parts.Part("Discord"), c.Run, true}), append(on, "Discord")
	}
	if s.keepDays > 0 {
		runs = append(runs, kept{part: parts.Beside("removing what is old"), run: func(ctx context.Context) error { return p.sweep(ctx, s, in, open) }})
	}
	fmt.Fprintf(p.err, "precedent: answering about %s on %s\n", bot.Plain(open.byGraph[s.engine.Graph].Engine.Name()), strings.Join(on, " and "))
	return d, runs, nil
}

// deskOverHTTP is the desk whose rules hold over HTTP: that of the chats, or where
// there are none, one of its own, with an inbox if tokens are to be counted.
func (p *program) deskOverHTTP(ctx context.Context, s settings, chats *bot.Desk, log *slog.Logger) (*bot.Desk, error) {
	for _, named := range []struct {
		key  string
		some bool
	}{{"http: trust", len(s.trust) > 0}, {"allow_people", slices.ContainsFunc(s.rules.People, isOverHTTP)}} {
		if named.some && s.token == "" {
			fmt.Fprintf(p.err, "precedent: %s names people over HTTP, and without PRECEDENT_HTTP_TOKEN anyone on this machine may call themselves so; votes count for nothing\n", named.key)
		}
	}
	if chats != nil {
		return chats, nil
	}
	d := &bot.Desk{Rules: s.rules, Log: log}
	if !s.rules.CountTokens() {
		return d, nil
	}
	in, err := inbox.Open(ctx, filepath.Join(s.engine.Data, inboxFile))
	if err != nil {
		return nil, failure{exitUsage, err}
	}
	d.Inbox = in
	return d, nil
}

// serveHTTP answers over HTTP, at first on l, and where that breaks at the same address.
func serveHTTP(parts *bot.Parts, h *bot.HTTP, l net.Listener) kept {
	part, addr := parts.Part("HTTP"), l.Addr().String()
	return kept{part, func(ctx context.Context) (err error) {
		if l == nil {
			if l, err = h.Listen(ctx, addr); err != nil {
				return err
			}
		}
		at := l
		l = nil
		part.Up()
		return h.Serve(ctx, at)
	}, true}
}

// folderEvery is how often it is tried whether the data folder takes anything.
const folderEvery = 10 * time.Second

// watchFolder tries whether the data folder takes anything, again and again.
func watchFolder(parts *bot.Parts, path string) kept {
	part := parts.Part("data folder")
	return kept{part: part, run: func(ctx context.Context) error {
		for {
			if f := lookAtFolder(path); f.State == bot.Wrong {
				part.Down(&bot.Lasting{Why: f.What, Cure: f.Cure})
			} else {
				part.Up()
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(folderEvery):
			}
		}
	}}
}

// sweepEvery is how often what is too old is removed.
const sweepEvery = 6 * time.Hour

// sweep removes what is older than it is to be kept, until ctx is done.
func (p *program) sweep(ctx context.Context, s settings, in *inbox.Inbox, open *engines) error {
	for ctx.Err() == nil {
		before := time.Now().AddDate(0, 0, -s.keepDays)
		err := in.Prune(ctx, before)
		for _, b := range open.byGraph {
			_, pruned := b.Engine.Library().Prune(ctx, before)
			err = errors.Join(err, pruned)
		}
		if err != nil && ctx.Err() == nil {
			open.log.Error("removing what is old", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(sweepEvery):
		}
	}
	return nil
}
