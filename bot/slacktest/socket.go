package slacktest

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A Stage is a moment in a socket's life.
type Stage string

// The stages at which DropAt cuts a connection.
const (
	Dialling      Stage = "dialling"       // the websocket is refused, HTTP 503
	BeforeHello   Stage = "before hello"   // it opens and says nothing
	InEnvelope    Stage = "in an envelope" // half of a frame has been written
	AfterEnvelope Stage = "after an envelope"
	BeforeAck     Stage = "before an ack" // the bot has written its ack, Slack hasn't read it
	AfterAck      Stage = "after an ack"  // Slack has read it
)

// DropAt cuts the connection the next n times that one comes to a stage.
func (s *Server) DropAt(at Stage, n int) { s.change(func() { s.drops[at] += n }) }

// Drop cuts every open socket now, without a closing handshake.
func (s *Server) Drop() {
	s.mu.Lock()
	open := append([]*socket(nil), s.sockets...)
	s.mu.Unlock()
	for _, k := range open {
		k.ws.UnderlyingConn().Close()
	}
}

// Disconnect tells every open socket that its connection ends: "warning" (in
// about ten seconds), "refresh_requested" or "link_disabled". The sockets that
// the bot doesn't leave by itself are closed ten seconds later.
func (s *Server) Disconnect(reason string) {
	s.mu.Lock()
	open := append([]*socket(nil), s.sockets...)
	for _, k := range open {
		k.leaving = true
	}
	s.mu.Unlock()
	for _, k := range open {
		k.write(map[string]any{"type": "disconnect", "reason": reason, "debug_info": map[string]any{"host": "applink-1"}})
		s.timers.after(10*time.Second, func() { k.ws.Close() })
	}
}

// Silence stops the pings of open sockets, which then look alive and aren't.
func (s *Server) Silence() {
	s.change(func() {
		for _, k := range s.sockets {
			k.silent = true
		}
	})
}

// Garble writes a frame that is no envelope to every open socket.
func (s *Server) Garble(frame string) {
	s.mu.Lock()
	open := append([]*socket(nil), s.sockets...)
	s.mu.Unlock()
	for _, k := range open {
		k.mu.Lock()
		k.ws.WriteMessage(websocket.TextMessage, []byte(frame))
		k.mu.Unlock()
	}
}

// Sockets is how many are open; Opened how many have been, hello said.
func (s *Server) Sockets() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.sockets) }

// Opened is how many sockets have said hello since the start.
func (s *Server) Opened() int { s.mu.Lock(); defer s.mu.Unlock(); return s.opens }

// AwaitSocket waits until a socket is open that isn't about to close.
func (s *Server) AwaitSocket() {
	s.t.Helper()
	s.Await("socket", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, k := range s.sockets {
			if !k.leaving {
				return true
			}
		}
		return false
	})
}

type socket struct {
	s               *Server
	ws              *websocket.Conn
	leaving, silent bool       // under the server's lock
	mu              sync.Mutex // one writer at a time
}

func openConnection(r *request) reply {
	s := r.s
	ticket := s.id("ticket-")
	s.tickets[ticket] = true
	return reply{"url": "ws" + strings.TrimPrefix(s.http.URL, "http") + "/link/?ticket=" + ticket + "&app_id=" + s.AppID}
}

// dropping takes one of the cuts that DropAt ordered for a stage.
func (s *Server) dropping(at Stage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drops[at] == 0 {
		return false
	}
	s.drops[at]--
	return true
}

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	s.work.Add(1)
	defer s.work.Done()
	ticket := r.URL.Query().Get("ticket")
	s.mu.Lock()
	known := s.tickets[ticket]
	delete(s.tickets, ticket)
	s.mu.Unlock()
	if !known || s.dropping(Dialling) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	k := &socket{s: s, ws: ws}
	if s.dropping(BeforeHello) || !k.greet() {
		ws.UnderlyingConn().Close()
		return
	}
	defer s.change(func() {})
	done := make(chan struct{})
	defer close(done)
	s.work.Go(func() { k.ping(done) })
	k.read()
	s.mu.Lock()
	for i, x := range s.sockets {
		if x == k {
			s.sockets = append(s.sockets[:i:i], s.sockets[i+1:]...)
		}
	}
	s.mu.Unlock()
}

