package engine_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"precedent/engine"
)

// TestFair asks 300 fair questions of ten graphs that aren't about films: none is
// refused. Both were written by somebody who had not seen the
// word lists.
func TestFair(t *testing.T) { askFair(t, "questions.jsonl", 300) }

// TestFairDenials asks what isn't, hasn't or doesn't on these graphs, often of things that
// orders to a bot speak of too, as rules, limits and modes: a denial is no injection.
func TestFairDenials(t *testing.T) { askFair(t, "denials.jsonl", 109) }

func askFair(t *testing.T, name string, want int) {
	t.Helper()
	t.Parallel()
	f, err := os.Open("testdata/fair/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	engines := map[string]*engine.Engine{}
	refused, n := map[string]int{}, 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var q struct{ Graph, Question string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if engines[q.Graph] == nil {
			engines[q.Graph] = open(t, engine.Config{Graph: "testdata/fair/" + q.Graph})
		}
		if a := engines[q.Graph].Ask(t.Context(), engine.Question{Text: q.Question}, nil); a.Route == engine.Refused {
			refused[string(a.Refusal.Kind)]++
			t.Logf("%s: %s: %s", q.Graph, a.Refusal.Kind, q.Question)
		}
	}
	t.Logf("%d fair questions, refused: %v", n, refused)
	if n != want || len(refused) > 0 {
		t.Errorf("of %d fair questions are refused: %v", n, refused)
	}
}
