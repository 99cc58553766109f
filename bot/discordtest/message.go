package discordtest

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// A Message is one that a person or the bot wrote, as a test sees it.
type Message struct {
	ID, Channel, Guild string
	Author             string // user ID
	Type               int    // 0 plain, 18 thread created, 19 reply, 20 answers a slash command, 23 a message command
	Content            string
	At, EditedAt       time.Time
	Embeds             []map[string]any
	Components         []map[string]any
	Files              []File
	Flags              int
	Nonce              any
	ReplyTo            string // message ID
	Mentions           []string
	MentionRoles       []string
	MentionEveryone    bool
	Reactions          []Reaction
	Interaction        string // the ID of the one it answers
	OnlyFor            string // of an ephemeral one: the user who sees it
	Deleted            bool
	History            []Version // what it was before, oldest first
}

// A Version is what a message was before an edit.
type Version struct {
	Content    string
	Embeds     []map[string]any
	Components []map[string]any
	Files      []File
	Flags      int
	Until      time.Time
}

// A File is an attachment.
type File struct {
	ID, Name, Type string
	Bytes          []byte
}

// A Reaction is an emoji and who gave it, by user ID in order.
type Reaction struct {
	Emoji string
	Users []string
}

// A Button is one of a message's, with its place in the rows.
type Button struct {
	CustomID, Label, Emoji, URL string
	Style                       int
	Disabled                    bool
}

// Ephemeral is true of a message that one person sees.
func (m Message) Ephemeral() bool { return m.Flags&flagEphemeral != 0 }

// Loading is true while the message says that the bot is thinking.
func (m Message) Loading() bool { return m.Flags&flagLoading != 0 }

// Text is all that the message says: its content, its embeds and its text
// displays, a line each.
func (m Message) Text() string {
	var lines []string
	add := func(v any) {
		if s, _ := v.(string); s != "" {
			lines = append(lines, s)
		}
	}
	add(m.Content)
	for _, e := range m.Embeds {
		if author, ok := e["author"].(map[string]any); ok {
			add(author["name"])
		}
		add(e["title"])
		add(e["description"])
		fields, _ := e["fields"].([]any)
		for _, f := range fields {
			if f, ok := f.(map[string]any); ok {
				add(f["name"])
				add(f["value"])
			}
		}
		if footer, ok := e["footer"].(map[string]any); ok {
			add(footer["text"])
		}
	}
	for _, c := range components(m.Components) {
		if c["type"] == float64(textType) {
			add(c["content"])
		}
	}
	return strings.Join(lines, "\n")
}

// Buttons are those of the message in reading order.
func (m Message) Buttons() []Button {
	var out []Button
	for _, c := range components(m.Components) {
		if c["type"] != float64(buttonType) {
			continue
		}
		var b Button
		b.CustomID, _ = c["custom_id"].(string)
		b.Label, _ = c["label"].(string)
		b.URL, _ = c["url"].(string)
		b.Disabled, _ = c["disabled"].(bool)
		style, _ := c["style"].(float64)
		b.Style = int(style)
		if emoji, ok := c["emoji"].(map[string]any); ok {
			b.Emoji, _ = emoji["name"].(string)
		}
		out = append(out, b)
	}
	return out
}

// Button finds a button by its custom ID, label or emoji.
func (m Message) Button(name string) (Button, bool) {
	all := m.Buttons()
	i := slices.IndexFunc(all, func(b Button) bool { return name == b.CustomID || name == b.Label || name == b.Emoji })
	if i < 0 {
		return Button{}, false
	}
	return all[i], true
}

// components lists every component, nested ones after what holds them.
func components(list []map[string]any) []map[string]any {
	var out []map[string]any
	for _, c := range list {
		out = append(out, c)
		out = append(out, components(objects(c["components"]))...)
		for _, key := range []string{"accessory", "component"} {
			if inner, ok := c[key].(map[string]any); ok {
				out = append(out, inner)
			}
		}
	}
	return out
}

