package guardrails

import (
	"math"
	"strconv"

	"precedent/store/text"
)

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
	case hanSeveral.has(ts[i].Text):
		if scale, length := hanScale(ts, i+1); length > 0 {
			n.value, n.scale, n.last, n.kind = 1, scale, i+length, many
			return n, true
		}
	}
	return hanNumeral(ts, n, i)
}

// hanNumeral reads the digits and places from i on and what follows them: a
// fraction, decimals, a measure word or a unit.
func hanNumeral(ts []text.Token, n numeral, i int) (numeral, bool) {
	start := i
	for i < len(ts) && ts[i].Kind == text.Han && isHanNumeral(ts[i].Text) {
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
	counted := i < len(ts) && hanMeasure.has(ts[i].Text)
	uncertain := start > 0 && hanUncertain.has(ts[start-1].Text) || hanAt(ts, start, "十分") || hanAt(ts, start, "万一")
	switch {
	case n.kind == ordinal:
		return n, true
	case start > 0 && i-start == 1 && counted && hanQuantifying.has(ts[start-1].Text) && !hanAt(ts, start, "一样"):
	case uncertain, !counted && i-start < 2 && !hanContracted.has(ts[start].Text), i-start == 1 && ts[start].Text == "一" && !hanAt(ts, i, "倍") && !hanAt(ts, i, "成"):
		return n, false
	}
	return suffixed(ts, n), true
}

// decimalsAt reads the digits behind 点.
func decimalsAt(ts []text.Token, i int) (value float64, end int) {
	for ; i < len(ts); i++ {
		if !hanDigit.has(ts[i].Text) {
			break
		}
		value = value*10 + hanDigit.of(ts[i].Text)
	}
	return value, i
}

// hanScale reads 万, 亿, 百万, 千万, 万亿 … from i on.
func hanScale(ts []text.Token, i int) (scale float64, length int) {
	scale = 1
	for ; i < len(ts); i++ {
		unit := hanPlace.of(ts[i].Text)
		if unit < 100 {
			break
		}
		scale *= unit
		length++
	}
	return scale, length
}

// hanScaled reads the scale behind a number, and what goes on after it: 29亿2千万.
func hanScaled(ts []text.Token, n numeral) numeral {
	scale, length := hanScale(ts, n.last+1)
	if length == 0 {
		return n
	}
	n.scale, n.last, n.exact = scale, n.last+length, ""
	if n.last+1 < len(ts) && ts[n.last+1].Kind == text.Number && ts[n.last+1].Joined {
		if rest, ok := wholeAt(ts, n.last+1); ok && rest.kind == plain && rest.scale > 1 && rest.scale < n.scale {
			n.value, n.scale, n.decimals, n.last = n.value*n.scale+rest.value*rest.scale, 1, 0, rest.last
		}
	}
	return n
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
		if hanDigit.has(t.Text) {
			digit = hanDigit.of(t.Text)
			spelled = spelled*10 + digit
			digits++
			continue
		}
		places++
		switch unit := hanPlace.of(t.Text); {
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
