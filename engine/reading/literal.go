package reading

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"precedent/engine/link"
	"precedent/store/text"
)

// literal is the reading of words outside the lexicon.
func (r *Reader) literal(question string, ts []text.Token, mentions []link.Mention, placed []segment) (string, []Slot) {
	type span struct {
		from, to int
		slot     Slot
	}
	var spans []span
	for _, p := range placed {
		if p.mention != nil {
			p.start, p.end = ts[p.from].Start, ts[p.to-1].End
			if s := r.slotOf(p, p.mention.Candidates[0].Label, p.mention.Candidates[0].Property); s != nil {
				spans = append(spans, span{p.from, p.to, *s})
			}
		} else if p.period != nil {
			spans = append(spans, span{p.from, p.to, *p.period})
		} else {
			spans = append(spans, span{p.from, p.to, Slot{Name: p.slot, Type: "number", Value: plain(p.qty.value), Start: ts[p.from].Start, End: ts[p.to-1].End}})
		}
	}
	for i := range mentions {
		m := &mentions[i]
		if !m.Sure() || len(m.Candidates) != 1 {
			continue
		}
		if s := r.slotOf(segment{from: m.From, to: m.To, mention: m, start: ts[m.From].Start, end: ts[m.To-1].End}, m.Candidates[0].Label, m.Candidates[0].Property); s != nil {
			spans = append(spans, span{m.From, m.To, *s})
		}
	}
	var b strings.Builder
	b.WriteString("“")
	var slots []Slot
	after := false // a slot stands right before
	for i := 0; i < len(ts); {
		if j := slices.IndexFunc(spans, func(s span) bool { return s.from == i }); j >= 0 {
			b.WriteString(" " + spans[j].slot.String())
			slots = append(slots, spans[j].slot)
			i, after = spans[j].to, true
			continue
		}
		if s, n := periodAt(ts[i:]); n > 0 && !slices.ContainsFunc(spans, func(s span) bool { return i < s.from && s.from < i+n }) {
			b.WriteString(" " + s.String())
			slots = append(slots, s)
			i, after = i+n, true
			continue
		}
		if ts[i].Kind == text.Number {
			if q := quantityAt(ts[i:]); q.tokens > 0 && q.kind != Decade {
				s := Slot{Type: "number", Value: plain(q.value), Start: ts[i].Start, End: ts[i+q.tokens-1].End}
				b.WriteString(" " + s.String())
				slots = append(slots, s)
				i += q.tokens
				after = true
				continue
			}
		}
		if ts[i].Kind != text.Mark {
			if ts[i].Kind != text.Han || i == 0 || ts[i-1].Kind != text.Han || after {
				b.WriteByte(' ')
			}
			b.WriteString(ts[i].Text)
			after = false
		} else if says(ts, i) {
			b.WriteString(" " + ts[i].Text)
			after = false
		}
		i++
	}
	b.WriteString(" ”")
	return b.String(), slots
}

// says reports whether a mark says something that the same words without it don't: more
// than 100, 100 %, minus 100, 100 €. Punctuation, hyphens and pictures don't.
func says(ts []text.Token, i int) bool {
	r, _ := utf8.DecodeRuneInString(ts[i].Text)
	switch {
	case r == '-' || r == '−':
		return i+1 < len(ts) && ts[i+1].Kind == text.Number && ts[i+1].Start == ts[i].End && (i == 0 || ts[i-1].Kind == text.Mark || ts[i-1].End < ts[i].Start)
	case r == '%' || r == '‰':
		return true
	}
	return unicode.In(r, unicode.Sm, unicode.Sc)
}

// plain is an integer where v is whole.
func plain(v float64) any {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return int64(v)
	}
	return v
}

// quotedText is the text of a quotation.
func (c *chunker) quotedText(s segment) string {
	if len(c.tokens) == 0 {
		return ""
	}
	return c.question[c.tokens[s.from].Start:c.tokens[s.to-1].End]
}
