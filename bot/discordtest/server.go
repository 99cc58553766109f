package discordtest

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"precedent/store/nettest"
)

// Settings of a server. The zero value is Discord's own behaviour towards a
// bot without privileged intents.
type Settings struct {
	Token       string        // the bot's, without "Bot "; "" is "fake.token"
	Heartbeat   time.Duration // told in hello; 0 is 41.25 s
	Privileged  int           // privileged intents switched on in the portal: [IntentMembers], [IntentContent]
	Permissions int64         // of the bot in guild channels; 0 is [DefaultPermissions]

	Rates         map[string]Rate // by route, "POST /channels/{channel}/messages"; nil is [DefaultRates]
	Global        int             // requests a second, interactions aside; 0 is 50
	Invalid       int             // answers 401, 403 and 429 in 10 minutes after which the address is banned; 0 is 10,000
	IdentifyEvery time.Duration   // least time between two identifies, 5 s at Discord; 0 is no limit, so that tests may reconnect

	AttachmentLimit int           // bytes of one file, interactions are told so; 0 is 10 MiB
	Deadline        time.Duration // for an interaction's callback; 0 is 3 s
	TokenLife       time.Duration // of an interaction's token; 0 is 15 min

	Patience time.Duration // of the Await methods; 0 is 10 s
}

// A Server is a Discord with one application in it. Its exported fields are
// set by Start and not changed later. All methods are safe for concurrent use;
// those that act as a person end the test when they ask for what Discord's
// client would not let a person do.
type Server struct {
	URL     string // "http://127.0.0.1:port"
	AppID   string
	BotID   string
	Guild   string // the bot's first guild
	General string // a text channel in it

	t    testing.TB
	http *httptest.Server
	mux  *http.ServeMux
	wg   sync.WaitGroup // goroutines of the gateway

	mu      sync.Mutex // guards all below
	set     Settings
	changed chan struct{} // closed and renewed at each change
	lastID  uint64
	closed  bool

	users        map[string]*User // by ID
	names        map[string]string
	guilds       map[string]*guild
	channels     map[string]*Channel
	messages     map[string]*Message
	order        map[string][]string // messages by channel, oldest first
	interactions map[string]*Interaction
	tokens       map[string]*Interaction
	commands     map[string][]command // by guild, "" is global
	typing       map[string]int

	sessions   []*gatewaySession
	conns      map[*gatewayConn]bool
	identifies []Identify
	resumes    []Resume
	lastLogin  time.Time
	stages     []GatewayFault
	mute       bool
	double     int
	holding    bool
	held       []event

	requests   []*Request
	violations []Violation
	pings      []Ping
	faults     []*Fault
	buckets    map[string]*bucket
	global     bucket
	invalid    bucket
}

// Start begins a server, which ends with the test. It has one guild with the
// bot, a text channel, and no people: [Server.AddUser] brings them.
func Start(t testing.TB, set Settings) *Server {
	t.Helper()
	set.Token = cmp.Or(set.Token, "fake.token")
	set.Heartbeat = cmp.Or(set.Heartbeat, 41250*time.Millisecond)
	set.Permissions = cmp.Or(set.Permissions, DefaultPermissions)
	set.Global = cmp.Or(set.Global, 50)
	set.Invalid = cmp.Or(set.Invalid, 10_000)
	set.AttachmentLimit = cmp.Or(set.AttachmentLimit, 10<<20)
	set.Deadline = cmp.Or(set.Deadline, 3*time.Second)
	set.TokenLife = cmp.Or(set.TokenLife, 15*time.Minute)
	set.Patience = cmp.Or(set.Patience, 10*time.Second)
	if set.Rates == nil {
		set.Rates = DefaultRates()
	}
	s := &Server{
		t: t, set: set, changed: make(chan struct{}),
		users: map[string]*User{}, names: map[string]string{}, guilds: map[string]*guild{}, channels: map[string]*Channel{},
		messages: map[string]*Message{}, order: map[string][]string{}, typing: map[string]int{},
		interactions: map[string]*Interaction{}, tokens: map[string]*Interaction{}, commands: map[string][]command{},
		conns: map[*gatewayConn]bool{}, buckets: map[string]*bucket{},
	}
	s.AppID = s.newID()
	s.BotID = s.newID()
	s.users[s.BotID] = &User{ID: s.BotID, Name: "graphbot", Bot: true, Locale: "en-US"}
	s.names["graphbot"] = s.BotID
	s.Guild = s.AddGuild("Home")
	s.General = s.AddChannel(s.Guild, "general")
	s.route()
	top := http.NewServeMux()
	top.HandleFunc("/api/", s.api)
	top.HandleFunc("/gateway/", s.gateway)
	s.http = nettest.Unstarted(t, top) // what requests read is there before the first
	s.URL = "http://" + s.http.Listener.Addr().String()
	s.http.Start()
	t.Cleanup(s.close)
	return s
}

// close cuts every connection and waits for the goroutines behind them.
func (s *Server) close() {
	s.mu.Lock()
	s.closed = true
	for c := range s.conns {
		c.send(outgoing{cut: true})
	}
	s.mu.Unlock()
	s.http.CloseClientConnections()
	s.wg.Wait()
	s.http.Close()
}

// APIURL is the value of DISCORD_API_URL for this server.
func (s *Server) APIURL() string { return s.URL + "/api/v" + discordgo.APIVersion }

// Session is a new discordgo session for this server, not yet opened, with the
// right token.
func (s *Server) Session() *discordgo.Session { return s.SessionAs(s.set.Token) }

// SessionAs is a session with another token.
func (s *Server) SessionAs(token string) *discordgo.Session {
	session, err := discordgo.New("Bot " + token)
	if err != nil {
		s.t.Fatalf("making a session: %v", err)
	}
	to, err := Transport(s.APIURL(), nettest.Client(s.t).Transport)
	if err != nil {
		s.t.Fatalf("pointing a session: %v", err)
	}
	session.Dialer = &websocket.Dialer{NetDialContext: nettest.Dial(s.t)}
	session.Client = &http.Client{Timeout: 20 * time.Second, Transport: to}
	return session
}

// SetGlobal changes the requests a second that the bot may make in all.
func (s *Server) SetGlobal(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set.Global = n
}

// wake tells those who wait that something changed; s.mu is held.
func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// epoch is the beginning of Discord's IDs, which hold the milliseconds since.
var epoch = time.UnixMilli(1420070400000)

// newID gives IDs that grow; s.mu is held, or nobody else knows s yet.
func (s *Server) newID() string {
	id := uint64(time.Since(epoch).Milliseconds()) << 22
	s.lastID = max(s.lastID+1, id)
	return itoa(s.lastID)
}
