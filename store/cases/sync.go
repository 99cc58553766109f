package cases

import (
	"context"
	"fmt"
	"sync"
	"time"

	"precedent/store"
	"precedent/store/sqlite"
)

// shippedSource is the source of cases that come with the program.
const shippedSource = "shipped"

// A Synced counts what [Library.Sync] did.
type Synced struct {
	Added, Updated, Retired int
	Kept                    int // left alone because people moved or edited them, or use the id for their own
}

// Sync brings the cases that come with the program into the file: new ones are
// added, changed ones updated, those that are gone retired. What people moved
// or edited stays as they left it. Nothing is read or written when hash is
// that of the last time.
func (l *Library) Sync(ctx context.Context, shipped []store.Case, hash string) (done Synced, err error) {
	if has, err := l.hasShipped(ctx, hash); has || err != nil {
		return done, err
	}
	err = l.inTransaction(ctx, func(w *writing) (err error) {
		done, err = l.sync(w, shipped, hash)
		return err
	})
	return done, err
}

// A syncing is a Sync in the background.
type syncing struct {
	want  func() // lets it begin now
	ended chan struct{}
	err   error // once it ended
}

// syncRest is how long a Sync in the background leaves the processors to a
// program that starts, unless somebody waits for it.
const syncRest = 250 * time.Millisecond

// SyncInBackground is [Library.Sync] for a program that can't wait. When it
// returns, everything that is written later comes after it; [Library.Case],
// List, History, Standing and Recall wait for it, and so does Close, which
// returns its error. It is one transaction: a program that is killed leaves
// the file as it was. Call it at most once, before the library is shared.
func (l *Library) SyncInBackground(ctx context.Context, shipped []store.Case, hash string) error {
	if has, err := l.hasShipped(ctx, hash); has || err != nil {
		return err
	}
	w, err := l.begin(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	wanted := make(chan struct{})
	s := &syncing{want: sync.OnceFunc(func() { close(wanted) }), ended: make(chan struct{})}
	l.syncing.Store(s)
	l.backgroundEnding.Go(func() {
		defer close(s.ended)
		select {
		case <-wanted:
		case <-l.background.Done():
		case <-time.After(syncRest):
		}
		s.err = l.finish(w, func(w *writing) error {
			_, err := l.sync(w, shipped, hash)
			return err
		})
		if s.err != nil {
			l.log.Error("bringing in the shipped cases", "error", s.err)
		}
	})
	return nil
}

// synced returns when no Sync is in the background.
func (l *Library) synced(ctx context.Context) error {
	s := l.syncing.Load()
	if s == nil {
		return nil
	}
	s.want()
	select {
	case <-s.ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the shipped cases: %w", ctx.Err())
	}
}

// hasShipped reports whether the last Sync was of hash.
func (l *Library) hasShipped(ctx context.Context, hash string) (bool, error) {
	var last string
	err := l.readers.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE name = 'shipped'), '')").Scan(&last)
	return last == hash && hash != "", l.explain(err)
}

func (l *Library) sync(w *writing, shipped []store.Case, hash string) (done Synced, err error) {
	if last, err := w.meta("shipped"); err != nil || last == hash && hash != "" {
		return done, err // another process was faster
	}
	there, err := w.shipped()
	if err != nil {
		return done, err
	}
	for _, c := range shipped {
		if err := l.ship(w, c, there[c.ID], &done); err != nil {
			return done, err
		}
		delete(there, c.ID)
	}
	for _, r := range there {
		if err := w.withdraw(r, &done); err != nil {
			return done, err
		}
	}
	return done, w.setMeta("shipped", hash)
}

// shipped returns the cases of the last Sync by id.
func (w *writing) shipped() (map[string]*row, error) {
	rows, err := sqlite.All(w.ctx, w.tx, scanRow, "SELECT "+rowColumns+" FROM cases WHERE source = ?", shippedSource)
	there := map[string]*row{}
	for _, r := range rows {
		there[r.Case.ID] = r
	}
	return there, err
}

func (l *Library) ship(w *writing, c store.Case, there *row, done *Synced) error {
	c.Source = shippedSource
	if c.Status == "" {
		c.Status = store.Verified
	}
	created := w.at
	if there != nil {
		created = there.Case.Created
	}
	c, err := l.prepare(c, created)
	if err != nil {
		return err
	}
	ch := Change{By: ByTheProgram, Why: "came with the program"}
	r := &row{Case: c, Backing: ByShipping}
	if c.Status == store.Verified && c.VerifiedAt == nil {
		since := w.at
		if there != nil && there.Case.VerifiedAt != nil {
			since = *there.Case.VerifiedAt
		}
		r.become(c.Status, ch, since)
	}
	r.Why = ch.Why
	switch {
	case there != nil && there.Touched:
		done.Kept++
		return nil
	case there != nil && there.same(r):
		return nil
	case there != nil:
		done.Updated++
		_, err = w.save(there, r, ch, 0, cause{})
		return err
	}
	// There is or was such a case: one that people made, or one that they removed.
	taken, err := w.has("SELECT 1 FROM changes WHERE case_id = ?", c.ID)
	if err != nil {
		return err
	}
	if taken {
		done.Kept++
		return nil
	}
	done.Added++
	return w.add(r, ch)
}

// same reports whether two rows hold the same case, counts aside.
func (r *row) same(o *row) bool {
	a, errA := r.encode()
	b, errB := o.encode()
	return errA == nil && errB == nil && a == b
}

func (w *writing) withdraw(r *row, done *Synced) error {
	switch {
	case r.Touched:
		done.Kept++
	case r.Case.Status == store.Verified:
		done.Retired++
		_, err := w.move(r, store.Retired, Change{By: ByTheProgram, Why: "no longer comes with the program", Auto: true}, r.Backing, cause{})
		return err
	}
	return nil
}
