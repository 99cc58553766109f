package check_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"precedent/store"
)

// sharedFile opens a file of the shared regression data.
func sharedFile(tb testing.TB, name string) *os.File {
	tb.Helper()
	dir := os.Getenv("PRECEDENT_SHARED")
	if dir == "" {
		root, err := filepath.Abs(".")
		for err == nil && root != filepath.Dir(root) {
			if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
				break
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared")
	}
	file, err := os.Open(filepath.Join(dir, "data", name))
	if err != nil {
		tb.Skipf("SKIPPED, no shared data: %v (set PRECEDENT_SHARED to the folder that holds data/)", err)
	}
	tb.Cleanup(func() { file.Close() })
	return file
}

// sharedRows reads a table of the shared regression data, without its header.
func sharedRows(tb testing.TB, name string) [][]string {
	tb.Helper()
	rows, err := csv.NewReader(sharedFile(tb, name)).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	return rows[1:]
}

// sharedSchemas reads the schemas of the demo graphs, by the graph's name.
func sharedSchemas(tb testing.TB) map[string]*store.Schema {
	tb.Helper()
	schemas := make(map[string]*store.Schema)
	lines := bufio.NewScanner(sharedFile(tb, "schemas.jsonl"))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		type properties map[string][]struct{ Property, Type string }
		var line struct {
			Database string
			Schema   struct {
				Nodes         properties `json:"node_props"`
				Rels          properties `json:"rel_props"`
				Relationships []struct{ Start, Type, End string }
			} `json:"structured_schema"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			tb.Fatal(err)
		}
		s := &store.Schema{}
		of := func(p properties, name string) (all []store.Property) {
			for _, property := range p[name] {
				all = append(all, store.Property{Name: property.Property, Type: property.Type})
			}
			return all
		}
		for label := range line.Schema.Nodes {
			s.Labels = append(s.Labels, store.Label{Name: label, Properties: of(line.Schema.Nodes, label)})
		}
		for name := range line.Schema.Rels {
			s.Types = append(s.Types, store.RelType{Name: name, Properties: of(line.Schema.Rels, name)})
		}
		for _, r := range line.Schema.Relationships {
			s.Relationships = append(s.Relationships, store.Relation{Start: r.Start, Type: r.Type, End: r.End})
		}
		schemas[line.Database] = s
	}
	return schemas
}

// triplesOf reads "(A, TYPE, B), (C, TYPE, D)".
func triplesOf(text string) (triples [][3]string) {
	for part := range strings.SplitSeq(text, ")") {
		names := strings.Split(strings.TrimLeft(part, ", ("), ", ")
		if len(names) == 3 {
			triples = append(triples, [3]string(names))
		}
	}
	return triples
}
