package cypher_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"
)

// sharedRows reads a table of the shared regression data, without its header.
func sharedRows(tb testing.TB, name string) [][]string {
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
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	return rows[1:]
}
