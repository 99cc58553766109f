package slack

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"time"

	"precedent/bot"
)

// A said is one thing that was heard, and what it lets the bot do.
type said struct {
	bot.Heard
	trigger string // opens a form, for three seconds
}

// heard is what an event of the Events API says, if it says anything to the bot.
func (s *Slack) heard(me self, event json.RawMessage) (said, bool) {
	var head struct{ Type string }
	if json.Unmarshal(event, &head) != nil {
		return said{}, false
	}
	switch head.Type {
	case "app_mention", "message":
		var m message
		if json.Unmarshal(event, &m) != nil {
			return said{}, false
		}
		return s.message(me, m)
	case "reaction_added", "reaction_removed":
		var r reaction
		if json.Unmarshal(event, &r) != nil {
			return said{}, false
		}
		return s.reacted(me, r)
	case "app_home_opened":
		var v visit
		if json.Unmarshal(event, &v) != nil || v.Tab != "" && v.Tab != "home" {
			return said{}, false
		}
		return said{Heard: bot.Heard{ID: network + ":h/" + v.User + "/" + orNow(v.EventTS), Kind: bot.Visited, User: v.User, Private: true,
			Place: bot.Place{Chat: network, Team: me.team, User: v.User, Home: true}, At: when(v.EventTS)}}, true
	}
	return said{}, false
}

// message is what a message, or what became of one, says to the bot.
func (s *Slack) message(me self, m message) (said, bool) {
	switch m.Subtype {
	case "", "thread_broadcast", "file_share":
		if !s.concerns(me, m) {
			return said{}, false
		}
		return said{Heard: question(me, m)}, true
	case "message_changed":
		if m.Message == nil {
			return said{}, false
		}
		now, before := *m.Message, message{}
		if m.Previous != nil {
			before = *m.Previous
		}
		now.Channel, before.Channel, now.Kind, before.Kind = m.Channel, m.Channel, m.Kind, m.Kind
		if now.Subtype == "tombstone" {
			return s.withdrawn(me, before, m)
		}
		if now.Text == before.Text || !s.concerns(me, now) && !s.concerns(me, before) {
			return said{}, false
		}
		h := question(me, now)
		h.Kind = bot.Amended
		edit := m.EventTS
		if now.Edited != nil {
			edit = now.Edited.TS
		}
		h.ID += "@" + orNow(edit)
		h.At = when(edit)
		return said{Heard: h}, true
	case "message_deleted":
		if m.Previous == nil {
			return gone(me, m), m.DeletedTS != ""
		}
		before := *m.Previous
		before.Channel, before.Kind = m.Channel, m.Kind
		return s.withdrawn(me, before, m)
	}
	return said{}, false
}

// gone is that a message was deleted of which nothing but its ts is told.
func gone(me self, m message) said {
	h := bot.Heard{ID: network + ":" + m.Channel + "/" + m.DeletedTS + "@gone", Kind: bot.Withdrawn, User: m.User, Place: me.place(m.Channel), At: when(m.EventTS)}
	h.Place.Message = m.DeletedTS
	return said{Heard: h}
}

// closed reports what a message itself tells of its channel.
func closed(m message) bool {
	return m.Kind == "group" || m.Kind == "mpim" || strings.HasPrefix(m.Channel, "G")
}

func (s *Slack) withdrawn(me self, before, m message) (said, bool) {
	if !s.concerns(me, before) {
		return said{}, false
	}
	h := question(me, before)
	h.ID += "@gone"
	h.Kind, h.Text, h.At = bot.Withdrawn, "", when(m.EventTS)
	return said{Heard: h}, true
}

// concerns reports whether a message is a person's and meant for the bot: said to
// it alone, calling it, or in a thread in which it has answered, calling nobody else.
func (s *Slack) concerns(me self, m message) bool {
	switch {
	case m.BotID != "", m.User == "", m.User == me.user, m.User == "USLACKBOT", m.TS == "":
		return false
	case m.direct(), calls(m.Text, me.user):
		return true
	}
	return inThread(m) && !callsAnyone(m.Text) && s.threads.has(m.Channel, m.Thread)
}

func inThread(m message) bool { return m.Thread != "" && m.Thread != m.TS }

// question is a message as a question. It is answered in its thread; one outside
// of threads begins one, but in direct conversations.
func question(me self, m message) bot.Heard {
	h := bot.Heard{ID: network + ":" + m.Channel + "/" + m.TS, Kind: bot.Asked, User: m.User, Text: readable(m.Text, me.user),
		Place: me.place(m.Channel), Private: m.direct(), Closed: closed(m), MidThread: inThread(m), At: when(m.TS)}
	h.Place.Message, h.Place.Thread = m.TS, m.Thread
	if m.direct() && !inThread(m) {
		h.Place.Thread = ""
	} else if m.Thread == "" {
		h.Place.Thread = m.TS
	}
	h.Conversation = conversation(h.Place)
	return h
}

// conversation is who hear each other: a thread, or all of a direct conversation
// outside of threads.
func conversation(p bot.Place) string {
	if p.Thread == "" {
		return network + ":" + p.Channel
	}
	return network + ":" + p.Channel + "/" + p.Thread
}

// asked is a slash command as a question, answered to its author alone.
func (s *Slack) asked(me self, c command) (said, bool) {
	if c.User == "" || c.Channel == "" {
		return said{}, false
	}
	p := me.place(c.Channel)
	p.User, p.Token = c.User, c.ResponseURL
	return said{trigger: c.Trigger, Heard: bot.Heard{ID: network + ":c/" + commandID(c), Kind: bot.Asked, Place: p, User: c.User, Private: true,
		Text: readable(c.Text, me.user), Conversation: network + ":" + c.Channel + "/" + c.User, At: time.Now().UTC()}}, true
}

// vote is up or down for an emoji's name, in any tone of skin; "" for any other.
func vote(emoji string) string {
	name, _, _ := strings.Cut(emoji, "::")
	switch name {
	case "+1", "thumbsup":
		return "up"
	case "-1", "thumbsdown":
		return "down"
	}
	return ""
}

// reacted is a reaction to a message of the bot.
func (s *Slack) reacted(me self, r reaction) (said, bool) {
	up := vote(r.Reaction)
	if up == "" || r.User == "" || r.User == me.user || r.ItemUser != "" && r.ItemUser != me.user || r.Item.Type != "" && r.Item.Type != "message" {
		return said{}, false
	}
	removed := r.Type == "reaction_removed"
	p := me.place(r.Item.Channel)
	p.Message = r.Item.TS
	id := orNow(r.EventTS)
	return said{Heard: bot.Heard{ID: strings.Join([]string{network + ":r", r.Item.Channel, r.Item.TS, r.User, id}, "/"), Kind: bot.Reacted, Place: p,
		User: r.User, Private: direct(r.Item.Channel), Text: up, Removed: removed, At: when(r.EventTS)}}, true
}

// orNow is what sets one thing that was done apart from others like it, or where
// Slack doesn't tell, the time.
func orNow(id string) string { return cmp.Or(id, time.Now().Format(time.RFC3339Nano)) }

// commandID tells one use of a command from another, by what all of them share.
func commandID(c command) string {
	sum := fnv.New64a()
	io.WriteString(sum, strings.Join([]string{c.Channel, c.User, c.ResponseURL, c.Text}, "\n"))
	return orNow(c.Trigger) + "/" + strconv.FormatUint(sum.Sum64(), 36)
}
