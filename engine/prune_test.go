package engine

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
)

// sharedFile opens a file of the shared data, or skips the test.
func sharedFile(t testing.TB, name string) *os.File {
	t.Helper()
	dir := os.Getenv("PRECEDENT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(dir, "data", name))
	if err != nil {
		t.Skipf("SKIPPED, no shared data: %v (set PRECEDENT_SHARED to the folder that holds data/)", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A sharedSchema is a line of schemas.jsonl.
type sharedSchema struct {
	Database string
	Schema   struct {
		Nodes         map[string][]sharedProperty `json:"node_props"`
		Types         map[string][]sharedProperty `json:"rel_props"`
		Relationships []struct{ Start, Type, End string }
	} `json:"structured_schema"`
}

type sharedProperty struct {
	Property, Type string
	Values         []any
	Distinct       int64 `json:"distinct_count"`
}

func sharedSchemas(t testing.TB) (all []sharedSchema) {
	for in := json.NewDecoder(sharedFile(t, "schemas.jsonl")); in.More(); {
		var s sharedSchema
		if err := in.Decode(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// knownNames are the labels, types and property keys of each shared schema: of a
// query's keys, others are fields of a value (date.year).
func knownNames(t testing.TB) map[string]map[string]bool {
	known := map[string]map[string]bool{}
	for _, s := range sharedSchemas(t) {
		names := map[string]bool{}
		for _, of := range []map[string][]sharedProperty{s.Schema.Nodes, s.Schema.Types} {
			for name, ps := range of {
				names[name] = true
				for _, p := range ps {
					names[p.Property] = true
				}
			}
		}
		for _, r := range s.Schema.Relationships {
			names[r.Start], names[r.Type], names[r.End] = true, true, true
		}
		known[s.Database] = names
	}
	return known
}

// joined is one schema of all the shared ones, with renamed copies of them until it
// has so many labels.
func joined(t testing.TB, labels int) *store.Schema { return join(sharedSchemas(t), labels) }

// join is joined of some of the shared schemas.
func join(all []sharedSchema, labels int) *store.Schema {
	nodes, types := map[string]map[string]store.Property{}, map[string]map[string]store.Property{}
	relations := map[store.Relation]bool{}
	for _, before := range []string{"", "Legacy", "Partner", "Archived", "Regional", "Draft"} {
		if len(nodes) >= labels {
			break
		}
		other := strings.ToUpper(before)
		if other != "" {
			other += "_"
		}
		put := func(to map[string]map[string]store.Property, name string, ps []sharedProperty) {
			if to[name] == nil {
				to[name] = map[string]store.Property{}
			}
			for _, p := range ps {
				made := store.Property{Name: p.Property, Type: strings.Replace(p.Type, "DATE_TIME", "ZONED DATETIME", 1), Distinct: max(p.Distinct, int64(len(p.Values))), Present: 1000}
				if made.Type == "LIST" {
					made.Type = "LIST<FLOAT>"
				}
				if made.Type == "STRING" {
					made.SetSamples(p.Values, nil)
				}
				to[name][p.Property] = made
			}
		}
		for _, s := range all {
			for l, ps := range s.Schema.Nodes {
				put(nodes, before+l, ps)
			}
			for typ, ps := range s.Schema.Types {
				put(types, other+typ, ps)
			}
			for _, r := range s.Schema.Relationships {
				put(nodes, before+r.Start, nil)
				put(nodes, before+r.End, nil)
				put(types, other+r.Type, nil)
				relations[store.Relation{Start: before + r.Start, Type: other + r.Type, End: before + r.End, Count: 10}] = true
			}
		}
	}
	s := &store.Schema{}
	sorted := func(m map[string]store.Property) (ps []store.Property) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			ps = append(ps, m[k])
		}
		return ps
	}
	for _, l := range slices.Sorted(maps.Keys(nodes)) {
		s.Labels = append(s.Labels, store.Label{Name: l, Count: 1000, Properties: sorted(nodes[l])})
	}
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		s.Types = append(s.Types, store.RelType{Name: typ, Count: 1000, Properties: sorted(types[typ])})
	}
	s.Relationships = slices.SortedFunc(maps.Keys(relations), func(a, b store.Relation) int {
		return strings.Compare(a.Start+"\x00"+a.Type+"\x00"+a.End, b.Start+"\x00"+b.Type+"\x00"+b.End)
	})
	s.Hash = s.ComputeHash()
	return s
}

// snapshotOf is what an engine would know of a graph with this schema, whose values are its samples.
func snapshotOf(t testing.TB, schema *store.Schema) *snapshot {
	var values []link.Value
	for _, l := range schema.Labels {
		for _, p := range l.Properties {
			if kind, _ := kindOf(p); kind == "" {
				continue
			}
			for _, v := range p.Samples {
				values = append(values, link.Value{Label: l.Name, Property: p.Name, Value: fmt.Sprint(v), Labels: []string{l.Name}})
			}
		}
	}
	reader, err := reading.New(reading.DefaultGlossary(schema), schema, values, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &snapshot{schema: schema, pruner: pruning(schema), reader: reader, named: map[string]bool{}}
	s.describe(true)
	return s
}

// An answeredPair is a question and a query that the shared schemas allow.
type answeredPair struct {
	database, question string
	query              *cypher.Statement
}

func answeredPairs(t testing.TB) (pairs []answeredPair) {
	for _, name := range []string{"text2cypher_pairs.csv", "text2cypher_pairs_extra.csv"} {
		rows, err := csv.NewReader(sharedFile(t, name)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]int{}
		for i, column := range rows[0] {
			at[column] = i
		}
		for _, row := range rows[1:] {
			if row[at["syntax_error"]] != "False" || row[at["false_schema"]] != "" {
				continue
			}
			if q, err := cypher.Parse(row[at["cypher"]]); err == nil {
				pairs = append(pairs, answeredPair{row[at["database"]], row[at["question"]], q})
			}
		}
	}
	return pairs
}

// allPairs has [TestPrunedNames] look at each shared pair, not every tenth.
var allPairs = flag.Bool("all-pairs", false, "prune the schema to all shared questions")

// leastInside is the share of pairs whose query's names the pruned schema has, and
// mostTokens what a prompt for 200 labels may take.
const (
	leastInside = .98
	mostTokens  = 2000
)

// TestPrunedNames prunes a schema of 200 labels to each shared question, which is
// all it is told, and looks for the names of the question's query in it.
func TestPrunedNames(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	schema := joined(t, 200)
	s := snapshotOf(t, schema)
	if len(schema.Labels) < 200 || s.text.text != "" {
		t.Fatalf("%d labels, of which all are told", len(schema.Labels))
	}
	library, err := cases.Open(t.Context(), cases.Config{Path: filepath.Join(t.TempDir(), "cases.db"), Graph: "joined"})
	if err != nil {
		t.Fatal(err)
	}
	defer library.Close()
	e := &Engine{settings: settings{rowsToModel: true, now: time.Now, library: library, gate: newGate(nil, guardrails.Policy{}, false)}}
	known := knownNames(t)
	inside, n, longest := map[string]int{}, map[string]int{}, 0
	pairs := answeredPairs(t)
	for i, pair := range pairs {
		if !*allPairs && i%10 > 0 {
			continue
		}
		a := &asking{Engine: e, snapshot: s}
		a.Restated, a.rd = pair.question, s.reader.Read(pair.question)
		a.Links = linksOf(a.rd)
		touch := a.touch()
		has := s.pruner().prune(touch, prunedTokens)
		if i%10 == 0 { // what a prompt with five cases takes, which may say more of the schema
			for _, other := range pairs[max(0, i-5):i] {
				a.recalled = append(a.recalled, cases.Match{Case: store.Case{Question: other.question, Query: cypher.Print(other.query)}})
			}
			p, err := prompt("write.tmpl", a.writing(t.Context()))
			if err != nil {
				t.Fatal(err)
			}
			longest = max(longest, tokensIn(p.System)+tokensIn(p.User))
		}
		names, keys := namesIn(pair.query)
		lacks := ""
		for name := range names {
			if known[pair.database][name] && !has.names[name] {
				lacks = name
			}
		}
		for key := range keys {
			held := false
			for property := range has.properties {
				held = held || strings.HasSuffix(property, "."+key)
			}
			if known[pair.database][key] && !held {
				lacks = key
			}
		}
		if n[pair.database]++; lacks == "" {
			inside[pair.database]++
		} else {
			t.Logf("%s: %s: no %s", pair.database, pair.question, lacks)
		}
	}
	all, right := 0, 0
	for _, database := range slices.Sorted(maps.Keys(n)) {
		t.Logf("%-15s %5d pairs, all names inside %5.1f %%", database, n[database], 100*float64(inside[database])/float64(n[database]))
		all, right = all+n[database], right+inside[database]
	}
	t.Logf("all %d pairs: %.2f %%; the schema in full %d tokens, prompts with five cases at most %d", all, 100*float64(right)/float64(all),
		tokensIn(formatSchema(schemaView{Schema: schema}).text), longest)
	if longest > mostTokens {
		t.Errorf("a prompt has %d tokens, want at most %d", longest, mostTokens)
	}
	if float64(right) < leastInside*float64(all) {
		t.Errorf("the names of %d of %d queries are inside, want %.0f %%", right, all, 100*leastInside)
	}
}
