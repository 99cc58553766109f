package engine_test

import (
	"testing"
	"testing/fstest"
	"time"

	"precedent/engine"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

// TestDriftOnNeo4j changes a Neo4j while an engine answers from it that looks at it
// once an hour: the look after each query is what notices.
func TestDriftOnNeo4j(t *testing.T) {
	s := neotest.Start(t)
	files := fstest.MapFS{}
	for name, text := range yardFiles() {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s.Load(t, files)
	y := openYard(t, engine.Config{Graph: s.URI, Neo4j: bolt.Config{Username: s.Username, Password: s.Password}, Data: t.TempDir(), Refresh: time.Hour}, steadyCases)
	for i, change := range yardChanges {
		t.Run(change.name, func(t *testing.T) {
			if i > 0 {
				s.Load(t, files)
				if _, err := y.Refresh(t.Context(), false); err != nil {
					t.Fatal(err)
				}
				y.wants(t, true, yardChanges[i-1].breaks)
			}
			noticed := y.through(t, 200, func() {
				for _, text := range change.cypher {
					s.Exec(t, text, nil)
				}
			}, change.breaks)
			t.Logf("noticed after %v", noticed.Round(time.Millisecond))
			if out := y.drifted(t, len(change.breaks)); len(out) != len(change.breaks) {
				t.Errorf("%d cases drifted, want %d: %v", len(out), len(change.breaks), out)
			}
		})
	}
}

// TestNewNameOnNeo4j adds a machine while an engine looks at the graph once an hour:
// the question that names it is answered.
func TestNewNameOnNeo4j(t *testing.T) {
	s := neotest.Start(t)
	files := fstest.MapFS{}
	for name, text := range yardFiles() {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s.Keep(t, files)
	e, _, err := engine.Open(t.Context(), engine.Config{Graph: s.URI, Neo4j: bolt.Config{Username: s.Username, Password: s.Password}, Data: t.TempDir(), Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	newName(t, e, func() { s.Exec(t, "CREATE (:Machine {name: 'Mangler Q', load: 77, site: 'East'})", nil) })
}
