package discordtest_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

// log gathers what sessions heard, in order.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, s)
}

func (l *log) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// hear makes a session write down the events that this file looks at. SyncEvents
// keeps their order.
func (l *log) hear(s *discordgo.Session) {
	s.SyncEvents = true
	s.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageCreate) { l.add("said " + m.Content) })
	s.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageUpdate) { l.add("edited " + m.Content) })
	s.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageDelete) { l.add("deleted") })
	s.AddHandler(func(_ *discordgo.Session, r *discordgo.MessageReactionAdd) {
		line := "reacted " + r.Emoji.Name
		if r.Member != nil {
			line += " " + strings.Join(r.Member.Roles, ",")
		}
		l.add(line)
	})
	s.AddHandler(func(_ *discordgo.Session, r *discordgo.MessageReactionRemove) { l.add("unreacted " + r.Emoji.Name) })
	s.AddHandler(func(_ *discordgo.Session, c *discordgo.ThreadCreate) { l.add("thread " + c.Name) })
	s.AddHandler(func(_ *discordgo.Session, g *discordgo.GuildCreate) { l.add("guild " + g.Name) })
	s.AddHandler(func(_ *discordgo.Session, g *discordgo.Resumed) { l.add("resumed") })
}

func (l *log) await(discord *discordtest.Server, want ...string) {
	discord.Await(strings.Join(want, ", "), func() bool { return slices.Equal(l.all(), want) })
}

func TestEvents(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		role := discord.AddRole("curator")
		discord.AddUser("Ann", role)
		var heard log
		open(t, discord, heard.hear)
		m := discord.Say("Ann", discord.General, "secret") // without MESSAGE_CONTENT nothing is read
		discord.Edit(m, "<@"+discord.BotID+"> hi")         // but what mentions the bot is
		discord.React("Ann", m, "👍🏽")
		discord.Unreact("Ann", m, "👍🏽")
		discord.Thread("Ann", m, "more")
		discord.Say("Ann", discord.DM("Ann"), "between us")
		discord.Delete(m)
		heard.await(discord, "guild Home", "said ", "edited <@"+discord.BotID+"> hi", "reacted 👍🏽 "+role, "unreacted 👍🏽",
			"thread more", "edited <@"+discord.BotID+"> hi", "said ", "said between us", "deleted")
	})
}

func TestContentIntent(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Privileged: discordtest.IntentContent})
		discord.AddUser("Ann")
		var heard log
		session := open(t, discord, heard.hear, func(s *discordgo.Session) { s.Identify.Intents |= discordgo.IntentMessageContent })
		discord.Say("Ann", discord.General, "open")
		heard.await(discord, "guild Home", "said open")
		app, err := session.Application("@me")
		if err != nil || app.Flags != 1<<19 {
			t.Errorf("application %+v %v", app, err)
		}
	})
}

// Without the portal's switch REST hides content as well.
func TestContentOverREST(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		discord.AddUser("Ann")
		hidden := discord.Say("Ann", discord.General, "secret")
		shown := discord.Say("Ann", discord.General, "<@"+discord.BotID+"> hi")
		got, err := discord.Session().ChannelMessages(discord.General, 10, "", "", "")
		if err != nil || len(got) != 2 || got[0].ID != shown.ID || got[0].Content == "" || got[1].ID != hidden.ID || got[1].Content != "" {
			t.Errorf("read %+v %v", got, err)
		}
	})
}

func TestGatewayCloseCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tune func(*discordgo.Session)
		code int
	}{
		"wrong token":        {func(s *discordgo.Session) { s.Identify.Token = "Bot wrong" }, 4004},
		"disallowed intents": {func(s *discordgo.Session) { s.Identify.Intents |= discordgo.IntentMessageContent }, 4014},
		"invalid intents":    {func(s *discordgo.Session) { s.Identify.Intents |= 1 << 30 }, 4013},
		"invalid shard":      {func(s *discordgo.Session) { s.Identify.Shard = &[2]int{3, 2} }, 4010},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				discord := discordtest.Start(t, discordtest.Settings{})
				s := discord.Session()
				s.ShouldReconnectOnError = false
				s.Identify.Intents = plain
				c.tune(s)
				err := s.Open()
				if closed, ok := errors.AsType[*websocket.CloseError](err); !ok || closed.Code != c.code {
					t.Errorf("got %v, want close code %d", err, c.code)
				}
				if v := discord.Violations(); len(v) != 1 || v[0].Kind != "gateway" {
					t.Errorf("violations %v", v)
				}
			})
		})
	}
}

