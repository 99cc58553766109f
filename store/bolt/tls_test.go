package bolt_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

// encrypted listens with a certificate that nobody trusts, and hands on what it
// reads to address and back.
func encrypted(t *testing.T, address string) net.Listener {
	t.Helper()
	web := httptest.NewTLSServer(nil)
	t.Cleanup(web.Close)
	l, err := tls.Listen("tcp", "127.0.0.1:0", web.TLS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", address)
			if err != nil {
				near.Close()
				continue
			}
			go func() { io.Copy(far, near); far.Close() }()
			go func() { io.Copy(near, far); near.Close() }()
		}
	}()
	return l
}

func TestEncrypted(t *testing.T) {
	s := neotest.Start(t)
	l := encrypted(t, strings.TrimPrefix(s.URI, "bolt://"))
	g := connect(t, s, func(c *bolt.Config) { c.URI = "bolt+ssc://" + l.Addr().String() })
	if n := run(t, g, "RETURN 1", nil).Rows[0][0]; n != int64(1) {
		t.Error(n)
	}
	if _, err := g.Run(t.Context(), store.Query{Text: "RETURN range(1, 10000000)"}, store.Limits{}); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("a row that is too large: %v", err)
	}
	c := bolt.Config{URI: "bolt+s://" + l.Addr().String(), Username: s.Username, Password: s.Password, Acquire: 5 * time.Second}
	if _, err := bolt.Open(t.Context(), c); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "certificate that this machine trusts") {
		t.Errorf("a certificate that nobody trusts: %v", err)
	}
}
