package cases_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"precedent/store"
	"precedent/store/cases"
)

// size is what the library's files take on the disk, in bytes.
func size(t *testing.T, lib *cases.Library) (n int64) {
	t.Helper()
	check(t, lib.Close())
	files, err := filepath.Glob(lib.Path() + "*")
	check(t, err)
	for _, name := range files {
		info, err := os.Stat(name)
		check(t, err)
		n += info.Size()
	}
	return n
}

// TestJournalIsBounded records what nobody should be able to fill a disk with: 200
// answers of which one thing is 60 KB long.
func TestJournalIsBounded(t *testing.T) {
	const answers, mostBytes = 200, 3 << 20
	long := strings.Repeat("why is that so? ", 60<<10/16)
	wide := strings.Repeat("为什么", 20<<10/3)
	many := make([]any, 6000)
	for i := range many {
		many[i] = int64(1e9)
	}
	links := make([]store.Link, 1000)
	for i := range links {
		links[i] = store.Link{Mention: "it", Label: "Movie", Property: "title", Value: long[:60]}
	}
	for name, e := range map[string]cases.Entry{
		"question":          {Question: long, Restated: long, Route: "refused"},
		"question, Chinese": {Question: wide, Restated: wide, Route: "refused"},
		"question, emoji":   {Question: strings.Repeat("👩‍🚀", 6000), Route: "refused"},
		"restated":          {Question: "and his?", Restated: long, Route: "model"},
		"reading":           {Question: "q", Reading: long},
		"query":             {Question: "q", Query: "RETURN '" + long + "'", Route: "model"},
		"drafts":            {Question: "q", Drafts: []cases.Draft{{Query: long, Refused: long}, {Query: wide}}},
		"params":            {Question: "q", Params: map[string]any{"x": long, "y": int64(1)}},
		"params, many":      {Question: "q", Params: map[string]any{"x": many}},
		"links":             {Question: "q", Links: links},
		"link":              {Question: "q", Links: []store.Link{{Mention: long, Label: "Movie", Property: "title", Value: long}}},
		"columns":           {Question: "q", Columns: []string{long, wide}},
		"user":              {Question: "q", User: long},
		"conversation":      {Question: "q", Conversation: long},
		"error":             {Question: "q", Error: long},
	} {
		t.Run(name, func(t *testing.T) {
			lib := open(t, cases.Config{})
			var id string
			for range answers {
				id = must[string](t)(lib.Record(t.Context(), e))
			}
			kept := must[cases.Entry](t)(lib.Entry(t.Context(), id))
			if !utf8.ValidString(kept.Question + kept.Restated + kept.User + kept.Conversation) {
				t.Error("cut within a character")
			}
			if field, _, _ := strings.Cut(name, ","); field != "user" && field != "conversation" {
				if field == "link" {
					field = "links"
				}
				if len(kept.Cut) == 0 || !strings.Contains(strings.Join(kept.Cut, " "), field) {
					t.Errorf("%q isn't marked as cut: %q", field, kept.Cut)
				}
			}
			if got := size(t, lib); got > mostBytes {
				t.Errorf("%d answers take %d bytes, at most %d", answers, got, mostBytes)
			}
		})
	}
}

// TestWhatFitsStays checks that nothing of an honest length is cut, and what is a
// character too long only where it ends.
func TestWhatFitsStays(t *testing.T) {
	lib := open(t, cases.Config{})
	for text, want := range map[string]string{
		strings.Repeat("a", 2000):       strings.Repeat("a", 2000),
		strings.Repeat("电", 2000):       strings.Repeat("电", 2000),
		strings.Repeat("a", 2001):       strings.Repeat("a", 2000) + "…",
		strings.Repeat("电", 2001):       strings.Repeat("电", 2000) + "…",
		strings.Repeat("a", 1999) + "é": strings.Repeat("a", 1999) + "é",
	} {
		id := must[string](t)(lib.Record(t.Context(), cases.Entry{Question: text, Restated: text, Query: text, Drafts: []cases.Draft{{Query: text, Refused: text}}}))
		e := must[cases.Entry](t)(lib.Entry(t.Context(), id))
		if e.Question != want || e.Restated != want || e.Query != want || e.Drafts[0].Query != want || e.Drafts[0].Refused != want {
			t.Errorf("%d bytes became %d, want %d", len(text), len(e.Question), len(want))
		}
		if e.Whole() != (text == want) {
			t.Errorf("%d bytes: whole is %v", len(text), e.Whole())
		}
	}
}

