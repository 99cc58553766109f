package cases_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"precedent/store"
	"precedent/store/cases"
)

// TestDuplicateBecomesWording checks what becomes of a candidate that asks what
// a shipped case asks, and of that case's wordings. Votes are written as for
// [TestVotingRules].
func TestDuplicateBecomesWording(t *testing.T) {
	for _, test := range []struct {
		name  string
		votes string
		want  string // before and after the last vote
		own   store.Status
		words bool // whether the shipped case has the candidate's words in the end
	}{
		{"by a curator", "@eve+", "candidate verified", store.Retired, true},
		{"twice is once", "@eve+ @eve+", "verified verified", store.Retired, true},
		{"another curator is for it too", "@eve+ @zoe+", "verified verified", store.Retired, true},
		{"taken back", "@eve+ @eve0", "verified candidate", store.Candidate, false},
		{"turned into a down", "@eve+ @eve-", "verified rejected", store.Rejected, false},
		{"another curator is against it", "@eve+ @zoe-", "verified rejected", store.Rejected, false},
		{"who thinks better of it", "@eve+ @zoe- @zoe0", "rejected verified", store.Retired, true},
		{"a wrong value is not held against it", "@eve+ @zoe-value", "verified verified", store.Retired, true},
		{"by members", "bob+ cid+ dan+", "candidate verified", store.Retired, true},
		{"not by two", "bob+ cid+", "candidate candidate", store.Candidate, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := t.Context()
			lib := open(t, cases.Config{Quorum: 3, Check: func(context.Context, store.Case) error {
				return cases.Duplicate{Of: "shipped", Wordings: []string{"count the films"}}
			}})
			must[cases.Synced](t)(lib.Sync(ctx, []store.Case{{ID: "shipped", Question: "how many films", Query: "RETURN 1"}}, "1"))
			id := must[store.Case](t)(lib.Candidate(ctx, cases.Asked{Key: "k", Case: store.Case{Question: "count the films", Query: "RETURN 1"}, User: "ann"}, ann)).ID
			answers := []string{answer(t, lib, id)}
			var last cases.Outcome
			for vote := range strings.FieldsSeq(test.votes) {
				last = must[cases.Outcome](t)(lib.Vote(ctx, ballot(t, vote, answers)))
			}
			if got := string(last.Before) + " " + string(last.After); got != test.want {
				t.Errorf("%s, want %s: %s", got, test.want, last.Reason)
			}
			into := map[bool]string{true: "shipped", false: id}[test.words]
			if own := status(t, lib, id); own != test.own || last.Case != into {
				t.Errorf("the candidate is %s, the vote is said to be on %s", own, last.Case)
			}
			shipped := must[store.Case](t)(lib.Case(ctx, "shipped"))
			if slices.Contains(shipped.Wordings, "count the films") != test.words || shipped.Status != store.Verified {
				t.Errorf("the shipped case is %s, its wordings %q", shipped.Status, shipped.Wordings)
			}
		})
	}
}
