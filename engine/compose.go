package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"precedent/engine/grammar"
	"precedent/engine/meaning"
	"precedent/engine/reading"
	"precedent/store"
)

// mostMeant is among how many meanings people are asked to choose.
const mostMeant = 4

// compose answers a question whose words have one meaning, by the query that it prints.
// Of a few it asks which is meant. What can't be said again in words is not told.
func (a *asking) compose(ctx context.Context) (settled bool) {
	if !a.composes || a.q.Model || a.open {
		return false
	}
	start := time.Now()
	means, said := a.meanings()
	since(&a.Timings.Reuse, start)
	if len(said) == 0 {
		return false
	}
	if len(means) > 1 {
		return a.whichMeaning(means, said)
	}
	return a.composed(ctx, means[0], said[0])
}

// meanings are what the question may mean, and each in words; none where they are too
// many to choose from, or one can't be said.
func (a *asking) meanings() (means []*meaning.Meaning, said []string) {
	means = a.grammar.ReadWith(a.Restated, a.q.Choices).Meanings
	if len(means) > mostMeant {
		return nil, nil
	}
	for _, m := range means {
		s := a.sayable(m)
		if s == "" {
			return nil, nil
		}
		said = append(said, s)
	}
	return means, said
}

// sayable is what m asks in words that read as m again, "" if there are none.
func (a *asking) sayable(m *meaning.Meaning) string {
	said := a.grammar.Say(m, a.Language)
	if said == "" {
		return ""
	}
	again := a.grammar.ReadWith(said, a.q.Choices)
	for _, o := range again.Meanings { // an ambiguous name stays one
		if o.Exact() == m.Exact() {
			return said
		}
	}
	return ""
}

// whichMeaning asks which of several meanings a question has.
func (a *asking) whichMeaning(means []*meaning.Meaning, said []string) (settled bool) {
	for i, s := range said {
		for _, o := range said[:i] {
			if o == s {
				return false // the words don't tell them apart
			}
		}
	}
	for i, m := range means {
		link := store.Link{Mention: a.Restated, Property: grammar.Picked, Value: m.Exact(), How: store.ByUser}
		a.Choices = append(a.Choices, Choice{Label: said[i], Value: said[i], Mention: a.Restated, Link: link})
	}
	a.Route = Clarify
	a.Text = a.w.Join(a.w.WhichMeaning, strings.Join(said, " / "))
	return true
}

// composed answers with the query of a meaning.
func (a *asking) composed(ctx context.Context, m *meaning.Meaning, said string) (settled bool) {
	if a.isStopped(m) {
		return false
	}
	q := a.grammar.Printer().Query(m)
	t, err := a.run(ctx, q)
	if isUnfit(err) {
		a.log.Error("a composed query can't be run", "meaning", m.Key(), "err", err)
		return false
	}
	a.Query, a.Params = q.Text, q.Params
	if err != nil {
		return a.graphFault(err)
	}
	key := m.Key()
	a.Route, a.Meaning, a.Understood = Composed, &key, &said
	a.show(t)
	return true
}

// isStopped reports whether a case that asks the same was turned down, or taken out of
// use: then what its words mean is in doubt, and composing says nothing either.
func (e *Engine) isStopped(m *meaning.Meaning) bool {
	e.index.RLock()
	defer e.index.RUnlock()
	return len(e.stopped[m.Key()]) > 0
}

// isOut reports whether a case was turned down, or taken out of use.
func isOut(c *store.Case) bool { return c.Status == store.Rejected || c.Status == store.Quarantined }

// stop keeps composing from answering what has these keys for the sake of c, and from
// nothing else for its sake. The index is locked.
func (e *Engine) stop(c *store.Case, keys []string) {
	for key, ids := range e.stopped {
		if delete(ids, c.ID); len(ids) == 0 {
			delete(e.stopped, key)
		}
	}
	for _, key := range keys {
		if e.stopped == nil {
			e.stopped = make(map[string]map[string]bool)
		}
		if e.stopped[key] == nil {
			e.stopped[key] = make(map[string]bool)
		}
		e.stopped[key][c.ID] = true
	}
}

// meaningKeys are the keys of what the wordings of a case mean that is out, none of another.
func (e *Engine) meaningKeys(c *store.Case) (keys []string) {
	if !e.composes || !isOut(c) {
		return nil
	}
	for _, w := range c.Wordings {
		if question, err := reading.Fill(w, c.Slots); err == nil {
			for _, m := range e.snapshot().grammar.Read(question).Meanings {
				keys = append(keys, m.Key())
			}
		}
	}
	return keys
}

// meant is the one meaning of a question, nil if it hasn't one.
func (e *Engine) meant(question string, picked []store.Link) *meaning.Meaning {
	if !e.composes {
		return nil
	}
	if means := e.snapshot().grammar.ReadWith(question, picked).Meanings; len(means) == 1 {
		return means[0]
	}
	return nil
}

// composesTo reports whether a wording's own meaning prints the query of a case, so that
// words and query prove each other.
func (e *Engine) composesTo(wording string, c *store.Case) bool {
	question, err := reading.Fill(wording, c.Slots)
	if err != nil {
		return false
	}
	m := e.meant(question, nil)
	if m == nil {
		return false
	}
	mine, _, err := canonical(e.snapshot().grammar.Printer().Query(m).Text)
	if err != nil {
		return false
	}
	theirs, _, err := canonical(c.Query)
	return err == nil && mine == theirs
}

// exampleLabels is of how many labels, the largest, questions are made up.
const exampleLabels = 5

// composable are questions that composing answers, made of the schema: how many there
// are, how many of each kind, who has the most.
func (e *Engine) composable(language string, n int) (out []string) {
	if !e.composes {
		return nil
	}
	s := e.snapshot()
	labels := slices.Clone(s.schema.Labels)
	slices.SortStableFunc(labels, func(a, b store.Label) int { return cmp.Compare(b.Count, a.Count) })
	labels = labels[:min(len(labels), exampleLabels)]
	var may []*meaning.Meaning
	for _, l := range labels {
		for _, p := range l.Properties {
			if p.Lists() && p.Distinct > 1 && p.Distinct < l.Count/2 && p.Type == "STRING" {
				may = append(may, &meaning.Meaning{Do: meaning.Groups, Of: &meaning.Set{Label: l.Name}, Each: &meaning.Each{Property: p.Name, Order: meaning.Descending}})
				break
			}
		}
		for _, r := range s.schema.Relationships {
			back, other := r.End == l.Name, r.End
			if back {
				other = r.Start
			}
			size := slices.IndexFunc(s.schema.Types, func(t store.RelType) bool { return t.Name == r.Type })
			if (back || r.Start == l.Name) && r.Start != r.End && size >= 0 && s.schema.Types[size].Count > l.Count*6/5 { // some have several
				by := meaning.CountOf{Role: meaning.Role{Steps: []meaning.Step{{Type: r.Type, Back: back}}}, Set: &meaning.Set{Label: other}}
				may = append(may, &meaning.Meaning{Do: meaning.List, Of: &meaning.Set{Label: l.Name, By: by, Sort: meaning.Descending, Ties: true}})
				break
			}
		}
		may = append(may, &meaning.Meaning{Do: meaning.Count, Of: &meaning.Set{Label: l.Name}})
	}
	for _, m := range may {
		said := s.grammar.Say(m, language)
		if again := s.grammar.Read(said).Meanings; len(out) < n && said != "" && len(again) == 1 && again[0].Exact() == m.Exact() {
			out = append(out, said)
		}
	}
	return out
}
