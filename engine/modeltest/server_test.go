package modeltest_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"precedent/engine/modeltest"
)

// post sends body to path and returns the status and the response body.
func post(t *testing.T, s *modeltest.Server, path, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(s.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

const (
	chat  = "/chat/completions"
	hello = `{"model":"m","messages":[{"role":"system","content":"Be kind.\n"},{"role":"user","content":"Hello"}]}`
)

func TestScriptInOrder(t *testing.T) {
	s := modeltest.New(t, modeltest.Text("one"), modeltest.JSON(map[string]int{"n": 2}),
		modeltest.Busy("7"), modeltest.Status(503, "Loading"), modeltest.OverQuota(),
		modeltest.Reply{Tool: "run"}, modeltest.Reply{Refusal: "no"}, modeltest.Stream("a b"))
	for i, want := range []struct {
		status int
		says   string
	}{
		{200, `"content":"one"`}, {200, `"content":"{\"n\":2}"`},
		{429, "rate_limit_exceeded"}, {503, "Loading"}, {429, "insufficient_quota"},
		{200, `"finish_reason":"tool_calls"`}, {200, `"refusal":"no"`}, {200, "data: [DONE]"},
	} {
		status, body := post(t, s, chat, hello)
		if status != want.status || !strings.Contains(body, want.says) {
			t.Errorf("reply %d: %d %s, want %d with %s", i+1, status, body, want.status, want.says)
		}
	}
	if s.Left() != 0 || s.Calls() != 8 {
		t.Errorf("%d left, %d calls", s.Left(), s.Calls())
	}
}

func TestPrompts(t *testing.T) {
	s := modeltest.New(t, modeltest.Text("1"))
	post(t, s, chat, hello)
	post(t, s, "/embeddings", `{"model":"e","input":"x"}`)
	s.Script(modeltest.Text("2"))
	post(t, s, chat, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Bye"}]}]}`)
	const want = "[1 system]\nBe kind.\n[1 user]\nHello\n[2 user]\nBye\n"
	if got := s.Prompts(); got != want {
		t.Errorf("prompts:\n%s\nwant:\n%s", got, want)
	}
}

func TestRespond(t *testing.T) {
	s := modeltest.Respond(t, func(prompt string) modeltest.Reply { return modeltest.Text(prompt) })
	if _, body := post(t, s, chat, hello); !strings.Contains(body, `"content":"[system]\nBe kind.\n[user]\nHello\n"`) {
		t.Error(body)
	}
}

func TestBadRequestsAreTurnedAway(t *testing.T) {
	format := func(f string) string {
		return `{"model":"m","messages":[{"role":"user","content":"x"}],"response_format":` + f + `}`
	}
	schema := func(s string) string {
		return format(`{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":` + s + `}}`)
	}
	for name, test := range map[string]struct{ path, body, says string }{
		"no JSON":           {chat, `{`, "could not parse"},
		"no model":          {chat, `{"messages":[{"role":"user","content":"x"}]}`, "model parameter"},
		"no messages":       {chat, `{"model":"m"}`, "empty array"},
		"odd role":          {chat, `{"model":"m","messages":[{"role":"king","content":"x"}]}`, "Supported values"},
		"no content":        {chat, `{"model":"m","messages":[{"role":"user"}]}`, "messages[0].content"},
		"hot":               {chat, `{"model":"m","messages":[{"role":"user","content":"x"}],"temperature":3}`, "between 0 and 2"},
		"two limits":        {chat, `{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":1,"max_completion_tokens":1}`, "same time"},
		"zero tokens":       {chat, `{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":0}`, "at least 1"},
		"stream":            {chat, `{"model":"m","messages":[{"role":"user","content":"x"}],"stream":true}`, "streams only"},
		"odd format":        {chat, format(`{"type":"yaml"}`), "Supported values"},
		"object unasked":    {chat, format(`{"type":"json_object"}`), "the word 'json'"},
		"schema missing":    {chat, format(`{"type":"json_schema"}`), "Missing required"},
		"schema unnamed":    {chat, format(`{"type":"json_schema","json_schema":{"schema":{}}}`), "json_schema.name"},
		"schema of a list":  {chat, schema(`{"type":"array"}`), "'type: \\\"object\\\"'"},
		"schema open":       {chat, schema(`{"type":"object","properties":{}}`), "additionalProperties"},
		"schema optional":   {chat, schema(`{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}`), "'required'"},
		"schema deep":       {chat, schema(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"map"}}},"required":["a"],"additionalProperties":false}`), "().properties.a.items"},
		"schema anyOf":      {chat, schema(`{"type":"object","properties":{"a":{"anyOf":[{"type":"text"}]}},"required":["a"],"additionalProperties":false}`), "anyOf[0]"},
		"embedding unnamed": {"/embeddings", `{"input":"x"}`, "model parameter"},
		"embedding nothing": {"/embeddings", `{"model":"e","input":[""]}`, "empty string"},
		"embedding number":  {"/embeddings", `{"model":"e","input":3}`, "array of strings"},
		"embedding base64":  {"/embeddings", `{"model":"e","input":"x","encoding_format":"base64"}`, "floats only"},
	} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.New(t, modeltest.Text("not given"))
			status, body := post(t, s, test.path, test.body)
			if status != 400 || !strings.Contains(body, test.says) {
				t.Errorf("%d %s, want 400 with %s", status, body, test.says)
			}
			if s.Left() != 1 || len(s.Requests()) != 1 {
				t.Errorf("%d replies left, %d requests logged", s.Left(), len(s.Requests()))
			}
		})
	}
}

func TestElsewhereAndKey(t *testing.T) {
	s := modeltest.New(t)
	if status, body := post(t, s, "/completions", hello); status != 404 || !strings.Contains(body, "Invalid URL") {
		t.Errorf("%d %s", status, body)
	}
	s.Key = "right"
	if status, body := post(t, s, chat, hello); status != 401 || !strings.Contains(body, "invalid_api_key") {
		t.Errorf("%d %s", status, body)
	}
}

// recorder is a test whose failures are counted and not passed on.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestBeyondTheScript(t *testing.T) {
	r := &recorder{TB: t}
	s := modeltest.New(r)
	if status, _ := post(t, s, chat, hello); status != 500 {
		t.Errorf("status %d", status)
	}
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "Hello") {
		t.Errorf("errors %q", r.errors)
	}
}

func TestBrokenConnections(t *testing.T) {
	s := modeltest.New(t, modeltest.Hang(), modeltest.Cut(), modeltest.Garbage(), modeltest.Text("late").After(20*time.Millisecond))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "POST", s.URL+chat, strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
		t.Error("a hanging request was answered")
	}
	resp, err := http.Post(s.URL+chat, "application/json", strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("a cut response was whole")
	}
	resp.Body.Close()
	if _, body := post(t, s, chat, hello); strings.Contains(body, "choices") {
		t.Errorf("garbage is %s", body)
	}
	start := time.Now()
	if _, body := post(t, s, chat, hello); !strings.Contains(body, "late") || time.Since(start) < 20*time.Millisecond {
		t.Errorf("after %v: %s", time.Since(start), body)
	}
}

// A request that hangs when its test ends must not hold the test up.
func TestHangEndsWithTest(t *testing.T) {
	done := make(chan error, 1)
	t.Run("inner", func(t *testing.T) {
		s := modeltest.New(t, modeltest.Hang())
		go func() {
			resp, err := http.Post(s.URL+chat, "application/json", strings.NewReader(hello))
			if err == nil {
				resp.Body.Close()
			}
			done <- err
		}()
		for s.Left() > 0 {
			time.Sleep(time.Millisecond)
		}
	})
	<-done
}

func TestEmbedding(t *testing.T) {
	dot := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	film := modeltest.Embedding("films by Nolan")
	if len(film) != modeltest.Dimensions || math.Abs(dot(film, film)-1) > 1e-6 {
		t.Errorf("embedding %v", film)
	}
	if near, far := dot(film, modeltest.Embedding("films of Nolan")), dot(film, modeltest.Embedding("科幻电影")); near <= far {
		t.Errorf("near %v, far %v", near, far)
	}
	s := modeltest.New(t)
	s.ScriptEmbeddings(modeltest.Status(500, ""))
	if status, _ := post(t, s, "/embeddings", `{"model":"e","input":"a"}`); status != 500 {
		t.Errorf("status %d", status)
	}
	_, first := post(t, s, "/embeddings", `{"model":"e","input":["a","b"]}`)
	_, second := post(t, s, "/embeddings", `{"model":"e","input":["a","b"]}`)
	if first != second || strings.Count(first, `"object":"embedding"`) != 2 || s.EmbeddingCalls() != 3 {
		t.Errorf("embeddings %s, then %s", first, second)
	}
}
