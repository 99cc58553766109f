package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A Reply is one scripted answer to a request. The zero Reply is a completion
// with empty text. The functions of this package make the usual ones; fields can
// be changed after.
type Reply struct {
	Text    string        // the message's content
	Refusal string        // the message's refusal; content is then null
	Tool    string        // name of a function that the model calls; content is then null
	Finish  string        // finish_reason; "" is "stop"
	Empty   bool          // no choices at all
	Delay   time.Duration // waited before anything is sent

	Status int               // HTTP status; 0 is 200
	Header map[string]string // set on the response
	Raw    *string           // sent as the body as it is, in place of a completion

	hang   bool
	cut    bool
	stream bool
}

// Text is a completion with this content.
func Text(content string) Reply { return Reply{Text: content} }

// JSON is a completion whose content is v as JSON. A v that has none becomes a
// 400 that says so.
func JSON(v any) Reply {
	b, err := json.Marshal(v)
	if err != nil {
		return Status(http.StatusBadRequest, errorBody("modeltest.JSON: "+err.Error(), "", ""))
	}
	return Reply{Text: string(b)}
}

// Status is an answer with an HTTP status, a body sent as it is, and headers as
// name, value, name, value. Without a body it is an OpenAI error object.
func Status(status int, body string, header ...string) Reply {
	if body == "" {
		body = errorBody(http.StatusText(status), "", "")
	}
	r := Reply{Status: status, Raw: &body, Header: map[string]string{}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header[header[i]] = header[i+1]
	}
	return r
}

// Busy is a 429 that asks to come back after so many seconds; "" leaves the
// Retry-After header out.
func Busy(retryAfter string) Reply {
	r := Status(http.StatusTooManyRequests, errorBody("Rate limit reached", "rate_limit_exceeded", ""))
	if retryAfter != "" {
		r.Header["Retry-After"] = retryAfter
	}
	return r
}

// OverQuota is OpenAI's 429 for an account without credit, which no waiting mends.
func OverQuota() Reply {
	return Status(http.StatusTooManyRequests, errorBody("You exceeded your current quota", "insufficient_quota", ""))
}

// Unknown is a 400 that blames one parameter of the request, as an endpoint does
// that doesn't know it.
func Unknown(parameter string) Reply {
	return Status(http.StatusBadRequest, errorBody("Unsupported parameter: '"+parameter+"'", "unsupported_parameter", parameter))
}

// Garbage is a success whose body is bytes that mean nothing.
func Garbage() Reply {
	raw := "\x00\xff\x1b[31m{]\x80"
	return Reply{Raw: &raw}
}

// Hang sends nothing until the client goes away or the test ends.
func Hang() Reply { return Reply{hang: true} }

// Cut promises a whole completion and closes the connection in its middle.
func Cut() Reply { return Reply{Text: "cut off", cut: true} }

// Stream sends text as server-sent events, though none were asked for.
func Stream(text string) Reply { return Reply{Text: text, stream: true} }

// After returns r, delayed.
func (r Reply) After(d time.Duration) Reply {
	r.Delay = d
	return r
}

// errorBody is an error object as OpenAI words it.
func errorBody(message, code, param string) string {
	b, _ := json.Marshal(map[string]any{"error": map[string]any{
		"message": message, "type": "invalid_request_error", "code": orNull(code), "param": orNull(param),
	}})
	return string(b)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// write sends r to a client that asked with prompt.
func (r Reply) write(w http.ResponseWriter, model, prompt string) {
	body := r.completion(model, prompt)
	contentType := "application/json"
	switch {
	case r.Raw != nil:
		body = *r.Raw
	case r.stream:
		contentType, body = "text/event-stream", r.events(model)
	}
	w.Header().Set("Content-Type", contentType)
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	if r.cut {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		body = body[:len(body)/2]
	}
	if r.Status != 0 {
		w.WriteHeader(r.Status)
	}
	io.WriteString(w, body)
	if r.cut {
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// completion is the response object for r. Tokens are counted as a quarter of
// the characters, rounded up.
func (r Reply) completion(model, prompt string) string {
	message := map[string]any{"role": "assistant", "content": r.Text, "refusal": nil}
	finish := r.Finish
	switch {
	case r.Refusal != "":
		message["content"], message["refusal"] = nil, r.Refusal
	case r.Tool != "":
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{
			"id": "call_1", "type": "function", "function": map[string]any{"name": r.Tool, "arguments": "{}"},
		}}
		finish = orElse(finish, "tool_calls")
	}
	choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": orElse(finish, "stop")}}
	if r.Empty {
		choices = []any{}
	}
	in, out := Tokens(prompt), Tokens(r.Text)
	b, _ := json.Marshal(map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 0, "model": model, "choices": choices,
		"usage": map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out},
	})
	return string(b)
}

func (r Reply) events(model string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(r.Text) {
		chunk, _ := json.Marshal(map[string]any{
			"object": "chat.completion.chunk", "model": model,
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": word + " "}}},
		})
		fmt.Fprintf(&b, "data: %s\n\n", chunk)
	}
	return b.String() + "data: [DONE]\n\n"
}

// Tokens is how this server counts text: a quarter of its characters, rounded up.
func Tokens(text string) int { return (len([]rune(text)) + 3) / 4 }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
