package slack_test

import (
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

func TestForm(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.form = &bot.Form{ID: "why|7", Title: "What is wrong?", Send: "Send", Cancel: "Cancel", Fields: []bot.Field{
			{Name: "reason", Label: "Reason", Value: "b", Options: []bot.Option{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}}},
			{Name: "words", Label: "In your words", Hint: "a hint", Lines: true, Optional: true, Most: 500, Value: "<b>"}}}
		asked := w.Say(slacktest.Carol, slacktest.General, "", "@precedent q")
		at := w.post(w.hears(0).Place, bot.Card{Text: "A", Buttons: []bot.Button{{ID: "down|7", Label: "👎"}}})
		w.Click(slacktest.Click{User: slacktest.Carol, Channel: slacktest.General, TS: at.Message, Action: "down|7"}).AwaitAck()
		if p := w.hears(1); p.Button != "down|7" || p.Language != "zh" {
			t.Errorf("pressed %+v", p)
		}
		v := w.AwaitModal(slacktest.Carol)
		if strings.Contains(string(v.JSON), "/respond/") {
			t.Error("the response URL is in the form")
		}
		w.Submit(slacktest.Carol, map[string]string{"reason": "a", "words": "wrong year"}).AwaitAck()
		f := w.hears(2)
		if f.Kind != bot.Filled || f.Button != "why|7" || f.Fields["reason"] != "a" || f.Fields["words"] != "wrong year" ||
			f.Place.Message != at.Message || f.Place.Thread != asked.TS || f.Place.Token != "" || f.Conversation != "slack:C0GENERAL/"+asked.TS {
			t.Errorf("filled %+v", f)
		}
		w.clean()
	})
}
