package embedded

import (
	"slices"

	"precedent/store"
)

// leaveOut makes the graph anew without what is hidden: nodes of hidden labels,
// relationships of hidden types or at such nodes, hidden properties, and all
// names that nothing else bears.
func (l *loader) leaveOut(h store.Hidden) {
	was := l.g
	l.g = &Graph{indexes: map[[2]int32]*valueIndex{}, uniqueKeys: map[[2]int32]bool{}, hidden: was.find(h)}
	l.sets = map[string]int32{}
	now := make([]int32, len(was.nodes)) // what each node is called now; -1 where it is left out
	for i := range was.nodes {
		n := &was.nodes[i]
		names := was.labelsOf(n)
		if now[i] = -1; h.Any(names) {
			continue
		}
		labels := make([]int32, len(names))
		for j, name := range names {
			labels[j] = l.g.labels.add(name)
		}
		slices.Sort(labels)
		now[i] = int32(len(l.g.nodes))
		kept := node{id: now[i], labels: l.labelSet(labels), props: l.visible(was, h, names, n.props)}
		l.g.nodes = append(l.g.nodes, kept)
		l.g.bySet[kept.labels] = append(l.g.bySet[kept.labels], kept.id)
	}
	for i := range was.rels {
		r := was.rels[i]
		name := was.types.text[r.typ]
		if h.Name(name) || now[r.start] < 0 || now[r.end] < 0 {
			continue
		}
		r.id, r.typ, r.start, r.end = int32(len(l.g.rels)), l.g.types.add(name), now[r.start], now[r.end]
		r.props = l.visible(was, h, []string{name}, r.props)
		l.g.rels = append(l.g.rels, r)
	}
	for unique := range was.uniqueKeys {
		label, key := l.g.labels.find(was.labels.text[unique[0]]), l.g.keys.find(was.keys.text[unique[1]])
		if label >= 0 && key >= 0 {
			l.g.uniqueKeys[[2]int32{label, key}] = true
		}
	}
}

// visible are the properties that owners, labels or a type, don't hide.
func (l *loader) visible(was *Graph, h store.Hidden, owners []string, props []prop) []prop {
	var out []prop
	for _, p := range props {
		if key := was.keys.text[p.key]; !h.Property(owners, key) {
			out = append(out, prop{l.g.keys.add(key), p.value})
		}
	}
	return out
}

// labelsOf are the names of a node's labels.
func (g *Graph) labelsOf(n *node) []string {
	names := make([]string, len(g.labelSets[n.labels]))
	for i, label := range g.labelSets[n.labels] {
		names[i] = g.labels.text[label]
	}
	return names
}

// find says which of the hidden names g has.
func (g *Graph) find(h store.Hidden) store.Found {
	found, _ := h.Find(g.labels.text, g.types.text, func(owner, key string) (bool, error) { // which never fails
		id := g.keys.find(key)
		has := func(p prop) bool { return p.key == id }
		return slices.ContainsFunc(g.nodes, func(n node) bool {
			return slices.ContainsFunc(n.props, has) && slices.Contains(g.labelsOf(&n), owner)
		}) || slices.ContainsFunc(g.rels, func(r rel) bool {
			return g.types.text[r.typ] == owner && slices.ContainsFunc(r.props, has)
		}), nil
	})
	return found
}
