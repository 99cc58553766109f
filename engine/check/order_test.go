package check_test

import (
	"testing"

	"precedent/engine/check"
)

// TestMissingValuesFirst holds the condition that descending order needs. An
// empty want means that the query stays.
func TestMissingValuesFirst(t *testing.T) {
	c := check.New(films())
	for _, test := range []struct{ name, query, want, problem string }{
		{"property", `MATCH (m:Movie) RETURN m.title ORDER BY m.imdbRating DESC LIMIT 5`,
			`MATCH (m:Movie) WHERE m.imdbRating IS NOT NULL RETURN m.title ORDER BY m.imdbRating DESC LIMIT 5`, ""},
		{"alias", `MATCH (m:Movie) RETURN m.title, m.imdbRating AS r ORDER BY r DESC LIMIT 5`,
			`MATCH (m:Movie) WHERE m.imdbRating IS NOT NULL RETURN m.title, m.imdbRating AS r ORDER BY r DESC LIMIT 5`, ""},
		{"beside a condition", `MATCH (m:Movie) WHERE m.title = 'a' OR m.title = 'b' RETURN m ORDER BY m.runtime DESC LIMIT 1`,
			`MATCH (m:Movie) WHERE (m.title = 'a' OR m.title = 'b') AND m.runtime IS NOT NULL RETURN m ORDER BY m.runtime DESC LIMIT 1`, ""},
		{"of a relationship", `MATCH (u:User)-[r:RATED]->(m) RETURN m ORDER BY r.rating DESC LIMIT 1`,
			`MATCH (u:User)-[r:RATED]->(m) WHERE r.rating IS NOT NULL RETURN m ORDER BY r.rating DESC LIMIT 1`, ""},
		{"at the match that binds it", `MATCH (m:Movie) MATCH (m)-[:IN_GENRE]->(g) RETURN g ORDER BY m.runtime DESC LIMIT 1`,
			`MATCH (m:Movie) WHERE m.runtime IS NOT NULL MATCH (m)-[:IN_GENRE]->(g) RETURN g ORDER BY m.runtime DESC LIMIT 1`, ""},
		{"after WITH", `MATCH (m:Movie) WITH m LIMIT 10 RETURN m ORDER BY m.runtime DESC LIMIT 1`,
			`MATCH (m:Movie) WITH m LIMIT 10 WHERE m.runtime IS NOT NULL RETURN m ORDER BY m.runtime DESC LIMIT 1`, ""},
		{"alias of a WITH", `MATCH (m:Movie) WITH m.title AS t, m.runtime AS r RETURN t ORDER BY r DESC LIMIT 1`,
			`MATCH (m:Movie) WITH m.title AS t, m.runtime AS r WHERE r IS NOT NULL RETURN t ORDER BY r DESC LIMIT 1`, ""},
		{"new name in WITH", `MATCH (m:Movie) WITH m AS f ORDER BY f.runtime DESC LIMIT 3 RETURN f.title`,
			`MATCH (m:Movie) WHERE m.runtime IS NOT NULL WITH m AS f ORDER BY f.runtime DESC LIMIT 3 RETURN f.title`, ""},
		{"in WITH", `MATCH (m:Movie) WITH m ORDER BY m.runtime DESC LIMIT 3 RETURN m.title`,
			`MATCH (m:Movie) WHERE m.runtime IS NOT NULL WITH m ORDER BY m.runtime DESC LIMIT 3 RETURN m.title`, ""},
		{"in a subquery", `CALL { MATCH (m:Movie) RETURN m ORDER BY m.runtime DESC LIMIT 3 } RETURN m.title`,
			`CALL { MATCH (m:Movie) WHERE m.runtime IS NOT NULL RETURN m ORDER BY m.runtime DESC LIMIT 3 } RETURN m.title`, ""},
		{"twice the same", `MATCH (m:Movie) WITH m ORDER BY m.runtime DESC LIMIT 9 RETURN m ORDER BY m.runtime DESC LIMIT 3`,
			`MATCH (m:Movie) WHERE m.runtime IS NOT NULL WITH m ORDER BY m.runtime DESC LIMIT 9 RETURN m ORDER BY m.runtime DESC LIMIT 3`, ""},

		{"guarded", `MATCH (m:Movie) WHERE m.runtime IS NOT NULL RETURN m ORDER BY m.runtime DESC LIMIT 1`, "", ""},
		{"guarded by a comparison", `MATCH (m:Movie) WHERE 1990 < m.runtime RETURN m ORDER BY m.runtime DESC LIMIT 1`, "", ""},
		{"guarded through an alias", `MATCH (m:Movie) WITH m.runtime AS r WHERE r IS NOT NULL RETURN r ORDER BY r DESC LIMIT 1`, "", ""},
		{"guarded in the pattern", `MATCH (m:Movie {runtime: 90}) RETURN m ORDER BY m.runtime DESC LIMIT 1`, "", ""},
		{"guarded before it was collected", `MATCH (m:Movie) WHERE m.runtime > 1 WITH collect(m) AS ms UNWIND ms AS x RETURN x ORDER BY x.runtime DESC LIMIT 1`, "", ""},
		{"ascending", `MATCH (m:Movie) RETURN m ORDER BY m.runtime LIMIT 1`, "", ""},
		{"without LIMIT", `MATCH (m:Movie) RETURN m ORDER BY m.runtime DESC`, "", ""},
		{"never missing", `MATCH (m:Movie) RETURN m ORDER BY m.title DESC LIMIT 1`, "", ""},
		{"never there", `MATCH (m:Movie) RETURN m ORDER BY m.votes DESC LIMIT 1`, "", "property Movie.votes"},
		{"aggregate", `MATCH (m:Movie)<-[r:RATED]-() RETURN m, avg(r.rating) AS a ORDER BY a DESC LIMIT 1`, "", ""},
		{"second key", `MATCH (m:Movie) RETURN m ORDER BY m.title, m.runtime DESC LIMIT 1`, "", ""},

		{"half guarded", `MATCH (m:Movie) WHERE m.runtime > 1 OR m.title = 'a' RETURN m ORDER BY m.runtime DESC LIMIT 1`,
			`MATCH (m:Movie) WHERE (m.runtime > 1 OR m.title = 'a') AND m.runtime IS NOT NULL RETURN m ORDER BY m.runtime DESC LIMIT 1`, ""},
		{"optional", `MATCH (p:Person) OPTIONAL MATCH (p)-[:ACTED_IN]->(m) RETURN p ORDER BY m.runtime DESC LIMIT 1`, "", "value m.runtime"},
		{"unwound", `MATCH (m:Movie) WITH collect(m) AS ms UNWIND ms AS x RETURN x ORDER BY x.runtime DESC LIMIT 1`, "", "value x.runtime"},
		{"imported", `MATCH (m:Movie) CALL { WITH m RETURN m AS x ORDER BY m.runtime DESC LIMIT 1 } RETURN x`, "", "value m.runtime"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := c.Check(test.query, parsed(t, test.query), nil)
			want := test.want
			if want == "" {
				want = test.query
			}
			if r.Text != want || found(r.Problems) != test.problem {
				t.Errorf("%s\ngives %s, %s\nwant  %s, %s", test.query, r.Text, found(r.Problems), want, test.problem)
			}
			parsed(t, r.Text)
		})
	}
}

