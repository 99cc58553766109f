package slacktest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// many repeats a JSON value n times, in an array.
func many(n int, v string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(v+",", n), ",") + "]"
}

func x(n int) string { return strings.Repeat("界", n) }

func TestCheckBlocks(t *testing.T) {
	section := func(text string) string {
		return `{"type":"section","text":{"type":"plain_text","text":"` + text + `"}}`
	}
	button := func(more string) string {
		return `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"Go"}` + more + `}]}]`
	}
	cell := func(text string) string { return `{"type":"raw_text","text":"` + text + `"}` }
	rich := func(elements string) string { return `[{"type":"rich_text","elements":[` + elements + `]}]` }
	for _, test := range []struct {
		name, blocks string
		on           slacktest.Surface
		want         string // part of the first problem; "" is none
	}{
		{"a section", "[" + section("x") + "]", "", ""},
		{"3,000 characters of Chinese", "[" + section(x(3000)) + "]", "", ""},
		{"one more", "[" + section(x(3001)) + "]", "", "failed to match all allowed schemas [json-pointer:/blocks/0/text]"},
		{"an empty text", "[" + section("") + "]", "", "failed to match all allowed schemas"},
		{"no text", `[{"type":"section"}]`, "", "missing required field: text or fields"},
		{"unknown field", `[{"type":"divider","text":"x"}]`, "", "invalid additional property: text [json-pointer:/blocks/0]"},
		{"unknown block", `[{"type":"carousel"}]`, "", "unsupported type: carousel [json-pointer:/blocks/0/type]"},
		{"50 blocks", many(50, `{"type":"divider"}`), "", ""},
		{"51 blocks", many(51, `{"type":"divider"}`), "", "no more than 50 items allowed [json-pointer:/blocks]"},
		{"51 blocks at home", many(51, `{"type":"divider"}`), slacktest.OnHome, ""},
		{"101 blocks at home", many(101, `{"type":"divider"}`), slacktest.OnHome, "no more than 100 items"},
		{"all blocks too long", "[" + strings.TrimSuffix(strings.Repeat(section(x(2900))+",", 5), ",") + "]", "", "msg_blocks_too_long"},
		{"header", `[{"type":"header","text":{"type":"plain_text","text":"` + x(151) + `"}}]`, "", "must be less than 151 characters"},
		{"header in mrkdwn", `[{"type":"header","text":{"type":"mrkdwn","text":"x"}}]`, "", "must be a valid enum value"},
		{"context of 11", `[{"type":"context","elements":` + many(11, `{"type":"mrkdwn","text":"x"}`) + `}]`, "", "no more than 10 items"},
		{"same block_id twice", `[{"type":"divider","block_id":"a"},{"type":"divider","block_id":"a"}]`, "", "block_id already exists"},

		{"button", button(`,"action_id":"a","value":"v"`), "", ""},
		{"button text", `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"` + x(76) + `"}}]}]`, "", "must be less than 76"},
		{"button value", button(`,"value":"` + x(2001) + `"`), "", "must be less than 2001"},
		{"action_id", button(`,"action_id":"` + x(256) + `"`), "", "must be less than 256"},
		{"button style", button(`,"style":"default"`), "", "must be a valid enum value"},
		{"same action_id twice", `[{"type":"actions","elements":` + many(2, `{"type":"button","action_id":"a","text":{"type":"plain_text","text":"x"}}`) + `}]`, "", "action_id already exists"},
		{"26 buttons", `[{"type":"actions","elements":` + many(26, `{"type":"button","text":{"type":"plain_text","text":"x"}}`) + `}]`, "", "no more than 25"},

		{"table", `[{"type":"table","rows":[[` + cell("a") + `]]}]`, "", ""},
		{"table of 101 rows", `[{"type":"table","rows":` + many(101, "["+cell("a")+"]") + `}]`, "", "no more than 100 items allowed [json-pointer:/blocks/0/rows]"},
		{"table of 21 columns", `[{"type":"table","rows":[` + many(21, cell("a")) + `]}]`, "", "no more than 20 items"},
		{"an empty cell", `[{"type":"table","rows":[[` + cell("") + `]]}]`, "", "must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]"},
		{"a cell of 9,000", `[{"type":"table","rows":[[` + cell(x(9000)) + `]]}]`, "", ""},
		{"cells of 10,001", `[{"type":"table","rows":[[` + cell(x(5001)) + "," + cell(x(5000)) + `]]}]`, "", "table cells must be less than 10001"},
		{"ragged table", `[{"type":"table","rows":[[` + cell("a") + "," + cell("b") + "],[" + cell("c") + `]]}]`, "", "as many cells"},
		{"number cell", `[{"type":"table","rows":[[{"type":"raw_number","value":1}]]}]`, "", "unsupported type: raw_number"},
		{"no alignment", `[{"type":"table","rows":[[` + cell("a") + `]],"column_settings":[{"align":"","is_wrapped":true}]}]`, "", "must be a valid enum value"},
		{"two tables", many(2, `{"type":"table","rows":[[`+cell("a")+`]]}`), "", "only_one_table_allowed"},
		{"table at home", `[{"type":"table","rows":[[` + cell("a") + `]]}]`, slacktest.OnHome, "unsupported type: table"},

		{"rich text", rich(`{"type":"rich_text_section","elements":[{"type":"text","text":"x","style":{"bold":true}},{"type":"user","user_id":"U1"}]}`), "", ""},
		{"empty rich section", rich(`{"type":"rich_text_section","elements":[]}`), "", "no fewer than 1 items"},
		{"empty rich text", rich(`{"type":"rich_text_section","elements":[{"type":"text","text":""}]}`), "", "must be more than 0 characters"},
		{"preformatted", rich(`{"type":"rich_text_preformatted","elements":[{"type":"text","text":"MATCH (n)"}]}`), "", ""},
		{"emoji in preformatted", rich(`{"type":"rich_text_preformatted","elements":[{"type":"emoji","name":"x"}]}`), "", "unsupported type: emoji"},
		{"list of texts", rich(`{"type":"rich_text_list","style":"bullet","elements":[{"type":"text","text":"x"}]}`), "", "unsupported type: text"},
		{"list style", rich(`{"type":"rich_text_list","style":"roman","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"x"}]}]}`), "", "enum"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.on == "" {
				test.on = slacktest.OnMessage
			}
			problems := slacktest.CheckBlocks(test.on, json.RawMessage(test.blocks))
			got := ""
			if len(problems) > 0 {
				got = problems[0].String()
			}
			if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestCheckView(t *testing.T) {
	title := func(s string) string { return `"title":{"type":"plain_text","text":"` + s + `"}` }
	input := `{"type":"input","label":{"type":"plain_text","text":"Why"},"element":{"type":"plain_text_input","max_length":3000}}`
	for _, test := range []struct{ name, view, want string }{
		{"modal", `{"type":"modal",` + title(x(24)) + `,"blocks":[]}`, ""},
		{"title", `{"type":"modal",` + title(x(25)) + `,"blocks":[]}`, "must be less than 25 characters [json-pointer:/view/title/text]"},
		{"no title", `{"type":"modal","blocks":[]}`, "missing required field: title"},
		{"input without submit", `{"type":"modal",` + title("x") + `,"blocks":[` + input + `]}`, "missing required field: submit"},
		{"max_length", `{"type":"modal",` + title("x") + `,"submit":{"type":"plain_text","text":"Go"},"blocks":[` + strings.Replace(input, "3000", "3001", 1) + `]}`, "must be between"},
		{"private metadata", `{"type":"home","blocks":[],"private_metadata":"` + x(3001) + `"}`, "must be less than 3001"},
		{"title at home", `{"type":"home","blocks":[],` + title("x") + `}`, "invalid additional property: title"},
	} {
		problems := slacktest.CheckView(json.RawMessage(test.view))
		if got := fmt.Sprint(problems); (test.want == "") != (len(problems) == 0) || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %q", test.name, got, test.want)
		}
	}
}

func TestRefusedMessages(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		plain := func(text string) slack.Block {
			return slack.NewSectionBlock(slack.NewTextBlockObject(slack.PlainTextType, text, false, false), nil, nil)
		}
		for _, test := range []struct {
			name, channel, want string
			options             []slack.MsgOption
		}{
			{"nothing", slacktest.General, "no_text", nil},
			{"nowhere", "C0NOWHERE", "channel_not_found", []slack.MsgOption{slack.MsgOptionText("x", false)}},
			{"not a member", slacktest.Random, "not_in_channel", []slack.MsgOption{slack.MsgOptionText("x", false)}},
			{"a private channel of others", slacktest.Secret, "channel_not_found", []slack.MsgOption{slack.MsgOptionText("x", false)}},
			{"blocks", slacktest.General, "invalid_blocks", []slack.MsgOption{slack.MsgOptionBlocks(plain(x(3001)))}},
			{"metadata", slacktest.General, "metadata_too_large", []slack.MsgOption{slack.MsgOptionText("x", false),
				slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "question", EventPayload: map[string]any{"id": strings.Repeat("x", 16<<10)}})}},
		} {
			if _, _, err := api.PostMessage(test.channel, test.options...); code(err) != test.want {
				t.Errorf("%s: %v, want %s", test.name, err, test.want)
			}
		}
		if got := len(s.Violations()); got != 6 {
			t.Errorf("%d violations: %v", got, s.Violations())
		}
		_, _, err := api.PostMessage(slacktest.General, slack.MsgOptionBlocks(plain(x(3001))))
		if e, _ := err.(slack.SlackErrorResponse); len(e.ResponseMetadata.Messages) != 2 ||
			e.ResponseMetadata.Messages[1] != "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]" {
			t.Errorf("messages %q", e.ResponseMetadata.Messages)
		}
		time.Sleep(time.Minute)
		_, ts, err := api.PostMessage(slacktest.General, slack.MsgOptionText(x(40_001), false))
		if m, _ := s.Message(slacktest.General, ts); err != nil || len([]rune(m.Text)) != 40_000 {
			t.Errorf("40,001 characters: %v, %d kept", err, len([]rune(m.Text)))
		}
		if _, _, _, err := api.UpdateMessage(slacktest.General, ts, slack.MsgOptionText(x(4_001), false)); code(err) != "msg_too_long" {
			t.Errorf("an edit of 4,001 characters: %v", err)
		}
	})
}

