package grammar

import (
	"slices"

	"precedent/engine/meaning"
)

// Things: sets, and what narrows them.

// isEntity reports whether a set is the one thing that a value names.
func (r *sentence) isEntity(s *meaning.Set) bool {
	if len(s.Where) != 1 || s.By != nil {
		return false
	}
	p, ok := s.Where[0].(meaning.Property)
	return ok && p.Op == meaning.Eq && r.schema.isKey(s.Label, p.Bound.Property)
}

// entity makes a value the one thing that it names, if its property names things.
func entity(r *sentence, parts []any, _ string) []any {
	s := parts[0].(*meaning.Set)
	if !r.schema.isKey(s.Label, s.Where[0].(meaning.Property).Bound.Property) {
		return nil
	}
	return one(many{sets: []*meaning.Set{s}})
}

// named is a value beside the word for its label: the film Titanic.
func named(r *sentence, parts []any, _ string) []any {
	noun, m := parts[0].(*meaning.Set), parts[1].(many)
	if !isBare(noun) || slices.ContainsFunc(m.sets, func(s *meaning.Set) bool { return s.Label != noun.Label }) {
		return nil
	}
	return one(m)
}

// things are a set as one of a list of things.
func things(_ *sentence, parts []any, _ string) []any {
	return one(many{sets: []*meaning.Set{parts[0].(*meaning.Set)}})
}

// join makes a list of two: A and B, A or B.
func join(_ *sentence, parts []any, option string) []any {
	a, b := parts[0].(many), parts[1].(many)
	or := option == "or"
	if len(a.sets) > 1 && a.or != or || len(b.sets) > 1 && b.or != or || a.sets[0].Label != b.sets[0].Label {
		return nil
	}
	return one(many{sets: append(slices.Clone(a.sets), b.sets...), or: or})
}

// each is a condition that holds of all things of a list, or of any.
func (m many) each(of func(*meaning.Set) meaning.Condition) meaning.Condition {
	if len(m.sets) == 1 {
		return of(m.sets[0])
	}
	var conds []meaning.Condition
	for _, s := range m.sets {
		conds = append(conds, of(s))
	}
	if m.or {
		return meaning.Either{Conds: conds}
	}
	return meaning.Both{Conds: conds}
}

// asSet is a set, or a list of things as one; nil of a list that can't be one.
func asSet(v any) *meaning.Set {
	if s, ok := v.(*meaning.Set); ok {
		return s
	}
	return union(v.(many))
}

// union is the things of a list as one set, nil if they aren't told apart by values.
func union(m many) *meaning.Set {
	if len(m.sets) == 1 {
		return m.sets[0]
	}
	out := setOf(m.sets[0].Label)
	var conds []meaning.Condition
	for _, s := range m.sets {
		if len(s.Where) != 1 || s.By != nil {
			return nil
		}
		conds = append(conds, s.Where[0])
	}
	out.Where = []meaning.Condition{meaning.Either{Conds: conds}}
	return out
}

// where narrows a set by a condition.
func where(r *sentence, parts []any, _ string) []any {
	s := parts[0].(*meaning.Set)
	if s.By != nil { // "the newest film by X" asks for the newest of those, not for the newest if it is
		return nil
	}
	return r.narrow(s, parts[1])
}

// narrow is a set with each condition that a piece can be.
func (r *sentence) narrow(s *meaning.Set, piece any) (out []any) {
	for _, c := range r.resolve(s, piece) {
		out = append(out, with(s, c))
	}
	return out
}

// whereAny is where of each of several pieces.
func whereAny(r *sentence, set any, pieces []any) []any {
	return then(pieces, func(c any) []any { return where(r, []any{set, c}, "") })
}

// spread is all of an order in place of what comes first in it.
func spread(_ *sentence, parts []any, _ string) []any {
	s := *parts[0].(*meaning.Set)
	if !s.Ties || s.Nth > 1 {
		return nil
	}
	s.Ties = false
	return one(&meaning.Meaning{Do: meaning.List, Of: &s})
}

