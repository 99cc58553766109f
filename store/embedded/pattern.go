package embedded

import (
	"maps"
	"math"
	"strconv"

	"precedent/store/cypher"
)

// A nodeAt is a node of the patterns of one MATCH; patterns that name the same
// variable share it.
type nodeAt struct {
	slot   int
	name   string // "" if anonymous
	bound  bool   // before the MATCH, or by a step placed so far
	sets   []bool // which label sets fit, nil for all
	labels []int32
}

// A relAt is a relationship of the patterns of one MATCH, or a group of them that
// repeats.
type relAt struct {
	slot     int
	name     string
	from, to *nodeAt // as written, left to right
	dir      cypher.Direction
	types    []bool // which types fit, nil for all
	one      int32  // the only type that fits, or -1
	varLen   bool
	min, max int64
	bound    bool // a variable from before
	props    []check
	placed   bool
	shortest cypher.Shortest
	group    *groupAt        // or nil
	needs    map[string]bool // variables of the MATCH that have to be bound before
}

// check is a property that each relationship of a variable-length pattern must have.
type check struct {
	key     int32
	written cypher.Expr
	value   expr // once the planner has placed the pattern
}

// A pathAt is a named path to build.
type pathAt struct {
	slot  int
	name  string
	nodes []*nodeAt
	rels  []*relAt
	built bool
}

// A condition is one conjunct of what must hold for a match.
type condition struct {
	expr   cypher.Expr
	needs  map[string]bool // variables of this MATCH that it reads
	within bool            // it stands inside of a path: what doesn't meet it is no path
	placed bool
}

// patterns is what one MATCH asks for, before it is planned.
type patterns struct {
	scope *scope
	nodes []*nodeAt
	rels  []*relAt
	paths []*pathAt
	conds []*condition
	fresh map[string]bool // variables this MATCH binds

	written  []*cypher.Path
	selected *selection // of paths, or nil
}

// collect reads the patterns of a MATCH into s, where their variables are declared.
func (c *compiler) collect(s *scope, paths []*cypher.Path, where cypher.Expr) (*patterns, error) {
	p := &patterns{scope: s, fresh: map[string]bool{}, written: paths}
	for _, path := range paths {
		if err := c.collectPath(p, path); err != nil {
			return nil, err
		}
	}
	if where != nil {
		p.require(where)
	}
	for _, cond := range p.conds {
		cond.needs = p.needed(cond.expr)
	}
	for _, r := range p.rels {
		for _, prop := range r.props {
			maps.Copy(r.needs, p.needed(prop.written))
		}
		if r.group != nil {
			r.needs = p.needed(r.group.pattern)
			for _, v := range r.group.vars {
				delete(r.needs, v.name)
			}
		}
	}
	return p, nil
}

// needed are the variables of this MATCH that n reads.
func (p *patterns) needed(n cypher.Node) map[string]bool {
	needs := map[string]bool{}
	for name := range freeVariables(n) {
		if p.fresh[name] {
			needs[name] = true
		}
	}
	return needs
}

// requireWithin is require for what stands inside of a path.
func (p *patterns) requireWithin(e cypher.Expr) {
	before := len(p.conds)
	p.require(e)
	for _, cond := range p.conds[before:] {
		cond.within = true
	}
}

// require adds a condition, split at its ANDs.
func (p *patterns) require(e cypher.Expr) {
	if b, ok := e.(*cypher.Binary); ok && b.Op == cypher.And {
		p.require(b.L)
		p.require(b.R)
		return
	}
	p.conds = append(p.conds, &condition{expr: e})
}

func (c *compiler) nodeAt(p *patterns, el *cypher.NodePattern) (*nodeAt, error) {
	n := p.nodeNamed(el.Var)
	if n == nil {
		n = &nodeAt{name: el.Var}
		v, seen := p.scope.vars[el.Var]
		switch {
		case el.Var == "":
			n.slot = p.scope.frame.slot()
		case seen:
			if v.kind != nodeKind && v.kind != anyKind {
				return nil, queryError("Type mismatch: `%s` defined with conflicting type (expected Node)%s", el.Var, c.where(el.Pos()))
			}
			n.slot, n.bound = v.slot, true
		default:
			n.slot = p.scope.declare(el.Var, nodeKind).slot
			p.fresh[el.Var] = true
		}
		p.nodes = append(p.nodes, n)
	}
	if el.Labels != nil {
		sets := c.labelSets(el.Labels)
		if n.sets == nil {
			n.sets = sets
		} else {
			for i := range n.sets {
				n.sets[i] = n.sets[i] && sets[i]
			}
		}
		n.labels = append(n.labels, c.required(el.Labels)...)
	}
	return n, c.inline(p, el.Var, n.slot, nodeKind, el.Props, el.Where)
}

