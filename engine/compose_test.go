package engine_test

import (
	"strings"
	"testing"

	"precedent/engine"
	"precedent/store"
)

// TestCompose asks what no case has of a graph without a glossary: the words have a
// meaning, it is said, and what a curator turns down of it isn't answered again, however
// it is put.
func TestCompose(t *testing.T) {
	shop := engine.Config{Graph: "testdata/fair/shop", Compose: true}
	e := open(t, shop)
	ask := func(e *engine.Engine, question string) engine.Answer {
		t.Helper()
		return e.Ask(t.Context(), engine.Question{Text: question, User: "slack:U1"}, nil)
	}
	a := ask(e, "Which customers live in Germany?")
	if a.Route != engine.Composed || a.Understood == nil || *a.Understood != "customers that live in Germany" || a.Meaning == nil || *a.Meaning == "" ||
		a.ModelCalls != 0 || a.Case != nil || len(a.Rows) != 2 || !strings.Contains(a.Text, "Anna Keller") {
		t.Errorf("%+v", a)
	}
	if same := ask(e, "customers living in Germany"); same.Meaning == nil || *same.Meaning != *a.Meaning {
		t.Errorf("the same in other words: %+v", same)
	}
	for _, question := range []string{"which customers live in germany by the sea", "which customers live near Germany", "zorky customers", "which customers don't"} {
		if a := ask(e, question); a.Route == engine.Composed {
			t.Errorf("%q is answered as %q", question, *a.Understood)
		}
	}

	if v, err := e.Vote(t.Context(), engine.Vote{Answer: a.ID, User: "slack:U9", Curator: true, Value: "down"}); err != nil || v.After != "rejected" {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, question := range []string{"Which customers live in Germany?", "customers living in Italy"} {
		if a := ask(e, question); a.Route != engine.Unanswered {
			t.Errorf("%q was turned down, and is answered: %s", question, a.Route)
		}
	}
	if a := ask(e, "how many customers live in Germany"); a.Route != engine.Composed {
		t.Errorf("another question is %s", a.Route)
	}

	shop.Compose = false
	if a := ask(open(t, shop), "Which customers live in Germany?"); a.Route != engine.Unanswered || a.Meaning != nil || a.Understood != nil {
		t.Errorf("with composing off: %+v", a)
	}
}

// TestComposeLiked keeps a composed answer as a case, which then answers with other
// values.
func TestComposeLiked(t *testing.T) {
	e := open(t, engine.Config{Graph: "testdata/fair/shop", Compose: true})
	a := e.Ask(t.Context(), engine.Question{Text: "订单SO-1001的status是什么"}, nil)
	a = e.Ask(t.Context(), engine.Question{Text: "what is the status of SO-1001"}, nil)
	if a.Route != engine.Composed {
		t.Fatalf("%+v", a)
	}
	if v, err := e.Vote(t.Context(), engine.Vote{Answer: a.ID, User: "slack:U9", Curator: true, Value: "up"}); err != nil || v.After != "verified" {
		t.Fatalf("%+v, %v", v, err)
	}
	if a := e.Ask(t.Context(), engine.Question{Text: "what is the status of SO-1002"}, nil); a.Route != engine.ByCase || len(a.Rows) != 1 {
		t.Errorf("%+v", a)
	}
}

// TestWhichMeaning asks back where words have two meanings, each said, and answers the
// one that is picked.
func TestWhichMeaning(t *testing.T) {
	e := open(t, engine.Config{Compose: true})
	const question = "average runtime of Clint Eastwood's films with budget over 20000000"
	a := e.Ask(t.Context(), engine.Question{Text: question}, nil)
	if a.Route != engine.Clarify || len(a.Choices) != 2 || a.Choices[0].Label == a.Choices[1].Label {
		t.Fatalf("%s %q %v", a.Route, a.Text, a.Choices)
	}
	seen := map[string]bool{}
	for _, c := range a.Choices {
		picked := e.Ask(t.Context(), engine.Question{Text: question, Choices: []store.Link{c.Link}}, nil)
		if picked.Route != engine.Composed || picked.Understood == nil || *picked.Understood != c.Label {
			t.Errorf("%q: %s %v", c.Label, picked.Route, picked.Understood)
		}
		seen[picked.Query] = true
	}
	if len(seen) != 2 {
		t.Errorf("both are answered by %v", seen)
	}
}
