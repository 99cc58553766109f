package check_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"precedent/engine/check"
	"precedent/engine/reading"
	"precedent/store/cypher"
)

// doubtedPairs are the most model-written queries of the shared pairs, with rows and
// unchecked by hand, that may be doubted: percent of those of a graph. Their schemas
// have no counts, so that each step is taken to lead to many.
const doubtedPairs = 25

// TestDoubtsOfPairs measures how many of the shared pairs are doubted.
func TestDoubtsOfPairs(t *testing.T) {
	schemas := sharedSchemas(t)
	rows := append(sharedRows(t, "text2cypher_pairs.csv"), sharedRows(t, "text2cypher_pairs_extra.csv")...)
	for _, graph := range slices.Sorted(maps.Keys(schemas)) {
		s := schemas[graph]
		c := check.New(s)
		r, err := reading.New(reading.DefaultGlossary(s), s, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, doubted, kinds, corrected := 0, 0, map[check.Kind]int{}, 0
		for _, row := range rows {
			if row[0] != graph || row[6] != "True" || row[7] != "" {
				continue
			}
			stmt, err := cypher.Parse(row[2])
			if err != nil {
				continue
			}
			n++
			done := c.Check(row[2], stmt, nil)
			found := append(done.Findings, c.Doubts(done.Text, done.Statement, nil, check.Asked{Said: r.Said(row[1], nil), One: func(check.Step) bool { return false }})...)
			for _, change := range done.Changes {
				if change.Kind == "value" {
					corrected++
					t.Logf("%s: CORRECTED %s → %s\n\t%s", graph, change.Before, change.After, row[2])
				}
			}
			if len(found) > 0 {
				doubted++
			}
			for _, f := range found {
				kinds[f.Kind]++
				t.Logf("%s: %s: %s\n\t%s\n\t%s", graph, f.Kind, row[1], f.Back(true), row[2])
			}
		}
		t.Logf("%-16s %d of %d doubted (%.1f %%), %d corrected, by kind %v", graph, doubted, n, 100*float64(doubted)/float64(max(n, 1)), corrected, fmt.Sprint(kinds))
		if doubted*100 > doubtedPairs*n {
			t.Errorf("%s: %d of %d doubted", graph, doubted, n)
		}
	}
}
