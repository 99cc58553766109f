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
