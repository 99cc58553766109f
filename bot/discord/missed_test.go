package discord_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// away cuts the bot off, lets f happen, and brings it back: by a drop, or by
// another life.
func (w *world) away(restart bool, f func()) {
	w.t.Helper()
	if restart {
		if err := w.stop(); err != nil {
			w.t.Error(err)
		}
		w.AwaitConnected(0)
		f()
		w.chat = w.connect()
		return
	}
	n := len(w.Identifies())
	undo := w.FailGateway(discordtest.GatewayFault{At: discordtest.OnConnect, Times: -1})
	w.Drop()
	w.AwaitConnected(0)
	f()
	undo()
	w.Await("the bot's return", func() bool { return len(w.Identifies()) > n && w.Connected() == 1 })
}

// What people said and did while the bot was cut off is read back, once.
func TestMissed(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		for _, restart := range []bool{false, true} {
			w := begin(t, calm)
			other := w.AddChannel(w.Guild, "other")
			mention := "<@" + w.BotID + "> "
			before := w.Say("Ann", w.General, mention+"before")
			w.hears()
			w.Say("Bob", w.DM("Bob"), "in private before")
			w.hears()
			answer := w.message(w.post(bot.Place{Team: w.Guild, Channel: w.General, Message: before.ID}, bot.Card{Text: "38"}).Message)
			w.desk.set(func() {
				w.desk.recent = []bot.Place{{Chat: "discord", Team: w.Guild, Channel: w.General, Message: answer.ID}, {Chat: "discord", Channel: w.General, Message: "123"}}
			})
			w.React("Ann", answer, "👍")
			w.hears()

			var want []string
			w.away(restart, func() {
				for range 110 {
					w.Say("Bob", w.General, "chat")
				}
				for _, text := range []string{"one", "two"} {
					want = append(want, text)
					w.Say("Ann", w.General, mention+text)
				}
				w.Say("Ann", other, mention+"three, where nothing was said before")
				w.Say("Ann", w.AddChannel(w.Guild, "new"), mention+"four, in a new channel")
				w.Say("Bob", w.DM("Bob"), "five, in private")
				w.Say("Bob", w.Thread("Bob", before, "thread"), mention+"six, in a new thread")
				w.React("Bob", answer, "👎🏽")
				w.Unreact("Ann", answer, "👍")
				w.Delete(w.Say("Ann", w.General, mention+"and gone"))
			})
			want = append(want, "three, where nothing was said before", "four, in a new channel", "five, in private", "six, in a new thread", "down", "up")
			var got []string
			for range want {
				h := w.hears()
				if h.Kind == bot.Reacted && h.Removed != (h.Text == "up") {
					t.Errorf("read back %+v", h)
				}
				if private := strings.Contains(h.Text, "private"); h.Private != private || (h.Place.Team == "") != private {
					t.Errorf("read back %+v", h)
				}
				got = append(got, h.Text)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("read back %q, want %q", got, want)
			}
			w.away(restart, func() {})
			w.hearsNothing()
			w.away(restart, func() { w.Say("Ann", w.General, mention+"seven") })
			if h := w.hears(); h.Text != "seven" {
				t.Errorf("heard %+v", h)
			}
			w.hearsNothing()
		}
	})
}

// A message that couldn't be kept is read again, with no cut in between.
func TestNotKept(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		w.Say("Ann", w.General, "<@"+w.BotID+"> first")
		w.hears()
		w.desk.set(func() { w.desk.broken = errors.New("disk full") })
		w.Say("Ann", w.General, "<@"+w.BotID+"> lost")
		w.Await("a look back", func() bool { return len(w.Requests("GET", "/messages")) > 0 })
		w.Say("Ann", w.General, "chat")
		w.desk.set(func() { w.desk.broken = nil })
		w.away(false, func() {})
		if h := w.hears(); h.Text != "lost" {
			t.Errorf("heard %+v", h)
		}
		w.hearsNothing()
	})
}

// What is said to a bot that dies soon after its first start, with nothing kept
// of it, is heard by its next life.
func TestMissedAtFirst(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		var dead atomic.Bool
		w := begin(t, calm, func(d *discord.Discord) {
			hear, saw := d.Hear, d.Saw
			d.Hear = func(ctx context.Context, h bot.Heard) error {
				if dead.Load() {
					return errors.New("killed")
				}
				return hear(ctx, h)
			}
			d.Saw = func(ctx context.Context, chat, channel, message string) error {
				if dead.Load() {
					return errors.New("killed")
				}
				return saw(ctx, chat, channel, message)
			}
		})
		w.Say("Bob", w.DM("Bob"), "hello")
		w.hears()
		dead.Store(true)
		w.Say("Ann", w.General, "<@"+w.BotID+"> lost")
		w.stopAndConnect()
		if h := w.hears(); h.Text != "lost" {
			t.Errorf("heard %+v", h)
		}
		w.hearsNothing()
	})
}

// Channels that the bot may not read, and those that are gone, hold nothing up.
func TestMissedWhereBarred(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		shut := w.AddChannel(w.Guild, "shut")
		w.Say("Ann", shut, "<@"+w.BotID+"> first")
		w.hears()
		w.away(false, func() {
			w.Say("Ann", shut, "<@"+w.BotID+"> second")
			w.Say("Ann", w.General, "<@"+w.BotID+"> third")
			w.Permit(shut, 0)
			_ = w.desk.Saw(t.Context(), "discord", "123", "456")
		})
		if h := w.hears(); h.Text != "third" {
			t.Errorf("heard %+v", h)
		}
		w.hearsNothing()
	})
}
