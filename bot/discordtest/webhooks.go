package discordtest

import (
	"slices"
	"time"
)

// responding finds the interaction of a webhook request. Its webhook exists
// once there was a callback, and its token works until TokenLife is over.
func (s *Server) responding(q *Request) (*Interaction, error) {
	i := s.tokens[q.value("token")]
	switch {
	case q.value("application") != s.AppID:
		return nil, errUnknownWebhook
	case i == nil, i.dead, time.Since(i.At) > s.set.TokenLife:
		return nil, errWebhookToken
	case i.answered.IsZero():
		return nil, errUnknownWebhook
	}
	return i, nil
}

// responded finds one of the messages of an interaction.
func (s *Server) responded(q *Request) (*Interaction, *Message, error) {
	i, err := s.responding(q)
	if err != nil {
		return nil, nil, err
	}
	id := q.value("message")
	if id == "@original" {
		id = i.original
	}
	m := s.messages[id]
	if m == nil || m.Deleted || m.ID != i.original && !slices.Contains(i.follows, m.ID) {
		return nil, nil, errUnknownMessage
	}
	return i, m, nil
}

func (s *Server) getResponse(q *Request) (answer, error) {
	_, m, err := s.responded(q)
	if err != nil {
		return refuse(err)
	}
	return ok(s.wire(m, true))
}

func (s *Server) editResponse(q *Request) (answer, error) {
	i, m, err := s.responded(q)
	if err != nil {
		return refuse(err)
	}
	f, err := q.checkedEdit(m)
	if err != nil {
		return refuse(err)
	}
	if err := s.rewrite(i, m, draft{f, q.Files, q.version, s.set.AttachmentLimit}); err != nil {
		return refuse(err)
	}
	return ok(s.wire(m, true))
}

// rewrite edits a response. The first edit of one that was loading is its
// first showing, so its mentions notify.
func (s *Server) rewrite(i *Interaction, m *Message, d draft) error {
	first := m.Loading()
	err := s.edit(m, func(m *Message) error {
		if err := s.apply(m, d); err != nil {
			return err
		}
		m.Flags &^= flagLoading
		s.mentioned(m, d, !first)
		return nil
	})
	if err != nil {
		return err
	}
	if m.ID == i.original {
		i.deferred = false
	}
	s.pinged(m, !first)
	return nil
}

// followUp posts a further message. Where the response is still loading it
// takes its place instead, as it did before the response could be edited.
func (s *Server) followUp(q *Request) (answer, error) {
	f, err := q.checked(NewMessage)
	if err != nil {
		return refuse(err)
	}
	i, err := s.responding(q)
	if err != nil {
		return refuse(err)
	}
	d := draft{f, q.Files, q.version, s.set.AttachmentLimit}
	if m := s.messages[i.original]; i.deferred && m != nil && !m.Deleted {
		if err := s.rewrite(i, m, d); err != nil {
			return refuse(err)
		}
		return ok(s.wire(m, true))
	}
	m := s.responseTo(i, d.flags())
	m.Type, m.ReplyTo = 0, ""
	if err := s.apply(m, d); err != nil {
		return refuse(err)
	}
	s.mentioned(m, d, false)
	s.post(m)
	s.pinged(m, false)
	i.follows = append(i.follows, m.ID)
	return ok(s.wire(m, true))
}

func (s *Server) deleteResponse(q *Request) (answer, error) {
	_, m, err := s.responded(q)
	if err != nil {
		return refuse(err)
	}
	s.remove(m)
	return nothing()
}
