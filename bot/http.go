package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"precedent/bot/words"
	"precedent/engine"
	"precedent/guardrails"
	"precedent/store/cases"
)

// Limits of an HTTP whose fields are zero, and those that are fixed.
const (
	DefaultMaxBody     = 64 << 10 // bytes
	DefaultAtOnce      = 64       // requests
	DefaultConnections = 1024

	headerTime  = 5 * time.Second  // to read the head of a request
	bodyTime    = 15 * time.Second // to read it with its body
	replyTime   = 30 * time.Second // for whoever asked to read the reply
	replyRoom   = 64 << 20         // bytes of all replies that are being read
	idleTime    = 2 * time.Minute  // between two requests of a connection
	slack       = 10 * time.Second
	graceTime   = 10 * time.Second // for requests at work when the program ends
	maxHeader   = 32 << 10         // bytes
	readyTime   = 3 * time.Second
	maxKey      = 200  // bytes of a conversation's name
	maxWhy      = 2000 // bytes of what a user says of an answer
	jsonContent = "application/json"
)

// ErrExposed reports an address beyond this machine without a token.
var ErrExposed = errors.New("no token")

// An HTTP answers over HTTP: POST /v1/ask and /v1/vote, and GET /healthz (the
// process runs), /readyz (the graph answers, and each of Parts works) and /metrics. Errors are JSON,
// {"error":{"kind","message"}}.
//
// Who asks and votes there is whoever the request says, in a space of names of
// their own (see HTTPUser): that is proven for none of them. Their votes count for
// nothing but where the token was presented and Trust names them, and nobody
// curates without the token.
type HTTP struct {
	Bot     *Bot
	Desk    *Desk                       // whose Rules hold here as on chats; nil: none do
	Token   string                      // of Authorization: Bearer …; "" serves this machine alone
	Trust   []string                    // whom those who hold the token vouch for, as HTTPUsers names them
	Ready   func(context.Context) error // whether questions can be answered; nil: always
	Parts   *Parts                      // what else is to be there for that; nil: nothing
	Log     *slog.Logger                // nil discards
	MaxBody int64                       // bytes of a request's body
	Also    map[string]http.Handler     // by path: what others serve here, each in its own way
	AtOnce  int                         // requests worked on at a time; more are turned away with 503

	// Connections at a time. Of more, those go that were not worked for longest.
	Connections int

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
		ConnContext:       withGuest,
		ErrorLog:          slog.NewLogLogger(h.log().Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	there := &guests{most: or(h.Connections, DefaultConnections), room: replyRoom}
	go func() { served <- s.Serve(there.listening(l)) }()
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

// ask answers a question.
func (h *HTTP) ask(w http.ResponseWriter, r *http.Request) {
	var text *string
	var conversation, name string
	var anyway bool
	if !h.body(w, r, map[string]any{"question": &text, "conversation": &conversation, "user": &name, "anyway": &anyway}) {
		return
	}
	user, err := userOf(name)
	switch {
	case text == nil:
		complain(w, http.StatusBadRequest, "usage", `"question" is missing; send {"question":"…"}`)
		return
	case len(conversation) > maxKey:
		complain(w, http.StatusBadRequest, "usage", fmt.Sprintf(`"conversation" may have %d bytes`, maxKey))
		return
	case err != nil:
		complain(w, http.StatusBadRequest, "usage", err.Error())
		return
	}
	m := Message{User: user, Text: *text, Anyway: anyway}
	if conversation != "" {
		m.Conversation = httpSpace + conversation
	}
	var a engine.Answer
	status := http.StatusOK
	worked := h.seated(w, r, func() {
		start := time.Now()
		var wait time.Duration
		if a, status, wait = h.answer(r.Context(), m); wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
		}
		h.counts.answered(a, time.Since(start))
	})
	if worked {
		h.send(w, r, status, a)
	}
}

// answer answers m as far as the desk's rules allow. It says with which status,
// and where it is too early for a question, how long to wait.
func (h *HTTP) answer(ctx context.Context, m Message) (a engine.Answer, status int, wait time.Duration) {
	if h.Desk == nil {
		return h.Bot.Answer(ctx, m, nil), http.StatusOK, 0
	}
	user := or(m.User, httpSpace)
	w := words.For(m.Text)
	e := h.Desk.admits(ctx, w, asker{user: user, channel: HTTPChannel, unrated: true, among: func(list []string) bool { return named(list, user) }})
	switch e.shut {
	case elsewhere:
		return refused(m.Text, w.Chat.Elsewhere, notAllowed), http.StatusForbidden, 0
	case barred:
		return refused(m.Text, w.Chat.Barred, notAllowed), http.StatusForbidden, 0
	case slowly:
		return refused(m.Text, waitFor(w, e.until), tooMuch), http.StatusTooManyRequests, time.Until(e.until)
	}
	m.Spent = e.spent
	a = h.Bot.Answer(ctx, m, nil)
	h.Desk.spend(context.WithoutCancel(ctx), a, user, HTTPChannel)
	return a, http.StatusOK, 0
}

// Kinds of what rules refuse over HTTP.
const (
	notAllowed guardrails.Kind = "policy"
	tooMuch    guardrails.Kind = "limit"
)

// userOf is the name of who made a request; "" where it gives none.
func userOf(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	user, err := HTTPUser(given)
	if err != nil {
		return "", fmt.Errorf(`"user" can't be used: %w`, err)
	}
	return user, nil
}

// vote takes a vote. Curators are those who hold the token, if they say so or
// name no user.
func (h *HTTP) vote(w http.ResponseWriter, r *http.Request) {
	var answer, value, name, role, reason, why string
	var asIs bool
	if !h.body(w, r, map[string]any{"answer": &answer, "vote": &value, "user": &name, "role": &role, "reason": &reason, "why": &why, "as_is": &asIs}) {
		return
	}
	user, err := userOf(name)
	var v engine.Vote
	if err == nil {
		v, err = Ballot(answer, value, user, role, reason)
	}
	switch {
	case err != nil:
		complain(w, http.StatusBadRequest, "usage", err.Error())
		return
	case len(why) > maxWhy:
		complain(w, http.StatusBadRequest, "usage", fmt.Sprintf(`"why" may have %d bytes`, maxWhy))
		return
	case asIs && (!v.Curator || value != "up"):
		complain(w, http.StatusBadRequest, "usage", `"as_is" goes with a curator's "up": it keeps a case whose words and query don't prove each other`)
		return
	case v.Curator && h.Token == "":
		complain(w, http.StatusForbidden, "denied", `only requests with the token may vote as a curator, on this machine too; start the server with PRECEDENT_HTTP_TOKEN, or name a "user"`)
		return
	}
	v.Why, v.User, v.AsIs = why, or(user, "http"), asIs
	v.Unproven = !v.Curator && (h.Token == "" || !named(h.Trust, user))
	h.seated(w, r, func() { h.count(w, r, v) })
}

// count counts a vote and says what it did.
func (h *HTTP) count(w http.ResponseWriter, r *http.Request, v engine.Vote) {
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
		if v.Unproven {
			done.Reason = h.unproven(v.User)
		}
		h.counts.voted(v.Value)
		reply(w, http.StatusOK, done)
	}
}

