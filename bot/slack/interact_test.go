package slack_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		d := w.Command(slacktest.Carol, slacktest.General, "/ask", "films & <b>")
		h := w.hears(0)
		if h.Kind != bot.Asked || !h.Private || h.Text != "films & <b>" || h.Language != "zh" || h.Place.User != slacktest.Carol || h.Place.Token == "" ||
			h.Place.Thread != "" || h.Conversation != "slack:C0GENERAL/U0CAROL" {
			t.Errorf("asked %+v", h)
		}
		at := w.post(h.Place, bot.Card{Text: "Looking…", Tone: bot.AtWork})
		if _, err := w.bot.Edit(t.Context(), at, bot.Card{Text: "Still looking…", Tone: bot.AtWork}); err != nil {
			t.Error(err)
		}
		if _, err := w.bot.Edit(t.Context(), at, bot.Card{Text: "Three.", Buttons: []bot.Button{{ID: "up|1", Label: "Right"}}}); err != nil {
			t.Error(err)
		}
		seen := w.Ephemerals(slacktest.Carol)
		if len(seen) != 2 || seen[1].Reads() != "Three.\nRight" {
			t.Fatalf("she sees %+v", seen)
		}
		w.Click(slacktest.Click{User: slacktest.Carol, Channel: slacktest.General, TS: seen[1].TS, Action: "up|1"}).AwaitAck()
		p := w.hears(1)
		if p.Place.User != slacktest.Carol || !p.Private || p.Place.Thread != "" || p.Conversation != h.Conversation || p.Place.Message != seen[1].TS {
			t.Errorf("pressed %+v", p)
		}
		if _, err := w.bot.Edit(t.Context(), p.Place, bot.Card{Text: "Thanks."}); err != nil {
			t.Error(err)
		}
		if seen := w.Ephemerals(slacktest.Carol); len(seen) != 2 || seen[1].Reads() != "Thanks." {
			t.Errorf("she sees %+v", seen)
		}
		w.ExpireResponses()
		if _, err := w.bot.Post(t.Context(), h.Place, bot.Card{Text: "late"}); is(err) != "expired" {
			t.Errorf("after 30 minutes: %v", err)
		}
		h.Place.Token = ""
		w.post(h.Place, bot.Card{Text: "late"})
		if seen := w.Ephemerals(slacktest.Carol); len(seen) != 3 || seen[2].Reads() != "late" {
			t.Errorf("she sees %+v", seen)
		}
		if _, _, err := w.bot.Find(t.Context(), h.Place, "x"); is(err) != "blind" {
			t.Errorf("looking for what only she sees: %v", err)
		}
		if !d.Acked() || len(w.Posted(slacktest.General)) != 0 {
			t.Error("not acknowledged, or others see it")
		}
	})
}

func TestResponseURLServesFiveTimes(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.Command(slacktest.Alice, slacktest.General, "/ask", "q")
		to := w.hears(0).Place
		for range 5 {
			w.post(to, bot.Card{Text: "t"})
		}
		if _, err := w.bot.Post(t.Context(), to, bot.Card{Text: "t"}); is(err) != "expired" {
			t.Errorf("the sixth: %v", err)
		}
		w.Fail("response_url", slacktest.Fault{Status: 404})
		if _, err := w.bot.Post(t.Context(), to, bot.Card{Text: "t"}); is(err) != "expired" {
			t.Errorf("404: %v", err)
		}
		w.Fail("response_url", slacktest.Fault{RetryAfter: 4})
		if _, err := w.bot.Post(t.Context(), to, bot.Card{Text: "t"}); is(err) != "wait 4s" {
			t.Errorf("429: %v", err)
		}
		w.Fail("response_url", slacktest.Fault{Error: "invalid_blocks"})
		if _, err := w.bot.Post(t.Context(), to, bot.Card{Text: "t"}); is(err) != "rejected" {
			t.Errorf("blocks: %v", err)
		}
		w.Fail("response_url", slacktest.Fault{})
		if _, err := w.bot.Post(t.Context(), to, bot.Card{Text: "t"}); is(err) != "fault" || strings.Contains(err.Error(), "respond/") {
			t.Errorf("connection broken: %v", err)
		}
	})
}

