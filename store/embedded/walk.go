package embedded

import (
	"slices"

	"precedent/store/cypher"
)

// walkStep follows a variable-length relationship: every walk that uses no
// relationship twice.
type walkStep struct {
	expansion
	min, max int64
	reversed bool // it goes from the right end of the pattern to the left
}

// level is one node of the walk at hand and what is left to follow from it.
type level struct {
	out, in []int32
}

func (s *walkStep) run(m *match, i int) error {
	from, ok := m.row[s.from].(*node)
	if !ok {
		return nil
	}
	want, err := s.wanted(m.x, m.row)
	if err != nil {
		return err
	}
	if s.min == 0 {
		if err := s.emit(m, i, nil, from); err != nil {
			return err
		}
	}
	if s.max < 1 {
		return nil
	}
	g := m.x.g
	var used []*rel
	at := func(n *node) level {
		out, in := s.lists(g, n)
		return level{out, in}
	}
	levels := []level{at(from)}
	for len(levels) > 0 {
		m.x.tick()
		l := &levels[len(levels)-1]
		var r *rel
		var end int32
		switch {
		case len(l.out) > 0:
			r, l.out = &g.rels[l.out[0]], l.out[1:]
			end = r.end
		case len(l.in) > 0:
			r, l.in = &g.rels[l.in[0]], l.in[1:]
			end = r.start
			if s.dir == cypher.Both && r.start == r.end {
				continue
			}
		default:
			levels = levels[:len(levels)-1]
			if len(used) > 0 {
				used = used[:len(used)-1]
			}
			continue
		}
		if !s.fits(r) || s.walked(m.x, used, r) || !s.free(m, r) || !hasProps(m.x, r, want) {
			continue
		}
		n := &g.nodes[end]
		if m.search != nil && !m.search.admits(n, len(used)+1) {
			continue
		}
		used = append(used, r)
		if int64(len(used)) >= s.min {
			if err := s.emit(m, i, used, n); err != nil {
				return err
			}
		}
		if int64(len(used)) < s.max {
			levels = append(levels, at(n))
		} else {
			used = used[:len(used)-1]
		}
	}
	return nil
}

// walked tells whether a walk has used r already.
func (s *walkStep) walked(x *exec, used []*rel, r *rel) bool {
	x.work(slotBytes * len(used))
	return slices.Contains(used, r)
}

func (s *walkStep) emit(m *match, i int, used []*rel, end *node) error {
	if !s.nodeFits(m, end) {
		return nil
	}
	temp := m.x.temp
	m.x.make(listBytes + slotBytes*len(used))
	list := make([]any, len(used))
	for j, r := range used {
		if s.reversed {
			list[len(used)-1-j] = r
		} else {
			list[j] = r
		}
	}
	m.row[s.rel], m.row[s.to] = list, end
	if m.search != nil {
		m.search.length += len(used)
		defer func() { m.search.length -= len(used) }()
	}
	err := m.next(i)
	m.x.temp = temp
	return err
}

// wanted is a property that each relationship of a walk must have.
type wanted struct {
	key   int32
	value any
}

func (e *expansion) wanted(x *exec, r row) ([]wanted, error) {
	if e.props == nil {
		return nil, nil
	}
	out := make([]wanted, len(e.props))
	for i, p := range e.props {
		v, err := p.value(x, r)
		if err != nil {
			return nil, err
		}
		out[i] = wanted{p.key, v}
	}
	return out, nil
}

func hasProps(x *exec, r *rel, want []wanted) bool {
	for _, w := range want {
		if x.equal(property(r.props, w.key), w.value) != yes {
			return false
		}
	}
	return true
}

// shortestStep finds a shortest walk, or all of them, between two bound nodes.
type shortestStep struct {
	expansion
	min, max int64
	all      bool
	path     int // slot, or -1
}

func (s *shortestStep) run(m *match, i int) error {
	from, ok := m.row[s.from].(*node)
	to, ok2 := m.row[s.to].(*node)
	if !ok || !ok2 {
		return nil
	}
	return s.each(m.x, m.row, from, to, func(p *path) error {
		if s.path >= 0 {
			m.row[s.path] = p
		}
		list := make([]any, len(p.rels))
		for j, r := range p.rels {
			list[j] = r
		}
		m.row[s.rel] = list
		return m.next(i)
	})
}

// reachedBytes is what a search holds for a node that it reached; stackBytes for
// a step back.
const (
	reachedBytes = 128
	stackBytes   = 256
)

// each calls found for a shortest walk from one node to the other, or for all
// of that length.
func (s *shortestStep) each(x *exec, r row, from, to *node, found func(*path) error) error {
	if from == to {
		if s.min == 0 {
			return found(&path{nodes: []*node{from}})
		}
		return queryError("The shortest path algorithm does not work when the start and end nodes are the same: compare the two nodes first, as in WHERE a <> b")
	}
	want, err := s.wanted(x, r)
	if err != nil {
		return err
	}
	g := x.g
	// Breadth first; behind holds, for each node reached, the relationships
	// that reached it from the level before.
	behind := map[int32][]int32{from.id: nil}
	depth := map[int32]int64{from.id: 0}
	level := []int32{from.id}
	mine := 0
	defer func() { x.held -= mine }()
	for d := int64(1); len(level) > 0 && d <= s.max; d++ {
		var next []int32
		for _, id := range level {
			out, in := s.lists(g, &g.nodes[id])
			for j := range len(out) + len(in) {
				x.tick()
				var r *rel
				var end int32
				if j < len(out) {
					r = &g.rels[out[j]]
					end = r.end
				} else {
					r = &g.rels[in[j-len(out)]]
					end = r.start
				}
				if !s.fits(r) || !hasProps(x, r, want) {
					continue
				}
				if at, seen := depth[end]; seen {
					if at == d && s.all {
						behind[end] = append(behind[end], r.id)
					}
					continue
				}
				x.hold(reachedBytes)
				mine += reachedBytes
				depth[end] = d
				behind[end] = append(behind[end], r.id)
				next = append(next, end)
			}
		}
		if _, done := depth[to.id]; done {
			return s.back(x, behind, from, to, nil, found)
		}
		level = next
	}
	return nil
}

// back goes from the end to the start along the relationships that reached
// each node; tail is what it has gone already.
func (s *shortestStep) back(x *exec, behind map[int32][]int32, from, at *node, tail []*rel, found func(*path) error) error {
	x.tick()
	x.hold(stackBytes)
	defer func() { x.held -= stackBytes }()
	g := x.g
	if at == from {
		p := &path{nodes: []*node{from}}
		for _, r := range slices.Backward(tail) {
			p.extend(g, r)
		}
		return found(p)
	}
	for _, rid := range behind[at.id] {
		r := &g.rels[rid]
		prev := r.start
		if prev == at.id {
			prev = r.end
		}
		if err := s.back(x, behind, from, &g.nodes[prev], append(tail, r), found); err != nil {
			return err
		}
		if !s.all {
			return nil
		}
	}
	return nil
}
