package guardrails

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"precedent/store"
	"precedent/store/text"
)

// A Quantity is a number that a question says.
type Quantity struct {
	Text string // as written, its unit too: 2 weeks, 20%, Q3, 五万

	code     bool      // a name with digits rather than a number: P0, SO-1001
	ways     []float64 // the numbers that may say it
	first    float64   // of a decade, whose years may say it; else 0
	quarter  int       // 1 to 4, whose months may say it; else 0
	duration store.Duration
}

// Quantities are the numbers of a question, in its order, that a query has to say
// somehow. Words that may be no number ("one"), and those of an unsaid number
// ("millions"), are none of them, nor are dates.
func Quantities(question string) []Quantity {
	ts := text.Tokens(question)
	var out []Quantity
	for _, n := range numerals(ts) {
		if n.kind == vague || n.kind == many || n.kind == calendar {
			continue
		}
		out = append(out, quantityOf(question, ts, n))
	}
	return out
}

// quantityOf is a numeral with the ways in which a query may say it.
func quantityOf(question string, ts []text.Token, n numeral) Quantity {
	q := Quantity{}
	if n.first > 0 && ts[n.first].Joined && ts[n.first-1].Kind == text.Word && ts[n.first].Kind == text.Number {
		if !quarterWord.has(ts[n.first-1].Text) {
			q.Text, q.code = codeAround(question, ts[n.first].Start), true
			return q
		}
		n.first--
		q.quarter = quarterOf(n.value)
	}
	v, unit, last := n.value*n.scale, "", n.last
	q.ways = []float64{v}
	if n.scale != 1 {
		q.ways = append(q.ways, n.value) // of a property in millions
	}
	switch n.kind {
	case percent:
		q.ways = []float64{n.value, n.value / 100, 1 - n.value/100, 100 - n.value}
	case fraction:
		q.ways = []float64{v, v * 100, 1 / v, math.Round(1 / v)}
	case ordinal:
		q.ways = append(q.ways, v-1)
		if unit, last = unitBehind(ts, n.last, quarterWord); unit != "" {
			q.quarter = quarterOf(v)
		}
	case decade:
		q.first = v
		if v < 100 {
			q.first += 1900
		}
	case minutes:
		q.lasts(v * 60)
	default:
		last = q.measured(ts, n, v)
	}
	q.Text = question[ts[n.first].Start:ts[last].End]
	return q
}

func quarterOf(v float64) int {
	if v >= 1 && v <= 4 {
		return int(v)
	}
	return 0
}

// measured adds what a number says with the unit behind it, and returns the last
// token of both.
func (q *Quantity) measured(ts []text.Token, n numeral, v float64) (last int) {
	if unit, last := unitBehind(ts, n.last, lastingWord); unit != "" {
		q.lasts(v * lastingWord.of(unit))
		return last
	}
	if unit, last := unitBehind(ts, n.last, monthlyWord); unit != "" {
		months := v * monthlyWord.of(unit)
		const daysOfMonth, weeksOfYear, daysOfYear = 30, 52, 365
		q.ways = append(q.ways, months, months/3, months/12, months*daysOfMonth, math.Round(months*daysOfYear/12), math.Round(months*weeksOfYear/12))
		q.duration = store.Duration{Months: int64(months)}
		return last
	}
	if unit, last := unitBehind(ts, n.last, sizeWord); unit != "" {
		for p := range int(sizeWord.of(unit)) {
			q.ways = append(q.ways, v*math.Pow(1000, float64(p+1)), v*math.Pow(1024, float64(p+1)))
		}
		return last
	}
	if unit, last := unitBehind(ts, n.last, metricWord); unit != "" {
		q.ways = append(q.ways, v*1000, v/1000, v*100, v/100)
		return last
	}
	return n.last
}

// lasts adds what a length of time in seconds may be said with.
func (q *Quantity) lasts(seconds float64) {
	for _, unit := range theKinds()[lastingWord] {
		q.ways = append(q.ways, seconds/unit)
	}
	slices.Sort(q.ways)
	q.duration = store.Duration{Seconds: int64(seconds)}
}

