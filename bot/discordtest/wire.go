package discordtest

import (
	"slices"
	"strings"
)

func (s *Server) userWire(id string) map[string]any {
	u := s.users[id]
	if u == nil {
		return nil
	}
	return map[string]any{"id": u.ID, "username": strings.ToLower(u.Name), "global_name": u.Name, "discriminator": "0",
		"bot": u.Bot, "avatar": nil, "public_flags": 0}
}

func (s *Server) usersWire(ids []string) []any {
	out := []any{}
	for _, id := range ids {
		out = append(out, s.userWire(id))
	}
	return out
}

// memberWire is nil for who isn't one. Messages leave out the user.
func (s *Server) memberWire(guild, user string, whole bool) map[string]any {
	g := s.guilds[guild]
	if g == nil {
		return nil
	}
	roles, ok := g.members[user]
	if !ok {
		return nil
	}
	out := map[string]any{"roles": emptied(roles), "nick": nil, "avatar": nil, "joined_at": "2024-01-01T00:00:00.000000+00:00",
		"premium_since": nil, "deaf": false, "mute": false, "pending": false, "flags": 0, "communication_disabled_until": nil}
	if whole {
		out["user"] = s.userWire(user)
	}
	return out
}

func (s *Server) channelWire(c *Channel) map[string]any {
	out := map[string]any{"id": c.ID, "type": c.Type, "flags": 0, "last_message_id": nil}
	if ids := s.order[c.ID]; len(ids) > 0 {
		out["last_message_id"] = ids[len(ids)-1]
	}
	if c.Type == dmChannel {
		out["recipients"] = []any{s.userWire(c.With)}
		return out
	}
	out["name"], out["guild_id"], out["rate_limit_per_user"], out["nsfw"] = c.Name, c.Guild, 0, false
	if !c.thread() {
		out["position"], out["parent_id"], out["topic"], out["permission_overwrites"] = 0, nil, nil, []any{}
		return out
	}
	out["parent_id"], out["owner_id"] = c.Parent, c.Owner
	out["message_count"], out["member_count"], out["total_message_sent"] = len(s.order[c.ID]), 1, len(s.order[c.ID])
	out["thread_metadata"] = map[string]any{"archived": c.Archived, "auto_archive_duration": c.AutoArchive, "locked": false,
		"archive_timestamp": "2024-01-01T00:00:00.000000+00:00", "create_timestamp": "2024-01-01T00:00:00.000000+00:00"}
	return out
}

func (s *Server) guildWire(g *guild) map[string]any {
	return map[string]any{"id": g.id, "name": g.name, "icon": nil, "owner_id": g.id, "roles": s.rolesWire(g), "emojis": []any{},
		"features": []any{}, "premium_tier": 0, "preferred_locale": "en-US", "verification_level": 0, "system_channel_id": nil}
}

func (s *Server) rolesWire(g *guild) []any {
	out := []any{}
	for i, r := range g.roles {
		out = append(out, map[string]any{"id": r.ID, "name": r.Name, "color": 0, "hoist": false, "position": i,
			"permissions": itoa(s.set.Permissions), "managed": false, "mentionable": false, "flags": 0})
	}
	return out
}

// guildCreate tells one session, or all, of a guild; s.mu is held.
func (s *Server) guildCreate(g *guild, to *gatewaySession) {
	out := s.guildWire(g)
	channels, threads := []any{}, []any{}
	for _, id := range sorted(s.channels) {
		c := s.channels[id]
		switch {
		case c.Guild != g.id || c.Permissions&PermitView == 0:
		case c.thread():
			threads = append(threads, s.channelWire(c))
		default:
			channels = append(channels, s.channelWire(c))
		}
	}
	out["channels"], out["threads"] = channels, threads
	out["members"] = []any{s.memberWire(g.id, s.BotID, true)}
	out["member_count"], out["large"], out["unavailable"], out["joined_at"] = len(g.members), false, false, "2024-01-01T00:00:00.000000+00:00"
	out["presences"], out["voice_states"], out["stage_instances"], out["guild_scheduled_events"] = []any{}, []any{}, []any{}, []any{}
	e := event{name: "GUILD_CREATE", need: intentGuilds, make: fixed(out)}
	if to != nil {
		s.give(to, e)
		return
	}
	s.emit(e)
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareIDs)
	return keys
}

func emojiWire(emoji string) map[string]any {
	if name, id, ok := strings.Cut(strings.TrimPrefix(emoji, "a:"), ":"); ok {
		return map[string]any{"id": id, "name": name, "animated": strings.HasPrefix(emoji, "a:")}
	}
	return map[string]any{"id": nil, "name": emoji}
}

// applicationWire is what the application knows of itself. Its flags say which
// privileged intents are on, in the form for bots in fewer than 100 guilds.
func (s *Server) applicationWire() map[string]any {
	flags := 0
	if s.set.Privileged&intentPresences != 0 {
		flags |= 1 << 13
	}
	if s.set.Privileged&IntentMembers != 0 {
		flags |= 1 << 15
	}
	if s.set.Privileged&IntentContent != 0 {
		flags |= 1 << 19
	}
	install := map[string]any{"scopes": []string{"applications.commands", "bot"}, "permissions": itoa(s.set.Permissions)}
	return map[string]any{"id": s.AppID, "name": "graphbot", "description": "", "icon": nil, "bot_public": true, "bot_require_code_grant": false,
		"flags": flags, "verify_key": strings.Repeat("0", 64), "bot": s.userWire(s.BotID), "owner": s.userWire(s.BotID), "team": nil,
		"interactions_endpoint_url": nil, "approximate_guild_count": len(s.guilds), "install_params": install,
		"integration_types_config": map[string]any{"0": map[string]any{"oauth2_install_params": install}}}
}
