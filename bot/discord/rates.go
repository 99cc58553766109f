package discord

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"precedent/bot"
)

// Discord takes 50 requests a second of a bot, those on interactions aside; a
// few are left for those that discordgo makes.
const (
	globalRate   = 45
	globalWindow = time.Second
	spared       = 2    // requests of a bucket that are left to what can't be done without
	manyRates    = 1000 // beyond, those that hold nobody up are forgotten
)

// rates hold requests back that Discord would answer with 429, by what the
// headers of earlier answers said. One request of a bucket is made at a time.
type rates struct {
	mu      sync.Mutex
	until   time.Time // nothing goes before
	used    int       // in this window
	window  time.Time
	buckets map[string]*bucket
}

type bucket struct {
	turn  chan struct{}
	users int // that hold or await the turn
	left  int // requests, until reset
	reset time.Time
}

func newRates() *rates { return &rates{buckets: map[string]*bucket{}} }

// A turn is leave to make one request, to be given back by leave.
type turn struct {
	r   *rates
	key string
	b   *bucket
}

// enter waits for the requests before it, and fails with a [bot.Wait] where
// there is longer to wait.
func (r *rates) enter(ctx context.Context, q request) (*turn, error) {
	t := &turn{r: r, key: q.method + " " + q.bucket}
	if q.bucket != "" {
		if err := t.queue(ctx); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	wait := r.wait(t.b, q, time.Now())
	r.mu.Unlock()
	if wait > 0 {
		t.release()
		return nil, bot.Wait{For: wait}
	}
	return t, nil
}

func (t *turn) queue(ctx context.Context) error {
	t.r.mu.Lock()
	b := t.r.buckets[t.key]
	if b == nil {
		t.r.forget(time.Now())
		b = &bucket{turn: make(chan struct{}, 1)}
		t.r.buckets[t.key] = b
	}
	b.users++
	t.r.mu.Unlock()
	select {
	case b.turn <- struct{}{}:
		t.b = b
		return nil
	case <-ctx.Done():
		t.r.mu.Lock()
		b.users--
		t.r.mu.Unlock()
		return ctx.Err()
	}
}

// wait counts the request, unless there is a while to wait first; r.mu is held.
func (r *rates) wait(b *bucket, q request, now time.Time) time.Duration {
	keep, most := 0, globalRate
	if q.spare {
		keep, most = spared, globalRate/2
	}
	if b != nil {
		if b.left <= keep && now.Before(b.reset) {
			return b.reset.Sub(now)
		}
		b.left--
	}
	if q.open {
		return 0
	}
	if now.Before(r.until) {
		return r.until.Sub(now)
	}
	if now.Sub(r.window) >= globalWindow {
		r.window, r.used = now, 0
	}
	if r.used >= most {
		return r.window.Add(globalWindow).Sub(now)
	}
	r.used++
	return 0
}

// forget drops the buckets that tell nothing any more; r.mu is held.
func (r *rates) forget(now time.Time) {
	if len(r.buckets) < manyRates {
		return
	}
	for key, b := range r.buckets {
		if b.users == 0 && now.After(b.reset) {
			delete(r.buckets, key)
		}
	}
}

// leave notes what the answer said; wait is what a 429 asked for.
func (t *turn) leave(h http.Header, wait time.Duration) {
	t.r.mu.Lock()
	now := time.Now()
	switch {
	case wait > 0 && (h.Get("X-RateLimit-Global") != "" || h.Get("X-RateLimit-Scope") == "" && h.Get("X-RateLimit-Bucket") == ""):
		t.r.until = now.Add(wait)
	case t.b == nil:
	case wait > 0:
		t.b.left, t.b.reset = 0, now.Add(wait)
	case h.Get("X-RateLimit-Remaining") != "":
		t.b.left, _ = strconv.Atoi(h.Get("X-RateLimit-Remaining"))
		after, _ := strconv.ParseFloat(h.Get("X-RateLimit-Reset-After"), 64)
		t.b.reset = now.Add(time.Duration(after * float64(time.Second)))
	}
	t.r.mu.Unlock()
	t.release()
}

func (t *turn) release() {
	if t.b == nil {
		return
	}
	t.r.mu.Lock()
	t.b.users--
	t.r.mu.Unlock()
	<-t.b.turn
}
