package embedded

import (
	"strings"

	"precedent/store/cypher"
)

// Neo4j rejects some calls before it reads a row. The ones below are those that
// people and models write: a property given where a path, node or relationship
// is needed, and a pattern outside of a condition.

var wantsKind = map[string]kind{"length": pathKind, "nodes": pathKind, "relationships": pathKind,
	"labels": nodeKind, "type": relKind, "startnode": relKind, "endnode": relKind}

var kindNames = map[kind]string{nodeKind: "Node", relKind: "Relationship", relsKind: "List<Relationship>", pathKind: "Path"}

// checkArgs rejects arguments of a call whose type is wrong whatever the graph holds.
func (c *compiler) checkArgs(s *scope, e *cypher.Call) error {
	for _, arg := range e.Args {
		if err := c.checkPattern(arg); err != nil {
			return err
		}
	}
	if len(e.Args) != 1 {
		return nil
	}
	name := strings.ToLower(e.Name)
	have := c.kindOf(s, e.Args[0])
	want := wantsKind[name]
	if want == anyKind || have == want {
		if name == "size" && have == pathKind {
			return queryError("Type mismatch: expected String or List<T> but was Path: use length(…)%s", c.where(e.Args[0].Pos()))
		}
		return nil
	}
	hint := ""
	if name == "length" {
		hint = ": use size(…) for texts and lists"
	}
	switch {
	case have != anyKind:
		return queryError("Type mismatch: expected %s but was %s%s%s", kindNames[want], kindNames[have], hint, c.where(e.Args[0].Pos()))
	case c.stored(s, e.Args[0]):
		return queryError("Type mismatch: %s(…) expected %s but was a property%s%s", e.Name, kindNames[want], hint, c.where(e.Args[0].Pos()))
	}
	return nil
}

func (c *compiler) kindOf(s *scope, e cypher.Expr) kind {
	if v, ok := e.(*cypher.Variable); ok {
		return s.vars[v.Name].kind
	}
	return anyKind
}

// stored tells whether e is a property of a node or relationship.
func (c *compiler) stored(s *scope, e cypher.Expr) bool {
	p, ok := e.(*cypher.Property)
	if !ok {
		return false
	}
	k := c.kindOf(s, p.X)
	return k == nodeKind || k == relKind
}

// checkPattern rejects a bare pattern where no condition is asked for.
func (c *compiler) checkPattern(e cypher.Expr) error {
	if p, ok := e.(*cypher.PatternPredicate); ok && p.Path.Shortest == cypher.AnyPath {
		return queryError("A pattern expression should only be used in order to test the existence of a pattern. It can no longer be used inside a function or as a value: use COUNT {}, COLLECT {} or a pattern comprehension%s", c.where(e.Pos()))
	}
	return nil
}
