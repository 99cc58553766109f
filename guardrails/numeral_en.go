package guardrails

import (
	"strings"

	"precedent/store/text"
)

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
	case (word == "twice" || word == "thrice") && (n.last+1 == len(ts) || !foldWord.has(ts[n.last+1].Text)):
		n.value = timesWord.of(word) // renewed twice
		return n, true
	case timesWord.of(word) > 0:
		n.value, n.kind = timesWord.of(word), times
		return n, true
	case manyWord.has(word):
		n.value, n.scale, n.kind = 1, max(scaleWord.of(word), scaleWord.of(strings.TrimSuffix(word, "s"))), many
		return n, true
	case one && partWord.of(word) > 0:
		n.value, n.kind = 1/partWord.of(word), fraction
		return n, true
	case one && ordinalWord.of(word) > 2 && n.last+1 < len(ts) && portionWord.has(ts[n.last+1].Text):
		n.value, n.kind = 1/ordinalWord.of(word), fraction
		return n, true
	case one && spanWord.of(word) > 0:
		n.value = spanWord.of(word)
		return n, true
	case ordinalWord.of(word) > 0:
		n.value, n.kind = ordinalWord.of(word), ordinal
		return n, true
	}
	value, known := numberWord.of(word), numberWord.has(word)
	if scaleWord.of(word) >= 12 && len(word) > 2 && one && word != "score" {
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
	if word == "one" && n.last == n.first && n.kind == plain && (!exactlyWord.has(before) || n.first > 1 && ts[n.first-2].Text == "the") {
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
		return numberWord.of(ts[at].Text), at
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
