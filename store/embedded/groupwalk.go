package embedded

import "slices"

// groupStep follows a group as often as it may repeat. A turn is one match of the
// path in the group; each begins where the one before it ended, and no relationship
// is used twice.
type groupStep struct {
	expansion
	min, max  int64
	reversed  bool
	steps     []step  // of one turn, near being bound
	near, far int     // slots of the ends of a turn
	turn      []taken // the relationships of a turn, in the order of the path
	vars      []move  // from the slot of a variable in a turn to that of its list
	low, high int     // slots that a turn writes
	usedAt    int     // slot of the relationships of the turns so far
}

// turnBytes is what a turn keeps on the stack while those behind it are tried.
const turnBytes = 4 << 10

// groupWalk is one way along a group so far.
type groupWalk struct {
	*groupStep
	m      *match
	i      int
	used   []any // relationships
	values []any // of vars, by turn
}

func (s *groupStep) run(m *match, i int) error {
	from, ok := m.row[s.from].(*node)
	if !ok {
		return nil
	}
	w := &groupWalk{groupStep: s, m: m, i: i}
	m.row[s.usedAt] = nil
	return w.on(from, 0)
}

// on goes on from n, having made some turns.
func (w *groupWalk) on(n *node, turns int64) error {
	m, x := w.m, w.m.x
	x.tick()
	if turns >= w.min {
		if err := w.emit(n, int(turns)); err != nil {
			return err
		}
	}
	if turns >= w.max {
		return nil
	}
	mine := turnBytes + slotBytes*(w.high-w.low)
	x.hold(mine)
	defer func() { x.held -= mine }()
	inner := match{x: x, row: m.row, steps: w.steps, search: m.search}
	inner.found = func() error {
		end, ok := m.row[w.far].(*node)
		if !ok {
			return nil
		}
		used, values := len(w.used), len(w.values)
		kept := slices.Clone(m.row[w.low:w.high])
		for _, r := range w.turn {
			w.used = append(w.used, m.row[r.slot])
		}
		for _, v := range w.vars {
			w.values = append(w.values, m.row[v.from])
		}
		m.row[w.usedAt] = w.used
		err := w.on(end, turns+1)
		w.used, w.values = w.used[:used], w.values[:values]
		copy(m.row[w.low:w.high], kept)
		return err
	}
	m.row[w.near] = n
	return inner.next(-1)
}

// emit binds what the group stands for outside of it.
func (w *groupWalk) emit(end *node, turns int) error {
	m := w.m
	if !w.nodeFits(m, end) {
		return nil
	}
	temp := m.x.temp
	m.x.make((1 + len(w.vars)) * (listBytes + slotBytes*turns))
	m.row[w.rel] = w.inOrder(w.used, len(w.turn), turns)
	for j, v := range w.vars {
		list := make([]any, turns)
		for t := range turns {
			at := t
			if w.reversed {
				at = turns - 1 - t
			}
			list[t] = w.values[at*len(w.vars)+j]
		}
		m.row[v.to] = list
	}
	m.row[w.to] = end
	err := m.next(w.i)
	m.x.temp = temp
	return err
}

// inOrder is a copy of what each turn has, so much of each, in the order of the path.
func (w *groupWalk) inOrder(all []any, each, turns int) []any {
	out := make([]any, 0, len(all))
	for t := range turns {
		if w.reversed {
			t = turns - 1 - t
		}
		out = append(out, all[t*each:(t+1)*each]...)
	}
	return out
}
