package grammar

import (
	"slices"
	"strconv"

	"precedent/engine/link"
	"precedent/engine/meaning"
)

// A combinator makes of pieces what they say together: every way in which the schema
// lets them, none where their types don't fit. option is the word behind it in the
// grammar file. A part that was left out is nil.
type combinator func(r *sentence, parts []any, option string) []any

var combinators map[string]combinator

func init() {
	combinators = map[string]combinator{
		"same":         func(_ *sentence, parts []any, _ string) []any { return one(parts[0]) },
		"entity":       entity,
		"named":        named,
		"things":       things,
		"join":         join,
		"where":        where,
		"kind":         kind,
		"near":         nearby,
		"done":         doneBy,
		"does":         does,
		"is":           isValue,
		"flag":         flagged,
		"bound":        bound,
		"between":      between,
		"contains":     contains,
		"known":        known,
		"in":           happened,
		"dated":        datedBy,
		"both":         both,
		"deny":         deny,
		"average":      averageOf,
		"placed":       placed,
		"compareevent": compareEvent,
		"donemore":     doneMore,
		"shareof":      shareOf,
		"rankevent":    rankEvent,
		"topevent":     topEvent,
		"valued":       valuedSet,
		"rankdoneback": rankDoneBack,
		"comparetwo":   compareTwo,
		"comparecount": compareCount,
		"doesany":      doesAny,
		"doneany":      doneAny,
		"listdone":     listDone,
		"wherenumber":  whereNumber,
		"propkind":     propKind,
		"boundset":     boundSet,
		"among":        among,
		"insidenear":   insideNear,
		"datedset":     datedSet,
		"spread":       spread,
		"inside":       inside,
		"ordered":      orderedGroups,
		"columns":      columns,
		"shown":        shown,
		"dir":          direction,
		"measure":      measureOf,
		"counted":      countedOf,
		"donecount":    doneCount,
		"rank":         rank,
		"top":          top,
		"list":         list,
		"value":        value,
		"total":        total,
		"groups":       groups,
		"compare":      compare,
		"share":        share,
		"doers":        doers,
		"range":        periodRange,
		"inrange":      inRange,
		"where2":       whereNear,
		"nthrank":      nthRank,
		"countdone":    countDone,
		"countnear":    countNear,
		"wheredone":    whereDone,
		"who":          who,
		"rankdone":     rankDone,
		"rankwho":      rankWho,
		"toprank":      topRank,
		"countwhere":   countWhere,
		"existswhere":  existsWhere,
		"truth":        truth,
	}
}

// lenient are the combinators of which a part may be left out.
var lenient = []string{"average", "between", "bound", "doers", "groups"}

func one(v any) []any { return []any{v} }

func setOf(label string, where ...meaning.Condition) *meaning.Set {
	return &meaning.Set{Label: label, Where: where}
}

// with is s, narrowed by c.
func with(s *meaning.Set, c meaning.Condition) *meaning.Set {
	out := *s
	out.Where = append(slices.Clone(s.Where), c)
	return &out
}

// isBare reports whether s is all things of its label.
func isBare(s *meaning.Set) bool { return len(s.Where) == 0 && s.By == nil }

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

