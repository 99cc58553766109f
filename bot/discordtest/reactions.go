package discordtest

import (
	"net/url"
	"slices"
)

const maxReactions = 20 // different emoji on one message

// reacted finds what a request on reactions is about.
func (s *Server) reacted(q *Request, permissions int64) (m *Message, emoji string, err error) {
	c, err := s.allowed(q, permissions)
	if err != nil {
		return nil, "", err
	}
	m, err = s.shown(q, c)
	if err != nil {
		return nil, "", err
	}
	if c.Archived {
		return nil, "", errArchived
	}
	emoji = q.value("emoji")
	if plain, err := url.PathUnescape(emoji); err == nil { // twice escaped, as some clients do
		emoji = plain
	}
	if !isEmoji(emoji) {
		return nil, "", errUnknownEmoji
	}
	return m, emoji, nil
}

func (s *Server) addReaction(q *Request) (answer, error) {
	m, emoji, err := s.reacted(q, PermitHistory)
	if err != nil {
		return refuse(err)
	}
	i := reactionOf(m, emoji)
	switch {
	case i < 0 && s.channels[m.Channel].Permissions&PermitReactions == 0:
		return refuse(errMissingPermissions)
	case i < 0 && len(m.Reactions) >= maxReactions:
		return refuse(errTooManyReactions)
	}
	s.react(m, s.BotID, emoji)
	return nothing()
}

func (s *Server) removeReaction(q *Request) (answer, error) {
	m, emoji, err := s.reacted(q, PermitHistory)
	if err != nil {
		return refuse(err)
	}
	user := q.value("user")
	if user == "@me" {
		user = s.BotID
	} else if user != s.BotID && s.channels[m.Channel].Permissions&PermitManage == 0 {
		return refuse(errMissingPermissions)
	}
	s.unreact(m, user, emoji)
	return nothing()
}

func (s *Server) listReactions(q *Request) (answer, error) {
	m, emoji, err := s.reacted(q, PermitHistory)
	if err != nil {
		return refuse(err)
	}
	limit, err := q.number("limit", 1, 100, 25)
	if err != nil {
		return refuse(err)
	}
	out := []any{}
	if i := reactionOf(m, emoji); i >= 0 {
		users := slices.Clone(m.Reactions[i].Users)
		slices.SortFunc(users, compareIDs)
		after := q.http.URL.Query().Get("after")
		for _, id := range users {
			if (after == "" || compareIDs(id, after) > 0) && len(out) < limit {
				out = append(out, s.userWire(id))
			}
		}
	}
	return ok(out)
}

func reactionOf(m *Message, emoji string) int {
	return slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Emoji == emoji })
}

// react is idempotent, as at Discord; s.mu is held.
func (s *Server) react(m *Message, user, emoji string) {
	i := reactionOf(m, emoji)
	if i < 0 {
		m.Reactions = append(m.Reactions, Reaction{Emoji: emoji})
		i = len(m.Reactions) - 1
	}
	if slices.Contains(m.Reactions[i].Users, user) {
		return
	}
	m.Reactions[i].Users = append(m.Reactions[i].Users, user)
	s.reactionEvent("MESSAGE_REACTION_ADD", m, user, emoji)
}

func (s *Server) unreact(m *Message, user, emoji string) {
	i := reactionOf(m, emoji)
	if i < 0 || !slices.Contains(m.Reactions[i].Users, user) {
		return
	}
	m.Reactions[i].Users = slices.DeleteFunc(m.Reactions[i].Users, func(id string) bool { return id == user })
	if len(m.Reactions[i].Users) == 0 {
		m.Reactions = slices.Delete(m.Reactions, i, i+1)
	}
	s.reactionEvent("MESSAGE_REACTION_REMOVE", m, user, emoji)
}
