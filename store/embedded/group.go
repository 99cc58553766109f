package embedded

import (
	"math"

	"precedent/store/cypher"
)

// A groupAt is a path of a MATCH that repeats: ((a)-[r]->(b) WHERE …){1,3}.
// Inside, its variables stand for one of its turns; outside, for the lists of what
// they stood for in all of them.
type groupAt struct {
	pattern *cypher.GroupPattern
	vars    []groupVar
}

// A groupVar is a variable of a group, and the slot of its list.
type groupVar struct {
	name string
	kind kind // inside of the group
	slot int
}

// opened is a path without the parentheses around all of it, and the WHERE that
// stood in them.
func (c *compiler) opened(path *cypher.Path) (*cypher.Path, cypher.Expr, error) {
	if len(path.Elements) != 1 {
		return path, nil, nil
	}
	group, ok := path.Elements[0].(*cypher.GroupPattern)
	if !ok || group.Quant != nil {
		return path, nil, nil
	}
	out := *path
	out.Elements = group.Path.Elements
	switch {
	case group.Path.Var == "":
	case path.Shortest < cypher.SelectAnyShortest || path.Var != "":
		return nil, nil, queryError("Sub-path assignment is currently not supported: name the whole path%s", c.where(group.Path.Pos()))
	default:
		out.Var = group.Path.Var
	}
	if group.Path.Shortest != cypher.AnyPath {
		return nil, nil, queryError("Path selectors such as `SHORTEST 1` are not supported within parenthesised path patterns%s", c.where(group.Pos()))
	}
	return &out, group.Where, nil
}

// groupOf is -[r]->{1,3} as the group that it is short for.
func groupOf(rel *cypher.RelPattern) *cypher.GroupPattern {
	one := *rel
	one.Quant = nil
	return &cypher.GroupPattern{At: rel.At, Quant: rel.Quant, Path: &cypher.Path{At: rel.At,
		Elements: []cypher.Element{&cypher.NodePattern{At: rel.At}, &one, &cypher.NodePattern{At: rel.At}}}}
}

// groupAt reads a group and declares the lists of its variables.
func (c *compiler) groupAt(p *patterns, el *cypher.GroupPattern) (*relAt, error) {
	if err := c.checkGroup(el); err != nil {
		return nil, err
	}
	g := &groupAt{pattern: el}
	r := &relAt{group: g, varLen: true, min: el.Quant.Min, max: math.MaxInt64, one: -1, slot: p.scope.frame.slot()}
	if el.Quant.Max != nil {
		r.max = *el.Quant.Max
	}
	declare := func(name string, k kind, at cypher.Pos) error {
		switch _, seen := p.scope.vars[name]; {
		case name == "":
		case p.inGroup(g, name):
		case seen || p.fresh[name]:
			return queryError("The variable `%s` stands both inside and outside of a quantified path pattern and needs to be renamed%s", name, c.where(at))
		default:
			list := listKind
			if k == relKind {
				list = relsKind
			}
			g.vars = append(g.vars, groupVar{name, k, p.scope.declare(name, list).slot})
			p.fresh[name] = true
		}
		return nil
	}
	for _, el := range el.Path.Elements {
		var err error
		switch el := el.(type) {
		case *cypher.NodePattern:
			err = declare(el.Var, nodeKind, el.Pos())
		case *cypher.RelPattern:
			err = declare(el.Var, relKind, el.Pos())
			r.types = c.either(r.types, el.Types)
		}
		if err != nil {
			return nil, err
		}
	}
	p.rels = append(p.rels, r)
	return r, nil
}

// inGroup tells whether g has a variable of this name already.
func (p *patterns) inGroup(g *groupAt, name string) bool {
	for _, v := range g.vars {
		if v.name == name {
			return true
		}
	}
	return false
}

// either adds to types, nil before the first, those that fit e.
func (c *compiler) either(types []bool, e cypher.LabelExpr) []bool {
	more := make([]bool, len(c.g.types.text))
	if e != nil {
		more = c.typesOf(e)
	}
	for t := range more {
		more[t] = more[t] || e == nil || types != nil && types[t]
	}
	return more
}

// checkGroup rejects groups that Neo4j does.
func (c *compiler) checkGroup(el *cypher.GroupPattern) error {
	if el.Path.Var != "" {
		return queryError("Assigning a path in a quantified path pattern is not yet supported%s", c.where(el.Path.Pos()))
	}
	if el.Path.Shortest != cypher.AnyPath {
		return queryError("Path selectors such as `SHORTEST 1` are not supported within quantified path patterns%s", c.where(el.Path.Pos()))
	}
	for _, inner := range el.Path.Elements {
		switch inner := inner.(type) {
		case *cypher.GroupPattern:
			return queryError("Quantified path patterns are not allowed to be nested%s", c.where(inner.Pos()))
		case *cypher.RelPattern:
			switch {
			case inner.Quant != nil:
				return queryError("Quantified path patterns are not allowed to be nested%s", c.where(inner.Pos()))
			case inner.Length != nil:
				return queryError("Variable length relationships cannot be part of a quantified path pattern%s", c.where(inner.Pos()))
			}
		}
	}
	if len(el.Path.Elements) < 3 {
		return queryError("A quantified path pattern needs to have at least one relationship%s", c.where(el.Pos()))
	}
	return nil
}

// group places the walk along a group.
func (pl *planner) group(r *relAt, e expansion, reversed bool) error {
	c, g, outside := pl.c, r.group, pl.p.scope
	inside := outside.child()
	for _, v := range g.vars {
		delete(inside.vars, v.name)
	}
	low := inside.frame.size
	p := &patterns{scope: inside, fresh: map[string]bool{}, written: []*cypher.Path{g.pattern.Path}}
	turn, err := c.collectElements(p, g.pattern.Path)
	if err != nil {
		return err
	}
	if g.pattern.Where != nil {
		p.requireWithin(g.pattern.Where)
	}
	for _, cond := range p.conds {
		cond.needs = p.needed(cond.expr)
	}
	walked := &groupStep{expansion: e, min: r.min, max: r.max, reversed: reversed, usedAt: inside.frame.slot(), turn: uniqueness(turn.rels)}
	near, far := turn.nodes[0], turn.nodes[len(turn.nodes)-1]
	if reversed {
		near, far = far, near
	}
	walked.near, walked.far = near.slot, far.slot
	near.bound = true
	walk := &planner{c: c, p: p, bound: map[string]bool{near.name: true}, way: pl.way,
		taken: []*relAt{{slot: walked.usedAt, varLen: true, types: r.types}}}
	for _, other := range pl.taken {
		if other != r {
			walk.taken = append(walk.taken, other)
		}
	}
	walk.steps = []step{&boundStep{near.slot, near.sets}}
	if err := walk.places(); err != nil {
		return err
	}
	walked.steps = walk.steps
	for _, v := range g.vars {
		walked.vars = append(walked.vars, move{inside.vars[v.name].slot, v.slot})
		pl.bound[v.name] = true
	}
	walked.low, walked.high = low, inside.frame.size
	pl.steps = append(pl.steps, walked)
	return nil
}
