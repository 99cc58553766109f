package engine

import (
	"slices"
	"strings"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/store"
)

// A listing is all values of a property.
type listing struct {
	values []any
	kinds  bool // several nodes share one
}

// listings are those of the properties of labels whose values are texts, of which the
// schema has all, as Label.property.
func listings(s *store.Schema) map[string]listing {
	all := make(map[string]listing)
	for _, l := range s.Labels {
		for _, p := range l.Properties {
			texts := !slices.ContainsFunc(p.Samples, func(v any) bool { _, ok := v.(string); return !ok })
			if !s.Sampled && texts && p.Distinct > 0 && p.Distinct == int64(len(p.Samples)) {
				all[l.Name+"."+p.Name] = listing{p.Samples, check.IsShared(p)}
			}
		}
	}
	return all
}

// holding is what is known in memory of a text that a query looks for: from the
// complete list of a property of few values, or from the values that people name.
func (s *snapshot) holding(label, property, value string) check.Holding {
	if all, ok := s.listings[label+"."+property]; ok {
		h := check.HoldingOf(value, all.values, all.kinds)
		if is := s.meant(label, property, value); !h.Held && len(is) == 1 {
			h.Is = is[0] // another name of it
		}
		return h
	}
	if !s.named[label+"."+property] || s.reader.Glossary().Properties[label+"."+property].Parts != "" {
		return check.Holding{}
	}
	h := check.Holding{Known: true}
	is := s.meant(label, property, value)
	h.Held = slices.Contains(is, value)
	if !h.Held && len(is) == 1 {
		h.Is = is[0]
	}
	for _, near := range s.reader.Linker().Nearest(value) {
		if len(s.meant(label, property, near)) > 0 {
			h.Nearest = append(h.Nearest, near)
		}
	}
	return h
}

// meant are the values of a property that a text names in full: by itself, by another
// name or written otherwise.
func (s *snapshot) meant(label, property, said string) (values []string) {
	for _, c := range s.reader.Linker().Names(said) {
		value, ok := c.Value.(string)
		if ok && c.Property == property && slices.Contains(labelsOf(link.Value{Label: c.Label, Labels: c.Labels}), label) && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// holds reports whether a text that a condition looks for is known: by name, or as a
// value of the property that the condition is about.
func (s *snapshot) holds(f check.Filter) bool {
	label, key, _ := strings.Cut(f.Of, ".")
	return s.isNamed(f.Text) || s.holding(label, key, f.Text).Held
}
