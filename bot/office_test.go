package bot_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/bot/slack"
	"precedent/bot/slacktest"
	"precedent/engine"
	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store"
	"precedent/store/foldertest"
	"precedent/store/inbox"
	"precedent/store/nettest"
)

// An office is the bot at work: a desk with its inbox on disk, an engine over a
// graph, a model, and the networks that the bot is on.
type office struct {
	t       testing.TB
	dir     string
	inbox   string // its folder
	model   *modeltest.Server
	engine  *engine.Engine
	bot     *bot.Bot
	slack   *slacktest.Server   // nil without
	discord *discordtest.Server // nil without
	keeper  string              // Discord's role of curators
	tune    func(*bot.Desk)
	desk    *bot.Desk
	parts   *bot.Parts
	said    *said // the log
	reach   map[string]*cable
	tokens  map[string]string // that are wrong, by network
	stop    func()            // ends the desk and its networks as an operator does
}

// A said is what was logged.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// times counts how often the log has a text.
func (s *said) times(text string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Count(s.text.String(), text)
}

// A cable leads to a network, as long as nobody pulls it.
type cable struct {
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	mu     sync.Mutex
	pulled bool
	conns  []net.Conn
}

func (c *cable) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	pulled := c.pulled
	c.mu.Unlock()
	if pulled {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ENETUNREACH}
	}
	conn, err := c.dial(ctx, network, address)
	if err == nil {
		c.mu.Lock()
		c.conns = append(c.conns, conn)
		c.mu.Unlock()
	}
	return conn, err
}

func (c *cable) pull() {
	c.mu.Lock()
	c.pulled = true
	conns := c.conns
	c.conns = nil
	c.mu.Unlock()
	for _, conn := range conns {
		conn.Close()
	}
}

func (c *cable) plug() { c.mu.Lock(); defer c.mu.Unlock(); c.pulled = false }

// A setting is what an office is set up with.
type setting struct {
	slack   *slacktest.Options
	discord *discordtest.Settings
	graph   string                              // "" is few
	model   func(prompt string) modeltest.Reply // nil: none
	quorum  int
	tune    func(*bot.Desk)
	tokens  map[string]string // wrong ones: slack, slack-app, discord
	inbox   string            // folder; "" is the engine's
}

// inBubble runs a test beside others, with the time and the network of a bubble:
// what people and networks wait for is exact, however slow the machine is.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Parallel()
	for _, f := range []*foldertest.Folder{&shipped, &fewCases} { // here, since they are for all
		if _, err := f.Files(); err != nil {
			t.Fatal(err)
		}
	}
	nettest.Test(t, f)
}

// Who curates: Carol on Slack, and on Discord Fay, who has a role. Ann, Ben and
// Cem on Discord don't, nor Alice and Bob on Slack.
func opened(t testing.TB, s setting) *office {
	t.Helper()
	o := &office{t: t, tune: s.tune, tokens: s.tokens, said: &said{},
		reach: map[string]*cable{"slack": {dial: nettest.Dial(t)}, "discord": {dial: nettest.Dial(t)}}}
	switch s.graph {
	case movies:
		o.dir = shipped.Copy(t)
	case "":
		s.graph = few
		o.dir = fewCases.Copy(t)
	default:
		o.dir = t.TempDir()
	}
	o.inbox = or(s.inbox, o.dir)
	c := engine.Config{Graph: s.graph, Data: o.dir, Quorum: s.quorum, Log: o.log()}
	if s.model != nil {
		o.model = modeltest.Respond(t, s.model)
		c.Model = &model.Config{BaseURL: o.model.URL, Name: "test", HTTP: nettest.Client(t)}
	}
	eng, _, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	o.engine = eng
	t.Cleanup(func() {
		if err := eng.Close(context.Background()); err != nil {
			t.Errorf("closing the engine: %v", err)
		}
	})
	if s.slack != nil {
		o.slack = slacktest.Start(t, *s.slack)
	}
	if s.discord != nil {
		o.discord = discordtest.Start(t, *s.discord)
		o.keeper = o.discord.AddRole("keepers")
		for _, name := range []string{"Ann", "Ben", "Cem"} {
			o.discord.AddUser(name)
		}
		o.discord.AddUser("Fay", o.keeper)
	}
	o.start()
	t.Cleanup(func() { o.stop() })
	return o
}

