package reading

import (
	"maps"
	"slices"

	"precedent/store/text"
)

// Means returns the name in the schema that words stand for, or "": "box
// office" is Movie.revenue. Of several it is the first of [Reader.Senses].
func (r *Reader) Means(words string) string {
	if senses := r.Senses(words); len(senses) > 0 {
		return senses[0]
	}
	return ""
}

// Senses are the labels, types and properties (Label.property) that words stand
// for, in the order of their kinds (labels, types, properties), then by name.
func (r *Reader) Senses(words string) []string {
	key := text.KeyOf(words)
	var labels, types, properties []string
	for _, language := range slices.Sorted(maps.Keys(r.lexicons)) {
		for _, t := range r.lexicons[language].terms[key] {
			switch t.Kind {
			case Noun:
				labels = append(labels, t.Label)
			case Agent, Verb, Participle:
				types = append(types, t.Rel)
			case Prop, AskProp, More, Less, PropMost, PropLeast, UnitWord:
				properties = append(properties, t.Label+"."+t.Prop)
			case Event:
				e := r.glossary.Events[t.Name]
				properties = append(properties, e.Date, e.Year, e.Place)
			case Fixed:
				c := r.glossary.Conditions[t.Name]
				properties = append(append(properties, c.Properties...), c.Has, c.Lacks)
				types = append(types, c.Relations...)
			}
		}
	}
	var out []string
	for _, names := range [][]string{labels, types, properties} {
		slices.Sort(names)
		out = append(out, slices.Compact(names)...)
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" || name == "." })
}
