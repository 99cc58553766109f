package slack_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// overHTTP is a workspace that calls the bot's URL.
func overHTTP(t *testing.T) *world {
	t.Helper()
	var w *world
	front := nettest.Start(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.bot.Handler().ServeHTTP(rw, r) }))
	t.Cleanup(front.Close)
	o := history
	o.RequestURL = front.URL
	w = open(t, o)
	w.bot.AppToken, w.bot.SigningSecret = "", w.SigningSecret
	return w
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := overHTTP(t)
		if err := w.Verify(); err != nil {
			t.Error(err)
		}
		early := w.Say(slacktest.Alice, slacktest.General, "", "@precedent before the bot runs")
		w.Await("an attempt refused", func() bool { return len(w.Deliveries()[0].Attempts()) > 1 })
		w.run()
		w.Await("the bot to run", func() bool { return len(w.Calls("auth.test")) > 0 })
		w.persists()
		if h := w.hears(0); h.ID != "slack:C0GENERAL/"+early.TS {
			t.Errorf("heard %+v", h)
		}
		w.form = &bot.Form{ID: "why|1", Title: "Why?", Send: "Send", Fields: []bot.Field{{Name: "a", Label: "A"}}}
		w.Command(slacktest.Carol, slacktest.General, "/ask", "电影 & more").AwaitAck()
		if h := w.hears(1); h.Text != "电影 & more" || h.Place.Token == "" || h.Language != "zh" {
			t.Errorf("asked %+v", h)
		}
		at := w.post(bot.Place{Channel: slacktest.General}, bot.Card{Text: "A", Buttons: []bot.Button{{ID: "down|1", Label: "Wrong"}}})
		w.Click(slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: at.Message, Action: "down|1"}).AwaitAck()
		w.AwaitModal(slacktest.Bob)
		w.Submit(slacktest.Bob, map[string]string{"a": "x"}).AwaitAck()
		if h := w.hears(3); h.Kind != bot.Filled || h.Fields["a"] != "x" {
			t.Errorf("filled %+v", h)
		}
		w.mu.Lock()
		w.fail = 1
		w.mu.Unlock()
		w.Say(slacktest.Bob, slacktest.General, "", "@precedent kept at the second time")
		w.hears(4)
		w.settled()
	})
}

func TestHTTPSignatures(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := overHTTP(t)
		w.run()
		for name, sig := range map[string]slacktest.Signing{
			"another secret": {Secret: "wrong"},
			"too old":        {Secret: w.SigningSecret, Skew: -6 * time.Minute},
			"of the future":  {Secret: w.SigningSecret, Skew: 6 * time.Minute},
			"none":           {Bare: true},
		} {
			w.SetSigning(sig)
			if err := w.Verify(); err == nil || !strings.Contains(err.Error(), "401") {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.SetSigning(slacktest.Signing{Secret: w.SigningSecret, Skew: -4 * time.Minute})
		if err := w.Verify(); err != nil {
			t.Error(err)
		}
		get, err := nettest.Client(t).Get(front(w))
		if err == nil {
			get.Body.Close()
		}
		if err != nil || get.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET: %v %v", get, err)
		}
		if len(w.all()) != 0 {
			t.Errorf("heard %+v", w.all())
		}
	})
}

// front is the address at which the bot listens, asked by hand.
func front(w *world) string {
	return nettest.Start(w.t, w.bot.Handler()).URL
}
