package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"precedent/engine"
	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/cases"
	"precedent/store/neotest"
)

// TestAskWhileItChanges asks from several sides while a graph is swapped over and
// over: an answer by a case is right for the one or the other.
func TestAskWhileItChanges(t *testing.T) {
	dir := t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	e := openYard(t, engine.Config{Graph: dir, Data: t.TempDir(), Refresh: time.Hour}, steadyCases)
	right := make([]string, len(yardCases))
	for i := range yardCases {
		right[i] = fmt.Sprint(e.ask(t, i).Rows)
	}
	ctx, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for worker := range 4 {
		asking.Go(func() {
			for n := worker; ctx.Err() == nil; n++ {
				i := n % len(yardCases)
				if a := e.Ask(context.Background(), engine.Question{Text: yardCases[i].Question}, nil); a.Route == engine.ByCase && fmt.Sprint(a.Rows) != right[i] {
					t.Errorf("%q: %v, want %v", yardCases[i].Question, a.Rows, right[i])
				}
				e.Complete(ctx, "mach", 5)
				e.Freshness()
			}
		})
	}
	for n := range 8 {
		files := yardFiles()
		if n%2 == 0 {
			files = replaced(files, yardChanges[n/2].change...)
		}
		write(t, files)
		if _, err := e.Refresh(t.Context(), false); err != nil && !strings.Contains(err.Error(), "being written") {
			t.Error(err)
		}
	}
	stop()
	asking.Wait()
}

