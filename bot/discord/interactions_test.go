package discord_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

func TestCommands(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		var names []string
		for _, c := range w.Commands("") {
			names = append(names, fmt.Sprint(c["name"], " ", c["name_localizations"], " ", c["description_localizations"]))
		}
		if want := []string{"ask map[zh-CN:提问] map[zh-CN:向图谱提问]", "cases map[zh-CN:案例] map[zh-CN:等待审核员审核的案例]", "Curate case map[zh-CN:审核案例] <nil>"}; !slices.Equal(names, want) {
			t.Errorf("registered %q", names)
		}
		w.stopAndConnect()
		if n := len(w.Requests("PUT", "/commands")); n != 1 {
			t.Errorf("registered %d times, though nothing had changed", n)
		}
		w.Clean(t)
	})
}

func TestAskDirectly(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		run := w.Run("Ann", w.DM("Ann"), "ask", discordtest.Option{Name: "question", Value: " how many? "})
		h := w.hears()
		if h.Text != "how many?" || !h.Private || h.Conversation != "discord:"+run.Channel || h.Place.Team != "" || h.Language != "en" {
			t.Errorf("heard %+v", h)
		}
		w.edit(*h.Shown, bot.Card{Text: "38"})
		at, found, err := w.chat.Find(t.Context(), *h.Shown, h.ID)
		if err != nil || !found || at.Message != run.AwaitResponse().ID {
			t.Errorf("found %+v %v %v", at, found, err)
		}
		w.Clean(t)
	})
}

func TestQueueAndCurate(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		queue := w.Run("Ann", w.General, "cases")
		h := w.hears()
		if h.Kind != bot.Pressed || h.Button != "queue|" || !h.Private || h.Shown == nil || h.Shown.User != queue.User || queue.Await() != 5 {
			t.Errorf("/cases was heard as %+v", h)
		}
		w.edit(*h.Shown, cards["queue"]["en"])
		shown := queue.AwaitResponse()
		if !shown.Ephemeral() || shown.OnlyFor != queue.User {
			t.Errorf("the queue is shown to all: %+v", shown)
		}
		press := w.Click("Ann", shown, "yes|c1")
		if h := w.hears(); h.Button != "yes|c1" || !h.Private || h.Place.Message != shown.ID || press.Await() != 6 {
			t.Errorf("a press on the queue was heard as %+v", h)
		} else {
			w.edit(h.Place, bot.Card{Text: "None left."}) // by the press's token: the bot can't edit what one person sees
			if m := w.message(shown.ID); m.Content != "None left." || len(m.Embeds)+len(m.Components) != 0 {
				t.Errorf("the queue is now %+v", m)
			}
		}
		answer := w.message(w.post(bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "38"}).Message)
		curate := w.RunOn("Ann", answer, "Curate case")
		h = w.hears()
		if h.Kind != bot.Pressed || h.Button != "case|" || h.Place.Message != answer.ID || !h.Private || h.Shown == nil {
			t.Errorf("Curate case was heard as %+v", h)
		}
		w.edit(*h.Shown, bot.Card{Text: "This one:", Code: "RETURN 38"})
		if m := curate.AwaitResponse(); !m.Ephemeral() || !strings.Contains(m.Content, "RETURN 38") {
			t.Errorf("Curate case was answered with %+v", m)
		}
		w.Clean(t)
	})
}

// What is said before the acknowledgement is through waits for it.
func TestEditBeforeTheCallback(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		hold := make(chan struct{})
		w.Fail(discordtest.Fault{Path: "/callback", Hold: hold})
		run := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		h := w.hears()
		done := make(chan error, 1)
		go func() {
			_, err := w.chat.Edit(t.Context(), *h.Shown, bot.Card{Text: "38"})
			done <- err
		}()
		select {
		case err := <-done:
			t.Fatalf("edited before the callback: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
		close(hold)
		if err := <-done; err != nil || run.AwaitResponse().Content != "38" {
			t.Errorf("edited: %v", err)
		}
		w.Clean(t)
	})
}

// An interaction is acknowledged after it is kept, and not at all if it can't be.
func TestKeptThenAcknowledged(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		slow := make(chan struct{})
		w.desk.set(func() { w.desk.slow = slow })
		run := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		time.Sleep(50 * time.Millisecond)
		if kind, _ := run.Answered(); kind != 0 {
			t.Error("acknowledged before it was kept")
		}
		close(slow)
		run.Await()
		w.hears()

		w.desk.set(func() { w.desk.slow, w.desk.broken = nil, errors.New("disk full") })
		lost := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		time.Sleep(50 * time.Millisecond)
		if kind, _ := lost.Answered(); kind != 0 {
			t.Error("acknowledged though it wasn't kept")
		}
		w.desk.set(func() { w.desk.broken = nil })
		lost.Redeliver()
		lost.Await()
		w.hears()
		w.Clean(t)
	})
}

