package movies_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/embedded"
	"precedent/store/movies"
	"precedent/store/neotest"
)

// TestSameGraph loads the movie graph's files into a real Neo4j and into the
// embedded graph: as many nodes of each label and relationships of each type,
// the same properties with the same types on as many of them, and the same rows.
func TestSameGraph(t *testing.T) {
	s := neotest.Start(t)
	s.Load(t, movies.Graph())
	ours, err := embedded.Open(movies.Graph())
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := bolt.Open(t.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password})
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close(t.Context())
	compare(t, "schema", shape(t, ours), shape(t, theirs))
	for _, query := range []string{
		"MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS nodes ORDER BY label",
		"MATCH (a)-[r]->(b) UNWIND labels(a) AS start UNWIND labels(b) AS end RETURN start, type(r) AS type, end, count(*) AS n ORDER BY start, type, end",
		"MATCH (n) UNWIND labels(n) AS label UNWIND keys(n) AS key RETURN label, key, count(*) AS n, count(DISTINCT n[key]) AS different ORDER BY label, key",
		"MATCH ()-[r]->() UNWIND keys(r) AS key RETURN type(r) AS type, key, count(*) AS n, count(DISTINCT r[key]) AS different ORDER BY type, key",
		"MATCH (m:Movie) WITH m ORDER BY m.title, m.year RETURN m.title, m.year, m.runtime, m.imdbRating, m.revenue, m.budget, m.plot, m.countries, m.languages, m.released",
		"MATCH (p:Person) WITH p ORDER BY p.name, p.born RETURN p.name, p.born, p.died, p.bornIn",
		"MATCH (p:Person)-[r:ACTED_IN]->(m:Movie) WITH p, r, m ORDER BY m.title, m.year, p.name, r.role RETURN m.title, p.name, r.role",
		"MATCH (u:User)-[r:RATED]->(m:Movie) WITH u, r, m ORDER BY u.name, m.title, r.timestamp RETURN u.name, m.title, r.rating, r.timestamp",
	} {
		compare(t, query, rows(t, ours, query), rows(t, theirs, query))
	}
}

// shape is a graph's schema, a line each. What is unique comes from the files'
// IDs in the one and from constraints in the other, so it is left out.
func shape(t *testing.T, g store.Graph) []string {
	t.Helper()
	schema, err := g.Schema(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	add := func(head string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, head+" "+string(text))
	}
	properties := func(of string, list []store.Property) {
		for _, p := range list {
			p.Unique = false
			add(of, p)
		}
	}
	for _, l := range schema.Labels {
		add(l.Name, l.Count)
		properties(l.Name, l.Properties)
	}
	for _, r := range schema.Types {
		add(r.Name, r.Count)
		properties(r.Name, r.Properties)
	}
	for _, r := range schema.Relationships {
		add("", r)
	}
	return out
}

func rows(t *testing.T, g store.Graph, query string) []string {
	t.Helper()
	table, err := g.Run(t.Context(), store.Query{Text: query}, store.Limits{Rows: 10_000})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if table.Truncated || len(table.Rows) == 0 {
		t.Fatalf("%s: %d rows, cut: %v", query, len(table.Rows), table.Truncated)
	}
	out := make([]string, len(table.Rows))
	for i, row := range table.Rows {
		text, err := store.EncodeRows([][]any{row})
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(text)
	}
	return out
}

// compare reports the first lines that only one of them has.
func compare(t *testing.T, what string, ours, theirs []string) {
	t.Helper()
	if slices.Equal(ours, theirs) {
		return
	}
	t.Errorf("%s: %d lines embedded, %d in Neo4j", what, len(ours), len(theirs))
	for i := range max(len(ours), len(theirs)) {
		var a, b string
		if i < len(ours) {
			a = ours[i]
		}
		if i < len(theirs) {
			b = theirs[i]
		}
		if a != b {
			t.Errorf("line %d\nembedded %s\nNeo4j    %s", i+1, a, b)
			return
		}
	}
}
