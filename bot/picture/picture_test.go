package picture_test

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"precedent/bot/picture"
	"precedent/bot/words"
	"precedent/store"
)

var keep = flag.String("keep", "", "folder to write the pictures to, to look at them")

type answer struct {
	name    string
	columns []string
	rows    [][]any
	title   string
	alt     string // its beginning; "" where the rows are better read
}

func pairs(values ...any) (rows [][]any) {
	for i := 0; i < len(values); i += 2 {
		rows = append(rows, values[i:i+2])
	}
	return rows
}

func TestOf(t *testing.T) {
	for _, test := range append(append(charts, read...), graphs...) {
		t.Run(test.name, func(t *testing.T) {
			body, alt, ok := picture.Of(test.columns, test.rows, test.title)
			if ok != (test.alt != "") {
				t.Fatalf("drawn: %v, with %q", ok, alt)
			}
			if !ok {
				if body != nil || alt != "" {
					t.Errorf("%d bytes and %q of what isn't drawn", len(body), alt)
				}
				return
			}
			if !strings.HasPrefix(alt, test.alt) {
				t.Errorf("it says\n%s\nwant\n%s", alt, test.alt)
			}
			bounded(t, body, alt)
			if *keep != "" {
				if err := os.WriteFile(filepath.Join(*keep, test.name+".png"), body, 0o644); err != nil {
					t.Fatal(err)
				}
				t.Logf("%d bytes: %s", len(body), alt)
			}
		})
	}
}

// TestWords checks that each language has every sentence and a unit for each size.
func TestWords(t *testing.T) {
	for _, w := range []words.Pictures{words.EnglishPictures, words.ChinesePictures} {
		v := reflect.ValueOf(w)
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s is missing in %+v", v.Type().Field(i).Name, w)
			}
		}
		if !slices.IsSortedFunc(w.Units, func(a, b words.Unit) int { return cmp.Compare(b.Of, a.Of) }) {
			t.Errorf("units are not from the largest to the smallest: %v", w.Units)
		}
	}
}

// bounded checks that a picture keeps to its limits.
func bounded(t *testing.T, body []byte, alt string) image.Image {
	t.Helper()
	if len(body) > picture.MaxBytes {
		t.Errorf("%d bytes", len(body))
	}
	if n := utf8.RuneCountInString(alt); n > picture.MaxAlt || n == 0 || !utf8.ValidString(alt) {
		t.Errorf("alt has %d characters: %q", n, alt)
	}
	img, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() > picture.MaxWidth || b.Dy() > picture.MaxHeight || b.Dx() < 100 || b.Dy() < 100 {
		t.Errorf("it measures %v", b)
	}
	return img
}

