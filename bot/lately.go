package bot

import (
	"sync"
	"time"
)

// Bounds of what is remembered as done.
const (
	latelyFor  = time.Minute
	latelyMost = 10_000
)

// lately remembers what was done in the last minute. The zero value is ready.
type lately struct {
	mu   sync.Mutex
	done map[string]deed
}

type deed struct {
	by string
	at time.Time
}

// first tells whether key is done for the first time lately. What did it, an
// event, may do it again.
func (l *lately) first(key, by string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if was, ok := l.done[key]; ok && was.by != by && now.Sub(was.at) < latelyFor {
		return false
	}
	if len(l.done) >= latelyMost {
		for key, was := range l.done {
			if now.Sub(was.at) >= latelyFor {
				delete(l.done, key)
			}
		}
	}
	if l.done == nil || len(l.done) >= latelyMost { // a flood: better twice than without bound
		l.done = make(map[string]deed)
	}
	l.done[key] = deed{by, now}
	return true
}

// known tells whether key was done lately.
func (l *lately) known(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, ok := l.done[key]
	return ok && time.Since(was.at) < latelyFor
}

// again lets key be done once more.
func (l *lately) again(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.done, key)
}
