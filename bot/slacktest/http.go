package slacktest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"precedent/store/nettest"
)

// Signing is how HTTP requests to the bot are signed.
type Signing struct {
	Secret string
	Skew   time.Duration // added to the timestamp; Slack asks apps to refuse beyond five minutes
	Bare   bool          // without signature headers
}

// SetSigning changes the signatures, to see the bot refuse them.
func (s *Server) SetSigning(sig Signing) { s.change(func() { s.signing = sig }) }

// Verify asks the bot's URL for a challenge back, as Slack does when the URL is
// entered.
func (s *Server) Verify() error {
	s.mu.Lock()
	challenge := s.id("challenge")
	s.mu.Unlock()
	body, _ := json.Marshal(map[string]any{"type": "url_verification", "token": "verification", "challenge": challenge})
	status, out, _, err := s.ask(body, "application/json", nil)
	if err != nil {
		return err
	}
	var object struct{ Challenge string }
	json.Unmarshal(out, &object)
	if status != http.StatusOK || string(out) != challenge && object.Challenge != challenge {
		return fmt.Errorf("the bot answered the challenge with status %d and %q", status, out)
	}
	return nil
}

// call makes one attempt over HTTP.
func (s *Server) call(a *attempt) {
	kind := "application/json"
	var body []byte
	switch a.d.Kind {
	case "slash_commands":
		form := url.Values{}
		for k, v := range a.d.payload {
			form.Set(k, fmt.Sprint(v))
		}
		kind, body = "application/x-www-form-urlencoded", []byte(form.Encode())
	case "interactive":
		payload, _ := json.Marshal(a.d.payload)
		kind, body = "application/x-www-form-urlencoded", []byte(url.Values{"payload": {string(payload)}}.Encode())
	default:
		body, _ = json.Marshal(a.d.payload)
	}
	header := http.Header{}
	if a.Retry > 0 {
		header.Set("X-Slack-Retry-Num", strconv.Itoa(a.Retry))
		header.Set("X-Slack-Retry-Reason", a.Reason)
	}
	status, out, got, err := s.ask(body, kind, header)
	s.change(func() {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			s.lost(a, "http_timeout")
		case err != nil:
			s.lost(a, "connection_failed")
		case status/100 != 2:
			if got.Get("X-Slack-No-Retry") == "1" {
				a.d.failed = true
			}
			s.lost(a, "http_error")
		case a.d.accepts && len(out) > 0 && !json.Valid(out): // a command may be answered in plain words
			quoted, _ := json.Marshal(map[string]string{"text": string(out)})
			s.settled(a, quoted)
		case a.d.accepts:
			s.settled(a, out)
		default:
			s.settled(a, nil)
		}
	})
}

// ask posts one signed request to the bot, which has Limits.AckWithin to answer.
func (s *Server) ask(body []byte, kind string, header http.Header) (status int, out []byte, got http.Header, err error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.lim.AckWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.opt.RequestURL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	maps.Copy(r.Header, header)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)")
	s.mu.Lock()
	sig := s.signing
	s.mu.Unlock()
	if !sig.Bare {
		// The bot compares with its own clock, so this one is the machine's.
		at := strconv.FormatInt(time.Now().Add(sig.Skew).Unix(), 10)
		mac := hmac.New(sha256.New, []byte(sig.Secret))
		fmt.Fprintf(mac, "v0:%s:%s", at, body)
		r.Header.Set("X-Slack-Request-Timestamp", at)
		r.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: nettest.Dial(s.t)}}
	resp, err := client.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	out, err = io.ReadAll(resp.Body)
	return resp.StatusCode, out, resp.Header, err
}
