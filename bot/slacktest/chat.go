package slacktest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

var stampShape = regexp.MustCompile(`^\d{10,}\.\d{6}$`)

// content is what a request would have a message say, or why not.
func (r *request) content(most int, cut bool) (m Message, bad reply) {
	m = Message{Text: r.str("text"), Blocks: r.raw("blocks"), Attachments: r.raw("attachments"), Metadata: r.raw("metadata"),
		UnfurlLinks: r.flag("unfurl_links"), UnfurlMedia: r.flag("unfurl_media"), Unformatted: r.has("mrkdwn") && !r.yes("mrkdwn")}
	if bad := r.contentProblem(&m); bad != nil {
		return m, bad
	}
	n := utf8.RuneCountInString(m.Text)
	switch {
	case n > most && !cut:
		return m, refuse("msg_too_long")
	case n > most:
		m.Text = string([]rune(m.Text)[:most])
		r.violate("text cut", fmt.Sprintf("%d characters, %d kept", n, most))
	case n > r.s.lim.AdvisedText:
		r.violate("text longer than advised", fmt.Sprintf("%d characters, better at most %d", n, r.s.lim.AdvisedText))
	}
	if m.Text == "" && m.Blocks != nil {
		r.violate("blocks without text", "nothing to read out or notify with")
	}
	return m, nil
}

func (r *request) contentProblem(m *Message) reply {
	lim := r.s.lim
	g := newGrammar(lim)
	if m.Blocks != nil {
		var list []any
		if json.Unmarshal(m.Blocks, &list) != nil {
			return refuse("invalid_blocks_format")
		}
		if problems := g.blocks(OnMessage, m.Blocks); len(problems) > 0 {
			if g.tables > lim.Tables {
				return refuseWith("invalid_attachments", []Problem{{"only_one_table_allowed", "/blocks"}})
			}
			return refuseWith("invalid_blocks", problems)
		}
		if weight(lim, m.Blocks) > lim.BlocksText {
			return refuse("msg_blocks_too_long")
		}
		if len(list) == 0 {
			m.Blocks = json.RawMessage("[]")
		}
	}
	if m.Attachments != nil {
		var list []map[string]any
		if json.Unmarshal(m.Attachments, &list) != nil {
			return refuse("invalid_attachments")
		}
		if len(list) > lim.MaxAttached {
			return refuse("too_many_attachments")
		}
		for _, a := range list {
			blocks, ok := a["blocks"].([]any)
			if !ok {
				continue
			}
			raw, _ := json.Marshal(blocks)
			clear(g.actionIDs)
			if problems := g.blocks(OnMessage, raw); len(problems) > 0 {
				return refuseWith("invalid_attachments", problems)
			}
		}
	}
	if m.Metadata == nil || string(m.Metadata) == "{}" {
		return nil
	}
	var meta struct {
		Type    string         `json:"event_type"`
		Payload map[string]any `json:"event_payload"`
	}
	switch err := json.Unmarshal(m.Metadata, &meta); {
	case err != nil || meta.Type == "" || meta.Payload == nil:
		return refuse("invalid_metadata_format")
	case len(m.Metadata) > lim.MaxMetadata:
		return refuse("metadata_too_large")
	}
	return nil
}

func (m *Message) empty() bool {
	return m.Text == "" && (m.Blocks == nil || string(m.Blocks) == "[]") && (m.Attachments == nil || string(m.Attachments) == "[]")
}

// place is the conversation that a request may write to.
func (r *request) place(name string) (*Channel, reply) {
	s := r.s
	id := r.str(name)
	if u := s.users[id]; u != nil && id != s.BotUser {
		if r.method != "chat.postMessage" {
			return nil, refuse("channel_not_found")
		}
		id, _ = s.dm(id)
	}
	c := s.channels[id]
	switch {
	case c == nil, c.Kind != "public_channel" && !c.has(s.BotUser):
		return nil, refuse("channel_not_found")
	case !c.has(s.BotUser) && !s.granted("chat:write.public"):
		return nil, refuse("not_in_channel")
	case c.Archived:
		return nil, refuse("is_archived")
	}
	return c, nil
}

// thread takes the request's thread_ts.
func (r *request) thread(m *Message) reply {
	m.Thread = r.str("thread_ts")
	if m.Thread == "" {
		if r.yes("reply_broadcast") {
			r.violate("reply_broadcast without thread_ts", "ignored")
		}
		return nil
	}
	if !stampShape.MatchString(m.Thread) {
		return refuse("invalid_thread_ts")
	}
	switch root := r.s.standing(m.Channel, m.Thread); {
	case root == nil:
		r.violate("thread_ts names no message", m.Thread)
	case root.Thread != "":
		r.violate("thread_ts names a reply", m.Thread)
		m.Thread = root.Thread
	}
	m.Broadcast = r.yes("reply_broadcast")
	return nil
}

