package tell

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Numbers says how people read the numbers of one column.
type Numbers struct {
	Grouped bool // thousands are set apart by commas, from 10,000 on
	Places  int  // decimals of each number; below 0 each has as many as it needs
}

// Bounds of decimals.
const (
	mostPlaces  = 6 // of numbers as stored; what has more was computed, and is rounded
	leastPlaces = 2 // of rounded numbers; more where two would read the same
)

// NumbersOf is the way of a column: one number of decimals for all its numbers,
// also those in lists, and thousands grouped unless its name says that it holds
// years or ids. A number that stands alone is never rounded, and rounding makes
// no two numbers equal and none zero.
func NumbersOf(column string, rows [][]any, i int) Numbers {
	n := Numbers{Grouped: !isLabelled(column)}
	var all []any
	for _, row := range rows {
		if i < len(row) {
			all = numbersIn(all, row[i])
		}
	}
	for _, v := range all {
		if f, ok := v.(float64); ok && isPlain(f) {
			_, fraction, _ := strings.Cut(Float(f), ".")
			n.Places = max(n.Places, len(fraction))
		}
	}
	if n.Places > mostPlaces {
		n.Places = rounded(all)
	}
	return n
}

// numbersIn adds the numbers of v to all.
func numbersIn(all []any, v any) []any {
	switch v := v.(type) {
	case int64, int, float64:
		return append(all, v)
	case []any:
		for _, x := range v {
			all = numbersIn(all, x)
		}
	}
	return all
}

// rounded is the least number of decimals with which numbers that need more than
// mostPlaces still differ, or -1.
func rounded(all []any) int {
	if len(all) < 2 {
		return -1
	}
	for places := leastPlaces; places <= mostPlaces; places++ {
		as := make(map[string]float64)
		if !slices.ContainsFunc(all, func(v any) bool {
			f := toFloat(v)
			s := strconv.FormatFloat(f, 'f', places, 64)
			was, seen := as[s]
			as[s] = f
			return seen && was != f || f != 0 && strings.Trim(s, "-0.") == ""
		}) {
			return places
		}
	}
	return -1
}

func toFloat(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// Text is a number as it stands in the column; ok is false where v is none.
func (n Numbers) Text(v any) (s string, ok bool) {
	switch v := v.(type) {
	case int64:
		s = strconv.FormatInt(v, 10)
	case int:
		s = strconv.Itoa(v)
	case float64:
		s = Float(v)
		if !isPlain(v) {
			return s, true
		}
		if n.Places >= 0 {
			s = strconv.FormatFloat(v, 'f', n.Places, 64)
		}
	default:
		return "", false
	}
	if _, isFloat := v.(float64); !isFloat && n.Places > 0 {
		s += "." + strings.Repeat("0", n.Places)
	}
	if n.Grouped {
		s = Group(s)
	}
	return s, true
}

// Group sets the thousands of a decimal number apart by commas where its whole
// part has more than four digits, which leaves years alone.
func Group(s string) string {
	whole, fraction, hasFraction := strings.Cut(s, ".")
	digits := strings.TrimPrefix(whole, "-")
	if len(digits) <= 4 {
		return s
	}
	var b strings.Builder
	b.WriteString(whole[:len(whole)-len(digits)])
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	if hasFraction {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// Float shows a number with the digits it needs and no others: what was stored
// as a float of 32 bits has those of 32 bits, 8.8 and not 8.800000190734863; an
// exponent stands only below 0.0001 and from 10¹⁵ on.
func Float(f float64) string {
	if narrow := float32(f); float64(narrow) == f && math.Abs(f) < 1e6 && math.Abs(f) >= 1e-4 {
		return strconv.FormatFloat(f, 'f', -1, 32)
	}
	if !isPlain(f) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// isPlain reports whether f is written without an exponent.
func isPlain(f float64) bool {
	a := math.Abs(f)
	return a == 0 || a >= 1e-4 && a < 1e15
}

// labelWords are words of columns whose numbers are names of something, not
// amounts.
var labelWords = []string{"year", "years", "id", "ids", "code", "zip", "zipcode", "postcode", "phone", "isbn"}

// labelMarks are the same in Chinese, where words aren't set apart.
var labelMarks = []string{"年份", "年代", "年度", "编号", "代码", "邮编", "电话", "号码"}

// isLabelled reports whether a column holds years, ids or the like.
func isLabelled(column string) bool {
	if slices.ContainsFunc(labelMarks, func(m string) bool { return strings.Contains(column, m) }) || strings.HasSuffix(column, "年") {
		return true
	}
	return slices.ContainsFunc(wordsOf(column), func(w string) bool { return slices.Contains(labelWords, w) })
}

// wordsOf are the words of a name, lower case: imdbId, imdb_id and m.imdbId have id.
func wordsOf(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}
