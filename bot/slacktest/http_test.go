package slacktest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"

	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// httpBot verifies each request with the real library, then gives it to take.
func httpBot(t *testing.T, secret *string, take func(w http.ResponseWriter, r *http.Request, body []byte)) string {
	bot := nettest.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		v, err := slack.NewSecretsVerifier(r.Header, *secret)
		if err == nil {
			v.Write(body)
			err = v.Ensure()
		}
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		e, err := slackevents.ParseEvent(body, slackevents.OptionNoVerifyToken())
		if err == nil && e.Type == slackevents.URLVerification {
			json.NewEncoder(w).Encode(map[string]string{"challenge": e.Data.(*slackevents.EventsAPIURLVerificationEvent).Challenge})
			return
		}
		take(w, r, body)
	}))
	return bot.URL
}

func TestHTTPEvents(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		var secret string
		var tries atomic.Int32
		url := httpBot(t, &secret, func(w http.ResponseWriter, r *http.Request, body []byte) {
			n := tries.Add(1)
			if n > 1 && (r.Header.Get("X-Slack-Retry-Num") == "" || r.Header.Get("X-Slack-Retry-Reason") != "http_error") {
				t.Errorf("retry headers %v", r.Header)
			}
			if n < 3 {
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		s := slacktest.Start(t, slacktest.Options{RequestURL: url})
		secret = s.SigningSecret
		if err := s.Verify(); err != nil {
			t.Fatal(err)
		}
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		d := s.Deliveries()[0]
		s.Await("two attempts", func() bool { return tries.Load() == 2 })
		time.Sleep(time.Minute)
		d.AwaitAck()
		if n := len(d.Attempts()); n != 3 {
			t.Errorf("%d attempts", n)
		}
		for _, sig := range []slacktest.Signing{{Secret: "wrong"}, {Secret: secret, Skew: -6 * time.Minute}, {Bare: true}} {
			s.SetSigning(sig)
			if s.Verify() == nil {
				t.Errorf("%+v was taken", sig)
			}
		}
	})
}

func TestHTTPDeadline(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		var secret string
		free := make(chan struct{})
		url := httpBot(t, &secret, func(http.ResponseWriter, *http.Request, []byte) { <-free })
		limits := slacktest.Published()
		limits.AckWithin = 50 * time.Millisecond
		s := slacktest.Start(t, slacktest.Options{RequestURL: url, Limits: &limits})
		secret = s.SigningSecret
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		d := s.Deliveries()[0]
		s.Await("retry", func() bool { return len(d.Attempts()) == 2 })
		if r := d.Attempts()[1].Reason; r != "http_timeout" {
			t.Errorf("retried for %q", r)
		}
		close(free)
	})
}

func TestHTTPCommand(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		var secret string
		url := httpBot(t, &secret, func(w http.ResponseWriter, r *http.Request, body []byte) {
			r.Body = io.NopCloser(bytes.NewReader(body))
			cmd, err := slack.SlashCommandParse(r)
			if err != nil || cmd.Command != "/ask" || cmd.Text != "why" {
				t.Errorf("command %+v, %v", cmd, err)
			}
			io.WriteString(w, "in plain words")
		})
		s := slacktest.Start(t, slacktest.Options{RequestURL: url})
		secret = s.SigningSecret
		s.Command(slacktest.Alice, slacktest.General, "/ask", "why").AwaitAck()
		if e := s.Ephemerals(slacktest.Alice); len(e) != 1 || e[0].Text != "in plain words" {
			t.Errorf("ephemerals %+v", e)
		}
	})
}
