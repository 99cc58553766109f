package model_test

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store/nettest"
)

const secret = "sk-very-secret-0123456789"

// impatient is a configuration whose waits are short.
func impatient(s *modeltest.Server) model.Config {
	return model.Config{
		BaseURL: s.URL, Key: secret, Name: "stub", EmbeddingName: "stub-embedding",
		Timeout: 5 * time.Second, Wait: time.Millisecond, BreakAfter: 100, BreakFor: 50 * time.Millisecond,
	}
}

func connect(t *testing.T, c model.Config) *model.Model {
	t.Helper()
	c.HTTP = nettest.Client(t)
	m, err := model.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type answer struct {
	Kind string `json:"kind" enum:"query,refuse"`
	N    int    `json:"n"`
}

var ask = model.Prompt{System: "Be brief.", User: "How many?", SchemaName: "answer", MaxTokens: 50}

func TestReply(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Text(`{"kind":"query","parameters":[{"name":"year","value":2023},{"name":"x","value":8.0},{"name":"l","value":["a",9007199254740993]}],"limit":5,"sure":null,"yes":true,"unasked":{}}`).After(70*time.Millisecond))
		m := connect(t, impatient(s))
		var got draft
		u, err := m.Reply(t.Context(), ask, &got)
		if err != nil {
			t.Fatal(err)
		}
		want := draft{Kind: "query", Limit: 5, Yes: true, Parameters: []parameter{
			{"year", json.Number("2023")}, {"x", json.Number("8.0")}, {"l", []any{"a", json.Number("9007199254740993")}},
		}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if u.Calls != 1 || u.Retries != 0 || u.PromptTokens == 0 || u.CompletionTokens == 0 || u.Took != 70*time.Millisecond {
			t.Errorf("usage %+v", u)
		}
		if got, want := s.Prompts(), "[1 system]\nBe brief.\n[1 user]\nHow many?\n"; got != want {
			t.Errorf("prompts:\n%swant:\n%s", got, want)
		}
		var sent struct {
			Temperature    *float64
			MaxTokens      int `json:"max_tokens"`
			ResponseFormat struct {
				Type       string
				JSONSchema struct {
					Name   string
					Strict bool
				} `json:"json_schema"`
			} `json:"response_format"`
		}
		r := s.Requests()[0]
		if err := json.Unmarshal(r.Body, &sent); err != nil {
			t.Fatal(err)
		}
		if sent.Temperature == nil || *sent.Temperature != 0 {
			t.Error("temperature 0 was not sent")
		}
		if f := sent.ResponseFormat; f.Type != "json_schema" || f.JSONSchema.Name != "answer" || !f.JSONSchema.Strict || sent.MaxTokens != 50 {
			t.Errorf("sent %s", r.Body)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer "+secret {
			t.Errorf("Authorization %q", got)
		}
	})
}

func TestReplyWithoutKeyOrSystem(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.JSON(answer{"query", 1}))
		c := impatient(s)
		c.Key = ""
		var got answer
		if _, err := connect(t, c).Reply(t.Context(), model.Prompt{User: "How many?"}, &got); err != nil {
			t.Fatal(err)
		}
		if _, there := s.Requests()[0].Header["Authorization"]; there {
			t.Error("an Authorization header was sent without a key")
		}
		if got, want := s.Prompts(), "[1 user]\nHow many?\n"; got != want {
			t.Errorf("prompts %q, want %q", got, want)
		}
	})
}

func TestReplyIsFoundInText(t *testing.T) {
	want := answer{"query", 3}
	for name, text := range map[string]string{
		"plain":        `{"kind":"query","n":3}`,
		"order mark":   "\uFEFF" + `{"kind":"query","n":3}`,
		"fence":        "```json\n{\"kind\":\"query\",\"n\":3}\n```",
		"prose":        "Sure! Here it is:\n{\"kind\":\"query\",\"n\":3}\nHope this helps {smile}.",
		"brace before": `In {name} I put: {"kind":"query","n":3}`,
		"thoughts":     "<think>maybe {\"kind\":\"refuse\",\"n\":0}?</think>{\"kind\":\"query\",\"n\":3}",
		"other case":   `{"Kind":"query","N":3}`,
	} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				m := connect(t, impatient(modeltest.New(t, modeltest.Text(text))))
				var got answer
				if _, err := m.Reply(t.Context(), ask, &got); err != nil || got != want {
					t.Errorf("got %+v, %v", got, err)
				}
			})
		})
	}
}

