package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/text"
)

// Teach reads what a user said about an answer: that a name in its question
// means a value of the graph ("sci fi means Sci-Fi", 小李子指的是莱昂纳多). It is
// kept as a candidate that names nothing before a curator approves it, and
// nobody but curators sees it if it was said or asked in private.
//
// ok is false where nothing was kept: said is no such sentence, it isn't sure
// what it says, or the user has too many waiting; t is empty then. If t has a
// note, it was understood: with [cases.NoteKnown] the name means that already,
// and with [cases.NoteTaken] it is the name of another value, which t holds.
// An alias that was decided on before comes back as it is: see its status.
//
// The error wraps [cases.ErrUnknownAnswer], or says what failed.
func (e *Engine) Teach(ctx context.Context, answer, user string, private bool, said string) (t cases.Taught, ok bool, err error) {
	if err := e.follow(ctx); err != nil {
		return t, false, err
	}
	entry, err := e.library.Entry(ctx, answer)
	if err != nil {
		return t, false, err
	}
	s := e.snapshot()
	m, ok := s.teaching(said, entry.Question, entry.Restated)
	if !ok {
		return t, false, nil
	}
	t = cases.Taught{
		Key: m.key(), Name: m.name, Label: m.value.Label, Property: m.value.Property, Value: fmt.Sprint(m.value.Value),
		Status: store.Candidate, By: user, Answer: answer, Private: private || entry.Scope == cases.Private,
	}
	if has := s.called(m.name); len(has) > 0 {
		t.Note, t.Status = cases.NoteKnown, ""
		if !slices.ContainsFunc(has, m.isFor) {
			t.Note, t.Label, t.Property, t.Value = cases.NoteTaken, has[0].Label, has[0].Property, fmt.Sprint(has[0].Value)
		}
		return t, false, nil
	}
	switch {
	case s.isEveryday(m.name):
		t.Note = cases.NoteCommon
	case s.isNear(m):
		t.Note = cases.NoteNear
	}
	kept, err := e.library.Teach(ctx, t)
	if errors.Is(err, cases.ErrTaughtFull) {
		e.log.Warn("an alias wasn't kept", "err", err)
		return cases.Taught{}, false, nil
	}
	return kept, err == nil, err
}

// called are the values that a name is already spelt like, whole, spaces and
// marks aside.
func (s *snapshot) called(name string) []link.Candidate {
	l := s.reader.Linker()
	if found := l.Names(name); len(found) > 0 {
		return found
	}
	ts := text.Tokens(name)
	for _, m := range l.Mentions(name, ts) {
		if m.From == 0 && m.To == len(ts) && m.Spelt {
			return m.Candidates
		}
	}
	return nil
}

// isEveryday reports whether a name could as well be ordinary words, or words
// that questions are made of.
func (s *snapshot) isEveryday(name string) bool {
	if link.IsCommon(name) {
		return true
	}
	rd := s.reader.Read(name)
	return len(rd.Unread) == 0 && !slices.ContainsFunc(rd.Mentions, func(m link.Mention) bool { return !m.Weak })
}

// isNear reports whether a name would be taken for a misspelling of other values.
func (s *snapshot) isNear(m teaching) bool {
	ts := text.Tokens(m.name)
	return slices.ContainsFunc(s.reader.Linker().Mentions(m.name, ts), func(n link.Mention) bool {
		return n.From == 0 && n.To == len(ts) && !slices.ContainsFunc(n.Candidates, m.isFor)
	})
}

// Taught lists the aliases that people taught, in that order: those of a status,
// or "" for all, without those for hidden values. Of those that are Private,
// nobody but curators may see the text.
func (e *Engine) Taught(ctx context.Context, status store.Status) ([]cases.Taught, error) {
	found, err := e.library.Taught(ctx, status)
	return slices.DeleteFunc(found, func(t cases.Taught) bool { return e.isHidden(t.Label + "." + t.Property) }), err
}

// DecideTaught approves or rejects an alias, from whatever it was: to decide
// the other way undoes it. An approved one is linked as every alias, from the
// next question on, in every process on the library; its text is public.
//
// The error wraps [cases.ErrUnknownTaught], or, with the reason why it can't be
// approved, [cases.ErrPromotion]: its value is gone, another value has the name,
// or a question that a verified case answers would say something else; or
// [cases.ErrMove] where the name was approved for another value just then.
func (e *Engine) DecideTaught(ctx context.Context, id string, approve bool, by, why string) (cases.Taught, error) {
	if err := e.follow(ctx); err != nil {
		return cases.Taught{}, err
	}
	to := store.Rejected
	if approve {
		t, err := e.library.OneTaught(ctx, id)
		if err != nil {
			return t, err
		}
		if to = store.Verified; t.Status != to {
			if err := e.checkTaught(t); err != nil {
				return t, fmt.Errorf("alias %q: %w: %w", id, cases.ErrPromotion, err)
			}
		}
	}
	t, err := e.library.DecideTaught(ctx, id, to, cases.Change{By: by, Why: why})
	if err != nil {
		return t, err
	}
	if err := e.follow(ctx); err != nil {
		e.log.Warn("linking what was taught; the next question tries again", "err", err)
	}
	return t, nil
}

