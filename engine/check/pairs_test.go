package check_test

import (
	"strings"
	"testing"

	"precedent/engine/check"
	"precedent/store"
	"precedent/store/cypher"
)

// tally counts what checking the pairs of one graph found.
type tally struct {
	sound       int // the source found rows and no unknown name
	soundNamed  int // of these, queries that we say name what isn't there
	soundFlips  int // relationships turned in them
	soundMisfit int // of these, queries that we say can't fit
	false       int // the source found unknown names
	falseNamed  int // of these, queries of which we report all of them
}

// The named ones among the sound are the source's oversights: Movie.summary,
// User.born (each read where it is always null).
var wantTally = map[string]tally{
	"movies":          {sound: 642, soundNamed: 1, false: 10, falseNamed: 10},
	"recommendations": {sound: 777, soundNamed: 1, soundFlips: 1, false: 23, falseNamed: 23},
	"northwind":       {sound: 413, soundFlips: 30, false: 8, falseNamed: 8},
	"companies":       {sound: 779, soundFlips: 29, soundMisfit: 11, false: 66, falseNamed: 66},
}

// TestPairs holds what the check says of model-written queries to what their
// source found when it ran them.
func TestPairs(t *testing.T) {
	schemas, rows := sharedSchemas(t), sharedRows(t, "text2cypher_pairs.csv")
	for graph, want := range wantTally {
		c := check.New(schemas[graph])
		var got tally
		for _, row := range rows {
			if row[0] != graph {
				continue
			}
			stmt, err := cypher.Parse(row[2])
			if err != nil {
				continue
			}
			r := c.Check(row[2], stmt, nil)
			switch missing := row[7]; {
			case missing != "":
				got.false++
				if reportsAll(r.Problems, missing) {
					got.falseNamed++
				} else {
					t.Logf("%s: %s isn't reported in %v\n%s", graph, missing, r.Problems, row[2])
				}
			case row[6] == "True" && row[4] == "False":
				got.sound++
				got.add(r)
			}
		}
		t.Logf("%s: %+v", graph, got)
		if got != want {
			t.Errorf("%s: want %+v", graph, want)
		}
	}
}

func (n *tally) add(r check.Result) {
	named := false
	for _, p := range r.Problems {
		named = named || p.Kind == "label" || p.Kind == "type" || p.Kind == "property"
	}
	if named {
		n.soundNamed++
	}
	for _, c := range r.Changes {
		if c.Kind == "direction" {
			n.soundFlips++
		}
	}
	if !r.Fits {
		n.soundMisfit++
	}
}

// reportsAll says whether problems name each of the missing names; that of a
// property of a missing label or type is reported with its owner.
func reportsAll(problems []store.Problem, missing string) bool {
	for name := range strings.SplitSeq(missing, ", ") {
		owner, key, _ := strings.Cut(name, ".")
		found := false
		for _, p := range problems {
			found = found || p.Name == name || p.Name == owner || p.Name == key && key != ""
		}
		if !found {
			return false
		}
	}
	return true
}
