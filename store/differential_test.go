package store_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/embedded"
	"precedent/store/neotest"
)

const testGraph = "embedded/testdata/graph"

// both opens the test graph of the embedded graph in it and in Neo4j.
func both(t *testing.T) (*embedded.Graph, *bolt.Graph) { return loaded(t, (*neotest.Server).Load) }

// loaded is both, with the graph brought into Neo4j by load.
func loaded(t *testing.T, load func(*neotest.Server, testing.TB, fs.FS)) (*embedded.Graph, *bolt.Graph) {
	t.Helper()
	s := neotest.StartFresh(t)
	load(s, t, os.DirFS(testGraph))
	e, err := embedded.Open(os.DirFS(testGraph))
	if err != nil {
		t.Fatal(err)
	}
	b, err := bolt.Open(t.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(t.Context()) })
	return e, b
}

// The embedded graph describes itself as Neo4j does. Keys come from
// constraints in the one and from the files' IDs in the other.
func TestSchemasAreEqual(t *testing.T) {
	e, b := both(t)
	lines := func(g store.Graph) []string {
		s, err := g.Schema(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		add := func(head string, v any) {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, head+string(text))
		}
		properties := func(of string, ps []store.Property) {
			for _, p := range ps {
				p.Unique = false
				add(of+".", p)
			}
		}
		for _, l := range s.Labels {
			add(l.Name+" ", l.Count)
			properties(l.Name, l.Properties)
		}
		for _, r := range s.Types {
			add(r.Name+" ", r.Count)
			properties(r.Name, r.Properties)
		}
		for _, r := range s.Relationships {
			add("", r)
		}
		return out
	}
	compare(t, "schema", lines(e), lines(b))
}

// Queries of the differential suite have the same rows, or fail, in both: every
// liveEach-th, and with PRECEDENT_ALL=1 each. What Neo4j answers to each stands in the
// suite, to which the tests of store/embedded hold that. What the embedded graph calls
// unsupported is counted, not compared.
func TestRowsAreEqual(t *testing.T) {
	f, err := os.Open("embedded/testdata/semantics.jsonl")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	e, b := both(t)
	unsupported, compared, total := 0, 0, 0
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		var q struct {
			store.Query
			Ordered bool `json:"ordered"`
		}
		if err := json.Unmarshal(scan.Bytes(), &q); err != nil {
			t.Fatalf("%s: %v", scan.Text(), err)
		}
		if total++; total%liveEach != 1 && os.Getenv("PRECEDENT_ALL") == "" {
			continue
		}
		compared++
		got, gotErr := e.Run(t.Context(), q.Query, store.Limits{Rows: 100_000})
		want, wantErr := b.Run(t.Context(), q.Query, store.Limits{Rows: 100_000})
		switch {
		case errors.Is(gotErr, store.ErrUnsupported):
			unsupported++
		case (gotErr == nil) != (wantErr == nil):
			t.Errorf("%s\n embedded: %v\n Neo4j:    %v", q.Text, gotErr, wantErr)
		case gotErr == nil:
			compare(t, q.Text, rows(t, got, q.Ordered), rows(t, want, q.Ordered))
		}
	}
	if scan.Err() != nil || total == 0 {
		t.Fatalf("%d queries read: %v", total, scan.Err())
	}
	t.Logf("%d of %d queries, %d of them unsupported by the embedded graph", compared, total, unsupported)
}

func rows(t *testing.T, table store.Table, ordered bool) []string {
	out := []string{}
	for _, row := range table.Rows {
		text, err := store.EncodeRows([][]any{row})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	if !ordered {
		slices.Sort(out)
	}
	return append([]string{strings.Join(table.Columns, " | ")}, out...)
}

// compare says which lines only one of them has.
func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	t.Errorf("%s differs", what)
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Logf(" embedded: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Logf(" Neo4j:    %s", line)
		}
	}
}
