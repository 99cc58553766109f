package neotest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// batch is how many nodes or relationships one statement creates.
const batch = 2000

// Exec runs a statement that may write, and returns its rows as the driver
// gives them.
func (s *Server) Exec(t testing.TB, query string, params map[string]any) [][]any {
	t.Helper()
	s.loaded = [sha256.Size]byte{}
	rows, err := s.exec(query, params)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func (s *Server) exec(query string, params map[string]any) ([][]any, error) {
	// Not in a transaction function: CALL … IN TRANSACTIONS has its own.
	ctx := context.Background()
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{})
	defer session.Close(ctx)
	result, err := session.Run(ctx, query, params)
	if err != nil {
		return nil, fmt.Errorf("%w, running %s", err, query)
	}
	var rows [][]any
	for record, err := range result.Records(ctx) {
		if err != nil {
			return nil, fmt.Errorf("%w, running %s", err, query)
		}
		rows = append(rows, record.Values)
	}
	return rows, nil
}

// Clear erases nodes, relationships, constraints and indexes.
func (s *Server) Clear(t testing.TB) {
	t.Helper()
	s.Exec(t, "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS", nil)
	for _, row := range s.Exec(t, "SHOW CONSTRAINTS YIELD name", nil) {
		s.Exec(t, "DROP CONSTRAINT "+quote(row[0].(string)), nil)
	}
	for _, row := range s.Exec(t, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'", nil) {
		s.Exec(t, "DROP INDEX "+quote(row[0].(string)), nil)
	}
}

// Load replaces the graph by that of a folder of CSV files with headers of
// neo4j-admin database import. Files are read by name, nodes before
// relationships, and Neo4j itself reads the temporal values.
func (s *Server) Load(t testing.TB, fsys fs.FS) {
	t.Helper()
	sum, err := digest(fsys)
	if err != nil {
		t.Fatal(err)
	}
	s.Clear(t)
	if err := s.load(fsys); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "CALL db.awaitIndexes(60)", nil)
	s.Exec(t, "CALL db.prepareForReplanning(60)", nil) // else plans of an emptier graph are kept
	s.loaded = sum
}

// Keep is Load, but where that graph is there already, and Exec wasn't called since,
// it stays, and with it the plans of queries.
func (s *Server) Keep(t testing.TB, fsys fs.FS) {
	t.Helper()
	if sum, err := digest(fsys); err != nil || sum != s.loaded {
		s.Load(t, fsys)
	}
}

// digest tells one folder of CSV files from another.
func digest(fsys fs.FS) (sum [sha256.Size]byte, err error) {
	names, err := fs.Glob(fsys, "*.csv")
	if err != nil {
		return sum, err
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return sum, err
		}
		fmt.Fprintf(h, "%q %d\n%s", name, len(text), text)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

func (s *Server) load(fsys fs.FS) error {
	names, err := fs.Glob(fsys, "*.csv")
	if err != nil {
		return err
	}
	slices.Sort(names)
	var files []*file
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		f, err := parseFile(name, string(text))
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b *file) int { return cmp.Compare(a.order(), b.order()) })
	ids := map[string]any{} // ID space and ID → elementId
	for _, f := range files {
		for part := range slices.Chunk(f.rows, batch) {
			if err := s.create(f, part, ids); err != nil {
				return fmt.Errorf("loading %s: %w", f.name, err)
			}
		}
	}
	return nil
}

// create makes the nodes or relationships of some rows of f.
func (s *Server) create(f *file, rows [][]field, ids map[string]any) error {
	items := make([]any, len(rows))
	keys := make([]string, len(rows))
	for i, row := range rows {
		item := map[string]any{}
		for c, col := range f.columns {
			if c >= len(row) {
				break
			}
			text := row[c].text
			switch col.kind {
			case ":ID":
				keys[i] = col.space + "\x00" + text
			case ":START_ID", ":END_ID":
				id, ok := ids[col.space+"\x00"+text]
				if !ok {
					return fmt.Errorf("line %d: no node has ID %q in space %q", i+2, text, col.space)
				}
				item[col.kind] = id
			case ":LABEL":
				item[":LABEL"] = slices.DeleteFunc(strings.Split(text, ";"), func(l string) bool { return l == "" })
			case ":TYPE":
				item[":TYPE"] = text
			}
			if col.name == "" || col.kind == ":IGNORE" || text == "" && !row[c].quoted {
				continue
			}
			value, err := col.value(text)
			if err != nil {
				return fmt.Errorf("line %d, column %s: %w", i+2, col.name, err)
			}
			item[col.name] = value
		}
		if item[":LABEL"] == nil {
			item[":LABEL"] = []string{}
		}
		items[i] = item
	}
	set := make([]string, 0, len(f.columns))
	for _, col := range f.columns {
		if col.name != "" && col.kind != ":IGNORE" {
			set = append(set, "x."+quote(col.name)+" = "+col.expression("row."+quote(col.name)))
		}
	}
	query := "UNWIND $rows AS row CREATE (x:$(row.`:LABEL`))"
	if f.relationships {
		query = "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.`:START_ID` MATCH (b) WHERE elementId(b) = row.`:END_ID`" +
			" CREATE (a)-[x:$(row.`:TYPE`)]->(b)"
	}
	if len(set) > 0 {
		query += " SET " + strings.Join(set, ", ")
	}
	made, err := s.exec(query+" RETURN elementId(x)", map[string]any{"rows": items})
	if err != nil {
		return err
	}
	if len(made) != len(rows) {
		return fmt.Errorf("%d of %d rows made", len(made), len(rows))
	}
	if !f.relationships {
		for i, row := range made {
			if _, twice := ids[keys[i]]; twice && !strings.HasSuffix(keys[i], "\x00") {
				return fmt.Errorf("line %d: ID %q is given twice", i+2, keys[i])
			}
			ids[keys[i]] = row[0]
		}
	}
	return nil
}

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
