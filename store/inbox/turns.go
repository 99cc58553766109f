package inbox

import (
	"context"
	"slices"
	"sync"
)

// turns let one at a time write to the file. Whoever keeps what was just heard
// goes before all others, who go in the order in which they came: a network waits
// three seconds to hear that something is kept, and nobody waits for the rest.
type turns struct {
	mu    sync.Mutex
	taken bool
	first []chan struct{} // who keep what was heard
	then  []chan struct{}
}

// take waits for a turn, until ctx ends; give ends it.
func (t *turns) take(ctx context.Context, first bool) error {
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return nil
	}
	queue := &t.then
	if first {
		queue = &t.first
	}
	mine := make(chan struct{})
	*queue = append(*queue, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	at := slices.Index(*queue, mine)
	if at >= 0 {
		*queue = slices.Delete(*queue, at, at+1)
	}
	t.mu.Unlock()
	if at < 0 { // it came meanwhile
		t.give()
	}
	return context.Cause(ctx)
}

func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, queue := range []*[]chan struct{}{&t.first, &t.then} {
		if len(*queue) > 0 {
			close((*queue)[0])
			*queue = slices.Delete(*queue, 0, 1)
			return
		}
	}
	t.taken = false
}
