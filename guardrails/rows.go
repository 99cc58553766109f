package guardrails

// A rowSet says of each row whether it is in.
type rowSet []bool

func (s rowSet) count() int {
	n := 0
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}

func (s rowSet) and(t rowSet) rowSet {
	out := make(rowSet, len(s))
	for i := range s {
		out[i] = s[i] && t[i]
	}
	return out
}

func (s rowSet) or(t rowSet) rowSet {
	out := make(rowSet, max(len(s), len(t)))
	for i := range out {
		out[i] = i < len(s) && s[i] || i < len(t) && t[i]
	}
	return out
}

// within reports whether all rows of s are in t.
func (s rowSet) within(t rowSet) bool { return s.and(t).count() == s.count() }

// union are the rows that are in one of some sets.
func (k *known) union(sets ...rowSet) rowSet {
	out := make(rowSet, k.rows)
	for _, s := range sets {
		out = out.or(s)
	}
	return out
}

// rowsOf are the rows of some names.
func (k *known) rowsOf(names []name) rowSet {
	out := make(rowSet, k.rows)
	for _, n := range names {
		out = out.or(n.rows)
	}
	return out
}

func (k *known) all() rowSet {
	s := make(rowSet, k.rows)
	for i := range s {
		s[i] = true
	}
	return s
}

// rest are all rows but some.
func (g *grounding) rest(s rowSet) rowSet {
	out := g.known.all()
	for i, in := range s {
		out[i] = !in
	}
	return out
}