var charts = []answer{
	{"revenue", []string{"电影", "票房"}, pairs("阿凡达", int64(2923706026), "复仇者联盟4：终局之战", int64(2799439100), "阿凡达：水之道", int64(2320250281),
		"泰坦尼克号", int64(2264812968), "哪吒之魔童闹海", int64(2150000000), "星球大战：原力觉醒", int64(2071310218), "复仇者联盟3：无限战争", int64(2052415039),
		"蜘蛛侠：英雄无归", int64(1952732181), "头脑特工队2", int64(1698863816), "侏罗纪世界", int64(1671537444)), "票房最高的十部电影有哪些？",
		"票房最高的十部电影有哪些？ 条形图，共 10 条，票房（按 电影）：阿凡达 2,923,706,026；复仇者联盟4：终局之战 2,799,439,100；"},
	{"revenue-en", []string{"m.title", "m.year", "m.revenue"}, [][]any{{"Dune", int64(2021), int64(407573628)}, {"Dune", int64(1984), int64(30925690)},
		{"The Lord of the Rings: The Return of the King, Extended Edition", int64(2003), int64(1146436214)}, {"Amélie", int64(2001), nil}}, "Which of these films took most?",
		"Which of these films took most? Bar chart with 4 bars, m.revenue by m.title: Dune (2021) 407,573,628; Dune (1984) 30,925,690; The Lord"},
	{"genres", []string{"genre", "films"}, pairs("Drama", int64(121), "Action", int64(64), "Comedy", int64(58), "Crime", int64(41), "Adventure", int64(40), "Thriller", int64(38),
		"Romance", int64(33), "Sci-Fi", int64(29), "Fantasy", int64(22), "Animation", int64(17), "War", int64(12), "Film-Noir", int64(3), "Western", int64(1)), "How many films are there per genre?",
		"How many films are there per genre? Bar chart with 13 bars, films by genre: Drama 121; Action 64"},
	{"years", []string{"year", "films"}, pairs(int64(1994), int64(8), int64(1995), int64(5), int64(1997), int64(6), int64(1998), int64(4), int64(1999), int64(11), int64(2000), int64(7),
		int64(2001), int64(9), int64(2002), int64(6), int64(2003), int64(10), int64(2008), int64(12)), "Films per year", "Films per year · Bar chart with 10 bars, films by year: 1994 8;"},
	{"decades", []string{"年代", "平均评分"}, pairs("2010年代", 7.9321, "2000年代", 6.0999, "1990年代", 5.25, "1980年代", 8.0, "1970年代", 8.4), "各年代电影的平均评分", "各年代电影的平均评分 · 条形图，共 5 条，平均评分（按 年代）：1970年代 8.4；1980年代 8；"},
	{"decades-revenue", []string{"decade", "sum(m.revenue)"}, pairs(int64(1960), int64(412345678), int64(1970), int64(2412345678), int64(1980), int64(5412345678), int64(1990), int64(12412345678), int64(2000), int64(22412345678), int64(2010), int64(32412345678)),
		"Revenue by decade", "Revenue by decade · Bar chart with 6 bars, sum(m.revenue) by decade: 1960 412,345,678;"},
	{"negative", []string{"film", "profit"}, pairs("The Matrix", int64(400000000), "Cutthroat Island", int64(-105000000), "Mars Needs Moms", int64(-111000000), "Get Out", int64(250000000), "Gigli", int64(-68500000)), "Profit or loss",
		"Profit or loss · Bar chart with 5 bars, profit by film: The Matrix 400,000,000; Cutthroat Island -105,000,000"},
	{"all-negative", []string{"站点", "温度"}, pairs("漠河", -38.2, "哈尔滨", -24.5, "沈阳", -18.0), "", "Bar chart with 3 bars, 温度 by 站点: 漠河 -38.2"},
	{"negative-years", []string{"year", "balance"}, pairs(int64(2018), 12.5, int64(2019), -4.25, int64(2020), -20.0, int64(2021), 3.0), "Balance", "Balance · Bar chart with 4 bars"},
	{"ratings", []string{"stars", "count"}, pairs(int64(1), int64(4), int64(2), int64(9), int64(3), int64(31), int64(4), int64(77), int64(5), int64(40)), "Ratings", "Ratings · Bar chart with 5 bars, count by stars: 1 4;"},
	{"people", []string{"导演", "出生地", "作品数"}, [][]any{{"张艺谋", "西安", int64(12)}, {"侯孝賢", "梅縣", int64(9)}, {"是枝裕和", "東京", int64(8)}, {"봉준호", "대구", int64(7)}, {"Krzysztof Kieślowski", nil, int64(6)}, {"Андрей Тарковский", nil, int64(5)}}, "作品最多的导演及其出生地，请按作品数从多到少排列，并且把题目写得很长很长，长到一行放不下、两行也放不下，这样就能看到题目怎样被截断了，截断以后末尾有省略号",
		"作品最多的导演"},
	{"nodes", []string{"m", "score"}, [][]any{{film("A", "Alien"), 0.9}, {film("B", "Brazil"), 0.75}, {film("C", "Chinatown"), 0.123456}}, "Best matches", "Best matches · Bar chart with 3 bars, score by m: Alien 0.9; Brazil 0.75; Chinatown 0.123"},
	{"dates", []string{"day", "visits"}, pairs(store.DateOf(2024, 1, 1), int64(5), store.DateOf(2024, 1, 3), int64(9), store.DateOf(2024, 2, 3), int64(2)), "Visits", "Visits · Bar chart with 3 bars, visits by day: 2024-01-01 5"},
	{"unsorted-years", []string{"year", "films"}, pairs(int64(2008), int64(12), int64(1999), int64(9), int64(2003), int64(7)), "Busiest years", "Busiest years · Bar chart with 3 bars, films by year: 2008 12"},
}

