package engine_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

// customers is how many a shop has whose graph is large.
const customers = 100_000

// largeShop is a Neo4j with so many customers, and what an engine on it is opened with.
func largeShop(b *testing.B) (*neotest.Server, engine.Config) {
	s := neotest.Start(b)
	s.Clear(b)
	s.Exec(b, "UNWIND range(1, $n) AS i CALL (i) { CREATE (:Customer {name: ['Acme', 'Bolton', 'Cray', 'Dorn', 'Ewald'][i % 5] + ' ' + toString(i) + ' Holdings', city: 'City ' + (i % 50), since: 1990 + i % 35}) } IN TRANSACTIONS OF 10000 ROWS", map[string]any{"n": customers})
	s.Exec(b, "MATCH (c:Customer) WHERE c.since = 2000 CREATE (c)-[:PLACED {year: 2024}]->(:Order {code: 'SO-' + c.name})", nil)
	s.Exec(b, "CREATE CONSTRAINT FOR (c:Customer) REQUIRE c.name IS UNIQUE", nil)
	s.Exec(b, "CALL db.awaitIndexes(60)", nil)
	c := engine.Config{Graph: s.URI, Neo4j: bolt.Config{Username: s.Username, Password: s.Password}, Data: b.TempDir(), Refresh: time.Hour}
	e := openShop(b, c)
	if _, _, err := e.Add(b.Context(), store.Case{Question: "in which city is Acme 5 Holdings", Query: "MATCH (c:Customer {name: 'Acme 5 Holdings'}) RETURN c.city AS city"}, "cy", ""); err != nil {
		b.Fatal(err)
	}
	closeShop(b, e)
	return s, c
}

func openShop(b *testing.B, c engine.Config) *engine.Engine {
	b.Helper()
	e, _, err := engine.Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func closeShop(b *testing.B, e *engine.Engine) {
	b.Helper()
	if err := e.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
}

func askShop(b *testing.B, e *engine.Engine, n int) time.Duration {
	b.Helper()
	start := time.Now()
	a := e.Ask(context.Background(), engine.Question{Text: fmt.Sprintf("in which city is Acme %d Holdings", 5*n)}, nil)
	if a.Route != engine.ByCase || fmt.Sprint(a.Rows) != fmt.Sprintf("[[City %d]]", 5*n%50) {
		b.Fatalf("%s %v: %s", a.Route, a.Rows, a.Text)
	}
	return time.Since(start)
}

// BenchmarkLargeGraph opens a Neo4j of 100,000 customers for the first time, and with
// what that kept, to an answer; and refreshes it, when nothing changed, when one
// customer did, and as a whole.
func BenchmarkLargeGraph(b *testing.B) {
	s, c := largeShop(b)
	b.Run("open and ask, kept", func(b *testing.B) {
		for b.Loop() {
			e := openShop(b, c)
			askShop(b, e, 7)
			closeShop(b, e)
		}
	})
	b.Run("open and ask, the first time", func(b *testing.B) {
		for b.Loop() {
			first := c
			first.Data = b.TempDir()
			closeShop(b, openShop(b, first))
		}
	})
	e := openShop(b, c)
	defer closeShop(b, e)
	n := 0
	for name, before := range map[string]func(){
		"refresh, nothing changed": func() {},
		"refresh, an order more": func() {
			n++
			s.Exec(b, "CREATE (:Order {code: $code})", map[string]any{"code": fmt.Sprint("SO-new ", n)})
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				before()
				b.StartTimer()
				if _, err := e.Refresh(b.Context(), false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("refresh, whole", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Refresh(b.Context(), true); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAnswersDuringRefresh compares the time to answers while nothing else goes on
// with that while the graph of 100,000 customers is refreshed over and over: an order
// more each time, or as a whole.
func BenchmarkAnswersDuringRefresh(b *testing.B) {
	s, c := largeShop(b)
	e := openShop(b, c)
	defer closeShop(b, e)
	measure := func(d time.Duration) (p50, p95 float64) {
		var took []float64
		for n, until := 0, time.Now().Add(d); time.Now().Before(until); n++ {
			took = append(took, float64(askShop(b, e, n%1000+1))/float64(time.Millisecond))
			time.Sleep(5 * time.Millisecond) // people pause
		}
		slices.Sort(took)
		return took[len(took)/2], took[len(took)*95/100]
	}
	measure(3 * time.Second)
	for name, whole := range map[string]bool{"an order more": false, "whole": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, before := measure(6 * time.Second)
				ctx, stop := context.WithCancel(b.Context())
				var refreshing sync.WaitGroup
				refreshes := 0
				refreshing.Go(func() {
					for ; ctx.Err() == nil; refreshes++ {
						s.Exec(b, "CREATE (:Order {code: randomUUID()})", nil)
						if _, err := e.Refresh(ctx, whole); err != nil && ctx.Err() == nil {
							b.Error(err)
						}
					}
				})
				p50, during := measure(8 * time.Second)
				stop()
				refreshing.Wait()
				b.ReportMetric(before, "p95-before-ms")
				b.ReportMetric(during, "p95-during-ms")
				b.ReportMetric(p50, "p50-during-ms")
				b.ReportMetric(float64(refreshes), "refreshes")
			}
		})
	}
}