func TestReplyMakesNoSense(t *testing.T) {
	for _, test := range []struct {
		name  string
		reply modeltest.Reply
		kind  error
		says  string
	}{
		{"prose", modeltest.Text("I can't say."), model.ErrNonsense, "I can't say."},
		{"two objects", modeltest.Text(`{"n":1} or {"n":2}`), model.ErrNonsense, "more than one"},
		{"list", modeltest.Text(`[1,2]`), model.ErrNonsense, "no JSON object"},
		{"wrong type", modeltest.Text(`{"kind":"query","n":"three"}`), model.ErrNonsense, `"n" holds a string, not a int`},
		{"not in enum", modeltest.Text(`{"kind":"guess","n":3}`), model.ErrNonsense, "not one of query, refuse"},
		{"other fields", modeltest.Text(`{"error":"no"}`), model.ErrNonsense, "none of the fields"},
		{"too large", modeltest.Text(`{"n":1e99}`), model.ErrNonsense, `"n"`},
		{"broken off", modeltest.Text(`{"kind":"query","n":`), model.ErrTruncated, "broke off"},
		{"many braces", modeltest.Text(strings.Repeat("{x", 1000)), model.ErrNonsense, "…"},
		{"length", modeltest.Reply{Text: `{"n":3}`, Finish: "length"}, model.ErrTruncated, "allow more"},
		{"filter", modeltest.Reply{Text: `{"n":3}`, Finish: "content_filter"}, model.ErrRefused, "content filter"},
		{"refusal", modeltest.Reply{Refusal: "I won't."}, model.ErrRefused, "I won't."},
		{"tool", modeltest.Reply{Tool: "run"}, model.ErrToolCall, `"run"`},
		{"no choices", modeltest.Reply{Empty: true}, model.ErrEmpty, "no choices"},
		{"no content", modeltest.Text(""), model.ErrEmpty, "no content"},
		{"null content", modeltest.Status(200, `{"choices":[{"message":{"content":null}}]}`), model.ErrEmpty, "no content"},
		{"garbage", modeltest.Garbage(), model.ErrNonsense, "OPENAI_BASE_URL"},
		{"web page", modeltest.Status(200, "<!DOCTYPE html><p>Welcome"), model.ErrNonsense, "usually ends in /v1"},
		{"stream", modeltest.Stream("some prose"), model.ErrNonsense, "OpenAI protocol"},
		{"null body", modeltest.Status(200, "null"), model.ErrEmpty, "no choices"},
	} {
		t.Run(test.name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := modeltest.New(t, test.reply)
				before := answer{"untouched", 7}
				got := before
				u, err := connect(t, impatient(s)).Reply(t.Context(), ask, &got)
				if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %v, want %v with %q", err, test.kind, test.says)
				}
				if got != before {
					t.Errorf("the struct was changed: %+v", got)
				}
				if u.Calls != 1 || s.Calls() != 1 {
					t.Errorf("usage %+v, %d requests", u, s.Calls())
				}
			})
		})
	}
}

