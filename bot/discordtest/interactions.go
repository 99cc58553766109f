package discordtest

import (
	"slices"
	"time"
)

// Interaction types.
const (
	commandInteraction   = 2
	componentInteraction = 3
	completeInteraction  = 4
	modalInteraction     = 5
)

// An Interaction is what a person did that the bot must answer: within the
// deadline by a callback, and until the token's end by messages. Its exported
// fields don't change.
type Interaction struct {
	ID, Token      string
	Type           int // 2 command, 3 component, 4 autocomplete, 5 modal
	Name           string
	Channel, Guild string
	User           string
	Source         string // the message with the component, or of the message command
	At             time.Time

	s        *Server
	input    map[string]any // what INTERACTION_CREATE carries
	answered time.Time
	kind     int // of the callback
	body     map[string]any
	original string // the message that @original names
	dead     bool   // its token
	deferred bool   // the original is still loading
	follows  []string
}

// A Choice is a suggestion to who types an option.
type Choice struct {
	Name  string
	Value any
}

// A Modal is a form that the bot opened.
type Modal struct {
	CustomID, Title string
	Inputs          []Input
}

// An Input is a field of a modal, for text or to pick from.
type Input struct {
	CustomID, Label, Value, Placeholder string
	Required                            bool
	Min, Max                            int      // code points; 0 is no limit
	Options                             []string // values to pick one of; nil for text
}

// begin makes an interaction and tells the bot; s.mu is held.
func (s *Server) begin(i *Interaction) *Interaction {
	i.ID, i.At, i.s = s.newID(), time.Now(), s
	i.Token = "token-" + i.ID
	if c := s.channels[i.Channel]; c != nil {
		i.Guild = c.Guild
	}
	s.interactions[i.ID], s.tokens[i.Token] = i, i
	s.emit(event{name: "INTERACTION_CREATE", make: fixed(s.interactionWire(i))})
	return i
}

func (s *Server) interactionWire(i *Interaction) map[string]any {
	c := s.channels[i.Channel]
	out := map[string]any{"id": i.ID, "application_id": s.AppID, "type": i.Type, "token": i.Token, "version": 1, "data": i.input,
		"channel_id": i.Channel, "channel": s.channelWire(c), "locale": s.users[i.User].Locale, "entitlements": []any{},
		"app_permissions": itoa(c.Permissions), "attachment_size_limit": s.set.AttachmentLimit,
		"authorizing_integration_owners": map[string]any{"0": "0"}, "context": 1}
	if i.Guild != "" {
		member := s.memberWire(i.Guild, i.User, true)
		member["permissions"] = itoa(s.set.Permissions)
		out["guild_id"], out["guild_locale"], out["member"], out["context"] = i.Guild, "en-US", member, 0
		out["guild"] = map[string]any{"id": i.Guild, "locale": "en-US", "features": []any{}}
		out["authorizing_integration_owners"] = map[string]any{"0": i.Guild}
	} else {
		out["user"] = s.userWire(i.User)
	}
	if m := s.messages[i.Source]; m != nil && i.Type != commandInteraction {
		out["message"] = s.wire(m, true)
	}
	return out
}

// Redeliver sends the interaction once more, with the same ID and token.
func (i *Interaction) Redeliver() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.s.emit(event{name: "INTERACTION_CREATE", make: fixed(i.s.interactionWire(i))})
}

// Expire ends the token before its time.
func (i *Interaction) Expire() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.dead = true
}

// Answered is the type of the callback and how long it took by the server's
// clock; 0 while there is none.
func (i *Interaction) Answered() (kind int, took time.Duration) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if i.answered.IsZero() {
		return 0, 0
	}
	return i.kind, i.answered.Sub(i.At)
}

// Interactions gives all so far, oldest first.
func (s *Server) Interactions() []*Interaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Interaction
	for _, id := range sorted(s.interactions) {
		out = append(out, s.interactions[id])
	}
	return out
}

// Await waits for the callback and gives its type.
func (i *Interaction) Await() int {
	i.s.t.Helper()
	i.s.Await("the callback of interaction "+i.ID, func() bool { kind, _ := i.Answered(); return kind != 0 })
	kind, _ := i.Answered()
	return kind
}

// Response is the message that answers the interaction, loading as it may be.
func (i *Interaction) Response() (Message, bool) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if m := i.s.messages[i.original]; m != nil && !m.Deleted {
		return m.copied(), true
	}
	return Message{}, false
}

// AwaitResponse waits until the message that answers is there and not loading.
func (i *Interaction) AwaitResponse() Message {
	i.s.t.Helper()
	var m Message
	i.s.Await("the response to interaction "+i.ID, func() (ok bool) {
		m, ok = i.Response()
		return ok && !m.Loading()
	})
	return m
}

// Followups are the further messages, oldest first.
func (i *Interaction) Followups() []Message {
	return i.s.filtered(func(m *Message) bool { return slices.Contains(i.follows, m.ID) })
}

