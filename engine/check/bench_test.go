package check_test

import (
	"testing"

	"precedent/engine/check"
	"precedent/engine/reading"
	"precedent/store/cypher"
)

// BenchmarkCheck checks one query of the usual size, unchanged and turned.
func BenchmarkCheck(b *testing.B) {
	c := check.New(films())
	for name, text := range map[string]string{
		"unchanged": `MATCH (p:Person {name: 'Tom Hanks'})-[r:ACTED_IN]->(m:Movie)-[:IN_GENRE]->(g:Genre) WHERE m.runtime > 90 AND g.name IN ['Comedy', 'Drama'] WITH m, collect(DISTINCT g.name) AS genres RETURN m.title AS title, genres, m.imdbRating ORDER BY title LIMIT 10`,
		"turned":    `MATCH (p:Person {name: 'Tom Hanks'})<-[r:ACTED_IN]-(m:Movie)<-[:IN_GENRE]-(g:Genre) WHERE m.runtime > 90 AND g.name IN ['Comedy', 'Drama'] WITH m, collect(DISTINCT g.name) AS genres RETURN m.title AS title, genres, m.imdbRating ORDER BY m.imdbRating DESC LIMIT 10`,
	} {
		stmt, err := cypher.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Check(text, stmt, nil)
			}
		})
	}
}

// BenchmarkDoubts holds one query of the usual size against a question.
func BenchmarkDoubts(b *testing.B) {
	s := market()
	c := check.New(s)
	r, err := reading.New(reading.DefaultGlossary(s), s, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	const question = "which 5 customers placed the most orders over 500 in May 2025?"
	text := `MATCH (c:Customer)-[:PLACED]->(o:Order) WHERE o.total > 500 AND o.placed >= date('2025-05-01') AND o.placed < date('2025-06-01') RETURN c.name AS customer, count(o) AS orders ORDER BY orders DESC LIMIT 5`
	stmt, err := cypher.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if found := c.Doubts(text, stmt, nil, check.Asked{Said: r.Said(question, r.Linker().Mentions(question, nil)), One: leadsToOne}); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
