package bolt

import (
	"strings"
	"unicode/utf8"

	"precedent/store"
	"precedent/store/text"
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
	best, least := "", utf8.RuneCountInString(from)/3+1
	for _, candidate := range names {
		if d := text.Distance(from, plain(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func plain(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}
