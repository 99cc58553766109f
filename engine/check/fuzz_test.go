package check_test

import (
	"testing"

	"precedent/engine/check"
	"precedent/store/cypher"
)

// FuzzCheck looks for queries that panic, whose tree is edited, or whose
// correction doesn't parse or is corrected again.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"guard_cases.csv", "direction_cases.csv"} {
		for _, row := range sharedRows(f, name) {
			f.Add(row[0])
		}
	}
	for _, row := range sharedRows(f, "text2cypher_pairs.csv") {
		f.Add(row[2])
	}
	c := check.New(films())
	c.Values = func(_, _, value string) check.Holding {
		return check.Holding{Known: true, Is: "x", Held: value == "x", Nearest: []any{"x"}}
	}
	loose := check.FromTriples(triplesOf(nested))
	loose.Values = c.Values
	f.Fuzz(func(t *testing.T, text string) {
		stmt, err := cypher.Parse(text)
		if err != nil {
			return
		}
		whole := cypher.Clone(stmt)
		for _, c := range []*check.Checker{c, loose} {
			r := c.Check(text, stmt, map[string]any{"name": "x", "list": []any{"x", nil}})
			if !cypher.EqualTrees(stmt, whole) {
				t.Fatalf("%s: the tree became %s", text, cypher.Print(stmt))
			}
			if len(r.Changes) == 0 {
				if r.Statement != stmt || r.Text != text {
					t.Fatalf("%s came back as %s", text, r.Text)
				}
				continue
			}
			again, err := cypher.Parse(r.Text)
			if err != nil {
				t.Fatalf("%s became %s: %v", text, r.Text, err)
			}
			if twice := c.Check(r.Text, again, nil); len(twice.Changes) > 0 || twice.Text != r.Text {
				t.Fatalf("%s became %s became %s", text, r.Text, twice.Text)
			}
		}
	})
}
