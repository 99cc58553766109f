package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// A taughtFirst is a question that was taught before its graph had a glossary or aliases.
// other is the same of another value, which links once it has, and rows what is right then.
type taughtFirst struct{ Graph, Question, Query, Other, Rows string }

// TestTaughtFirst teaches questions on graphs that have neither glossary nor aliases, and
// opens them with both: what answered goes on answering, by the same rows; what is read
// otherwise says so and is listed before anybody asks. Values that link now are slots.
func TestTaughtFirst(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/taughtfirst/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	byGraph := make(map[string][]taughtFirst)
	var graphs []string
	for d := json.NewDecoder(bytes.NewReader(b)); d.More(); {
		var q taughtFirst
		if err := d.Decode(&q); err != nil {
			t.Fatal(err)
		}
		if byGraph[q.Graph] == nil {
			graphs = append(graphs, q.Graph)
		}
		byGraph[q.Graph] = append(byGraph[q.Graph], q)
	}
	var total struct{ taught, answer, doubted, others, reused int }
	for _, graph := range graphs {
		c := engine.Config{Graph: filepath.Join("testdata", "fair", graph), Data: t.TempDir(), Refresh: time.Hour, Now: func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) }}
		e := opened(t, c)
		rows := make(map[string][][]any)
		for _, q := range byGraph[graph] {
			if _, _, err := e.Add(t.Context(), store.Case{Question: q.Question, Query: q.Query}, "cy", ""); err != nil {
				t.Fatalf("%s: %q: %v", graph, q.Question, err)
			}
			a := e.Ask(t.Context(), engine.Question{Text: q.Question}, nil)
			if a.Route != engine.ByCase || len(a.Doubts) > 0 {
				t.Fatalf("%s: %q isn't taught: %s %s", graph, q.Question, a.Route, a.Text)
			}
			rows[q.Question] = a.Rows
		}
		stop(t, e)
		c.Glossaries, c.Aliases = []string{"testdata/taughtfirst/" + graph + ".glossary.yaml"}, []string{"testdata/taughtfirst/" + graph + ".aliases.yaml"}
		e = opened(t, c)
		listed := e.Freshness().Silent
		for _, q := range byGraph[graph] {
			total.taught++
			a := e.Ask(t.Context(), engine.Question{Text: q.Question}, nil)
			silent := slices.ContainsFunc(listed, func(m cases.Misread) bool { return m.Question == q.Question })
			switch {
			case a.Route != engine.ByCase:
				t.Errorf("%s: %q no longer answers (listed: %v): %s %s", graph, q.Question, silent, a.Route, a.Text)
				continue
			case !reflect.DeepEqual([][]any(a.Rows), rows[q.Question]):
				t.Errorf("%s: %q: %v, want %v: %s %v", graph, q.Question, a.Rows, rows[q.Question], a.Query, a.Params)
			case len(a.Doubts) > 0 && !silent:
				t.Errorf("%s: %q is listed: %v, and the answer says %q", graph, q.Question, silent, a.Doubts)
			}
			if total.answer++; silent {
				total.doubted++
			}
			if q.Other == "" {
				continue
			}
			total.others++
			want, err := e.RunCypher(t.Context(), store.Query{Text: q.Rows})
			if err != nil {
				t.Fatal(err)
			}
			switch a := e.Ask(t.Context(), engine.Question{Text: q.Other}, nil); {
			case a.Route != engine.ByCase:
				t.Logf("%s: %q isn't answered by %q: %s", graph, q.Other, q.Question, a.Text)
			case !reflect.DeepEqual([][]any(a.Rows), want.Rows):
				t.Errorf("%s: %q: %v, want %v: %s %v", graph, q.Other, a.Rows, want.Rows, a.Query, a.Params)
			default:
				total.reused++
			}
		}
		for _, m := range listed {
			t.Logf("%s: %s: %v", graph, m.Question, m.Doubt)
		}
		stop(t, e)
		c.Glossaries, c.Aliases = nil, nil // taken back
		e = opened(t, c)
		if listed := e.Freshness().Silent; len(listed) > 0 {
			t.Errorf("%s: without the words again: %v", graph, listed)
		}
		stop(t, e)
	}
	t.Logf("%d taught; %d answer, %d of them with a note; with another value %d of %d", total.taught, total.answer, total.doubted, total.reused, total.others)
	if total.reused*10 < total.others*9 {
		t.Errorf("with another value %d of %d answer", total.reused, total.others)
	}
}

