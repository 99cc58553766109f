package discord_test

import (
	"regexp"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// hostile is what people, graphs and models may say.
var hostile = []string{
	"@everyone", "@here and <@80351110224678912> <@!80351110224678912> <@&80351110224678912>", "<#80351110224678912> <id:customize>",
	"**bold** *it* _it_ __under__ ~~gone~~ ||spoiler||", "***", "\\*not escaped\\*", "\\\\@everyone", "`code` ``code``", "```\n@everyone\n```", "```cypher",
	"[click](https://evil.example)", "[click](<https://evil.example>)", "https://evil.example/a_b_c?x=*", "HTTP://EVIL.example", "<https://evil.example>", "discord.gg/abc", "steam://run/1",
	"mailto:a@b.example", "<a@b.example>", "<+1234567>", "# head", "## head", "-# small", "> quote", ">>> quote", "- item", "* item", "+ item", "1. one", "12) twelve", "  - item", "a\n# b\n> c\n- d\n1. e",
	"<t:1700000000:R>", "<:smile:80351110224678912> <a:smile:80351110224678912> :smile:", "</ask:80351110224678912>", "/ask question", "¯\\_(ツ)_/¯",
	"a\u202eevil\u202c", "a\u200eb\u2066c\u2069", "nul\x00bel\x07esc\x1b[31m", "a\r\nb\rc", "a\u2028b\u2029c", "bad \xff\xfe utf-8", "tab\tend", "ends with \\", "snake_case_name", "a | b", "</script><b>x</b>", "&lt;@80351110224678912&gt;", "$(rm -rf /)", "'; DROP TABLE x --",
}

var (
	escaped = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)
	live    = regexp.MustCompile("(?m)[*_~|`<>@\\[\\]#]|^ *([-+]|[0-9]+[.)])|://|:[A-Za-z]+:|[a-z]/[a-z]")
	steers  = regexp.MustCompile("[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
)

// alive gives what of a drawn text Discord would take for markup.
func alive(drawn string) string { return live.FindString(escaped.ReplaceAllString(drawn, "x")) }

// Text shows as it stands, whatever it says, in each place of a card.
func TestHostileText(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := begin(t, calm)
		place := bot.Place{Team: w.Guild, Channel: w.General}
		asked := w.Run("Ann", w.General, "ask", discordtest.Option{Name: "question", Value: "q"})
		token := *w.hears().Shown
		asked.Await()
		for _, text := range hostile {
			at := w.post(place, bot.Card{Text: text})
			first := w.message(at.Message).Content
			if got := alive(first); got != "" || steers.MatchString(first) {
				t.Errorf("%q is drawn as %q, in which %q works", text, first, got)
			}
			if got, want := escaped.ReplaceAllString(first, "$1"), strings.Trim(bot.Plain(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)), " \n"); got != want {
				t.Errorf("%q shows as %q", text, got)
			}
			w.edit(at, bot.Card{Text: text})
			w.edit(token, bot.Card{Text: text})
			after, _ := asked.Response()
			if m := w.message(at.Message); m.Content != first || after.Content != first {
				t.Errorf("%q is edited to %q, and to %q", text, m.Content, after.Content)
			}

			whole := bot.Card{Understood: text, Text: text, By: text, Code: text, Small: []string{text}, Table: &bot.Sheet{Columns: []string{text}, Rows: [][]string{{text}, {"1"}}},
				Buttons: []bot.Button{{ID: "b", Label: text}}}
			m := w.message(w.post(place, whole).Message)
			lines := strings.Split(m.Text(), "\n")
			code := false
			for _, l := range lines {
				fence := l == "```" || l == "```cypher" && !code
				code = code != fence
				plain := regexp.MustCompile(`^(-# |[0-9]\. \*\*)|\*\*$`).ReplaceAllString(l, "")
				if got := alive(plain); got != "" && !code && !fence {
					t.Errorf("%q: in %q works %q", text, l, got)
				}
				if code && !fence && strings.Contains(l, "```") {
					t.Errorf("%q ends its block in %q", text, l)
				}
				if steers.MatchString(l) {
					t.Errorf("%q steers in %q", text, l)
				}
			}
			if code {
				t.Errorf("%q leaves a block open in %q", text, m.Text())
			}
			if label := m.Buttons()[0].Label; steers.MatchString(label) || label == "" {
				t.Errorf("%q labels a button %q", text, label)
			}
		}
		checkBodies(t, w)
		w.Clean(t)
	})
}