// shipped is a data folder in which the shipped cases are already indexed, which
// with -race takes seconds.
var shipped = foldertest.Folder{Make: func(dir string) error {
	eng, _, err := engine.Open(context.Background(), engine.Config{Data: dir})
	if err != nil {
		return err
	}
	eng.Ask(context.Background(), engine.Question{Text: thrillers}, nil)
	return eng.Close(context.Background())
}}

// The graphs of offices: few is one of some films, for all tests in which it matters what
// becomes of a question and not how it is answered, since an office over it opens at once;
// movies is the one that ships, for the others.
const (
	few    = "testdata/films"
	movies = "movies"
)

// fewCases is a data folder with cases of the same questions over it.
var fewCases = foldertest.Folder{Make: func(dir string) error {
	eng, _, err := engine.Open(context.Background(), engine.Config{Graph: few, Data: dir})
	if err != nil {
		return err
	}
	const byNolan = "MATCH (f:Film {director: 'Christopher Nolan'}) RETURN f.title AS title, f.year AS year"
	for _, c := range []store.Case{
		{Question: covered, Query: byNolan},
		{Question: coveredZh, Query: byNolan},
		{Question: long, Query: "MATCH (f:Film {genre: 'Comedy'}) RETURN f.title AS title, f.year AS year"},
	} {
		if _, _, err := eng.Add(context.Background(), c, "tests", "for tests"); err != nil {
			return err
		}
	}
	return eng.Close(context.Background())
}}

func (o *office) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(io.MultiWriter(o.t.Output(), o.said), nil))
}

// start begins another life of the desk over the same inbox and engine.
func (o *office) start() {
	o.t.Helper()
	in, err := inbox.Open(o.t.Context(), filepath.Join(o.inbox, "inbox"))
	if err != nil {
		o.t.Fatal(err)
	}
	o.bot = &bot.Bot{Ask: o.engine.Ask, Vote: o.engine.Vote, Engine: o.engine, Log: o.log()}
	o.parts = &bot.Parts{Log: o.log()}
	d := &bot.Desk{Inbox: in, Parts: o.parts, Bot: func(bot.Place) *bot.Bot { return o.bot }, Log: o.log(),
		Curators: []string{"slack:" + slacktest.Carol, "discord-role:" + o.keeper},
		Quiet:    time.Hour, Grace: 5 * time.Second, Pause: 10 * time.Millisecond}
	if o.tune != nil {
		o.tune(d)
	}
	o.desk = d
	runs := []func(context.Context) error{d.Run}
	kept := func(name string, run func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			return o.parts.Part(name).Keep(ctx, 5*time.Second, 5*time.Minute, run)
		}
	}
	if o.slack != nil {
		c := &slack.Slack{BotToken: or(o.tokens["slack"], o.slack.BotToken), AppToken: or(o.tokens["slack-app"], o.slack.AppToken), APIURL: o.slack.APIURL,
			Dial: o.reach["slack"].Dial, Log: o.log(), Parts: o.parts,
			Hear: d.Hear, Form: d.Form, Seen: d.Seen, Saw: d.Saw, Recent: d.Recent, Missed: d.Missed}
		d.Chats, runs = append(d.Chats, c), append(runs, kept("Slack", c.Run))
	}
	if o.discord != nil {
		c := &discord.Discord{Token: or(o.tokens["discord"], "fake.token"), APIURL: o.discord.APIURL(), Dial: o.reach["discord"].Dial, Log: o.log(), Parts: o.parts, Backoff: 20 * time.Millisecond, Content: true,
			Hear: d.Hear, Form: d.Form, Suggest: d.Suggest, Seen: d.Seen, Saw: d.Saw, Recent: d.Recent, Missed: d.Missed}
		d.Chats, runs = append(d.Chats, c), append(runs, kept("Discord", c.Run))
	}
	sockets := 0
	if o.slack != nil {
		sockets = o.slack.Opened()
	}
	ctx, cancel := context.WithCancel(context.Background())
	var at sync.WaitGroup
	for _, run := range runs {
		at.Go(func() {
			if err := run(ctx); err != nil {
				o.t.Errorf("running: %v", err)
			}
		})
	}
	o.stop = sync.OnceFunc(func() {
		cancel()
		at.Wait()
		if err := in.Close(); err != nil {
			o.t.Errorf("closing the inbox: %v", err)
		}
	})
	if o.slack != nil && o.tokens["slack"]+o.tokens["slack-app"] == "" {
		o.slack.Await("a new socket", func() bool { return o.slack.Opened() > sockets })
	}
	if o.discord != nil && o.tokens["discord"] == "" {
		o.discord.AwaitConnected(1)
	}
}