func (p *patterns) nodeNamed(name string) *nodeAt {
	for _, n := range p.nodes {
		if name != "" && n.name == name {
			return n
		}
	}
	return nil
}

// inline adds the properties and the WHERE inside a pattern element as
// conditions. An anonymous element gets a name that no query can write.
func (c *compiler) inline(p *patterns, name string, slot int, k kind, props, where cypher.Expr) error {
	if props == nil && where == nil {
		return nil
	}
	if name == "" {
		name = "\x00" + strconv.Itoa(slot)
		p.scope.vars[name] = variable{slot, k}
		p.fresh[name] = true
		for _, n := range p.nodes {
			if n.slot == slot {
				n.name = name
			}
		}
		for _, r := range p.rels {
			if r.slot == slot {
				r.name = name
			}
		}
	}
	switch props := props.(type) {
	case nil:
	case *cypher.Map:
		for i, key := range props.Keys {
			at := cypher.At(props.Values[i].Pos())
			p.conds = append(p.conds, &condition{within: true, expr: &cypher.Comparison{At: at, Ops: []cypher.CompareOp{cypher.Eq},
				X: []cypher.Expr{&cypher.Property{At: at, X: &cypher.Variable{At: at, Name: name}, Key: key}, props.Values[i]}}})
		}
	default:
		return queryError("Parameter maps cannot be used in MATCH patterns (use a literal map instead, e.g. `{id: $param.id}`)%s", c.where(props.Pos()))
	}
	if where != nil {
		p.requireWithin(where)
	}
	return nil
}

func (c *compiler) relAt(p *patterns, el *cypher.RelPattern, way cypher.Shortest) (*relAt, error) {
	shortest := cypher.AnyPath
	if way == cypher.ShortestPath || way == cypher.AllShortestPaths {
		shortest = way
	}
	r := &relAt{name: el.Var, dir: el.Dir, min: 1, max: 1, one: -1, shortest: shortest, needs: map[string]bool{}}
	if el.Types != nil {
		r.types = c.typesOf(el.Types)
		count := 0
		for t, fits := range r.types {
			if fits {
				r.one = int32(t)
				count++
			}
		}
		if count != 1 {
			r.one = -1
		}
	}
	if el.Length != nil {
		r.varLen, r.max = true, math.MaxInt64
		if el.Length.Min != nil {
			r.min = *el.Length.Min
		}
		if el.Length.Max != nil {
			r.max = *el.Length.Max
		}
	}
	if shortest != cypher.AnyPath && r.min > 1 {
		return nil, queryError("shortestPath(...) does not support a minimal length different from 0 or 1%s", c.where(el.Pos()))
	}
	v, seen := p.scope.vars[el.Var]
	switch {
	case el.Var == "":
		r.slot = p.scope.frame.slot()
	case p.fresh[el.Var] && v.kind == relKind && !r.varLen:
		// One relationship can't stand in two places of a MATCH: no row fits.
		r.slot, r.name = p.scope.frame.slot(), ""
		p.conds = append(p.conds, &condition{within: true, expr: &cypher.Literal{At: el.At, Value: false}})
	case p.fresh[el.Var]:
		return nil, queryError("Cannot use the same relationship variable '%s' for multiple relationships%s", el.Var, c.where(el.Pos()))
	case seen && (r.varLen || v.kind == relsKind):
		return nil, unsupported("a variable-length relationship that is already bound (`%s`)", el.Var)
	case seen:
		if v.kind != relKind && v.kind != anyKind {
			return nil, queryError("Type mismatch: `%s` defined with conflicting type (expected Relationship)%s", el.Var, c.where(el.Pos()))
		}
		r.slot, r.bound = v.slot, true
	default:
		k := relKind
		if r.varLen || shortest != cypher.AnyPath {
			k = relsKind
		}
		r.slot = p.scope.declare(el.Var, k).slot
		p.fresh[el.Var] = true
	}
	p.rels = append(p.rels, r)
	if !r.varLen && shortest == cypher.AnyPath {
		return r, c.inline(p, el.Var, r.slot, relKind, el.Props, el.Where)
	}
	return r, c.inlineWalk(p, r, el)
}

