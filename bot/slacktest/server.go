package slacktest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"precedent/store/nettest"
)

// Options are a workspace and the app installed in it. The zero value is the
// app that the bot's manifest describes, over Socket Mode.
type Options struct {
	Scopes     []string // granted to the bot's token; nil: DefaultScopes
	Events     []string // subscribed to, as manifests name them; nil: DefaultEvents
	Limits     *Limits  // nil: Published
	RequestURL string   // where the bot listens: HTTP events; "": Socket Mode

	// Distributed is an app sold outside Slack's marketplace, which may call
	// conversations.history and conversations.replies once a minute, 15 messages
	// at most. Internal apps aren't.
	Distributed bool

	// Forgetful is a Slack that makes another message of a client_msg_id that it had.
	// Slack documents no more of that argument than the errors duplicate_message_not_found
	// and duplicate_channel_not_found (docs.slack.dev/reference/methods/chat.postMessage).
	Forgetful bool

	PingEvery time.Duration // on sockets; 0: 200 ms (Slack: some seconds)
	Patience  time.Duration // of Await, in real time; 0: 5 s
}

// DefaultScopes are what README has people grant.
var DefaultScopes = []string{"app_mentions:read", "channels:read", "chat:write", "commands", "files:write", "groups:read", "im:history",
	"reactions:read", "reactions:write", "usergroups:read", "users:read"}

// DefaultEvents are what README has people subscribe to.
var DefaultEvents = []string{"app_home_opened", "app_mention", "message.im", "reaction_added", "reaction_removed"}

// A Server is one Slack workspace. Its methods may be called from any goroutine;
// those that fail the test only from the test's own.
type Server struct {
	APIURL        string // ends in a slash, as clients want it
	BotToken      string
	AppToken      string
	SigningSecret string
	TeamID        string
	AppID         string
	BotUser       string // the bot's user id
	BotID         string

	t      testing.TB
	http   *httptest.Server
	opt    Options
	lim    Limits
	ctx    context.Context
	stop   context.CancelFunc
	timers timers
	work   sync.WaitGroup

	mu         sync.Mutex
	changed    chan struct{} // closed and replaced at every change
	sequence   int64
	lastTS     int64
	revoked    string
	renamed    [2]string // tokens of the bot and its app, "" where they are as at the start
	violations []Violation
	calls      []Call
	methods    map[string]method
	faults     map[string][]Fault
	rates      map[string][]time.Time
	waitUntil  map[string]time.Time

	users     map[string]*User
	groups    map[string][]string
	channels  map[string]*Channel
	messages  map[string][]*Message // by channel, oldest first
	ephemeral []*Message
	statuses  []Status
	files     map[string]*File
	modals    map[string]*View
	stacks    map[string][]string // of a user: view ids, the top last
	homes     map[string]*View
	triggers  map[string]*trigger
	responses map[string]*response

	sockets   []*socket
	tickets   map[string]bool
	drops     map[Stage]int
	opens     int
	waiting   []*Delivery // to be sent
	sent      []*Delivery
	envelopes map[string]*attempt
	held      bool
	twice     int
	sending   sync.Mutex
	signing   Signing
}

// Start opens the workspace with a few people and channels: see [Alice],
// [General]. The test's cleanup closes it.
func Start(t testing.TB, o Options) *Server {
	s := &Server{
		BotToken: "xoxb-1-" + rand.Text(), AppToken: "xapp-1-" + rand.Text(), SigningSecret: rand.Text(),
		TeamID: "T0TEAM", AppID: "A0APP", BotUser: "U0BOT", BotID: "B0BOT",
		t: t, opt: o, lim: Published(), changed: make(chan struct{}),
		faults: map[string][]Fault{}, rates: map[string][]time.Time{}, waitUntil: map[string]time.Time{},
		users: map[string]*User{}, groups: map[string][]string{}, channels: map[string]*Channel{},
		messages: map[string][]*Message{}, files: map[string]*File{}, modals: map[string]*View{},
		stacks: map[string][]string{}, homes: map[string]*View{}, triggers: map[string]*trigger{},
		responses: map[string]*response{}, tickets: map[string]bool{}, drops: map[Stage]int{},
		envelopes: map[string]*attempt{}, methods: webAPI(),
	}
	if o.Limits != nil {
		s.lim = *o.Limits
	}
	if s.opt.Scopes == nil {
		s.opt.Scopes = DefaultScopes
	}
	if s.opt.Events == nil {
		s.opt.Events = DefaultEvents
	}
	if s.opt.PingEvery == 0 {
		s.opt.PingEvery = 200 * time.Millisecond
	}
	if s.opt.Patience == 0 {
		s.opt.Patience = 5 * time.Second
	}
	s.signing = Signing{Secret: s.SigningSecret}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.settle()
	mux := http.NewServeMux()
	mux.HandleFunc("/api/", s.serveAPI)
	mux.HandleFunc("/link/", s.serveSocket)
	mux.HandleFunc("/upload/", s.serveUpload)
	mux.HandleFunc("/respond/", s.serveResponse)
	s.http = nettest.Unstarted(t, mux) // what requests read is there before the first
	s.APIURL = "http://" + s.http.Listener.Addr().String() + "/api/"
	s.http.Start()
	t.Cleanup(s.Close)
	return s
}

// Close ends the workspace; all its goroutines have returned when it does.
func (s *Server) Close() {
	s.stop()
	s.timers.close()
	s.Drop()
	s.http.CloseClientConnections()
	s.http.Close()
	s.work.Wait()
}

// change runs f under the lock, tells those who wait, and sends what f queued.
func (s *Server) change(f func()) {
	s.mu.Lock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	s.flush()
}

func (s *Server) id(prefix string) string {
	s.sequence++
	return fmt.Sprintf("%s%08d", prefix, s.sequence)
}

// stamp is a new message's ts: unique, rising, and of the clock's time.
func (s *Server) stamp() string {
	s.lastTS = max(s.lastTS+1, time.Now().UnixMicro())
	return fmt.Sprintf("%d.%06d", s.lastTS/1_000_000, s.lastTS%1_000_000)
}

// Await returns when ok does, and fails the test with what the workspace then
// shows if that takes longer than Options.Patience. It asks again at every
// change here and each few milliseconds, so ok may look at other things too.
func (s *Server) Await(what string, ok func() bool) {
	s.t.Helper()
	end := time.After(s.opt.Patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if ok() {
			return
		}
		select {
		case <-changed:
		case <-tick.C:
		case <-end:
			s.t.Fatalf("no %s within %s; the workspace shows\n%s", what, s.opt.Patience, s.Show())
		}
	}
}
