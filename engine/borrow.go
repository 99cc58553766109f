package engine

import (
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/movies"
)

// borrowed are the words of the movie graph, English and Chinese, for what a
// graph without a glossary names alike: relationship types ACTED_IN or DIRECTED
// that lead to one label called Movie or Film. Other graphs borrow nothing.
func borrowed(own *reading.Glossary, s *store.Schema) (*reading.Glossary, error) {
	g := &reading.Glossary{Labels: map[string]reading.LabelWords{}, Relationships: map[string]reading.RelWords{}, Properties: map[string]reading.PropWords{}}
	film, person := "", ""
	for _, rel := range []string{"ACTED_IN", "DIRECTED"} {
		w, there := own.Relationships[rel]
		switch {
		case !there:
		case !slices.Contains([]string{"movie", "film"}, strings.ToLower(w.To)) || film != "" && film != w.To || person != "" && person != w.From:
			return g, nil
		default:
			person, film = w.From, w.To
		}
	}
	if film == "" {
		return g, nil
	}
	from, wrong := reading.ParseGlossary("glossary.yaml", movies.Glossary)
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	named := map[string]string{"Movie": film, "Person": person}
	here := func(label string) string {
		if l, other := named[label]; other {
			return l
		}
		return label
	}
	has := func(label, prop string) bool {
		return slices.ContainsFunc(s.Labels, func(l store.Label) bool {
			return l.Name == label && (prop == "" || slices.ContainsFunc(l.Properties, func(p store.Property) bool { return p.Name == prop }))
		})
	}
	for label, w := range from.Labels {
		label = here(label)
		mine, there := own.Labels[label]
		if !there {
			continue
		}
		w.Key = mine.Key
		for _, p := range []*string{&w.Year, &w.Earns, &w.Top} {
			if !has(label, *p) {
				*p = ""
			}
		}
		g.Labels[label] = w
	}
	for rel, w := range from.Relationships {
		mine, there := own.Relationships[rel]
		if !there || mine.From != here(w.From) || mine.To != here(w.To) {
			continue
		}
		w.From, w.To = mine.From, mine.To
		if !has(w.Role, "") {
			w.Role = ""
		}
		g.Relationships[rel] = w
	}
	for name, w := range from.Properties {
		label, prop, _ := strings.Cut(name, ".")
		name = here(label) + "." + prop
		if _, there := own.Properties[name]; there {
			g.Properties[name] = w
		}
	}
	return g, nil
}
