package embedded_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/embedded"
)

// A semantic is one line of testdata/semantics.jsonl: what Neo4j 5.26 answers
// to a query over testdata/graph.
type semantic struct {
	Name    string         `json:"name"`
	Query   string         `json:"query"`
	Params  map[string]any `json:"params"`
	Columns []string       `json:"columns"`
	Rows    [][]any        `json:"rows"`
	Ordered bool           `json:"ordered"`
	Error   string         `json:"error"` // "query": it is an error
}

func TestSemantics(t *testing.T) {
	g := open(t, "testdata/graph")
	for _, c := range semantics(t) {
		t.Run(c.Name, func(t *testing.T) {
			got, err := g.Run(t.Context(), store.Query{Text: c.Query, Params: c.Params}, store.Limits{})
			if c.Error != "" {
				if err == nil {
					t.Fatalf("%s\nhas no error, and %d rows", c.Query, len(got.Rows))
				}
				if !errors.Is(err, store.ErrQuery) && !errors.Is(err, store.ErrUnsupported) {
					t.Fatalf("%s\nerror is of no kind: %v", c.Query, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s\n%v", c.Query, err)
			}
			if !slices.Equal(got.Columns, c.Columns) {
				t.Errorf("%s\ncolumns %q, want %q", c.Query, got.Columns, c.Columns)
			}
			have := decode(t, encode(t, got.Rows)).([]any)
			want := make([]any, len(c.Rows))
			for i, r := range c.Rows {
				want[i] = any(r)
			}
			if !c.Ordered {
				sortRows(t, have)
				sortRows(t, want)
			}
			if !alike(have, want) {
				t.Errorf("%s\n have %s\n want %s", c.Query, text(t, have), text(t, want))
			}
		})
	}
}

func open(t testing.TB, dir string) *embedded.Graph {
	t.Helper()
	g, err := embedded.Open(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func semantics(t testing.TB) []semantic {
	t.Helper()
	raw, err := os.ReadFile("testdata/semantics.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []semantic
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c semantic
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.UseNumber()
		if err := dec.Decode(&c); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if c.Params != nil {
			c.Params = values(c.Params).(map[string]any)
		}
		out = append(out, c)
	}
	return out
}

// values turns the numbers of JSON into integers and floats.
func values(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = values(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = values(v[k])
		}
	}
	return v
}

func encode(t testing.TB, rows [][]any) []byte {
	t.Helper()
	b, err := store.EncodeRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode(t testing.TB, b []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func sortRows(t testing.TB, rows []any) {
	slices.SortFunc(rows, func(a, b any) int { return strings.Compare(text(t, a), text(t, b)) })
}

// alike compares decoded values; floats may differ in their last digits, as
// Java and Go compute sines and deviations differently there.
func alike(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok || a == b {
			return ok
		}
		if !strings.ContainsAny(a.String(), ".e") || !strings.ContainsAny(b.String(), ".e") {
			return false
		}
		x, _ := a.Float64()
		y, _ := b.Float64()
		return math.Abs(x-y) <= 1e-12*math.Max(math.Abs(x), math.Abs(y))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, alike)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if !alike(a[k], b[k]) {
				return false
			}
		}
		return true
	}
	return a == b
}

func TestRefusesByName(t *testing.T) {
	g := open(t, "testdata/graph")
	for _, c := range []struct{ query, says string }{
		{`RETURN rand()`, "rand"},
		{`RETURN randomUUID()`, "randomUUID"},
		{`MATCH (n) RETURN id(n)`, "id"},
		{`MATCH (n) RETURN elementId(n)`, "elementId"},
		{`CALL db.labels()  YIELD label RETURN label`, "db.labels"},
		{`MATCH (a)((x)-[:KNOWS]->(y) WHERE size(z) > 0){1,3}(b)((z)-->(w) WHERE size(x) > 0){1}(c) RETURN a`, "quantified"},
		{`MATCH p = SHORTEST 1 ((a)-[:KNOWS]->+(b) WHERE length(p) > 2) RETURN p`, "path selector"},
		{`MATCH p = shortestPath((a:Film)-[*]-(b:Place)) WHERE length(p) > 2 RETURN p`, "shortest path with a WHERE on the path"},
		{`RETURN 'a' =~ '(?=a)a'`, "regular expression"},
		{`RETURN apoc.text.join(['a'], '')`, "apoc.text.join"},
	} {
		_, err := g.Run(t.Context(), store.Query{Text: c.query}, store.Limits{})
		if !errors.Is(err, store.ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.query, err)
		}
	}
	if _, err := g.Run(t.Context(), store.Query{Text: `CREATE (n)`}, store.Limits{}); !errors.Is(err, store.ErrQuery) {
		t.Errorf("CREATE: %v", err)
	}
}

func TestLimits(t *testing.T) {
	g := open(t, "testdata/graph")
	run := func(query string, l store.Limits) (store.Table, error) {
		return g.Run(t.Context(), store.Query{Text: query}, l)
	}
	table, err := run(`UNWIND range(1, 10) AS x RETURN x`, store.Limits{Rows: 3})
	if err != nil || len(table.Rows) != 3 || !table.Truncated {
		t.Errorf("rows: %v %v", table, err)
	}
	table, err = run(`UNWIND range(1, 3) AS x RETURN x`, store.Limits{Rows: 3})
	if err != nil || len(table.Rows) != 3 || table.Truncated {
		t.Errorf("just enough rows: %v %v", table, err)
	}
	table, err = run(`RETURN range(1, 10) AS l, 'äöüß' AS s, [['a', 'bcdef']] AS m`, store.Limits{List: 2, Text: 3})
	if err != nil || text(t, table.Rows[0]) != `[[1,2],"äöü",[["a","bcd"]]]` || table.Shortened != 3 {
		t.Errorf("cut: %v %v", table, err)
	}
	table, err = run(`UNWIND range(1, 100000) AS x RETURN x, 'some text of some length'`, store.Limits{Rows: 100000, Bytes: 10000})
	if err != nil || !table.Truncated || len(table.Rows) > 1000 {
		t.Errorf("bytes: %d rows, %v", len(table.Rows), err)
	}
	for _, query := range []string{
		`UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a + b < 0 RETURN a`,
		`MATCH (a)-[*]-(b), (c)-[*]-(d), (e)-[*]-(f), (g)-[*]-(h) RETURN count(*)`,
		`RETURN reduce(s = 0, x IN range(1, 1000000) | s + size([y IN range(1, 1000) WHERE y = x]))`,
		`MATCH (a), (b), (c), (d), (e), (f), (g), (h) WHERE a.name = h.nope RETURN count(*)`,
		`MATCH (a)((b)-[]-(c))+((d)-[]-(e))+((f)-[]-(g))+ RETURN count(*)`,
		`MATCH SHORTEST 1000000 (a)-[]-+(b)-[]-+(c)-[]-+(d) RETURN count(*)`,
		`MATCH SHORTEST 1000000 GROUPS (a)((x)-[]-(y)-[]-(z) WHERE x.name < z.name OR true)+(d) RETURN count(*)`,
		`MATCH ALL SHORTEST (a)((x)-[]-(y) WHERE size([i IN range(1, 1000000) WHERE i = x.born]) < 0)+(d) RETURN count(*)`,
	} {
		start := time.Now()
		_, err := run(query, store.Limits{Timeout: 100 * time.Millisecond})
		if !errors.Is(err, store.ErrTimeout) && !errors.Is(err, store.ErrQuery) {
			t.Errorf("%s: %v", query, err)
		}
		if took := time.Since(start); took > 30*time.Second { // on a busy machine; unbounded it takes hours
			t.Errorf("%s took %v", query, took)
		}
	}
	for _, query := range []string{
		`RETURN range(1, 1000000000000)`,
		`UNWIND range(1, 1900000) AS x UNWIND [1, 2, 3] AS y RETURN collect(x + y)`,
		`RETURN reduce(s = 'a', x IN range(1, 100) | s + s)`,
		`RETURN reduce(l = [1], x IN range(1, 100) | l + l)`,
		`UNWIND range(1, 1900000) AS x UNWIND [1, 2, 3] AS y WITH DISTINCT x, y RETURN count(*)`,
		`UNWIND range(1, 1900000) AS x UNWIND [1, 2, 3] AS y WITH x ORDER BY y RETURN x`,
	} {
		if _, err := run(query, store.Limits{}); !errors.Is(err, store.ErrQuery) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestCancel(t *testing.T) {
	g := open(t, "testdata/graph")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Run(ctx, store.Query{Text: `RETURN 1`}, store.Limits{}); !errors.Is(err, store.ErrTimeout) {
		t.Error(err)
	}
	g.Close(t.Context())
	if _, err := g.Run(t.Context(), store.Query{Text: `RETURN 1`}, store.Limits{}); !errors.Is(err, store.ErrUnavailable) {
		t.Error(err)
	}
}
