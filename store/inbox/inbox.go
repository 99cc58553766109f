package inbox

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"precedent/store/sqlite"
)

// An Event is something to be done.
type Event struct {
	ID    string // the same each time it comes; not empty
	Queue string // events of one are handed out one after the other; not empty
	User  string // who did it, for Forget
	Body  string // what is to be done; not empty
	State string // how far it has come, as Note was told
	Tries int    // times it was handed out; above 1, whoever had it before didn't finish
	At    time.Time
}

// Put keeps an event; fresh is false if it was here before, done or not. State,
// Tries and At are not looked at.
func (b *Inbox) Put(ctx context.Context, e Event) (fresh bool, err error) {
	const doing = "keeping an event"
	for name, value := range map[string]string{"ID": e.ID, "Queue": e.Queue, "Body": e.Body} {
		if value == "" {
			return false, fmt.Errorf("%s: its %s is empty", doing, name)
		}
	}
	p := &put{Event: e}
	b.coming.add(p)
	if err := b.turns.take(ctx, true); err != nil {
		b.coming.remove(p) // unless it is being kept right now: then it comes again, and was here before
		return false, b.fault(doing, err)
	}
	defer b.turns.give()
	if !p.done {
		b.keep(context.WithoutCancel(ctx), b.coming.all())
	}
	return p.fresh, b.fault(doing, p.err)
}

// waiting is the condition of an event that was put off, ?1 being now. One that
// was put off after now was so before the clock was set back: it waits no longer.
const waiting = "done = 0 AND after > 0 AND after > ?1 AND since <= ?1"

// next takes the open events from the oldest on, passing over queues that are
// busy or wait, and those of which an older one is there.
const next = `UPDATE events SET tries = tries + 1 WHERE seq IN (
		SELECT seq FROM events e WHERE done = 0
			AND queue NOT IN (SELECT value FROM json_each(?2))
			AND queue NOT IN (SELECT queue FROM events WHERE ` + waiting + `)
			AND NOT EXISTS (SELECT 1 FROM events b WHERE b.done = 0 AND b.queue = e.queue AND b.seq < e.seq)
		ORDER BY seq LIMIT ?3)
	RETURNING seq, id, queue, user, body, state, tries, at`

// Next hands out at most n events, oldest first: of each queue the first that
// isn't done, and none of the queues in busy or that are to wait. An event is
// handed out again by the next call unless its queue is in busy then.
func (b *Inbox) Next(ctx context.Context, busy []string, n int) ([]Event, error) {
	const doing = "taking events"
	if n <= 0 {
		return nil, nil
	}
	skip, err := json.Marshal(append([]string{}, busy...)) // never null, which is in no set
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	type numbered struct {
		seq int64
		Event
	}
	if err := b.turns.take(ctx, false); err != nil {
		return nil, b.fault(doing, err)
	}
	defer b.turns.give()
	found, err := sqlite.All(ctx, b.db, func(scan func(...any) error) (e numbered, err error) {
		var at int64
		err = scan(&e.seq, &e.ID, &e.Queue, &e.User, &e.Body, &e.State, &e.Tries, &at)
		e.At = time.UnixMilli(at)
		return e, err
	}, next, b.now(), string(skip), n)
	if err != nil {
		return nil, b.fault(doing, err)
	}
	// RETURNING promises no order (sqlite.org/lang_returning.html).
	slices.SortFunc(found, func(a, b numbered) int { return cmp.Compare(a.seq, b.seq) })
	out := make([]Event, len(found))
	for i, e := range found {
		out[i] = e.Event
	}
	return out, nil
}

// Waiting returns events that aren't done, oldest first, n at most, and hands none of
// them out: nothing has to be written for that.
func (b *Inbox) Waiting(ctx context.Context, n int) ([]Event, error) {
	list, err := sqlite.All(ctx, b.readers, func(scan func(...any) error) (e Event, err error) {
		var at int64
		err = scan(&e.ID, &e.Queue, &e.User, &e.Body, &e.State, &e.Tries, &at)
		e.At = time.UnixMilli(at)
		return e, err
	}, `SELECT id, queue, user, body, state, tries, at FROM events
		WHERE done = 0 ORDER BY seq LIMIT ?`, max(n, 0))
	return list, b.fault("looking at events", err)
}

// Try writes what stands in the file already: whether anything can be written.
func (b *Inbox) Try(ctx context.Context) error {
	return b.exec(ctx, "trying to write", fmt.Sprintf("PRAGMA user_version = %d", Format))
}

// Note keeps how far an event has come, until it is done.
func (b *Inbox) Note(ctx context.Context, id, state string) error {
	return b.exec(ctx, "noting how far an event is", "UPDATE events SET state = ? WHERE id = ? AND done = 0", state, id)
}

// Later has an event and its queue wait. Where the clock is set back meanwhile,
// they wait no longer than twice as long in all.
func (b *Inbox) Later(ctx context.Context, id string, wait time.Duration) error {
	return b.putOff(ctx, id, wait, 0)
}

// Wait is Later for an event that nobody has failed at: it doesn't count as a try.
func (b *Inbox) Wait(ctx context.Context, id string, wait time.Duration) error {
	return b.putOff(ctx, id, wait, 1)
}

func (b *Inbox) putOff(ctx context.Context, id string, wait time.Duration, tries int) error {
	now := b.now()
	return b.exec(ctx, "putting an event off", "UPDATE events SET after = ?, since = ?, tries = max(tries - ?, 0) WHERE id = ? AND done = 0",
		now+wait.Milliseconds(), now, tries, id)
}

// Finish ends an event, and in the same breath keeps where what was said stands.
// Of an event that was forgotten meanwhile it keeps nothing.
func (b *Inbox) Finish(ctx context.Context, id string, shown ...Shown) error {
	return b.together(ctx, "finishing an event", func(tx *sql.Tx) error {
		n, err := sqlite.Changed(tx.ExecContext(ctx, "UPDATE events SET done = ?, body = '', state = '' WHERE id = ?", b.now(), id))
		if err != nil || n == 0 {
			return err
		}
		for _, s := range shown {
			if err := b.show(ctx, tx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// Open counts the events that aren't done.
func (b *Inbox) Open(ctx context.Context) (n int, err error) {
	err = b.readers.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE done = 0").Scan(&n)
	return n, b.fault("counting events", err)
}

// Clock is the time by which events wait.
func (b *Inbox) Clock() time.Time { return time.UnixMilli(b.now()) }

// NextAt is when the first event that waited at a time, by Clock, is to be
// handed out; zero if none did. Asked for the time before a call of Next, it
// names every event that Next passed over because it was to wait.
func (b *Inbox) NextAt(ctx context.Context, of time.Time) (time.Time, error) {
	var at sql.NullInt64
	err := b.readers.QueryRowContext(ctx, "SELECT min(after) FROM events WHERE "+waiting, of.UnixMilli()).Scan(&at)
	if err != nil || !at.Valid {
		return time.Time{}, b.fault("looking for events that wait", err)
	}
	return time.UnixMilli(at.Int64), nil
}

// isNone tells whether err says that there is no such row.
func isNone(err error) bool { return errors.Is(err, sql.ErrNoRows) }