// unitBehind is the word of the kind right behind token i, perhaps with a measure
// word or a hyphen between, and its last token; "" and i where there is none.
func unitBehind(ts []text.Token, i int, kind wordKind) (unit string, last int) {
	at := i + 1
	if at+1 < len(ts) && betweenWord.has(ts[at].Text) {
		at++
	}
	for word := range theKinds()[kind] {
		n := 1
		switch {
		case at < len(ts) && ts[at].Text == word:
		case hanAt(ts, at, word) && word != "":
			n = len([]rune(word))
		default:
			continue
		}
		if len(word) > len(unit) {
			unit, last = word, at+n-1
		}
	}
	if unit == "" {
		return "", i
	}
	return unit, last
}

// codeAround is the run of letters, digits and hyphens around byte i.
func codeAround(s string, i int) string {
	apart := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./", r)
	}
	from := strings.LastIndexFunc(s[:i], apart) + 1
	if from > 0 {
		for from < i && s[from]&0xC0 == 0x80 {
			from++
		}
	}
	to := len(s)
	if n := strings.IndexFunc(s[i:], apart); n >= 0 {
		to = i + n
	}
	return strings.Trim(s[from:to], "-_./")
}

// IsSmall reports whether q is no more than one thing, which a query needn't say.
func (q Quantity) IsSmall() bool {
	return !q.code && q.quarter == 0 && q.first == 0 && q.duration == (store.Duration{}) && len(q.ways) == 1 && q.ways[0] <= 1
}

// In reports whether v, a literal or parameter of a query or the name of something
// that it reads, may say q.
func (q Quantity) In(v any) bool {
	switch v := v.(type) {
	case int64:
		return q.is(float64(v))
	case float64:
		return q.is(v)
	case string:
		return q.inText(v)
	}
	return false
}

func (q Quantity) is(v float64) bool {
	if q.first > 0 && v >= q.first && v <= q.first+10 {
		return true
	}
	if q.quarter > 0 && v == math.Trunc(v) && v >= 1 && v <= 12 && inQuarter(int(v), q.quarter) {
		return true
	}
	return slices.ContainsFunc(q.ways, func(w float64) bool { return math.Abs(v-w) <= 1e-9*max(1, math.Abs(w)) })
}

// inQuarter reports whether a month is of a quarter, or the first one behind it.
func inQuarter(month, quarter int) bool {
	first := 3*quarter - 2
	return month >= first && month <= first+3 || quarter == 4 && month == 1
}

func (q Quantity) inText(v string) bool {
	if q.code {
		return strings.Contains(text.KeyOf(v), text.KeyOf(q.Text))
	}
	if d, err := store.ParseDuration(v); err == nil && q.duration != (store.Duration{}) {
		const day = 24 * 60 * 60
		return d.Months == q.duration.Months && d.Days*day+d.Seconds == q.duration.Seconds
	}
	if d, ok := leadingDate(v); ok && q.quarter > 0 && inQuarter(d, q.quarter) {
		return true
	}
	if q.first > 0 && strings.HasPrefix(v, fmt.Sprint(int64(q.first)/10)) {
		return true
	}
	folded := text.KeyOf(v)
	return slices.ContainsFunc(q.ways, func(w float64) bool {
		return w >= 1 && w == math.Trunc(w) && w < 1e15 && hasNumber(folded, fmt.Sprint(int64(w)))
	})
}

// leadingDate is the month of a date as ISO 8601 writes it.
func leadingDate(v string) (month int, ok bool) {
	var year int
	n, err := fmt.Sscanf(v, "%4d-%2d", &year, &month)
	return month, err == nil && n == 2
}

// hasNumber reports whether digits stand in s with no other digit beside them, zeros
// before them aside.
func hasNumber(s, digits string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], digits)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(digits)
		before := strings.TrimRight(s[:from], "0")
		if (before == "" || !isDigit(before[len(before)-1])) && (to == len(s) || !isDigit(s[to])) {
			return true
		}
		at = from + 1
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
