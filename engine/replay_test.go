package engine_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
)

// TestReplay replays the yard's cases: all pass; after two of many lose what they name
// without anybody looking, those are taken out of use, and come back.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	e, _, err := engine.Open(t.Context(), engine.Config{Graph: dir, Data: t.TempDir(), Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	ids := make([]string, len(yardCases))
	for i, w := range slices.Concat(yardCases, steady(steadyCases)) {
		c, _, err := e.Add(t.Context(), w, "cy", "")
		if err != nil {
			t.Fatal(err)
		}
		if i < len(ids) {
			ids[i] = c.ID
		}
	}
	replay := func() (sum engine.Replay, byID map[string]engine.Replayed) {
		t.Helper()
		byID = make(map[string]engine.Replayed)
		var mu sync.Mutex
		sum, err := e.Replay(t.Context(), 4, func(r engine.Replayed, done, of int) {
			mu.Lock()
			defer mu.Unlock()
			byID[r.Case] = r
			if done != len(byID) || of != len(yardCases)+steadyCases {
				t.Errorf("%d of %d", done, of)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return sum, byID
	}
	if sum, _ := replay(); sum.Of != len(yardCases)+steadyCases || sum.Kinds[engine.Passes] != sum.Of {
		t.Errorf("%+v", sum)
	}
	write(t, replaced(yardFiles(), "load:int", "load:IGNORE", "North,", "West,"))
	if _, err := e.Refresh(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	sum, found := replay()
	if len(sum.Out) != 0 || found[ids[3]].Result != engine.Empties || found[ids[1]].Result != engine.Fails || found[ids[2]].Result != engine.Fails || found[ids[0]].Result != engine.Passes {
		t.Errorf("%+v %+v", sum, found[ids[3]])
	}
	if c, err := e.Library().Case(t.Context(), ids[3]); err != nil || c.Status != store.Verified {
		t.Errorf("one that finds nothing is %s: %v", c.Status, err)
	}
	write(t, replaced(yardFiles(), "2010", "2009", "Press A,", "Press Z,"))
	if _, err := e.Refresh(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if sum, found = replay(); sum.Kinds[engine.Fails] != 0 || found[ids[3]].Result != engine.Differs {
		t.Errorf("%+v %+v", sum, found[ids[3]])
	}
	if a := e.Ask(t.Context(), engine.Question{Text: yardCases[1].Question}, nil); a.Route != engine.ByCase {
		t.Errorf("%s %s", a.Route, a.Text)
	}
}
