package bot_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mattn/go-runewidth"

	"precedent/bot"
	"precedent/store"
)

// TestMain measures signs of ambiguous width as narrow, whatever the locale, and
// has many tests run side by side: those of offices wait more than they work.
func TestMain(m *testing.M) {
	text.OverrideRuneWidthEastAsianWidth(false)
	runewidth.DefaultCondition.EastAsianWidth = false
	flag.Set("test.parallel", "6")
	os.Exit(m.Run())
}

var films = [][]any{
	{"Inception", int64(2010), 8.8},
	{"让子弹飞", int64(2010), 8.7},
	{"Crouching Tiger, Hidden Dragon 卧虎藏龙", int64(2000), nil},
}

func TestTable(t *testing.T) {
	tests := []struct {
		name    string
		columns []string
		rows    [][]any
		width   int
		want    string
	}{
		{"there is room", []string{"title", "year", "rating"}, films, 80, `
╭─────────────────────────────────────────┬──────┬────────╮
│ title                                   │ year │ rating │
├─────────────────────────────────────────┼──────┼────────┤
│ Inception                               │ 2010 │    8.8 │
│ 让子弹飞                                │ 2010 │    8.7 │
│ Crouching Tiger, Hidden Dragon 卧虎藏龙 │ 2000 │      — │
╰─────────────────────────────────────────┴──────┴────────╯
`},
		{"long cells wrap between words", []string{"title", "year", "rating"}, films, 40, `
╭──────────────────┬──────┬────────╮
│ title            │ year │ rating │
├──────────────────┼──────┼────────┤
│ Inception        │ 2010 │    8.8 │
│ 让子弹飞         │ 2010 │    8.7 │
│ Crouching Tiger, │ 2000 │      — │
│ Hidden Dragon    │      │        │
│ 卧虎藏龙         │      │        │
╰──────────────────┴──────┴────────╯
`},
		{"more than three lines are cut", []string{"plot"}, [][]any{{"one two three four five six seven eight nine ten"}, {"一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十"}}, 20, `
╭──────────────────╮
│ plot             │
├──────────────────┤
│ one two three    │
│ four five six    │
│ seven eight nin… │
│ 一二三四五六七八 │
│ 九十一二三四五六 │
│ 七八九十一二三…  │
╰──────────────────╯
`},
		{"too many columns", []string{"title", "year", "imdbRating"}, films[:2], 24, `
title     Inception
year      2010
imdbRat…  8.8
────────────────────────
title     让子弹飞
year      2010
imdbRat…  8.7
`},
		{"no rows", []string{"title"}, nil, 40, `
╭───────╮
│ title │
├───────┤
╰───────╯
`},
		{"no columns", nil, nil, 40, "\n"},
		{"cells can't steer", []string{"na\x1b[31mme"}, [][]any{{"a\nb\x1b]0;x\a"}}, 40, `
╭───────────╮
│ na␛[31mme │
├───────────┤
│ a⏎b␛]0;x␇ │
╰───────────╯
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := bot.Table(test.columns, test.rows, test.width)
			if got != test.want[1:] {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestTableWidth checks that no line is wider than asked for, and that all
// lines of a frame are as wide as each other.
func TestTableWidth(t *testing.T) {
	long := strings.Repeat("long 长 ", 40)
	for _, columns := range []int{1, 2, 5, 12} {
		names, row := make([]string, columns), make([]any, columns)
		for i := range columns {
			names[i], row[i] = strings.Repeat("列", i+1), long[:len("long 长 ")*(i*i%40+1)]
		}
		for width := 20; width <= 140; width += 7 {
			lines := strings.Split(strings.TrimSuffix(bot.Table(names, [][]any{row, row}, width), "\n"), "\n")
			framed := strings.HasPrefix(lines[0], "╭")
			for _, line := range lines {
				w := runewidth.StringWidth(line)
				if w > width || framed && w != runewidth.StringWidth(lines[0]) {
					t.Fatalf("%d columns in %d: a line is %d wide: %q", columns, width, w, line)
				}
			}
		}
	}
}

func TestCell(t *testing.T) {
	film := store.Node{Labels: []string{"Movie"}, Properties: map[string]any{"year": int64(2010), "title": "Inception", "a": nil, "b": true, "c": 1.5}}
	tests := []struct {
		value any
		want  string
	}{
		{nil, "—"},
		{"", ""},
		{true, "true"},
		{int64(2923000000), "2923000000"},
		{8.0, "8"},
		{0.1, "0.1"},
		{float64(float32(8.8)), "8.8"},
		{1099511627776.0, "1099511627776"},
		{1e300, "1e+300"},
		{[]any{"USA", int64(1), nil}, "USA, 1, —"},
		{map[string]any{"b": "x", "a": int64(1)}, "{a: 1, b: x}"},
		{film, "(Movie title: Inception, a: —, b: true, c: 1.5, …)"},
		{store.Relationship{Type: "ACTED_IN"}, "[ACTED_IN]"},
		{store.Path{Nodes: []store.Node{{Labels: []string{"A"}}, {Labels: []string{"B"}}}, Relationships: []store.Relationship{{Type: "R"}}}, "(A)—R—(B)"},
		{store.Date{Days: 0}, "1970-01-01"},
		{store.Point{SRID: 7203, X: 1, Y: 2.5}, "(1, 2.5)"},
	}
	for _, test := range tests {
		if got := bot.Cell(test.value); got != test.want {
			t.Errorf("Cell(%v) = %q, want %q", test.value, got, test.want)
		}
	}
}

func TestCells(t *testing.T) {
	columns := []string{"title", "year", "rating", "revenue", "tmdbId", "ratings"}
	rows := [][]any{
		{"Avatar\nII", int64(12022), 9.3, int64(2923000000), int64(597890), []any{4.5, int64(5)}},
		{"Ran", nil, 9.0, int64(9999), int64(1)},
	}
	want := [][]string{
		{"Avatar⏎II", "12022", "9.3", "2,923,000,000", "597890", "4.5, 5.0"},
		{"Ran", "—", "9.0", "9999", "1", ""},
	}
	got := bot.Cells(columns, rows)
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"ordinary", "Amélie 天使爱美丽 👍🏽 👨‍👩‍👧", "Amélie 天使爱美丽 👍🏽 👨‍👩‍👧"},
		{"newline", "a\nb", "a\nb"},
		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"window title", "\x1b]0;owned\a", "␛]0;owned␇"},
		{"carriage return hides", "real\rfake", "real␍fake"},
		{"backspace", "ab\b\bcd", "ab␈␈cd"},
		{"C1 control sequence introducer", "\u009b31m", "�31m"},
		{"delete", "a\x7fb", "a␡b"},
		{"null", "a\x00b", "a␀b"},
		{"tab", "a\tb", "a    b"},
		{"bidirectional override", "a\u202egnp.exe", "agnp.exe"},
		{"isolates and marks", "\u2066a\u2069\u200f", "a"},
		{"line separator", "a\u2028b", "a\nb"},
		{"hidden tags", "a\U000e0001b", "ab"},
		{"flag of Scotland", "🏴\U000e0067\U000e0062\U000e007f", "🏴\U000e0067\U000e0062\U000e007f"},
		{"not UTF-8", "a\xffb\xc3", "a�b�"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := bot.Plain(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b[2Ja\u009b\u202e\xff\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range bot.Plain(text) {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Fatalf("%q lets %U through", text, r)
			}
		}
		if strings.Contains(bot.Line(text), "\n") {
			t.Fatalf("%q isn't one line", text)
		}
	})
}
