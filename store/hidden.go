package store

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// Hidden is what the operator keeps from everyone: labels and types with all
// that they hold, and single properties of the nodes of a label or the
// relationships of a type. The zero Hidden hides nothing.
type Hidden struct {
	Names      []string            // labels and types, sorted
	Properties map[string][]string // the labels and types that hide a property, by its key
	keys       []string            // of Properties, sorted
}

// NewHidden reads entries as people write them: ":Secret" is a label or type,
// "Person.email" a property. Blank entries hide nothing.
func NewHidden(entries []string) Hidden {
	h := Hidden{Properties: map[string][]string{}}
	for _, entry := range entries {
		owner, key, dotted := strings.Cut(strings.TrimSpace(entry), ".")
		owner = strings.TrimPrefix(owner, ":")
		switch {
		case owner == "":
		case dotted && key != "":
			h.Properties[key] = append(h.Properties[key], owner)
		case !dotted:
			h.Names = append(h.Names, owner)
		}
	}
	slices.Sort(h.Names)
	h.Names = slices.Compact(h.Names)
	h.keys = slices.Sorted(maps.Keys(h.Properties))
	return h
}

// Owned are the hidden properties, each as its owner, a label or type, and its key,
// always in the same order.
func (h Hidden) Owned() iter.Seq2[string, string] {
	return func(yield func(owner, key string) bool) {
		for _, key := range h.keys {
			for _, owner := range h.Properties[key] {
				if !yield(owner, key) {
					return
				}
			}
		}
	}
}

// Find says which of the hidden names a graph has that has these labels and types,
// and in which has says whether anything of owner has a property.
func (h Hidden) Find(labels, types []string, has func(owner, key string) (bool, error)) (found Found, err error) {
	for _, name := range h.Names {
		if slices.Contains(labels, name) {
			found.Labels = append(found.Labels, name)
		}
		if slices.Contains(types, name) {
			found.Types = append(found.Types, name)
		}
	}
	for owner, key := range h.Owned() {
		ok, err := has(owner, key)
		if err != nil {
			return found, err
		}
		if ok {
			found.Properties = append(found.Properties, owner+"."+key)
		}
	}
	slices.Sort(found.Properties)
	return found, nil
}

// Nothing reports whether nothing is hidden.
func (h Hidden) Nothing() bool { return len(h.Names)+len(h.Properties) == 0 }

// Name reports whether a label or type is hidden.
func (h Hidden) Name(name string) bool { return slices.Contains(h.Names, name) }

// Any reports whether one of a node's labels is hidden, and so the node.
func (h Hidden) Any(labels []string) bool { return slices.ContainsFunc(labels, h.Name) }

// Property reports whether key is hidden on what bears these labels or this type.
func (h Hidden) Property(owners []string, key string) bool {
	return slices.ContainsFunc(h.Properties[key], func(o string) bool { return slices.Contains(owners, o) })
}

// Strip drops hidden properties from the nodes and relationships of a table, and
// what is hidden as a whole becomes null. The table is changed in place.
func (h Hidden) Strip(t Table) Table {
	if h.Nothing() {
		return t
	}
	for _, row := range t.Rows {
		for i, v := range row {
			row[i] = h.strip(v)
		}
	}
	return t
}

func (h Hidden) strip(v any) any {
	switch v := v.(type) {
	case Node:
		if h.Any(v.Labels) {
			return nil
		}
		v.Properties = h.left(v.Labels, v.Properties)
		return v
	case Relationship:
		if h.Name(v.Type) {
			return nil
		}
		v.Properties = h.left([]string{v.Type}, v.Properties)
		return v
	case Path:
		for i, n := range v.Nodes {
			if h.Any(n.Labels) {
				return nil
			}
			v.Nodes[i].Properties = h.left(n.Labels, n.Properties)
		}
		for i, r := range v.Relationships {
			if h.Name(r.Type) {
				return nil
			}
			v.Relationships[i].Properties = h.left([]string{r.Type}, r.Properties)
		}
		return v
	case []any:
		for i := range v {
			v[i] = h.strip(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = h.strip(v[k])
		}
	}
	return v
}

// left are the properties that owners, labels or a type, don't hide.
func (h Hidden) left(owners []string, properties map[string]any) map[string]any {
	out := make(map[string]any, len(properties))
	for k, v := range properties {
		if !h.Property(owners, k) {
			out[k] = v
		}
	}
	return out
}
