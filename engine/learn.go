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
)

// ErrCase reports a case that can't be used; its text says why and what to do.
var ErrCase = errors.New("case")

// checkPromotion is asked before a case is verified: it parses, passes the
// policy, names what exists, has its parameters, returns rows (or its author
// says that none is right), its wordings are read as its query goes or a curator
// overrules that, and no other verified case is asked so.
func (e *Engine) checkPromotion(ctx context.Context, c store.Case) error {
	v := e.gate.judge(c.Query)
	if !v.Allow {
		return fmt.Errorf("%w: %s", ErrCase, v.Reason)
	}
	params := exampleParams(c)
	for name := range reading.FactsOf(v.Statement).Params {
		if _, ok := params[name]; !ok {
			return unfilled(name)
		}
	}
	q := store.Query{Text: c.Query, Params: params}
	problems, err := e.gate.explain(ctx, q)
	if err != nil {
		return err
	}
	for _, p := range problems {
		if p.Kind == "label" || p.Kind == "type" || p.Kind == "property" || p.Kind == "parameter" {
			return fmt.Errorf("%w: %s", ErrCase, p.Message)
		}
	}
	t, err := e.gate.run(ctx, q, e.limits)
	if err != nil {
		return err
	}
	if len(t.Rows) == 0 && !c.EmptyOK {
		return fmt.Errorf("%w: the query finds nothing for its own example; if that is right, say so (empty_ok)", ErrCase)
	}
	reader := e.snapshot().reader
	for _, w := range c.Wordings {
		if _, err := reading.Fill(w, c.Slots); err != nil {
			return fmt.Errorf("%w: %w", ErrCase, err)
		}
		k, doubt := hearWording(reader, w, &c)
		if doubt != nil && doubt.mute {
			return fmt.Errorf("%w: %s", ErrCase, doubt.Error())
		}
		if doubt != nil && !c.AsIs && !e.composesTo(w, &c) {
			return fmt.Errorf("%w: %w", ErrCase, doubt.Doubt)
		}
		e.index.RLock()
		others := e.byKey[k.key]
		e.index.RUnlock()
		for _, o := range others {
			if o.c.ID != c.ID {
				return fmt.Errorf("%w: case %s is asked the same way: %s", ErrCase, o.c.ID, o.c.Question)
			}
		}
	}
	return nil
}

// checkMove is asked before a vote or a curator verifies a case: the checks of
// promotion, and of a case made of an answer that it will answer again.
func (e *Engine) checkMove(ctx context.Context, c store.Case) error {
	if err := e.follow(ctx); err != nil {
		return err
	}
	if c.Source == liked || c.Source == repaired {
		if !c.AsIs {
			if err := e.sticks(c); err != nil {
				return err
			}
		}
		if err := e.grounded(c); err != nil {
			return err
		}
	}
	if err := e.checkPromotion(ctx, c); err != nil {
		return err
	}
	if (c.Source == liked || c.Source == repaired) && !c.AsIs {
		return e.duplicate(c)
	}
	return nil
}

// duplicate returns a [cases.Duplicate] where a verified case has the query of
// c and the same kinds of slots.
func (e *Engine) duplicate(c store.Case) error {
	query, names, err := canonical(c.Query)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCase, err)
	}
	known, _ := e.verified()
	for _, o := range known {
		if o.ID == c.ID || len(o.Slots) != len(c.Slots) || len(o.Wordings) == cases.MaxWordings {
			continue
		}
		their, theirNames, err := canonical(o.Query)
		if err != nil || their != query {
			continue
		}
		if wordings, ok := reslotted(c, o, names, theirNames); ok {
			return cases.Duplicate{Of: o.ID, Wordings: wordings}
		}
	}
	return nil
}

// reslotted are the wordings of c with the slots of o, whose query has the
// same parameters in the same order.
func reslotted(c store.Case, o *store.Case, names, theirs []string) ([]string, bool) {
	var rename []string
	for _, s := range c.Slots {
		i := slices.Index(names, paramOf(s))
		if i < 0 {
			return nil, false
		}
		j := slices.IndexFunc(o.Slots, func(t store.Slot) bool {
			return paramOf(t) == theirs[i] && t.Label == s.Label && t.Property == s.Property && t.Type == s.Type
		})
		if j < 0 {
			return nil, false
		}
		rename = append(rename, "{"+s.Name+"}", "{"+o.Slots[j].Name+"}")
	}
	var out []string
	for _, w := range c.Wordings {
		out = append(out, strings.NewReplacer(rename...).Replace(w))
	}
	return out, true
}

