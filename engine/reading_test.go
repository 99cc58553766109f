package engine

import (
	"context"
	"testing"
)

// TestSameReading holds readings to what a person hears: each line of a group
// asks the same, no two groups do, and what is "" has no frame at all.
func TestSameReading(t *testing.T) {
	groups := []struct {
		key       string
		questions []string
	}{
		{"count Movie | Movie DIRECTED by ⟨Person.name⟩ | Movie IN_GENRE ⟨Genre.name⟩",
			[]string{"How many sci-fi films did Nolan make?", "诺兰拍过几部科幻片", "number of sci-fi movies directed by Christopher Nolan", "克里斯托弗·诺蘭導演了多少部科幻電影？"}},
		{"list top slot Movie by Movie.imdbRating desc | Movie IN_GENRE ⟨Genre.name⟩",
			[]string{"top 5 comedies by rating", "评分最高的5部喜剧", "the five highest rated comedies", "喜剧片里评分最高的五部"}},
		{"list Movie | Movie ACTED_IN by ⟨Person.name⟩ | Movie year >= ⟨Movie.year⟩",
			[]string{"films Tom Hanks was in since 2000", "汤姆·汉克斯2000年起演的片", "which movies has Tom Hanks acted in since 2000?"}},
		{"list Movie | Movie ACTED_IN by ⟨Person.name⟩ | Movie year > ⟨Movie.year⟩",
			[]string{"films Tom Hanks was in after 2000", "汤姆·汉克斯2000年以后演的电影"}},
		{"list Person via DIRECTED | Movie is title ⟨Movie.title⟩",
			[]string{"who directed The Matrix?", "《黑客帝国》是谁导的", "director of 盗梦空间", "谁导演了Inception"}},
		{"list Person via ACTED_IN | Movie DIRECTED by ⟨Person.name⟩",
			[]string{"whom did Nolan direct", "which actors did Christopher Nolan direct", "哪些演员演过诺兰的电影"}},
		{"list Person via DIRECTED | Movie ACTED_IN by ⟨Person.name⟩",
			[]string{"who directed Tom Hanks", "谁导演过汤姆·汉克斯", "which directors directed Tom Hanks"}},
		{"list Person via ACTED_IN | Movie DIRECTED by ⟨Person.name⟩ | not Person is name ⟨Person.name⟩",
			[]string{"除了巩俐还有谁演过张艺谋的电影", "who else acted in Zhang Yimou films besides Gong Li"}},
		{"list User via RATED | Movie is title ⟨Movie.title⟩ | RATED rating = ⟨RATED.rating⟩", []string{"who gave Forrest Gump 5 stars", "哪些用户给阿甘正传打了5分"}},
		{"list Movie | not Movie has plot", []string{"films without a plot", "哪些电影没有简介", "movies with no plot"}},
		{"list Movie | Movie runtime > ⟨Movie.runtime⟩", []string{"films over 3 hours", "超过3小时的电影", "movies longer than 180 minutes", "比三个小时长的电影"}},
		{"list Movie | Movie runtime >= ⟨Movie.runtime⟩", []string{"films of at least 3 hours", "3小时以上的电影", "至少180分钟的电影"}},
		{"list Movie | Movie runtime < ⟨Movie.runtime⟩", []string{"films under 90 minutes", "不到90分钟的电影"}},
		{"list Person via DIRECTED | Person count Movie > ⟨count⟩", []string{"directors with more than 3 films", "导演过超过3部电影的导演"}},
		{"list Person via DIRECTED | Person count Movie >= ⟨count⟩", []string{"directors with at least 3 films", "哪些导演拍过3部以上的电影"}},
		{"list Movie | Movie year decade ⟨decade⟩", []string{"films from the 1990s", "90年代的电影", "nineties movies", "九十年代的片子"}},
		{"list Movie | Movie countries has ⟨Movie.countries⟩", []string{"French films", "法国电影", "movies from France"}},
		{"list Movie | Movie languages has ⟨Movie.languages⟩", []string{"films in French", "法语片", "French-language movies"}},
		{"list Movie | not Movie languages has ⟨Movie.languages⟩", []string{"films not in English", "非英语电影"}},
		{"path Person | Person is name ⟨Person.name⟩ to ⟨Person.name⟩", []string{"shortest path between Tom Hanks and Gong Li", "汤姆·汉克斯和巩俐之间有什么联系"}},
		{"", []string{
			"谁演过叶问", "哪个用户打分次数最多", "which user ratings are highest", "演过叶问的演员都有谁", "cast of Heat and Casino", "无间道和无间行者的主演分别是谁",
			"which films flopped?", "films by Nolan and Spielberg", "my favourite comedies", "今年的电影", "films from France and Italy",
			"directors of the best films", "movies directed by someone who has also acted", "genres with the number of films",
			"films that are only comedies", "who directed heat", "who else directed", "how many films did Nolan make and how many are sci-fi", "countries without comedies", "3年前的电影",
			"directors whose films are all comedies", "actors in all of Nolan's films", "电影都是喜剧的导演", "哪些导演拍的全部是喜剧", "not all comedies", "actors in most Nolan films",
			"who worked with Tom Hanks but not Tom Cruise", "hasn't Spielberg directed Tom Hanks", "who did Tom Hanks play", "films longer than 1917",
			"films starring Tom Hanks as well as films by Spielberg", "汤姆·汉克斯演的电影和斯皮尔伯格拍的电影", "how many minutes are all Nolan films together",
			"is Nolan's longest film a comedy", "诺兰最长的电影是喜剧吗", "诺兰的演员演过的喜剧", "which comedies did Nolan's actors act in", "who directed the Toy Story films",
			"who acted in films directed by French directors", "who acted in Heat and directed a film", "how many films are like Heat", "films longer than both Heat and Casino",
			"films with a budget between 100 and 200 million", "films between 90 and 2 hours", "films from 1990 and 1995", "1990年和1995年的电影", "films with ratings of 7 and 8", "评分7分和8分的电影",
			"斯皮尔伯格哪类电影评分最高", "斯皮尔伯格上一部科幻片", "who directed 1917", "1917是谁导演的", "cast of 2012", "rating of 2012", "list comedies with directors", "克林特·伊斯特伍德演的和导的电影", "what roles has Tom Hanks not played", "directors who directed together in the 90s",
			"一起导演过的导演", "films of the 1900s", "films that aren't romantic comedies", "不是法国喜剧的电影",
			"爱情喜剧以外的电影", "films in different languages", "total comedies", "拍过一部电影的导演", "films Tom Hanks would have made", "要么是喜剧要么是剧情片的电影",
		}},
	}
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	for _, g := range groups {
		for _, q := range g.questions {
			rd := e.snapshot().reader.Read(q)
			got := ""
			if rd.Frame != nil {
				got = rd.Key()
			}
			if got != g.key {
				t.Errorf("%q reads as %q (%s), want %q", q, got, rd.Why, g.key)
			}
		}
	}
}

// FuzzRead: no text makes the reader panic, and slots lie within the text.
func FuzzRead(f *testing.F) {
	e, _, err := Open(f.Context(), Config{Data: Shipped.Copy(f)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { e.Close(context.Background()) })
	for _, q := range []string{"who directed The Matrix?", "诺兰拍过几部科幻片", "top 5 comedies by rating", "那喜剧呢？", "“’s 《》 90s 90年代 8½ $1,000m"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		if len(q) > 2000 {
			return
		}
		rd := e.snapshot().reader.Read(q)
		for _, s := range rd.Slots {
			if s.Start < 0 || s.End < s.Start || s.End > len(q) {
				t.Errorf("%q: slot %v at %d:%d", q, s, s.Start, s.End)
			}
		}
		before := e.snapshot().reader.Read("top 5 comedies by rating")
		e.snapshot().reader.Swap(q, before, "top 5 comedies by rating")
		e.snapshot().reader.Extend(q, before)
		e.snapshot().reader.Resolve(q, rd, before, "top 5 comedies by rating", "Heat")
	})
}