// inlineWalk compiles what each relationship of a variable-length pattern must have.
func (c *compiler) inlineWalk(p *patterns, r *relAt, el *cypher.RelPattern) error {
	switch props := el.Props.(type) {
	case nil:
	case *cypher.Map:
		for i, key := range props.Keys {
			k := c.g.keys.find(key)
			if k < 0 {
				c.unknownName("property", key, props.Values[i].Pos())
			}
			r.props = append(r.props, check{key: k, written: props.Values[i]})
		}
	default:
		return queryError("Parameter maps cannot be used in MATCH patterns (use a literal map instead, e.g. `{id: $param.id}`)%s", c.where(props.Pos()))
	}
	if el.Where != nil {
		return unsupported("WHERE inside a variable-length relationship: use all(r IN relationships(p) WHERE …)")
	}
	return nil
}

// freeVariables are the names that e reads from outside of itself. It may hold
// some that are local, never too few.
func freeVariables(e cypher.Node) map[string]bool {
	names := map[string]bool{}
	walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Variable:
			names[n.Name] = true
		case *cypher.MapProjection:
			names[n.Var] = true
			for _, item := range n.Items {
				if item.Var {
					names[item.Key] = true
				}
			}
		case *cypher.NodePattern:
			names[n.Var] = true
		case *cypher.RelPattern:
			names[n.Var] = true
		case *cypher.CallSubquery:
			for _, name := range n.Imports {
				names[name] = true
			}
		}
		return true
	})
	delete(names, "")
	return names
}

// labelSets tells for each set of labels whether it fits e.
func (c *compiler) labelSets(e cypher.LabelExpr) []bool {
	fits := make([]bool, len(c.g.labelSets))
	for set, labels := range c.g.labelSets {
		fits[set] = labelsFit(e, func(name string) bool { return containsID(labels, c.g.labels.find(name)) }, len(labels) > 0)
	}
	c.checkNames(e, "label", c.g.labels)
	return fits
}

// typesOf tells for each type whether it fits e.
func (c *compiler) typesOf(e cypher.LabelExpr) []bool {
	fits := make([]bool, len(c.g.types.text))
	for t, have := range c.g.types.text {
		fits[t] = labelsFit(e, func(name string) bool { return name == have }, true)
	}
	c.checkNames(e, "type", c.g.types)
	return fits
}

func (c *compiler) checkNames(e cypher.LabelExpr, kind string, known names) {
	walk(e, func(n cypher.Node) bool {
		if l, ok := n.(*cypher.Label); ok && known.find(l.Name) < 0 {
			c.unknownName(kind, l.Name, l.Pos())
		}
		return true
	})
}

func labelsFit(e cypher.LabelExpr, has func(string) bool, some bool) bool {
	switch e := e.(type) {
	case *cypher.Label:
		return has(e.Name)
	case *cypher.LabelWildcard:
		return some
	case *cypher.LabelNot:
		return !labelsFit(e.X, has, some)
	case *cypher.LabelAnd:
		return labelsFit(e.L, has, some) && labelsFit(e.R, has, some)
	case *cypher.LabelOr:
		return labelsFit(e.L, has, some) || labelsFit(e.R, has, some)
	}
	return false
}

// required are the labels that every node that fits e has.
func (c *compiler) required(e cypher.LabelExpr) []int32 {
	switch e := e.(type) {
	case *cypher.Label:
		if id := c.g.labels.find(e.Name); id >= 0 {
			return []int32{id}
		}
	case *cypher.LabelAnd:
		return append(c.required(e.L), c.required(e.R)...)
	}
	return nil
}
