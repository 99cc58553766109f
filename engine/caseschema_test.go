package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// TestCaseSchema holds the JSON Schema of a file of cases against the type that reads
// it, what is exported and the lines of casefile.md, which are imported. Lines that
// import refuses for their form, the schema refuses.
func TestCaseSchema(t *testing.T) {
	b, err := engine.CaseSchema()
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(b, &schema); err != nil {
		t.Fatal(err)
	}
	fields := func(typ reflect.Type) (names []string) {
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	properties := schema["properties"].(map[string]any)
	slot := properties["slots"].(map[string]any)["items"].(map[string]any)
	for _, x := range []struct {
		typ  reflect.Type
		says map[string]any
	}{
		{reflect.TypeFor[store.Case](), properties},
		{reflect.TypeFor[store.Slot](), slot["properties"].(map[string]any)},
		{reflect.TypeFor[store.Votes](), properties["votes"].(map[string]any)["properties"].(map[string]any)},
	} {
		if got, want := slices.Sorted(maps.Keys(x.says)), fields(x.typ); !slices.Equal(got, want) {
			t.Errorf("%v: the schema has %v, want %v", x.typ, got, want)
		}
	}

	e, _, err := engine.Open(t.Context(), engine.Config{Graph: filepath.Join("testdata", "fair", "shop"), Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	doc, err := os.ReadFile("casefile.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```jsonl\n")
	example, _, _ := strings.Cut(rest, "```")
	if done, err := e.Import(t.Context(), "casefile.md", strings.NewReader(example), "cy", nil); err != nil || done.Added != strings.Count(example, "\n") {
		t.Errorf("%+v, %v", done, err)
	}
	for _, q := range []string{"Who buys from us in London?", "the 2 dearest products", "orders placed in June 2026", "200以上的商品有哪些？"} {
		if a := e.Ask(t.Context(), engine.Question{Text: q}, nil); a.Route != engine.ByCase || len(a.Rows) == 0 {
			t.Errorf("%q: %s %s", q, a.Route, a.Text)
		}
	}
	exported, _ := exportedFrom(t, e)
	for line := range strings.Lines(example + exported) {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if err := fits(schema, v); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, wrong := range []string{`{"question":"a"}`, `{"query":"RETURN 1"}`, `{"question":1,"query":"RETURN 1"}`,
		`{"question":"a","query":"RETURN 1","status":"good"}`, `{"question":"a","query":"RETURN 1","slots":[{"type":"string"}]}`, `{"question":"a","query":"RETURN 1","slots":[{"name":"a","type":"text"}]}`, `[]`} {
		var v any
		if err := json.Unmarshal([]byte(wrong), &v); err != nil {
			t.Fatal(err)
		}
		if fits(schema, v) == nil {
			t.Errorf("the schema takes %s", wrong)
		}
		if _, err := e.Import(t.Context(), "wrong.jsonl", strings.NewReader(wrong), "cy", nil); err == nil {
			t.Errorf("import takes %s", wrong)
		}
	}
	if fits(schema, map[string]any{"question": "a", "query": "RETURN 1", "querry": ""}) == nil {
		t.Error("the schema takes a key that it doesn't know")
	}
	if list, err := e.Library().List(t.Context(), cases.Filter{}); err != nil || len(list) != strings.Count(example, "\n") {
		t.Errorf("%d cases, %v", len(list), err)
	}
}

// fits says why a value isn't as the part of JSON Schema says that the schema of cases uses.
func fits(schema map[string]any, v any) error {
	kind := map[bool]string{true: "null"}[v == nil]
	switch v.(type) {
	case string:
		kind = "string"
	case float64:
		kind = "number"
	case bool:
		kind = "boolean"
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	}
	switch want := schema["type"].(type) {
	case string:
		if want != kind && !(want == "integer" && kind == "number") {
			return fmt.Errorf("%v is a %s, want %s", v, kind, want)
		}
	case []any:
		if !slices.Contains(want, any(kind)) {
			return fmt.Errorf("%v is a %s, want %v", v, kind, want)
		}
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, v) {
		return fmt.Errorf("%v is none of %v", v, enum)
	}
	if form, ok := schema["pattern"].(string); ok && !regexp.MustCompile(form).MatchString(fmt.Sprint(v)) {
		return fmt.Errorf("%v isn't as %s", v, form)
	}
	if any, ok := schema["anyOf"].([]any); ok && !slices.ContainsFunc(any, func(one interface{}) bool { return fits(one.(map[string]interface{}), v) == nil }) {
		return fmt.Errorf("%v is none of %v", v, any)
	}
	switch v := v.(type) {
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for _, item := range v {
				if err := fits(items, item); err != nil {
					return err
				}
			}
		}
	case map[string]any:
		need, _ := schema["required"].([]any)
		for _, name := range need {
			if _, ok := v[name.(string)]; !ok {
				return fmt.Errorf("%v has no %v", v, name)
			}
		}
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			is, known := properties[name].(map[string]any)
			if !known && schema["additionalProperties"] == false {
				return fmt.Errorf("%q is unknown", name)
			}
			if err := fits(is, v[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
