package slacktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Message is one as people see it now.
type Message struct {
	Channel, TS string
	Thread      string // the root's ts, for a reply
	User        string // its author; the bot's user for its own
	Text        string
	Blocks      json.RawMessage // with the ids that Slack gave; nil without
	Attachments json.RawMessage
	Metadata    json.RawMessage
	Unformatted bool // posted with mrkdwn=false
	Broadcast   bool // a reply shown in the channel too
	Files       []string
	ClientID    string // the client_msg_id that it was posted with
	Reactions   []Reaction
	UnfurlLinks *bool // nil: not said
	UnfurlMedia *bool

	Edits   []Version // what it was before each edit, oldest first
	Deleted bool
	For     string // who alone sees it: an ephemeral message
}

// A Version is a message's content before an edit.
type Version struct {
	Text        string
	Blocks      json.RawMessage
	Attachments json.RawMessage
}

// A Reaction is an emoji and who reacted with it, first one first.
type Reaction struct {
	Name  string // a skin tone is part of it: +1::skin-tone-3
	Users []string
}

// Messages are those that stand in a channel, oldest first, replies included.
func (s *Server) Messages(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Message
	for _, m := range s.messages[channel] {
		if !m.Deleted {
			out = append(out, m.clone())
		}
	}
	return out
}

// Message is one by its ts, a deleted one too; ok is false if there never was.
func (s *Server) Message(channel, ts string) (m Message, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.find(channel, ts); found != nil {
		return found.clone(), true
	}
	return Message{}, false
}

// Posted are the bot's messages in a channel that still stand, oldest first.
func (s *Server) Posted(channel string) []Message {
	return slices.DeleteFunc(s.Messages(channel), func(m Message) bool { return m.User != s.BotUser })
}

// Ephemerals are what only a user sees, oldest first; of everyone with "".
func (s *Server) Ephemerals(user string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Message
	for _, m := range s.ephemeral {
		if !m.Deleted && (user == "" || m.For == user) {
			out = append(out, m.clone())
		}
	}
	return out
}

