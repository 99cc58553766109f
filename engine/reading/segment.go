package reading

import (
	"precedent/engine/link"
	"precedent/store/text"
)

// A segment is a run of tokens that one thing explains.
type segment struct {
	from, to int
	terms    []Term
	mention  *link.Mention
	qty      quantity // tokens > 0 where it is a number
	period   *Slot    // of a wording's slot that is a day or a month
	slot     string   // the name of the wording's slot that stands here
	start    int      // bytes of the question
	end      int
}

func (s segment) term(k Kind) (Term, bool) {
	for _, t := range s.terms {
		if t.Kind == k {
			return t, true
		}
	}
	return Term{}, false
}

func (s segment) has(k Kind) bool {
	_, ok := s.term(k)
	return ok
}

// Costs of explaining tokens: fewest segments win; a token that nothing
// explains is dear, a weak name is a last resort.
const (
	costSegment = 10
	costWeak    = 60
	costUnread  = 1000
)

// segments covers ts with the fewest segments. placed are mentions and numbers
// of a wording's slots, whose tokens nothing else may take.
func (r *Reader) segments(lex *Lexicon, ts []text.Token, mentions []link.Mention, placed []segment) []segment {
	n := len(ts)
	best := make([]int, n+1)
	from := make([]segment, n+1)
	for i := 1; i <= n; i++ {
		best[i] = 1 << 30
	}
	offer := func(s segment, cost int) {
		if c := best[s.from] + cost; c <= best[s.to] { // of equals the one with the longer beginning
			best[s.to], from[s.to] = c, s
		}
	}
	fixed := make([]*segment, n)
	inside := make([]bool, n)
	for i := range placed {
		fixed[placed[i].from] = &placed[i]
		for k := placed[i].from; k < placed[i].to; k++ {
			inside[k] = true
		}
	}
	at := make([]*link.Mention, n)
	for i := range mentions {
		at[mentions[i].From] = &mentions[i]
	}
	for i := range n {
		if best[i] == 1<<30 {
			continue
		}
		if p := fixed[i]; p != nil {
			offer(*p, costSegment)
			continue
		}
		free := i
		for free < n && !inside[free] {
			free++
		}
		if m := at[i]; m != nil && m.To <= free {
			s := segment{from: i, to: m.To, mention: m, terms: lex.terms[text.Key(ts[i:m.To])]}
			cost := costSegment - 1
			if m.Weak {
				cost = costWeak
			}
			if !m.Weak && (m.Quoted || len(s.terms) == 0 || m.Candidates[0].How != "") {
				s.terms = nil
			}
			offer(s, cost)
		}
		quoted := ts[i].Quote > 0
		if !quoted {
			limit := min(free, i+2*lex.first[ts[i].Text]+1)
			for j := i + 1; j <= limit; j++ {
				if ts[j-1].Kind == text.Mark && ts[j-1].Text != "&" {
					continue
				}
				if terms := lex.terms[text.Key(ts[i:j])]; len(terms) > 0 {
					offer(segment{from: i, to: j, terms: terms}, costSegment)
				}
			}
			if q := quantityAt(ts[i:free]); q.tokens > 0 {
				offer(segment{from: i, to: i + q.tokens, qty: q}, costSegment)
			}
		} else if to := quoteEnd(ts, i); to > i && to <= free && at[i] == nil {
			// a quotation that is no value: text to look for
			offer(segment{from: i, to: to, terms: []Term{{Kind: Unknown, Name: "quoted"}}}, costSegment)
		}
		if ts[i].Kind == text.Mark {
			t := mark(ts[i].Text)
			if ts[i].Text == "-" && i > 0 && i+1 < n && ts[i-1].Kind == text.Number && ts[i+1].Kind == text.Number {
				t.Kind = RangeTo
			}
			if sign, n := signAt(ts, i); n > 0 {
				offer(segment{from: i, to: i + n, terms: []Term{sign}}, costSegment)
			} else if !isMeasure(ts, i) {
				offer(segment{from: i, to: i + 1, terms: []Term{t}}, costSegment)
			}
		}
		offer(segment{from: i, to: i + 1}, costUnread)
	}
	var out []segment
	for i := n; i > 0; i = from[i].from {
		s := from[i]
		s.start, s.end = ts[s.from].Start, ts[s.to-1].End
		out = append(out, s)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// signAt reads a sign that depends on what it is joined to: >= 8, 8+, 8分+. n is 0 where none stands.
func signAt(ts []text.Token, i int) (t Term, n int) {
	joined := func(k int) bool { return k > 0 && k < len(ts) && ts[k-1].End == ts[k].Start }
	switch {
	case ts[i].Text == "+" && joined(i) && (ts[i-1].Kind == text.Number || i > 1 && joined(i-1) && ts[i-2].Kind == text.Number):
		return Term{Kind: CmpPost, Op: ">="}, 1
	case (ts[i].Text == ">" || ts[i].Text == "<") && joined(i+1) && ts[i+1].Text == "=":
		return Term{Kind: Gt, Op: ts[i].Text + "="}, 2
	}
	return Term{}, 0
}

// isMeasure reports whether the mark at i changes what the number beside it
// means: 50%, ~8, ±2.
func isMeasure(ts []text.Token, i int) bool {
	switch ts[i].Text {
	case "%", "‰", "~", "±", "≈", "≠", "^", "*":
		return i > 0 && ts[i-1].Kind == text.Number || i+1 < len(ts) && ts[i+1].Kind == text.Number
	}
	return false
}

func quoteEnd(ts []text.Token, i int) int {
	q := ts[i].Quote
	if i > 0 && ts[i-1].Quote == q {
		return i
	}
	j := i
	for j < len(ts) && ts[j].Quote == q {
		j++
	}
	return j
}

// mark is what punctuation means.
func mark(s string) Term {
	switch s {
	case ",", "/", "&", "+":
		return Term{Kind: And, Name: ","}
	case "-", "·", "?", "!", ".", ":", ";", "…", "(", ")", "[", "]", "#", "*", "|", "'", "\"", "“", "”", "‘", "’":
		return Term{Kind: Filler}
	case ">", "<", "≥", "≤", "=":
		op := map[string]string{">": ">", "<": "<", "≥": ">=", "≤": "<=", "=": "="}[s]
		return Term{Kind: Gt, Op: op}
	case "~":
		return Term{Kind: Filler}
	}
	return Term{Kind: Unknown}
}
