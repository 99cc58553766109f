package store_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/embedded"
	"precedent/store/neotest"
)

const (
	bombTime   = time.Second / 5 // that a bomb is given
	bombGrace  = time.Second     // in which it must have ended after that
	cancelTime = 100 * time.Millisecond
	bombBytes  = 300 << 20 // of the heap and the stacks
	bombTries  = 4         // where a busy machine lets one be late
)

// A bomb is a line of testdata/bombs.jsonl, a query that could take a process
// down, or of testdata/honest.jsonl, one that is only large.
type bomb struct {
	Query string          `json:"query"`
	Neo4j bool            `json:"neo4j"` // means something there too
	Value json.RawMessage `json:"value"` // of the first row, where it is honest
}

func bombs(t *testing.T, file string) []bomb {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []bomb
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var b bomb
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, b)
	}
	return all
}

func people(t *testing.T) store.Graph {
	t.Helper()
	g, err := embedded.Open(os.DirFS(testGraph))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// peak calls do and returns the most bytes that the heap and the stacks held in
// the meantime.
func peak(do func()) uint64 {
	runtime.GC()
	done := make(chan struct{})
	var watch sync.WaitGroup
	var most uint64
	watch.Go(func() {
		now := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		for {
			metrics.Read(now)
			most = max(most, now[0].Value.Uint64()+now[1].Value.Uint64())
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	do()
	close(done)
	watch.Wait()
	return most
}

// runBomb runs b a few times until it ends in time, and fails t where it never
// does, or takes too much.
func runBomb(t *testing.T, g store.Graph, b bomb) {
	t.Helper()
	var took time.Duration
	for range bombTries {
		var err error
		bytes := peak(func() {
			start := time.Now()
			_, err = g.Run(t.Context(), store.Query{Text: b.Query}, store.Limits{Timeout: bombTime})
			took = time.Since(start)
		})
		if bytes > bombBytes {
			t.Fatalf("%s\ntook %d MiB", b.Query, bytes>>20)
		}
		if err != nil && !errors.Is(err, store.ErrQuery) && !errors.Is(err, store.ErrTimeout) {
			t.Fatalf("%s\nan error of no kind: %v", b.Query, err)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Fatalf("%s\nan error of %d bytes", b.Query, len(err.Error()))
		}
		if took <= bombTime+bombGrace {
			t.Logf("%6d ms %4d MiB  %.110s\n                    %.150v", took.Milliseconds(), bytes>>20, b.Query, err)
			return
		}
	}
	t.Errorf("%s\ntook %v", b.Query, took)
}

func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	g := people(t)
	for _, b := range bombs(t, "testdata/bombs.jsonl") {
		runBomb(t, g, b)
	}
}

// What is large and honest still has its answer.
func TestHonest(t *testing.T) {
	g := people(t)
	for _, b := range bombs(t, "testdata/honest.jsonl") {
		table, err := g.Run(t.Context(), store.Query{Text: b.Query}, store.Limits{Timeout: time.Minute})
		if err != nil {
			t.Errorf("%s\n%v", b.Query, err)
			continue
		}
		if got, err := store.EncodeRows(table.Rows[:1]); err != nil || string(got) != "[["+string(b.Value)+"]]" {
			t.Errorf("%s\nhas %s, want %s; %v", b.Query, got, b.Value, err)
		}
	}
}

// A bomb whose asker leaves stops at once, in the middle of whatever it does.
func TestCancelledBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	g := people(t)
	for _, b := range bombs(t, "testdata/bombs.jsonl") {
		least := time.Hour
		for range bombTries {
			ctx, cancel := context.WithCancel(t.Context())
			var left time.Time
			time.AfterFunc(bombTime/5, func() { left = time.Now(); cancel() })
			_, err := g.Run(ctx, store.Query{Text: b.Query}, store.Limits{Timeout: time.Minute})
			if ctx.Err() == nil { // it ended by itself
				cancel()
				least = 0
				break
			}
			if err != nil && !errors.Is(err, store.ErrQuery) && !errors.Is(err, store.ErrTimeout) {
				t.Errorf("%s\nan error of no kind: %v", b.Query, err)
			}
			if least = min(least, time.Since(left)); least <= cancelTime {
				break
			}
		}
		if least > cancelTime {
			t.Errorf("%s\nwent on for %v", b.Query, least)
		}
	}
}

// What a Neo4j makes of a bomb is its own memory; what comes of it is ours.
func TestBombsOnNeo4j(t *testing.T) {
	_, g := loaded(t, (*neotest.Server).Keep)
	for _, b := range bombs(t, "testdata/bombs.jsonl") {
		if b.Neo4j {
			runBomb(t, g, b)
		}
	}
}

// A row of Neo4j that is too large ends its query before we hold it, whatever it
// is made of, and the graph answers on.
func TestLargeRowsOfNeo4j(t *testing.T) {
	_, g := loaded(t, (*neotest.Server).Keep)
	for _, query := range []string{
		`RETURN reduce(s = 'a', x IN range(1, 25) | s + s)`,
		`RETURN range(1, 10000000)`,
		`RETURN [x IN range(1, 500000) | {}]`,
		`RETURN [x IN range(1, 2000000) | []]`,
		`RETURN reduce(s = {a: 1}, x IN range(1, 18) | {a: s, b: s})`,
		`RETURN [x IN range(1, 2000000) | 0.5 * x]`,
		`RETURN [x IN range(1, 200000) | date('2020-01-01')]`,
		`MATCH (f:Film) WITH f LIMIT 1 RETURN [x IN range(1, 100000) | f]`,
		`UNWIND [1, 2, 10000000] AS n RETURN range(1, n)`,
	} {
		var err error
		bytes := peak(func() { _, err = g.Run(t.Context(), store.Query{Text: query}, store.Limits{}) })
		if !errors.Is(err, store.ErrTooLarge) || !errors.Is(err, store.ErrQuery) || bytes > bombBytes {
			t.Errorf("%s: %d MiB, %v", query, bytes>>20, err)
		}
		t.Logf("%4d MiB  %s", bytes>>20, query)
		if table, err := g.Run(t.Context(), store.Query{Text: "RETURN 1"}, store.Limits{}); err != nil || table.Rows[0][0] != int64(1) {
			t.Errorf("after %s: %v", query, err)
		}
	}
	for _, query := range []string{
		`RETURN reduce(s = 'a', x IN range(1, 22) | s + s)`,
		`RETURN range(1, 200000)`,
		`UNWIND range(1, 300) AS x RETURN range(1, 20000)`,
		`UNWIND range(1, 50000) AS x WITH x ORDER BY x DESC RETURN x`,
		`MATCH (n) RETURN collect(n)`,
	} {
		if table, err := g.Run(t.Context(), store.Query{Text: query}, store.Limits{}); err != nil || len(table.Rows) == 0 {
			t.Errorf("%s: %d rows, %v", query, len(table.Rows), err)
		}
	}
}

// Bombs that many people send at once share what the process has for them, and
// keep nobody from a small answer.
func TestManyBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	g := people(t)
	run := func(query string) error {
		_, err := g.Run(t.Context(), store.Query{Text: query}, store.Limits{Timeout: time.Minute})
		return err
	}
	const large = `UNWIND range(1, 300000) AS x RETURN size(collect([x])) AS n`
	bytes := peak(func() {
		var senders sync.WaitGroup
		for range 16 {
			senders.Go(func() {
				for range 4 {
					err := run(`UNWIND range(1, 1900000) AS x RETURN collect({a: x, b: [x, x]}) AS v`)
					if !errors.Is(err, store.ErrTooLarge) && !errors.Is(err, store.ErrTimeout) {
						t.Errorf("a bomb: %v", err)
					}
				}
			})
			senders.Go(func() {
				for range 50 {
					if err := run(`MATCH (p:Person)-[:ACTED_IN]->(f) RETURN f.title, count(p) ORDER BY f.title`); err != nil {
						t.Errorf("a small query: %v", err)
					}
				}
			})
		}
		senders.Wait()
	})
	t.Logf("%d MiB", bytes>>20)
	if bytes > 3*bombBytes { // twice what all may hold, by the garbage collector, and what they have for themselves
		t.Errorf("all together took %d MiB", bytes>>20)
	}
	for range 8 { // all was given back
		if err := run(large); err != nil {
			t.Error(err)
		}
	}
}
