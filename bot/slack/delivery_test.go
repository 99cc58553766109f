package slack_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// persists has the workspace send again, as its time passes, until all is
// acknowledged.
func (w *world) persists() {
	w.t.Helper()
	for range 6 {
		end := time.Now().Add(300 * time.Millisecond)
		for time.Now().Before(end) {
			left := 0
			for _, d := range w.Deliveries() {
				if !d.Acked() {
					left++
				}
			}
			if left == 0 {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(61 * time.Second)
	}
	w.settled()
}

// What couldn't be kept isn't acknowledged, and comes again.
func TestSentAgainWhenNotKept(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.mu.Lock()
		w.fail = 1
		w.mu.Unlock()
		m := w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.Await("a call that fails", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.fail == 0 })
		d := w.Deliveries()[0]
		if d.Acked() {
			t.Fatal("acknowledged and not kept")
		}
		time.Sleep(4 * time.Second)
		if h := w.hears(0); h.ID != "slack:C0GENERAL/"+m.TS {
			t.Errorf("heard %+v", h)
		}
		d.AwaitAck()
	})
}

// One conversation that takes long to keep stops no other, and keeps its order.
func TestSlowKeeping(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		w.slow, w.until = "slack:"+w.DM(slacktest.Alice), make(chan struct{})
		w.run()
		for i := range 3 {
			w.Say(slacktest.Alice, w.DM(slacktest.Alice), "", fmt.Sprint("slow ", i))
		}
		quick := map[string]bool{}
		for range 20 { // some share the slow one's way: enough of them don't
			m := w.Say(slacktest.Bob, slacktest.General, "", "@precedent quick")
			quick["slack:C0GENERAL/"+m.TS] = true
		}
		if h := w.hears(0); !quick[h.ID] {
			t.Errorf("heard %+v", h)
		}
		w.hears(9)
		close(w.until)
		w.hears(22)
		n := 0
		for _, h := range w.all() {
			if h.Conversation == w.slow {
				if h.Text != fmt.Sprint("slow ", n) {
					t.Errorf("%q came as number %d", h.Text, n)
				}
				n++
			}
		}
		w.settled()
		w.clean()
	})
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.Duplicate(3)
		for i := range 3 {
			w.Say(slacktest.Alice, slacktest.General, "", fmt.Sprint("@precedent ", i))
		}
		w.settled()
		if all := w.all(); len(all) != 3 {
			t.Errorf("heard %d things", len(all))
		}
		w.clean()
	})
}

func TestOutOfOrder(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, history)
		w.Hold()
		m := w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.Edit(slacktest.General, m.TS, "@precedent r")
		w.Release(true)
		w.hears(1)
		w.settled()
		w.clean()
	})
}

// An event that the library can't read is heard if it says something, and
// acknowledged in any case.
func TestUndecodable(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		blocks := []any{map[string]any{"type": "header", "text": 42}}
		w.Send(map[string]any{"type": "app_mention", "channel": slacktest.General, "user": slacktest.Alice, "ts": "1700000000.000001", "text": "<@U0BOT> q", "blocks": blocks}).AwaitAck()
		if h := w.hears(0); h.Text != "q" {
			t.Errorf("heard %+v", h)
		}
		w.Send(map[string]any{"type": "app_mention", "channel": map[string]any{"id": "C1"}, "ts": 7}).AwaitAck()
		w.Garble("{")
		w.Garble(`{"type":"events_api","envelope_id":7}`)
		w.Garble(`[]`)
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent still there?")
		w.hears(1)
	})
}

