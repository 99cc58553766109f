package guardrails_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

// filmAliases are Chinese names of values.
var filmAliases = map[string][]string{
	"Inception": {"盗梦空间"}, "Christopher Nolan": {"克里斯托弗·诺兰", "诺兰"}, "Sci-Fi": {"科幻"},
}

func facts(question string, columns string, rows ...[]any) guardrails.Facts {
	return guardrails.Facts{
		Question: question,
		Table:    store.Table{Columns: strings.Fields(columns), Rows: rows},
		Aliases:  func(v string) []string { return filmAliases[v] },
		IsValue: func(name string) bool {
			for value, names := range filmAliases {
				if text.KeyOf(value) == name || slices.ContainsFunc(names, func(n string) bool { return text.KeyOf(n) == name }) {
					return true
				}
			}
			return name == text.KeyOf("星际穿越") || name == text.KeyOf("阿甘正传")
		},
	}
}

func TestAnswer(t *testing.T) {
	films := facts("Which sci-fi films did Nolan make?", "m.title m.imdbRating m.year",
		[]any{"Inception", 8.37, int64(2010)}, []any{"The Dark Knight Rises", 8.4, int64(2012)}, []any{"Interstellar", 8.65, int64(2014)})
	money := facts("box office of Avatar", "title revenue runtime share",
		[]any{"Avatar", int64(2923706026), int64(148), 0.4523})
	people := facts("诺兰拍过几部电影？", "director title count genres",
		[]any{"Christopher Nolan", "Inception", int64(12), []any{"Sci-Fi", "Action"}}, []any{"Christopher Nolan", "Tenet", int64(7), []any{"Action"}})
	dated := facts("When was Keanu Reeves born?", "p.name p.born",
		[]any{"Keanu Reeves", store.DateOf(1964, 9, 2)})
	node := facts("Who?", "p", []any{store.Node{Labels: []string{"Person"}, Properties: map[string]any{"name": "Meg Ryan", "born": int64(1961)}}})
	none := facts("Films by Kubrick in 1850?", "title")

	tests := []struct {
		name   string
		facts  guardrails.Facts
		answer string
		want   string // the ungrounded pieces, separated by |
	}{
		{"cells", films, "Nolan made three: Inception (2010), The Dark Knight Rises (2012) and Interstellar (2014).", ""},
		{"a name that is no cell", films, "Nolan made Inception and Memento.", "Memento"},
		{"a name at the beginning", films, "Memento was the best.", "Memento"},
		{"two words, one known", films, "It was made by Jonathan Nolan.", "Jonathan Nolan"},
		{"a known name with a word added", films, "The best is Inception Returns.", "Returns"},
		{"part of a name", films, "The Dark Knight is among them.", ""},
		{"rounded", films, "Inception has 8.4, or about 8.", ""},
		{"wrongly rounded", films, "Inception has 8.3.", "8.3"},
		{"a wrong year", films, "Inception came out in 2011.", "2011"},
		{"a year is not rounded", films, "Inception came out in 2000.", "2000"},
		{"a decade", films, "All are from the 2010s.", ""},
		{"a wrong decade", films, "All are from the 1990s.", "1990s"},
		{"row count in words", films, "There are three films.", ""},
		{"a wrong count in words", films, "There are twenty-one films, not four.", "twenty-one|four"},
		{"numbered lines", films, "1. Inception\n2. The Dark Knight Rises\n3. Interstellar\n", ""},
		{"ordinals of rows", films, "The third is Interstellar, the 5th is missing.", "5th"},
		{"a quotation", films, `The film “Inception” and "Dunkirk".`, "Dunkirk"},
		{"case within a quotation", films, `"inception" it is`, ""},
		{"millions", money, "Avatar earned $2.9 billion, that is 2,924 million.", ""},
		{"as written", money, "Avatar earned 2923706026, or 2,923,706,026.", ""},
		{"cut off", facts("q", "revenue", []any{int64(2989000000)}), "more than 2.9 billion", ""},
		{"rounded to zeros", money, "It earned about 2,920,000,000.", ""},
		{"a wrong sum", money, "It earned $2.8 billion.", "2.8 billion"},
		{"hours", money, "It runs 2h 28m, or 2 hours and 28 minutes.", ""},
		{"wrong hours", money, "It runs 2 hours 38 minutes.", "2 hours 38 minutes"},
		{"about hours", money, "It runs about 2.5 hours.", ""},
		{"percent", money, "That is 45% or 45.2 percent, not 46%.", "46%"},
		{"a difference is no fact", facts("Who has more?", "name films", []any{"Tom Hanks", int64(11)}, []any{"Tom Cruise", int64(9)}),
			"Tom Hanks has 11 and Tom Cruise 9, which is 3 more.", "3"},
		{"names are not mixed", facts("Who?", "name", []any{"Tom Hanks"}, []any{"Penélope Cruz"}), "Tom Cruz and Penelope Cruz.", "Tom Cruz"},
		{"a date", dated, "Keanu Reeves was born on September 2, 1964.", ""},
		{"a wrong month", dated, "Keanu Reeves was born on October 2, 1964.", "October"},
		{"a Chinese date", dated, "Keanu Reeves出生于1964年9月2日。", ""},
		{"a node", node, "Meg Ryan, a person born in 1961.", ""},
		{"nothing found", none, "There are no films by Kubrick from 1850.", ""},
		{"nothing found, something said", none, "Kubrick made Barry Lyndon.", "Barry Lyndon"},
		{"initials", facts("q", "name", []any{"J. K. Simmons"}), "It was J. K. Simmons.", ""},

		{"Chinese", people, "诺兰导演了两部：《盗梦空间》和《Tenet》，数量是12和7。", ""},
		{"a Chinese numeral", people, "他一共拍了十二部电影，不是十三部。", "十三"},
		{"a number word that is none", people, "一部十分精彩的电影，万一他没有一起拍呢。", ""},
		{"a title that is no cell", people, "诺兰导演了《星际穿越》。", "星际穿越"},
		{"a name without marks", people, "诺兰导演了星际穿越和盗梦空间。", "星际穿越"},
		{"a Latin name", people, "诺兰和Emma Thomas合作。", "Emma Thomas"},
		{"a small Latin name", people, "诺兰拍了memento。", "memento"},
		{"Chinese units", money, "票房约29.2亿美元，即292371万。", ""},
		{"wrong Chinese units", money, "票房约28亿美元。", "28亿"},
		{"Chinese numerals with units", money, "票房近三十亿。", ""},
		{"Chinese hours", money, "片长2小时28分钟。", ""},
		{"Chinese percent", money, "占百分之四十五。", ""},
		{"Chinese ordinals", people, "第二部是Tenet，第三部没有。", "第三"},
		{"Chinese years", films, "二〇一〇年的Inception，以及二零一一年。", "二零一一"},
		{"a Chinese decade", films, "都是2010年代的电影。", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, u := range (guardrails.Policy{}).Answer(tt.answer, tt.facts) {
				if tt.answer[u.Start:u.End] != u.Text {
					t.Errorf("%q is not at %d:%d", u.Text, u.Start, u.End)
				}
				got = append(got, u.Text)
			}
			if strings.Join(got, "|") != tt.want {
				t.Errorf("%s\n\tgot  %q\n\twant %q", tt.answer, strings.Join(got, "|"), tt.want)
			}
		})
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("诺兰2小时 third 《a》百分之", "Who?", "Tom", 1.5)
	f.Add("1990s 2.9 billion twenty- 第十亿", "", "", 0.0)
	f.Add("Tom made twice as many as Ann, followed by half a dozen and a third of (1 versus 2).", "most?", "Tom; Ann", 12.0)
	f.Add("比a多三分之一，其次没有都只有5部，第二高", "谁多？", "a", 3.0)
	f.Fuzz(func(t *testing.T, answer, question, cell string, number float64) {
		facts := facts(question, "a.name a.n b.name b.n", []any{cell, number, "Tom", int64(7)}, []any{"Ann", nil, cell, []any{cell, store.DateOf(1999, 3, 31)}})
		facts.IsCommon, facts.Links, facts.Absent = isCommon, []string{cell}, []string{question}
		for _, u := range (guardrails.Policy{}).Answer(answer, facts) {
			if answer[u.Start:u.End] != u.Text || u.Text == "" {
				t.Errorf("%q at %d:%d of %q", u.Text, u.Start, u.End, answer)
			}
		}
	})
}