// restart ends one life of the desk and begins another, half a minute later.
func (o *office) restart() {
	o.t.Helper()
	if o.slack != nil {
		o.slack.Await("all to be acknowledged", func() bool { return acked(o.slack) })
	}
	o.stop()
	if o.slack != nil {
		time.Sleep(30 * time.Second)
	}
	o.start()
}

// clean fails the test for what a network would not have wanted.
func (o *office) clean() {
	o.t.Helper()
	if o.slack != nil {
		for _, v := range o.slack.Violations() {
			o.t.Error(v)
		}
	}
	if o.discord != nil {
		for _, v := range o.discord.Violations() {
			o.t.Error(v)
		}
		if pings := o.discord.Pings(); len(pings) > 0 {
			o.t.Errorf("the bot called %v", pings)
		}
	}
}

// settled waits until nothing is left to do.
func (o *office) settled() {
	o.t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		n, err := o.desk.Inbox.Open(o.t.Context())
		if err != nil {
			o.t.Fatal(err)
		}
		if n == 0 {
			return
		}
		if time.Now().After(end) {
			o.t.Fatalf("%d events are still open", n)
		}
	}
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// says finds a message of a thread that people read text in.
func says(thread string, texts ...string) func(slacktest.Message) bool {
	return func(m slacktest.Message) bool {
		return (thread == "" || m.Thread == thread) && !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(m.Reads(), s) })
	}
}

// tells is says for Discord.
func tells(texts ...string) func(discordtest.Message) bool {
	return func(m discordtest.Message) bool {
		return !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(m.Text(), s) })
	}
}

// A slackButton is a button as it stands in blocks.
type slackButton struct{ Label, Action, Value string }

func slackButtons(t testing.TB, blocks json.RawMessage) (list []slackButton) {
	t.Helper()
	var all []struct {
		Elements []struct {
			Type   string
			Text   json.RawMessage // of a button, an object
			Action string          `json:"action_id"`
			Value  string
		}
	}
	if err := json.Unmarshal(blocks, &all); err != nil {
		t.Fatalf("blocks: %v in %s", err, blocks)
	}
	for _, b := range all {
		for _, e := range b.Elements {
			if e.Type == "button" {
				var text struct{ Text string }
				json.Unmarshal(e.Text, &text)
				list = append(list, slackButton{text.Text, e.Action, e.Value})
			}
		}
	}
	return list
}

