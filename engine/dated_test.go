package engine_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
)

// TestToday teaches a question of this year: its query goes by the clock, and so its
// answer changes with the year. One that was frozen on a day isn't taught.
func TestToday(t *testing.T) {
	now := time.Date(2010, 12, 31, 23, 30, 0, 0, time.UTC)
	e, _, err := engine.Open(t.Context(), engine.Config{Data: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	add := func(question, query string) error {
		_, _, err := e.Add(t.Context(), store.Case{Question: question, Query: query, EmptyOK: true}, "ann", "")
		return err
	}
	const frozen = "MATCH (m:Movie) WHERE m.year = 2010 RETURN count(m) AS films"
	for _, question := range []string{"films that came out this year zzyzx", "今年上映的影片 zzyzx"} {
		if err := add(question, frozen); !errors.Is(err, engine.ErrCase) {
			t.Errorf("%q is taught with a query of a day: %v", question, err)
		}
	}
	for i, question := range []string{"films that came out this year zzyzx", "今年上映的影片 zzyzx"} {
		if err := add(question, fmt.Sprintf("MATCH (m:Movie) WHERE m.year = date().year RETURN count(m) AS films%d", i)); err != nil {
			t.Fatal(err)
		}
		want := map[int]any{}
		for _, year := range []int{2010, 2019, 1999} {
			now = time.Date(year, 12, 31, 23, 30, 0, 0, time.UTC)
			table, err := e.RunCypher(t.Context(), store.Query{Text: "MATCH (m:Movie) WHERE m.year = $y RETURN count(m)", Params: map[string]any{"y": year}})
			if err != nil {
				t.Fatal(err)
			}
			want[year] = table.Rows[0][0]
			a := e.Ask(t.Context(), engine.Question{Text: question}, nil)
			if a.Route != engine.ByCase || len(a.Rows) != 1 || a.Rows[0][0] != want[year] {
				t.Errorf("%q in %d: %s %v, want %v", question, year, a.Route, a.Rows, want[year])
			}
		}
		if want[2010] == want[1999] && want[2010] == want[2019] {
			t.Errorf("all years have %v films, which proves nothing", want[2010])
		}
	}
	// One instant an answer: a query that asks twice is told the same.
	table, err := e.RunCypher(t.Context(), store.Query{Text: "RETURN datetime() = datetime.realtime() AS same, date().year AS year"})
	if err != nil || table.Rows[0][0] != true || table.Rows[0][1] != int64(now.Year()) {
		t.Errorf("%v %v", table.Rows, err)
	}
}
