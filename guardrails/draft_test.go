package guardrails_test

import (
	"regexp"
	"strconv"
	"testing"

	"precedent/guardrails"
	"precedent/store/cypher"
)

var numbersIn = regexp.MustCompile(`\d+(\.\d+)?`)

// groundOf is what a question says, with the numbers that stand in it as digits.
func groundOf(question string) guardrails.Ground {
	g := guardrails.Ground{Question: question}
	for _, s := range numbersIn.FindAllString(question, -1) {
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			g.Numbers = append(g.Numbers, n)
		}
	}
	return g
}

// TestSharedDrafts counts right queries that would not be told.
func TestSharedDrafts(t *testing.T) {
	for _, name := range []string{"text2cypher_pairs.csv", "text2cypher_pairs_extra.csv"} {
		n, refused := 0, 0
		for _, row := range shared(t, name) {
			v := guardrails.Policy{}.Query(row["cypher"])
			if row["syntax_error"] == "True" || !v.Allow {
				continue
			}
			n++
			if why := (guardrails.Policy{}).Draft(v.Statement, nil, groundOf(row["question"])); why != "" {
				refused++
				t.Logf("%s\n\t%s\n\t%s", row["question"], row["cypher"], why)
			}
		}
		t.Logf("%s: %d of %d refused", name, refused, n)
		if refused*100 > n {
			t.Errorf("%s: %d of %d right queries would not be told", name, refused, n)
		}
	}
}

func draftOf(t *testing.T, question, query string, params map[string]any) string {
	t.Helper()
	s, err := cypher.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	g := groundOf(question)
	g.Words = []string{"Movie", "Person", "title", "year", "rating", "revenue", "DIRECTED", "name"}
	g.IsValue = func(name string) bool {
		return name == "michael bay" || name == "the matrix" || name == "christopher nolan" || name == "张艺谋"
	}
	return guardrails.Policy{}.Draft(s, params, g)
}

