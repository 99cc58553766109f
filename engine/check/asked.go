package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
)

// held is a query that is held against the words of a question.
type held struct {
	*survey
	said      reading.Said
	question  string
	today     time.Time
	stmt      *cypher.Statement
	compared  []compared
	constants []any // all literals and parameters
	relative  bool  // it asks the clock, or counts seconds
}

// A compared is a comparison of something with a constant, as if that stood on the
// right and nothing denied it.
type compared struct {
	left  cypher.Expr
	op    cypher.CompareOp
	right cypher.Expr
	value any // of right, nil where it is no constant
	of    cypher.Node
}

var opposite = map[cypher.CompareOp]cypher.CompareOp{
	cypher.Eq: cypher.Ne, cypher.Ne: cypher.Eq, cypher.Lt: cypher.Ge, cypher.Ge: cypher.Lt, cypher.Gt: cypher.Le, cypher.Le: cypher.Gt,
}

// gather reads the comparisons and constants of the query.
func (h *held) gather() { h.read(h.stmt, false) }

func (h *held) read(n cypher.Node, denied bool) {
	cypher.Walk(n, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Unary:
			if n.Op == cypher.Not {
				h.read(n.X, !denied)
				return false
			}
			if value, ok := h.constant(n); ok {
				h.constants = append(h.constants, value)
				return false
			}
		case *cypher.Literal:
			h.take(n.Value)
		case *cypher.Parameter:
			h.take(h.params[n.Name])
		case *cypher.Comparison:
			for i, op := range n.Ops {
				h.pair(n.X[i], op, n.X[i+1], n, denied)
			}
		case *cypher.Map: // {year: 2024} of a pattern
			for i, key := range n.Keys {
				h.pair(&cypher.Property{Key: key}, cypher.Eq, n.Values[i], n, denied)
			}
		case *cypher.Binary:
			if list, ok := n.R.(*cypher.List); ok && n.Op == cypher.In {
				for _, item := range list.Items {
					h.pair(n.L, cypher.Eq, item, n, denied)
				}
			}
		case *cypher.Call:
			name, _, _ := strings.Cut(strings.ToLower(n.Name), ".")
			if slices.Contains([]string{"date", "datetime", "localdatetime", "timestamp"}, name) && len(n.Args) == 0 {
				h.relative = true
			}
		}
		return true
	})
}

func (h *held) take(v any) {
	if list, ok := v.([]any); ok {
		for _, x := range list {
			h.take(x)
		}
		return
	}
	if n, ok := v.(int64); ok && n > leastEpoch {
		h.relative = true
	}
	h.constants = append(h.constants, v)
}

// leastEpoch is the least number that may be seconds since 1970 of a year that people
// ask for.
const leastEpoch = 300_000_000

func (h *held) pair(l cypher.Expr, op cypher.CompareOp, r cypher.Expr, of cypher.Node, denied bool) {
	if h.isFixed(l) && !h.isFixed(r) {
		l, r, op = r, l, turned(op)
	}
	if denied {
		op = opposite[op]
	}
	value, _ := h.constant(r)
	h.compared = append(h.compared, compared{l, op, r, value, of})
}

// isFixed reports whether e reads nothing of the graph.
func (h *held) isFixed(e cypher.Expr) bool {
	fixed := true
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n.(type) {
		case *cypher.Variable, *cypher.Property, *cypher.Subquery, *cypher.PatternPredicate:
			fixed = false
		}
		return fixed
	})
	return fixed
}

// A taking is an aggregate and what is known of what it is taken of.
type taking struct {
	call *cypher.Call
	of   *binding
}

// order holds the order of the rows against the one that the words ask for.
func (h *held) order() {
	if h.said.Order.Words == "" || len(h.sorts) == 0 {
		return
	}
	last := h.sorts[len(h.sorts)-1]
	for _, s := range h.sorts {
		if s.of.Limit != nil {
			last = s
		}
	}
	first := last.of.OrderBy[0]
	if !h.isTurned(first.Desc, last.key) {
		return
	}
	direction := "ASC"
	if first.Desc {
		direction = "DESC"
	}
	h.find(Finding{Kind: Turned, Words: h.said.Order.Words, Has: cypher.Print(first.Expr) + " " + direction, Pos: int(first.Pos())})
}

// picked is order of a query that takes the greatest or the least by max() or min().
func (h *held) picked() {
	if h.said.Order.Words == "" || len(h.sorts) > 0 {
		return
	}
	for _, p := range h.picks {
		if sameWord(p.call.Name, "max") != sameWord(h.picks[0].call.Name, "max") {
			return // both
		}
	}
	for _, p := range h.picks {
		if of := *p.of; h.isTurned(sameWord(p.call.Name, "max"), &of) {
			h.find(Finding{Kind: Turned, Words: h.said.Order.Words, Has: cypher.Print(p.call), Pos: int(p.call.Pos())})
			return
		}
	}
}

// A scale is what words of more and less, or of sooner and later, make of a key.
type scale int

const (
	unknownScale scale = iota
	numbers
	integers // numbers that may be years
	years
	times
	future // points in time, of which some are still to come
)

