package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"precedent/store"
	"precedent/store/sqlite"
)

// A Value is a vote.
type Value string

// Values of a vote.
const (
	Up   Value = "up"
	Down Value = "down"
	None Value = "none" // takes back the vote on this answer
)

// A Reason says what was wrong with an answer voted down.
type Reason string

// Reasons of a down; "" counts as WrongQuery.
const (
	WrongValue   Reason = "value"
	WrongQuery   Reason = "query"
	WrongWording Reason = "wording"
	Unanswerable Reason = "unanswerable"
)

// A Ballot is one user's vote on one answer. A later one of the same user on
// the same answer takes its place.
type Ballot struct {
	Answer  string
	User    string
	Curator bool
	Value   Value
	Reason  Reason
	Why     string // in the user's words; a rejected query goes back to the model with it
	AsIs    bool   // a curator's up overrules a [Doubt]

	// Unproven tells that nobody vouches for the user's name. The vote is kept
	// apart from the others and counts for nothing, nor does it take back one
	// that was proven. Of an answer, those of MaxUnproven names are kept.
	Unproven bool
}

func (b Ballot) againstQuery() bool {
	return b.Value == Down && b.Reason != WrongValue && b.Reason != WrongWording
}

func (b Ballot) validate() error {
	switch {
	case b.Answer == "":
		return fmt.Errorf("%w: it names no answer", ErrBallot)
	case b.User == "":
		return fmt.Errorf("%w: it names no user", ErrBallot)
	case b.Unproven && b.Curator:
		return fmt.Errorf("%w: an unproven user is no curator", ErrBallot)
	}
	switch b.Value {
	case Up, Down, None:
	default:
		return fmt.Errorf("%w: it is %q; use up, down or none", ErrBallot, b.Value)
	}
	switch b.Reason {
	case "", WrongValue, WrongQuery, WrongWording, Unanswerable:
		return nil
	}
	return fmt.Errorf("%w: its reason is %q; use value, query, wording or unanswerable", ErrBallot, b.Reason)
}

// An Outcome is what a vote did.
type Outcome struct {
	Answer  string
	Case    string       // that answers after the vote; "" when the answer rests on none: the vote is kept, and that is all
	Before  store.Status // of the case, before and after the vote
	After   store.Status
	By      string // who moved it: a curator, ByTheMembers, or "" if it stayed
	Reason  string // why it moved, or why it stayed though the vote asked for more
	Flagged bool   // curators are asked to look
	Change  int64  // for Undo, 0 if the case stayed
	Doubt   *Doubt // why it stayed, where a curator may overrule that; nil: for another reason
	Tally   Tally
}

// Vote counts a vote and does what follows from it, in one transaction that is
// on the disk when Vote returns. Voting the same twice changes nothing.
//
// A curator's up verifies the case and a curator's down rejects a candidate or
// quarantines a verified case; taking the vote back undoes exactly that, if
// nothing changed the case since. What members' votes do is said in rules.go.
// Where Config.Check refuses a promotion, the vote counts, the case stays, and
// Outcome.Reason says why. Its error wraps [ErrBallot] or [ErrUnknownAnswer].
func (l *Library) Vote(ctx context.Context, b Ballot) (done Outcome, err error) {
	if err := b.validate(); err != nil {
		return done, fmt.Errorf("counting a vote: %w", err)
	}
	b.User, b.Why = named(b.User), cut(b.Why)
	if err := l.flush(ctx); err != nil {
		return done, fmt.Errorf("counting a vote: %w", err)
	}
	err = l.checking(ctx, func(w *writing, passed checks) error {
		done, err = l.vote(w, b, passed)
		return err
	})
	if err != nil {
		return done, fmt.Errorf("counting a vote: %w", err)
	}
	return done, nil
}

