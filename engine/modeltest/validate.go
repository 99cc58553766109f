package modeltest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A complaint is why a request is answered 400.
type complaint struct{ message, param string }

func complain(param, format string, args ...any) *complaint {
	return &complaint{message: fmt.Sprintf(format, args...), param: param}
}

type chatRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	ResponseFormat      *responseFormat `json:"response_format"`
	Temperature         *float64        `json:"temperature"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Stream              bool            `json:"stream"`
}

type responseFormat struct {
	Type       string `json:"type"`
	JSONSchema *struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
		Strict bool            `json:"strict"`
	} `json:"json_schema"`
}

// roles are those of the chat completions reference.
var roles = []string{"developer", "system", "user", "assistant", "tool", "function"}

// schemaName is the form of a schema's name in the chat completions reference.
var schemaName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (c chatRequest) messages() []Message {
	out := make([]Message, len(c.Messages))
	for i, m := range c.Messages {
		content, _ := contentText(m.Content)
		out[i] = Message{Role: m.Role, Content: content}
	}
	return out
}

// contentText reads a message's content: a string, or parts with text.
func contentText(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"' {
		return text, true
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String(), true
}

// parseChat reads a chat request and checks it as OpenAI's API reference for
// chat completions and its guide to structured outputs say.
func parseChat(body []byte) (chatRequest, *complaint) {
	var c chatRequest
	if err := json.Unmarshal(body, &c); err != nil {
		return c, complain("", "We could not parse the JSON body of your request: %v", err)
	}
	if c.Model == "" {
		return c, complain("model", "you must provide a model parameter")
	}
	if len(c.Messages) == 0 {
		return c, complain("messages", "Invalid 'messages': empty array. Expected an array with minimum length 1.")
	}
	for i, m := range c.Messages {
		if !slices.Contains(roles, m.Role) {
			return c, complain("messages", "Invalid value: '%s'. Supported values are: '%s'.", m.Role, strings.Join(roles, "', '"))
		}
		if _, ok := contentText(m.Content); !ok {
			return c, complain("messages", "Missing or invalid 'messages[%d].content'.", i)
		}
	}
	switch {
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		return c, complain("temperature", "Invalid 'temperature': expected a value between 0 and 2.")
	case c.MaxTokens != nil && c.MaxCompletionTokens != nil:
		return c, complain("max_tokens", "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	case c.MaxTokens != nil && *c.MaxTokens < 1:
		return c, complain("max_tokens", "Invalid 'max_tokens': expected a value of at least 1.")
	case c.Stream:
		return c, complain("stream", "this test server streams only where a reply says so")
	}
	return c, checkFormat(c)
}

func checkFormat(c chatRequest) *complaint {
	f := c.ResponseFormat
	if f == nil || f.Type == "text" {
		return nil
	}
	switch f.Type {
	case "json_object":
		for _, m := range c.messages() {
			if strings.Contains(strings.ToLower(m.Content), "json") {
				return nil
			}
		}
		return complain("messages", "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.")
	case "json_schema":
		switch {
		case f.JSONSchema == nil:
			return complain("response_format.json_schema", "Missing required parameter: 'response_format.json_schema'.")
		case !schemaName.MatchString(f.JSONSchema.Name):
			return complain("response_format.json_schema.name", "Invalid 'response_format.json_schema.name': expected a string that matches %s.", schemaName)
		}
		if problem := checkSchema(f.JSONSchema.Schema, f.JSONSchema.Strict); problem != "" {
			return complain("response_format", "Invalid schema for response_format '%s': %s", f.JSONSchema.Name, problem)
		}
		return nil
	}
	return complain("response_format.type", "Invalid value: '%s'. Supported values are: 'json_object', 'json_schema', and 'text'.", f.Type)
}

// checkSchema returns what is wrong with a schema, or "".
func checkSchema(raw json.RawMessage, strict bool) string {
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil || root == nil {
		return "schema must be a JSON object"
	}
	if root["type"] != "object" {
		return `schema must be a JSON Schema of 'type: "object"'`
	}
	if !strict {
		return ""
	}
	return checkStrict(root, "()")
}

// checkStrict holds a schema against the subset that strict mode takes: every
// object closed and all its properties required, every type known.
func checkStrict(node map[string]any, at string) string {
	if alternatives, ok := node["anyOf"].([]any); ok {
		for i, a := range alternatives {
			if problem := checkChild(a, fmt.Sprintf("%s.anyOf[%d]", at, i)); problem != "" {
				return problem
			}
		}
		return ""
	}
	types, ok := node["type"].([]any)
	if !ok {
		types = []any{node["type"]}
	}
	for _, t := range types {
		switch t {
		case "string", "number", "integer", "boolean", "null":
		case "array":
			if problem := checkChild(node["items"], at+".items"); problem != "" {
				return problem
			}
		case "object":
			if problem := checkObject(node, at); problem != "" {
				return problem
			}
		default:
			return fmt.Sprintf("In context=%s, %v is not a type.", at, t)
		}
	}
	return ""
}

func checkObject(node map[string]any, at string) string {
	if node["additionalProperties"] != false {
		return fmt.Sprintf("In context=%s, 'additionalProperties' is required to be supplied and to be false.", at)
	}
	properties, _ := node["properties"].(map[string]any)
	required, _ := node["required"].([]any)
	if len(required) != len(properties) {
		return fmt.Sprintf("In context=%s, 'required' is required to be supplied and to be an array including every key in properties.", at)
	}
	for name, child := range properties {
		if !slices.Contains(required, any(name)) {
			return fmt.Sprintf("In context=%s, 'required' misses '%s'.", at, name)
		}
		if problem := checkChild(child, at+".properties."+name); problem != "" {
			return problem
		}
	}
	return ""
}

func checkChild(child any, at string) string {
	node, ok := child.(map[string]any)
	if !ok {
		return fmt.Sprintf("In context=%s, a schema is missing.", at)
	}
	return checkStrict(node, at)
}

// parseEmbedding reads an embedding request: a model and one text or several.
func parseEmbedding(body []byte) (model string, input []string, bad *complaint) {
	var e struct {
		Model          string          `json:"model"`
		Input          json.RawMessage `json:"input"`
		EncodingFormat string          `json:"encoding_format"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return "", nil, complain("", "We could not parse the JSON body of your request: %v", err)
	}
	if e.Model == "" {
		return "", nil, complain("model", "you must provide a model parameter")
	}
	if e.EncodingFormat != "" && e.EncodingFormat != "float" {
		return e.Model, nil, complain("encoding_format", "this test server sends floats only")
	}
	var one string
	if json.Unmarshal(e.Input, &one) == nil {
		input = []string{one}
	} else if json.Unmarshal(e.Input, &input) != nil {
		return e.Model, nil, complain("input", "'$.input' is invalid: expected a string or an array of strings.")
	}
	if len(input) == 0 || slices.Contains(input, "") {
		return e.Model, input, complain("input", "'$.input' is invalid: input cannot be an empty string.")
	}
	return e.Model, input, nil
}
