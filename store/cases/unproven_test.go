package cases_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"precedent/store/cases"
)

// TestUnproven keeps votes of names that nobody vouches for: so many of an
// answer, the latest of each, until they are forgotten.
func TestUnproven(t *testing.T) {
	lib, id, answers := staged(t, liked, cases.Config{Quorum: 3})
	kept := func(want int) {
		t.Helper()
		if s := must[cases.Standing](t)(lib.Standing(t.Context(), id)); s.Unproven != want || s.Tally != (cases.Tally{}) {
			t.Errorf("%d unproven votes are kept, and the tally is %+v; want %d and none", s.Unproven, s.Tally, want)
		}
	}
	vote := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			must[cases.Outcome](t)(lib.Vote(t.Context(), ballot(t, text, answers)))
		}
	}
	kept(0)
	vote("?bob+", "?bob-", "?bob+2", "?cid+")
	kept(2)
	vote("?bob0", "?bob02", "?dan0")
	kept(1)
	for i := range cases.MaxUnproven + 20 {
		vote(fmt.Sprintf("?sock%c%c+", 'a'+i/26, 'a'+i%26))
	}
	kept(cases.MaxUnproven)
	vote("?sockaa-", "?cid-") // who is there may still change their mind
	must[int64](t)(lib.Forget(t.Context(), "cid"))
	kept(cases.MaxUnproven)
	if _, err := lib.Vote(t.Context(), cases.Ballot{Answer: answers[0], User: "cat", Value: cases.Up, Curator: true, Unproven: true}); !errors.Is(err, cases.ErrBallot) {
		t.Errorf("an unproven curator: %v", err)
	}
	if _, err := lib.Vote(t.Context(), cases.Ballot{Answer: "none", User: "cat", Value: cases.Up, Unproven: true}); !errors.Is(err, cases.ErrUnknownAnswer) {
		t.Errorf("an unproven vote on no answer: %v", err)
	}
	check(t, lib.Integrity(t.Context()))
}

// TestUnprovenPruned prunes an answer with an unproven vote on it.
func TestUnprovenPruned(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	lib := open(t, cases.Config{Now: func() time.Time { return now }})
	id := must[string](t)(lib.Record(t.Context(), cases.Entry{Question: "q", Route: "unanswered"}))
	done := must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: id, User: "bob", Value: cases.Up, Unproven: true}))
	if done.Case != "" || done.Flagged || done.After != "" {
		t.Errorf("on an answer without a case it did %+v", done)
	}
	if n := must[int64](t)(lib.Prune(t.Context(), now.Add(time.Hour))); n != 1 {
		t.Errorf("%d answers were pruned", n)
	}
	check(t, lib.Integrity(t.Context()))
}

// TestUnprovenOlder opens a library from before there were unproven votes.
func TestUnprovenOlder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.db")
	schema := must[[]byte](t)(os.ReadFile("schema.sql"))
	raw(t, path, "PRAGMA application_id = 0x50726563; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;"+string(schema),
		`INSERT INTO journal (id, conversation, case_id, body) VALUES ('A1', '', '', '{"id":"A1","question":"q","route":"unanswered"}')`,
		`INSERT INTO ballots (at, answer, case_id, user, curator, value, reason, why) VALUES (1, 'A1', '', 'bob', 0, 'up', '', '')`)
	lib := open(t, cases.Config{Path: path})
	must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: "A1", User: "http:bob", Value: cases.Down, Unproven: true}))
	must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: "A1", User: "bob", Value: cases.Down}))
	check(t, lib.Integrity(t.Context()))
}
