package reading

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"precedent/store/text"
)

// Years that a bare number of four digits may mean.
const (
	FirstYear = 1880
	LastYear  = 2100
)

var enNumbers = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "dozen": 12,
}

var scales = map[string]float64{
	"k": 1e3, "thousand": 1e3, "m": 1e6, "mm": 1e6, "mil": 1e6, "million": 1e6, "millions": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "billions": 1e9,
	"hundred": 100, "千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9,
}

var decadeWords = map[string]int{
	"twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990,
	"noughties": 2000,
}

var hanDigits = map[string]float64{
	"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "俩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}

// A quantity is a number as written.
type quantity struct {
	value  float64
	kind   Kind // Number, Year or Decade
	tokens int
}

// quantityAt reads a number at the start of ts; tokens is 0 if there is none.
func quantityAt(ts []text.Token) quantity {
	if len(ts) == 0 {
		return quantity{}
	}
	i := 0
	for i < len(ts) && ts[i].Kind == text.Mark && (ts[i].Text == "$" || ts[i].Text == "¥") {
		i++
	}
	if i >= len(ts) {
		return quantity{}
	}
	var q quantity
	switch t := ts[i]; t.Kind {
	case text.Number:
		q = digits(ts[i:])
	case text.Word:
		q = words(ts[i:])
	case text.Han:
		q = han(ts[i:])
	}
	if q.tokens == 0 {
		return q
	}
	q.tokens += i
	return q
}

func digits(ts []text.Token) quantity {
	v, err := strconv.ParseFloat(ts[0].Text, 64)
	if err != nil || math.IsInf(v, 0) {
		return quantity{}
	}
	whole := !strings.Contains(ts[0].Text, ".")
	if len(ts) > 1 && whole {
		next := ts[1]
		suffix := next.Text == "s" && next.Joined || next.Text == "'s"
		// "1990s", "90s", "1990's", "'90s"
		if suffix {
			if d, ok := decade(v, len(ts[0].Text)); ok {
				return quantity{float64(d), Decade, 2}
			}
		}
		if next.Text == "年" && len(ts) > 2 && ts[2].Text == "代" {
			if d, ok := decade(v, len(ts[0].Text)); ok {
				return quantity{float64(d), Decade, 3}
			}
		}
	}
	q := scaled(ts, quantity{v, Number, 1})
	if q.tokens == 1 && whole && len(ts[0].Text) == 4 && v >= FirstYear && v <= LastYear {
		q.kind = Year
	}
	return q
}

// decade returns the first year of the decade written with n digits: 1990, or
// 90 for 1990; 00 and 10 are the 2000s and 2010s.
func decade(v float64, n int) (int, bool) {
	y := int(v)
	if y%10 != 0 {
		return 0, false
	}
	switch {
	case n == 4 && y >= FirstYear && y <= LastYear:
		return y, true
	case n == 2 && y >= 20:
		return 1900 + y, true
	case n == 2:
		return 2000 + y, true
	}
	return 0, false
}

// scaled applies the scale words behind a number: 2.9 billion, 3 亿, 100m.
func scaled(ts []text.Token, q quantity) quantity {
	for q.tokens < len(ts) {
		two := ""
		if q.tokens+1 < len(ts) && ts[q.tokens].Kind == text.Han {
			two = ts[q.tokens].Text + ts[q.tokens+1].Text
		}
		next := ts[q.tokens]
		if f, ok := scales[two]; ok && two != "" {
			q.value *= f
			q.tokens += 2
			continue
		}
		f, ok := scales[next.Text]
		if !ok || len(next.Text) == 1 && !next.Joined {
			break
		}
		q.value *= f
		q.tokens++
	}
	return q
}

// isScaled reports whether a number is written with a scale: 200 million, 两亿.
func (c *chunker) isScaled(s segment) bool {
	return slices.ContainsFunc(c.tokens[s.from:s.to], func(t text.Token) bool { return scales[t.Text] > 0 })
}

func words(ts []text.Token) quantity {
	if y, ok := decadeWords[ts[0].Text]; ok {
		return quantity{float64(y), Decade, 1}
	}
	v, ok := enNumbers[ts[0].Text]
	if !ok && (ts[0].Text == "a" || ts[0].Text == "an") && len(ts) > 1 {
		if _, scale := scales[ts[1].Text]; scale && len(ts[1].Text) > 2 {
			return scaled(ts, quantity{1, Number, 1})
		}
		if ts[1].Text == "dozen" {
			return quantity{12, Number, 2}
		}
	}
	if !ok {
		return quantity{}
	}
	q := quantity{v, Number, 1}
	if v >= 20 && v < 100 && len(ts) > 1 { // twenty five, twenty-five
		i := 1
		if ts[i].Text == "-" && len(ts) > 2 {
			i = 2
		}
		if u, ok := enNumbers[ts[i].Text]; ok && u > 0 && u < 10 {
			q.value += u
			q.tokens = i + 1
		}
	}
	return scaled(ts, q)
}

// han reads Chinese numerals up to 99,999,999: 三, 十二, 两百五, 一千零一, and
// years and decades read digit by digit: 九十年代, 二〇〇〇年, 一九九七.
func han(ts []text.Token) quantity {
	// digit by digit: four of them make a year
	y, n := 0, 0
	for n < len(ts) && n < 5 {
		d, ok := hanDigits[ts[n].Text]
		if !ok || ts[n].Text == "两" || ts[n].Text == "俩" {
			break
		}
		y = y*10 + int(d)
		n++
	}
	if n == 4 && y >= FirstYear && y <= LastYear {
		return hanDecade(ts, quantity{float64(y), Year, 4})
	}
	total, section, digit := 0.0, 0.0, -1.0
	i := 0
loop:
	for ; i < len(ts) && ts[i].Kind == text.Han; i++ {
		w := ts[i].Text
		if d, ok := hanDigits[w]; ok {
			if digit > 0 {
				break
			}
			digit = d
			continue
		}
		var unit float64
		switch w {
		case "十":
			unit = 10
		case "百":
			unit = 100
		case "千":
			unit = 1000
		case "万", "亿":
			if digit < 0 && section == 0 {
				break loop
			}
			section += max(digit, 0)
			total = (total + section) * scales[w]
			section, digit = 0, -1
			continue
		default:
			break loop
		}
		if digit < 0 {
			if unit != 10 {
				break
			}
			digit = 1
		}
		section += digit * unit
		digit = -1
	}
	if i == 0 {
		return quantity{}
	}
	return hanDecade(ts, quantity{total + section + max(digit, 0), Number, i})
}

// hanDecade turns 九十 before 年代 into a decade.
func hanDecade(ts []text.Token, q quantity) quantity {
	if q.tokens+1 < len(ts) && ts[q.tokens].Text == "年" && ts[q.tokens+1].Text == "代" {
		n := 2
		if q.kind == Year {
			n = 4
		}
		if d, ok := decade(q.value, n); ok {
			return quantity{float64(d), Decade, q.tokens + 2}
		}
	}
	return q
}

// DecadeOf is the first year of a decade as people write it ("1990s", "90年代"); 0 if it is none.
func DecadeOf(s string) int64 {
	if q := quantityAt(text.Tokens(s)); q.kind == Decade {
		return int64(q.value)
	}
	return 0
}

// NumberAt reads the number at the start of ts, its scale applied: a [Number], a [Year],
// or the first year of a [Decade]. tokens is 0 where there is none.
func NumberAt(ts []text.Token) (value float64, kind Kind, tokens int) {
	q := quantityAt(ts)
	return q.value, q.kind, q.tokens
}
