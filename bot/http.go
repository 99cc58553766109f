package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"precedent/engine"
	"precedent/store/cases"
)

// Limits of an HTTP whose fields are zero, and those that are fixed.
const (
	DefaultMaxBody = 64 << 10 // bytes
	DefaultAtOnce  = 64       // requests

	headerTime  = 5 * time.Second // to read the head of a request
	bodyTime    = 15 * time.Second
	idleTime    = 2 * time.Minute // between two requests of a connection
	slack       = 10 * time.Second
	graceTime   = 10 * time.Second // for requests at work when the program ends
	maxHeader   = 32 << 10         // bytes
	readyTime   = 3 * time.Second
	maxKey      = 200  // bytes of a conversation's or user's name
	maxWhy      = 2000 // bytes of what a user says of an answer
	jsonContent = "application/json"
)

// ErrExposed reports an address beyond this machine without a token.
var ErrExposed = errors.New("no token")

// An HTTP answers over HTTP: POST /v1/ask and /v1/vote, and GET /healthz (the
// process runs), /readyz (the graph answers) and /metrics. Errors are JSON,
// {"error":{"kind","message"}}.
type HTTP struct {
	Bot     *Bot
	Token   string                      // of Authorization: Bearer …; "" serves this machine alone
	Ready   func(context.Context) error // whether questions can be answered; nil: always
	Log     *slog.Logger                // nil discards
	MaxBody int64                       // bytes of a request's body
	Also    map[string]http.Handler     // by path: what others serve here, each in its own way
	AtOnce  int                         // requests worked on at a time; more are turned away with 503

	counts counts
	seats  chan struct{}
}

// Listen opens addr ("127.0.0.1:8080", "localhost:8080", ":8080"). Its error
// wraps ErrExposed where others could reach addr and there is no token.
func (h *HTTP) Listen(ctx context.Context, addr string) (net.Listener, error) {
	at, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to listen on: %w; use one such as 127.0.0.1:8080", addr, err)
	}
	if h.Token == "" && !at.IP.IsLoopback() {
		return nil, fmt.Errorf("%w: %s can be reached from other machines; set PRECEDENT_HTTP_TOKEN, or listen on 127.0.0.1:%d", ErrExposed, addr, at.Port)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", at.String())
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", addr, err)
	}
	return l, nil
}

