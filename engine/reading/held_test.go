package reading

import (
	"testing"

	"precedent/store"
	"precedent/store/movies"
)

// FuzzHeld holds any glossary against a schema and against none: each mistake has a
// place, words and a cure, and the glossary that is left can be read with.
func FuzzHeld(f *testing.F) {
	schema := &store.Schema{
		Labels: []store.Label{
			{Name: "A", Properties: []store.Property{{Name: "p", Type: "STRING"}, {Name: "n", Type: "INTEGER"}, {Name: "d", Type: "DATE"}}},
			{Name: "B", Properties: []store.Property{{Name: "list", Type: "LIST<STRING>", Items: &store.Property{Type: "STRING"}}}},
		},
		Types:         []store.RelType{{Name: "R", Properties: []store.Property{{Name: "x", Type: "FLOAT"}}}},
		Relationships: []store.Relation{{Start: "A", Type: "R", End: "B"}},
		LabelSets:     [][]string{{"A"}, {"B"}},
		Hidden:        store.Found{Labels: []string{"H"}, Properties: []string{"A.hidden"}},
	}
	for _, seed := range []string{
		"", string(movies.Glossary[:2000]), "labels: {A: {one: {en: [a, A, \"\"], fr: [x]}, key: A.p, year: p, top: p}, R: {}, H: {one: {zh: [甲]}}}",
		"relationships: {R: {from: B, to: A, role: A, verb: {en: [which]}}, A: {from: A, to: A}, S: {}}",
		"properties: {A.n: {units: [{}, {factor: -1, words: {en: [x]}}], parts: \";\"}, A.hidden: {most: {zh: [最]}}, B.list: {parts: \",\"}, .: {}, A.: {}, .a: {}}",
		"events: {e: {date: A.p, year: A.d, place: A.n}}\nconditions: {c: {label: H, has: A.p, lacks: A.p, relations: [R, S, \"\"]}}\nabsent: {a: {words: {zh: [甲，乙]}}}\nexamples: {zh: [x]}\nlinkable: [A.p, A.p, \"\"]",
		"labels:\n  A: null\n  B: {one: null, many: {en: null}}\nproperties: {A.p: null}\nconditions: {c: null}\n", "labels: {<<: {A: {}}}", "labels: &a {A: *a}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file, found := ParseGlossary("f.yaml", content)
		for _, s := range []*store.Schema{schema, nil} {
			for _, m := range append(found, Held([]GlossaryFile{file, file}, s)...) {
				if m.File != "f.yaml" || m.Level == "" || m.What == "" || m.Cure == "" || (m.Line > 0) != (m.Column > 0) {
					t.Fatalf("%+v", m)
				}
			}
		}
		if _, err := New(file.Fitting(schema), schema, nil, nil); err != nil {
			t.Fatal(err)
		}
	})
}
