package engine

import "sync"

// maxRemembered is how much a memo holds.
const maxRemembered = 1000

// A memo remembers what was found out about keys, and forgets all of it once it is
// full. The zero value is ready; it is safe for concurrent use.
type memo[K comparable, V any] struct {
	mu sync.Mutex
	of map[K]V
}

func (m *memo[K, V]) find(key K) (v V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok = m.of[key]
	return v, ok
}

func (m *memo[K, V]) keep(key K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil || len(m.of) >= maxRemembered {
		m.of = make(map[K]V)
	}
	m.of[key] = v
}