func TestReconnects(t *testing.T) {
	stages := []slacktest.Stage{slacktest.Dialling, slacktest.BeforeHello, slacktest.InEnvelope, slacktest.AfterEnvelope, slacktest.BeforeAck, slacktest.AfterAck}
	for _, stage := range stages {
		t.Run(string(stage), func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				w := start(t, slacktest.Options{})
				w.DropAt(stage, 1)
				if stage == slacktest.Dialling || stage == slacktest.BeforeHello {
					w.Drop()
					w.Await("a new socket", func() bool { return w.Opened() >= 2 && w.Sockets() == 1 })
				}
				m := w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
				w.Await("a new socket", func() bool { return w.Opened() >= 2 && w.Sockets() == 1 })
				w.persists()
				if h := w.hears(0); h.ID != "slack:C0GENERAL/"+m.TS {
					t.Errorf("heard %+v", h)
				}
				if n := len(w.all()); n != 1 {
					t.Errorf("heard %d times", n)
				}
			})
		})
	}
	for _, reason := range []string{"warning", "refresh_requested"} {
		t.Run(reason, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				w := start(t, slacktest.Options{})
				w.Disconnect(reason)
				w.AwaitSocket()
				w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
				w.hears(0)
				w.clean()
			})
		})
	}
}

// A socket that is silent is left for another.
func TestSilentSocket(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{PingEvery: 50 * time.Millisecond})
		w.bot.Ping = 300 * time.Millisecond
		w.run()
		w.Silence()
		w.Await("another socket", func() bool { return w.Opened() >= 2 })
		w.AwaitSocket()
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.hears(0)
	})
}

// Tokens that are refused for a while end nothing.
func TestRevokedForAWhile(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		w.Revoke("invalid_auth")
		w.Drop()
		w.Await("a refused connection", func() bool {
			for _, c := range w.Calls("apps.connections.open") {
				if c.Error == "invalid_auth" {
					return true
				}
			}
			return false
		})
		w.Revoke("")
		w.AwaitSocket()
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.hears(0)
	})
}

// A flood in one channel neither stops the socket nor loses anything for good.
func TestFlood(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		const n = 300
		for i := range n {
			w.AddUser(slacktest.User{ID: fmt.Sprintf("U%d", i), Name: "u"})
			w.AddChannel(slacktest.Channel{ID: fmt.Sprintf("C%d", i), Kind: "public_channel", Members: []string{fmt.Sprintf("U%d", i), w.BotUser}})
			w.Say(fmt.Sprintf("U%d", i), fmt.Sprintf("C%d", i), "", "@precedent q")
		}
		w.hears(n - 1)
		w.settled()
		w.clean()
	})
}

// Nothing of a Run is left: a bubble doesn't end well while a goroutine of it lives.
func TestNothingLeftRunning(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, history)
		w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.hears(0)
		w.settled()
		w.stop()
	})
}

// What takes longer to keep than Slack waits isn't acknowledged late: Slack sends it
// again. What takes nearly as long is acknowledged in time, over a socket and over
// HTTP alike.
func TestDeadline(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(*testing.T) *world{
		"socket": func(t *testing.T) *world { return open(t, slacktest.Options{}) }, "http": overHTTP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nettest.Test(t, func(t *testing.T) {
				w := begin(t)
				var takes atomic.Int64
				hear := w.bot.Hear
				w.bot.Hear = func(ctx context.Context, h bot.Heard) error {
					time.Sleep(time.Duration(takes.Swap(0))) // whatever ctx says
					return hear(ctx, h)
				}
				w.run()
				time.Sleep(time.Second) // until it listens
				for i, wait := range []time.Duration{2400 * time.Millisecond, 3200 * time.Millisecond} {
					before := len(w.Deliveries())
					takes.Store(int64(wait))
					w.Say(slacktest.Bob, slacktest.General, "", fmt.Sprint("@precedent ", i))
					time.Sleep(10 * time.Second)
					d := w.Deliveries()[before]
					if n := len(d.Attempts()); !d.Acked() || n != i+1 {
						t.Errorf("kept after %v: %d attempts, acknowledged %v", wait, n, d.Acked())
					}
					w.hears(i)
				}
				if n := len(w.all()); n != 2 {
					t.Errorf("heard %d questions, want 2", n)
				}
				w.clean()
			})
		})
	}
}
