package slacktest

import "slices"

// People and channels that every workspace has.
const (
	Alice = "U0ALICE"
	Bob   = "U0BOB"
	Carol = "U0CAROL"

	General = "C0GENERAL" // public; the bot is in it, as are all
	Random  = "C0RANDOM"  // public, without the bot
	Private = "G0PRIVATE" // private; the bot, Alice and Bob
	Secret  = "G0SECRET"  // private, without the bot
)

// A User is a person or a bot.
type User struct {
	ID, Name, RealName string
	Locale             string // "" is en-US
	Email              string
	Bot, Deleted       bool
}

// A Channel is a conversation.
type Channel struct {
	ID, Name string
	Kind     string // public_channel, private_channel, im or mpim
	Members  []string
	Archived bool
}

func (s *Server) settle() {
	for _, u := range []User{{ID: Alice, Name: "alice", RealName: "Alice Liddell"}, {ID: Bob, Name: "bob", RealName: "Bob Marley"},
		{ID: Carol, Name: "carol", RealName: "王小明", Locale: "zh-CN"},
		{ID: s.BotUser, Name: "precedent", RealName: "Precedent", Bot: true}} {
		s.users[u.ID] = &u
	}
	everyone := []string{Alice, Bob, Carol}
	for _, c := range []Channel{
		{ID: General, Name: "general", Kind: "public_channel", Members: append(slices.Clone(everyone), s.BotUser)},
		{ID: Random, Name: "random", Kind: "public_channel", Members: everyone},
		{ID: Private, Name: "private", Kind: "private_channel", Members: []string{Alice, Bob, s.BotUser}},
		{ID: Secret, Name: "secret", Kind: "private_channel", Members: []string{Alice}},
	} {
		s.channels[c.ID] = &c
	}
}

// AddUser adds or replaces a person.
func (s *Server) AddUser(u User) { s.change(func() { s.users[u.ID] = &u }) }

// AddChannel adds or replaces a conversation.
func (s *Server) AddChannel(c Channel) { s.change(func() { s.channels[c.ID] = &c }) }

// SetGroup makes a user group of these users; none removes it.
func (s *Server) SetGroup(id string, users ...string) {
	s.change(func() {
		if s.groups[id] = users; len(users) == 0 {
			delete(s.groups, id)
		}
	})
}

// DM is the channel of a person's messages with the bot, opened if need be.
func (s *Server) DM(user string) string {
	var id string
	s.change(func() { id, _ = s.dm(user) })
	return id
}

func (s *Server) dm(user string) (id string, fresh bool) {
	id = "D" + user[1:]
	if s.channels[id] != nil {
		return id, false
	}
	s.channels[id] = &Channel{ID: id, Kind: "im", Members: []string{user, s.BotUser}}
	return id, true
}

// Join adds a member to a channel, with the event that Slack sends.
func (s *Server) Join(user, channel string) {
	s.change(func() {
		c := s.channels[channel]
		if slices.Contains(c.Members, user) {
			return
		}
		c.Members = append(c.Members, user)
		s.emit("member_joined_channel", c, map[string]any{"type": "member_joined_channel", "user": user, "channel": channel,
			"channel_type": channel[:1], "team": s.TeamID, "event_ts": s.stamp()})
	})
}

// Leave takes a member out of a channel.
func (s *Server) Leave(user, channel string) {
	s.change(func() {
		c := s.channels[channel]
		c.Members = slices.DeleteFunc(slices.Clone(c.Members), func(m string) bool { return m == user })
	})
}

func (c *Channel) has(user string) bool { return slices.Contains(c.Members, user) }

func (u *User) wire(s *Server, locale bool) map[string]any {
	out := map[string]any{"id": u.ID, "team_id": s.TeamID, "name": u.Name, "real_name": u.RealName, "deleted": u.Deleted,
		"is_bot": u.Bot, "is_app_user": false, "tz": "Europe/London", "updated": 1700000000}
	profile := map[string]any{"real_name": u.RealName, "display_name": u.Name}
	if u.Email != "" && s.granted("users:read.email") {
		profile["email"] = u.Email
	}
	out["profile"] = profile
	if locale {
		if out["locale"] = u.Locale; u.Locale == "" {
			out["locale"] = "en-US"
		}
	}
	return out
}

func aboutUser(r *request) reply {
	u := r.s.users[r.str("user")]
	if u == nil {
		return refuse("user_not_found")
	}
	return reply{"user": u.wire(r.s, r.yes("include_locale"))}
}

func groupUsers(r *request) reply {
	users, ok := r.s.groups[r.str("usergroup")]
	if !ok {
		return refuse("no_such_subteam")
	}
	return reply{"users": users}
}
