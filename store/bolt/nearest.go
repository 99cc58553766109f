package bolt

import (
	"strings"

	"precedent/store"
)

// namesOf returns the labels, types or properties of s, for kind label, type or
// property. A property may come twice.
func namesOf(s *store.Schema, kind string) []string {
	var names []string
	for _, l := range s.Labels {
		switch kind {
		case "label":
			names = append(names, l.Name)
		case "property":
			for _, p := range l.Properties {
				names = append(names, p.Name)
			}
		}
	}
	for _, t := range s.Types {
		switch kind {
		case "type":
			names = append(names, t.Name)
		case "property":
			for _, p := range t.Properties {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// nearest returns the one of names that is fewest edits from name, case and
// underscores apart, or "" where more than a third of it would change.
func nearest(name string, names []string) string {
	from := plain(name)
	best, least := "", len(from)/3+1
	for _, candidate := range names {
		if d := edits(from, plain(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func plain(name string) []rune {
	return []rune(strings.ToLower(strings.ReplaceAll(name, "_", "")))
}

// edits counts insertions, deletions, substitutions and swaps of neighbours
// (optimal string alignment).
func edits(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
