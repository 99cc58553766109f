package inbox_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"precedent/store/inbox"
)

// open opens an inbox in a fresh folder and closes it when the test ends.
func open(t testing.TB) *inbox.Inbox {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "inbox.db"))
}

func openAt(t testing.TB, path string) *inbox.Inbox {
	t.Helper()
	b := must[*inbox.Inbox](t)(inbox.Open(t.Context(), path))
	t.Cleanup(func() { b.Close() })
	return b
}

// must fails the test on an error and returns the value.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put puts events that are written queue/id.
func put(t testing.TB, b *inbox.Inbox, events ...string) {
	t.Helper()
	for _, e := range events {
		queue, _, _ := strings.Cut(e, "/")
		if !must[bool](t)(b.Put(t.Context(), inbox.Event{ID: e, Queue: queue, User: "slack:U1", Body: "body of " + e})) {
			t.Errorf("%s was here before", e)
		}
	}
}

// takes checks which events the inbox hands out.
func takes(t testing.TB, b *inbox.Inbox, busy []string, n int, want ...string) {
	t.Helper()
	var got []string
	for _, e := range must[[]inbox.Event](t)(b.Next(t.Context(), busy, n)) {
		got = append(got, e.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("handed out %q, want %q", got, want)
	}
}

func finish(t testing.TB, b *inbox.Inbox, ids ...string) {
	t.Helper()
	for _, id := range ids {
		check(t, b.Finish(t.Context(), id))
	}
}

// A clock is what a test sets the time with.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) goes(d time.Duration) { c.at = c.at.Add(d) }

func started(b *inbox.Inbox) *clock {
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.Now = c.now
	return c
}

func TestPutTwice(t *testing.T) {
	b := open(t)
	put(t, b, "a/1")
	again := inbox.Event{ID: "a/1", Queue: "b", User: "slack:U2", Body: "other"}
	if must[bool](t)(b.Put(t.Context(), again)) {
		t.Error("an event that waits is taken as new")
	}
	got := must[[]inbox.Event](t)(b.Next(t.Context(), nil, 9))
	if len(got) != 1 || got[0].Body != "body of a/1" || got[0].Queue != "a" || got[0].User != "slack:U1" || got[0].Tries != 1 || time.Since(got[0].At) > time.Minute {
		t.Errorf("handed out %+v", got)
	}
	finish(t, b, "a/1")
	if must[bool](t)(b.Put(t.Context(), again)) {
		t.Error("an event that is done is taken as new")
	}
	takes(t, b, nil, 9)
}

func TestPutNothing(t *testing.T) {
	b := open(t)
	for missing, e := range map[string]inbox.Event{
		"ID":    {Queue: "q", Body: "b"},
		"Queue": {ID: "i", Body: "b"},
		"Body":  {ID: "i", Queue: "q"},
	} {
		if _, err := b.Put(t.Context(), e); err == nil || !strings.Contains(err.Error(), "its "+missing+" is empty") {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

func TestOrder(t *testing.T) {
	b := open(t)
	put(t, b, "b/1", "a/1", "b/2", "c/1", "a/2")
	takes(t, b, nil, 0)
	takes(t, b, nil, -1)
	takes(t, b, nil, 2, "b/1", "a/1")
	takes(t, b, nil, 9, "b/1", "a/1", "c/1")
	takes(t, b, []string{"a", "b"}, 9, "c/1")
	takes(t, b, []string{"nobody's"}, 9, "b/1", "a/1", "c/1")
	finish(t, b, "b/1")
	takes(t, b, []string{"a"}, 9, "b/2", "c/1")
	finish(t, b, "b/2", "a/1", "c/1")
	takes(t, b, nil, 9, "a/2")
	finish(t, b, "a/2", "no such")
	takes(t, b, nil, 9)
	if n := must[int](t)(b.Open(t.Context())); n != 0 {
		t.Errorf("%d are open", n)
	}
}

func TestOrderOfMany(t *testing.T) {
	b := open(t)
	var want []string
	for i := range 300 {
		id := fmt.Sprintf("%x/%d", i*7919%4099, i) // queues in an order of their own
		put(t, b, id)
		want = append(want, id)
	}
	takes(t, b, nil, 1000, want...)
}

func TestLater(t *testing.T) {
	b := open(t)
	c := started(b)
	put(t, b, "a/1", "a/2", "b/1", "c/1")
	takes(t, b, nil, 9, "a/1", "b/1", "c/1")
	check(t, b.Later(t.Context(), "a/1", time.Minute))
	check(t, b.Later(t.Context(), "b/1", time.Hour))
	takes(t, b, nil, 9, "c/1") // a/2 waits behind a/1
	if at := must[time.Time](t)(b.NextAt(t.Context(), b.Clock())); !at.Equal(c.at.Add(time.Minute)) {
		t.Errorf("the next is at %v", at)
	}
	c.goes(time.Minute)
	takes(t, b, nil, 9, "a/1", "c/1")
	if at := must[time.Time](t)(b.NextAt(t.Context(), b.Clock())); !at.Equal(c.at.Add(59 * time.Minute)) {
		t.Errorf("the next is at %v", at)
	}
	finish(t, b, "b/1") // done while it waits
	check(t, b.Later(t.Context(), "b/1", time.Hour))
	if at := must[time.Time](t)(b.NextAt(t.Context(), b.Clock())); !at.IsZero() {
		t.Errorf("the next is at %v, and none waits", at)
	}
	takes(t, b, nil, 9, "a/1", "c/1")
}

func TestWait(t *testing.T) {
	b := open(t)
	c := started(b)
	put(t, b, "a/1")
	check(t, b.Wait(t.Context(), "a/1", 0)) // never handed out: there is no try to take back
	for range 3 {
		if got := must[[]inbox.Event](t)(b.Next(t.Context(), nil, 1)); len(got) != 1 || got[0].Tries != 1 {
			t.Errorf("handed out %+v", got)
		}
		check(t, b.Wait(t.Context(), "a/1", time.Minute))
		takes(t, b, nil, 1)
		c.goes(time.Minute)
	}
}

func TestClockSet(t *testing.T) {
	for name, tt := range map[string]struct {
		passes, set time.Duration
		due         bool
	}{
		"left alone":        {30 * time.Second, 0, false},
		"forward":           {30 * time.Second, time.Hour, true},
		"back by a day":     {30 * time.Second, -24 * time.Hour, true},
		"back by a minute":  {30 * time.Second, -time.Minute, true},
		"back by a little":  {30 * time.Second, -10 * time.Second, false}, // waits so much longer
		"back, once it was": {time.Minute, -24 * time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			c := started(b)
			put(t, b, "a/1")
			check(t, b.Later(t.Context(), "a/1", time.Minute))
			c.goes(tt.passes + tt.set)
			at := must[time.Time](t)(b.NextAt(t.Context(), b.Clock()))
			if tt.due {
				takes(t, b, nil, 9, "a/1")
			} else {
				takes(t, b, nil, 9)
			}
			if at.IsZero() != tt.due {
				t.Errorf("the next is at %v", at)
			}
		})
	}
}

func TestNote(t *testing.T) {
	b := open(t)
	put(t, b, "a/1")
	check(t, b.Note(t.Context(), "a/1", "half"))
	if got := must[[]inbox.Event](t)(b.Next(t.Context(), nil, 1)); got[0].State != "half" {
		t.Errorf("handed out %+v", got)
	}
}

func TestTriesOverReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "inbox.db")
	for try := 1; try <= 3; try++ {
		b := openAt(t, path)
		if try == 1 {
			put(t, b, "a/1")
		}
		got := must[[]inbox.Event](t)(b.Next(t.Context(), nil, 1))
		if len(got) != 1 || got[0].Tries != try {
			t.Errorf("at try %d: %+v", try, got)
		}
		check(t, b.Close())
	}
}

// TestAtOnce has 8 networks put, the same events at times, while 8 workers
// finish: each is handed out to one worker, and those of a queue in order.
func TestAtOnce(t *testing.T) {
	const queues, each = 10, 20
	b := open(t)
	var networks, workers sync.WaitGroup
	for n := range 8 {
		networks.Go(func() {
			for i := range each {
				for q := range queues {
					if q%4 != n/2 { // each queue has two networks that tell the same
						continue
					}
					id := fmt.Sprintf("%d/%03d", q, i)
					// Some of them hang up, and tell it again.
					ctx, hangUp := context.WithTimeout(t.Context(), time.Duration(i*100)*time.Microsecond)
					b.Put(ctx, inbox.Event{ID: id, Queue: fmt.Sprint(q), Body: "b"})
					hangUp()
					if _, err := b.Put(t.Context(), inbox.Event{ID: id, Queue: fmt.Sprint(q), Body: "b"}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	var mu sync.Mutex
	busy, done := map[string]bool{}, map[string][]string{}
	total := 0
	finished := make(chan struct{})
	seats := make(chan inbox.Event)
	for range 8 {
		workers.Go(func() {
			for e := range seats {
				if err := b.Finish(t.Context(), e.ID, inbox.Shown{Chat: "slack", Channel: e.Queue, Message: e.ID, Answer: "a" + e.ID, Event: e.ID}); err != nil {
					t.Error(err)
				}
				if err := b.Spend(t.Context(), 1, ""); err != nil {
					t.Error(err)
				}
				mu.Lock()
				delete(busy, e.Queue)
				done[e.Queue] = append(done[e.Queue], e.ID)
				if total++; total == queues*each {
					close(finished)
				}
				mu.Unlock()
			}
		})
	}
	deadline := time.After(time.Minute)
	for over := false; !over; {
		mu.Lock()
		var skip []string
		for q := range busy {
			skip = append(skip, q)
		}
		mu.Unlock()
		for _, e := range must[[]inbox.Event](t)(b.Next(t.Context(), skip, 3)) {
			mu.Lock()
			if busy[e.Queue] {
				t.Errorf("%s was handed out while its queue is busy", e.ID)
			}
			busy[e.Queue] = true
			mu.Unlock()
			seats <- e
		}
		select {
		case <-finished:
			over = true
		case <-deadline:
			t.Fatalf("only %d were finished", total)
		default:
		}
	}
	close(seats)
	networks.Wait()
	workers.Wait()
	for q, ids := range done {
		if len(ids) != each || !slices.IsSorted(ids) {
			t.Errorf("of queue %s were finished %q", q, ids)
		}
	}
	if n := must[int](t)(b.Spent(t.Context(), "")); n != queues*each {
		t.Errorf("%d tokens were spent, want %d", n, queues*each)
	}
	if n := len(must[[]inbox.Shown](t)(b.Recent(t.Context(), "slack", 1000))); n != queues*each {
		t.Errorf("%d messages are shown, want %d", n, queues*each)
	}
}
