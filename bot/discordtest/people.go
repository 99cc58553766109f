package discordtest

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const maxSaid = 4000 // code points, with Nitro; 2,000 without

// place finds a channel, or ends the test.
func (s *Server) place(id string) *Channel {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[id]
	if c == nil {
		s.t.Fatalf("discordtest: there is no channel %q", id)
	}
	return c
}

// Say posts a message of a person and gives it. "<@" + s.BotID + ">" mentions
// the bot.
func (s *Server) Say(user, channel, content string) Message {
	s.t.Helper()
	return s.say(user, channel, content, "")
}

// Reply is Say in answer to a message, whose author it mentions.
func (s *Server) Reply(user string, to Message, content string) Message {
	s.t.Helper()
	return s.say(user, to.Channel, content, to.ID)
}

func (s *Server) say(user, channel, content, to string) Message {
	s.t.Helper()
	u, c := s.person(user), s.place(channel)
	if n := utf8.RuneCountInString(content); n == 0 || n > maxSaid {
		s.t.Fatalf("discordtest: the client sends from 1 to %d code points, not %d", maxSaid, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Message{Channel: c.ID, Guild: c.Guild, Author: u.ID, Content: content, ReplyTo: to}
	s.calls(m)
	if to != "" {
		m.Type = 19
		if author := s.messages[to].Author; !slices.Contains(m.Mentions, author) {
			m.Mentions = append(m.Mentions, author)
		}
	}
	s.post(m)
	return m.copied()
}

// calls sets whom a person's message mentions.
func (s *Server) calls(m *Message) {
	m.Mentions, m.MentionRoles = nil, nil
	for _, who := range called(m.Content) {
		switch {
		case strings.HasPrefix(who, "u:") && s.users[who[2:]] != nil:
			m.Mentions = append(m.Mentions, who[2:])
		case strings.HasPrefix(who, "r:"):
			m.MentionRoles = append(m.MentionRoles, who[2:])
		}
	}
}

// Edit changes a person's message.
func (s *Server) Edit(m Message, content string) Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	stored := s.messages[m.ID]
	_ = s.edit(stored, func(m *Message) error {
		m.Content = content
		s.calls(m)
		return nil
	})
	return stored.copied()
}

// Delete takes a message away, a person's or one under the bot's hands.
func (s *Server) Delete(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stored := s.messages[m.ID]; stored != nil && !stored.Deleted {
		s.remove(stored)
	}
}

// React gives a message an emoji: "👍", "👍🏽", or a server's own as name:id.
func (s *Server) React(user string, m Message, emoji string) {
	s.t.Helper()
	u := s.person(user)
	if !isEmoji(emoji) {
		s.t.Fatalf("discordtest: %q is no emoji", emoji)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.react(s.messages[m.ID], u.ID, emoji)
}

// Unreact takes it back.
func (s *Server) Unreact(user string, m Message, emoji string) {
	u := s.person(user)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unreact(s.messages[m.ID], u.ID, emoji)
}

// Thread opens a thread from a message and gives its ID.
func (s *Server) Thread(user string, from Message, name string) string {
	s.t.Helper()
	u, c := s.person(user), s.place(from.Channel)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.openThread(c, s.messages[from.ID], u.ID, field{v: map[string]any{"name": name}}).ID
}

// An Option is one that a person fills in: a string, float64 or bool.
type Option struct {
	Name  string
	Value any
}

// Run gives a slash command that the bot registered.
func (s *Server) Run(user, channel, name string, options ...Option) *Interaction {
	s.t.Helper()
	return s.run(user, channel, name, "", options)
}

// Type fills in options, the one named focused last and not to its end: the
// bot is asked to complete it.
func (s *Server) Type(user, channel, name, focused string, options ...Option) *Interaction {
	s.t.Helper()
	return s.run(user, channel, name, focused, options)
}

func (s *Server) run(user, channel, name, focused string, options []Option) *Interaction {
	s.t.Helper()
	u, c := s.person(user), s.place(channel)
	s.mu.Lock()
	defer s.mu.Unlock()
	cmd := s.visible(c, name, chatCommand)
	if cmd == nil {
		s.t.Fatalf("discordtest: the bot has no slash command %q in %s", name, c.Name)
	}
	filled := []any{}
	for _, o := range options {
		spec := s.option(cmd, o)
		one := map[string]any{"name": o.Name, "type": spec["type"], "value": o.Value}
		if o.Name == focused {
			if spec["autocomplete"] != true {
				s.t.Fatalf("discordtest: option %q of %q has no autocompletion", o.Name, name)
			}
			one["focused"] = true
		}
		filled = append(filled, one)
	}
	i := &Interaction{Type: commandInteraction, Name: name, Channel: c.ID, User: u.ID,
		input: map[string]any{"id": cmd["id"], "name": name, "type": chatCommand, "options": filled}}
	if focused != "" {
		i.Type = completeInteraction
		return s.begin(i)
	}
	for _, spec := range objects(cmd["options"]) {
		if spec["required"] == true && !slices.ContainsFunc(options, func(o Option) bool { return o.Name == spec["name"] }) {
			s.t.Fatalf("discordtest: command %q needs option %q", name, spec["name"])
		}
	}
	return s.begin(i)
}

// option finds what the bot registered for o and holds the value to it.
func (s *Server) option(cmd command, o Option) map[string]any {
	s.t.Helper()
	for _, spec := range objects(cmd["options"]) {
		if spec["name"] != o.Name {
			continue
		}
		if v, ok := o.Value.(string); ok {
			if most, _ := number(spec["max_length"]); most > 0 && utf8.RuneCountInString(v) > int(most) {
				s.t.Fatalf("discordtest: the client takes at most %v code points for option %q", most, o.Name)
			}
		}
		return spec
	}
	s.t.Fatalf("discordtest: command %q has no option %q", cmd["name"], o.Name)
	return nil
}

// RunOn gives a message command that the bot registered.
func (s *Server) RunOn(user string, m Message, name string) *Interaction {
	s.t.Helper()
	u, c := s.person(user), s.place(m.Channel)
	s.mu.Lock()
	defer s.mu.Unlock()
	cmd, target := s.visible(c, name, messageCommand), s.messages[m.ID]
	if cmd == nil {
		s.t.Fatalf("discordtest: the bot has no message command %q in %s", name, c.Name)
	}
	return s.begin(&Interaction{Type: commandInteraction, Name: name, Channel: c.ID, User: u.ID, Source: m.ID,
		input: map[string]any{"id": cmd["id"], "name": name, "type": messageCommand, "target_id": m.ID,
			"resolved": map[string]any{"messages": map[string]any{m.ID: s.wire(target, true)}}}})
}

// Click presses the button of a message that has this custom ID, label or
// emoji now. It must be there, enabled, and before that person's eyes.
func (s *Server) Click(user string, m Message, button string) *Interaction {
	s.t.Helper()
	u := s.person(user)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.seen(u, m)
	b, ok := now.Button(button)
	if !ok || b.Disabled || b.CustomID == "" {
		s.t.Fatalf("discordtest: message %s has no button %q to click, only %+v", m.ID, button, now.Buttons())
	}
	return s.begin(&Interaction{Type: componentInteraction, Channel: m.Channel, User: u.ID, Source: m.ID,
		input: map[string]any{"custom_id": b.CustomID, "component_type": buttonType, "id": 1}})
}

// seen is a message as it is now, for who can see it.
func (s *Server) seen(u *User, m Message) *Message {
	s.t.Helper()
	now := s.messages[m.ID]
	switch {
	case now == nil || now.Deleted:
		s.t.Fatalf("discordtest: message %s is gone", m.ID)
	case now.OnlyFor != "" && now.OnlyFor != u.ID:
		s.t.Fatalf("discordtest: %s can't see message %s", u.Name, m.ID)
	}
	return now
}

// Submit sends the modal that i was answered with, as the same person. values
// are by custom ID; fields not named keep what the bot put there.
func (s *Server) Submit(i *Interaction, values map[string]string) *Interaction {
	s.t.Helper()
	modal, ok := i.Modal()
	if !ok {
		s.t.Fatalf("discordtest: interaction %s opened no modal", i.ID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range values {
		if !slices.ContainsFunc(modal.Inputs, func(in Input) bool { return in.CustomID == id }) {
			s.t.Fatalf("discordtest: modal %q has no field %q", modal.Title, id)
		}
	}
	for _, in := range modal.Inputs {
		v, ok := values[in.CustomID]
		n := utf8.RuneCountInString(v)
		if ok && (n < in.Min || in.Max > 0 && n > in.Max) || !ok && in.Required && in.Value == "" || ok && in.Required && v == "" ||
			ok && in.Options != nil && v != "" && !slices.Contains(in.Options, v) {
			s.t.Fatalf("discordtest: the client does not let %q be sent in field %q", v, in.CustomID)
		}
	}
	rows := []any{}
	for _, row := range objects(i.body["components"]) {
		rows = append(rows, submitted(row, values))
	}
	return s.begin(&Interaction{Type: modalInteraction, Channel: i.Channel, User: i.User, Source: i.Source,
		input: map[string]any{"custom_id": modal.CustomID, "components": rows}})
}

// submitted is what comes back for one row of a modal.
func submitted(row map[string]any, values map[string]string) map[string]any {
	out := map[string]any{"type": row["type"], "id": 1}
	field := func(c map[string]any) map[string]any {
		id := text(c["custom_id"])
		v, ok := values[id]
		if !ok {
			v = text(c["value"])
		}
		if c["type"] == float64(selectType) {
			for _, o := range objects(c["options"]) {
				if !ok && o["default"] == true {
					v = text(o["value"])
				}
			}
			return map[string]any{"type": c["type"], "id": 2, "custom_id": id, "values": slices.DeleteFunc([]string{v}, func(v string) bool { return v == "" })}
		}
		return map[string]any{"type": c["type"], "id": 2, "custom_id": id, "value": v}
	}
	if inner := objects(row["components"]); len(inner) > 0 {
		out["components"] = []any{field(inner[0])}
	}
	if inner, ok := row["component"].(map[string]any); ok {
		out["component"] = field(inner)
	}
	return out
}
