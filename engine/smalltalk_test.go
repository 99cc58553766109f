package engine_test

import (
	"strings"
	"testing"

	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
)

// TestSmallTalk says what isn't about the graph, alone and right after a
// question: it is refused either way, and never taken for a follow-up.
func TestSmallTalk(t *testing.T) {
	e := start(t, engine.Shipped.Copy(t))
	before := []engine.Turn{{Question: "films directed by Christopher Nolan", Restated: "films directed by Christopher Nolan"}}
	for _, said := range []string{"thanks", "thank you!", "ok", "hello", "thanks, what's the weather", "haha nice", "tell me a joke", "cool, write me a poem",
		"谢谢", "你好厉害", "你真棒", "今天天气怎么样", "谢谢，今天天气怎么样"} {
		for _, history := range [][]engine.Turn{nil, before} {
			a := e.Ask(t.Context(), engine.Question{Text: said, History: history}, nil)
			if a.Route != engine.Refused || a.Refusal.Kind != "off_topic" || a.Restated != said || len(a.Suggestions) == 0 {
				t.Errorf("%q after %d turns: %s %q", said, len(history), a.Route, a.Text)
			}
		}
	}
	for said, want := range map[string]string{"thanks": "Glad", "谢谢": "很高兴"} {
		if a := e.Ask(t.Context(), engine.Question{Text: said, History: before}, nil); !strings.HasPrefix(a.Text, want) {
			t.Errorf("%q: %q", said, a.Text)
		}
	}
	for _, said := range []string{"and in 2005?", "the longest one?", "just the ones rated above 8", "那喜剧呢"} {
		if a := e.Ask(t.Context(), engine.Question{Text: said, History: before}, nil); a.Route == engine.Refused {
			t.Errorf("%q is a follow-up: %s", said, a.Text)
		}
	}
	if a := e.Ask(t.Context(), engine.Question{Text: "really?"}, nil); a.Route == engine.ByCase {
		t.Errorf("\"really?\" asks nothing, and a case answers: %s", a.Text)
	}
}

// TestCommonTitles asks of films called by a long Chinese word that is a common
// one too, in words like those of small talk: such questions are never off-topic.
func TestCommonTitles(t *testing.T) {
	e := start(t, engine.Shipped.Copy(t))
	for _, said := range []string{"寄生虫讲的什么故事", "寄生蟲講的什麼故事", "写一篇寄生虫的影评", "讲一个寄生虫的笑话"} {
		if a := e.Ask(t.Context(), engine.Question{Text: said}, nil); a.Route != engine.Clarify && a.Route != engine.Unanswered {
			t.Errorf("%q: %s %q", said, a.Route, a.Text)
		}
	}
}

// TestOpenFollowUp asks what leans on a question that nobody can lay it over: a
// misspelt name is not asked back, since picking one would not make a question.
func TestOpenFollowUp(t *testing.T) {
	e := start(t, engine.Shipped.Copy(t))
	before := []engine.Turn{{Question: "how many comedies are there", Restated: "how many comedies are there"}}
	if a := e.Ask(t.Context(), engine.Question{Text: "by Nolen?", History: before}, nil); a.Route == engine.Clarify {
		t.Errorf("%s: %s", a.Route, a.Text)
	}
}

// TestUnprovedWordings opens a library in which words and queries part: that is
// one warning that says what to do.
func TestUnprovedWordings(t *testing.T) {
	data := engine.Shipped.Copy(t)
	e := start(t, data)
	for _, question := range []string{"how many films are there from 1931", "how many films are there from 1932"} {
		c := store.Case{Question: question, Wordings: []string{question}, Query: "MATCH (p:Person) RETURN count(p) AS n", Status: store.Verified, Source: "hand"}
		if _, err := e.Library().Add(t.Context(), c, cases.Change{By: "tests", Why: "wrong on purpose"}); err != nil {
			t.Fatal(err)
		}
	}
	stop(t, e)
	e, warnings, err := engine.Open(t.Context(), engine.Config{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, e)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "read otherwise now: 2, of which no longer answer: 0") || !strings.Contains(warnings[0], "--as-is") {
		t.Errorf("%q", warnings)
	}
	a := e.Ask(t.Context(), engine.Question{Text: "how many films are there from 1931"}, nil)
	if strings.Contains(a.Query, "Person") && len(a.Doubts) == 0 {
		t.Errorf("told as fact: %s", a.Text)
	}
}
