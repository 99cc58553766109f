package bot_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"precedent/engine"
)

// crowd is how many hostile connections there are: more than seats.
const crowd = 80

// trickle sends text a byte a second, for as long as it is taken.
func (w *wire) trickle(text string) {
	go func() {
		for i := range len(text) {
			if !w.say(text[i : i+1]) {
				return
			}
			time.Sleep(time.Second)
		}
	}()
}

// slow are connections that a server is not to wait for: what each does once it
// is there. They say nothing that is worth a seat.
var slow = []struct {
	name string
	do   func(w *wire)
}{
	{"silent", func(*wire) {}},
	{"half a head", func(w *wire) { w.say("POST /v1/ask HTTP/1.1\r\nHost: prece") }},
	{"a head at a byte a second", func(w *wire) { w.trickle(asking("x")) }},
	{"a head without a body", func(w *wire) { w.say(posting("/v1/ask", "Content-Length: 20")) }},
	{"half a body", func(w *wire) { w.say(posting("/v1/ask", "Content-Length: 20") + `{"quest`) }},
	{"a body at a byte a second", func(w *wire) {
		w.say(posting("/v1/ask", "Content-Length: 60000"))
		w.trickle(strings.Repeat(" ", 60000))
	}},
	{"a vote at a byte a second", func(w *wire) {
		w.say(posting("/v1/vote", "Content-Length: 900"))
		w.trickle(strings.Repeat(" ", 900))
	}},
	{"a body longer than it is", func(w *wire) { w.say(posting("/v1/ask", "Content-Length: 900") + `{"question":"x"}`) }},
	{"chunks that never end", func(w *wire) {
		w.say(posting("/v1/ask", "Transfer-Encoding: chunked"))
		w.trickle(strings.Repeat("1\r\n \r\n", 10_000))
	}},
	{"a chunk that doesn't come", func(w *wire) { w.say(posting("/v1/ask", "Transfer-Encoding: chunked") + "ff\r\n{") }},
	{"no last chunk", func(w *wire) {
		w.say(posting("/v1/ask", "Transfer-Encoding: chunked") + "10\r\n{\"question\":\"x\"}\r\n")
	}},
	{"waiting to be told to go on", func(w *wire) { w.say(posting("/v1/ask", "Content-Length: 20", "Expect: 100-continue")) }},
	{"a trailer that never ends", func(w *wire) {
		w.say(posting("/v1/ask", "Transfer-Encoding: chunked", "Trailer: X") + "0\r\n")
		w.trickle("X: " + strings.Repeat("y", 10_000))
	}},
}

// TestSlow has many slow connections stand there while others are answered at
// once, and sees that none of them stands there for long.
func TestSlow(t *testing.T) {
	for _, test := range slow {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				addr, _ := served(t, site(secret))
				var hostile []*wire
				for range crowd {
					w := dial(t, addr)
					test.do(w)
					hostile = append(hostile, w)
				}
				start := time.Now()
				for range 5 {
					honest := dial(t, addr)
					honest.say(asking("who?"))
					if status, body := honest.hear(); status != http.StatusOK || !strings.Contains(body, `"text":"who?"`) {
						t.Fatalf("beside %d slow ones others get %d %s", crowd, status, body)
					}
					time.Sleep(time.Second)
				}
				for _, w := range hostile {
					for status := 1; status != 0; status, _ = w.hear() {
					}
				}
				if took := time.Since(start); took > 25*time.Second {
					t.Errorf("the last slow one was rid of after %v", took)
				}
			})
		})
	}
}

// TestManyConnections opens ever more connections of each slow kind: there are
// never more than so many, and whoever comes is answered.
func TestManyConnections(t *testing.T) {
	kinds := append(slow[:len(slow):len(slow)], struct {
		name string
		do   func(w *wire)
	}{"idle after a question", func(w *wire) { w.say(asking("x")); w.hear() }})
	for _, test := range kinds {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				h := site(secret)
				h.Connections = 50
				addr, _ := served(t, h)
				kept := dial(t, addr) // from before, and used all the time
				for range 4 {
					for range 40 {
						test.do(dial(t, addr))
					}
					honest := dial(t, addr)
					for _, w := range []*wire{honest, kept} {
						w.say(asking("who?"))
						if status, body := w.hear(); status != http.StatusOK {
							t.Fatalf("others get %d %s", status, body)
						}
					}
				}
			})
		})
	}
}

