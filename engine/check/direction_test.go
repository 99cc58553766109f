package check_test

import (
	"testing"

	"precedent/engine/check"
	"precedent/store/cypher"
)

func parsed(tb testing.TB, text string) *cypher.Statement {
	tb.Helper()
	s, err := cypher.Parse(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return s
}

// TestDirectionCases holds the shared cases of relationship directions.
func TestDirectionCases(t *testing.T) {
	right, rows := 0, sharedRows(t, "direction_cases.csv")
	for i, row := range rows {
		text, want := row[0], row[2]
		r := check.FromTriples(triplesOf(row[1])).Check(text, parsed(t, text), nil)
		switch {
		case r.Fits != (want != ""):
			t.Errorf("row %d: fits %v\n%s\nwant %s\nproblems %v", i, r.Fits, text, want, r.Problems)
		case want != "" && !cypher.EqualTrees(r.Statement, parsed(t, want)):
			t.Errorf("row %d:\n%s\ngives %s\nwant  %s", i, text, r.Text, want)
		case text == want && r.Text != text:
			t.Errorf("row %d: an unchanged query came back as %s", i, r.Text)
		default:
			right++
		}
	}
	t.Logf("%d of %d right", right, len(rows))
}
