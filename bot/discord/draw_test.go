package discord_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/words"
	"precedent/store"
	"precedent/store/nettest"
)

var update = flag.Bool("update", false, "write the drawings of testdata anew")

// cards are one of each thing that the bot says.
var en, zh = words.In("en"), words.In("zh")

var cards = map[string]map[string]bot.Card{
	"working": {
		"en": {Carries: "q", Tone: bot.AtWork, Text: en.Working, Buttons: []bot.Button{{ID: "stop|1", Label: en.Chat.Stop, Look: bot.Bad}}},
		"zh": {Carries: "q", Tone: bot.AtWork, Text: zh.Working, Buttons: []bot.Button{{ID: "stop|1", Label: zh.Chat.Stop, Look: bot.Bad}}},
	},
	"sentence": {
		"en": {Carries: "q", Understood: "the director of “Alien”", Text: "Ridley Scott.", Code: "MATCH (p:Person)-[:DIRECTED]->(:Movie {title: $title})\nRETURN p.name AS director",
			Small: []string{en.FromCase, fmt.Sprintf(en.Rests, "Who directed The Matrix?"), fmt.Sprintf(en.AnswerID, "a1b2")}, Buttons: answerButtons(en)},
		"zh": {Carries: "q", Understood: "《异形》的导演", Text: "雷德利·斯科特。", Code: "MATCH (p:Person)-[:DIRECTED]->(:Movie {title: $title})\nRETURN p.name AS director",
			Small: []string{zh.FromCase, fmt.Sprintf(zh.Rests, "谁导演了《黑客帝国》？"), fmt.Sprintf(zh.AnswerID, "a1b2")}, Buttons: answerButtons(zh)},
	},
	"table": {
		"en": {Carries: "q", Text: "Three films.", Table: films("title", "year", "tagline"), Code: "MATCH (m:Movie) RETURN m.title, m.released, m.tagline LIMIT 3",
			Small: []string{en.FromModel + " · " + en.RepairedOnce}, Buttons: answerButtons(en)},
		"zh": {Carries: "q", Text: "三部电影。", Table: films("片名", "年份", "宣传语"), Code: "MATCH (m:Movie) RETURN m.title, m.released, m.tagline LIMIT 3",
			Small: []string{zh.FromModel + " · " + zh.RepairedOnce}, Buttons: answerButtons(zh)},
	},
	"declining": {
		"en": {Carries: "q", Tone: bot.Declining, Text: "Which Michael do you mean?", Buttons: []bot.Button{{ID: "is|1|a", Label: "Michael Clarke Duncan"}, {ID: "is|1|b", Label: "Michael Sheen"}}},
		"zh": {Carries: "q", Tone: bot.Declining, Text: "你说的是哪一位迈克尔？", Buttons: []bot.Button{{ID: "is|1|a", Label: "迈克尔·克拉克·邓肯"}, {ID: "is|1|b", Label: "迈克尔·辛"}}},
	},
	"broken": {
		"en": {Carries: "q", Tone: bot.Breaking, Text: "Something broke. Please try again.", Small: []string{"Reference 4f2a"}},
		"zh": {Carries: "q", Tone: bot.Breaking, Text: "出了点问题，请再试一次。", Small: []string{"编号 4f2a"}},
	},
	"saved": {
		"en": {Tone: bot.Noting, Text: en.Chat.Saved, Deed: en.Chat.SavedBy, By: "80351110224678912", Buttons: []bot.Button{{ID: "undo|1", Label: en.Chat.Undo}}},
		"zh": {Tone: bot.Noting, Text: zh.Chat.Saved, Deed: zh.Chat.SavedBy, By: "80351110224678912", Buttons: []bot.Button{{ID: "undo|1", Label: zh.Chat.Undo}}},
	},
	"queue": {
		"en": queue(en),
		"zh": queue(zh),
	},
	"long": {
		"en": {Text: strings.Repeat("A long sentence about films and the people in them. ", 30), Code: strings.Repeat("MATCH (a)-[:ACTED_IN]->(m) // and so on\n", 30), Small: []string{"Answer a1b2"}},
		"zh": {Text: strings.Repeat("关于电影和其中人物的一个很长的句子。", 80), Code: strings.Repeat("MATCH (a)-[:ACTED_IN]->(m) // 等等\n", 30), Small: []string{"回答 a1b2"}},
	},
	"empty": {"en": {}, "zh": {Text: "\n \n", Table: &bot.Sheet{Columns: []string{"", "空"}, Rows: [][]string{{"", " "}}}}},
}

