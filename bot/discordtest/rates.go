package discordtest

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Rate is how many requests Discord takes in a time; the zero Rate takes any.
type Rate struct {
	N   int
	Per time.Duration
}

// DefaultRates are those that Discord was seen to give. It publishes none, and
// says not to rely on any. Routes that share a bucket at Discord have one each
// here.
func DefaultRates() map[string]Rate {
	return map[string]Rate{
		"POST /channels/{channel}/messages":                                      {5, 5 * time.Second},
		"PATCH /channels/{channel}/messages/{message}":                           {5, 5 * time.Second},
		"DELETE /channels/{channel}/messages/{message}":                          {5, time.Second},
		"GET /channels/{channel}/messages":                                       {5, 5 * time.Second},
		"PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me":       {1, 250 * time.Millisecond},
		"DELETE /channels/{channel}/messages/{message}/reactions/{emoji}/{user}": {1, 250 * time.Millisecond},
		"POST /channels/{channel}/typing":                                        {5, 5 * time.Second},
		"POST /webhooks/{application}/{token}":                                   {5, 2 * time.Second},
		"GET /webhooks/{application}/{token}/messages/{message}":                 {5, 2 * time.Second},
		"PATCH /webhooks/{application}/{token}/messages/{message}":               {5, 2 * time.Second},
		"DELETE /webhooks/{application}/{token}/messages/{message}":              {5, 2 * time.Second},
	}
}

// NoRates are for tests in which the bot isn't to wait.
func NoRates() map[string]Rate { return map[string]Rate{} }

const invalidWindow = 10 * time.Minute

var errBanned = &Error{Status: http.StatusTooManyRequests, Message: "error code: 1015"}

// A limitError is an answer 429.
type limitError struct {
	after  time.Duration
	global bool
	scope  string // "user", "global" or "shared"
}

func (e *limitError) Error() string {
	return fmt.Sprintf("429 You are being rate limited (%s), retry after %s", e.scope, e.after)
}

func (e *limitError) body() map[string]any {
	message := "You are being rate limited."
	if e.scope == "shared" {
		message = "The resource is being rate limited."
	}
	return map[string]any{"message": message, "retry_after": seconds(e.after), "global": e.global}
}

func (e *limitError) headers(h http.Header) {
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.after.Seconds()))))
	h.Set("X-RateLimit-Scope", e.scope)
	if e.global { // no headers of a bucket come with it
		h.Set("X-RateLimit-Global", "true")
	}
}

func seconds(d time.Duration) float64 { return math.Ceil(d.Seconds()*1000) / 1000 }

// A bucket counts what came since a time.
type bucket struct {
	used  int
	since time.Time
}

// take counts one more and says how long to wait if that is one too many.
func (b *bucket) take(now time.Time, r Rate) (wait time.Duration) {
	if now.Sub(b.since) >= r.Per {
		b.used, b.since = 0, now
	}
	if b.used >= r.N {
		return b.since.Add(r.Per).Sub(now)
	}
	b.used++
	return 0
}

// limited applies the global rate and the route's; s.mu is held. Interactions,
// whose routes are open, are bound by no global rate.
func (s *Server) limited(h http.Header, q *Request, open bool) error {
	now := time.Now()
	if !open {
		if wait := s.global.take(now, Rate{s.set.Global, time.Second}); wait > 0 {
			e := &limitError{wait, true, "global"}
			e.headers(h)
			return e
		}
	}
	r := s.set.Rates[q.Route]
	if r.N == 0 {
		return nil
	}
	var key strings.Builder
	key.WriteString(q.Route)
	for _, name := range []string{"channel", "guild", "application", "token"} { // the top-level resources
		key.WriteString("/" + q.value(name))
	}
	b := s.buckets[key.String()]
	if b == nil {
		b = &bucket{}
		s.buckets[key.String()] = b
	}
	wait := b.take(now, r)
	sum := fnv.New64a()
	sum.Write([]byte(q.Route))
	reset := b.since.Add(r.Per)
	h.Set("X-RateLimit-Bucket", strings.ToLower(strconv.FormatUint(sum.Sum64(), 16)))
	h.Set("X-RateLimit-Limit", strconv.Itoa(r.N))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(r.N-b.used))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprint(seconds(reset.Sub(now))))
	if wait > 0 {
		e := &limitError{wait, false, "user"}
		e.headers(h)
		return e
	}
	return nil
}

// counted keeps the number of invalid requests; s.mu is held.
func (s *Server) counted(status int, err error) {
	limit, _ := err.(*limitError)
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		if limit == nil || limit.scope != "shared" {
			s.invalid.take(time.Now(), Rate{math.MaxInt, invalidWindow})
		}
	}
}

// banned is the answer to an address that made too many invalid requests;
// s.mu is held.
func (s *Server) banned(h http.Header) error {
	if s.invalid.used < s.set.Invalid || time.Since(s.invalid.since) >= invalidWindow {
		return nil
	}
	h.Set("Retry-After", strconv.Itoa(int(time.Until(s.invalid.since.Add(invalidWindow)).Seconds())+1))
	return errBanned
}

// Invalid is how many answers 401, 403 and 429 there were in the running ten
// minutes.
func (s *Server) Invalid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.invalid.since) >= invalidWindow {
		return 0
	}
	return s.invalid.used
}
