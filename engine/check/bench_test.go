package check_test

import (
	"testing"

	"precedent/engine/check"
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
