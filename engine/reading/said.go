package reading

import (
	"slices"
	"strconv"
	"strings"

	"precedent/engine/link"
	"precedent/store/text"
)

// Said is what the words of a question say of size, order, number and time, whether
// or not they make a frame: what a query can be held against. What the words leave
// open isn't in it.
type Said struct {
	Bounds  []Bound
	Order   Order  // zero where it isn't said, or where several orders are
	First   int64  // "top 5", "the 3 cheapest"; 1 of "which … the most"; 0 where no number is said
	Extreme string // the words for the most or least of something, whichever that is
	Counted string // the label of what is counted: how many customers
	Several bool   // the words ask for several, or for one of each
	Times   []Time // the years, months, quarters, halves and days named, in order
	Ranged  bool   // words make a range of times, compare them or move them: between, since, ago
	Denied  bool   // words deny something
	When    bool   // the words ask when
	Mean    string // the words for an average
	Sum     string // those for the sum of a property
	Share   string // those for a part of a whole
	Deep    string // those for relationships followed over several steps
	Direct  string // those for one step
	Both    string // those that ask for two things of one
	Either  string // "or", between two things
	Starts  string // those for how a text begins
	Ends    string // those for how it ends
	Number  Thing  // what "how many" is said of, right beside it
	Which   Thing  // what "which" is said of
	By      bool   // "by" something
	Per     bool   // of each
}

// A Bound is a comparison with a number: "at least 5", 超过3.
type Bound struct {
	Op     string    // > >= < <=
	Values []float64 // the number; with a unit, in the property's own too
	Loose  bool      // people don't mind whether the number itself is in: 以上
	Words  string    // as the question has it
}

// An Order is the one that puts what is asked for first.
type Order struct {
	Desc  bool
	Span  bool   // of points in time that are over the other way round: the oldest has the earliest
	Time  bool   // of points in time: latest, 最早
	Words string // as the question has it; "" for no order
}

// A Thing is a label that a noun of the question stands for; "" for none.
type Thing struct{ Label, Words string }

// A Time is a stretch of the calendar, or its part of each year.
type Time struct {
	Year    int64 // 0 where none is said
	Month   int   // 1 to 12, 0 for none
	Quarter int
	Half    int
	Day     int
	Bounded string // > >= < <= where the words make a bound of it: "before May"
	Words   string // as the question has it
}

// IsYear reports whether t is a year and nothing closer.
func (t Time) IsYear() bool { return t.Month == 0 && t.Quarter == 0 && t.Half == 0 }

// Months are the first month of t in its year and the first behind it, 1 to 13.
func (t Time) Months() (from, to int) {
	switch {
	case t.Month > 0:
		return t.Month, t.Month + 1
	case t.Quarter > 0:
		return 3*t.Quarter - 2, 3*t.Quarter + 1
	case t.Half > 0:
		return 6*t.Half - 5, 6*t.Half + 1
	}
	return 1, 13
}

// Said is what the words of a question say of size, order, number and time. Mentions
// are those of r's linker; their words say nothing else.
func (r *Reader) Said(question string, mentions []link.Mention) Said {
	ts := text.Tokens(question)
	h := hearing{question: question, types: r.types, ts: ts, ps: r.pieces(ts, mentions)}
	h.times()
	h.bounds()
	h.order()
	h.first()
	h.asked()
	h.forms()
	return h.Said
}

// A hearing is a question on its way to what it says.
type hearing struct {
	Said
	question string
	types    map[string]string // of Label.property
	ts       []text.Token
	ps       []piece
	timed    []int // the pieces, by index, that are parts of times
}

func (h *hearing) at(i int) piece {
	if i < 0 || i >= len(h.ps) {
		return piece{}
	}
	return h.ps[i]
}

// words are those of the pieces from i to j, j excluded.
func (h *hearing) words(i, j int) string {
	return h.question[h.ts[h.ps[i].from].Start:h.ts[h.ps[j-1].to-1].End]
}

func (h *hearing) text(i int) string {
	if p := h.at(i); p.to == p.from+1 {
		return h.ts[p.from].Text
	}
	return ""
}

