package guardrails

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"precedent/store/text"
)

// A numeral is a number that a text mentions, with all that says how exactly.
type numeral struct {
	first, last int     // tokens it takes
	value       float64 // in units of scale
	scale       float64 // 1e6 for "2.9 million", else 1
	decimals    int     // digits behind the point
	kind        numeralKind
	exact       string // the digits of a plain number, "" for any other
}

type numeralKind uint8

const (
	plain   numeralKind = iota
	percent             // value of a hundred
	ordinal             // the value-th
	decade              // the ten years from value on
	minutes             // a length of time in minutes
	vague               // a word that also is no number: "one", "second", 一
)

// scales are words that multiply the number before them.
var scales = map[string]float64{
	"hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6, "m": 1e6, "mio": 1e6,
	"billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
}

var englishNumbers = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}

var englishOrdinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
	"ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "twentieth": 20,
}

var (
	hourWords   = []string{"h", "hr", "hrs", "hour", "hours"}
	minuteWords = []string{"m", "min", "mins", "minute", "minutes"}
)

// numerals finds the numbers in tokens, left to right, none within another.
func numerals(ts []text.Token) []numeral {
	var out []numeral
	for i := 0; i < len(ts); {
		n, ok := numeralAt(ts, i)
		if !ok {
			i++
			continue
		}
		out = append(out, n)
		i = n.last + 1
	}
	return out
}

func numeralAt(ts []text.Token, i int) (numeral, bool) {
	n := numeral{first: i, last: i, scale: 1}
	t := ts[i]
	switch {
	case t.Kind == text.Number:
		value, err := strconv.ParseFloat(t.Text, 64)
		if err != nil {
			return n, false
		}
		n.value, n.exact = value, t.Text
		if _, fraction, ok := strings.Cut(t.Text, "."); ok {
			n.decimals = len(fraction)
		}
		return suffixed(ts, n), true
	case t.Kind == text.Word:
		return englishNumeral(ts, n)
	case t.Kind == text.Han:
		return chineseNumeral(ts, n)
	}
	return n, false
}

func englishNumeral(ts []text.Token, n numeral) (numeral, bool) {
	word := ts[n.first].Text
	if value, ok := englishOrdinals[word]; ok {
		n.value, n.kind = value, ordinal
		return n, true
	}
	value, ok := englishNumbers[word]
	if !ok {
		return n, false
	}
	n.value = value
	if value >= 20 && int(value)%10 == 0 { // twenty-one
		next := n.last + 1
		if next < len(ts) && ts[next].Text == "-" {
			next++
		}
		if next < len(ts) && englishNumbers[ts[next].Text] > 0 && englishNumbers[ts[next].Text] < 10 {
			n.value += englishNumbers[ts[next].Text]
			n.last = next
		}
	}
	n = suffixed(ts, n)
	if word == "one" && n.last == n.first {
		n.kind = vague
	}
	return n, true
}

// suffixed reads what follows a number: its scale, percent, time, decade, ordinal.
func suffixed(ts []text.Token, n numeral) numeral {
	word, at := wordAfter(ts, n.last)
	if ratio, length := hanScale(ts, n.last+1); length > 0 {
		n.scale, n.last, n.exact = ratio, n.last+length, ""
		word, at = wordAfter(ts, n.last)
	}
	switch {
	case word == "":
		return n
	case word == "%" || word == "percent" || word == "pct" || word == "‰":
		n.kind, n.last, n.exact = percent, at, ""
	case slices.Contains(hourWords, word) || word == "小":
		return hours(ts, n, at)
	case slices.Contains(minuteWords[1:], word):
		n.last = at
	case slices.Contains([]string{"st", "nd", "rd", "th"}, word) && ts[at].Joined:
		n.kind, n.last = ordinal, at
	case word == "s" || word == "'s":
		if n.decimals == 0 && int(n.value)%10 == 0 && n.value >= 10 && ts[at].Joined {
			n.kind, n.last = decade, at
		}
	case word == "年" && at+1 < len(ts) && ts[at+1].Text == "代":
		n.kind, n.last = decade, at+1
	case scales[word] > 0 && (len(word) > 1 || ts[at].Joined):
		n.scale, n.last, n.exact = scales[word], at, ""
		if next, then := wordAfter(ts, at); scales[next] >= 1e3 && len(next) > 1 { // two hundred million
			n.scale, n.last = n.scale*scales[next], then
		}
	}
	return n
}

