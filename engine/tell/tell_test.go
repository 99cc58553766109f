package tell_test

import (
	"fmt"
	"strings"
	"testing"

	"precedent/engine/tell"
	"precedent/engine/words"
	"precedent/guardrails"
	"precedent/store"
)

const (
	long    = `MATCH (m:Movie {title: $film}) RETURN m.runtime > 120 AS answer, m.title AS title, m.runtime AS minutes`
	younger = `MATCH (p:Person {name: $first}), (o:Person {name: $second}) RETURN p.born > o.born AS answer, p.born AS born, o.born AS otherBorn`
	longer  = `MATCH (m:Movie {title: $first}), (o:Movie {title: $second})
		RETURN m.runtime > o.runtime AS answer, m.title AS film, m.runtime AS minutes, o.title AS other, o.runtime AS other_minutes`
	more = `MATCH (p:Person) WHERE p.name IN [$first, $second, $third] OPTIONAL MATCH (p)-[:ACTED_IN]->(m:Movie)
		RETURN p.name AS name, count(DISTINCT m) AS films ORDER BY films DESC, name`
	older = `MATCH (p:Person) WHERE p.name IN [$first, $second] AND p.born IS NOT NULL RETURN p.name AS name, p.born AS born ORDER BY born, name`
	earns = `MATCH (m:Movie) WHERE m.title IN $films RETURN m.title AS title, m.year AS year, m.revenue AS revenue ORDER BY coalesce(m.revenue, -1) DESC, title`
	most  = `MATCH (m:Movie)<-[:ACTED_IN]-(p:Person) WITH m, count(DISTINCT p) AS actors WITH max(actors) AS top
		MATCH (m:Movie)<-[:ACTED_IN]-(p:Person) WITH m, count(DISTINCT p) AS actors, top WHERE actors = top
		RETURN m.title AS title, m.year AS year, actors ORDER BY title`
	longest = `MATCH (m:Movie) WITH max(m.runtime) AS most MATCH (m:Movie) WHERE m.runtime = most
		RETURN m.title AS title, m.year AS year, m.runtime AS minutes ORDER BY title, year`
	best = `MATCH (m:Movie) WHERE m.imdbRating IS NOT NULL RETURN m.title AS title, m.imdbRating AS rating ORDER BY m.imdbRating DESC, title LIMIT $n`
	path = `MATCH (a:Person {name: $first}), (b:Person {name: $second}) MATCH path = shortestPath((a)-[*..12]-(b))
		RETURN [n IN nodes(path) | coalesce(n.name, n.title)] AS path, length(path) / 2 AS films`
)

var (
	hanks, pitt = store.Date{Days: -4924}, store.Date{Days: -2206} // 1956-07-09, 1963-12-18
	pair        = map[string]any{"first": "Tom Hanks", "second": "Brad Pitt"}
	three       = map[string]any{"first": "Tom Hanks", "second": "Brad Pitt", "third": "Tom Cruise"}
	names       = map[string]any{"names": []any{"Tom Hanks", "Brad Pitt"}}
	films       = map[string]any{"films": []any{"Titanic", "Avatar"}}
)

func cols(s string) []string { return strings.Fields(s) }

// list is a column of n names.
func list(n int) (rows [][]any) {
	for i := range n {
		rows = append(rows, []any{fmt.Sprintf("Film %c", 'A'+i)})
	}
	return rows
}

