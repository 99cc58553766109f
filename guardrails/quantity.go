package guardrails

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"precedent/store"
	"precedent/store/text"
)

// A Quantity is a number that a question says.
type Quantity struct {
	Text string // as written, its unit too: 2 weeks, 20%, Q3, 五万

	code     bool      // a name with digits rather than a number: P0, SO-1001
	ways     []float64 // the numbers that may say it
	first    float64   // of a decade, whose years may say it; else 0
	percent  float64   // its part of a whole, 0 where it is no percentage
	quarter  int       // 1 to 4, whose months may say it; else 0
	duration store.Duration

	dimension wordKind // of its unit, "" for none
	amount    float64  // in the dimension's first unit
}

// half says as much of a year as of a number: "the second half of 2021".
const half = 0.5

// Quantities are the numbers of a question, in its order, that a query has to say
// somehow. Words that may be no number ("one", "first", "half"), and those of an unsaid
// number ("millions"), are none of them, nor are dates.
func Quantities(question string) []Quantity {
	ts := text.Tokens(question)
	var out []Quantity
	for _, n := range numerals(ts) {
		if n.kind == vague || n.kind == many || n.kind == calendar || n.kind == fraction && n.value == half || n.kind == ordinal && n.value == 1 || isMonth(ts, n) {
			continue
		}
		out = append(out, quantityOf(question, ts, n))
	}
	return out
}

// isMonth reports whether n is a month by its number, as 7月; 7个月 lasts so long.
func isMonth(ts []text.Token, n numeral) bool {
	return hanAt(ts, n.last, "月") || hanAt(ts, n.last+1, "月")
}

// quantityOf is a numeral with the ways in which a query may say it.
func quantityOf(question string, ts []text.Token, n numeral) Quantity {
	q := Quantity{}
	if code := codeAround(question, ts[n.first].Start); isCode(code) {
		letter, digits := code[:1], code[1:]
		if v, err := strconv.Atoi(digits); err != nil || !quarterWord.has(strings.ToLower(letter)) || quarterOf(float64(v)) == 0 {
			return Quantity{Text: code, code: true}
		}
		n.first--
		q.quarter = quarterOf(n.value)
	}
	v, last := n.value*n.scale, n.last
	q.ways = []float64{v}
	if n.scale != 1 {
		q.ways = append(q.ways, n.value) // of a property in millions
	}
	switch n.kind {
	case percent:
		q.percent = n.value / 100
		q.ways = []float64{n.value, q.percent, 1 - q.percent, 100 - n.value}
	case fraction:
		q.ways = []float64{v, v * 100, 1 / v, math.Round(1 / v)}
	case ordinal:
		q.ways = append(q.ways, v-1)
		if unit, end := unitBehind(ts, n.last, quarterWord); unit != "" {
			q.quarter, last = quarterOf(v), end
		}
	case decade:
		q.first = v
		if v < 100 {
			q.first += 1900
		}
	case minutes:
		q.counts(lastingWord, v*60)
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
	const longest = 200 // years; beyond it, it is a year
	if unit, last := unitBehind(ts, n.last, monthlyWord); unit != "" && v < longest {
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
	for _, kind := range dimensions {
		if unit, last := unitBehind(ts, n.last, kind); unit != "" {
			q.counts(kind, v*kind.of(unit))
			return last
		}
	}
	return n.last
}

// dimensions are the kinds of units that turn into each other by a factor.
var dimensions = []wordKind{lastingWord, massWord, lengthWord, volumeWord, energyWord, powerWord, moneyWord}

// counts adds what an amount, in the dimension's first unit, may be said with.
func (q *Quantity) counts(dimension wordKind, amount float64) {
	for _, unit := range theKinds()[dimension] {
		q.ways = append(q.ways, amount/unit)
	}
	q.dimension, q.amount = dimension, amount
	if dimension == lastingWord {
		q.duration = store.Duration{Seconds: int64(amount)}
	} else {
		q.ways = append(q.ways, amount)
	}
	slices.Sort(q.ways)
}

// Mistakes reports whether v, held against something whose name has these words, is
// q in another unit than the name's: 6 weeks as 6 of leadDays.
func (q Quantity) Mistakes(v any, name []string) bool {
	at, ok := store.Float(v)
	if !ok || q.dimension == "" {
		return false
	}
	for _, word := range slices.Backward(name) {
		if unit := q.dimension.of(word); unit > 0 {
			const near = 0.02 // of it, as people round
			want := q.amount / unit
			return math.Abs(at-want) > near*want
		}
	}
	return false
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

// codeAround is the run of letters, digits and marks within words around byte i,
// without Han.
func codeAround(s string, i int) string {
	apart := func(r rune) bool {
		return (!unicode.IsLetter(r) || unicode.Is(unicode.Han, r)) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./", r)
	}
	from := strings.LastIndexFunc(s[:i], apart)
	if from >= 0 {
		_, width := utf8.DecodeRuneInString(s[from:])
		from += width
	}
	to := len(s)
	if n := strings.IndexFunc(s[i:], apart); n >= 0 {
		to = i + n
	}
	return strings.Trim(s[max(from, 0):to], "-_./")
}

// isCode reports whether a run of letters and digits names something, rather than
// counting: P0, SO-1007, v3.5.7, but not 24h or mid-2020.
func isCode(run string) bool {
	if !strings.ContainsFunc(run, unicode.IsDigit) {
		return false
	}
	r, width := utf8.DecodeRuneInString(run)
	return unicode.IsLetter(r) && (unicode.IsUpper(r) || isDigit(run[width]))
}

// IsSmall reports whether q is no more than one thing, which a query needn't say.
func (q Quantity) IsSmall() bool {
	return !q.code && q.quarter == 0 && q.first == 0 && q.duration == (store.Duration{}) && len(q.ways) == 1 && q.ways[0] <= 1
}

// In reports whether v, a literal or parameter of a query or the name of something
// that it reads, may say q. A length of time may be said by the day that lies so far
// from today, the present day at the asker's.
func (q Quantity) In(v any, today time.Time) bool {
	if s, ok := v.(string); ok {
		return q.inText(s) || q.isAway(s, today)
	}
	n, ok := store.Float(v)
	return ok && q.is(n)
}

// isAway reports whether v is the date that lies q before or after today, or the day
// beside it.
func (q Quantity) isAway(v string, today time.Time) bool {
	day, err := time.Parse(time.DateOnly, v[:min(len(v), len(time.DateOnly))])
	if err != nil || q.duration == (store.Duration{}) {
		return false
	}
	const slack = 24 * time.Hour
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	for _, sign := range []int{-1, 1} {
		at := today.AddDate(0, sign*int(q.duration.Months), 0).Add(time.Duration(int64(sign)*q.duration.Seconds) * time.Second)
		if day.Sub(at).Abs() <= slack {
			return true
		}
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
	if month, ok := leadingDate(v); ok && q.quarter > 0 {
		return inQuarter(month, q.quarter)
	} else if ok && q.duration != (store.Duration{}) {
		return false
	}
	if q.first > 0 && strings.HasPrefix(v, fmt.Sprint(int64(q.first)/10)) {
		return true
	}
	folded := text.KeyOf(v)
	return slices.ContainsFunc(q.ways, func(w float64) bool {
		if w != math.Trunc(w) {
			return hasNumber(v, strconv.FormatFloat(w, 'f', -1, 64)) // of 10.4.8.254
		}
		return w >= 1 && w < 1e15 && hasNumber(folded, fmt.Sprint(int64(w)))
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
