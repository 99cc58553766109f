package embedded_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"precedent/store"
	"precedent/store/embedded"
)

// manyFilms is a graph of 10,000 people, 5,000 films and 50,000 roles.
func manyFilms(b *testing.B) *embedded.Graph {
	b.Helper()
	const people, films, roles = 10_000, 5_000, 50_000
	var p, f, r strings.Builder
	p.WriteString("id:ID(P),name,born:int,:LABEL\n")
	for i := range people {
		fmt.Fprintf(&p, "%d,Person %d,%d,Person\n", i, i, 1940+i%60)
	}
	f.WriteString("id:ID(F),title,year:int,:LABEL\n")
	for i := range films {
		fmt.Fprintf(&f, "%d,Film %d,%d,Film\n", i, i, 1970+i%50)
	}
	r.WriteString(":START_ID(P),:END_ID(F),:TYPE\n")
	for i := range roles {
		fmt.Fprintf(&r, "%d,%d,ACTED_IN\n", i*7919%people, i*104729%films)
	}
	g, err := embedded.Open(fstest.MapFS{"p.csv": {Data: []byte(p.String())}, "f.csv": {Data: []byte(f.String())}, "r.csv": {Data: []byte(r.String())}})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func BenchmarkRun(b *testing.B) {
	g := manyFilms(b)
	for _, c := range []struct{ name, query string }{
		{"lookup", `MATCH (p:Person {name: $name}) RETURN p.born`},
		{"one hop", `MATCH (p:Person {name: $name})-[:ACTED_IN]->(f) RETURN f.title ORDER BY f.year DESC LIMIT 5`},
		{"two hops", `MATCH (p:Person {name: $name})-[:ACTED_IN]->(f)<-[:ACTED_IN]-(q) RETURN DISTINCT q.name`},
		{"aggregation", `MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN f.year AS year, count(*) AS n ORDER BY n DESC LIMIT 5`},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := store.Query{Text: c.query, Params: map[string]any{"name": "Person 77"}}
			if _, err := g.Run(b.Context(), q, store.Limits{}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.Run(b.Context(), q, store.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	g := manyFilms(b)
	i := 0
	for b.Loop() {
		i++
		query := fmt.Sprintf(`MATCH (p:Person {name: $name})-[:ACTED_IN]->(f) WHERE f.year > %d RETURN f.title ORDER BY f.year DESC LIMIT 5`, i)
		if _, err := g.Explain(b.Context(), store.Query{Text: query, Params: map[string]any{"name": ""}}); err != nil {
			b.Fatal(err)
		}
	}
}
