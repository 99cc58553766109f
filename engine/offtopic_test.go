package engine_test

import (
	"testing"

	"precedent/engine"
	"precedent/store"
)

// TestTaughtIsOnTopic teaches what looks off-topic: a verified case is no longer
// refused, by its words alone, nor what shares its words; what shares none still is.
func TestTaughtIsOnTopic(t *testing.T) {
	e := open(t, engine.Config{Graph: "testdata/fair/shop"})
	route := func(q string) engine.Route { return e.Ask(t.Context(), engine.Question{Text: q}, nil).Route }
	const cold, near, far = "is it cold outside?", "how cold is it outside tonight", "how hot is it today"
	for _, q := range []string{cold, near, far} {
		if got := route(q); got != engine.Refused {
			t.Errorf("%q before it is taught: %s", q, got)
		}
	}
	c := store.Case{Wordings: []string{cold, "外面冷不冷"}, Query: "MATCH (p:Product {category: 'electronics'}) RETURN count(p) AS n"}
	if _, _, err := e.Add(t.Context(), c, "ann", "for tests"); err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]engine.Route{cold: engine.ByCase, "外面冷不冷？": engine.ByCase, near: engine.Unanswered, far: engine.Refused} {
		if got := route(q); got != want {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
}

// TestWordsOfTheGraph asks about what is off-topic elsewhere, in the graph's own
// words: those of labels, types and properties in any form and script, and values.
func TestWordsOfTheGraph(t *testing.T) {
	graph := trapGraphs(t)
	for _, tt := range []struct{ question, here, elsewhere string }{
		{"will it rain at the dock tomorrow", "freight", "security"},            // a part of the property rainMm
		{"how cold is it on the routes", "freight", "security"},                 // a label, in the plural
		{"how much is 1 mile in km, reciting aside", "media", "security"},       // a type, in another form
		{"what are the symptoms of flu, 症状", "clinic", "media"},                 // a label in Chinese
		{"write a poem", "media", "freight"},                                    // a label in the evidence
		{"tell me a joke, a children one", "media", "freight"},                  // a label, and a value
		{"我最近失眠怎么办", "clinic", "freight"},                                       // a value that is no name
		{"what is the stock price today", "finance", "clinic"},                  // a label and a property
		{"do you think a role-playing game is better", "media", "clinic"},       // a value of a category
		{"should I buy from the Green Income fund or invest it", "finance", ""}, // a name
	} {
		if a := graph(tt.here).Ask(t.Context(), engine.Question{Text: tt.question}, nil); a.Route == engine.Refused {
			t.Errorf("%s: %s: %s", tt.here, tt.question, a.Refusal.Kind)
		}
		if tt.elsewhere == "" {
			continue
		}
		if a := graph(tt.elsewhere).Ask(t.Context(), engine.Question{Text: tt.question}, nil); a.Route != engine.Refused || a.Refusal.Kind != "off_topic" || !a.Refusal.Anyway {
			t.Errorf("%s: %s: %s %+v, want it refused", tt.elsewhere, tt.question, a.Route, a.Refusal)
		}
	}
}
