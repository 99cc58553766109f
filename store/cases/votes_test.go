package cases_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"precedent/store"
	"precedent/store/cases"
)

// Votes are written as in "bob+ @eve- cid-value dan0": a user, @ for a
// curator and ? for somebody unproven, + up, - down with a reason, 0 taken back. All are on the same
// answer but those with a number: "bob+2" is on a second answer of the case.
func ballot(t *testing.T, text string, answers []string) cases.Ballot {
	t.Helper()
	b := cases.Ballot{Answer: answers[0]}
	text, b.Curator = strings.CutPrefix(text, "@")
	text, b.Unproven = strings.CutPrefix(text, "?")
	if rest, second := strings.CutSuffix(text, "2"); second {
		text, b.Answer = rest, answers[1]
	}
	i := strings.IndexAny(text, "+-0")
	if i < 1 {
		t.Fatalf("no vote: %q", text)
	}
	b.User, b.Reason = text[:i], cases.Reason(text[i+1:])
	b.Value = map[byte]cases.Value{'+': cases.Up, '-': cases.Down, '0': cases.None}[text[i]]
	return b
}

// The cases that votes are cast on.
const (
	liked    = "liked"    // a candidate that ann asked
	whisper  = "whisper"  // the same, asked in private
	shipped  = "shipped"  // verified, came with the program
	curated  = "curated"  // verified by a curator
	promoted = "promoted" // verified by three members: pat, pia, pim
	refused  = "refused"  // rejected by a curator
	unliked  = "unliked"  // rejected by two members: rob, roy
	shelved  = "shelved"  // quarantined by a curator
	old      = "retired"
)

// staged returns a library with one such case, and two answers that rest on it.
func staged(t *testing.T, kind string, c cases.Config) (*cases.Library, string, []string) {
	t.Helper()
	quorum := c.Quorum
	if kind == promoted || kind == unliked {
		c.Quorum = 3
	}
	lib := open(t, c)
	ctx, key := t.Context(), store.Case{Question: "how many films", Query: "RETURN 1", Source: "liked"}
	var id string
	switch kind {
	case shipped:
		id = "shipped"
		key.ID = id
		must[cases.Synced](t)(lib.Sync(ctx, []store.Case{key}, "1"))
	case curated, old, shelved:
		key.Status = map[string]store.Status{curated: store.Verified, old: store.Retired, shelved: store.Quarantined}[kind]
		id = must[store.Case](t)(lib.Add(ctx, key, ann)).ID
	default:
		id = must[store.Case](t)(lib.Candidate(ctx, cases.Asked{Key: "k", Case: key, User: "ann", Private: kind == whisper}, ann)).ID
	}
	answers := []string{answer(t, lib, id), answer(t, lib, id)}
	before := map[string]string{promoted: "pat+ pia+ pim+", unliked: "rob- roy-"}[kind]
	for vote := range strings.FieldsSeq(before) {
		must[cases.Outcome](t)(lib.Vote(ctx, ballot(t, vote, answers)))
	}
	if kind == refused {
		must[cases.Change](t)(lib.Move(ctx, id, store.Rejected, ann))
	}
	if quorum != c.Quorum { // the team changed its mind since
		check(t, lib.Close())
		c.Quorum, c.Path = quorum, lib.Path()
		lib = open(t, c)
	}
	return lib, id, answers
}