// AwaitMessage waits for a message of the bot in a channel that fits, and
// returns the first.
func (s *Server) AwaitMessage(channel string, fits func(Message) bool) (found Message) {
	s.t.Helper()
	s.Await("such a message in "+channel, func() bool {
		for _, m := range s.Posted(channel) {
			if fits(m) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// Reads is what people read in the message: its blocks' texts, or its own.
func (m Message) Reads() string {
	var out []string
	for _, t := range TextsOf(m.Blocks) {
		if t.Kind != Address {
			out = append(out, t.Value)
		}
	}
	if len(out) == 0 {
		return m.Text
	}
	return strings.Join(out, "\n")
}

// Show is the whole workspace in words, for a failing test.
func (s *Server) Show() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	line := func(m *Message) {
		if !m.Deleted {
			fmt.Fprintf(&b, "  %s %s%s: %s\n", m.TS, m.User, map[bool]string{true: " (reply)"}[m.Thread != ""], m.Reads())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.messages)) {
		fmt.Fprintf(&b, "%s\n", id)
		for _, m := range s.messages[id] {
			line(m)
		}
	}
	for _, m := range s.ephemeral {
		fmt.Fprintf(&b, "only for %s in %s\n", m.For, m.Channel)
		line(m)
	}
	for _, v := range s.modals {
		fmt.Fprintf(&b, "modal of %s: %s\n", v.User, v.JSON)
	}
	for _, v := range s.violations {
		fmt.Fprintf(&b, "violation %s\n", v)
	}
	fmt.Fprintf(&b, "%d sockets, %d deliveries, %d not yet sent, last calls:", len(s.sockets), len(s.sent), len(s.waiting))
	for _, c := range s.calls[max(0, len(s.calls)-8):] {
		fmt.Fprintf(&b, " %s(%s)", c.Method, c.Error)
	}
	return b.String()
}

func (m *Message) clone() Message {
	c := *m
	c.Edits, c.Files = slices.Clone(m.Edits), slices.Clone(m.Files)
	c.Reactions = nil
	for _, r := range m.Reactions {
		c.Reactions = append(c.Reactions, Reaction{r.Name, slices.Clone(r.Users)})
	}
	return c
}

func (s *Server) find(channel, ts string) *Message {
	for _, m := range s.messages[channel] {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

func (s *Server) standing(channel, ts string) *Message {
	if m := s.find(channel, ts); m != nil && !m.Deleted {
		return m
	}
	return nil
}

// replies are the standing answers in a thread, oldest first.
func (s *Server) replies(channel, root string) []*Message {
	var out []*Message
	for _, m := range s.messages[channel] {
		if m.Thread == root && !m.Deleted {
			out = append(out, m)
		}
	}
	return out
}

// wire is the message as Slack sends it.
func (m *Message) wire(s *Server, metadata bool) map[string]any {
	out := map[string]any{"type": "message", "ts": m.TS, "user": m.User, "text": m.Text, "team": s.TeamID}
	if m.User == s.BotUser {
		out["bot_id"], out["app_id"] = s.BotID, s.AppID
		out["bot_profile"] = map[string]any{"id": s.BotID, "app_id": s.AppID, "name": "precedent", "team_id": s.TeamID}
	} else {
		out["client_msg_id"] = "c-" + m.TS
	}
	for name, raw := range map[string]json.RawMessage{"blocks": m.Blocks, "attachments": m.Attachments} {
		if raw != nil {
			out[name] = raw
		}
	}
	if metadata && m.Metadata != nil {
		out["metadata"] = m.Metadata
	}
	if m.Thread != "" {
		out["thread_ts"] = m.Thread
		if root := s.find(m.Channel, m.Thread); root != nil {
			out["parent_user_id"] = root.User
		}
		if m.Broadcast {
			out["subtype"] = "thread_broadcast"
		}
	} else if answers := s.replies(m.Channel, m.TS); len(answers) > 0 {
		var users []string
		for _, a := range answers {
			if !slices.Contains(users, a.User) {
				users = append(users, a.User)
			}
		}
		out["thread_ts"], out["reply_count"], out["reply_users"] = m.TS, len(answers), users
		out["latest_reply"] = answers[len(answers)-1].TS
	}
	if len(m.Edits) > 0 {
		out["edited"] = map[string]any{"user": m.User, "ts": m.TS}
	}
	if len(m.Reactions) > 0 {
		out["reactions"] = m.reactionsWire(len(m.Reactions) + 1e6)
	}
	if m.For != "" {
		out["is_ephemeral"] = true
	}
	if len(m.Files) > 0 {
		var files []map[string]any
		for _, id := range m.Files {
			files = append(files, s.files[id].wire())
		}
		out["files"], out["upload"] = files, true
	}
	return out
}

// named gives blocks and their elements the ids that the author left out.
func (s *Server) named(blocks json.RawMessage) json.RawMessage {
	var list []map[string]any
	if json.Unmarshal(blocks, &list) != nil || len(list) == 0 {
		return nil
	}
	for _, b := range list {
		if b["block_id"] == nil {
			b["block_id"] = s.id("blk")
		}
		for _, e := range elementsOf(b) {
			if e["action_id"] == nil && e["type"] != "image" && e["type"] != "plain_text" && e["type"] != "mrkdwn" {
				e["action_id"] = s.id("act")
			}
		}
	}
	out, _ := json.Marshal(list)
	return out
}

// elementsOf are a block's elements, accessory and input.
func elementsOf(block map[string]any) []map[string]any {
	if block["type"] == "rich_text" {
		return nil
	}
	var out []map[string]any
	list, _ := block["elements"].([]any)
	for _, v := range append(slices.Clone(list), block["accessory"], block["element"]) {
		if m, ok := v.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}
