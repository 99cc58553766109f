package slack

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
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
	Missed func(ctx context.Context, under bot.Place, stood map[string][]string, at time.Time) ([]bot.Heard, error)

	Dial func(ctx context.Context, network, address string) (net.Conn, error) // reaches Slack; nil: as the machine does

	Parts *bot.Parts    // tells how it is: "Slack" hears, "Slack answers" speaks; nil: only the log does
	Log   *slog.Logger  // nil: slog.Default()
	Ping  time.Duration // a socket without Slack's ping for so long is left; 0: 30 s

	once    sync.Once
	web     *http.Client
	api     *slack.Client
	base    string     // where the Web API is, once it was found
	mu      sync.Mutex // guards what follows
	me      self
	lanes   []chan job // nil unless Run runs
	parts   parts
	muted   *bot.Bell         // made by Run: Slack refused what the bot said
	uploads map[string]string // ids of files that may be shared already
	people  map[string]person
	rooms   map[string]room
	groups  map[string]group

	pace    pace
	threads threads
	marks   marks
	gaps    *bot.Bell      // made by Run: something may have been missed
	opening sync.WaitGroup // forms on their way to people
}

var _ bot.Chat = (*Slack)(nil)

// callWithin bounds one HTTP exchange, uploads included.
const callWithin = 30 * time.Second

func (s *Slack) client() *slack.Client {
	s.once.Do(func() {
		carrier := http.DefaultTransport.(*http.Transport).Clone()
		if s.Dial != nil {
			carrier.DialContext = s.Dial
		}
		s.web = &http.Client{Timeout: callWithin, Transport: carrier}
		s.base = s.located(cmp.Or(s.APIURL, slack.APIURL))
		s.api = slack.New(s.BotToken, slack.OptionAPIURL(s.base), slack.OptionAppLevelToken(s.AppToken),
			slack.OptionHTTPClient(s.web), slack.OptionLog(silent{}))
	})
	return s.api
}

// located is an address of the API with the slash at its end that the library
// wants; one without a path gets the one under which the API is there.
func (s *Slack) located(base string) string {
	if u, err := url.Parse(base); err != nil || strings.Trim(u.Path, "/") != "" {
		return strings.TrimSuffix(base, "/") + "/"
	}
	base = strings.TrimSuffix(base, "/") + "/"
	ctx, cancel := context.WithTimeout(context.Background(), locateWithin)
	defer cancel()
	for _, path := range []string{"api/", ""} {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path+"api.test", nil)
		if err != nil {
			break
		}
		answer, err := s.web.Do(r)
		if err != nil {
			break
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound {
			return base + path
		}
	}
	return base + "api/"
}

// locateWithin bounds the look for the API under an address without a path.
const locateWithin = 5 * time.Second

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
	scopes     map[string]bool // nil: Slack didn't say
}

// may reports whether the bot was granted a scope, or may have been.
func (me self) may(scope string) bool { return me.scopes == nil || me.scopes[scope] }

// identify asks Slack once who the bot is and what it may do.
func (s *Slack) identify(ctx context.Context) (self, error) {
	s.mu.Lock()
	me := s.me
	s.mu.Unlock()
	if me.user != "" {
		return me, nil
	}
	return s.whoami(ctx)
}

// whoami is identify without what Slack said before.
func (s *Slack) whoami(ctx context.Context) (self, error) {
	who, err := s.client().AuthTestContext(ctx)
	if err != nil {
		return self{}, err
	}
	me := self{user: who.UserID, team: who.TeamID}
	if granted := who.Header.Get("X-OAuth-Scopes"); granted != "" {
		me.scopes = map[string]bool{}
		for scope := range strings.SplitSeq(granted, ",") {
			me.scopes[strings.TrimSpace(scope)] = true
		}
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
		return me.may("im:history")
	case strings.HasPrefix(channel, "C"): // private ones are C too, and say so when asked
		return me.may("channels:history") || me.may("groups:history")
	}
	return me.may("groups:history") || me.may("mpim:history")
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