var read = []answer{
	{name: "two", columns: []string{"genre", "films"}, rows: pairs("Drama", int64(1), "War", int64(2))},
	{name: "equal", columns: []string{"genre", "films"}, rows: pairs("Drama", int64(1), "War", int64(1), "Crime", int64(1))},
	{name: "flat", columns: []string{"title", "rating"}, rows: pairs("A", 8.9, "B", 8.7, "C", 8.6, "D", 8.5)},
	{name: "empty", columns: nil, rows: nil},
	{name: "text", columns: []string{"title", "director"}, rows: pairs("A", "x", "B", "y", "C", "z")},
	{name: "one-column", columns: []string{"n"}, rows: [][]any{{int64(1)}, {int64(2)}, {int64(3)}}},
	{name: "years-of-films", columns: []string{"title", "year"}, rows: pairs("A", int64(1999), "B", int64(2001), "C", int64(2003))},
	{name: "two-measures", columns: []string{"title", "budget", "revenue"}, rows: [][]any{{"A", int64(1), int64(2)}, {"B", int64(2), int64(3)}, {"C", int64(3), int64(4)}}},
	{name: "ids", columns: []string{"title", "movieId"}, rows: pairs("A", int64(1), "B", int64(2), "C", int64(3))},
	{name: "of-ids", columns: []string{"id", "films"}, rows: pairs("A", int64(1), "B", int64(2), "C", int64(3))},
	{name: "of-element-ids", columns: []string{"elementId(m)", "films"}, rows: pairs("A", int64(1), "B", int64(2), "C", int64(3))},
	{name: "编号", columns: []string{"编号", "数量"}, rows: pairs(int64(1), int64(1), int64(2), int64(2), int64(3), int64(3)), title: "数量"},
	{name: "nulls", columns: []string{"title", "revenue"}, rows: pairs("A", nil, "B", nil, "C", int64(3), "D", int64(4), "E", int64(5))},
	{name: "repeated", columns: []string{"genre", "rating"}, rows: pairs("Drama", 1.5, "Drama", 2.5, "War", 3.5)},
	{name: "runtimes", columns: []string{"runtime", "films"}, rows: pairs(int64(90), int64(1), int64(80), int64(2), int64(120), int64(3))},
	{name: "pairs-of-floats", columns: []string{"x", "y"}, rows: pairs(1.5, 2.5, 2.5, 1.5, 3.5, 8.5)},
	{name: "mixed", columns: []string{"title", "value"}, rows: pairs("A", int64(1), "B", "two", "C", int64(3))},
	{name: "short-rows", columns: []string{"title", "value"}, rows: [][]any{{"A", int64(1)}, {"B"}, {}}},
	{name: "lists", columns: []string{"tags", "n"}, rows: pairs([]any{"a"}, int64(1), []any{"b"}, int64(2), []any{"c"}, int64(3))},
	{name: "arabic", columns: []string{"عنوان", "n"}, rows: pairs("لورنس العرب", int64(1), "وجدة", int64(2), "ذيب", int64(3))},
	{name: "one-node", columns: []string{"m"}, rows: [][]any{{film("A", "Alien")}}},
}

func film(id, title string) store.Node {
	return store.Node{ID: id, Labels: []string{"Movie"}, Properties: map[string]any{"title": title}}
}

func person(id, name string, labels ...string) store.Node {
	return store.Node{ID: id, Labels: append([]string{"Person"}, labels...), Properties: map[string]any{"name": name, "born": int64(1956)}}
}

func rel(start, kind, end string) store.Relationship {
	return store.Relationship{ID: start + kind + end, Start: start, Type: kind, End: end}
}

// star is a person and n films.
func star(n int) (rows [][]any) {
	titles := []string{"Apollo 13", "Cast Away", "Forrest Gump", "Saving Private Ryan", "The Green Mile", "Catch Me If You Can", "Toy Story", "Philadelphia", "The Terminal", "Big", "Splash", "Cloud Atlas", "The Post", "Sully", "Bridge of Spies"}
	for _, title := range titles[:n] {
		rows = append(rows, []any{person("p", "Tom Hanks", "Actor"), rel("p", "ACTED_IN", title), film(title, title)})
	}
	return rows
}

// chain is a path of n nodes, people and films in turn.
func chain(n int) [][]any {
	p := store.Path{Nodes: []store.Node{person("0", "0 张国荣")}}
	for i := 1; i < n; i++ {
		id, before := string(rune('0'+i)), string(rune('0'+i-1))
		if i%2 == 1 {
			p.Nodes = append(p.Nodes, film(id, id+" 霸王别姬 Farewell My Concubine"))
			p.Relationships = append(p.Relationships, rel(before, "ACTED_IN", id))
		} else {
			p.Nodes = append(p.Nodes, person(id, id+" 巩俐"))
			p.Relationships = append(p.Relationships, rel(id, "ACTED_IN", before))
		}
	}
	return [][]any{{p, int64(n - 1)}}
}

