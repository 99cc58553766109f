package discordtest

import (
	"regexp"
	"slices"
	"strings"
)

var mention = regexp.MustCompile(`<@(!?|&)(\d+)>|@(everyone|here)`)

// called lists who a text mentions: "u:ID", "r:ID", "everyone", "here".
func called(text string) []string {
	var out []string
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		who := m[3]
		switch {
		case who != "":
		case m[1] == "&":
			who = "r:" + m[2]
		default:
			who = "u:" + m[2]
		}
		if !slices.Contains(out, who) {
			out = append(out, who)
		}
	}
	return out
}

// mentioned sets whom a message of the bot mentions, by its allowed mentions:
// without any, everybody named in the text, and the author replied to.
// s.mu is held.
func (s *Server) mentioned(m *Message, d draft, edit bool) {
	allowed := d.get("allowed_mentions")
	parse, users, roles := list(allowed.get("parse")), list(allowed.get("users")), list(allowed.get("roles"))
	free := allowed.absent()
	may := int64(DefaultPermissions)
	if c := s.channels[m.Channel]; c != nil {
		may = c.Permissions
	}
	m.Mentions, m.MentionRoles, m.MentionEveryone = nil, nil, false
	var whole strings.Builder
	whole.WriteString(m.Content)
	for _, c := range components(m.Components) {
		if c["type"] == float64(textType) {
			whole.WriteString("\n" + text(c["content"]))
		}
	}
	for _, who := range called(whole.String()) {
		switch {
		case who == "everyone" || who == "here":
			if (free || slices.Contains(parse, "everyone")) && may&PermitEveryone != 0 {
				m.MentionEveryone = true
			}
		case who[0] == 'r':
			if (free || slices.Contains(parse, "roles") || slices.Contains(roles, who[2:])) && may&PermitEveryone != 0 {
				m.MentionRoles = append(m.MentionRoles, who[2:])
			}
		default:
			if (free || slices.Contains(parse, "users") || slices.Contains(users, who[2:])) && s.users[who[2:]] != nil {
				m.Mentions = append(m.Mentions, who[2:])
			}
		}
	}
	to := s.messages[m.ReplyTo]
	replied, set := allowed.get("replied_user").v.(bool)
	if to != nil && !edit && (replied || !set && free) && !slices.Contains(m.Mentions, to.Author) {
		m.Mentions = append(m.Mentions, to.Author)
	}
}

// pinged records whom a message of the bot reached; s.mu is held.
func (s *Server) pinged(m *Message, edit bool) {
	add := func(who string) { s.pings = append(s.pings, Ping{m.ID, who, edit}) }
	if m.MentionEveryone {
		add("everyone")
	}
	for _, id := range m.MentionRoles {
		add(id)
	}
	for _, id := range m.Mentions {
		if id != s.BotID {
			add(id)
		}
	}
}

func list(f field) []string {
	var out []string
	vs, _ := f.v.([]any)
	for _, v := range vs {
		out = append(out, text(v))
	}
	return out
}
