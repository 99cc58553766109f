package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
	"precedent/store/text"
)

// A case is asked by the readings of its wordings. What a wording reads as depends on
// the glossary, the aliases and the values of the graph, which all change after it was
// verified, so it is read anew whenever they do: a value that links now becomes a slot,
// in the words and in the query, as if it had linked when the case was taught. Where
// the words mean something by now that the query doesn't say, neither is believed more
// than the other: the case goes on answering whoever asks it with exactly its words,
// the answer says so, and curators decide. Nothing of this is kept: taking back the
// alias takes back the slot.

// keyed is one reading of a case.
type keyed struct {
	key   string
	names []string    // of the case's slots, in the order of the reading's
	cast  *store.Case // the case with slots for values that link now; nil: as it stands
	own   bool        // key is of exactly these words, with the example's values

	doubted bool // since they are read otherwise than the query goes
}

// heard is how a case is asked.
type heard struct {
	keys   []keyed
	doubts []doubt // of wordings that are read otherwise than the query goes
}

// A doubt is a wording's; mute, nobody can ask the case with it.
type doubt struct {
	cases.Doubt
	mute bool
}

// hear is how a verified case is asked; any other isn't.
func hear(r *reading.Reader, c *store.Case) (h heard) {
	if c.Status != store.Verified {
		return h
	}
	for _, w := range c.Wordings {
		k, d := hearWording(r, w, c)
		if d != nil && (d.mute || !c.AsIs) {
			h.doubts = append(h.doubts, *d)
		}
		if k.key != "" && !slices.ContainsFunc(h.keys, func(o keyed) bool { return o.key == k.key }) {
			h.keys = append(h.keys, k)
		}
	}
	return h
}

// hearWording is how a case is asked with one of its wordings: by its reading, where
// that and the query prove each other, else by its own words. d says why not by its reading.
func hearWording(r *reading.Reader, wording string, c *store.Case) (k keyed, d *doubt) {
	because := func(mute bool, err error) *doubt {
		d := &doubt{cases.Doubt{Wording: wording, Why: strings.TrimPrefix(err.Error(), ErrCase.Error()+": ")}, mute}
		if u, ok := errors.AsType[reading.Unproven](err); ok {
			d.Doubt = cases.Doubt{Wording: wording, Words: u.Words, Query: u.Query}
		}
		return d
	}
	rd, err := r.ReadWording(wording, c.Slots)
	switch {
	case err != nil:
		return k, because(true, err)
	case rd.Key() == "" && rd.Bound != "":
		return k, because(true, fmt.Errorf("%q means another thing to another asker, so the answer is nobody else's; ask again with the name itself, and like that", rd.Bound))
	case rd.Key() == "":
		return k, because(true, fmt.Errorf("%q has no words", wording))
	}
	if err := datedApart(rd, c); err != nil {
		return k, because(true, err)
	}
	own := keyed{key: ownWords(asAsked(wording, c)), own: true}
	doubted := own
	doubted.doubted = true
	cast := c
	if slotNames(rd) == nil {
		literal := rd.Frame == nil
		if cast, rd, err = recast(r, rd, wording, c); err != nil {
			if literal && !strings.Contains(wording, "{") {
				return own, nil // its words never stood for others
			}
			return doubted, because(false, err)
		}
	}
	if rd.Frame != nil {
		if err := prove(r, rd, cast); err != nil {
			return doubted, because(false, err)
		}
	}
	k = keyed{key: rd.Key(), names: slotNames(rd)}
	if cast != c {
		k.cast = cast
	}
	return k, nil
}

// example is a wording with its examples; they are known to fit.
func example(wording string, slots []store.Slot) string {
	said, _ := reading.Fill(wording, slots)
	return said
}

// asAsked is how a case is asked with one of its wordings: the first as it was.
func asAsked(wording string, c *store.Case) string {
	if c.Question != "" && len(c.Wordings) > 0 && wording == c.Wordings[0] {
		return c.Question
	}
	return example(wording, c.Slots)
}

// recast is a case with one wording, of which rd is the reading, and a slot for each
// value in it that has none, and the reading of that.
func recast(r *reading.Reader, rd reading.Reading, wording string, c *store.Case) (*store.Case, reading.Reading, error) {
	stmt, err := cypher.Parse(c.Query)
	if err != nil {
		return c, rd, fmt.Errorf("%w: %w", ErrCase, err)
	}
	made, at := newLift(stmt, nil).slots(rd.Slots)
	for _, s := range rd.Slots {
		if s.Name == "" && !slices.ContainsFunc(at, func(o reading.Slot) bool { return o.Start == s.Start && o.End > o.Start }) {
			return c, rd, fmt.Errorf("%q names %v, and it isn't clear which one value of the query that is, so another value couldn't take its place; write a slot for it, in the words and in the query", example(wording, c.Slots), s.Value)
		}
	}
	cast := *c
	cast.Query, cast.Slots = cypher.Print(stmt), append(slices.Clip(c.Slots), made...)
	slotted, err := reading.Reslot(wording, c.Slots, at)
	if err != nil {
		return c, rd, err
	}
	cast.Wordings = []string{slotted}
	if rd, err = r.ReadWording(slotted, cast.Slots); err == nil && slotNames(rd) == nil {
		err = fmt.Errorf("%q is read otherwise with a slot for each value", slotted)
	}
	return &cast, rd, err
}

// ownWords is the key of exactly the words of a question: in any case, however it is
// spaced and punctuated, but with every sign that may mean something.
func ownWords(question string) string {
	var b strings.Builder
	b.WriteString("own")
	for _, t := range text.Tokens(question) {
		if t.Kind == text.Mark && !strings.ContainsFunc(t.Text, means) {
			continue
		}
		b.WriteByte(' ')
		b.WriteString(t.Text)
	}
	return b.String()
}

// means reports whether a mark is more than punctuation.
func means(r rune) bool { return unicode.IsSymbol(r) || strings.ContainsRune("#%&*-/@", r) }

// covering returns the verified case that answers a question with a reading, and how
// many might. One that was verified with exactly these words comes first, where its
// query doesn't go by its reading: a curator kept it so, or has yet to decide.
func (e *Engine) covering(question string, rd reading.Reading) (in indexed, n int) {
	e.index.RLock()
	own, found := e.byKey[ownWords(question)], e.byKey[rd.Key()] // replaced, never changed in place
	e.index.RUnlock()
	if len(own) == 1 {
		return own[0], 1
	}
	if len(found) > 1 {
		found = settled(ownWords(question), found)
	}
	if len(found) != 1 {
		return in, len(found)
	}
	return found[0], 1
}
