package written_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"precedent/store/written"
)

// A form is something of each kind that a file may hold.
type form struct {
	Name   string `yaml:"name"`
	Whole  int
	Part   float64
	On     bool
	Quorum *int
	Wait   time.Duration
	List   []string
	Words  map[string][]string
	Parts  []struct{ Factor float64 }
	Any    any
}

func TestYAML(t *testing.T) {
	three := 3
	for _, tt := range []struct {
		name, text string
		want       form
	}{
		{"nothing", "", form{}},
		{"comments", "# nothing\n---\n", form{}},
		{"scalars", "name: x\nwhole: 5\npart: 2\non: true\nquorum: 3\nwait: 1m30s\n", form{Name: "x", Whole: 5, Part: 2, On: true, Quorum: &three, Wait: 90 * time.Second}},
		{"numbers as text", "name: 2012\nlist: [1999, 1.50, true, 2020-01-02, ~]\n", form{Name: "2012", List: []string{"1999", "1.50", "true", "2020-01-02", ""}}},
		{"nulls", "name:\nquorum: null\nlist: ~\n", form{}},
		{"maps and lists", "words: {en: [a, b], zh: [电影]}\nparts:\n  - factor: 1000\n  - {factor: 0.5}\n", form{Words: map[string][]string{"en": {"a", "b"}, "zh": {"电影"}}, Parts: []struct{ Factor float64 }{{1000}, {0.5}}}},
		{"any: a whole number", "any: 1999\n", form{Any: int64(1999)}},
		{"any: a float", "any: 8.5\n", form{Any: 8.5}},
		{"any: a date is a text", "any: 2020-01-02\n", form{Any: "2020-01-02"}},
		{"any: a list", "any: [1, a, 2.5, false]\n", form{Any: []any{int64(1), "a", 2.5, false}}},
		{"marks in texts", "name: \"a & b * c << d [ { e\"\nlist: ['&x', \"*y\", 'a: - b']\n", form{Name: "a & b * c << d [ { e", List: []string{"&x", "*y", "a: - b"}}},
		{"a block", "name: |\n  MATCH (n)\n  RETURN n\n", form{Name: "MATCH (n)\nRETURN n\n"}},
		{"CRLF and a byte order mark", "\ufeffname: x\r\nlist:\r\n  - a\r\n", form{Name: "x", List: []string{"a"}}},
		{"deep enough", "name: x\nlist: [a] # " + strings.Repeat("[", 100) + "\n", form{Name: "x", List: []string{"a"}}},
	} {
		var got form
		if err := written.YAML("f.yaml", []byte(tt.text), &got); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "name: x\nnmae: y\n", `f.yaml:2:1: there is no key "nmae" here; did you mean name?`},
		{"a deep unknown key", "parts:\n  - factor: 1\n    fator: 2\n", `f.yaml:3:5: there is no key "fator" here; did you mean factor?`},
		{"a key twice", "list: []\nwords: {}\nlist: []\n", `f.yaml:3:1: the key "list" is here twice, and in line 1; keep one`},
		{"a key twice in a map", "words:\n  en: []\n  en: []\n", `f.yaml:3:3: the key "en" is here twice, and in line 2; keep one`},
		{"a list as key", "words:\n  [en]: []\n", "f.yaml:2:3: want a text as key here, not a list"},
		{"text for list", "list: a\n", "f.yaml:1:7: want a list here, not a text; write [a]"},
		{"mapping for text", "\nname: {a: b}\n", "f.yaml:2:7: want a text here, not a mapping"},
		{"text for number", "whole: many\n", "f.yaml:1:8: want a whole number here, not a text"},
		{"float for whole", "whole: 1.5\n", "f.yaml:1:8: want a whole number here, not a number"},
		{"text for switch", "on: perhaps\n", "f.yaml:1:5: want true or false here, not a text"},
		{"number for time", "wait: 5\n", "f.yaml:1:7: want a time with its unit here, not a number; write one such as 30s or 2m"},
		{"list for mapping", "words: [a]\n", "f.yaml:1:8: want a mapping here, not a list"},
		{"any: a mapping", "any: {a: 1}\n", "f.yaml:1:6: want a text, a number or a list here, not a mapping"},
		{"two documents", "name: x\n---\nname: y\n", "f.yaml:3:1: a second document begins here; write all into one"},
		{"binary", "name: !!binary YQ==\n", "f.yaml:1:7: want a text here, not "},
		{"an open bracket", "name: x\nlist: [a, b\n", "f.yaml:2:7: "},
		{"an open quote", "name: \"x\nlist: [a, b]\n", "f.yaml:1:7: "},
		{"a tab", "words:\n\ten: [a]\n", "f.yaml:2:1: a tab indents this line; indent with spaces"},
		{"an anchor in a list", "list: [&a x, y]\n", "f.yaml:1:8: anchors (&), aliases (*) and merge keys (<<) aren't read; write the values out"},
		{"an alias as key", "list: [&a x]\nwords: {*a : []}\n", "f.yaml:1:8: anchors"},
		{"a merge key by its tag", "words: {!!merge x: {}}\n", "f.yaml:1:9: anchors"},
		{"an anchor of nothing", "name: &a\n", "f.yaml:1:7: anchors"},
		{"depth", "any: " + strings.Repeat("[", 70) + strings.Repeat("]", 70), "f.yaml:1:70: lists and mappings are nested deeper than 64"},
		{"depth by indentation", "any:" + strings.Repeat("\n"+strings.Repeat(" ", 70)+"- - -", 1) + strings.Repeat(" -", 70) + " a", "f.yaml:2:197: lists and mappings are nested deeper than 64"},
		{"NUL", "name: a\x00b\n", "f.yaml:1:1: control characters are not allowed"},
		{"Latin 1", "name: caf\xe9\n", "f.yaml:1:10: this is no UTF-8 text; save it as UTF-8"},
	} {
		var got form
		if err := written.YAML("f.yaml", []byte(tt.text), &got); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, text := range []string{deep(64), `"` + strings.Repeat("[{,:", 1<<20) + `"`, `["\"[", "\\", [[]]]`, `{"a":` + deep(63) + `}`, "[" + strings.Repeat("0,", 400_000) + "0]"} {
		var v any
		if err := written.JSON([]byte(text), &v); err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{deep(65), "nested deeper than 64"},
		{`"\"` + `",` + deep(65), "nested deeper than 64"},
		{strings.Repeat(`{"a":`, 65), "nested deeper than 64"},
		{strings.Repeat(`[{"a":`, 40), "nested deeper than 64"},
		{strings.Repeat("[", 1<<24), "nested deeper than 64"},
		{"[" + strings.Repeat("0,", 600_000) + "0]", "more than 500000 values"},
		{"[" + strings.Repeat("[],", 300_000) + "0]", "more than 500000 values"},
		{"{" + strings.Repeat(`"":0,`, 300_000) + `"":0}`, "more than 500000 values"},
	} {
		var v any
		if err := written.JSON([]byte(tt.text), &v); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// depth is how deep the collections of n stand in one another.
func depth(n *yaml.Node) int {
	most := 0
	for _, child := range n.Content {
		most = max(most, depth(child))
	}
	if n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode {
		most++
	}
	return most
}

// fuzzTime is how long a text of a fuzz test may take; a file of 8 MiB takes less.
const fuzzTime = 10 * time.Second

// FuzzYAML reads any text: what is read is within the bounds, what isn't is told
// with the file, and it takes no time to speak of.
func FuzzYAML(f *testing.F) {
	for _, seed := range []string{"", "name: x\nlist: [a, b]\n", "a: &a [x]\nb: *a\n", "x: {<<: {a: 1}}\n", strings.Repeat("[", 100), strings.Repeat("- ", 100), strings.Repeat("? ", 100), strings.Repeat("{a: ", 100),
		"a: |\n  b\n\n\nc: >-\n d\n", "\"\t\t\t", "--- a\n--- b\n...\n%YAML 1.2\n---\nc\n", "a: 'b''c'\nd: \"\\u4e00\\x41\"\n", "!!binary YQ==", "[a, {b: c}, ]", "a:\n  - b:\n    - c:\n      - d\n", "<<<<<<<<", "#\n#\n- a #\n", "a: 2020-01-01\nb: 0x1F\nc: .inf\n", "\ufeffa: b\r\n", "any: [1, [2, [3]]]\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		start := time.Now()
		doc, found := written.Parse("f.yaml", text)
		for _, m := range found {
			if m.File != "f.yaml" || m.What == "" || m.Cure == "" || m.Line < 0 || (m.Line > 0) != (m.Column > 0) {
				t.Fatalf("no place or no cure: %+v", m)
			}
		}
		if doc.Root != nil {
			if d := depth(doc.Root); d > written.MaxDepth {
				t.Fatalf("depth %d", d)
			}
		}
		var v form
		if err := written.YAML("f.yaml", text, &v); err != nil && !strings.HasPrefix(err.Error(), "f.yaml") {
			t.Fatalf("no file: %v", err)
		}
		if took := time.Since(start); took > fuzzTime {
			t.Fatalf("took %v", took)
		}
	})
}

// FuzzJSON reads any line.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"name":"x","any":[1,{"a":2.5}]}`, `[[[[`, `{"a":"\"[{"}`, "nul\x00l", `{"whole":1e999}`, `{"list":[1]}`, `"\ud800"`, `{} {}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var v form
		if err := written.JSON(line, &v); err == nil {
			return
		} else if strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "written_test") {
			t.Fatalf("Go's own words: %v", err)
		}
	})
}