// Choices are what the callback of an autocompletion suggests.
func (i *Interaction) Choices() []Choice {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	var out []Choice
	if i.kind == callbackChoices {
		for _, c := range objects(i.body["choices"]) {
			out = append(out, Choice{text(c["name"]), c["value"]})
		}
	}
	return out
}

// Modal is the form that the callback opened.
func (i *Interaction) Modal() (Modal, bool) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if i.kind != callbackModal {
		return Modal{}, false
	}
	m := Modal{CustomID: text(i.body["custom_id"]), Title: text(i.body["title"])}
	for _, row := range objects(i.body["components"]) {
		for _, c := range components([]map[string]any{row}) {
			if c["type"] != float64(inputType) && c["type"] != float64(selectType) {
				continue
			}
			in := Input{CustomID: text(c["custom_id"]), Label: text(c["label"]), Value: text(c["value"]), Placeholder: text(c["placeholder"])}
			if in.Label == "" {
				in.Label = text(row["label"])
			}
			required, set := c["required"].(bool)
			in.Required = required || !set
			least, _ := number(c["min_length"])
			most, _ := number(c["max_length"])
			in.Min, in.Max = int(least), int(most)
			for _, o := range objects(c["options"]) {
				in.Options = append(in.Options, text(o["value"]))
				if o["default"] == true {
					in.Value = text(o["value"])
				}
			}
			m.Inputs = append(m.Inputs, in)
		}
	}
	return m, true
}

// callback takes the one answer that an interaction has at once.
func (s *Server) callback(q *Request) (answer, error) {
	i := s.tokens[q.value("token")]
	switch {
	case i == nil || i.ID != q.value("interaction"):
		return refuse(errUnknownInteraction)
	case !i.answered.IsZero():
		return refuse(errAcknowledged)
	case time.Since(i.At) > s.set.Deadline || i.dead:
		return refuse(errUnknownInteraction)
	}
	f, err := q.checked(Callback)
	if err != nil {
		return refuse(err)
	}
	kind, _ := number(f.get("type").v)
	if err := i.fits(int(kind)); err != nil {
		return refuse(err)
	}
	inner := f.get("data")
	d := draft{inner, q.Files, q.version, s.set.AttachmentLimit}
	if err := s.answer(i, int(kind), d); err != nil {
		return refuse(err)
	}
	i.answered, i.kind = time.Now(), int(kind)
	i.body, _ = inner.v.(map[string]any)
	if q.http.URL.Query().Get("with_response") != "true" {
		return nothing()
	}
	out := map[string]any{"interaction": map[string]any{"id": i.ID, "type": i.Type, "response_message_id": i.original}}
	if m := s.messages[i.original]; m != nil {
		out["resource"] = map[string]any{"type": i.kind, "message": s.wire(m, true)}
	}
	return ok(out)
}

// fits says which callbacks an interaction takes.
func (i *Interaction) fits(kind int) error {
	fits := []int{callbackMessage, callbackDeferred, callbackModal}
	switch i.Type {
	case completeInteraction:
		fits = []int{callbackChoices}
	case componentInteraction:
		fits = append(fits, callbackDeferredUpdate, callbackUpdate)
	case modalInteraction:
		fits = []int{callbackMessage, callbackDeferred}
		if i.Source != "" {
			fits = append(fits, callbackDeferredUpdate, callbackUpdate)
		}
	}
	var bad problems
	if !slices.Contains(fits, kind) {
		bad.add("type", "INTERACTION_CALLBACK_TYPE_INVALID", "Interaction callback type %d is not valid for interaction type %d", kind, i.Type)
	}
	return bad.refusal()
}

// answer does what a callback asks; s.mu is held.
func (s *Server) answer(i *Interaction, kind int, d draft) error {
	switch kind {
	case callbackMessage, callbackDeferred:
		m := s.responseTo(i, d.flags())
		if kind == callbackDeferred {
			m.Flags |= flagLoading
			s.post(m)
		} else {
			if err := s.apply(m, d); err != nil {
				return err
			}
			s.mentioned(m, d, false)
			s.post(m)
			s.pinged(m, false)
		}
		i.original, i.deferred = m.ID, kind == callbackDeferred
	case callbackUpdate, callbackDeferredUpdate:
		m := s.messages[i.Source]
		i.original = i.Source
		if m == nil || m.Deleted {
			return errUnknownMessage
		}
		if kind == callbackUpdate {
			err := s.edit(m, func(m *Message) error {
				if err := s.apply(m, d); err != nil {
					return err
				}
				s.mentioned(m, d, true)
				return nil
			})
			if err != nil {
				return err
			}
			s.pinged(m, true)
		}
	}
	return nil
}

// responseTo is a message of the bot that answers i, not yet posted.
func (s *Server) responseTo(i *Interaction, flags int) *Message {
	m := &Message{Channel: i.Channel, Guild: i.Guild, Author: s.BotID, Interaction: i.ID, Flags: flags & flagEphemeral}
	switch {
	case i.Type == commandInteraction && i.Source != "":
		m.Type = 23
	case i.Type == commandInteraction:
		m.Type = 20
	}
	if m.Ephemeral() {
		m.OnlyFor = i.User
	}
	return m
}
