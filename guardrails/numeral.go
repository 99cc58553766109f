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

// scales are words that multiply the number before them.
var scales = map[string]float64{
	"hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6, "m": 1e6, "mio": 1e6, "mil": 1e6,
	"billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "trillions": 1e12, "tn": 1e12, "dozen": 12, "score": 20,
}

// manifold are words for many of a scale.
var manifold = []string{"dozens", "scores", "hundreds", "thousands", "millions", "billions", "trillions"}

var englishNumbers = map[string]float64{
	"zero": 0, "nil": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "couple": 2, "pair": 2, "duo": 2, "trio": 3, "quartet": 4,
}

// englishSpans are years in a word, numbers only after "a" or a number.
var englishSpans = map[string]float64{"decade": 10, "decades": 10, "century": 100, "centuries": 100}

var englishOrdinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
	"ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "twentieth": 20,
}

// englishParts are the denominators that no ordinal is.
var englishParts = map[string]float64{
	"thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4, "fifths": 5, "sixths": 6, "sevenths": 7, "eighths": 8, "ninths": 9, "tenths": 10,
	"hundredth": 100, "hundredths": 100,
}

var englishTimes = map[string]float64{
	"twice": 2, "thrice": 3, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3, "triples": 3, "tripled": 3, "tripling": 3,
	"treble": 3, "trebled": 3, "quadruple": 4, "quadrupled": 4, "twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10, "hundredfold": 100,
}