func TestVotingRules(t *testing.T) {
	const flag = " flagged"
	for _, rule := range []struct {
		rule   string
		quorum int
		on     string
		votes  string
		want   string // status after the last vote, and whether that vote flagged
	}{
		{"a curator's up promotes at once", 3, liked, "@eve+", "verified"},
		{"a curator's down rejects a candidate at once", 3, liked, "@eve-", "rejected"},
		{"a curator's down quarantines a verified case", 3, curated, "@eve-", "quarantined"},
		{"a curator's down quarantines a shipped case", 3, shipped, "@eve-", "quarantined"},
		{"a curator's up verifies a quarantined case", 3, shelved, "@eve+", "verified"},
		{"a curator's up verifies a rejected case", 3, refused, "@eve+", "verified"},
		{"a curator's down on a rejected case changes nothing", 3, refused, "@eve-", "rejected"},
		{"a retired case stays retired", 3, old, "@eve+", "retired"},
		{"curators count with quorum 0 too", 0, liked, "@eve+", "verified"},

		{"taking a curator's up back undoes it", 3, liked, "@eve+ @eve0", "candidate"},
		{"taking a curator's down back undoes it", 3, liked, "@eve- @eve0", "candidate"},
		{"taking a quarantine back undoes it", 3, shipped, "@eve- @eve0", "verified"},
		{"it is undone if the role is not said again", 3, shipped, "@eve- eve0", "verified"},
		{"turning up into down undoes the up first", 3, liked, "@eve+ @eve-", "rejected"},
		{"turning down into up", 3, liked, "@eve- @eve+", "verified"},
		{"what was changed since is not undone", 3, liked, "@eve+ @zoe-2 @eve0", "quarantined"},
		{"one curator's retraction leaves another's promotion", 3, liked, "@eve+ @zoe+ @zoe0", "verified"},
		{"twice the same is once", 3, liked, "@eve- @eve- @eve0", "candidate"},

		{"two members are less than the quorum", 3, liked, "bob+ cid+", "candidate"},
		{"three members promote", 3, liked, "bob+ cid+ dan+", "verified"},
		{"one is enough with quorum 1", 1, liked, "bob+", "verified"},
		{"who asked doesn't count", 3, liked, "ann+ bob+ cid+", "candidate"},
		{"three besides who asked", 3, liked, "ann+ bob+ cid+ dan+", "verified"},
		{"a user counts once over all answers", 3, liked, "bob+ bob+2 cid+", "candidate"},
		{"the latest vote of a user counts", 3, liked, "bob- bob+2 cid+ dan+", "verified"},
		{"the latest vote may be a down", 3, liked, "bob+ cid+ bob-2 dan+", "candidate"},
		{"a vote taken back doesn't count", 3, liked, "bob+ cid+ bob0 dan+", "candidate"},
		{"taking one answer's vote back leaves the other's", 3, liked, "bob+ bob+2 bob0 cid+ dan+", "verified"},
		{"three for one against", 3, liked, "bob+ cid+ xia- dan+", "verified"},
		{"five for two against are too few", 3, liked, "bob+ xia- cid+ yan- dan+ eli+ fay+", "candidate"},
		{"six for two against", 3, liked, "bob+ xia- cid+ yan- dan+ eli+ fay+ gus+", "verified"},
		{"a wrong value is not held against the query", 3, liked, "xia-value yan-wording bob+ cid+ dan+", "verified"},
		{"net -2 rejects a candidate", 3, liked, "bob- cid-", "rejected"},
		{"net -1 doesn't", 3, liked, "bob-", "candidate"},
		{"who asked may be against it", 3, liked, "ann- bob-", "rejected"},
		{"one for two against is net -1", 3, liked, "dan+ bob- cid-", "candidate"},
		{"wrong value and wording never reject", 3, liked, "bob-value cid-wording dan-value", "candidate"},
		{"unanswerable and query do", 3, liked, "bob-unanswerable cid-query", "rejected"},

		{"unproven votes promote nothing", 3, liked, "?bob+ ?cid+ ?dan+ ?eli+", "candidate"},
		{"nor beside proven ones", 3, liked, "bob+ cid+ ?dan+ ?eli+", "candidate"},
		{"nor with quorum 1", 1, liked, "?bob+ ?bob+2", "candidate"},
		{"nor with quorum 0", 0, liked, "?bob+ ?cid+ ?dan+", "candidate"},
		{"unproven votes reject nothing", 3, liked, "?bob- ?cid- ?dan-query ?eli-", "candidate"},
		{"nor flag", 3, curated, "?bob- ?cid- ?dan-", "verified"},
		{"nor quarantine", 3, promoted, "?bob- ?cid- ?dan- ?eli- ?fay-", "verified"},
		{"nor ask for what was rejected", 3, refused, "?bob+ ?cid+ ?dan+", "rejected"},
		{"an unproven vote stops no promotion", 3, liked, "?xia- ?yan- bob+ cid+ dan+", "verified"},
		{"nor takes a proven one back", 3, liked, "bob+ cid+ ?bob0 ?cid- dan+", "verified"},
		{"nor undoes what a curator did", 3, shipped, "@eve- ?eve0", "quarantined"},
		{"nor what another did", 3, shipped, "@eve- ?zoe+", "quarantined"},
		{"somebody unproven may be proven later", 3, liked, "?bob+ ?cid+ ?dan+ bob+ cid+ dan+", "verified"},
		{"or against it", 3, liked, "?bob+ ?cid+ bob- cid-", "rejected"},

		{"members only flag with quorum 0: for", 0, liked, "bob+", "candidate" + flag},
		{"members only flag with quorum 0: against", 0, liked, "bob- cid-", "candidate" + flag},
		{"members don't promote what was asked in private", 3, whisper, "bob+ cid+ dan+", "candidate" + flag},
		{"a curator does", 3, whisper, "@eve+", "verified"},

		{"members never demote a shipped case", 3, shipped, "bob- cid-", "verified" + flag},
		{"nor flag it at net -1", 3, shipped, "bob-", "verified"},
		{"members never demote a curator's case", 3, curated, "bob- cid- dan-", "verified" + flag},
		{"a flag goes when the votes turn", 3, curated, "bob- cid- dan+", "verified"},
		{"members demote what members promoted", 3, promoted, "xia- yan- zed- vic- wes-", "quarantined"},
		{"but at net -2 only", 3, promoted, "xia- yan- zed- vic-", "verified"},
		{"and never with quorum 0", 0, promoted, "xia- yan- zed- vic- wes-", "verified" + flag},
		{"nor after a curator's up", 3, promoted, "@eve+ xia- yan- zed- vic- wes-", "verified" + flag},
		{"a curator's down quarantines it", 3, promoted, "@eve-", "quarantined"},
		{"a curator's wrong value doesn't", 3, promoted, "@eve-value", "verified"},

		{"only a curator verifies what curators rejected", 3, refused, "bob+ cid+ dan+", "rejected" + flag},
		{"and what members rejected", 3, unliked, "bob+ cid+ dan+ eli+ fay+ gus+", "rejected" + flag},
		{"and what is quarantined", 3, shelved, "bob+ cid+ dan+", "quarantined" + flag},
		{"members can't bring a retired case back", 3, old, "bob+ cid+ dan+", "retired"},
	} {
		t.Run(rule.rule, func(t *testing.T) {
			lib, id, answers := staged(t, rule.on, cases.Config{Quorum: rule.quorum})
			var last cases.Outcome
			for vote := range strings.FieldsSeq(rule.votes) {
				before := status(t, lib, id)
				last = must[cases.Outcome](t)(lib.Vote(t.Context(), ballot(t, vote, answers)))
				if last.Case != id || last.Before != before || last.After != status(t, lib, id) {
					t.Errorf("%s: outcome %+v", vote, last)
				}
			}
			got := string(last.After)
			if last.Flagged {
				got += flag
			}
			if got != rule.want {
				t.Errorf("%q leaves %q, want %q (%s)", rule.votes, got, rule.want, last.Reason)
			}
			flagged := must[[]store.Case](t)(lib.List(t.Context(), cases.Filter{Flagged: true}))
			if (len(flagged) == 1) != last.Flagged {
				t.Errorf("%d cases are listed as flagged", len(flagged))
			}
		})
	}
}