func TestReplyFromParts(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t, modeltest.Status(200, `{"choices":[{"message":{"content":[{"type":"text","text":"{\"kind\":\"query\","},{"type":"text","text":"\"n\":3}"}]}}]}`))
		var got answer
		if _, err := connect(t, impatient(s)).Reply(t.Context(), ask, &got); err != nil || got.N != 3 {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestLongBody(t *testing.T) {
	for name, header := range map[string][]string{"announced": {"Content-Length", "2097152"}, "chunked": nil} {
		t.Run(name, func(t *testing.T) {
			nettest.Test(t, func(t *testing.T) {
				s := modeltest.New(t, modeltest.Status(200, strings.Repeat(" ", 2<<20), header...))
				_, err := connect(t, impatient(s)).Reply(t.Context(), ask, &answer{})
				if !errors.Is(err, model.ErrNonsense) || !strings.Contains(err.Error(), "more than 1048576 bytes") {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

func TestWhatCannotBeAsked(t *testing.T) {
	m := connect(t, impatient(modeltest.New(t)))
	long := strings.Repeat("x", 65)
	for _, test := range []struct {
		name string
		p    model.Prompt
		into any
		says string
	}{
		{"nothing", model.Prompt{System: "x", User: " "}, &answer{}, "User is empty"},
		{"bad name", model.Prompt{User: "x", SchemaName: "a b"}, &answer{}, `"a b"`},
		{"long name", model.Prompt{User: "x", SchemaName: long}, &answer{}, long},
		{"negative", model.Prompt{User: "x", MaxTokens: -1}, &answer{}, "negative"},
		{"no pointer", model.Prompt{User: "x"}, answer{}, "pointer to a struct"},
		{"nil", model.Prompt{User: "x"}, nil, "pointer to a struct"},
		{"nil pointer", model.Prompt{User: "x"}, (*answer)(nil), "pointer to a struct"},
		{"schema", model.Prompt{User: "x", Schema: map[string]int{}}, &answer{}, "from a struct"},
	} {
		t.Run(test.name, func(t *testing.T) {
			u, err := m.Reply(t.Context(), test.p, test.into)
			if !errors.Is(err, model.ErrRejected) || !strings.Contains(err.Error(), test.says) || u.Calls != 0 {
				t.Errorf("error %v, usage %+v", err, u)
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, test := range []struct {
		name string
		c    model.Config
		says string // "" for no error
	}{
		{"local", model.Config{BaseURL: "http://localhost:11434/v1/", Name: "llama"}, ""},
		{"hosted", model.Config{Name: "gpt-4o-mini", Key: " sk-x\n"}, ""},
		{"embeddings only", model.Config{EmbeddingName: "e", Key: "k"}, ""},
		{"no key", model.Config{Name: "gpt-4o-mini"}, "set OPENAI_API_KEY"},
		{"no model", model.Config{Key: secret}, "set OPENAI_MODEL"},
		{"broken key", model.Config{Name: "x", Key: secret + "\nHost: evil"}, "check OPENAI_API_KEY"},
		{"no scheme", model.Config{Name: "x", BaseURL: "localhost:11434/v1"}, "not an http or https URL"},
		{"no host", model.Config{Name: "x", BaseURL: "http:///v1"}, "not an http or https URL"},
		{"other scheme", model.Config{Name: "x", BaseURL: "ftp://host/v1"}, "not an http or https URL"},
		{"unreadable", model.Config{Name: "x", BaseURL: "http://u:" + secret + "@[::1/v1"}, "can't be read"},
		{"password", model.Config{Name: "x", BaseURL: "http://u:" + secret + "@host/v1"}, "leave them out"},
		{"query", model.Config{Name: "x", BaseURL: "http://host/v1?key=" + secret}, "after ?"},
		{"operation", model.Config{Name: "x", BaseURL: "http://host/v1/chat/completions"}, "leave its end off"},
		{"negative", model.Config{Name: "x", BaseURL: "http://host/v1", Attempts: -1}, "negative"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := model.New(test.c)
			if test.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), secret) {
				t.Errorf("error %v, want one with %q", err, test.says)
			}
		})
	}
}

func TestString(t *testing.T) {
	for _, test := range []struct {
		c    model.Config
		want string
	}{
		{model.Config{Name: "llama", BaseURL: "http://localhost:11434/v1"}, `model "llama" at http://localhost:11434/v1`},
		{model.Config{Name: "gpt-4o-mini", EmbeddingName: "text-embedding-3-small"}, `model "gpt-4o-mini" and embedding model "text-embedding-3-small" at ` + model.OpenAI},
		{model.Config{EmbeddingName: "e"}, `embedding model "e" at ` + model.OpenAI},
	} {
		if got := test.c.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := modeltest.New(t)
		s.ScriptEmbeddings(modeltest.Reply{}, modeltest.Busy(""), modeltest.Reply{},
			modeltest.Status(200, `{"data":[{"embedding":[3,4]}]}`))
		m := connect(t, impatient(s))
		for range 2 {
			got, err := m.Embed(t.Context(), "盗梦空间")
			if err != nil || len(got) != modeltest.Dimensions {
				t.Fatalf("%v, %v", got, err)
			}
			for i, x := range modeltest.Embedding("盗梦空间") {
				if math.Abs(float64(x-got[i])) > 1e-6 {
					t.Fatalf("embedding %v", got)
				}
			}
		}
		if got, err := m.Embed(t.Context(), "x"); err != nil || !reflect.DeepEqual(got, []float32{0.6, 0.8}) {
			t.Errorf("not scaled to length 1: %v, %v", got, err)
		}
		if s.EmbeddingCalls() != 4 || s.Requests()[0].Model != "stub-embedding" {
			t.Errorf("%d requests, %+v", s.EmbeddingCalls(), s.Requests()[0])
		}
		for body, kind := range map[string]error{
			`{"data":[]}`:                                model.ErrEmpty,
			`{"data":[{"embedding":[]}]}`:                model.ErrNonsense,
			`{"data":[{"embedding":[0,0]}]}`:             model.ErrNonsense,
			`{"data":[{"embedding":[1e99]}]}`:            model.ErrNonsense,
			`{"data":[{"embedding":[1]},{}]}`:            model.ErrNonsense,
			`{"error":{"message":"upstream went away"}}`: model.ErrUnavailable,
		} {
			again := modeltest.Status(http.StatusOK, body)
			s := modeltest.New(t)
			s.ScriptEmbeddings(again, again, again)
			if _, err := connect(t, impatient(s)).Embed(t.Context(), "x"); !errors.Is(err, kind) {
				t.Errorf("%s: error %v, want %v", body, err, kind)
			}
		}
		if _, err := m.Embed(t.Context(), ""); !errors.Is(err, model.ErrRejected) {
			t.Errorf("empty text: %v", err)
		}
	})
}

func TestUnnamedModels(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		c := impatient(modeltest.New(t))
		c.EmbeddingName = ""
		if _, err := connect(t, c).Embed(t.Context(), "x"); !errors.Is(err, model.ErrUnknownModel) || !strings.Contains(err.Error(), "OPENAI_EMBEDDING_MODEL") {
			t.Errorf("error %v", err)
		}
		c.Name, c.EmbeddingName = "", "e"
		if _, err := connect(t, c).Reply(t.Context(), ask, &answer{}); !errors.Is(err, model.ErrUnknownModel) || !strings.Contains(err.Error(), "OPENAI_MODEL") {
			t.Errorf("error %v", err)
		}
	})
}
