package slacktest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

func plain(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
}

func buttons() slack.MsgOption {
	return slack.MsgOptionBlocks(section("answer"), slack.NewActionBlock("rate",
		slack.NewButtonBlockElement("vote", "up", plain("👍")), slack.NewButtonBlockElement("vote2", "down", plain("👎"))))
}

func form(title string) slack.ModalViewRequest {
	input := slack.NewInputBlock("why", plain("Why"), nil, slack.NewPlainTextInputBlockElement(nil, "text"))
	return slack.ModalViewRequest{Type: slack.VTModal, Title: plain(title), Submit: plain("Send"), CallbackID: "feedback", NotifyOnClose: true,
		Blocks: slack.Blocks{BlockSet: []slack.Block{input}}}
}

// interactions gives do each interaction, and acknowledges it with what do returns.
func interactions(t *testing.T, s *slacktest.Server, do func(slack.InteractionCallback) any) {
	listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
		if cb, ok := e.Data.(slack.InteractionCallback); ok {
			ack(sock, e, do(cb))
		}
	})
}

func TestButtonOpensModal(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		got := make(chan slack.InteractionCallback, 5)
		interactions(t, s, func(cb slack.InteractionCallback) any {
			defer func() { got <- cb }()
			switch cb.Type {
			case slack.InteractionTypeBlockActions:
				if _, err := api.OpenView(cb.TriggerID, form("What is wrong?")); err != nil {
					t.Error(err)
				}
			case slack.InteractionTypeViewSubmission:
				if cb.View.State.Values["why"]["text"].Value == "bad" {
					return slack.NewErrorsViewSubmissionResponse(map[string]string{"why": "say more"})
				}
			}
			return nil
		})
		_, ts, err := api.PostMessage(slacktest.General, slack.MsgOptionText("answer", false), buttons())
		if err != nil {
			t.Fatal(err)
		}
		s.Click(slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: ts, Action: "vote2"})
		cb := <-got
		if a := cb.ActionCallback.BlockActions[0]; a.Value != "down" || a.BlockID != "rate" || cb.User.ID != slacktest.Bob || cb.Container.MessageTs != ts || cb.Message.Text != "answer" {
			t.Errorf("interaction %+v", cb)
		}
		if v := s.AwaitModal(slacktest.Bob); !strings.Contains(string(v.JSON), "What is wrong?") {
			t.Errorf("modal %s", v.JSON)
		}
		s.Submit(slacktest.Bob, map[string]string{"why": "bad"}).AwaitAck()
		if v, ok := s.Modal(slacktest.Bob); !ok || v.Errors["why"] != "say more" {
			t.Errorf("after a refused submission: %+v", v)
		}
		s.Submit(slacktest.Bob, map[string]string{"text": "the year is wrong"}).AwaitAck()
		if v, ok := s.Modal(slacktest.Bob); ok {
			t.Errorf("the modal stays: %+v", v)
		}
		<-got
		<-got
		s.Click(slacktest.Click{User: slacktest.Bob, Channel: slacktest.General, TS: ts, Action: "vote", Value: "up"})
		<-got
		s.AwaitModal(slacktest.Bob)
		s.CloseModal(slacktest.Bob)
		if cb := <-got; cb.Type != slack.InteractionTypeViewClosed || cb.View.CallbackID != "feedback" {
			t.Errorf("closing %+v", cb)
		}
		clean(t, s)
	})
}

func TestTriggers(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		got := make(chan string, 5)
		interactions(t, s, func(cb slack.InteractionCallback) any { got <- cb.TriggerID; return nil })
		said := s.Say(slacktest.Alice, slacktest.General, "", "an answer")
		s.Shortcut(slacktest.Alice, slacktest.General, said.TS, "curate_case")
		late := <-got
		time.Sleep(4 * time.Second)
		if _, err := api.OpenView(late, form("x")); code(err) != "expired_trigger_id" {
			t.Errorf("after 4 s: %v", err)
		}
		if _, err := api.OpenView("made up", form("x")); code(err) != "invalid_trigger_id" {
			t.Errorf("made up: %v", err)
		}
		s.Shortcut(slacktest.Alice, slacktest.General, said.TS, "curate_case")
		id := <-got
		if _, err := api.OpenView(id, form(strings.Repeat("x", 25))); code(err) != "invalid_arguments" {
			t.Errorf("a title of 25: %v", err)
		}
		v, err := api.OpenView(id, form("x"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := api.OpenView(id, form("x")); code(err) != "exchanged_trigger_id" {
			t.Errorf("used: %v", err)
		}
		if _, err := api.UpdateView(form("y"), "", "old hash", v.ID); code(err) != "hash_conflict" {
			t.Errorf("hash: %v", err)
		}
		if _, err := api.UpdateView(form("y"), "", v.Hash, v.ID); err != nil {
			t.Errorf("update: %v", err)
		}
		if now, _ := s.Modal(slacktest.Alice); !strings.Contains(string(now.JSON), `"text":"y"`) {
			t.Errorf("modal %s", now.JSON)
		}
	})
}

