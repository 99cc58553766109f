package bolt_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

// cinema is the graph of these tests.
var cinema = fstest.MapFS{
	"1.csv": {Data: []byte(`id:ID(Person),name,born:int,seen:datetime,:LABEL
1,Tom Hanks,1956,2024-03-01T10:00:00+01:00,Person;Actor
2,Lana Wachowski,1965,,Person;Director
3,"Clint ""Eastwood""",1930,,Person;Actor;Director
`)},
	"2.csv": {Data: []byte(`id:ID(Movie),title,year:int,rating:double,tags:string[],released:date,:LABEL
1,The Matrix,1999,8.7,a;b,1999-03-31,Movie
2,黑客帝国,2003,,,,Movie
`)},
	"3.csv": {Data: []byte(`:START_ID(Person),:END_ID(Movie),role,:TYPE
1,1,Neo,ACTED_IN
3,1,Smith,ACTED_IN
3,2,,DIRECTED
2,2,,DIRECTED
`)},
}

// open loads the cinema and opens it.
func open(t *testing.T, change func(*bolt.Config)) (*bolt.Graph, *neotest.Server) {
	t.Helper()
	s := neotest.Start(t)
	s.Load(t, cinema)
	return connect(t, s, change), s
}

func connect(t *testing.T, s *neotest.Server, change func(*bolt.Config)) *bolt.Graph {
	t.Helper()
	c := bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password}
	if change != nil {
		change(&c)
	}
	g, err := bolt.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close(context.Background()) })
	return g
}

