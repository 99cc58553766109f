package guardrails

import (
	"strconv"
	"strings"

	"precedent/store/text"
)

// A numeral is a number that a text mentions, with all that says how exactly.
type numeral struct {
	span
	value    float64 // in units of scale
	scale    float64 // 1e6 for "2.9 million", else 1
	decimals int     // digits behind the point
	kind     numeralKind
	exact    string // the digits of a plain number, "" for any other
	date     civil  // of a calendar numeral
	about    bool   // said to be near: it may be rounded further
}

// A civil date; what isn't said of it is 0.
type civil struct{ year, month, day int }

type numeralKind uint8

const (
	plain    numeralKind = iota
	percent              // value of a hundred
	ordinal              // the value-th
	decade               // the ten years from value on
	minutes              // a length of time in minutes
	times                // the value-fold of something
	fraction             // value of the whole
	calendar             // date
	many                 // an unsaid number of scales: "millions", 数十亿
	vague                // a word that also is no number: "one"
)

// numerals finds the numbers in tokens, left to right, none within another.
func numerals(ts []text.Token) []numeral {
	var out []numeral
	for i := 0; i < len(ts); {
		n, ok := calendarAt(ts, i)
		if !ok {
			n, ok = numeralAt(ts, i)
		}
		if !ok {
			i++
			continue
		}
		out = append(out, n)
		i = n.last + 1
	}
	return out
}

// numeralAt reads the number that begins at i.
func numeralAt(ts []text.Token, i int) (numeral, bool) {
	n, ok := wholeAt(ts, i)
	n.about = nearly(ts, i)
	if !ok || n.kind != plain && n.kind != vague {
		return n, ok
	}
	return broken(ts, n), true
}

// nearly reports whether a word before i says that a number is rounded.
func nearly(ts []text.Token, i int) bool {
	const far = 2
	for j := max(i-far, 0); j < i; j++ {
		if aboutWord.has(ts[j].Text) {
			return true
		}
	}
	return false
}

func wholeAt(ts []text.Token, i int) (numeral, bool) {
	n := numeral{span: span{i, i}, scale: 1}
	if i >= len(ts) {
		return n, false
	}
	switch t := ts[i]; t.Kind {
	case text.Number:
		value, err := strconv.ParseFloat(t.Text, 64)
		if err != nil {
			return n, false
		}
		n.value, n.exact = value, t.Text
		if i > 1 && (ts[i-1].Text == "number" || ts[i-1].Text == "." && ts[i-2].Text == "no") {
			n.kind = ordinal
			return n, true
		}
		if _, behind, ok := strings.Cut(t.Text, "."); ok {
			n.decimals = len(behind)
		}
		return suffixed(ts, n), true
	case text.Word:
		return englishNumeral(ts, n)
	case text.Han:
		return chineseNumeral(ts, n)
	}
	return n, false
}

// broken reads what makes a fraction of a number: "two thirds", "1/3", "nine out of ten".
func broken(ts []text.Token, n numeral) numeral {
	word, at := wordAfter(ts, n.last)
	of := partWord.of(word)
	if of == 0 && n.value == 1 && at+1 < len(ts) && portionWord.has(ts[at+1].Text) {
		of = ordinalWord.of(word)
	}
	switch {
	case of > 0 && n.decimals == 0:
		n.value, n.kind, n.last, n.exact = n.value*n.scale/of, fraction, at, ""
		return n
	case word == "/" && at+1 < len(ts) && ts[at+1].Kind == text.Number && ts[at].End == ts[at+1].Start:
		word, at = ts[at+1].Text, at+1
	case word == "in" && at+1 < len(ts):
		word, at = ts[at+1].Text, at+1
	case word == "out" && at+2 < len(ts) && ts[at+1].Text == "of":
		word, at = ts[at+2].Text, at+2
	default:
		return n
	}
	whole, err := strconv.ParseFloat(word, 64)
	if err != nil {
		whole = numberWord.of(word)
	}
	if whole > n.value && whole <= 100 && n.decimals == 0 && n.scale == 1 {
		n.value, n.kind, n.last, n.exact = n.value/whole, fraction, at, ""
	}
	return n
}

