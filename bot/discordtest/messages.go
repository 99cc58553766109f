package discordtest

import (
	"slices"
	"strings"
	"time"
)

// A draft is what becomes a message: a checked body and its files.
type draft struct {
	field
	files   []File
	version int
	limit   int // bytes of one file
}

func (d draft) has(key string) bool {
	m, _ := d.v.(map[string]any)
	_, ok := m[key]
	return ok
}

func (d draft) flags() int {
	n, _ := number(d.get("flags").v)
	return int(n)
}

// attached gives the files to keep and to add. Since v10 the list of
// attachments names every file of the message; before, only those to keep.
func (d draft) attached(s *Server, old []File) ([]File, error) {
	var bad problems
	for _, f := range d.files {
		if len(f.Bytes) > d.limit {
			return nil, errTooLarge
		}
	}
	list, named := d.get("attachments").v.([]any)
	byID := map[string]map[string]any{}
	for _, a := range objects(list) {
		byID[text(a["id"])] = a
	}
	var out []File
	for _, f := range old {
		if _, kept := byID[f.ID]; kept || !d.has("attachments") {
			out = append(out, f)
		}
		delete(byID, f.ID)
	}
	for i, f := range d.files {
		if f.ID == "" {
			f.ID = itoa(i)
		}
		a, listed := byID[f.ID]
		delete(byID, f.ID)
		if named && !listed && d.version >= 10 && len(list) > 0 {
			continue
		}
		if name, _ := a["filename"].(string); name != "" {
			f.Name = name
		}
		f.ID = s.newID()
		out = append(out, f)
	}
	for id := range byID {
		bad.add("attachments", "ATTACHMENT_NOT_FOUND", "Attachment data for ID %s not found", id)
	}
	if len(out) > maxAttachments {
		bad.add("attachments", "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxAttachments)
	}
	return out, bad.refusal()
}

func text(v any) string {
	if n, ok := v.(float64); ok {
		return itoa(int64(n))
	}
	s, _ := v.(string)
	return s
}

// apply writes the draft over m, which stays as it was on an error; s.mu is
// held.
func (s *Server) apply(m *Message, d draft) error {
	files, err := d.attached(s, m.Files)
	if err != nil {
		return err
	}
	next := *m
	next.Files = files
	if d.has("content") {
		next.Content = strings.TrimSpace(text(d.get("content").v))
	}
	if d.has("embeds") {
		next.Embeds = objects(d.get("embeds").v)
	}
	if d.has("components") {
		next.Components = objects(d.get("components").v)
	}
	const settable = flagSuppressEmbeds | flagSilent | flagLayout
	if d.has("flags") {
		next.Flags = m.Flags&^settable | d.flags()&settable | m.Flags&flagLayout // the new layout can't be taken back
	}
	if next.Content == "" && len(next.Embeds) == 0 && len(next.Components) == 0 && len(next.Files) == 0 {
		return errEmptyMessage
	}
	*m = next
	return nil
}

// post puts a new message into its channel; s.mu is held.
func (s *Server) post(m *Message) {
	m.ID, m.At = s.newID(), time.Now()
	if c := s.channels[m.Channel]; c != nil {
		m.Guild, c.Archived = c.Guild, false
	}
	s.messages[m.ID] = m
	if !m.Ephemeral() {
		s.order[m.Channel] = append(s.order[m.Channel], m.ID)
		s.messageEvent("MESSAGE_CREATE", m)
	}
	s.wake()
}

// edit keeps what m was, changes it, and tells of it; s.mu is held.
func (s *Server) edit(m *Message, change func(*Message) error) error {
	was := Version{m.Content, m.Embeds, m.Components, m.Files, m.Flags, time.Now()}
	if err := change(m); err != nil {
		return err
	}
	m.History = append(slices.Clone(m.History), was)
	m.EditedAt = time.Now()
	if !m.Ephemeral() {
		s.messageEvent("MESSAGE_UPDATE", m)
	}
	s.wake()
	return nil
}

func (s *Server) remove(m *Message) {
	m.Deleted = true
	s.order[m.Channel] = slices.DeleteFunc(s.order[m.Channel], func(id string) bool { return id == m.ID })
	if !m.Ephemeral() {
		s.messageGone(m)
	}
	s.wake()
}

// shown finds the message of a request among those that REST shows.
func (s *Server) shown(q *Request, c *Channel) (*Message, error) {
	m := s.messages[q.value("message")]
	if m == nil || m.Deleted || m.Ephemeral() || m.Channel != c.ID {
		return nil, errUnknownMessage
	}
	return m, nil
}

// restWire hides what the application may not read: over REST that hangs on
// the portal's switch, not on the identify.
func (s *Server) restWire(m *Message) map[string]any {
	return s.wire(m, s.set.Privileged&IntentContent != 0 || s.addressed(m))
}

func (s *Server) createMessage(q *Request) (answer, error) {
	f, err := q.checked(NewMessage)
	if err != nil {
		return refuse(err)
	}
	c, err := s.allowed(q, s.sending(q))
	if err != nil {
		return refuse(err)
	}
	if u := s.users[c.With]; u != nil && u.Closed {
		return refuse(errCannotSend)
	}
	need := int64(0)
	if list, _ := f.get("embeds").v.([]any); len(list) > 0 {
		need |= PermitEmbeds
	}
	if len(q.Files) > 0 {
		need |= PermitFiles
	}
	if c.Permissions&need != need {
		return refuse(errMissingPermissions)
	}
	nonce := f.get("nonce").v
	if f.get("enforce_nonce").boolean() && nonce != nil {
		for _, id := range s.order[c.ID] {
			if m := s.messages[id]; m.Author == s.BotID && m.Nonce == nonce {
				return ok(s.restWire(m))
			}
		}
	}
	m := &Message{Channel: c.ID, Guild: c.Guild, Author: s.BotID, Nonce: nonce}
	if ref := f.get("message_reference"); !ref.absent() {
		to := s.messages[text(ref.get("message_id").v)]
		switch must, set := ref.get("fail_if_not_exists").v.(bool); {
		case to != nil && !to.Deleted && to.Channel == c.ID && !to.Ephemeral():
			m.ReplyTo, m.Type = to.ID, 19
		case must || !set:
			var bad problems
			bad.add("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
			return refuse(bad.refusal())
		}
		if c.Permissions&PermitHistory == 0 {
			return refuse(&Error{Status: 400, Code: 160002, Message: "Cannot reply without permission to read message history"})
		}
	}
	d := draft{f, q.Files, q.version, s.set.AttachmentLimit}
	if err := s.apply(m, d); err != nil {
		return refuse(err)
	}
	s.mentioned(m, d, false)
	s.post(m)
	s.pinged(m, false)
	return ok(s.restWire(m))
}

func (s *Server) getMessage(q *Request) (answer, error) {
	c, err := s.allowed(q, PermitHistory)
	if err != nil {
		return refuse(err)
	}
	m, err := s.shown(q, c)
	if err != nil {
		return refuse(err)
	}
	return ok(s.restWire(m))
}

func (s *Server) editMessage(q *Request) (answer, error) {
	c, err := s.allowed(q, 0)
	if err != nil {
		return refuse(err)
	}
	m, err := s.shown(q, c)
	if err != nil {
		return refuse(err)
	}
	f, err := q.checkedEdit(m)
	if err != nil {
		return refuse(err)
	}
	if m.Author != s.BotID {
		return refuse(errNotYours)
	}
	if c.Archived {
		return refuse(errArchived)
	}
	d := draft{f, q.Files, q.version, s.set.AttachmentLimit}
	err = s.edit(m, func(m *Message) error {
		if err := s.apply(m, d); err != nil {
			return err
		}
		s.mentioned(m, d, true)
		return nil
	})
	if err != nil {
		return refuse(err)
	}
	s.pinged(m, true)
	return ok(s.restWire(m))
}

func (s *Server) deleteMessage(q *Request) (answer, error) {
	c, err := s.allowed(q, 0)
	if err != nil {
		return refuse(err)
	}
	m, err := s.shown(q, c)
	if err != nil {
		return refuse(err)
	}
	if m.Author != s.BotID && c.Permissions&PermitManage == 0 {
		return refuse(errMissingPermissions)
	}
	s.remove(m)
	return nothing()
}

// listMessages gives at most limit messages, newest first: of those after an
// ID the oldest, of all others the newest.
func (s *Server) listMessages(q *Request) (answer, error) {
	limit, err := q.number("limit", 1, 100, 50)
	if err != nil {
		return refuse(err)
	}
	var bad problems
	query := q.http.URL.Query()
	for _, key := range []string{"before", "after", "around"} {
		if v := query.Get(key); v != "" {
			field{key, v, &bad}.snowflake()
		}
	}
	if err := bad.refusal(); err != nil {
		return refuse(err)
	}
	c, err := s.allowed(q, 0)
	if err != nil {
		return refuse(err)
	}
	ids := s.order[c.ID]
	if c.Permissions&PermitHistory == 0 {
		ids = nil
	}
	at := func(id string) int {
		i, _ := slices.BinarySearchFunc(ids, id, compareIDs)
		return i
	}
	switch before, after, around := query.Get("before"), query.Get("after"), query.Get("around"); {
	case around != "":
		i := at(around)
		ids = ids[max(0, i-limit/2):min(len(ids), i+(limit+1)/2)]
	case before != "":
		ids = ids[:at(before)]
		ids = ids[max(0, len(ids)-limit):]
	case after != "":
		i := at(after)
		if i < len(ids) && ids[i] == after {
			i++
		}
		ids = ids[i:min(len(ids), i+limit)]
	default:
		ids = ids[max(0, len(ids)-limit):]
	}
	out := []any{}
	for _, id := range slices.Backward(ids) {
		out = append(out, s.restWire(s.messages[id]))
	}
	return ok(out)
}
