package cases_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

func TestAddKeepsWhatItWasGiven(t *testing.T) {
	lib := open(t, cases.Config{Graph: "movies"})
	added := must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	got := must[store.Case](t)(lib.Case(t.Context(), "films"))
	if !reflect.DeepEqual(got, added) {
		t.Errorf("kept\n%+v\nadded\n%+v", got, added)
	}
	if got.Graph != "movies" || got.VerifiedBy != "ann" || got.VerifiedAt == nil || got.Created.IsZero() {
		t.Errorf("left empty: %+v", got)
	}
	if got.Slots[1].Example != int64(2000) || got.Slots[2].Example != 8.0 {
		t.Errorf("examples %T %T, want int64 and float64", got.Slots[1].Example, got.Slots[2].Example)
	}
}

func TestAddRefuses(t *testing.T) {
	lib := open(t, cases.Config{Graph: "movies"})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	for _, test := range []struct {
		name string
		edit func(*store.Case)
		want error
		says string
	}{
		{"no question", func(c *store.Case) { c.Question, c.Wordings = "", nil }, cases.ErrCase, "no question"},
		{"no query", func(c *store.Case) { c.Query = " " }, cases.ErrCase, "no query"},
		{"odd status", func(c *store.Case) { c.Status = "good" }, cases.ErrCase, "candidate, verified"},
		{"other graph", func(c *store.Case) { c.Graph = "flights" }, cases.ErrCase, `"flights"`},
		{"same id", func(c *store.Case) { c.ID = "films" }, cases.ErrDuplicate, "another id"},
		{"too many wordings", func(c *store.Case) { c.Wordings = strings.Split(strings.Repeat("a,", 300), ",") }, cases.ErrCase, "256"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := films()
			c.ID = "new"
			test.edit(&c)
			_, err := lib.AddAll(t.Context(), []store.Case{numbered(1), c}, ann)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %v saying %q", err, test.want, test.says)
			}
			if all := must[[]store.Case](t)(lib.List(t.Context(), cases.Filter{})); len(all) != 1 {
				t.Errorf("%d cases, want none added", len(all))
			}
		})
	}
}

func TestIDsAreUniqueAndSort(t *testing.T) {
	lib := open(t, cases.Config{})
	cs := many(500)
	for i := range cs {
		cs[i].ID = ""
	}
	added := must[[]store.Case](t)(lib.AddAll(t.Context(), cs, ann))
	for i := 1; i < len(added); i++ {
		if added[i-1].ID >= added[i].ID || len(added[i].ID) != 12 {
			t.Fatalf("ids %q, %q", added[i-1].ID, added[i].ID)
		}
	}
}

func TestList(t *testing.T) {
	lib := open(t, cases.Config{})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	must[[]store.Case](t)(lib.AddAll(t.Context(), many(5), ann))
	_, err := lib.Candidate(t.Context(), cases.Asked{Key: "k", User: "bob", Private: true, Case: store.Case{Question: "my films", Query: "RETURN 1", Source: "liked"}}, ann)
	check(t, err)
	for _, test := range []struct {
		name   string
		filter cases.Filter
		want   int
	}{
		{"all", cases.Filter{}, 7},
		{"status", cases.Filter{Status: store.Candidate}, 1},
		{"source", cases.Filter{Source: "file"}, 5},
		{"text", cases.Filter{Text: "TOM hanks"}, 1},
		{"chinese text", cases.Filter{Text: "演过"}, 1},
		{"query text", cases.Filter{Text: "acted_in"}, 1},
		{"public", cases.Filter{Public: true}, 6},
		{"flagged", cases.Filter{Flagged: true}, 0},
		{"both", cases.Filter{Source: "file", Status: store.Candidate}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := must[[]store.Case](t)(lib.List(t.Context(), test.filter)); len(got) != test.want {
				t.Errorf("%d cases, want %d", len(got), test.want)
			}
		})
	}
}

