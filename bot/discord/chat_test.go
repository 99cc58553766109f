package discord_test

import (
	"bytes"
	"errors"
	"testing"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

func TestAttach(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, discordtest.Settings{Rates: discordtest.NoRates(), AttachmentLimit: 1000})
		csv := bot.File{Name: `rows "1"/2.csv`, Type: "text/csv", Alt: "38 rows", Body: []byte("n\n38\n")}
		at := w.post(bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "38"})
		for range 2 { // the second time is the same
			if err := w.chat.Attach(t.Context(), at, csv); err != nil {
				t.Fatal(err)
			}
		}
		posted := w.Posted()
		if len(posted) != 2 || posted[1].ReplyTo != at.Message || len(posted[1].Files) != 1 || posted[1].Files[0].Name != "rows _1__2.csv" ||
			posted[1].Files[0].Type != "text/csv" || !bytes.Equal(posted[1].Files[0].Bytes, csv.Body) {
			t.Errorf("posted %+v", posted)
		}
		run := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		shown := *w.hears().Shown
		w.edit(shown, bot.Card{Text: "38"})
		if err := w.chat.Attach(t.Context(), shown, csv); err != nil {
			t.Fatal(err)
		}
		if more := run.Followups(); len(more) != 1 || len(more[0].Files) != 1 || more[0].Ephemeral() {
			t.Errorf("followed up with %+v", more)
		}
		csv.Body = make([]byte, 1001) // the interaction said what Discord takes
		if err := w.chat.Attach(t.Context(), shown, csv); !errors.Is(err, bot.ErrRejected) {
			t.Errorf("got %v", err)
		}
		if n := len(w.Requests("POST", "/webhooks")); n != 1 {
			t.Errorf("%d requests for one file", n)
		}
		checkBodies(t, w)
		w.Clean(t)
	})
}

// An edit leaves nothing behind of what stood there.
func TestEditReplacesAll(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		at := w.post(bot.Place{Team: w.Guild, Channel: w.General}, cards["table"]["en"])
		w.edit(at, bot.Card{Text: "38"})
		m := w.message(at.Message)
		if m.Content != "38" || len(m.Embeds)+len(m.Components)+len(m.Files) != 0 || m.Flags != 4 {
			t.Errorf("edited to %+v", m)
		}
		w.Clean(t)
	})
}

// What one person is to see goes to them alone, with a token and without.
func TestForOnePerson(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		ann := w.Say("Ann", w.General, "hi").Author
		at := w.post(bot.Place{Team: w.Guild, Channel: w.General, User: ann}, bot.Card{Text: "psst"})
		if m := w.message(at.Message); m.Channel != w.DM("Ann") || at.Channel != m.Channel || at.Team != "" {
			t.Errorf("posted %+v", m)
		}
		answer := w.message(w.post(bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "38", Buttons: thumbs}).Message)
		w.Click("Ann", answer, "👍")
		h := w.hears()
		at = w.post(bot.Place{Team: w.Guild, Channel: w.General, User: ann, Token: h.Place.Token}, bot.Card{Text: "one", Buttons: thumbs})
		w.edit(at, bot.Card{Text: "two"})
		if m := w.message(at.Message); m.Content != "two" || m.OnlyFor != ann {
			t.Errorf("posted %+v", m)
		}
		if _, _, err := w.chat.Find(t.Context(), bot.Place{Team: w.Guild, Channel: w.General, User: ann, Token: h.Place.Token}, "x"); !errors.Is(err, bot.ErrBlind) {
			t.Errorf("finding: %v", err)
		}
		w.Clean(t)
	})
}

func TestMember(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		role := w.AddRole("curators")
		w.SetRoles("Ann", role)
		ann, bob := w.Say("Ann", w.General, "hi").Author, w.Say("Bob", w.General, "hi").Author
		where := bot.Place{Chat: "discord", Team: w.Guild}
		for range 2 {
			for user, want := range map[string]bool{ann: true, bob: false, "123": false, "nobody": false} {
				got, err := w.chat.Member(t.Context(), where, user, role)
				if err != nil || got != want {
					t.Errorf("%s: %v %v", user, got, err)
				}
			}
		}
		if got, err := w.chat.Member(t.Context(), bot.Place{}, ann, role); got || err != nil {
			t.Errorf("outside of guilds: %v %v", got, err)
		}
		if n := len(w.Requests("GET", "/members/")); n != 3 {
			t.Errorf("asked %d times for three people", n)
		}
		if _, err := w.chat.Member(t.Context(), bot.Place{Team: "123"}, ann, role); !errors.Is(err, bot.ErrGone) {
			t.Errorf("an unknown guild: %v", err)
		}
	})
}

// A bot that may not look says so.
func TestBlind(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		dark := w.AddChannel(w.Guild, "dark")
		w.Permit(dark, discordtest.PermitView|discordtest.PermitSend)
		w.Say("Ann", dark, "<@"+w.BotID+"> q")
		h := w.hears()
		at := w.post(h.Place, bot.Card{Carries: h.ID, Text: "38"}) // it may not reply there either
		if m := w.message(at.Message); m.ReplyTo != "" || m.Content != "38" {
			t.Errorf("posted %+v", m)
		}
		if _, _, err := w.chat.Find(t.Context(), h.Place, h.ID); !errors.Is(err, bot.ErrBlind) {
			t.Errorf("finding: %v", err)
		}
		thread := w.Thread("Ann", w.Say("Ann", w.General, "x"), "t")
		if _, err := w.chat.Above(t.Context(), bot.Place{Team: w.Guild, Channel: w.General, Thread: thread}, 5); !errors.Is(err, bot.ErrBlind) {
			t.Errorf("reading a thread: %v", err)
		}
	})
}

// Find takes a reply for the answer where Discord no longer tells what it
// carries, and looks further than one page.
func TestFindFar(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		asked := w.Say("Ann", w.General, "<@"+w.BotID+"> q")
		h := w.hears()
		for range 150 {
			w.Say("Bob", w.General, "chat")
		}
		at := w.post(h.Place, bot.Card{Text: "carries nothing"})
		got, found, err := w.chat.Find(t.Context(), h.Place, h.ID)
		if err != nil || !found || got.Message != at.Message || w.message(at.Message).ReplyTo != asked.ID {
			t.Errorf("found %+v %v %v", got, found, err)
		}
		w.Clean(t)
	})
}

func TestName(t *testing.T) {
	var chat bot.Chat = &discord.Discord{}
	if chat.Name() != "discord" || chat.Fits().Label != 80 {
		t.Errorf("%s fits %+v", chat.Name(), chat.Fits())
	}
}
