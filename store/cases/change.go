package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"precedent/store"
	"precedent/store/sqlite"
)

// A Change is one step in the life of a case. Callers give By and Why (and
// Auto); the library fills in the rest. It prints as a line of `cases history`.
type Change struct {
	ID   int64        `json:"-"` // for Undo; later changes have higher ones
	At   time.Time    `json:"at"`
	Case string       `json:"case"`
	By   string       `json:"by"`   // a user, ByTheMembers or ByTheProgram
	From store.Status `json:"from"` // "" when the case was added
	To   store.Status `json:"to"`   // the same as From for an edit; "" when an addition was undone
	Why  string       `json:"why"`

	// AsIs says that whoever verifies the case overrules a [Doubt].
	AsIs bool `json:"-"`

	// Auto says that the program moves the case by itself: who stands behind it stays as it was.
	Auto bool `json:"-"`
}

// Names in Change.By that are no user's.
const (
	ByTheMembers = "members"
	ByTheProgram = "precedent"
)

// A cause is the vote that made a change, if any.
type cause struct{ answer, voter string }

// save writes a case as it is after a change, and the change itself. before
// is nil for a case that is added, after for one whose addition is undone.
func (w *writing) save(before, after *row, ch Change, undoes int64, by cause) (Change, error) {
	var was, became sql.NullString
	for _, side := range []struct {
		row  *row
		into *sql.NullString
		set  func(*row)
	}{
		{before, &was, func(r *row) { ch.Case, ch.From = r.Case.ID, r.Case.Status }},
		{after, &became, func(r *row) { ch.Case, ch.To = r.Case.ID, r.Case.Status }},
	} {
		if side.row == nil {
			continue
		}
		body, err := side.row.encode()
		if err != nil {
			return ch, fmt.Errorf("case %q: %w: %w", side.row.Case.ID, ErrCase, err)
		}
		side.into.String, side.into.Valid = body, true
		side.set(side.row)
	}
	ch.At, ch.By, ch.Why = w.at, named(ch.By), cut(ch.Why)
	target := sql.NullInt64{Int64: undoes, Valid: undoes != 0}
	done, err := w.exec(`INSERT INTO changes (at, case_id, by, why, was, became, before, after, undoes, answer, voter)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ch.At.UnixMicro(), ch.Case, ch.By, ch.Why, ch.From, ch.To, was, became, target, by.answer, by.voter)
	if err != nil {
		return ch, err
	}
	if ch.ID, err = done.LastInsertId(); err != nil {
		return ch, err
	}
	if err := w.place(before, after, ch.ID, became.String); err != nil {
		return ch, err
	}
	return ch, w.index(before, after)
}

// place puts the case itself, without its index.
func (w *writing) place(before, after *row, revision int64, body string) error {
	if after == nil {
		_, err := w.exec("DELETE FROM cases WHERE number = ?", before.number)
		return err
	}
	c := after.Case
	after.revision = revision
	if before != nil {
		after.number = before.number
		_, err := w.exec(`UPDATE cases SET status = ?, source = ?, key = ?, private = ?, backing = ?, revision = ?, body = ?,
			flag = CASE WHEN status = ? THEN flag ELSE '' END WHERE number = ?`,
			c.Status, c.Source, after.Key, after.Private, after.Backing, revision, body, c.Status, after.number)
		return err
	}
	done, err := w.exec("INSERT INTO cases (id, status, source, key, private, backing, revision, body, uses, up, down) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		c.ID, c.Status, c.Source, after.Key, after.Private, after.Backing, revision, body, c.Uses, c.Votes.Up, c.Votes.Down)
	if err != nil {
		return err
	}
	after.number, err = done.LastInsertId()
	return err
}

// A step is a change as it is kept.
type step struct {
	Change
	before string // JSON of the row, "" if there was none
	undoes int64
	cause  cause
}

const stepColumns = "seq, at, case_id, by, was, became, why, coalesce(before, ''), coalesce(undoes, 0), answer, voter"

func scanStep(scan func(...any) error) (s step, err error) {
	var at int64
	err = scan(&s.ID, &at, &s.Case, &s.By, &s.From, &s.To, &s.Why, &s.before, &s.undoes, &s.cause.answer, &s.cause.voter)
	s.At = time.UnixMicro(at).UTC()
	return s, err
}

// stepsOf returns the steps of a case, oldest first.
func stepsOf(ctx context.Context, in sqlite.Querier, id string) ([]step, error) {
	return sqlite.All(ctx, in, scanStep, "SELECT "+stepColumns+" FROM changes WHERE case_id = ? ORDER BY seq", id)
}

// standing returns the steps that hold, oldest first: those neither undone nor undoing.
func standing(steps []step) []step {
	byID := map[int64]step{}
	var held []step
	for _, s := range steps {
		byID[s.ID] = s
		if s.undoes == 0 {
			held = append(held, s)
			continue
		}
		undone := byID[s.undoes]
		if undone.undoes == 0 {
			held = slices.DeleteFunc(held, func(h step) bool { return h.ID == undone.ID })
		} else {
			held = append(held, byID[undone.undoes]) // an undoing was undone
		}
	}
	return held
}

// History returns the changes of a case, oldest first. Its error wraps
// [ErrUnknownCase] if there was never such a case.
func (l *Library) History(ctx context.Context, id string) ([]Change, error) {
	if err := l.synced(ctx); err != nil {
		return nil, err
	}
	steps, err := stepsOf(ctx, l.readers, id)
	if err != nil {
		return nil, l.explain(err)
	}
	if len(steps) == 0 {
		return nil, unknownCase(id)
	}
	changes := make([]Change, len(steps))
	for i, s := range steps {
		changes[i] = s.Change
	}
	return changes, nil
}

// Undo puts a case back to what it was before the change, and returns the
// change that this is. Only the last change that stands can be undone; an
// undoing can be undone itself if nothing came after it. Undoing an addition
// removes the case. Its error wraps [ErrUndo], saying what stands in the way.
//
// Where somebody undoes what members' votes did, members' votes on that case
// only flag it from then on.
func (l *Library) Undo(ctx context.Context, change int64, by string) (ch Change, err error) {
	err = l.inTransaction(ctx, func(w *writing) error {
		s, err := scanStep(w.queryRow("SELECT "+stepColumns+" FROM changes WHERE seq = ?", change).Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("change %d: %w: there is no such change", change, ErrUndo)
		}
		if err != nil {
			return err
		}
		steps, err := stepsOf(w.ctx, w.tx, s.Case)
		if err != nil {
			return err
		}
		ch, err = w.undo(s, steps, Change{By: by, Why: "undo: " + s.Why}, cause{})
		return err
	})
	return ch, err
}

// UndoLast undoes the last change of a case that stands. Called again, it goes
// one change further back. See [Library.Undo].
func (l *Library) UndoLast(ctx context.Context, id, by string) (ch Change, err error) {
	err = l.inTransaction(ctx, func(w *writing) error {
		steps, err := stepsOf(w.ctx, w.tx, id)
		if err != nil {
			return err
		}
		held := standing(steps)
		switch {
		case len(steps) == 0:
			return unknownCase(id)
		case len(held) == 0:
			return fmt.Errorf("case %q: %w: nothing is left to undo", id, ErrUndo)
		}
		last := held[len(held)-1]
		ch, err = w.undo(last, steps, Change{By: by, Why: "undo: " + last.Why}, cause{})
		return err
	})
	return ch, err
}

// undo puts back what was before s, the case's steps being given.
func (w *writing) undo(s step, steps []step, ch Change, by cause) (Change, error) {
	if !undoable(s, steps) {
		blocker := steps[len(steps)-1]
		return ch, fmt.Errorf("change %d of case %q: %w: it was undone already or changed again since (change %d by %s); undo that first",
			s.ID, s.Case, ErrUndo, blocker.ID, blocker.By)
	}
	now, err := find(w.ctx, w.tx, s.Case)
	if err != nil && !errors.Is(err, ErrUnknownCase) {
		return ch, err
	}
	if s.before == "" {
		return w.saveMerging(now, nil, ch, s.ID, by)
	}
	var before row
	if err := before.decode(s.before); err != nil {
		return ch, err
	}
	if s.By == ByTheMembers && by == (cause{}) {
		before.Held = true
	}
	if s.By == ByTheProgram {
		before.Touched = true // or the next Sync would do it again
	}
	return w.saveMerging(now, &before, ch, s.ID, by)
}

func undoable(s step, steps []step) bool {
	if s.undoes != 0 {
		return steps[len(steps)-1].ID == s.ID
	}
	held := standing(steps)
	return len(held) > 0 && held[len(held)-1].ID == s.ID
}
