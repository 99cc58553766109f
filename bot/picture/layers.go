package picture

import (
	"cmp"
	"slices"
)

// sweeps is how often the order of nodes in a layer is mended.
const sweeps = 4

// layers puts nodes into layers by how far they are from where walks begin, so
// that an edge lies within a layer or between two that follow each other; and
// orders each by where its neighbours are (Sugiyama, Tagawa and Toda, Methods
// for Visual Understanding of Hierarchical System Structures, 1981).
func (g *graph) layers() [][]int {
	near := make([][]int, len(g.nodes))
	for _, e := range g.edges {
		near[e.a] = append(near[e.a], e.b)
		near[e.b] = append(near[e.b], e.a)
	}
	depth := make([]int, len(g.nodes))
	for i := range depth {
		depth[i] = -1
	}
	reach := func(from []int) {
		for _, i := range from {
			depth[i] = 0
		}
		for len(from) > 0 {
			i := from[0]
			from = from[1:]
			for _, j := range near[i] {
				if depth[j] < 0 {
					depth[j] = depth[i] + 1
					from = append(from, j)
				}
			}
		}
	}
	reach(g.sources())
	for _, w := range g.walks { // what no source reaches
		if depth[w.nodes[0]] < 0 {
			reach([]int{w.nodes[0]})
		}
	}
	out := make([][]int, slices.Max(depth)+1)
	for i, d := range depth {
		out[d] = append(out[d], i)
	}
	for s := range sweeps {
		for k := range out {
			if s%2 == 1 {
				k = len(out) - 1 - k
			}
			arrange(out, k, near)
		}
	}
	return out
}

// sources are the nodes that walks begin with and don't come to later; where
// there are none, the first one.
func (g *graph) sources() (list []int) {
	later := map[int]bool{}
	for _, w := range g.walks {
		for _, i := range w.nodes[1:] {
			later[i] = true
		}
	}
	for _, w := range g.walks {
		if first := w.nodes[0]; !later[first] && !slices.Contains(list, first) {
			list = append(list, first)
		}
	}
	if len(list) == 0 {
		list = []int{g.walks[0].nodes[0]}
	}
	return list
}

// arrange orders layer k by the middle of each node's neighbours.
func arrange(layers [][]int, k int, near [][]int) {
	place := map[int]float64{}
	for _, layer := range layers {
		for i, n := range layer {
			place[n] = (float64(i) + 0.5) / float64(len(layer))
		}
	}
	middle := func(n int) float64 {
		sum := place[n] // its own place counts too, which keeps order where nothing pulls
		for _, m := range near[n] {
			sum += place[m]
		}
		return sum / float64(len(near[n])+1)
	}
	slices.SortStableFunc(layers[k], func(a, b int) int { return cmp.Compare(middle(a), middle(b)) })
}
