package reading

import (
	"maps"
	"slices"
	"strings"

	"precedent/store"
)

// Without is g without the words for what is hidden. g stays as it is.
func (g *Glossary) Without(hide store.Hidden) *Glossary {
	if hide.Nothing() {
		return g
	}
	hidden := func(name string) bool { // Label, TYPE or Owner.key; "" isn't
		owner, key, _ := strings.Cut(name, ".")
		return hide.Name(owner) || hide.Property([]string{owner}, key)
	}
	shown := func(label, key string) string {
		if hidden(label + "." + key) {
			return ""
		}
		return key
	}
	out := *g
	out.Labels = make(map[string]LabelWords)
	for label, w := range g.Labels {
		if !hide.Name(label) {
			w.Key, w.Year, w.Earns, w.Top = shown(label, w.Key), shown(label, w.Year), shown(label, w.Earns), shown(label, w.Top)
			out.Labels[label] = w
		}
	}
	out.Relationships = maps.Clone(g.Relationships)
	maps.DeleteFunc(out.Relationships, func(rel string, w RelWords) bool {
		return hide.Name(rel) || hide.Name(w.From) || hide.Name(w.To) || hide.Name(w.Role)
	})
	out.Properties = maps.Clone(g.Properties)
	maps.DeleteFunc(out.Properties, func(name string, _ PropWords) bool { return hidden(name) })
	out.Events = make(map[string]EventWords)
	for name, w := range g.Events {
		for _, property := range []*string{&w.Date, &w.Year, &w.Place} {
			if hidden(*property) {
				*property = ""
			}
		}
		if w.Date+w.Year+w.Place != "" {
			out.Events[name] = w
		}
	}
	out.Conditions = maps.Clone(g.Conditions)
	maps.DeleteFunc(out.Conditions, func(_ string, w ConditionWords) bool {
		return hide.Name(w.Label) || hidden(w.Has) || hidden(w.Lacks) || slices.ContainsFunc(w.Properties, hidden) || slices.ContainsFunc(w.Relations, hidden)
	})
	out.Linkable = slices.DeleteFunc(slices.Clone(g.Linkable), hidden)
	return &out
}