func TestMove(t *testing.T) {
	all := []store.Status{store.Candidate, store.Verified, store.Quarantined, store.Rejected, store.Retired}
	for _, from := range all {
		for _, to := range all {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				lib := open(t, cases.Config{})
				c := films()
				c.Status = from
				must[store.Case](t)(lib.Add(t.Context(), c, ann))
				ch, err := lib.Move(t.Context(), c.ID, to, cases.Change{By: "eve", Why: "because"})
				if allowed := from.CanBecome(to); allowed != (err == nil) || !allowed && !errors.Is(err, cases.ErrMove) {
					t.Fatalf("error %v, allowed %v", err, allowed)
				} else if !allowed {
					return
				}
				got := must[store.Case](t)(lib.Case(t.Context(), c.ID))
				if got.Status != to || (got.VerifiedBy == "eve") != (to == store.Verified) {
					t.Errorf("became %+v", got)
				}
				undone := must[cases.Change](t)(lib.Undo(t.Context(), ch.ID, "ann"))
				if undone.From != to || undone.To != from || status(t, lib, c.ID) != from {
					t.Errorf("undone to %s", status(t, lib, c.ID))
				}
			})
		}
	}
	lib := open(t, cases.Config{})
	if _, err := lib.Move(t.Context(), "nobody", store.Retired, ann); !errors.Is(err, cases.ErrUnknownCase) {
		t.Errorf("moving an unknown case: %v", err)
	}
}

func TestEverythingIsUndone(t *testing.T) {
	lib := open(t, cases.Config{})
	ctx := t.Context()
	var was []store.Case
	keep := func() { was = append(was, must[store.Case](t)(lib.Case(ctx, "films"))) }
	must[store.Case](t)(lib.Add(ctx, films(), ann))
	keep()
	must[store.Case](t)(lib.AddWording(ctx, "films", "{person} films from {year} on", ann))
	keep()
	edited := films()
	edited.Query = "MATCH (m:Movie) RETURN m"
	must[store.Case](t)(lib.Replace(ctx, edited, ann))
	keep()
	must[cases.Change](t)(lib.Move(ctx, "films", store.Quarantined, ann))
	keep()
	for i := len(was) - 2; i >= 0; i-- {
		must[cases.Change](t)(lib.UndoLast(ctx, "films", "bob"))
		if got := must[store.Case](t)(lib.Case(ctx, "films")); !reflect.DeepEqual(got, was[i]) {
			t.Fatalf("undone to\n%+v\nwant\n%+v", got, was[i])
		}
	}
	last := must[cases.Change](t)(lib.UndoLast(ctx, "films", "bob"))
	if _, err := lib.Case(ctx, "films"); !errors.Is(err, cases.ErrUnknownCase) || last.To != "" {
		t.Errorf("an undone addition leaves %v", err)
	}
	if _, err := lib.UndoLast(ctx, "films", "bob"); !errors.Is(err, cases.ErrUndo) {
		t.Errorf("undoing when nothing is left: %v", err)
	}
	must[cases.Change](t)(lib.Undo(ctx, last.ID, "ann"))
	if got := must[store.Case](t)(lib.Case(ctx, "films")); !reflect.DeepEqual(got, was[0]) {
		t.Errorf("the undoing undone gives\n%+v\nwant\n%+v", got, was[0])
	}
	if found := recalled(t, lib, "films Tom Hanks was in"); !found["films"] {
		t.Error("a case that came back is not recalled")
	}
}

func TestUndoNeedsTheLastChange(t *testing.T) {
	lib := open(t, cases.Config{})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	first := must[cases.Change](t)(lib.Move(t.Context(), "films", store.Quarantined, ann))
	must[cases.Change](t)(lib.Move(t.Context(), "films", store.Verified, cases.Change{By: "bob"}))
	_, err := lib.Undo(t.Context(), first.ID, "ann")
	if !errors.Is(err, cases.ErrUndo) || !strings.Contains(err.Error(), "bob") {
		t.Errorf("error %v, want one that names who changed it since", err)
	}
	if _, err := lib.Undo(t.Context(), 999, "ann"); !errors.Is(err, cases.ErrUndo) {
		t.Errorf("an unknown change: %v", err)
	}
}

