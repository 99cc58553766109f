package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"precedent/engine"
	"precedent/engine/reading"
	"precedent/store/written"
)

// leastPlanted is how many mistakes of each kind of file testdata/mistakes.txtar plants.
const leastPlanted = 20

// TestPlanted counts the mistakes that TestScript/mistakes holds check to.
func TestPlanted(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/mistakes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	planted := map[string]int{}
	kinds := map[string]string{"names.want": "glossary", "other.want": "aliases", "config.want": "config", "against.want": "config"}
	for _, f := range archive.Files {
		planted[kinds[f.Name]] += bytes.Count(f.Data, []byte("\n"))
		if kinds[f.Name] == "" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			if _, cure, ok := strings.Cut(line, "; "); !ok || strings.TrimSpace(cure) == "" {
				t.Errorf("no cure: %s", line)
			}
		}
	}
	for _, kind := range []string{"glossary", "aliases", "config"} {
		if planted[kind] < leastPlanted {
			t.Errorf("%d mistakes are planted in a file of %s, want %d", planted[kind], kind, leastPlanted)
		}
	}
}

// A filed is a kind of file that people write: its schema, and what reads it.
type filed struct {
	kind   string
	schema *jsonschema.Schema
	text   []byte
	read   func(content []byte) written.Mistakes
}

func everyKind(t *testing.T) map[string]filed {
	t.Helper()
	all := map[string]filed{}
	add := func(kind string, read func([]byte) written.Mistakes) {
		var out, errs bytes.Buffer
		p := &program{lookup: func(string) (string, bool) { return "", false }, environ: func() []string { return nil }, out: &out, err: &errs}
		if code := p.run([]string{"precedent", kind, "schema"}); code != 0 {
			t.Fatalf("%s schema: %d %s", kind, code, &errs)
		}
		text := bytes.Clone(out.Bytes())
		parsed, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(kind+".json", parsed); err != nil {
			t.Fatal(err)
		}
		schema, err := c.Compile(kind + ".json")
		if err != nil {
			t.Fatal(err)
		}
		all[kind] = filed{kind, schema, text, read}
	}
	into := func(v any) func([]byte) written.Mistakes {
		return func(content []byte) written.Mistakes {
			doc, wrong := written.Parse("f.yaml", content)
			return append(wrong, doc.Into(v)...)
		}
	}
	add("glossary", into(&reading.Glossary{}))
	add("config", into(&configFile{}))
	add("aliases", func(content []byte) written.Mistakes { return engine.ReadAliases("f.yaml", content) })
	return all
}

// fits tells whether a schema takes what a YAML file holds.
func (f filed) fits(t *testing.T, content []byte) bool {
	t.Helper()
	var v any
	if err := yaml.Load(content, &v); err != nil {
		t.Fatalf("%v in %s", err, content)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f.schema.Validate(instance) == nil
}

// TestSchemasAndReader has files that both take, those that ship and README's among
// them, and files that both refuse.
func TestSchemasAndReader(t *testing.T) {
	kinds := everyKind(t)
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	archive, err := txtar.ParseFile("testdata/mistakes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	planted := map[string][]byte{}
	for _, f := range archive.Files {
		planted[f.Name] = f.Data
	}
	right := []struct {
		kind string
		text []byte
	}{
		{"glossary", read("../../store/movies/glossary.yaml")}, {"glossary", read("../../engine/testdata/ask/glossary.yaml")}, {"glossary", planted["right.yaml"]},
		{"aliases", read("../../store/movies/aliases.yaml")}, {"aliases", read("../../engine/testdata/ask/aliases.yaml")}, {"aliases", planted["other-right.yaml"]},
		{"config", planted["config-right.yaml"]},
	}
	snippets := 0
	for _, doc := range []string{"../../README.md", "../../engine/reading/README.md", "../../engine/link/README.md"} {
		for i, block := range strings.Split(string(read(doc)), "```") {
			kind, text, _ := strings.Cut(block, "\n")
			switch key, _, _ := strings.Cut(text, ":"); {
			case i%2 == 0:
			case kind == "yaml glossary", kind == "yaml aliases", kind == "yaml config":
				kind = strings.TrimPrefix(kind, "yaml ")
				fallthrough
			case key == "channels" || key == "http" || key == "linkable":
				if kind == "" {
					kind = "config"
				}
				snippets++
				right = append(right, struct {
					kind string
					text []byte
				}{kind, []byte(text)})
			}
		}
	}
	if snippets < 5 {
		t.Errorf("only %d snippets of files are in the documents", snippets)
	}
	for _, tt := range right {
		f := kinds[tt.kind]
		if wrong := f.read(tt.text); len(wrong) > 0 || !f.fits(t, tt.text) {
			t.Errorf("%s: reader %v, schema %t of\n%.300s", tt.kind, wrong, f.fits(t, tt.text), tt.text)
		}
	}
	for kind, texts := range map[string][]string{
		"glossary": {"lables: {}", "labels: []", "labels: {A: {one: [a]}}", "labels: {A: {one: {fr: [a]}}}", "labels: {A: {ones: {en: [a]}}}", "relationships: {R: {from: A}}", "properties: {A: {noun: {en: [a]}}}",
			"properties: {A.b: {units: [{words: {en: [a]}}]}}", "properties: {A.b: {units: [{factor: many}]}}", "events: {e: {date: A}}", "events: {e: {state: perhaps}}", "conditions: {c: {label: [A]}}", "absent: {a: {say: a}}", "linkable: [A]", "examples: [a]", "- labels"},
		"aliases": {"A: {x: [y]}", "A.b: [x]", "A.b: {x: y}", "A.b: {x: {y: z}}", "A.b: {x: [[y]]}", "- A.b"},
		"config": {"grahp: x", "graph: [x]", "quorum: -1", "quorum: 1.5", "hide: [email]", "hide: x", "limits: {rows: -1}", "limits: {row: 1}", "limits: {timeout: soon}", "verbose: perhaps", "rows_to_model: always", "off_topic: loose",
			"curators: [ada]", "channels: {C1: movies}", "graphs: {a b: movies}", "name: a b", "linkable: {add: [Order]}", "http: {trsut: [ann]}", "http: [x]", "allow_people: [ann]", "allow_channels: [x]", "keep_days: often"},
	} {
		for _, text := range texts {
			f := kinds[kind]
			if wrong := f.read([]byte(text)); len(wrong) == 0 || f.fits(t, []byte(text)) {
				t.Errorf("%s: reader %v, schema %t of %s", kind, wrong, f.fits(t, []byte(text)), text)
			}
		}
	}
}

// TestSchemaSamples has the example of each key of a schema, by itself, read.
func TestSchemaSamples(t *testing.T) {
	for kind, f := range everyKind(t) {
		var schema struct {
			Properties map[string]struct {
				Description string
				Examples    []any
			}
		}
		if err := json.Unmarshal(f.text, &schema); err != nil {
			t.Fatal(err)
		}
		for key, p := range schema.Properties {
			if p.Description == "" || len(p.Examples) == 0 {
				t.Errorf("%s: %s has no description or no example", kind, key)
				continue
			}
			text, err := json.Marshal(map[string]any{key: p.Examples[0]}) // which is YAML
			if err != nil {
				t.Fatal(err)
			}
			if wrong := f.read(text); len(wrong) > 0 || !f.fits(t, text) {
				t.Errorf("%s: reader %v, schema %t of %s", kind, wrong, f.fits(t, text), text)
			}
		}
	}
}
