package slack_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/desktest"
	"precedent/bot/slack"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// A desk is the core as far as a network sees it: it keeps what it hears, once.
type desk struct {
	mu     sync.Mutex
	heard  []bot.Heard
	ids    map[string]bool
	fail   int // how many calls of Hear fail from now on
	form   *bot.Form
	seen   map[string]string
	recent []bot.Place
	asked  int           // how often recent was
	slow   string        // conversation whose things take until
	until  chan struct{} // this is closed to keep
}

func (d *desk) Hear(ctx context.Context, h bot.Heard) error {
	d.mu.Lock()
	if until := d.until; h.Conversation == d.slow && until != nil {
		d.mu.Unlock()
		select {
		case <-until:
		case <-ctx.Done():
			return ctx.Err()
		}
		d.mu.Lock()
	}
	if d.fail > 0 {
		d.fail--
		d.mu.Unlock()
		return errors.New("the disk is full")
	}
	if d.ids[h.ID] {
		d.mu.Unlock()
		return nil
	}
	d.ids[h.ID] = true
	d.heard = append(d.heard, h)
	d.mu.Unlock()
	return nil
}

func (d *desk) Form(_ context.Context, h bot.Heard) (bot.Form, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.form == nil {
		return bot.Form{}, false
	}
	return *d.form, true
}

func (d *desk) Seen(context.Context, string) (map[string]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]string{}
	maps.Copy(out, d.seen)
	return out, nil
}

func (d *desk) Saw(_ context.Context, _, channel, message string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[channel] = message
	return nil
}

func (d *desk) Recent(context.Context, string, int) ([]bot.Place, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	return d.recent, nil
}

func (d *desk) Missed(_ context.Context, under bot.Place, stood map[string][]string, at time.Time) ([]bot.Heard, error) {
	return desktest.Missed(d.all(), under, stood, at), nil
}

func (d *desk) all() []bot.Heard {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]bot.Heard(nil), d.heard...)
}

// A world is a workspace with the bot in it.
type world struct {
	*slacktest.Server
	*desk
	t    *testing.T
	bot  *slack.Slack
	logs *logs
	stop func()
}

type logs struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func open(t *testing.T, o slacktest.Options) *world {
	t.Helper()
	s := slacktest.Start(t, o)
	w := &world{Server: s, desk: &desk{ids: map[string]bool{}, seen: map[string]string{}}, t: t, logs: &logs{}}
	w.bot = w.client()
	w.bot.AppToken = s.AppToken
	return w
}

func (w *world) client() *slack.Slack {
	return &slack.Slack{BotToken: w.BotToken, APIURL: strings.TrimSuffix(w.APIURL, "/"), Dial: nettest.Dial(w.t),
		Hear: w.desk.Hear, Form: w.desk.Form, Seen: w.desk.Seen, Saw: w.desk.Saw, Recent: w.desk.Recent, Missed: w.desk.Missed,
		Log: slog.New(slog.NewTextHandler(w.logs, nil))}
}

// run has the bot listen until the test ends, or stop is called.
func (w *world) run() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.bot.Run(ctx) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Errorf("Run: %v", err)
		}
		for _, secret := range []string{w.BotToken, w.AppToken, w.SigningSecret, "/respond/", "ticket"} {
			if strings.Contains(w.logs.String(), secret) {
				w.t.Errorf("a secret is in the log:\n%s", w.logs)
			}
		}
	})
	w.t.Cleanup(w.stop)
	if w.bot.AppToken != "" {
		w.AwaitSocket()
	}
}

// start is a workspace with the bot listening in it.
func start(t *testing.T, o slacktest.Options) *world {
	t.Helper()
	w := open(t, o)
	w.run()
	return w
}

// hears waits until the nth thing, from 0, was heard.
func (w *world) hears(n int) (h bot.Heard) {
	w.t.Helper()
	w.Await("thing heard", func() bool {
		all := w.all()
		if len(all) > n {
			h = all[n]
		}
		return len(all) > n
	})
	return h
}

// clean fails the test for each request that Slack would not have wanted.
func (w *world) clean() {
	w.t.Helper()
	for _, v := range w.Violations() {
		w.t.Error(v)
	}
}

