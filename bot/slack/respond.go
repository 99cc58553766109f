package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// answerMost is how many bytes of an answer to a response URL are read.
const answerMost = 64 << 10

// respond answers by a response URL, which Slack takes five times within 30
// minutes (docs.slack.dev/interactivity/handling-user-interaction#message_responses).
// The library throws away why Slack refuses one.
func (s *Slack) respond(ctx context.Context, to bot.Place, blocks []slack.Block, text string, replace bool) error {
	reply := map[string]any{"response_type": "ephemeral", "replace_original": replace, "text": text, "blocks": blocks,
		"mrkdwn": false, "parse": "none", "link_names": false, "unfurl_links": false, "unfurl_media": false}
	if to.Thread != "" {
		reply["thread_ts"] = to.Thread
	}
	body, err := json.Marshal(reply)
	if err != nil {
		return fmt.Errorf("responding: %w", err)
	}
	s.client()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.Token, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("responding: %w: no response URL", bot.ErrExpired)
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	resp, err := s.web.Do(r)
	if err != nil {
		return fmt.Errorf("responding: %w", told(err))
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, answerMost))
	if err != nil {
		return fmt.Errorf("responding: %w", told(err))
	}
	return responded(resp, answer)
}

// responded is what the answer of a response URL means: "ok", or JSON.
func responded(resp *http.Response, answer []byte) error {
	var in struct {
		OK    *bool  `json:"ok"`
		Error string `json:"error"`
		More  struct {
			Messages []string `json:"messages"`
		} `json:"response_metadata"`
	}
	json.Unmarshal(answer, &in) // "ok" and pages of HTML have none of these
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return fmt.Errorf("responding: %w", bot.Wait{For: time.Duration(max(1, seconds)) * time.Second})
	case in.Error != "" && (in.OK == nil || !*in.OK):
		return fmt.Errorf("responding: %w", refusal(in.Error, in.More.Messages))
	case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
		return fmt.Errorf("responding: %w: HTTP %d", bot.ErrExpired, resp.StatusCode)
	case resp.StatusCode/100 != 2:
		return fmt.Errorf("responding: slack answered HTTP %d", resp.StatusCode)
	}
	return nil
}
