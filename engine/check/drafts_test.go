package check_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/embedded"
)

// A field is a graph on which drafts are tried.
type field struct {
	graph   store.Graph
	checker *check.Checker
	reader  *reading.Reader
}

// openField opens a graph of testdata/fair, and links all of its texts.
func openField(t *testing.T, name string) *field {
	t.Helper()
	g, err := embedded.Open(os.DirFS(filepath.Join("..", "testdata", "fair", name)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Schema(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []link.Value
	for _, l := range s.Labels {
		for _, p := range l.Properties {
			if p.Type != "STRING" {
				continue
			}
			rows, err := g.Run(t.Context(), store.Query{Text: fmt.Sprintf("MATCH (n:`%s`) WHERE n.`%s` IS NOT NULL RETURN DISTINCT n.`%s`", l.Name, p.Name, p.Name)}, store.Limits{Rows: 1000})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows.Rows {
				values = append(values, link.Value{Label: l.Name, Property: p.Name, Value: row[0].(string), Labels: []string{l.Name}})
			}
		}
	}
	r, err := reading.New(reading.DefaultGlossary(s), s, values, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &field{g, check.New(s), r}
}

// one asks the graph whether a step leads to one node at most.
func (f *field) one(ctx context.Context) func(check.Step) bool {
	return func(s check.Step) bool {
		t, err := f.graph.Run(ctx, s.Probe(), store.Limits{Rows: 1})
		return err == nil && len(t.Rows) == 0
	}
}

// findings are those of Check and of Doubts, and whether anything was corrected.
func (f *field) findings(t *testing.T, question, query string, params map[string]any) (found []check.Finding, done check.Result) {
	t.Helper()
	done = f.checker.Check(query, parsed(t, query), params)
	said := f.reader.Said(question, f.reader.Read(question).Mentions)
	return append(done.Findings, f.checker.Doubts(done.Text, done.Statement, done.Params, check.Asked{Said: said, One: f.one(t.Context())})...), done
}

// A draft is a line of testdata/drafts.
type draft struct {
	Graph, Question, Kind string
	Query, Wrong, Right   string
	Params                map[string]any
	WrongParams           map[string]any `json:"wrong_params"`
	RightParams           map[string]any `json:"right_params"`
}

func drafts(t *testing.T, name string) (all []draft) {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "drafts", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d draft
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		for _, params := range []map[string]any{d.Params, d.WrongParams, d.RightParams} {
			for name, v := range params {
				if n, ok := v.(float64); ok && n == math.Trunc(n) {
					params[name] = int64(n)
				}
			}
		}
		all = append(all, d)
	}
	return all
}

// fields opens the graphs of drafts, each once.
func fields(t *testing.T) func(name string) *field {
	open := make(map[string]*field)
	return func(name string) *field {
		if open[name] == nil {
			open[name] = openField(t, name)
		}
		return open[name]
	}
}

// mostDoubted is the share of right queries that may be doubted, in percent.
const mostDoubted = 2

// TestRightDrafts counts right queries that are doubted or changed.
func TestRightDrafts(t *testing.T) {
	of := fields(t)
	doubted, all := 0, drafts(t, "right-a.jsonl")
	for _, d := range drafts(t, "wrong-a.jsonl") {
		d.Query, d.Params = d.Right, d.RightParams
		all = append(all, d)
	}
	for _, d := range all {
		found, done := of(d.Graph).findings(t, d.Question, d.Query, d.Params)
		if len(found)+len(done.Changes) == 0 {
			continue
		}
		doubted++
		t.Logf("%s: %s\n\t%s %v\n\t%v %+v", d.Graph, d.Question, d.Query, d.Params, backs(found), done.Changes)
	}
	t.Logf("%d of %d right queries doubted or changed", doubted, len(all))
	if doubted*100 > mostDoubted*len(all) {
		t.Errorf("more than %d %%", mostDoubted)
	}
}

func backs(found []check.Finding) (said []string) {
	for _, f := range found {
		said = append(said, f.Back(true))
	}
	return said
}

// TestWrongDrafts tells of each kind of wrong query what becomes of it.
func TestWrongDrafts(t *testing.T) {
	of := fields(t)
	type tally struct{ corrected, objected, slipped int }
	kinds := make(map[string]*tally)
	for _, d := range drafts(t, "wrong-a.jsonl") {
		found, done := of(d.Graph).findings(t, d.Question, d.Wrong, d.WrongParams)
		n := kinds[d.Kind]
		if n == nil {
			n = &tally{}
			kinds[d.Kind] = n
		}
		switch {
		case len(found) > 0:
			n.objected++
			t.Logf("%s: %s\n\t%s", d.Kind, d.Question, strings.Join(backs(found), "\n\t"))
		case len(done.Changes) > 0:
			n.corrected++
			t.Logf("%s: %s\n\t%s → %s", d.Kind, d.Question, done.Changes[0].Before, done.Changes[0].After)
		default:
			n.slipped++
			t.Logf("%s: SLIPPED %s\n\t%s %v", d.Kind, d.Question, d.Wrong, d.WrongParams)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%-18s %+v", kind, *kinds[kind])
	}
}

var _ = cypher.Parse
