package words_test

import (
	"strings"
	"testing"

	"precedent/engine/words"
)

func TestJoin(t *testing.T) {
	tests := []struct {
		language  string
		sentences []string
		want      string
	}{
		{"en", []string{"2 rows: a, b", "Some more."}, "2 rows: a, b. Some more."},
		{"en", []string{"No.", "", "a 1, b 2"}, "No. a 1, b 2"},
		{"en", []string{"a, …", "Some more."}, "a, … Some more."},
		{"en", []string{"Ask:", "who?", "Or not."}, "Ask: who? Or not."},
		{"zh", []string{"否。", "a 1，b 2"}, "否。a 1，b 2"},
		{"zh", []string{"共 2 条：a、b", "过长的值已截短。"}, "共 2 条：a、b。过长的值已截短。"},
		{"zh", []string{"a……", "过长的值已截短。"}, "a……过长的值已截短。"},
		{"zh", []string{"没有找到：is it?", "图谱里没有“a”。"}, "没有找到：is it? 图谱里没有“a”。"},
	}
	for _, test := range tests {
		if got := words.In(test.language).Join(test.sentences...); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestMarks checks that no sentence has a space behind a full-width mark, that
// those of both languages take the same, and that people and things have one
// name.
func TestMarks(t *testing.T) {
	zh, en := words.In("zh"), words.In("en")
	said := []string{zh.None, zh.NoneBare, zh.Lacks, zh.Yes, zh.No, zh.Unsaid, zh.Rows, zh.MoreThan, zh.Shortened, zh.Unanswered, zh.Outdated, zh.Misread, zh.Nearest, zh.WhichOne, zh.CantAsk,
		zh.NoQuery, zh.ModelDown, zh.GraphDown, zh.TooSlow, zh.Internal, zh.Denied}
	for kind, s := range zh.Refusals {
		if en.Refusals[kind] == "" {
			t.Errorf("no English for %s", kind)
		}
		said = append(said, s)
	}
	for _, s := range said {
		for _, mark := range []string{"。 ", "！ ", "？ ", "： ", "， ", "运维", "操作员", "图里"} {
			if strings.Contains(s, mark) {
				t.Errorf("%q has %q", s, mark)
			}
		}
	}
}