func objects(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// copied is safe to give to a test; s.mu is held.
func (m *Message) copied() Message {
	c := *m
	c.Reactions = slices.Clone(m.Reactions)
	for i := range c.Reactions {
		c.Reactions[i].Users = slices.Clone(c.Reactions[i].Users)
	}
	c.History, c.Files = slices.Clone(m.History), slices.Clone(m.Files)
	c.Mentions, c.MentionRoles = slices.Clone(m.Mentions), slices.Clone(m.MentionRoles)
	return c
}

// wire is the message as JSON for whoever may read its content or not; s.mu is
// held.
func (s *Server) wire(m *Message, readable bool) map[string]any {
	out := map[string]any{
		"id": m.ID, "channel_id": m.Channel, "type": m.Type, "author": s.userWire(m.Author), "content": m.Content,
		"timestamp": stamp(m.At), "edited_timestamp": stamp(m.EditedAt), "tts": false, "pinned": false, "flags": m.Flags,
		"mention_everyone": m.MentionEveryone, "mention_roles": emptied(m.MentionRoles), "mentions": s.usersWire(m.Mentions),
		"embeds": emptied(m.Embeds), "components": emptied(numbered(m.Components)), "attachments": s.filesWire(m),
	}
	if m.Nonce != nil {
		out["nonce"] = m.Nonce
	}
	if len(m.Reactions) > 0 {
		var list []any
		for _, r := range m.Reactions {
			list = append(list, map[string]any{"count": len(r.Users), "me": slices.Contains(r.Users, s.BotID), "me_burst": false,
				"count_details": map[string]any{"burst": 0, "normal": len(r.Users)}, "burst_colors": []any{}, "emoji": emojiWire(r.Emoji)})
		}
		out["reactions"] = list
	}
	if m.ReplyTo != "" {
		ref := map[string]any{"type": 0, "message_id": m.ReplyTo, "channel_id": m.Channel}
		if m.Guild != "" {
			ref["guild_id"] = m.Guild
		}
		out["message_reference"], out["referenced_message"] = ref, nil
		if to := s.messages[m.ReplyTo]; to != nil && !to.Deleted {
			ref["channel_id"] = to.Channel
			inner := s.wire(to, readable || s.addressed(to))
			delete(inner, "referenced_message")
			out["referenced_message"] = inner
		}
	}
	if m.Flags&flagHasThread != 0 {
		out["thread"] = s.channelWire(s.channels[m.ID])
	}
	if i := s.interactions[m.Interaction]; i != nil {
		out["application_id"], out["webhook_id"] = s.AppID, s.AppID
		out["interaction_metadata"] = map[string]any{"id": i.ID, "type": i.Type, "user": s.userWire(i.User), "authorizing_integration_owners": map[string]any{"0": i.Guild}}
		if i.Type == commandInteraction {
			out["interaction"] = map[string]any{"id": i.ID, "type": i.Type, "name": i.Name, "user": s.userWire(i.User)}
		}
	}
	if !readable {
		out["content"] = ""
		out["embeds"], out["components"], out["attachments"] = []any{}, []any{}, []any{}
	}
	return out
}

// addressed is true of the messages whose content the bot always gets: its
// own, those to it alone, and those that mention it.
func (s *Server) addressed(m *Message) bool {
	return m.Author == s.BotID || m.Guild == "" || slices.Contains(m.Mentions, s.BotID)
}

func emptied[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// numbered gives components the IDs that Discord adds.
func numbered(list []map[string]any) []map[string]any {
	n := 0
	var walk func([]map[string]any) []map[string]any
	walk = func(list []map[string]any) []map[string]any {
		out := make([]map[string]any, len(list))
		for i, c := range list {
			c = maps.Clone(c)
			n++
			if id, _ := c["id"].(float64); id == 0 {
				c["id"] = n
			}
			if c["components"] != nil {
				c["components"] = walk(objects(c["components"]))
			}
			out[i] = c
		}
		return out
	}
	return walk(list)
}

func (s *Server) filesWire(m *Message) []any {
	out := []any{}
	for _, f := range m.Files {
		link := s.URL + "/attachments/" + m.Channel + "/" + f.ID + "/" + f.Name
		out = append(out, map[string]any{"id": f.ID, "filename": f.Name, "size": len(f.Bytes), "content_type": f.Type,
			"url": link, "proxy_url": link, "ephemeral": m.Ephemeral()})
	}
	return out
}
