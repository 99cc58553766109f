package store_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"precedent/store"
)

// How one query goes on the embedded graph and in Neo4j.
type sameness string

const (
	equal       sameness = "equal"
	bothFail    sameness = "rejected by both"
	refused     sameness = "refused by name"
	otherRows   sameness = "WRONG: other rows"
	onlyHere    sameness = "WRONG: rows, where Neo4j has an error"
	onlyThere   sameness = "WRONG: an error, where Neo4j has rows"
	undecidable sameness = "took too long in either"
	byOrder     sameness = "hangs on the order of rows, which none is bound to"
)

func (s sameness) wrong() bool { return strings.HasPrefix(string(s), "WRONG") }

// A rivalry holds the same graph twice.
type rivalry struct {
	here  store.Graph
	there witness
}

// manyRows is more than any of the compared queries has.
const manyRows = 100_000

// judged says how q goes, and shows the difference. Rows are compared in any order
// unless ordered.
func (r rivalry) judged(t *testing.T, q store.Query, ordered bool) (is sameness, shown string) {
	limits := store.Limits{Rows: manyRows, List: manyRows, Text: manyRows, Bytes: 64 << 20, Timeout: 10 * time.Second}
	got, gotErr := r.here.Run(t.Context(), q, limits)
	want := r.there(q, limits)
	shown = q.Text + "\n embedded: " + briefly(t, got, gotErr, ordered) + "\n Neo4j:    " + want.briefly(ordered)
	switch {
	case errors.Is(gotErr, store.ErrTimeout), want.TooLong:
		return undecidable, shown
	case errors.Is(gotErr, store.ErrUnsupported) && want.Error == "":
		return refused, gotErr.Error()
	case gotErr != nil && want.Error != "":
		return bothFail, shown
	case gotErr != nil:
		return onlyThere, shown
	case want.Error != "":
		return onlyHere, shown
	case slices.Equal(rows(t, got, ordered), want.lines(want.Rows, ordered)):
		return equal, shown
	}
	// Sums of floats hang on the order in which rows came, and so do lists that rows
	// were collected into.
	even, anyOrder := want.even(), strings.Contains(strings.ToLower(q.Text), "collect") || strings.Contains(q.Text, "[(")
	if anyOrder {
		even = want.anyOrder()
	}
	if slices.Equal(rows(t, evened(got, anyOrder), ordered), want.lines(even, ordered)) {
		return equal, shown
	}
	return otherRows, shown
}

// evened is t with its floats rounded, and, where lists may be in any order, with
// sorted lists.
func evened(t store.Table, anyOrder bool) store.Table {
	out := store.Table{Columns: t.Columns}
	for _, row := range t.Rows {
		out.Rows = append(out.Rows, evenValue(row, anyOrder, true).([]any))
	}
	return out
}

func evenValue(v any, anyOrder, isRow bool) any {
	const digits = 11
	switch v := v.(type) {
	case float64:
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		return f
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			out[k] = evenValue(item, anyOrder, false)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = evenValue(item, anyOrder, false)
		}
		if anyOrder && !isRow {
			slices.SortFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)) })
		}
		return out
	}
	return v
}

func briefly(t *testing.T, table store.Table, err error, ordered bool) string {
	if err != nil {
		return "error: " + strings.ReplaceAll(fmt.Sprintf("%.300s", err), "\n", " ")
	}
	return fmt.Sprintf("%.600s", strings.Join(rows(t, table, ordered)[1:], " "))
}

// A tally counts how queries went.
type tally struct {
	of      map[sameness]int
	reasons map[string]int // why queries were refused
}

func newTally() *tally { return &tally{map[sameness]int{}, map[string]int{}} }

func (c *tally) add(is sameness, shown string) {
	c.of[is]++
	if is == refused {
		c.reasons[shown]++
	}
}

func (c *tally) total() (n int) {
	for _, m := range c.of {
		n += m
	}
	return n
}

// record logs what a graph answers to q.
func record(t *testing.T, g store.Graph, name string, q store.Query) {
	t.Helper()
	line := struct {
		Name    string          `json:"name"`
		Query   string          `json:"query"`
		Params  map[string]any  `json:"params,omitempty"`
		Columns []string        `json:"columns,omitempty"`
		Rows    json.RawMessage `json:"rows,omitempty"`
		Error   string          `json:"error,omitempty"`
	}{Name: name, Query: q.Text, Params: q.Params}
	table, err := g.Run(t.Context(), q, store.Limits{})
	if err != nil {
		line.Error = "query"
	} else {
		line.Columns = table.Columns
		if line.Rows, err = store.EncodeRows(table.Rows); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		t.Fatal(err)
	}
	t.Logf("recorded: %s", strings.TrimSpace(b.String()))
}

// tell logs the table and returns how many were wrong, and the share of those with
// rows in Neo4j that are equal.
func (c *tally) tell(t *testing.T, what string) (wrong int, share float64) {
	t.Logf("%s: %d queries", what, c.total())
	for _, is := range []sameness{equal, bothFail, refused, otherRows, onlyHere, onlyThere, byOrder, undecidable} {
		if n := c.of[is]; n > 0 {
			t.Logf("%7d  %s", n, is)
		}
	}
	why := make([]string, 0, len(c.reasons))
	for reason, n := range c.reasons {
		why = append(why, fmt.Sprintf("%7d  %s", n, reason))
	}
	slices.Sort(why)
	for _, line := range slices.Backward(why) {
		t.Log("refused ", line)
	}
	wrong = c.of[otherRows] + c.of[onlyHere] + c.of[onlyThere]
	share = float64(c.of[equal]) / float64(max(1, c.of[equal]+c.of[refused]+c.of[otherRows]+c.of[onlyThere]))
	t.Logf("%7.2f  %% of those that have rows in Neo4j are equal", 100*share)
	return wrong, share
}

// Queries of one's own, one a line, as text or as {"query", "params"}, are
// compared with
//
//	PRECEDENT_QUERIES=FILE go test ./store -run TestGivenQueries -v
//
// With PRECEDENT_RECORD=NAME, what Neo4j answers is logged as lines of
// embedded/testdata/semantics.jsonl.
func TestGivenQueries(t *testing.T) {
	name := os.Getenv("PRECEDENT_QUERIES")
	if name == "" {
		t.Skip("PRECEDENT_QUERIES names no file")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, b := both(t)
	count := newTally()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		q := store.Query{Text: lines.Text()}
		if strings.HasPrefix(q.Text, "{") {
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Fatalf("%s: %v", lines.Text(), err)
			}
		}
		is, shown := rivalry{e, liveWitness(t, b)}.judged(t, q, false)
		count.add(is, shown)
		if name := os.Getenv("PRECEDENT_RECORD"); name != "" {
			record(t, b, fmt.Sprint(name, " ", count.total()), q)
		}
		if is != equal {
			t.Logf("%s\n%s", is, shown)
		} else if testing.Verbose() {
			t.Logf("equal: %s", shown)
		}
	}
	count.tell(t, name)
}