// Serve answers requests until ctx is done, then finishes those at work,
// within ten seconds. It closes l.
func (h *HTTP) Serve(ctx context.Context, l net.Listener) error {
	patience := or(h.Bot.Patience, DefaultPatience)
	requests, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	s := &http.Server{
		Handler:           h.Handler(),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      bodyTime + patience + slack,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ErrorLog:          slog.NewLogLogger(h.log().Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	select {
	case err := <-served:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	if err := s.Shutdown(grace); err != nil {
		stop()
		s.Close()
		return fmt.Errorf("ending HTTP: requests were still at work after %v: %w", graceTime, err)
	}
	return nil
}

// Handler is what is served.
func (h *HTTP) Handler() http.Handler {
	h.seats = make(chan struct{}, or(h.AtOnce, DefaultAtOnce))
	mux := http.NewServeMux()
	for path, handler := range h.Also {
		mux.Handle(path, handler)
	}
	mux.HandleFunc("/v1/ask", h.post(h.ask))
	mux.HandleFunc("/v1/vote", h.post(h.vote))
	mux.HandleFunc("/healthz", h.get(func(w http.ResponseWriter, r *http.Request) {
		reply(w, http.StatusOK, map[string]string{"status": "ok"})
	}))
	mux.HandleFunc("/readyz", h.get(h.ready))
	mux.HandleFunc("/metrics", h.get(h.guarded(h.counts.write)))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		complain(w, http.StatusNotFound, "usage", "there is nothing at "+r.URL.Path+"; there are POST /v1/ask, POST /v1/vote, GET /healthz, /readyz and /metrics")
	})
	return mux
}

type askBody struct {
	Question     *string `json:"question"`
	Conversation string  `json:"conversation"`
	User         string  `json:"user"`
}

func (h *HTTP) ask(w http.ResponseWriter, r *http.Request) {
	var body askBody
	if !h.body(w, r, &body) {
		return
	}
	switch {
	case body.Question == nil:
		complain(w, http.StatusBadRequest, "usage", `"question" is missing; send {"question":"…"}`)
		return
	case len(body.Conversation) > maxKey || len(body.User) > maxKey:
		complain(w, http.StatusBadRequest, "usage", fmt.Sprintf(`"conversation" and "user" may have %d bytes`, maxKey))
		return
	}
	m := Message{User: body.User, Text: *body.Question}
	if body.Conversation != "" {
		m.Conversation = "http:" + body.Conversation
	}
	start := time.Now()
	a := h.Bot.Answer(r.Context(), m, nil)
	h.counts.answered(a, time.Since(start))
	reply(w, http.StatusOK, a)
}

type voteBody struct {
	Answer string `json:"answer"`
	Vote   string `json:"vote"`
	User   string `json:"user"`
	Role   string `json:"role"`
	Reason string `json:"reason"`
	Why    string `json:"why"` // in the user's words
}

// vote takes a vote. Curators are those who hold the token, and whoever is on
// this machine and names no user.
func (h *HTTP) vote(w http.ResponseWriter, r *http.Request) {
	var body voteBody
	if !h.body(w, r, &body) {
		return
	}
	v, err := Ballot(body.Answer, body.Vote, body.User, body.Role, body.Reason)
	switch {
	case err != nil:
		complain(w, http.StatusBadRequest, "usage", err.Error())
		return
	case len(body.User) > maxKey:
		complain(w, http.StatusBadRequest, "usage", fmt.Sprintf(`"user" may have %d bytes`, maxKey))
		return
	case len(body.Why) > maxWhy:
		complain(w, http.StatusBadRequest, "usage", fmt.Sprintf(`"why" may have %d bytes`, maxWhy))
		return
	case v.Curator && h.Token == "" && body.User != "":
		complain(w, http.StatusForbidden, "denied", "only requests with the token may vote as a curator in a user's name; start the server with PRECEDENT_HTTP_TOKEN")
		return
	}
	v.Why = body.Why
	if v.User == "" {
		v.User = "http"
	}
	done, err := h.Bot.Vote(r.Context(), v)
	switch {
	case errors.Is(err, cases.ErrUnknownAnswer):
		complain(w, http.StatusNotFound, "unknown_answer", fmt.Sprintf("there is no answer %q", v.Answer))
	case errors.Is(err, cases.ErrBallot):
		complain(w, http.StatusBadRequest, "usage", err.Error())
	case errors.Is(err, cases.ErrBusy):
		w.Header().Set("Retry-After", "1")
		complain(w, http.StatusServiceUnavailable, "busy", "the case library is busy; try again in a second")
	case err != nil:
		h.log().ErrorContext(r.Context(), "voting", "ref", v.Answer, "err", err)
		complain(w, http.StatusInternalServerError, "internal", "the vote could not be counted; the log says why under "+v.Answer)
	default:
		h.counts.voted(body.Vote)
		reply(w, http.StatusOK, done)
	}
}

// Ballot makes a vote of what programs send. Its error says which part of it
// can't be used. Without a role, whoever names no user is a curator, and a user
// is a member.
func Ballot(answer, value, user, role, reason string) (engine.Vote, error) {
	v := engine.Vote{Answer: answer, User: user, Value: value, Reason: reason}
	switch value {
	case "up", "down", "none":
	default:
		return v, fmt.Errorf("vote is %q; use up, down or none", value)
	}
	switch role {
	case "curator":
		v.Curator = true
	case "member":
		if user == "" {
			return v, errors.New("a member's vote needs a user")
		}
	case "":
		v.Curator = user == ""
	default:
		return v, fmt.Errorf("role is %q; use curator or member", role)
	}
	switch reason {
	case "", "value", "query", "wording", "unanswerable":
	default:
		return v, fmt.Errorf("reason is %q; use value, query, wording or unanswerable", reason)
	}
	if answer == "" {
		return v, errors.New("the answer's id is missing")
	}
	return v, nil
}

func (h *HTTP) ready(w http.ResponseWriter, r *http.Request) {
	if h.Ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTime)
		defer cancel()
		if err := h.Ready(ctx); err != nil {
			h.log().WarnContext(ctx, "asked whether ready", "err", err)
			complain(w, http.StatusServiceUnavailable, "graph", "the graph doesn't answer; the log says why")
			return
		}
	}
	reply(w, http.StatusOK, map[string]string{"status": "ready"})
}

// body reads the JSON object of a request into v, or complains.
func (h *HTTP) body(w http.ResponseWriter, r *http.Request, v any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != jsonContent {
		complain(w, http.StatusUnsupportedMediaType, "usage", "send the body as Content-Type: application/json")
		return false
	}
	most := or(h.MaxBody, DefaultMaxBody)
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more after the object")
		}
	}
	switch {
	case err == nil:
		return true
	case tooLarge(err):
		complain(w, http.StatusRequestEntityTooLarge, "usage", fmt.Sprintf("the body may have %d bytes", most))
	default:
		complain(w, http.StatusBadRequest, "usage", "the body can't be read as the JSON object it should be: "+strings.TrimPrefix(err.Error(), "json: "))
	}
	return false
}

func tooLarge(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

func (h *HTTP) log() *slog.Logger {
	if h.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return h.Log
}

// reply writes v as JSON.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", jsonContent)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.Encode(v) // it fails only where the client is gone
}

func complain(w http.ResponseWriter, status int, kind, message string) {
	reply(w, status, map[string]any{"error": map[string]string{"kind": kind, "message": message}})
}
