package slacktest

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// eventScope is what an app needs to be sent an event.
var eventScope = map[string]string{"app_mention": "app_mentions:read", "reaction_added": "reactions:read", "reaction_removed": "reactions:read",
	"message.channels": "channels:history", "message.groups": "groups:history", "message.im": "im:history", "message.mpim": "mpim:history"}

// emit sends an event to the app if it subscribed to it, may see it and is in
// the conversation.
func (s *Server) emit(kind string, c *Channel, inner map[string]any) *Delivery {
	if !slices.Contains(s.opt.Events, kind) || c != nil && !c.has(s.BotUser) {
		return nil
	}
	if scope := eventScope[kind]; scope != "" && !s.granted(scope) {
		return nil
	}
	return s.queue(s.event(inner))
}

func (s *Server) event(inner map[string]any) *Delivery {
	id := s.id("Ev")
	return &Delivery{Kind: "events_api", EventID: id, payload: map[string]any{
		"token": "verification", "team_id": s.TeamID, "context_team_id": s.TeamID, "api_app_id": s.AppID, "type": "event_callback",
		"event_id": id, "event_time": time.Now().Unix(), "event_context": "4-" + id, "is_ext_shared_channel": false, "event": inner,
		"authorizations": []any{map[string]any{"team_id": s.TeamID, "user_id": s.BotUser, "is_bot": true, "is_enterprise_install": false}}}}
}

// Send has any event delivered, whatever the app subscribed to; for what the
// other methods can't make.
func (s *Server) Send(inner map[string]any) (d *Delivery) {
	s.change(func() { d = s.queue(s.event(inner)) })
	return d
}

// emitMessage sends a new message's events: message in the conversation, and
// app_mention besides if it names the bot outside a direct message.
func (s *Server) emitMessage(m *Message) {
	c := s.channels[m.Channel]
	inner := m.wire(s, true)
	inner["channel"], inner["event_ts"] = m.Channel, m.TS
	if m.User != s.BotUser && c.Kind != "im" && strings.Contains(m.Text, "<@"+s.BotUser) {
		mention := maps.Clone(inner)
		mention["type"] = "app_mention"
		delete(mention, "subtype")
		s.emit("app_mention", c, mention)
	}
	inner["channel_type"] = strings.TrimSuffix(group[c.Kind], "s")
	s.emit("message."+group[c.Kind], c, inner)
}

func (s *Server) emitChanged(before, now *Message) {
	c := s.channels[now.Channel]
	ts := s.stamp()
	message := now.wire(s, true)
	message["edited"] = map[string]any{"user": now.User, "ts": ts}
	s.emit("message."+group[c.Kind], c, map[string]any{"type": "message", "subtype": "message_changed", "hidden": true, "channel": c.ID,
		"channel_type": strings.TrimSuffix(group[c.Kind], "s"), "ts": ts, "event_ts": ts,
		"message": message, "previous_message": before.wire(s, true)})
}

func (s *Server) emitDeleted(m *Message) {
	c := s.channels[m.Channel]
	ts := s.stamp()
	s.emit("message."+group[c.Kind], c, map[string]any{"type": "message", "subtype": "message_deleted", "hidden": true, "channel": c.ID,
		"channel_type": strings.TrimSuffix(group[c.Kind], "s"), "ts": ts, "event_ts": ts, "deleted_ts": m.TS, "previous_message": m.wire(s, true)})
}

var tokens = regexp.MustCompile(`<[@#!][^>]*>`)

// encode is what Slack makes of text as people type it: & < > escaped, @precedent
// a mention of the bot. Mentions already in Slack's form stay.
func (s *Server) encode(text string) string {
	text = strings.ReplaceAll(text, "@precedent", "<@"+s.BotUser+">")
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	var b strings.Builder
	at := 0
	for _, span := range tokens.FindAllStringIndex(text, -1) {
		b.WriteString(escape.Replace(text[at:span[0]]) + text[span[0]:span[1]])
		at = span[1]
	}
	return b.String() + escape.Replace(text[at:])
}

// rich is a typed text as the rich_text block that clients send with it.
func (s *Server) rich(text string) json.RawMessage {
	var parts []map[string]any
	for i, piece := range strings.Split(text, "<@"+s.BotUser+">") {
		if i > 0 {
			parts = append(parts, map[string]any{"type": "user", "user_id": s.BotUser})
		}
		if piece != "" {
			plain := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(piece)
			parts = append(parts, map[string]any{"type": "text", "text": plain})
		}
	}
	raw, _ := json.Marshal([]any{map[string]any{"type": "rich_text", "elements": []any{
		map[string]any{"type": "rich_text_section", "elements": parts}}}})
	return s.named(raw)
}

