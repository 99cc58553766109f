package slacktest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// client is the real library, pointed at the workspace.
func client(t *testing.T, s *slacktest.Server, more ...slack.Option) *slack.Client {
	return slack.New(s.BotToken, append(more, slack.OptionHTTPClient(nettest.Client(t)), slack.OptionAPIURL(s.APIURL), slack.OptionAppLevelToken(s.AppToken))...)
}

// listen connects over Socket Mode and gives do every event until the test ends.
// It acknowledges nothing by itself.
func listen(t *testing.T, s *slacktest.Server, do func(*socketmode.Client, socketmode.Event), o ...socketmode.Option) {
	t.Helper()
	sock := socketmode.New(client(t, s), append(o, socketmode.OptionDialer(&websocket.Dialer{NetDialContext: nettest.Dial(t)}))...)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case e := <-sock.Events:
				do(sock, e)
			case <-ctx.Done():
				return
			}
		}
	}()
	ended := make(chan struct{})
	go func() { defer close(ended); sock.RunContext(ctx) }()
	t.Cleanup(func() { stop(); <-done; <-ended })
	s.AwaitSocket()
}

func ack(sock *socketmode.Client, e socketmode.Event, payload any) {
	sock.AckCtx(context.Background(), e.Request.EnvelopeID, payload)
}

// inner is the event inside an Events API envelope.
func inner(e socketmode.Event) any {
	outer, _ := e.Data.(slackevents.EventsAPIEvent)
	return outer.InnerEvent.Data
}

// code is Slack's error code.
func code(err error) string {
	if e, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		return e.Err
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func clean(t *testing.T, s *slacktest.Server) {
	t.Helper()
	for _, v := range s.Violations() {
		t.Error(v)
	}
}

func TestMessageAndAnswer(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			m, ok := inner(e).(*slackevents.AppMentionEvent)
			if !ok {
				return
			}
			ack(sock, e, nil)
			_, ts, err := api.PostMessage(m.Channel, slack.MsgOptionTS(m.TimeStamp), slack.MsgOptionText("Looking…", false))
			if err != nil {
				t.Error(err)
				return
			}
			table := slack.NewTableBlock("answer").AddRow(slack.NewTableRawTextCell("film"), slack.NewTableRawTextCell("year")).
				AddRow(slack.NewTableRawTextCell("<!channel> *Heat*"), slack.NewTableRawTextCell("1995"))
			_, _, _, err = api.UpdateMessage(m.Channel, ts, slack.MsgOptionText("1 film", false), slack.MsgOptionBlocks(table))
			if err != nil {
				t.Error(err)
			}
		})
		asked := s.Say(slacktest.Alice, slacktest.General, "", "@precedent films & <b>years</b> of Mann")
		answer := s.AwaitMessage(slacktest.General, func(m slacktest.Message) bool { return m.Text == "1 film" })
		if answer.Thread != asked.TS || len(answer.Edits) != 1 || answer.Edits[0].Text != "Looking…" {
			t.Errorf("answer %+v", answer)
		}
		if got := answer.Reads(); !strings.Contains(got, "*Heat*") {
			t.Errorf("people read %q", got)
		}
		if where := answer.MarkupHolds("*Heat*"); where != "" {
			t.Errorf("a stranger's text is read as markup at %s", where)
		}
		if places := s.MarkupHolds("Heat"); places != nil {
			t.Errorf("a stranger's text is read as markup at %s", places)
		}
		if places := s.MarkupHolds("Looking"); len(places) != 1 {
			t.Errorf("the first text stood as markup at %s", places)
		}
		if asked.Text != "<@U0BOT> films &amp; &lt;b&gt;years&lt;/b&gt; of Mann" {
			t.Errorf("typed text became %q", asked.Text)
		}
		clean(t, s)
	})
}

func TestWrongTokenAndScopes(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{Scopes: []string{"chat:write"}})
		if _, err := slack.New("xoxb-wrong", slack.OptionHTTPClient(nettest.Client(t)), slack.OptionAPIURL(s.APIURL)).AuthTest(); code(err) != "invalid_auth" {
			t.Errorf("wrong token: %v", err)
		}
		if _, err := slack.New("", slack.OptionHTTPClient(nettest.Client(t)), slack.OptionAPIURL(s.APIURL)).AuthTest(); code(err) != "not_authed" {
			t.Errorf("no token: %v", err)
		}
		who, err := client(t, s).AuthTest()
		if err != nil || who.UserID != s.BotUser || who.Header.Get("X-OAuth-Scopes") != "chat:write" {
			t.Errorf("auth.test: %+v, %v", who, err)
		}
		_, err = client(t, s).GetUserInfo(slacktest.Alice)
		if e, ok := errors.AsType[slack.SlackErrorResponse](err); !ok || e.Err != "missing_scope" || e.Needed != "users:read" || e.Provided != "chat:write" {
			t.Errorf("without the scope: %#v", err)
		}
		s.Revoke("token_revoked")
		if _, err := client(t, s).AuthTest(); code(err) != "token_revoked" {
			t.Errorf("revoked: %v", err)
		}
	})
}
