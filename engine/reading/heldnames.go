package reading

import (
	"slices"
	"strings"

	"precedent/store"
)

// schemaNames are those of a schema, the hidden ones too.
type schemaNames struct {
	schema        *store.Schema
	labels, types []string
	owned         map[string][]string // properties by label or type
	properties    map[string]*store.Property
	start, joined map[[3]string]bool
}

func schemaNamesOf(s *store.Schema) *schemaNames {
	n := &schemaNames{schema: s, owned: make(map[string][]string), properties: make(map[string]*store.Property), start: make(map[[3]string]bool), joined: make(map[[3]string]bool)}
	if s == nil {
		return n
	}
	of := func(owner string, list []store.Property) {
		for i := range list {
			n.owned[owner] = append(n.owned[owner], list[i].Name)
			n.properties[owner+"."+list[i].Name] = &list[i]
		}
	}
	for _, l := range s.Labels {
		n.labels = append(n.labels, l.Name)
		of(l.Name, l.Properties)
	}
	for _, t := range s.Types {
		n.types = append(n.types, t.Name)
		of(t.Name, t.Properties)
	}
	n.labels, n.types = append(n.labels, s.Hidden.Labels...), append(n.types, s.Hidden.Types...)
	for _, p := range s.Hidden.Properties {
		owner, key, _ := strings.Cut(p, ".")
		n.owned[owner] = append(n.owned[owner], key)
		n.properties[p] = nil
	}
	for _, r := range s.Relationships {
		n.joined[[3]string{r.Start, r.Type, r.End}] = true
		n.start[[3]string{r.Start, r.Type}] = true
	}
	return n
}

// unsure reports whether a name that isn't there may be there all the same.
func (n *schemaNames) unsure() bool { return n.schema == nil || n.schema.Sampled }

func (n *schemaNames) label(name string) bool { return n.unsure() || slices.Contains(n.labels, name) }

func (n *schemaNames) isType(name string) bool { return n.unsure() || slices.Contains(n.types, name) }

// property is one of a label or type; nil where it isn't known what it is.
func (n *schemaNames) property(owner, key string) (*store.Property, bool) {
	p, known := n.properties[owner+"."+key]
	return p, known || n.unsure() || n.hidden(owner)
}

func (n *schemaNames) hidden(name string) bool {
	return slices.Contains(n.schema.Hidden.Labels, name) || slices.Contains(n.schema.Hidden.Types, name)
}

// leads reports whether relationships lead from one label to another.
func (n *schemaNames) leads(from, rel, to string) bool {
	return n.joined[[3]string{from, rel, to}] || n.unsure() || n.hidden(from) || n.hidden(rel) || n.hidden(to)
}

// starts reports whether nodes of a label begin relationships of a type.
func (n *schemaNames) starts(label, rel string) bool {
	return n.start[[3]string{label, rel}] || n.unsure() || n.hidden(label) || n.hidden(rel)
}

// meet reports whether nodes may bear both labels, or the second is a type.
func (n *schemaNames) meet(label, other string) bool {
	return label == other || n.unsure() || slices.Contains(n.types, other) || n.hidden(other) || n.schema.Meet([]string{label, other})
}