// suffixed reads what follows a number: its scale, percent, time, decade, ordinal.
func suffixed(ts []text.Token, n numeral) numeral {
	n = hanScaled(ts, n)
	word, at := wordAfter(ts, n.last)
	switch {
	case word == "":
		return n
	case word == "and" && hanAt(ts, at+1, "a") && at+2 < len(ts) && ts[at+2].Text == "half":
		n.value, n.decimals, n.last, n.exact = n.value+0.5, 1, at+2, ""
	case word == "%" || word == "percent" || word == "pct" || word == "per" && at+1 < len(ts) && ts[at+1].Text == "cent":
		n.kind, n.last, n.exact = percent, at, ""
		if word == "per" {
			n.last++
		}
	case word == "‰":
		n.kind, n.last, n.exact, n.value = percent, at, "", n.value/10
	case word == "倍":
		n.kind, n.last, n.exact = times, at, ""
	case word == "成" && !hanAt(ts, at, "成为") && n.value < 10:
		n.kind, n.last, n.exact, n.value = percent, at, "", n.value*10
	case word == "x" && ts[at].Joined, word == "-fold", word == "fold":
		n.kind, n.last, n.exact = times, at, ""
	case word == "times" && at+1 < len(ts) && multipleWord.has(ts[at+1].Text):
		n.kind, n.last, n.exact = times, at, ""
	case hourWord.has(word) || word == "小":
		return hours(ts, n, at)
	case minuteWord.has(word) && word != "m":
		n.kind, n.last = minutes, at
	case word == "分" && at+1 < len(ts) && ts[at+1].Text == "钟":
		n.kind, n.last = minutes, at+1
	case ordinalEnding.has(word) && ts[at].Joined:
		n.kind, n.last = ordinal, at
	case word == "s" || word == "'s":
		if n.decimals == 0 && int(n.value)%10 == 0 && n.value >= 10 && ts[at].Joined {
			n.kind, n.last = decade, at
		}
	case word == "年" && at+1 < len(ts) && ts[at+1].Text == "代":
		n.kind, n.last = decade, at+1
	case spanWord.of(word) > 0:
		n.value, n.last, n.exact = n.value*spanWord.of(word), at, ""
	case word == "of" && at+1 < len(ts) && scaleWord.of(ts[at+1].Text) > 1 && len(ts[at+1].Text) > 2: // a couple of million
		return scaled(ts, n, at+1)
	case scaleWord.of(word) > 0 && (len(word) > 2 || ts[at].Joined):
		return scaled(ts, n, at)
	}
	return n
}

// scaled reads the scale words from at on, and the number that goes on after
// them: "two hundred million", "two dozen and one", "five thousand and twenty".
func scaled(ts []text.Token, n numeral, at int) numeral {
	n.scale, n.last, n.exact = n.scale*scaleWord.of(ts[at].Text), at, ""
	for {
		word, at := wordAfter(ts, n.last)
		switch {
		case scaleWord.of(word) >= 1e3 && len(word) > 2:
			n.scale, n.last = n.scale*scaleWord.of(word), at
			continue
		case word == "of" && at+1 < len(ts) && scaleWord.of(ts[at+1].Text) >= 1e3 && len(ts[at+1].Text) > 2:
			n.scale, n.last = n.scale*scaleWord.of(ts[at+1].Text), at+1
			continue
		case word == "and" && at+1 < len(ts):
			word, at = ts[at+1].Text, at+1
		}
		rest, ok := numeral{}, false
		if at < len(ts) && ts[at].Kind == text.Word && n.decimals == 0 && numberWord.of(word) > 0 {
			rest, ok = englishNumeral(ts, numeral{span: span{at, at}, scale: 1})
		}
		if !ok || rest.kind != plain && rest.kind != vague || rest.value*rest.scale >= n.scale {
			return n
		}
		n.value, n.scale, n.last = n.value*n.scale+rest.value*rest.scale, 1, rest.last
		return n
	}
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
	if next+1 >= len(ts) || n.decimals > 0 {
		return n
	}
	rest, end := 0.0, next
	switch ts[next].Kind {
	case text.Number:
		rest, _ = strconv.ParseFloat(ts[next].Text, 64)
	case text.Word:
		inner := tens(ts, numeral{span: span{next, next}, value: numberWord.of(ts[next].Text)})
		rest, end = inner.value, inner.last
	case text.Han:
		for end < len(ts) && ts[end].Kind == text.Han && isHanNumeral(ts[end].Text) {
			end++
		}
		if end == next {
			return n
		}
		rest, _ = hanValue(ts[next:end])
		end--
	}
	if end+1 >= len(ts) {
		return n
	}
	unit := ts[end+1].Text
	if !minuteWord.has(unit) && unit != "分" {
		return n
	}
	n.value, n.scale, n.decimals, n.last = n.value*60+rest, 1, 0, end+1
	if hanAt(ts, n.last, "分钟") {
		n.last++
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