func (w *world) post(to bot.Place, c bot.Card) bot.Place {
	w.t.Helper()
	at, err := w.bot.Post(w.t.Context(), to, c)
	if err != nil {
		w.t.Fatal(err)
	}
	return at
}

func TestQuestionAnswerVote(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		asked := w.Say(slacktest.Alice, slacktest.General, "", "@precedent who directed <Heat> & when?")
		h := w.hears(0)
		want := bot.Heard{ID: "slack:C0GENERAL/" + asked.TS, Kind: bot.Asked, User: slacktest.Alice, Text: "who directed <Heat> & when?",
			Conversation: "slack:C0GENERAL/" + asked.TS, Place: bot.Place{Chat: "slack", Team: "T0TEAM", Channel: slacktest.General, Thread: asked.TS, Message: asked.TS}}
		if h.At = want.At; !equal(h, want) {
			t.Fatalf("heard %+v,\nwant  %+v", h, want)
		}
		at := w.post(h.Place, bot.Card{Text: "Looking…", Tone: bot.AtWork, Carries: h.ID, Buttons: []bot.Button{{ID: "stop|1", Label: "Stop", Look: bot.Bad}}})
		if at.Thread != asked.TS || at.Message == "" || at.Message == asked.TS {
			t.Fatalf("posted at %+v", at)
		}
		answer := bot.Card{Text: "Michael Mann, 1995.", Carries: h.ID, Table: &bot.Sheet{Columns: []string{"who", "year"}, Rows: [][]string{{"*Mann*", "1995"}, {"", ""}},
			Numeric: []bool{false, true}}, Code: "MATCH (n) RETURN n", Small: []string{"verified case", "Heat"},
			Buttons: []bot.Button{{ID: "up|1", Label: "👍", Look: bot.Good}, {ID: "down|1", Label: "👎"}}}
		if _, err := w.bot.Edit(t.Context(), at, answer); err != nil {
			t.Fatal(err)
		}
		m, _ := w.Message(slacktest.General, at.Message)
		if !strings.Contains(m.Reads(), "*Mann*") || m.MarkupHolds("*Mann*") != "" || m.Thread != asked.TS {
			t.Errorf("people read %q", m.Reads())
		}
		w.Click(slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: at.Message, Action: "up|1", Value: "up|1"}).AwaitAck()
		p := w.hears(1)
		if p.Kind != bot.Pressed || p.Button != "up|1" || p.User != slacktest.Bob || p.Place.Message != at.Message || p.Place.Thread != asked.TS ||
			p.Place.Token == "" || p.Place.User != "" || p.Conversation != h.Conversation || p.Language != "en" {
			t.Errorf("pressed %+v", p)
		}
		w.React(slacktest.Carol, slacktest.General, at.Message, "+1::skin-tone-3")
		if r := w.hears(2); r.Kind != bot.Reacted || r.Text != "up" || r.Removed || r.User != slacktest.Carol || r.Place.Message != at.Message {
			t.Errorf("reacted %+v", r)
		}
		w.Unreact(slacktest.Carol, slacktest.General, at.Message, "+1::skin-tone-3")
		if r := w.hears(3); r.Text != "up" || !r.Removed {
			t.Errorf("taken back %+v", r)
		}
		w.Say(slacktest.Bob, slacktest.General, asked.TS, "@precedent and who acted?")
		if f := w.hears(4); f.Conversation != h.Conversation || !f.MidThread || f.Place.Thread != asked.TS || f.Text != "and who acted?" {
			t.Errorf("followed up %+v", f)
		}
		dm := w.Say(slacktest.Alice, w.DM(slacktest.Alice), "", "哪些电影？")
		d := w.hears(5)
		if d.Conversation != "slack:"+dm.Channel || d.Place.Thread != "" || d.Place.Team != "" || !d.Private || d.Text != "哪些电影？" {
			t.Errorf("asked directly %+v", d)
		}
		w.post(d.Place, answer)
		w.clean()
	})
}

func equal(a, b bot.Heard) bool {
	return a.ID == b.ID && a.Kind == b.Kind && a.Place == b.Place && a.Conversation == b.Conversation && a.User == b.User && a.Private == b.Private &&
		a.Text == b.Text && a.Removed == b.Removed && a.Button == b.Button && a.MidThread == b.MidThread && a.Language == b.Language && a.At.Equal(b.At)
}
