package slack_test

import (
	"testing"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// What was said and voted while the bot was cut off, and what Slack has given up
// sending, is read back.
func TestReadBack(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, history)
		w.run()
		first := w.Say(slacktest.Alice, slacktest.General, "", "@precedent one")
		at := w.post(w.hears(0).Place, bot.Card{Text: "A"})
		w.React(slacktest.Alice, slacktest.General, at.Message, "+1")
		w.hears(1)
		dm := w.Say(slacktest.Bob, w.DM(slacktest.Bob), "", "first")
		w.hears(2)
		w.Await("marks", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return len(w.seen) == 2 })
		w.stop()

		w.Hold()
		w.Say(slacktest.Alice, slacktest.General, "", "not for the bot")
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent two")
		w.Say(slacktest.Alice, slacktest.General, first.TS, "and when?")
		w.Say(slacktest.Bob, dm.Channel, "", "second")
		w.React(slacktest.Bob, slacktest.General, at.Message, "thumbsdown")
		w.mu.Lock()
		w.recent = []bot.Place{at}
		w.mu.Unlock()
		w.bot = w.client()
		w.bot.AppToken = w.AppToken
		w.run()
		w.hears(6)
		texts := map[string]bool{}
		for _, h := range w.all()[3:] {
			texts[string(h.Kind)+" "+h.Text] = true
		}
		for _, want := range []string{"asked two", "asked and when?", "asked second", "reacted down"} {
			if !texts[want] {
				t.Errorf("%q was not read back, but %v", want, texts)
			}
		}
		w.Release(false)
		w.settled()
		again := map[string]int{}
		for _, h := range w.all() {
			if again[h.ID]++; h.Kind == bot.Asked && again[h.ID] > 1 {
				t.Errorf("%s heard twice", h.ID)
			}
		}
		w.clean()
	})
}

// A reaction taken back while the bot was cut off is missed no more than one given.
func TestReadBackTakenBack(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		at := w.post(bot.Place{Channel: slacktest.General}, bot.Card{Text: "A"})
		w.Await("the first reading back", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.asked == 2 })
		w.mu.Lock()
		w.recent = []bot.Place{at}
		w.mu.Unlock()
		w.React(slacktest.Alice, slacktest.General, at.Message, "+1")
		w.hears(0)
		w.Hold()
		w.Unreact(slacktest.Alice, slacktest.General, at.Message, "+1")
		w.Drop()
		h := w.hears(1)
		if h.Kind != bot.Reacted || !h.Removed || h.Text != "up" || h.User != slacktest.Alice {
			t.Errorf("heard %+v", h)
		}
	})
}

// Where Slack asks to wait while the bot reads back, the bot waits and goes on.
func TestReadBackSlowly(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, history)
		first := w.Say(slacktest.Alice, slacktest.General, "", "hello")
		w.Hold()
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.seen[slacktest.General] = first.TS
		w.Fail("conversations.history", slacktest.Fault{RetryAfter: 1})
		w.Fail("conversations.history", slacktest.Fault{Status: 500})
		w.run()
		if h := w.hears(0); h.Text != "q" {
			t.Errorf("heard %+v", h)
		}
		w.Await("the mark", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.seen[slacktest.General] > first.TS })
	})
}
