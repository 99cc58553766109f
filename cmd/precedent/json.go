package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// decode reads one JSON value and nothing behind it; numbers become
// json.Number. Its errors name fields and kinds as JSON does, not as Go does.
func decode(line []byte, v any) error {
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
	want := "something else"
	t := e.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice, reflect.Array:
		want = "an array"
	case reflect.Map, reflect.Struct:
		want = "an object"
	default:
		if t.Comparable() && t.Kind() <= reflect.Float64 {
			want = "a number"
		}
	}
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

// lively turns decoded JSON into values of a graph: a number with a point or
// exponent is a float, any other an integer of 64 bits, which it must fit.
func lively(v any) (_ any, err error) {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			f, err := v.Float64()
			if err != nil {
				return nil, fmt.Errorf("%s is beyond the range of a float", v)
			}
			return f, nil
		}
		n, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is beyond the range of an integer (64 bits)", v)
		}
		return n, nil
	case []any:
		for i := range v {
			if v[i], err = lively(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = lively(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
