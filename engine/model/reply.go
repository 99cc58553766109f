package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// A Loose target of a reply also takes what says the same in another shape than
// was asked for.
type Loose interface {
	// Prose takes a reply that holds no JSON object; ok is false, and the target
	// as it was, where that says nothing it could take.
	Prose(text string) (ok bool)

	// Members gives the members of a reply's object the names and shapes that
	// were asked for, as far as it knows them.
	Members(object map[string]any)
}

// read takes the reply out of a response and into a pointer to a struct.
func (m *Model) read(response openai.ChatCompletionResponse, s *schema, into any) error {
	text, err := m.content(response)
	if err != nil {
		return err
	}
	object, err := findObject(text)
	if loose, ok := into.(Loose); ok && errors.Is(err, errProse) && loose.Prose(withoutThoughts(text)) {
		return nil
	}
	if err != nil {
		return &failure{kind: err, detail: m.excerpt(text)}
	}
	if err := decode(object, s, into); err != nil {
		return &failure{kind: ErrNonsense, detail: fmt.Sprintf("%v: %s", err, m.excerpt(text))}
	}
	return nil
}

// content is the text of a response that ended as it should.
func (m *Model) content(response openai.ChatCompletionResponse) (string, error) {
	if len(response.Choices) == 0 {
		return "", &failure{kind: ErrEmpty, detail: "the response has no choices"}
	}
	choice := response.Choices[0]
	message := choice.Message
	parts := []string{message.Content}
	for _, part := range message.MultiContent {
		parts = append(parts, part.Text)
	}
	text := strings.Join(parts, "")
	switch {
	case message.Refusal != "":
		return "", &failure{kind: ErrRefused, detail: m.excerpt(message.Refusal)}
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return "", &failure{kind: ErrRefused, detail: "the endpoint's content filter took the reply away"}
	case choice.FinishReason == openai.FinishReasonLength:
		return "", &failure{kind: ErrTruncated, detail: fmt.Sprintf(
			"at the limit of tokens, after %d: allow more, or ask for less", response.Usage.CompletionTokens)}
	case len(message.ToolCalls) > 0:
		return "", &failure{kind: ErrToolCall, detail: fmt.Sprintf("%q, which was not offered", m.excerpt(message.ToolCalls[0].Function.Name))}
	case message.FunctionCall != nil:
		return "", &failure{kind: ErrToolCall, detail: fmt.Sprintf("%q, which was not offered", m.excerpt(message.FunctionCall.Name))}
	case strings.TrimSpace(text) == "":
		return "", &failure{kind: ErrEmpty, detail: "the message has no content"}
	}
	return text, nil
}

// maxStarts is how many opening braces in prose are tried before giving up.
const maxStarts = 64

// findObject returns the one JSON object in text, which may stand in prose, in a
// code fence, behind a byte order mark or behind a reasoning model's thoughts.
// Its errors are kinds.
func findObject(text string) ([]byte, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return []byte(text), nil
	}
	text = withoutThoughts(text)
	var found []byte
	for range maxStarts {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		text = text[start:]
		d := json.NewDecoder(strings.NewReader(text))
		var object json.RawMessage
		switch err := d.Decode(&object); {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, ErrTruncated
		case err != nil:
			text = text[1:] // a brace in prose
			continue
		case found != nil:
			return nil, errTwo
		}
		found = object
		text = text[d.InputOffset():]
	}
	if found == nil {
		return nil, errProse
	}
	return found, nil
}

// withoutThoughts is a reply without what a reasoning model thought first.
func withoutThoughts(text string) string {
	const end = "</think>"
	if i := strings.LastIndex(text, end); i >= 0 {
		return text[i+len(end):]
	}
	return text
}

// checkInto wants a pointer to a struct.
func checkInto(into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("a reply is stored in a pointer to a struct, not in %T", into)
	}
	return nil
}

// decode reads object into a pointer to a struct, which stays as it is on an error.
func decode(object []byte, s *schema, into any) error {
	target := reflect.ValueOf(into).Elem()
	fresh := reflect.New(target.Type())
	if loose, ok := fresh.Interface().(Loose); ok {
		var members map[string]any
		if err := unmarshal(object, &members); err != nil {
			return err
		}
		loose.Members(members)
		var err error
		if object, err = json.Marshal(members); err != nil {
			return err
		}
	}
	if err := unmarshal(object, fresh.Interface()); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fmt.Errorf("its field %q holds a %s, not a %v", wrong.Field, wrong.Value, wrong.Type)
		}
		return err
	}
	var loose map[string]any
	if err := unmarshal(object, &loose); err != nil {
		return err
	}
	if !s.hasAny(loose) {
		return errors.New("its JSON object has none of the fields asked for")
	}
	if err := s.check(loose, ""); err != nil {
		return err
	}
	target.Set(fresh.Elem())
	return nil
}

// unmarshal keeps numbers in an any as they were written.
func unmarshal(object []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	return d.Decode(into)
}
