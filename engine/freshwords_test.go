package engine_test

import (
	"fmt"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
)

// newName teaches a question about one machine, asks about another that isn't there,
// adds that, and asks again.
func newName(t *testing.T, e *engine.Engine, add func()) {
	t.Helper()
	if _, _, err := e.Add(t.Context(), store.Case{Question: "what load has Press B", Query: "MATCH (m:Machine {name: 'Press B'}) RETURN m.load AS load"}, "cy", ""); err != nil {
		t.Fatal(err)
	}
	const asked = "what load has Mangler Q"
	add()
	a := e.Ask(t.Context(), engine.Question{Text: asked}, nil)
	if a.Route != engine.ByCase || fmt.Sprint(a.Rows) != "[[77]]" {
		t.Errorf("%s %v: %s", a.Route, a.Rows, a.Text)
	}
	looked := e.Freshness().Read
	if a := e.Ask(t.Context(), engine.Question{Text: "what load has Mangler X"}, nil); a.Route == engine.ByCase {
		t.Errorf("%v", a.Rows)
	}
	if e.Freshness().Read != looked {
		t.Error("names are looked up more often than once a minute")
	}
}

func TestNewNameInFiles(t *testing.T) {
	dir := t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	e, _, err := engine.Open(t.Context(), engine.Config{Graph: dir, Data: t.TempDir(), Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	newName(t, e, func() {
		files := yardFiles()
		files["machines.csv"] += "m99,Mangler Q,East,77,Maker 1,Machine\n"
		write(t, files)
	})
}