func TestHistoryPrintsTheContract(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	lib := open(t, cases.Config{Now: func() time.Time { return at }})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	must[cases.Change](t)(lib.Move(t.Context(), "films", store.Quarantined, cases.Change{By: "bob", Why: "wrong year"}))
	history := must[[]cases.Change](t)(lib.History(t.Context(), "films"))
	line := must[[]byte](t)(json.Marshal(history[1]))
	want := `{"at":"2026-05-01T12:00:00Z","case":"films","by":"bob","from":"verified","to":"quarantined","why":"wrong year"}`
	if string(line) != want || len(history) != 2 {
		t.Errorf("history %s\nwant %s", line, want)
	}
	if _, err := lib.History(t.Context(), "nobody"); !errors.Is(err, cases.ErrUnknownCase) {
		t.Errorf("history of an unknown case: %v", err)
	}
}

func TestReplaceKeepsStanding(t *testing.T) {
	lib := open(t, cases.Config{})
	c := films()
	c.Author = "zoe"
	must[store.Case](t)(lib.Add(t.Context(), c, ann))
	edited := store.Case{ID: "films", Question: "q", Query: "RETURN 2", Status: store.Candidate, Source: "log"}
	got := must[store.Case](t)(lib.Replace(t.Context(), edited, ann))
	if got.Status != store.Verified || got.Author != "zoe" || got.Source != "hand" || got.Query != "RETURN 2" {
		t.Errorf("replaced by %+v", got)
	}
	edited.ID = "nobody"
	if _, err := lib.Replace(t.Context(), edited, ann); !errors.Is(err, cases.ErrUnknownCase) {
		t.Errorf("replacing an unknown case: %v", err)
	}
}

func TestSync(t *testing.T) {
	lib := open(t, cases.Config{})
	ctx := t.Context()
	shipped := many(6)
	must[store.Case](t)(lib.Add(ctx, store.Case{ID: "case000005", Question: "mine", Query: "RETURN 1", Source: "hand"}, ann))
	sync := func(cs []store.Case, hash string, want cases.Synced) {
		t.Helper()
		if got := must[cases.Synced](t)(lib.Sync(ctx, cs, hash)); got != want {
			t.Errorf("sync %s did %+v, want %+v", hash, got, want)
		}
	}
	sync(shipped, "one", cases.Synced{Added: 5, Kept: 1})
	sync(shipped, "one", cases.Synced{})
	sync(shipped, "same words", cases.Synced{Kept: 1})

	must[cases.Change](t)(lib.Move(ctx, "case000000", store.Quarantined, ann))
	must[store.Case](t)(lib.AddWording(ctx, "case000001", "people's own wording", ann))
	ch := must[cases.Change](t)(lib.Move(ctx, "case000002", store.Quarantined, ann))
	must[cases.Change](t)(lib.Undo(ctx, ch.ID, "ann"))
	must[cases.Change](t)(lib.UndoLast(ctx, "case000003", "ann"))
	newer := many(6)
	for i := range newer {
		newer[i].Query = "RETURN 'newer'"
	}
	// 0 quarantined, 1 edited, 2 touched and put back, 3 removed, 4 gone, 5 somebody's own.
	sync(append(newer[:4:4], newer[5]), "two", cases.Synced{Updated: 1, Retired: 1, Kept: 4})
	for id, want := range map[string]string{"case000000": "quarantined old", "case000001": "verified old", "case000002": "verified newer", "case000004": "retired old", "case000005": "candidate mine"} {
		c := must[store.Case](t)(lib.Case(ctx, id))
		version := "old"
		if strings.Contains(c.Query, "newer") {
			version = "newer"
		} else if c.Question == "mine" {
			version = "mine"
		}
		if got := string(c.Status) + " " + version; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	sync(many(6), "three", cases.Synced{Updated: 2, Kept: 4})
	if got := status(t, lib, "case000004"); got != store.Verified {
		t.Errorf("a case that is shipped again is %s", got)
	}
}
