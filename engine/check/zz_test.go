package check_test

import (
	"strings"
	"testing"
	"time"

	"precedent/engine/check"
	"precedent/store/cypher"
)

func TestLong(t *testing.T) {
	c := check.New(films())
	for _, q := range []string{
		"MATCH (a)" + strings.Repeat("--()", 1000) + " RETURN a",
		"MATCH (a)" + strings.Repeat("-[:FOLLOWS]->()", 1000) + " RETURN a",
		"MATCH (a)" + strings.Repeat("-[:FOLLOWS]->()", 1000) + "-[:DIRECTED]->(:Movie) RETURN a",
		"MATCH (a)" + strings.Repeat(",(a)", 3000) + " RETURN a",
		"MATCH (a:Movie) RETURN " + strings.Repeat("a.foo,", 5000) + "1",
		"MATCH (a)" + strings.Repeat("-[*1..60]->()", 500) + " RETURN a",
		"RETURN " + strings.Repeat("[(a)-->(b)|", 150) + "1" + strings.Repeat("]", 150),
	} {
		s, err := cypher.Parse(q)
		if err != nil { t.Log(err); continue }
		t0 := time.Now()
		r := c.Check(q, s, nil)
		t.Log(time.Since(t0), len(q), len(r.Problems), len(r.Changes))
	}
}
