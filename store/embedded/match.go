package embedded

import (
	"slices"

	"precedent/store/cypher"
)

// A match finds the rows of one MATCH: each step binds or checks something in
// the row and calls the next for every way to do so.
type match struct {
	x     *exec
	row   row
	steps []step
	found func() error

	search *search // for the shortest, or nil
}

type step interface {
	run(m *match, i int) error
}

func (m *match) next(i int) error {
	if i+1 == len(m.steps) {
		return m.found()
	}
	return m.steps[i+1].run(m, i+1)
}

// scanStep goes through all nodes of some sets of labels, in the order of the
// files.
type scanStep struct {
	slot int
	sets []int32
}

func (s *scanStep) run(m *match, i int) error {
	g := m.x.g
	rest := make([][]int32, len(s.sets)) // of each set, ascending
	for j, set := range s.sets {
		rest[j] = g.bySet[set]
	}
	for {
		least := -1
		for j, ids := range rest {
			if len(ids) > 0 && (least < 0 || ids[0] < rest[least][0]) {
				least = j
			}
		}
		if least < 0 {
			return nil
		}
		id := rest[least][0]
		rest[least] = rest[least][1:]
		m.x.tick()
		m.row[s.slot] = &g.nodes[id]
		if err := m.next(i); err != nil {
			return err
		}
	}
}

// seekStep finds nodes by the value of a property.
type seekStep struct {
	slot       int
	label, key int32
	value      expr
	many       bool
	sets       []bool
}

