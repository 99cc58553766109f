package inbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// An Event is something to be done.
type Event struct {
	ID    string // the same each time it comes
	Queue string // events of one are handed out one after the other
	User  string // who did it, for Forget
	Body  string // what is to be done; not empty
	State string // how far it has come, as Note was told
	Tries int    // times it was handed out; above 1, whoever had it before didn't finish
	At    time.Time
}

// Put keeps an event; fresh is false if it was here before, done or not.
func (b *Inbox) Put(ctx context.Context, e Event) (fresh bool, err error) {
	done, err := b.db.ExecContext(ctx, `INSERT INTO events (id, queue, user, body, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		e.ID, e.Queue, e.User, e.Body, b.now())
	if err != nil {
		return false, fmt.Errorf("keeping an event: %w", err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// furthest is how far off an event may be put; one further off was put off
// before the clock was set back, and is due.
const furthest = 15 * time.Minute

// Next hands out at most n events, oldest first: of each queue the first that
// isn't done, and none of the queues in busy or that are to wait. An event is
// handed out again by the next call unless its queue is in busy then.
func (b *Inbox) Next(ctx context.Context, busy []string, n int) ([]Event, error) {
	skip, err := json.Marshal(busy)
	if err != nil {
		return nil, fmt.Errorf("taking events: %w", err)
	}
	if busy == nil {
		skip = []byte("[]")
	}
	rows, err := b.db.QueryContext(ctx, `UPDATE events SET tries = tries + 1 WHERE seq IN (
			SELECT seq FROM events e WHERE done = 0 AND (after <= ?1 OR after > ?4) AND queue NOT IN (SELECT value FROM json_each(?2))
			AND NOT EXISTS (SELECT 1 FROM events b WHERE b.done = 0 AND b.queue = e.queue AND b.seq < e.seq)
			ORDER BY seq LIMIT ?3)
		RETURNING id, queue, user, body, state, tries, at`, b.now(), string(skip), n, b.now()+furthest.Milliseconds())
	if err != nil {
		return nil, fmt.Errorf("taking events: %w", err)
	}
	defer rows.Close()
	var out []Event
	for rows.Next() {
		var e Event
		var at int64
		if err := rows.Scan(&e.ID, &e.Queue, &e.User, &e.Body, &e.State, &e.Tries, &at); err != nil {
			return nil, fmt.Errorf("taking events: %w", err)
		}
		e.At = time.UnixMilli(at)
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("taking events: %w", err)
	}
	return out, nil
}

// Note keeps how far an event has come.
func (b *Inbox) Note(ctx context.Context, id, state string) error {
	return b.exec(ctx, "noting an event", "UPDATE events SET state = ? WHERE id = ?", state, id)
}

// Later has an event and its queue wait.
func (b *Inbox) Later(ctx context.Context, id string, wait time.Duration) error {
	return b.exec(ctx, "putting an event off", "UPDATE events SET after = ? WHERE id = ?", b.now()+wait.Milliseconds(), id)
}

// Finish ends an event, and in the same breath keeps where what was said stands.
func (b *Inbox) Finish(ctx context.Context, id string, shown ...Shown) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("finishing an event: %w", err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE events SET done = ?, body = '', state = '' WHERE id = ?", b.now(), id); err != nil {
		return fmt.Errorf("finishing an event: %w", err)
	}
	for _, s := range shown {
		if err := b.show(ctx, tx, s); err != nil {
			return fmt.Errorf("finishing an event: %w", err)
		}
	}
	return tx.Commit()
}

// Open counts the events that aren't done.
func (b *Inbox) Open(ctx context.Context) (n int, err error) {
	if err := b.db.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE done = 0").Scan(&n); err != nil {
		return 0, fmt.Errorf("counting events: %w", err)
	}
	return n, nil
}

// NextAt is when the first event that waits is to be handed out; zero if none waits.
func (b *Inbox) NextAt(ctx context.Context) (time.Time, error) {
	var at sql.NullInt64
	if err := b.db.QueryRowContext(ctx, "SELECT min(after) FROM events WHERE done = 0 AND after > ?", b.now()).Scan(&at); err != nil {
		return time.Time{}, fmt.Errorf("looking for events that wait: %w", err)
	}
	if !at.Valid {
		return time.Time{}, nil
	}
	return time.UnixMilli(at.Int64), nil
}

func (b *Inbox) exec(ctx context.Context, doing, query string, args ...any) error {
	if _, err := b.db.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// ErrUnknown reports something that isn't in the inbox.
var ErrUnknown = errors.New("it isn't known")
