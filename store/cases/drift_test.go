package cases_test

import (
	"path/filepath"
	"testing"

	"precedent/store"
	"precedent/store/cases"
)

// TestTakeOut takes a case out of use and back: it is verified as it was before, all of
// it is in the history, and what people decide meanwhile stays.
func TestTakeOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	lib := open(t, cases.Config{Path: path})
	ctx := t.Context()
	for _, id := range []string{"a", "b", "c"} {
		c := films()
		c.ID, c.Wordings = id, []string{id + " films with {person} {year} {rating}"}
		must[store.Case](t)(lib.Add(ctx, c, ann))
	}
	was := must[store.Case](t)(lib.Case(ctx, "a"))
	lacks := []cases.Lack{{Kind: cases.LackLabel, Name: "Movie"}}
	out := func(want int, ids ...string) {
		t.Helper()
		var list []cases.Drift
		for _, id := range ids {
			list = append(list, cases.Drift{Case: id, Lacks: lacks})
		}
		if n := must[int](t)(lib.TakeOut(ctx, list)); n != want {
			t.Errorf("%d are taken out, want %d", n, want)
		}
	}
	out(3, "a", "b", "c", "nobody")
	out(0, "a")
	found, missed, err := lib.Drifted(ctx)
	if err != nil || len(found) != 3 || found[0].ID != "a" || found[0].Status != store.Quarantined || len(missed[0]) != 1 || missed[0][0] != lacks[0] {
		t.Fatalf("%+v %+v %v", found, missed, err)
	}
	_, err = lib.Move(ctx, "b", store.Retired, ann) // people decide on one
	check(t, err)
	if _, err := lib.UndoLast(ctx, "c", "ann"); err != nil { // and on another
		t.Fatal(err)
	}
	check(t, lib.Close())
	lib = open(t, cases.Config{Path: path})
	if back := must[[]string](t)(lib.TakeBack(ctx, []string{"a", "b", "c", "nobody"})); len(back) != 1 || back[0] != "a" {
		t.Errorf("%v are back", back)
	}
	is := must[store.Case](t)(lib.Case(ctx, "a"))
	if is.Status != store.Verified || is.VerifiedBy != was.VerifiedBy || !is.VerifiedAt.Equal(*was.VerifiedAt) {
		t.Errorf("%+v, want %+v", is, was)
	}
	for id, want := range map[string]store.Status{"b": store.Retired, "c": store.Verified} {
		if c := must[store.Case](t)(lib.Case(ctx, id)); c.Status != want {
			t.Errorf("%s is %s, want %s", id, c.Status, want)
		}
	}
	history := must[[]cases.Change](t)(lib.History(ctx, "a"))
	if len(history) != 3 || history[1].By != cases.ByTheProgram || history[1].Why != "the graph no longer has the label Movie" || history[2].Why != cases.BackWhy {
		t.Errorf("%+v", history)
	}
	if found, _, err := lib.Drifted(ctx); err != nil || len(found) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestWithheldAndHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	lib := open(t, cases.Config{Path: path})
	ctx := t.Context()
	if list, err := lib.Withheld(ctx); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	check(t, lib.Withhold(ctx, []cases.Drift{{Case: "a", Question: "?", Lacks: []cases.Lack{{Kind: cases.LackForm, Name: "M.year", Was: "INTEGER", Is: "STRING"}}}}))
	check(t, lib.KeepHeld(ctx, "0123"))
	check(t, lib.Close())
	lib = open(t, cases.Config{Path: path})
	if list, err := lib.Withheld(ctx); err != nil || len(list) != 1 || list["a"].Why() != "M.year holds STRING now, which was INTEGER" {
		t.Errorf("%v, %v", list, err)
	}
	if hash, err := lib.Held(ctx); err != nil || hash != "0123" {
		t.Errorf("%q, %v", hash, err)
	}
	check(t, lib.Withhold(ctx, nil))
	if list, err := lib.Withheld(ctx); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}
