package discordtest

import (
	"slices"
)

// Gateway intents.
const (
	intentGuilds         = 1 << 0
	IntentMembers        = 1 << 1 // privileged
	intentPresences      = 1 << 8 // privileged
	intentMessages       = 1 << 9
	intentReactions      = 1 << 10
	intentDirect         = 1 << 12
	intentDirectReaction = 1 << 13
	IntentContent        = 1 << 15 // privileged

	intentPrivileged = IntentMembers | intentPresences | IntentContent
	intentKnown      = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
)

// An event is what the gateway sends to the sessions that asked for it.
type event struct {
	name string
	need int                          // an intent, or 0
	make func(intents int) (body any) // as a session with these intents gets it
}

func fixed(body any) func(int) any { return func(int) any { return body } }

// emit sends e to every session, held back or doubled where the test wants it;
// s.mu is held.
func (s *Server) emit(e event) {
	if s.holding {
		s.held = append(s.held, e)
		s.wake()
		return
	}
	times := 1
	if s.double > 0 {
		s.double--
		times = 2
	}
	for range times {
		for _, g := range s.sessions {
			s.give(g, e)
		}
	}
	s.wake()
}

// give sends e to one session, kept for when it resumes.
func (s *Server) give(g *gatewaySession, e event) {
	if g.over || e.need != 0 && g.intents&e.need == 0 {
		return
	}
	g.seq++
	frame := encode(map[string]any{"op": opDispatch, "t": e.name, "s": g.seq, "d": e.make(g.intents)})
	g.sent = append(g.sent, frame)
	if g.conn != nil {
		g.conn.send(outgoing{frame: frame})
	}
}

// Duplicate makes the gateway send each of the next n events twice, with two
// sequence numbers.
func (s *Server) Duplicate(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.double = n
}

// HoldEvents keeps events back until ReleaseEvents.
func (s *Server) HoldEvents() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = true
}

// ReleaseEvents sends the events held back, in this order: 0 is the oldest,
// one named twice comes twice, one not named is lost. Without an order they
// come as they happened.
func (s *Server) ReleaseEvents(order ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held
	s.holding, s.held = false, nil
	if len(order) == 0 {
		for _, e := range held {
			s.emit(e)
		}
		return
	}
	for _, i := range order {
		if i < 0 || i >= len(held) {
			s.t.Errorf("discordtest: there is no event %d among the %d held back", i, len(held))
			return
		}
		s.emit(held[i])
	}
}

func (s *Server) messageEvent(name string, m *Message) {
	need := intentMessages
	if m.Guild == "" {
		need = intentDirect
	}
	readable, blanked := s.messageBody(m, true), s.messageBody(m, s.addressed(m))
	s.emit(event{name, need, func(intents int) any {
		if intents&IntentContent != 0 {
			return readable
		}
		return blanked
	}})
}

// messageBody is a message as events have it: with its guild and member.
func (s *Server) messageBody(m *Message, readable bool) map[string]any {
	out := s.wire(m, readable)
	if m.Guild != "" {
		out["guild_id"], out["member"] = m.Guild, s.memberWire(m.Guild, m.Author, false)
	}
	return out
}

func (s *Server) messageGone(m *Message) {
	body := map[string]any{"id": m.ID, "channel_id": m.Channel}
	need := intentDirect
	if m.Guild != "" {
		body["guild_id"], need = m.Guild, intentMessages
	}
	s.emit(event{"MESSAGE_DELETE", need, fixed(body)})
}

func (s *Server) reactionEvent(name string, m *Message, user, emoji string) {
	body := map[string]any{"user_id": user, "channel_id": m.Channel, "message_id": m.ID, "emoji": emojiWire(emoji), "burst": false, "type": 0}
	need := intentDirectReaction
	if m.Guild != "" {
		body["guild_id"], need = m.Guild, intentReactions
	}
	if name == "MESSAGE_REACTION_ADD" {
		body["message_author_id"] = m.Author
		if m.Guild != "" {
			body["member"] = s.memberWire(m.Guild, user, true)
		}
	}
	s.emit(event{name, need, fixed(body)})
}

func (s *Server) threadEvent(name string, c *Channel, fresh bool) {
	body := s.channelWire(c)
	if fresh {
		body["newly_created"] = true
	}
	s.emit(event{name, intentGuilds, fixed(body)})
}

// An Identify is one that a client sent.
type Identify struct {
	Intents  int
	Compress bool
	Version  string // of the gateway, as the URL named it
	Shard    []int
}

// A Resume is one that a client sent.
type Resume struct {
	Session string
	Seq     int64
	Known   bool // it was a session that could be resumed
}

// Identifies gives those that were accepted, oldest first.
func (s *Server) Identifies() []Identify {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.identifies)
}

// Resumes gives all that were tried, oldest first.
func (s *Server) Resumes() []Resume {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.resumes)
}

// Connected is how many sockets have a session that is ready.
func (s *Server) Connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for c := range s.conns {
		if c.session != nil {
			n++
		}
	}
	return n
}

// AwaitConnected waits until n sockets have a session that is ready.
func (s *Server) AwaitConnected(n int) {
	s.t.Helper()
	s.Await("a gateway connection", func() bool { return s.Connected() == n })
}