func TestVoteSaysWhatHappened(t *testing.T) {
	lib, id, answers := staged(t, liked, cases.Config{Quorum: 3})
	ctx := t.Context()
	done := must[cases.Outcome](t)(lib.Vote(ctx, cases.Ballot{Answer: answers[0], User: "eve", Curator: true, Value: cases.Down, Reason: cases.WrongQuery, Why: "counts roles, not films"}))
	if done.By != "eve" || done.Before != store.Candidate || done.After != store.Rejected || done.Reason != "counts roles, not films" || done.Change == 0 {
		t.Errorf("outcome %+v", done)
	}
	rejected := must[[]cases.Rejection](t)(lib.RejectedFor(ctx, "k"))
	if len(rejected) != 1 || rejected[0] != (cases.Rejection{Query: "RETURN 1", Reason: "counts roles, not films"}) {
		t.Errorf("rejections %+v", rejected)
	}
	for _, other := range []string{"other", "k%", "kk"} {
		if got := must[[]cases.Rejection](t)(lib.RejectedFor(ctx, other)); len(got) != 0 {
			t.Errorf("rejections for %q: %+v", other, got)
		}
	}
	must[cases.Change](t)(lib.Undo(ctx, done.Change, "zoe"))
	if status(t, lib, id) != store.Candidate {
		t.Error("the change of a vote is not undone by its number")
	}
	must[cases.Outcome](t)(lib.Vote(ctx, cases.Ballot{Answer: answers[0], User: "bob", Value: cases.Up}))
	c := must[store.Case](t)(lib.Case(ctx, id))
	if c.Votes != (store.Votes{Up: 1, Down: 1}) {
		t.Errorf("votes %+v", c.Votes)
	}
}