// press has somebody press the button of a message that does act, such as "up|".
func (o *office) press(user string, m slacktest.Message, act string) *slacktest.Delivery {
	o.t.Helper()
	for _, b := range slackButtons(o.t, m.Blocks) {
		if strings.HasPrefix(b.Value, act) {
			d := o.slack.Click(slacktest.Click{User: user, Channel: m.Channel, TS: m.TS, Action: b.Action, Value: b.Value})
			d.AwaitAck() // it is kept
			return d
		}
	}
	o.t.Fatalf("there is no button %s under\n%s", act, m.Reads())
	return nil
}

// click is press for Discord.
func (o *office) click(user string, m discordtest.Message, act string) *discordtest.Interaction {
	o.t.Helper()
	for _, b := range m.Buttons() {
		if strings.HasPrefix(b.CustomID, act) {
			i := o.discord.Click(user, m, b.CustomID)
			i.Await()
			return i
		}
	}
	o.t.Fatalf("there is no button %s under\n%s", act, m.Text())
	return nil
}

// ask mentions the bot in a channel of Slack.
func (o *office) ask(user, text string) slacktest.Message {
	o.t.Helper()
	return o.slack.Say(user, slacktest.General, "", "@precedent "+text)
}

// answer waits for the bot's message in a thread that holds texts.
func (o *office) answer(thread string, texts ...string) slacktest.Message {
	o.t.Helper()
	return o.slack.AwaitMessage(slacktest.General, says(thread, texts...))
}

// aside waits for what only one person sees on Slack.
func (o *office) aside(user string, texts ...string) (found slacktest.Message) {
	o.t.Helper()
	o.slack.Await("a word to "+user+" alone: "+strings.Join(texts, ", "), func() bool {
		i := slices.IndexFunc(o.slack.Ephemerals(user), says("", texts...))
		if i >= 0 {
			found = o.slack.Ephemerals(user)[i]
		}
		return i >= 0
	})
	return found
}

// replies are the bot's messages in a thread.
func (o *office) replies(thread string) (list []slacktest.Message) {
	return slices.DeleteFunc(o.slack.Posted(slacktest.General), func(m slacktest.Message) bool { return m.Thread != thread })
}

// What no shipped case covers, in both languages, and the model's query for it.
const (
	thrillers   = "which French thrillers since 1950 are over 100 minutes"
	thrillersZh = "1950年以来有哪些超过100分钟的法国惊悚片"
	thriller    = "Mulholland Drive"
	covered     = "films directed by Christopher Nolan"
	coveredZh   = "诺兰导演了哪些电影"
	film        = "Inception"
)

func drafted(prompt string) modeltest.Reply {
	if strings.Contains(prompt, "comedies") {
		return modeltest.JSON(map[string]any{"action": "query", "query": "MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre}) RETURN m.title AS title",
			"params": []map[string]any{{"name": "genre", "value": "Comedy"}}})
	}
	return modeltest.JSON(map[string]any{"action": "query",
		"query":  "MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre})\nWHERE $country IN m.countries AND m.year >= $year AND m.runtime > $minutes\nRETURN m.title AS title, m.year AS year\nORDER BY year, title",
		"params": []map[string]any{{"name": "genre", "value": "Thriller"}, {"name": "country", "value": "France"}, {"name": "year", "value": 1950}, {"name": "minutes", "value": 100}}})
}

// patience is how long tests wait for what happens in milliseconds on a machine
// that has nothing else to do.
const patience = 2 * time.Minute

// openWorkspace is a workspace whose history the bot may read, with edits and follow-ups.
func openWorkspace() *slacktest.Options {
	return &slacktest.Options{Patience: patience,
		Scopes: append(slices.Clone(slacktest.DefaultScopes), "channels:history", "groups:history"),
		Events: append(slices.Clone(slacktest.DefaultEvents), "message.channels", "message.groups")}
}

// openGuild is a Discord in which the bot may read what people write, without rates.
func openGuild() *discordtest.Settings {
	return &discordtest.Settings{Patience: patience, Rates: discordtest.NoRates(), Global: 10_000, Privileged: discordtest.IntentContent}
}

// folder is one with these files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
