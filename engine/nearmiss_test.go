package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"testing"

	"precedent/store"
)

// A nearMiss is a question that is nearly another one, which a case answers.
type nearMiss struct {
	ID       string  `json:"id"`
	Kind     string  `json:"kind"` // what sets the two apart: not, atleast, voice, surname
	Of       string  `json:"of"`
	Question string  `json:"question"`
	Right    *string `json:"right"` // a query of one column that a right answer has too; null: no case may answer
}

// TestNearMisses asks questions that differ from a covered one in a word. A
// case may answer one only with the rows that it asks for; to find no case is
// no mistake.
func TestNearMisses(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	lines := nearMisses(t)
	answerable, byCase, right := 0, 0, 0
	for _, l := range lines {
		of, near := e.Ask(t.Context(), Question{Text: l.Of}, nil), e.Ask(t.Context(), Question{Text: l.Question}, nil)
		if of.Route != ByCase {
			t.Errorf("%s: %q isn't answered by a case: %s", l.ID, l.Of, of.Route)
		}
		var want store.Table
		if l.Right != nil {
			answerable++
			if want, err = e.gate.run(t.Context(), store.Query{Text: *l.Right}, e.limits); err != nil || len(want.Columns) != 1 || len(want.Rows) == 0 || want.Truncated {
				t.Fatalf("%s: the query for the right answer gives %d rows of %v: %v", l.ID, len(want.Rows), want.Columns, err)
			}
		}
		if near.Route != ByCase {
			t.Logf("%s: %s: %q: %s", l.ID, near.Route, l.Question, near.Text)
			continue
		}
		byCase++
		rd := e.snapshot().reader.Read(l.Question)
		switch {
		case of.Case != nil && *of.Case == *near.Case && reflect.DeepEqual(of.Params, near.Params):
			t.Errorf("%s: %q is answered as %q: case %s %v\n\t%s", l.ID, l.Question, l.Of, *near.Case, near.Params, rd.Key())
		case l.Right == nil:
			t.Errorf("%s: %q is answered by case %s %v\n\t%s", l.ID, l.Question, *near.Case, near.Params, rd.Key())
		case !hasColumn(near, want):
			t.Errorf("%s: %q: case %s %v gives %d rows, want %d\n\t%s", l.ID, l.Question, *near.Case, near.Params, len(near.Rows), len(want.Rows), rd.Key())
		default:
			right++
		}
	}
	t.Logf("%d near misses, %d answered by a case: %d wrong, %d right of %d (%.2f) that a right answer is known for", len(lines), byCase, byCase-right, right, answerable, share(right, answerable))
}

// hasColumn reports whether a column of a holds the values of want's only one,
// in any order.
func hasColumn(a Answer, want store.Table) bool {
	wanted := counted(want.Rows, 0)
	for i := range a.Columns {
		if maps.Equal(counted(a.Rows, i), wanted) {
			return true
		}
	}
	return false
}

func counted(rows [][]any, column int) map[string]int {
	m := make(map[string]int)
	for _, row := range rows {
		m[fmt.Sprintf("%T %v", row[column], row[column])]++
	}
	return m
}

// nearMisses reads the test set and holds it to its own rules: fifty questions
// of each language, none twice.
func nearMisses(t *testing.T) []nearMiss {
	f, err := os.Open("testdata/nearmiss.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []nearMiss
	n := make(map[string]int)
	seen := make(map[string]bool)
	in := bufio.NewScanner(f)
	for in.Scan() {
		var l nearMiss
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("line %d: %v", len(lines)+1, err)
		}
		if seen[l.Question] || l.Question == l.Of || l.Kind == "" {
			t.Errorf("%s: %q stands twice or misses nothing", l.ID, l.Question)
		}
		seen[l.Question] = true
		n[l.ID[:2]]++
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	if n["en"] < 50 || n["zh"] < 50 {
		t.Errorf("%v questions; want at least 50 in each language", n)
	}
	return lines
}
