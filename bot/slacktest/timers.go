package slacktest

import (
	"sync"
	"time"
)

// timers are what is still to happen in a workspace.
type timers struct {
	mu      sync.Mutex
	waiting map[*alarm]bool
	closed  bool
	busy    sync.WaitGroup
}

type alarm struct{ timer *time.Timer }

// after calls ring once d has passed, in a goroutine of its own. The function it
// returns takes that back.
func (s *timers) after(d time.Duration, ring func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return func() {}
	}
	if s.waiting == nil {
		s.waiting = make(map[*alarm]bool)
	}
	a := &alarm{}
	s.waiting[a] = true
	a.timer = time.AfterFunc(d, func() {
		if s.take(a) {
			defer s.busy.Done()
			ring()
		}
	})
	return func() {
		if s.take(a) {
			a.timer.Stop()
			s.busy.Done()
		}
	}
}

// take claims a for ringing, and reports whether it still was to ring.
func (s *timers) take(a *alarm) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.waiting[a] {
		return false
	}
	delete(s.waiting, a)
	s.busy.Add(1)
	return true
}

// close stops all timers and waits for those that ring.
func (s *timers) close() {
	s.mu.Lock()
	s.closed = true
	for a := range s.waiting {
		a.timer.Stop()
	}
	clear(s.waiting)
	s.mu.Unlock()
	s.busy.Wait()
}
