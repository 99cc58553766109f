package guardrails

import (
	"strconv"
	"strings"

	"precedent/store/text"
)

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
	if month := monthWord.of(ts[i].Text); month > 0 {
		return int(month)
	}
	if i+1 < len(ts) && (ts[i+1].Kind == text.Number || ts[i+1].Text == ".") {
		return int(monthShortWord.of(ts[i].Text))
	}
	return 0
}

// dayAt reads the day of a month and where it ends.
func dayAt(ts []text.Token, i int) (day, end int) {
	if i >= len(ts) || ts[i].Kind != text.Number || len(ts[i].Text) > 2 {
		return 0, i
	}
	day, _ = strconv.Atoi(ts[i].Text)
	if i+1 < len(ts) && ts[i+1].Joined && ordinalEnding.has(ts[i+1].Text) {
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
	if len(parts) == 3 && units.String() == "年月" && ts[at].Kind == text.Han { // 2026年6月一共
		parts, n.last = parts[:2], at-1
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
	for end < len(ts) && ts[end].Kind == text.Han && isHanNumeral(ts[end].Text) {
		end++
	}
	if end == i {
		return 0, i, false
	}
	v, ok := hanValue(ts[i:end])
	return int(v), end - 1, ok && v < 1e4
}
