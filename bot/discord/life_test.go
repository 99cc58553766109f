package discord_test

import (
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// One of each: a question by mention, directly and by command, an answer with
// buttons, a vote by button and one by reaction, and a form.
func TestLife(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)

		asked := w.Say("Ann", w.General, "<@"+w.BotID+"> who directed Alien?")
		h := w.hears()
		if h.Kind != bot.Asked || h.Text != "who directed Alien?" || h.ID != "discord:"+w.General+"/"+asked.ID || h.Private ||
			h.Conversation != "discord:"+w.General+"/"+asked.Author || h.Place != (bot.Place{Chat: "discord", Team: w.Guild, Channel: w.General, Message: asked.ID}) ||
			time.Since(h.At).Abs() > time.Minute {
			t.Errorf("a mention was heard as %+v", h)
		}
		working := w.post(h.Place, bot.Card{Carries: h.ID, Tone: bot.AtWork, Text: "…"})
		again := w.post(h.Place, bot.Card{Carries: h.ID, Tone: bot.AtWork, Text: "…"})
		if again != working || w.message(working.Message).ReplyTo != asked.ID {
			t.Errorf("posted at %+v, then at %+v", working, again)
		}
		w.edit(working, bot.Card{Carries: h.ID, Understood: "director of Alien", Text: "Ridley Scott.", Buttons: thumbs})
		answer := w.message(working.Message)
		if answer.Content != "-# director of Alien\nRidley Scott." {
			t.Errorf("answered %q", answer.Content)
		}

		direct := w.Say("Bob", w.DM("Bob"), "谁导演了《异形》？")
		if h := w.hears(); h.Kind != bot.Asked || !h.Private || h.Place.Team != "" || h.Conversation != "discord:"+direct.Channel || h.Text != "谁导演了《异形》？" {
			t.Errorf("a direct message was heard as %+v", h)
		}

		w.Change("Bob", func(u *discordtest.User) { u.Locale = "zh-CN" })
		run := w.Run("Bob", w.General, "ask", discordtest.Option{Name: "question", Value: "how many films?"})
		h = w.hears()
		if h.Kind != bot.Asked || h.ID != "discord:i/"+run.ID || h.Text != "how many films?" || h.Language != "zh" || h.Shown == nil || h.Place.Message != "" {
			t.Errorf("/ask was heard as %+v", h)
		}
		w.edit(*h.Shown, bot.Card{Text: "38", Buttons: thumbs})
		if m := run.AwaitResponse(); m.Content != "38" || m.Ephemeral() {
			t.Errorf("/ask was answered with %+v", m)
		}

		w.desk.form = func(h bot.Heard) (bot.Form, bool) {
			return bot.Form{ID: "why|1", Title: "What was wrong?", Fields: []bot.Field{{Name: "note", Label: "Details", Optional: true, Most: 500}}}, strings.HasPrefix(h.Button, "down|")
		}
		click := w.Click("Bob", answer, "👍")
		h = w.hears()
		if h.Kind != bot.Pressed || h.Button != "up|1" || h.Place.Message != answer.ID || h.User != click.User || click.Await() != 6 {
			t.Errorf("a press was heard as %+v, answered %d", h, click.Await())
		}
		thanks := w.post(bot.Place{Chat: "discord", Team: w.Guild, Channel: w.General, User: h.Place.User, Token: h.Place.Token}, bot.Card{Text: "Thank you."})
		if m := w.message(thanks.Message); !m.Ephemeral() || m.OnlyFor != h.User || m.Content != "Thank you." {
			t.Errorf("thanked with %+v", m)
		}

		opened := w.Click("Ann", answer, "👎")
		if h := w.hears(); h.Kind != bot.Pressed || opened.Await() != 9 {
			t.Errorf("a press was heard as %+v, answered %d", h, opened.Await())
		}
		sent := w.Submit(opened, map[string]string{"note": "1979, not 1978"})
		h = w.hears()
		if h.Kind != bot.Filled || h.Button != "why|1" || h.Fields["note"] != "1979, not 1978" || h.Place.Message != answer.ID || sent.Await() != 6 {
			t.Errorf("a form was heard as %+v, answered %d", h, sent.Await())
		}

		w.React("Bob", answer, "👍🏽")
		if h := w.hears(); h.Kind != bot.Reacted || h.Text != "up" || h.Removed || h.Place.Message != answer.ID || h.User != click.User {
			t.Errorf("a reaction was heard as %+v", h)
		}
		w.Unreact("Bob", answer, "👍🏽")
		if h := w.hears(); h.Kind != bot.Reacted || h.Text != "up" || !h.Removed {
			t.Errorf("a reaction taken back was heard as %+v", h)
		}
		w.hearsNothing()
		if pings := w.Pings(); len(pings) != 0 {
			t.Errorf("pinged %+v", pings)
		}
		w.Clean(t)
	})
}
