package slack_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/bot/words"
	"precedent/store"
	"precedent/store/nettest"
)

var update = flag.Bool("update", false, "write the drawings in testdata anew")

var en, zh = words.In("en"), words.In("zh")

// cards are one of each kind of reply.
var cards = map[string]bot.Card{
	"answer-en": {Language: "en", Carries: "slack:C1/1.1", Understood: "Understood as: films of Michael Mann", Text: "3 films.\nThe first is of 1981.",
		Table: &bot.Sheet{Columns: []string{"film", "year"}, Rows: [][]string{{"Thief", "1981"}, {"Heat", "1995"}, {"", "2004"}}, Numeric: []bool{false, true}},
		Code:  "MATCH (m:Movie)\nRETURN m.title", Small: []string{en.FromCase, fmt.Sprintf(en.Rests, "films of …")},
		Buttons: []bot.Button{{ID: "up|a1", Label: "👍 " + en.Chat.Right}, {ID: "down|a1", Label: "👎 " + en.Chat.Wrong}, {ID: "model|a1", Label: en.Chat.AskModel}}},
	"answer-zh": {Language: "zh", Carries: "slack:C1/1.1", Understood: "理解为：迈克尔·曼执导的电影", Text: "共 3 部电影。",
		Table: &bot.Sheet{Columns: []string{"电影", "年份"}, Rows: [][]string{{"大盗", "1981"}, {"盗火线", "1995"}}, Numeric: []bool{false, true}},
		Code:  "MATCH (m:Movie) RETURN m.title", Small: []string{zh.FromCase},
		Buttons: []bot.Button{{ID: "up|a1", Label: "👍 " + zh.Chat.Right}, {ID: "down|a1", Label: "👎 " + zh.Chat.Wrong}}},
	"working-en": {Language: "en", Tone: bot.AtWork, Text: en.Working, Buttons: []bot.Button{{ID: "stop|a1", Label: en.Chat.Stop, Look: bot.Bad}}},
	"working-zh": {Language: "zh", Tone: bot.AtWork, Text: zh.Working, Buttons: []bot.Button{{ID: "stop|a1", Label: zh.Chat.Stop, Look: bot.Bad}}},
	"kind-en": {Language: "en", Tone: bot.Declining, Text: "Which Heat do you mean?",
		Buttons: []bot.Button{{ID: "pick|a1|0", Label: "Heat (1995)"}, {ID: "pick|a1|1", Label: "Heat (1986)"}}},
	"kind-zh":   {Language: "zh", Tone: bot.Declining, Text: "这个问题与电影无关。"},
	"broken-en": {Language: "en", Tone: bot.Breaking, Text: "Something broke. Reference: 7f3a"},
	"broken-zh": {Language: "zh", Tone: bot.Breaking, Text: "出错了。编号：7f3a"},
	"note-en": {Language: "en", Tone: bot.Noting, Text: en.Chat.Saved, Deed: en.Chat.SavedBy, By: slacktest.Alice,
		Buttons: []bot.Button{{ID: "undo|7", Label: en.Chat.Undo}, {ID: "undo|7", Label: "Undo again"}}},
	"note-zh": {Language: "zh", Tone: bot.Noting, Text: zh.Chat.Saved, Deed: zh.Chat.SavedBy, By: slacktest.Carol, Buttons: []bot.Button{{ID: "undo|7", Label: zh.Chat.Undo}}},
	"list-en": {Language: "en", Tone: bot.Noting, Text: fmt.Sprintf(en.Chat.Queue, 2), Items: []bot.Card{
		{Text: "films of Mann", Code: "MATCH (n) RETURN n", Small: []string{fmt.Sprintf(en.Chat.QueueItem, en.State(store.Candidate), 1, 0)}, Buttons: []bot.Button{{ID: "ok|1", Label: en.Chat.Approve, Look: bot.Good}, {ID: "no|1", Label: en.Chat.Reject, Look: bot.Bad}}},
		{Text: "who acted in Heat", Code: "MATCH (p) RETURN p", Small: []string{"candidate"}, Buttons: []bot.Button{{ID: "ok|2", Label: en.Chat.Approve, Look: bot.Good}}}}},
	"list-zh": {Language: "zh", Tone: bot.Noting, Text: fmt.Sprintf(zh.Chat.Queue, 1), Items: []bot.Card{
		{Text: "迈克尔·曼的电影", Code: "MATCH (n) RETURN n", Small: []string{zh.State(store.Candidate)}, Buttons: []bot.Button{{ID: "ok|1", Label: zh.Chat.Approve, Look: bot.Good}}}}},
}