// hours reads "2h 28m", "2 hours and 28 minutes", "2小时28分".
func hours(ts []text.Token, n numeral, at int) numeral {
	if ts[at].Text == "小" {
		if at+1 >= len(ts) || ts[at+1].Text != "时" {
			return n
		}
		at++
	}
	n.kind, n.last, n.exact, n.scale = minutes, at, "", 60
	next := at + 1
	for next < len(ts) && (ts[next].Text == "and" || ts[next].Text == "," || ts[next].Text == "零" || ts[next].Text == "又") {
		next++
	}
	if next+1 >= len(ts) || ts[next].Kind != text.Number {
		return n
	}
	unit := ts[next+1].Text
	if !slices.Contains(minuteWords, unit) && unit != "分" {
		return n
	}
	if rest, err := strconv.ParseFloat(ts[next].Text, 64); err == nil {
		n.value, n.scale, n.decimals, n.last = n.value*60+rest, 1, 0, next+1
	}
	return n
}

// wordAfter is the token behind i and its position, a hyphen passed over.
func wordAfter(ts []text.Token, i int) (string, int) {
	i++
	if i < len(ts) && ts[i].Text == "-" && !ts[i].Joined && i+1 < len(ts) && ts[i+1].Kind == text.Word && i > 0 && ts[i].Start == ts[i-1].End {
		i++
	}
	if i >= len(ts) {
		return "", i
	}
	return ts[i].Text, i
}

// hanScale reads 万, 亿, 百万, 千万, 万亿 … from i on.
func hanScale(ts []text.Token, i int) (scale float64, length int) {
	scale = 1
	for ; i < len(ts); i++ {
		unit := map[string]float64{"百": 100, "千": 1e3, "万": 1e4, "亿": 1e8, "兆": 1e12}[ts[i].Text]
		if unit == 0 {
			break
		}
		scale *= unit
		length++
	}
	return scale, length
}

const hanDigits = "零一二三四五六七八九"

// measures are the words by which a Chinese numeral is surely a number.
const measures = "部位个名年岁分次种项条人小天月日集首张家座本场届国类组篇款只对倍美元块多余代"

// chineseNumeral reads 三部, 十二, 第二, 一百二十, 二〇二三年, 三十亿, 百分之五.
func chineseNumeral(ts []text.Token, n numeral) (numeral, bool) {
	i := n.first
	switch {
	case hanAt(ts, i, "百分之"):
		inner, ok := numeralAt(ts, i+min(3, len(ts)-i-1))
		if ok && i+3 < len(ts) {
			inner.first, inner.kind, inner.exact = i, percent, ""
			return inner, true
		}
		return n, false
	case ts[i].Text == "第":
		i++
		n.kind = ordinal
	}
	start := i
	for i < len(ts) && ts[i].Kind == text.Han && strings.Contains(hanDigits+"〇两十百千万亿", ts[i].Text) {
		i++
	}
	if i == start {
		return n, false
	}
	value, ok := hanValue(ts[start:i])
	if !ok {
		return n, false
	}
	n.value, n.last = value, i-1
	counted := i < len(ts) && strings.Contains(measures, ts[i].Text)
	uncertain := start > 0 && strings.Contains("几数好上", ts[start-1].Text) || hanAt(ts, start, "十分") || hanAt(ts, start, "万一")
	switch {
	case n.kind == ordinal:
		return n, true
	case uncertain, !counted && i-start < 2, i-start == 1 && ts[start].Text == "一":
		return n, false
	}
	return suffixed(ts, n), true
}

func hanAt(ts []text.Token, i int, s string) bool {
	for _, r := range s {
		if i >= len(ts) || ts[i].Text != string(r) {
			return false
		}
		i++
	}
	return true
}

// hanValue reads a Chinese numeral, by places or digit by digit.
func hanValue(ts []text.Token) (float64, bool) {
	digits, places := 0, 0
	var spelled, total, section, digit float64
	for _, t := range ts {
		r := t.Text
		switch r {
		case "〇":
			r = "零"
		case "两":
			r = "二"
		}
		if at := strings.Index(hanDigits, r); at >= 0 {
			digit = float64(at / len("零"))
			spelled = spelled*10 + digit
			digits++
			continue
		}
		places++
		switch unit := map[string]float64{"十": 10, "百": 100, "千": 1e3, "万": 1e4, "亿": 1e8}[r]; {
		case unit >= 1e4:
			if section+digit == 0 && total == 0 {
				section = 1
			}
			total, section = (total+section+digit)*unit, 0
		default:
			if digit == 0 {
				digit = 1
			}
			section += digit * unit
		}
		digit = 0
	}
	if places == 0 {
		return spelled, digits < 16
	}
	return total + section + digit, !math.IsInf(total, 0)
}
