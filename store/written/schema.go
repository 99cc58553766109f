package written

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// timeForm is what a time with its unit looks like, as of [time.ParseDuration].
const timeForm = `^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))+)$`

// Schema is the JSON Schema (draft 2020-12) of files that [Doc.Into] reads into
// values of v's type, for editors. Equal types give equal bytes.
func Schema(title string, v any) ([]byte, error) {
	s := schemaOf(reflect.TypeOf(v), field{doc: title})
	s["$schema"], s["title"] = "https://json-schema.org/draft/2020-12/schema", title
	b, err := json.MarshalIndent(s, "", "  ")
	return append(b, '\n'), err
}

type object = map[string]any

// schemaOf is the schema of a value. Nothing may stand wherever something may.
func schemaOf(t reflect.Type, f field) object {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	out := object{}
	item := f
	item.doc, item.sample = "", ""
	switch {
	case t == reflect.TypeFor[time.Duration]():
		out["type"], out["pattern"] = []string{"string", "number", "null"}, timeForm
	case t.Kind() == reflect.String, reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) && t.Kind() != reflect.Struct:
		out["type"] = []string{"string", "number", "boolean", "null"}
		texts(out, f)
	case t.Kind() == reflect.Bool:
		out["type"] = []string{"boolean", "null"}
	case t.Kind() == reflect.Interface:
		out["type"] = []string{"string", "number", "boolean", "array", "null"}
	case t.Kind() == reflect.Slice:
		out["type"], out["items"] = []string{"array", "null"}, schemaOf(t.Elem(), item)
	case t.Kind() == reflect.Map:
		out["type"], out["additionalProperties"] = []string{"object", "null"}, schemaOf(t.Elem(), field{})
		if names := (object{}); texts(names, f) {
			out["propertyNames"] = names
		}
	case t.Kind() == reflect.Struct:
		structSchema(out, t)
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		out["type"] = []string{"number", "null"}
		least(out, f)
	default:
		out["type"] = []string{"integer", "null"}
		least(out, f)
	}
	if f.doc != "" {
		out["description"] = f.doc
	}
	if f.sample != "" {
		var sample any
		if yaml.Load([]byte(f.sample), &sample) == nil {
			out["examples"] = []any{sample}
		}
	}
	return out
}

func structSchema(out object, t reflect.Type) {
	out["type"], out["additionalProperties"] = []string{"object", "null"}, false
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		out["type"] = []string{"object", "string", "number", "null"}
	}
	properties := object{}
	var need []string
	for _, f := range fields(t) {
		s := schemaOf(t.Field(f.index).Type, f)
		if f.inline {
			out["additionalProperties"] = s["additionalProperties"]
			if names, ok := s["propertyNames"]; ok {
				out["propertyNames"] = names
			}
			continue
		}
		properties[f.name] = s
		if f.need {
			need = append(need, f.name)
		}
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if len(need) > 0 {
		slices.Sort(need)
		out["required"] = need
	}
}

// texts says what texts look like, and reports whether anything says so.
func texts(out object, f field) bool {
	if f.form != "" {
		out["pattern"] = strings.NewReplacer(`\pL`, `\p{L}`, `\pN`, `\p{N}`).Replace(f.form)
	}
	if len(f.of) > 0 {
		all := []any{nil}
		for _, one := range f.of {
			all = append(all, one)
		}
		out["enum"] = all
	}
	return f.form != "" || len(f.of) > 0
}

func least(out object, f field) {
	if n, err := strconv.ParseFloat(f.least, 64); err == nil {
		out["minimum"] = n
	}
}
