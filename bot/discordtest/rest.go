package discordtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Request is one that a client made.
type Request struct {
	Method string
	Path   string // without "/api/v9"
	Query  string
	Route  string // "POST /channels/{channel}/messages"; "" where there is none
	Body   any    // its JSON, decoded; nil without
	Files  []File
	At     time.Time // by the server's clock
	Status int       // of the answer; 0 while there is none

	http    *http.Request
	version int
	err     error // what was wrong with the body
}

const maxBody = 100 << 20 // bytes that a request may have at all

var apiPath = regexp.MustCompile(`^/api/v(\d+)(/.*)$`)

// answer is a status and a body; a nil body is none.
type answer struct {
	status int
	body   any
}

func ok(body any) (answer, error)           { return answer{http.StatusOK, body}, nil }
func nothing() (answer, error)              { return answer{http.StatusNoContent, nil}, nil }
func refuse(err error) (answer, error)      { return answer{}, err }
func (q *Request) value(name string) string { return q.http.PathValue(name) }

// api answers one request: counted, judged, then done, all under the lock.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	parts := apiPath.FindStringSubmatch(r.URL.EscapedPath())
	if parts == nil {
		refusal(w, errNotFound)
		return
	}
	q := &Request{Method: r.Method, Query: r.URL.RawQuery}
	q.version, _ = strconv.Atoi(parts[1])
	inner := r.Clone(r.Context())
	inner.URL.Path = strings.TrimPrefix(r.URL.Path, "/api/v"+parts[1])
	inner.URL.RawPath = parts[2]
	q.Path, q.http = inner.URL.Path, inner
	q.read(r)
	s.mux.ServeHTTP(w, inner.WithContext(withRequest(inner.Context(), q)))
}

// serve does what every route has in common.
func (s *Server) serve(route string, open bool, do func(*Request) (answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		q.http, q.Route = r, route
		s.mu.Lock()
		q.At = time.Now()
		s.requests = append(s.requests, q)
		fault := s.fault(q)
		s.wake()
		s.mu.Unlock()
		if fault != nil && !fault.wait(r) {
			return
		}
		s.mu.Lock()
		a, err := s.judged(w.Header(), q, open, fault, do)
		q.Status = cmp.Or(statusOf(err), a.status)
		s.counted(q.Status, err)
		cut := fault != nil && fault.Cut
		s.wake()
		s.mu.Unlock()
		switch {
		case cut:
			panic(http.ErrAbortHandler)
		case err != nil:
			refusal(w, err)
		case a.body == nil:
			w.WriteHeader(a.status)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(a.status)
			_, _ = w.Write(encode(a.body))
		}
	}
}

// judged decides and does; s.mu is held.
func (s *Server) judged(h http.Header, q *Request, open bool, fault *Fault, do func(*Request) (answer, error)) (answer, error) {
	if err := s.banned(h); err != nil {
		return refuse(err)
	}
	if fault.spoils() && !fault.After {
		return refuse(fault.refusal(h))
	}
	if q.version != 9 && q.version != 10 {
		return refuse(errVersion)
	}
	if token := q.http.Header.Get("Authorization"); token != "Bot "+s.set.Token && (token != "" || !open) {
		s.violate(q, "token", errUnauthorized)
		return refuse(errUnauthorized)
	}
	if err := s.limited(h, q, open); err != nil {
		s.violate(q, "rate", err)
		return refuse(err)
	}
	if q.err != nil {
		s.violate(q, "body", q.err)
		return refuse(q.err)
	}
	a, err := do(q)
	if err != nil {
		s.violate(q, "refused", err)
	}
	if fault.spoils() && err == nil {
		return refuse(fault.refusal(h))
	}
	return a, err
}

func refusal(w http.ResponseWriter, err error) {
	var body any = err
	if limit, ok := errors.AsType[*limitError](err); ok {
		body = limit.body()
	}
	if err == errBanned { // Cloudflare's answer, not Discord's
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(errBanned.Status)
		_, _ = io.WriteString(w, "error code: 1015")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(statusOf(err))
	_, _ = w.Write(encode(body))
}

// statusOf is 0 for nil.
func statusOf(err error) int {
	if err == nil {
		return 0
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Status
	}
	if _, ok := errors.AsType[*limitError](err); ok {
		return http.StatusTooManyRequests
	}
	return http.StatusInternalServerError
}

type requestKey struct{}

func withRequest(ctx context.Context, q *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, q)
}

func requestOf(ctx context.Context) *Request {
	q, _ := ctx.Value(requestKey{}).(*Request)
	return q
}

var filePart = regexp.MustCompile(`^files?\[?(\d*)\]?$`)

// read takes the body apart; what is wrong with it is kept in q.err.
func (q *Request) read(r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		q.err = errTooLarge
		return
	}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		q.parts(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
		return
	}
	if len(body) == 0 {
		if kind == "application/json" {
			q.err = errJSON
		}
		return
	}
	if err := json.Unmarshal(body, &q.Body); err != nil {
		q.err = errJSON
	}
}

func (q *Request) parts(parts *multipart.Reader) {
	for {
		p, err := parts.NextPart()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				q.err = errJSON
			}
			return
		}
		b, err := io.ReadAll(p)
		if err != nil {
			q.err = errJSON
			return
		}
		if p.FormName() == "payload_json" {
			if json.Unmarshal(b, &q.Body) != nil {
				q.err = errJSON
			}
		} else if n := filePart.FindStringSubmatch(p.FormName()); n != nil {
			q.Files = append(q.Files, File{ID: n[1], Name: p.FileName(), Type: p.Header.Get("Content-Type"), Bytes: b})
		}
	}
}

// checked holds the body to the rules of s.
func (q *Request) checked(s Surface) (field, error) {
	if q.Body == nil {
		q.Body = map[string]any{}
	}
	err := check(s, q.Body)
	if errors.Is(err, errEmptyMessage) && len(q.Files) > 0 {
		err = nil
	}
	return field{v: q.Body, bad: &problems{}}, err
}

// checkedEdit is checked for a change of m: a message that has the new layout
// keeps it, whether or not the change says so.
func (q *Request) checkedEdit(m *Message) (field, error) {
	if body, ok := q.Body.(map[string]any); ok && m.Flags&flagLayout != 0 {
		body = maps.Clone(body)
		flags, _ := number(body["flags"])
		body["flags"] = float64(int(flags) | flagLayout)
		q.Body = body
	}
	return q.checked(ChangedMessage)
}

// number reads a number of the query.
func (q *Request) number(name string, least, most, otherwise int) (int, error) {
	v := q.http.URL.Query().Get(name)
	if v == "" {
		return otherwise, nil
	}
	var bad problems
	n := field{path: name, v: v, bad: &bad}.integer(least, most)
	return n, bad.refusal()
}

func (q *Request) copied() Request {
	c := *q
	c.Files = slices.Clone(q.Files)
	return c
}
