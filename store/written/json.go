package written

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// maxValues bounds what one JSON value is made of: its commas, colons and
// brackets together.
const maxValues = 500_000

// JSON reads one JSON value and nothing behind it into v; numbers become
// json.Number where v leaves it open. It refuses what is nested deeper than
// [MaxDepth] or made of too many values. Its errors name fields and kinds as JSON
// does, not as Go does.
func JSON(line []byte, v any) error {
	if !utf8.Valid(line) {
		return errors.New("this is no UTF-8 text")
	}
	if err := bounded(line); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the JSON breaks off")
		}
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return otherKind(e)
		}
		if _, ok := errors.AsType[*json.SyntaxError](err); ok {
			return fmt.Errorf("this is no JSON: %w", err)
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind the JSON")
	}
	return nil
}

// bounded looks at the marks of a JSON text outside of its strings.
func bounded(text []byte) error {
	depth, values, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			depth++
			values++
		case c == ']', c == '}':
			depth--
		case c == ',', c == ':':
			values++
		}
		switch {
		case depth > MaxDepth:
			return fmt.Errorf("arrays and objects are nested deeper than %d", MaxDepth)
		case values > maxValues:
			return fmt.Errorf("it holds more than %d values", maxValues)
		}
	}
	return nil
}

// otherKind says which field holds what, and what it should.
func otherKind(e *json.UnmarshalTypeError) error {
	want := wanted(e.Type)
	has, number, _ := strings.Cut(e.Value, " ")
	switch has {
	case "number":
		has = strings.TrimSpace("the number " + number)
		if number == "" {
			has = "a number"
		}
	case "bool":
		has = "true or false"
	case "array", "object":
		has = "an " + has
	default:
		has = "a " + has
	}
	if e.Field == "" {
		return fmt.Errorf("this is %s, not %s", has, want)
	}
	return fmt.Errorf("%q is %s, not %s", e.Field, has, want)
}

// wanted is the kind of value that fits a Go type.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	if t.Comparable() && t.Kind() <= reflect.Float64 {
		return "a number"
	}
	return "something else"
}
