package engine

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"precedent/engine/reading"
)

// What follow-ups are held to, per language.
const (
	followupLines   = 50
	leastResolved   = .50 // of those that stand for a question, answered by a case without a model
	mostWithoutCase = .20 // of those that stand for a question, which no case covers
)

// A followupLine is a question that leans on the one before, or seems to.
type followupLine struct {
	ID        string  `json:"id"`
	Lang      string  `json:"lang"`
	Previous  string  `json:"previous"` // answered by a case
	Question  string  `json:"question"`
	StandsFor *string `json:"stands_for"` // the question a person would understand; null: it must be read as it is
}

// followupScore counts the follow-ups of a language.
type followupScore struct{ lines, leaning, uncovered, resolved, wrong int }

// TestFollowups asks each follow-up of testdata/followups.jsonl after its
// previous question, without a model. An answer by a case must have the rows of
// the question that the follow-up stands for; one that stands for none must be
// taken as it is.
func TestFollowups(t *testing.T) {
	t.Parallel()
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	scores := map[string]*followupScore{"en": {}, "zh": {}}
	for _, l := range readFollowups(t) {
		s := scores[l.Lang]
		s.lines++
		before := e.Ask(t.Context(), Question{Text: l.Previous}, nil)
		if before.Route != ByCase {
			t.Errorf("%s: no case answers %q", l.ID, l.Previous)
			continue
		}
		got := e.Ask(t.Context(), Question{Text: l.Question, History: []Turn{turnOf(before)}}, nil)
		if l.StandsFor == nil {
			alone := e.Ask(t.Context(), Question{Text: l.Question}, nil)
			if got.Restated != l.Question || got.Route == ByCase && !sameRows(got, alone) {
				s.wrong++
				t.Errorf("%s: %q after %q was taken for %q; want it as it is", l.ID, l.Question, l.Previous, got.Restated)
			}
			continue
		}
		s.leaning++
		want := e.Ask(t.Context(), Question{Text: *l.StandsFor}, nil)
		switch {
		case want.Route != ByCase:
			s.uncovered++
			t.Logf("%s: no case answers %q", l.ID, *l.StandsFor)
			if got.Route == ByCase {
				s.wrong++
				t.Errorf("%s: %q after %q was taken for %q; want %q", l.ID, l.Question, l.Previous, got.Restated, *l.StandsFor)
			}
		case got.Route != ByCase:
			t.Logf("%s: %q after %q is left open (%s, %q); want %q", l.ID, l.Question, l.Previous, got.Route, got.Restated, *l.StandsFor)
		case !sameRows(got, want):
			s.wrong++
			t.Errorf("%s: %q after %q was taken for %q: %d rows; want %q: %d rows",
				l.ID, l.Question, l.Previous, got.Restated, len(got.Rows), *l.StandsFor, len(want.Rows))
		default:
			s.resolved++
		}
	}
	for lang, s := range scores {
		t.Logf("%s: %d of %d resolved without a model (floor %.0f %%), %d wrong, %d without a case; %d to be taken as they are",
			lang, s.resolved, s.leaning, 100*leastResolved, s.wrong, s.uncovered, s.lines-s.leaning)
		if s.lines != followupLines {
			t.Errorf("%s: %d lines; want %d", lang, s.lines, followupLines)
		}
		if share(s.resolved, s.leaning) < leastResolved {
			t.Errorf("%s: %d of %d resolved; want %.0f %%", lang, s.resolved, s.leaning, 100*leastResolved)
		}
		if share(s.uncovered, s.leaning) >= mostWithoutCase {
			t.Errorf("%s: no case answers %d of %d; want under %.0f %%", lang, s.uncovered, s.leaning, 100*mostWithoutCase)
		}
	}
}

// TestFollowupLanguage goes on in the other language than the one before.
func TestFollowupLanguage(t *testing.T) {
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	for _, c := range []struct{ before, asked, language string }{
		{"诺兰拍过几部科幻片", "and Spielberg?", "en"},
		{"诺兰拍过几部科幻片", "Spielberg?", "zh"},
		{"诺兰拍过几部科幻片", "who directed Inception?", "en"},
		{"诺兰拍过几部科幻片", "？？？", "zh"},
		{"films directed by Christopher Nolan", "斯皮尔伯格呢？", "zh"},
		{"films directed by Christopher Nolan", "Spielberg", "en"},
		{"films directed by Christopher Nolan", "???", "en"},
	} {
		before := e.Ask(t.Context(), Question{Text: c.before}, nil)
		got := e.Ask(t.Context(), Question{Text: c.asked, History: []Turn{turnOf(before)}}, nil)
		if got.Language != c.language || reading.Language(got.Text) == "zh" && c.language == "en" {
			t.Errorf("%q after %q is answered in %s: %s", c.asked, c.before, got.Language, got.Text)
		}
	}
}

// turnOf is an answer as a later question of its conversation sees it.
func turnOf(a Answer) Turn {
	return Turn{Question: a.Question, Restated: a.Restated, Query: a.Query, Params: a.Params,
		Route: a.Route, Links: a.Links, Columns: a.Columns, Rows: a.Rows, Text: a.Text}
}

func sameRows(a, b Answer) bool {
	return len(a.Rows) == len(b.Rows) && (len(a.Rows) == 0 || reflect.DeepEqual(a.Rows, b.Rows))
}

func readFollowups(t *testing.T) []followupLine {
	f, err := os.Open("testdata/followups.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []followupLine
	in := bufio.NewScanner(f)
	for in.Scan() {
		var l followupLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("line %d: %v", len(lines)+1, err)
		}
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestSeveralQuestions asks two things at once, which no case may answer as one.
func TestSeveralQuestions(t *testing.T) {
	t.Parallel()
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	for asked, want := range map[string]Route{
		"films directed by Christopher Nolan? How many comedies are there?": Unanswered,
		"诺兰导演了哪些电影？有多少喜剧？":                                                  Unanswered,
		"Inception? who directed it?":                                       ByCase,
		"《教父》？谁导演的？":                                                        ByCase,
		"really? who directed Heat?":                                        ByCase,
		"who directed Heat??":                                               ByCase,
	} {
		if got := e.Ask(t.Context(), Question{Text: asked}, nil); got.Route != want {
			t.Errorf("%q: %s, want %s: %s", asked, got.Route, want, got.Text)
		}
	}
}
