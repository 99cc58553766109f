package cypher_test

import (
	"errors"
	"testing"
	"time"

	"precedent/store/cypher"
)

func FuzzParse(f *testing.F) {
	for _, c := range printCases {
		f.Add(c.query)
	}
	for _, c := range errorCases {
		f.Add(c.query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		began := time.Now()
		s, err := cypher.Parse(query)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("parsing %d bytes took %v", len(query), took)
		}
		if err == nil {
			stable(t, query, s)
			if !cypher.EqualTrees(s, cypher.Clone(s)) {
				t.Errorf("the clone differs: %s", query)
			}
			return
		}
		e, ok := errors.AsType[*cypher.Error](err)
		if !ok {
			t.Fatalf("error of type %T", err)
		}
		line, col := cypher.Position(query, e.Pos)
		if e.Pos < 0 || int(e.Pos) > len(query) || line != e.Line || col != e.Col || e.Message == "" {
			t.Errorf("error %+v of %q is at line %d, column %d", e, query, line, col)
		}
	})
}
