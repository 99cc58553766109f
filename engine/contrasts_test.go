package engine

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestContrasts reads questions that are near to one another in words and far in what
// they ask. Each line is a graph, a question, and the print of its one meaning, or NONE
// where it must not be answered: a word of it says something that no meaning has.
func TestContrasts(t *testing.T) {
	f, err := os.Open("testdata/contrasts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	engines := map[string]*Engine{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		graph, rest, _ := strings.Cut(line, ": ")
		question, want, ok := strings.Cut(rest, " = ")
		if !ok {
			t.Fatalf("want \"graph: question = meaning\", got %q", line)
		}
		e := engines[graph]
		if e == nil {
			c := Config{Data: t.TempDir(), Compose: true, Graph: filepath.Join("testdata/fair", graph)}
			if graph == "movies" {
				c = Config{Data: Shipped.Copy(t)}
			}
			if e, _, err = Open(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			engines[graph] = e
		}
		got := "NONE"
		if means := e.snapshot().grammar.Read(question).Meanings; len(means) == 1 {
			got = means[0].Exact()
		}
		if got != want {
			t.Errorf("%s: %s\n\tmeans %s\n\tnot   %s", graph, question, got, want)
		}
	}
}
