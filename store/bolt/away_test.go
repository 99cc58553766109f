package bolt_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/neotest"
)

// A server that goes away while it runs a query ends the query, and says so at
// once; when it is back, the graph answers again.
func TestGoesAwayMidQuestion(t *testing.T) {
	s := neotest.StartWith(t, neotest.Options{})
	s.Load(t, cinema)
	g := connect(t, s, nil)
	running, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := g.Run(running, store.Query{Text: "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE a + b < 0 RETURN count(*)"},
			store.Limits{Timeout: 2 * time.Minute})
		failed <- err
	}()
	for len(s.Exec(t, "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range' RETURN currentQuery", nil)) == 0 {
		time.Sleep(50 * time.Millisecond) // until it runs
	}
	s.Stop(t)
	stopped := time.Now()
	select {
	case err := <-failed:
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("the query ended with %v", err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the query goes on without its server")
	}
	t.Logf("said %v after the server was gone", time.Since(stopped).Round(time.Millisecond))
	if _, err := g.Run(t.Context(), store.Query{Text: "RETURN 1"}, store.Limits{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("while it is down: %v", err)
	}
	s.Restart(t, "server.databases.default_to_read_only=true")
	if n := run(t, g, "MATCH (n) RETURN count(n)", nil).Rows[0][0]; n != int64(5) {
		t.Errorf("%v nodes", n)
	}
	if problems, err := g.Explain(t.Context(), store.Query{Text: "MATCH (n:Movei) RETURN n"}); err != nil || len(problems) != 1 {
		t.Errorf("explain: %v, %v", problems, err)
	}
	if schema, err := g.Schema(t.Context(), time.Minute); err != nil || len(schema.Labels) != 4 || schema.Sampled {
		t.Errorf("schema: %+v, %v", schema, err)
	}
}
