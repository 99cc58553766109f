package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/guardrails"
)

// OffTopic says what turns away a question that isn't about the graph. Injections,
// what would do harm, and requests to change the graph are always turned away.
type OffTopic string

// Ways of turning away.
const (
	OffTopicModel  OffTopic = "model"  // greetings, and the rest by the model's own, checked refusal; without a model as strict
	OffTopicStrict OffTopic = "strict" // the lists, with a model too
	OffTopicOff    OffTopic = "off"    // nothing
)

// refuse turns away what isn't a fair question of the graph.
func (a *asking) refuse(ctx context.Context) (settled bool) {
	defer since(&a.Timings.Allow, time.Now())
	asked := a.asked()
	r := a.policy.Question(asked)
	if r == nil {
		if what := a.rd.Marks.Absent; what != "" && a.rd.Frame == nil && !a.q.Anyway {
			return a.turnAway("missing_schema", a.reader.Glossary().Absent[what].Say[a.Language])
		}
		return false
	}
	if r.Kind == guardrails.OffTopic {
		if a.lets(r) || a.isFair() || len(a.turns) > 0 && (a.reader.Leans(a.q.Text) || a.reader.IsValue(a.q.Text)) {
			return false
		}
		if asked.Domain = append(asked.Domain, a.taughtWords(ctx, r.Evidence)...); len(asked.Domain) > 0 && a.policy.Question(asked) == nil {
			return false
		}
	}
	if r.Rule == guardrails.Greeting {
		return a.turnAway(greeting, "")
	}
	return a.turnAway(r.Kind, "")
}

// asked is the question with what the graph has to say to it.
func (a *asking) asked() guardrails.Asked {
	words, values := a.words.in(a.q.Text)
	asked := guardrails.Asked{Text: a.q.Text, Domain: append(words, a.rd.Marks.Domain...), Values: values}
	for _, m := range a.rd.Mentions {
		if asked.Named = append(asked.Named, m.Candidates[0].Mention); m.IsTelling() {
			asked.Links++
		}
	}
	return asked
}

// lets reports whether somebody else than a rule is to judge what a rule calls
// off-topic: the asker, the operator, or the model.
func (a *asking) lets(r *guardrails.Refusal) bool {
	switch {
	case a.q.Anyway || a.offTopic == OffTopicOff:
		return true
	case a.offTopic == OffTopicStrict || r.Rule == guardrails.Greeting:
		return false
	}
	return a.HasModel() && a.q.NoModel == ""
}

// greeting is off-topic, but people who thank or greet get a kinder sentence.
const greeting guardrails.Kind = "greeting"

// isFair reports whether a verified case covers what is asked: by its words, or by
// what it means, if that is of things that the graph knows. "who are you" names none.
func (a *asking) isFair() bool {
	about := a.rd.Frame == nil || len(a.rd.Marks.Domain)+len(a.rd.Mentions)+len(a.rd.Frame.Conds) > 0
	return about && a.covered(a.Restated, a.rd)
}

// anyway are the kinds of refusals that asking anyway gets around.
var anyway = []guardrails.Kind{guardrails.OffTopic, "missing_schema"}

// turnAway refuses the question by a rule, with advice and examples that work.
func (a *asking) turnAway(kind guardrails.Kind, what string) bool {
	a.turnedAway(kind, what)
	a.Refusal.Anyway = slices.Contains(anyway, a.Refusal.Kind)
	return true
}

// turnedAway refuses the question with advice and examples that work.
func (a *asking) turnedAway(kind guardrails.Kind, what string) bool {
	advice := a.w.Refusals[string(kind)]
	if strings.Contains(advice, "%s") {
		advice = fmt.Sprintf(advice, what)
	}
	if kind == greeting {
		kind = guardrails.OffTopic
	}
	a.Route = Refused
	a.Refusal = &Refusal{Kind: kind, Advice: advice}
	a.Suggestions = a.Examples(a.Language, 3)
	a.Text = advice
	if len(a.Suggestions) > 0 {
		a.Text = a.w.Join(advice, a.w.CantAsk, strings.Join(a.Suggestions, " · "))
	}
	return true
}
