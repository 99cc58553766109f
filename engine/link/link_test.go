package link_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"precedent/engine/link"
	"precedent/store"
	"precedent/store/text"
)

func titles(names ...string) []link.Value {
	var vs []link.Value
	for _, n := range names {
		vs = append(vs, link.Value{Label: "Movie", Property: "title", Value: n, Labels: []string{"Movie"}})
	}
	return vs
}

// newLinker knows a few films, people, genres and places.
func newLinker() *link.Linker {
	c := link.Config{
		Values: titles("Her", "Up", "Heat", "Drive", "Mulholland Drive", "Fight Club", "Get Out", "Titanic", "WALL·E", "Inception",
			"The Godfather", "The Dark Knight", "It's a Wonderful Life", "Apocalypse Now", "盗梦空间", "2012", "Casablanca"),
		Nouns:      map[string][]string{"Movie": {"film", "movie", "movies", "电影"}, "Person": {"director", "导演"}},
		Categories: map[string]bool{"Genre.name": true},
		Known: func(w string) bool {
			return strings.Contains(" 的 导 演 问 who directed how long movies ", " "+w+" ")
		},
	}
	for _, n := range []string{"Samuel L. Jackson", "Peter Jackson", "Akira Kurosawa"} {
		c.Values = append(c.Values, link.Value{Label: "Person", Property: "name", Value: n, Labels: []string{"Person", "Actor"}})
	}
	c.Values = append(c.Values,
		link.Value{Label: "Genre", Property: "name", Value: "Comedy", Labels: []string{"Genre"}},
		link.Value{Label: "Person", Property: "bornIn", Value: "Casablanca", Labels: []string{"Person"}})
	c.Aliases = []link.Alias{
		{Label: "Movie", Property: "title", Value: "Inception", Name: "盗梦空间"},
		{Label: "Person", Property: "name", Value: "Peter Jackson", Name: "Jackson"},
		{Label: "Person", Property: "name", Value: "Samuel L. Jackson", Name: "Jackson"},
		{Label: "Movie", Property: "title", Value: "No such film", Name: "nothing"},
		{Label: "Actor", Property: "name", Value: "Akira Kurosawa", Name: "黑泽明"},
		{Label: "Movie", Property: "title", Value: "Casablanca", Name: "寄生虫"},
		{Label: "Movie", Property: "title", Value: "Heat", Name: "小丑"},
	}
	return link.New(c)
}

// show writes mentions as "words → value (how)", several values with a bar,
// weak ones with a question mark.
func show(ms []link.Mention) string {
	var out []string
	for _, m := range ms {
		var values []string
		for _, c := range m.Candidates {
			values = append(values, fmt.Sprint(c.Value))
		}
		mark := ""
		if m.Weak {
			mark = "?"
		}
		out = append(out, fmt.Sprintf("%s%s → %s (%s)", m.Candidates[0].Mention, mark, strings.Join(values, "|"), m.Candidates[0].How))
	}
	return strings.Join(out, "; ")
}

func TestMentions(t *testing.T) {
	l := newLinker()
	for _, test := range []struct{ name, question, want string }{
		{"as stored", "who directed Titanic", "Titanic → Titanic (exact)"},
		{"case", "who directed TITANIC", "TITANIC → Titanic (folded)"},
		{"article left out", "who directed Godfather", "Godfather → The Godfather (folded)"},
		{"written apart", "who directed god father", "god father → The Godfather (folded)"},
		{"written together", "fightclub", "fightclub → Fight Club (folded)"},
		{"marks and hyphens", "wall-e", "wall-e → WALL·E (folded)"},
		{"apostrophe left out", "its a wonderful life", "its a wonderful life → It's a Wonderful Life (folded)"},
		{"no spaces in Chinese", "盗梦空间的导演", "盗梦空间 → 盗梦空间|Inception (exact)"},
		{"the longer of two", "Mulholland Drive", "Mulholland Drive → Mulholland Drive (exact)"},

		{"one edit", "who directed Titannic", "Titannic → Titanic (edit)"},
		{"swapped letters", "who directed Titainc", "Titainc → Titanic (edit)"},
		{"two edits in a long word", "Mulhollend Drive, Mulholend Drive", "Mulhollend Drive → Mulholland Drive (edit); Mulholend Drive → Mulholland Drive (edit)"},
		{"two edits in a short word", "who directed Tinic", ""},
		{"over a shorter name", "Mulholand Drive", "Mulholand Drive → Mulholland Drive (edit)"},
		{"over a mark", "Samual L. Jackson", "Samual L. Jackson → Samuel L. Jackson (edit)"},
		{"a word of the language", "how long", ""},
		{"a common word", "heart", ""},
		{"one wrong character", "盗梦空问的导演", "盗梦空问 → 盗梦空间|Inception (edit)"},
		{"grammar is no wrong character", "盗梦空的导演", ""},

		{"a pronoun", "what did her film cost", "her? → Her (folded)"},
		{"a capital", "who directed Her", "Her → Her (exact)"},
		{"a capital in capitals", "Her Last Film", "Her? → Her (exact)"},
		{"a quotation", `who directed "her"`, "her → Her (folded)"},
		{"Chinese brackets", "《her》多长", "her → Her (folded)"},
		{"beside its noun", "the film up", "up → Up (folded)"},
		{"among Chinese", "Her的导演", "Her → Her (exact)"},
		{"two words, one small", "how do i get out", "get out? → Get Out (folded)"},
		{"two words with content", "fight club", "fight club → Fight Club (folded)"},
		{"after a determiner", "since its inception", "inception? → Inception (folded)"},
		{"after a determiner, before a noun", "the titanic movie", "titanic → Titanic (folded)"},
		{"a number", "movies of 2012", "2012? → 2012 (exact)"},
		{"a kind beside a noun", "comedy movies", "comedy → Comedy (folded)"},

		{"part of a quotation", `"fight club tonight"`, ""},
		{"several values", "movies with Jackson", "Jackson → Peter Jackson|Samuel L. Jackson (alias)"},
		{"several properties", "Casablanca", "Casablanca → Casablanca|Casablanca (exact)"},
		{"an alias of nothing", "nothing", ""},
		{"an alias under another label", "黑泽明", "黑泽明 → Akira Kurosawa (alias)"},
		{"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := show(l.Mentions(test.question, text.Tokens(test.question))); got != test.want {
				t.Errorf("%q\n got %s\nwant %s", test.question, got, test.want)
			}
		})
	}
}