func TestVoteRefuses(t *testing.T) {
	lib, _, answers := staged(t, liked, cases.Config{Quorum: 3})
	for _, test := range []struct {
		name   string
		ballot cases.Ballot
		want   error
	}{
		{"unknown answer", cases.Ballot{Answer: "nobody", User: "bob", Value: cases.Up}, cases.ErrUnknownAnswer},
		{"no answer", cases.Ballot{User: "bob", Value: cases.Up}, cases.ErrBallot},
		{"no user", cases.Ballot{Answer: answers[0], Value: cases.Up}, cases.ErrBallot},
		{"odd value", cases.Ballot{Answer: answers[0], User: "bob", Value: "sideways"}, cases.ErrBallot},
		{"odd reason", cases.Ballot{Answer: answers[0], User: "bob", Value: cases.Down, Reason: "mood"}, cases.ErrBallot},
	} {
		if _, err := lib.Vote(t.Context(), test.ballot); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestAnswerWithoutCase(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 1})
	ctx := t.Context()
	id := answer(t, lib, "")
	done := must[cases.Outcome](t)(lib.Vote(ctx, cases.Ballot{Answer: id, User: "bob", Value: cases.Up}))
	if done.Case != "" || done.After != "" {
		t.Errorf("outcome %+v", done)
	}
	// It becomes a case later, and the vote counts then.
	c := must[store.Case](t)(lib.Candidate(ctx, cases.Asked{Key: "k", User: "ann", Answer: id, Case: store.Case{Question: "q", Query: "RETURN 1"}}, ann))
	if got := must[cases.Entry](t)(lib.Entry(ctx, id)); got.CaseID != c.ID {
		t.Errorf("the answer rests on %q, want %q", got.CaseID, c.ID)
	}
	if s := must[cases.Standing](t)(lib.Standing(ctx, c.ID)); s.Tally.Supporters != 1 {
		t.Errorf("standing %+v", s)
	}
	if _, err := lib.Candidate(ctx, cases.Asked{Key: "k2", Answer: "nobody", Case: store.Case{Question: "q", Query: "RETURN 2"}}, ann); !errors.Is(err, cases.ErrUnknownAnswer) {
		t.Errorf("a candidate of an unknown answer: %v", err)
	}
}

func TestChecksBeforePromotion(t *testing.T) {
	var refuse error
	var asked int
	var during func()
	config := cases.Config{Quorum: 3, Check: func(context.Context, store.Case) error {
		asked++
		if during != nil {
			during()
			during = nil
		}
		return refuse
	}}
	lib, id, answers := staged(t, liked, config)
	ctx := t.Context()
	up := cases.Ballot{Answer: answers[0], User: "eve", Curator: true, Value: cases.Up}

	refuse = errors.New("it returns no rows")
	done := must[cases.Outcome](t)(lib.Vote(ctx, up))
	if done.After != store.Candidate || !strings.Contains(done.Reason, "it returns no rows") || done.Tally.Up != 1 {
		t.Errorf("a refused promotion: %+v", done)
	}
	if _, err := lib.Move(ctx, id, store.Verified, ann); !errors.Is(err, cases.ErrPromotion) || status(t, lib, id) != store.Candidate {
		t.Errorf("a refused move: %v", err)
	}
	must[cases.Outcome](t)(lib.Vote(ctx, cases.Ballot{Answer: answers[0], User: "bob", Value: cases.Down}))

	// The library is not locked while the check runs, and a case that changes
	// meanwhile is checked again.
	refuse, asked = nil, 0
	during = func() { must[store.Case](t)(lib.AddWording(ctx, id, "another wording", ann)) }
	if done = must[cases.Outcome](t)(lib.Vote(ctx, up)); done.After != store.Verified || asked != 2 {
		t.Errorf("checked %d times: %+v", asked, done)
	}
}

