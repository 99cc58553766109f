package embedded

import (
	"iter"
	"math"
	"slices"
	"sort"
	"sync"

	"precedent/store"
)

// A Graph holds nodes and relationships in memory. Make one with [Open].
type Graph struct {
	nodes []node
	rels  []rel
	out   []int32 // relationships by start node, then type; see node.out
	in    []int32 // relationships by end node, then type

	labels, types, keys names
	labelSets           [][]int32 // the label ids of each set
	bySet               [][]int32 // the nodes of each set, ascending
	labelCount          []int     // nodes by label id
	typeCount           []int     // relationships by type id
	uniqueKeys          map[[2]int32]bool
	hidden              store.Found // what was left out

	mu      sync.Mutex
	indexes map[[2]int32]*valueIndex
	cache   statements
	closed  bool
}

// A node is one of Graph.nodes; values hold pointers into that slice.
type node struct {
	id     int32
	labels int32 // index into labelSets
	out    int32 // where its relationships begin in Graph.out; they end where the next node's begin
	in     int32
	props  []prop
}

// A rel is one of Graph.rels; values hold pointers into that slice.
type rel struct {
	id, typ, start, end int32
	props               []prop
}

type prop struct {
	key   int32
	value any
}

// A path is a walk as a value of a row.
type path struct {
	nodes []*node
	rels  []*rel
}

// names maps names to small numbers and back.
type names struct {
	id   map[string]int32
	text []string
}

func (n *names) add(s string) int32 {
	if id, ok := n.id[s]; ok {
		return id
	}
	if n.id == nil {
		n.id = map[string]int32{}
	}
	id := int32(len(n.text))
	n.id[s] = id
	n.text = append(n.text, s)
	return id
}

// find returns the number of s, or -1.
func (n *names) find(s string) int32 {
	if id, ok := n.id[s]; ok {
		return id
	}
	return -1
}

func property(props []prop, key int32) any {
	for i := range props {
		if props[i].key == key {
			return props[i].value
		}
	}
	return nil
}

// outOf returns the relationships that leave n, by type.
func (g *Graph) outOf(n *node) []int32 {
	if int(n.id)+1 < len(g.nodes) {
		return g.out[n.out:g.nodes[n.id+1].out]
	}
	return g.out[n.out:]
}

// into returns the relationships that reach n, by type.
func (g *Graph) into(n *node) []int32 {
	if int(n.id)+1 < len(g.nodes) {
		return g.in[n.in:g.nodes[n.id+1].in]
	}
	return g.in[n.in:]
}

// ofType narrows a node's relationships, which are sorted by type, to one type.
func (g *Graph) ofType(rels []int32, typ int32) []int32 {
	if len(rels) < 8 {
		for len(rels) > 0 && g.rels[rels[0]].typ != typ {
			rels = rels[1:]
		}
		end := 0
		for end < len(rels) && g.rels[rels[end]].typ == typ {
			end++
		}
		return rels[:end]
	}
	from := sort.Search(len(rels), func(i int) bool { return g.rels[rels[i]].typ >= typ })
	to := from + sort.Search(len(rels)-from, func(i int) bool { return g.rels[rels[from+i]].typ > typ })
	return rels[from:to]
}

// A valueIndex finds the nodes of a label by the value of a property.
type valueIndex struct {
	once  sync.Once
	first map[any]int32   // the first node by value
	next  map[int32]int32 // the node behind it that has the same value
}

// index returns the index of a label and a property; it is built on first use.
func (g *Graph) index(label, key int32) *valueIndex {
	g.mu.Lock()
	ix := g.indexes[[2]int32{label, key}]
	if ix == nil {
		ix = &valueIndex{}
		g.indexes[[2]int32{label, key}] = ix
	}
	g.mu.Unlock()
	ix.once.Do(func() {
		free := unbounded()
		ix.first, ix.next = map[any]int32{}, map[int32]int32{}
		for id := int32(len(g.nodes)) - 1; id >= 0; id-- {
			n := &g.nodes[id]
			if !g.hasLabel(n, label) {
				continue
			}
			v := property(n.props, key)
			if v == nil {
				continue
			}
			k := free.indexKey(v)
			if later, ok := ix.first[k]; ok {
				ix.next[id] = later
			}
			ix.first[k] = id
		}
	})
	return ix
}

func (g *Graph) hasLabel(n *node, label int32) bool {
	return slices.Contains(g.labelSets[n.labels], label)
}

// withValue yields the nodes of a label that have the value, ascending; x is who
// asks.
func (ix *valueIndex) withValue(x *exec, v any) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		id, ok := ix.first[x.indexKey(v)]
		for ok && yield(id) {
			id, ok = ix.next[id]
		}
	}
}

// Values yields the distinct values of a property of the nodes with a label and
// how many nodes have each, in the order of the files. A name that the graph
// lacks yields nothing.
func (g *Graph) Values(label, name string) iter.Seq2[any, int] {
	return func(yield func(any, int) bool) {
		l, k := g.labels.find(label), g.keys.find(name)
		if l < 0 || k < 0 {
			return
		}
		ix, free := g.index(l, k), unbounded()
		for id := range g.nodes {
			n := &g.nodes[id]
			if !g.hasLabel(n, l) {
				continue
			}
			v := property(n.props, k)
			if v == nil {
				continue
			}
			count, first := 0, int32(math.MaxInt32)
			for other := range ix.withValue(free, v) {
				count++
				first = min(first, other)
			}
			if first == n.id && !yield(v, count) {
				return
			}
		}
	}
}

func containsID(ids []int32, id int32) bool {
	return slices.Contains(ids, id)
}

// Exists tells whether a node with the label has the value, as Cypher's =
// compares (1 and 1.0 are equal).
func (g *Graph) Exists(label, name string, value any) bool {
	l, k := g.labels.find(label), g.keys.find(name)
	if l < 0 || k < 0 || value == nil {
		return false
	}
	v, err := fromParam(value)
	if err != nil {
		return false
	}
	for range g.index(l, k).withValue(unbounded(), v) {
		return true
	}
	return false
}

// node and relationship as they leave the graph.
func (g *Graph) storeNode(n *node) store.Node {
	return store.Node{ID: nodeID(n.id), Labels: g.labelsOf(n), Properties: g.propMap(n.props)}
}

func (g *Graph) storeRel(r *rel) store.Relationship {
	return store.Relationship{ID: relID(r.id), Start: nodeID(r.start), End: nodeID(r.end),
		Type: g.types.text[r.typ], Properties: g.propMap(r.props)}
}

func (g *Graph) propMap(props []prop) map[string]any {
	m := make(map[string]any, len(props))
	for _, p := range props {
		m[g.keys.text[p.key]] = p.value
	}
	return m
}
