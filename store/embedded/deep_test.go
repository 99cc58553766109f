package embedded_test

import (
	"errors"
	"testing"

	"precedent/store"
)

// TestDeepValues does what goes to the bottom of a value with deep ones, which
// must end neither in an overflow of the stack nor in quadratic time.
func TestDeepValues(t *testing.T) {
	g := open(t, "testdata/graph")
	run := func(query string) error {
		_, err := g.Run(t.Context(), store.Query{Text: query}, store.Limits{})
		return err
	}
	for _, with := range []string{`[a]`, `{a: a}`, `[[[[a]]]]`, `[1, a]`} {
		if err := run(`WITH reduce(a = [], x IN range(1, 900000) | ` + with + `) AS a RETURN a = a`); !errors.Is(err, store.ErrQuery) {
			t.Errorf("%s: %v", with, err)
		}
		deep := `WITH reduce(a = [], x IN range(1, 200) | ` + with + `) AS a `
		for _, query := range []string{`RETURN a`, `RETURN a = a`, `RETURN a < a`, `RETURN DISTINCT a`, `RETURN collect(a)`, `RETURN max(a)`, `RETURN valueType(a)`} {
			if err := run(deep + query); err != nil {
				t.Errorf("%s%s: %v", deep, query, err)
			}
		}
	}
}