func TestDrawings(t *testing.T) {
	for name, card := range cards {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				w := open(t, slacktest.Options{})
				at := w.post(bot.Place{Chat: "slack", Channel: slacktest.General}, card)
				m, _ := w.Message(slacktest.General, at.Message)
				blocks := w.Calls("chat.postMessage")[0].Args["blocks"]
				for _, p := range slacktest.CheckBlocks(slacktest.OnMessage, []byte(blocks)) {
					t.Error(p)
				}
				if texts := slacktest.Interpreted([]byte(blocks)); len(texts) > 0 {
					t.Errorf("read as markup: %v", texts)
				}
				if !m.Unformatted || m.UnfurlLinks == nil || *m.UnfurlLinks || m.UnfurlMedia == nil || *m.UnfurlMedia {
					t.Errorf("posted with markup or previews: %+v", m)
				}
				golden(t, name, m.Text, blocks)
				if _, err := w.bot.Edit(t.Context(), at, card); err != nil {
					t.Error(err)
				}
				if edited := w.Calls("chat.update")[0].Args["blocks"]; edited != blocks {
					t.Errorf("edited, it is drawn otherwise:\n%s\n%s", edited, blocks)
				}
				home := bot.Place{Chat: "slack", User: slacktest.Alice, Home: true}
				w.post(home, card)
				if _, ok := w.Home(slacktest.Alice); !ok {
					t.Error("no home tab")
				}
				w.clean()
			})
		})
	}
}

// golden compares a drawing with testdata.
func golden(t *testing.T, name, text, blocks string) {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(blocks), "", "  "); err != nil {
		t.Fatal(err)
	}
	got := "text: " + text + "\n" + b.String() + "\n"
	file := filepath.Join("testdata", name+".txt")
	if *update {
		os.MkdirAll("testdata", 0o755)
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s differs (%v); -update writes it anew:\n%s", file, err, got)
	}
}

// A card whose every part is as long as Fits allows is one message, and can be
// edited.
func TestFullCardFits(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		fits := w.bot.Fits()
		long := func(n int) string { return strings.Repeat("字", n) }
		c := bot.Card{Carries: "slack:C1/1.1", Understood: long(fits.Small), Text: long(fits.Text), Code: long(fits.Code), Table: &bot.Sheet{}}
		for range fits.Columns {
			c.Table.Columns = append(c.Table.Columns, "c")
		}
		room := fits.Table - fits.Columns
		for range 25 {
			row := make([]string, fits.Columns)
			for i := range row {
				row[i] = long(min(fits.Cell, room/2))
				room -= len([]rune(row[i]))
			}
			c.Table.Rows = append(c.Table.Rows, row)
		}
		for range 8 {
			c.Small = append(c.Small, long(fits.Small))
		}
		for range 14 {
			c.Buttons = append(c.Buttons, bot.Button{ID: strings.Repeat("b", 100), Label: long(fits.Label)})
		}
		at := w.post(bot.Place{Channel: slacktest.General}, c)
		if _, err := w.bot.Edit(t.Context(), at, c); err != nil {
			t.Error(err)
		}
		list := bot.Card{Text: long(fits.Small)}
		for range fits.Items {
			list.Items = append(list.Items, bot.Card{Text: long(fits.Text), Code: long(fits.Code), Small: []string{long(fits.Small), long(fits.Small)},
				Buttons: []bot.Button{{ID: "a", Label: long(fits.Label)}, {ID: "b", Label: long(fits.Label)}, {ID: "c", Label: long(fits.Label)}}})
		}
		w.post(bot.Place{Channel: slacktest.General}, list)
		w.post(bot.Place{User: slacktest.Alice, Home: true}, list)
		w.clean()
	})
}

