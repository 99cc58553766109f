package engine

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/store"
)

var printed = flag.Bool("said", false, "print what becomes of each question of strangers")

// A gold is a question and the query that the person who asked it wrote for it; none
// where the graph has no answer, or nobody could tell what is meant.
type gold struct {
	Graph, Language, Question, Kind string
	Cypher                          *string
	Hard                            bool
}

// TestStrangers asks what somebody who had seen nothing but the CSV files wrote, with a
// query for each, on graphs that have no glossary and no case of their own, without a
// model. Nothing is answered otherwise than they would; how much is answered may grow.
// With -said it prints each, and what the words mean.
func TestStrangers(t *testing.T) {
	f, err := os.Open("testdata/strangers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	engines := map[string]*Engine{}
	right, byGraph := 0, map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q gold
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if q.Graph == "movies" { // which has cases
			continue
		}
		e := engines[q.Graph]
		if e == nil {
			if e, _, err = Open(t.Context(), Config{Data: t.TempDir(), Compose: true, Graph: filepath.Join("testdata/fair", q.Graph)}); err != nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			engines[q.Graph] = e
		}
		a := e.Ask(t.Context(), Question{Text: q.Question}, nil)
		if !a.Route.Answers() {
			rd := e.snapshot().grammar.Read(q.Question)
			if *printed {
				fmt.Printf("- %-13s %s %s %v %s\n", q.Graph, a.Route, q.Question, rd.Unread, strings.Join(choices(a), " | "))
				for _, m := range rd.Meanings {
					fmt.Printf("     %s\n     = %s\n", m.Exact(), e.snapshot().grammar.Say(m, rd.Language))
				}
			}
			continue
		}
		if q.Cypher == nil {
			t.Errorf("%s: %s\n\tis answered as %s\n\t%.150s", q.Graph, q.Question, *a.Understood, fmt.Sprint(a.Rows))
			continue
		}
		want, err := e.gate.run(t.Context(), store.Query{Text: *q.Cypher}, store.Limits{Rows: 1000})
		if err != nil {
			t.Fatalf("%s: %v", *q.Cypher, err)
		}
		if !rowsAgree(a.Rows, want.Rows, strings.Contains(*q.Cypher, "ORDER BY") && !strings.Contains(*q.Cypher, "LIMIT 1")) {
			t.Errorf("%s: %s\n\tis answered as %s\n\t%.200s\n\tnot as %s\n\t%.200s", q.Graph, q.Question, *a.Understood, fmt.Sprint(a.Rows), *q.Cypher, fmt.Sprint(want.Rows))
			continue
		}
		right++
		byGraph[q.Graph]++
	}
	t.Logf("%d answered: %v", right, byGraph)
	if right < answered {
		t.Errorf("%d are answered, there were %d", right, answered)
	}
}

// answered is how many of strangers' 304 questions with an answer get it; it may only grow.
const answered = 164

func choices(a Answer) (out []string) {
	for _, c := range a.Choices {
		out = append(out, c.Label)
	}
	return out
}

// rowsAgree reports whether every column of want is one of got, row by row.
func rowsAgree(got, want [][]any, ordered bool) bool {
	if len(got) == 2 && len(want) == 1 && len(got[0]) == 2 { // a comparison, told with both values
		return len(want[0]) == 1 && (fmt.Sprint(want[0][0]) == fmt.Sprint(got[0][0]) || fmt.Sprint(want[0][0]) == fmt.Sprint(got[1][0]))
	}
	if len(got) != len(want) {
		if len(want) == 0 && len(got) == 1 && len(got[0]) == 1 {
			return fmt.Sprint(got[0][0]) == "false" || fmt.Sprint(got[0][0]) == "0"
		}
		return false
	}
	if len(want) == 0 {
		return true
	}
	cell := func(v any) string {
		if f, ok := store.Float(v); ok {
			return fmt.Sprintf("%.2f", f)
		}
		return fmt.Sprint(v)
	}
	line := func(row []any, cols []int) string {
		var b strings.Builder
		for _, c := range cols {
			b.WriteString(cell(row[c]) + "\x00")
		}
		return b.String()
	}
	all := make([]int, len(want[0]))
	for i := range all {
		all[i] = i
	}
	var theirs []string
	for _, r := range want {
		theirs = append(theirs, line(r, all))
	}
	if !ordered {
		slices.Sort(theirs)
	}
	var try func(cols []int) bool
	try = func(cols []int) bool {
		if len(cols) < len(all) {
			for c := range got[0] {
				if !slices.Contains(cols, c) && try(append(slices.Clone(cols), c)) {
					return true
				}
			}
			return false
		}
		var mine []string
		for _, r := range got {
			mine = append(mine, line(r, cols))
		}
		if !ordered {
			slices.Sort(mine)
		}
		return slices.Equal(mine, theirs)
	}
	return try(nil)
}