var (
	hourWords   = []string{"h", "hr", "hrs", "hour", "hours"}
	minuteWords = []string{"m", "min", "mins", "minute", "minutes"}
	monthNames  = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
	monthShort  = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
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
		if slices.Contains([]string{"about", "around", "roughly", "approximately", "nearly", "almost", "some", "over", "circa", "约", "近", "超", "大"}, ts[j].Text) {
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
	of := englishParts[word]
	if of == 0 && n.value == 1 && at+1 < len(ts) && slices.Contains([]string{"of", "as", "what"}, ts[at+1].Text) {
		of = englishOrdinals[word]
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
		whole = englishNumbers[word]
	}
	if whole > n.value && whole <= 100 && n.decimals == 0 && n.scale == 1 {
		n.value, n.kind, n.last, n.exact = n.value/whole, fraction, at, ""
	}
	return n
}

// englishNumeral reads number words: "two hundred and five", "a third of", "twice", "dozens".
func englishNumeral(ts []text.Token, n numeral) (numeral, bool) {
	word := ts[n.first].Text
	before := ""
	if n.first > 0 {
		before = ts[n.first-1].Text
	}
	one := before == "a" || before == "an"
	switch {
	case word == "half" || word == "halves":
		next, at := wordAfter(ts, n.last)
		if next == "a" && at+1 < len(ts) && ts[at+1].Text == "dozen" {
			n.value, n.last = 6, at+1
			return n, true
		}
		n.value, n.kind = 0.5, fraction
		return n, true
	case (word == "twice" || word == "thrice") && (n.last+1 == len(ts) || !slices.Contains([]string{"as", "the", "that", "what", "more", "over"}, ts[n.last+1].Text)):
		n.value = englishTimes[word] // renewed twice
		return n, true
	case englishTimes[word] > 0:
		n.value, n.kind = englishTimes[word], times
		return n, true
	case slices.Contains(manifold, word):
		n.value, n.scale, n.kind = 1, max(scales[word], scales[strings.TrimSuffix(word, "s")]), many
		return n, true
	case one && englishParts[word] > 0:
		n.value, n.kind = 1/englishParts[word], fraction
		return n, true
	case one && englishOrdinals[word] > 2 && n.last+1 < len(ts) && slices.Contains([]string{"of", "as", "what"}, ts[n.last+1].Text):
		n.value, n.kind = 1/englishOrdinals[word], fraction
		return n, true
	case one && englishSpans[word] > 0:
		n.value = englishSpans[word]
		return n, true
	case englishOrdinals[word] > 0:
		n.value, n.kind = englishOrdinals[word], ordinal
		return n, true
	}
	value, known := englishNumbers[word]
	if scales[word] >= 12 && len(word) > 2 && one && word != "score" {
		value, known = 1, true
		n.last--
	}
	if !known {
		return n, false
	}
	n.value = value
	n = tens(ts, n)
	n = suffixed(ts, n)
	if before == "number" && n.last == n.first {
		n.kind = ordinal
		return n, true
	}
	if word == "one" && n.last == n.first && n.kind == plain && (!slices.Contains([]string{"only", "just", "exactly"}, before) || n.first > 1 && ts[n.first-2].Text == "the") {
		n.kind = vague
	}
	return n, true
}

// tens reads the unit after twenty to ninety, and the century before it: "nineteen sixty-five".
func tens(ts []text.Token, n numeral) numeral {
	unit := func(at int) (float64, int) {
		if at < len(ts) && ts[at].Text == "-" {
			at++
		}
		if at >= len(ts) || ts[at].Kind != text.Word {
			return 0, at
		}
		return englishNumbers[ts[at].Text], at
	}
	if n.value >= 20 && n.value < 100 && int(n.value)%10 == 0 {
		if u, at := unit(n.last + 1); u > 0 && u < 10 {
			n.value, n.last = n.value+u, at
		}
	}
	if n.value >= 10 && n.value < 100 {
		if u, at := unit(n.last + 1); u >= 10 {
			n.value, n.last = n.value*100+u, at
			if int(u)%10 == 0 {
				if u, at := unit(n.last + 1); u > 0 && u < 10 {
					n.value, n.last = n.value+u, at
				}
			}
		}
	}
	return n
}

// suffixed reads what follows a number: its scale, percent, time, decade, ordinal.
func suffixed(ts []text.Token, n numeral) numeral {
	word, at := wordAfter(ts, n.last)
	if ratio, length := hanScale(ts, n.last+1); length > 0 {
		n.scale, n.last, n.exact = ratio, n.last+length, ""
		if n.last+1 < len(ts) && (ts[n.last+1].Kind == text.Number) && ts[n.last+1].Joined { // 29亿2千万
			if rest, ok := wholeAt(ts, n.last+1); ok && rest.kind == plain && rest.scale > 1 && rest.scale < n.scale {
				n.value, n.scale, n.decimals, n.last = n.value*n.scale+rest.value*rest.scale, 1, 0, rest.last
			}
		}
		word, at = wordAfter(ts, n.last)
	}
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
	case word == "times" && at+1 < len(ts) && slices.Contains([]string{"as", "the", "that", "what", "more", "higher", "larger", "bigger", "longer", "of", "less", "fewer"}, ts[at+1].Text):
		n.kind, n.last, n.exact = times, at, ""
	case slices.Contains(hourWords, word) || word == "小":
		return hours(ts, n, at)
	case slices.Contains(minuteWords[1:], word):
		n.kind, n.last = minutes, at
	case word == "分" && at+1 < len(ts) && ts[at+1].Text == "钟":
		n.kind, n.last = minutes, at+1
	case slices.Contains([]string{"st", "nd", "rd", "th"}, word) && ts[at].Joined:
		n.kind, n.last = ordinal, at
	case word == "s" || word == "'s":
		if n.decimals == 0 && int(n.value)%10 == 0 && n.value >= 10 && ts[at].Joined {
			n.kind, n.last = decade, at
		}
	case word == "年" && at+1 < len(ts) && ts[at+1].Text == "代":
		n.kind, n.last = decade, at+1
	case englishSpans[word] > 0:
		n.value, n.last, n.exact = n.value*englishSpans[word], at, ""
	case word == "of" && at+1 < len(ts) && scales[ts[at+1].Text] > 1 && len(ts[at+1].Text) > 2: // a couple of million
		return scaled(ts, n, at+1)
	case scales[word] > 0 && (len(word) > 2 || ts[at].Joined):
		return scaled(ts, n, at)
	}
	return n
}

