package discord_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/desktest"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// A desk keeps what it hears, as the real one does, and answers nothing.
type desk struct {
	mu     sync.Mutex
	heard  []bot.Heard
	ids    map[string]bool
	seen   map[string]string
	recent []bot.Place
	broken error                            // what Hear fails with
	slow   chan struct{}                    // Hear waits for it
	form   func(bot.Heard) (bot.Form, bool) //
	typed  []string                         // what Suggest was asked
	offer  []string
}

func (d *desk) Hear(ctx context.Context, h bot.Heard) error {
	d.mu.Lock()
	slow := d.slow
	d.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken != nil {
		return d.broken
	}
	if d.ids == nil {
		d.ids = map[string]bool{}
	}
	if !d.ids[h.ID] {
		d.ids[h.ID] = true
		d.heard = append(d.heard, h)
	}
	return nil
}

func (d *desk) Form(_ context.Context, h bot.Heard) (bot.Form, bool) {
	if d.form == nil {
		return bot.Form{}, false
	}
	return d.form(h)
}

func (d *desk) Suggest(_ context.Context, where bot.Place, typed, language string, n int) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.typed = append(d.typed, fmt.Sprintf("%s %s %q %d", where.Chat, language, typed, n))
	return d.offer
}

func (d *desk) Seen(context.Context, string) (map[string]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.seen), nil
}

func (d *desk) Saw(_ context.Context, _, channel, message string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen == nil {
		d.seen = map[string]string{}
	}
	d.seen[channel] = message
	return nil
}

func (d *desk) Recent(context.Context, string, int) ([]bot.Place, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.recent), nil
}

func (d *desk) Missed(_ context.Context, under bot.Place, stood map[string][]string, at time.Time) ([]bot.Heard, error) {
	return desktest.Missed(d.all(), under, stood, at), nil
}

// all is what was heard so far.
func (d *desk) all() []bot.Heard {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.heard)
}

func (d *desk) set(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// A world is Discord, the bot in it, and what the bot heard.
type world struct {
	*discordtest.Server
	t    *testing.T
	chat *discord.Discord
	desk *desk
	stop func() error
	next int // of what was heard
}

// begin starts a Discord with Ann and Bob and the bot in it.
func begin(t *testing.T, set discordtest.Settings, tune ...func(*discord.Discord)) *world {
	t.Helper()
	w := &world{Server: discordtest.Start(t, set), t: t, desk: &desk{}}
	w.AddUser("Ann")
	w.AddUser("Bob")
	w.chat = w.connect(tune...)
	return w
}

// connect starts another life of the bot.
func (w *world) connect(tune ...func(*discord.Discord)) *discord.Discord {
	w.t.Helper()
	chat := &discord.Discord{Log: slog.New(slog.NewTextHandler(w.t.Output(), nil)), Token: "fake.token", APIURL: w.APIURL(), Dial: nettest.Dial(w.t), Backoff: 20 * time.Millisecond, Hear: w.desk.Hear, Form: w.desk.Form,
		Suggest: w.desk.Suggest, Seen: w.desk.Seen, Saw: w.desk.Saw, Recent: w.desk.Recent, Missed: w.desk.Missed}
	for _, f := range tune {
		f(chat)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- chat.Run(ctx) }()
	w.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	stop := w.stop
	w.t.Cleanup(func() {
		if err := stop(); err != nil {
			w.t.Errorf("Run ended with %v", err)
		}
	})
	w.AwaitConnected(1)
	return chat
}

// hears waits for the next thing heard.
func (w *world) hears() bot.Heard {
	w.t.Helper()
	w.Await("something to be heard", func() bool { return len(w.desk.all()) > w.next })
	w.next++
	return w.desk.all()[w.next-1]
}

// hearsNothing fails if anything more was heard once a further message arrived.
func (w *world) hearsNothing() {
	w.t.Helper()
	last := w.Say("Bob", w.DM("Bob"), "the end")
	h := w.hears()
	if h.Place.Message != last.ID {
		w.t.Errorf("heard %+v", h)
	}
}

func (w *world) post(to bot.Place, c bot.Card) bot.Place {
	w.t.Helper()
	for {
		at, err := w.chat.Post(w.t.Context(), to, c)
		if w.waited(err) {
			continue
		}
		if err != nil {
			w.t.Fatal(err)
		}
		return at
	}
}

func (w *world) edit(at bot.Place, c bot.Card) {
	w.t.Helper()
	for {
		_, err := w.chat.Edit(w.t.Context(), at, c)
		if w.waited(err) {
			continue
		}
		if err != nil {
			w.t.Fatal(err)
		}
		return
	}
}

// waited does what the real desk does about a [bot.Wait], and goes on trying to
// show that it is at work.
func (w *world) waited(err error) bool {
	wait, ok := errors.AsType[bot.Wait](err)
	if errors.Is(err, bot.ErrCrowded) {
		wait.For, ok = 100*time.Millisecond, true
	}
	time.Sleep(wait.For)
	return ok
}

func (w *world) message(id string) discordtest.Message {
	w.t.Helper()
	m, ok := w.Message(id)
	if !ok {
		w.t.Fatalf("there is no message %q", id)
	}
	return m
}

// calm is a Discord that has no rates to wait for.
var calm = discordtest.Settings{Rates: discordtest.NoRates(), Global: 1000}

// talkative is calm, and lets the bot read all messages.
var talkative = discordtest.Settings{Rates: discordtest.NoRates(), Privileged: discordtest.IntentContent}

func content(d *discord.Discord) { d.Content = true }

var thumbs = []bot.Button{{ID: "up|1", Label: "👍", Look: bot.Good}, {ID: "down|1", Label: "👎"}}
