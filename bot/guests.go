package bot

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// guests are the connections of a server. There are never more than most of
// them: who is there longest without having been worked for makes room for
// who comes. So do the oldest replies that aren't taken, where all together hold
// more than room bytes.
type guests struct {
	most int
	room int // bytes

	mu    sync.Mutex
	there map[*guest]struct{}
	came  uint64 // counts
	held  int    // bytes of replies
}

// A guest is one connection.
type guest struct {
	net.Conn
	of *guests

	// Guarded by of.mu.
	since  uint64 // when it came, or was last worked for
	busy   bool   // it is being worked for
	leaves int    // bytes of a reply that is being taken
}

// listening is l whose connections are guests.
func (g *guests) listening(l net.Listener) net.Listener { return guestList{l, g} }

type guestList struct {
	net.Listener
	of *guests
}

func (l guestList) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.of.enter(c), nil
}

func (g *guests) enter(c net.Conn) *guest {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.there == nil {
		g.there = make(map[*guest]struct{})
	}
	for len(g.there) >= g.most && g.dismiss(func(old *guest) bool { return !old.busy }) {
	}
	g.came++
	new := &guest{Conn: c, of: g, since: g.came}
	g.there[new] = struct{}{}
	return new
}

// dismiss closes the guest that is there longest among some; false if there is none.
func (g *guests) dismiss(among func(*guest) bool) bool {
	var oldest *guest
	for old := range g.there {
		if among(old) && (oldest == nil || old.since < oldest.since) {
			oldest = old
		}
	}
	if oldest == nil {
		return false
	}
	g.forget(oldest)
	oldest.Conn.Close()
	return true
}

func (g *guests) forget(c *guest) {
	g.held -= c.leaves
	c.leaves = 0
	delete(g.there, c)
}

// Close ends the connection.
func (c *guest) Close() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends what is written, so that who still sends can read it (net/http asks for that).
func (c *guest) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}

// works says whether the guest is being worked for.
func (c *guest) works(busy bool) {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.came++
	c.busy, c.since = busy, c.of.came
}

// takes says how many bytes of a reply the guest has to take; 0 once it has.
func (c *guest) takes(bytes int) {
	if c == nil {
		return
	}
	g := c.of
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, there := g.there[c]; !there {
		return
	}
	g.held += bytes - c.leaves
	c.leaves = bytes
	for g.held > g.room && g.dismiss(func(old *guest) bool { return old != c && old.leaves > 0 }) {
	}
}

type guestKey struct{}

// withGuest is ctx that knows of a connection.
func withGuest(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, guestKey{}, c)
}

// guestOf is the connection that a request came on; nil where it isn't served by Serve.
func guestOf(r *http.Request) *guest {
	c, _ := r.Context().Value(guestKey{}).(*guest)
	return c
}
