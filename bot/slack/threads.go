package slack

import (
	"context"
	"sync"
)

// threadsMost is how many threads the bot remembers to have answered in, and
// recentMost how many of its answers it asks the core for after a start or a cut.
const (
	threadsMost = 10_000
	recentMost  = 40
)

// threads are those in which the bot has answered: there, people needn't call it
// again. The oldest are forgotten first.
type threads struct {
	mu    sync.Mutex
	in    map[[2]string]bool
	order [][2]string
}

func (t *threads) add(channel, thread string) {
	if thread == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := [2]string{channel, thread}
	if t.in[key] {
		return
	}
	if t.in == nil {
		t.in = map[[2]string]bool{}
	}
	t.in[key] = true
	if t.order = append(t.order, key); len(t.order) > threadsMost {
		delete(t.in, t.order[0])
		t.order = t.order[1:]
	}
}

func (t *threads) has(channel, thread string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.in[[2]string{channel, thread}]
}

// recall learns from the core in which threads the bot has answered lately.
func (s *Slack) recall(ctx context.Context) {
	if s.Recent == nil {
		return
	}
	places, err := s.Recent(ctx, network, threadsMost)
	if err != nil {
		s.log().Warn("recalling threads", "err", err)
	}
	for i := len(places) - 1; i >= 0; i-- {
		s.threads.add(places[i].Channel, places[i].Thread)
	}
}
