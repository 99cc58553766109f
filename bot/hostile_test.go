package bot_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/engine"
	"precedent/engine/modeltest"
)

// hostiles are texts that a network would make something of: calls, links,
// markup, commands, and characters that hide or turn what is written.
var hostiles = []string{
	"<!channel> <!here> <!everyone>", "<@U0ALICE>", "<@&123456789012345678>", "@everyone @here", "<#C0GENERAL>", "<https://evil.example|click here>",
	"[click here](https://evil.example)", "https://evil.example/a_b*c", "*bold* _it_ ~no~ `code`", "```\nblock\n```", "# heading", "> quote", ">>> quote", "- [ ] task", "||spoiler||",
	"/ask who", "/remind me", "<!date^1392734382^{date}|x>", "<!subteam^S1>", ":smile: <:a:123456789012345678>", "<t:1618953630:R>", "</ask:123456789012345678>",
	"a\x00b\x1b[31mred\x07", "\u202egnp.exe\u202c", "\u2066x\u2069\u200f", "a\u2028b\u2029c", "e\u0301\u0301\u0301\u0301", "\U000e0041\U000e0042", "=HYPERLINK(\"http://evil.example\")", "@SUM(1)",
	"&lt;script&gt;alert(1)&lt;/script&gt;", "&amp;amp;", "\\*\\_", strings.Repeat("*", 400), "💥👩‍👩‍👧‍👦\u200d",
}

// TestHostileText answers with hostile values, names of columns and words, of
// people, graph and model, on both networks, shown, paged, edited and curated.
func TestHostileText(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Write([]string{"id:ID", "name", "note", ":LABEL"})
		for i, h := range hostiles {
			w.Write([]string{fmt.Sprint(i), h, hostiles[(i+7)%len(hostiles)], "Thing"})
		}
		w.Write([]string{"big", "big", strings.Repeat("<!channel> *x* @everyone ", 40_000), "Thing"})
		w.Flush()
		wide := engine.Answer{ID: "WIDE", Route: engine.ByModel, Language: "en", Restated: "*x* <!here>", Text: strings.Repeat("<!channel> @everyone *x* ", 400)}
		for i := range 5000 {
			wide.Columns = append(wide.Columns, fmt.Sprintf("c%d <!here> @everyone", i))
		}
		for range 30 {
			wide.Rows = append(wide.Rows, slices.Repeat([]any{"<!channel>", "=1", "*x*", nil, int64(7)}, 1000))
		}
		draft := func(prompt string) modeltest.Reply {
			query := "MATCH (n:Thing) RETURN n.name AS name, n.note AS note ORDER BY n.id"
			switch {
			case strings.Contains(prompt, "the big thing"):
				query = "MATCH (n:Thing {name: 'big'}) RETURN n.note AS note"
			}
			return modeltest.JSON(map[string]any{"action": "query", "query": query, "params": []any{}})
		}
		o := opened(t, setting{slack: openWorkspace(), discord: openGuild(), graph: folder(t, map[string]string{"things.csv": b.String()}), model: draft, quorum: 3,
			tune: func(d *bot.Desk) {
				b := d.Bot(bot.Place{})
				ask := b.Ask
				b.Ask = func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
					if strings.HasPrefix(q.Text, "list every column") {
						return wide
					}
					a := ask(ctx, q, p)
					if len(a.Columns) == 2 { // which no draft may be called, but a case
						a.Columns = []string{"<!channel> @everyone *name*", "[x](https://evil.example)"}
					}
					return a
				}
			}})
		for _, asked := range []string{"names and notes of all things that *we* know <of>", "what note has the big thing", "list every column of the things"} {
			m := o.ask(slacktest.Alice, asked)
			answer := o.slack.AwaitMessage(slacktest.General, func(a slacktest.Message) bool { return a.Thread == m.TS && strings.Contains(a.Reads(), "👍") })
			o.press(slacktest.Bob, answer, "up|").AwaitAck()
			o.press(slacktest.Bob, answer, "how|").AwaitAck()
			for _, b := range slackButtons(t, answer.Blocks) {
				if strings.HasPrefix(b.Value, "more|") {
					o.press(slacktest.Bob, answer, "more|").AwaitAck()
				}
			}
			var shown discordtest.Message
			run := o.discord.Run("Ann", o.discord.General, "ask", question(asked))
			o.discord.Await("the answer", func() (ok bool) { shown, ok = run.Response(); return ok && len(shown.Buttons()) > 2 })
			o.click("Ben", shown, "up|")
			o.click("Ben", shown, "how|")
			o.settled()
			time.Sleep(time.Second)
		}
		o.slack.OpenHome(slacktest.Carol)
		o.page(slacktest.Carol, "MATCH")
		o.slack.OpenHome(slacktest.Alice)
		o.page(slacktest.Alice, "Your latest questions")
		o.discord.Run("Fay", o.discord.General, "cases").AwaitResponse()
		o.settled()
		for _, h := range append(hostiles, "<!here>", "@everyone", "evil.example", "*x*") {
			if at := o.slack.MarkupHolds(h); len(at) > 0 && h != "" {
				t.Errorf("Slack reads markup in %q: %v", h, at)
			}
		}
		fenced := regexp.MustCompile("(?s)```.*?```")
		for _, m := range o.discord.Posted() {
			m.Content = fenced.ReplaceAllString(m.Content, "")
			for _, h := range []string{"](http", "<@", "<t:", "</ask", "<:a:", "\u202e", "\x1b", "\x00"} {
				if strings.Contains(m.Content, h) {
					t.Errorf("Discord reads markup: %q in\n%.500s", h, m.Content)
				}
			}
			for _, f := range m.Files {
				if strings.HasSuffix(f.Name, ".csv") && (strings.Contains(string(f.Bytes), "\n=") || strings.Contains(string(f.Bytes), ",=")) {
					t.Errorf("a spreadsheet runs a cell of %s", f.Name)
				}
			}
		}
		o.clean()
	})
}
