package engine

import (
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
)

// linkable are the properties whose values people name: those configured, and
// strings that are unique or called name or title.
func linkable(s *store.Schema, g *reading.Glossary) []store.Property {
	var out []store.Property
	for _, l := range s.Labels {
		for _, p := range l.Properties {
			name := l.Name + "." + p.Name
			low := strings.ToLower(p.Name)
			named := p.Type == "STRING" && (p.Unique || strings.HasSuffix(low, "name") || strings.HasSuffix(low, "title"))
			if slices.Contains(g.Linkable, name) || named {
				p.Name = name
				out = append(out, p)
			}
		}
	}
	return out
}
