package discordtest

import "cmp"

func (s *Server) threadFromMessage(q *Request) (answer, error) {
	f, err := q.checked(NewThread)
	if err != nil {
		return refuse(err)
	}
	c, err := s.allowed(q, PermitPublicThread)
	if err != nil {
		return refuse(err)
	}
	if c.Type != textChannel {
		return refuse(errChannelType)
	}
	m, err := s.shown(q, c)
	if err != nil {
		return refuse(err)
	}
	if m.Flags&flagHasThread != 0 {
		return refuse(errThreadExists)
	}
	return answer{201, s.channelWire(s.openThread(c, m, s.BotID, f))}, nil
}

func (s *Server) threadAlone(q *Request) (answer, error) {
	f, err := q.checked(NewThread)
	if err != nil {
		return refuse(err)
	}
	need := int64(PermitPublicThread)
	if kind, _ := number(f.get("type").v); kind != threadPublic {
		need = PermitPrivateThread // the default, too
	}
	c, err := s.allowed(q, need)
	if err != nil {
		return refuse(err)
	}
	if c.Type != textChannel {
		return refuse(errChannelType)
	}
	return answer{201, s.channelWire(s.openThread(c, nil, s.BotID, f))}, nil
}

func (s *Server) joinThread(q *Request) (answer, error) {
	c, err := s.allowed(q, PermitView)
	switch {
	case err != nil:
		return refuse(err)
	case !c.thread():
		return refuse(errChannelType)
	case c.Archived:
		return refuse(errArchived)
	}
	return nothing()
}

// openThread starts a thread, which has the ID of the message it is from;
// s.mu is held.
func (s *Server) openThread(parent *Channel, from *Message, owner string, f field) *Channel {
	days, _ := number(f.get("auto_archive_duration").v)
	kind, _ := number(f.get("type").v)
	t := &Channel{Guild: parent.Guild, Name: text(f.get("name").v), Parent: parent.ID, Owner: owner,
		Permissions: parent.Permissions, AutoArchive: cmp.Or(int(days), 4320), Type: cmp.Or(int(kind), threadPrivate)}
	if from != nil {
		t.ID, t.Type = from.ID, threadPublic
	} else {
		t.ID = s.newID()
	}
	s.channels[t.ID] = t
	s.threadEvent("THREAD_CREATE", t, true)
	if from != nil {
		from.Flags |= flagHasThread
		s.messageEvent("MESSAGE_UPDATE", from)
		s.post(&Message{Channel: t.ID, Author: from.Author, Type: 21, ReplyTo: from.ID})
	} else if t.Type == threadPublic {
		s.post(&Message{Channel: parent.ID, Author: owner, Type: 18, Content: t.Name})
	}
	return t
}
