package discordtest

import "net/http"

// route fills the table of what the API has. The open routes belong to
// interactions: their token stands for the bot's.
func (s *Server) route() {
	s.mux = http.NewServeMux()
	add := func(route string, open bool, do func(*Request) (answer, error)) {
		s.mux.HandleFunc(route, s.serve(route, open, do))
	}
	bot := func(route string, do func(*Request) (answer, error)) { add(route, false, do) }
	open := func(route string, do func(*Request) (answer, error)) { add(route, true, do) }

	bot("GET /gateway", s.getGateway)
	bot("GET /gateway/bot", s.getGateway)
	bot("GET /users/@me", s.getUser)
	bot("GET /users/@me/guilds", s.getGuilds)
	bot("POST /users/@me/channels", s.createDM)
	bot("GET /users/{user}", s.getUser)
	bot("GET /applications/@me", s.getApplication)
	bot("GET /oauth2/applications/@me", s.getApplication)

	bot("GET /guilds/{guild}", s.getGuild)
	bot("GET /guilds/{guild}/channels", s.getGuildChannels)
	bot("GET /guilds/{guild}/roles", s.getRoles)
	bot("GET /guilds/{guild}/members/{user}", s.getMember)
	bot("GET /guilds/{guild}/threads/active", s.getThreads)

	bot("GET /channels/{channel}", s.getChannel)
	bot("POST /channels/{channel}/typing", s.startTyping)
	bot("GET /channels/{channel}/messages", s.listMessages)
	bot("POST /channels/{channel}/messages", s.createMessage)
	bot("GET /channels/{channel}/messages/{message}", s.getMessage)
	bot("PATCH /channels/{channel}/messages/{message}", s.editMessage)
	bot("DELETE /channels/{channel}/messages/{message}", s.deleteMessage)
	bot("GET /channels/{channel}/messages/{message}/reactions/{emoji}", s.listReactions)
	bot("PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me", s.addReaction)
	bot("DELETE /channels/{channel}/messages/{message}/reactions/{emoji}/{user}", s.removeReaction)
	bot("POST /channels/{channel}/messages/{message}/threads", s.threadFromMessage)
	bot("POST /channels/{channel}/threads", s.threadAlone)
	bot("PUT /channels/{channel}/thread-members/@me", s.joinThread)

	for _, place := range []string{"", "/guilds/{guild}"} {
		all := "/applications/{application}" + place + "/commands"
		bot("GET "+all, s.listCommands)
		bot("POST "+all, s.createCommand)
		bot("PUT "+all, s.replaceCommands)
		bot("GET "+all+"/{command}", s.getCommand)
		bot("PATCH "+all+"/{command}", s.editCommand)
		bot("DELETE "+all+"/{command}", s.deleteCommand)
	}

	open("POST /interactions/{interaction}/{token}/callback", s.callback)
	open("POST /webhooks/{application}/{token}", s.followUp)
	open("GET /webhooks/{application}/{token}/messages/{message}", s.getResponse)
	open("PATCH /webhooks/{application}/{token}/messages/{message}", s.editResponse)
	open("DELETE /webhooks/{application}/{token}/messages/{message}", s.deleteResponse)

	s.mux.HandleFunc("/", s.serve("", true, s.noRoute))
}

// noRoute tells a path that has other methods from one that has none.
func (s *Server) noRoute(q *Request) (answer, error) {
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		other := q.http.Clone(q.http.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" {
			return refuse(errMethod)
		}
	}
	return refuse(errNotFound)
}

func (s *Server) getGateway(*Request) (answer, error) {
	return ok(map[string]any{"url": s.gatewayURL(), "shards": 1, "session_start_limit": map[string]any{
		"total": 1000, "remaining": 1000 - len(s.identifies), "reset_after": 86_400_000, "max_concurrency": 1}})
}

func (s *Server) getApplication(*Request) (answer, error) { return ok(s.applicationWire()) }

