package discord

import "sync"

// lately remembers the keys that came last, n at least and 2n at most.
type lately struct {
	mu       sync.Mutex
	n        int
	now, old map[string]bool
}

func newLately(n int) *lately { return &lately{n: n, now: map[string]bool{}} }

func (l *lately) add(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.now) >= l.n {
		l.now, l.old = map[string]bool{}, l.now
	}
	l.now[key] = true
}

func (l *lately) has(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now[key] || l.old[key]
}