// inside is a condition said before the words that rank: of those that it holds of, the first.
func inside(r *sentence, parts []any, _ string) []any {
	s := parts[0].(*meaning.Set)
	if s.By == nil {
		return nil
	}
	return r.narrow(s, parts[1])
}

// resolve are what a piece says of the things of a set, nothing if it can't be said of them.
func (r *sentence) resolve(set *meaning.Set, piece any) (out []meaning.Condition) {
	label := set.Label
	switch p := piece.(type) {
	case cond:
		if r.schema.fits(label, p.owner) {
			out = append(out, p.c)
		}
	case near:
		if p.isOrdered() {
			return nil
		}
		for _, role := range r.joins(set, p.sets, p.prep) {
			if !p.or && len(p.sets) > 1 && (r.schema.isOnce(label, role) || r.isStranger(role, p.sets)) {
				continue
			}
			out = append(out, p.each(func(s *meaning.Set) meaning.Condition {
				return meaning.Related{How: p.how, N: p.n, Role: role, Set: s}
			}))
		}
	case dated:
		if prop := r.schema.years[label]; prop != "" && !r.hasState(set) {
			if c, ok := whenBound(property{label, prop, r.schema.typeOf(label, prop)}, p.op, p.when); ok {
				out = append(out, c)
			}
		}
	case joint:
		out = r.resolveJoint(set, p)
	}
	return out
}

// isOrdered reports whether one of a list is the first of an order, which nothing can be
// joined to but by finding it first.
func (m many) isOrdered() bool {
	return slices.ContainsFunc(m.sets, func(s *meaning.Set) bool { return s.By != nil })
}

// isStranger reports whether one of several things never does what a role says that they
// all do: in films by a director and an actor, who did what isn't said.
func (r *sentence) isStranger(role meaning.Role, doers []*meaning.Set) bool {
	return role.Steps[0].Back && r.neverDoes(role.Steps[0].Type, doers)
}

// neverDoes reports whether one of several named things hasn't the label of those who do
// what a type says.
func (r *sentence) neverDoes(rel string, doers []*meaning.Set) bool {
	special := r.schema.rels[rel].Role
	return special != "" && slices.ContainsFunc(doers, func(d *meaning.Set) bool {
		labels := r.labels[d.Exact()]
		return labels != nil && !slices.Contains(labels, special)
	})
}

// hasState reports whether a set is of things in a state, which they may have come to at
// another time than that of a bare date: cancelled orders in June.
func (r *sentence) hasState(s *meaning.Set) bool {
	return slices.ContainsFunc(s.Where, func(c meaning.Condition) bool {
		if n, denied := c.(meaning.Not); denied {
			c = n.Cond
		}
		p, ok := c.(meaning.Property)
		return ok && r.isNamed("state", p.Bound.Property)
	})
}

func (r *sentence) resolveJoint(set *meaning.Set, p joint) []meaning.Condition {
	ways := [][]meaning.Condition{nil}
	for _, part := range p.parts {
		var next [][]meaning.Condition
		for _, c := range r.resolve(set, part) {
			for _, w := range ways {
				next = append(next, append(slices.Clone(w), c))
			}
		}
		ways = next
	}
	var out []meaning.Condition
	for _, w := range ways {
		switch p.how {
		case "not":
			out = append(out, meaning.Not{Cond: w[0]})
		case "or":
			out = append(out, meaning.Either{Conds: w})
		default:
			out = append(out, meaning.Both{Conds: w})
		}
	}
	return out
}

// kind narrows a set by a value beside its noun: pending orders, Sci-Fi films, Acme's orders.
func kind(r *sentence, parts []any, option string) []any {
	s := parts[0].(*meaning.Set)
	if s.By != nil {
		return nil
	}
	v := parts[1].(*meaning.Set)
	p := v.Where[0].(meaning.Property)
	if r.schema.fits(s.Label, v.Label) {
		if option == "of" || r.schema.isKey(v.Label, p.Bound.Property) {
			return nil
		}
		return one(with(s, p))
	}
	if !r.schema.isKey(v.Label, p.Bound.Property) {
		return nil
	}
	var out []any
	for _, role := range r.joins(s, []*meaning.Set{v}, option) {
		out = append(out, with(s, meaning.Related{How: meaning.Some, Role: role, Set: v}))
	}
	return out
}

