package embedded

import (
	"precedent/store/cypher"
)

// planner orders the steps of one MATCH: the cheapest start (a value found by
// index, else the label with the fewest nodes), then along relationships, each
// condition as soon as what it reads is bound.
type planner struct {
	c     *compiler
	p     *patterns
	bound map[string]bool
	steps []step
	taken []*relAt // relationships placed so far, for uniqueness
	way   way      // in which relationships must be placed
}

// A way is the order in which the relationships of a path are placed.
type way int

const (
	anyWay    way = iota // the cheapest first
	leftward             // from the right end to the left, as a search that knows how far the left end is
	rightward            // the other way round
)

func (c *compiler) plan(p *patterns) ([]step, error) {
	pl := &planner{c: c, p: p, bound: map[string]bool{}}
	for _, n := range p.nodes {
		if n.bound {
			pl.steps = append(pl.steps, &boundStep{n.slot, n.sets})
		}
	}
	if p.selected != nil {
		if err := pl.selection(p.selected); err != nil {
			return nil, err
		}
	}
	return pl.steps, pl.places()
}

// places places what isn't yet.
func (pl *planner) places() error {
	for {
		if err := pl.settle(); err != nil {
			return err
		}
		if r := pl.nextRel(); r != nil {
			if err := pl.placeRel(r); err != nil {
				return err
			}
			continue
		}
		n := pl.nextStart(pl.p.nodes)
		if n == nil {
			break
		}
		if err := pl.start(n); err != nil {
			return err
		}
	}
	for _, r := range pl.p.rels {
		if !r.placed {
			return unsupported("a pattern of variable length, or a quantified one, that reads what is only found behind it: put that into a MATCH before it")
		}
	}
	return nil
}

// settle places every condition and path that can be.
func (pl *planner) settle() error {
	for again := true; again; {
		again = false
		for _, path := range pl.p.paths {
			if pl.way == anyWay && !path.built && pl.complete(path) {
				path.built, again = true, true
				pl.bound[path.name] = true
				if path.rels == nil || path.rels[0].shortest == cypher.AnyPath {
					pl.steps = append(pl.steps, newPathStep(path))
				}
			}
		}
		for _, cond := range pl.p.conds {
			if cond.placed || !pl.knows(cond.needs) || pl.way != anyWay && !cond.within {
				continue
			}
			cond.placed = true
			holds, err := pl.c.predicate(pl.p.scope, cond.expr)
			if err != nil {
				return err
			}
			pl.steps = append(pl.steps, &filterStep{holds})
		}
	}
	return nil
}

func (pl *planner) complete(path *pathAt) bool {
	for _, n := range path.nodes {
		if !n.bound {
			return false
		}
	}
	for _, r := range path.rels {
		if !r.placed {
			return false
		}
	}
	return true
}

func (pl *planner) knows(names map[string]bool) bool {
	for name := range names {
		if !pl.bound[name] {
			return false
		}
	}
	return true
}

// nextRel returns the cheapest relationship with an end that is bound.
func (pl *planner) nextRel() *relAt {
	if pl.way != anyWay {
		return pl.nextOnWay()
	}
	var best *relAt
	least := 0.0
	for _, r := range pl.p.rels {
		if r.placed {
			continue
		}
		if r.bound {
			return r
		}
		if !r.from.bound && !r.to.bound || !pl.knows(r.needs) {
			continue
		}
		if r.shortest != cypher.AnyPath && !(r.from.bound && r.to.bound) {
			continue // both ends come first
		}
		cost := pl.fanOut(r)
		if r.from.bound && r.to.bound {
			cost /= 1000
		} else if pl.seekOf(pl.farEnd(r)) != nil {
			cost /= 100
		}
		if r.varLen {
			cost = (cost + 1) * 1000
		}
		if best == nil || cost < least {
			best, least = r, cost
		}
	}
	return best
}

func (pl *planner) farEnd(r *relAt) *nodeAt {
	if r.from.bound {
		return r.to
	}
	return r.from
}

// fanOut estimates how many relationships of r's types a node has.
func (pl *planner) fanOut(r *relAt) float64 {
	g := pl.c.g
	count := 0
	for t, n := range g.typeCount {
		if r.types == nil || r.types[t] {
			count += n
		}
	}
	near := r.from
	if !near.bound {
		near = r.to
	}
	return float64(count) / float64(1+pl.size(near))
}

// size is how many nodes have fitting labels.
func (pl *planner) size(n *nodeAt) int {
	count := 0
	for set, members := range pl.c.g.bySet {
		if n.sets == nil || n.sets[set] {
			count += len(members)
		}
	}
	return count
}

// nextStart returns the unbound node that is the cheapest to find.
func (pl *planner) nextStart(nodes []*nodeAt) *nodeAt {
	var best *nodeAt
	least := 0
	for _, n := range nodes {
		if n.bound {
			continue
		}
		cost := 2 + pl.size(n)
		if s := pl.seekOf(n); s != nil {
			cost = 1
			if !s.unique {
				cost = 2
			}
		}
		if best == nil || cost < least {
			best, least = n, cost
		}
	}
	return best
}

// A seek is a condition that finds nodes by the value of a property.
type seek struct {
	label, key int32
	value      cypher.Expr
	many       bool // value is a list: IN
	unique     bool
}