func (l *Library) vote(w *writing, b Ballot, passed checks) (done Outcome, err error) {
	done.Answer = b.Answer
	err = w.queryRow("SELECT case_id FROM journal WHERE id = ?", b.Answer).Scan(&done.Case)
	if errors.Is(err, sql.ErrNoRows) {
		return done, unknownAnswer(b.Answer)
	}
	if err != nil {
		return done, err
	}
	if b.Unproven {
		return done, l.heedNobody(w, b, &done)
	}
	last, err := w.lastBallot(b)
	if err != nil {
		return done, err
	}
	again := last == b
	if !again {
		if err := w.cast(b, done.Case); err != nil {
			return done, err
		}
	}
	if done.Case == "" {
		return done, nil
	}
	r, err := find(w.ctx, w.tx, done.Case)
	if errors.Is(err, ErrUnknownCase) {
		done.Case, done.Reason = "", "the case it rests on was removed"
		return done, nil
	}
	if err != nil {
		return done, err
	}
	answers, err := w.answering(r)
	if err != nil {
		return done, err
	}
	done.Before = answers.Case.Status
	if done.Tally, err = tally(w.ctx, w.tx, done.Case); err != nil {
		return done, err
	}
	if r, err = l.heed(w, r, b, last, passed, &done); err != nil {
		return done, err
	}
	if err = w.count(r, done); err != nil {
		return done, err
	}
	answers, err = w.answering(r)
	if err != nil {
		return done, err
	}
	done.Case, done.After = answers.Case.ID, answers.Case.Status
	return done, nil
}

// heed does what follows from a vote that is counted, and returns the case after it.
func (l *Library) heed(w *writing, r *row, b, last Ballot, passed checks, done *Outcome) (*row, error) {
	mine := cause{b.Answer, b.User}
	effect, acted, stands, err := w.effect(r.Case.ID, mine)
	if err != nil {
		return r, err
	}
	switch {
	case last == b && acted: // delivered twice, or somebody undid what it did
		done.Flagged = r.flag != ""
		return r, nil
	case last.Curator && stands && effect.By == b.User:
		if r, err = w.takeBack(r, effect, mine, done); err != nil {
			return r, err
		}
	}
	if b.Curator {
		return l.heedCurator(w, r, b, mine, passed, done)
	}
	return l.heedMembers(w, r, mine, passed, done)
}

// effect returns the last change that a vote made, if it made one, and whether it stands.
func (w *writing) effect(id string, by cause) (effect step, acted, stands bool, err error) {
	steps, err := stepsOf(w.ctx, w.tx, id)
	if err != nil {
		return effect, false, false, err
	}
	made := func(s step) bool { return s.undoes == 0 && s.cause == by }
	for _, s := range steps {
		if made(s) {
			effect, acted = s, true
		}
	}
	stands = slices.ContainsFunc(standing(steps), func(s step) bool { return acted && s.ID == effect.ID })
	return effect, acted, stands, nil
}

// takeBack undoes what a curator's vote did, unless the case was changed since.
func (w *writing) takeBack(r *row, effect step, by cause, done *Outcome) (*row, error) {
	steps, err := stepsOf(w.ctx, w.tx, r.Case.ID)
	if err != nil {
		return r, err
	}
	if !undoable(effect, steps) {
		done.Reason = fmt.Sprintf("the case was changed since by %s, so it stays", steps[len(steps)-1].By)
		return r, nil
	}
	ch, err := w.undo(effect, steps, Change{By: by.voter, Why: "took the vote back"}, by)
	if err != nil {
		return r, err
	}
	done.By, done.Reason, done.Change = ch.By, ch.Why, ch.ID
	return find(w.ctx, w.tx, r.Case.ID)
}

func (l *Library) heedCurator(w *writing, r *row, b Ballot, by cause, passed checks, done *Outcome) (*row, error) {
	why := b.Why
	if why == "" && b.Value == Down {
		why = string(b.Reason)
	}
	to := curatorsMove(r, b)
	if b.Value == Up {
		r.flag = "" // a curator has looked
	}
	switch {
	case to == "" && b.Value == Up && r.Case.Status == store.Verified && r.Backing == ByMembers:
		to = store.Verified // from now on it is a curator's
	case to == "" && b.Value == Up && r.Into != "":
		return r, nil
	case to == "" && b.Value == Up && r.Case.Status == store.Retired:
		done.Reason = "the case is retired; add it anew to use it again"
		return r, nil
	case to == "":
		return r, nil
	}
	return l.moveByVote(w, r, to, Change{By: b.User, Why: why, AsIs: b.AsIs}, ByCurator, by, passed, done)
}