// paramOf is the first parameter that a slot fills.
func paramOf(s store.Slot) string {
	if isPeriod(s) {
		return s.Name + "_from"
	}
	return s.Name
}

// sticks says why no question would ever be answered by c: each of its
// wordings names a value that has no place of its own in the query, or depends
// on who asks or when.
func (e *Engine) sticks(c store.Case) error {
	var why error
	for _, w := range c.Wordings {
		rd, err := e.snapshot().reader.ReadWording(w, c.Slots)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCase, err)
		}
		if rd.Key() == "" && rd.Bound != "" {
			why = fmt.Errorf("%w: %q means another thing to another asker, so the answer is nobody else's; ask again with the name itself, and like that", ErrCase, rd.Bound)
			continue
		}
		if err := datedApart(rd, &c); err != nil {
			why = err
			continue
		}
		i := slices.IndexFunc(rd.Slots, func(s reading.Slot) bool { return s.Name == "" })
		if i < 0 {
			return nil
		}
		why = fmt.Errorf("%w: %q names %v, and it isn't clear which one value of the query that is, so another value couldn't take its place; add the case by hand, with a slot for it", ErrCase, c.Question, rd.Slots[i].Value)
	}
	return why
}

// Vote takes a user's verdict on an answer.
func (e *Engine) Vote(ctx context.Context, v Vote) (Voted, error) {
	if err := e.follow(ctx); err != nil {
		return Voted{}, err
	}
	entry, err := e.library.Entry(ctx, v.Answer)
	if err != nil {
		return Voted{}, err
	}
	if entry.CaseID == "" && (entry.Route == string(ByModel) || entry.Route == string(Composed)) && v.Value != string(cases.None) && !v.Unproven && entry.Whole() {
		if err := e.candidate(ctx, entry); err != nil {
			return Voted{}, err
		}
	}
	done, err := e.library.Vote(ctx, cases.Ballot{Answer: v.Answer, User: v.User, Curator: v.Curator, Unproven: v.Unproven, Value: cases.Value(v.Value), Reason: cases.Reason(v.Reason), Why: v.Why, AsIs: v.AsIs})
	if err != nil {
		return Voted{}, err
	}
	out := Voted{Answer: done.Answer, Before: done.Before, After: done.After, By: done.By, Reason: done.Reason, Flagged: done.Flagged, Change: done.Change, Doubt: done.Doubt}
	if done.Case != "" {
		out.Case = &done.Case
	}
	return out, nil
}

// keyOf is the key of a case that isn't verified, by which the same question with the
// same query is the same candidate; "" where it can't be read.
func (e *Engine) keyOf(c store.Case) string {
	plain, _, err := canonical(c.Query)
	if err != nil || e.snapshot() == nil {
		return ""
	}
	rd, err := e.snapshot().reader.ReadWording(c.Wordings[0], c.Slots)
	if err != nil {
		return ""
	}
	return rd.Key() + "\n" + plain
}

// Sources of the cases that votes make.
const (
	liked    = "liked"
	repaired = "repaired" // liked, and the first draft was not it
)

// candidate makes the question of a journal entry and the query that answered
// it a candidate.
func (e *Engine) candidate(ctx context.Context, entry cases.Entry) error {
	picked := slices.DeleteFunc(slices.Clone(entry.Links), func(l store.Link) bool { return l.How != store.ByUser })
	c, key, err := e.work(entry.Restated, picked, store.Query{Text: entry.Query, Params: entry.Params})
	if err != nil {
		return err
	}
	why := "answered by the model"
	if entry.Route == string(Composed) {
		why = "answered by its words"
	}
	c.Source = liked
	if entry.Repairs > 0 {
		c.Source = repaired
	}
	c.Author = entry.User
	_, err = e.library.Candidate(ctx, cases.Asked{Key: key, Case: c, User: entry.User, Private: entry.Scope == cases.Private, Answer: entry.ID},
		cases.Change{By: entry.User, Why: why})
	return err
}