func answerButtons(w *words.Words) []bot.Button {
	return []bot.Button{{ID: "up|1", Label: "👍 " + w.Chat.Right, Look: bot.Good}, {ID: "down|1", Label: "👎 " + w.Chat.Wrong}, {ID: "model|1", Label: w.Chat.AskModel}, {ID: "next|1", Label: fmt.Sprintf(w.Chat.Next, 25)}}
}

func films(columns ...string) *bot.Sheet {
	return &bot.Sheet{Columns: columns, Numeric: []bool{false, true, false}, Rows: [][]string{
		{"The Matrix", "1999", "Welcome to the Real World"},
		{"大红灯笼高高挂", "1991", ""},
		{"What Dreams May Come", "1998", "After life there is more. The end is just the beginning."},
	}}
}

func queue(w *words.Words) bot.Card {
	item := func(id, question string) bot.Card {
		return bot.Card{Text: question, Code: "MATCH (m:Movie) RETURN count(m)", Small: []string{fmt.Sprintf(w.Chat.QueueItem, w.State(store.Candidate), 3, 0)}, Buttons: []bot.Button{
			{ID: "yes|" + id, Label: w.Chat.Approve, Look: bot.Good}, {ID: "edit|" + id, Label: w.Chat.Edit}, {ID: "no|" + id, Label: w.Chat.Reject, Look: bot.Bad}}}
	}
	return bot.Card{Language: w.Language, Tone: bot.Noting, Text: fmt.Sprintf(w.Chat.Queue, 2), Items: []bot.Card{item("c1", "How many films are there?"), item("c2", "一共有多少部电影？")},
		Buttons: []bot.Button{{ID: "queue|2", Label: w.Chat.Later}}}
}

// drawn is a message as a golden file has it.
func drawn(m discordtest.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "== content, flags %d\n%s\n", m.Flags, m.Content)
	for _, e := range m.Embeds {
		fmt.Fprintf(&b, "== embed %06X\n%s\n", int(cmp.Or(e["color"], any(0.0)).(float64)), e["description"])
	}
	for _, row := range m.Components {
		b.WriteString("== row\n")
		for _, one := range row["components"].([]any) {
			button := one.(map[string]any)
			fmt.Fprintf(&b, "[%s] %v %v\n", button["label"], button["style"], button["custom_id"])
		}
	}
	return b.String()
}

// Each card is drawn as its golden file has it, posted, and edited over another.
func TestDrawings(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		for kind, languages := range cards {
			for language, card := range languages {
				posted := w.message(w.post(bot.Place{Channel: w.General, Team: w.Guild}, bot.Card{Text: kind, Table: films("a", "b", "c"), Buttons: thumbs}).Message)
				w.edit(bot.Place{Channel: w.General, Team: w.Guild, Message: posted.ID}, card)
				got := drawn(w.message(posted.ID))
				card.Carries = ""
				if fresh := drawn(w.message(w.post(bot.Place{Channel: w.General, Team: w.Guild}, card).Message)); fresh != got {
					t.Errorf("%s %s: posted\n%s\nedited\n%s", kind, language, fresh, got)
				}
				file := filepath.Join("testdata", kind+"."+language+".txt")
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s draws\n%s\nwant\n%s", file, got, want)
				}
			}
		}
		checkBodies(t, w)
		w.Clean(t)
	})
}

// checkBodies holds what the bot sent to Discord's rules, and to ours: nobody is
// called, and nothing unfolds.
func checkBodies(t *testing.T, w *world) {
	t.Helper()
	for _, method := range []string{"POST", "PATCH"} {
		for _, q := range w.Requests(method, "/messages") {
			surface := discordtest.NewMessage
			if method == "PATCH" {
				surface = discordtest.ChangedMessage
			}
			if err := discordtest.Check(surface, q.Body); err != nil && len(q.Files) == 0 {
				t.Errorf("%s %s: %v", q.Method, q.Path, err)
			}
			body := q.Body.(map[string]any)
			allowed, _ := json.Marshal(body["allowed_mentions"])
			if string(allowed) != `{"parse":[],"replied_user":false}` {
				t.Errorf("%s %s allows %s", q.Method, q.Path, allowed)
			}
			if embeds := body["embeds"].([]any); len(embeds) == 0 && len(q.Files) == 0 && int(body["flags"].(float64))&4 == 0 {
				t.Errorf("%s %s lets links unfold", q.Method, q.Path)
			}
		}
	}
	if pings := w.Pings(); len(pings) != 0 {
		t.Errorf("pinged %+v", pings)
	}
}