func run(t *testing.T, g *bolt.Graph, query string, params map[string]any) store.Table {
	t.Helper()
	table, err := g.Run(t.Context(), store.Query{Text: query, Params: params}, store.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return table
}

func TestValues(t *testing.T) {
	g, _ := open(t, nil)
	tests := []struct {
		literal string
		value   any
		echo    bool // the value is sent back as a parameter too
	}{
		{"null", nil, true},
		{"true", true, true},
		{"-9223372036854775808", int64(-9223372036854775808), true},
		{"8.0", 8.0, true},
		{"'é😀'", "é😀", true},
		{"[1, [2.5, 'x'], {a: [null]}]", []any{int64(1), []any{2.5, "x"}, map[string]any{"a": []any{nil}}}, true},
		{"date('2015-07-21')", store.Date{Days: 16637}, true},
		{"date('-0001-03-01')", store.DateOf(-1, 3, 1), true},
		{"date('+999999999-12-31')", store.DateOf(999999999, 12, 31), true},
		{"localtime('21:40:32.142')", store.LocalTime{Nanos: 78032142000000}, true},
		{"time('21:40:32.142-11:30')", store.Time{Nanos: 78032142000000, Offset: -41400}, true},
		{"localdatetime('1969-12-31T23:59:59.000000001')", store.LocalDateTime{Seconds: -1, Nanos: 1}, true},
		{"datetime('2015-07-21T21:40:32.142+01:00')", store.DateTime{Seconds: 1437511232, Nanos: 142000000, Offset: 3600}, true},
		{"datetime('2015-07-21T21:40:32+01:00[Europe/London]')", store.DateTime{Seconds: 1437511232, Offset: 3600, Zone: "Europe/London"}, true},
		{"datetime('2024-10-27T02:30+01:00[Europe/Berlin]')", store.DateTime{Seconds: 1729992600, Offset: 3600, Zone: "Europe/Berlin"}, true},
		{"datetime('2015-07-21T21:40Z')", store.DateTime{Seconds: 1437514800}, true},
		{"duration('P1Y2M3DT-4.5S')", store.Duration{Months: 14, Days: 3, Seconds: -5, Nanos: 500000000}, true},
		{"point({x: 1, y: 2})", store.Point{SRID: 7203, X: 1, Y: 2}, true},
		{"point({longitude: 1, latitude: 2, height: 3})", store.Point{SRID: 4979, X: 1, Y: 2, Z: 3}, true},
	}
	for _, test := range tests {
		got := run(t, g, "RETURN "+test.literal, nil).Rows[0][0]
		if !reflect.DeepEqual(got, test.value) {
			t.Errorf("%s gives %#v, want %#v", test.literal, got, test.value)
		}
		if !test.echo {
			continue
		}
		query := fmt.Sprintf("RETURN $v, $v = %s, %s, toString($v)", test.literal, test.literal)
		if strings.ContainsAny(test.literal, "[{") && !strings.Contains(test.literal, "datetime") || test.value == nil {
			query = "RETURN $v, true, null, ''"
		}
		row := run(t, g, query, map[string]any{"v": test.value}).Rows[0]
		if !reflect.DeepEqual(row[0], test.value) || row[1] != true {
			t.Errorf("$v = %#v comes back as %#v, equal: %v", test.value, row[0], row[1])
		}
		if s, ok := test.value.(fmt.Stringer); ok && s.String() != row[3] && row[3] != "" {
			t.Errorf("%#v prints as %s, in Neo4j as %s", test.value, s, row[3])
		}
	}
}

func TestEntities(t *testing.T) {
	g, _ := open(t, nil)
	table := run(t, g, "MATCH p = (a:Actor {name: 'Tom Hanks'})-[r]->(m) RETURN a, r, m.title AS title, p", nil)
	if got := fmt.Sprint(table.Columns); got != "[a r title p]" {
		t.Errorf("columns %s", got)
	}
	row := table.Rows[0]
	a, r, p := row[0].(store.Node), row[1].(store.Relationship), row[3].(store.Path)
	if a.Properties["born"] != int64(1956) || fmt.Sprint(a.Labels) != "[Person Actor]" || r.Type != "ACTED_IN" ||
		r.Properties["role"] != "Neo" || r.Start != a.ID || r.End != p.Nodes[1].ID || a.ID == r.End ||
		len(p.Relationships) != 1 || p.Relationships[0].ID != r.ID || row[2] != "The Matrix" {
		t.Errorf("got %#v", row)
	}
	// A path walked against its relationship still starts where the walk does.
	p = run(t, g, "MATCH p = (m:Movie)<-[:ACTED_IN {role: 'Neo'}]-() RETURN p", nil).Rows[0][0].(store.Path)
	if p.Nodes[0].Labels[0] != "Movie" || p.Relationships[0].Start != p.Nodes[1].ID {
		t.Errorf("path %#v", p)
	}
}

func TestLimits(t *testing.T) {
	g, _ := open(t, nil)
	long := "UNWIND range(1, 1000000000) AS x RETURN x"
	tests := []struct {
		name, query     string
		limits          store.Limits
		rows, shortened int
		truncated       bool
		first           any
	}{
		{"fewer rows", "UNWIND range(1, 3) AS x RETURN x", store.Limits{Rows: 4}, 3, 0, false, int64(1)},
		{"as many rows", "UNWIND range(1, 3) AS x RETURN x", store.Limits{Rows: 3}, 3, 0, false, int64(1)},
		{"more rows", "UNWIND range(1, 3) AS x RETURN x", store.Limits{Rows: 2}, 2, 0, true, int64(1)},
		{"endless rows", long, store.Limits{Rows: 1500}, 1500, 0, true, int64(1)},
		{"no rows", "UNWIND [] AS x RETURN x", store.Limits{}, 0, 0, false, nil},
		{"text by runes", "RETURN '诺兰éabc'", store.Limits{Text: 3}, 1, 1, false, "诺兰é"},
		{"text that fits", "RETURN '诺兰é'", store.Limits{Text: 3}, 1, 0, false, "诺兰é"},
		{"list", "RETURN range(1, 1536)", store.Limits{List: 2}, 1, 1, false, []any{int64(1), int64(2)}},
		{"nested", "RETURN {a: [range(1, 9), 'xyz']}", store.Limits{List: 2, Text: 1}, 1, 2, false,
			map[string]any{"a": []any{[]any{int64(1), int64(2)}, "x"}}},
		{"bytes", "UNWIND range(1, 100) AS x RETURN 'abcdefgh'", store.Limits{Bytes: 10 * 24}, 10, 0, true, "abcdefgh"},
		{"a first row too large", "UNWIND [1, 2] AS x RETURN range(1, 100)", store.Limits{Bytes: 64}, 1, 1, true,
			[]any{int64(1), int64(2), int64(3), int64(4)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table, err := g.Run(t.Context(), store.Query{Text: test.query}, test.limits)
			if err != nil {
				t.Fatal(err)
			}
			if len(table.Rows) != test.rows || table.Truncated != test.truncated || table.Shortened != test.shortened {
				t.Errorf("%d rows, truncated %v, shortened %d", len(table.Rows), table.Truncated, table.Shortened)
			}
			if test.rows > 0 && !reflect.DeepEqual(table.Rows[0][0], test.first) {
				t.Errorf("first %#v, want %#v", table.Rows[0][0], test.first)
			}
		})
	}
}

// slow is a query that runs for hours.
const slow = "UNWIND range(1, 1000000000) AS x UNWIND range(1, 1000000000) AS y RETURN count(x + y)"

func TestTimeout(t *testing.T) {
	g, s := open(t, nil)
	start := time.Now()
	_, err := g.Run(t.Context(), store.Query{Text: slow}, store.Limits{Timeout: time.Second})
	if !errors.Is(err, store.ErrTimeout) {
		t.Errorf("limits: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := g.Run(ctx, store.Query{Text: slow}, store.Limits{}); !errors.Is(err, store.ErrTimeout) {
		t.Errorf("ctx: %v", err)
	}
	if took := time.Since(start); took > 30*time.Second { // on a busy machine; unbounded it takes hours
		t.Errorf("took %v", took)
	}
	ends(t, s)
}

func TestCancel(t *testing.T) {
	g, s := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	start := time.Now()
	_, err := g.Run(ctx, store.Query{Text: slow}, store.Limits{})
	if took := time.Since(start); !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrTimeout) || took > 30*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
	ends(t, s)
	run(t, g, "RETURN 1", nil) // the connections still serve
}

// ends makes sure that the slow query doesn't run on in the server.
func ends(t *testing.T, s *neotest.Server) {
	t.Helper()
	for range 50 {
		n := s.Exec(t, "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range' RETURN count(*)", nil)[0][0]
		if n == int64(0) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("the server still runs the query after 5 s")
}

func TestConcurrent(t *testing.T) {
	g, _ := open(t, func(c *bolt.Config) { c.Connections = 4 })
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for j := range 20 {
				table, err := g.Run(t.Context(), store.Query{Text: "RETURN $x", Params: map[string]any{"x": int64(i * j)}}, store.Limits{})
				if err != nil || table.Rows[0][0] != int64(i*j) {
					t.Errorf("got %v, %v", table.Rows, err)
				}
				if _, err := g.Explain(t.Context(), store.Query{Text: "MATCH (n) RETURN n"}); err != nil {
					t.Error(err)
				}
			}
			if _, err := g.Schema(t.Context(), time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestLink(t *testing.T) {
	g, s := open(t, nil)
	s.Exec(t, "CREATE FULLTEXT INDEX titles FOR (m:Movie) ON EACH [m.title]", nil)
	s.Exec(t, "CALL db.awaitIndexes(30)", nil)
	values, complete, err := g.Values(t.Context(), "Person", "name", 3)
	if err != nil || !complete || len(values) != 3 {
		t.Errorf("all: %v, %v, %v", values, complete, err)
	}
	values, complete, err = g.Values(t.Context(), "Person", "name", 2)
	if err != nil || complete || len(values) != 2 {
		t.Errorf("some: %v, %v, %v", values, complete, err)
	}
	for text, want := range map[string]int{"matrix": 1, "THE (matrix": 1, "matrix AND": 1, "~*\\/": 0, "": 0, "nothing": 0} {
		hits, err := g.FullText(t.Context(), "titles", text, 5)
		if err != nil || len(hits) != want {
			t.Errorf("full text %q: %v, %v", text, hits, err)
		}
	}
	if _, err := g.FullText(t.Context(), "nope", "matrix", 5); !errors.Is(err, store.ErrQuery) {
		t.Errorf("no such index: %v", err)
	}
}
