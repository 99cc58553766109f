package embedded_test

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"precedent/store"
)

// sharedFile opens a file of the shared regression files, or skips.
func sharedFile(t testing.TB, name string) *os.File {
	t.Helper()
	dir := os.Getenv("PRECEDENT_SHARED")
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for root != filepath.Dir(root) {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared")
	}
	f, err := os.Open(filepath.Join(dir, "data", name))
	if err != nil {
		t.Skipf("SKIPPED: set PRECEDENT_SHARED to the folder of the shared regression files: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestSharedPairs plans every query of the shared pairs: each is taken, or
// refused with an error of a kind; what is refused as unsupported is counted.
func TestSharedPairs(t *testing.T) {
	g := open(t, "testdata/graph")
	for _, name := range []string{"text2cypher_pairs.csv", "text2cypher_pairs_extra.csv"} {
		rows, err := csv.NewReader(sharedFile(t, name)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		taken, rejected, refused := 0, 0, map[string]int{}
		for _, row := range rows[1:] {
			_, err := g.Explain(t.Context(), store.Query{Text: row[2]})
			switch {
			case err == nil:
				taken++
			case errors.Is(err, store.ErrUnsupported):
				refused[err.Error()]++
			case errors.Is(err, store.ErrQuery):
				rejected++
				if row[4] == "False" && testing.Verbose() {
					t.Logf("rejected: %s\n%v", row[2], err)
				}
			default:
				t.Errorf("%s\n%v", row[2], err)
			}
		}
		n := 0
		for why, count := range refused {
			n += count
			t.Logf("%4d %s", count, why)
		}
		t.Logf("%s: %d taken, %d rejected, %d not supported", name, taken, rejected, n)
		if share := float64(n) / float64(len(rows)-1); share > 0.05 {
			t.Errorf("%.1f %% of the queries are not supported", 100*share)
		}
	}
}
