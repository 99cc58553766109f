package slack_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slack"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// is names what an error tells the core.
func is(err error) string {
	if wait, ok := errors.AsType[bot.Wait](err); ok {
		return "wait " + wait.For.String()
	}
	for name, kind := range map[string]error{"gone": bot.ErrGone, "expired": bot.ErrExpired, "rejected": bot.ErrRejected, "barred": bot.ErrBarred, "blind": bot.ErrBlind} {
		if errors.Is(err, kind) {
			return name
		}
	}
	if err != nil {
		return "fault"
	}
	return ""
}

func TestErrors(t *testing.T) {
	in := bot.Place{Channel: slacktest.General}
	one := bot.Place{Channel: slacktest.General, User: slacktest.Bob}
	home := bot.Place{User: slacktest.Bob, Home: true}
	post := func(to bot.Place) func(*world) error {
		return func(w *world) error { _, err := w.bot.Post(w.t.Context(), to, bot.Card{Text: "t"}); return err }
	}
	edit := func(w *world) error {
		at := w.post(in, bot.Card{Text: "before"})
		_, err := w.bot.Edit(w.t.Context(), at, bot.Card{Text: "after"})
		return err
	}
	for _, c := range []struct {
		name, method string
		fault        *slacktest.Fault
		do           func(*world) error
		want         string
	}{
		{"429", "chat.postMessage", &slacktest.Fault{RetryAfter: 7}, post(in), "wait 7s"},
		{"429 of an edit", "chat.update", &slacktest.Fault{RetryAfter: 3}, edit, "wait 3s"},
		{"429 of a home tab", "views.publish", &slacktest.Fault{RetryAfter: 2}, post(home), "wait 2s"},
		{"server error", "chat.postMessage", &slacktest.Fault{Status: 503}, post(in), "fault"},
		{"connection broken", "chat.postMessage", &slacktest.Fault{}, post(in), "fault"},
		{"internal error", "chat.postMessage", &slacktest.Fault{Error: "internal_error"}, post(in), "fault"},
		{"blocks", "chat.postMessage", &slacktest.Fault{Error: "invalid_blocks", Messages: []string{"must be an enum"}}, post(in), "rejected"},
		{"blocks of one person's", "chat.postEphemeral", &slacktest.Fault{Error: "msg_blocks_too_long"}, post(one), "rejected"},
		{"view", "views.publish", &slacktest.Fault{Error: "invalid_arguments"}, post(home), "rejected"},
		{"long edit", "chat.update", &slacktest.Fault{Error: "msg_too_long"}, edit, "rejected"},
		{"restricted", "chat.postMessage", &slacktest.Fault{Error: "restricted_action_read_only_channel"}, post(in), "barred"},
		{"not a member", "", nil, post(bot.Place{Channel: slacktest.Random}), "barred"},
		{"hidden channel", "", nil, post(bot.Place{Channel: slacktest.Secret}), "gone"},
		{"no channel", "", nil, post(bot.Place{Channel: "C0NONE"}), "gone"},
		{"deleted under us", "", nil, func(w *world) error {
			at := w.post(in, bot.Card{Text: "before"})
			w.Delete(slacktest.General, at.Message)
			_, err := w.bot.Edit(w.t.Context(), at, bot.Card{Text: "after"})
			return err
		}, "gone"},
		{"archived", "", nil, func(w *world) error {
			w.AddChannel(slacktest.Channel{ID: "C0OLD", Kind: "public_channel", Members: []string{w.BotUser}, Archived: true})
			return post(bot.Place{Channel: "C0OLD"})(w)
		}, "gone"},
		{"no group", "", nil, func(w *world) error {
			_, err := w.bot.Member(w.t.Context(), in, slacktest.Bob, "S0NONE")
			return err
		}, "gone"},
		{"no history", "", nil, func(w *world) error {
			_, _, err := w.bot.Find(w.t.Context(), bot.Place{Channel: slacktest.General, Thread: "1700000000.000001"}, "x")
			return err
		}, "blind"},
		{"nothing above", "", nil, func(w *world) error {
			_, err := w.bot.Above(w.t.Context(), bot.Place{Channel: slacktest.General, Thread: "1700000000.000001", Message: "1700000000.000002"}, 3)
			return err
		}, "blind"},
		{"upload", "files.getUploadURLExternal", &slacktest.Fault{Error: "file_uploads_disabled"}, func(w *world) error {
			return w.bot.Attach(w.t.Context(), in, bot.File{Name: "a.csv", Body: []byte("a")})
		}, "barred"},
		{"file for one person", "", nil, func(w *world) error {
			return w.bot.Attach(w.t.Context(), one, bot.File{Name: "a.csv", Body: []byte("a")})
		}, "barred"},
		{"no response URL", "", nil, post(bot.Place{Channel: slacktest.General, User: slacktest.Bob, Token: "://"}), "expired"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				w := open(t, slacktest.Options{})
				if c.fault != nil {
					w.Fail(c.method, *c.fault)
				}
				err := c.do(w)
				if is(err) != c.want {
					t.Errorf("%v is %q, want %q", err, is(err), c.want)
				}
				if strings.Contains(err.Error(), "http") || strings.Contains(err.Error(), w.BotToken) {
					t.Errorf("an address or a token is in the error: %v", err)
				}
			})
		})
	}
}

func TestWrongTokens(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		want   []string
	}{
		"no bot token":      {func(w *world) { w.bot.BotToken = "" }, []string{"SLACK_BOT_TOKEN", "not_authed"}},
		"wrong bot token":   {func(w *world) { w.bot.BotToken = "xoxb-wrong" }, []string{"SLACK_BOT_TOKEN", "invalid_auth"}},
		"wrong app token":   {func(w *world) { w.bot.AppToken = "xapp-wrong" }, []string{"SLACK_APP_TOKEN", "invalid_auth"}},
		"swapped":           {func(w *world) { w.bot.AppToken, w.bot.BotToken = w.BotToken, w.AppToken }, []string{"SLACK_BOT_TOKEN", "not_allowed_token_type"}},
		"bot token twice":   {func(w *world) { w.bot.AppToken = w.BotToken }, []string{"SLACK_APP_TOKEN", "not_allowed_token_type"}},
		"revoked":           {func(w *world) { w.Revoke("token_revoked") }, []string{"SLACK_BOT_TOKEN", "token_revoked"}},
		"nothing to listen": {func(w *world) { w.bot.AppToken = "" }, []string{"SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"}},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				w := open(t, slacktest.Options{})
				c.change(w)
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				err := w.bot.Run(ctx)
				if err == nil {
					t.Fatal("it runs")
				}
				for _, part := range c.want {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q doesn't say %q", err, part)
					}
				}
				if strings.Contains(err.Error(), w.BotToken) || strings.Contains(err.Error(), w.AppToken) {
					t.Errorf("a token is in %q", err)
				}
			})
		})
	}
}

// While Slack can't be reached at the start, it is asked again.
func TestStartsWhenSlackComesBack(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		w.Fail("auth.test", slacktest.Fault{Status: 503})
		w.Fail("apps.connections.open", slacktest.Fault{Error: "internal_error", Times: 1})
		w.run()
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.hears(0)
	})
}

var _ bot.Chat = (*slack.Slack)(nil)
