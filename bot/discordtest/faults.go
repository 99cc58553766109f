package discordtest

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Fault makes requests go wrong, or wait. One with a zero Status and neither
// Cut nor Hold set does nothing.
type Fault struct {
	Method string // "" is any
	Path   string // a part of the route or of the path: "/messages", "@original"; "" is any
	Times  int    // how many requests; 0 is 1, below 0 is all

	Status     int           // the answer: 429, or one from 400 to 599
	Code       int           // Discord's, with Status
	Message    string        // "" is the status's own name
	RetryAfter time.Duration // with Status 429
	Scope      string        // with Status 429: "user", "global" or "shared"; "" is "user"
	Cut        bool          // the connection is cut with no answer

	After bool            // the request is done first: only the answer goes wrong
	Hold  <-chan struct{} // the request waits until it is closed, or the client gives up
}

// Fail makes the next requests that fit go wrong, and gives back what takes
// the fault away again. Of several faults that fit, the oldest is used up
// first.
func (s *Server) Fail(f Fault) (undo func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Times = cmp.Or(f.Times, 1)
	s.faults = append(s.faults, &f)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		f.Times = 0
	}
}

// fault is the one for q, which is used up by it; s.mu is held.
func (s *Server) fault(q *Request) *Fault {
	for _, f := range s.faults {
		if f.Times == 0 || f.Method != "" && f.Method != q.Method || !strings.Contains(q.Route, f.Path) && !strings.Contains(q.Path, f.Path) {
			continue
		}
		if f.Times > 0 {
			f.Times--
		}
		return f
	}
	return nil
}

// wait is false if the client gave up before the request was let go.
func (f *Fault) wait(r *http.Request) bool {
	if f.Hold == nil {
		return true
	}
	select {
	case <-f.Hold:
		return true
	case <-r.Context().Done():
		return false
	}
}

func (f *Fault) spoils() bool { return f != nil && (f.Status != 0 || f.Cut) }

func (f *Fault) refusal(h http.Header) error {
	if f.Status == http.StatusTooManyRequests {
		e := &limitError{f.RetryAfter, f.Scope == "global", cmp.Or(f.Scope, "user")}
		if !e.global {
			h.Set("X-RateLimit-Remaining", "0")
			h.Set("X-RateLimit-Reset-After", fmt.Sprint(seconds(f.RetryAfter)))
		}
		e.headers(h)
		return e
	}
	return &Error{Status: f.Status, Code: f.Code, Message: cmp.Or(f.Message, fmt.Sprintf("%d: %s", f.Status, http.StatusText(f.Status)))}
}
