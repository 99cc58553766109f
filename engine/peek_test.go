package engine

import (
	"maps"
	"slices"
	"testing"
)

func TestPeekPrune(t *testing.T) {
	schema := joined(t, 200)
	s := snapshotOf(t, schema)
	e := &Engine{rowsToModel: true}
	for _, q := range []string{"Which 3 movies have the longest runtime and were released before 2000?", "Who are the CEOs of the first 3 organizations in the database?", "List the top 5 streams by total view count", "Who directed the movie 'Toy Story'?", "Which users have rated more than 50 movies?"} {
		a := &asking{Engine: e, snapshot: s}
		a.Restated = q
		a.rd = s.reader.Read(q)
		touch := a.touch()
		k := s.pruner().prune(touch, prunedTokens)
		t.Logf("%s\n told %v\n%v", q, slices.Sorted(maps.Keys(touch.told)), slices.Sorted(maps.Keys(k.names)))
	}
}

func init() { everyPair = 4 }
