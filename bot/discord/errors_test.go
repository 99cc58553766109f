package discord_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discord"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// What Discord answers is told to the desk in its own words.
func TestErrors(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		general := bot.Place{Team: w.Guild, Channel: w.General}
		ours := w.post(general, bot.Card{Text: "ours"})
		theirs := w.Say("Ann", w.General, "theirs")
		hidden, mute := w.AddChannel(w.Guild, "hidden"), w.AddChannel(w.Guild, "mute")
		w.Permit(hidden, 0)
		w.Permit(mute, discordtest.PermitView)
		w.Change("Bob", func(u *discordtest.User) { u.Closed = true })
		start := w.Say("Ann", w.General, "start")
		thread := w.Thread("Ann", start, "old")
		inThread := w.post(bot.Place{Team: w.Guild, Channel: w.General, Thread: thread}, bot.Card{Text: "in it"})
		w.Archive(thread)
		ctx := t.Context()
		post := func(to bot.Place) error {
			_, err := w.chat.Post(ctx, to, bot.Card{Text: "x"})
			return err
		}
		edit := func(at bot.Place) error { _, err := w.chat.Edit(ctx, at, bot.Card{Text: "x"}); return err }
		failing := func(f discordtest.Fault) error {
			undo := w.Fail(f)
			defer undo()
			return post(general)
		}
		for _, status := range []int{403, 404} { // with no code of Discord's, it may be a proxy that says so
			err := failing(discordtest.Fault{Status: status})
			for _, final := range []error{bot.ErrGone, bot.ErrBarred, bot.ErrExpired, bot.ErrRejected} {
				if err == nil || errors.Is(err, final) {
					t.Errorf("a plain %d is %v", status, err)
				}
			}
		}
		at := func(message string) bot.Place { return bot.Place{Team: w.Guild, Channel: w.General, Message: message} }
		for name, c := range map[string]struct {
			err  error
			want error
		}{
			"unknown channel":     {post(bot.Place{Channel: "123"}), bot.ErrGone},
			"unknown message":     {edit(at("123")), bot.ErrGone},
			"archived thread":     {edit(inThread), bot.ErrGone},
			"hidden channel":      {post(bot.Place{Channel: hidden}), bot.ErrBarred},
			"mute channel":        {post(bot.Place{Channel: mute}), bot.ErrBarred},
			"closed person":       {post(bot.Place{Channel: w.DM("Bob")}), bot.ErrBarred},
			"unknown token":       {post(bot.Place{Channel: w.General, Token: "nobody's"}), bot.ErrExpired},
			"unknown interaction": {failing(discordtest.Fault{Status: 404, Code: 10062}), bot.ErrExpired},
			"unknown webhook":     {failing(discordtest.Fault{Status: 404, Code: 10015}), bot.ErrExpired},
			"invalid body":        {failing(discordtest.Fault{Status: 400, Code: 50035}), bot.ErrRejected},
			"other bad request":   {failing(discordtest.Fault{Status: 400}), bot.ErrRejected},
			"no access":           {failing(discordtest.Fault{Status: 403, Code: 50001}), bot.ErrBarred},
			"too many at once":    {failing(discordtest.Fault{Status: 429, RetryAfter: 20 * time.Millisecond}), bot.Wait{For: 20 * time.Millisecond}},
			"large file":          {w.chat.Attach(ctx, general, bot.File{Name: "a", Body: make([]byte, 10<<20+1)}), bot.ErrRejected},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("%s: got %v, want %v", name, c.err, c.want)
			}
		}
		time.Sleep(20 * time.Millisecond) // the limit above
		all := []error{bot.ErrGone, bot.ErrExpired, bot.ErrRejected, bot.ErrBarred, bot.ErrBlind}
		for name, err := range map[string]error{
			"not ours":      edit(at(theirs.ID)),
			"server broken": failing(discordtest.Fault{Status: 503}),
			"cut":           failing(discordtest.Fault{Cut: true}),
		} {
			for _, kind := range all {
				if err == nil || errors.Is(err, kind) {
					t.Errorf("%s: got %v", name, err)
				}
			}
		}
		w.edit(ours, bot.Card{Text: "still here"})
	})
}

// A message whose making Discord didn't confirm is not made twice.
func TestPostedOnce(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		asked := w.Say("Ann", w.General, "<@"+w.BotID+"> q")
		h := w.hears()
		w.Fail(discordtest.Fault{Method: "POST", Path: "/messages", Cut: true, After: true})
		if _, err := w.chat.Post(t.Context(), h.Place, bot.Card{Carries: h.ID, Text: "38"}); err == nil {
			t.Fatal("no error")
		}
		at, found, err := w.chat.Find(t.Context(), h.Place, h.ID)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		if again := w.post(h.Place, bot.Card{Carries: h.ID, Text: "38"}); again != at || len(w.Posted()) != 1 {
			t.Errorf("found at %+v, posted at %+v", at, again)
		}
		if _, found, err := w.chat.Find(t.Context(), h.Place, "another"); err != nil || found {
			t.Errorf("found what isn't there: %v", err)
		}
		if m := w.Posted()[0]; m.ReplyTo != asked.ID || len(m.Nonce.(string)) > 25 {
			t.Errorf("posted %+v", m)
		}
		w.Delete(asked) // a reply to what is gone is a message nevertheless
		if m := w.message(w.post(h.Place, bot.Card{Carries: "b", Text: "39"}).Message); m.ReplyTo != "" {
			t.Errorf("replied to %q", m.ReplyTo)
		}
	})
}

