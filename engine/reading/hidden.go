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
	return g.without(func(owner, key string) bool {
		return hide.Name(owner) || hide.Property([]string{owner}, key)
	})
}

// Fitting is g without the words for labels, types and properties that a schema
// doesn't have: of a graph that changed while it was being answered from. g stays as
// it is.
func (g *Glossary) Fitting(s *store.Schema) *Glossary {
	properties := make(map[string][]store.Property)
	for _, l := range s.Labels {
		properties[l.Name] = l.Properties
	}
	for _, t := range s.Types {
		properties[t.Name] = append(properties[t.Name], t.Properties...)
	}
	return g.without(func(owner, key string) bool {
		has, known := properties[owner]
		return !known || key != "" && !slices.ContainsFunc(has, func(p store.Property) bool { return p.Name == key })
	})
}

// without is g without the words for what is gone, of which gone is told a label or
// type, or the owner of a property and its key.
func (g *Glossary) without(gone func(owner, key string) bool) *Glossary {
	left := func(name string) bool { // Label, TYPE or Owner.key; "" isn't
		owner, key, _ := strings.Cut(name, ".")
		return name != "" && gone(owner, key)
	}
	shown := func(label, key string) string {
		if key == "" || left(label+"."+key) {
			return ""
		}
		return key
	}
	out := *g
	out.Labels = make(map[string]LabelWords)
	for label, w := range g.Labels {
		if !left(label) {
			w.Key, w.Year, w.Earns, w.Top = shown(label, w.Key), shown(label, w.Year), shown(label, w.Earns), shown(label, w.Top)
			out.Labels[label] = w
		}
	}
	out.Relationships = maps.Clone(g.Relationships)
	maps.DeleteFunc(out.Relationships, func(rel string, w RelWords) bool {
		return left(rel) || left(w.From) || left(w.To) || left(w.Role)
	})
	out.Properties = maps.Clone(g.Properties)
	maps.DeleteFunc(out.Properties, func(name string, _ PropWords) bool { return left(name) })
	out.Events = make(map[string]EventWords)
	for name, w := range g.Events {
		for _, property := range []*string{&w.Date, &w.Year, &w.Place} {
			if left(*property) {
				*property = ""
			}
		}
		if w.Date+w.Year+w.Place != "" {
			out.Events[name] = w
		}
	}
	out.Conditions = maps.Clone(g.Conditions)
	maps.DeleteFunc(out.Conditions, func(_ string, w ConditionWords) bool {
		return left(w.Label) || left(w.Has) || left(w.Lacks) || slices.ContainsFunc(w.Properties, left) || slices.ContainsFunc(w.Relations, left)
	})
	out.Linkable = slices.DeleteFunc(slices.Clone(g.Linkable), left)
	return &out
}