func (s *seekStep) run(m *match, i int) error {
	temp := m.x.temp
	v, err := s.value(m.x, m.row)
	if err != nil || v == nil {
		return err
	}
	defer func() { m.x.temp = temp }()
	g := m.x.g
	ix := g.index(s.label, s.key)
	visit := func(id int32) error {
		m.x.tick()
		n := &g.nodes[id]
		if s.sets != nil && !s.sets[n.labels] {
			return nil
		}
		m.row[s.slot] = n
		return m.next(i)
	}
	if !s.many {
		for id := range ix.withValue(m.x, v) {
			if err := visit(id); err != nil {
				return err
			}
		}
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		return mismatch("List<Any>", v)
	}
	seen := newKeys(m.x)
	defer seen.forget()
	for _, item := range list {
		m.x.tick()
		if item == nil || !seen.add(item) {
			continue
		}
		for id := range ix.withValue(m.x, item) {
			if err := visit(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// boundStep checks a node that was bound before the MATCH.
type boundStep struct {
	slot int
	sets []bool
}

func (s *boundStep) run(m *match, i int) error {
	switch n := m.row[s.slot].(type) {
	case nil:
		return nil
	case *node:
		if s.sets != nil && !s.sets[n.labels] {
			return nil
		}
		return m.next(i)
	default:
		return mismatch("Node", n)
	}
}

type filterStep struct {
	holds func(x *exec, r row) (truth, error)
}

func (s *filterStep) run(m *match, i int) error {
	temp := m.x.temp
	ok, err := s.holds(m.x, m.row)
	m.x.temp = temp
	if err != nil || ok != yes {
		return err
	}
	return m.next(i)
}

// An expansion is what following relationships from a node has in common.
type expansion struct {
	from, to, rel int // slots
	dir           cypher.Direction
	one           int32
	types         []bool
	toBound       bool
	toSets        []bool
	unique        []taken
	props         []check
}

// taken is a slot whose relationships can't be used again in the same MATCH.
type taken struct {
	slot int
	list bool
}

func uniqueness(rels []*relAt) []taken {
	var out []taken
	for _, r := range rels {
		out = append(out, taken{r.slot, r.varLen})
	}
	return out
}

// free tells whether r is not taken by another pattern of the MATCH.
func (e *expansion) free(m *match, r *rel) bool {
	for _, t := range e.unique {
		if !t.list {
			if m.row[t.slot] == any(r) {
				return false
			}
			continue
		}
		list, _ := m.row[t.slot].([]any)
		m.x.work(slotBytes * len(list))
		if slices.Contains(list, any(r)) {
			return false
		}
	}
	return true
}

// lists returns the relationships to follow from n: those that leave it and
// those that reach it.
func (e *expansion) lists(g *Graph, n *node) (out, in []int32) {
	if e.dir != cypher.Left {
		if out = g.outOf(n); e.one >= 0 {
			out = g.ofType(out, e.one)
		}
	}
	if e.dir != cypher.Right {
		if in = g.into(n); e.one >= 0 {
			in = g.ofType(in, e.one)
		}
	}
	return out, in
}

func (e *expansion) fits(r *rel) bool { return e.types == nil || e.types[r.typ] }

func (e *expansion) nodeFits(m *match, n *node) bool {
	if e.toBound {
		return m.row[e.to] == any(n)
	}
	return e.toSets == nil || e.toSets[n.labels]
}

// expandStep follows one relationship.
type expandStep struct{ expansion }

func (s *expandStep) run(m *match, i int) error {
	from, ok := m.row[s.from].(*node)
	if !ok {
		return nil
	}
	g := m.x.g
	out, in := s.lists(g, from)
	if s.toBound {
		to, ok := m.row[s.to].(*node)
		if !ok {
			return nil
		}
		back := s.expansion
		back.dir = opposite(s.dir)
		if toOut, toIn := back.lists(g, to); len(toOut)+len(toIn) < len(out)+len(in) {
			return s.between(m, i, toOut, toIn, to, from)
		}
		return s.between(m, i, out, in, from, to)
	}
	for _, id := range out {
		r := &g.rels[id]
		if err := s.follow(m, i, r, r.end); err != nil {
			return err
		}
	}
	for _, id := range in {
		r := &g.rels[id]
		if s.dir == cypher.Both && r.start == r.end {
			continue // a loop is met once
		}
		if err := s.follow(m, i, r, r.start); err != nil {
			return err
		}
	}
	return nil
}

func opposite(d cypher.Direction) cypher.Direction {
	switch d {
	case cypher.Left:
		return cypher.Right
	case cypher.Right:
		return cypher.Left
	}
	return d
}

func (s *expandStep) follow(m *match, i int, r *rel, end int32) error {
	m.x.tick()
	if !s.fits(r) {
		return nil
	}
	n := &m.x.g.nodes[end]
	if s.toSets != nil && !s.toSets[n.labels] || !s.free(m, r) {
		return nil
	}
	m.row[s.rel], m.row[s.to] = r, n
	return m.along(i, n)
}

// between binds the relationships of near, listed in out and in, that have far
// at their other end.
func (s *expandStep) between(m *match, i int, out, in []int32, near, far *node) error {
	visit := func(r *rel, other int32) error {
		m.x.tick()
		if other != far.id || !s.fits(r) || !s.free(m, r) {
			return nil
		}
		m.row[s.rel] = r
		return m.along(i, m.row[s.to].(*node))
	}
	for _, id := range out {
		if r := &m.x.g.rels[id]; true {
			if err := visit(r, r.end); err != nil {
				return err
			}
		}
	}
	for _, id := range in {
		r := &m.x.g.rels[id]
		if s.dir == cypher.Both && r.start == r.end {
			continue
		}
		if err := visit(r, r.start); err != nil {
			return err
		}
	}
	return nil
}

// boundRelStep takes a relationship that was bound before the MATCH.
type boundRelStep struct {
	expansion
	fromBound bool
}

func (s *boundRelStep) run(m *match, i int) error {
	r, ok := m.row[s.rel].(*rel)
	if !ok {
		if m.row[s.rel] == nil {
			return nil
		}
		return mismatch("Relationship", m.row[s.rel])
	}
	if !s.fits(r) || !s.free(m, r) {
		return nil
	}
	g := m.x.g
	try := func(start, end int32) error {
		from, to := &g.nodes[start], &g.nodes[end]
		if s.fromBound && m.row[s.from] != any(from) || !s.nodeFits(m, to) {
			return nil
		}
		m.row[s.from], m.row[s.to] = from, to
		return m.along(i, to)
	}
	if s.dir != cypher.Left {
		if err := try(r.start, r.end); err != nil {
			return err
		}
	}
	if s.dir == cypher.Left || s.dir == cypher.Both && r.start != r.end {
		return try(r.end, r.start)
	}
	return nil
}

// pathStep builds the value of a named path.
type pathStep struct {
	slot  int
	first int
	rels  []taken
}

func newPathStep(p *pathAt) *pathStep {
	return &pathStep{p.slot, p.nodes[0].slot, uniqueness(p.rels)}
}

func (s *pathStep) run(m *match, i int) error {
	first, ok := m.row[s.first].(*node)
	if !ok {
		return nil
	}
	p := &path{nodes: make([]*node, 1, len(s.rels)+1), rels: make([]*rel, 0, len(s.rels))}
	p.nodes[0] = first
	for _, t := range s.rels {
		if r, ok := m.row[t.slot].(*rel); ok {
			p.extend(m.x.g, r)
			continue
		}
		list, _ := m.row[t.slot].([]any)
		for _, r := range list {
			p.extend(m.x.g, r.(*rel))
		}
	}
	m.row[s.slot] = p
	temp := m.x.temp
	m.x.make(slotBytes * len(p.nodes))
	err := m.next(i)
	m.x.temp = temp
	return err
}

// extend walks from the end of p along r.
func (p *path) extend(g *Graph, r *rel) {
	end := r.end
	if p.nodes[len(p.nodes)-1].id == r.end {
		end = r.start
	}
	p.rels = append(p.rels, r)
	p.nodes = append(p.nodes, &g.nodes[end])
}