// Say posts a person's message as typed: "@precedent" calls the bot. In a thread
// if thread, a message's ts, isn't "". A channel "D…" must be the person's DM.
func (s *Server) Say(user, channel, thread, text string) Message {
	s.t.Helper()
	s.mustBeIn(user, channel)
	var m *Message
	s.change(func() {
		m = &Message{Channel: channel, TS: s.stamp(), Thread: thread, User: user, Text: s.encode(text)}
		m.Blocks = s.rich(m.Text)
		s.messages[channel] = append(s.messages[channel], m)
		s.emitMessage(m)
	})
	return m.clone()
}

// SayAsBot posts a message of another bot, which has a bot_id and the subtype
// bot_message in its events.
func (s *Server) SayAsBot(channel, text string) (ts string) {
	s.change(func() {
		c := s.channels[channel]
		ts = s.stamp()
		s.messages[channel] = append(s.messages[channel], &Message{Channel: channel, TS: ts, User: "U0OTHERBOT", Text: text})
		inner := map[string]any{"type": "message", "subtype": "bot_message", "bot_id": "B0OTHER", "username": "other", "text": text,
			"ts": ts, "event_ts": ts, "channel": channel, "channel_type": strings.TrimSuffix(group[c.Kind], "s")}
		if strings.Contains(text, "<@"+s.BotUser) {
			mention := maps.Clone(inner)
			mention["type"] = "app_mention"
			s.emit("app_mention", c, mention)
		}
		s.emit("message."+group[c.Kind], c, inner)
	})
	return ts
}

// Edit changes a person's message as if they had typed it so; Slack sends
// message_changed, and app_mention if the edit newly calls the bot.
func (s *Server) Edit(channel, ts, text string) {
	s.mustFind(channel, ts)
	s.change(func() {
		m := s.find(channel, ts)
		before := *m
		m.Edits = append(m.Edits, Version{m.Text, m.Blocks, m.Attachments})
		m.Text = s.encode(text)
		m.Blocks = s.rich(m.Text)
		s.emitChanged(&before, m)
		call := "<@" + s.BotUser
		if c := s.channels[channel]; c.Kind != "im" && strings.Contains(m.Text, call) && !strings.Contains(before.Text, call) {
			mention := m.wire(s, true)
			at := s.stamp()
			mention["type"], mention["channel"], mention["event_ts"] = "app_mention", channel, at
			mention["edited"] = map[string]any{"user": m.User, "ts": at}
			s.emit("app_mention", c, mention)
		}
	})
}

// Delete takes any message away, under the bot too.
func (s *Server) Delete(channel, ts string) {
	s.mustFind(channel, ts)
	s.change(func() { s.remove(s.find(channel, ts)) })
}

// React adds a person's reaction: a name without colons, with a skin tone as in
// "+1::skin-tone-3". Unreact takes it back.
func (s *Server) React(user, channel, ts, name string) { s.reaction(user, channel, ts, name, true) }

// Unreact takes a reaction back.
func (s *Server) Unreact(user, channel, ts, name string) { s.reaction(user, channel, ts, name, false) }

func (s *Server) reaction(user, channel, ts, name string, add bool) {
	s.t.Helper()
	s.mustFind(channel, ts)
	s.change(func() { s.react(s.find(channel, ts), user, name, add) })
}

// OpenHome opens the bot's home tab for a person; an app draws it then.
func (s *Server) OpenHome(user string) {
	s.change(func() {
		channel, _ := s.dm(user)
		inner := map[string]any{"type": "app_home_opened", "user": user, "channel": channel, "tab": "home", "event_ts": s.stamp()}
		if v := s.homes[user]; v != nil {
			inner["view"] = v.wire(s)
		}
		s.emit("app_home_opened", nil, inner)
	})
}

func (s *Server) mustBeIn(user, channel string) {
	s.t.Helper()
	s.mu.Lock()
	c := s.channels[channel]
	s.mu.Unlock()
	if c == nil || !c.has(user) {
		s.t.Fatalf("%s is in no channel %q: use DM, Join or AddChannel", user, channel)
	}
}

func (s *Server) mustFind(channel, ts string) {
	s.t.Helper()
	if _, ok := s.Message(channel, ts); !ok {
		s.t.Fatalf("no message %s in %s; the workspace shows\n%s", ts, channel, s.Show())
	}
}
