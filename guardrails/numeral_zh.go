package guardrails

import (
	"math"
	"strconv"
	"strings"

	"precedent/store/text"
)

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