// joins are the relationships that may be meant between things of one set and of others.
// Where their words or labels say what they do (directors, a person who only acts), only that.
func (r *sentence) joins(s *meaning.Set, others []*meaning.Set, prep string) []meaning.Role {
	for _, role := range r.schema.joins(s.Label, others[0].Label, "", nil) {
		if doesIt(s, role.Steps[0]) || doesIt(others[0], meaning.Step{Type: role.Steps[0].Type, Back: !role.Steps[0].Back}) {
			return []meaning.Role{role}
		}
	}
	all := r.schema.joins(s.Label, others[0].Label, prep, r.preps[prep])
	if len(all) < 2 {
		return all
	}
	var fit []meaning.Role
	for _, role := range all {
		step := role.Steps[0]
		doers := others
		if !step.Back {
			doers = []*meaning.Set{s}
		}
		if !r.neverDoes(step.Type, doers) {
			fit = append(fit, role)
		}
	}
	return fit
}

// doesIt reports whether a set is of those that take a step at all: directors, of DIRECTED.
func doesIt(s *meaning.Set, step meaning.Step) bool {
	return slices.ContainsFunc(s.Where, func(c meaning.Condition) bool {
		r, ok := c.(meaning.Related)
		return ok && r.How == meaning.Some && len(r.Role.Steps) == 1 && r.Role.Steps[0] == step && isBare(r.Set)
	})
}

// who are those that a condition speaks of.
func who(_ *sentence, parts []any, _ string) []any {
	c, ok := parts[0].(cond)
	if !ok {
		return nil
	}
	return one(setOf(c.owner, c.c))
}

// doers are all who do a verb, or what it is done to: who directed X, directors of X.
// Without things they are all who do it to any.
func doers(r *sentence, parts []any, option string) []any {
	v := parts[0].(verb)
	m := many{sets: []*meaning.Set{setOf(v.to)}}
	if len(parts) > 1 && parts[1] != nil {
		m = parts[1].(many)
	}
	how := meaning.Some
	if option == "none" {
		how = meaning.None
	}
	var out []any
	for _, c := range related(r, v, false, m, how, meaning.Bound{}) {
		c := c.(cond)
		out = append(out, setOf(c.owner, c.c))
	}
	return out
}

// whereNear narrows a set to those that are joined to things.
func whereNear(r *sentence, parts []any, option string) []any {
	return whereAny(r, parts[0], nearby(r, parts[1:], option))
}

// whereDone narrows a set to what is done by things.
func whereDone(r *sentence, parts []any, _ string) []any {
	return whereAny(r, parts[0], doneBy(r, parts[1:], ""))
}

// whereNumber narrows a set to those joined to so many things.
func whereNumber(r *sentence, parts []any, _ string) []any {
	return whereAny(r, parts[0], nearby(r, parts[1:], "number"))
}

// insideNear is inside of being joined to things.
func insideNear(r *sentence, parts []any, _ string) []any {
	return then(nearby(r, parts[1:], "of"), func(c any) []any { return inside(r, []any{parts[0], c}, "") })
}

// datedSet is a set with a period before its noun: 1990s films.
func datedSet(r *sentence, parts []any, _ string) []any {
	return where(r, []any{parts[0], dated{"in", parts[1].(period)}}, "")
}

// boundSet is a set with a number of a property before its noun: tier 1 services.
func boundSet(r *sentence, parts []any, _ string) []any {
	return whereAny(r, parts[0], bound(r, parts[1:], "="))
}

// propKind narrows a set by a value with the word for its property: high priority tickets.
func propKind(r *sentence, parts []any, _ string) []any {
	return whereAny(r, parts[0], isValue(r, parts[1:], ""))
}

// valuedSet is a value of a category as what has it: antibiotics.
func valuedSet(r *sentence, parts []any, _ string) []any {
	v := parts[0].(*meaning.Set)
	p := v.Where[0].(meaning.Property)
	if r.schema.isKey(v.Label, p.Bound.Property) || !r.linker.Shares(v.Label, p.Bound.Property) {
		return nil
	}
	return one(v)
}