// seekOf returns how to find n by an index, or nil.
func (pl *planner) seekOf(n *nodeAt) *seek {
	if n.name == "" || len(n.labels) == 0 || n.bound {
		return nil
	}
	var best *seek
	for _, cond := range pl.p.conds {
		s := pl.seekBy(n, cond.expr)
		if s != nil && (best == nil || s.unique && !best.unique) {
			best = s
		}
	}
	return best
}

func (pl *planner) seekBy(n *nodeAt, e cypher.Expr) *seek {
	var key string
	var value cypher.Expr
	many := false
	of := func(e cypher.Expr) bool {
		p, ok := e.(*cypher.Property)
		if !ok {
			return false
		}
		v, ok := p.X.(*cypher.Variable)
		key = p.Key
		return ok && v.Name == n.name
	}
	switch e := e.(type) {
	case *cypher.Comparison:
		if len(e.Ops) != 1 || e.Ops[0] != cypher.Eq {
			return nil
		}
		if of(e.X[0]) {
			value = e.X[1]
		} else if of(e.X[1]) {
			value = e.X[0]
		} else {
			return nil
		}
	case *cypher.Binary:
		if e.Op != cypher.In || !of(e.L) {
			return nil
		}
		value, many = e.R, true
	default:
		return nil
	}
	for name := range freeVariables(value) {
		if pl.p.fresh[name] && !pl.bound[name] {
			return nil
		}
	}
	k := pl.c.g.keys.find(key)
	if k < 0 {
		return nil
	}
	s := &seek{label: n.labels[0], key: k, value: value, many: many}
	for _, label := range n.labels {
		if pl.c.g.uniqueKeys[[2]int32{label, k}] {
			s.label, s.unique = label, true
		}
	}
	return s
}

// start places the scan or seek that finds n.
func (pl *planner) start(n *nodeAt) error {
	s := pl.seekOf(n)
	pl.bindNode(n)
	if s == nil {
		var sets []int32
		for set := range pl.c.g.bySet {
			if n.sets == nil || n.sets[set] {
				sets = append(sets, int32(set))
			}
		}
		pl.steps = append(pl.steps, &scanStep{n.slot, sets})
		return nil
	}
	value, err := pl.c.expr(pl.p.scope, s.value)
	if err != nil {
		return err
	}
	pl.steps = append(pl.steps, &seekStep{n.slot, s.label, s.key, value, s.many, n.sets})
	return nil
}

func (pl *planner) bindNode(n *nodeAt) {
	n.bound = true
	if n.name != "" {
		pl.bound[n.name] = true
	}
}

// placeRel places the step that follows r from a bound end.
func (pl *planner) placeRel(r *relAt) error {
	r.placed = true
	var others []*relAt
	for _, o := range pl.taken {
		if overlap(o.types, r.types) {
			others = append(others, o)
		}
	}
	unique := uniqueness(others)
	if r.shortest == cypher.AnyPath {
		pl.taken = append(pl.taken, r)
	}
	from, to, dir := r.from, r.to, r.dir
	reversed := !from.bound && pl.way != rightward || pl.way == leftward
	if reversed {
		from, to = to, from
		switch dir {
		case cypher.Right:
			dir = cypher.Left
		case cypher.Left:
			dir = cypher.Right
		}
	}
	for i := range r.props {
		var err error
		if r.props[i].value, err = pl.c.expr(pl.p.scope, r.props[i].written); err != nil {
			return err
		}
	}
	toBound := to.bound
	e := expansion{from: from.slot, to: to.slot, rel: r.slot, dir: dir, one: r.one, types: r.types,
		toBound: toBound, toSets: to.sets, unique: unique, props: r.props}
	switch {
	case r.group != nil:
		if err := pl.group(r, e, reversed); err != nil {
			return err
		}
	case r.bound:
		pl.steps = append(pl.steps, &boundRelStep{expansion: e, fromBound: from.bound})
		pl.bindNode(from)
	case r.shortest != cypher.AnyPath:
		if err := pl.shortest(r, e); err != nil {
			return err
		}
	case r.varLen:
		pl.steps = append(pl.steps, &walkStep{expansion: e, min: r.min, max: r.max, reversed: reversed})
	default:
		pl.steps = append(pl.steps, &expandStep{e})
	}
	pl.bindNode(to)
	if r.name != "" {
		pl.bound[r.name] = true
	}
	return nil
}

// shortest places the search for shortest paths between two bound nodes.
func (pl *planner) shortest(r *relAt, e expansion) error {
	s := &shortestStep{expansion: e, min: r.min, max: r.max, all: r.shortest == cypher.AllShortestPaths, path: -1}
	for _, path := range pl.p.paths {
		if len(path.rels) != 1 || path.rels[0] != r {
			continue
		}
		s.path = path.slot
		for _, cond := range pl.p.conds {
			if cond.needs[path.name] || r.name != "" && cond.needs[r.name] {
				return unsupported("a shortest path with a WHERE on the path: put WITH * between MATCH and WHERE if the condition is meant to hold of the shortest path")
			}
		}
	}
	if r.name != "" {
		for _, cond := range pl.p.conds {
			if cond.needs[r.name] {
				return unsupported("a shortest path with a WHERE on its relationships")
			}
		}
	}
	pl.steps = append(pl.steps, s)
	return nil
}

// overlap tells whether one relationship could be of both sets of types.
func overlap(a, b []bool) bool {
	if a == nil || b == nil {
		return true
	}
	for t := range a {
		if a[t] && b[t] {
			return true
		}
	}
	return false
}
