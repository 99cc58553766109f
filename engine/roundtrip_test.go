package engine_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// exportedFrom are the lines of an export of a library, by id.
func exportedFrom(t *testing.T, e *engine.Engine) (lines string, all []store.Case) {
	t.Helper()
	all, err := e.Library().List(t.Context(), cases.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b store.Case) int { return strings.Compare(a.ID, b.ID) })
	var b bytes.Buffer
	for _, c := range all {
		if err := json.NewEncoder(&b).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), all
}

// TestRoundTrip exports libraries and imports them where there is none: cases of every
// status, candidates, slots of every type and what was kept as it is are the same again.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	again := func(from *engine.Engine, c engine.Config) {
		t.Helper()
		lines, want := exportedFrom(t, from)
		to, _, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		defer stop(t, to)
		for range 2 { // the second time all are there
			if _, err := to.Import(t.Context(), "all.jsonl", strings.NewReader(lines), "cy", nil); err != nil {
				t.Fatal(err)
			}
			_, got := exportedFrom(t, to)
			if len(got) != len(want) {
				t.Fatalf("%d cases, want %d", len(got), len(want))
			}
			for i := range want {
				want[i].Created, got[i].Created = want[i].Created.UTC(), got[i].Created.UTC()
				if want[i].Source == "shipped" { // moved or edited there, by whomever, then here
					got[i].VerifiedAt, got[i].VerifiedBy = want[i].VerifiedAt, want[i].VerifiedBy
				}
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("imported %+v\nwant     %+v", got[i], want[i])
				}
			}
		}
	}

	if !testing.Short() {
		roundTripShipped(t, again)
	}
	shop := engine.Config{Graph: filepath.Join("testdata", "fair", "shop"), Data: t.TempDir()}
	e, _, err := engine.Open(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []store.Case{
		{Question: "zorky clients of {city}", Query: "MATCH (c:Customer {city: $city}) RETURN c.name AS name", Wordings: []string{"zorky clients of {city}", "{city}的佐客"}},
		{Question: "zorky things above {price}", Query: "MATCH (p:Product) WHERE p.price > $price RETURN p.name AS name"},
		{Question: "zorky slips of {month}", Query: "MATCH (o:Order) WHERE o.orderDate >= date($month_from) AND o.orderDate < date($month_to) RETURN o.name AS name"},
		{Question: "zorky slips of {year}", Query: "MATCH (o:Order) WHERE o.orderDate >= date($year_from) AND o.orderDate < date($year_to) RETURN o.name AS name"},
		{Question: "zorky slips since {day}", Query: "MATCH (o:Order) WHERE o.orderDate >= date($day) RETURN o.name AS name"},
		{Question: "the {n} zorkiest things", Query: "MATCH (p:Product) RETURN p.name AS name ORDER BY p.price DESC LIMIT $n", Note: "by price"},
		{Question: "zorky nothing of 3000", Query: "MATCH (p:Product) WHERE p.price > 3000000 RETURN p.name AS name", EmptyOK: true},
	} {
		if _, _, err := e.Add(t.Context(), c, "cy", ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{"zorky clients of London", "伦敦的佐客", "zorky slips of June 2026", "zorky slips of 2026", "the 2 zorkiest things"} {
		if a := e.Ask(t.Context(), engine.Question{Text: q}, nil); a.Route != engine.ByCase && q != "伦敦的佐客" {
			t.Errorf("%q: %s %s", q, a.Route, a.Text)
		}
	}
	shop.Data = t.TempDir()
	again(e, shop)
	stop(t, e)
}

func roundTripShipped(t *testing.T, again func(*engine.Engine, engine.Config)) {
	t.Helper()
	e := start(t, engine.Shipped.Copy(t))
	lib := e.Library()
	moved := func(id string, to store.Status) {
		t.Helper()
		if _, err := lib.Move(t.Context(), id, to, cases.Change{By: "cy"}); err != nil {
			t.Fatal(err)
		}
	}
	moved("count-films", store.Quarantined)
	edited, err := lib.Case(t.Context(), "directors-of-year")
	if err != nil {
		t.Fatal(err)
	}
	edited.Wordings = edited.Wordings[:1]
	if _, err := e.Edit(t.Context(), edited, "cy", ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []store.Case{
		{ID: "a-candidate", Question: "flicks of mood", Query: "MATCH (m:Movie) RETURN count(m) AS n", Status: store.Candidate, Source: "liked", Author: "slack:U1", Private: true},
		{ID: "a-rejected", Question: "flicks of doom", Query: "MATCH (m:Movie) RETURN count(m) + 1 AS n", Status: store.Rejected, Source: "liked", Author: "slack:U1"},
		{ID: "a-retired", Question: "flicks of gloom", Query: "MATCH (m:Movie) RETURN count(m) + 2 AS n", Status: store.Retired, Source: "hand", Author: "cy"},
	} {
		if _, err := lib.Add(t.Context(), c, cases.Change{By: "cy"}); err != nil {
			t.Fatal(err)
		}
	}
	again(e, engine.Config{Data: engine.Shipped.Copy(t)})
	stop(t, e)
}
