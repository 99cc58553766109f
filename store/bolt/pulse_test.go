package bolt_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

// TestPulse changes a graph in one way after the other: the pulse tells which parts
// changed, and the schema that is read again in these parts alone is that which is read
// in full.
func TestPulse(t *testing.T) {
	s := neotest.Start(t)
	s.Clear(t)
	s.Exec(t, "UNWIND range(1, 20) AS i CREATE (:Shop {name: 'S' + i, city: 'C' + i % 3})-[:SELLS {since: i}]->(:Good {code: 'G' + i, price: i * 1.5})", nil)
	s.Exec(t, "CREATE (:Vault {code: 'hidden'})-[:GUARDS]->(:Guard {name: 'Hidden', badge: 'zqx'})", nil)
	g, err := bolt.Open(t.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password, Hide: []string{":Vault", "Guard.badge", ":GUARDS"}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close(t.Context())
	look := func() (store.Pulse, *store.Schema) {
		t.Helper()
		p, err := g.Pulse(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		schema, err := g.Schema(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return p, schema
	}
	was, before := look()
	if again, _ := look(); !maps.Equal(again, was) {
		t.Errorf("the pulse changes by itself:\n%v\n%v", was, again)
	}
	for _, hidden := range []string{"Vault", "badge", "GUARDS", "zqx"} {
		if strings.Contains(fmt.Sprint(was), hidden) {
			t.Errorf("the pulse tells of %s, which is hidden: %v", hidden, was)
		}
	}
	for _, change := range []struct {
		query string
		parts []string
	}{
		{"MATCH (g:Good {code: 'G1'}) DETACH DELETE g", []string{"label Good", "type SELLS"}},
		{"MATCH (s:Shop) SET s.town = s.city REMOVE s.city", []string{"label Shop"}},
		{"MATCH (g:Good) SET g.price = toString(g.price)", []string{"label Good"}},
		{"MATCH (s:Shop) WHERE s.town = 'C1' SET s:Market REMOVE s:Shop", []string{"label Market", "label Shop", "type SELLS"}},
		{"MATCH (a)-[r:SELLS]->(b) SET r.until = 2030", []string{"type SELLS"}},
		{"CREATE CONSTRAINT goods FOR (g:Good) REQUIRE g.code IS UNIQUE", []string{"indexes and constraints"}},
		{"MATCH (a)-[r:SELLS]->(b) CREATE (a)-[n:OFFERS]->(b) DELETE r", []string{"type OFFERS", "type SELLS"}},
	} {
		s.Exec(t, change.query, nil)
		now, schema := look()
		var changed []string
		for part := range maps.Keys(merged(was, now)) {
			if was[part] != now[part] && part != store.TransactionPart {
				changed = append(changed, part)
			}
		}
		if slices.Sort(changed); !slices.Equal(changed, change.parts) {
			t.Errorf("%s: %q changed, want %q", change.query, changed, change.parts)
		}
		again, err := g.SchemaAgain(t.Context(), 0, before, func(part string) bool { sign, ok := now[part]; return ok && sign == was[part] })
		if err != nil {
			t.Fatal(err)
		}
		if got, want := describe(again), describe(schema); got != want || again.Hash != schema.Hash {
			t.Errorf("%s: read again it is\n%s\nand it is\n%s", change.query, got, want)
		}
		was, before = now, schema
	}
}

func merged(a, b store.Pulse) store.Pulse {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// TestProblemsOfRun has names in queries that were never in the database.
func TestProblemsOfRun(t *testing.T) {
	s := neotest.Start(t)
	s.Clear(t)
	s.Exec(t, "CREATE (:Shop {name: 'S'})", nil)
	g, err := bolt.Open(t.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close(t.Context())
	for query, want := range map[string]string{
		"MATCH (s:Shop) RETURN s.name":                                "",
		"MATCH (s:Schopp) RETURN s.name":                              "label Schopp",
		"MATCH (s:Shop)-[:ZELLS]->() RETURN s.name":                   "type ZELLS",
		"MATCH (s:Shop) WHERE s.nahme = 'S' RETURN s.name":            "property nahme",
		"MATCH (s:Shop) RETURN id(s)":                                 "",
		"UNWIND range(1, 20) AS i OPTIONAL MATCH (s:Schopp) RETURN i": "label Schopp",
	} {
		table, err := g.Run(t.Context(), store.Query{Text: query}, store.Limits{Rows: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range table.Problems {
			got = append(got, p.Kind+" "+p.Name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