func (l *Library) heedMembers(w *writing, r *row, by cause, passed checks, done *Outcome) (*row, error) {
	v := decide(r, done.Tally, l.quorum)
	if v.flag != "" {
		done.Flagged, done.Reason, r.flag = true, v.flag, v.flag
		return r, nil
	}
	r.flag = ""
	if v.to == "" {
		return r, nil
	}
	return l.moveByVote(w, r, v.to, Change{By: ByTheMembers, Why: v.why}, ByMembers, by, passed, done)
}

func (l *Library) moveByVote(w *writing, r *row, to store.Status, ch Change, backing Backing, by cause, passed checks, done *Outcome) (*row, error) {
	var err error
	if to == store.Verified {
		ch, err = l.promote(w, r, ch, backing, by, passed)
		if errors.Is(err, ErrPromotion) {
			done.Reason = err.Error()
			if d, ok := errors.AsType[Doubt](err); ok {
				done.Doubt = &d
			}
			return r, nil
		}
	} else {
		ch, err = w.move(r, to, ch, backing, by)
	}
	if err != nil {
		return r, err
	}
	done.By, done.Reason, done.Change = ch.By, ch.Why, ch.ID
	moved, err := find(w.ctx, w.tx, r.Case.ID)
	if err == nil && ch.From == ch.To {
		moved.flag = r.flag
	}
	return moved, err
}

// lastBallot returns the vote of this user on this answer that holds; its
// Value is None if there is none.
func (w *writing) lastBallot(b Ballot) (Ballot, error) {
	last := Ballot{Answer: b.Answer, User: b.User, Value: None}
	err := w.queryRow("SELECT curator, value, reason, why FROM ballots WHERE answer = ? AND user = ? ORDER BY seq DESC LIMIT 1", b.Answer, b.User).
		Scan(&last.Curator, &last.Value, &last.Reason, &last.Why)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return last, err
}

func (w *writing) cast(b Ballot, caseID string) error {
	_, err := w.exec("INSERT INTO ballots (at, answer, case_id, user, curator, value, reason, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		w.at.UnixMicro(), b.Answer, caseID, b.User, b.Curator, b.Value, b.Reason, b.Why)
	return err
}

// tally counts the votes on a case: of each user the latest over all answers,
// not counting those taken back.
func tally(ctx context.Context, in sqlite.Querier, id string) (t Tally, err error) {
	err = sqlite.Each(ctx, in, func(scan func(...any) error) error {
		var b Ballot
		var asked bool
		var seq int64
		err := scan(&b.Curator, &b.Value, &b.Reason, &asked, &seq)
		t.add(b, asked)
		return err
	}, `
		SELECT b.curator, b.value, b.reason, EXISTS (SELECT 1 FROM askers a WHERE a.case_id = ?1 AND a.user = b.user), max(b.seq)
		FROM ballots b
		WHERE b.case_id = ?1 AND b.value <> 'none'
			AND NOT EXISTS (SELECT 1 FROM ballots n WHERE n.answer = b.answer AND n.user = b.user AND n.seq > b.seq)
		GROUP BY b.user`, id)
	return t, err
}

func (t *Tally) add(b Ballot, asked bool) {
	member := !b.Curator
	switch {
	case b.Value == Up:
		t.Up++
		if member {
			t.Net++
		}
		if member && !asked {
			t.Supporters++
		}
	case b.Value == Down:
		t.Down++
		if member && b.againstQuery() {
			t.Net--
			t.Opponents++
		}
	}
}

// count keeps what the votes on a case add up to beside it.
func (w *writing) count(r *row, done Outcome) error {
	_, err := w.exec("UPDATE cases SET up = ?, down = ?, flag = ? WHERE id = ?", done.Tally.Up, done.Tally.Down, r.flag, done.Case)
	return err
}