func TestRates(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		post := func() error {
			_, _, err := api.PostMessage(slacktest.General, slack.MsgOptionText("x", false))
			return err
		}
		for i := range 4 {
			if err := post(); err != nil {
				t.Fatalf("post %d of a short burst: %v", i, err)
			}
		}
		limited, ok := post().(*slack.RateLimitedError)
		if !ok || limited.RetryAfter < time.Second {
			t.Fatalf("a fifth post: %v", limited)
		}
		if _, _, err := api.PostMessage(s.DM(slacktest.Alice), slack.MsgOptionText("x", false)); err != nil {
			t.Errorf("another channel: %v", err)
		}
		post()
		if v := s.Violations(); len(v) != 3 || !strings.Contains(v[1].Error, "Retry-After") {
			t.Errorf("violations %v", v)
		}
		time.Sleep(limited.RetryAfter)
		if err := post(); err != nil {
			t.Errorf("after Retry-After: %v", err)
		}
		ts := s.Posted(slacktest.General)[0].TS
		for range 50 {
			if _, _, _, err := api.UpdateMessage(slacktest.General, ts, slack.MsgOptionText("y", false)); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, _, err := api.UpdateMessage(slacktest.General, ts, slack.MsgOptionText("y", false)); err == nil {
			t.Error("a 51st edit within a minute was let through")
		}
	})
}

