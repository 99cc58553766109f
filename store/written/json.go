package written

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// JSON reads one JSON value and nothing behind it into v; numbers become
// json.Number where v leaves it open. Its errors name fields and kinds as JSON
// does, not as Go does.
func JSON(line []byte, v any) error {
	if !utf8.Valid(line) {
		return errors.New("this is no UTF-8 text")
	}
	d := json.NewDecoder(strings.NewReader(string(line)))
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
