package cypher_test

import (
	"runtime"
	"testing"

	"precedent/store/cypher"
)

func pairQueries(b *testing.B) (queries []string, bytes int) {
	for _, row := range sharedRows(b, "text2cypher_pairs.csv") {
		queries = append(queries, row[2])
		bytes += len(row[2])
	}
	return queries, bytes
}

// BenchmarkParse parses on one core.
func BenchmarkParse(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	queries, bytes := pairQueries(b)
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, q := range queries {
			cypher.Parse(q)
		}
	}
	b.ReportMetric(float64(len(queries)*b.N)/b.Elapsed().Seconds(), "queries/s")
}

func BenchmarkPrint(b *testing.B) {
	queries, _ := pairQueries(b)
	var trees []*cypher.Statement
	for _, q := range queries {
		if s, err := cypher.Parse(q); err == nil {
			trees = append(trees, s)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range trees {
			cypher.Print(s)
		}
	}
	b.ReportMetric(float64(len(trees)*b.N)/b.Elapsed().Seconds(), "queries/s")
}

func BenchmarkClone(b *testing.B) {
	queries, _ := pairQueries(b)
	s, err := cypher.Parse(queries[0])
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		cypher.Clone(s)
	}
}
