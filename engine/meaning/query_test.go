package meaning

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/embedded"
	"precedent/store/neotest"
)

var meanings = flag.Int("meanings", 600, "how many random meanings each graph is asked for")

// TestQueries holds the queries of random meanings against an evaluator that knows
// nothing of Cypher, on graphs of other fields, one with Chinese names throughout.
func TestQueries(t *testing.T) {
	n := *meanings
	for _, graph := range []string{"shop", "it_operations", "hospital", "logistics", "school"} {
		t.Run(graph, func(t *testing.T) {
			t.Parallel()
			g, w := openWorld(t, filepath.Join("../testdata/fair", graph))
			p := Printer{Key: w.key, Type: w.typeOf}
			empty := 0
			for seed := range n {
				m := &maker{Rand: rand.New(rand.NewPCG(uint64(seed), 12)), w: w}
				meaning := m.meaning()
				q := p.Query(meaning)
				table, err := g.Run(t.Context(), q, store.Limits{Rows: 1 << 16})
				if err != nil {
					t.Fatalf("seed %d: %s\n%s\n%v: %v", seed, meaning.Key(), q.Text, q.Params, err)
				}
				want := w.rows(meaning)
				if len(want) == 0 {
					empty++
				}
				if !sameRows(table.Rows, want) {
					t.Fatalf("seed %d: %s\n%s\n%v\ngot  %v\nwant %v", seed, meaning.Key(), q.Text, q.Params, table.Rows, want)
				}
			}
			t.Logf("%d meanings, %d with no row", n, empty)
			if empty > n/2 {
				t.Errorf("%d of %d meanings find nothing: the test sees too little", empty, n)
			}
		})
	}
}

// openWorld opens a folder of CSV files both as a graph and as plain lists.
func openWorld(t *testing.T, folder string) (store.Graph, *world) {
	t.Helper()
	g, err := embedded.Open(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := g.Schema(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, l := range schema.Labels {
		for _, p := range l.Properties {
			if p.Type == "STRING" && (keys[l.Name] == "" || p.Name == "name" || p.Name == "名称" || p.Name == "姓名") {
				keys[l.Name] = p.Name
			}
		}
	}
	return g, worldOf(t, g, schema, func(label string) string { return keys[label] })
}

// typeOf is the type of a property of a label or a relationship type.
func (w *world) typeOf(owner, property string) string {
	for _, l := range w.schema.Labels {
		for _, p := range l.Properties {
			if l.Name == owner && p.Name == property {
				return p.Type
			}
		}
	}
	for _, t := range w.schema.Types {
		for _, p := range t.Properties {
			if t.Name == owner && p.Name == property {
				return p.Type
			}
		}
	}
	return ""
}

func sameRows(got, want [][]any) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if len(got[i]) != len(want[i]) {
			return false
		}
		for j := range got[i] {
			if !sameValue(plainValue(got[i][j]), want[i][j]) {
				return false
			}
		}
	}
	return true
}

func sameValue(a, b any) bool {
	x, isNumber := store.Float(a)
	y, both := store.Float(b)
	if isNumber && both {
		return math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// TestQueriesOnNeo4j runs random meanings on a real Neo4j: a few, as planning one takes
// it a tenth of a second, and 2,000 with -meanings 30000.
func TestQueriesOnNeo4j(t *testing.T) {
	server := neotest.Start(t)
	for _, graph := range []string{"hospital", "logistics"} {
		folder := filepath.Join("../testdata/fair", graph)
		server.Load(t, os.DirFS(folder))
		g, err := bolt.Open(t.Context(), bolt.Config{URI: server.URI, Username: server.Username, Password: server.Password})
		if err != nil {
			t.Fatal(err)
		}
		_, w := openWorld(t, folder)
		p := Printer{Key: w.key, Type: w.typeOf}
		for seed := range *meanings / 30 {
			m := (&maker{Rand: rand.New(rand.NewPCG(uint64(seed), 5)), w: w}).meaning()
			q := p.Query(m)
			table, err := g.Run(t.Context(), q, store.Limits{Rows: 1 << 16})
			if err != nil {
				t.Fatalf("seed %d: %s\n%s\n%v: %v", seed, m.Key(), q.Text, q.Params, err)
			}
			if want := w.rows(m); !sameRows(table.Rows, want) {
				t.Fatalf("seed %d: %s\n%s\n%v\ngot  %v\nwant %v", seed, m.Key(), q.Text, q.Params, table.Rows, want)
			}
		}
		if err := g.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
