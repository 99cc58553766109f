package engine_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
	"precedent/store/movies"
)

// files are the CSV files of the world's graph.
func (w world) files() fs.FS {
	if w.graph == "movies" {
		return movies.Graph()
	}
	return os.DirFS("testdata/ask/films")
}

// prompts are the messages of the requests since the last look. A system
// prompt is held against its file in testdata/ask/system and named here.
func (p *playing) prompts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	var before []string
	requests := p.server.Requests()
	for i, r := range requests[p.seen:] {
		for _, m := range r.Messages {
			if m.Role == "system" && p.world.graph == "films" {
				fmt.Fprintf(&b, "[%d system] %s\n", i+1, p.system(t, r.Body, m.Content))
				continue
			}
			paragraphs := strings.Split(m.Content, "\n\n")
			fmt.Fprintf(&b, "[%d %s]\n%s\n", i+1, m.Role, strings.Join(since(paragraphs, before), "\n\n"))
			before = paragraphs
		}
	}
	p.seen = len(requests)
	return b.String()
}

// since is a prompt's paragraphs, with "…" for those that the one before began with too.
func since(paragraphs, before []string) []string {
	n := 0
	for n < min(len(paragraphs), len(before)) && paragraphs[n] == before[n] {
		n++
	}
	if n == 0 {
		return paragraphs
	}
	return append([]string{"…"}, paragraphs[n:]...)
}

