package cases_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

func TestJournalKeepsAnAnswer(t *testing.T) {
	lib := open(t, cases.Config{})
	entry := cases.Entry{
		At: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), User: "ann", Scope: cases.Private, Conversation: "c1",
		Question: "films since 2000 <b>", Restated: "films since 2000", Language: "en", Reading: "list Movie",
		Links:  []store.Link{{Mention: "2000", Property: "year", Value: int64(2000), How: store.Exact}},
		Query:  "RETURN $year",
		Params: map[string]any{"year": int64(2000), "rating": 8.0, "names": []any{"a", int64(1), 0.5}},
		Route:  "model", ShownCases: []string{"films"}, Drafts: []cases.Draft{{Query: "CREATE (n)", Refused: "it writes"}, {Query: "RETURN $year"}},
		Columns: []string{"year"}, RowCount: 3, Truncated: true, Repairs: 1, ModelCalls: 2, EmbeddingCalls: 1, PromptTokens: 100, ReplyTokens: 10,
		Timings: map[string]float64{"total": 12.5}, Error: "x",
	}
	entry.ID = must[string](t)(lib.Record(t.Context(), entry))
	got := must[cases.Entry](t)(lib.Entry(t.Context(), entry.ID))
	if !reflect.DeepEqual(got, entry) {
		t.Errorf("kept\n%+v\nrecorded\n%+v", got, entry)
	}
	if _, err := lib.Entry(t.Context(), "nobody"); !errors.Is(err, cases.ErrUnknownAnswer) {
		t.Errorf("an unknown answer: %v", err)
	}
	if _, err := lib.Record(t.Context(), cases.Entry{Scope: "secret"}); err == nil {
		t.Error("an odd scope is taken")
	}
	odd := must[string](t)(lib.Record(t.Context(), cases.Entry{Params: map[string]any{"x": math.NaN()}}))
	if got := must[cases.Entry](t)(lib.Entry(t.Context(), odd)); got.Params["x"] != "NaN" {
		t.Errorf("NaN came back as %v", got.Params["x"])
	}
}

func TestConversation(t *testing.T) {
	lib := open(t, cases.Config{})
	for i := range 7 {
		must[string](t)(lib.Record(t.Context(), cases.Entry{Question: fmt.Sprint(i), Conversation: fmt.Sprint("thread", i%2)}))
	}
	var asked []string
	for _, e := range must[[]cases.Entry](t)(lib.Conversation(t.Context(), "thread0", 3)) {
		asked = append(asked, e.Question)
	}
	if fmt.Sprint(asked) != "[2 4 6]" {
		t.Errorf("the newest three, oldest first: %v", asked)
	}
	if got := must[[]cases.Entry](t)(lib.Conversation(t.Context(), "nowhere", 3)); len(got) != 0 {
		t.Errorf("an unknown conversation: %v", got)
	}
}

func TestUsesAreCounted(t *testing.T) {
	lib := open(t, cases.Config{})
	must[store.Case](t)(lib.Add(t.Context(), films(), ann))
	var last string
	for range 3 {
		last = answer(t, lib, "films")
	}
	must[cases.Entry](t)(lib.Entry(t.Context(), last))
	if c := must[store.Case](t)(lib.Case(t.Context(), "films")); c.Uses != 3 {
		t.Errorf("%d uses, want 3", c.Uses)
	}
}

func TestCloseWritesWhatWaits(t *testing.T) {
	lib := open(t, cases.Config{})
	var ids []string
	for range 2000 {
		ids = append(ids, must[string](t)(lib.Record(t.Context(), cases.Entry{Question: "q"})))
	}
	check(t, lib.Close())
	if _, err := lib.Record(t.Context(), cases.Entry{}); !errors.Is(err, cases.ErrClosed) {
		t.Errorf("recording in a closed library: %v", err)
	}
	if _, err := lib.Changed(t.Context(), 0); !errors.Is(err, cases.ErrClosed) {
		t.Errorf("reading a closed library: %v", err)
	}
	if _, err := lib.Add(t.Context(), films(), ann); !errors.Is(err, cases.ErrClosed) {
		t.Errorf("adding to a closed library: %v", err)
	}
	again := open(t, cases.Config{Path: lib.Path()})
	for _, id := range ids {
		must[cases.Entry](t)(again.Entry(t.Context(), id))
	}
}