// isTurned reports whether the words surely ask for the other order of key, or for that
// of something else.
func (h *held) isTurned(desc bool, key *binding) bool {
	asked := h.said.Order
	of := h.scaleOf(key)
	switch {
	case of == unknownScale:
		return false
	case asked.Span && (of == future || of == integers):
		return false
	case asked.Span && of != numbers:
		return desc == asked.Desc
	case asked.Time:
		return of != numbers && desc != asked.Desc
	case of == times || of == future:
		return !asked.Span && h.said.Extreme != "" // the most by a day is none
	}
	return desc != asked.Desc
}

func (h *held) scaleOf(key *binding) scale {
	if key == nil {
		return unknownScale
	}
	if key.number {
		return numbers
	}
	if key.origin == nil {
		return unknownScale
	}
	of := h.owners(*key.origin)
	if len(of.kinds) != 1 {
		return unknownScale
	}
	switch as(of.kinds[0], key.made) {
	case isInteger:
		of := slices.Collect(func(yield func(scale) bool) {
			for _, e := range of.extents {
				least, known := store.Float(e[0])
				most, _ := store.Float(e[1])
				is := years
				switch {
				case !known:
					is = integers
				case least < firstYear || most > lastYear:
					is = numbers
				}
				if !yield(is) {
					return
				}
			}
		})
		return slices.Min(append(of, years))
	case isFloat, isDuration:
		return numbers
	case isDate, isZoned, isLocal:
		today := store.DateOf(int64(h.today.Year()), int(h.today.Month()), h.today.Day())
		for _, e := range of.extents {
			if last, ok := e[1].(store.Date); !ok || last.Compare(today) > 0 {
				return future
			}
		}
		return times
	}
	return unknownScale
}

// limit holds the number of rows against the one that the words ask for.
func (h *held) limit() {
	n := h.said.First
	if n == 0 || h.said.Several && n == 1 || len(h.sorts) == 0 {
		return
	}
	var limits []any
	var at cypher.Node
	for _, part := range h.stmt.Parts {
		for _, c := range part.Clauses {
			var p *cypher.Projection
			switch c := c.(type) {
			case *cypher.With:
				p = &c.Projection
			case *cypher.Return:
				p = &c.Projection
			case *cypher.CallSubquery:
				return // one for each
			default:
				continue
			}
			if p.Skip != nil {
				return // another place than the first
			}
			if p.Limit != nil {
				value, _ := h.constant(p.Limit)
				limits, at = append(limits, value), p.Limit
			}
		}
	}
	if slices.Contains(limits, any(n)) || n > 1 && slices.Contains(h.constants, any(n)) || h.picksItself() {
		return
	}
	f := Finding{Kind: Unlimited, Words: h.saidFirst(), Want: fmt.Sprint(n), Pos: int(h.sorts[len(h.sorts)-1].of.OrderBy[0].Pos())}
	if len(limits) > 0 {
		if limits[len(limits)-1] == nil || n == 1 {
			return // more than the one asked for is shown, the one first
		}
		f.Has, f.Pos = fmt.Sprint(limits[len(limits)-1]), int(at.Pos())
	}
	h.find(f)
}

func (h *held) saidFirst() string {
	switch {
	case h.said.First > 1 && h.said.Extreme != "":
		return fmt.Sprintf("%s, %d", h.said.Extreme, h.said.First)
	case h.said.Extreme != "":
		return h.said.Extreme
	}
	return fmt.Sprint(h.said.First)
}

// picksItself reports whether the query takes the first of many in another way than
// by LIMIT: max(), a list's head, an item or a slice.
func (h *held) picksItself() bool {
	picks := false
	cypher.Walk(h.stmt, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Index, *cypher.Slice:
			picks = true
		case *cypher.Call:
			picks = picks || slices.Contains([]string{"max", "min", "head", "last", "percentilecont", "percentiledisc"}, strings.ToLower(n.Name))
		}
		return !picks
	})
	return picks
}

var operators = map[string]cypher.CompareOp{"<": cypher.Lt, "<=": cypher.Le, ">": cypher.Gt, ">=": cypher.Ge}

// loosened are the operators that are alike but for the number itself.
var loosened = map[cypher.CompareOp]cypher.CompareOp{cypher.Lt: cypher.Lt, cypher.Le: cypher.Lt, cypher.Gt: cypher.Gt, cypher.Ge: cypher.Gt}

// bounds holds comparisons with numbers against those that the words make.
func (h *held) bounds() {
	for _, b := range h.said.Bounds {
		want := operators[b.Op]
		var other *compared
		agrees := false
		for i, c := range h.compared {
			n, ok := store.Float(c.value)
			if !ok || !slices.ContainsFunc(b.Values, func(v float64) bool { return math.Abs(v-n) <= 1e-9*max(1, math.Abs(v)) }) {
				continue
			}
			agrees = agrees || c.op == want || b.Loose && loosened[c.op] == loosened[want] || h.said.Denied && c.op == opposite[want]
			if other == nil {
				other = &h.compared[i]
			}
		}
		if other != nil && !agrees {
			h.find(Finding{Kind: Bound, Words: b.Words, Has: cypher.Print(other.of), Pos: int(other.of.Pos())})
		}
	}
}
