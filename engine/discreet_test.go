package engine

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/embedded"
)

// TestExplainHidesNames explains narrowed queries on a graph that lacks some of
// what is hidden: problems name what the query does, and nothing that we put into it.
func TestExplainHidesNames(t *testing.T) {
	graph, err := embedded.Open(os.DirFS("testdata/ask/films"))
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(graph, guardrails.Policy{Hide: []string{":Nowhere", ":NEVER", "Nothing.key"}}, true)
	t.Cleanup(func() { g.Close(context.Background()) })
	for query, want := range map[string][]string{
		"MATCH (f:Film) RETURN count(f) AS n":                   nil,
		"MATCH (f:Film)-->(x) RETURN f, x":                      nil,
		"MATCH (f:Film)--(x) RETURN COUNT { (x)-->() }":         nil,
		"MATCH (f:Film) WHERE EXISTS { (f)--(:Film) } RETURN f": nil,
		"MATCH (f:Flim) RETURN count(f) AS n":                   {"Flim"},
		"MATCH (f:Flim)-->(x) RETURN f, x":                      {"Flim"},
	} {
		problems, err := g.explain(t.Context(), store.Query{Text: query})
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		var names []string
		for _, p := range problems {
			names = append(names, p.Name)
			if strings.Contains(p.Message+p.Nearest, "Nowhere") || strings.Contains(p.Message+p.Nearest, "NEVER") {
				t.Errorf("%s: %s", query, p.Message)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: problems with %q", query, names)
		}
	}
}
