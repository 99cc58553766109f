package discordtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A Violation is something that Discord refused, or that a person saw fail,
// for a reason that lies with the bot. Faults that a test asked for are none.
type Violation struct {
	Kind  string // "refused", "rate", "token", "body", "late" (an interaction), "gateway"
	Route string // or what was asked on the gateway
	Why   error
	At    time.Time // by the server's clock
}

func (v Violation) String() string { return fmt.Sprintf("%s %s: %v", v.Kind, v.Route, v.Why) }

// violate keeps a violation; s.mu is held.
func (s *Server) violate(q *Request, kind string, why error) {
	s.violations = append(s.violations, Violation{kind, q.Route, why, time.Now()})
}

// Violations gives all so far, oldest first: those refused, and interactions
// that were left without a callback until the deadline.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.violations)
	for _, id := range sorted(s.interactions) {
		if i := s.interactions[id]; i.answered.IsZero() && time.Since(i.At) > s.set.Deadline {
			out = append(out, Violation{"late", "interaction " + i.ID, fmt.Errorf("no callback within %s", s.set.Deadline), i.At.Add(s.set.Deadline)})
		}
	}
	return out
}

// Clean fails the test if there were violations.
func (s *Server) Clean(t testing.TB) {
	t.Helper()
	for _, v := range s.Violations() {
		t.Errorf("the bot did what Discord refuses: %v", v)
	}
}

// A Ping is a mention that reached somebody.
type Ping struct {
	Message string // its ID
	Who     string // "everyone", "here", a user's or a role's ID
	Edit    bool   // by an edit, which highlights and doesn't notify
}

// Pings are those of the bot, oldest first.
func (s *Server) Pings() []Ping {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.pings)
}

// Requests gives those whose method is method ("" is any) and whose route or
// path contains part, oldest first.
func (s *Server) Requests(method, part string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, q := range s.requests {
		if (method == "" || q.Method == method) && (strings.Contains(q.Route, part) || strings.Contains(q.Path, part)) {
			out = append(out, q.copied())
		}
	}
	return out
}

// Messages gives a channel's messages as they are, oldest first, without
// deleted and ephemeral ones.
func (s *Server) Messages(channel string) []Message {
	return s.filtered(func(m *Message) bool { return m.Channel == channel && !m.Deleted && !m.Ephemeral() })
}

// Posted gives all that the bot wrote anywhere, ephemeral and deleted ones
// too, oldest first.
func (s *Server) Posted() []Message {
	return s.filtered(func(m *Message) bool { return m.Author == s.BotID })
}

// Ephemerals gives what only that person sees.
func (s *Server) Ephemerals(user string) []Message {
	u := s.person(user)
	return s.filtered(func(m *Message) bool { return m.OnlyFor == u.ID && !m.Deleted })
}

func (s *Server) filtered(of func(*Message) bool) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Message
	for _, id := range sorted(s.messages) {
		if m := s.messages[id]; of(m) {
			out = append(out, m.copied())
		}
	}
	return out
}

// Message gives one as it is, a deleted one as it was.
func (s *Server) Message(id string) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.messages[id]; m != nil {
		return m.copied(), true
	}
	return Message{}, false
}

// Typing is how often the bot was seen to type in a channel.
func (s *Server) Typing(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typing[channel]
}

// Await waits until ok is true, which is asked at each change, and ends the
// test if that takes longer than Settings.Patience. ok may call any method
// that doesn't wait. It must be called from the test's own goroutine.
func (s *Server) Await(what string, ok func() bool) {
	s.t.Helper()
	late := time.NewTimer(s.set.Patience)
	defer late.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if ok() {
			return
		}
		select {
		case <-changed:
		case <-time.After(20 * time.Millisecond): // ok may look at more than this server
		case <-late.C:
			s.t.Fatalf("waited %s for %s\n%s", s.set.Patience, what, s.story())
		}
	}
}

// AwaitMessage waits for a message of the bot in a channel for which ok is
// true; a nil ok takes any that isn't loading.
func (s *Server) AwaitMessage(channel string, ok func(Message) bool) Message {
	s.t.Helper()
	if ok == nil {
		ok = func(m Message) bool { return !m.Loading() }
	}
	var found Message
	s.Await("a message in channel "+channel, func() bool {
		for _, m := range s.Messages(channel) {
			if m.Author == s.BotID && ok(m) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// AwaitRequests waits for n requests.
func (s *Server) AwaitRequests(method, part string, n int) []Request {
	s.t.Helper()
	var got []Request
	s.Await(fmt.Sprintf("%d requests %s %s", n, method, part), func() bool {
		got = s.Requests(method, part)
		return len(got) >= n
	})
	return got
}

// story tells what happened last, for a test that failed.
func (s *Server) story() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "gateway: %d identified, %d resumed, %d open\n", len(s.identifies), len(s.resumes), len(s.conns))
	for _, q := range s.requests[max(0, len(s.requests)-20):] {
		fmt.Fprintf(&b, "%s %s: %d\n", q.Method, q.Path, q.Status)
	}
	for _, v := range s.violations {
		fmt.Fprintf(&b, "%v\n", v)
	}
	return b.String()
}
