package discordtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Gateway opcodes.
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opPresence       = 3
	opVoice          = 4
	opResume         = 6
	opReconnect      = 7
	opMembers        = 8
	opInvalidSession = 9
	opHello          = 10
	opAck            = 11
)

// Gateway close codes.
const (
	closeUnknown       = 4000
	closeOpcode        = 4001
	closeDecode        = 4002
	closeAnonymous     = 4003
	closeToken         = 4004
	closeTwice         = 4005
	closeSeq           = 4007
	closeRate          = 4008
	closeTimedOut      = 4009
	closeShard         = 4010
	closeVersion       = 4012
	closeIntents       = 4013
	closeDisallowed    = 4014
	maxGatewayPayload  = 4096 // bytes from a client
	gatewaySends       = 120  // a minute from a client
	silenceInIntervals = 5    // half intervals without a heartbeat after which the gateway hangs up
)

var closeReasons = map[int]string{
	closeUnknown: "Unknown error.", closeOpcode: "Unknown opcode.", closeDecode: "Error while decoding payload.", closeAnonymous: "Not authenticated.",
	closeToken: "Authentication failed.", closeTwice: "Already authenticated.", closeSeq: "Invalid seq.", closeRate: "Rate limited.",
	closeTimedOut: "Session timed out.", closeShard: "Invalid shard.", closeVersion: "Invalid API version.",
	closeIntents: "Invalid intent(s).", closeDisallowed: "Disallowed intent(s).",
}

// A gatewaySession outlives its connections until it is over.
type gatewaySession struct {
	id      string
	intents int
	seq     int64
	sent    [][]byte // the frame with sequence number n is sent[n-1]
	conn    *gatewayConn
	over    bool
}

type gatewayConn struct {
	ws      *websocket.Conn
	session *gatewaySession // guarded by the server's lock
	silent  bool            // says nothing more, by a fault; guarded by the server's lock
	sends   bucket

	mu      sync.Mutex
	queue   []outgoing
	closing bool // the gateway hangs up
	more    chan struct{}
}

// outgoing is a frame, a close or a cut.
type outgoing struct {
	frame []byte
	code  int
	cut   bool
}

func (c *gatewayConn) send(o outgoing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, o)
	c.closing = c.closing || o.code != 0 || o.cut
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *gatewayConn) op(op int, d any) {
	c.send(outgoing{frame: encode(map[string]any{"op": op, "d": d, "s": nil, "t": nil})})
}

// hangupGrace is how long a client may take to see that the gateway hung up.
const hangupGrace = 5 * time.Second

// write is the connection's only writer. It ends when it has hung up, or when
// done is closed and all is written.
func (c *gatewayConn) write(done <-chan struct{}) {
	for last := false; ; {
		c.mu.Lock()
		queue := c.queue
		c.queue = nil
		c.mu.Unlock()
		for _, o := range queue {
			switch {
			case o.cut:
				_ = c.ws.NetConn().Close()
				return
			case o.code != 0: // the client closes the connection once it has read the code
				_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(o.code, closeReasons[o.code]), time.Now().Add(time.Second))
				_ = c.ws.SetReadDeadline(time.Now().Add(hangupGrace))
				return
			default:
				_ = c.ws.WriteMessage(websocket.TextMessage, o.frame)
			}
		}
		if last {
			return
		}
		select {
		case <-c.more:
		case <-done:
			last = true
		}
	}
}

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

func (s *Server) gateway(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.wg.Add(1)
	defer s.wg.Done()
	refused := s.stage(OnConnect)
	s.mu.Unlock()
	if refused != nil {
		http.Error(w, "503: Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	ws.SetCloseHandler(func(int, string) error { return nil })
	c := &gatewayConn{ws: ws, more: make(chan struct{}, 1)}
	done, written := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(written)
		c.write(done)
	}()
	s.mu.Lock()
	s.conns[c] = true
	version := r.URL.Query().Get("v")
	switch {
	case s.closed:
		c.send(outgoing{cut: true})
	case version != "" && version != "9" && version != "10":
		c.send(outgoing{code: closeVersion})
	case !s.staged(c, BeforeHello):
		c.op(opHello, map[string]any{"heartbeat_interval": s.set.Heartbeat.Milliseconds(), "_trace": []string{"fake"}})
		s.staged(c, AfterHello)
	}
	s.mu.Unlock()

	err = s.listen(c, version)
	c.mu.Lock()
	ours := c.closing
	c.mu.Unlock()
	s.mu.Lock()
	if g := c.session; g != nil && g.conn == c {
		g.conn = nil
		if !ours && websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway) {
			g.over = true // a client that leaves with these codes ends its session
		}
	}
	delete(s.conns, c)
	s.wake()
	s.mu.Unlock()
	close(done)
	<-written
	if !ours {
		c.linger()
	}
	_ = ws.Close()
}

// linger leaves it to a client that said goodbye to close the connection:
// discordgo would try to take what it reads then for the end of one that it is
// still closing.
func (c *gatewayConn) linger() {
	_ = c.ws.SetReadDeadline(time.Now().Add(hangupGrace))
	_, _ = io.Copy(io.Discard, c.ws.NetConn())
}

