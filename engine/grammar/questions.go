package grammar

import (
	"precedent/engine/meaning"
)

// Questions: what is asked of things.

// list asks for a set: its members, or how many, or whether there are any.
func list(_ *sentence, parts []any, option string) []any {
	s := asSet(parts[0])
	if s == nil {
		return nil
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
	return one(&meaning.Meaning{Do: do, Of: s})
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
	ps, s := parts[0].(props), asSet(parts[1])
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
func groups(r *sentence, parts []any, _ string) []any {
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
		e.Order = meaning.Descending // people look at what there is most of first
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

// compareEvent asks of which of two things something happened earlier or later.
func compareEvent(_ *sentence, parts []any, _ string) []any {
	e, m := parts[0].(event), parts[1].(many)
	if len(m.sets) != 2 || m.sets[0].Label != e.day.label {
		return nil
	}
	return one(&meaning.Meaning{Do: meaning.Compare, Of: m.sets[0], With: m.sets[1], Columns: []meaning.Measure{meaning.Prop{Property: e.day.name}}})
}

// compareTwo compares two things that are named apart.
func compareTwo(r *sentence, parts []any, _ string) []any {
	return then(join(r, parts[1:], "or"), func(m any) []any { return compare(r, []any{parts[0], m}, "") })
}

// compareCount compares two things by how many of a set they are joined to.
func compareCount(r *sentence, parts []any, _ string) []any {
	return then(countedOf(r, parts[:1], ""), func(m any) []any { return compare(r, []any{m, parts[1]}, "") })
}

// doneMore is how many of a set each of two things does a verb to.
func doneMore(r *sentence, parts []any, _ string) []any {
	return then(doneCount(r, parts[:2], ""), func(m any) []any { return compare(r, []any{m, parts[2]}, "") })
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

// shareOf is the part that one set is of all of its kind.
func shareOf(_ *sentence, parts []any, _ string) []any {
	part, whole := parts[0].(*meaning.Set), parts[1].(*meaning.Set)
	if part.Label != whole.Label || part.By != nil || !isBare(whole) || isBare(part) {
		return nil
	}
	return one(&meaning.Meaning{Do: meaning.Share, Of: whole, With: part})
}

func countWhere(r *sentence, parts []any, _ string) []any {
	return then(where(r, parts, ""), func(s any) []any { return list(r, []any{s}, "count") })
}

func existsWhere(r *sentence, parts []any, _ string) []any {
	return then(where(r, parts, ""), func(s any) []any { return list(r, []any{s}, "exists") })
}

func countDone(r *sentence, parts []any, _ string) []any {
	return then(whereDone(r, parts, ""), func(s any) []any { return list(r, []any{s}, "count") })
}

func countNear(r *sentence, parts []any, _ string) []any {
	return then(whereNear(r, parts, "of"), func(s any) []any { return list(r, []any{s}, "count") })
}

// listDone asks for all that things do a verb to: what SO-1010 contains.
func listDone(r *sentence, parts []any, _ string) []any {
	return then(doneBy(r, parts, ""), func(c any) []any {
		return then(who(r, []any{c}, ""), func(s any) []any { return list(r, []any{s}, "") })
	})
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

// among asks whether one thing is in a set.
func among(r *sentence, parts []any, _ string) []any {
	m, s := parts[0].(many), parts[1].(*meaning.Set)
	if len(m.sets) != 1 || len(m.sets[0].Where) != 1 || s.By != nil || isBare(s) || !r.schema.fits(s.Label, m.sets[0].Label) {
		return nil
	}
	return list(r, []any{with(s, m.sets[0].Where[0])}, "exists")
}
