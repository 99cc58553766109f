package slack

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// network is the Chat's name, and how the ids that it makes begin.
const network = "slack"

// A Slack is the bot in one workspace. Fields are set before its first use.
type Slack struct {
	BotToken      string // xoxb-…
	AppToken      string // xapp-…, for Socket Mode; "" for HTTP events
	SigningSecret string // of HTTP events; "" for Socket Mode
	APIURL        string // where the Web API is; "" is Slack's own

	Hear   func(ctx context.Context, h bot.Heard) error            // see [bot.Desk.Hear]
	Form   func(ctx context.Context, h bot.Heard) (bot.Form, bool) // see [bot.Desk.Form]
	Seen   func(ctx context.Context, chat string) (map[string]string, error)
	Saw    func(ctx context.Context, chat, channel, message string) error
	Recent func(ctx context.Context, chat string, n int) ([]bot.Place, error)

	Log  *slog.Logger  // nil: slog.Default()
	Ping time.Duration // a socket without Slack's ping for so long is left; 0: 30 s

	once   sync.Once
	web    *http.Client
	api    *slack.Client
	mu     sync.Mutex // guards what follows
	me     self
	lanes  []chan job // nil unless Run runs
	people map[string]person
	groups map[string]group

	pace    pace
	threads threads
	votes   votes
	marks   marks
	gaps    chan struct{}  // made by Run: something may have been missed
	opening sync.WaitGroup // forms on their way to people
}

var _ bot.Chat = (*Slack)(nil)

// callWithin bounds one HTTP exchange, uploads included.
const callWithin = 30 * time.Second

func (s *Slack) client() *slack.Client {
	s.once.Do(func() {
		s.web = &http.Client{Timeout: callWithin}
		url := cmp.Or(s.APIURL, slack.APIURL)
		if !strings.HasSuffix(url, "/") {
			url += "/"
		}
		s.api = slack.New(s.BotToken, slack.OptionAPIURL(url), slack.OptionAppLevelToken(s.AppToken),
			slack.OptionHTTPClient(s.web), slack.OptionLog(silent{}))
	})
	return s.api
}

// silent is where the library's own log lines go: they may hold what people wrote.
type silent struct{}

func (silent) Output(int, string) error { return nil }

func (s *Slack) log() *slog.Logger {
	if s.Log != nil {
		return s.Log
	}
	return slog.Default()
}

// Name is "slack".
func (s *Slack) Name() string { return network }

// Fits is less than Slack takes, so that a card with all of its parts at their
// longest is still one message: its blocks hold about 13,000 characters, with
// 125 for each block (slackapi/bolt-js#2509), and a table 10,000 in 100 rows and
// 20 columns, one of the rows its columns' names
// (docs.slack.dev/reference/block-kit/blocks/table-block).
func (s *Slack) Fits() bot.Fits {
	return bot.Fits{Text: 2_400, Columns: 20, Rows: 99, Cell: 300, Table: 4_000, Code: 1_800, Small: 250, Label: 60, Items: 8}
}

// self is who the bot is in its workspace.
type self struct {
	user, team string
	scopes     map[string]bool
}

// identify asks Slack once who the bot is and what it may do.
func (s *Slack) identify(ctx context.Context) (self, error) {
	s.mu.Lock()
	me := s.me
	s.mu.Unlock()
	if me.user != "" {
		return me, nil
	}
	who, err := s.client().AuthTestContext(ctx)
	if err != nil {
		return self{}, err
	}
	me = self{user: who.UserID, team: who.TeamID, scopes: map[string]bool{}}
	for scope := range strings.SplitSeq(who.Header.Get("X-OAuth-Scopes"), ",") {
		me.scopes[strings.TrimSpace(scope)] = true
	}
	s.mu.Lock()
	s.me = me
	s.mu.Unlock()
	return me, nil
}

// mayRead reports whether the bot was granted a channel's history.
func (me self) mayRead(channel string) bool {
	switch {
	case strings.HasPrefix(channel, "D"):
		return me.scopes["im:history"]
	case strings.HasPrefix(channel, "C"): // private ones are C too, and say so when asked
		return me.scopes["channels:history"] || me.scopes["groups:history"]
	}
	return me.scopes["groups:history"] || me.scopes["mpim:history"]
}

// place is a channel; direct conversations are of no team.
func (me self) place(channel string) bot.Place {
	p := bot.Place{Chat: network, Team: me.team, Channel: channel}
	if direct(channel) {
		p.Team = ""
	}
	return p
}

func direct(channel string) bool { return strings.HasPrefix(channel, "D") }