// listen reads until the connection ends.
func (s *Server) listen(c *gatewayConn, version string) error {
	c.ws.SetReadLimit(1 << 20)
	beat := func() { _ = c.ws.SetReadDeadline(time.Now().Add(s.set.Heartbeat / 2 * silenceInIntervals)) }
	beat()
	for {
		_, text, err := c.ws.ReadMessage()
		if timeout := (interface{ Timeout() bool })(nil); errors.As(err, &timeout) && timeout.Timeout() {
			c.send(outgoing{code: closeTimedOut})
			s.gatewayViolation("heartbeat", closeTimedOut)
			return err
		}
		if err != nil {
			return err
		}
		var in struct {
			Op *int            `json:"op"`
			D  json.RawMessage `json:"d"`
		}
		s.mu.Lock()
		code := 0
		switch {
		case c.sends.take(time.Now(), Rate{gatewaySends, time.Minute}) > 0:
			code = closeRate
		case len(text) > maxGatewayPayload, json.Unmarshal(text, &in) != nil, in.Op == nil:
			code = closeDecode
		default:
			if *in.Op == opHeartbeat {
				beat()
			}
			code = s.heard(c, *in.Op, in.D, version)
		}
		s.wake()
		s.mu.Unlock()
		if code != 0 {
			op := "a payload"
			if in.Op != nil {
				op = "op " + itoa(*in.Op)
			}
			s.gatewayViolation(op, code)
			c.send(outgoing{code: code})
		}
	}
}

func (s *Server) gatewayViolation(what string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, Violation{"gateway", what, errors.New(itoa(code) + " " + closeReasons[code]), time.Now()})
}

// heard answers one payload; the code, if not 0, closes the connection; s.mu
// is held.
func (s *Server) heard(c *gatewayConn, op int, d json.RawMessage, version string) (code int) {
	switch op {
	case opHeartbeat:
		if !s.mute && !c.silent {
			c.op(opAck, nil)
		}
		return 0
	case opIdentify:
		if c.session != nil {
			return closeTwice
		}
		return s.identified(c, d, version)
	case opResume:
		if c.session != nil {
			return closeTwice
		}
		return s.resumed(c, d)
	case opPresence, opVoice, opMembers:
		if c.session == nil {
			return closeAnonymous
		}
		return 0
	}
	return closeOpcode
}

func (s *Server) identified(c *gatewayConn, d json.RawMessage, version string) (code int) {
	var in struct {
		Token    string `json:"token"`
		Intents  *int   `json:"intents"`
		Compress bool   `json:"compress"`
		Shard    []int  `json:"shard"`
	}
	if json.Unmarshal(d, &in) != nil {
		return closeDecode
	}
	switch {
	case strings.TrimPrefix(in.Token, "Bot ") != s.set.Token:
		return closeToken
	case in.Intents == nil || *in.Intents&^intentKnown != 0:
		return closeIntents
	case *in.Intents&intentPrivileged&^s.set.Privileged != 0:
		return closeDisallowed
	case in.Shard != nil && (len(in.Shard) != 2 || in.Shard[0] < 0 || in.Shard[0] >= in.Shard[1]):
		return closeShard
	}
	if now := time.Now(); now.Sub(s.lastLogin) < s.set.IdentifyEvery {
		c.op(opInvalidSession, false)
		return 0
	}
	s.lastLogin = time.Now()
	s.identifies = append(s.identifies, Identify{*in.Intents, in.Compress, version, in.Shard})
	if s.staged(c, AfterIdentify) {
		return 0
	}
	g := &gatewaySession{id: "session-" + s.newID(), intents: *in.Intents, conn: c}
	s.sessions = append(s.sessions, g)
	c.session = g
	guilds := []any{}
	for _, id := range sorted(s.guilds) {
		guilds = append(guilds, map[string]any{"id": id, "unavailable": true})
	}
	application := map[string]any{"id": s.AppID, "flags": s.applicationWire()["flags"]}
	s.give(g, event{name: "READY", make: fixed(map[string]any{"v": json.Number(cmp.Or(version, "9")), "user": s.userWire(s.BotID), "guilds": guilds, "session_id": g.id,
		"session_type": "normal", "resume_gateway_url": s.gatewayURL(), "shard": in.Shard, "application": application, "private_channels": []any{}})})
	if s.staged(c, AfterReady) {
		return 0
	}
	for _, id := range sorted(s.guilds) {
		s.guildCreate(s.guilds[id], g)
	}
	return 0
}

func (s *Server) resumed(c *gatewayConn, d json.RawMessage) (code int) {
	var in struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int64  `json:"seq"`
	}
	if json.Unmarshal(d, &in) != nil {
		return closeDecode
	}
	if strings.TrimPrefix(in.Token, "Bot ") != s.set.Token {
		return closeToken
	}
	i := slices.IndexFunc(s.sessions, func(g *gatewaySession) bool { return g.id == in.Session && !g.over })
	s.resumes = append(s.resumes, Resume{in.Session, in.Seq, i >= 0})
	if s.staged(c, AfterResume) {
		return 0
	}
	if i < 0 {
		c.op(opInvalidSession, false)
		return 0
	}
	g := s.sessions[i]
	if in.Seq < 0 || in.Seq > g.seq {
		return closeSeq
	}
	if g.conn != nil {
		g.conn.session = nil
		g.conn.send(outgoing{cut: true})
	}
	g.conn, c.session = c, g
	for _, frame := range g.sent[in.Seq:] {
		c.send(outgoing{frame: frame})
		if s.staged(c, MidReplay) {
			g.conn, c.session = nil, nil
			return 0
		}
	}
	s.give(g, event{name: "RESUMED", make: fixed(map[string]any{"_trace": []string{"fake"}})})
	s.staged(c, AfterResumed)
	return 0
}

func (s *Server) gatewayURL() string { return "ws" + strings.TrimPrefix(s.URL, "http") + "/gateway/" }
