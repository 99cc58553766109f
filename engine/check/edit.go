package check

import "precedent/store/cypher"

// An edit is a Change and how to make it in a copy of the tree.
type edit struct {
	Change
	node cypher.Node       // in the tree that was given
	make func(cypher.Node) // does it to the copy of node
}

// apply makes edits in a copy of s.
func apply(s *cypher.Statement, edits []edit) *cypher.Statement {
	place := make(map[cypher.Node]int)
	at := 0
	cypher.Walk(s, func(n cypher.Node) bool {
		place[n] = at
		at++
		return true
	})
	copied := cypher.Clone(s)
	nodes := make([]cypher.Node, 0, at)
	cypher.Walk(copied, func(n cypher.Node) bool {
		nodes = append(nodes, n)
		return true
	})
	for _, e := range edits {
		e.make(nodes[place[e.node]])
	}
	return copied
}

// and joins two conditions, of which the first may be missing.
func and(l, r cypher.Expr) cypher.Expr {
	if l == nil {
		return r
	}
	return &cypher.Binary{Op: cypher.And, L: l, R: r}
}