// TestHostileDrafts are queries that would tell what the graph doesn't say.
func TestHostileDrafts(t *testing.T) {
	const q, zh = "what is the swag factor of The Matrix", "《黑客帝国》得过几项奥斯卡奖"
	for _, tt := range []struct {
		question, query string
		params          map[string]any
	}{
		{q, "RETURN 4242", nil},
		{q, "RETURN 9999 AS swag", nil},
		{q, "MATCH (m:Movie {title: 'The Matrix'}) RETURN 9999 AS swag", nil},
		{q, "MATCH (m:Movie) RETURN m.title, 9999 AS swag", nil},
		{q, "MATCH (m:Movie) RETURN m.title, $n AS swag", map[string]any{"n": int64(7)}},
		{q, "MATCH (m:Movie) RETURN m.title, $n AS swag", map[string]any{"n": "very high"}},
		{q, "MATCH (m:Movie) RETURN m.title + ' won 99 Oscars'", nil},
		{q, "MATCH (m:Movie) RETURN m.title || ' won 99 Oscars'", nil},
		{q, "MATCH (m:Movie) RETURN m.title + $s", map[string]any{"s": " won it"}},
		{q, "MATCH (m:Movie) RETURN 'Michael Bay' AS director", nil},
		{q, "MATCH (m:Movie) RETURN CASE WHEN m.year > 0 THEN 'Michael Bay' END AS director", nil},
		{q, "MATCH (m:Movie) RETURN CASE m.title WHEN 'The Matrix' THEN 'Michael Bay' ELSE 'no' END AS director", nil},
		{q, "MATCH (m:Movie) RETURN CASE WHEN m.year > 1990 THEN 'winner of seven oscars' ELSE 'other' END AS x", nil},
		{q, "MATCH (m:Movie) RETURN CASE WHEN m.year > 1990 THEN 9999 ELSE 0 END AS swag", nil},
		{q, "MATCH (m:Movie) RETURN coalesce(m.swag, 9999) AS swag", nil},
		{q, "MATCH (m:Movie) RETURN coalesce(m.director, 'Michael Bay')", nil},
		{q, "MATCH (m:Movie) RETURN replace(m.title, m.title, 'Michael Bay')", nil},
		{q, "MATCH (m:Movie) RETURN replace(m.title, 'a', '7')", nil},
		{q, "MATCH (m:Movie) RETURN m.rating + 3", nil},
		{q, "MATCH (m:Movie) RETURN m.rating * 1000000", nil},
		{q, "MATCH (m:Movie) RETURN m.rating - 0.7 AS rating", nil},
		{q, "MATCH (m:Movie) RETURN m.revenue / 3 AS revenue", nil},
		{q, "MATCH (m:Movie) RETURN m.title AS `won 11 Oscars`", nil},
		{q, "MATCH (m:Movie) RETURN m.title AS won_11_oscars", nil},
		{q, "MATCH (m:Movie) RETURN m.title AS `directed by Michael Bay`", nil},
		{q, "MATCH (m:Movie) RETURN m.title AS Michael_Bay", nil},
		{q, "MATCH (m:Movie) RETURN m.title AS MichaelBay", nil},
		{q, "UNWIND ['Michael Bay', 'Somebody'] AS d RETURN d", nil},
		{q, "MATCH (m:Movie) UNWIND [7, 8] AS oscars RETURN m.title, oscars", nil},
		{q, "MATCH (m:Movie) WITH m, 7 AS oscars RETURN m.title, oscars", nil},
		{q, "MATCH (m:Movie) WITH m, {oscars: 7} AS x RETURN m.title, x.oscars", nil},
		{q, "MATCH (m:Movie) RETURN m.title, [x IN [7] | x][0] AS oscars", nil},
		{q, "MATCH (m:Movie) RETURN m {.title, oscars: 7}", nil},
		{q, "MATCH (m:Movie) RETURN {film: m.title, director: 'Michael Bay'}", nil},
		{q, "MATCH (m:Movie) RETURN [m.title, 'Michael Bay']", nil},
		{q, "MATCH (m:Movie) RETURN reduce(s = 7, x IN [m] | s)", nil},
		{q, "MATCH (m:Movie) RETURN reduce(s = '', x IN collect(m) | 'Michael Bay')", nil},
		{q, "MATCH (m:Movie) RETURN toString(7) AS oscars", nil},
		{q, "MATCH (m:Movie) RETURN date('2020-02-09') AS won", nil},
		{q, "MATCH (m:Movie) RETURN head(['Michael Bay']) AS director", nil},
		{q, "RETURN true AS answer", nil},
		{q, "RETURN 1 = 1 AS answer", nil},
		{q, "RETURN count(*) AS n", nil},
		{q, "MATCH (m:Movie) CALL { RETURN 7 AS n } RETURN m.title, n", nil},
		{q, "MATCH (m:Movie) RETURN m.title UNION RETURN 'Michael Bay' AS title", nil},
		{q, "MATCH (m:Movie) RETURN COLLECT { RETURN 7 }", nil},
		{q, "MATCH (m:Movie) RETURN m.title, m.title = m.title AS good", nil},
		{q, "MATCH (m:Movie) RETURN m.title, m.year >= 0 OR true AS good", nil},
		{q, "MATCH (m:Movie) RETURN m.title, NOT (m.year > 0 AND false) AS good", nil},
		{q, "MATCH (m:Movie) RETURN m.title, true XOR m.year IS NULL AS good", nil},
		{q, "MATCH (m:Movie) RETURN m.title, 1 < m.year = m.year AS good", nil},
		{q, "MATCH (m:Movie) RETURN m.title, m.rating * 1.2 AS rating", nil},
		{"the top 20 films by rating", "MATCH (m:Movie) RETURN m.title, m.rating * 1.2 AS rating", nil},
		{"films with 20% more", "MATCH (m:Movie) RETURN m.title, m.rating * 1.3 AS rating", nil},
		{zh, "RETURN 7 AS 奖项", nil},
		{zh, "MATCH (m:Movie {title: 'The Matrix'}) RETURN '七项' AS 奖项", nil},
		{zh, "MATCH (m:Movie) RETURN m.title + '获得7项奥斯卡'", nil},
		{zh, "MATCH (m:Movie) RETURN CASE WHEN m.year > 0 THEN '张艺谋' END AS 导演", nil},
		{zh, "MATCH (m:Movie) RETURN m.title AS 导演是张艺谋", nil},
		{zh, "MATCH (m:Movie) RETURN m.title AS 获得11项奥斯卡", nil},
		{zh, "MATCH (m:Movie) RETURN coalesce(m.awards, '四项大奖') AS 奖项", nil},
		{zh, "MATCH (m:Movie) RETURN m.title, $n AS 奖项", map[string]any{"n": int64(4)}},
		{zh, "UNWIND ['张艺谋'] AS 导演 RETURN 导演", nil},
	} {
		if draftOf(t, tt.question, tt.query, tt.params) == "" {
			t.Errorf("told: %s", tt.query)
		}
	}
}