func (s *Server) getUser(q *Request) (answer, error) {
	id := q.value("user")
	if id == "" {
		id = s.BotID
	}
	u := s.userWire(id)
	if u == nil {
		return refuse(errUnknownUser)
	}
	return ok(u)
}

func (s *Server) getGuilds(*Request) (answer, error) {
	out := []any{}
	for _, id := range sorted(s.guilds) {
		out = append(out, map[string]any{"id": id, "name": s.guilds[id].name, "icon": nil, "owner": false,
			"permissions": itoa(s.set.Permissions), "features": []any{}})
	}
	return ok(out)
}

func (s *Server) getGuild(q *Request) (answer, error) {
	g := s.guilds[q.value("guild")]
	if g == nil {
		return refuse(errUnknownGuild)
	}
	return ok(s.guildWire(g))
}

func (s *Server) getRoles(q *Request) (answer, error) {
	g := s.guilds[q.value("guild")]
	if g == nil {
		return refuse(errUnknownGuild)
	}
	return ok(s.rolesWire(g))
}

func (s *Server) getMember(q *Request) (answer, error) {
	if s.guilds[q.value("guild")] == nil {
		return refuse(errUnknownGuild)
	}
	if s.users[q.value("user")] == nil {
		return refuse(errUnknownUser)
	}
	m := s.memberWire(q.value("guild"), q.value("user"), true)
	if m == nil {
		return refuse(errUnknownMember)
	}
	return ok(m)
}

func (s *Server) getGuildChannels(q *Request) (answer, error) {
	if s.guilds[q.value("guild")] == nil {
		return refuse(errUnknownGuild)
	}
	out := []any{}
	for _, id := range sorted(s.channels) {
		if c := s.channels[id]; c.Guild == q.value("guild") && !c.thread() {
			out = append(out, s.channelWire(c))
		}
	}
	return ok(out)
}

func (s *Server) getThreads(q *Request) (answer, error) {
	if s.guilds[q.value("guild")] == nil {
		return refuse(errUnknownGuild)
	}
	out := []any{}
	for _, c := range s.threads(func(c *Channel) bool { return c.Guild == q.value("guild") && !c.Archived }) {
		out = append(out, s.channelWire(&c))
	}
	return ok(map[string]any{"threads": out, "members": []any{}, "has_more": false})
}

func (s *Server) getChannel(q *Request) (answer, error) {
	c, err := s.allowed(q, PermitView)
	if err != nil {
		return refuse(err)
	}
	return ok(s.channelWire(c))
}

func (s *Server) startTyping(q *Request) (answer, error) {
	c, err := s.allowed(q, s.sending(q))
	if err != nil {
		return refuse(err)
	}
	s.typing[c.ID]++
	return nothing()
}

func (s *Server) createDM(q *Request) (answer, error) {
	var bad problems
	to := field{v: q.Body, bad: &bad}.get("recipient_id")
	if to.required() {
		to.snowflake()
	}
	if err := bad.refusal(); err != nil {
		return refuse(err)
	}
	u := s.users[to.v.(string)]
	switch {
	case u == nil:
		return refuse(errUnknownUser)
	case u.Bot:
		return refuse(errCannotSend)
	}
	return ok(s.channelWire(s.dm(u.ID)))
}

// allowed finds the channel of a request and checks what the bot may do there.
func (s *Server) allowed(q *Request, permissions int64) (*Channel, error) {
	c := s.channels[q.value("channel")]
	switch {
	case c == nil:
		return nil, errUnknownChannel
	case c.Permissions&PermitView == 0:
		return nil, errMissingAccess
	case c.Permissions&permissions != permissions:
		return nil, errMissingPermissions
	}
	return c, nil
}

// sending is the permission to write in the channel of a request.
func (s *Server) sending(q *Request) int64 {
	if c := s.channels[q.value("channel")]; c != nil && c.thread() {
		return PermitSendInThreads
	}
	return PermitSend
}
