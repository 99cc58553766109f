package bot

import "sync"

// A bell wakes one who waits for it, now or when he next does. The zero value is ready.
type bell struct {
	once sync.Once
	rang chan struct{}
}

// heard is sent to once the bell has rung.
func (b *bell) heard() chan struct{} {
	b.once.Do(func() { b.rang = make(chan struct{}, 1) })
	return b.rang
}

func (b *bell) ring() {
	select {
	case b.heard() <- struct{}{}:
	default:
	}
}
