package discordtest

import (
	"slices"
	"strconv"
	"time"
)

func itoa[N int | int64 | uint64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Permissions, by "Permissions".
const (
	PermitReactions     = 1 << 6
	PermitView          = 1 << 10
	PermitSend          = 1 << 11
	PermitManage        = 1 << 13 // messages of others
	PermitEmbeds        = 1 << 14
	PermitFiles         = 1 << 15
	PermitHistory       = 1 << 16
	PermitEveryone      = 1 << 17 // @everyone, @here and every role
	PermitPublicThread  = 1 << 35
	PermitPrivateThread = 1 << 36
	PermitSendInThreads = 1 << 38

	// DefaultPermissions has all of them but the managing of messages.
	DefaultPermissions = PermitReactions | PermitView | PermitSend | PermitEmbeds | PermitFiles | PermitHistory |
		PermitEveryone | PermitPublicThread | PermitPrivateThread | PermitSendInThreads
)

// Channel types.
const (
	textChannel        = 0
	dmChannel          = 1
	threadAnnouncement = 10
	threadPublic       = 11
	threadPrivate      = 12
)

// A User is a person, or the bot.
type User struct {
	ID     string
	Name   string // by which tests call them; one user has it
	Bot    bool
	Locale string // "en-US"
	Closed bool   // takes no messages from the bot: 50007
}

// A Channel is a text channel, a thread or a conversation with the bot.
type Channel struct {
	ID          string
	Guild       string // "" in a direct conversation
	Name        string
	Type        int    // 0 text, 1 direct, 11 public thread, 12 private thread
	Parent      string // of a thread
	With        string // of a direct conversation: the user's ID
	Owner       string // of a thread
	Permissions int64  // the bot's
	Archived    bool
	AutoArchive int // minutes
}

func (c Channel) thread() bool { return c.Type == threadPublic || c.Type == threadPrivate }

type guild struct {
	id, name string
	roles    []Role
	members  map[string][]string // user to roles
}

// A Role is a guild's.
type Role struct{ ID, Name string }

// AddGuild makes a guild with the bot in it and gives its ID.
func (s *Server) AddGuild(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &guild{id: s.newID(), name: name, members: map[string][]string{s.BotID: nil}}
	g.roles = []Role{{g.id, "@everyone"}}
	s.guilds[g.id] = g
	s.guildCreate(g, nil)
	return g.id
}

// AddChannel makes a text channel and gives its ID.
func (s *Server) AddChannel(guild, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Channel{ID: s.newID(), Guild: guild, Name: name, Permissions: s.set.Permissions}
	s.channels[c.ID] = c
	s.emit(event{name: "CHANNEL_CREATE", need: intentGuilds, make: fixed(s.channelWire(c))})
	return c.ID
}

// AddRole makes a role of the first guild and gives its ID.
func (s *Server) AddRole(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := Role{s.newID(), name}
	s.guilds[s.Guild].roles = append(s.guilds[s.Guild].roles, r)
	return r.ID
}

// AddUser brings a person to the first guild, with roles of it by ID, and
// gives their ID. Tests may call them by either name or ID.
func (s *Server) AddUser(name string, roles ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &User{ID: s.newID(), Name: name, Locale: "en-US"}
	s.users[u.ID], s.names[name] = u, u.ID
	s.guilds[s.Guild].members[u.ID] = slices.Clone(roles)
	return u.ID
}

// Change alters a user: their locale, or whether they take messages.
func (s *Server) Change(user string, f func(*User)) {
	u := s.person(user)
	s.mu.Lock()
	defer s.mu.Unlock()
	f(u)
}

// SetRoles gives a person of the first guild other roles.
func (s *Server) SetRoles(user string, roles ...string) {
	u := s.person(user)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds[s.Guild].members[u.ID] = slices.Clone(roles)
}

// Permit sets what the bot may do in a channel: 0 hides it.
func (s *Server) Permit(channel string, permissions int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[channel].Permissions = permissions
}

// DM is the conversation of a person with the bot, made if need be.
func (s *Server) DM(user string) string {
	u := s.person(user)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dm(u.ID).ID
}

func (s *Server) dm(user string) *Channel {
	for _, c := range s.channels {
		if c.Type == dmChannel && c.With == user {
			return c
		}
	}
	c := &Channel{ID: s.newID(), Type: dmChannel, With: user, Permissions: DefaultPermissions}
	s.channels[c.ID] = c
	return c
}

// Threads gives a channel's threads, oldest first.
func (s *Server) Threads(parent string) []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.threads(func(c *Channel) bool { return c.Parent == parent })
}

func (s *Server) threads(of func(*Channel) bool) []Channel {
	var out []Channel
	for _, c := range s.channels {
		if c.thread() && of(c) {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b Channel) int { return compareIDs(a.ID, b.ID) })
	return out
}

// Archive closes a thread, as Discord does after a while; a message opens it
// again.
func (s *Server) Archive(thread string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[thread].Archived = true
}

// person finds a user by name or ID.
func (s *Server) person(name string) *User {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[name]; u != nil {
		return u
	}
	u := s.users[s.names[name]]
	if u == nil {
		s.t.Fatalf("discordtest: there is nobody called %q: AddUser brings them", name)
	}
	return u
}

func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000+00:00")
}
