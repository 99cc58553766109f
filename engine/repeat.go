package engine

import (
	"fmt"
	"slices"

	"precedent/store"
)

// A saying is how a case is asked and what answers it, whatever its slots are
// called.
type saying struct {
	readings []keyed  // one a wording
	query    string   // canonical
	params   []string // what the case calls its parameters, in their order
}

func (e *Engine) sayingOf(c store.Case) (s saying, err error) {
	if s.query, s.params, err = canonical(c.Query); err != nil {
		return s, fmt.Errorf("%w: the query: %w", ErrCase, err)
	}
	for _, w := range c.Wordings {
		rd, err := e.snapshot().reader.ReadWording(w, c.Slots)
		if err != nil {
			return s, fmt.Errorf("%w: %w", ErrCase, err)
		}
		s.readings = append(s.readings, keyed{rd.Key(), slotNames(rd)})
	}
	return s, nil
}

// isIn reports whether whatever s answers, o answers in the same way.
func (s saying) isIn(o saying) bool {
	if s.query != o.query {
		return false
	}
	for _, mine := range s.readings {
		if mine.key == "" || mine.names == nil || !slices.ContainsFunc(o.readings, func(theirs keyed) bool {
			return theirs.key == mine.key && s.fills(mine.names, o, theirs.names)
		}) {
			return false
		}
	}
	return len(s.readings) > 0
}

// fills reports whether slots fill the same places of the query in s and in o.
// A decade's slot fills two parameters.
func (s saying) fills(mine []string, o saying, theirs []string) bool {
	if len(mine) != len(theirs) {
		return false
	}
	called := make(map[string]string)
	for i, name := range mine {
		for _, part := range []string{"", "_from", "_to"} {
			called[name+part] = theirs[i] + part
		}
	}
	return slices.EqualFunc(s.params, o.params, func(m, t string) bool { return called[m] == t })
}

// repeated returns what c says, and the verified case that says the same, or nil.
func (e *Engine) repeated(c store.Case) (says saying, known *store.Case, err error) {
	if says, err = e.sayingOf(c); err != nil || len(says.readings) == 0 {
		return says, nil, err
	}
	e.index.RLock()
	others := e.byKey[says.readings[0].key] // replaced, never changed in place
	e.index.RUnlock()
	for _, o := range others {
		theirs, err := e.sayingOf(*o.c)
		if err == nil && says.isIn(theirs) {
			return says, o.c, nil
		}
	}
	return says, nil, nil
}

// asked is what a case of an import says, and where it stands.
type asked struct {
	saying
	where string
}

// distinct holds a case against those before it in one import, by their
// readings: whether one of them says the same, or else the reading that they share.
func distinct(c asked, keys map[string]asked) (repeats bool, err error) {
	for _, r := range c.readings {
		other, taken := keys[r.key]
		switch {
		case r.key == "": // no reading, so nothing is asked that way
		case taken && c.isIn(other.saying):
			return true, nil
		case taken:
			return false, fmt.Errorf("%w: %s is asked the same way", ErrCase, other.where)
		}
	}
	for _, r := range c.readings {
		keys[r.key] = c
	}
	return false, nil
}