// system checks the system prompt of a request and returns its name.
func (p *playing) system(t *testing.T, body []byte, content string) string {
	t.Helper()
	name := promptName(t, body) + "-" + p.last.Language
	if p.world.rows == "never" {
		name += "-no-samples"
	}
	file := filepath.Join("testdata", "ask", "system", name+".txt")
	b, err := os.ReadFile(file)
	switch {
	case *update && string(b) != content+"\n":
		err = cmp.Or(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(content+"\n"), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	case err != nil:
		t.Error(err)
	case string(b) != content+"\n":
		t.Errorf("%s:\n--- got\n%s\n--- want\n%s", file, content, b)
	}
	return name
}

// promptName is the name of the schema that a request asks its reply to follow.
func promptName(t *testing.T, body []byte) string {
	t.Helper()
	var r struct {
		Format struct {
			Schema struct {
				Name string `json:"name"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	return cmp.Or(r.Format.Schema.Name, "reply")
}

// shownRows is how many rows of an answer a story shows.
const shownRows = 12

// answer is what is worth knowing of the last answer, a line for each thing.
func (p *playing) answer() string {
	a := p.last
	var b strings.Builder
	line := func(key string, format string, args ...any) {
		fmt.Fprintf(&b, "%s: %s\n", key, fmt.Sprintf(format, args...))
	}
	line("route", "%s, calls %d, repairs %d", a.Route, a.ModelCalls, a.Repairs)
	if a.Restated != a.Question {
		line("restated", "%s", a.Restated)
	}
	line("text", "%s", strings.ReplaceAll(a.Text, a.ID, "(id)"))
	if a.Case != nil {
		line("case", "%s", p.caseName(a.Case))
	}
	if a.Query != "" {
		line("query", "%s", strings.Join(strings.Fields(a.Query), " "))
		params, _ := json.Marshal(a.Params)
		line("params", "%s", params)
	}
	for i, row := range a.Rows {
		if i == shownRows {
			line("row", "… of %d", len(a.Rows))
			break
		}
		cells, _ := json.Marshal(engine.Rows{row})
		line("row", "%s", strings.TrimSuffix(strings.TrimPrefix(string(cells), "["), "]"))
	}
	for _, c := range a.Changes {
		line("change", "%s: %s → %s: %s", c.Kind, c.Before, c.After, c.Why)
	}
	if a.Refusal != nil {
		line("refusal", "%s", a.Refusal.Kind)
	}
	for _, c := range a.Choices {
		line("choice", "%s", c.Label)
	}
	for _, s := range a.Suggestions {
		line("suggestion", "%s", s)
	}
	if a.Error != nil {
		line("error", "%s", a.Error.Kind)
	}
	return b.String()
}

// caseName is the id of a case, or "case 1" for the first that the story made.
func (p *playing) caseName(id *string) string {
	switch {
	case id == nil:
		return "no case"
	case p.known[*id]:
		return *id
	}
	if !slices.Contains(p.made, *id) {
		p.made = append(p.made, *id)
	}
	return fmt.Sprintf("case %d", slices.Index(p.made, *id)+1)
}

// rename puts the names of cases in place of the ids of those that the story made.
func (p *playing) rename(text string) string {
	for i, id := range p.made {
		text = strings.ReplaceAll(text, id, fmt.Sprintf("case %d", i+1))
	}
	return text
}

// ids are those of all cases.
func (p *playing) ids(t *testing.T) map[string]bool {
	t.Helper()
	cs, err := p.engine.Library().List(t.Context(), cases.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]bool)
	for _, c := range cs {
		ids[c.ID] = true
	}
	return ids
}

func orNone(s string) string { return cmp.Or(s, "none") }

// eachOf is of how many cases one is compared that is of no new kind.
const eachOf = 20

// some are the cases whose queries have two parts side by side that none before them
// has, and every eachOf-th, to each of which a real Neo4j makes a plan in a twentieth of a
// second; with PRECEDENT_ALL=1 they are all.
func some(t *testing.T, cs []store.Case) (list []store.Case) {
	t.Helper()
	seen := map[[2]string]bool{}
	for i, c := range cs {
		tree, err := cypher.Parse(c.Query)
		if err != nil {
			t.Fatal(err)
		}
		before, fresh := "", os.Getenv("PRECEDENT_ALL") != ""
		cypher.Walk(tree, func(n cypher.Node) bool {
			part := fmt.Sprintf("%T", n)
			switch n := n.(type) {
			case *cypher.Call:
				part += fmt.Sprint(" ", strings.ToLower(n.Name), n.Distinct, n.Star)
			case *cypher.Binary:
				part += fmt.Sprint(" ", n.Op)
			case *cypher.Comparison:
				part += fmt.Sprint(" ", n.Ops)
			}
			fresh = fresh || !seen[[2]string{before, part}]
			seen[[2]string{before, part}] = true
			before = part
			return true
		})
		if fresh || i%eachOf == 0 {
			list = append(list, c)
		}
	}
	return list
}

// compareCases imports cases of one engine into the other, and runs each on both with the
// values of its own examples.
func compareCases(t *testing.T, embedded, neo4j *engine.Engine) {
	t.Helper()
	shipped, err := embedded.Library().List(t.Context(), cases.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	cs := some(t, shipped)
	var lines bytes.Buffer
	for _, c := range cs {
		if err := json.NewEncoder(&lines).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	if done, err := neo4j.Import(t.Context(), "shipped.jsonl", &lines, "tests", nil); err != nil || done.Added != len(cs) {
		t.Errorf("%d of %d cases were imported: %v", done.Added, len(cs), err)
	}
	for _, c := range cs {
		q := store.Query{Text: c.Query, Params: examples(c)}
		want, err := neo4j.RunCypher(t.Context(), q)
		if err != nil {
			t.Errorf("%s on Neo4j: %v", c.ID, err)
			continue
		}
		got, err := embedded.RunCypher(t.Context(), q)
		if err != nil {
			t.Errorf("%s on the embedded graph: %v", c.ID, err)
			continue
		}
		if !slices.Equal(got.Columns, want.Columns) || got.Truncated != want.Truncated {
			t.Errorf("%s: columns %q, truncated %t; Neo4j: %q, %t", c.ID, got.Columns, got.Truncated, want.Columns, want.Truncated)
		}
		rows, wanted := got.Rows, want.Rows
		if !strings.Contains(strings.ToUpper(c.Query), "ORDER BY") {
			rows, wanted = sorted(rows), sorted(wanted)
		}
		equal := alike
		if strings.Contains(c.Query, "shortestPath(") {
			equal = alikePaths
		}
		if why := differ(rows, wanted, equal); why != "" {
			t.Errorf("%s: %s\n%s\nwith %v", c.ID, why, c.Query, q.Params)
		}
	}
	t.Logf("%d of %d cases", len(cs), len(shipped))
}

// examples are the parameters of a case for its own examples. A decade fills two.
func examples(c store.Case) map[string]any {
	params := make(map[string]any)
	for _, s := range c.Slots {
		v := s.Example
		switch s.Type {
		case "decade":
			var from int64
			fmt.Sscan(strings.TrimSuffix(fmt.Sprint(v), "s"), &from)
			params[s.Name+"_from"], params[s.Name+"_to"] = from, from+10
			continue
		case "float":
			if n, ok := v.(int64); ok {
				v = float64(n)
			}
		}
		if f, ok := v.(float64); ok && s.Type != "float" && f == math.Trunc(f) {
			v = int64(f)
		}
		params[s.Name] = v
	}
	return params
}

func sorted(rows [][]any) [][]any {
	return slices.SortedFunc(slices.Values(rows), func(a, b []any) int { return cmp.Compare(fmt.Sprint(a...), fmt.Sprint(b...)) })
}

// differ says where two tables first differ, "" if nowhere.
func differ(got, want [][]any, alike func(a, b any) bool) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, Neo4j has %d", len(got), len(want))
	}
	for i := range got {
		if !slices.EqualFunc(got[i], want[i], alike) {
			return fmt.Sprintf("row %d is %v, on Neo4j %v", i+1, got[i], want[i])
		}
	}
	return ""
}

// tolerance is how far floats may lie apart, relative to their size: sums of
// floats depend on their order.
const tolerance = 1e-9

// alikePaths is alike but for which of several shortest paths it is: that is up to
// the database (neo4j.com/docs/cypher-manual/5/patterns/reference/#shortest-functions).
func alikePaths(a, b any) bool {
	x, path := a.([]any)
	y, too := b.([]any)
	if path && too && len(x) > 0 && len(x) == len(y) {
		return alike(x[0], y[0]) && alike(x[len(x)-1], y[len(y)-1])
	}
	return alike(a, b)
}

func alike(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && (a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b)))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, alike)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, alike)
	}
	x, errX := store.EncodeValue(a)
	y, errY := store.EncodeValue(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