// unproven says why the vote of a user counts for nothing.
func (h *HTTP) unproven(user string) string {
	if h.Token == "" {
		return "kept, and counts for nothing: without PRECEDENT_HTTP_TOKEN anyone on this machine may call themselves " + user
	}
	return "kept, and counts for nothing: nobody vouches for " + user + "; who holds the token does for those that the configuration names, http: {trust: […]}"
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
			reply(w, http.StatusServiceUnavailable, readiness{Error: &complaint{"graph", "the graph doesn't answer; the log says why"}, Parts: h.parts(r)})
			return
		}
	}
	parts := h.parts(r)
	for _, f := range parts {
		if f.State == Wrong {
			reply(w, http.StatusServiceUnavailable, readiness{Error: &complaint{"part", f.Part + " doesn't work; the log and doctor say why, and what to do"}, Parts: parts})
			return
		}
	}
	reply(w, http.StatusOK, readiness{Status: "ready", Parts: parts})
}

// readiness is what /readyz tells.
type readiness struct {
	Status string     `json:"status,omitempty"`
	Error  *complaint `json:"error,omitempty"`
	Parts  []Finding  `json:"parts,omitempty"`
}

type complaint struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// parts are how the parts are; what is wrong with them is for those alone who may
// ask questions.
func (h *HTTP) parts(r *http.Request) []Finding {
	if h.Parts == nil {
		return nil
	}
	list := h.Parts.Findings()
	if h.Token != "" && !h.holds(r) || h.Token == "" && !local(r) {
		for i := range list {
			list[i].What, list[i].Cure = "", ""
		}
	}
	return list
}

func (h *HTTP) log() *slog.Logger {
	if h.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return h.Log
}

// reply writes v as JSON.
func reply(w http.ResponseWriter, status int, v any) {
	write(w, status, encoded(v))
}

// send is reply for what may be large: whoever doesn't take it is cut off.
func (h *HTTP) send(w http.ResponseWriter, r *http.Request, status int, v any) {
	text := encoded(v)
	g := guestOf(r)
	g.takes(len(text))
	defer g.takes(0)
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyTime)) // it fails only outside of Serve
	write(w, status, text)
}

func encoded(v any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.Encode(v) // what is replied can be encoded
	return text.Bytes()
}

func write(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", jsonContent)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text) // it fails only where the client is gone
}

func complain(w http.ResponseWriter, status int, kind, message string) {
	reply(w, status, map[string]any{"error": map[string]string{"kind": kind, "message": message}})
}
