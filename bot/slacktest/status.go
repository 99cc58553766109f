package slacktest

import "unicode/utf8"

// A Status is what the bot shows that it is doing in a thread. It goes when the
// bot posts there.
type Status struct {
	Channel, Thread string
	Text            string
	Over            bool
}

// Statuses are those that the bot set, oldest first.
func (s *Server) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Status(nil), s.statuses...)
}

// statusText is a bound of our own: Slack documents none.
const statusText = 150

func setStatus(r *request) reply {
	c, bad := r.place("channel_id")
	if bad != nil {
		return bad
	}
	thread := r.str("thread_ts")
	switch {
	case !stampShape.MatchString(thread):
		return refuse("invalid_thread_ts")
	case r.s.standing(c.ID, thread) == nil:
		r.violate("status for no message", thread)
	case utf8.RuneCountInString(r.str("status")) > statusText:
		r.violate("status longer than fits", r.str("status"))
	}
	r.s.clearStatus(c.ID, thread)
	if r.str("status") != "" {
		r.s.statuses = append(r.s.statuses, Status{Channel: c.ID, Thread: thread, Text: r.str("status")})
	}
	return reply{}
}

func (s *Server) clearStatus(channel, thread string) {
	for i, st := range s.statuses {
		if st.Channel == channel && st.Thread == thread {
			s.statuses[i].Over = true
		}
	}
}
