package guardrails_test

import (
	"slices"
	"strings"
	"testing"

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
	f.Fuzz(func(t *testing.T, answer, question, cell string, number float64) {
		for _, u := range (guardrails.Policy{}).Answer(answer, facts(question, "a", []any{cell, number})) {
			if answer[u.Start:u.End] != u.Text || u.Text == "" {
				t.Errorf("%q at %d:%d of %q", u.Text, u.Start, u.End, answer)
			}
		}
	})
}