// The token is in no error and no log, nor are those of interactions.
func TestSecrets(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		w := begin(t, calm, func(d *discord.Discord) {
			d.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		w.Fail(discordtest.Fault{Path: "/callback", Status: 404, Code: 10062})
		w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		h := w.hears()
		w.AwaitRequests("POST", "/callback", 1)
		for _, f := range []discordtest.Fault{{Cut: true}, {Status: 500}, {Status: 404}, {Status: 401}} {
			f.Path = "/webhooks"
			w.Fail(f)
			if _, err := w.chat.Edit(t.Context(), *h.Shown, bot.Card{Text: "x"}); err == nil || strings.Contains(err.Error(), h.Shown.Token) {
				t.Errorf("got %v", err)
			}
		}
		w.Drop()
		w.Await("another connection", func() bool { return len(w.Identifies()) == 2 })
		w.FailGateway(discordtest.GatewayFault{At: discordtest.OnConnect})
		w.Drop()
		w.Await("another connection", func() bool { return len(w.Identifies()) == 3 })
		if err := w.stop(); err != nil {
			t.Error(err)
		}
		text := log.String()
		if strings.Contains(text, "fake.token") || strings.Contains(text, h.Shown.Token) || !strings.Contains(text, "gateway is gone") {
			t.Error(text)
		}
	})
}

// What doesn't pass by itself ends Run with what to do about it.
func TestFinalErrors(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			tune func(*discord.Discord)
			want string
		}{
			"token":   {func(d *discord.Discord) { d.Token = "wrong" }, "DISCORD_TOKEN"},
			"intents": {content, "MESSAGE CONTENT INTENT"},
			"address": {func(d *discord.Discord) { d.APIURL = "discord" }, "DISCORD_API_URL"},
			"desk":    {func(d *discord.Discord) { d.Hear = nil }, "Hear"},
		} {
			server, desk := discordtest.Start(t, calm), &desk{}
			d := &discord.Discord{Token: "fake.token", APIURL: server.APIURL(), Dial: nettest.Dial(t), Hear: desk.Hear}
			c.tune(d)
			if err := d.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "wrong") {
				t.Errorf("%s: Run ended with %v", name, err)
			}
		}
		for code, want := range map[int]string{4004: "DISCORD_TOKEN", 4013: "intents", 4014: "intents", 4012: "version", 4011: "parts"} {
			server, desk := discordtest.Start(t, calm), &desk{}
			server.FailGateway(discordtest.GatewayFault{At: discordtest.AfterIdentify, Close: code})
			d := &discord.Discord{Token: "fake.token", APIURL: server.APIURL(), Dial: nettest.Dial(t), Hear: desk.Hear}
			if err := d.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("closed with %d, Run ended with %v", code, err)
			}
		}
	})
}

// Limits are kept by waiting, and never met.
func TestRates(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		rates := discordtest.DefaultRates()
		rates["POST /channels/{channel}/messages"] = discordtest.Rate{N: 5, Per: 500 * time.Millisecond}
		w := begin(t, discordtest.Settings{Rates: rates})
		other := w.AddChannel(w.Guild, "other")
		for crowded := false; !crowded; { // showing that it works leaves room for what it has to say
			_, err := w.chat.Post(t.Context(), bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Tone: bot.AtWork, Text: "…"})
			if crowded = errors.Is(err, bot.ErrCrowded); err != nil && !crowded {
				t.Fatal(err)
			}
		}
		if _, err := w.chat.Post(t.Context(), bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: "said"}); err != nil {
			t.Errorf("there was no room: %v", err)
		}
		done := make(chan error)
		for i := range 12 {
			go func() {
				for {
					_, err := w.chat.Post(t.Context(), bot.Place{Team: w.Guild, Channel: w.General}, bot.Card{Text: fmt.Sprint(i)})
					if wait, ok := errors.AsType[bot.Wait](err); ok {
						time.Sleep(wait.For)
						continue
					}
					done <- err
					return
				}
			}()
			if i == 6 { // another channel isn't held up
				began := time.Now()
				w.post(bot.Place{Team: w.Guild, Channel: other}, bot.Card{Text: "quick"})
				if time.Since(began) > 400*time.Millisecond {
					t.Error("a limit in one channel held up another")
				}
			}
		}
		for range 12 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		w.Clean(t)
		w.Fail(discordtest.Fault{Method: "POST", Status: 429, Scope: "global", RetryAfter: 30 * time.Millisecond})
		if _, err := w.chat.Post(t.Context(), bot.Place{Channel: other}, bot.Card{Text: "x"}); !errors.Is(err, bot.Wait{For: 30 * time.Millisecond}) {
			t.Errorf("got %v", err)
		}
		before := len(w.Requests("", ""))
		if _, err := w.chat.Member(t.Context(), bot.Place{Team: w.Guild}, "123", "1"); err == nil || len(w.Requests("", "")) != before {
			t.Errorf("a global limit didn't hold back another request: %v", err)
		}
	})
}
