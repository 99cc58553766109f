package discordtest

import (
	"cmp"
	"encoding/json"
)

// A Stage is a moment in the life of a gateway connection.
type Stage int

// Stages.
const (
	OnConnect     Stage = iota // refused with 503, whatever else the fault says
	BeforeHello                // in place of hello
	AfterHello                 //
	AfterIdentify              // in place of READY
	AfterReady                 // in place of the guilds
	AfterResume                // in place of the missed events
	MidReplay                  // after one missed event
	AfterResumed               //
)

// A GatewayFault is what happens at a stage. With neither Close, Send nor
// Silent the socket is cut.
type GatewayFault struct {
	At     Stage
	Times  int             // how many connections; 0 is 1, below 0 is all
	Close  int             // a close code
	Send   json.RawMessage // a payload: {"op":7,"d":null}
	Silent bool            // nothing more comes, heartbeats are not acknowledged, the socket stays
}

// Payloads to send in a fault.
var (
	SendReconnect      = json.RawMessage(`{"op":7,"d":null,"s":null,"t":null}`)
	SendInvalid        = json.RawMessage(`{"op":9,"d":false,"s":null,"t":null}`)
	SendInvalidButLive = json.RawMessage(`{"op":9,"d":true,"s":null,"t":null}`) // may be resumed
)

// FailGateway makes the next connections that reach a stage go wrong, and
// gives back what takes the fault away again.
func (s *Server) FailGateway(f GatewayFault) (undo func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Times = cmp.Or(f.Times, 1)
	s.stages = append(s.stages, f)
	i := len(s.stages) - 1
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stages[i].Times = 0
	}
}

// stage is the fault for one connection at a stage; s.mu is held.
func (s *Server) stage(at Stage) *GatewayFault {
	for i := range s.stages {
		f := &s.stages[i]
		if f.At != at || f.Times == 0 {
			continue
		}
		if f.Times > 0 {
			f.Times--
		}
		found := *f
		return &found
	}
	return nil
}

// staged is true if a fault took the place of what was to come.
func (s *Server) staged(c *gatewayConn, at Stage) bool {
	f := s.stage(at)
	if f == nil {
		return false
	}
	switch {
	case f.Close != 0:
		c.send(outgoing{code: f.Close})
	case f.Send != nil:
		c.send(outgoing{frame: f.Send})
	case f.Silent:
		c.silent = true
	default:
		c.send(outgoing{cut: true})
	}
	return true
}

// Drop cuts every gateway socket with no close frame; sessions can be resumed.
func (s *Server) Drop() { s.tell(outgoing{cut: true}) }

// ResetToken makes another token the bot's: who uses the old one is hung up on with
// 4004, and answered 401.
func (s *Server) ResetToken(token string) {
	s.mu.Lock()
	s.set.Token = token
	s.mu.Unlock()
	s.Hangup(4004)
}

// Hangup closes every gateway socket with a code from 4000 to 4014 (or another).
func (s *Server) Hangup(code int) { s.tell(outgoing{code: code}) }

// Reconnect asks every client to reconnect and resume (op 7).
func (s *Server) Reconnect() { s.tell(outgoing{frame: SendReconnect}) }

// RequestHeartbeat asks every client for a heartbeat at once (op 1).
func (s *Server) RequestHeartbeat() { s.tell(outgoing{frame: json.RawMessage(`{"op":1,"d":null}`)}) }

// InvalidateSessions tells every client that its session is invalid (op 9). If
// resumable is false the sessions end: clients must identify anew.
func (s *Server) InvalidateSessions(resumable bool) {
	if resumable {
		s.tell(outgoing{frame: SendInvalidButLive})
		return
	}
	s.ExpireSessions()
	s.tell(outgoing{frame: SendInvalid})
}

// ExpireSessions ends all sessions without telling anyone: the next resume
// meets op 9.
func (s *Server) ExpireSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.sessions {
		g.over = true
		if g.conn != nil {
			g.conn.session = nil // the client may identify on the same socket
			g.conn = nil
		}
	}
}

func (s *Server) tell(o outgoing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.send(o)
	}
}

// Mute makes the gateway stop acknowledging heartbeats, or begin again: the
// connection looks alive and is a zombie.
func (s *Server) Mute(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = on
}