// greet says hello and lets deliveries in, in that order.
func (k *socket) greet() bool {
	s := k.s
	s.mu.Lock()
	n := len(s.sockets) + 1
	s.mu.Unlock()
	if n > s.lim.Sockets {
		k.write(map[string]any{"type": "disconnect", "reason": "too_many_websockets", "debug_info": map[string]any{"host": "applink-1"}})
		return false
	}
	if k.write(map[string]any{"type": "hello", "num_connections": n, "connection_info": map[string]any{"app_id": s.AppID},
		"debug_info": map[string]any{"host": "applink-1", "build_number": 10, "approximate_connection_time": 18060}}) != nil {
		return false
	}
	open := false
	s.change(func() {
		if s.ctx.Err() == nil {
			s.sockets, open = append(s.sockets, k), true
			s.opens++
		}
	})
	return open
}

func (k *socket) ping(done chan struct{}) {
	t := time.NewTicker(k.s.opt.PingEvery)
	defer t.Stop()
	for {
		k.s.mu.Lock()
		silent := k.silent
		k.s.mu.Unlock()
		if !silent {
			k.ws.WriteControl(websocket.PingMessage, []byte("Ping from applink-1"), time.Now().Add(time.Second))
		}
		select {
		case <-done:
			return
		case <-t.C:
		}
	}
}

// read takes acknowledgements until the connection ends.
func (k *socket) read() {
	s := k.s
	for {
		_, frame, err := k.ws.ReadMessage()
		if err != nil {
			return
		}
		if s.dropping(BeforeAck) {
			k.ws.UnderlyingConn().Close()
			return
		}
		var ack struct {
			Envelope string          `json:"envelope_id"`
			Payload  json.RawMessage `json:"payload"`
		}
		err = json.Unmarshal(frame, &ack)
		s.change(func() {
			a := s.envelopes[ack.Envelope]
			switch {
			case err != nil || a == nil:
				s.violate("ack", "unknown envelope", string(frame[:min(200, len(frame))]), true)
			case len(frame) >= s.lim.AckPayload:
				s.violate("ack", "answer dropped for its size", a.Envelope, true)
			default:
				s.settled(a, ack.Payload)
			}
		})
		if s.dropping(AfterAck) {
			k.ws.UnderlyingConn().Close()
			return
		}
	}
}

func (k *socket) write(v any) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ws.SetWriteDeadline(time.Now().Add(5 * time.Second))
	return k.ws.WriteJSON(v)
}

// pick is the socket of the next delivery: each in turn, as Slack promises none.
func (s *Server) pick() *socket {
	var open []*socket
	for _, k := range s.sockets {
		if !k.leaving {
			open = append(open, k)
		}
	}
	if len(open) == 0 {
		open = s.sockets
	}
	if len(open) == 0 {
		return nil
	}
	return open[len(s.envelopes)%len(open)]
}

func (k *socket) deliver(a *attempt) {
	envelope := map[string]any{"type": a.d.Kind, "envelope_id": a.Envelope, "payload": a.d.payload, "accepts_response_payload": a.d.accepts}
	if a.d.Kind == "events_api" {
		envelope["retry_attempt"], envelope["retry_reason"] = a.Retry, a.Reason
	}
	if k.s.dropping(InEnvelope) {
		k.half(envelope)
		return
	}
	k.write(envelope)
	if k.s.dropping(AfterEnvelope) {
		k.ws.UnderlyingConn().Close()
	}
}

// half writes half of a text frame (RFC 6455, 5.2) and breaks off.
func (k *socket) half(v any) {
	body, _ := json.Marshal(v)
	head := []byte{0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint64(head[2:], uint64(len(body)))
	k.mu.Lock()
	defer k.mu.Unlock()
	conn := k.ws.UnderlyingConn()
	conn.Write(append(head, body[:len(body)/2]...))
	conn.Close()
}
