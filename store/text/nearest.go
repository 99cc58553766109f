package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest is the name of known that name is most likely meant for, or "": one
// that differs in case, underscores or a plural s; else one of small edit
// distance (Damerau's, transpositions included, up to a third of the name);
// else one that shares its most telling words.
func Nearest(name string, known []string) string {
	plain := Letters(name)
	best, least := "", utf8.RuneCountInString(plain)/3+1
	for _, k := range known {
		if k == name {
			continue
		}
		f := Letters(k)
		if f == plain {
			return k
		}
		far := Distance(plain, f)
		if strings.TrimSuffix(f, "s") == strings.TrimSuffix(plain, "s") {
			far = 0
		}
		if far < least && far < utf8.RuneCountInString(f) {
			best, least = k, far
		}
	}
	if best != "" {
		return best
	}
	return sharing(name, known)
}

// leastShare is the least share of their letters that two names have in common
// words to be taken for one another.
const leastShare = 0.5

func sharing(name string, known []string) string {
	words := wordsOf(name)
	best, most := "", leastShare
	for _, k := range known {
		if k == name {
			continue
		}
		theirs := wordsOf(k)
		common, all := 0, 0
		for _, w := range theirs {
			all += len(w)
			for _, mine := range words {
				if mine == w || strings.TrimSuffix(mine, "s") == strings.TrimSuffix(w, "s") {
					common += 2 * len(w)
					break
				}
			}
		}
		for _, w := range words {
			all += len(w)
		}
		if all == 0 {
			continue
		}
		if share := float64(common) / float64(all); share > most {
			best, most = k, share
		}
	}
	return best
}

// Letters is name in lower case, letters and digits only.
func Letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// idle are words that names share by habit, not by meaning.
var idle = map[string]bool{
	"in": true, "of": true, "by": true, "to": true, "is": true, "has": true, "at": true,
	"the": true, "a": true, "for": true, "on": true, "with": true,
}

// wordsOf are the words of a name in snake_case, CamelCase or lowerCamelCase,
// folded, without idle ones.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if w := string(word); w != "" && !idle[w] {
			words = append(words, w)
		}
		word = word[:0]
	}
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			end()
		}
		lower = unicode.IsLower(r)
		word = append(word, unicode.ToLower(r))
	}
	end()
	return words
}

// Distance is the number of letters to add, drop, change or swap with their
// neighbour to make b of a (optimal string alignment).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(y)]
}
