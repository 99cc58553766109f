package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"precedent/engine"
)

// writeGraph writes a graph of people without labels of their own.
func writeGraph(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"people.csv": ":ID(Person),name,:LABEL\np1,Ada Lind,Person\np2,Bo Marsh,Person\n",
		"films.csv":  ":ID(Film),title,year:int,:LABEL\nf1,Harbour Lights,2001,Film\nf2,The Long Winter,2004,Film\n",
		"genres.csv": ":ID(Genre),name,:LABEL\ng1,Drama,Genre\n",
		"did.csv":    ":START_ID(Person),:END_ID(Film),:TYPE\np1,f1,DIRECTED\np1,f2,DIRECTED\np2,f1,ACTED_IN\np1,f2,ACTED_IN\n",
		"genre.csv":  ":START_ID(Film),:END_ID(Genre),:TYPE\nf1,g1,IN_GENRE\nf2,g1,IN_GENRE\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// noRoles is a glossary without roles.
const noRoles = `labels:
  Film: {one: {en: [film], zh: [电影]}, many: {en: [films]}, measure: {zh: [部]}, key: title, year: year}
  Person: {one: {en: [person], zh: [人]}, many: {en: [people]}, key: name}
  Genre: {one: {en: [genre], zh: [类型]}, many: {en: [genres]}, key: name}
relationships:
  DIRECTED: {from: Person, to: Film, verb: {en: [direct, directed], zh: [导演]}, participle: {en: [directed by]}, by: true}
  ACTED_IN: {from: Person, to: Film, verb: {en: [act in, acted in], zh: [主演]}, participle: {en: [starring]}, with: true}
  IN_GENRE: {from: Film, to: Genre}
`

// TestNoRoles asks a graph whose people are neither actors nor directors by label.
func TestNoRoles(t *testing.T) {
	glossary := filepath.Join(t.TempDir(), "glossary.yaml")
	if err := os.WriteFile(glossary, []byte(noRoles), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, glossaries := range map[string][]string{"default": nil, "own": {glossary}} {
		t.Run(name, func(t *testing.T) {
			e := open(t, engine.Config{Graph: writeGraph(t), Glossaries: glossaries, Verbose: true})
			for question, want := range map[string]string{
				"which films did Ada Lind direct?":   "list Film | Film DIRECTED by ⟨Person.name⟩",
				"Ada Lind导演了哪些电影":                    "list Film | Film DIRECTED by ⟨Person.name⟩",
				"films directed by Ada Lind":         "list Film | Film DIRECTED by ⟨Person.name⟩",
				"who directed Harbour Lights":        "list Person via DIRECTED | Film is title ⟨Film.title⟩",
				"which films did Bo Marsh act in":    "list Film | Film ACTED_IN by ⟨Person.name⟩",
				"how many films did Ada Lind direct": "count Film | Film DIRECTED by ⟨Person.name⟩",
			} {
				for range 3 { // the same each time
					a := e.Ask(t.Context(), engine.Question{Text: question}, nil)
					if a.Reading != want {
						t.Errorf("%q reads as %s (%s), want %s", question, a.Reading, a.Unread, want)
					}
				}
			}
		})
	}
}

// TestRoleWithoutLabel has an entry that names what the graph lacks: it is told of,
// and left out.
func TestRoleWithoutLabel(t *testing.T) {
	glossary := filepath.Join(t.TempDir(), "glossary.yaml")
	if err := os.WriteFile(glossary, []byte(strings.Replace(noRoles, "to: Film, verb", "to: Film, role: Directer, verb", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	e, warnings, err := engine.Open(t.Context(), engine.Config{Graph: writeGraph(t), Glossaries: []string{glossary}, Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	want := glossary + ":6:44: the graph has no label Directer; it has Film, Genre, Person"
	if !slices.Contains(warnings, want) {
		t.Errorf("%q, want %s", warnings, want)
	}
	if a := e.Ask(t.Context(), engine.Question{Text: "which films did Ada Lind direct?"}, nil); a.Reading != "" {
		t.Errorf("an entry that was left out reads as %s", a.Reading)
	}
}

// TestRightWords finds nothing wrong with the files that ship, and with those of other
// graphs.
func TestRightWords(t *testing.T) {
	own := filepath.Join(t.TempDir(), "glossary.yaml")
	if err := os.WriteFile(own, []byte(noRoles), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []engine.Config{
		{Graph: "movies", Glossaries: []string{"../store/movies/glossary.yaml"}, Aliases: []string{"../store/movies/aliases.yaml"}},
		{Graph: "testdata/ask/films", Glossaries: []string{"testdata/ask/glossary.yaml"}, Aliases: []string{"testdata/ask/aliases.yaml"}},
		{Graph: writeGraph(t), Glossaries: []string{own}},
	} {
		found, err := engine.Check(t.Context(), c)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", c.Graph, err, found)
		}
	}
}

// TestManyMistakes has files of as many mistakes as fit: they are told as far as
// anybody reads them, and soon.
func TestManyMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const entries, told = 20_000, 1000
	for key, line := range map[string]string{"labels": "  L%d: {one: {en: [w%[1]d]}}\n", "relationships": "  R%d: {from: A, to: B}\n", "properties": "  A.p%d: {noun: {en: [same]}}\n", "": "A%d.b: {x: [y]}\n"} {
		var b strings.Builder
		if key != "" {
			b.WriteString(key + ":\n")
		}
		for i := range entries / 2 {
			fmt.Fprintf(&b, line, i)
		}
		file := filepath.Join(t.TempDir(), "words.yaml")
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		c := engine.Config{Graph: writeGraph(t), Glossaries: []string{file}}
		if key == "" {
			c.Glossaries, c.Aliases = nil, c.Glossaries
		}
		found, err := engine.Check(t.Context(), c)
		if err != nil || len(found) != told {
			t.Errorf("%s: %v, %d mistakes, want %d", key, err, len(found), told)
		}
	}
}