// TestConnectionsAreBounded counts those that stand after many came.
func TestConnectionsAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := site(secret)
		h.Connections, h.AtOnce = 10, 3
		h.Bot.Ask = unhurried(3*time.Second, nil)
		addr, _ := served(t, h)
		var working, idle []*wire
		for range h.AtOnce {
			working = append(working, dial(t, addr))
			working[len(working)-1].say(asking("x"))
			time.Sleep(time.Millisecond)
		}
		for range 100 {
			idle = append(idle, dial(t, addr))
			time.Sleep(time.Millisecond)
		}
		for i, w := range working {
			if status, _ := w.hear(); status != http.StatusOK {
				t.Errorf("question %d, at work when others came, got %d", i, status)
			}
		}
		stand := 0
		for _, w := range idle {
			w.say(asking("y"))
		}
		for _, w := range idle {
			if status, _ := w.hear(); status != 0 {
				stand++
			}
		}
		if want := h.Connections - h.AtOnce; stand != want {
			t.Errorf("of 100 idle connections %d stand, want %d", stand, want)
		}
	})
}

// TestSlowReaders has many ask and not read what they get: neither do they keep
// others from being answered, nor what they were told in memory.
func TestSlowReaders(t *testing.T) {
	large := strings.Repeat("large ", 1<<19) // more than a connection takes at once
	for _, test := range []struct {
		name string
		read func(w *wire)
	}{
		{"not at all", func(*wire) {}},
		{"a byte", func(w *wire) { w.buf.ReadByte() }},
		{"a byte a second", func(w *wire) {
			go func() {
				for b := []byte{0}; ; time.Sleep(time.Second) {
					if _, err := w.Read(b); err != nil {
						return
					}
				}
			}()
		}},
		{"the head", func(w *wire) { w.buf.ReadString('\n') }},
		{"and asking on", func(w *wire) {
			for range 5 {
				w.say(asking("large"))
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				h := site(secret)
				h.AtOnce = 4
				h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
					a := echo(ctx, q, nil)
					if q.Text == "large" {
						a.Text = large
					}
					return a
				}
				addr, _ := served(t, h)
				var hostile []*wire
				for range 3 * h.AtOnce {
					w := dial(t, addr)
					w.say(asking("large"))
					test.read(w)
					hostile = append(hostile, w)
					time.Sleep(time.Millisecond)
				}
				for i := range 5 {
					honest := dial(t, addr)
					honest.say(asking("who?"))
					if status, body := honest.hear(); status != http.StatusOK {
						t.Fatalf("beside slow readers, others get %d %s", status, body)
					}
					honest.say(asking("large"))
					if status, body := honest.hear(); status != http.StatusOK || len(body) < len(large) {
						t.Fatalf("a large answer that is read came as %d, %d bytes", status, len(body))
					}
					time.Sleep(time.Duration(i) * time.Second)
				}
				time.Sleep(time.Minute)
				for _, w := range hostile {
					if w.say(asking("x")) {
						t.Error("who didn't read for a minute is still connected")
						break
					}
				}
			})
		})
	}
}

// TestRepliesAreBounded has so many not read what they get that it would fill the
// memory: the first of them are cut off at once.
func TestRepliesAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := site(secret)
		large := strings.Repeat("large ", 2<<20) // 12 MiB; all of them may have 64
		h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
			return engine.Answer{Text: large}
		}
		addr, _ := served(t, h)
		var hostile []*wire
		for range 8 {
			w := dial(t, addr)
			w.say(asking("x"))
			hostile = append(hostile, w)
			time.Sleep(time.Millisecond)
		}
		for i, w := range hostile {
			if stands, want := w.say("x"), i >= 3; stands != want {
				t.Errorf("connection %d of 8 stands: %v, want %v", i, stands, want)
			}
		}
	})
}

// TestLongWork answers what takes longer than a body may take to come.
func TestLongWork(t *testing.T) {
	for _, took := range []time.Duration{time.Second, 16 * time.Second, 31 * time.Second, 59 * time.Second} {
		t.Run(fmt.Sprint(took), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				h := site(secret)
				h.Bot.Ask = unhurried(took, nil)
				addr, _ := served(t, h)
				w := dial(t, addr)
				for range 2 {
					w.say(asking("who?"))
					if status, body := w.hear(); status != http.StatusOK || !strings.Contains(body, `"text":"who?"`) {
						t.Errorf("what takes %v was answered %d %s", took, status, body)
					}
				}
			})
		})
	}
}