// checkTaught is asked before an alias is approved.
func (e *Engine) checkTaught(t cases.Taught) error {
	s := e.snapshot()
	alias := aliasOf(t)
	if !slices.ContainsFunc(s.reader.Linker().Values(), func(v link.Value) bool {
		return v.Value == alias.Value && v.Property == alias.Property && slices.Contains(labelsOf(v), alias.Label)
	}) {
		return fmt.Errorf("the graph has no %s.%s %q that questions may name", t.Label, t.Property, t.Value)
	}
	for _, c := range s.called(t.Name) {
		if c.Label != t.Label || c.Property != t.Property || c.Value != t.Value {
			return fmt.Errorf("%q is the name of %s.%s %v already, and a question with it would have two meanings", t.Name, c.Label, c.Property, c.Value)
		}
	}
	if s.reader.Means(t.Name) != "" || s.reader.Knows(t.Key) {
		return fmt.Errorf("%q is a word that questions are made of", t.Name)
	}
	next, err := e.readerWith(s, append(slices.Clip(s.taught), alias))
	if err != nil {
		return err
	}
	for _, c := range e.holding([]link.Alias{alias}) {
		for _, w := range c.Wordings {
			before, _ := hearWording(s.reader, w, c)
			if after, _ := hearWording(next, w, c); before.key != "" && !before.own && (after.key == "" || after.own) {
				return fmt.Errorf("case %s answers %q, where %q would mean something else then", c.ID, w, t.Name)
			}
		}
	}
	return nil
}

func aliasOf(t cases.Taught) link.Alias {
	return link.Alias{Label: t.Label, Property: t.Property, Value: t.Value, Name: t.Name}
}

func aliasesOf(ts []cases.Taught) (as []link.Alias) {
	for _, t := range ts {
		as = append(as, aliasOf(t))
	}
	return as
}

// readerWith is the reader of s with taught in place of its aliases that people taught.
func (e *Engine) readerWith(s *snapshot, taught []link.Alias) (*reading.Reader, error) {
	return reading.New(s.reader.Glossary(), s.schema, s.reader.Linker().Values(), append(slices.Clip(e.aliases), taught...))
}

// followTaught brings the aliases that people taught up to date with the library.
func (e *Engine) followTaught(ctx context.Context) error {
	if _, _, changed, err := e.library.TaughtSince(ctx, e.snapshot().taughtSeq); err != nil || !changed {
		return err
	}
	e.following.Lock()
	defer e.following.Unlock()
	s := *e.snapshot()
	verified, next, changed, err := e.library.TaughtSince(ctx, s.taughtSeq)
	if err != nil || !changed {
		return err
	}
	before, after := s.taught, aliasesOf(verified)
	s.taughtSeq, s.taught = next, after
	if slices.Equal(before, after) { // somebody taught, nobody approved
		e.known.Store(&s)
		return nil
	}
	if s.reader, err = e.readerWith(&s, after); err != nil {
		return fmt.Errorf("linking what was taught: %w", err)
	}
	e.known.Store(&s)
	e.reread(slices.DeleteFunc(slices.Concat(before, after), func(a link.Alias) bool { return slices.Contains(before, a) && slices.Contains(after, a) }))
	return nil
}

// reread reads the cases again whose words hold one of names: most often they
// say the same, since nothing else is approved.
func (e *Engine) reread(names []link.Alias) {
	held := e.holding(names)
	cs := make([]store.Case, len(held))
	for i, c := range held {
		cs[i] = *c
	}
	readings := e.readings(cs)
	e.index.Lock()
	defer e.index.Unlock()
	for i, c := range held {
		e.drop(c.ID)
		e.put(c, readings[i])
	}
}

// holding are the verified cases in whose wordings one of names may stand.
func (e *Engine) holding(names []link.Alias) (found []*store.Case) {
	spelt := make([]string, len(names))
	for i, a := range names {
		spelt[i] = spelling(text.KeyOf(a.Name))
	}
	if len(spelt) == 0 {
		return nil
	}
	known, _ := e.verified()
	for _, c := range known {
		if slices.ContainsFunc(c.Wordings, func(w string) bool {
			w = spelling(text.Fold(w))
			return slices.ContainsFunc(spelt, func(s string) bool { return strings.Contains(w, s) })
		}) {
			found = append(found, c)
		}
	}
	return found
}
