package check

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// multiplying are aggregates that rows which come several times make wrong.
var multiplying = []string{"count", "sum", "avg", "stdev", "stdevp", "percentilecont", "percentiledisc", "collect"}

// aggregatesIn are the aggregates of e, those of subqueries left out.
func aggregatesIn(e cypher.Expr) (out []*cypher.Call) {
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Subquery:
			return false
		case *cypher.Call:
			name := strings.ToLower(n.Name)
			if slices.Contains(multiplying, name) || name == "min" || name == "max" {
				out = append(out, n)
				return false
			}
		}
		return true
	})
	return out
}

// judge holds one aggregate against the rows: whatever varies beside what it is taken
// of, and beside what the rows are grouped by, multiplies it.
func (r *rows) judge(a *cypher.Call, settled, grouped []*thing) {
	name := strings.ToLower(a.Name)
	if a.Distinct || name == "min" || name == "max" || name == "collect" {
		return
	}
	var of []*thing
	if a.Star {
		of = r.labelled(r.asked.Said.Counted)
	} else if len(a.Args) > 0 {
		of = r.of(a.Args[0])
	}
	if len(of) == 0 {
		return
	}
	if name == "count" && !slices.ContainsFunc(of, func(t *thing) bool { return !slices.Contains(grouped, t) }) {
		return // so many rows of a group
	}
	reached := r.reach(append(slices.Clone(of), settled...))
	for _, t := range r.varies {
		if reached[t] {
			continue
		}
		kind := Multiplied
		if name == "count" {
			kind = Repeated
		}
		r.v.find(Finding{Kind: kind, Has: cypher.Print(a), By: r.between(t, reached), Pos: int(a.Pos())})
		return
	}
}

// labelled is the one thing of a label, none where there are several.
func (r *rows) labelled(label string) []*thing {
	var out []*thing
	for _, t := range r.varies {
		if t.entity != nil && !t.entity.rel && label != "" && r.v.oneName(t.entity) == label {
			out = append(out, t)
		}
	}
	if len(out) > 1 {
		return nil
	}
	return out
}

// between is the pattern that leads from what is settled to t.
func (r *rows) between(t *thing, reached map[*thing]bool) string {
	for _, l := range r.links {
		if l.to == t && reached[l.from] && l.shown != "" || l.from == t && reached[l.to] && l.shown != "" {
			return l.shown
		}
	}
	return t.shown
}

// reach are the things that those settle, and those that are pinned.
func (r *rows) reach(from []*thing) map[*thing]bool {
	reached := make(map[*thing]bool)
	for _, t := range from {
		reached[t] = true
	}
	for _, t := range r.varies {
		reached[t] = reached[t] || t.pinned
	}
	for again := true; again; {
		again = false
		for _, l := range r.links {
			if !reached[l.from] || reached[l.to] || l.many {
				continue
			}
			if l.step == nil || r.asked.One == nil || r.asked.One(*l.step) {
				reached[l.to], again = true, true
			}
		}
		// a relationship is settled by both of its ends
		for _, t := range r.varies {
			if !reached[t] && r.isBetween(t, reached) {
				reached[t], again = true, true
			}
		}
	}
	return reached
}

// isBetween reports whether t is a relationship whose ends are both settled.
func (r *rows) isBetween(t *thing, reached map[*thing]bool) bool {
	if t.entity == nil || !t.entity.rel {
		return false
	}
	ends := 0
	for _, l := range r.links {
		if l.from == t && l.step == nil && !l.many {
			if !reached[l.to] {
				return false
			}
			ends++
		}
	}
	return ends > 0
}
