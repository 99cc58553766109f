package cases

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/sqlite"
)

// Add adds a case and returns it as kept: with an id, a time and a status
// (candidate) where it had none. Its error wraps [ErrCase] or [ErrDuplicate].
func (l *Library) Add(ctx context.Context, c store.Case, ch Change) (store.Case, error) {
	added, err := l.AddAll(ctx, []store.Case{c}, ch)
	if err != nil {
		return c, err
	}
	return added[0], nil
}

// AddAll adds cases, all or none. See [Library.Add]. Checking them is up to
// the caller: a case whose status is verified is taken as a curator's.
func (l *Library) AddAll(ctx context.Context, cs []store.Case, ch Change) ([]store.Case, error) {
	added := make([]store.Case, 0, len(cs))
	err := l.inTransaction(ctx, func(w *writing) error {
		for i, c := range cs {
			c, err := l.admit(w, c, ch)
			if err != nil {
				return fmt.Errorf("%w (number %d of %d; none was added)", err, i+1, len(cs))
			}
			added = append(added, c)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// AddEach is AddAll of cases that needn't be in memory together, and returns how
// many were added. An error that cs yields ends it, and none is added. The file
// is locked while cs yields.
func (l *Library) AddEach(ctx context.Context, cs iter.Seq2[store.Case, error], ch Change) (added int, err error) {
	err = l.inTransaction(ctx, func(w *writing) error {
		for c, err := range cs {
			if err == nil {
				_, err = l.admit(w, c, ch)
			}
			if err != nil {
				return fmt.Errorf("%w (number %d; none was added)", err, added+1)
			}
			added++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// admit adds a case and returns it as kept.
func (l *Library) admit(w *writing, c store.Case, ch Change) (store.Case, error) {
	c, err := l.prepare(c, w.at)
	if err != nil {
		return c, err
	}
	r := &row{Case: c, Why: ch.Why, Touched: true} // whatever source it names: Sync leaves it alone
	if c.Status != store.Candidate {
		r.Backing = ByCurator
	}
	r.Private = c.Private && c.Status == store.Candidate
	if c.Status != store.Verified && l.keyOf != nil { // what people ask and like is the same one
		r.Key = l.keyOf(c)
		taken, err := w.has("SELECT 1 FROM cases WHERE key = ? AND key <> ''", r.Key)
		if err != nil {
			return c, err
		}
		if taken {
			r.Key = ""
		}
	}
	if c.Status == store.Verified && c.VerifiedAt == nil {
		r.become(store.Verified, ch, w.at)
	}
	err = w.add(r, ch)
	return r.Case, err
}

func (w *writing) add(r *row, ch Change) error {
	taken, err := w.has("SELECT 1 FROM cases WHERE id = ?", r.Case.ID)
	if err != nil {
		return err
	}
	if taken {
		return fmt.Errorf("case %q: %w; give it another id, or leave the id out", r.Case.ID, ErrDuplicate)
	}
	_, err = w.save(nil, r, ch, 0, cause{})
	return err
}

// Case returns a case. Its error wraps [ErrUnknownCase].
func (l *Library) Case(ctx context.Context, id string) (store.Case, error) {
	if err := l.synced(ctx); err != nil {
		return store.Case{}, err
	}
	r, err := find(ctx, l.readers, id)
	if err != nil {
		return store.Case{}, l.explain(err)
	}
	return r.Case, nil
}

// A Filter says which cases to list; its zero value lists all.
type Filter struct {
	Status  store.Status
	Source  string
	Text    string // what the id, the question, a wording or the query holds, in any case
	Public  bool   // leaves out what was asked in private and not approved yet
	Flagged bool   // only what members want curators to look at
}

// List returns the cases that f lets through, in the order they were added.
func (l *Library) List(ctx context.Context, f Filter) (found []store.Case, err error) {
	if err := l.synced(ctx); err != nil {
		return nil, err
	}
	where, args := f.condition()
	err = sqlite.Each(ctx, l.readers, func(scan func(...any) error) error {
		r, err := scanRow(scan)
		if err == nil && r.mentions(f.Text) {
			found = append(found, r.Case)
		}
		return err
	}, "SELECT "+rowColumns+" FROM cases "+where, args...)
	return found, l.explain(err)
}

// condition is what rows must meet, Text aside, and their order. A few are
// looked up and sorted: the plus keeps SQLite from going through all in their
// order (sqlite.org/optoverview.html#uplus).
func (f Filter) condition() (where string, args []any) {
	met, order := []string{"true"}, "number"
	if f.Status != "" {
		met, args, order = append(met, "status = ?"), append(args, f.Status), "+number"
	}
	if f.Source != "" {
		met, args = append(met, "source = ?"), append(args, f.Source)
	}
	if f.Public {
		met = append(met, "private = 0")
	}
	if f.Flagged {
		met, order = append(met, "flag <> ''"), "+number"
	}
	return "WHERE " + strings.Join(met, " AND ") + " ORDER BY " + order, args
}

func (r *row) mentions(text string) bool {
	text = fold(text)
	holds := func(s string) bool { return strings.Contains(fold(s), text) }
	return text == "" || r.Case.ID == text || holds(r.Case.Question) || holds(r.Case.Query) || slices.ContainsFunc(r.Case.Wordings, holds)
}

// Replace puts c in place of the case with its id: the words, query, slots and
// notes. Status, votes, uses and who made it stay. Its error wraps
// [ErrUnknownCase] or [ErrCase].
func (l *Library) Replace(ctx context.Context, c store.Case, ch Change) (store.Case, error) {
	return l.edit(ctx, c.ID, ch, func(r *row) error {
		old := r.Case
		c, err := l.prepare(c, old.Created)
		if err != nil {
			return err
		}
		c.Status, c.Author, c.Source, c.Created = old.Status, old.Author, old.Source, old.Created
		c.VerifiedBy, c.VerifiedAt, c.Votes, c.Uses = old.VerifiedBy, old.VerifiedAt, old.Votes, old.Uses
		r.Case = c
		return nil
	})
}

// AddWording adds a way to ask a case, with {slot} where a value goes. Adding
// one that is there already changes nothing.
func (l *Library) AddWording(ctx context.Context, id, wording string, ch Change) (store.Case, error) {
	return l.edit(ctx, id, ch, func(r *row) error {
		wording = strings.TrimSpace(wording)
		switch {
		case wording == "":
			return fmt.Errorf("case %q: %w: the wording is empty", id, ErrCase)
		case slices.Contains(r.Case.Wordings, wording):
			return errUnchanged
		case len(r.Case.Wordings) >= MaxWordings:
			return fmt.Errorf("case %q: %w: it has %d wordings and that is the most", id, ErrCase, MaxWordings)
		}
		r.Case.Wordings = append(r.Case.Wordings, wording)
		return nil
	})
}

var errUnchanged = errors.New("nothing to change")

func (l *Library) edit(ctx context.Context, id string, ch Change, do func(*row) error) (c store.Case, err error) {
	err = l.inTransaction(ctx, func(w *writing) error {
		before, err := find(w.ctx, w.tx, id)
		if err != nil {
			return err
		}
		after := before.clone()
		after.Touched = after.Touched || !ch.Auto
		c = before.Case
		if err := do(after); err != nil {
			return err
		}
		c = after.Case
		_, err = w.save(before, after, ch, 0, cause{})
		return err
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return c, err
}

// Move moves a case to another status as a curator does, and returns the
// change. Moving to verified asks Config.Check first, and approves the text of
// a case that was asked in private; one that duplicates another becomes
// wordings of it and is retired. Moving a flagged case from verified to verified
// keeps it and takes the flag away; with Change.AsIs it is kept as it is. Its error wraps [ErrUnknownCase],
// [ErrMove] when a case can't go that way, or [ErrPromotion].
func (l *Library) Move(ctx context.Context, id string, to store.Status, ch Change) (Change, error) {
	var done Change
	err := l.checking(ctx, func(w *writing, passed checks) error {
		before, err := find(w.ctx, w.tx, id)
		if err != nil {
			return err
		}
		switch from := before.Case.Status; {
		case from == store.Verified && to == from && ch.AsIs:
			if _, err = w.exec("UPDATE cases SET flag = '' WHERE id = ?", id); err == nil {
				done, err = l.promote(w, before, ch, backingOf(before, ch), cause{}, passed)
			}
		case from == store.Verified && to == from && before.flag != "":
			if _, err = w.exec("UPDATE cases SET flag = '' WHERE id = ?", id); err == nil {
				done, err = w.move(before, to, ch, backingOf(before, ch), cause{})
			}
		case !from.CanBecome(to):
			return fmt.Errorf("case %q: %w: it is %s and can't become %s", id, ErrMove, from, to)
		case to == store.Verified:
			done, err = l.promote(w, before, ch, backingOf(before, ch), cause{}, passed)
		default:
			done, err = w.move(before, to, ch, backingOf(before, ch), cause{})
		}
		return err
	})
	return done, err
}

func backingOf(r *row, ch Change) Backing {
	if ch.Auto {
		return r.Backing
	}
	return ByCurator
}

// move saves a case under another status. What a curator verifies is public.
func (w *writing) move(before *row, to store.Status, ch Change, backing Backing, by cause) (Change, error) {
	after := before.clone()
	after.become(to, ch, w.at)
	after.Case.AsIs = after.Case.AsIs || ch.AsIs
	after.Backing = backing
	after.Touched = after.Touched || !ch.Auto
	after.Into, after.Given = "", nil
	if to == store.Verified && backing == ByCurator {
		after.Private = false
	}
	return w.saveMerging(before, after, ch, 0, by)
}
