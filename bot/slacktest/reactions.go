package slacktest

import (
	"regexp"
	"slices"
)

var emojiShape = regexp.MustCompile(`^[a-z0-9_+'-]+(::skin-tone-[2-6])?$`)

// reactionUsers is how many of an emoji's users reactions.get names without
// full=true; Slack says only that there is such a number.
const reactionUsers = 50

func (m *Message) reactionsWire(most int) []map[string]any {
	out := []map[string]any{}
	for _, r := range m.Reactions {
		out = append(out, map[string]any{"name": r.Name, "count": len(r.Users), "users": r.Users[:min(most, len(r.Users))]})
	}
	return out
}

// react adds or takes back a reaction, and reports whether that changed anything.
func (s *Server) react(m *Message, user, name string, add bool) bool {
	i := slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Name == name })
	there := i >= 0 && slices.Contains(m.Reactions[i].Users, user)
	if there == add {
		return false
	}
	kind := "reaction_added"
	switch {
	case !add:
		kind = "reaction_removed"
		m.Reactions[i].Users = slices.DeleteFunc(m.Reactions[i].Users, func(u string) bool { return u == user })
		if len(m.Reactions[i].Users) == 0 {
			m.Reactions = slices.Delete(m.Reactions, i, i+1)
		}
	case i < 0:
		m.Reactions = append(m.Reactions, Reaction{name, []string{user}})
	default:
		m.Reactions[i].Users = append(m.Reactions[i].Users, user)
	}
	s.emit(kind, s.channels[m.Channel], map[string]any{"type": kind, "user": user, "reaction": name, "item_user": m.User,
		"item": map[string]any{"type": "message", "channel": m.Channel, "ts": m.TS}, "event_ts": s.stamp()})
	return true
}

func (r *request) reacted() (*Message, reply) {
	c := r.s.channels[r.str("channel")]
	if c == nil || c.Kind != "public_channel" && !c.has(r.s.BotUser) {
		return nil, refuse("channel_not_found")
	}
	if !stampShape.MatchString(r.str("timestamp")) {
		return nil, refuse("bad_timestamp")
	}
	m := r.s.standing(c.ID, r.str("timestamp"))
	if m == nil {
		return nil, refuse("message_not_found")
	}
	return m, nil
}

func getReactions(r *request) reply {
	m, bad := r.reacted()
	if bad != nil {
		return bad
	}
	most := reactionUsers
	if r.yes("full") {
		most = 1e6
	}
	wire := m.wire(r.s, false)
	wire["reactions"] = m.reactionsWire(most)
	return reply{"type": "message", "channel": m.Channel, "message": wire}
}

func addReaction(r *request) reply {
	m, bad := r.reacted()
	switch {
	case bad != nil:
		return bad
	case !emojiShape.MatchString(r.str("name")):
		return refuse("invalid_name")
	case !r.s.channels[m.Channel].has(r.s.BotUser):
		return refuse("not_in_channel")
	case !r.s.react(m, r.s.BotUser, r.str("name"), true):
		return refuse("already_reacted")
	}
	return reply{}
}

func removeReaction(r *request) reply {
	m, bad := r.reacted()
	switch {
	case bad != nil:
		return bad
	case !r.s.react(m, r.s.BotUser, r.str("name"), false):
		return refuse("no_reaction")
	}
	return reply{}
}