// TestLongNamesAreTold checks that names that are too long to keep aren't taken for
// one another, and are found again.
func TestLongNamesAreTold(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 2})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	long := strings.Repeat("诺", 300)
	for _, end := range []string{"a", "b"} {
		must[string](t)(lib.Record(t.Context(), cases.Entry{Question: "in " + end, Conversation: long + end}))
		got := must[[]cases.Entry](t)(lib.Conversation(t.Context(), long+end, 5))
		if len(got) != 1 || got[0].Question != "in "+end {
			t.Errorf("conversation %s: %d entries", end, len(got))
		}
	}
	first := answer(t, lib, "films")
	var up int
	for _, user := range []string{long + "a", long + "b", long + "a"} {
		up = must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: first, User: user, Value: cases.Up})).Tally.Up
	}
	if up != 2 {
		t.Errorf("%d users, want 2", up)
	}
	must[string](t)(lib.Record(t.Context(), cases.Entry{Question: "mine", User: long + "c"}))
	if n := must[int64](t)(lib.Forget(t.Context(), long+"c")); n == 0 {
		t.Error("somebody with a long name can't be forgotten")
	}
}

// TestWhyIsBounded checks what is said with a vote and with a change.
func TestWhyIsBounded(t *testing.T) {
	lib := open(t, cases.Config{})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	long := strings.Repeat("it counts series too. ", 3000)
	for range 50 {
		for _, value := range []cases.Value{cases.Down, cases.Up} {
			must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: answer(t, lib, "films"), User: "ann", Curator: true, Value: value, Reason: cases.WrongQuery, Why: long}))
		}
		must[cases.Change](t)(lib.Move(t.Context(), "films", store.Quarantined, cases.Change{By: long, Why: long}))
		must[cases.Change](t)(lib.Move(t.Context(), "films", store.Verified, cases.Change{By: "ann", Why: long}))
	}
	if got := size(t, lib); got > 3<<20 {
		t.Errorf("the reasons take %d bytes", got)
	}
}

// TestTaughtNamesAreBounded checks that nobody teaches a name that nobody would say.
func TestTaughtNamesAreBounded(t *testing.T) {
	lib := open(t, cases.Config{})
	for n, fits := range map[int]bool{1: true, 66: true, 67: false, 20000: false} {
		name := strings.Repeat("科", n)
		_, err := lib.Teach(t.Context(), cases.Taught{Key: name, Name: name, Label: "Genre", Property: "name", Value: "Sci-Fi", By: "ann"})
		if (err == nil) != fits || err != nil && !errors.Is(err, cases.ErrTaught) {
			t.Errorf("a name of %d characters: %v", n, err)
		}
	}
}

// TestKept has another program hold the file: an answer isn't kept before that lets go.
func TestKept(t *testing.T) {
	lib := open(t, cases.Config{})
	other, err := sql.Open("sqlite", lib.Path()+"?_txlock=immediate")
	check(t, err)
	defer other.Close()
	tx, err := other.Begin()
	check(t, err)
	id := must[string](t)(lib.Record(t.Context(), cases.Entry{Question: "q"}))
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := lib.Kept(soon, id); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("kept in a file that can't be written: %v", err)
	}
	check(t, tx.Rollback())
	check(t, lib.Kept(t.Context(), id))
	var n int
	check(t, other.QueryRow("SELECT count(*) FROM journal WHERE id = ?", id).Scan(&n))
	if n != 1 {
		t.Error("said to be kept, and isn't in the file")
	}
	if err := lib.Kept(t.Context(), "nobody"); !errors.Is(err, cases.ErrUnknownAnswer) {
		t.Errorf("an answer that was never recorded: %v", err)
	}
	check(t, lib.Kept(t.Context(), id))
}
