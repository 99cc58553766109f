package embedded

import (
	"errors"
	"math"
	"slices"

	"precedent/store/cypher"
)

// A selection is SHORTEST 1, ALL SHORTEST, ANY and the like: of the paths between
// each two nodes it takes some.
type selection struct {
	path *pathAt
	way  cypher.Shortest
	most int64 // of SHORTEST k
}

// selection places the ends of the selected path, and the search for the shortest
// between them. What the WHERE of the MATCH says of the path is asked of those that
// were selected, and so behind it.
func (pl *planner) selection(sel *selection) error {
	left, right := sel.path.nodes[0], sel.path.nodes[len(sel.path.nodes)-1]
	s := &selectStep{from: left.slot, to: right.slot, paths: math.MaxInt64, lengths: math.MaxInt64}
	way := leftward
	if !left.bound && right.bound {
		way = rightward
	}
	for {
		if err := pl.settle(); err != nil {
			return err
		}
		n := pl.nextStart([]*nodeAt{left, right})
		if n == nil {
			break
		}
		if n == right && !left.bound {
			way = rightward
		}
		if err := pl.start(n); err != nil {
			return err
		}
	}
	before := len(pl.steps)
	pl.way = way
	if err := pl.places(); err != nil {
		return err
	}
	for _, cond := range pl.p.conds {
		if cond.within && !cond.placed {
			return unsupported("a condition on the path itself inside of a path selector: put it behind the MATCH if it is meant to hold of the selected paths")
		}
	}
	pl.way = anyWay
	s.steps = slices.Clone(pl.steps[before:])
	pl.steps = append(pl.steps[:before], s)
	if way == rightward {
		s.from, s.to = s.to, s.from
	}
	s.out, s.in = pl.c.passable(sel.path, way == leftward)
	switch sel.way {
	case cypher.SelectAnyShortest:
		s.paths = 1
	case cypher.SelectAllShortest:
		s.lengths = 1
	case cypher.SelectShortestGroups:
		s.lengths = sel.most
	default:
		s.paths = sel.most
	}
	return nil
}

// nextOnWay returns the next relationship on the way.
func (pl *planner) nextOnWay() *relAt {
	rels := slices.Clone(pl.p.rels)
	if pl.way == leftward {
		slices.Reverse(rels)
	}
	for _, r := range rels {
		if !r.placed && pl.knows(r.needs) {
			return r
		}
	}
	return nil
}

// passable are the types of the relationships that a walk along the path may leave a
// node by, and of those that it may reach it by, going against their direction.
func (c *compiler) passable(p *pathAt, forwards bool) (out, in []bool) {
	out, in = make([]bool, len(c.g.types.text)), make([]bool, len(c.g.types.text))
	add := func(types []bool, dir cypher.Direction) {
		if !forwards {
			dir = opposite(dir)
		}
		for t := range out {
			fits := types == nil || types[t]
			out[t] = out[t] || fits && dir != cypher.Left
			in[t] = in[t] || fits && dir != cypher.Right
		}
	}
	for _, r := range p.rels {
		if r.group == nil {
			add(r.types, r.dir)
			continue
		}
		for _, el := range r.group.pattern.Path.Elements {
			if rel, ok := el.(*cypher.RelPattern); ok {
				add(c.either(nil, rel.Types), rel.Dir)
			}
		}
	}
	return out, in
}

// selectStep finds the shortest paths between two bound nodes: it walks from the one
// at to towards the one at from, no further than the length at hand allows, and
// allows more until it has found enough (iterative deepening A*, Korf 1985).
type selectStep struct {
	from, to       int // slots
	steps          []step
	out, in        []bool // types that may be passed, see passable
	paths, lengths int64  // how many are wanted
}

// A search is one walk with a bound on its length.
type search struct {
	far    map[int32]int32 // how many relationships away from the goal each node is at least
	limit  int             // relationships
	length int             // of the walk so far
	over   int             // the least length beyond the limit that a walk may have, 0 for none
}

// admits tells whether a walk that is at n after so many relationships more can still
// reach the goal within the limit.
func (s *search) admits(n *node, more int) bool {
	far, ok := s.far[n.id]
	if !ok {
		return false
	}
	least := s.length + more + int(far)
	if least <= s.limit {
		return true
	}
	if s.over == 0 || least < s.over {
		s.over = least
	}
	return false
}

// along goes on to the next step, having followed one relationship to n.
func (m *match) along(i int, n *node) error {
	s := m.search
	if s == nil {
		return m.next(i)
	}
	if !s.admits(n, 1) {
		return nil
	}
	s.length++
	err := m.next(i)
	s.length--
	return err
}

var errSelected = errors.New("enough paths")

func (s *selectStep) run(m *match, i int) error {
	from, ok := m.row[s.from].(*node)
	to, ok2 := m.row[s.to].(*node)
	if !ok || !ok2 {
		return nil
	}
	far := s.distances(m.x, from)
	least, ok := far[to.id]
	if !ok {
		return nil
	}
	search := &search{far: far, limit: int(least)}
	paths, lengths := int64(0), int64(0)
	for {
		met := false
		inner := match{x: m.x, row: m.row, steps: s.steps, search: search}
		inner.found = func() error {
			if search.length != search.limit { // it was found before
				return nil
			}
			met = true
			if err := m.next(i); err != nil {
				return err
			}
			if paths++; paths == s.paths {
				return errSelected
			}
			return nil
		}
		if err := inner.next(-1); err == errSelected {
			return nil
		} else if err != nil {
			return err
		}
		if met {
			lengths++
		}
		if lengths == s.lengths || search.over == 0 {
			return nil
		}
		search.limit, search.over = search.over, 0
	}
}

// A reach is how far nodes are from one; a run keeps the last.
type reach struct {
	step  *selectStep
	from  *node
	far   map[int32]int32
	bytes int
}

// distances returns how many relationships each node is away from one, of the types
// and directions that the path has anywhere.
func (s *selectStep) distances(x *exec, from *node) map[int32]int32 {
	if x.reach.step == s && x.reach.from == from {
		return x.reach.far
	}
	x.held -= x.reach.bytes
	x.reach = reach{step: s, from: from, far: map[int32]int32{from.id: 0}}
	r := &x.reach
	level := []int32{from.id}
	for d := int32(1); len(level) > 0; d++ {
		var next []int32
		meet := func(id int32) {
			if _, seen := r.far[id]; seen {
				return
			}
			x.hold(reachedBytes)
			r.bytes += reachedBytes
			r.far[id] = d
			next = append(next, id)
		}
		for _, id := range level {
			n := &x.g.nodes[id]
			for _, rid := range x.g.outOf(n) {
				x.tick()
				if rel := &x.g.rels[rid]; s.out[rel.typ] {
					meet(rel.end)
				}
			}
			for _, rid := range x.g.into(n) {
				x.tick()
				if rel := &x.g.rels[rid]; s.in[rel.typ] {
					meet(rel.start)
				}
			}
		}
		level = next
	}
	return r.far
}