func opened(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	e, warnings, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if listed := len(e.Freshness().Silent); (listed > 0) != strings.Contains(fmt.Sprint(warnings), "read otherwise now") {
		t.Errorf("%d listed, and it is said: %q", listed, warnings)
	}
	return e
}

// TestSignsTell teaches words with a sign: the same words with another sign, or none, are
// another question.
func TestSignsTell(t *testing.T) {
	e := opened(t, engine.Config{Graph: filepath.Join("testdata", "fair", "shop"), Data: t.TempDir()})
	defer stop(t, e)
	if _, _, err := e.Add(t.Context(), store.Case{Question: "zorky stuff > 100", Query: "MATCH (p:Product) WHERE p.price > 100 RETURN count(p) AS n"}, "cy", ""); err != nil {
		t.Fatal(err)
	}
	for said, route := range map[string]engine.Route{"Zorky stuff > 200?": engine.ByCase, "zorky stuff ＞100": engine.ByCase, "zorky-stuff, > 100": engine.ByCase,
		"zorky stuff < 100": engine.Unanswered, "zorky stuff >= 100": engine.Unanswered, "zorky stuff 100": engine.Unanswered, "zorky stuff -100": engine.Unanswered,
		"zorky stuff > 100%": engine.Unanswered, "zorky stuff > $100": engine.Unanswered} {
		if a := e.Ask(t.Context(), engine.Question{Text: said}, nil); a.Route != route {
			t.Errorf("%q: %s %s %v, want %s", said, a.Route, a.Text, a.Rows, route)
		}
	}
}

// TestTaughtNameSlots approves another name of a value that a case was taught with before:
// it becomes a slot, and other values take its place; rejecting the name takes that back.
func TestTaughtNameSlots(t *testing.T) {
	e := opened(t, engine.Config{Graph: filepath.Join("testdata", "fair", "shop"), Data: t.TempDir()})
	defer stop(t, e)
	const asked = "who of our buyers sits in the German capital?"
	if _, _, err := e.Add(t.Context(), store.Case{Question: asked, Query: "MATCH (c:Customer {city: 'Berlin'}) RETURN c.name AS name ORDER BY name"}, "cy", ""); err != nil {
		t.Fatal(err)
	}
	said, err := e.Library().Teach(t.Context(), cases.Taught{Key: "the german capital", Name: "the German capital", Label: "Customer", Property: "city", Value: "Berlin", By: "eve"})
	if err != nil {
		t.Fatal(err)
	}
	answers := func(question, rows string) {
		t.Helper()
		a := e.Ask(t.Context(), engine.Question{Text: question}, nil)
		if got := fmt.Sprint(a.Rows); a.Route == engine.ByCase && got != rows || a.Route != engine.ByCase && rows != "" {
			t.Errorf("%q: %s %s, want %s", question, a.Route, got, rows)
		}
	}
	const other = "who of our buyers sits in London?"
	for range 2 {
		answers(asked, "[[Anna Keller] [Grace Lee]]")
		answers(other, "")
		if _, err := e.DecideTaught(t.Context(), said.ID, true, "ann", ""); err != nil {
			t.Fatal(err)
		}
		answers(asked, "[[Anna Keller] [Grace Lee]]")
		answers(other, "[[Lucy Adams] [Nick Ward]]")
		if _, err := e.DecideTaught(t.Context(), said.ID, false, "ann", ""); err != nil {
			t.Fatal(err)
		}
	}
}
