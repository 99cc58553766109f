package engine

import (
	"context"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/text"
)

// Complete returns at most n questions that verified cases answer and that hold
// typed, those that begin with it first, else in the order of the cases' ids. Each
// is of another case, and in typed's language. Case, accents and width don't
// count. Once ctx has ended it returns what it found until then.
//
// It is made for every keystroke: but for the first call, and the first after
// cases changed, it takes about a millisecond at 10,000 cases, and no answer waits
// for it.
func (e *Engine) Complete(ctx context.Context, typed string, n int) []string {
	if err := e.follow(ctx); err != nil && ctx.Err() == nil {
		e.log.Warn("following the library; completing from the cases as they were", "err", err)
	}
	if ctx.Err() != nil {
		return nil // before a keystroke that nobody waits for makes completions
	}
	return e.completable().find(ctx, text.Fold(strings.TrimSpace(typed)), n)
}

// completable returns the completions of the cases in the index, made when they
// are first asked for.
func (e *Engine) completable() *completions {
	e.completing.Lock()
	defer e.completing.Unlock()
	cases, seq := e.verified()
	if e.completions == nil || e.completions.seq != seq {
		e.completions = e.completions.with(cases, seq)
	}
	return e.completions
}

// completeAnew has completions made of other cases, though none changed.
func (e *Engine) completeAnew() {
	e.completing.Lock()
	defer e.completing.Unlock()
	e.completions = nil
}

// completions are the wordings of verified cases as people may type them. They
// are never changed: those of other cases share with them what is the same.
type completions struct {
	seq       int64 // of the library, up to which they go
	stretches []*stretch
}

// A stretch is some cases that follow one another by id, with their wordings.
type stretch struct {
	cases    []*store.Case
	wordings map[string]filled // by language
}

// filled are wordings of one language with their examples in the slots, folded.
type filled struct {
	text   string // each wording behind apart
	places []place
}

// A place is where a wording stands in a filled.
type place struct {
	end     uint32 // in its text
	of      uint16 // which of the stretch's cases
	wording uint16 // which of the case's
}

const (
	apart        = "\xff" // no folded text holds it, since it is no UTF-8
	stretchCases = 64     // of a stretch, at most: a change of one case fills and folds so many again
	probeBytes   = 31     // of what is typed, looked for in stretches: what is longer, strings.Index looks for more slowly
)

// with returns completions of cases, which are in the order of their ids.
// Stretches in which nothing changed stay. c may be nil.
func (c *completions) with(cases []*store.Case, seq int64) *completions {
	next := &completions{seq: seq}
	before := []*stretch{{}}
	if c != nil && len(c.stretches) > 0 {
		before = c.stretches
	}
	for i, s := range before {
		to := len(cases)
		if i+1 < len(before) {
			to, _ = byID(cases, before[i+1].cases[0].ID)
		}
		if slices.Equal(cases[:to], s.cases) {
			next.stretches = append(next.stretches, s)
		} else {
			next.stretches = append(next.stretches, stretchesOf(cases[:to])...)
		}
		cases = cases[to:]
	}
	return next
}

// stretchesOf divides cases into stretches of much the same length.
func stretchesOf(cases []*store.Case) (made []*stretch) {
	n := (len(cases) + stretchCases - 1) / stretchCases
	for i := range n {
		made = append(made, newStretch(cases[i*len(cases)/n:(i+1)*len(cases)/n]))
	}
	return made
}

func newStretch(cases []*store.Case) *stretch {
	texts, places := map[string][]byte{}, map[string][]place{}
	for i, c := range cases {
		for j, w := range c.Wordings {
			q, err := reading.Fill(w, c.Slots)
			if err != nil {
				continue // which answers nothing either
			}
			l := reading.Language(w)
			texts[l] = append(append(texts[l], apart...), text.Fold(q)...)
			places[l] = append(places[l], place{uint32(len(texts[l])), uint16(i), uint16(j)})
		}
	}
	s := &stretch{slices.Clone(cases), make(map[string]filled, len(texts))}
	for l, t := range texts {
		s.wordings[l] = filled{string(t), slices.Clone(places[l])}
	}
	return s
}

// find returns at most n questions that hold typed, which is folded.
func (c *completions) find(ctx context.Context, typed string, n int) []string {
	f := finding{typed: typed, n: n}
	language, probe := reading.Language(typed), typed[:min(len(typed), probeBytes)]
	for _, s := range c.stretches {
		if len(f.begin) == n || ctx.Err() != nil {
			break
		}
		if in := s.wordings[language]; strings.Contains(in.text, probe) {
			f.look(s.cases, in)
		}
	}
	var questions []string
	for _, at := range slices.Concat(f.begin, f.hold) {
		if len(questions) >= n {
			break
		}
		if q, err := reading.Fill(at.c.Wordings[at.wording], at.c.Slots); err == nil { // as it did before
			questions = append(questions, q)
		}
	}
	return questions
}

// finding are the wordings found until now, at most n of each kind.
type finding struct {
	typed       string
	n           int
	begin, hold []suggested
}

// suggested is a wording of a case.
type suggested struct {
	c       *store.Case
	wording uint16
}

// look looks through the wordings of cases, each case's one after the other: one of
// them is enough, and better one that begins with what is typed.
func (f *finding) look(cases []*store.Case, in filled) {
	start := 0
	for _, at := range in.places {
		c, folded := cases[at.of], in.text[start+len(apart):at.end]
		start = int(at.end)
		switch {
		case isLast(f.begin, c):
		case strings.HasPrefix(folded, f.typed):
			if isLast(f.hold, c) {
				f.hold = f.hold[:len(f.hold)-1]
			}
			if f.begin = append(f.begin, suggested{c, at.wording}); len(f.begin) == f.n {
				return
			}
		case len(f.hold) < f.n && !isLast(f.hold, c) && strings.Contains(folded, f.typed):
			f.hold = append(f.hold, suggested{c, at.wording})
		}
	}
}

// isLast reports whether the last wording that was found is of c.
func isLast(all []suggested, c *store.Case) bool {
	return len(all) > 0 && all[len(all)-1].c == c
}
