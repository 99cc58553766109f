package engine

import (
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"precedent/engine/check"
	"precedent/store/cypher"
)

// mostDoubted are how many of a thousand shared pairs may be doubted: their queries are
// by models and mostly right.
const mostDoubted = 15

// doubtedEach is which of the shared pairs are looked at, if not all.
const doubtedEach = 4

// TestDoubtsOfSharedPairs counts the shared pairs whose query is objected to. That a
// relationship leads to many, which only data tell, is never among it.
func TestDoubtsOfSharedPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	known := map[string]*snapshot{}
	for _, s := range sharedSchemas(t) {
		for _, of := range []map[string][]sharedProperty{s.Schema.Nodes, s.Schema.Types} {
			for _, ps := range of {
				for i := range ps {
					ps[i].Values, ps[i].Distinct = nil, 0 // they are in part
				}
			}
		}
		known[s.Database] = snapshotOf(t, join([]sharedSchema{s}, 1))
		known[s.Database].checker = check.New(known[s.Database].schema)
	}
	all, n, doubted, kinds := 0, 0, 0, map[string]int{}
	for _, pair := range answeredPairs(t) {
		if known[pair.database] == nil {
			continue
		}
		if all++; all%doubtedEach != 1 && os.Getenv("PRECEDENT_ALL") == "" {
			continue
		}
		a := &asking{Engine: new(Engine), snapshot: known[pair.database], instant: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
		a.Restated = pair.question
		a.read(pair.question)
		query := cypher.Print(pair.query)
		n++
		found := a.mistaken(a.checker.Check(query, pair.query, map[string]any{}), a.heldTo(nil))
		if len(found) > 0 {
			doubted++
		}
		for _, o := range found {
			kinds[string(o.kind)]++
			t.Logf("%s: %s: %s: %s\n\t%s", pair.database, o.kind, pair.question, o.back, query)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%-15s %d", kind, kinds[kind])
	}
	t.Logf("%d of %d pairs doubted (%.2f %%)", doubted, n, 100*float64(doubted)/float64(n))
	if doubted*1000 > mostDoubted*n {
		t.Errorf("%d of %d pairs are doubted, want at most %d in a thousand", doubted, n, mostDoubted)
	}
}
