package slack

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

const (
	bodyMost     = 1 << 20 // bytes of one delivery
	answerWithin = 2800 * time.Millisecond
)

// Handler listens over HTTP, for events, interactions and slash commands alike,
// while Run runs. It takes only what SigningSecret has signed within the last five
// minutes (docs.slack.dev/authentication/verifying-requests-from-slack), and
// answers 200 once what came is kept; to anything else Slack sends again.
func (s *Slack) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "POST only", http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMost))
		if err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		if !s.signed(r.Header, body) {
			http.Error(w, "wrong signature", http.StatusUnauthorized)
			return
		}
		kind, payload, ok := unwrap(r.Header.Get("Content-Type"), body)
		if !ok {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		var o outer
		if kind == eventsAPI && json.Unmarshal(payload, &o) == nil && o.Type == "url_verification" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			io.WriteString(w, o.Challenge)
			return
		}
		kept := make(chan error, 1)
		s.take(kind, payload, func(err error) { kept <- err })
		select {
		case err = <-kept:
		case <-time.After(answerWithin):
			err = errBusy
		case <-r.Context().Done():
			err = errBusy
		}
		if err != nil {
			http.Error(w, "send again", http.StatusServiceUnavailable)
		}
	})
}

// signed reports whether Slack made a request, and lately.
func (s *Slack) signed(h http.Header, body []byte) bool {
	v, err := slack.NewSecretsVerifier(h, s.SigningSecret)
	if err != nil {
		return false
	}
	v.Write(body)
	return v.Ensure() == nil
}

// unwrap is a request's payload as Socket Mode would carry it.
func unwrap(contentType string, body []byte) (kind string, payload []byte, ok bool) {
	if strings.HasPrefix(contentType, "application/json") {
		return eventsAPI, body, json.Valid(body)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return "", nil, false
	}
	if p := form.Get("payload"); p != "" {
		return interactive, []byte(p), true
	}
	if form.Get("command") == "" {
		return "", nil, false
	}
	payload, err = json.Marshal(command{Text: form.Get("text"), Channel: form.Get("channel_id"), User: form.Get("user_id"),
		Trigger: form.Get("trigger_id"), ResponseURL: form.Get("response_url")})
	return commands, payload, err == nil
}