// scaled reads the scale words from at on, and the number that goes on after
// them: "two hundred million", "two dozen and one", "five thousand and twenty".
func scaled(ts []text.Token, n numeral, at int) numeral {
	n.scale, n.last, n.exact = n.scale*scales[ts[at].Text], at, ""
	for {
		word, at := wordAfter(ts, n.last)
		switch {
		case scales[word] >= 1e3 && len(word) > 2:
			n.scale, n.last = n.scale*scales[word], at
			continue
		case word == "of" && at+1 < len(ts) && scales[ts[at+1].Text] >= 1e3 && len(ts[at+1].Text) > 2:
			n.scale, n.last = n.scale*scales[ts[at+1].Text], at+1
			continue
		case word == "and" && at+1 < len(ts):
			word, at = ts[at+1].Text, at+1
		}
		rest, ok := numeral{}, false
		if at < len(ts) && ts[at].Kind == text.Word && n.decimals == 0 && englishNumbers[word] > 0 {
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
		inner := tens(ts, numeral{span: span{next, next}, value: englishNumbers[ts[next].Text]})
		rest, end = inner.value, inner.last
	case text.Han:
		for end < len(ts) && ts[end].Kind == text.Han && strings.Contains(hanNumerals, ts[end].Text) {
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
	if !slices.Contains(minuteWords, unit) && unit != "分" {
		return n
	}
	n.value, n.scale, n.decimals, n.last = n.value*60+rest, 1, 0, end+1
	if hanAt(ts, n.last, "分钟") {
		n.last++
	}
	return n
}

// calendarAt reads the day or month that begins at i: "March 31, 1999",
// "19 December", 1999年3月31日, 1999-03-31.
func calendarAt(ts []text.Token, i int) (numeral, bool) {
	n := numeral{span: span{i, i}, scale: 1, kind: calendar}
	if month := monthAt(ts, i); month > 0 {
		n.date.month = month
		at := i + 1
		if at < len(ts) && ts[at].Text == "." {
			at++
		}
		if day, end := dayAt(ts, at); day > 0 {
			n.date.day, n.last = day, end
		}
		n.date.year, n.last = yearAt(ts, n.last)
		return n, true
	}
	if day, end := dayAt(ts, i); day > 0 {
		at := end + 1
		if at < len(ts) && ts[at].Text == "of" {
			at++
		}
		if month := monthAt(ts, at); month > 0 {
			n.date.day, n.date.month = day, month
			n.date.year, n.last = yearAt(ts, at)
			return n, true
		}
	}
	return numericDate(ts, n)
}

// monthAt reads a month's name, which begins with a capital.
func monthAt(ts []text.Token, i int) int {
	if i >= len(ts) || !ts[i].Upper {
		return 0
	}
	if at := slices.Index(monthNames, ts[i].Text); at >= 0 {
		return at + 1
	}
	if at := slices.Index(monthShort, ts[i].Text); at >= 0 && i+1 < len(ts) && (ts[i+1].Kind == text.Number || ts[i+1].Text == ".") {
		return at + 1
	}
	return 0
}

// dayAt reads the day of a month and where it ends.
func dayAt(ts []text.Token, i int) (day, end int) {
	if i >= len(ts) || ts[i].Kind != text.Number || len(ts[i].Text) > 2 {
		return 0, i
	}
	day, _ = strconv.Atoi(ts[i].Text)
	if i+1 < len(ts) && ts[i+1].Joined && slices.Contains([]string{"st", "nd", "rd", "th"}, ts[i+1].Text) {
		i++
	}
	return day, i
}

// yearAt reads the year that follows last, possibly after a comma or "of".
func yearAt(ts []text.Token, last int) (year, end int) {
	at := last + 1
	if at < len(ts) && (ts[at].Text == "," || ts[at].Text == "of") {
		at++
	}
	if at < len(ts) && ts[at].Kind == text.Number && len(ts[at].Text) == 4 {
		year, _ = strconv.Atoi(ts[at].Text)
		return year, at
	}
	return 0, last
}

// numericDate reads 1999年3月31日, 3月31日, 一九六四年九月, 1999-03-31 and 1999/3/31.
func numericDate(ts []text.Token, n numeral) (numeral, bool) {
	var parts []int
	var units strings.Builder
	at := n.first
	for len(parts) < 3 && at < len(ts) {
		value, end, ok := digitsAt(ts, at)
		if !ok || end+1 > len(ts) {
			break
		}
		parts = append(parts, value)
		n.last = end
		if end+1 >= len(ts) {
			break
		}
		unit := ts[end+1].Text
		if !strings.Contains("年月日号-/", unit) || (unit == "-" || unit == "/") && (ts[end+1].Start != ts[end].End || len(parts) == 3) {
			break
		}
		units.WriteString(unit)
		if unit != "-" && unit != "/" {
			n.last = end + 1
		}
		at = end + 2
	}
	switch {
	case len(parts) == 3 && (strings.HasPrefix(units.String(), "年月") || units.String() == "--" || units.String() == "//") && parts[0] > 999:
		n.date = civil{parts[0], parts[1], parts[2]}
	case len(parts) == 2 && units.String() == "年月":
		n.date = civil{parts[0], parts[1], 0}
	case len(parts) == 2 && (units.String() == "月日" || units.String() == "月号"):
		n.date = civil{0, parts[0], parts[1]}
	default:
		return n, false
	}
	return n, true
}

// digitsAt reads a whole number, in digits or Chinese, and where it ends.
func digitsAt(ts []text.Token, i int) (value, end int, ok bool) {
	if ts[i].Kind == text.Number {
		value, err := strconv.Atoi(ts[i].Text)
		return value, i, err == nil
	}
	end = i
	for end < len(ts) && ts[end].Kind == text.Han && strings.Contains(hanNumerals, ts[end].Text) {
		end++
	}
	if end == i {
		return 0, i, false
	}
	v, ok := hanValue(ts[i:end])
	return int(v), end - 1, ok && v < 1e4
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
		unit := hanPlaces[ts[i].Text]
		if unit < 100 {
			break
		}
		scale *= unit
		length++
	}
	return scale, length
}

// hanDigits are the digits of Chinese numerals, financial and short ones among them.
var hanDigits = map[string]float64{
	"零": 0, "〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "两": 2, "俩": 2, "仨": 3, "幺": 1,
	"壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8, "玖": 9,
}

var hanPlaces = map[string]float64{
	"十": 10, "拾": 10, "廿": 20, "卅": 30, "卌": 40, "百": 100, "佰": 100, "千": 1e3, "仟": 1e3, "万": 1e4, "亿": 1e8, "兆": 1e12,
}

const hanNumerals = "零〇一二三四五六七八九两俩仨幺壹贰叁肆伍陆柒捌玖十拾廿卅卌百佰千仟万亿兆"

// measures are the words by which a Chinese numeral is surely a number.
const measures = "部位个名年岁分次种项条人小天月日号集首张家座本场届国类组篇款只对倍美元块多余代单台件辆秒成期票片者支队份封笔双副层股米"

// chineseNumeral reads 三部, 十二, 第二, 一百二十, 二〇二三年, 三十亿, 百分之五, 三分之一, 一半, 九点八.
func chineseNumeral(ts []text.Token, n numeral) (numeral, bool) {
	i := n.first
	switch {
	case hanAt(ts, i, "百分之") || hanAt(ts, i, "千分之"):
		inner, ok := wholeAt(ts, i+3)
		if !ok {
			return n, false
		}
		if ts[i].Text == "千" {
			inner.value /= 10
		}
		inner.first, inner.kind, inner.exact = i, percent, ""
		return inner, true
	case hanAt(ts, i, "一半") || hanAt(ts, i, "半数"):
		n.value, n.kind, n.last = 0.5, fraction, i+1
		return n, true
	case hanAt(ts, i, "翻番") || hanAt(ts, i, "翻倍"):
		n.value, n.kind, n.last = 2, times, i+1
		return n, true
	case ts[i].Text == "第":
		i++
		n.kind = ordinal
		if i < len(ts) && ts[i].Kind == text.Number {
			value, err := strconv.ParseFloat(ts[i].Text, 64)
			n.value, n.last = value, i
			return n, err == nil
		}
	case ts[i].Text == "数" || ts[i].Text == "几" || ts[i].Text == "上":
		if scale, length := hanScale(ts, i+1); length > 0 {
			n.value, n.scale, n.last, n.kind = 1, scale, i+length, many
			return n, true
		}
	}
	start := i
	for i < len(ts) && ts[i].Kind == text.Han && strings.Contains(hanNumerals, ts[i].Text) {
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
	if n.kind != ordinal && hanAt(ts, i, "分之") {
		if inner, ok := wholeAt(ts, i+2); ok && value > 0 {
			n.value, n.kind, n.last = inner.value/value, fraction, inner.last
			return n, true
		}
	}
	if n.kind != ordinal && i+1 < len(ts) && ts[i].Text == "点" {
		if inner, end := decimalsAt(ts, i+1); end > i+1 {
			n.value, n.decimals, n.last = value+inner/math.Pow(10, float64(end-i-1)), end-i-1, end-1
			return suffixed(ts, n), true
		}
	}
	counted := i < len(ts) && strings.Contains(measures, ts[i].Text)
	uncertain := start > 0 && strings.Contains("几数好上", ts[start-1].Text) || hanAt(ts, start, "十分") || hanAt(ts, start, "万一")
	switch {
	case n.kind == ordinal:
		return n, true
	case start > 0 && i-start == 1 && counted && strings.Contains("各仅只有", ts[start-1].Text) && !hanAt(ts, start, "一样"):
	case uncertain, !counted && i-start < 2 && !strings.Contains("俩仨廿卅", ts[start].Text), i-start == 1 && ts[start].Text == "一" && !hanAt(ts, i, "倍") && !hanAt(ts, i, "成"):
		return n, false
	}
	return suffixed(ts, n), true
}

// decimalsAt reads the digits behind 点.
func decimalsAt(ts []text.Token, i int) (value float64, end int) {
	for ; i < len(ts); i++ {
		digit, ok := hanDigits[ts[i].Text]
		if !ok {
			break
		}
		value = value*10 + digit
	}
	return value, i
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
		if value, ok := hanDigits[t.Text]; ok {
			digit = value
			spelled = spelled*10 + digit
			digits++
			continue
		}
		places++
		switch unit := hanPlaces[t.Text]; {
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
