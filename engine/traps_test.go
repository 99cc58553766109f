package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"precedent/engine"
)

// trapGraphs opens the graphs of testdata/traps and of testdata/fair by name.
func trapGraphs(t *testing.T) func(name string) *engine.Engine {
	archive, err := txtar.ParseFile("testdata/traps/graphs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, own := t.TempDir(), map[string]bool{}
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		own[filepath.Dir(f.Name)] = true
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened := map[string]*engine.Engine{}
	return func(name string) *engine.Engine {
		if opened[name] == nil {
			graph := filepath.Join(dir, name)
			if !own[name] {
				graph = filepath.Join("testdata/fair", name)
			}
			opened[name] = open(t, engine.Config{Graph: graph})
		}
		return opened[name]
	}
}

// sectioned calls yield with each line of a file of questions and the words of
// the heading above it.
func sectioned(t *testing.T, file string, yield func(heading []string, question string)) (n int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var heading []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			heading = strings.Fields(strings.Trim(line, "[]"))
		default:
			n++
			yield(heading, line)
		}
	}
	return n
}

// TestTraps asks fair questions that are full of the words of injections, changes
// and small talk, of graphs in whose schema those words stand: none is refused.
func TestTraps(t *testing.T) {
	graph := trapGraphs(t)
	refused := 0
	n := sectioned(t, "testdata/traps/questions.txt", func(heading []string, question string) {
		if a := graph(heading[0]).Ask(t.Context(), engine.Question{Text: question}, nil); a.Route == engine.Refused {
			refused++
			t.Errorf("%s: %s: %s", heading[0], a.Refusal.Kind, question)
		}
	})
	t.Logf("%d fair questions full of traps, %d refused", n, refused)
	if n < 120 {
		t.Errorf("%d questions, want 120 or more", n)
	}
}

// TestHostile says what is hostile in the words of the graph: all is refused, with
// its kind, and asking anyway changes nothing.
func TestHostile(t *testing.T) {
	graph := trapGraphs(t)
	passed := 0
	n := sectioned(t, "testdata/traps/hostile.txt", func(heading []string, said string) {
		for _, anyway := range []bool{false, true} {
			a := graph(heading[0]).Ask(t.Context(), engine.Question{Text: said, Anyway: anyway}, nil)
			if a.Route != engine.Refused || string(a.Refusal.Kind) != heading[1] || a.Refusal.Anyway {
				passed++
				t.Errorf("%s: %s, want %s: %s (anyway: %v, %+v)", heading[0], a.Route, heading[1], said, anyway, a.Refusal)
			}
		}
	})
	t.Logf("%d hostile messages, each asked anyway too, %d not refused as they should be", n, passed)
	if n < 60 {
		t.Errorf("%d messages, want 60 or more", n)
	}
}
