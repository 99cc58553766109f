package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
)

// echo answers a question with itself; "which" asks back, "offer" offers.
func echo(_ context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
	a := engine.Answer{ID: "a-" + q.Text, Question: q.Text, Restated: q.Text, Route: engine.ByModel, Text: q.Text}
	switch {
	case q.Text == "which" && len(q.Choices) < 2:
		a.Route = engine.Clarify
		for i := range 2 {
			name := fmt.Sprintf("Michael %d%d", len(q.Choices), i+1)
			a.Choices = append(a.Choices, engine.Choice{Label: name, Link: store.Link{Value: name}})
		}
	case q.Text == "offer":
		a.Route, a.Suggestions = engine.Unanswered, []string{"first thing", "second thing"}
	}
	return a
}

// TestPicking follows what a message means after one that offered things.
func TestPicking(t *testing.T) {
	tests := []struct {
		name   string
		said   []string
		asked  string // the last question asked, and the values picked for it
		picked []any
	}{
		{"a number without an offer", []string{"hello", "2"}, "2", nil},
		{"a choice by number", []string{"which", "2"}, "which", []any{"Michael 02"}},
		{"in full width, with a stop", []string{"which", "２。"}, "which", []any{"Michael 02"}},
		{"by its label", []string{"which", " michael 01 "}, "which", []any{"Michael 01"}},
		{"two in turn", []string{"which", "1", "2"}, "which", []any{"Michael 01", "Michael 12"}},
		{"a number beyond the offer", []string{"which", "3"}, "3", nil},
		{"something else", []string{"which", "what about comedies"}, "what about comedies", nil},
		{"an offer is forgotten after another question", []string{"which", "hello", "1"}, "1", nil},
		{"a suggestion", []string{"offer", "2"}, "second thing", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var asked engine.Question
			b := &bot.Bot{Ask: func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
				asked = q
				return echo(ctx, q, p)
			}}
			for _, text := range test.said {
				b.Answer(t.Context(), bot.Message{Conversation: "c", Text: text}, nil)
			}
			var picked []any
			for _, l := range asked.Choices {
				picked = append(picked, l.Value)
			}
			if asked.Text != test.asked || !slices.Equal(picked, test.picked) {
				t.Errorf("asked %q with %v, want %q with %v", asked.Text, picked, test.asked, test.picked)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	var heard []string
	b := &bot.Bot{Conversations: 2, Ask: func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
		heard = nil
		for _, turn := range q.History {
			heard = append(heard, turn.Question)
		}
		return echo(ctx, q, p)
	}}
	say := func(conversation, text string) {
		b.Answer(t.Context(), bot.Message{Conversation: conversation, Text: text}, nil)
	}
	expect := func(want ...string) {
		t.Helper()
		if !slices.Equal(heard, want) {
			t.Errorf("history was %q, want %q", heard, want)
		}
	}
	say("a", "1")
	expect()
	say("b", "2")
	expect()
	say("a", "3")
	expect("1")
	say("", "alone")
	expect()
	say("c", "4") // b was silent longest and is forgotten
	say("b", "5")
	expect()
	say("c", "6")
	expect("4")
	for i := range 20 {
		say("c", fmt.Sprint(i))
	}
	if len(heard) != 10 || heard[9] != "18" {
		t.Errorf("history was %q, want the last ten", heard)
	}
	b.Forget("c")
	say("c", "7")
	expect()
}

func TestAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := -1
		b := &bot.Bot{Age: time.Hour, Ask: func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
			turns = len(q.History)
			return echo(ctx, q, p)
		}}
		for _, step := range []struct {
			after time.Duration
			want  int
		}{{0, 0}, {59 * time.Minute, 1}, {59 * time.Minute, 2}, {time.Hour, 0}} {
			time.Sleep(step.after)
			if b.Answer(t.Context(), bot.Message{Conversation: "c", Text: "x"}, nil); turns != step.want {
				t.Errorf("%v later there were %d turns, want %d", step.after, turns, step.want)
			}
		}
	})
}

// TestOneAtATime holds a conversation to one question at a time while others go on.
func TestOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		working := map[string]int{}
		b := &bot.Bot{Patience: time.Minute, Ask: func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
			mu.Lock()
			working[q.Conversation]++
			if n := working[q.Conversation]; n > 1 {
				t.Errorf("%d questions of %s at a time", n, q.Conversation)
			}
			mu.Unlock()
			time.Sleep(25 * time.Second)
			mu.Lock()
			working[q.Conversation]--
			mu.Unlock()
			return echo(ctx, q, nil)
		}}
		start := time.Now()
		var wg sync.WaitGroup
		routes := make(chan string, 10)
		for i, conversation := range []string{"a", "a", "a", "a", "b"} {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond) // in this order
				a := b.Answer(t.Context(), bot.Message{Conversation: conversation, Text: "谁"}, nil)
				routes <- fmt.Sprintf("%s %s %v", conversation, a.Route, time.Since(start).Round(time.Second))
				if a.Route == engine.Fault && (a.Error == nil || a.Error.Kind != "timeout" || a.Language != "zh") {
					t.Errorf("whoever waits too long gets %+v", a)
				}
			})
		}
		wg.Wait()
		close(routes)
		var got []string
		for r := range routes {
			got = append(got, r)
		}
		slices.Sort(got)
		want := "a fault 1m0s, a model 1m15s, a model 25s, a model 50s, b model 25s"
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("got %s, want %s", s, want)
		}
	})
}
