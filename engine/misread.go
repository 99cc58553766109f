package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cases"
)

// shippedSource is the source of the cases that come with the program.
const shippedSource = "shipped"

// misreadWhy is why curators are to look at a verified case whose words are read otherwise now.
const misreadWhy = "its words are read otherwise now than when it was verified"

// misread are the verified cases, but for those that drifted, with a wording that is
// read otherwise than the query goes, or as another case's.
func (e *Engine) misread(d *drift) (list []cases.Misread) {
	drifted := make(map[string]bool)
	for _, x := range d.all() {
		drifted[x.Case] = true
	}
	e.index.RLock()
	defer e.index.RUnlock()
	for _, c := range e.shown {
		if doubts := e.doubtsOf(c); len(doubts) > 0 && !drifted[c.ID] {
			list = append(list, cases.Misread{Case: c.ID, Question: c.Question, Doubt: doubts[0].Doubt,
				Answers: !slices.ContainsFunc(doubts, func(d doubt) bool { return d.mute })})
		}
	}
	return list
}

// doubtsOf are the doubts about the wordings of a case that is in the index, whose
// lock is held.
func (e *Engine) doubtsOf(c *store.Case) []doubt {
	doubts := e.doubts[c.ID]
	for _, key := range e.readers[c.ID] {
		found := e.byKey[key]
		if len(found) < 2 || agree(found) {
			continue
		}
		i := slices.IndexFunc(found, func(in indexed) bool { return in.c.ID != c.ID })
		if i >= 0 && !slices.ContainsFunc(found, func(in indexed) bool { return in.c.ID == c.ID && in.c.AsIs }) {
			doubts = append(doubts[:len(doubts):len(doubts)], doubt{Doubt: cases.Doubt{Wording: c.Wordings[0],
				Why: fmt.Sprintf("case %s is asked the same way: %s", found[i].c.ID, found[i].c.Question)}})
		}
	}
	return doubts
}

// Doubt is why a verified case is asked with exactly its words alone, if it is and no
// curator decided so.
func (e *Engine) Doubt(id string) (d cases.Doubt, doubted bool) {
	e.index.RLock()
	defer e.index.RUnlock()
	c := e.cases[id]
	if c == nil {
		return d, false
	}
	if doubts := e.doubtsOf(c); len(doubts) > 0 {
		return doubts[0].Doubt, true
	}
	return d, false
}

// flagSilent has curators look at the verified cases whose words are read otherwise.
func (e *Engine) flagSilent(ctx context.Context, list []cases.Misread) error {
	ids := make([]string, len(list))
	for i, m := range list {
		ids[i] = m.Case
	}
	e.fresh.mu.Lock()
	same := slices.Equal(e.fresh.flagged, ids)
	e.fresh.flagged = ids
	e.fresh.mu.Unlock()
	if same && len(ids) > 0 {
		return nil
	}
	return e.library.Flag(ctx, misreadWhy, ids)
}

// shownMisread is how many of them are named one by one.
const shownMisread = 5

func silentSaid(list []cases.Misread) string {
	var named []string
	mute := 0
	for i, m := range list {
		what := "answers only exactly its words"
		if !m.Answers {
			mute++
			what = "no longer answers"
		}
		if i < shownMisread {
			named = append(named, fmt.Sprintf("%s (%s) %s: %v", m.Case, m.Question, what, m.Doubt))
		}
	}
	if len(list) > shownMisread {
		named = append(named, "…")
	}
	return fmt.Sprintf("verified cases whose words are read otherwise now: %d, of which no longer answer: %d. %s. Put back the words of the glossary or the aliases that they were taught with, edit the case, or decide that it stays as it is: precedent cases promote ID --as-is", len(list), mute, strings.Join(named, "; "))
}