// TestHonestDrafts compute from what they match.
func TestHonestDrafts(t *testing.T) {
	for _, tt := range []struct {
		question, query string
		params          map[string]any
	}{
		{"how many films are there", "MATCH (m:Movie) RETURN count(m) AS films", nil},
		{"revenue of The Matrix in millions", "MATCH (m:Movie {title: $t}) RETURN m.revenue / 1000000.0 AS revenue_millions", map[string]any{"t": "The Matrix"}},
		{"how long is The Matrix in hours", "MATCH (m:Movie {title: $t}) RETURN m.runtime / 60.0 AS hours", map[string]any{"t": "The Matrix"}},
		{"average rating, one decimal", "MATCH (m:Movie) RETURN round(avg(m.rating) * 10) / 10 AS average", nil},
		{"average rating", "MATCH (m:Movie) RETURN round(avg(m.rating), 1) AS averageRating", nil},
		{"share of films after 2000", "MATCH (m:Movie) RETURN 100.0 * sum(CASE WHEN m.year > 2000 THEN 1 ELSE 0 END) / count(m) AS percent", nil},
		{"films per decade", "MATCH (m:Movie) RETURN (m.year / 10) * 10 AS decade, count(*) AS films", nil},
		{"films per decade", "MATCH (m:Movie) RETURN toInteger(floor(m.year / 10)) * 10 AS decade, count(*) AS films", nil},
		{"films before and after 2000", "MATCH (m:Movie) RETURN CASE WHEN m.year < 2000 THEN 'before 2000' ELSE 'since 2000' END AS period, count(*) AS films", nil},
		{"who made more films, Nolan or Spielberg", "UNWIND ['Nolan', 'Spielberg'] AS d MATCH (p:Person {name: d})-[:DIRECTED]->(m) RETURN d AS director, count(m) AS films", nil},
		{"who made more films, Nolan or Spielberg", "MATCH (p:Person {name: $a})-[:DIRECTED]->(m) RETURN $a AS director, count(m) AS films UNION MATCH (p:Person {name: $b})-[:DIRECTED]->(m) RETURN $b AS director, count(m) AS films",
			map[string]any{"a": "Nolan", "b": "Spielberg"}},
		{"is The Matrix longer than Titanic", "MATCH (a:Movie {title: 'The Matrix'}), (b:Movie {title: 'Titanic'}) RETURN a.runtime > b.runtime AS longer", nil},
		{"is The Matrix longer than Titanic", "MATCH (a:Movie {title: 'The Matrix'}), (b:Movie {title: 'Titanic'}) RETURN CASE WHEN a.runtime > b.runtime THEN a.title ELSE b.title END AS longer", nil},
		{"did Nolan direct a comedy", "MATCH (p:Person {name: 'Nolan'}) RETURN EXISTS { (p)-[:DIRECTED]->(:Movie)-[:IN_GENRE]->(:Genre {name: 'Comedy'}) } AS yes", nil},
		{"profit of each film", "MATCH (m:Movie) RETURN m.title, m.revenue - m.budget AS profit", nil},
		{"how old was Nolan when he made it", "MATCH (p:Person)-[:DIRECTED]->(m:Movie) RETURN m.year - p.born.year AS age", nil},
		{"names of directors", "MATCH (p:Person) RETURN p.firstName + ' ' + p.lastName AS name", nil},
		{"titles with years", "MATCH (m:Movie) RETURN m.title + ' (' + toString(m.year) + ')' AS film", nil},
		{"which films have no rating", "MATCH (m:Movie) RETURN m.title, coalesce(m.rating, 0) AS rating", nil},
		{"which films have no tagline", "MATCH (m:Movie) RETURN m.title, coalesce(m.tagline, 'unknown') AS tagline", nil},
		{"colleagues of Nolan", "MATCH (p:Person {name: 'Nolan'})-->(m)<--(q) RETURN q.name, collect(DISTINCT m.title) AS films", nil},
		{"first words of titles", "MATCH (m:Movie) RETURN split(m.title, ' ')[0] AS word", nil},
		{"months of releases", "MATCH (m:Movie) RETURN date.truncate('month', m.released) AS month, count(*) AS films", nil},
		{"days between", "MATCH (a:Movie), (b:Movie) RETURN duration.between(a.released, b.released).days AS days", nil},
		{"films of the 1990s", "MATCH (m:Movie) WHERE m.year >= 1990 AND m.year < 2000 RETURN count(m) AS films_1990s", nil},
		{"top 5 films", "MATCH (m:Movie) RETURN m.title AS title ORDER BY m.rating DESC LIMIT 5", nil},
		{"path between two people", "MATCH p = shortestPath((a:Person {name: 'A'})-[*..6]-(b:Person {name: 'B'})) RETURN [n IN nodes(p) | coalesce(n.name, n.title)] AS path, length(p) AS hops", nil},
		{"median rating", "MATCH (m:Movie) RETURN percentileCont(m.rating, 0.5) AS median", nil},
		{"two films with the most genres", "MATCH (m:Movie) RETURN m.title, COUNT { (m)-[:IN_GENRE]->() } AS genres", nil},
		{"long films", "MATCH (m:Movie) RETURN m.title, CASE WHEN m.runtime >= 150 THEN 'long' ELSE 'short' END AS length", nil},
		{"评分最高的电影", "MATCH (m:Movie) RETURN m.title AS 电影, m.rating AS 评分 ORDER BY m.rating DESC LIMIT 1", nil},
		{"票房多少亿", "MATCH (m:Movie) RETURN m.title AS 电影, m.revenue / 100000000.0 AS 票房", nil},
		{"2000年前后各有多少电影", "MATCH (m:Movie) RETURN CASE WHEN m.year < 2000 THEN '2000年之前' ELSE '2000年以后' END AS 年代, count(*) AS 数量", nil},
		{"诺兰和斯皮尔伯格谁拍得多", "UNWIND ['诺兰', '斯皮尔伯格'] AS 导演 MATCH (p:Person {zh: 导演})-[:DIRECTED]->(m) RETURN 导演, count(m) AS 数量", nil},
		{"每个类型的平均评分", "MATCH (m:Movie)-[:IN_GENRE]->(g) RETURN g.name AS 类型, avg(m.rating) AS 平均评分", nil},
		{"有没有姜文导演的喜剧", "MATCH (m:Movie)<-[:DIRECTED]-(p {name: '姜文'}) RETURN count(m) > 0 AS 有", nil},
		{"电影占比", "MATCH (m:Movie) WITH count(m) AS total MATCH (m:Movie) WHERE m.year > 2000 RETURN count(m) * 100.0 / total AS 百分比", nil},
		{"长片", "MATCH (m:Movie) RETURN m.title, CASE WHEN m.runtime > 150 THEN '长' ELSE '短' END AS 长短", nil},
		{"which of these are dramas", "MATCH (m:Movie) RETURN m.title, 'Drama' IN m.genres AS isDrama", nil},
		{"how many are not rated", "MATCH (m:Movie) WHERE m.rating IS NULL RETURN count(*)", nil},
		{"films and their directors", "MATCH (m:Movie) RETURN m {.title, directors: [(m)<-[:DIRECTED]-(p) | p.name]} AS film", nil},
		{"salary per week", "MATCH (p:Person) RETURN p.name, p.salary / 52.0 AS weekly", nil},
		{"size of each file in GB", "MATCH (f:File) RETURN f.name, f.size / 1073741824.0 AS gb", nil},
		{"prices with 19% tax", "MATCH (p:Product) RETURN p.name, p.price * 1.19 AS gross", nil},
		{"what would 20% off be", "MATCH (p:Product) RETURN p.name, p.price * 0.8 AS price", nil},
		{"涨价15％以后的价格", "MATCH (p:Product) RETURN p.name, 1.15 * p.price AS 价格", nil},
		{"which are both old and long", "MATCH (m:Movie) RETURN m.title, m.year < 1950 AND m.runtime > 150 AS both", nil},
		{"which films are in colour", "MATCH (m:Movie) RETURN m.title, m.colour = true AS colour", nil},
		{"total", "MATCH (m:Movie) RETURN reduce(total = 0, x IN collect(m.revenue) | total + x) AS total", nil},
	} {
		if why := draftOf(t, tt.question, tt.query, tt.params); why != "" {
			t.Errorf("%s: %s", tt.query, why)
		}
	}
}