func TestHomeTab(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		got := make(chan slack.InteractionCallback, 1)
		interactions(t, s, func(cb slack.InteractionCallback) any { got <- cb; return nil })
		home := slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: []slack.Block{section("examples"),
			slack.NewActionBlock("", slack.NewButtonBlockElement("try", "1", plain("Try")))}}}
		if _, err := client(t, s).PublishView(slacktest.Carol, home, ""); err != nil {
			t.Fatal(err)
		}
		v, ok := s.Home(slacktest.Carol)
		if !ok || v.Texts()[0].Value != "examples" {
			t.Fatalf("home %+v", v)
		}
		s.Click(slacktest.Click{User: slacktest.Carol, View: v.ID, Action: "try"})
		if cb := <-got; cb.View.ID != v.ID || cb.Container.Type != "view" {
			t.Errorf("interaction %+v", cb)
		}
		home.Blocks.BlockSet = append(home.Blocks.BlockSet, slack.NewTableBlock("t").AddRow(slack.NewTableRawTextCell("x")))
		if _, err := client(t, s).PublishView(slacktest.Carol, home, ""); code(err) != "invalid_arguments" {
			t.Errorf("a table at home: %v", err)
		}
	})
}

func TestCommandAndResponses(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		got := make(chan slack.SlashCommand, 1)
		clicked := make(chan slack.InteractionCallback, 1)
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			switch came := e.Data.(type) {
			case slack.SlashCommand:
				ack(sock, e, map[string]any{"text": "Working on it…"})
				got <- came
			case slack.InteractionCallback:
				ack(sock, e, nil)
				clicked <- came
			}
		})
		d := s.Command(slacktest.Alice, slacktest.Random, "/ask", "films of Mann & Scott")
		cmd := <-got
		d.AwaitAck()
		if cmd.Text != "films of Mann &amp; Scott" || cmd.UserID != slacktest.Alice || cmd.ChannelName != "random" {
			t.Errorf("command %+v", cmd)
		}
		if e := s.Ephemerals(slacktest.Alice); len(e) != 1 || e[0].Text != "Working on it…" {
			t.Errorf("ephemerals %+v", e)
		}
		respond := func(url string, o ...slack.MsgOption) error {
			_, _, _, err := api.SendMessage("", append(o, slack.MsgOptionResponseURL(url, slack.ResponseTypeEphemeral))...)
			return err
		}
		if err := respond(cmd.ResponseURL, slack.MsgOptionText("private", false), buttons()); err != nil {
			t.Fatal(err)
		}
		e := s.Ephemerals(slacktest.Alice)[1]
		s.Click(slacktest.Click{User: slacktest.Alice, Channel: slacktest.Random, TS: e.TS, Action: "vote"})
		cb := <-clicked
		if !cb.Container.IsEphemeral {
			t.Errorf("container %+v", cb.Container)
		}
		if _, _, _, err := api.SendMessage("", slack.MsgOptionText("replaced", false), slack.MsgOptionReplaceOriginal(cb.ResponseURL)); err != nil {
			t.Error(err)
		}
		if now := s.Ephemerals(slacktest.Alice)[1]; now.Text != "replaced" || len(now.Edits) != 1 {
			t.Errorf("after replace_original: %+v", now)
		}
		if _, _, _, err := api.SendMessage("", slack.MsgOptionDeleteOriginal(cb.ResponseURL)); err != nil {
			t.Error(err)
		}
		if n := len(s.Ephemerals(slacktest.Alice)); n != 1 {
			t.Errorf("%d ephemerals after delete_original", n)
		}
		for range 4 {
			if _, _, _, err := api.SendMessage("", slack.MsgOptionText("to all", false), slack.MsgOptionResponseURL(cmd.ResponseURL, slack.ResponseTypeInChannel)); err != nil {
				t.Error(err)
			}
		}
		if n := len(s.Posted(slacktest.Random)); n != 4 {
			t.Errorf("%d posts for all", n)
		}
		clean(t, s)
		if err := respond(cmd.ResponseURL, slack.MsgOptionText("sixth", false)); err == nil {
			t.Error("a sixth use was let through")
		}
		s.Command(slacktest.Alice, slacktest.General, "/ask", "x").AwaitAck()
		cmd = <-got
		time.Sleep(31 * time.Minute)
		if err := respond(cmd.ResponseURL, slack.MsgOptionText("late", false)); err == nil {
			t.Error("a response after 31 minutes was let through")
		}
		if v := s.Violations(); len(v) != 2 || v[0].Error != "used_url" || v[1].Error != "expired_url" {
			t.Errorf("violations %v", v)
		}
	})
}
