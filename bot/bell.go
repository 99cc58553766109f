package bot

import "sync"

// A Bell wakes one who waits for it, now or when he next does; rung twice before
// that, it wakes him once. The zero value is ready; a nil one wakes nobody.
type Bell struct {
	once sync.Once
	rang chan struct{}
}

// Ring wakes who waits for Rang.
func (b *Bell) Ring() {
	if b == nil {
		return
	}
	select {
	case b.made() <- struct{}{}:
	default:
	}
}

// Rang is received from once the bell has rung.
func (b *Bell) Rang() <-chan struct{} {
	if b == nil {
		return nil
	}
	return b.made()
}

func (b *Bell) made() chan struct{} {
	b.once.Do(func() { b.rang = make(chan struct{}, 1) })
	return b.rang
}
