package engine_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

const directed = "who directed Inception"

// start opens the movie graph with a folder of data.
func start(t testing.TB, data string) *engine.Engine {
	t.Helper()
	e, _, err := engine.Open(context.Background(), engine.Config{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	return e
}

// answers asks who directed Inception and tells whether a case answered.
func answers(t *testing.T, e *engine.Engine) (answer string, covered bool) {
	t.Helper()
	a := e.Ask(t.Context(), engine.Question{Text: directed, User: "ann"}, nil)
	if a.Route == engine.ByCase && fmt.Sprint(a.Rows) != "[[Christopher Nolan]]" {
		t.Errorf("%v", a.Rows)
	}
	return a.ID, a.Route == engine.ByCase
}

func stop(t *testing.T, e *engine.Engine) {
	t.Helper()
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFirstStart(t *testing.T) {
	e := start(t, t.TempDir())
	answer, covered := answers(t, e)
	if !covered {
		t.Fatal("nothing answers at first")
	}
	// The case isn't in the library yet when the vote comes.
	done, err := e.Vote(t.Context(), engine.Vote{Answer: answer, User: "bob", Value: "up"})
	if err != nil || done.Case == nil {
		t.Fatalf("voting at once: %+v, %v", done, err)
	}
	c, err := e.Library().Case(t.Context(), *done.Case)
	if err != nil || c.Votes.Up != 1 || c.Uses != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, covered := answers(t, e); !covered {
		t.Error("nothing answers once the shipped cases are in the library")
	}
}

func TestQuarantineStays(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	data := t.TempDir()
	e := start(t, data)
	answer, _ := answers(t, e)
	done, err := e.Vote(t.Context(), engine.Vote{Answer: answer, User: "cy", Curator: true, Value: "down"})
	if err != nil || done.After != store.Quarantined {
		t.Fatalf("%+v, %v", done, err)
	}
	for range 2 {
		if _, covered := answers(t, e); covered {
			t.Error("a quarantined case answers")
		}
		stop(t, e)
		e = start(t, data)
	}
	if _, err := e.Vote(t.Context(), engine.Vote{Answer: answer, User: "cy", Curator: true, Value: "none"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, covered := answers(t, e); !covered {
			t.Error("the vote was taken back, and the case doesn't answer")
		}
		stop(t, e)
		e = start(t, data)
	}
}

// TestEditsStay edits a shipped case and removes it.
func TestEditsStay(t *testing.T) {
	data := t.TempDir()
	e := start(t, data)
	answer, _ := answers(t, e)
	entry, err := e.Library().Entry(t.Context(), answer)
	if err != nil {
		t.Fatal(err)
	}
	id, by := entry.CaseID, cases.Change{By: "cy", Why: "by hand"}
	c, err := e.Library().AddWording(t.Context(), id, "the maker of {film} is whom", by)
	if err != nil {
		t.Fatal(err)
	}
	stop(t, e)
	e = start(t, data)
	if a := e.Ask(t.Context(), engine.Question{Text: "the maker of Titanic is whom"}, nil); a.Case == nil || *a.Case != id {
		t.Errorf("%q doesn't answer: %+v", c.Wordings[len(c.Wordings)-1], a.Route)
	}
	for range 2 { // the wording, the case itself
		if _, err := e.Library().UndoLast(t.Context(), id, "cy"); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, covered := answers(t, e); covered {
			t.Error("a case that was removed answers")
		}
		stop(t, e)
		e = start(t, data)
	}
}

func TestOtherProgramVotes(t *testing.T) {
	data := t.TempDir()
	a, b := start(t, data), start(t, data)
	answer, covered := answers(t, a)
	if _, also := answers(t, b); !covered || !also {
		t.Fatal("two programs with one library don't both answer")
	}
	if _, err := a.Library().Entry(t.Context(), answer); err != nil { // it is written by now
		t.Fatal(err)
	}
	if _, err := b.Vote(t.Context(), engine.Vote{Answer: answer, User: "cy", Curator: true, Value: "down"}); err != nil {
		t.Fatal(err)
	}
	if _, covered := answers(t, a); covered {
		t.Error("a case that another program quarantined answers")
	}
}

// TestFirstStartKilled kills programs at their first start, two at a time.
func TestFirstStartKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	const folder = "ENGINE_TEST_DATA"
	if data := os.Getenv(folder); data != "" {
		answers(t, start(t, data))
		time.Sleep(time.Minute)
	}
	data := t.TempDir()
	for round := range 3 {
		var both sync.WaitGroup
		for range 2 {
			cmd := exec.Command(os.Args[0], "-test.run=^TestFirstStartKilled$")
			cmd.Env = append(os.Environ(), folder+"="+data)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			both.Go(func() {
				time.Sleep(time.Duration(150+200*round) * time.Millisecond)
				cmd.Process.Kill()
				cmd.Wait()
			})
		}
		both.Wait()
	}
	e := start(t, data)
	if _, covered := answers(t, e); !covered {
		t.Error("nothing answers")
	}
	if err := e.Library().Integrity(t.Context()); err != nil {
		t.Error(err)
	}
	cs, err := e.Library().List(t.Context(), cases.Filter{Source: "shipped"})
	if err != nil || len(cs) < 1000 {
		t.Errorf("%d shipped cases are in the library: %v", len(cs), err)
	}
}
