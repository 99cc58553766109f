package reading

import (
	"slices"
)

// comparing are the kinds of terms that compare, before and behind a number.
var (
	comparesBefore = []Kind{Gt, TimeCmp}
	comparesBehind = []Kind{CmpPost, TimePost}
)

// bounds finds comparisons with numbers.
func (h *hearing) bounds() {
	for i, p := range h.ps {
		if p.qty.tokens == 0 || p.qty.kind == Decade || slices.Contains(h.timed, i) || h.isMeasured(i) && !h.isShare(i) {
			continue
		}
		from, to, op := i, i+1, ""
		if t, ok := h.before(i); ok {
			from, op = t.at, t.Op
		}
		if t, ok := h.behind(i); ok && (op == "" || op == t.Op) {
			to, op = t.at+1, t.Op
		}
		if op == "" || op == "=" {
			continue
		}
		b := Bound{Op: op, Values: []float64{p.qty.value}, Words: h.words(from, to)}
		for k := from; k < to; k++ {
			_, loose := h.at(k).is("loose")
			b.Loose = b.Loose || loose
		}
		if h.isShare(i) {
			b.Values = append(b.Values, p.qty.value/100)
		}
		if u, ok := h.at(i + 1).term(UnitWord); ok && u.Factor > 0 {
			b.Values = append(b.Values, p.qty.value*u.Factor)
		}
		h.Bounds = append(h.Bounds, b)
	}
}

// isMeasured reports whether the number at i is a share or a rough one, or one of a
// range, whose ends no single comparison says.
func (h *hearing) isMeasured(i int) bool {
	last := h.ps[i].to
	return last < len(h.ts) && isMeasure(h.ts, last) || h.ps[i].from > 0 && isMeasure(h.ts, h.ps[i].from-1)
}

// isShare reports whether the number at i is a percentage.
func (h *hearing) isShare(i int) bool {
	last := h.ps[i].to
	return last < len(h.ts) && h.ts[last].Text == "%"
}

type foundTerm struct {
	Term
	at int
}

// before is the comparison that stands before the number at i.
func (h *hearing) before(i int) (foundTerm, bool) {
	k := i - 1
	for k >= 0 && k >= i-2 {
		t, ok := h.at(k).term(comparesBefore...)
		if _, filler := h.at(k).term(Filler); filler && ok && t.Kind == Gt { // 下过3张单
			return foundTerm{}, false
		}
		if ok {
			return foundTerm{t, k}, true
		}
		if _, filler := h.at(k).term(Filler, In, YearMark); !filler {
			break
		}
		k--
	}
	return foundTerm{}, false
}

// mostBehind is how many words may stand between a number and what compares behind
// it: 5 orders or more, 100元以上.
const mostBehind = 2

func (h *hearing) behind(i int) (foundTerm, bool) {
	for k := i + 1; k <= i+1+mostBehind; k++ {
		p := h.at(k)
		if t, ok := p.term(comparesBehind...); ok && h.at(k+1).qty.tokens == 0 { // not: after 3 and before 5
			return foundTerm{t, k}, true
		}
		if _, joins := p.term(And, Or, Not, Without, In, Most, Least, Top, AskList, AskCount); p.qty.tokens > 0 || joins || p.named {
			break
		}
	}
	return foundTerm{}, false
}
