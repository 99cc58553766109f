package check

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"precedent/store/text"
)

// leastMended is how many letters a value has at least of which one may be wrong.
const leastMended = 5

// unlike is the distance of values that have nothing in common.
const unlike = 1 << 20

// HoldingOf is what is known of a text as one of all values of a property, which are
// in the order in which to show them. Several nodes share the values of kinds; else
// they are names, of which one that isn't there may well be asked for, so that only
// those that are nearly it are shown, and one is never taken for the other.
func HoldingOf(value string, all []any, kinds bool) Holding {
	h := Holding{Known: true, All: kinds}
	key := letters(value)
	type candidate struct {
		value    any
		distance int
	}
	var near []candidate
	var same, mended []string
	for _, x := range all {
		s, ok := x.(string)
		if !ok {
			continue
		}
		if s == value {
			h.Held = true
		}
		other := letters(s)
		d := text.Distance(key, other)
		switch {
		case d == 0 && key != "":
			same = append(same, s)
		case d == 1 && isMendable(key) && isMendable(other):
			mended = append(mended, s)
		}
		if limit := max(len([]rune(key)), len([]rune(other))) / 3; d > limit {
			d = unlike
			if key != "" && (strings.Contains(other, key) || strings.Contains(key, other)) {
				d = limit + 1
			}
		}
		near = append(near, candidate{x, d})
	}
	if h.Held {
		return h
	}
	switch {
	case len(same) == 1:
		h.Is = same[0]
	case len(same) == 0 && len(mended) == 1 && kinds:
		h.Is = mended[0]
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	for _, c := range near {
		if !kinds && c.distance >= unlike {
			break
		}
		h.Nearest = append(h.Nearest, c.value)
	}
	return h
}

// letters is s folded, letters and digits only: IN_TRANSIT is in transit.
func letters(s string) string { return text.Letters(text.Fold(s)) }

// isMendable reports whether one letter of a folded value may be wrong: P0 isn't P1.
func isMendable(key string) bool {
	return len([]rune(key)) >= leastMended && !strings.ContainsFunc(key, unicode.IsDigit)
}