// A message that takes long to be kept holds up no interaction.
func TestInteractionsWaitForNothing(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		slow := make(chan struct{})
		w := begin(t, calm, func(d *discord.Discord) {
			hear := d.Hear
			d.Hear = func(ctx context.Context, h bot.Heard) error {
				if h.Text == "slow" {
					<-slow
				}
				return hear(ctx, h)
			}
		})
		w.Say("Ann", w.General, "<@"+w.BotID+"> slow")
		w.Say("Ann", w.General, "<@"+w.BotID+"> behind it")
		w.Run("Bob", w.General, "ask", discordtest.Option{Name: "question", Value: "q"}).Await()
		close(slow)
		for _, want := range []string{"q", "slow", "behind it"} {
			if h := w.hears(); h.Text != want {
				t.Errorf("heard %q, want %q", h.Text, want)
			}
		}
		w.Clean(t)
	})
}

// Discord may tell twice, and its answer to a callback may be lost.
func TestRedelivery(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		w.Duplicate(1)
		first := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		first.Await()
		first.Redeliver()
		w.hears()
		w.Fail(discordtest.Fault{Path: "/callback", Status: 502})
		w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"}).Await()
		w.hears()
		w.Duplicate(1)
		w.Say("Ann", w.General, "<@"+w.BotID+"> once")
		w.hears()
		w.hearsNothing()
		w.Clean(t)
		w.Fail(discordtest.Fault{Path: "/callback", Cut: true, After: true}) // done, and nobody was told
		again := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		again.Await()
		w.edit(*w.hears().Shown, bot.Card{Text: "38"})
		if again.AwaitResponse().Content != "38" {
			t.Error("an interaction acknowledged twice wasn't answered")
		}
	})
}

// A question that was kept before the process died, and not acknowledged, is
// answered without its token.
func TestTokenOfAnotherLife(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		_, err := w.chat.Edit(t.Context(), bot.Place{Team: w.Guild, Channel: w.General, Message: "@original", Token: "unknown"}, bot.Card{Text: "38"})
		if !errors.Is(err, bot.ErrExpired) || strings.Contains(err.Error(), "unknown/") {
			t.Errorf("got %v", err)
		}
	})
}

func TestTokenExpires(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		run := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		h := w.hears()
		w.edit(*h.Shown, bot.Card{Text: "working"})
		at, found, err := w.chat.Find(t.Context(), *h.Shown, h.ID)
		if err != nil || !found {
			t.Fatal(at, found, err)
		}
		time.Sleep(15*time.Minute + time.Second)
		ctx := t.Context()
		if _, err := w.chat.Edit(ctx, *h.Shown, bot.Card{Text: "38"}); !errors.Is(err, bot.ErrExpired) {
			t.Errorf("editing by the dead token: %v", err)
		}
		if _, err := w.chat.Post(ctx, bot.Place{Team: w.Guild, Channel: w.General, Token: run.Token}, bot.Card{Text: "38"}); !errors.Is(err, bot.ErrExpired) {
			t.Errorf("posting by the dead token: %v", err)
		}
		if err := w.chat.Attach(ctx, *h.Shown, bot.File{Name: "a.csv", Body: []byte("x")}); !errors.Is(err, bot.ErrExpired) {
			t.Errorf("attaching by the dead token: %v", err)
		}
		if _, _, err := w.chat.Find(ctx, *h.Shown, h.ID); !errors.Is(err, bot.ErrExpired) {
			t.Errorf("finding by the dead token: %v", err)
		}
		if again, found, err := w.chat.Find(ctx, h.Place, h.ID); err != nil || !found || again.Message != at.Message {
			t.Errorf("finding without it: %+v %v %v", again, found, err)
		}
		w.edit(at, bot.Card{Text: "38"}) // as the bot, where the message is known
		if m := run.AwaitResponse(); m.Content != "38" {
			t.Errorf("the answer is %+v", m)
		}
		at.Token = ""
		w.edit(at, bot.Card{Text: "39"})
	})
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		w.desk.offer = []string{"who directed Alien?", "who directed Alien?", strings.Repeat("长", 100), strings.Repeat("x", 101), "", "two\nlines"}
		for i := range 30 {
			w.desk.offer = append(w.desk.offer, fmt.Sprint("question ", i))
		}
		typed := w.Type("Ann", w.General, "ask", "question", discordtest.Option{Name: "question", Value: "who"})
		if kind := typed.Await(); kind != 8 {
			t.Errorf("completed with %d", kind)
		}
		choices := typed.Choices()
		if len(choices) != 25 || choices[0].Value != "who directed Alien?" || choices[1].Name != strings.Repeat("长", 100) || choices[2].Name != "two⏎lines" {
			t.Errorf("suggested %q", choices)
		}
		if want := []string{`discord en "who" 25`}; !slices.Equal(w.desk.typed, want) {
			t.Errorf("asked for %q", w.desk.typed)
		}
		w.desk.set(func() { w.desk.offer = nil })
		if none := w.Type("Ann", w.General, "ask", "question", discordtest.Option{Name: "question", Value: "zzz"}); none.Await() != 8 || len(none.Choices()) != 0 {
			t.Errorf("suggested %q", none.Choices())
		}
		w.Clean(t)
	})
}

