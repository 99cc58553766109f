package inbox

import (
	"context"
	"database/sql"
	"slices"
	"sync"

	"precedent/store/sqlite"
)

// A put is an event on its way to the disk. What follows Event is for whoever has
// the turn to write.
type put struct {
	Event
	done  bool
	fresh bool
	err   error
}

// coming are the puts that wait: whoever gets the turn keeps all of them, so that
// a crowd costs the disk as much as one.
type coming struct {
	mu   sync.Mutex
	puts []*put
}

func (c *coming) add(p *put) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.puts = append(c.puts, p)
}

func (c *coming) remove(p *put) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.puts = slices.DeleteFunc(c.puts, func(q *put) bool { return q == p })
}

// all hands over those that wait.
func (c *coming) all() []*put {
	c.mu.Lock()
	defer c.mu.Unlock()
	puts := c.puts
	c.puts = nil
	return puts
}

// keep keeps puts, all or none. Whoever calls it has the turn.
func (b *Inbox) keep(ctx context.Context, puts []*put) {
	err := b.transact(ctx, func(tx *sql.Tx) error {
		for _, p := range puts {
			n, err := sqlite.Changed(tx.ExecContext(ctx, `INSERT INTO events (id, queue, user, body, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
				p.ID, p.Queue, p.User, p.Body, b.now()))
			if err != nil {
				return err
			}
			p.fresh = n > 0
		}
		return nil
	})
	for _, p := range puts {
		p.done, p.err, p.fresh = true, err, p.fresh && err == nil
	}
}
