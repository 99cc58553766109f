package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
)

// ErrCase reports a case that can't be used; its text says why and what to do.
var ErrCase = errors.New("case")

// checkPromotion is asked before a case is verified: it parses, passes the
// policy, names what exists, has its parameters, returns rows (or its author
// says that none is right), its framed wordings prove it, and no other verified
// case has its reading.
func (e *Engine) checkPromotion(ctx context.Context, c store.Case) error {
	v := e.policy.Query(c.Query)
	if !v.Allow {
		return fmt.Errorf("%w: %s", ErrCase, v.Reason)
	}
	params := exampleParams(c)
	for name := range reading.FactsOf(v.Statement).Params {
		if _, ok := params[name]; !ok {
			return fmt.Errorf("%w: the query uses $%s, and no slot fills it", ErrCase, name)
		}
	}
	q := store.Query{Text: c.Query, Params: params}
	problems, err := e.graph.Explain(ctx, q)
	if err != nil {
		return err
	}
	for _, p := range problems {
		if p.Kind == "label" || p.Kind == "type" || p.Kind == "property" || p.Kind == "parameter" {
			return fmt.Errorf("%w: %s", ErrCase, p.Message)
		}
	}
	t, err := e.graph.Run(ctx, q, e.limits)
	if err != nil {
		return err
	}
	if len(t.Rows) == 0 && !c.EmptyOK {
		return fmt.Errorf("%w: the query finds nothing for its own example; if that is right, say so (empty_ok)", ErrCase)
	}
	reader := e.snapshot().reader
	for _, w := range c.Wordings {
		rd, err := reader.ReadWording(w, c.Slots)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCase, err)
		}
		if rd.Frame != nil {
			if err := prove(reader, rd, &c); err != nil {
				return fmt.Errorf("%w: %q and the query don't prove each other: %w", ErrCase, w, err)
			}
		}
		e.index.RLock()
		others := e.byKey[rd.Key()]
		e.index.RUnlock()
		for _, o := range others {
			if o.c.ID != c.ID {
				return fmt.Errorf("%w: case %s is asked the same way: %s", ErrCase, o.c.ID, o.c.Question)
			}
		}
	}
	return nil
}

// Vote takes a user's verdict on an answer.
func (e *Engine) Vote(ctx context.Context, v Vote) (Voted, error) {
	entry, err := e.library.Entry(ctx, v.Answer)
	if err != nil {
		return Voted{}, err
	}
	if entry.CaseID == "" && entry.Route == string(ByModel) && v.Value != string(cases.None) {
		if err := e.candidate(ctx, entry); err != nil {
			return Voted{}, err
		}
	}
	done, err := e.library.Vote(ctx, cases.Ballot{Answer: v.Answer, User: v.User, Curator: v.Curator, Value: cases.Value(v.Value), Reason: cases.Reason(v.Reason), Why: v.Why})
	if err != nil {
		return Voted{}, err
	}
	out := Voted{Answer: done.Answer, Before: done.Before, After: done.After, By: done.By, Reason: done.Reason, Flagged: done.Flagged}
	if done.Case != "" {
		out.Case = &done.Case
	}
	return out, nil
}

// candidate makes the question of a journal entry and the query that answered
// it a candidate.
func (e *Engine) candidate(ctx context.Context, entry cases.Entry) error {
	c, key, err := e.worked(entry.Restated, store.Query{Text: entry.Query, Params: entry.Params})
	if err != nil {
		return err
	}
	c.Source = "liked"
	if entry.Repairs > 0 {
		c.Source = "repaired"
	}
	c.Author = entry.User
	_, err = e.library.Candidate(ctx, cases.Asked{Key: key, Case: c, User: entry.User, Private: entry.Scope == cases.Private, Answer: entry.ID},
		cases.Change{By: entry.User, Why: "answered by the model"})
	return err
}

// worked makes a case of a question and its query: values that the question
// names become slots. The key is its reading and its query tree.
func (e *Engine) worked(question string, q store.Query) (store.Case, string, error) {
	s := e.snapshot()
	stmt, err := cypher.Parse(q.Text)
	if err != nil {
		return store.Case{}, "", fmt.Errorf("%w: %w", ErrCase, err)
	}
	rd := s.reader.Read(question)
	c := store.Case{Graph: e.name, Question: question, Schema: s.schema.Hash, Status: store.Candidate}
	lifter := lift{stmt: stmt, params: q.Params}
	wording := question
	slots := slices.Clone(rd.Slots)
	slices.SortStableFunc(slots, func(a, b reading.Slot) int { return b.Start - a.Start }) // from the end, so that offsets hold
	for _, slot := range slots {
		if slot.End <= slot.Start {
			continue
		}
		name, ok := lifter.slot(slot)
		if !ok {
			continue
		}
		made := store.Slot{Name: name, Label: slot.Label, Property: slot.Property, Type: slot.Type, Example: slot.Value}
		if slot.Type == "number" {
			made.Type = "integer"
			if _, f := slot.Value.(float64); f {
				made.Type = "float"
			}
		}
		if slot.Type == "decade" {
			made.Example = fmt.Sprintf("%ds", slot.Value)
		}
		if len(c.Slots) > 0 && slices.ContainsFunc(c.Slots, func(x store.Slot) bool { return x.Name == name }) {
			continue
		}
		c.Slots = slices.Insert(c.Slots, 0, made)
		wording = wording[:slot.Start] + "{" + name + "}" + wording[slot.End:]
	}
	lifter.constants()
	c.Wordings = []string{wording}
	c.Query = cypher.Print(stmt)
	key := rd.Key()
	if again, err := s.reader.ReadWording(wording, c.Slots); err == nil {
		key = again.Key()
	}
	return c, key + "\n" + c.Query, nil
}

// lift turns the values of a query that a question names into slots.
type lift struct {
	stmt   *cypher.Statement
	params map[string]any
	taken  map[string]bool
}

// slot finds the parameter or literal of the query that has the slot's value
// and returns the parameter's name; ok is false where there is none, or
// several different ones.
func (l *lift) slot(s reading.Slot) (name string, ok bool) {
	if l.taken == nil {
		l.taken = make(map[string]bool)
	}
	if s.Type == "decade" {
		return "", false
	}
	for n, v := range l.params {
		if !l.taken[n] && same(v, s.Value) {
			l.taken[n] = true
			return n, true
		}
	}
	var at []*cypher.Literal
	cypher.Walk(l.stmt, func(n cypher.Node) bool {
		if x, isLiteral := n.(*cypher.Literal); isLiteral && same(x.Value, s.Value) {
			at = append(at, x)
		}
		return true
	})
	if len(at) == 0 {
		return "", false
	}
	name = l.fresh(s)
	replaceLiterals(l.stmt, at, name)
	l.taken[name] = true
	return name, true
}

// fresh is a parameter name that the query doesn't use.
func (l *lift) fresh(s reading.Slot) string {
	base := strings.ToLower(s.Label)
	if base == "" {
		base = s.Type
	}
	if s.Type != "string" && s.Property != "" {
		base = s.Property
	}
	used := reading.FactsOf(l.stmt).Params
	name := base
	for i := 2; used[name] || l.taken[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	return name
}

// constants writes parameters that no slot fills into the query as literals.
func (l *lift) constants() {
	for name, v := range l.params {
		if !l.taken[name] {
			replaceParameter(l.stmt, name, v)
		}
	}
}

// same reports whether two values are one, numbers by their value.
func same(a, b any) bool {
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x == y
	}
	return a == b
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}