// The raw protocol, for what discordgo never does.
func TestGatewayRaw(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		send []string
		code int
	}{
		"unknown opcode":   {[]string{`{"op":99,"d":null}`}, 4001},
		"no JSON":          {[]string{`{`}, 4002},
		"too large":        {[]string{`{"op":1,"d":"` + strings.Repeat("x", 5000) + `"}`}, 4002},
		"before identify":  {[]string{`{"op":3,"d":{}}`}, 4003},
		"identified twice": {[]string{identify, identify}, 4005},
		"seq of nobody":    {[]string{`{"op":6,"d":{"token":"fake.token","session_id":"x","seq":1}}`}, 0},
		"too many":         {slices.Repeat([]string{`{"op":1,"d":null}`}, 121), 4008},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				discord := discordtest.Start(t, discordtest.Settings{})
				ws := dial(t, discord)
				for _, s := range c.send {
					if err := ws.WriteMessage(websocket.TextMessage, []byte(s)); err != nil {
						t.Fatal(err)
					}
				}
				for {
					var f frame
					err := ws.ReadJSON(&f)
					if closed, ok := errors.AsType[*websocket.CloseError](err); ok && closed.Code == c.code {
						return
					}
					if c.code == 0 && f.Op == 9 {
						return
					}
					if err != nil {
						t.Fatalf("got %v, want close code %d", err, c.code)
					}
				}
			})
		})
	}
}

const identify = `{"op":2,"d":{"token":"fake.token","intents":513,"properties":{}}}`

type frame struct {
	Op int
	S  int64
	T  string
	D  json.RawMessage
}

func dial(t *testing.T, discord *discordtest.Server) *websocket.Conn {
	t.Helper()
	gateway, err := discord.Session().Gateway()
	if err != nil {
		t.Fatal(err)
	}
	ws, _, err := (&websocket.Dialer{NetDialContext: nettest.Dial(t)}).Dial(gateway+"?v=9&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws
}

// What happened while the client was away comes when it resumes, then RESUMED.
func TestResumeReplays(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]*discordtest.GatewayFault{
		"at once":           nil,
		"cut in mid replay": {At: discordtest.MidReplay},
		"refused once":      {At: discordtest.OnConnect},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				discord := discordtest.Start(t, discordtest.Settings{})
				discord.AddUser("Ann")
				ws := dial(t, discord)
				var session string
				var seq int64
				var heard []string
				read := func(until string) bool {
					for {
						var f frame
						if ws.ReadJSON(&f) != nil {
							return false
						}
						seq = max(seq, f.S)
						if f.T == "READY" {
							var d struct {
								Session string `json:"session_id"`
							}
							_ = json.Unmarshal(f.D, &d)
							session = d.Session
						}
						heard = append(heard, f.T)
						if f.T == until {
							return true
						}
					}
				}
				if err := ws.WriteMessage(websocket.TextMessage, []byte(identify)); err != nil || !read("GUILD_CREATE") {
					t.Fatal("no session", err)
				}
				discord.Drop()
				discord.Await("the cut", func() bool { return discord.Connected() == 0 })
				discord.Say("Ann", discord.General, "1")
				discord.Say("Ann", discord.General, "2")
				if fault != nil {
					discord.FailGateway(*fault)
				}
				heard = nil
				for range 3 {
					gateway, err := discord.Session().Gateway()
					if err != nil {
						t.Fatal(err)
					}
					if ws, _, err = (&websocket.Dialer{NetDialContext: nettest.Dial(t)}).Dial(gateway, nil); err != nil {
						continue
					}
					defer ws.Close()
					_ = ws.WriteJSON(map[string]any{"op": 6, "d": map[string]any{"token": "fake.token", "session_id": session, "seq": seq}})
					if read("RESUMED") {
						break
					}
				}
				heard = slices.DeleteFunc(heard, func(s string) bool { return s == "" })
				if !slices.Equal(heard, []string{"MESSAGE_CREATE", "MESSAGE_CREATE", "RESUMED"}) {
					t.Errorf("heard %q", heard)
				}
			})
		})
	}
}