// BenchmarkMeanings reads strangers' questions: what each costs, and the dearest.
func BenchmarkMeanings(b *testing.B) {
	e, _, err := Open(b.Context(), Config{Data: b.TempDir(), Compose: true, Graph: "testdata/fair/shop"})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close(b.Context())
	content, err := os.ReadFile("testdata/strangers.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var questions []string
	for line := range strings.Lines(string(content)) {
		var q gold
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			b.Fatal(err)
		}
		if q.Graph == "shop" {
			questions = append(questions, q.Question)
		}
	}
	long := "orders placed by Anna Keller" + strings.Repeat(" or Tom Hughes and customers who placed orders with amount over 500", 5)
	for name, list := range map[string][]string{"strangers": questions, "long": {long}} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				for _, q := range list {
					start := time.Now()
					e.snapshot().grammar.Read(q)
					took = append(took, time.Since(start))
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// TestComposedDrafts asks the questions that right drafts were written for, on a dozen
// graphs: where composing answers, it names the same things, or the same number.
func TestComposedDrafts(t *testing.T) {
	files, err := filepath.Glob("testdata/drafts/*-?.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	engines := map[string]*Engine{}
	now := func() time.Time { return time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC) }
	composed, all := 0, 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			var q struct {
				Graph, Question, Query, Right string
				Params                        map[string]any
				RightParams                   map[string]any `json:"right_params"`
			}
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			if err := d.Decode(&q); err != nil {
				t.Fatal(err)
			}
			if q.Right == "" {
				q.Right, q.RightParams = q.Query, q.Params
			}
			for name, v := range q.RightParams {
				q.RightParams[name] = plainNumber(v)
			}
			e := engines[q.Graph]
			if e == nil {
				if e, _, err = Open(t.Context(), Config{Data: t.TempDir(), Compose: true, Graph: filepath.Join("testdata/fair", q.Graph), Now: now}); err != nil {
					t.Fatal(err)
				}
				defer e.Close(t.Context())
				engines[q.Graph] = e
			}
			all++
			a := e.Ask(t.Context(), Question{Text: q.Question}, nil)
			if a.Route != Composed {
				continue
			}
			want, err := e.gate.run(t.Context(), store.Query{Text: q.Right, Params: q.RightParams, Now: now()}, store.Limits{Rows: 1000})
			if err != nil {
				t.Fatalf("%s: %v", q.Right, err)
			}
			composed++
			if v, ok := store.Float(first(want.Rows)); ok && a.Columns[len(a.Columns)-1] == "percent" && v <= 1 {
				want.Rows[0][0] = 100 * v // as a part of one
			}
			if len(a.Rows) != len(want.Rows) || len(want.Rows) > 0 && !slices.ContainsFunc(slices.Collect(indices(a.Rows[0])), func(i int) bool { return sameColumn(a.Rows, i, want.Rows, 0, false) }) {
				t.Errorf("%s: %s\n\tis answered as %s\n\t%.200s\n\tnot as %s\n\t%.200s", q.Graph, q.Question, *a.Understood, fmt.Sprint(a.Rows), q.Right, fmt.Sprint(want.Rows))
			}
		}
	}
	t.Logf("%d of %d are composed", composed, all)
	if composed < 60 {
		t.Errorf("%d of %d are composed, at least 60 were", composed, all)
	}
}

// first is the first cell of a table, nil of an empty one.
func first(rows [][]any) any {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil
	}
	return rows[0][0]
}
