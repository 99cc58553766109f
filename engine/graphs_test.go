package engine

import (
	"testing"
	"time"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/embedded"
	"precedent/store/movies"
	"precedent/store/neotest"
)

// BenchmarkGraphs runs queries of shipped cases with their examples on the
// embedded graph and on Neo4j over Bolt, one after the other. It takes every
// fourth case: Neo4j keeps the plans of 1,000 queries, and planning isn't what
// is compared.
func BenchmarkGraphs(b *testing.B) {
	shipped, err := shippedCases()
	if err != nil {
		b.Fatal(err)
	}
	var queries []store.Query
	for i := 0; i < len(shipped); i += 4 {
		queries = append(queries, store.Query{Text: shipped[i].Query, Params: exampleParams(shipped[i])})
	}
	b.Run("embedded", func(b *testing.B) {
		g, err := embedded.Open(movies.Graph())
		if err != nil {
			b.Fatal(err)
		}
		runEach(b, g, queries)
	})
	b.Run("Neo4j", func(b *testing.B) {
		s := neotest.Start(b)
		s.Load(b, movies.Graph())
		g, err := bolt.Open(b.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password})
		if err != nil {
			b.Fatal(err)
		}
		defer g.Close(b.Context())
		runEach(b, g, queries)
	})
}

// warmUp is how often each query runs before it is measured: plans are made, and
// Neo4j's machine compiles what runs often.
const warmUp = 5

// runEach runs each query as often as the benchmark asks for.
func runEach(b *testing.B, g store.Graph, queries []store.Query) {
	run := func(q store.Query) {
		if _, err := g.Run(b.Context(), q, store.Limits{}); err != nil {
			b.Fatalf("%s: %v", q.Text, err)
		}
	}
	for range warmUp {
		for _, q := range queries {
			run(q)
		}
	}
	var took []float64
	for b.Loop() {
		for _, q := range queries {
			start := time.Now()
			run(q)
			took = append(took, float64(time.Since(start))/float64(time.Millisecond))
		}
	}
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "queries/s")
	b.ReportMetric(0, "ns/op")
	reportTimes(b, took)
}