var graphs = []answer{
	{"path", []string{"p"}, [][]any{{store.Path{
		Nodes:         []store.Node{person("1", "Tom Hanks", "Actor"), film("2", "Apollo 13"), person("3", "Kevin Bacon", "Actor"), film("4", "Footloose")},
		Relationships: []store.Relationship{rel("1", "ACTED_IN", "2"), rel("3", "ACTED_IN", "2"), rel("3", "ACTED_IN", "4")},
	}}}, "How is Tom Hanks connected to Footloose?",
		"How is Tom Hanks connected to Footloose? Graph with 4 nodes and 3 relationships: Tom Hanks –ACTED_IN→ Apollo 13 ←ACTED_IN– Kevin Bacon –ACTED_IN→ Footloose"},
	{"names", []string{"path", "films"}, pairs([]any{"张国荣", "霸王别姬", "巩俐", "大红灯笼高高挂"}, int64(2)), "张国荣和《大红灯笼高高挂》有什么关系？",
		"张国荣和《大红灯笼高高挂》有什么关系？ 关系图，4 个节点，3 条关系：张国荣 – 霸王别姬 – 巩俐 – 大红灯笼高高挂"},
	{"two-paths", []string{"p"}, [][]any{
		{store.Path{Nodes: []store.Node{person("1", "Leonardo DiCaprio"), film("2", "The Departed"), person("3", "Martin Scorsese")}, Relationships: []store.Relationship{rel("1", "ACTED_IN", "2"), rel("3", "DIRECTED", "2")}}},
		{store.Path{Nodes: []store.Node{person("1", "Leonardo DiCaprio"), film("4", "Shutter Island"), person("3", "Martin Scorsese")}, Relationships: []store.Relationship{rel("1", "ACTED_IN", "4"), rel("3", "DIRECTED", "4")}}},
		{store.Path{Nodes: []store.Node{person("1", "Leonardo DiCaprio"), film("5", "The Wolf of Wall Street"), person("3", "Martin Scorsese")}, Relationships: []store.Relationship{rel("1", "ACTED_IN", "5"), rel("3", "DIRECTED", "5")}}},
	}, "What links DiCaprio and Scorsese?", "What links DiCaprio and Scorsese? Graph with 5 nodes and 6 relationships: Leonardo DiCaprio –ACTED_IN→ The Departed ←DIRECTED– Martin Scorsese; Leonardo"},
	{"no-hub", []string{"a", "r", "b"}, [][]any{{person("1", "周星驰"), rel("1", "ACTED_IN", "4"), film("4", "喜剧之王")}, {person("1", "周星驰"), rel("1", "DIRECTED", "5"), film("5", "功夫")},
		{person("2", "张柏芝"), rel("2", "ACTED_IN", "4"), film("4", "喜剧之王")}, {person("3", "元华"), rel("3", "ACTED_IN", "5"), film("5", "功夫")}, {person("1", "周星驰"), rel("1", "ACTED_IN", "5"), film("5", "功夫")}}, "谁演了这两部电影？",
		"谁演了这两部电影？ 关系图，5 个节点，4 条关系：周星驰 –ACTED_IN→ 喜剧之王；周星驰 –DIRECTED→ 功夫；"},
	{"star-3", []string{"a", "r", "m"}, star(3), "Films of Tom Hanks", "Films of Tom Hanks · Graph with 4 nodes and 3 relationships: Tom Hanks –ACTED_IN→ Apollo 13; Tom Hanks –ACTED_IN→ Cast Away"},
	{"star-12", []string{"a", "r", "m"}, star(12), "Films of Tom Hanks", "Films of Tom Hanks · Graph with 13 nodes"},
	{"triangle", []string{"a", "r", "b"}, [][]any{{person("1", "Ann"), rel("1", "KNOWS", "2"), person("2", "Bob")}, {person("1", "Ann"), rel("1", "KNOWS", "3"), person("3", "Cid")}, {person("2", "Bob"), rel("3", "KNOWS", "2"), person("3", "Cid")}}, "Who knows whom?",
		"Who knows whom? Graph with 3 nodes and 3 relationships: Ann –KNOWS→ Bob; Ann –KNOWS→ Cid; Bob ←KNOWS– Cid"},
	{"chain-9", []string{"p", "length"}, chain(9), "最长的路径", "最长的路径 · 关系图，9 个节点，8 条关系：0 张国荣 –ACTED_IN→ 1 霸王别姬"},
	{"chain-15", []string{"p", "length"}, chain(15), "最长的路径，题目也长得要占两行，所以这幅图是能画出来的最高的一幅，不可以超过两千个像素", "最长的路径"},
	{"chain-16", []string{"p", "length"}, chain(16), "太长", ""},
	{"star-15", []string{"a", "r", "m"}, star(15), "", ""},
	{"one-step", []string{"a", "r", "m"}, star(1), "", ""},
	{"loop", []string{"a", "r", "b"}, [][]any{{person("1", "Ann"), rel("1", "LIKES", "1"), person("1", "Ann")}}, "", ""},
	{"broken", []string{"a", "r", "b"}, [][]any{{person("1", "Ann"), rel("7", "LIKES", "8"), person("2", "Bob")}, {person("2", "Bob"), rel("2", "LIKES", "3"), person("3", "Cid")}}, "", ""},
	{"list", []string{"names"}, [][]any{{[]any{"Ann", "Bob", "Cid"}}}, "", ""},
}