func TestText(t *testing.T) {
	born := cols("answer born otherBorn")
	both := cols("answer film minutes other other_minutes")
	tests := []struct {
		name   string
		found  tell.Found
		en, zh string
	}{
		{"yes or no, names of the query",
			tell.Found{Query: younger, Params: pair, Columns: born, Rows: [][]any{{false, hanks, pitt}}},
			"No. Tom Hanks (1956-07-09), Brad Pitt (1963-12-18)", "否。Tom Hanks (1956-07-09)，Brad Pitt (1963-12-18)"},
		{"yes or no, names of the row",
			tell.Found{Query: longer, Params: map[string]any{"first": "Titanic", "second": "Up"}, Columns: both, Rows: [][]any{{true, "Titanic", int64(194), "Up", int64(96)}}},
			"Yes. Titanic (194), Up (96)", "是。Titanic (194)，Up (96)"},
		{"yes or no, of one thing",
			tell.Found{Query: long, Params: map[string]any{"film": "Titanic"}, Columns: cols("answer title minutes"), Rows: [][]any{{true, "Titanic", int64(194)}}},
			"Yes. Titanic (194)", "是。Titanic (194)"},
		{"yes or no, of one thing without a name",
			tell.Found{Query: long, Params: map[string]any{"film": ""}, Columns: cols("answer title minutes"), Rows: [][]any{{nil, nil, nil}}},
			"The graph doesn't say. title: —, minutes: —", "图谱里没有记载。title：—，minutes：—"},
		{"neither yes nor no",
			tell.Found{Query: younger, Params: pair, Columns: born, Rows: [][]any{{nil, hanks, nil}}},
			"The graph doesn't say. Tom Hanks (1956-07-09), Brad Pitt (—)", "图谱里没有记载。Tom Hanks (1956-07-09)，Brad Pitt (—)"},
		{"neither yes nor no, and nothing else", tell.Found{Question: "is Tom Hanks younger than Brad Pitt",
			Query: `MATCH (p:Person {name: $first}), (o:Person {name: $second}) RETURN p.born > o.born AS answer`, Params: pair, Columns: cols("answer"), Rows: [][]any{{nil}}},
			"The graph doesn't say.", "图谱里没有记载。"},
		{"neither yes nor no, all unknown",
			tell.Found{Query: younger, Params: pair, Columns: born, Rows: [][]any{{nil, nil, nil}}},
			"The graph doesn't say. Tom Hanks (—), Brad Pitt (—)", "图谱里没有记载。Tom Hanks (—)，Brad Pitt (—)"},
		{"no, as they are the same",
			tell.Found{Query: longer, Columns: both, Rows: [][]any{{false, "Titanic", int64(194), "Nixon", int64(194)}}},
			"No. A tie at 194: Titanic, Nixon", "否。并列（194）：Titanic、Nixon"},
		{"yes or no, nobody knows of whom",
			tell.Found{Query: `MATCH (p:Person), (o:Person) WHERE p.name STARTS WITH $a AND o.name STARTS WITH $b RETURN p.born > o.born AS answer, p.born AS born, o.born AS otherBorn`,
				Params: map[string]any{"a": "Tom", "b": "Brad"}, Columns: born, Rows: [][]any{{false, hanks, pitt}}},
			"No. born: 1956-07-09, otherBorn: 1963-12-18", "否。born：1956-07-09，otherBorn：1963-12-18"},
		{"yes or no, of another who has the variable",
			tell.Found{Query: `MATCH (p:Person {name: $first})-[:ACTED_IN]->(m:Movie) WITH m MATCH (m)<-[:DIRECTED]-(p:Person), (o:Person {name: $second}) RETURN p.born > o.born AS answer, p.born AS born, o.born AS otherBorn`,
				Params: pair, Columns: born, Rows: [][]any{{false, hanks, pitt}}},
			"No. born: 1956-07-09, otherBorn: 1963-12-18", "否。born：1956-07-09，otherBorn：1963-12-18"},
		{"yes or no, of people of a place",
			tell.Found{Query: `MATCH (p:Person {bornIn: $first}), (o:Person {name: $second}) RETURN p.born > o.born AS answer, p.born AS born, o.born AS otherBorn`,
				Params: pair, Columns: born, Rows: [][]any{{false, hanks, pitt}}},
			"No. born: 1956-07-09, otherBorn: 1963-12-18", "否。born：1956-07-09，otherBorn：1963-12-18"},
		{"yes or no, of people who lack a name",
			tell.Found{Query: `MATCH (p:Person), (o:Person {name: $second}) WHERE NOT (p {name: $first})-[:DIRECTED]->() RETURN p.born > o.born AS answer, p.born AS born, o.born AS otherBorn`,
				Params: pair, Columns: born, Rows: [][]any{{false, hanks, pitt}}},
			"No. born: 1956-07-09, otherBorn: 1963-12-18", "否。born：1956-07-09，otherBorn：1963-12-18"},
		{"yes or no, of one and the same name",
			tell.Found{Query: younger, Params: map[string]any{"first": "Kim Lee", "second": "Kim Lee"}, Columns: born, Rows: [][]any{{false, hanks, pitt}}},
			"No. born: 1956-07-09, otherBorn: 1963-12-18", "否。born：1956-07-09，otherBorn：1963-12-18"},
		{"yes or no, empty names",
			tell.Found{Query: longer, Columns: both, Rows: [][]any{{true, "", int64(194), " \n", int64(96)}}},
			"Yes. film: “”, minutes: 194, other: “”, other_minutes: 96", "是。film：“”，minutes：194，other：“”，other_minutes：96"},
		{"a property that is true or false is no answer",
			tell.Found{Query: `MATCH (m:Movie {title: $t}) RETURN m.colour AS colour, m.year AS year`, Columns: cols("colour year"), Rows: [][]any{{true, int64(1997)}}},
			"colour: true, year: 1997", "colour：true，year：1997"},
		{"a name that breaks lines and marks up",
			tell.Found{Query: longer, Columns: both, Rows: [][]any{{true, "<!here>\n*Up*", int64(194), "@everyone", int64(96)}}},
			"Yes. <!here> *Up* (194), @everyone (96)", "是。<!here> *Up* (194)，@everyone (96)"},

		{"compared", tell.Found{Query: older, Params: pair, Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}, {"Brad Pitt", pitt}}},
			"Tom Hanks (1956-07-09), Brad Pitt (1963-12-18)", "Tom Hanks (1956-07-09)，Brad Pitt (1963-12-18)"},
		{"compared, one of them unknown", tell.Found{Query: older, Params: pair, Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}}},
			"Tom Hanks (1956-07-09); nothing found for Brad Pitt", "Tom Hanks (1956-07-09)；没有找到 Brad Pitt"},
		{"compared, a null first", tell.Found{Query: earns, Params: films, Columns: cols("title year revenue"),
			Rows: [][]any{{"Avatar", int64(2009), nil}, {"Titanic", int64(1997), int64(2264000000)}}},
			"The graph doesn't say. Titanic (2,264,000,000), Avatar (—)", "图谱里没有记载。Titanic (2,264,000,000)，Avatar (—)"},
		{"compared, one null, one not there", tell.Found{Query: more, Params: three, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(11)}, {"Tom Cruise", nil}}},
			"The graph doesn't say. Tom Hanks (11), Tom Cruise (—); nothing found for Brad Pitt", "图谱里没有记载。Tom Hanks (11)，Tom Cruise (—)；没有找到 Brad Pitt"},
		{"compared, one not there", tell.Found{Query: earns, Params: films, Columns: cols("title year revenue"), Rows: [][]any{{"Titanic", int64(1997), int64(2264000000)}}},
			"Titanic (2,264,000,000); nothing found for Avatar", "Titanic (2,264,000,000)；没有找到 Avatar"},
		{"compared, all null", tell.Found{Query: earns, Params: films, Columns: cols("title year revenue"),
			Rows: [][]any{{"Avatar", int64(2009), nil}, {"Titanic", int64(1997), nil}}},
			"The graph doesn't say. Avatar (—), Titanic (—)", "图谱里没有记载。Avatar (—)，Titanic (—)"},
		{"three compared", tell.Found{Query: more, Params: three, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(11)}, {"Tom Cruise", int64(9)}, {"Brad Pitt", int64(2)}}},
			"Tom Hanks (11), Tom Cruise (9), Brad Pitt (2)", "Tom Hanks (11)，Tom Cruise (9)，Brad Pitt (2)"},
		{"three compared, a tie for first", tell.Found{Query: more, Params: three, Columns: cols("name films"), Rows: [][]any{{"Tom Cruise", int64(9)}, {"Tom Hanks", int64(9)}, {"Brad Pitt", int64(2)}}},
			"A tie at 9: Tom Cruise, Tom Hanks; Brad Pitt (2)", "并列（9）：Tom Cruise、Tom Hanks；Brad Pitt (2)"},
		{"three compared, a tie behind the first", tell.Found{Query: more, Params: three, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(11)}, {"Brad Pitt", int64(9)}, {"Tom Cruise", int64(9)}}},
			"Tom Hanks (11), Brad Pitt (9), Tom Cruise (9)", "Tom Hanks (11)，Brad Pitt (9)，Tom Cruise (9)"},
		{"names that end in numbers", tell.Found{Query: earns, Params: map[string]any{"films": []any{"Wolf Warrior 2", "2046"}}, Columns: cols("title year revenue"),
			Rows: [][]any{{"Wolf Warrior 2", int64(2017), int64(123)}, {"2046", int64(2004), int64(19)}}},
			"Wolf Warrior 2 (123), 2046 (19)", "Wolf Warrior 2 (123)，2046 (19)"},
		{"names with commas", tell.Found{Query: earns, Params: map[string]any{"films": []any{"The Good, the Bad and the Ugly", "Up"}}, Columns: cols("title year revenue"),
			Rows: [][]any{{"The Good, the Bad and the Ugly", int64(1966), int64(25)}, {"Up", int64(2009), int64(20)}}},
			"The Good, the Bad and the Ugly (25); Up (20)", "The Good, the Bad and the Ugly (25)，Up (20)"},
		{"names with commas that tie", tell.Found{Query: best, Params: map[string]any{"n": int64(5)}, Columns: cols("title rating"),
			Rows: [][]any{{"Inception", 8.8}, {"The Good, the Bad and the Ugly", 8.8}, {"Up", 8.3}}},
			"3 rows; tie for first (8.8): Inception; The Good, the Bad and the Ugly", "共 3 条，并列第一（8.8）：Inception、The Good, the Bad and the Ugly"},
		{"a list of names with commas", tell.Found{Columns: cols("title year rating"), Rows: [][]any{{"Up", int64(2009), 8.3}, {"Me, You", int64(2009), 8.3}, {"Ran", int64(1985), 8.2}, {"M", int64(1931), 8.3}}},
			"4 rows: Up; Me, You; Ran; …", "共 4 条：Up、Me, You、Ran……"},
		{"a row with commas", tell.Found{Columns: cols("title genres"), Rows: [][]any{{"Up", []any{"Animation", "Comedy"}}}},
			"title: Up; genres: Animation, Comedy", "title：Up，genres：Animation、Comedy"},
		{"two of one name aren't compared", tell.Found{Query: more, Params: three, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(9)}, {"Tom Hanks", int64(9)}}},
			"2 rows: Tom Hanks (9), Tom Hanks (9)", "共 2 条：Tom Hanks (9)、Tom Hanks (9)"},
		{"the order is not that of a value", tell.Found{Query: `MATCH (p:Person) WHERE p.name IN [$first, $second] RETURN p.name AS name, p.born AS born ORDER BY name`, Params: pair,
			Columns: cols("name born"), Rows: [][]any{{"Brad Pitt", pitt}, {"Tom Hanks", hanks}}},
			"2 rows: Brad Pitt (1963-12-18), Tom Hanks (1956-07-09)", "共 2 条：Brad Pitt (1963-12-18)、Tom Hanks (1956-07-09)"},
		{"a value of something else", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.name IN [$first, $second] RETURN p.name AS name, m.year AS year ORDER BY year`, Params: pair,
			Columns: cols("name year"), Rows: [][]any{{"Brad Pitt", int64(1994)}, {"Tom Hanks", int64(1994)}}},
			"2 rows: Brad Pitt (1994), Tom Hanks (1994)", "共 2 条：Brad Pitt (1994)、Tom Hanks (1994)"},
		{"some of many compared", tell.Found{Query: `MATCH (p:Person) WHERE p.name IN [$first, $second] OR p.born IS NULL RETURN p.name AS name, p.born AS born ORDER BY born`, Params: pair,
			Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}}},
			"name: Tom Hanks, born: 1956-07-09", "name：Tom Hanks，born：1956-07-09"},

		{"compared, the others cut off", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.name IN $names WITH p, count(m) AS films ORDER BY films DESC LIMIT 1 RETURN p.name AS name, films ORDER BY films DESC`,
			Params: names, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(20)}}},
			"name: Tom Hanks, films: 20", "name：Tom Hanks，films：20"},
		{"compared, the others passed over", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.name IN $names WITH p, count(m) AS films ORDER BY films SKIP 1 RETURN p.name AS name, films ORDER BY films DESC`,
			Params: names, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(20)}}},
			"name: Tom Hanks, films: 20", "name：Tom Hanks，films：20"},
		{"compared, the others have too few", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.name IN $names WITH p, count(m) AS films WHERE films > 10 RETURN p.name AS name, films ORDER BY films DESC`,
			Params: names, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(20)}}},
			"name: Tom Hanks, films: 20", "name：Tom Hanks，films：20"},
		{"compared, the others born later", tell.Found{Query: `MATCH (p:Person) WHERE p.name IN $names AND p.born.year < 1960 RETURN p.name AS name, p.born AS born ORDER BY born`,
			Params: names, Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}}},
			"name: Tom Hanks, born: 1956-07-09", "name：Tom Hanks，born：1956-07-09"},
		{"compared, the others dead", tell.Found{Query: `MATCH (p:Person) WHERE p.name IN $names AND p.died IS NULL RETURN p.name AS name, p.born AS born ORDER BY born`,
			Params: names, Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}}},
			"name: Tom Hanks, born: 1956-07-09", "name：Tom Hanks，born：1956-07-09"},
		{"compared, the others born elsewhere", tell.Found{Query: `MATCH (p:Person {bornIn: $place}) WHERE p.name IN $names RETURN p.name AS name, p.born AS born ORDER BY born`,
			Params: names, Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}}},
			"name: Tom Hanks, born: 1956-07-09", "name：Tom Hanks，born：1956-07-09"},

		{"compared, the others no directors", tell.Found{Query: `MATCH (p:Person)-[:DIRECTED]->(:Movie) WHERE p.name IN $names RETURN DISTINCT p.name AS name, p.born AS born ORDER BY born`,
			Params: names, Columns: cols("name born"), Rows: [][]any{{"Tom Hanks", hanks}}},
			"name: Tom Hanks, born: 1956-07-09", "name：Tom Hanks，born：1956-07-09"},
		{"compared, the others without films", tell.Found{Query: `MATCH (p:Person)-[:DIRECTED]->(m:Movie) WHERE p.name IN [$first, $second] RETURN p.name AS name, count(m) AS films ORDER BY films DESC`,
			Params: pair, Columns: cols("name films"), Rows: [][]any{{"Tom Hanks", int64(2)}}},
			"Tom Hanks (2); nothing found for Brad Pitt", "Tom Hanks (2)；没有找到 Brad Pitt"},
		{"the top of some that tie", tell.Found{Query: `MATCH (m:Movie) WITH m ORDER BY m.imdbRating DESC LIMIT 3 RETURN m.title AS title, m.imdbRating AS rating ORDER BY rating DESC LIMIT 10`,
			Columns: cols("title rating"), Rows: [][]any{{"Ran", 9.0}, {"Up", 9.0}, {"Troy", 9.0}}},
			"3 rows: Ran (9), Up (9), Troy (9)", "共 3 条：Ran (9)、Up (9)、Troy (9)"},
		{"the top behind some", tell.Found{Query: `MATCH (m:Movie) WITH m ORDER BY m.imdbRating DESC SKIP 5 RETURN m.title AS title, m.imdbRating AS rating ORDER BY rating DESC LIMIT 10`,
			Columns: cols("title rating"), Rows: [][]any{{"Ran", 9.0}, {"Up", 9.0}, {"Troy", 8.0}}},
			"3 rows: Ran (9), Up (9), Troy (8)", "共 3 条：Ran (9)、Up (9)、Troy (8)"},
		{"the most of some that were cut", tell.Found{Query: `MATCH (m:Movie) WITH m LIMIT 5 WITH max(m.runtime) AS top MATCH (m:Movie) WHERE m.runtime = top RETURN m.title AS title, m.runtime AS minutes`,
			Columns: cols("title minutes"), Rows: [][]any{{"Troy", int64(90)}, {"Up", int64(90)}}},
			"2 rows: Troy (90), Up (90)", "共 2 条：Troy (90)、Up (90)"},
		{"ties for first, counted", tell.Found{Query: most, Columns: cols("title year actors"), Rows: [][]any{{"2012", int64(2009), int64(5)}, {"Troy", int64(2004), int64(5)}, {"Up", int64(2009), int64(5)}, {"Ran\n>1", int64(1985), int64(5)}}},
			"4 tie for first (5): 2012, Troy, Up, …", "4 个并列第一（5）：2012、Troy、Up……"},
		{"ties for first, a property", tell.Found{Query: longest, Columns: cols("title year minutes"), Rows: [][]any{{"Troy", int64(2004), int64(238)}, {"Up", int64(2009), int64(238)}}},
			"2 tie for first (238): Troy, Up", "2 个并列第一（238）：Troy、Up"},
		{"ties for first, of people found by it", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(:Movie) WHERE p.died IS NULL WITH min(p.born) AS born MATCH (p:Person {born: born})-[:ACTED_IN]->(:Movie) WHERE p.died IS NULL
			RETURN DISTINCT p.name AS name, p.born AS born ORDER BY name`, Columns: cols("name born"), Rows: [][]any{{"Ann Lee", hanks}, {"Tom Hanks", hanks}}},
			"2 tie (1956-07-09): Ann Lee, Tom Hanks", "2 个并列（1956-07-09）：Ann Lee、Tom Hanks"},
		{"ties for the least", tell.Found{Query: `MATCH (m:Movie) UNWIND m.countries AS country WITH country, count(DISTINCT m) AS films WITH min(films) AS least
			MATCH (m:Movie) UNWIND m.countries AS country WITH country, count(DISTINCT m) AS films, least WHERE films = least RETURN country, films ORDER BY country`,
			Columns: cols("country films"), Rows: [][]any{{"Chad", int64(1)}, {"Cuba", int64(1)}, {"Mali", int64(1)}, {"Peru", int64(1)}}},
			"4 tie (1): Chad, Cuba, Mali, …", "4 个并列（1）：Chad、Cuba、Mali……"},
		{"ties for the least of some", tell.Found{Query: `MATCH (m:Movie) WHERE m.runtime IS NOT NULL RETURN m.title AS title, m.runtime AS minutes ORDER BY minutes, title LIMIT 3`,
			Columns: cols("title minutes"), Rows: [][]any{{"Ran", int64(80)}, {"Up", int64(80)}, {"Troy", int64(81)}}},
			"3 rows; tie (80): Ran, Up", "共 3 条，并列（80）：Ran、Up"},
		{"ties for first, of years", tell.Found{Query: `MATCH (m:Movie) WITH m.year AS year, count(DISTINCT m) AS films WITH max(films) AS top
			MATCH (m:Movie) WITH m.year AS year, count(DISTINCT m) AS films, top WHERE films = top RETURN year, films ORDER BY year`, Columns: cols("year films"), Rows: [][]any{{int64(1994), int64(9)}, {int64(1999), int64(9)}}},
			"2 tie for first (9): 1994, 1999", "2 个并列第一（9）：1994、1999"},
		{"ties for first, with another count", tell.Found{Query: `MATCH (m:Movie) UNWIND m.countries AS country WITH country, round(avg(m.imdbRating), 2) AS rating WITH max(rating) AS best
			MATCH (m:Movie) UNWIND m.countries AS country WITH country, round(avg(m.imdbRating), 2) AS rating, count(*) AS films, best WHERE rating = best RETURN country, rating, films`,
			Columns: cols("country rating films"), Rows: [][]any{{"Iran", 8.5, int64(2)}, {"Japan", 8.5, int64(11)}}},
			"2 rows: Iran, Japan", "共 2 条：Iran、Japan"},
		{"ties for first, of a mean", tell.Found{Query: `MATCH (m:Movie) UNWIND m.countries AS country WITH country, avg(m.imdbRating) AS rating WITH max(rating) AS best
			MATCH (m:Movie) UNWIND m.countries AS country WITH country, avg(m.imdbRating) AS rating, count(*) AS films, best WHERE rating = best RETURN country, rating, films`,
			Columns: cols("country rating films"), Rows: [][]any{{"Iran", 8.5, int64(2)}, {"Japan", 8.5, int64(11)}}},
			"2 tie for first (8.5): Iran, Japan", "2 个并列第一（8.5）：Iran、Japan"},
		{"rounded means don't tie in a comparison", tell.Found{Query: `MATCH (p:Person)-[:DIRECTED]->(m:Movie) WHERE p.name IN $names RETURN p.name AS name, round(avg(m.imdbRating), 1) AS rating ORDER BY rating DESC, name`,
			Params: names, Columns: cols("name rating"), Rows: [][]any{{"Brad Pitt", 7.5}, {"Tom Hanks", 7.5}}},
			"Brad Pitt (7.5), Tom Hanks (7.5)", "Brad Pitt (7.5)，Tom Hanks (7.5)"},
		{"rounded means don't tie at the top", tell.Found{Query: `MATCH (p:Person)-[:DIRECTED]->(m:Movie) RETURN p.name AS name, round(avg(m.imdbRating), 1) AS rating ORDER BY rating DESC, name LIMIT 3`,
			Columns: cols("name rating"), Rows: [][]any{{"Ann Lee", 7.5}, {"Tom Hanks", 7.5}, {"Brad Pitt", 7.2}}},
			"3 rows: Ann Lee (7.5), Tom Hanks (7.5), Brad Pitt (7.2)", "共 3 条：Ann Lee (7.5)、Tom Hanks (7.5)、Brad Pitt (7.2)"},
		{"large numbers that differ by 1", tell.Found{Query: earns, Params: films, Columns: cols("title year revenue"),
			Rows: [][]any{{"Avatar", int64(2009), int64(9007199254740993)}, {"Titanic", int64(1997), int64(9007199254740992)}}},
			"Avatar (9,007,199,254,740,993), Titanic (9,007,199,254,740,992)", "Avatar (9,007,199,254,740,993)，Titanic (9,007,199,254,740,992)"},
		{"a large number beside one with decimals", tell.Found{Query: earns, Params: films, Columns: cols("title year revenue"),
			Rows: [][]any{{"Avatar", int64(2009), int64(90)}, {"Titanic", int64(1997), 90.0}}},
			"A tie at 90: Avatar, Titanic", "并列（90）：Avatar、Titanic"},
		{"the most of another count", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WITH p, count(m) AS n WITH max(n) AS top MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WITH p, count(DISTINCT m.year) AS n, top WHERE n = top RETURN p.name AS name, n`,
			Columns: cols("name n"), Rows: [][]any{{"Ann Lee", int64(2)}, {"Tom Hanks", int64(2)}}},
			"2 rows: Ann Lee (2), Tom Hanks (2)", "共 2 条：Ann Lee (2)、Tom Hanks (2)"},
		{"the most of a count for other things", tell.Found{Query: `MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WITH p, m.year AS year, count(m) AS n WITH max(n) AS top MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WITH p, count(m) AS n, top WHERE n = top RETURN p.name AS name, n`,
			Columns: cols("name n"), Rows: [][]any{{"Ann Lee", int64(2)}, {"Tom Hanks", int64(2)}}},
			"2 rows: Ann Lee (2), Tom Hanks (2)", "共 2 条：Ann Lee (2)、Tom Hanks (2)"},
		{"the most of those that have something else", tell.Found{Query: `MATCH (m:Movie) WHERE m.plot IS NOT NULL WITH max(m.runtime) AS top MATCH (m:Movie) WHERE m.runtime = top RETURN m.title AS title, m.runtime AS minutes`,
			Columns: cols("title minutes"), Rows: [][]any{{"Troy", int64(90)}, {"Up", int64(90)}}},
			"2 rows: Troy (90), Up (90)", "共 2 条：Troy (90)、Up (90)"},
		{"one is first", tell.Found{Query: longest, Columns: cols("title year minutes"), Rows: [][]any{{"Troy", int64(2004), int64(238)}}},
			"title: Troy, year: 2004, minutes: 238", "title：Troy，year：2004，minutes：238"},
		{"ties without names", tell.Found{Query: longest, Columns: cols("title year minutes"), Rows: [][]any{{"", int64(2004), int64(238)}, {"Up", int64(2009), int64(238)}}},
			"2 rows: “”, Up", "共 2 条：“”、Up"},
		{"the most of some, looked for among all", tell.Found{Query: `MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $g}) WITH max(m.runtime) AS most MATCH (m:Movie) WHERE m.runtime = most RETURN m.title AS title, m.runtime AS minutes`,
			Columns: cols("title minutes"), Rows: [][]any{{"Troy", int64(90)}, {"Up", int64(90)}}},
			"2 rows: Troy (90), Up (90)", "共 2 条：Troy (90)、Up (90)"},
		{"the most of each group", tell.Found{Query: `MATCH (m:Movie) WITH m.year AS y, max(m.runtime) AS most MATCH (m:Movie) WHERE m.runtime = most RETURN m.title AS title, m.runtime AS minutes`,
			Columns: cols("title minutes"), Rows: [][]any{{"Troy", int64(90)}, {"Up", int64(90)}}},
			"2 rows: Troy (90), Up (90)", "共 2 条：Troy (90)、Up (90)"},
		{"actors of the longest film don't tie", tell.Found{Query: `MATCH (m:Movie) WITH max(m.runtime) AS most MATCH (m:Movie), (m)<-[:ACTED_IN]-(p:Person) WHERE m.runtime = most RETURN p.name AS name, m.runtime AS minutes`,
			Columns: cols("name minutes"), Rows: [][]any{{"Brad Pitt", int64(238)}, {"Eric Bana", int64(238)}}},
			"2 rows: Brad Pitt (238), Eric Bana (238)", "共 2 条：Brad Pitt (238)、Eric Bana (238)"},
		{"the first of the top tie", tell.Found{Query: best, Params: map[string]any{"n": int64(3)}, Columns: cols("title rating"), Rows: [][]any{{"Ran", 9.0}, {"Up", 9.0}, {"Troy", 8.5}}},
			"3 rows; tie for first (9.0): Ran, Up", "共 3 条，并列第一（9.0）：Ran、Up"},
		{"a tie in the middle of the top", tell.Found{Query: best, Params: map[string]any{"n": int64(3)}, Columns: cols("title rating"), Rows: [][]any{{"Ran", 9.3}, {"Up", 9.0}, {"Troy", 9.0}}},
			"3 rows: Ran (9.3), Up (9.0), Troy (9.0)", "共 3 条：Ran (9.3)、Up (9.0)、Troy (9.0)"},
		{"a tie that may go on below", tell.Found{Query: best, Params: map[string]any{"n": int64(2)}, Columns: cols("title rating"), Rows: [][]any{{"Ran", 9.0}, {"Up", 9.0}}},
			"2 rows: Ran (9), Up (9)", "共 2 条：Ran (9)、Up (9)"},
		{"a second key decides", tell.Found{Query: `MATCH (m:Movie) RETURN m.title AS title, m.year AS year, m.revenue AS revenue ORDER BY year DESC, revenue DESC LIMIT 3`, Columns: cols("title year revenue"),
			Rows: [][]any{{"Ran", int64(2020), int64(9)}, {"Up", int64(2020), int64(8)}, {"Troy", int64(2019), int64(7)}}},
			"3 rows: Ran, Up, Troy", "共 3 条：Ran、Up、Troy"},

		{"nothing", tell.Found{Question: "films by Ada\n*Lind* in 1950?", Columns: cols("title")},
			"Nothing found for: films by Ada *Lind* in 1950?", "没有找到：films by Ada *Lind* in 1950?"},
		{"null", tell.Found{Question: "the plot of Troy", Columns: cols("plot"), Rows: [][]any{{nil}}},
			"Nothing found for: the plot of Troy", "没有找到：the plot of Troy"},
		{"nothing, a value is unknown", tell.Found{Question: "films by Xu Yy", Missing: []string{"Xu Yy"}},
			"Nothing found for: films by Xu Yy. The graph has no “Xu Yy”.", "没有找到：films by Xu Yy。图谱里没有“Xu Yy”。"},

		{"a path", tell.Found{Query: path, Params: pair, Columns: cols("path films"), Rows: [][]any{{[]any{"Tom Hanks", "Apollo\n13", "Kevin Bacon"}, int64(1)}}},
			"Tom Hanks – Apollo 13 – Kevin Bacon", "Tom Hanks – Apollo 13 – Kevin Bacon"},
		{"a long path", tell.Found{Query: path, Params: pair, Columns: cols("path films"), Rows: [][]any{{[]any{"A", "B", "C", "D", "E", "F", "G"}, int64(3)}}},
			"A – B – C – D – E – F – G, films: 3", "A – B – C – D – E – F – G，films：3"},
		{"a path whose length was asked for", tell.Found{Query: path, Counted: true, Params: pair, Columns: cols("path films"), Rows: [][]any{{[]any{"Tom Hanks", "Apollo 13", "Kevin Bacon"}, int64(1)}}},
			"Tom Hanks – Apollo 13 – Kevin Bacon, films: 1", "Tom Hanks – Apollo 13 – Kevin Bacon，films：1"},

		{"yes", tell.Found{Columns: cols("answer"), Rows: [][]any{{true}}}, "Yes.", "是。"},
		{"no", tell.Found{Columns: cols("answer"), Rows: [][]any{{false}}}, "No.", "否。"},
		{"a number", tell.Found{Columns: cols("revenue"), Rows: [][]any{{int64(2923000000)}}}, "2,923,000,000", "2,923,000,000"},
		{"a year", tell.Found{Columns: cols("year"), Rows: [][]any{{int64(12026)}}}, "12026", "12026"},
		{"a text of several lines", tell.Found{Columns: cols("plot"), Rows: [][]any{{"one\ntwo"}}}, "one\ntwo", "one\ntwo"},
		{"an empty text", tell.Found{Columns: cols("plot"), Rows: [][]any{{""}}}, "“”", "“”"},
		{"a node", tell.Found{Columns: cols("m"), Rows: [][]any{{store.Node{Properties: map[string]any{"title": "Up\nUp"}}}}}, "Up Up", "Up Up"},
		{"nulls in a row", tell.Found{Columns: cols("born died"), Rows: [][]any{{hanks, nil}}}, "born: 1956-07-09, died: —", "born：1956-07-09，died：—"},
		{"a first column that repeats itself", tell.Found{Columns: cols("genre title year"), Rows: [][]any{{"Action", "RRR", int64(2022)}, {"Action", "Up", int64(2022)}, {"Drama", "Tár", int64(2022)}, {"War", "1917", int64(2019)}}},
			"4 rows: Action (RRR), Action (Up), Drama (Tár), …", "共 4 条：Action (RRR)、Action (Up)、Drama (Tár)……"},
		{"two columns that repeat themselves", tell.Found{Columns: cols("genre year title"), Rows: [][]any{{"Action", int64(2022), "RRR"}, {"Action", int64(2022), "Up"}}},
			"2 rows.", "共 2 条。"},
		{"cut short, columns that repeat themselves", tell.Found{Columns: cols("genre year title"), Rows: [][]any{{"Action", int64(2022), "RRR"}, {"Action", int64(2022), "Up"}}, Truncated: true},
			"More than 2 rows; 2 were read.", "超过 2 条，已读取 2 条。"},
		{"a short list", tell.Found{Columns: cols("title"), Rows: list(4)}, "4 rows: Film A, Film B, Film C, Film D", "共 4 条：Film A、Film B、Film C、Film D"},
		{"ten of a list", tell.Found{Columns: cols("title"), Rows: list(10)}, "10 rows: Film A, Film B, Film C, Film D, Film E, Film F, Film G, Film H, Film I, Film J",
			"共 10 条：Film A、Film B、Film C、Film D、Film E、Film F、Film G、Film H、Film I、Film J"},
		{"a long list", tell.Found{Columns: cols("title"), Rows: list(11)}, "11 rows: Film A, Film B, Film C, …", "共 11 条：Film A、Film B、Film C……"},
		{"cut short", tell.Found{Columns: cols("title"), Rows: list(20), Truncated: true}, "More than 20 rows; 20 were read. Film A, Film B, Film C, …", "超过 20 条，已读取 20 条。Film A、Film B、Film C……"},
		{"one, cut short", tell.Found{Columns: cols("title"), Rows: list(1), Truncated: true}, "More than 1 row; 1 was read. Film A", "超过 1 条，已读取 1 条。Film A"},
		{"cut short, nothing tied", tell.Found{Query: most, Columns: cols("title year actors"), Rows: [][]any{{"Troy", int64(2004), int64(5)}, {"Up", int64(2009), int64(5)}}, Truncated: true},
			"More than 2 rows; 2 were read. Troy, Up", "超过 2 条，已读取 2 条。Troy、Up"},
		{"long values", tell.Found{Columns: cols("title"), Rows: list(2), Shortened: true}, "2 rows: Film A, Film B. Some long values are shortened.", "共 2 条：Film A、Film B。过长的值已截短。"},
		{"long values of many", tell.Found{Columns: cols("title"), Rows: list(12), Shortened: true}, "12 rows: Film A, Film B, Film C, … Some long values are shortened.", "共 12 条：Film A、Film B、Film C……过长的值已截短。"},
		{"names in brackets share their decimals", tell.Found{Columns: cols("user rating"), Rows: [][]any{{"Delia", 5.0}, {"Hale", 4.5}, {"Rosa", nil}}}, "3 rows: Delia (5.0), Hale (4.5), Rosa (—)", "共 3 条：Delia (5.0)、Hale (4.5)、Rosa (—)"},
	}
	for _, test := range tests {
		for language, want := range map[string]string{"en": test.en, "zh": test.zh} {
			t.Run(test.name+" "+language, func(t *testing.T) {
				got := tell.Text(test.found, words.In(language))
				if got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				facts := guardrails.Facts{Question: test.found.Question, Table: store.Table{Columns: test.found.Columns, Rows: test.found.Rows},
					Words: test.found.Columns} // as they are written: otherBorn
				for _, v := range test.found.Params {
					if s, ok := v.(string); ok {
						facts.Links = append(facts.Links, s)
					}
				}
				for _, v := range films["films"].([]any) {
					facts.Links = append(facts.Links, v.(string))
				}
				if wrong := (guardrails.Policy{}).Answer(got, facts); len(wrong) > 0 {
					t.Errorf("%q isn't borne out: %+v", got, wrong)
				}
			})
		}
	}
}

