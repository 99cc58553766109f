package guardrails

import (
	"slices"
	"strings"

	"precedent/store/text"
)

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
