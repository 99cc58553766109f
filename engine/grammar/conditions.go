package grammar

import (
	"slices"

	"precedent/engine/link"
	"precedent/engine/meaning"
)

// Conditions: what is said of things.

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

// numericOf is what the parts say of a number: the property, by its own name, a unit's or
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
	var of property
	for i, op := range []meaning.Op{meaning.Ge, meaning.Le} {
		p, _, n, ok := numericOf(append(slices.Clone(rest), numbers[i]))
		if !ok {
			return nil
		}
		of = p
		conds = append(conds, meaning.Property{Bound: meaning.Bound{Property: p.name, Op: op, Value: n.as(p.typ)}})
	}
	return one(cond{of.label, meaning.Both{Conds: conds}})
}

// contains looks for a quotation in a property.
func contains(_ *sentence, parts []any, _ string) []any {
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
		for _, word := range r.languages[language].affixes["none"] {
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
