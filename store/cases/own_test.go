package cases_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

func ids(cs []store.Case) (ids []string) {
	for _, c := range cs {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestOwnSince(t *testing.T) {
	lib := open(t, cases.Config{})
	mine := films()
	must[store.Case](t)(lib.Add(t.Context(), mine, ann))
	shipped := many(6)
	must[cases.Synced](t)(lib.Sync(t.Context(), shipped, "one"))

	var seq int64
	own := func(since int64, want, wantShipped []string) {
		t.Helper()
		cs, plain, next, err := lib.OwnSince(t.Context(), since)
		check(t, err)
		slices.Sort(plain)
		if seq = next; !slices.Equal(ids(cs), want) || !slices.Equal(plain, wantShipped) {
			t.Errorf("own since %d: %v, as shipped %v; want %v and %v", since, ids(cs), plain, want, wantShipped)
		}
	}
	id := func(i int) string { return shipped[i].ID }
	own(0, []string{mine.ID}, nil)
	own(seq, nil, nil)
	before := seq

	must[cases.Change](t)(lib.Move(t.Context(), id(0), store.Quarantined, ann))
	must[store.Case](t)(lib.AddWording(t.Context(), id(1), "another", ann))
	must[cases.Change](t)(lib.UndoLast(t.Context(), id(2), "ann")) // that it was added
	own(before, []string{id(0), id(1), id(2)}, nil)
	own(0, []string{id(0), id(1), id(2), mine.ID}, nil)
	before = seq

	must[cases.Change](t)(lib.UndoLast(t.Context(), id(0), "ann"))
	own(before, nil, []string{id(0)})
	own(0, []string{id(1), id(2), mine.ID}, nil)
	before = seq

	shipped[3].Query = "RETURN 'newer'"
	must[cases.Synced](t)(lib.Sync(t.Context(), shipped[:5], "two"))
	own(before, []string{id(5)}, []string{id(3)}) // the last is retired
}

func TestSyncInBackground(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 1})
	shipped := many(500)
	check(t, lib.SyncInBackground(t.Context(), shipped, "one"))
	must[string](t)(lib.Record(t.Context(), cases.Entry{ID: "a", Question: "?", Route: "case", CaseID: shipped[499].ID}))
	done := must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: "a", User: "ann", Value: cases.Up}))
	if done.Case != shipped[499].ID {
		t.Errorf("a vote was not counted for the case: %+v", done)
	}
	if c := must[store.Case](t)(lib.Case(t.Context(), shipped[499].ID)); c.Uses != 1 || c.Votes.Up != 1 {
		t.Errorf("uses and votes are %d and %d", c.Uses, c.Votes.Up)
	}
	if n := len(must[[]store.Case](t)(lib.List(t.Context(), cases.Filter{}))); n != 500 {
		t.Errorf("%d cases are there", n)
	}
	check(t, lib.SyncInBackground(t.Context(), shipped, "one"))
}

func TestSyncInBackgroundIsWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	shipped := many(500)
	lib := open(t, cases.Config{Path: path})
	check(t, lib.SyncInBackground(t.Context(), shipped, "one"))
	if got := must[[]cases.Match](t)(lib.Recall(t.Context(), shipped[7].Question, 1)); len(got) == 0 || got[0].Case.ID != shipped[7].ID {
		t.Errorf("recalled %+v", got)
	}
	lib = open(t, cases.Config{Path: filepath.Join(t.TempDir(), "cases.db")})
	check(t, lib.SyncInBackground(t.Context(), shipped, "one"))
	path = lib.Path()
	check(t, lib.Close())
	lib = open(t, cases.Config{Path: path})
	if n := len(must[[]store.Case](t)(lib.List(t.Context(), cases.Filter{}))); n != 500 {
		t.Errorf("%d cases are there after closing", n)
	}
}

// TestSyncKilled kills a program while its first Sync is in the background.
func TestSyncKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	for round := range 4 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childPath+"="+path, childName+"="+syncName)
		check(t, cmd.Start())
		time.Sleep(time.Duration(15+25*round) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		lib := open(t, cases.Config{Path: path})
		check(t, lib.Integrity(t.Context()))
		n := len(must[[]store.Case](t)(lib.List(t.Context(), cases.Filter{})))
		if n != 0 && n != manySynced {
			t.Errorf("%d of %d cases are there", n, manySynced)
		}
		check(t, lib.Close())
	}
	lib := open(t, cases.Config{Path: path})
	must[cases.Synced](t)(lib.Sync(t.Context(), many(manySynced), "one"))
	if n := len(must[[]store.Case](t)(lib.List(t.Context(), cases.Filter{}))); n != manySynced {
		t.Errorf("%d cases are there", n)
	}
}

const syncName, manySynced = "sync", 2000

// syncForever is what the test binary does as a child: it brings in cases.
func syncForever(path string) {
	lib, err := cases.Open(context.Background(), cases.Config{Path: path})
	if err == nil {
		err = lib.SyncInBackground(context.Background(), many(manySynced), "one")
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	time.Sleep(time.Minute)
}