func TestEmptyCardIsRejected(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		_, err := w.bot.Post(t.Context(), bot.Place{Channel: slacktest.General}, bot.Card{Text: " \n\u200e", Small: []string{"", " "}, Table: &bot.Sheet{}})
		if is(err) != "rejected" {
			t.Errorf("an empty card: %v", err)
		}
		w.clean()
	})
}

var hostile = []string{"<!channel>", "<@U0ALICE>", "<!subteam^S1>", "<https://evil.example|Click>", "*bold*", "_it_", "~no~", "`code`", "```x```",
	"@everyone", "https://evil.example/a?b=c", ":smile:", "&lt;!here&gt;", "> quote", "\x00\x1b[31mred", "\u202Eevil\u202C", "#general", "/remind me",
	"mailto:a@b.example", "\u2066x\u2069", "<#C0GENERAL>", strings.Repeat("长*_", 20)}

// Whatever people, the graph or the model say stands where Slack reads no markup.
func TestHostileText(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		for _, h := range hostile {
			w := start(t, slacktest.Options{})
			card := bot.Card{Carries: "slack:" + h, Understood: h, Text: h, Code: h, Small: []string{h, h}, Buttons: []bot.Button{{ID: h[:min(90, len(h))], Label: h}},
				Table: &bot.Sheet{Columns: []string{h, h}, Rows: [][]string{{h, h}}}}
			card.Items = []bot.Card{{Text: h, Code: h, Small: []string{h}, Buttons: []bot.Button{{ID: "i", Label: h}}}}
			at := w.post(bot.Place{Channel: slacktest.General}, card)
			if _, err := w.bot.Edit(t.Context(), at, card); err != nil {
				t.Error(err)
			}
			w.post(bot.Place{Channel: slacktest.General, User: slacktest.Bob}, card)
			w.Command(slacktest.Alice, slacktest.General, "/ask", "q").AwaitAck()
			w.post(w.hears(0).Place, card)
			w.post(bot.Place{User: slacktest.Alice, Home: true}, card)
			if places := w.MarkupHolds(h); places != nil {
				t.Errorf("%q is read as markup at %s", h, places)
			}
			for _, m := range append(w.Messages(slacktest.General), w.Ephemerals("")...) {
				if strings.ContainsAny(m.Text+m.Reads(), "\x00\x1b\u202E\u2066") || strings.ContainsAny(m.Text, "<>*_~`@") {
					t.Errorf("%q stands as %q, %q", h, m.Text, m.Reads())
				}
			}
			w.clean()
			w.stop()
		}
	})
}

// Rows and cells beyond all measure are refused or drawn, never a panic.
func TestEnormousCard(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		huge := strings.Repeat("x", 1<<20)
		_, err := w.bot.Post(t.Context(), bot.Place{Channel: slacktest.General}, bot.Card{Text: "t", Table: &bot.Sheet{Columns: []string{"a"}, Rows: [][]string{{huge}}}})
		if is(err) != "rejected" {
			t.Errorf("a cell of 1 MB: %v", err)
		}
		wide := make([]string, 5000)
		_, err = w.bot.Post(t.Context(), bot.Place{Channel: slacktest.General}, bot.Card{Text: "t", Table: &bot.Sheet{Columns: wide, Rows: [][]string{wide[:10], nil}}})
		if is(err) != "rejected" {
			t.Errorf("5,000 columns: %v", err)
		}
	})
}