func TestUndonePromotionIsHeld(t *testing.T) {
	lib, id, answers := staged(t, promoted, cases.Config{Quorum: 3})
	must[cases.Change](t)(lib.UndoLast(t.Context(), id, "eve"))
	done := must[cases.Outcome](t)(lib.Vote(t.Context(), ballot(t, "bob+", answers)))
	if done.After != store.Candidate || !done.Flagged {
		t.Errorf("members promoted again what was undone: %+v", done)
	}
}

func TestPrivateCandidates(t *testing.T) {
	lib := open(t, cases.Config{Quorum: 3})
	ctx := t.Context()
	ask := func(key, question, user string, private bool) store.Case {
		t.Helper()
		return must[store.Case](t)(lib.Candidate(ctx, cases.Asked{Key: key, User: user, Private: private,
			Case: store.Case{Question: question, Query: "RETURN 1", Status: store.Verified, Source: "liked"}}, cases.Change{By: user}))
	}
	public := func() int { return len(must[[]store.Case](t)(lib.List(ctx, cases.Filter{Public: true}))) }
	first := ask("k", "salary of my boss Kim", "ann", true)
	if first.Status != store.Candidate || public() != 0 {
		t.Errorf("a private candidate is %s, %d are public", first.Status, public())
	}
	if again := ask("k", "pay of Kim", "bob", true); again.ID != first.ID || again.Question != first.Question {
		t.Errorf("the same key gives %+v", again)
	}
	if s := must[cases.Standing](t)(lib.Standing(ctx, first.ID)); !s.Private || fmt.Sprint(s.Askers) != "[ann bob]" {
		t.Errorf("standing %+v", s)
	}
	shared := ask("k", "how much does {person} earn", "cid", false)
	if shared.ID != first.ID || shared.Question != "how much does {person} earn" || public() != 1 {
		t.Errorf("asked in public it is %+v", shared)
	}
	secret := ask("k2", "salary of Lee", "ann", true)
	must[cases.Change](t)(lib.Move(ctx, secret.ID, store.Verified, cases.Change{By: "eve"}))
	if !recalled(t, lib, "salary of Lee")[secret.ID] || public() != 2 {
		t.Error("an approved case is not public")
	}
	must[cases.Change](t)(lib.UndoLast(ctx, secret.ID, "eve"))
	if recalled(t, lib, "salary of Lee")[secret.ID] || public() != 1 {
		t.Error("an approval that was undone leaves the case public")
	}
}

func TestConcurrentVotes(t *testing.T) {
	lib, id, answers := staged(t, shipped, cases.Config{Quorum: 3})
	const users = 1000
	var wg sync.WaitGroup
	for i := range users {
		wg.Go(func() {
			value := cases.Up
			if i%4 == 0 {
				value = cases.Down
			}
			if _, err := lib.Vote(context.Background(), cases.Ballot{Answer: answers[i%2], User: fmt.Sprint("user", i%(users/2)), Value: value}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := must[cases.Standing](t)(lib.Standing(context.Background(), id))
	c := must[store.Case](t)(lib.Case(context.Background(), id))
	if s.Tally.Up+s.Tally.Down != users/2 || c.Votes.Up != s.Tally.Up || c.Votes.Down != s.Tally.Down {
		t.Errorf("tally %+v, votes %+v, of %d users", s.Tally, c.Votes, users/2)
	}
}
