package cases_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

const eve = "slack:U0EVE"

// written counts where a text stands in the file of a library and in its log.
func written(t *testing.T, lib *cases.Library, text string) (n int) {
	t.Helper()
	for _, path := range must[[]string](t)(filepath.Glob(lib.Path() + "*")) {
		n += bytes.Count(must[[]byte](t)(os.ReadFile(path)), []byte(text))
	}
	return n
}

// asked has a user ask something that becomes a candidate, and returns its id
// and the answer's.
func asked(t *testing.T, lib *cases.Library, user, question string, private bool) (id, answer string) {
	t.Helper()
	scope := cases.Public
	if private {
		scope = cases.Private
	}
	answer = must[string](t)(lib.Record(t.Context(), cases.Entry{
		User: user, Scope: scope, Conversation: "talk with " + user, Question: question, Restated: question, Route: "model",
		Links: []store.Link{{Mention: question, Value: question}}, Query: "RETURN '" + question + "'", Params: map[string]any{"p": question},
		Drafts: []cases.Draft{{Query: question}}, Reading: question, Error: question, RowCount: 3, ModelCalls: 1, Timings: map[string]float64{"total": 5}}))
	c := must[store.Case](t)(lib.Candidate(t.Context(), cases.Asked{
		Key: question, User: user, Private: private, Answer: answer,
		Case: store.Case{Question: question, Query: "RETURN '" + question + "'", Author: user, Source: "log"}}, cases.Change{By: user, Why: "asked"}))
	return c.ID, answer
}

func vote(t *testing.T, lib *cases.Library, answer, user string, v cases.Value) cases.Outcome {
	t.Helper()
	return must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: answer, User: user, Value: v, Why: "says " + user}))
}

func TestForget(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 3})
	verified, first := asked(t, lib, eve, "films of the year", false)
	_, second := asked(t, lib, "slack:U0EVEN", "films of the year", false)
	vote(t, lib, first, "ann", cases.Up)
	vote(t, lib, second, "bob", cases.Up)
	vote(t, lib, second, eve, cases.Up) // who asked it: doesn't count for it
	curated := must[cases.Outcome](t)(lib.Vote(t.Context(), cases.Ballot{Answer: second, User: eve, Curator: true, Value: cases.Up, Why: "it is right"}))
	if curated.After != store.Verified {
		t.Fatalf("%+v", curated)
	}
	secretCase, secret := asked(t, lib, eve, "salary of my boss", true)
	alone, _ := asked(t, lib, eve, "birthday of my aunt", false)
	liked, likedAnswer := asked(t, lib, eve, "longest film", false)
	vote(t, lib, likedAnswer, "ann", cases.Up)
	others, _ := asked(t, lib, "ann", "oldest film", true)

	tallies := func() string {
		var all []string
		for _, id := range []string{verified, liked, others} {
			s, c := must[cases.Standing](t)(lib.Standing(t.Context(), id)), must[store.Case](t)(lib.Case(t.Context(), id))
			all = append(all, fmt.Sprint(id, s.Tally, len(s.Askers), c.Status, c.Votes, c.Question, c.Wordings, c.Query))
		}
		return strings.Join(all, "\n")
	}
	before := tallies()

	if n := must[int64](t)(lib.Forget(t.Context(), eve)); n < 10 {
		t.Errorf("%d things changed", n)
	}
	if n := written(t, lib, eve) - written(t, lib, "slack:U0EVEN"); n != 0 {
		t.Errorf("the user stands in the file %d times", n)
	}
	for _, text := range []string{"salary", "birthday"} {
		if n := written(t, lib, text); n > 0 {
			t.Errorf("%q stands in the file %d times", text, n)
		}
	}
	if after := tallies(); after != before {
		t.Errorf("other cases and their tallies were\n%s\nand are\n%s", before, after)
	}
	for _, id := range []string{secretCase, alone} {
		if _, err := lib.Case(t.Context(), id); !errors.Is(err, cases.ErrUnknownCase) {
			t.Errorf("a case of the user's own text: %v", err)
		}
		if _, err := lib.History(t.Context(), id); !errors.Is(err, cases.ErrUnknownCase) {
			t.Errorf("its history: %v", err)
		}
		if _, err := lib.UndoLast(t.Context(), id, "ann"); !errors.Is(err, cases.ErrUnknownCase) {
			t.Errorf("undoing it: %v", err)
		}
	}
	if c := must[store.Case](t)(lib.Case(t.Context(), verified)); c.Author != cases.Forgotten || c.VerifiedBy != cases.Forgotten {
		t.Errorf("the case is by %q and verified by %q", c.Author, c.VerifiedBy)
	}
	for _, ch := range must[[]cases.Change](t)(lib.History(t.Context(), verified)) {
		if ch.By != cases.Forgotten {
			t.Errorf("the history names %q", ch.By)
		}
	}
	e := must[cases.Entry](t)(lib.Entry(t.Context(), first))
	if e.Question != "" || e.Restated != "" || e.Links != nil || e.Query != "" || e.Params != nil || e.Drafts != nil || e.Reading != "" || e.Error != "" || e.Conversation != "" {
		t.Errorf("the journal keeps %+v", e)
	}
	if e.User != cases.Forgotten || e.CaseID != verified || e.RowCount != 3 || e.ModelCalls != 1 || e.Route != "model" || e.At.IsZero() {
		t.Errorf("the journal lost what names nobody: %+v", e)
	}
	if e := must[[]cases.Entry](t)(lib.Conversation(t.Context(), "talk with "+eve, 9)); len(e) > 0 {
		t.Errorf("the conversation is kept: %+v", e)
	}
	if e := must[cases.Entry](t)(lib.Entry(t.Context(), second)); e.Question != "films of the year" || e.User != "slack:U0EVEN" {
		t.Errorf("another's answer became %+v", e)
	}
	// What goes on from here works.
	if done := vote(t, lib, secret, "ann", cases.Up); done.Case != "" {
		t.Errorf("a vote on an answer that rests on no case any more: %+v", done)
	}
	vote(t, lib, likedAnswer, "bob", cases.Up)
	if done := vote(t, lib, likedAnswer, "cid", cases.Up); done.After != store.Verified {
		t.Errorf("the third vote: %+v", done)
	}
	if ch := must[cases.Change](t)(lib.UndoLast(t.Context(), verified, "ann")); ch.To != store.Candidate {
		t.Errorf("undone: %+v", ch)
	}
	if c := must[store.Case](t)(lib.Case(t.Context(), verified)); c.Author != cases.Forgotten {
		t.Errorf("undoing brings back %q", c.Author)
	}
	check(t, lib.Integrity(t.Context()))
	if n := must[int64](t)(lib.Forget(t.Context(), eve)); n != 0 {
		t.Errorf("once more, %d things changed", n)
	}
}