// However large a card is, Discord takes it.
func TestLargeCards(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		wide := &bot.Sheet{}
		for i := range 5000 {
			wide.Columns = append(wide.Columns, fmt.Sprint("column ", i))
		}
		wide.Rows = [][]string{wide.Columns, wide.Columns}
		tall := &bot.Sheet{Columns: []string{"n"}}
		for i := range 3000 {
			tall.Rows = append(tall.Rows, []string{fmt.Sprint(i)})
		}
		long, stars := strings.Repeat("word ", 200_000), strings.Repeat("*_`", 3000)
		many := bot.Card{Text: "many"}
		for i := range 30 {
			id := fmt.Sprint(i)
			many.Items = append(many.Items, bot.Card{Understood: stars, Text: stars, Code: stars, Small: []string{stars, stars, stars, stars}, Table: wide,
				Buttons: []bot.Button{{ID: "a" + id, Label: long}, {ID: "b" + id}, {ID: "b" + id, Label: "twice"}}})
			many.Buttons = append(many.Buttons, bot.Button{ID: "c" + id, Label: "c"})
		}
		full := bot.Card{Understood: strings.Repeat("*", 240), Text: strings.Repeat("*", 1600), Code: strings.Repeat("`", 1400), Small: []string{strings.Repeat("*", 240)}, Table: &bot.Sheet{Columns: []string{"a", "b"}}}
		for range 25 {
			full.Table.Rows = append(full.Table.Rows, []string{strings.Repeat("*", 48), strings.Repeat("_", 48)})
		}
		for name, c := range map[string]bot.Card{
			"a million characters": {Understood: long, Text: long, Code: long, Small: []string{long, long, long, long, long, long}, By: long},
			"5,000 columns":        {Text: "wide", Table: wide},
			"3,000 rows":           {Text: "tall", Table: tall, Code: long},
			"a cell of a megabyte": {Table: &bot.Sheet{Columns: []string{long}, Rows: [][]string{{long}, {"b"}}}},
			"all of it markup":     {Understood: stars, Text: stars, Code: stars, Small: []string{stars}, Table: &bot.Sheet{Columns: []string{stars}, Rows: [][]string{{stars}, {stars}}}},
			"thirty items":         many,
			"full, of markup":      full,
		} {
			m := w.message(w.post(bot.Place{Channel: w.General, Team: w.Guild}, c).Message)
			if !strings.Contains(m.Text(), "…") {
				t.Errorf("%s: nothing says that it was cut: %s", name, drawn(m))
			}
			if c.Text != "" && len(m.Text()) < 10 {
				t.Errorf("%s: only %q is left", name, m.Text())
			}
		}
		checkBodies(t, w)
		w.Clean(t)
	})
}

// A card as full as Fits allows, of usual text, is drawn whole.
func TestFits(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		fits := w.chat.Fits()
		sheet := &bot.Sheet{Columns: []string{"title", "year", "director"}}
		cells := 17
		for i := range fits.Rows {
			row := []string{fmt.Sprintf("Film %2d, the sequel: what came after, before and between", i), "1999", "Jean-Pierre O'Brien"}
			for _, c := range row {
				cells += len(c)
			}
			sheet.Rows = append(sheet.Rows, row)
		}
		if cells > fits.Table {
			t.Fatalf("the table has %d characters", cells)
		}
		text := strings.Repeat("Usual words, e.g. 3 films (1999). ", fits.Text/34)
		code := strings.Repeat("MATCH (n:Film) ", fits.Code/15)
		for _, c := range []bot.Card{
			{Understood: "u", Text: text, Table: sheet, Code: code, Small: []string{strings.Repeat("s", fits.Small), "last"}},
			{Understood: "u", Text: text, Code: code, Small: []string{"last"}},
			{Text: "items", Items: []bot.Card{{Text: text}, {Text: "b", Code: code}, {Text: "c"}, {Text: "d", Small: []string{"last"}}}},
		} {
			m := w.message(w.post(bot.Place{Channel: w.General, Team: w.Guild}, c).Message)
			if strings.Contains(m.Text(), "…") || !strings.Contains(m.Text(), "last") {
				t.Errorf("cut: %s", drawn(m))
			}
		}
		w.Clean(t)
	})
}
