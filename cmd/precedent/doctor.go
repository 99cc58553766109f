package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/slack"
	"precedent/store/inbox"
	"precedent/store/written"
)

// lookWithin is how long the look at one part may take.
const lookWithin = 45 * time.Second

func (p *program) doctorCommand(asJSON func() cli.Flag) *cli.Command {
	return &cli.Command{Name: "doctor", Usage: "try every part that is set up, and say what to fix", Action: p.doctor, Flags: []cli.Flag{
		asJSON(),
		p.boolean("slack-manifest", "print the manifest to make the Slack app from, and nothing else"),
		&cli.BoolFlag{Name: "discord-content", Usage: "as for serve", Sources: p.env("discord-content"), HideDefault: true},
		p.text("http", "`ADDR`, as for serve"),
	}}
}

// A look finds out about one part.
type look func(context.Context) []bot.Finding

// doctor looks at all parts side by side, and prints what it finds in their order.
func (p *program) doctor(ctx context.Context, cmd *cli.Command) error {
	if err := noArgs(cmd); err != nil {
		return err
	}
	if cmd.Bool("slack-manifest") {
		_, err := p.out.Write(slack.Manifest())
		return broke("writing", err)
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	looks := p.looks(cmd)
	found := make([]chan []bot.Finding, len(looks))
	for i, look := range looks {
		found[i] = make(chan []bot.Finding, 1)
		go func() {
			within, cancel := context.WithTimeout(ctx, lookWithin)
			defer cancel()
			found[i] <- look(within)
		}()
	}
	count := map[bot.State]int{}
	for _, c := range found {
		for _, f := range <-c {
			count[f.State]++
			if err := p.finding(f, cmd.Bool("json")); err != nil {
				return err
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return failure{exitFault, errors.New("interrupted")}
	case count[bot.Wrong] > 0:
		return failure{code: exitFault}
	}
	return nil
}

// looks are those at the parts, in the order in which they are told of.
func (p *program) looks(cmd *cli.Command) []look {
	s, err := p.settings(cmd, false)
	configured := p.configured(cmd, s, err)
	is := func(found ...bot.Finding) look { return func(context.Context) []bot.Finding { return found } }
	if err != nil { // what s holds is not what was meant
		return []look{is(configured...), is(bot.Finding{Part: "all else", State: bot.Absent, What: "not tried yet", Cure: "set the configuration right first"})}
	}
	folder := lookAtFolder(s.engine.Data)
	chats, err := p.chatTokens(s)
	looks := []look{is(configured...), is(folder)}
	if folder.State != bot.Wrong && (chats.slack() || chats.discord != "") {
		looks = append(looks, func(ctx context.Context) []bot.Finding { return []bot.Finding{lookAtInbox(ctx, s.engine.Data)} })
	}
	looks = append(looks, func(ctx context.Context) []bot.Finding {
		return p.lookAtGraphs(ctx, s, folder.State != bot.Wrong, chats)
	},
		func(ctx context.Context) []bot.Finding { return lookAtModel(ctx, s.engine.Model) },
		func(ctx context.Context) []bot.Finding { return p.lookAtSlack(ctx, chats, err) },
		func(ctx context.Context) []bot.Finding { return p.lookAtDiscord(ctx, chats, s.content) })
	return append(looks, func(ctx context.Context) []bot.Finding { return lookAtHTTP(ctx, s) })
}

// marks are how states look in a terminal.
var marks = map[bot.State]string{bot.Fine: "✓", bot.Doubtful: "!", bot.Wrong: "✗", bot.Absent: "–"}

// partWidth is how wide the names of the parts are printed.
const partWidth = 17

func (p *program) finding(f bot.Finding, asJSON bool) error {
	if asJSON {
		return p.json(f)
	}
	_, err := fmt.Fprintln(p.out, marks[f.State]+" "+fmt.Sprintf("%-*s", partWidth, f.Part)+" "+single(f.What))
	if f.Cure != "" && err == nil {
		_, err = fmt.Fprintln(p.out, "    → "+single(f.Cure))
	}
	return broke("writing", err)
}

// single is text harmless to a terminal, on one line.
func single(text string) string { return strings.Join(strings.Fields(bot.Plain(text)), " ") }

// advised is a finding of a text that says what is wrong and then what to do.
func advised(part string, state bot.State, text string) bot.Finding {
	what, cure, _ := strings.Cut(text, "; ")
	return bot.Finding{Part: part, State: state, What: what, Cure: cure}
}

// configured says what settings were read, and what is doubtful about them.
func (p *program) configured(cmd *cli.Command, s settings, err error) []bot.Finding {
	const part = "configuration"
	if wrong, ok := errors.AsType[written.Mistakes](err); ok {
		return mistaken(wrong)
	}
	if err != nil {
		f := advised(part, bot.Wrong, err.Error())
		f.Cure = cmp.Or(f.Cure, "set what it names; precedent --help says how")
		return []bot.Finding{f}
	}
	what := "from the command line and the environment"
	if path := cmd.String("config"); path != "" {
		what = path + ", the command line and the environment"
	}
	found := []bot.Finding{{Part: part, State: bot.Fine, What: what}}
	for _, note := range s.notes {
		found = append(found, advised(part, bot.Doubtful, note))
	}
	return append(found, mistaken(s.idle)...)
}

// mostMistaken is how many mistakes of files are told one by one.
const mostMistaken = 50

// mistaken are findings of mistakes in files.
func mistaken(found written.Mistakes) (list []bot.Finding) {
	const part = "configuration"
	for i, m := range found {
		if i == mostMistaken {
			return append(list, bot.Finding{Part: part, State: bot.Wrong, What: fmt.Sprintf("%d more mistakes", len(found)-i), Cure: "precedent config check, glossary check and aliases check say all of them"})
		}
		cure := m.Cure
		m.Cure = ""
		f := bot.Finding{Part: part, State: bot.Wrong, What: m.Error(), Cure: cmp.Or(cure, "set it right")}
		if m.Level == written.Note {
			f.State = bot.Doubtful
		}
		list = append(list, f)
	}
	return list
}

// folderTakes is how much the folder of user data must take, in bytes: an empty file
// fits on a full disk.
const folderTakes = 16 << 10

// lookAtFolder makes the folder of user data, and writes a file in it.
func lookAtFolder(path string) bot.Finding {
	f := bot.Finding{Part: "data folder", State: bot.Fine, What: path}
	err := os.MkdirAll(path, 0o700)
	if err == nil {
		var file *os.File
		if file, err = os.CreateTemp(path, "doctor-*"); err == nil {
			_, err = file.Write(make([]byte, folderTakes))
			err = errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
		}
	}
	if err != nil {
		f.State, f.What = bot.Wrong, fmt.Sprintf("%s can't be written: %v", path, err)
		f.Cure = "give this user write access to it, or choose another folder with --data"
		if errors.Is(err, syscall.ENOSPC) {
			f.Cure = "the disk is full: free some space, or choose another folder with --data"
		}
	}
	return f
}

// inUse is how the inbox's error begins to say that another process has it.
const inUse = "another `precedent serve`"

// lookAtInbox opens what people did on chats, if nobody else has.
func lookAtInbox(ctx context.Context, data string) bot.Finding {
	const part = "inbox"
	in, err := inbox.Open(ctx, filepath.Join(data, inboxFile))
	switch {
	case err != nil && strings.Contains(err.Error(), inUse):
		return bot.Finding{Part: part, State: bot.Doubtful, What: "another precedent serve answers on chats with this data folder",
			Cure: "if you mean to start one more, stop that one first, or give each its own --data"}
	case err != nil:
		return advised(part, bot.Wrong, err.Error())
	}
	waiting, err := in.Open(ctx)
	if err = errors.Join(err, in.Close()); err != nil {
		return advised(part, bot.Wrong, err.Error())
	}
	return bot.Finding{Part: part, State: bot.Fine, What: fmt.Sprintf("events that wait for an answer: %d", waiting)}
}

// lookAtSlack tries Slack; wrong is what is wrong about its tokens already.
func (p *program) lookAtSlack(ctx context.Context, t tokens, wrong error) []bot.Finding {
	c := &slack.Slack{BotToken: t.slackBot, AppToken: t.slackApp, SigningSecret: t.slackSecret, APIURL: p.value("SLACK_API_URL"), Log: slog.New(slog.DiscardHandler)}
	if t.slackBot == "" && t.slackApp == "" {
		return []bot.Finding{{Part: "Slack", State: bot.Absent, What: "no token is set",
			Cure: "precedent doctor --slack-manifest prints the app to make at https://api.slack.com/apps?new_app=1; then set SLACK_BOT_TOKEN and SLACK_APP_TOKEN"}}
	}
	found := c.Check(ctx)
	if wrong != nil && !slices.ContainsFunc(found, func(f bot.Finding) bool { return f.State == bot.Wrong }) {
		found = append(found, bot.Finding{Part: "Slack events", State: bot.Wrong, What: "they come over HTTP, and nothing listens", Cure: "say where to listen with --http, such as 127.0.0.1:8080 behind a proxy that Slack reaches"})
	}
	return found
}

func (p *program) lookAtDiscord(ctx context.Context, t tokens, content bool) []bot.Finding {
	if t.discord == "" {
		return []bot.Finding{{Part: "Discord", State: bot.Absent, What: "no token is set",
			Cure: "make an application at https://discord.com/developers/applications and set DISCORD_TOKEN; this command then prints the link that brings the bot to your server"}}
	}
	return (&discord.Discord{Token: t.discord, APIURL: p.value("DISCORD_API_URL"), Content: content}).Check(ctx)
}

// healthWithin is how long another program at the address has to say what it is.
const healthWithin = 2 * time.Second

// healthMost is how much of what it says is read, in bytes.
const healthMost = 64 << 10

// lookAtHTTP listens where serve would, for a moment; where one does, it asks that
// what of it doesn't work.
func lookAtHTTP(ctx context.Context, s settings) []bot.Finding {
	f := bot.Finding{Part: "HTTP", State: bot.Fine, What: s.http + " is free"}
	if s.http == "" {
		f.State, f.What, f.Cure = bot.Absent, "no address is set", "precedent serve --http 127.0.0.1:8080 answers there"
		return []bot.Finding{f}
	}
	l, err := (&bot.HTTP{Token: s.token}).Listen(ctx, s.http)
	switch {
	case errors.Is(err, syscall.EADDRINUSE) && healthy(ctx, s.http):
		f.What = "a precedent serve answers at " + s.http
		return append([]bot.Finding{f}, brokenParts(ctx, s)...)
	case errors.Is(err, syscall.EADDRINUSE):
		f.State, f.What, f.Cure = bot.Wrong, "another program listens at "+s.http, "stop it, or choose another port with --http"
	case err != nil:
		return []bot.Finding{advised(f.Part, bot.Wrong, err.Error())}
	default:
		l.Close()
	}
	return []bot.Finding{f}
}

func healthy(ctx context.Context, addr string) bool {
	a, _, err := answered(ctx, "http://"+addr+"/healthz", "")
	return err == nil && a == http.StatusOK
}

// answered is what a serve answers at an address: status and body.
func answered(ctx context.Context, url, token string) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	if token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, nil, err
	}
	defer a.Body.Close()
	body, err := io.ReadAll(io.LimitReader(a.Body, healthMost))
	return a.StatusCode, body, err
}

// brokenParts are those of the serve that answers at an address.
func brokenParts(ctx context.Context, s settings) (list []bot.Finding) {
	_, body, err := answered(ctx, "http://"+s.http+"/readyz", s.token)
	var ready struct{ Parts []bot.Finding }
	if err != nil || json.Unmarshal(body, &ready) != nil {
		return nil
	}
	for _, f := range ready.Parts {
		if f.State != bot.Fine {
			f.Part, f.Cure = "serve: "+f.Part, cmp.Or(f.Cure, "the log of serve says it, and so does this command where PRECEDENT_HTTP_TOKEN is set")
			list = append(list, f)
		}
	}
	return list
}

// graphs are those that the settings name, the one of all other channels first.
func (s settings) graphs() []string {
	list := []string{s.engine.Graph}
	for _, graph := range slices.Sorted(maps.Values(s.channels)) {
		if !slices.Contains(list, graph) {
			list = append(list, graph)
		}
	}
	return list
}
