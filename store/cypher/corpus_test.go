package cypher_test

import (
	"errors"
	"strings"
	"testing"

	"precedent/store/cypher"
)

func TestEveryPairParsesAndPrints(t *testing.T) {
	// Pairs that are flagged as right though Neo4j 5.26 refuses their syntax
	// too: size{…}, x NOT IN y, GROUP BY, AND between the patterns of EXISTS.
	for name, notCypher := range map[string]int{"text2cypher_pairs.csv": 13, "text2cypher_pairs_extra.csv": 18} {
		t.Run(name, func(t *testing.T) {
			parsed, refused := 0, 0
			for _, row := range sharedRows(t, name) {
				query, flaggedWrong := row[2], row[4] == "True"
				s, err := cypher.Parse(query)
				if err != nil {
					if !flaggedWrong {
						refused++
						t.Logf("refused: %v\n%s", err, query)
					}
					continue
				}
				parsed++
				stable(t, query, s)
			}
			t.Logf("%d parsed, %d refused though flagged as right", parsed, refused)
			if refused != notCypher {
				t.Errorf("%d pairs flagged as right are refused, want %d", refused, notCypher)
			}
		})
	}
}

// stable checks that the print of s parses to the same tree and prints the same.
func stable(t *testing.T, query string, s *cypher.Statement) {
	t.Helper()
	text := cypher.Print(s)
	again, err := cypher.Parse(text)
	if err != nil {
		var e *cypher.Error
		if errors.As(err, &e) && e.Kind == cypher.TooLong {
			return // escapes and spaces made it longer
		}
		t.Errorf("the print doesn't parse: %v\nquery: %s\nprint: %s", err, query, text)
		return
	}
	if !cypher.EqualTrees(s, again) {
		t.Errorf("the print parses to another tree\nquery: %s\nprint: %s\nagain: %s", query, text, cypher.Print(again))
	} else if twice := cypher.Print(again); twice != text {
		t.Errorf("the print isn't stable\nquery: %s\nprint: %s\nagain: %s", query, text, twice)
	}
}

func TestGuardCases(t *testing.T) {
	counts := map[string]int{}
	for _, row := range sharedRows(t, "guard_cases.csv") {
		query, label, expect := row[0], row[1], row[2]
		s, err := cypher.Parse(query)
		verdict := "tree"
		if err != nil {
			verdict = err.(*cypher.Error).Kind.String()
		} else {
			stable(t, query, s)
		}
		counts[label+" → "+verdict]++
		switch {
		case err == nil && label != "read" && !callsProcedure(s) && expect == "block":
			t.Errorf("%s has a tree: %s", label, query)
		case label == "read" && (verdict == "write" || verdict == "load" || verdict == "admin" && !strings.Contains(query, ";")):
			t.Errorf("a reading query is refused as %s: %v\n%s", verdict, err, query)
		case err != nil && verdict != label:
			t.Logf("%s → %v: %v\n\t%s", label, verdict, err, query)
		}
	}
	t.Log(counts)
}

func callsProcedure(s *cypher.Statement) bool {
	found := false
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n.(type) {
		case *cypher.CallProcedure, *cypher.Call:
			found = true
		}
		return !found
	})
	return found
}