func postMessage(r *request) reply {
	c, bad := r.place("channel")
	if bad != nil {
		return bad
	}
	m, bad := r.content(r.s.lim.MaxText, true)
	if bad != nil {
		return bad
	}
	if m.empty() {
		return refuse("no_text")
	}
	m.Channel = c.ID
	if bad := r.thread(&m); bad != nil {
		return bad
	}
	if m.ClientID = r.str("client_msg_id"); m.ClientID != "" && !r.s.opt.Forgetful {
		for _, old := range r.s.messages[c.ID] {
			switch {
			case old.ClientID != m.ClientID:
			case old.Deleted:
				return refuse("duplicate_message_not_found")
			default: // as it stands
				return reply{"channel": c.ID, "ts": old.TS, "message": old.wire(r.s, true)}
			}
		}
	}
	posted := r.s.post(m)
	return reply{"channel": c.ID, "ts": posted.TS, "message": posted.wire(r.s, true)}
}

// post puts a message of the bot in its channel, and sends what the app
// subscribed to.
func (s *Server) post(m Message) *Message {
	m.TS, m.User = s.stamp(), s.BotUser
	m.Blocks = s.named(m.Blocks)
	s.messages[m.Channel] = append(s.messages[m.Channel], &m)
	s.clearStatus(m.Channel, m.Thread)
	s.emitMessage(&m)
	return &m
}

func updateMessage(r *request) reply {
	s := r.s
	channel, ts := r.str("channel"), r.str("ts")
	if s.channels[channel] == nil {
		return refuse("channel_not_found")
	}
	old := s.standing(channel, ts)
	switch {
	case old == nil:
		return refuse("message_not_found")
	case old.User != s.BotUser:
		return refuse("cant_update_message")
	}
	m, bad := r.content(s.lim.MaxUpdate, false)
	if bad != nil {
		return bad
	}
	if m.empty() && !r.has("blocks") && !r.has("attachments") && !r.has("file_ids") {
		return refuse("no_text")
	}
	before := *old
	old.Edits = append(old.Edits, Version{old.Text, old.Blocks, old.Attachments})
	if r.has("text") {
		old.Text = m.Text
		if old.Blocks != nil && !r.has("blocks") {
			// slackapi/python-slack-sdk#523, slack-go/slack#1214
			r.violate("text edited under blocks", "the old blocks stay: send blocks=[] to have the text shown")
		}
	}
	if r.has("blocks") {
		old.Blocks = s.named(m.Blocks)
	}
	if r.has("attachments") {
		if old.Attachments = m.Attachments; string(m.Attachments) == "[]" {
			old.Attachments = nil
		}
	}
	if r.has("metadata") {
		if old.Metadata = m.Metadata; string(m.Metadata) == "{}" {
			old.Metadata = nil
		}
	}
	s.emitChanged(&before, old)
	return reply{"channel": channel, "ts": ts, "text": old.Text, "message": old.wire(s, true)}
}

func deleteMessage(r *request) reply {
	s := r.s
	channel, ts := r.str("channel"), r.str("ts")
	if s.channels[channel] == nil {
		return refuse("channel_not_found")
	}
	m := s.standing(channel, ts)
	switch {
	case m == nil:
		return refuse("message_not_found")
	case m.User != s.BotUser:
		return refuse("cant_delete_message")
	}
	s.remove(m)
	return reply{"channel": channel, "ts": ts}
}

func (s *Server) remove(m *Message) {
	m.Deleted = true
	s.emitDeleted(m)
}

func postEphemeral(r *request) reply {
	s := r.s
	c, bad := r.place("channel")
	if bad != nil {
		return bad
	}
	user := r.str("user")
	switch {
	case s.users[user] == nil:
		return refuse("user_not_found")
	case !c.has(user):
		return refuse("user_not_in_channel")
	}
	m, bad := r.content(s.lim.MaxText, true)
	if bad != nil {
		return bad
	}
	if m.empty() {
		return refuse("no_text")
	}
	m.Channel = c.ID
	if bad := r.thread(&m); bad != nil {
		return bad
	}
	return reply{"message_ts": s.whisper(m, user).TS}
}

// whisper shows a message to one user.
func (s *Server) whisper(m Message, user string) *Message {
	m.TS, m.User, m.For = s.stamp(), s.BotUser, user
	m.Blocks = s.named(m.Blocks)
	s.ephemeral = append(s.ephemeral, &m)
	return &m
}

func permalink(r *request) reply {
	m := r.s.standing(r.str("channel"), r.str("message_ts"))
	switch {
	case r.s.channels[r.str("channel")] == nil:
		return refuse("channel_not_found")
	case m == nil:
		return refuse("message_not_found")
	}
	link := "https://precedent.slack.com/archives/" + m.Channel + "/p" + strings.ReplaceAll(m.TS, ".", "")
	if m.Thread != "" {
		link += "?thread_ts=" + m.Thread + "&cid=" + m.Channel
	}
	return reply{"channel": m.Channel, "permalink": link}
}