func TestSure(t *testing.T) {
	l := newLinker()
	for question, want := range map[string]bool{"Titanic": true, "Titannic": false, "her": false, "fightclub": true} {
		ms := l.Mentions(question, text.Tokens(question))
		if len(ms) != 1 || ms[0].Sure() != want {
			t.Errorf("%q: %s, sure is not %v", question, show(ms), want)
		}
	}
}

func TestNamesAndNearest(t *testing.T) {
	l := newLinker()
	if got := l.Names("the dark knight"); len(got) != 1 || got[0].Value != "The Dark Knight" || got[0].How != store.Folded {
		t.Errorf("Names: %v", got)
	}
	if got := l.Names("dark"); got != nil {
		t.Errorf("Names of a part: %v", got)
	}
	if got := l.Nearest("Akira Kurasawa"); len(got) != 1 || got[0] != "Akira Kurosawa" {
		t.Errorf("Nearest: %v", got)
	}
}

// FuzzMentions holds mentions to their promise: in order, apart, within the
// tokens, each with a candidate.
func FuzzMentions(f *testing.F) {
	for _, s := range []string{"who directed Mulholand Drive?", "《盗梦空问》 · 盗梦空间", "Samual L. & Jackson - 'Her'", "its a wonderful lief", "\xff'\u0300 WALL·E"} {
		f.Add(s)
	}
	l := newLinker()
	f.Fuzz(func(t *testing.T, question string) {
		ts := text.Tokens(question)
		last := 0
		for _, m := range l.Mentions(question, ts) {
			if m.From < last || m.To <= m.From || m.To > len(ts) || len(m.Candidates) == 0 {
				t.Fatalf("%q: mention of tokens %d:%d of %d after %d, %d candidates", question, m.From, m.To, len(ts), last, len(m.Candidates))
			}
			if c := m.Candidates[0]; c.Mention != question[ts[m.From].Start:ts[m.To-1].End] {
				t.Fatalf("%q: %q is not what tokens %d:%d say", question, c.Mention, m.From, m.To)
			}
			last = m.To
		}
	})
}

func TestIsTelling(t *testing.T) {
	l := newLinker()
	for question, want := range map[string]bool{
		"who directed Titanic":   true,
		"寄生虫讲的什么故事":              true,
		"小丑讲的什么故事":               false,
		"盗梦空问讲的什么故事":             false,
		"what did her film cost": false,
	} {
		ms := l.Mentions(question, text.Tokens(question))
		if len(ms) != 1 || ms[0].IsTelling() != want {
			t.Errorf("%q: %s, telling %v", question, show(ms), !want)
		}
	}
}

// manyValues are made-up names of two words, Chinese ones among them.
func manyValues(n int) []link.Value {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("ba be bi bo bu da de di do du fa fe fi ka ke ki ko la le li lo lu ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to va ve vi vo")
	han := []rune("安白蓝绿红天地山水风云雨雪花草木林海江河湖星月日夜光影梦城门楼桥路马牛羊龙虎春夏秋冬东西南北金银铜铁玉石")
	word := func() string {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		s := b.String()
		return strings.ToUpper(s[:1]) + s[1:]
	}
	vs := make([]link.Value, n)
	for i := range vs {
		name := word() + " " + word()
		if i%5 == 0 {
			rs := make([]rune, 3+r.IntN(4))
			for k := range rs {
				rs[k] = han[r.IntN(len(han))]
			}
			name = string(rs)
		}
		vs[i] = link.Value{Label: "Person", Property: "name", Value: name, Labels: []string{"Person"}}
	}
	return vs
}

// BenchmarkMentions links questions with a name as stored, a misspelt one and
// none to 100,000 values. The bar is 3 ms a question.
func BenchmarkMentions(b *testing.B) {
	vs := manyValues(100_000)
	l := link.New(link.Config{Values: vs})
	english, chinese := vs[1].Value, []rune(vs[5].Value)
	wrong := english[:2] + "x" + english[3:]
	typo := append([]rune(nil), chinese...)
	typo[1] = '错'
	for _, bench := range []struct{ name, question string }{
		{"spelt", "which films did " + english + " and " + string(chinese) + " make together after 2000?"},
		{"misspelt", "which films did " + wrong + " direct with somebody of that naem?"},
		{"Chinese", "哪些电影是" + string(typo) + "导演的，又是哪一年在什么地方上映的"},
		{"unnamed", "how many directors acted in more than three productions before nineteen ninety?"},
	} {
		ts := text.Tokens(bench.question)
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				l.Mentions(bench.question, ts)
			}
		})
	}
}
