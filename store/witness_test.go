package store_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

var recording = flag.Bool("record", false, "write what Neo4j says to testdata/neo4j.jsonl")

// recordFile holds what Neo4j said of queries, a line each. It is no list of what is
// right: whatever it lacks, as the graph, the query or the version of Neo4j changed, goes
// to a real Neo4j. It is written by
//
//	go test ./store -run 'TestSchemasAreEqual|TestRandomQueries|TestSharedPairsAreEqual' -record
const recordFile = "testdata/neo4j.jsonl"

// liveEach is of how many recorded queries one goes to a real Neo4j in an ordinary run;
// with PRECEDENT_ALL=1 they all do.
const liveEach = 20

// A testimony is what Neo4j said of a query.
type testimony struct {
	Test     string   `json:"test"`
	Of       string   `json:"of"` // the version of Neo4j, the graph and the query
	Error    string   `json:"error,omitempty"`
	TooLong  bool     `json:"too_long,omitempty"`
	Columns  string   `json:"columns,omitempty"`
	Rows     []string `json:"rows,omitempty"`      // in the order in which they came
	Even     []string `json:"even,omitempty"`      // see evened; nil where they are as Rows
	AnyOrder []string `json:"any_order,omitempty"` // and with sorted lists; nil where they are as Even
}

// testified is what came of running a query.
func testified(t *testing.T, table store.Table, err error) testimony {
	t.Helper()
	if err != nil {
		return testimony{Error: err.Error(), TooLong: errors.Is(err, store.ErrTimeout)}
	}
	lines := rows(t, table, true)
	said := testimony{Columns: lines[0], Rows: lines[1:]}
	said.Even = unless(rows(t, evened(table, false), true)[1:], said.Rows)
	said.AnyOrder = unless(rows(t, evened(table, true), true)[1:], said.even())
	return said
}

// unless is lines, nil where they are the others.
func unless(lines, others []string) []string {
	if slices.Equal(lines, others) {
		return nil
	}
	return lines
}

func (s testimony) even() []string {
	if s.Even != nil {
		return s.Even
	}
	return s.Rows
}

func (s testimony) anyOrder() []string {
	if s.AnyOrder != nil {
		return s.AnyOrder
	}
	return s.even()
}

// lines are the columns and then rows, sorted unless ordered.
func (s testimony) lines(rows []string, ordered bool) []string {
	if !ordered {
		rows = slices.Sorted(slices.Values(rows))
	}
	return append([]string{s.Columns}, rows...)
}

func (s testimony) briefly(ordered bool) string {
	if s.Error != "" {
		return "error: " + strings.ReplaceAll(fmt.Sprintf("%.300s", s.Error), "\n", " ")
	}
	return fmt.Sprintf("%.600s", strings.Join(s.lines(s.Rows, ordered)[1:], " "))
}

// records are what Neo4j said in a test.
type records struct {
	t       *testing.T
	said    map[string]testimony // in this test, by what it is of
	others  []testimony          // in other tests
	live    *bolt.Graph          // once it was needed
	loaded  string               // the graph there
	asked   int                  // queries that went there
	answers int
}

// openRecords are the records of a test, and end with it.
func openRecords(t *testing.T) *records {
	t.Helper()
	r := &records{t: t, said: map[string]testimony{}}
	text, err := os.ReadFile(recordFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var said testimony
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%s: %v", recordFile, err)
		}
		switch {
		case said.Test != t.Name():
			r.others = append(r.others, said)
		case !*recording:
			r.said[said.Of] = said
		}
	}
	t.Cleanup(func() {
		t.Logf("%d of %d queries went to a real Neo4j", r.asked, r.answers)
		if r.live != nil {
			r.live.Close(context.Background())
		}
		if *recording && !t.Failed() {
			r.write()
		}
	})
	return r
}

// A witness says what Neo4j makes of a query over a graph.
type witness func(q store.Query, limits store.Limits) testimony

// liveWitness asks a graph.
func liveWitness(t *testing.T, g store.Graph) witness {
	return func(q store.Query, limits store.Limits) testimony {
		table, err := g.Run(t.Context(), q, limits)
		return testified(t, table, err)
	}
}

// witness says of queries over a graph what was recorded, or else what a real Neo4j says now.
func (r *records) witness(files fs.FS) witness {
	graph := digestOf(r.t, files)
	return func(q store.Query, limits store.Limits) testimony {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %q", q.Text, q.Params))
		of := fmt.Sprintf("%s %s %x", neotest.Version, graph, sum[:8])
		r.answers++
		if said, ok := r.said[of]; ok && (*recording || sum[0]%liveEach > 0 && os.Getenv("PRECEDENT_ALL") == "") {
			return said
		}
		r.asked++
		said := liveWitness(r.t, r.ask(files, graph))(q, limits)
		if said.Of, said.Test = of, r.t.Name(); *recording && !said.TooLong {
			r.said[of] = said
		}
		return said
	}
}

// ask is a real Neo4j with a graph.
func (r *records) ask(files fs.FS, graph string) *bolt.Graph {
	if r.live != nil && r.loaded == graph {
		return r.live
	}
	s := neotest.StartFresh(r.t)
	s.Keep(r.t, files)
	if r.live != nil {
		r.live.Close(r.t.Context())
	}
	live, err := bolt.Open(r.t.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password})
	if err != nil {
		r.t.Fatal(err)
	}
	r.live, r.loaded = live, graph
	return live
}

// write puts what was said in place of what the file of records has of this test.
func (r *records) write() {
	all := slices.AppendSeq(r.others, maps.Values(r.said))
	slices.SortFunc(all, func(a, b testimony) int { return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(a.Of, b.Of)) })
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, said := range all {
		if err := enc.Encode(said); err != nil {
			r.t.Error(err)
			return
		}
	}
	if err := os.WriteFile(recordFile, []byte(b.String()), 0o666); err != nil {
		r.t.Error(err)
	}
}

// digestOf tells one folder of CSV files from another.
func digestOf(t *testing.T, files fs.FS) string {
	t.Helper()
	names, err := fs.Glob(files, "*.csv") // sorted
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%q %d\n%s", name, len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}
