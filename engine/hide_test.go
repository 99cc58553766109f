package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/embedded"
	"precedent/store/neotest"
)

// plainRows are the rows of t in any order, with lists in any order, and what has
// an id by that.
func plainRows(t store.Table) []string {
	var plain func(v any) string
	plain = func(v any) string {
		switch v := v.(type) {
		case store.Node:
			return fmt.Sprint(slices.Sorted(slices.Values(v.Labels)), v.Properties)
		case store.Relationship:
			return fmt.Sprint(v.Type, v.Properties)
		case []any:
			var out []string
			for _, x := range v {
				out = append(out, plain(x))
			}
			slices.Sort(out)
			return fmt.Sprint(out)
		case map[string]any:
			out := map[string]string{}
			for k, x := range v {
				out[k] = plain(x)
			}
			return fmt.Sprint(out)
		}
		return fmt.Sprintf("%T %v", v, v)
	}
	var out []string
	for _, row := range t.Rows {
		out = append(out, plain(row))
	}
	slices.Sort(out)
	return out
}

// TestHiddenMeansHidden runs random queries on random graphs with random things
// hidden: narrowed, over the whole graph, each finds what it finds as written over
// a graph that doesn't hold them, and no hidden value reaches a result.
func TestHiddenMeansHidden(t *testing.T) {
	t.Parallel()
	queries := 20_000
	if testing.Short() {
		queries = 2_000
	}
	r := rand.New(rand.NewPCG(10, 1))
	m := &queryMaker{Rand: r}
	allowed, narrowed, rows, failed := 0, 0, 0, 0
	for n := 0; n < queries; {
		h := randomHiding(r)
		whole, err := embedded.Open(h.files)
		if err != nil {
			t.Fatal(err)
		}
		visible, err := embedded.Open(h.files, h.hide...)
		if err != nil {
			continue // no node is left
		}
		schema, err := visible.Schema(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			n++
			q := m.query()
			v := guardrails.Policy{Hide: h.hide, Schema: schema}.Query(q)
			if !v.Allow {
				if v.Kind != guardrails.Hidden {
					t.Fatalf("%s: %s: %s", q, v.Kind, v.Reason)
				}
				continue
			}
			allowed++
			want, wantErr := visible.Run(context.Background(), store.Query{Text: q}, store.Limits{})
			got, err := whole.Run(context.Background(), store.Query{Text: v.Narrowed}, store.Limits{})
			if v.Narrowed != q {
				narrowed++
			}
			if (err != nil) != (wantErr != nil) {
				t.Errorf("hide %v: %s\n\t%s: %v, want %v", h.hide, q, v.Narrowed, err, wantErr)
			}
			if err != nil {
				failed++
				continue
			}
			rows += len(got.Rows)
			got = store.NewHidden(h.hide).Strip(got)
			if said := fmt.Sprint(got.Rows); strings.Contains(said, marker) {
				t.Errorf("hide %v: %s\n\t%s\n\tshows %.300s", h.hide, q, v.Narrowed, said)
			}
			if a, b := plainRows(got), plainRows(want); !slices.Equal(a, b) {
				t.Errorf("hide %v: %s\n\t%s\n\tfinds %.300v\n\twant  %.300v", h.hide, q, v.Narrowed, a, b)
			}
			if t.Failed() {
				t.Logf("%s\n%s", h.files["nodes.csv"].Data, h.files["rels.csv"].Data)
				return
			}
		}
	}
	t.Logf("%d queries: %d allowed, %d of them narrowed, %d failed on both, %d rows", queries, allowed, narrowed, failed, rows)
	if allowed < queries/5 || narrowed < allowed/5 {
		t.Errorf("%d of %d queries were allowed and %d narrowed: too few to prove anything", allowed, queries, narrowed)
	}
}

// TestHiddenOnNeo4j is TestHiddenMeansHidden on a real Neo4j: narrowed queries
// over the whole graph against queries as written over the visible one. Its
// schema is read without what is hidden.
func TestHiddenOnNeo4j(t *testing.T) {
	s := neotest.Start(t)
	r := rand.New(rand.NewPCG(10, 2))
	m := &queryMaker{Rand: r}
	allowed, compared := 0, 0
	for range 3 {
		h := randomHiding(r)
		visible, err := embedded.Open(h.visible)
		if err != nil {
			continue // no node is left
		}
		open := func(hide ...string) *bolt.Graph {
			b, err := bolt.Open(t.Context(), bolt.Config{URI: s.URI, Username: s.Username, Password: s.Password, Hide: hide})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		s.Load(t, h.files)
		b := open(h.hide...)
		schema := hiddenSchemas(t, visible, b)
		type tried struct {
			query, narrowed string
			rows            []string
		}
		var all []tried
		for range 100 {
			q := m.query()
			v := guardrails.Policy{Hide: h.hide, Schema: schema}.Query(q)
			if !v.Allow {
				continue
			}
			allowed++
			got, err := b.Run(t.Context(), store.Query{Text: v.Narrowed}, store.Limits{})
			if err != nil {
				continue // names used twice, and what else Neo4j doesn't take
			}
			got = store.NewHidden(h.hide).Strip(got)
			if said := fmt.Sprint(got.Rows); strings.Contains(said, marker) {
				t.Errorf("hide %v: %s\n\t%s\n\tshows %.300s", h.hide, q, v.Narrowed, said)
			}
			all = append(all, tried{q, v.Narrowed, plainRows(got)})
		}
		b.Close(t.Context())
		s.Load(t, h.visible)
		b = open()
		for _, a := range all {
			want, err := b.Run(t.Context(), store.Query{Text: a.query}, store.Limits{})
			if err != nil {
				t.Errorf("%s: %v", a.query, err)
				continue
			}
			compared++
			if want := plainRows(want); !slices.Equal(a.rows, want) {
				t.Errorf("hide %v: %s\n\t%s\n\tfinds %.300v\n\twant  %.300v\n%s\n%s", h.hide, a.query, a.narrowed, a.rows, want, h.files["nodes.csv"].Data, h.files["rels.csv"].Data)
			}
		}
		b.Close(t.Context())
	}
	t.Logf("%d queries allowed, %d compared", allowed, compared)
	if compared < 30 {
		t.Errorf("%d of %d queries were compared: too few to prove anything", compared, allowed)
	}
}

// hiddenSchemas holds what Neo4j says of itself, without what is hidden, against
// what a graph says that doesn't hold it, and returns it.
func hiddenSchemas(t *testing.T, visible *embedded.Graph, b *bolt.Graph) *store.Schema {
	t.Helper()
	said := func(g store.Graph) (*store.Schema, string) {
		s, err := g.Schema(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(s.LabelSets, slices.Compare)
		plain := *s
		plain.Indexes, plain.Hash, plain.Hidden = nil, "", store.Found{}
		for i := range plain.Labels {
			for j := range plain.Labels[i].Properties {
				plain.Labels[i].Properties[j].Unique = false
			}
		}
		text, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		return s, string(text)
	}
	_, want := said(visible)
	s, got := said(b)
	if got != want {
		t.Errorf("the schema says\n%s, want\n%s", got, want)
	}
	if strings.Contains(got, marker) {
		t.Errorf("the schema shows hidden values: %s", got)
	}
	return s
}
