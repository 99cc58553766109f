package model

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A schema is a JSON schema in the subset that strict structured outputs take
// (OpenAI's guide "Structured model outputs", "Supported schemas"): every object is
// closed and all its properties are required.
type schema struct {
	kind     string // "object", "array", "string", "integer", "number", "boolean" or "any"
	nullable bool
	doc      string
	enum     []string
	fields   []field // of an object, in the order of the Go type
	items    *schema // of an array
}

type field struct {
	name string
	*schema
}

// Schema returns the JSON schema that Reply sends for the type of v, a struct or
// a pointer to one.
//
// Its properties stand in the order of the struct's fields, so that a model
// writes them in that order; names are those of the json tags. A tag description:"…"
// explains a field, a tag enum:"a,b,c" limits a string, or the strings of a
// list. Pointers may be null. Fields can be strings, booleans, numbers, structs,
// slices of these, types that read themselves from text, and any: a string,
// number, boolean, null, or list of strings and numbers. Maps, recursive types and
// types with their own UnmarshalJSON are errors: a map's place is taken by a
// list of pairs {name, value}.
func Schema(v any) (json.RawMessage, error) {
	s, err := schemaOf(v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

func schemaOf(v any) (*schema, error) {
	t := reflect.TypeOf(v)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("a reply's schema is made from a struct, not from %T", v)
	}
	s, err := describe(t, nil)
	if err != nil {
		return nil, err
	}
	if s.kind != "object" || len(s.fields) == 0 {
		return nil, fmt.Errorf("a reply of type %v has no fields", t)
	}
	return s, nil
}

var (
	jsonNumber  = reflect.TypeFor[json.Number]()
	readsJSON   = reflect.TypeFor[json.Unmarshaler]()
	readsText   = reflect.TypeFor[encoding.TextUnmarshaler]()
	errNoFields = errors.New("has an exported field that JSON can't hold")
)

// describe returns the schema of t. outer are the structs it stands in.
func describe(t reflect.Type, outer []reflect.Type) (*schema, error) {
	switch {
	case t == jsonNumber:
		return &schema{kind: "number"}, nil
	case t.Kind() == reflect.Pointer:
		s, err := describe(t.Elem(), outer)
		if err != nil {
			return nil, err
		}
		s.nullable = s.kind != "any"
		return s, nil
	case reflect.PointerTo(t).Implements(readsText) && !reflect.PointerTo(t).Implements(readsJSON):
		return &schema{kind: "string"}, nil
	case reflect.PointerTo(t).Implements(readsJSON):
		return nil, fmt.Errorf("%v reads its own JSON, so its schema is unknown: use a plain type", t)
	}
	switch t.Kind() {
	case reflect.String:
		return &schema{kind: "string"}, nil
	case reflect.Bool:
		return &schema{kind: "boolean"}, nil
	case reflect.Float32, reflect.Float64:
		return &schema{kind: "number"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &schema{kind: "integer"}, nil
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return nil, fmt.Errorf("%v is an interface that JSON can't fill: use a plain type or any", t)
		}
		return &schema{kind: "any"}, nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil, fmt.Errorf("%v would be base64, which a model can't write: use a string", t)
		}
		items, err := describe(t.Elem(), outer)
		if err != nil {
			return nil, err
		}
		return &schema{kind: "array", items: items}, nil
	case reflect.Struct:
		if slices.Contains(outer, t) {
			return nil, fmt.Errorf("%v holds itself: a reply's type can't be recursive", t)
		}
		return describeStruct(t, append(slices.Clone(outer), t))
	case reflect.Map:
		return nil, fmt.Errorf("%v has no fixed names, which a strict schema needs: use a list of pairs {name, value}", t)
	}
	return nil, fmt.Errorf("%v: %w", t, errNoFields)
}

func describeStruct(t reflect.Type, outer []reflect.Type) (*schema, error) {
	s := &schema{kind: "object"}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" && options == "" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if strings.Contains(","+options+",", ",string,") {
			return nil, fmt.Errorf("%v.%s: the json option \"string\" has no schema: leave it out", t, f.Name)
		}
		inner, err := describe(f.Type, outer)
		if err != nil {
			return nil, fmt.Errorf("%v.%s: %w", t, f.Name, err)
		}
		if f.Anonymous && name == "" && inner.kind == "object" {
			s.fields = append(s.fields, inner.fields...)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		inner.doc = f.Tag.Get("description")
		if values, ok := f.Tag.Lookup("enum"); ok {
			limited := inner
			if inner.kind == "array" {
				limited = inner.items
			}
			if limited.kind != "string" {
				return nil, fmt.Errorf("%v.%s: enum is for strings and lists of strings", t, f.Name)
			}
			limited.enum = strings.Split(values, ",")
		}
		if slices.ContainsFunc(s.fields, func(g field) bool { return strings.EqualFold(g.name, name) }) {
			return nil, fmt.Errorf("%v has two fields named %q", t, name)
		}
		s.fields = append(s.fields, field{name, inner})
	}
	return s, nil
}

// anyOf is what a field of type any may hold.
const anyOf = `[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},` +
	`{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}}]`

// MarshalJSON writes the schema with its properties in order.
func (s *schema) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	if s.doc != "" {
		fmt.Fprintf(&b, `"description":%s,`, quote(s.doc))
	}
	switch {
	case s.kind == "any":
		fmt.Fprintf(&b, `"anyOf":%s}`, anyOf)
		return b.Bytes(), nil
	case s.nullable:
		plain := *s
		plain.nullable, plain.doc = false, ""
		inner, err := plain.MarshalJSON()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `"anyOf":[%s,{"type":"null"}]}`, inner)
		return b.Bytes(), nil
	}
	fmt.Fprintf(&b, `"type":%s`, quote(s.kind))
	if s.enum != nil {
		fmt.Fprintf(&b, `,"enum":%s`, quote(s.enum))
	}
	if s.items != nil {
		fmt.Fprintf(&b, `,"items":%s`, quote(s.items))
	}
	if s.kind == "object" {
		names := make([]string, len(s.fields))
		b.WriteString(`,"properties":{`)
		for i, f := range s.fields {
			if i > 0 {
				b.WriteByte(',')
			}
			names[i] = f.name
			fmt.Fprintf(&b, `%s:%s`, quote(f.name), quote(f.schema))
		}
		fmt.Fprintf(&b, `},"required":%s,"additionalProperties":false`, quote(names))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// quote is v as JSON, for the strings and schemas that always have one.
func quote(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}

// check reports the first value outside its enum in v, decoded JSON.
func (s *schema) check(v any, at string) error {
	switch v := v.(type) {
	case string:
		if s.enum != nil && !slices.Contains(s.enum, v) {
			return fmt.Errorf("%s is %q, not one of %s", at, v, strings.Join(s.enum, ", "))
		}
	case []any:
		if s.items == nil {
			return nil
		}
		for i, item := range v {
			if err := s.items.check(item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, f := range s.fields {
			if err := f.check(valueOf(v, f.name), strings.TrimPrefix(at+"."+f.name, ".")); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasAny reports whether an object has at least one of s's fields.
func (s *schema) hasAny(object map[string]any) bool {
	for name := range object {
		if slices.ContainsFunc(s.fields, func(f field) bool { return strings.EqualFold(f.name, name) }) {
			return true
		}
	}
	return false
}

// valueOf is the value of a field, found as encoding/json finds it: by its name,
// else by its name in other case.
func valueOf(object map[string]any, name string) any {
	if v, ok := object[name]; ok {
		return v
	}
	for other, v := range object {
		if strings.EqualFold(other, name) {
			return v
		}
	}
	return nil
}
