package picture

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"precedent/bot/words"
	"precedent/store"
)

// Which rows are drawn as a graph.
const (
	minNodes = 3
	maxNodes = 15
	maxEdges = 30
)

// A graph is what some walks go through.
type graph struct {
	nodes []node
	edges []edge
	walks []walk
	index map[string]int // of a node's identity
}

type node struct {
	name   string
	labels []string
	kind   string // of labels, the one that most nodes of the picture have
}

// An edge lies between two nodes. It is one, however many relationships do.
type edge struct {
	a, b      int
	types     []string
	to, fromB bool // relationships lead from a to b, from b to a
}

// A walk is through nodes, by steps between them.
type walk struct {
	nodes []int
	steps []step
}

type step struct {
	kind          string // of relationship; "" unknown
	there, andBak bool   // in the walk's direction, or against it
}

// graphOf tells what graph rows walk through, if they do.
func graphOf(columns []string, rows [][]any) (*graph, bool) {
	if len(rows) == 0 || len(rows) > maxEdges {
		return nil, false
	}
	g := &graph{index: map[string]int{}}
	for _, row := range rows {
		if !g.walk(columns, row) || len(g.nodes) > maxNodes || len(g.edges) > maxEdges {
			return nil, false
		}
	}
	if len(g.nodes) < minNodes {
		return nil, false
	}
	g.classify()
	return g, true
}

// walk takes in what one row walks through.
func (g *graph) walk(columns []string, row []any) bool {
	var nodes []store.Node
	var rels []store.Relationship
	var names []any
	paths := 0
	for i, v := range row {
		switch v := v.(type) {
		case store.Path:
			nodes, rels = v.Nodes, v.Relationships
			paths++
		case []any:
			if i < len(columns) && pathName.MatchString(columns[i]) && len(v) >= minNodes {
				names = v
			}
		}
	}
	switch {
	case paths == 1:
		return g.through(nodes, rels)
	case paths > 1:
		return false
	case names != nil:
		return g.named(names)
	}
	nodes, rels, ok := inTurn(row)
	return ok && g.through(nodes, rels)
}

// pathName is what a column is called that lists the names along a path.
var pathName = regexp.MustCompile(`(?i)^(.*[^a-z])?(path|chain|route)$|路径$|路线$|链$`)

// inTurn takes nodes and relationships that stand in turn in a row; other
// values may stand before and behind them.
func inTurn(row []any) (nodes []store.Node, rels []store.Relationship, ok bool) {
	ended := false
	for _, v := range row {
		switch v := v.(type) {
		case store.Node:
			if ended || len(nodes) != len(rels) {
				return nil, nil, false
			}
			nodes = append(nodes, v)
		case store.Relationship:
			if ended || len(nodes) != len(rels)+1 {
				return nil, nil, false
			}
			rels = append(rels, v)
		default:
			ended = len(nodes) > 0
		}
	}
	return nodes, rels, len(rels) > 0 && len(nodes) == len(rels)+1
}

// through takes a path in and tells whether it hangs together.
func (g *graph) through(nodes []store.Node, rels []store.Relationship) bool {
	if len(nodes) != len(rels)+1 || len(nodes) < 2 || len(nodes) > maxNodes*2 {
		return false
	}
	var w walk
	for i, n := range nodes {
		name := calledOr(n)
		if name == "" || n.ID == "" {
			return false
		}
		w.nodes = append(w.nodes, g.add(n.ID, name, n.Labels))
		if i == 0 {
			continue
		}
		rel, before := rels[i-1], nodes[i-1].ID
		forth, back := rel.Start == before && rel.End == n.ID, rel.Start == n.ID && rel.End == before
		if forth == back { // also a node that leads to itself
			return false
		}
		w.steps = append(w.steps, step{clean(rel.Type), forth, back})
	}
	return g.take(w)
}

// named takes in a path of which names alone are known, or nodes.
func (g *graph) named(list []any) bool {
	var w walk
	for i, v := range list {
		at := 0
		switch v := v.(type) {
		case store.Node:
			name := calledOr(v)
			if name == "" || v.ID == "" {
				return false
			}
			at = g.add(v.ID, name, v.Labels)
		case string:
			name := clean(v)
			if name == "" {
				return false
			}
			at = g.add("\x00"+name, name, nil)
		default:
			return false
		}
		if slices.Contains(w.nodes, at) {
			return false
		}
		w.nodes = append(w.nodes, at)
		if i > 0 {
			w.steps = append(w.steps, step{})
		}
	}
	return g.take(w)
}

func calledOr(n store.Node) string {
	if name := title(n); name != "" || len(n.Labels) == 0 {
		return name
	}
	return clean(n.Labels[0])
}

func (g *graph) add(id, name string, labels []string) int {
	if i, ok := g.index[id]; ok {
		return i
	}
	g.index[id] = len(g.nodes)
	g.nodes = append(g.nodes, node{name: name, labels: labels})
	return len(g.nodes) - 1
}

func (g *graph) take(w walk) bool {
	g.walks = append(g.walks, w)
	for i, s := range w.steps {
		a, b := w.nodes[i], w.nodes[i+1]
		if a == b {
			return false
		}
		if a > b {
			a, b, s.there, s.andBak = b, a, s.andBak, s.there
		}
		at := slices.IndexFunc(g.edges, func(e edge) bool { return e.a == a && e.b == b })
		if at < 0 {
			at = len(g.edges)
			g.edges = append(g.edges, edge{a: a, b: b})
		}
		e := &g.edges[at]
		e.to, e.fromB = e.to || s.there, e.fromB || s.andBak
		if s.kind != "" && !slices.Contains(e.types, s.kind) {
			e.types = append(e.types, s.kind)
		}
	}
	return true
}

// classify finds what kind of node each is.
func (g *graph) classify() {
	count := map[string]int{}
	for _, n := range g.nodes {
		for _, l := range n.labels {
			count[l]++
		}
	}
	for i, n := range g.nodes {
		if len(n.labels) > 0 {
			g.nodes[i].kind = slices.MaxFunc(n.labels, func(a, b string) int { return cmp.Compare(count[a], count[b]) })
		}
	}
}

// kinds are the kinds of nodes, as they come.
func (g *graph) kinds() (list []string) {
	for _, n := range g.nodes {
		if n.kind != "" && !slices.Contains(list, n.kind) {
			list = append(list, n.kind)
		}
	}
	return list
}

func (e edge) label() string { return strings.Join(e.types, " · ") }

func (g *graph) texts() (list []string) {
	for _, n := range g.nodes {
		list = append(list, n.name)
	}
	return list
}

func (g *graph) alt(w words.Pictures, title string) string {
	var items []string
	for _, walk := range g.walks {
		var text strings.Builder
		text.WriteString(g.nodes[walk.nodes[0]].name)
		for i, s := range walk.steps {
			kind := s.kind
			if kind != "" {
				kind += "–"
			}
			switch {
			case s.there:
				text.WriteString(" –" + strings.TrimSuffix(kind, "–") + "→ ")
			case s.andBak:
				text.WriteString(" ←" + kind + " ")
			default:
				text.WriteString(" – ")
			}
			text.WriteString(g.nodes[walk.nodes[i+1]].name)
		}
		if !slices.Contains(items, text.String()) {
			items = append(items, text.String())
		}
	}
	return told(headed(title, fmt.Sprintf(w.Graph, len(g.nodes), len(g.edges))), items, w)
}
