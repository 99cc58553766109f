package nettest

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// window is how many bytes of one direction may be under way, about what Linux
// takes on loopback; a writer waits beyond.
const window = 2 << 20

// pair is both ends of a connection.
func pair(near, far addr) (*conn, *conn) {
	there, back := newStream(), newStream()
	return &conn{in: back, out: there, here: near, there: far}, &conn{in: there, out: back, here: far, there: near}
}

// A conn is one end of a connection.
type conn struct {
	in, out     *stream
	here, there addr
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.in.read(b)
	return n, c.told("read", err)
}

func (c *conn) Write(b []byte) (int, error) {
	n, err := c.out.write(b)
	return n, c.told("write", err)
}

func (c *conn) told(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return &net.OpError{Op: op, Net: c.here.Network(), Source: c.here, Addr: c.there, Err: err}
}

// Close ends both directions. What was written is still read at the other end.
func (c *conn) Close() error {
	c.in.leave()
	return c.told("close", c.out.end())
}

// CloseWrite ends what is written.
func (c *conn) CloseWrite() error { return c.told("close", c.out.end()) }

func (c *conn) LocalAddr() net.Addr  { return c.here }
func (c *conn) RemoteAddr() net.Addr { return c.there }

func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}
func (c *conn) SetReadDeadline(t time.Time) error {
	c.in.reading.set(&c.in.mu, c.in.moved, t)
	return nil
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	c.out.writing.set(&c.out.mu, c.out.moved, t)
	return nil
}

// A stream is one direction of a connection.
type stream struct {
	mu               sync.Mutex
	moved            *sync.Cond // something below changed
	bytes            []byte     // under way
	ended, left      bool       // by its writer; by its reader
	reading, writing deadline
}

func newStream() *stream {
	s := &stream{}
	s.moved = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.left:
			return 0, net.ErrClosed
		case s.reading.passed:
			return 0, os.ErrDeadlineExceeded
		case len(b) == 0:
			return 0, nil
		case len(s.bytes) > 0:
			n := copy(b, s.bytes)
			if s.bytes = s.bytes[n:]; len(s.bytes) == 0 {
				s.bytes = nil
			}
			s.moved.Broadcast()
			return n, nil
		case s.ended:
			return 0, io.EOF
		}
		s.moved.Wait()
	}
}

func (s *stream) write(b []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch room := window - len(s.bytes); {
		case s.ended:
			return n, net.ErrClosed
		case s.left:
			return n, syscall.EPIPE
		case s.writing.passed:
			return n, os.ErrDeadlineExceeded
		case len(b) == 0:
			return n, nil
		case room > 0:
			fits := min(room, len(b))
			s.bytes = append(s.bytes, b[:fits]...)
			b, n = b[fits:], n+fits
			s.moved.Broadcast()
			continue
		}
		s.moved.Wait()
	}
}

// end is the writer's: nothing more comes.
func (s *stream) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return net.ErrClosed
	}
	s.ended = true
	s.writing.stop()
	s.moved.Broadcast()
	return nil
}

// leave is the reader's: nothing more is read.
func (s *stream) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left, s.bytes = true, nil
	s.reading.stop()
	s.moved.Broadcast()
}

// A deadline is one end's, under the stream's lock.
type deadline struct {
	passed bool
	timer  *time.Timer
	count  int // of times it was set: a timer that comes too late is another's
}

func (d *deadline) set(mu *sync.Mutex, moved *sync.Cond, t time.Time) {
	mu.Lock()
	defer mu.Unlock()
	d.stop()
	wait := time.Until(t)
	d.passed = !t.IsZero() && wait <= 0
	if !t.IsZero() && wait > 0 {
		mine := d.count
		d.timer = time.AfterFunc(wait, func() {
			mu.Lock()
			defer mu.Unlock()
			if d.count == mine {
				d.passed = true
				moved.Broadcast()
			}
		})
	}
	moved.Broadcast()
}

func (d *deadline) stop() {
	d.count++
	if d.timer != nil {
		d.timer.Stop()
	}
}
