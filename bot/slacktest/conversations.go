package slacktest

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// group is the scope prefix of each kind of conversation.
var group = map[string]string{"public_channel": "channels", "private_channel": "groups", "im": "im", "mpim": "mpim"}

func historyScopes(r *request) []string { return r.s.scopesOf(r.str("channel"), ":history") }

func readScopes(r *request) []string {
	if id := r.str("channel"); id != "" {
		return r.s.scopesOf(id, ":read")
	}
	types := r.str("types")
	if types == "" {
		types = "public_channel"
	}
	for t := range strings.SplitSeq(types, ",") {
		if scope := group[t] + ":read"; group[t] != "" && !r.s.granted(scope) {
			return []string{scope}
		}
	}
	return nil
}

func (s *Server) scopesOf(channel, what string) []string {
	if c := s.channels[channel]; c != nil {
		return []string{group[c.Kind] + what}
	}
	return []string{"channels" + what, "groups" + what, "im" + what, "mpim" + what}
}

// readable is the conversation whose messages the bot may read.
func (r *request) readable() (*Channel, reply) {
	c := r.s.channels[r.str("channel")]
	switch {
	case c == nil, c.Kind != "public_channel" && !c.has(r.s.BotUser):
		return nil, refuse("channel_not_found")
	case !c.has(r.s.BotUser):
		return nil, refuse("not_in_channel")
	}
	return c, nil
}

// within reports whether a ts is in the request's window.
func (r *request) within(ts string) bool {
	oldest, latest, inclusive := r.str("oldest"), r.str("latest"), r.yes("inclusive")
	if oldest != "" && (ts < oldest || ts == oldest && !inclusive) {
		return false
	}
	return latest == "" || ts < latest || ts == latest && inclusive
}

// page cuts one page out of n things, and is the cursor of the next.
func (r *request) page(n, limit int) (from, to int, next string, bad reply) {
	if c := r.str("cursor"); c != "" {
		b, err := base64.StdEncoding.DecodeString(c)
		at, err2 := strconv.Atoi(strings.TrimPrefix(string(b), "next:"))
		if err != nil || err2 != nil {
			return 0, 0, "", refuse("invalid_cursor")
		}
		from = min(at, n)
	}
	to = min(n, from+limit)
	if to < n {
		next = base64.StdEncoding.EncodeToString([]byte("next:" + strconv.Itoa(to)))
	}
	return from, to, next, nil
}

func (r *request) messagePage(list []*Message) reply {
	limit := min(r.num("limit", 100), 999)
	if r.s.opt.Distributed {
		limit = min(limit, 15)
	}
	from, to, next, bad := r.page(len(list), limit)
	if bad != nil {
		return bad
	}
	out := []map[string]any{}
	for _, m := range list[from:to] {
		if m.Deleted {
			out = append(out, map[string]any{"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "hidden": true,
				"ts": m.TS, "thread_ts": m.TS, "text": "This message was deleted."})
			continue
		}
		out = append(out, m.wire(r.s, r.yes("include_all_metadata")))
	}
	return reply{"messages": out, "has_more": next != "", "response_metadata": map[string]any{"next_cursor": next}}
}

func replies(r *request) reply {
	c, bad := r.readable()
	if bad != nil {
		return bad
	}
	root := r.s.find(c.ID, r.str("ts"))
	if root == nil || root.Deleted && len(r.s.replies(c.ID, root.TS)) == 0 {
		return refuse("thread_not_found")
	}
	if root.Thread != "" { // a reply's own ts finds that reply only
		return r.messagePage([]*Message{root})
	}
	list := []*Message{root} // the root is there whatever the window
	for _, m := range r.s.replies(c.ID, root.TS) {
		if r.within(m.TS) {
			list = append(list, m)
		}
	}
	return r.messagePage(list)
}

func history(r *request) reply {
	c, bad := r.readable()
	if bad != nil {
		return bad
	}
	var list []*Message
	for _, m := range r.s.messages[c.ID] {
		gone := m.Deleted && len(r.s.replies(c.ID, m.TS)) == 0
		if !gone && (m.Thread == "" || m.Broadcast) && r.within(m.TS) {
			list = append(list, m)
		}
	}
	slices.Reverse(list)
	return r.messagePage(list)
}

func (c *Channel) wire(s *Server) map[string]any {
	out := map[string]any{"id": c.ID, "is_channel": c.Kind == "public_channel", "is_group": false, "is_im": c.Kind == "im",
		"is_mpim": c.Kind == "mpim", "is_private": c.Kind != "public_channel", "is_archived": c.Archived,
		"is_member": c.has(s.BotUser), "created": 1700000000, "context_team_id": s.TeamID}
	if c.Kind == "im" {
		out["user"] = c.Members[0]
		return out
	}
	out["name"], out["num_members"] = c.Name, len(c.Members)
	return out
}

func aboutConversation(r *request) reply {
	c := r.s.channels[r.str("channel")]
	if c == nil || c.Kind != "public_channel" && !c.has(r.s.BotUser) {
		return refuse("channel_not_found")
	}
	return reply{"channel": c.wire(r.s)}
}

func openConversation(r *request) reply {
	s := r.s
	users := strings.FieldsFunc(r.str("users"), func(c rune) bool { return c == ',' })
	switch {
	case r.str("channel") != "":
		c := s.channels[r.str("channel")]
		if c == nil {
			return refuse("channel_not_found")
		}
		return reply{"channel": c.wire(s), "already_open": true, "no_op": true}
	case len(users) == 0:
		return refuse("users_list_not_supplied")
	case len(users) > 8:
		return refuse("too_many_users")
	}
	for _, u := range users {
		if s.users[u] == nil {
			return refuse("user_not_found")
		}
	}
	var id string
	fresh := false
	if len(users) == 1 {
		id, fresh = s.dm(users[0])
	} else {
		id = "G" + strings.Join(users, "")
		if fresh = s.channels[id] == nil; fresh {
			s.channels[id] = &Channel{ID: id, Name: "mpdm-" + strings.Join(users, "--"), Kind: "mpim", Members: append(users, s.BotUser)}
		}
	}
	out := reply{"channel": map[string]any{"id": id}, "already_open": !fresh, "no_op": !fresh}
	if r.yes("return_im") {
		out["channel"] = s.channels[id].wire(s)
	}
	return out
}

func listConversations(r *request) reply {
	return r.channelPage(func(c *Channel) bool { return c.Kind == "public_channel" || c.has(r.s.BotUser) })
}

func userConversations(r *request) reply {
	user := r.str("user")
	if user == "" {
		user = r.s.BotUser
	}
	if r.s.users[user] == nil {
		return refuse("user_not_found")
	}
	return r.channelPage(func(c *Channel) bool {
		return c.has(user) && (c.Kind == "public_channel" || c.has(r.s.BotUser))
	})
}

func (r *request) channelPage(shown func(*Channel) bool) reply {
	types := r.str("types")
	if types == "" {
		types = "public_channel"
	}
	kinds := strings.Split(types, ",")
	for _, k := range kinds {
		if group[k] == "" {
			return refuse("invalid_types")
		}
	}
	var ids []string
	for id, c := range r.s.channels {
		if slices.Contains(kinds, c.Kind) && shown(c) && !(c.Archived && r.yes("exclude_archived")) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	from, to, next, bad := r.page(len(ids), min(r.num("limit", 100), 1000))
	if bad != nil {
		return bad
	}
	out := []map[string]any{}
	for _, id := range ids[from:to] {
		out = append(out, r.s.channels[id].wire(r.s))
	}
	return reply{"channels": out, "response_metadata": map[string]any{"next_cursor": next}}
}
