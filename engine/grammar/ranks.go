package grammar

import (
	"strconv"

	"precedent/engine/meaning"
)

// Measures, and the orders that they make.

// measureOf is a property of numbers or days as a measure.
func measureOf(_ *sentence, parts []any, _ string) []any {
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

// rankEvent orders a set by when something happened.
func rankEvent(r *sentence, parts []any, option string) []any {
	s, e := parts[0].(*meaning.Set), parts[1].(event)
	return rank(r, []any{s, valued{property: e.day}}, option)
}

// topEvent is the first so many of that.
func topEvent(r *sentence, parts []any, option string) []any {
	return then(rankEvent(r, parts[:2], option), func(s any) []any { return top(r, []any{s, parts[2]}, "") })
}

// rankDone orders those who do something by how many they do it to.
func rankDone(r *sentence, parts []any, option string) []any {
	return then(doneCount(r, parts[1:3], ""), func(m any) []any { return rank(r, []any{parts[0], m}, option) })
}

// rankDoneBack orders what is done by how many do it.
func rankDoneBack(r *sentence, parts []any, option string) []any {
	return then(doneCount(r, parts[1:3], "back"), func(m any) []any { return rank(r, []any{parts[0], m}, option) })
}

func rankWho(r *sentence, parts []any, option string) []any {
	v := parts[0].(verb)
	return rankDone(r, []any{setOf(v.from), v, parts[1]}, option)
}

// topRank is the first so many of an order.
func topRank(r *sentence, parts []any, option string) []any {
	return then(rank(r, parts[:2], option), func(s any) []any { return top(r, []any{s, parts[2]}, "") })
}

// nthRank is what comes nth in an order, with ties.
func nthRank(r *sentence, parts []any, option string) []any {
	n, err := strconv.Atoi(parts[2].(string))
	if err != nil {
		return nil
	}
	return then(rank(r, parts[:2], option), func(s any) []any { return top(r, []any{s, number{float64(n), true}}, "nth") })
}
