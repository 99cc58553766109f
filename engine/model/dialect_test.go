package model_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store/nettest"
)

// formats lists the response_format of each request, "" for none.
func formats(t *testing.T, s *modeltest.Server) string {
	t.Helper()
	var out []string
	for _, r := range s.Requests() {
		var sent struct {
			ResponseFormat struct{ Type string } `json:"response_format"`
		}
		if err := json.Unmarshal(r.Body, &sent); err != nil {
			t.Fatal(err)
		}
		out = append(out, sent.ResponseFormat.Type)
	}
	return strings.Join(out, ",")
}

func TestFormatsAnEndpointDoesNotKnow(t *testing.T) {
	for name, complaint := range map[string]modeltest.Reply{
		"OpenAI":    modeltest.Unknown("response_format"),
		"Groq":      modeltest.Status(400, `{"error":{"message":"This model does not support response format json_schema"}}`),
		"LM Studio": modeltest.Status(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`),
		"FastAPI":   modeltest.Status(422, `{"detail":[{"type":"extra_forbidden","loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := modeltest.New(t, complaint, complaint, fine, fine)
				m := connect(t, impatient(s))
				u, err := m.Reply(t.Context(), ask, &answer{})
				if err != nil || u.Calls != 1 || u.Retries != 0 {
					t.Fatalf("usage %+v, %v", u, err)
				}
				if _, err := m.Reply(t.Context(), ask, &answer{}); err != nil {
					t.Fatal(err)
				}
				if got, want := formats(t, s), "json_schema,json_object,,"; got != want {
					t.Errorf("formats %q, want %q", got, want)
				}
				if got, want := m.Dialect(), "replies shaped by the prompt, temperature 0, max_tokens"; got != want {
					t.Errorf("dialect %q, want %q", got, want)
				}
			})
		})
	}
}

func TestSchemaInThePrompt(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Unknown("response_format"), fine)
		if _, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{}); err != nil {
			t.Fatal(err)
		}
		const want = `[1 system]
Be brief.
[1 user]
How many?
[2 system]
Be brief.

Reply with exactly one JSON object and nothing else: no prose, no code fence. It follows this JSON schema:
{"type":"object","properties":{"kind":{"type":"string","enum":["query","refuse"]},"n":{"type":"integer"}},"required":["kind","n"],"additionalProperties":false}
[2 user]
How many?
`
		if got := s.Prompts(); got != want {
			t.Errorf("prompts:\n%s\nwant:\n%s", got, want)
		}
	})
}

// An endpoint that takes response_format without heeding it shows in its prose.
func TestFormatIgnored(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Text("Well, three."), fine, modeltest.Text("Well, three."), fine)
		m := connect(t, impatient(s))
		for i, kind := range []error{model.ErrNonsense, nil, model.ErrNonsense, nil} {
			if _, err := m.Reply(t.Context(), ask, &answer{}); !errors.Is(err, kind) {
				t.Errorf("reply %d: error %v, want %v", i+1, err, kind)
			}
		}
		if got, want := formats(t, s), "json_schema,json_object,json_object,"; got != want {
			t.Errorf("formats %q, want %q", got, want)
		}
	})
}

// Prose from an endpoint that has followed a schema before is a slip.
func TestSlipIsForgiven(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, fine, modeltest.Text("Well, three."), fine)
		m := connect(t, impatient(s))
		for range 3 {
			_, _ = m.Reply(t.Context(), ask, &answer{})
		}
		if got, want := formats(t, s), "json_schema,json_schema,json_schema"; got != want {
			t.Errorf("formats %q, want %q", got, want)
		}
	})
}

func TestReasoningModels(t *testing.T) {
	sent := func(t *testing.T, s *modeltest.Server) map[string]any {
		requests := s.Requests()
		var last map[string]any
		if err := json.Unmarshal(requests[len(requests)-1].Body, &last); err != nil {
			t.Fatal(err)
		}
		return last
	}
	t.Run("known by name", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.New(t, modeltest.Unknown("temperature"), fine)
			c := impatient(s)
			c.Name = "o3-mini"
			if _, err := connect(t, c).Reply(t.Context(), ask, &answer{}); err != nil {
				t.Fatal(err)
			}
			last := sent(t, s)
			if _, there := last["temperature"]; there || last["max_completion_tokens"] != 50.0 || last["max_tokens"] != nil {
				t.Errorf("sent %v", last)
			}
		})
	})
	t.Run("known by its complaints", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.New(t, modeltest.Unknown("max_tokens"), modeltest.Unknown("temperature"), fine, fine)
			m := connect(t, impatient(s))
			for range 2 {
				if _, err := m.Reply(t.Context(), ask, &answer{}); err != nil {
					t.Fatal(err)
				}
			}
			if last := sent(t, s); last["temperature"] != nil || last["max_completion_tokens"] != 50.0 {
				t.Errorf("sent %v", last)
			}
			if got, want := m.Dialect(), "replies shaped by json_schema, no temperature, max_completion_tokens"; got != want {
				t.Errorf("dialect %q, want %q", got, want)
			}
		})
	})
	t.Run("a complaint that never ends", func(t *testing.T) {
		nettest.Test(t, func(t *testing.T) {
			s := modeltest.Respond(t, func(string) modeltest.Reply { return modeltest.Unknown("response_format") })
			if _, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrRejected) || s.Calls() != 3 {
				t.Errorf("error %v after %d requests", err, s.Calls())
			}
		})
	})
}
