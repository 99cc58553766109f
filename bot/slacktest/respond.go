package slacktest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A response is where a response URL leads.
type response struct {
	channel, thread, user string
	original              *Message // of an interaction with a message
	uses                  int
	ends                  time.Time
}

// ExpireResponses makes every response URL given so far too old.
func (s *Server) ExpireResponses() {
	s.change(func() {
		for _, r := range s.responses {
			r.ends = time.Time{}
		}
	})
}

func (s *Server) respondTo(to response) string {
	to.ends = time.Now().Add(s.lim.Respond)
	id := s.id("R")
	s.responses[id] = &to
	return s.http.URL + "/respond/" + s.TeamID + "/" + id
}

func (s *Server) serveResponse(w http.ResponseWriter, hr *http.Request) {
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return
	}
	if f, ok := s.fault("response_url"); ok {
		if f.wait(s, hr); !f.late() {
			f.answer(w)
			return
		}
	}
	id := hr.URL.Path[strings.LastIndex(hr.URL.Path, "/")+1:]
	out := reply{}
	s.change(func() {
		to := s.responses[id]
		switch {
		case to == nil || time.Now().After(to.ends):
			out = refuse("expired_url")
		case to.uses >= s.lim.RespondUse:
			out = refuse("used_url")
		default:
			to.uses++
			out = s.respond(*to, body, "response_url")
		}
		code, _ := out["error"].(string)
		if code != "" {
			s.violate("response_url", code, fmt.Sprint(out["response_metadata"]), true)
		}
		s.calls = append(s.calls, Call{"response_url", map[string]string{"body": string(body)}, code, time.Now()})
	})
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if code, bad := out["error"].(string); bad {
		status := http.StatusBadRequest
		if code == "expired_url" || code == "used_url" {
			status = http.StatusNotFound
		}
		w.WriteHeader(status)
	} else {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "ok")
		return
	}
	out["ok"] = false
	json.NewEncoder(w).Encode(out)
}

// respond posts, replaces or deletes what a response asks for.
func (s *Server) respond(to response, body json.RawMessage, method string) reply {
	var in struct {
		Text        string          `json:"text"`
		Blocks      json.RawMessage `json:"blocks"`
		Attachments json.RawMessage `json:"attachments"`
		Type        string          `json:"response_type"`
		Thread      string          `json:"thread_ts"`
		Replace     bool            `json:"replace_original"`
		Delete      bool            `json:"delete_original"`
	}
	if json.Unmarshal(body, &in) != nil {
		return refuse("invalid_payload")
	}
	if in.Delete {
		if to.original == nil || to.original.Deleted {
			return refuse("message_not_found")
		}
		if to.original.For != "" {
			to.original.Deleted = true
		} else {
			s.remove(to.original)
		}
		return reply{}
	}
	r := &request{s: s, method: method, args: map[string]string{"text": in.Text}}
	for name, raw := range map[string]json.RawMessage{"blocks": in.Blocks, "attachments": in.Attachments} {
		if len(raw) > 0 && string(raw) != "null" && string(raw) != "{}" {
			r.args[name] = string(raw)
		}
	}
	m, bad := r.content(s.lim.MaxText, true)
	switch {
	case bad != nil:
		return bad
	case m.empty():
		return refuse("no_text")
	}
	if in.Replace && to.original != nil && !to.original.Deleted {
		o := to.original
		before := *o
		o.Edits = append(o.Edits, Version{o.Text, o.Blocks, o.Attachments})
		o.Text, o.Blocks, o.Attachments = m.Text, s.named(m.Blocks), m.Attachments
		if o.For == "" {
			s.emitChanged(&before, o)
		}
		return reply{}
	}
	m.Channel, m.Thread = to.channel, in.Thread
	if m.Thread == "" {
		m.Thread = to.thread
	}
	if in.Type == "in_channel" {
		s.post(m)
	} else {
		s.whisper(m, to.user)
	}
	return reply{}
}