// TestAnswerShape holds what a wording may look like, whatever it says.
func TestAnswerShape(t *testing.T) {
	films := facts("Which films?", "title year", []any{"Inception", int64(2010)}, []any{"[REC]", int64(2007)})
	bad := map[string]string{
		"24,000 characters":              strings.Repeat("Inception came out in 2010. ", 857),
		"24,000 spaces":                  "Inception." + strings.Repeat(" ", 24_000),
		"24,000 lines":                   strings.Repeat("\n", 24_000) + "Inception",
		"601 characters":                 strings.Repeat("是", 601),
		"13 lines":                       strings.Repeat("2010\n", 13),
		"marks upon marks":               "I" + strings.Repeat("\u0301", 40) + "nception",
		"right to left":                  "Inception \u202e0102\u202c",
		"isolates":                       "\u2067Inception\u2069",
		"zero width":                     "Incep\u200btion",
		"a joiner":                       "Incep\u200dtion",
		"a soft hyphen":                  "Incep\u00adtion",
		"a byte order mark":              "\ufeffInception",
		"a tag":                          "Inception\U000e0041",
		"a variation selector":           "Inception\ufe0f",
		"a blank letter":                 "Inception \u3164",
		"a braille blank":                "Inception \u2800",
		"bell":                           "Inception\a",
		"carriage return":                "Memento\rInception",
		"escape":                         "\x1b[2JInception",
		"not UTF-8":                      "Inception \xff",
		"a link":                         "Inception http://x.example",
		"a link without a scheme":        "Inception www.x",
		"a host":                         "Inception bit.ly/a",
		"mailto":                         "Inception mailto:me",
		"an address":                     "Inception a@b",
		"everyone":                       "Inception @everyone",
		"everyone, wide":                 "Inception ＠everyone",
		"a Slack user":                   "Inception <@U024BE7LH>",
		"a Slack channel":                "Inception <#C024BE7LR>",
		"a Slack group":                  "Inception <!subteam^S1>",
		"here":                           "Inception <!here|here>",
		"a Discord role":                 "Inception <@&165511591545143296>",
		"escaped":                        "Inception &#64;everyone",
		"a hidden link":                  "[Inception](x)",
		"a spoiler":                      "||Inception||",
		"code":                           "`Inception`",
		"a heading":                      "# Inception",
		"HTML":                           "<b>Inception</b>",
		"an emoji's name":                "Inception :skull:",
		"a picture":                      "Inception 🥇",
		"squared letters":                "🅸🅽🅲🅴🅿🆃🅸🅾🅽",
		"a link in a Chinese text":       "盗梦空间见http://x.example。",
		"a host behind Chinese":          "盗梦空间见x.example",
		"a table's text in a hidden one": "[REC](http://x.example)",
	}
	for name, answer := range bad {
		if found := (guardrails.Policy{}).Answer(answer, films); len(found) == 0 {
			t.Errorf("%s: said: %.80q", name, answer)
		}
	}
	for name, answer := range map[string]string{
		"a list":         "1. Inception (2010)\n2. [REC] (2007)",
		"bold":           "**Inception** is from 2010.",
		"600 characters": strings.Repeat("是", 600),
		"Chinese marks":  "《Inception》：2010年；[REC]——2007年……",
	} {
		if found := (guardrails.Policy{}).Answer(answer, films); len(found) > 0 {
			t.Errorf("%s: not said: %v", name, found)
		}
	}
}

