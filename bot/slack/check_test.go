package slack_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/slack"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// TestCheckLeavesTheSocket: the look at a workspace takes no event from the bot
// that is at work there, and breaks none of Slack's rules.
func TestCheckLeavesTheSocket(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := slacktest.Start(t, slacktest.Options{})
		found := (&slack.Slack{BotToken: w.BotToken, AppToken: w.AppToken, APIURL: w.APIURL, Dial: nettest.Dial(t)}).Check(t.Context())
		want := []bot.Finding{
			{Part: "Slack bot token", State: bot.Fine, What: "@precedent in Precedent"},
			{Part: "Slack scopes", State: bot.Fine, What: "all 8 that it needs"},
			{Part: "Slack follow-ups", State: bot.Absent, What: "only with a mention, in channels",
				Cure: "if you want them without: add the scopes channels:history, groups:history and, under Event Subscriptions, the bot events message.channels, message.groups; then reinstall the app (Install App, Reinstall)"},
			{Part: "Slack app token", State: bot.Fine, What: "Slack gives a socket"},
		}
		if !slices.Equal(found, want) {
			t.Errorf("found %+v\nwant %+v", found, want)
		}
		if w.Opened() > 0 || len(w.Violations()) > 0 {
			t.Errorf("%d sockets were opened; violations: %v", w.Opened(), w.Violations())
		}
	})
}

// TestCheckTwoApps: tokens of two apps are both valid, and don't work together.
func TestCheckTwoApps(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := slacktest.Start(t, slacktest.Options{})
		to, err := url.Parse(strings.TrimSuffix(w.APIURL, "/api/"))
		if err != nil {
			t.Fatal(err)
		}
		through := httputil.NewSingleHostReverseProxy(to)
		through.Transport = nettest.Client(t).Transport
		s := nettest.Start(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			kept := httptest.NewRecorder()
			through.ServeHTTP(kept, r)
			for name, values := range kept.Header() {
				if name != "Content-Length" {
					rw.Header()[name] = values
				}
			}
			body := kept.Body.Bytes()
			if strings.HasSuffix(r.URL.Path, "/users.info") {
				body = bytes.Replace(body, []byte(`"profile":{`), []byte(`"profile":{"api_app_id":"A0OTHER",`), 1)
			}
			rw.Write(body)
		}))
		defer s.Close()
		found := (&slack.Slack{BotToken: w.BotToken, AppToken: w.AppToken, APIURL: s.URL + "/api/", Dial: nettest.Dial(t)}).Check(t.Context())
		last := found[len(found)-1]
		if last.State != bot.Wrong || last.What != "it is of the app "+w.AppID+", the bot token of A0OTHER" || last.Cure != "take both tokens from one app's page" {
			t.Errorf("found %+v", last)
		}
	})
}

// TestCheckHistory: with the scopes for it, follow-ups need no mention.
func TestCheckHistory(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := slacktest.Start(t, slacktest.Options{Scopes: append(slices.Clone(slacktest.DefaultScopes), "channels:history", "groups:history")})
		found := (&slack.Slack{BotToken: w.BotToken, SigningSecret: w.SigningSecret, APIURL: w.APIURL, Dial: nettest.Dial(t)}).Check(t.Context())
		if i := slices.IndexFunc(found, func(f bot.Finding) bool { return f.Part == "Slack follow-ups" }); i < 0 || found[i].State != bot.Fine {
			t.Errorf("found %+v", found)
		}
		if last := found[len(found)-1]; last.Part != "Slack events" || last.State != bot.Fine || !strings.Contains(last.Cure, "switch Socket Mode off") {
			t.Errorf("found %+v", last)
		}
		w.Fail("auth.test", slacktest.Fault{RetryAfter: 7})
		found = (&slack.Slack{BotToken: w.BotToken, SigningSecret: w.SigningSecret, APIURL: w.APIURL, Dial: nettest.Dial(t)}).Check(t.Context())
		if found[0].State != bot.Doubtful || found[0].What != "Slack asks to wait 7s" {
			t.Errorf("found %+v", found[0])
		}
	})
}
