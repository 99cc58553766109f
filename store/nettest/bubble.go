package nettest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// bubbles are the networks of the bubbles that Test runs.
var bubbles sync.Map // by testing.TB

// ending is how long goroutines that end by themselves have for that after a test.
const ending = time.Minute

// longest is a test that waits for nothing that will come: where somebody ticks, its
// time would go on for ever.
const longest = 12 * time.Hour

// Test runs f in a bubble of testing/synctest with a network of its own, on the
// morning of 5 January 2026 UTC. What f makes with its t by Unstarted is on that
// network, and what its Dial reaches.
func Test(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		bubbles.Store(testing.TB(t), &Network{})
		defer bubbles.Delete(testing.TB(t))
		t.Cleanup(func() { time.Sleep(ending) }) // the last one: a bubble's time stops with its test
		time.Sleep(time.Until(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)))
		defer time.AfterFunc(longest, func() {
			debug.SetTraceback("all")
			panic(fmt.Sprintf("%s still waits after %v of its time; its goroutines tell for what", t.Name(), longest))
		}).Stop()
		f(t)
	})
}

func on(t testing.TB) *Network {
	n, ok := bubbles.Load(t)
	if !ok {
		return nil
	}
	return n.(*Network)
}

// Dial is how clients reach what listens in t's bubble; nil outside of Test,
// where they dial as the machine does.
func Dial(t testing.TB) func(ctx context.Context, network, address string) (net.Conn, error) {
	if n := on(t); n != nil {
		return n.Dial
	}
	return nil
}

// Client is an HTTP client for what listens in t's bubble, or on the machine's
// own network outside of Test. Its idle connections end with the test.
func Client(t testing.TB) *http.Client {
	carrier := &http.Transport{DialContext: Dial(t)}
	t.Cleanup(carrier.CloseIdleConnections)
	return &http.Client{Transport: carrier}
}

// Unstarted is a server of h that isn't started yet: on the network of t's
// bubble, or on loopback outside of Test.
func Unstarted(t testing.TB, h http.Handler) *httptest.Server {
	n := on(t)
	if n == nil {
		return httptest.NewUnstartedServer(h)
	}
	return &httptest.Server{Listener: n.Listen(), Config: &http.Server{Handler: h}}
}

// Start is Unstarted, started; it ends with the test.
func Start(t testing.TB, h http.Handler) *httptest.Server {
	s := Unstarted(t, h)
	s.Start()
	t.Cleanup(s.Close)
	return s
}