// where narrows a set by a condition.
func where(r *sentence, parts []any, _ string) []any {
	s := parts[0].(*meaning.Set)
	if s.By != nil { // "the newest film by X" asks for the newest of those, not for the newest if it is
		return nil
	}
	var out []any
	for _, c := range r.resolve(s, parts[1]) {
		out = append(out, with(s, c))
	}
	return out
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
	var out []any
	for _, c := range r.resolve(s, parts[1]) {
		out = append(out, with(s, c))
	}
	return out
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
	special := r.schema.rels[role.Steps[0].Type].Role
	return special != "" && role.Steps[0].Back && slices.ContainsFunc(doers, func(d *meaning.Set) bool {
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
		special := r.schema.rels[step.Type].Role
		if special == "" || !slices.ContainsFunc(doers, func(d *meaning.Set) bool {
			labels := r.labels[d.Exact()]
			return labels != nil && !slices.Contains(labels, special)
		}) {
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

// nearby is being joined to things: of X, in X, with an order, without orders, with more
// than three orders. option is the preposition, or says how many.
func nearby(_ *sentence, parts []any, option string) []any {
	n := near{many: parts[len(parts)-1].(many), how: meaning.Some, prep: option}
	switch option {
	case "none":
		n.how, n.prep = meaning.None, "with"
		if len(n.sets) > 1 && !n.or { // "without A and B" is said of either and of both
			return nil
		}
		n.or = false // without A or B: neither
	case "number":
		op, num := parts[0].(string), parts[1].(number)
		if !num.whole || len(n.sets) > 1 {
			return nil
		}
		n.how, n.prep = meaning.Number, "with"
		n.n = meaning.Bound{Op: meaning.Op(op), Value: num.as("INTEGER")}
	}
	return one(n)
}

// related are a verb's two sides: what is done by things, or who does it to things.
func related(r *sentence, v verb, back bool, m many, how meaning.Quantifier, n meaning.Bound) []any {
	owner, other := v.from, v.to
	if back {
		owner, other = v.to, v.from
	}
	for _, s := range m.sets {
		if !r.schema.fits(s.Label, other) {
			return nil
		}
	}
	role := meaning.Role{Steps: []meaning.Step{{Type: v.rel, Back: back != v.turned}}}
	if m.isOrdered() || !m.or && len(m.sets) > 1 && how == meaning.Some && (r.schema.isOnce(owner, role) || r.isStranger(role, m.sets)) {
		return nil
	}
	return one(cond{owner, m.each(func(s *meaning.Set) meaning.Condition {
		return meaning.Related{How: how, N: n, Role: role, Set: s}
	})})
}

// quantified takes how many off the front of a verb's parts.
func quantified(parts []any, option string) (v verb, m many, how meaning.Quantifier, n meaning.Bound, ok bool) {
	how = meaning.Some
	if option == "number" {
		num, whole := parts[1].(number)
		if !whole || !num.whole {
			return v, m, how, n, false
		}
		how, n = meaning.Number, meaning.Bound{Op: meaning.Op(parts[0].(string)), Value: num.as("INTEGER")}
		if n.Op == meaning.Lt || n.Op == meaning.Le || n.Value.Is == int64(0) {
			return v, m, how, n, false // whether who does none is meant, too, nobody can tell
		}
		parts = parts[2:]
	}
	v, m = parts[0].(verb), parts[1].(many)
	switch option {
	case "none":
		how = meaning.None
		if len(m.sets) > 1 && !m.or {
			return v, m, how, n, false
		}
		m.or = false
	case "number":
		if len(m.sets) > 1 {
			return v, m, how, n, false
		}
	}
	return v, m, how, n, true
}

// doneBy is what things did: directed by X, that X directed.
func doneBy(r *sentence, parts []any, option string) []any {
	v, m, how, n, ok := quantified(parts, option)
	if !ok {
		return nil
	}
	return related(r, v, true, m, how, n)
}

// does is who did it to things: who directed X, that contain Y.
func does(r *sentence, parts []any, option string) []any {
	v, m, how, n, ok := quantified(parts, option)
	if !ok {
		return nil
	}
	return related(r, v, false, m, how, n)
}

// isValue is having a value: (whose status is) pending, are pending. With a property,
// it must be the value's.
func isValue(r *sentence, parts []any, option string) []any {
	v := parts[len(parts)-1].(*meaning.Set)
	p := v.Where[0].(meaning.Property)
	if len(parts) > 1 {
		prop := parts[0].(property)
		if prop.name != p.Bound.Property || !r.schema.fits(v.Label, prop.label) {
			return nil
		}
	} else if r.schema.isKey(v.Label, p.Bound.Property) {
		return nil
	}
	if option == "in" && r.byAlias[v.Exact()] { // "in Chinese" isn't in China
		return nil
	}
	var c meaning.Condition = p
	if option == "not" {
		c = meaning.Not{Cond: p}
	}
	return one(cond{v.Label, c})
}

// flagged is being what a property of yes and no says.
func flagged(_ *sentence, parts []any, option string) []any {
	p := parts[0].(property)
	return one(cond{p.label, meaning.Property{Bound: meaning.Bound{Property: p.name, Op: meaning.Eq,
		Value: meaning.Value{Is: option != "not", Kind: meaning.Truth}}}})
}

// as is a number as a property of a type compares with it.
func (n number) as(typ string) meaning.Value {
	if typ == "INTEGER" && n.value == float64(int64(n.value)) {
		return meaning.Value{Is: int64(n.value), Kind: meaning.Integer}
	}
	return meaning.Value{Is: n.value, Kind: meaning.Float}
}

// numeric is what the parts say of a number: the property, by its own name, a unit's or
// an adjective's, and the value in the property's unit.
func numericOf(parts []any) (p property, op string, n number, ok bool) {
	factor, units := 1.0, 0
	for _, part := range parts {
		switch v := part.(type) {
		case property:
			p, ok = v, true
		case grade:
			p, ok = v.property, true
			op = string(meaning.Gt)
			if v.down {
				op = string(meaning.Lt)
			}
		case unit:
			if units++; ok && p != v.property {
				return p, op, n, false
			}
			p, ok, factor = v.property, true, max(v.factor, 1e-9)
		case string:
			op = v
		case number:
			n = v
		}
	}
	n.value *= factor
	return p, op, n, ok && isNumber(p.typ)
}

// bound compares a property with a number: a price over 100, longer than 150 minutes.
func bound(_ *sentence, parts []any, option string) []any {
	p, op, n, ok := numericOf(parts)
	if !ok {
		return nil
	}
	if op == "" {
		op = option
	}
	return one(cond{p.label, meaning.Property{Bound: meaning.Bound{Property: p.name, Op: meaning.Op(op), Value: n.as(p.typ)}}})
}

// between is a property from one number to another, both included.
func between(_ *sentence, parts []any, _ string) []any {
	var numbers []number
	rest := slices.DeleteFunc(slices.Clone(parts), func(p any) bool {
		n, is := p.(number)
		if is {
			numbers = append(numbers, n)
		}
		return is
	})
	if len(numbers) != 2 || numbers[0].value > numbers[1].value {
		return nil
	}
	var conds []meaning.Condition
	for i, op := range []meaning.Op{meaning.Ge, meaning.Le} {
		p, _, n, ok := numericOf(append(slices.Clone(rest), numbers[i]))
		if !ok {
			return nil
		}
		conds = append(conds, meaning.Property{Bound: meaning.Bound{Property: p.name, Op: op, Value: n.as(p.typ)}})
		if i == 1 {
			return one(cond{p.label, meaning.Both{Conds: conds}})
		}
	}
	return nil
}

// contains looks for a quotation in a property, or in what names a thing.
func contains(r *sentence, parts []any, _ string) []any {
	p, said := parts[0].(property)
	if !said || p.typ != "STRING" {
		return nil
	}
	return one(cond{p.label, meaning.Property{Bound: meaning.Bound{Property: p.name, Op: meaning.Contains,
		Value: meaning.Value{Is: parts[1].(string), Kind: meaning.Text}}}})
}

// known is having a value recorded, or none.
func known(r *sentence, parts []any, option string) []any {
	p := parts[0].(property)
	if r.saysNone(p) || isNumber(p.typ) && option != "said" { // no stock is 0 of it
		return nil
	}
	if option == "not" {
		if !r.schema.lacks[p.label+"."+p.name] { // then having none is said some other way: a value that says so
			return nil
		}
		return one(cond{p.label, meaning.Missing{Property: p.name}})
	}
	return one(cond{p.label, meaning.Known{Property: p.name}})
}

// saysNone reports whether a property has a value that says there is none, so that having
// a value isn't having one.
func (r *sentence) saysNone(p property) bool {
	for _, language := range languages {
		for _, word := range r.languages[language].language.affixes["none"] {
			if slices.ContainsFunc(r.linker.Names(word), func(c link.Candidate) bool { return c.Label == p.label && c.Property == p.name }) {
				return true
			}
		}
	}
	return false
}

// happened is an event in, before or after a period.
func happened(_ *sentence, parts []any, option string) []any {
	var p property
	switch v := parts[0].(type) {
	case event:
		if p = v.day; v.year.name != "" && parts[1].(period).year != 0 {
			p = v.year
		}
	case property:
		p = v
	}
	c, ok := whenBound(p, option, parts[1].(period))
	if !ok {
		return nil
	}
	return one(cond{p.label, c})
}

// datedBy is happening in, before or after a period, where the label has one kind of day.
func datedBy(_ *sentence, parts []any, option string) []any {
	return one(dated{option, parts[0].(period)})
}

// whenBound compares a day, or a number that is a year, with a period.
func whenBound(p property, op string, when period) (meaning.Condition, bool) {
	b := meaning.Bound{Property: p.name}
	var from, next any = when.from, when.next
	kind := meaning.Day
	if p.typ == "INTEGER" {
		if when.year == 0 {
			return nil, false
		}
		from, next, kind = when.year, when.nextYear, meaning.Integer
	} else if !isDay(p.typ) {
		return nil, false
	}
	switch op {
	case "in":
		b.Op, b.Value = meaning.Within, meaning.Value{Is: from, Next: next, Kind: kind}
		if kind == meaning.Integer && when.nextYear == when.year+1 {
			b.Op, b.Value.Next = meaning.Eq, nil
		}
	case "before":
		b.Op, b.Value = meaning.Lt, meaning.Value{Is: from, Kind: kind}
	case "since":
		b.Op, b.Value = meaning.Ge, meaning.Value{Is: from, Kind: kind}
	case "after":
		b.Op, b.Value = meaning.Ge, meaning.Value{Is: next, Kind: kind}
	case "until":
		b.Op, b.Value = meaning.Lt, meaning.Value{Is: next, Kind: kind}
	default:
		return nil, false
	}
	return meaning.Property{Bound: b}, true
}

// periodRange is from the first period to the last, both included.
func periodRange(_ *sentence, parts []any, _ string) []any {
	a, b := parts[0].(period), parts[1].(period)
	if a.from >= b.next {
		return nil
	}
	out := period{from: a.from, next: b.next}
	if a.year != 0 && b.year != 0 {
		out.year, out.nextYear = a.year, b.nextYear
	}
	return one(out)
}

// placed is an event at a place.
func placed(r *sentence, parts []any, _ string) []any {
	e := parts[0].(event)
	v := parts[1].(*meaning.Set)
	p := v.Where[0].(meaning.Property)
	if e.place.name == "" || p.Bound.Property != e.place.name || !r.schema.fits(v.Label, e.place.label) {
		return nil
	}
	return one(cond{e.place.label, p})
}

// both joins two conditions by and, or by or.
func both(_ *sentence, parts []any, option string) []any {
	return one(joint{parts: parts, how: option})
}

// deny is a condition that doesn't hold.
func deny(_ *sentence, parts []any, _ string) []any {
	return one(joint{parts: parts, how: "not"})
}

// measureOf is a property of numbers or days as a measure.
func measureOf(_ *sentence, parts []any, option string) []any {
	p := parts[0].(property)
	if !isNumber(p.typ) && !isDay(p.typ) {
		return nil
	}
	return one(valued{property: p})
}

// averageOf is a function of a property of what something is joined to.
func averageOf(r *sentence, parts []any, _ string) []any {
	p := parts[1].(property)
	if !isNumber(p.typ) {
		return nil
	}
	s := setOf(p.label)
	if len(parts) > 2 && parts[2] != nil {
		s = parts[2].(*meaning.Set)
	}
	if !r.schema.fits(s.Label, p.label) || s.By != nil {
		return nil
	}
	return one(valued{fn: meaning.Fn(parts[0].(string)), property: p, set: s})
}

// countedOf is how many of a set something is joined to.
func countedOf(_ *sentence, parts []any, _ string) []any {
	s := parts[0].(*meaning.Set)
	if s.By != nil {
		return nil
	}
	return one(counted{s})
}

// doneCount is how many of a set something does a verb to; back, by how many it is done.
func doneCount(r *sentence, parts []any, option string) []any {
	v, s := parts[0].(verb), parts[1].(*meaning.Set)
	other := v.to
	if option == "back" {
		other = v.from
	}
	if !r.schema.fits(s.Label, other) || s.By != nil {
		return nil
	}
	return one(done{v, option == "back", s})
}

// measures are what a piece measures of a thing of a label.
func (r *sentence) measures(of *meaning.Set, piece any) (out []meaning.Measure) {
	label := of.Label
	switch p := piece.(type) {
	case string: // newest or oldest: by the one kind of day that there is
		if prop := r.schema.years[label]; prop != "" {
			out = append(out, meaning.Prop{Property: prop})
		}
	case valued:
		switch {
		case p.set == nil && r.schema.fits(label, p.label):
			out = append(out, meaning.Prop{Property: p.name})
		case p.set != nil:
			for _, role := range r.joins(of, []*meaning.Set{p.set}, "") {
				out = append(out, meaning.Of{Fn: p.fn, Property: p.name, Role: role, Set: p.set})
			}
		}
	case counted:
		for _, role := range r.joins(of, []*meaning.Set{p.set}, "") {
			out = append(out, meaning.CountOf{Role: role, Set: p.set})
		}
	case done:
		owner := p.from
		if p.back {
			owner = p.to
		}
		if r.schema.fits(label, owner) {
			out = append(out, meaning.CountOf{Role: meaning.Role{Steps: []meaning.Step{{Type: p.rel, Back: p.back != p.turned}}}, Set: p.set})
		}
	}
	return out
}

// rank orders a set by a measure: all of it, or those that come first, with ties.
// option: asc, desc, most, least.
func rank(r *sentence, parts []any, option string) []any {
	s := parts[0].(*meaning.Set)
	if s.By != nil {
		return nil
	}
	piece := parts[1]
	if option == "sorted" { // from early to late, from much to little
		option = "desc"
		if v, ok := piece.(valued); ok && v.set == nil && (isDay(v.typ) || v.name == r.schema.years[s.Label]) {
			option = "asc"
		}
	}
	turned := map[string]string{"most": "least", "desc": "asc", "least": "most", "asc": "desc"}[option]
	switch p := piece.(type) {
	case grade:
		piece = valued{property: p.property}
		if p.down {
			option = turned
		}
	case string:
		if p == "oldest" {
			option = turned
		}
	}
	var out []any
	for _, m := range r.measures(s, piece) {
		ordered := *s
		ordered.By, ordered.Sort = m, meaning.Descending
		if option == "least" || option == "asc" {
			ordered.Sort = meaning.Ascending
		}
		ordered.Ties = option == "most" || option == "least"
		out = append(out, &ordered)
	}
	return out
}

// top cuts an ordered set to the first so many; of one with ties, the nth.
func top(_ *sentence, parts []any, option string) []any {
	s, n := parts[0].(*meaning.Set), parts[1].(number)
	if s.By == nil || s.Take > 0 || s.Nth > 0 || !n.whole || n.value < 1 || n.value > 10000 {
		return nil
	}
	out := *s
	if option == "nth" {
		if !s.Ties {
			return nil
		}
		out.Nth = int(n.value)
		return one(&out)
	}
	out.Ties, out.Take = false, int(n.value)
	return one(&out)
}

// list asks for a set: its members, or how many, or whether there are any.
func list(_ *sentence, parts []any, option string) []any {
	var s *meaning.Set
	switch v := parts[0].(type) {
	case *meaning.Set:
		s = v
	case many:
		if s = union(v); s == nil {
			return nil
		}
	}
	do := meaning.List
	switch option {
	case "count":
		do = meaning.Count
	case "exists":
		do = meaning.Exists
	}
	if do != meaning.List && s.By != nil {
		return nil
	}
	m := &meaning.Meaning{Do: do, Of: s}
	return one(m)
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

// value asks for properties of things: their price, when they were released.
func value(r *sentence, parts []any, _ string) []any {
	var p property
	switch v := parts[0].(type) {
	case property:
		p = v
	case event:
		p = v.day
	}
	s := union(parts[1].(many))
	if s == nil || !r.schema.fits(s.Label, p.label) {
		return nil
	}
	return one(&meaning.Meaning{Do: meaning.List, Of: s, Columns: []meaning.Measure{meaning.Prop{Property: p.name}}})
}

// total asks for the average, sum … of a property over a set.
func total(r *sentence, parts []any, _ string) []any {
	fn, p, s := meaning.Fn(parts[0].(string)), parts[1].(property), parts[2].(*meaning.Set)
	if s.By != nil || !isNumber(p.typ) || !r.schema.fits(s.Label, p.label) {
		return nil
	}
	return one(&meaning.Meaning{Do: meaning.Total, Fn: fn, Measure: meaning.Prop{Property: p.name}, Of: s})
}

// groups counts a set for each value of a property, or each thing that its members are
// joined to; with a function first, that of a property.
func groups(r *sentence, parts []any, option string) []any {
	fn, p := "", property{}
	if f, ok := parts[0].(string); ok {
		fn, p = f, parts[1].(property)
		parts = parts[2:]
	}
	by := parts[len(parts)-1]
	s, ok := parts[0].(*meaning.Set)
	if !ok || len(parts) == 1 {
		s = setOf(p.label)
	}
	if s.By != nil || fn != "" && (!isNumber(p.typ) || !r.schema.fits(s.Label, p.label)) {
		return nil
	}
	var out []any
	for _, e := range r.eachOf(s, by) {
		m := &meaning.Meaning{Do: meaning.Groups, Of: s, Each: e}
		if fn != "" {
			m.Fn, m.Measure = meaning.Fn(fn), meaning.Prop{Property: p.name}
		}
		switch option {
		case "desc":
			e.Order = meaning.Descending
		case "asc":
			e.Order = meaning.Ascending
		default: // people look at what there is most of first
			e.Order = meaning.Descending
		}
		out = append(out, m)
	}
	return out
}

// eachOf are the ways to make groups of things of a label by a piece.
func (r *sentence) eachOf(of *meaning.Set, by any) (out []*meaning.Each) {
	label := of.Label
	switch by := by.(type) {
	case property:
		if r.schema.fits(label, by.label) && !isNumber(by.typ) && !isDay(by.typ) || label == by.label && by.name == r.schema.years[label] && by.typ == "INTEGER" {
			out = append(out, &meaning.Each{Property: by.name})
		}
	case *meaning.Set:
		if by.By == nil {
			for _, role := range r.joins(of, []*meaning.Set{by}, "") {
				out = append(out, &meaning.Each{Role: role, Set: by})
			}
		}
	}
	return out
}

// compareEvent asks of which of two things something happened earlier or later.
func compareEvent(_ *sentence, parts []any, _ string) []any {
	e, m := parts[0].(event), parts[1].(many)
	if len(m.sets) != 2 || m.sets[0].Label != e.day.label {
		return nil
	}
	return one(&meaning.Meaning{Do: meaning.Compare, Of: m.sets[0], With: m.sets[1], Columns: []meaning.Measure{meaning.Prop{Property: e.day.name}}})
}

// doneMore is how many of a set each of two things does a verb to.
func doneMore(r *sentence, parts []any, _ string) []any {
	return then(doneCount(r, parts[:2], ""), func(m any) []any { return compare(r, []any{m, parts[2]}, "") })
}

// shareOf is the part that one set is of all of its kind.
func shareOf(_ *sentence, parts []any, _ string) []any {
	part, whole := parts[0].(*meaning.Set), parts[1].(*meaning.Set)
	if part.Label != whole.Label || part.By != nil || !isBare(whole) || isBare(part) {
		return nil
	}
	return one(&meaning.Meaning{Do: meaning.Share, Of: whole, With: part})
}

// rankEvent orders a set by when something happened.
func rankEvent(r *sentence, parts []any, option string) []any {
	s, e := parts[0].(*meaning.Set), parts[1].(event)
	return rank(r, []any{s, valued{property: e.day}}, option)
}

// topEvent is the first so many of that.
func topEvent(r *sentence, parts []any, option string) []any {
	return then(rankEvent(r, parts[:2], option), func(s any) []any { return top(r, []any{s, parts[2]}, "") })
}

// valued is a value of a category as what has it: antibiotics.
func valuedSet(r *sentence, parts []any, _ string) []any {
	v := parts[0].(*meaning.Set)
	p := v.Where[0].(meaning.Property)
	if r.schema.isKey(v.Label, p.Bound.Property) || !r.linker.Shares(v.Label, p.Bound.Property) {
		return nil
	}
	return one(v)
}

// compare asks which of two things has more of a measure.
func compare(r *sentence, parts []any, _ string) []any {
	m := parts[1].(many)
	if len(m.sets) != 2 {
		return nil
	}
	piece := parts[0]
	if g, ok := piece.(grade); ok {
		piece = valued{property: g.property}
	}
	var out []any
	for _, by := range r.measures(m.sets[0], piece) {
		out = append(out, &meaning.Meaning{Do: meaning.Compare, Of: m.sets[0], With: m.sets[1], Columns: []meaning.Measure{by}})
	}
	return out
}

// share asks which part of a set a condition holds of.
func share(r *sentence, parts []any, _ string) []any {
	s := parts[0].(*meaning.Set)
	if s.By != nil {
		return nil
	}
	var out []any
	for _, c := range r.resolve(s, parts[1]) {
		out = append(out, &meaning.Meaning{Do: meaning.Share, Of: s, With: setOf(s.Label, c)})
	}
	return out
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

// then feeds each result of one combinator to another.
func then(results []any, next func(any) []any) (out []any) {
	for _, v := range results {
		out = append(out, next(v)...)
	}
	return out
}

// inRange is an event from one period to another.
func inRange(r *sentence, parts []any, _ string) []any {
	return then(periodRange(r, parts[1:], ""), func(when any) []any { return happened(r, []any{parts[0], when}, "in") })
}

// whereNear narrows a set to those that are joined to things.
func whereNear(r *sentence, parts []any, option string) []any {
	return then(nearby(r, parts[1:], option), func(c any) []any { return where(r, []any{parts[0], c}, "") })
}

// who are those that a condition speaks of.
func who(_ *sentence, parts []any, _ string) []any {
	c, ok := parts[0].(cond)
	if !ok {
		return nil
	}
	return one(setOf(c.owner, c.c))
}

// rankDone orders those who do something by how many they do it to.
func rankDone(r *sentence, parts []any, option string) []any {
	return then(doneCount(r, parts[1:3], ""), func(m any) []any { return rank(r, []any{parts[0], m}, option) })
}

func rankWho(r *sentence, parts []any, option string) []any {
	v := parts[0].(verb)
	return rankDone(r, []any{setOf(v.from), v, parts[1]}, option)
}

// topRank is the first so many of an order.
func topRank(r *sentence, parts []any, option string) []any {
	return then(rank(r, parts[:2], option), func(s any) []any { return top(r, []any{s, parts[2]}, "") })
}

func countWhere(r *sentence, parts []any, _ string) []any {
	return then(where(r, parts, ""), func(s any) []any { return list(r, []any{s}, "count") })
}

func existsWhere(r *sentence, parts []any, _ string) []any {
	return then(where(r, parts, ""), func(s any) []any { return list(r, []any{s}, "exists") })
}

// truth asks whether something holds of one thing.
func truth(r *sentence, parts []any, option string) []any {
	m := parts[0].(many)
	if len(m.sets) != 1 || !r.isEntity(m.sets[0]) { // "do all services …" asks of each
		return nil
	}
	var said []any
	switch option {
	case "near":
		said = nearby(r, parts[2:], "with")
	case "back":
		said = doneBy(r, parts[1:], "")
	default:
		said = does(r, parts[1:], "")
	}
	return then(said, func(c any) []any { return existsWhere(r, []any{m.sets[0], c}, "") })
}

// isEntity reports whether a set is the one thing that a value names.
func (r *sentence) isEntity(s *meaning.Set) bool {
	if len(s.Where) != 1 || s.By != nil {
		return false
	}
	p, ok := s.Where[0].(meaning.Property)
	return ok && p.Op == meaning.Eq && r.schema.isKey(s.Label, p.Bound.Property)
}

// nthRank is what comes nth in an order, with ties.
func nthRank(r *sentence, parts []any, option string) []any {
	n, err := strconv.Atoi(parts[2].(string))
	if err != nil {
		return nil
	}
	return then(rank(r, parts[:2], option), func(s any) []any { return top(r, []any{s, number{float64(n), true}}, "nth") })
}

// whereDone narrows a set to what is done by things.
func whereDone(r *sentence, parts []any, _ string) []any {
	return then(doneBy(r, parts[1:], ""), func(c any) []any { return where(r, []any{parts[0], c}, "") })
}

func countDone(r *sentence, parts []any, _ string) []any {
	return then(whereDone(r, parts, ""), func(s any) []any { return list(r, []any{s}, "count") })
}

func countNear(r *sentence, parts []any, _ string) []any {
	return then(whereNear(r, parts, "of"), func(s any) []any { return list(r, []any{s}, "count") })
}

// orderedGroups turns groups round: lowest first.
func orderedGroups(_ *sentence, parts []any, option string) []any {
	m := *parts[0].(*meaning.Meaning)
	if m.Do != meaning.Groups {
		return nil
	}
	each := *m.Each
	each.Order = meaning.Sort(option)
	m.Each = &each
	return one(&m)
}

// direction orders a set by a measure in the way that a word says.
func direction(r *sentence, parts []any, option string) []any { return rank(r, parts, option) }

// columns are properties told one by one.
func columns(_ *sentence, parts []any, _ string) []any {
	var out props
	for _, p := range parts {
		switch p := p.(type) {
		case property:
			out = append(out, p)
		case props:
			out = append(out, p...)
		}
	}
	return one(out)
}

// shown are several properties of things.
func shown(r *sentence, parts []any, _ string) []any {
	ps := parts[0].(props)
	var s *meaning.Set
	switch v := parts[1].(type) {
	case many:
		s = union(v)
	case *meaning.Set:
		s = v
	}
	if s == nil {
		return nil
	}
	m := &meaning.Meaning{Do: meaning.List, Of: s}
	for _, p := range ps {
		if !r.schema.fits(s.Label, p.label) {
			return nil
		}
		if p.name != r.schema.keys[s.Label] {
			m.Columns = append(m.Columns, meaning.Prop{Property: p.name})
		}
	}
	return one(m)
}

// insideNear is inside of being joined to things.
func insideNear(r *sentence, parts []any, _ string) []any {
	return then(nearby(r, parts[1:], "of"), func(c any) []any { return inside(r, []any{parts[0], c}, "") })
}

// datedSet is a set with a period before its noun: 1990s films.
func datedSet(r *sentence, parts []any, _ string) []any {
	return where(r, []any{parts[0], dated{"in", parts[1].(period)}}, "")
}

// among asks whether one thing is in a set.
func among(r *sentence, parts []any, _ string) []any {
	m, s := parts[0].(many), parts[1].(*meaning.Set)
	if len(m.sets) != 1 || len(m.sets[0].Where) != 1 || s.By != nil || isBare(s) || !r.schema.fits(s.Label, m.sets[0].Label) {
		return nil
	}
	return list(r, []any{with(s, m.sets[0].Where[0])}, "exists")
}

// rankDoneBack orders what is done by how many do it.
func rankDoneBack(r *sentence, parts []any, option string) []any {
	return then(doneCount(r, parts[1:3], "back"), func(m any) []any { return rank(r, []any{parts[0], m}, option) })
}

// compareTwo compares two things that are named apart.
func compareTwo(r *sentence, parts []any, _ string) []any {
	return then(join(r, parts[1:], "or"), func(m any) []any { return compare(r, []any{parts[0], m}, "") })
}

// compareCount compares two things by how many of a set they are joined to.
func compareCount(r *sentence, parts []any, _ string) []any {
	return then(countedOf(r, parts[:1], ""), func(m any) []any { return compare(r, []any{m, parts[1]}, "") })
}

// doesAny is doing a verb to anything at all, or to nothing.
func doesAny(r *sentence, parts []any, option string) []any {
	v := parts[0].(verb)
	return does(r, []any{v, many{sets: []*meaning.Set{setOf(v.to)}}}, option)
}

// doneAny is being done by anything at all, or by nothing.
func doneAny(r *sentence, parts []any, option string) []any {
	v := parts[0].(verb)
	return doneBy(r, []any{v, many{sets: []*meaning.Set{setOf(v.from)}}}, option)
}

// listDone asks for all that things do a verb to: what SO-1010 contains.
func listDone(r *sentence, parts []any, _ string) []any {
	return then(doneBy(r, parts, ""), func(c any) []any {
		return then(who(r, []any{c}, ""), func(s any) []any { return list(r, []any{s}, "") })
	})
}

// boundSet is a set with a number of a property before its noun: tier 1 services.
func boundSet(r *sentence, parts []any, _ string) []any {
	return then(bound(r, parts[1:], "="), func(c any) []any { return where(r, []any{parts[0], c}, "") })
}

// whereNumber narrows a set to those joined to so many things.
func whereNumber(r *sentence, parts []any, _ string) []any {
	return then(nearby(r, parts[1:], "number"), func(c any) []any { return where(r, []any{parts[0], c}, "") })
}

// propKind narrows a set by a value with the word for its property: high priority tickets.
func propKind(r *sentence, parts []any, _ string) []any {
	return then(isValue(r, parts[1:], ""), func(c any) []any { return where(r, []any{parts[0], c}, "") })
}
