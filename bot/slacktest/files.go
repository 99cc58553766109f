package slacktest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// A File is one that the bot uploaded.
type File struct {
	ID, Name, Title string
	Content         []byte // nil until uploaded
	Length          int    // that the bot announced, in bytes
	Shared          bool   // completed: in a channel or the bot's own
}

// File is one by its id.
func (s *Server) File(id string) (File, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[id]; f != nil {
		return *f, true
	}
	return File{}, false
}

func (f *File) wire() map[string]any {
	return map[string]any{"id": f.ID, "name": f.Name, "title": f.Title, "size": len(f.Content), "mode": "hosted", "is_external": false}
}

func uploadURL(r *request) reply {
	length := r.num("length", 0)
	if r.str("filename") == "" || length == 0 {
		return refuseWith("invalid_arguments", []Problem{{"missing required field: filename, length", "/"}})
	}
	f := &File{ID: r.s.id("F"), Name: r.str("filename"), Title: r.str("filename"), Length: length}
	r.s.files[f.ID] = f
	return reply{"upload_url": r.s.http.URL + "/upload/" + f.ID, "file_id": f.ID}
}

func (s *Server) serveUpload(w http.ResponseWriter, hr *http.Request) {
	fault, faulty := s.fault("upload")
	if faulty && !fault.Applied {
		if fault.wait(s, hr); !fault.late() {
			fault.answer(w)
			return
		}
	}
	var from io.Reader = hr.Body
	if strings.HasPrefix(hr.Header.Get("Content-Type"), "multipart/") {
		part, _, err := hr.FormFile("file")
		if err != nil {
			http.Error(w, "no file", http.StatusBadRequest)
			return
		}
		defer part.Close()
		from = part
	}
	content, err := io.ReadAll(from)
	if err != nil {
		return
	}
	status, words := http.StatusOK, fmt.Sprint("OK - ", len(content))
	s.change(func() {
		f := s.files[strings.TrimPrefix(hr.URL.Path, "/upload/")]
		if f == nil || f.Content != nil {
			status, words = http.StatusNotFound, "no such upload"
			s.violate("upload", "no such upload, or used", hr.URL.Path, true)
			return
		}
		if len(content) != f.Length {
			s.violate("upload", "not of the announced length", fmt.Sprintf("%d bytes, announced %d", len(content), f.Length), false)
		}
		f.Content = content
	})
	if faulty && fault.Applied {
		if fault.wait(s, hr); !fault.late() {
			fault.answer(w)
			return
		}
	}
	w.WriteHeader(status)
	io.WriteString(w, words)
}

func completeUpload(r *request) reply {
	s := r.s
	var in []struct{ ID, Title string }
	if json.Unmarshal(r.raw("files"), &in) != nil || len(in) == 0 {
		return refuseWith("invalid_arguments", []Problem{{"must provide an array", "/files"}})
	}
	var ids []string
	var out []map[string]any
	for _, one := range in {
		f := s.files[one.ID]
		switch {
		case f == nil || f.Content == nil:
			return refuse("file_not_found")
		case f.Shared:
			return refuse("file_already_completed")
		}
		if one.Title != "" {
			f.Title = one.Title
		}
		ids = append(ids, f.ID)
		out = append(out, f.wire())
	}
	channels := strings.FieldsFunc(r.str("channels"), func(c rune) bool { return c == ',' })
	if id := r.str("channel_id"); id != "" {
		channels = append(channels, id)
	}
	var shares []Message
	for _, id := range channels {
		r.args["shared"] = id
		c, bad := r.place("shared")
		delete(r.args, "shared")
		if bad != nil {
			return bad
		}
		m := Message{Channel: c.ID, Text: r.str("initial_comment"), Blocks: r.raw("blocks"), Files: ids}
		if utf8.RuneCountInString(m.Text) > s.lim.MaxText {
			return refuse("msg_too_long")
		}
		if bad := r.contentProblem(&m); bad != nil {
			return bad
		}
		if bad := r.thread(&m); bad != nil {
			return bad
		}
		shares = append(shares, m)
	}
	for _, id := range ids {
		s.files[id].Shared = true
	}
	for _, m := range shares {
		s.post(m)
	}
	return reply{"files": out}
}
