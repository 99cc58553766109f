package engine

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestWordSalad reads strangers' questions with words taken out, put in and exchanged:
// nothing breaks, and what has a meaning can be asked.
func TestWordSalad(t *testing.T) {
	content, err := os.ReadFile("testdata/strangers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	words, questions := map[string][]string{}, map[string][][]string{}
	for line := range strings.Lines(string(content)) {
		var q gold
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		graph := q.Graph + " " + q.Language
		before := len(words[graph])
		for _, w := range strings.Fields(q.Question) {
			if q.Language == "en" {
				words[graph] = append(words[graph], w)
				continue
			}
			for piece := range strings.FieldsFuncSeq(w, unicode.IsPunct) { // two or three characters at a time
				for rs := []rune(piece); len(rs) > 0; {
					n := min(len(rs), 2+len(words[graph])%2)
					words[graph] = append(words[graph], string(rs[:n]))
					rs = rs[n:]
				}
			}
		}
		questions[graph] = append(questions[graph], words[graph][before:])
	}
	random := rand.New(rand.NewPCG(20261123, 12))
	for _, graph := range []string{"shop en", "hospital zh", "telecom en"} {
		name, language, _ := strings.Cut(graph, " ")
		e, _, err := Open(t.Context(), Config{Data: t.TempDir(), Compose: true, Graph: filepath.Join("testdata/fair", name)})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close(t.Context())
		s := e.snapshot()
		meant := 0
		for range 900 {
			said := slices.Clone(questions[graph][random.IntN(len(questions[graph]))])
			for range 1 + random.IntN(5)/4 {
				at, other := random.IntN(len(said)), words[graph][random.IntN(len(words[graph]))]
				switch random.IntN(4) {
				case 0:
					said[at] = other
				case 1:
					said = slices.Insert(said, at, other)
				case 2:
					if len(said) > 1 {
						said = slices.Delete(said, at, at+1)
					}
				case 3:
					to := random.IntN(len(said))
					said[at], said[to] = said[to], said[at]
				}
			}
			question := strings.Join(said, map[string]string{"en": " "}[language])
			for _, m := range s.grammar.Read(question).Meanings {
				meant++
				s.grammar.Say(m, language)
				q := s.grammar.Printer().Query(m)
				q.Now = e.now()
				if _, err := e.gate.run(t.Context(), q, e.limits); err != nil {
					t.Errorf("%s\n\t%s\n\t%s: %v", question, m.Exact(), q.Text, err)
				}
			}
		}
		t.Logf("%s: %d meanings", graph, meant)
		if meant < 20 {
			t.Errorf("%s: of 900 only %d have a meaning: the test sees too little", graph, meant)
		}
	}
}
