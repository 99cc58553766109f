package reading

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	Time  bool   // of points in time: latest, 最早
	Words string // as the question has it; "" for no order
}

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

//go:embed said.en.txt said.zh.txt
var saidFiles embed.FS

// saidKinds are the kinds of words in said.en.txt and said.zh.txt.
var saidKinds = []string{"order", "ordinal", "limit", "single", "several", "month", "month.mark", "day.mark", "doubtful", "lead", "quarter", "half", "range", "not", "loose"}

// A saidTerm is what a phrase of these files says.
type saidTerm struct{ kind, value string }

// A saidWords is these files, read.
type saidWords struct {
	terms   map[string][]saidTerm // by folded phrase
	longest map[string]int        // tokens of the longest phrase that begins with a token
}

var saidLexicon = sync.OnceValue(func() *saidWords {
	w := &saidWords{terms: make(map[string][]saidTerm), longest: make(map[string]int)}
	for _, file := range []string{"said.en.txt", "said.zh.txt"} {
		b, err := saidFiles.ReadFile(file)
		if err == nil {
			err = w.parse(file, string(b))
		}
		if err != nil {
			panic(err) // it is part of the program; TestSaidFiles reads it
		}
	}
	return w
})

func (w *saidWords) parse(file, content string) error {
	n := 0
	for line := range strings.Lines(content) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		head, phrases, ok := strings.Cut(line, ": ")
		kind, value, _ := strings.Cut(head, " ")
		if !ok || !slices.Contains(saidKinds, kind) {
			return fmt.Errorf("%s:%d: want a line like \"order desc: most, the most\", got %q", file, n, line)
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			ts := unmarked(text.Tokens(strings.TrimSpace(phrase)))
			if len(ts) == 0 {
				return fmt.Errorf("%s:%d: a phrase is empty", file, n)
			}
			key := text.Key(ts)
			w.terms[key] = append(w.terms[key], saidTerm{kind, value})
			w.longest[ts[0].Text] = max(w.longest[ts[0].Text], len(ts))
		}
	}
	return nil
}

// A piece is a run of tokens that says one thing of size, order or time.
type piece struct {
	from, to int
	said     []saidTerm
	terms    []Term
	qty      quantity
	named    bool // a value of the graph
}

func (p piece) is(kind string) (value string, ok bool) {
	for _, t := range p.said {
		if t.kind == kind {
			return t.value, true
		}
	}
	return "", false
}

func (p piece) term(kinds ...Kind) (Term, bool) {
	for _, t := range p.terms {
		if slices.Contains(kinds, t.Kind) {
			return t, true
		}
	}
	return Term{}, false
}

// Said is what the words of a question say of size, order, number and time. Mentions
// are those of r's linker; their words say nothing else.
func (r *Reader) Said(question string, mentions []link.Mention) Said {
	ts := text.Tokens(question)
	h := hearing{question: question, ts: ts, ps: r.pieces(ts, mentions)}
	h.times()
	h.bounds()
	h.order()
	h.first()
	h.asked()
	return h.Said
}

// pieces cuts ts into the longest phrases that a lexicon knows, numbers and values.
func (r *Reader) pieces(ts []text.Token, mentions []link.Mention) []piece {
	own := saidLexicon()
	var out []piece
	for i := 0; i < len(ts); {
		if m := slices.IndexFunc(mentions, func(m link.Mention) bool { return m.From == i && m.Sure() && m.Spelt }); m >= 0 || ts[i].Quote > 0 {
			to := i + 1
			if m >= 0 {
				to = mentions[m].To
			}
			out = append(out, piece{from: i, to: to, named: true})
			i = to
			continue
		}
		p := piece{from: i, to: i + 1}
		longest := own.longest[ts[i].Text]
		for _, l := range r.lexicons {
			longest = max(longest, l.first[ts[i].Text])
		}
		for j := min(len(ts), i+longest); j > i; j-- {
			if ts[j-1].Kind == text.Mark && j > i+1 {
				continue
			}
			key := text.Key(ts[i:j])
			said := own.terms[key]
			var terms []Term
			for _, language := range languages {
				terms = append(terms, r.lexicons[language].terms[key]...)
			}
			if len(said)+len(terms) > 0 {
				p.to, p.said, p.terms = j, said, terms
				break
			}
		}
		if _, sorts := p.term(Ascending, Descending); !sorts && len(p.said) == 0 {
			if to := own.reaching(ts, i+1, p.to); to > 0 { // the | highest priority
				p = piece{from: i, to: to}
			}
		}
		if q := quantityAt(ts[i:]); q.tokens > 0 && q.tokens >= p.to-i {
			if _, isTime := p.is("quarter"); !isTime {
				p.to, p.qty = i+q.tokens, q
			}
		}
		out = append(out, p)
		i = p.to
	}
	return out
}

// reachingKinds are the kinds of phrases that other phrases may not cut into: the
// first | half, the | highest.
var reachingKinds = []string{"order", "quarter", "half"}

// reaching is where the first phrase of these kinds begins that begins from i on, before to, and
// ends there or behind; 0 where none does.
func (w *saidWords) reaching(ts []text.Token, i, to int) int {
	for ; i < to; i++ {
		for j := min(len(ts), i+w.longest[ts[i].Text]); j >= to; j-- {
			if slices.ContainsFunc(w.terms[text.Key(ts[i:j])], func(t saidTerm) bool { return slices.Contains(reachingKinds, t.kind) }) {
				return i
			}
		}
	}
	return 0
}

// languages are those that lexicons are of, in a fixed order.
var languages = []string{"en", "zh"}

// A hearing is a question on its way to what it says.
type hearing struct {
	Said
	question string
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
		o := Order{Desc: direction == "desc", Time: time != "", Words: h.words(i, i+1)}
		several = several || direction == "none" || h.Order.Words != "" && (h.Order.Desc != o.Desc || h.Order.Time != o.Time)
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
