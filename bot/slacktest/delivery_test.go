package slacktest_test

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

func TestRedelivery(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		var heard atomic.Int32
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			if _, ok := inner(e).(*slackevents.AppMentionEvent); ok {
				if heard.Add(1) == 4 {
					ack(sock, e, nil)
				}
			}
		})
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		d := s.Deliveries()[0]
		for i, wait := range []time.Duration{3 * time.Second, 3*time.Second + time.Minute, 3*time.Second + 5*time.Minute} {
			s.Await("attempt", func() bool { return heard.Load() == int32(i+1) })
			time.Sleep(wait + time.Millisecond)
		}
		d.AwaitAck()
		for i, a := range d.Attempts() {
			if a.Retry != i || (a.Reason == "timeout") != (i > 0) || a.Acked != (i == 3) {
				t.Errorf("attempt %d: %+v", i, a)
			}
		}
		if n := len(d.Attempts()); n != 4 {
			t.Errorf("%d attempts", n)
		}
		clean(t, s)
	})
}

func TestGivesUp(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{}) // no socket at all
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		d := s.Deliveries()[0]
		if d.Failed() {
			t.Error("given up at once")
		}
		time.Sleep(10 * time.Minute)
		if n := len(d.Attempts()); !d.Failed() || n != 4 {
			t.Errorf("failed %v after %d attempts", d.Failed(), n)
		}
	})
}

func TestDropAtEveryStage(t *testing.T) {
	for _, stage := range []slacktest.Stage{slacktest.Dialling, slacktest.BeforeHello, slacktest.InEnvelope, slacktest.AfterEnvelope,
		slacktest.BeforeAck, slacktest.AfterAck} {
		t.Run(string(stage), func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := slacktest.Start(t, slacktest.Options{})
				s.DropAt(stage, 1)
				var heard atomic.Int32
				listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
					if e.Type == socketmode.EventTypeEventsAPI {
						heard.Add(1)
						ack(sock, e, nil)
					}
				})
				s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
				d := s.Deliveries()[0]
				if stage == slacktest.InEnvelope || stage == slacktest.AfterEnvelope || stage == slacktest.BeforeAck {
					s.Await("second socket", func() bool { return s.Opened() == 2 && s.Sockets() == 1 })
					time.Sleep(3*time.Second + time.Millisecond)
				}
				d.AwaitAck()
				if heard.Load() == 0 {
					t.Error("acknowledged what wasn't heard")
				}
			})
		})
	}
}

func TestDisconnectAndSeveralSockets(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		take := func(sock *socketmode.Client, e socketmode.Event) {
			if e.Type == socketmode.EventTypeEventsAPI {
				ack(sock, e, nil)
			}
		}
		listen(t, s, take)
		listen(t, s, take)
		s.Await("two sockets", func() bool { return s.Sockets() == 2 })
		for _, reason := range []string{"warning", "refresh_requested"} {
			before := s.Opened()
			s.Disconnect(reason)
			s.Await("both to come back", func() bool { return s.Opened() == before+2 })
			time.Sleep(10*time.Second + time.Millisecond)
		}
		s.Await("two sockets", func() bool { return s.Sockets() == 2 })
		for range 4 {
			s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		}
		for _, d := range s.Deliveries() {
			d.AwaitAck()
		}
		clean(t, s)
	})
}

func TestHoldReverseDuplicate(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		heard := make(chan string, 10)
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			if m, ok := inner(e).(*slackevents.AppMentionEvent); ok {
				ack(sock, e, nil)
				heard <- m.Text[len(m.Text)-1:]
			}
		})
		s.Hold()
		s.Duplicate(1)
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent 1")
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent 2")
		s.Release(true)
		if got := <-heard + <-heard + <-heard; got != "211" {
			t.Errorf("heard in order %s", got)
		}
		if d := s.Deliveries(); len(d) != 2 || len(d[0].Attempts()) != 2 {
			t.Errorf("deliveries %+v", d)
		}
	})
}

func TestBadAcks(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		got := make(chan socketmode.Event, 1)
		clients := make(chan *socketmode.Client, 1)
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			if e.Type == socketmode.EventTypeEventsAPI {
				select {
				case clients <- sock:
				default:
				}
				got <- e
			}
		})
		s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		first, on := <-got, <-clients
		time.Sleep(3*time.Second + time.Millisecond)
		ack(on, first, nil)
		ack(on, <-got, map[string]any{"text": "x"})
		on.AckCtx(t.Context(), "env-of-nobody", nil)
		s.Await("three violations", func() bool { return len(s.Violations()) == 3 })
		for i, want := range []string{"late", "payload not taken", "unknown envelope"} {
			if v := s.Violations()[i]; !strings.Contains(v.Error, want) {
				t.Errorf("violation %v, want %s", v, want)
			}
		}
	})
}

func TestGarbledFrame(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		var bad atomic.Bool
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			bad.CompareAndSwap(false, e.Type == socketmode.EventTypeErrorBadMessage)
		})
		s.Garble(`{"type":"events_api","envelope_id":"x","payload":{"type":"event_callback","event":{"type":"app_mention","blocks":[{"type":"header","text":42}]}}}`)
		s.Await("bad message", bad.Load)
	})
}

func TestSilentSocket(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{PingEvery: 20 * time.Millisecond})
		listen(t, s, func(*socketmode.Client, socketmode.Event) {}, socketmode.OptionPingInterval(200*time.Millisecond))
		s.Silence()
		s.Await("the client to dial again", func() bool { return s.Opened() == 2 })
	})
}

func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("workspace", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := slacktest.Start(t, slacktest.Options{})
			listen(t, s, func(*socketmode.Client, socketmode.Event) {})
			s.Say(slacktest.Alice, slacktest.General, "", "@precedent hello")
		})
	})
	s := slacktest.Start(t, slacktest.Options{})
	s.Await("the goroutines to end", func() bool { return runtime.NumGoroutine() <= before+3 })
}