func TestForms(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		form := bot.Form{ID: "edit|1", Title: "Edit the case", Send: "Save", Fields: []bot.Field{
			{Name: "why", Label: "What was wrong?", Hint: "pick one", Value: "query", Options: []bot.Option{{Value: "value", Label: "The value"}, {Value: "query", Label: "The query"}}},
			{Name: "note", Label: "Details", Hint: strings.Repeat("hint ", 40), Optional: true, Lines: true, Most: 500},
			{Name: "query", Label: "Query", Value: strings.Repeat("MATCH ", 900), Lines: true, Most: 100},
		}}
		w.desk.form = func(h bot.Heard) (bot.Form, bool) { return form, h.Button == "down|1" }
		answer := w.message(w.post(bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "38", Buttons: thumbs}).Message)
		opened := w.Click("Bob", answer, "👎")
		w.hears()
		if opened.Await() != 9 {
			t.Fatal("no form")
		}
		q := w.Requests("POST", "/callback")[0]
		if err := discordtest.Check(discordtest.Callback, q.Body); err != nil {
			t.Error(err)
		}
		label := q.Body.(map[string]any)["data"].(map[string]any)["components"].([]any)[0].(map[string]any)
		choice := label["component"].(map[string]any)
		if label["type"] != 18.0 || label["label"] != "What was wrong?" || choice["type"] != 3.0 || choice["options"].([]any)[1].(map[string]any)["default"] != true {
			t.Errorf("options are drawn as %v", label)
		}
		modal, _ := opened.Modal()
		if modal.CustomID != "edit|1" || modal.Title != "Edit the case" || len(modal.Inputs) != 3 || modal.Inputs[0].Value != "query" || modal.Inputs[1].Required || modal.Inputs[1].Max != 500 || !modal.Inputs[2].Required {
			t.Errorf("opened %+v", modal)
		}
		w.Submit(opened, map[string]string{"note": "x"})
		if h := w.hears(); h.Kind != bot.Filled || h.Button != "edit|1" || h.Fields["note"] != "x" || h.Fields["why"] != "query" || !strings.HasPrefix(h.Fields["query"], "MATCH") || h.User != opened.User {
			t.Errorf("heard %+v", h)
		}
		form.Fields = slices.Repeat(form.Fields, 3) // more than Discord has room for
		if broken := w.Click("Bob", answer, "👎"); broken.Await() != 6 {
			t.Error("a form that can't be drawn left the press unanswered")
		}
		w.hears()
		w.Clean(t)
	})
}

// What takes longer to keep than Discord waits gets no callback that Discord would
// refuse; what takes nearly as long is acknowledged in time.
func TestDeadline(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		var taking atomic.Int64
		w := begin(t, calm, func(d *discord.Discord) {
			hear := d.Hear
			d.Hear = func(ctx context.Context, h bot.Heard) error {
				time.Sleep(time.Duration(taking.Load())) // whatever ctx says
				return hear(ctx, h)
			}
		})
		for _, takes := range []time.Duration{2700 * time.Millisecond, 3500 * time.Millisecond} {
			taking.Store(int64(takes))
			run := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: takes.String()})
			time.Sleep(5 * time.Second)
			kind, took := run.Answered()
			if inTime := takes < 3*time.Second; inTime != (kind != 0) || inTime && took != takes {
				t.Errorf("kept after %v: callback %d after %v", takes, kind, took)
			}
		}
		for _, v := range w.Violations() {
			if v.Kind != "late" { // the one that Discord tells Ann of itself
				t.Error(v)
			}
		}
	})
}
