package slacktest

import (
	"encoding/json"
	"slices"
	"time"
)

// A Delivery is one event, command or interaction on its way to the bot. Events
// are sent again, at once, after a minute and after five, until one of their
// attempts is acknowledged in time; the others are sent once.
type Delivery struct {
	Kind    string // events_api, slash_commands or interactive
	EventID string // events_api only; the same in every attempt

	s        *Server
	payload  map[string]any
	accepts  bool // an answer with the acknowledgement
	answered func(json.RawMessage)
	attempts []*attempt
	retries  int
	reason   string // why the next attempt is made
	acked    bool
	failed   bool
}

// An Attempt is one sending of a delivery.
type Attempt struct {
	Envelope string
	Retry    int    // 0 for the first
	Reason   string // of a retry: timeout, connection_failed, http_timeout, http_error
	At       time.Time
	Acked    bool
	Took     time.Duration // from At until it was acknowledged
}

type attempt struct {
	Attempt
	d    *Delivery
	late bool
	stop func() // of its deadline
}

// retryAfter is when each retry of an event follows the failure before it
// (docs.slack.dev/apis/events-api).
var retryAfter = []time.Duration{0, time.Minute, 5 * time.Minute}

// Acked reports whether the bot acknowledged in time.
func (d *Delivery) Acked() bool {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	return d.acked
}

// Failed reports whether Slack has given up: an event after three retries, a
// command or interaction when its user was told that the app didn't answer.
func (d *Delivery) Failed() bool {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	return d.failed
}

// Attempts are the sendings so far.
func (d *Delivery) Attempts() []Attempt {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	var out []Attempt
	for _, a := range d.attempts {
		out = append(out, a.Attempt)
	}
	return out
}

// AwaitAck waits until the bot has acknowledged.
func (d *Delivery) AwaitAck() {
	d.s.t.Helper()
	d.s.Await("acknowledgement of "+d.Kind, d.Acked)
}

// Deliveries are all that were sent or wait to be, oldest first.
func (s *Server) Deliveries() []*Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// Hold keeps deliveries back until Release; reversed sends the last one first.
func (s *Server) Hold() { s.change(func() { s.held = true }) }

// Release sends what Hold kept back.
func (s *Server) Release(reversed bool) {
	s.change(func() {
		s.held = false
		if reversed {
			slices.Reverse(s.waiting)
		}
	})
}

// Duplicate has each of the next n events sent twice, acknowledged or not, as
// happens to apps at times.
func (s *Server) Duplicate(n int) { s.change(func() { s.twice += n }) }

// queue has a delivery sent when the change is done.
func (s *Server) queue(d *Delivery) *Delivery {
	d.s = s
	s.waiting, s.sent = append(s.waiting, d), append(s.sent, d)
	if d.Kind == "events_api" && s.twice > 0 {
		s.twice--
		s.waiting = append(s.waiting, d)
	}
	return d
}

// flush sends what is queued, in order, one at a time.
func (s *Server) flush() {
	s.sending.Lock()
	defer s.sending.Unlock()
	for {
		s.mu.Lock()
		if s.held || len(s.waiting) == 0 || s.ctx.Err() != nil {
			s.mu.Unlock()
			return
		}
		d := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.mu.Unlock()
		s.send(d)
	}
}

func (s *Server) send(d *Delivery) {
	s.mu.Lock()
	a := &attempt{d: d, Attempt: Attempt{Envelope: s.id("env-"), Retry: d.retries, Reason: d.reason, At: time.Now()}}
	d.attempts = append(d.attempts, a)
	s.envelopes[a.Envelope] = a
	if s.opt.RequestURL != "" {
		s.work.Go(func() { s.call(a) })
		s.mu.Unlock()
		return
	}
	to := s.pick()
	if to == nil {
		s.lost(a, "connection_failed")
		s.mu.Unlock()
		return
	}
	a.stop = s.timers.after(s.lim.AckWithin, func() { s.change(func() { s.lost(a, "timeout") }) })
	s.mu.Unlock()
	to.deliver(a)
}

// lost is an attempt that was not acknowledged: it is made again, or given up.
func (s *Server) lost(a *attempt, why string) {
	d := a.d
	if a.Acked || a.late {
		return
	}
	a.late = true
	if d.acked || d.failed {
		return
	}
	if d.Kind != "events_api" || a.Retry >= len(retryAfter) {
		d.failed = true
		return
	}
	d.reason = why
	d.retries = a.Retry + 1
	if wait := retryAfter[a.Retry]; wait > 0 {
		s.timers.after(wait, func() {
			s.change(func() {
				if !d.acked {
					s.waiting = append(s.waiting, d)
				}
			})
		})
		return
	}
	s.waiting = append(s.waiting, d)
}

// settled takes an acknowledgement, and what the bot answered with it.
func (s *Server) settled(a *attempt, payload json.RawMessage) {
	d := a.d
	if a.stop != nil {
		a.stop()
	}
	if a.Acked {
		s.violate("ack", "acknowledged twice", a.Envelope, false)
		return
	}
	if a.late {
		s.violate("ack", "acknowledged late", d.Kind+" after "+time.Since(a.At).String(), false)
		return
	}
	a.Acked, a.Took = true, time.Since(a.At)
	first := !d.acked
	d.acked = true
	if string(payload) == "null" || string(payload) == `""` || len(payload) == 0 {
		payload = nil
	}
	if payload != nil && !d.accepts {
		s.violate("ack", "payload not taken", d.Kind, false)
		return
	}
	if first && d.answered != nil {
		d.answered(payload)
	}
}