func TestDistributedApp(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{Distributed: true})
		dm := &slack.GetConversationHistoryParameters{ChannelID: s.DM(slacktest.Alice), Limit: 100}
		for range 20 {
			s.Say(slacktest.Alice, dm.ChannelID, "", "hello")
		}
		if got, err := client(t, s).GetConversationHistory(dm); err != nil || len(got.Messages) != 15 || !got.HasMore {
			t.Errorf("history %v, %v", got, err)
		}
		if _, err := client(t, s).GetConversationHistory(dm); err == nil {
			t.Error("a second call within the minute was let through")
		}
	})
}

func TestTexts(t *testing.T) {
	blocks := json.RawMessage(`[
		{"type":"section","text":{"type":"mrkdwn","text":"m"},"fields":[{"type":"plain_text","text":"p"}],
		 "accessory":{"type":"button","text":{"type":"plain_text","text":"b"},"url":"https://x"}},
		{"type":"markdown","text":"md"},
		{"type":"table","rows":[[{"type":"raw_text","text":"raw"},{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"rt"}]}]}]]},
		{"type":"image","alt_text":"alt","image_url":"https://i"}]`)
	got := map[string]string{}
	for _, text := range slacktest.TextsOf(blocks) {
		got[text.Value] = text.Kind
	}
	want := map[string]string{"m": "mrkdwn", "p": "plain_text", "b": "plain_text", "https://x": "url", "md": "markdown", "raw": "raw_text",
		"rt": "rich_text", "alt": "alt_text", "https://i": "url"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if n := len(slacktest.Interpreted(blocks)); n != 2 {
		t.Errorf("%d texts are interpreted, want 2", n)
	}
	m := slacktest.Message{Text: "notification of &lt;b&gt;", Blocks: json.RawMessage(`[]`),
		Attachments: json.RawMessage(`[{"pretext":"pre","fields":[{"title":"t","value":"cell *v*"}]}]`)}
	if m.MarkupHolds("<b>") != "/text" || m.MarkupHolds("*v*") != "/attachments/0/fields/0/value" || m.MarkupHolds("nowhere") != "" {
		t.Errorf("markup in %+v", m.Texts())
	}
}