func TestChangeSaysWhy(t *testing.T) {
	query := `MATCH (m:Movie)-[r:ACTED_IN]->(p) RETURN p.name ORDER BY p.born DESC LIMIT 1`
	r := check.New(films()).Check(query, parsed(t, query), nil)
	want := []check.Change{
		{
			Kind:   "null",
			Before: "MATCH (m:Movie)-[r:ACTED_IN]->(p)",
			After:  "MATCH (m:Movie)-[r:ACTED_IN]->(p) WHERE p.born IS NOT NULL",
			Why:    "descending order would put rows without p.born first",
		},
		{
			Kind:   "direction",
			Before: "(m:Movie)-[r:ACTED_IN]->(p)",
			After:  "(m:Movie)<-[r:ACTED_IN]-(p)",
			Why:    "ACTED_IN leads from Person to Movie, ACTED_IN leads from Actor to Movie, ACTED_IN leads from Director to Movie",
		},
	}
	if len(r.Changes) != 2 || r.Changes[0] != want[0] || r.Changes[1] != want[1] {
		t.Errorf("got  %+v\nwant %+v", r.Changes, want)
	}
}

func TestCost(t *testing.T) {
	c := check.New(films())
	for _, test := range []struct{ name, query, want string }{
		{"product", `MATCH (m:Movie), (g:Genre) RETURN count(*)`, "cost (g:Genre)"},
		{"product of two matches", `MATCH (m:Movie) MATCH (p:Person) RETURN count(*)`, "cost (p:Person)"},
		{"product of anything", `MATCH (a), (b) RETURN count(*)`, "cost (b)"},
		{"only unlike", `MATCH (a:Person), (b:Person) WHERE a <> b AND a.name <> b.name RETURN a`, "cost (b:Person)"},
		{"sharing a variable", `MATCH (m:Movie), (m)-[:IN_GENRE]->(g:Genre) RETURN count(*)`, ""},
		{"joined by a condition", `MATCH (a:Person), (u:User) WHERE a.name = u.name RETURN a`, ""},
		{"joined by an order", `MATCH (a:Person), (b:Person) WHERE a.born < b.born RETURN a`, ""},
		{"joined by a pattern", `MATCH (a:Person), (b:Person) WHERE (a)-[:FOLLOWS]->(b) RETURN a`, ""},
		{"joined in a property", `MATCH (a:Person), (u:User {name: a.name}) RETURN a`, ""},
		{"joined by a third", `MATCH (a:Person), (m:Movie), (a)-[:ACTED_IN]->(m) RETURN a`, ""},
		{"one of them picked", `MATCH (a:Person {name: 'x'}), (m:Movie) RETURN a`, ""},
		{"one of them picked in WHERE", `MATCH (a:Person), (m:Movie) WHERE a.name = 'x' RETURN a`, ""},
		{"a WITH between", `MATCH (a:Person) WITH count(a) AS n MATCH (m:Movie) RETURN n, count(m)`, ""},
		{"a shortest path", `MATCH (a:Person {name: 'x'}), (b:Person {name: 'y'}), p = shortestPath((a)-[*]-(b)) RETURN p`, ""},
		{"unbounded", `MATCH (a:Person)-[*]-(b:Person) RETURN b`, "cost -[*]-"},
		{"unbounded without type", `MATCH (a:Person)-[*2..]->(b) RETURN b`, "cost -[*2..]->"},
		{"unbounded zigzag", `MATCH (a:Person)-[:ACTED_IN*]-(b) RETURN b`, "cost -[:ACTED_IN*]-"},
		{"unbounded quantifier", `MATCH (a:Person)--+(b:Person) RETURN b`, "cost --+"},
		{"unbounded group", `MATCH ((a)-->(b))+(c:Person) RETURN c`, "cost ((a)-->(b))+"},
		{"hierarchy", `MATCH (m:Movie)-[:SEQUEL_OF*]->(n) RETURN n`, ""},
		{"bounded", `MATCH (a:Person)-[*1..3]-(b:Person) RETURN b`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := c.Check(test.query, parsed(t, test.query), nil)
			if got := found(r.Problems); got != test.want {
				t.Errorf("%s\ngot  %s\nwant %s", test.query, got, test.want)
			}
		})
	}
}
