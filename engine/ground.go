package engine

import (
	"fmt"
	"strings"
	"unicode"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

// ground is what a draft may tell without having found it in the graph.
func (a *asking) ground() guardrails.Ground {
	f := a.facts()
	return guardrails.Ground{Question: f.Question, Numbers: a.rd.Marks.Numbers, Values: f.Links, Words: f.Words, IsValue: a.isClaim}
}

// isClaim reports whether a name in a column's name would tell a value: not where its
// words are those of the schema (shipped, of shippedDate).
func (s *snapshot) isClaim(name string) bool {
	if !s.isNamed(name) {
		return false
	}
	for w := range strings.FieldsSeq(text.KeyOf(name)) {
		if s.pruner().rarity[w] == 0 {
			return true
		}
	}
	return false
}

// grounded says what the query of a case that answered somebody would tell that isn't
// in the graph, so that no votes make it right.
func (e *Engine) grounded(c store.Case) error {
	v := e.gate.judge(c.Query)
	if !v.Allow {
		return nil // which the checks of promotion say
	}
	s := e.snapshot()
	g := guardrails.Ground{Question: c.Question, Numbers: s.reader.Read(c.Question).Marks.Numbers, Words: s.names(), IsValue: s.isClaim}
	for _, s := range c.Slots {
		g.Values = append(g.Values, fmt.Sprint(s.Example))
	}
	if why := e.policy.Draft(v.Statement, exampleParams(c), g); why != "" {
		return fmt.Errorf("%w: %s", ErrCase, why)
	}
	return nil
}

// askedBack is a question back that a model wrote, where it names nothing but what
// the asker and the graph do; else our own.
func (a *asking) askedBack(clarify string) string {
	if strings.TrimSpace(clarify) == "" || len(a.policy.Back(clarify, a.facts())) > 0 {
		a.log.Info("an ungrounded question back replaced by our own", "ref", a.ID)
		return a.w.SayMore
	}
	return clarify
}

// lacking is what a model says that the graph lacks, if the asker said it: nothing
// else is told as missing.
func (a *asking) lacking(what string) string {
	asked := text.KeyOf(a.Question + "\n" + a.Restated)
	for _, t := range text.Tokens(what) {
		word := strings.TrimSuffix(t.Text, "s")
		if strings.ContainsFunc(t.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) && !strings.Contains(asked, word) {
			return fmt.Sprintf(a.w.Quoted, clipped(a.Restated))
		}
	}
	return what
}

// clipped is a question short enough to be quoted.
func clipped(s string) string {
	const longest = 60 // runes
	return shorten(strings.Join(strings.Fields(s), " "), longest)
}
