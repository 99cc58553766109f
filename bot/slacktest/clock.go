package slacktest

import (
	"slices"
	"sync"
	"time"
)

// A Clock is the workspace's time: it runs as the machine's does, from where the
// test has set it. Everything that expires or is sent again follows it.
type Clock struct {
	mu     sync.Mutex
	offset time.Duration
	timers []*alarm
	closed bool
	busy   sync.WaitGroup
}

type alarm struct {
	at   time.Time
	ring func()
	wake *time.Timer
}

// Now is the workspace's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time { return time.Now().Add(c.offset) }

// Advance moves the clock forward by d. Whatever falls due on the way has
// happened when it returns, each thing at its own time.
func (c *Clock) Advance(d time.Duration) {
	end := c.Now().Add(d)
	for {
		c.mu.Lock()
		a := c.first()
		if a == nil || a.at.After(end) {
			if late := end.Sub(c.now()); late > 0 {
				c.offset += late
			}
			c.rearm()
			c.mu.Unlock()
			return
		}
		if ahead := a.at.Sub(c.now()); ahead > 0 {
			c.offset += ahead
		}
		if !c.take(a) {
			c.mu.Unlock()
			continue
		}
		c.mu.Unlock()
		a.ring()
		c.busy.Done()
	}
}

// after calls ring once d has passed, in its own goroutine or in Advance's. The
// function it returns takes that back.
func (c *Clock) after(d time.Duration, ring func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return func() {}
	}
	a := &alarm{at: c.now().Add(d), ring: ring}
	c.timers = append(c.timers, a)
	c.arm(a)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.remove(a)
	}
}

func (c *Clock) arm(a *alarm) {
	a.wake = time.AfterFunc(max(0, a.at.Sub(c.now())), func() {
		c.mu.Lock()
		due := !a.at.After(c.now()) && c.take(a)
		c.mu.Unlock()
		if due {
			defer c.busy.Done()
			a.ring()
		}
	})
}

func (c *Clock) rearm() {
	for _, a := range c.timers {
		a.wake.Stop()
		c.arm(a)
	}
}

func (c *Clock) first() *alarm {
	if len(c.timers) == 0 {
		return nil
	}
	return slices.MinFunc(c.timers, func(a, b *alarm) int { return a.at.Compare(b.at) })
}

// take claims a for ringing, and reports whether it still was to ring.
func (c *Clock) take(a *alarm) bool {
	if !c.remove(a) {
		return false
	}
	c.busy.Add(1)
	return true
}

func (c *Clock) remove(a *alarm) bool {
	i := slices.Index(c.timers, a)
	if i < 0 {
		return false
	}
	a.wake.Stop()
	c.timers = slices.Delete(c.timers, i, i+1)
	return true
}

// close stops all timers and waits for those that ring.
func (c *Clock) close() {
	c.mu.Lock()
	c.closed = true
	for _, a := range slices.Clone(c.timers) {
		c.remove(a)
	}
	c.mu.Unlock()
	c.busy.Wait()
}
