package nettest

import (
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
)

// A Network connects whoever listens on it with whoever dials. The zero value is
// ready for use. It is safe for concurrent use, within one bubble.
type Network struct {
	mu        sync.Mutex
	listeners map[string]*listener // by address
	made      int
}

// Listen begins to listen at an address of its own, "host-1.test:80".
func (n *Network) Listen() net.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.made++
	l := &listener{on: n, at: addr(fmt.Sprintf("host-%d.test:80", n.made)), dialled: make(chan *conn), closed: make(chan struct{})}
	if n.listeners == nil {
		n.listeners = make(map[string]*listener)
	}
	n.listeners[string(l.at)] = l
	return l
}

// Dial connects to a listener. Where none is, it fails as TCP does, with an error
// that wraps ECONNREFUSED.
func (n *Network) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[address]
	n.made++
	from := addr(fmt.Sprintf("client.test:%d", n.made))
	n.mu.Unlock()
	failed := func(err error) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: addr(address), Err: err}
	}
	if l == nil {
		return failed(syscall.ECONNREFUSED)
	}
	near, far := pair(from, l.at)
	select {
	case l.dialled <- far:
		return near, nil
	case <-l.closed:
		return failed(syscall.ECONNREFUSED)
	case <-ctx.Done():
		return failed(ctx.Err())
	}
}

type listener struct {
	on      *Network
	at      addr
	dialled chan *conn
	closing sync.Once
	closed  chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.dialled:
		return c, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "accept", Net: l.at.Network(), Addr: l.at, Err: net.ErrClosed}
	}
}

func (l *listener) Close() error {
	l.closing.Do(func() {
		l.on.mu.Lock()
		delete(l.on.listeners, string(l.at))
		l.on.mu.Unlock()
		close(l.closed)
	})
	return nil
}

func (l *listener) Addr() net.Addr { return l.at }

// An addr is "host:port".
type addr string

func (addr) Network() string  { return "tcp" }
func (a addr) String() string { return string(a) }
