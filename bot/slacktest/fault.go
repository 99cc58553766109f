package slacktest

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A Fault is a wrong answer. Its zero value is a connection that breaks; with
// Delay alone it is the right answer, late.
type Fault struct {
	Times      int           // how many calls it meets; 0: one
	Applied    bool          // the call takes effect before the answer goes wrong
	Delay      time.Duration // before the answer, in real time
	RetryAfter int           // seconds: 429 with that header
	Status     int           // an HTTP error with Slack's HTML page
	Error      string        // ok: false with this code
	Messages   []string      // and these response_metadata.messages
}

// Fail makes the next calls of a method go wrong, after those that earlier calls
// of Fail ordered. The method may also be "upload" or "response_url".
func (s *Server) Fail(method string, f Fault) {
	f.Times = max(1, f.Times)
	s.change(func() { s.faults[method] = append(s.faults[method], f) })
}

// Revoke makes every call answer code: token_revoked, account_inactive,
// invalid_auth. "" gives the tokens back.
func (s *Server) Revoke(code string) { s.change(func() { s.revoked = code }) }

// Grant changes the scopes of the bot's token, as a reinstallation does.
func (s *Server) Grant(scopes ...string) { s.change(func() { s.opt.Scopes = scopes }) }

// Unfail takes back what Fail ordered for a method.
func (s *Server) Unfail(method string) { s.change(func() { delete(s.faults, method) }) }

// Rename makes other tokens the bot's.
func (s *Server) Rename(bot, app string) { s.change(func() { s.renamed = [2]string{bot, app} }) }

func (s *Server) fault(method string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	queue := s.faults[method]
	if len(queue) == 0 {
		return Fault{}, false
	}
	f := queue[0]
	if queue[0].Times--; queue[0].Times == 0 {
		s.faults[method] = queue[1:]
	}
	return f, true
}

func (f Fault) name() string {
	switch {
	case f.RetryAfter > 0:
		return "ratelimited"
	case f.Status > 0:
		return fmt.Sprint("HTTP ", f.Status)
	case f.Error != "":
		return f.Error
	}
	return "connection broken"
}

// late reports whether nothing but the time of the answer is wrong.
func (f Fault) late() bool {
	return f.Delay > 0 && f.RetryAfter == 0 && f.Status == 0 && f.Error == ""
}

func (f Fault) wait(s *Server, r *http.Request) {
	select {
	case <-time.After(f.Delay):
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
}

func (f Fault) answer(w http.ResponseWriter) {
	switch {
	case f.RetryAfter > 0:
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
		answer(w, refuse("ratelimited"))
	case f.Status > 0:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		fmt.Fprint(w, "<!DOCTYPE html><title>Server Error</title>")
	case f.Error != "":
		out := refuse(f.Error)
		if f.Messages != nil {
			out["response_metadata"] = map[string]any{"messages": f.Messages}
		}
		answer(w, out)
	default:
		panic(http.ErrAbortHandler)
	}
}
