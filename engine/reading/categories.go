package reading

import (
	"maps"
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/store"
	"precedent/store/text"
)

// maxCategory is the most values a property may have whose values are kinds of things.
const maxCategory = 100

// kindsAmong is of how many values that nodes don't share all but one are common
// words where they are kinds of things.
const kindsAmong = 3

// categories are the properties of few values that are kinds of things: those
// that many nodes share (shared: a status, a country), and those of which most
// are common words (the name of a genre).
func categories(values []link.Value, g *Glossary, s *store.Schema) (all, shared map[string]bool) {
	n, ordinary := make(map[string]int), make(map[string]int)
	for _, v := range values {
		name := v.Label + "." + v.Property
		if n[name]++; n[name] <= maxCategory && link.IsCommon(v.Value) {
			ordinary[name]++
		}
	}
	repeats := make(map[string]bool)
	look := func(owner string, ps []store.Property) {
		for _, p := range ps {
			name := owner + "." + p.Name
			if p.Items != nil {
				p = *p.Items
			}
			repeats[name] = p.Distinct > 0 && 2*p.Distinct <= p.Present
		}
	}
	for _, l := range s.Labels {
		look(l.Name, l.Properties)
	}
	for _, t := range s.Types {
		look(t.Name, t.Properties)
	}
	all, shared = make(map[string]bool), make(map[string]bool)
	for p, count := range n {
		label, prop := split(p)
		isKey := g.Labels[label].Key == prop
		if count > maxCategory || len(g.Labels[label].Words()) == 0 && !isType(s, label) {
			continue
		}
		switch {
		case repeats[p] && !isKey:
			all[p], shared[p] = true, true
		case kindsAmong*ordinary[p] >= (kindsAmong-1)*count:
			all[p] = true
		}
	}
	return all, shared
}

func isType(s *store.Schema, name string) bool {
	return slices.ContainsFunc(s.Types, func(t store.RelType) bool { return t.Name == name })
}

// linkWords are the folded words for labels, for properties, and of relationship types by
// which the linker knows what stands beside a name: the glossary's, and the
// names themselves.
func (g *Glossary) linkWords(s *store.Schema) (nouns, props map[string][]string, words []string) {
	nouns, props = g.Nouns(), make(map[string][]string)
	for _, l := range s.Labels {
		one := Spoken(l.Name)
		nouns[l.Name] = append(append(nouns[l.Name], one), plurals(one)...)
	}
	own := func(owner string, ps []store.Property) {
		for _, p := range ps {
			name, one := owner+"."+p.Name, Spoken(p.Name)
			props[name] = append([]string{one}, plurals(one)...)
			for _, phrases := range InOrder(g.Properties[name].Noun) {
				for _, phrase := range phrases {
					props[name] = append(props[name], text.KeyOf(phrase))
				}
			}
		}
	}
	for _, l := range s.Labels {
		own(l.Name, l.Properties)
	}
	for _, t := range s.Types {
		own(t.Name, t.Properties)
		words = append(words, verbs(Spoken(t.Name))...)
	}
	for _, r := range s.Relationships { // of what a type joins people speak by its ends
		nouns[r.Type] = append(append(nouns[r.Type], nouns[r.Start]...), nouns[r.End]...)
	}
	for _, rel := range slices.Sorted(maps.Keys(g.Relationships)) {
		for _, phrases := range InOrder(g.Relationships[rel].Verb) {
			for _, phrase := range phrases {
				words = append(words, text.KeyOf(phrase))
			}
		}
	}
	return nouns, props, slices.DeleteFunc(words, func(v string) bool { return strings.TrimSpace(v) == "" })
}