func TestForgetTwoUsers(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 9})
	id, a := asked(t, lib, "ann", "films", false)
	for _, user := range []string{"bob", "cid", "dan"} {
		vote(t, lib, a, user, cases.Up)
	}
	must[int64](t)(lib.Forget(t.Context(), "bob"))
	must[int64](t)(lib.Forget(t.Context(), "cid"))
	if s := must[cases.Standing](t)(lib.Standing(t.Context(), id)); s.Tally.Up != 3 || s.Tally.Supporters != 3 {
		t.Errorf("the tally is %+v", s.Tally)
	}
}

// A public question took the place of the words that the user asked in private.
func TestForgetPrivateWords(t *testing.T) {
	lib := open(t, cases.Config{})
	var id string
	for _, a := range []cases.Asked{
		{User: eve, Private: true, Case: store.Case{Question: "my aunt's films", Wordings: []string{"my aunt's films of {year}"}}},
		{User: "ann", Case: store.Case{Question: "films", Wordings: []string{"films of {year}"}}},
	} {
		a.Key, a.Case.Query, a.Case.Slots = "key", "RETURN $year", []store.Slot{{Name: "year", Type: "float", Example: 2000.0}}
		id = must[store.Case](t)(lib.Candidate(t.Context(), a, cases.Change{By: a.User})).ID
	}
	must[int64](t)(lib.Forget(t.Context(), eve))
	if n := written(t, lib, "aunt"); n > 0 {
		t.Errorf("what was asked in private stands in the file %d times", n)
	}
	must[cases.Change](t)(lib.UndoLast(t.Context(), id, "ann"))
	c, s := must[store.Case](t)(lib.Case(t.Context(), id)), must[cases.Standing](t)(lib.Standing(t.Context(), id))
	if c.Question != "films" || len(c.Wordings) != 1 || c.Wordings[0] != "films of {year}" || c.Slots[0].Example != 2000.0 || !s.Private {
		t.Errorf("undone, it is %+v, %+v", c, s)
	}
}

func TestHistoryStaysAppendOnly(t *testing.T) {
	lib := open(t, cases.Config{})
	asked(t, lib, "ann", "films", false)
	must[int64](t)(lib.Forget(t.Context(), "bob"))
	db := must[*sql.DB](t)(sql.Open("sqlite", lib.Path()))
	defer db.Close()
	for _, query := range []string{"UPDATE changes SET by = 'x'", "DELETE FROM changes"} {
		if _, err := db.Exec(query); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestForgetNobody(t *testing.T) {
	lib := open(t, cases.Config{})
	for _, name := range []string{"", cases.ByTheMembers, cases.ByTheProgram, cases.Forgotten} {
		if _, err := lib.Forget(t.Context(), name); err == nil || !strings.Contains(err.Error(), "name one") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestPrune(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 2})
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	record := func(id string, at time.Time) string {
		return must[string](t)(lib.Record(t.Context(), cases.Entry{ID: id, At: at, User: "ann", Question: "private matter " + id, Route: "model"}))
	}
	const many = 1100 // more than go in one transaction
	for i := range many {
		record(fmt.Sprint("old", i), day.Add(-time.Duration(i+1)*time.Second/2))
	}
	record("elsewhere", day.Add(-time.Nanosecond*2e6).In(time.FixedZone("", -8*60*60)))
	record("voted", day.Add(-time.Hour))
	vote(t, lib, "voted", "bob", cases.Up)
	record("new", day)
	if n := must[int64](t)(lib.Prune(t.Context(), day)); n != many+2 {
		t.Errorf("%d answers were pruned, want %d", n, many+2)
	}
	if n := written(t, lib, "private matter"); n != 1 {
		t.Errorf("what was asked stands in the file %d times, want 1", n)
	}
	if _, err := lib.Entry(t.Context(), "old7"); !errors.Is(err, cases.ErrUnknownAnswer) {
		t.Errorf("an old answer: %v", err)
	}
	if e := must[cases.Entry](t)(lib.Entry(t.Context(), "voted")); e.Question != "" || e.User != cases.Forgotten {
		t.Errorf("an old answer with a vote: %+v", e)
	}
	if e := must[cases.Entry](t)(lib.Entry(t.Context(), "new")); e.Question != "private matter new" {
		t.Errorf("a new answer: %+v", e)
	}
	if done := vote(t, lib, "voted", "bob", cases.Down); done.Answer != "voted" {
		t.Errorf("another vote: %+v", done)
	}
	if n := must[int64](t)(lib.Prune(t.Context(), day)); n != 0 {
		t.Errorf("once more, %d answers were pruned", n)
	}
	check(t, lib.Integrity(t.Context()))
}
