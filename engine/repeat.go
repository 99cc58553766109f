package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
)

// A saying is how a case is asked and what answers it, whatever its slots are
// called.
type saying struct {
	readings []keyed  // one a wording
	query    string   // canonical
	params   []string // what the case calls its parameters, in their order
	examples []string // and their examples
}

func (e *Engine) sayingOf(c store.Case) (s saying, err error) {
	if s.query, s.params, err = canonical(c.Query); err != nil {
		return s, fmt.Errorf("%w: the query: %w", ErrCase, err)
	}
	s.examples = examplesOf(c, s.params)
	for _, w := range c.Wordings {
		if _, err := reading.Fill(w, c.Slots); err != nil {
			return s, fmt.Errorf("%w: %w", ErrCase, err)
		}
		k, _ := hearWording(e.snapshot().reader, w, &c)
		if k.cast != nil { // which has other parameters
			k.names = nil
		}
		s.readings = append(s.readings, k)
	}
	return s, nil
}

// examplesOf are the examples of a case for parameters, quoted.
func examplesOf(c store.Case, params []string) (quoted []string) {
	examples := exampleParams(c)
	for _, p := range params {
		quoted = append(quoted, fmt.Sprintf("%q", fmt.Sprint(examples[p])))
	}
	return quoted
}

// isIn reports whether whatever s answers, o answers in the same way.
func (s saying) isIn(o saying) bool {
	if s.query != o.query {
		return false
	}
	for _, mine := range s.readings {
		if mine.key == "" || !slices.ContainsFunc(o.readings, func(theirs keyed) bool { return theirs.key == mine.key && s.fills(mine, o, theirs) }) {
			return false
		}
	}
	return len(s.readings) > 0
}

// fills reports whether the slots of readings fill the same places of the query in s and in o.
func (s saying) fills(mine keyed, o saying, theirs keyed) bool {
	if mine.own || theirs.own {
		return mine.own && theirs.own && slices.Equal(s.examples, o.examples)
	}
	if mine.names == nil || len(mine.names) != len(theirs.names) {
		return false
	}
	called := make(map[string]string)
	for i, name := range mine.names {
		for _, part := range parts {
			called[name+part] = theirs.names[i] + part
		}
	}
	return slices.EqualFunc(s.params, o.params, func(m, t string) bool { return called[m] == t })
}

// parts are what the names of the parameters that one slot fills end in.
var parts = []string{"", "_from", "_to", "_year", "_month"}

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
// whether each parameter is filled.
func (s saying) answer(r keyed) (text string, ok bool) {
	if r.own {
		return s.query + "\n" + strings.Join(s.examples, "\n"), true
	}
	var b strings.Builder
	b.WriteString(s.query)
	for _, param := range s.params {
		at := -1
		for i, name := range r.names {
			for _, part := range parts {
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
