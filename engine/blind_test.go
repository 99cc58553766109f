package engine

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"precedent/store"
)

var blindFile = flag.String("blind", "", "file of questions with their gold queries, one JSON object a line")

// A gold is a question and the query that a person wrote for it.
type gold struct {
	Graph, Language, Question, Kind string
	Cypher                          *string
	Hard                            bool
}

// TestBlind asks the questions of a file without a model, and says how many are
// answered as the person who wrote them would.
func TestBlind(t *testing.T) {
	if *blindFile == "" {
		t.Skip("only with -blind")
	}
	f, err := os.Open(*blindFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	engines := map[string]*Engine{}
	tally := map[string]map[string]int{}
	count := func(graph, what string) {
		for _, g := range []string{graph, "all"} {
			if tally[g] == nil {
				tally[g] = map[string]int{}
			}
			tally[g][what]++
		}
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q gold
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		e := engines[q.Graph]
		if e == nil {
			c := Config{Data: t.TempDir(), Compose: true}
			if q.Graph != "movies" {
				c.Graph = filepath.Join("testdata/fair", q.Graph)
			}
			if e, _, err = Open(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			engines[q.Graph] = e
		}
		a := e.Ask(t.Context(), Question{Text: q.Question}, nil)
		count(q.Graph, "n")
		said := ""
		if a.Understood != nil {
			said = *a.Understood
		}
		if !a.Route.Answers() {
			count(q.Graph, string(a.Route))
			rd := e.snapshot().grammar.Read(q.Question)
			fmt.Printf("- %-10s %s %s %v %s\n", q.Graph, a.Route, q.Question, rd.Unread, strings.Join(choices(a), " | "))
			for _, m := range rd.Meanings {
				fmt.Printf("     M %s\n     = %s\n", m.Exact(), e.snapshot().grammar.Say(m, rd.Language))
			}
			continue
		}
		if q.Cypher == nil {
			count(q.Graph, "ANSWERED-UNANSWERABLE")
			fmt.Printf("U %-10s %s [%s] %s\n   rows %.150s\n", q.Graph, q.Question, a.Route, said, fmt.Sprint(a.Rows))
			continue
		}
		want, err := e.gate.run(t.Context(), store.Query{Text: *q.Cypher}, store.Limits{Rows: 1000})
		if err != nil {
			t.Errorf("%s: %v", *q.Cypher, err)
			continue
		}
		if rowsAgree(a.Rows, want.Rows, strings.Contains(*q.Cypher, "ORDER BY") && !strings.Contains(*q.Cypher, "LIMIT 1")) {
			count(q.Graph, "right "+string(a.Route))
			continue
		}
		count(q.Graph, "WRONG? "+string(a.Route))
		fmt.Printf("X %-10s %s [%s] %s\n   got  %.200s\n   want %.200s\n   gold %s\n", q.Graph, q.Question, a.Route, said, fmt.Sprint(a.Rows), fmt.Sprint(want.Rows), *q.Cypher)
	}
	for _, g := range slices.Sorted(keysOf(tally)) {
		fmt.Printf("= %-14s %v\n", g, tally[g])
	}
}

func keysOf(m map[string]map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func choices(a Answer) (out []string) {
	for _, c := range a.Choices {
		out = append(out, c.Label)
	}
	return out
}

// rowsAgree reports whether every column of want is one of got, row by row.
func rowsAgree(got, want [][]any, ordered bool) bool {
	if len(got) == 1 && len(got[0]) == 3 && len(want) == 1 && len(want[0]) == 1 { // a share, told as per cent
		x, a := store.Float(got[0][2])
		y, b := store.Float(want[0][0])
		if a && b && (math.Abs(100*x-y) < .01 || math.Abs(x-y) < .0001) {
			return true
		}
	}
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