func TestHome(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.OpenHome(slacktest.Carol)
		h := w.hears(0)
		if h.Kind != bot.Visited || !h.Place.Home || h.Place.User != slacktest.Carol || h.Language != "zh" || !h.Private {
			t.Errorf("visited %+v", h)
		}
		w.post(h.Place, bot.Card{Text: "Hello", Items: []bot.Card{{Text: "case", Buttons: []bot.Button{{ID: "ok|1", Label: "Approve"}}}}})
		v, _ := w.Home(slacktest.Carol)
		w.Click(slacktest.Click{User: slacktest.Carol, View: v.ID, Action: "ok|1"}).AwaitAck()
		if p := w.hears(1); p.Button != "ok|1" || !p.Place.Home || p.Place.User != slacktest.Carol || p.Place.Channel != "" {
			t.Errorf("pressed %+v", p)
		}
		if _, err := w.bot.Edit(t.Context(), h.Place, bot.Card{Text: "Done"}); err != nil {
			t.Error(err)
		}
		at := w.post(bot.Place{Chat: "slack", User: slacktest.Carol}, bot.Card{Text: "approved"})
		if at.Channel != w.DM(slacktest.Carol) || at.User != "" {
			t.Errorf("a note without a channel went to %+v", at)
		}
		w.clean()
	})
}

func TestShortcut(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		m := w.Say(slacktest.Alice, slacktest.General, "", "some message")
		at := w.post(bot.Place{Channel: slacktest.General, Thread: m.TS}, bot.Card{Text: "A"})
		w.Shortcut(slacktest.Bob, slacktest.General, at.Message, "other").AwaitAck()
		w.Shortcut(slacktest.Bob, slacktest.General, at.Message, "curate").AwaitAck()
		h := w.hears(0)
		if h.Kind != bot.Pressed || h.Button != "case|" || h.User != slacktest.Bob || h.Place.Message != at.Message || h.Place.Thread != m.TS {
			t.Errorf("curated %+v", h)
		}
		w.Shortcut(slacktest.Bob, slacktest.General, w.Say(slacktest.Alice, slacktest.General, "", "alone").TS, "curate").AwaitAck()
		if h := w.hears(1); h.Place.Thread != "" {
			t.Errorf("outside of threads %+v", h)
		}
		w.clean()
	})
}

// A form that comes too late opens none, and the press is heard all the same.
func TestExpiredTrigger(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.form = &bot.Form{ID: "why|1", Title: "Why?", Send: "Send", Fields: []bot.Field{{Name: "a", Label: "A"}}}
		at := w.post(bot.Place{Channel: slacktest.General}, bot.Card{Text: "A", Buttons: []bot.Button{{ID: "down|1", Label: "Wrong"}}})
		w.Fail("views.open", slacktest.Fault{Error: "expired_trigger_id"})
		w.Click(slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: at.Message, Action: "down|1"}).AwaitAck()
		w.hears(0)
		w.Await("line in the log", func() bool { return strings.Contains(w.logs.String(), "opening a form") })
		w.Click(slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: at.Message, Action: "down|1"}).AwaitAck()
		w.AwaitModal(slacktest.Bob)
	})
}

// A form that takes longer to make than Slack lets a trigger live isn't sent: the
// press is heard, and Slack asked nothing that it would refuse.
func TestSlowForm(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		form := bot.Form{ID: "why|1", Title: "Why?", Send: "Send", Fields: []bot.Field{{Name: "a", Label: "A"}}}
		var takes atomic.Int64
		w.bot.Form = func(context.Context, bot.Heard) (bot.Form, bool) {
			time.Sleep(time.Duration(takes.Load())) // whatever ctx says
			return form, true
		}
		w.run()
		at := w.post(bot.Place{Channel: slacktest.General}, bot.Card{Text: "A", Buttons: []bot.Button{{ID: "down|1", Label: "Wrong"}}})
		press := slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: at.Message, Action: "down|1"}
		takes.Store(int64(3500 * time.Millisecond))
		w.Click(press).AwaitAck()
		w.hears(0)
		time.Sleep(10 * time.Second)
		if n := len(w.Calls("views.open")); n != 0 {
			t.Errorf("opened %d times with a dead trigger", n)
		}
		takes.Store(int64(2500 * time.Millisecond))
		w.Click(press).AwaitAck()
		w.AwaitModal(slacktest.Bob)
		w.clean()
	})
}
