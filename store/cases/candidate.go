package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"precedent/store"
	"precedent/store/sqlite"
)

// An Asked is a question with the query that answered it, which may become a case.
type Asked struct {
	Key     string     // what makes two of them the same: the reading or question, and the query
	Case    store.Case // its words and query; status and id are given by the library
	User    string     // who asked; members' votes for a case count only besides those who asked it
	Private bool       // asked where others weren't: nothing of it is shown to them before a curator approves
	Answer  string     // the answer's id, so that votes on it count for the case; "" for none
}

// Candidate returns the case with this key, whatever its status, or adds a
// candidate. Who asked is remembered. A candidate known from private
// conversations only takes the words of the first public one.
func (l *Library) Candidate(ctx context.Context, a Asked, ch Change) (c store.Case, err error) {
	if a.Key == "" {
		return c, fmt.Errorf("adding a candidate: %w: its key is empty", ErrCase)
	}
	a.User, ch.By, ch.Why = named(a.User), named(ch.By), cut(ch.Why)
	if err := l.flush(ctx); err != nil {
		return c, err
	}
	err = l.inTransaction(ctx, func(w *writing) error {
		r, err := scanRow(w.queryRow("SELECT "+rowColumns+" FROM cases WHERE key = ? AND key <> ''", a.Key).Scan)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			r, err = l.newCandidate(w, a, ch)
		case err == nil && r.Private && !a.Private && r.Case.Status == store.Candidate:
			r, err = l.publish(w, r, a, ch)
		}
		if err != nil {
			return err
		}
		c = r.Case
		return w.asked(c.ID, a)
	})
	return c, err
}

func (l *Library) newCandidate(w *writing, a Asked, ch Change) (*row, error) {
	a.Case.ID, a.Case.Status = "", store.Candidate
	a.Case.VerifiedBy, a.Case.VerifiedAt, a.Case.Votes, a.Case.Uses = "", nil, store.Votes{}, 0
	c, err := l.prepare(a.Case, w.at)
	if err != nil {
		return nil, err
	}
	r := &row{Case: c, Key: a.Key, Private: a.Private, Why: ch.Why}
	return r, w.add(r, ch)
}

// publish puts the words of a public question in place of a private one's.
func (l *Library) publish(w *writing, before *row, a Asked, ch Change) (*row, error) {
	a.Case.ID, a.Case.Status = before.Case.ID, store.Candidate
	a.Case.Created = before.Case.Created
	c, err := l.prepare(a.Case, w.at)
	if err != nil {
		return nil, err
	}
	after := before.clone()
	after.Case, after.Private = c, false
	_, err = w.save(before, after, ch, 0, cause{})
	return after, err
}

func (w *writing) asked(id string, a Asked) error {
	if a.User != "" {
		if _, err := w.exec("INSERT INTO askers (case_id, user) VALUES (?, ?) ON CONFLICT DO NOTHING", id, a.User); err != nil {
			return err
		}
	}
	if a.Answer == "" {
		return nil
	}
	n, err := sqlite.Changed(w.exec("UPDATE journal SET case_id = ? WHERE id = ? AND case_id IN ('', ?)", id, a.Answer, id))
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("answer %q: %w, or it rests on another case", a.Answer, ErrUnknownAnswer)
	}
	_, err = w.exec("UPDATE ballots SET case_id = ? WHERE answer = ?", id, a.Answer)
	return err
}

// A Rejection is a query that curators refused for a question, and why.
type Rejection struct {
	Query  string
	Reason string
}

// RejectedFor returns the queries that curators rejected or quarantined among the cases
// whose key begins with prefix, the newest first.
func (l *Library) RejectedFor(ctx context.Context, prefix string) ([]Rejection, error) {
	rows, err := sqlite.All(ctx, l.readers, scanRow, "SELECT "+rowColumns+` FROM cases
		WHERE key BETWEEN ?4 AND ?4 || char(1114111) AND key <> '' AND +status IN (?1, ?2) AND backing = ?3 ORDER BY revision DESC`, store.Rejected, store.Quarantined, ByCurator, prefix)
	var found []Rejection
	for _, r := range rows {
		found = append(found, Rejection{Query: r.Case.Query, Reason: r.Why})
	}
	return found, l.explain(err)
}

// A Standing is what a curator wants to know of a case beside its words.
type Standing struct {
	Private bool     // from private conversations only, and not approved
	Backing Backing  // who stands behind its status
	Flag    string   // why members want a curator to look, "" if they don't
	Why     string   // of the last change of status
	Tally   Tally    // how the votes stand
	Askers  []string // who asked it, by name

	Unproven int // names that voted and that nobody vouches for: in no tally
}

// Standing returns how a case stands. Its error wraps [ErrUnknownCase].
func (l *Library) Standing(ctx context.Context, id string) (s Standing, err error) {
	if err := l.synced(ctx); err != nil {
		return s, err
	}
	tx, err := l.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s, l.explain(err)
	}
	defer tx.Rollback()
	r, err := find(ctx, tx, id)
	if err != nil {
		return s, l.explain(err)
	}
	if s.Tally, err = tally(ctx, tx, id); err != nil {
		return s, l.explain(err)
	}
	if s.Unproven, err = unproven(ctx, tx, id); err != nil {
		return s, l.explain(err)
	}
	s.Askers, err = sqlite.All(ctx, tx, scanText, "SELECT user FROM askers WHERE case_id = ? ORDER BY user", id)
	s.Private, s.Backing, s.Flag, s.Why = r.Private, r.Backing, r.flag, r.Why
	return s, l.explain(err)
}