func TestCloseWhileItRefreshes(t *testing.T) {
	dir := t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	for range 5 {
		e, _, err := engine.Open(t.Context(), engine.Config{Graph: dir, Data: t.TempDir(), Refresh: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		var refreshing sync.WaitGroup
		began := make(chan struct{})
		for range 3 {
			refreshing.Go(func() {
				for n := 0; ; n++ {
					if _, err := e.Refresh(context.Background(), true); err != nil {
						return // it is closed
					}
					if n == 0 {
						select {
						case began <- struct{}{}:
						default:
						}
					}
				}
			})
		}
		<-began
		stop(t, e)
		refreshing.Wait()
		if _, err := e.Refresh(t.Context(), true); err == nil {
			t.Error("a closed graph is read")
		}
	}
}

// TestFilesBeingWritten has a folder that can't be read for a while: what was known
// goes on answering, and it is read once it can be.
func TestFilesBeingWritten(t *testing.T) {
	dir := t.TempDir()
	write := writeFiles(dir)
	write(t, yardFiles())
	e := openYard(t, engine.Config{Graph: dir, Data: t.TempDir(), Refresh: time.Hour}, 0)
	write(t, map[string]string{"fits.csv": ":START_ID(p),:END_ID(m),:TYPE\np1,m77,FITS\n"}) // no node has this id
	if _, err := e.Refresh(t.Context(), false); err == nil || e.Freshness().Failed == nil {
		t.Errorf("%v", err)
	}
	e.wants(t, true, []int{0, 1, 2, 3, 4, 5})
	write(t, yardFiles())
	until := time.Now().Add(noticeTime)
	for e.Freshness().Failed != nil && time.Now().Before(until) {
		time.Sleep(50 * time.Millisecond)
	}
	if err := e.Freshness().Failed; err != nil {
		t.Error(err)
	}
}

// TestKept opens a Neo4j again and again: what was read is kept, without what is
// hidden, and used where that is right.
func TestKept(t *testing.T) {
	s := neotest.Start(t)
	files := fstest.MapFS{}
	for name, text := range yardFiles() {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s.Load(t, files)
	data := t.TempDir()
	var said bytes.Buffer
	c := engine.Config{Graph: s.URI, Neo4j: bolt.Config{Username: s.Username, Password: s.Password}, Data: data, Refresh: time.Hour, Hide: []string{"Machine.maker", ":Site"},
		Log: slog.New(slog.NewTextHandler(&said, nil))}
	open := func(c engine.Config) time.Time {
		t.Helper()
		said.Reset()
		e, _, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		defer stop(t, e)
		if a := e.Ask(t.Context(), engine.Question{Text: "Press C"}, nil); len(a.Links) != 1 {
			t.Errorf("%v isn't linked: %s", a.Links, a.Text)
		}
		return e.Freshness().Read
	}
	first := open(c)
	found, err := filepath.Glob(filepath.Join(data, "*", "graph.cache"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{"maker", "Maker 1", "Site", "staff"} {
		if bytes.Contains(text, []byte(hidden)) {
			t.Errorf("the cache holds %q, which is hidden", hidden)
		}
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if again := open(c); !again.Equal(first) {
		t.Error("the graph is read again, though nothing changed")
	}
	s.Exec(t, "CREATE (:Machine {name: 'Press Y', load: 1, site: 'East'})", nil)
	changed := open(c)
	if changed.Equal(first) {
		t.Error("a change isn't noticed")
	}
	s.Exec(t, "MATCH (m:Machine {name: 'Press Y'}) DELETE m", nil)
	kept := c
	kept.KeptFresh = true
	if read := open(kept); !read.Equal(changed) {
		t.Error("what was kept isn't used, though somebody keeps it fresh")
	}
	open(c)
	for name, breaks := range map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"flipped": func(b []byte) []byte { b = slices.Clone(b); b[len(b)-9] ^= 1; return b },
		"empty":   func([]byte) []byte { return nil },
		"another": func([]byte) []byte {
			return []byte("precedent graph 1\nand nothing else, or what somebody else wrote here, of some length")
		},
	} {
		if err := os.WriteFile(found[0], breaks(text), 0o600); err != nil {
			t.Fatal(err)
		}
		open(c)
		if !strings.Contains(said.String(), "what was kept of the graph can't be used") {
			t.Errorf("%s: %s", name, said.String())
		}
		open(c)
		if said.Len() > 0 {
			t.Errorf("%s, the next time: %s", name, said.String())
		}
	}
	other := c
	other.Hide = []string{":Site"}
	before := open(c)
	if open(other).Equal(before) {
		t.Error("what was read with another hide list is used")
	}
}

// TestMoved has a graph at another address: its library is offered, and found by its name.
func TestMoved(t *testing.T) {
	old, moved, data := t.TempDir(), t.TempDir(), t.TempDir()
	writeFiles(old)(t, yardFiles())
	writeFiles(moved)(t, yardFiles())
	open := func(c engine.Config) (*engine.Engine, string) {
		t.Helper()
		c.Data, c.Refresh = data, time.Hour
		e, warnings, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return e, strings.Join(warnings, "\n")
	}
	e, _ := open(engine.Config{Graph: old})
	for _, w := range yardCases {
		if _, _, err := e.Add(t.Context(), w, "cy", ""); err != nil {
			t.Fatal(err)
		}
	}
	stop(t, e)
	e, _ = open(engine.Config{Graph: old})
	stop(t, e)
	e, said := open(engine.Config{Graph: moved})
	if !strings.Contains(said, "there is a library of 8 verified cases for a graph with the same labels and types") {
		t.Fatalf("nothing is offered: %s", said)
	}
	stop(t, e)
	_, name, _ := strings.Cut(said, "--name ")
	e, _ = open(engine.Config{Graph: moved, Name: strings.Fields(name)[0]})
	if a := e.Ask(t.Context(), engine.Question{Text: yardCases[0].Question}, nil); a.Route != engine.ByCase {
		t.Errorf("%s; %s", a.Text, said)
	}
	stop(t, e)
	for _, wrong := range []string{"movies", "../up", ".hidden", "a/b", ""} {
		_, _, err := engine.Open(t.Context(), engine.Config{Graph: moved, Data: data, Name: wrong + map[bool]string{true: " "}[wrong == ""]})
		if err == nil {
			t.Errorf("%q is a graph's name", wrong)
		}
	}
	e, _ = open(engine.Config{Graph: old, Name: "shop"})
	if a := e.Ask(t.Context(), engine.Question{Text: yardCases[0].Question}, nil); a.Route == engine.ByCase {
		t.Error("a library is taken without a word")
	}
	stop(t, e)
}

// TestSilent opens a library with a glossary by which a verified question says
// something else than its query: it is listed, at each start, and flagged for
// curators, until the words are put right. It goes on answering, and says so.
func TestSilent(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	writeFiles(dir)(t, yardFiles())
	glossary := filepath.Join(t.TempDir(), "glossary.yaml")
	if err := os.WriteFile(glossary, []byte("labels:\n  Machine: {one: {en: [machine]}, many: {en: [machines]}}\nproperties:\n  Machine.site: {noun: {en: [load]}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(glossaries ...string) (*engine.Engine, string) {
		t.Helper()
		e, warnings, err := engine.Open(t.Context(), engine.Config{Graph: dir, Data: data, Refresh: time.Hour, Glossaries: glossaries})
		if err != nil {
			t.Fatal(err)
		}
		return e, strings.Join(warnings, "\n")
	}
	flagged := func(e *engine.Engine) string {
		t.Helper()
		found, err := e.Library().List(t.Context(), cases.Filter{Flagged: true})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range found {
			s, err := e.Library().Standing(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, c.Question+": "+s.Flag)
		}
		return strings.Join(list, "\n")
	}
	e, _ := open()
	const asked = "average load of machines"
	if _, _, err := e.Add(t.Context(), store.Case{Question: asked, Query: "MATCH (m:Machine) RETURN avg(m.load) AS load"}, "cy", ""); err != nil {
		t.Fatal(err)
	}
	stop(t, e)
	e, said := open()
	if said != "" {
		t.Errorf("warnings: %s", said)
	}
	stop(t, e)
	for range 2 {
		e, said = open(glossary)
		if !strings.Contains(said, "verified cases whose words are read otherwise now: 1, of which no longer answer: 0.") || !strings.Contains(said, asked) {
			t.Errorf("warnings: %s", said)
		}
		if got := flagged(e); got != asked+": its words are read otherwise now than when it was verified" {
			t.Errorf("flagged: %s", got)
		}
		if list := e.Freshness().Silent; len(list) != 1 || list[0].Question != asked {
			t.Errorf("%+v", list)
		}
		a := e.Ask(t.Context(), engine.Question{Text: "Average load of machines?"}, nil)
		if a.Route != engine.ByCase || len(a.Doubts) != 1 || fmt.Sprint(a.Rows) != "[[55]]" {
			t.Errorf("%s %v %v", a.Route, a.Rows, a.Doubts)
		}
		stop(t, e)
	}
	e, said = open()
	defer stop(t, e)
	if got := flagged(e); got != "" || said != "" {
		t.Errorf("flagged: %s; warnings: %s", got, said)
	}
}