// TestAnswerIsBounded holds wordings that would have a check go round in circles.
func TestAnswerIsBounded(t *testing.T) {
	var rows [][]any
	for i := range 200 {
		rows = append(rows, []any{fmt.Sprint("Film ", i), fmt.Sprint("Director ", i%7), int64(1970 + i%50), float64(i) / 13, int64(1_000_000 * i)})
	}
	f := facts("Which films?", "title director year rating revenue", rows...)
	f.IsCommon = isCommon
	start := time.Now()
	for _, piece := range []string{"1 ", "more than 5 ", "Film 1 more ", "all 5 Film 2 only ", "twice as many Film 3 ", "三", "比多都没有", "一百零", "'a' ",
		"\"(", "average total 5 all Film 1 ", "million ", "one hundred ", "and 5, ", "Film 1, ", "none over 3 ", "Film 1 followed by "} {
		guardrails.Policy{}.Answer(strings.Repeat(piece, 600/len([]rune(piece))), f)
		guardrails.Policy{}.Answer(strings.Repeat(piece, 24_000/len(piece)), f)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

// BenchmarkAnswer holds 300 characters against a table of 50 rows.
func BenchmarkAnswer(b *testing.B) {
	var rows [][]any
	for i := range 50 {
		rows = append(rows, []any{fmt.Sprint("Film Number ", i), fmt.Sprint("Director ", i%7), int64(1970 + i), 5 + float64(i)/13, int64(1_000_000 * (i + 3))})
	}
	f := facts("Which films earned most, and who directed them?", "title director year rating revenue", rows...)
	f.IsCommon = isCommon
	answer := "Film Number 49 by Director 0 earned the most, about 52 million, followed by Film Number 48 with 51 million and Film Number 47. " +
		"Film Number 49 also has the highest rating, 8.8, and came out in 2019. All 50 films came out in 1970 or later. Together they earned about 1.375 billion, 27.5 million on average."
	if found := (guardrails.Policy{}).Answer(answer, f); len(found) > 0 {
		b.Fatal(found)
	}
	for b.Loop() {
		guardrails.Policy{}.Answer(answer, f)
	}
}
