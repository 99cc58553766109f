package model

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/sashabaranov/go-openai"
)

// A dialect is how much of the protocol an endpoint understands. The zero
// dialect is all of it.
type dialect struct {
	format        format
	noTemperature bool // leaves the temperature out, as reasoning models want it
	newMaxTokens  bool // says max_completion_tokens for max_tokens, as reasoning models want it
}

// A format is how a reply's shape is asked for, best first.
type format int

const (
	bySchema format = iota // response_format json_schema, strict
	byObject               // response_format json_object, the schema in the prompt
	byPrompt               // the schema in the prompt alone
)

func (f format) String() string {
	return [...]string{"json_schema", "json_object", "the prompt"}[f]
}

// Dialect says how the endpoint is spoken to, as far as that is known by now,
// such as "replies shaped by json_schema, temperature 0, max_tokens".
func (m *Model) Dialect() string {
	d := *m.dialect.Load()
	temperature, tokens := "temperature 0", "max_tokens"
	if d.noTemperature {
		temperature = "no temperature"
	}
	if d.newMaxTokens {
		tokens = "max_completion_tokens"
	}
	return fmt.Sprintf("replies shaped by %v, %s, %s", d.format, temperature, tokens)
}

// without returns the dialect that leaves out what err blames; false if err
// blames nothing that can be left out.
func (d dialect) without(err error) (dialect, bool) {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.kind != ErrRejected {
		return d, false
	}
	// "response_format", "response format" and "responseFormat" are all met.
	body := strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(f.body))
	switch {
	case !d.noTemperature && strings.Contains(body, "temperature"):
		d.noTemperature = true
	case !d.newMaxTokens && (strings.Contains(body, "maxtokens") || strings.Contains(body, "maxcompletiontokens")):
		d.newMaxTokens = true
	case d.format < byPrompt && blamesFormat.MatchString(body):
		d.format++
	default:
		return d, false
	}
	return d, true
}

// blamesFormat matches the complaints about response_format that endpoints make:
// OpenAI, Groq, DeepSeek, LM Studio, llama.cpp, vLLM.
var blamesFormat = regexp.MustCompile(`responseformat|jsonschema|jsonobject|jsonmode|structuredoutput|grammar`)

// learn keeps for later calls what this one found out about the endpoint.
func (m *Model) learn(d dialect, err error) {
	switch {
	case err == nil && d.format == bySchema:
		m.proven.Store(true)
	case errors.Is(err, errProse) && d.format < byPrompt && !m.proven.Load():
		d.format++ // it takes response_format and ignores it
	case err != nil && !errors.Is(err, ErrNonsense):
		return
	}
	for {
		old := m.dialect.Load()
		both := dialect{
			format:        max(old.format, d.format),
			noTemperature: old.noTemperature || d.noTemperature,
			newMaxTokens:  old.newMaxTokens || d.newMaxTokens,
		}
		if both == *old || m.dialect.CompareAndSwap(old, &both) {
			return
		}
	}
}

// schemaName is the form of a schema's name in OpenAI's reference for
// response_format.
var schemaName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

//go:embed schema.tmpl
var schemaFile string

var schemaPrompt = template.Must(template.New("schema.tmpl").Parse(schemaFile))

// A request is a prompt with its schema, in no dialect yet.
type request struct {
	prompt     Prompt
	schema     *schema
	schemaJSON json.RawMessage
}

// newRequest checks a prompt and the type of its reply.
func newRequest(p Prompt, into any) (request, error) {
	if strings.TrimSpace(p.User) == "" {
		return request{}, &failure{kind: ErrRejected, detail: "the prompt's User is empty: there is nothing to ask"}
	}
	if p.SchemaName == "" {
		p.SchemaName = "reply"
	}
	if !schemaName.MatchString(p.SchemaName) {
		return request{}, &failure{kind: ErrRejected, detail: fmt.Sprintf("the schema name %q must match %v", p.SchemaName, schemaName)}
	}
	if p.MaxTokens < 0 {
		return request{}, &failure{kind: ErrRejected, detail: fmt.Sprintf("MaxTokens is %d: it can't be negative", p.MaxTokens)}
	}
	if err := checkInto(into); err != nil {
		return request{}, &failure{kind: ErrRejected, detail: err.Error()}
	}
	if p.Schema == nil {
		p.Schema = into
	}
	s, err := schemaOf(p.Schema)
	if err != nil {
		return request{}, &failure{kind: ErrRejected, detail: err.Error()}
	}
	b, err := json.Marshal(s)
	if err != nil {
		return request{}, &failure{kind: ErrRejected, detail: "writing the schema", cause: err}
	}
	return request{prompt: p, schema: s, schemaJSON: b}, nil
}

// in words the request for an endpoint of dialect d. The temperature isn't in it:
// see exchange.
func (q request) in(d dialect, model string) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{Model: model}
	if d.newMaxTokens {
		r.MaxCompletionTokens = q.prompt.MaxTokens
	} else {
		//lint:ignore SA1019 endpoints other than OpenAI's know no other name for it
		r.MaxTokens = q.prompt.MaxTokens
	}
	system := q.prompt.System
	switch d.format {
	case bySchema:
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: q.prompt.SchemaName, Schema: q.schemaJSON, Strict: true,
			},
		}
	case byObject:
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
		fallthrough
	default:
		system = strings.TrimSpace(system + "\n\n" + q.schemaWords())
	}
	if system != "" { // go-openai would send an empty message without content, which is no message
		r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: system})
	}
	r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: q.prompt.User})
	return r
}

// schemaWords is the schema as a part of the prompt.
func (q request) schemaWords() string {
	var b strings.Builder
	// Writing to a Builder fails only if the file names a field that isn't here,
	// which the tests would show.
	_ = schemaPrompt.Execute(&b, struct{ Schema string }{string(q.schemaJSON)})
	return b.String()
}
