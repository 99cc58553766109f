package check

import "precedent/store"

// A graph is a schema as directions and names need it: labels and types are
// numbers, and sets of them are bits.
type graph struct {
	sizes   map[string]int64         // nodes of a label
	counts  map[store.Relation]int64 // relationships of a triple, Count left out
	labels  vocabulary
	types   vocabulary
	triples [][]triple     // by type
	widest  map[int]triple // by type: the most general labels, where all its relationships join these
}

// A triple says that relationships of a type lead from start to end.
type triple struct{ start, end int }

// A vocabulary is the labels of a graph, or its types.
type vocabulary struct {
	names  []string
	number map[string]int
	all    set
	// properties[i] are those of names[i]; nil where properties are unknown.
	properties []map[string]property
}

// A property is what is known of one property of a label or type.
type property struct {
	always  bool   // every node or relationship has it
	kind    string // its type, "" where it isn't known or mixed
	samples []any  // values that it holds
	all     bool   // samples are all of them
	unique  bool   // no two nodes share a value
	several bool   // it is known that several nodes share a value
	extent  [2]any // the least and the greatest value, nil where they aren't known
}

func graphOf(s *store.Schema) *graph {
	g := &graph{
		labels: vocabulary{number: make(map[string]int)},
		types:  vocabulary{number: make(map[string]int)},
	}
	for _, l := range s.Labels {
		g.labels.know(g.labels.add(l.Name), l.Properties, l.Count, s.Sampled)
	}
	for _, t := range s.Types {
		g.types.know(g.types.add(t.Name), t.Properties, t.Count, s.Sampled)
	}
	g.sizes, g.counts = make(map[string]int64), make(map[store.Relation]int64)
	for _, l := range s.Labels {
		g.sizes[l.Name] = l.Count
	}
	for _, r := range s.Relationships {
		g.counts[store.Relation{Start: r.Start, Type: r.Type, End: r.End}] = r.Count
		start, end, kind := g.labels.add(r.Start), g.labels.add(r.End), g.types.add(r.Type)
		for len(g.triples) <= kind {
			g.triples = append(g.triples, nil)
		}
		g.triples[kind] = append(g.triples[kind], triple{start, end})
	}
	g.widest = widestOf(s, g)
	for len(g.triples) < len(g.types.names) {
		g.triples = append(g.triples, nil)
	}
	g.labels.all, g.types.all = full(len(g.labels.names)), full(len(g.types.names))
	return g
}

// widestOf finds the labels that tell everything of a type: of Person, Actor and
// Director, all of which DIRECTED starts from, it is Person.
func widestOf(s *store.Schema, g *graph) map[int]triple {
	sizes, all := make(map[string]int64), make(map[string]int64)
	for _, l := range s.Labels {
		sizes[l.Name] = l.Count
	}
	for _, t := range s.Types {
		all[t.Name] = t.Count
	}
	widest, size := make(map[int]triple), make(map[string]int64)
	for _, r := range s.Relationships {
		if r.Count == 0 || r.Count != all[r.Type] || s.Sampled {
			continue
		}
		if n := sizes[r.Start] + sizes[r.End]; n > size[r.Type] {
			size[r.Type] = n
			widest[g.types.number[r.Type]] = triple{g.labels.number[r.Start], g.labels.number[r.End]}
		}
	}
	return widest
}

func (v *vocabulary) add(name string) int {
	i, known := v.number[name]
	if !known {
		i = len(v.names)
		v.number[name] = i
		v.names = append(v.names, name)
		v.properties = append(v.properties, make(map[string]property))
	}
	return i
}

// nearlyUnique is the share of distinct values from which a property tells its nodes
// apart, but for a few of the same name.
const nearlyUnique = 0.9

// IsShared reports whether it is known that several nodes share a value of p: it tells
// kinds of things, not one thing from another.
func IsShared(p store.Property) bool {
	return !p.Unique && p.Distinct > 0 && p.Present > 0 && float64(p.Distinct) < nearlyUnique*float64(p.Present)
}

func (v *vocabulary) know(i int, properties []store.Property, count int64, sampled bool) {
	for _, p := range properties {
		known := property{always: !sampled && count > 0 && p.Present >= count, kind: kindOf(p.Type), samples: p.Samples}
		known.all = !sampled && p.Distinct > 0 && p.Distinct == int64(len(p.Samples))
		known.several = IsShared(p)
		known.unique = p.Unique || !sampled && p.Distinct > 0 && p.Distinct == p.Present
		known.extent = [2]any{p.Min, p.Max}
		v.properties[i][p.Name] = known
	}
}

// has reports whether some name of s has the property.
func (v *vocabulary) has(s set, name string) bool {
	for i := range s.each() {
		if _, has := v.properties[i][name]; has {
			return true
		}
	}
	return false
}

// owning are the names of s that have the property.
func (v *vocabulary) owning(s set, name string) set {
	own := empty(len(v.names))
	for i := range s.each() {
		if _, has := v.properties[i][name]; has {
			own.add(i)
		}
	}
	return own
}

// listed are the names of s in the order of the vocabulary.
func (v *vocabulary) listed(s set) []string {
	var names []string
	for i := range s.each() {
		names = append(names, v.names[i])
	}
	return names
}
