package discordtest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A field is a value of a request body and where it stands. Names are matched
// by their exact case, as Discord does and encoding/json does not.
type field struct {
	path string
	v    any
	bad  *problems
}

func (f field) get(key string) field {
	m, _ := f.v.(map[string]any)
	return field{join(f.path, key), m[key], f.bad}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// absent is true of null as well.
func (f field) absent() bool { return f.v == nil }

func (f field) fail(code, format string, args ...any) { f.bad.add(f.path, code, format, args...) }

func (f field) required() bool {
	if f.absent() {
		f.fail("BASE_TYPE_REQUIRED", "This field is required")
	}
	return !f.absent()
}

func (f field) object() bool {
	if _, ok := f.v.(map[string]any); !ok && !f.absent() {
		f.fail("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
		return false
	}
	return !f.absent()
}

// text checks a string of at most most code points; absent is fine.
func (f field) text(most int) string { return f.textBetween(0, most) }

func (f field) textBetween(least, most int) string {
	if f.absent() {
		return ""
	}
	var s string
	switch v := f.v.(type) {
	case string:
		s = v
	case float64:
		s = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		f.fail("STRING_TYPE_CONVERT", "Could not interpret %q as string.", fmt.Sprint(f.v))
		return ""
	}
	switch n := utf8.RuneCountInString(s); {
	case least > 0 && (n < least || n > most):
		f.fail("BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", least, most)
	case n > most:
		f.fail("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", most)
	}
	return s
}

// list gives the elements of an array of at most most; absent is empty.
func (f field) list(most int) []field { return f.listBetween(0, most) }

func (f field) listBetween(least, most int) []field {
	if f.absent() {
		return nil
	}
	vs, ok := f.v.([]any)
	if !ok {
		f.fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return nil
	}
	switch n := len(vs); {
	case least > 0 && (n < least || n > most):
		f.fail("BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", least, most)
	case n > most:
		f.fail("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", most)
	}
	out := make([]field, len(vs))
	for i, v := range vs {
		out[i] = field{join(f.path, strconv.Itoa(i)), v, f.bad}
	}
	return out
}

// integer gives 0 for absent, which is fine.
func (f field) integer(least, most int) int {
	if f.absent() {
		return 0
	}
	n, ok := number(f.v)
	if !ok || n != math.Trunc(n) {
		f.fail("NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(f.v))
		return 0
	}
	if n < float64(least) {
		f.fail("NUMBER_TYPE_MIN", "int value should be greater than or equal to %d.", least)
	}
	if n > float64(most) {
		f.fail("NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", most)
	}
	return int(n)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil
	}
	return 0, false
}

func (f field) oneOf(values ...int) int {
	n := f.integer(math.MinInt32, math.MaxInt32)
	if !f.absent() && !slices.Contains(values, n) {
		f.fail("BASE_TYPE_CHOICES", "Value must be one of {%s}.", commas(values))
	}
	return n
}

// kind reads the "type" that says which of several shapes f has.
func (f field) kind(values ...int) int {
	t := f.get("type")
	if !f.object() || !t.required() {
		return 0
	}
	n, _ := number(t.v)
	if !slices.Contains(values, int(n)) {
		t.fail("UNION_TYPE_CHOICES", `Value of field "type" must be one of (%s).`, commas(values))
		return 0
	}
	return int(n)
}

func commas(values []int) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = strconv.Itoa(v)
	}
	return strings.Join(words, ", ")
}

func (f field) boolean() bool {
	b, ok := f.v.(bool)
	if !ok && !f.absent() {
		f.fail("BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
	}
	return b
}

func (f field) snowflake() string {
	if f.absent() {
		return ""
	}
	s, _ := f.v.(string)
	if n, ok := f.v.(float64); ok {
		s = strconv.FormatFloat(n, 'f', 0, 64)
	}
	if _, err := strconv.ParseUint(s, 10, 64); err != nil {
		f.fail("NUMBER_TYPE_COERCE", "Value %q is not snowflake.", fmt.Sprint(f.v))
	}
	return s
}

// link checks a URL by its scheme.
func (f field) link(schemes ...string) {
	s := f.text(2048)
	if s == "" {
		return
	}
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || rest == "" || strings.ContainsAny(s, " \n") {
		f.fail("URL_TYPE_INVALID_URL", "Not a well formed URL.")
	} else if !slices.Contains(schemes, strings.ToLower(scheme)) {
		f.fail("URL_TYPE_INVALID_SCHEME", "Scheme %q must be one of ('%s').", scheme, strings.Join(schemes, "', '"))
	}
}
