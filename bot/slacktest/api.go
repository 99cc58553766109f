package slacktest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Call is one Web API request that the bot made.
type Call struct {
	Method string
	Args   map[string]string // a JSON body's members are JSON, its strings bare
	Error  string            // Slack's error code; "" for ok
	At     time.Time
}

// Calls are the requests of one method, oldest first; of all with "".
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			out = append(out, c)
		}
	}
	return out
}

// reply is the members of an answer; without "error" it is ok.
type reply map[string]any

func refuse(code string) reply { return reply{"error": code} }

// refuseWith is an answer whose reasons Slack lists.
func refuseWith(code string, problems []Problem) reply {
	var errors, messages []string
	for _, p := range problems {
		errors = append(errors, p.String())
		messages = append(messages, "[ERROR] "+p.String())
	}
	r := reply{"error": code, "response_metadata": map[string]any{"messages": messages}}
	if code == "invalid_blocks" {
		r["errors"] = errors
	}
	return r
}

// request is one call's arguments.
type request struct {
	s      *Server
	method string
	args   map[string]string
	token  string
}

func (r *request) str(name string) string { return r.args[name] }

func (r *request) has(name string) bool { _, ok := r.args[name]; return ok }

func (r *request) yes(name string) bool { return r.args[name] == "1" || r.args[name] == "true" }

// flag is what a boolean argument says; nil without it.
func (r *request) flag(name string) *bool {
	if !r.has(name) {
		return nil
	}
	v := r.yes(name)
	return &v
}

func (r *request) num(name string, otherwise int) int {
	if n, err := strconv.Atoi(r.args[name]); err == nil && n > 0 {
		return n
	}
	return otherwise
}

func (r *request) raw(name string) json.RawMessage {
	if r.args[name] == "" {
		return nil
	}
	return json.RawMessage(r.args[name])
}

// violate records what the request did wrong although Slack takes it.
func (r *request) violate(what, detail string) { r.s.violate(r.method, what, detail, false) }

func (s *Server) serveAPI(w http.ResponseWriter, hr *http.Request) {
	r, err := s.parse(hr)
	if err != nil {
		answer(w, refuse("invalid_form_data"))
		return
	}
	fault, faulty := s.fault(r.method)
	if faulty && !fault.Applied {
		fault.wait(s, hr)
		if !fault.late() {
			s.note(r, fault.name())
			fault.answer(w)
			return
		}
	}
	var out reply
	s.change(func() { out = s.run(r, w.Header()) })
	if faulty && fault.Applied {
		fault.wait(s, hr)
		if !fault.late() {
			fault.answer(w)
			return
		}
	}
	answer(w, out)
}

// run does what r asks for and records how that went.
func (s *Server) run(r *request, h http.Header) reply {
	out := s.authorised(r, h)
	code, _ := out["error"].(string)
	s.calls = append(s.calls, Call{r.method, r.args, code, time.Now()})
	if code != "" {
		detail := r.str("channel")
		if m, ok := out["response_metadata"].(map[string]any); ok {
			detail = fmt.Sprint(m["messages"])
		}
		s.violate(r.method, code, detail, true)
	}
	return out
}

func (s *Server) authorised(r *request, h http.Header) reply {
	m, ok := s.methods[r.method]
	if !ok {
		return reply{"error": "unknown_method", "req_method": r.method}
	}
	botToken, appToken := cmp.Or(s.renamed[0], s.BotToken), cmp.Or(s.renamed[1], s.AppToken)
	switch {
	case r.token == "":
		return refuse("not_authed")
	case s.revoked != "":
		return refuse(s.revoked)
	case r.token != appToken && r.token != botToken:
		return refuse("invalid_auth")
	case m.app != (r.token == appToken):
		return refuse("not_allowed_token_type")
	}
	for name := range r.args {
		if !slices.Contains(strings.Fields(m.args), name) {
			r.violate("unknown argument", name)
		}
	}
	if m.app {
		h.Set("X-OAuth-Scopes", "connections:write")
		return m.run(r)
	}
	granted := strings.Join(s.opt.Scopes, ",")
	h.Set("X-OAuth-Scopes", granted)
	if m.scopes != nil {
		needed := m.scopes(r)
		h.Set("X-Accepted-OAuth-Scopes", strings.Join(needed, ","))
		if len(needed) > 0 && !slices.ContainsFunc(needed, s.granted) {
			return reply{"error": "missing_scope", "needed": strings.Join(needed, ","), "provided": granted}
		}
	}
	if wait := s.limited(r); wait > 0 {
		h.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		return refuse("ratelimited")
	}
	return m.run(r)
}

func (s *Server) granted(scope string) bool { return slices.Contains(s.opt.Scopes, scope) }

func (s *Server) note(r *request, code string) {
	s.change(func() { s.calls = append(s.calls, Call{r.method, r.args, code, time.Now()}) })
}

func (s *Server) parse(hr *http.Request) (*request, error) {
	r := &request{s: s, method: strings.TrimPrefix(hr.URL.Path, "/api/"), args: map[string]string{}}
	r.token = strings.TrimPrefix(hr.Header.Get("Authorization"), "Bearer ")
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(hr.Header.Get("Content-Type"), "application/json") {
		var in map[string]json.RawMessage
		if len(body) > 0 {
			if err := json.Unmarshal(body, &in); err != nil {
				return nil, err
			}
		}
		for k, v := range in {
			var text string
			if json.Unmarshal(v, &text) != nil {
				text = string(v)
			}
			r.args[k] = text
		}
		return r, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(form, hr.URL.Query())
	for k, v := range form {
		if k == "token" {
			if r.token == "" {
				r.token = v[0]
			}
			continue
		}
		r.args[k] = v[0]
	}
	return r, nil
}

func answer(w http.ResponseWriter, out reply) {
	out["ok"] = out["error"] == nil
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if out["error"] == "ratelimited" {
		w.WriteHeader(http.StatusTooManyRequests)
	}
	json.NewEncoder(w).Encode(out)
}