func TestManyRows(t *testing.T) {
	rows := make([][]any, 1000)
	for i := range rows {
		rows[i] = []any{fmt.Sprint("Film ", i), int64(i)}
	}
	for language, want := range map[string]string{
		"en": "More than 1,000 rows; 1,000 were read. Film 0 (0), Film 1 (1), Film 2 (2), …",
		"zh": "超过 1,000 条，已读取 1,000 条。Film 0 (0)、Film 1 (1)、Film 2 (2)……",
	} {
		if got := tell.Text(tell.Found{Columns: cols("title n"), Rows: rows, Truncated: true}, words.In(language)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		column string
		values []any
		want   string
	}{
		{"revenue", []any{int64(2923000000), int64(9999), int64(10000), int64(-12345), nil}, "2,923,000,000 9999 10,000 -12,345"},
		{"rating", []any{9.3, 9.0, int64(8)}, "9.3 9.0 8.0"},
		{"rating", []any{5.0, 4.0}, "5 4"},
		{"rating", []any{float64(float32(8.8)), 8.25}, "8.80 8.25"},
		{"average", []any{7.853333333333333, 8.5}, "7.85 8.50"},
		{"average", []any{7.853333333333333, 7.853333333333111, 7.8541}, "7.853333333333333 7.853333333333111 7.8541"},
		{"average", []any{7.853333333333333, 7.8541}, "7.853 7.854"},
		{"share", []any{0.000123456789, 0.5}, "0.0001 0.5000"},
		{"average", []any{7.853333333333333}, "7.853333333333333"},
		{"budget", []any{12345678.5}, "12,345,678.5"},
		{"n", []any{1e300, 2.5}, "1e+300 2.5"},
		{"year", []any{int64(12026)}, "12026"},
		{"m.tmdbId", []any{int64(597890)}, "597890"},
		{"imdb_id", []any{int64(597890)}, "597890"},
		{"id(m)", []any{int64(597890)}, "597890"},
		{"上映年份", []any{int64(12026)}, "12026"},
		{"width", []any{int64(12026)}, "12,026"},
		{"grades", []any{[]any{4.5, int64(5)}}, "4.5 5.0"},
	}
	for _, test := range tests {
		var rows [][]any
		var all []any
		for _, v := range test.values {
			rows = append(rows, []any{v})
			if list, ok := v.([]any); ok {
				all = append(all, list...)
			} else if v != nil {
				all = append(all, v)
			}
		}
		n := tell.NumbersOf(test.column, rows, 0)
		var got []string
		for _, v := range all {
			s, ok := n.Text(v)
			if !ok {
				t.Errorf("%v is no number", v)
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s %v: got %s, want %s", test.column, test.values, strings.Join(got, " "), test.want)
		}
	}
	if _, ok := (tell.Numbers{}).Text("1"); ok {
		t.Error("a text is no number")
	}
}

// TestNoPanic tells rows that fit no query, and queries that fit no rows.
func TestNoPanic(t *testing.T) {
	odd := []any{nil, true, int64(1), 1.5, "", "x", []any{}, []any{[]any{nil}}, map[string]any{"a": []any{1}}, hanks, store.Node{}, store.Path{}}
	for _, query := range []string{younger, longer, more, older, earns, most, longest, best, path, "", "MATCH (", "RETURN 1", "RETURN *"} {
		for _, columns := range []int{1, 2, 3, 5} {
			for shift := range odd {
				f := tell.Found{Query: query, Params: films, Columns: make([]string, columns)}
				for r := range 3 {
					row := make([]any, columns)
					for i := range row {
						row[i] = odd[(shift+i+r*shift)%len(odd)]
					}
					f.Rows = append(f.Rows, row)
				}
				for n := range 4 {
					g := f
					g.Rows = f.Rows[:n]
					tell.Text(g, words.In("en"))
				}
			}
		}
	}
}