// discordgo's own reconnect resumes after a cut and after op 7.
func TestClientResumes(t *testing.T) {
	t.Parallel()
	for name, hit := range map[string]func(*discordtest.Server){
		"drop":   (*discordtest.Server).Drop,
		"op 7":   (*discordtest.Server).Reconnect,
		"hangup": func(s *discordtest.Server) { s.Hangup(4000) },
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				discord := discordtest.Start(t, discordtest.Settings{})
				discord.AddUser("Ann")
				var heard log
				open(t, discord, heard.hear, func(s *discordgo.Session) { s.ShouldReconnectOnError = true })
				heard.await(discord, "guild Home")
				hit(discord)
				discord.Await("a resume", func() bool { return len(discord.Resumes()) == 1 && discord.Connected() == 1 })
				discord.Say("Ann", discord.DM("Ann"), "after")
				discord.Await("the message", func() bool { return slices.Contains(heard.all(), "said after") })
				if r := discord.Resumes(); !r[0].Known || len(discord.Identifies()) != 1 {
					t.Errorf("resumed %+v, identified %d times", r, len(discord.Identifies()))
				}
			})
		})
	}
}

// A session that is over can't be resumed: the client is told so and
// identifies anew on the same socket.
func TestInvalidSession(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		discord.AddUser("Ann")
		var heard log
		open(t, discord, heard.hear)
		heard.await(discord, "guild Home")
		discord.InvalidateSessions(false)
		discord.Await("a second identify", func() bool { return len(discord.Identifies()) == 2 && discord.Connected() == 1 })
		discord.Say("Ann", discord.DM("Ann"), "after")
		heard.await(discord, "guild Home", "guild Home", "said after")
	})
}

func TestStages(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]discordtest.GatewayFault{
		"refused":               {At: discordtest.OnConnect},
		"cut before hello":      {At: discordtest.BeforeHello},
		"cut after hello":       {At: discordtest.AfterHello},
		"closed after identify": {At: discordtest.AfterIdentify, Close: 4000},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				discord := discordtest.Start(t, discordtest.Settings{})
				discord.FailGateway(fault)
				s := discord.Session()
				s.ShouldReconnectOnError = false
				if err := s.Open(); err == nil {
					t.Error("the first Open worked")
				}
				if err := s.Open(); err != nil {
					t.Errorf("the second Open: %v", err)
				}
				leave(s)
				discord.Clean(t)
			})
		})
	}
}

// A gateway that no longer acknowledges, and a client that no longer beats.
func TestZombies(t *testing.T) {
	t.Parallel()
	discord := discordtest.Start(t, discordtest.Settings{Heartbeat: 30 * time.Millisecond})
	gone := make(chan struct{}, 10)
	discord.Mute(true)
	open(t, discord, func(s *discordgo.Session) {
		s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { gone <- struct{}{} }) // AddHandlerOnce races
	})
	select {
	case <-gone: // discordgo gives up after 5 intervals
	case <-time.After(time.Minute):
		t.Fatal("the client stayed with a zombie")
	}
	ws := dial(t, discord)
	for {
		var f frame
		err := ws.ReadJSON(&f)
		if closed, ok := errors.AsType[*websocket.CloseError](err); ok && closed.Code == 4009 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDuplicatesAndOrder(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		discord.AddUser("Ann")
		var heard log
		open(t, discord, heard.hear)
		heard.await(discord, "guild Home")
		dm := discord.DM("Ann")
		discord.Duplicate(1)
		discord.Say("Ann", dm, "1")
		discord.Say("Ann", dm, "2")
		discord.HoldEvents()
		discord.Say("Ann", dm, "3")
		discord.Say("Ann", dm, "4")
		discord.Say("Ann", dm, "5")
		discord.ReleaseEvents(2, 0, 0)
		heard.await(discord, "guild Home", "said 1", "said 1", "said 2", "said 5", "said 3", "said 3")
	})
}
