package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

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

// askedBefore is the lines of an import on which something is asked first, by digests
// of readings alone and of readings with what answers them: a million cases take
// some 60 MB.
type askedBefore map[[16]byte]uint32

// repeats holds what the case on a line says against those before it in one
// import, by their readings: whether one of them says the same, or else the line
// of the one with which it shares a reading, or 0. What neither does is kept.
func (t askedBefore) repeats(s saying, line int) (same bool, as int) {
	for _, r := range s.readings {
		if of, taken := t[digestOf(r.key)]; taken && r.key != "" { // no reading: nothing is asked that way
			return t.holds(s, of), int(of)
		}
	}
	for _, r := range s.readings {
		if r.key == "" {
			continue
		}
		t[digestOf(r.key)] = uint32(line)
		if answer, ok := s.answer(r); ok {
			t[digestOf(r.key, answer)] = uint32(line)
		}
	}
	return false, 0
}

// holds reports whether whatever s answers, the case on a line answers in the same way.
func (t askedBefore) holds(s saying, line uint32) bool {
	for _, r := range s.readings {
		answer, ok := s.answer(r)
		if !ok || r.key == "" || t[digestOf(r.key, answer)] != line {
			return false
		}
	}
	return len(s.readings) > 0
}

// answer is the query of s with the slots of a reading in their places, and
// whether each parameter is filled. A decade's slot fills two.
func (s saying) answer(r keyed) (text string, ok bool) {
	var b strings.Builder
	b.WriteString(s.query)
	for _, param := range s.params {
		at := -1
		for i, name := range r.names {
			for _, part := range []string{"", "_from", "_to"} {
				if name+part == param {
					at = i
					fmt.Fprintf(&b, "\n%d%s", i, part)
				}
			}
		}
		if at < 0 {
			return "", false
		}
	}
	return b.String(), r.names != nil
}

func digestOf(texts ...string) [16]byte {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return [16]byte(sum[:16])
}
