package cases_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"precedent/store"
	"precedent/store/cases"
)

// open opens a library in a fresh folder and closes it when the test ends.
func open(t testing.TB, c cases.Config) *cases.Library {
	t.Helper()
	if c.Path == "" {
		c.Path = filepath.Join(t.TempDir(), "cases.db")
	}
	lib, err := cases.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

// must fails the test on an error and returns the value.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var ann = cases.Change{By: "ann", Why: "by hand"}

// films is a verified case with slots of several types.
func films() store.Case {
	return store.Case{
		ID: "films", Question: "films Tom Hanks was in since 2000", Status: store.Verified, Source: "hand",
		Wordings: []string{"films {person} was in since {year}", "{year}年起{person}演过的电影"},
		Query:    "MATCH (p:Person {name: $person})-[:ACTED_IN]->(m:Movie) WHERE m.year >= $year RETURN m.title",
		Slots: []store.Slot{
			{Name: "person", Label: "Person", Property: "name", Type: "string", Example: "Tom Hanks"},
			{Name: "year", Property: "year", Type: "integer", Example: int64(2000)},
			{Name: "rating", Property: "imdbRating", Type: "float", Example: 8.0},
		},
	}
}

// numbered is one of many different cases.
func numbered(i int) store.Case {
	subjects := []string{"films", "actors", "directors", "genres", "studios", "comedies", "prizes", "years", "roles", "countries"}
	verbs := []string{"made", "directed", "released", "rated", "filmed", "written", "produced", "awarded"}
	q := fmt.Sprintf("which %s were %s by person%d with %s in %d", subjects[i%10], verbs[i%8], i%997, subjects[(i/10)%10], 1900+i%120)
	if i%4 == 0 {
		q = fmt.Sprintf("%d年以后人物%d导演的第%d部电影有哪些", 1900+i%120, i%997, i%13)
	}
	return store.Case{ID: fmt.Sprintf("case%06d", i), Question: q, Query: fmt.Sprintf("MATCH (n) WHERE n.id = %d RETURN n", i), Status: store.Verified, Source: "file"}
}

func many(n int) []store.Case {
	cs := make([]store.Case, n)
	for i := range cs {
		cs[i] = numbered(i)
	}
	return cs
}

// answer records an answer that rests on a case and returns its id.
func answer(t testing.TB, lib *cases.Library, caseID string) string {
	t.Helper()
	return must[string](t)(lib.Record(t.Context(), cases.Entry{Question: "?", Route: "case", CaseID: caseID}))
}

func status(t testing.TB, lib *cases.Library, id string) store.Status {
	t.Helper()
	return must[store.Case](t)(lib.Case(context.Background(), id)).Status
}
