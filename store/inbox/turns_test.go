package inbox

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever keeps what was heard goes before those who came earlier for anything
// else, and these go in their order.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		var order []string
		if err := turns.take(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		var waiting sync.WaitGroup
		come := func(name string, first bool, ctx context.Context) {
			waiting.Go(func() {
				if err := turns.take(ctx, first); err != nil {
					order = append(order, name+" left")
					return
				}
				order = append(order, name)
				time.Sleep(time.Millisecond)
				turns.give()
			})
			synctest.Wait()
		}
		impatient, leave := context.WithCancel(t.Context())
		come("vote", false, t.Context())
		come("note", false, t.Context())
		come("gone", true, impatient)
		come("question", true, t.Context())
		come("press", true, t.Context())
		leave()
		synctest.Wait()
		turns.give()
		waiting.Wait()
		if want := []string{"gone left", "question", "press", "vote", "note"}; !slices.Equal(order, want) {
			t.Errorf("%q, want %q", order, want)
		}
		if err := turns.take(t.Context(), false); err != nil {
			t.Errorf("nobody is left, and still: %v", err)
		}
	})
}

// What many hear at once is kept together, each with its own word on whether it
// was new; who left while it waited is not kept.
func TestPutTogether(t *testing.T) {
	b, err := Open(t.Context(), filepath.Join(t.TempDir(), "inbox"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.turns.take(t.Context(), false); err != nil { // somebody writes
		t.Fatal(err)
	}
	const crowd = 50
	var hearing sync.WaitGroup
	var mu sync.Mutex
	fresh := 0
	for i := range crowd {
		hearing.Go(func() {
			is, err := b.Put(context.Background(), Event{ID: fmt.Sprint(i % 40), Queue: "q", Body: "b"})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if is {
				fresh++
			}
		})
	}
	left, leave := context.WithCancel(t.Context())
	hearing.Go(func() {
		if _, err := b.Put(left, Event{ID: "left", Queue: "q", Body: "b"}); !errors.Is(err, context.Canceled) {
			t.Errorf("left: %v", err)
		}
	})
	waiting := func() int { b.turns.mu.Lock(); defer b.turns.mu.Unlock(); return len(b.turns.first) }
	for waiting() <= crowd {
		time.Sleep(time.Millisecond)
	}
	leave()
	for waiting() > crowd {
		time.Sleep(time.Millisecond)
	}
	b.turns.give()
	hearing.Wait()
	if n, err := b.Open(t.Context()); fresh != 40 || n != 40 || err != nil {
		t.Errorf("%d were new and %d are kept (%v), want 40", fresh, n, err)
	}
}