// order finds the order that is asked for.
func (h *hearing) order() {
	several := false
	for i, p := range h.ps {
		if _, ok := p.is("not"); ok {
			h.Denied = true
		}
		if _, ok := p.term(Ascending, Descending, SortBy); ok && len(p.said) == 0 {
			several = true // how to sort is said
		}
		value, ok := p.is("order")
		if !ok || p.qty.tokens > 0 || h.at(i+1).qty.tokens > 0 && isBoundToo(p) {
			continue
		}
		direction, time, _ := strings.Cut(value, " ")
		if direction != "none" && h.Extreme == "" {
			h.Extreme = h.words(i, i+1)
		}
		if direction == "any" {
			continue
		}
		span := direction == "long" || direction == "short"
		o := Order{Desc: direction == "desc" || direction == "long", Span: span, Time: time != "", Words: h.words(i, i+1)}
		several = several || direction == "none" || h.Order.Words != "" && (h.Order.Desc != o.Desc || h.Order.Time != o.Time || h.Order.Span != o.Span)
		h.Order = o
	}
	if several {
		h.Order = Order{}
	}
}

// isBoundToo reports whether words of an order are a bound before a number: 最多5个.
func isBoundToo(p piece) bool {
	_, ok := p.term(comparesBefore...)
	return ok
}

// first finds how many are asked for.
func (h *hearing) first() {
	single, asked, extreme, ordinal := false, false, false, false
	for i, p := range h.ps {
		if _, ok := p.is("ordinal"); ok {
			ordinal = true
		}
		if _, ok := p.is("several"); ok {
			h.Several = true
		}
		if _, ok := p.term(Per); ok && p.qty.tokens == 0 {
			h.Several = true
		}
		if _, ok := p.is("single"); ok {
			single = true
		}
		if t, ok := p.term(Noun, Agent); ok && !extreme && !asked {
			asked = true
			h.Several = h.Several || t.Plural
		}
		if direction, ok := p.is("order"); ok && direction != "none" {
			extreme = true
		}
		_, top := p.is("limit")
		direction, ordered := p.is("order")
		ordered = ordered && direction != "none"
		k := i + 1
		if h.skips(k) { // 最贵的5个
			k++
		}
		q := h.at(k)
		switch {
		case (top || ordered && !isBoundToo(p)) && q.qty.tokens > 0 && q.qty.kind == Number && !h.isMeasured(k) && !h.lasts(k+1):
			h.First = int64(q.qty.value)
		case ordered && i > 0 && h.at(i-1).qty.kind == Number && h.at(i-1).qty.tokens > 0 && !h.isMeasured(i-1) && !isBoundToo(p):
			h.First = int64(h.at(i - 1).qty.value)
		}
	}
	if h.First == 0 && single && !h.Several && h.Extreme != "" && (asked || !h.hasUnread()) {
		h.First = 1
	}
	if ordinal {
		h.First = 0
	}
}

// asked finds what is counted.
func (h *hearing) asked() {
	last := ""
	for i, p := range h.ps {
		if _, ok := p.term(AskWhen); ok {
			h.When = true
		}
		if t, ok := p.term(Noun); ok && !p.named {
			last = t.Label
		}
		if _, ok := p.term(AskCount); !ok || h.Counted != "" {
			continue
		}
		h.Counted = last
		for k := i + 1; k < len(h.ps); k++ {
			if t, ok := h.ps[k].term(Noun); ok {
				h.Counted = t.Label
				break
			}
		}
	}
}

// hasUnread reports whether some word is in no lexicon: it may be the plural of what
// is asked for.
func (h *hearing) hasUnread() bool {
	return slices.ContainsFunc(h.ps, func(p piece) bool {
		return !p.named && p.qty.tokens == 0 && len(p.said)+len(p.terms) == 0 && h.ts[p.from].Kind == text.Word && strings.HasSuffix(h.ts[p.from].Text, "s")
	})
}

// lasts reports whether the words at i count time: the top 5 minutes.
func (h *hearing) lasts(i int) bool {
	_, year := h.at(i).term(YearMark, DecadeMark)
	return year
}

// NumberOf is the number that s is, with the scale behind it: 5, 1,000, 5万, 2.5k;
// false where s is more or something else.
func NumberOf(s string) (float64, bool) {
	ts := text.Tokens(strings.TrimSpace(s))
	sign := 1.0
	if len(ts) > 1 && ts[0].Text == "-" {
		sign, ts = -1, ts[1:]
	}
	q := quantityAt(ts)
	if q.tokens == 0 || q.tokens != len(ts) || q.kind == Decade || ts[0].Kind != text.Number {
		return 0, false
	}
	return sign * q.value, true
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
