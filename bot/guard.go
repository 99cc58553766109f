package bot

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
)

// post lets POST requests through to next, from whom they may come.
func (h *HTTP) post(next http.HandlerFunc) http.HandlerFunc {
	return h.guarded(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			complain(w, http.StatusMethodNotAllowed, "usage", r.URL.Path+" takes POST")
			return
		}
		next(w, r)
	})
}

// seated does the work of a request whose body is read, or complains that there
// is no seat for it. Whoever reads or writes has none.
func (h *HTTP) seated(w http.ResponseWriter, r *http.Request, work func()) bool {
	select {
	case h.seats <- struct{}{}:
	default:
		w.Header().Set("Retry-After", "1")
		complain(w, http.StatusServiceUnavailable, "busy", "too many requests are being worked on; try again in a second")
		return false
	}
	g := guestOf(r)
	g.works(true)
	defer func() { g.works(false); <-h.seats }()
	work()
	return true
}

func (h *HTTP) get(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			complain(w, http.StatusMethodNotAllowed, "usage", r.URL.Path+" takes GET")
			return
		}
		next(w, r)
	}
}

// guarded turns away who may not ask. With a token, that is whoever doesn't
// hold it. Without one, it is whoever isn't on this machine: a browser that was
// led here under another name (DNS rebinding), and what a proxy passes on.
func (h *HTTP) guarded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case h.Token != "":
			if !h.holds(r) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="precedent"`)
				complain(w, http.StatusUnauthorized, "denied", "send Authorization: Bearer and the token that the server was started with")
				return
			}
		case !local(r):
			complain(w, http.StatusForbidden, "denied", "without PRECEDENT_HTTP_TOKEN only this machine is served, under the name localhost or its address, and through no proxy")
			return
		}
		next(w, r)
	}
}

// holds tells in constant time whether the request carries the token.
func (h *HTTP) holds(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(h.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "bearer")
}

func local(r *http.Request) bool {
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil || !loopback(from) {
		return false
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return loopback(host) && r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Forwarded") == ""
}

func loopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
