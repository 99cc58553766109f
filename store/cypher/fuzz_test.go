package cypher_test

import (
	"errors"
	"fmt"
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
		hung := time.AfterFunc(10*time.Second, func() { panic(fmt.Sprintf("parsing %q doesn't end", query)) })
		defer hung.Stop()
		s, err := cypher.Parse(query)
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
