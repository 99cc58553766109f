package check

import "precedent/store/cypher"

// resolve turns the facts of e into sets. A fact that several facts make up
// becomes one set each, since a node with two labels stands in the schema
// under both.
func (g *graph) resolve(e *entity) {
	for ; e != nil; e = e.wider {
		if e.groups != nil {
			continue
		}
		known := &g.labels
		if e.rel {
			known = &g.types
		}
		e.groups = make([]set, 0, len(e.facts))
		for _, fact := range e.facts {
			if e.rel {
				e.groups = append(e.groups, known.one(fact))
			} else {
				e.groups = append(e.groups, known.groups(fact)...)
			}
		}
	}
}

// groups are sets of which a node has a name each.
func (v *vocabulary) groups(l cypher.LabelExpr) []set {
	if a, ok := l.(*cypher.LabelAnd); ok {
		return append(v.groups(a.L), v.groups(a.R)...)
	}
	return []set{v.set(l)}
}

// set is the names that can stand where l does.
func (v *vocabulary) set(l cypher.LabelExpr) set {
	switch l := l.(type) {
	case *cypher.Label:
		s := empty(len(v.names))
		if i, known := v.number[l.Name]; known {
			s.add(i)
		}
		return s
	case *cypher.LabelOr:
		return v.set(l.L).or(v.set(l.R))
	case *cypher.LabelAnd:
		return v.set(l.L).or(v.set(l.R))
	case *cypher.LabelNot:
		if _, several := l.X.(*cypher.LabelAnd); !several {
			return v.all.minus(v.set(l.X))
		}
	}
	return v.all
}

// one is the names of which a relationship, which has one type, can have any.
func (v *vocabulary) one(l cypher.LabelExpr) set {
	switch l := l.(type) {
	case *cypher.LabelOr:
		return v.one(l.L).or(v.one(l.R))
	case *cypher.LabelAnd:
		return v.one(l.L).and(v.one(l.R))
	case *cypher.LabelNot:
		return v.all.minus(v.one(l.X))
	}
	return v.set(l)
}

// candidates are the sets that e's labels meet: strictly each of them, else
// any. Labels that the query gives count before what is inferred of e.
func (g *graph) candidates(e *entity, strict bool) []set {
	var sets []set
	within := g.labels.all
	for x := e; x != nil; x = x.wider {
		sets = append(sets, x.groups...)
		if x.within != nil {
			within = within.and(x.within)
		}
	}
	switch {
	case len(sets) == 0:
		return []set{within}
	case strict || len(sets) == 1:
		return sets
	}
	either := empty(len(g.labels.names))
	for _, s := range sets {
		either = either.or(s)
	}
	return []set{either}
}

// typesOf are the types that relationship e may have. A relationship has one
// type, so facts about it narrow each other.
func (g *graph) typesOf(e *entity) set {
	types := g.types.all
	for ; e != nil; e = e.wider {
		for _, group := range e.groups {
			types = types.and(group)
		}
	}
	return types
}

// joins reports whether the schema lets a relationship of is lead from start to end.
func (g *graph) joins(start, is, end *entity, strict bool) bool {
	starts, ends := g.candidates(start, strict), g.candidates(end, strict)
	for t := range g.typesOf(is).each() {
		if g.typeJoins(t, starts, ends) {
			return true
		}
	}
	return false
}

// typeJoins reports whether type t joins each of starts to each of ends.
func (g *graph) typeJoins(t int, starts, ends []set) bool {
	for _, s := range starts {
		for _, e := range ends {
			found := false
			for _, pair := range g.triples[t] {
				if found = s.has(pair.start) && e.has(pair.end); found {
					break
				}
			}
			if !found {
				return false
			}
		}
	}
	return true
}

// ends adds the labels that a relationship of is from start to end can have at
// its start and at its end.
func (g *graph) ends(start, is, end *entity, starts, ends set) {
	from, to := g.candidates(start, false)[0], g.candidates(end, false)[0]
	for t := range g.typesOf(is).each() {
		for _, pair := range g.triples[t] {
			if from.has(pair.start) && to.has(pair.end) {
				starts.add(pair.start)
				ends.add(pair.end)
			}
		}
	}
}

// keep leaves e, if no label is given for it, only labels of s, and reports
// whether that took any off.
func (g *graph) keep(e *entity, s set) bool {
	within := g.labels.all
	for x := e; x != nil; x = x.wider {
		if len(x.groups) > 0 {
			return false
		}
		if x.within != nil {
			within = within.and(x.within)
		}
	}
	s = s.and(within)
	if s.equal(within) {
		return false
	}
	e.within = s
	return true
}

// reaches reports whether the schema lets a path of h's types and length lead
// from start to end.
func (g *graph) reaches(start *entity, h *hop, end *entity, strict bool) bool {
	least, most := h.hops()
	types := g.typesOf(h.is)
	for _, s := range g.candidates(start, strict) {
		for _, e := range g.candidates(end, strict) {
			if !g.walks(s, types, e, least, most) {
				return false
			}
		}
	}
	return true
}

// walks reports whether some label of start has a path to some label of end
// of at least least and at most most steps; a negative most is no bound.
// Beyond the number of labels every step only repeats what was reached before.
func (g *graph) walks(start, types, end set, least, most int) bool {
	bound := least + len(g.labels.names)
	if most < 0 || most > bound {
		most = bound
	}
	reached := start
	for step := 0; ; step++ {
		if step >= least && !reached.and(end).none() {
			return true
		}
		if step >= most || reached.none() {
			return false
		}
		next := empty(len(g.labels.names))
		for t := range types.each() {
			for _, pair := range g.triples[t] {
				if reached.has(pair.start) {
					next.add(pair.end)
				}
			}
		}
		reached = next
	}
}

// mostSteps is the least length of a path beyond which its labels aren't followed.
const mostSteps = 64

// hops are the least and most relationships of h; most is negative without bound.
func (h *hop) hops() (least, most int) {
	least, most = 1, -1
	switch {
	case h.rel.Quant != nil:
		least = clip(h.rel.Quant.Min)
		if h.rel.Quant.Max != nil {
			most = clip(*h.rel.Quant.Max)
		}
	case h.rel.Length != nil:
		if h.rel.Length.Min != nil {
			least = clip(*h.rel.Length.Min)
		}
		if h.rel.Length.Max != nil {
			most = clip(*h.rel.Length.Max)
		}
	}
	return least, most
}

func clip(n int64) int { return int(min(max(n, 0), mostSteps)) }
