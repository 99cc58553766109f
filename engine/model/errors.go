package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// The kinds of error a call can end in, to be told apart by [errors.Is]. An
// error's text is for the operator: it says what happened and what to do. When
// the caller's context is cancelled the error is that of the context and none
// of these.
var (
	// ErrUnavailable: down, slow, over quota, or resting after too many failures.
	ErrUnavailable = errors.New("the model is unavailable")
	// ErrDenied: the endpoint turned the key away (401, 403).
	ErrDenied = errors.New("the model's endpoint denied access")
	// ErrUnknownModel: the endpoint has no such model, or isn't at this URL (404),
	// or no model is configured.
	ErrUnknownModel = errors.New("the model is unknown")
	// ErrRejected: the endpoint doesn't take this request (400 and the like);
	// asking the same again won't help.
	ErrRejected = errors.New("the model's endpoint rejected the request")
	// ErrRefused: the model declined to reply, or a content filter took its reply away.
	ErrRefused = errors.New("the model refused to reply")
	// ErrNonsense: there was a reply, but it can't be read as what was asked for.
	ErrNonsense = errors.New("the model's reply makes no sense")
	// ErrTruncated: the reply broke off at the limit of tokens. It is also an ErrNonsense.
	ErrTruncated = fmt.Errorf("%w: it broke off", ErrNonsense)
	// ErrEmpty: a reply without choices or without content. It is also an ErrNonsense.
	ErrEmpty = fmt.Errorf("%w: it is empty", ErrNonsense)
	// ErrToolCall: the model called a tool, though none was offered. It is also an ErrNonsense.
	ErrToolCall = fmt.Errorf("%w: it calls a tool", ErrNonsense)
)

// More ways to make no sense, which callers need not tell apart.
var (
	errProse = fmt.Errorf("%w: there is no JSON object in it", ErrNonsense)
	errTwo   = fmt.Errorf("%w: there is more than one JSON object in it", ErrNonsense)
)

// A failure is one of the kinds above, with its story.
type failure struct {
	kind   error
	detail string
	cause  error         // may be nil
	retry  bool          // whether the same request may do better
	after  time.Duration // how long the endpoint asked to wait; 0 if it didn't
	body   string        // what the endpoint sent with an ErrRejected, without keys
}

func (f *failure) Error() string {
	text := fmt.Sprintf("%v: %s", f.kind, f.detail)
	if f.cause != nil {
		text += ": " + f.cause.Error()
	}
	return text
}

func (f *failure) Unwrap() []error {
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
}

// failsBreaker reports whether err speaks against the endpoint itself, rather
// than against one prompt or the configuration.
func failsBreaker(err error) bool {
	if errors.Is(err, ErrUnavailable) {
		return true
	}
	return errors.Is(err, ErrNonsense) && !errors.Is(err, ErrTruncated)
}

// excerptLength is how much of a foreign text an error shows, in characters.
const excerptLength = 200

// secretShape matches what looks like a key or a part of one.
var secretShape = regexp.MustCompile(`(?i)\b(bearer\s+\S+|(sk|gsk|xai|hf)[-_][\w*.-]{6,})`)

// excerpt returns text on one line, without keys, cut to excerptLength.
func (m *Model) excerpt(text string) string {
	text = m.scrub(strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\uFFFD"))
	if r := []rune(text); len(r) > excerptLength {
		text = string(r[:excerptLength]) + "…"
	}
	return text
}

// scrub returns text without the key and what looks like one.
func (m *Model) scrub(text string) string {
	if m.c.Key != "" {
		text = strings.ReplaceAll(text, m.c.Key, "(key)")
	}
	return secretShape.ReplaceAllString(text, "(key)")
}

// complaint returns the words in an error response, whichever of the usual
// shapes it has; "" when the body holds none.
func complaint(body []byte) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &shape) != nil {
		text := strings.TrimSpace(string(body))
		if strings.HasPrefix(text, "<") {
			return "(a web page)"
		}
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(shape.Error, &object) == nil && object.Message != "":
		return object.Message
	case json.Unmarshal(shape.Error, &text) == nil && text != "":
		return text
	case shape.Message != "":
		return shape.Message
	}
	return string(shape.Detail)
}

// overQuota reports whether a 429 is about money, not about haste: OpenAI's error
// code for it, which other endpoints copy.
func overQuota(body []byte) bool {
	return bytes.Contains(body, []byte("insufficient_quota"))
}
