package check

import (
	"fmt"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store/cypher"
	"precedent/store/text"
)

// unlike notes that the words ask for another form than the query has.
func (h *held) unlike(words string, at cypher.Node, why string) {
	f := Finding{Kind: Unlike, Words: words, By: why, Pos: -1}
	if at != nil {
		f.Has, f.Pos = cypher.Print(at), int(at.Pos())
	}
	h.find(f)
}

// has reports whether the query has a node that is so.
func (h *held) has(is func(cypher.Node) bool) bool {
	found := false
	cypher.Walk(h.stmt, func(n cypher.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

func (h *held) calls(names ...string) bool {
	return h.has(func(n cypher.Node) bool {
		c, ok := n.(*cypher.Call)
		return ok && slices.Contains(names, strings.ToLower(c.Name))
	})
}

func (h *held) operates(ops ...cypher.BinaryOp) bool {
	return h.has(func(n cypher.Node) bool {
		b, ok := n.(*cypher.Binary)
		return ok && slices.Contains(ops, b.Op)
	})
}

// stores reports whether the query reads a property that holds what is taken.
func (h *held) stores(take string) bool {
	return slices.ContainsFunc(h.properties, func(u propertyUse) bool { return reading.IsStored(take, u.key) })
}

// takes holds averages, sums and shares against the words.
func (h *held) takes() {
	divides := h.operates(cypher.Div, cypher.Mul)
	if w := h.said.Mean; w != "" && !divides && !h.calls("avg", "percentilecont", "percentiledisc", "reduce") && !h.stores("mean") {
		h.unlike(w, nil, "the query takes no avg()")
	}
	if w := h.said.Sum; w != "" && !h.operates(cypher.Add, cypher.Mul) && !h.calls("sum", "reduce") && !h.stores("sum") {
		h.unlike(w, nil, "the query takes no sum()")
	}
	if w := h.said.Share; w != "" && !divides && !h.calls("avg") && !h.stores("share") {
		h.unlike(w, nil, "the query divides nothing by the whole")
	}
}

// depth holds the steps of relationships that join things of one kind against words for
// one of them, or for several.
func (h *held) depth() {
	for _, hop := range h.hops {
		types, ok := hop.rel.Types.(*cypher.Label)
		if !ok || !h.isAmongOneKind(types.Name) {
			continue
		}
		far := hop.rel.Length != nil || hop.rel.Quant != nil
		switch {
		case h.said.Direct != "" && h.said.Deep == "" && far:
			h.unlike(h.said.Direct, hop.rel, "the query follows "+types.Name+" over several steps")
		case h.said.Deep != "" && !far && !h.has(func(n cypher.Node) bool {
			r, isRel := n.(*cypher.RelPattern)
			g, isGroup := n.(*cypher.GroupPattern)
			p, isPath := n.(*cypher.Path)
			return isRel && (r.Length != nil || r.Quant != nil) || isGroup && g.Quant != nil || isPath && p.Shortest != cypher.AnyPath
		}):
			h.unlike(h.said.Deep, hop.rel, "the query follows "+types.Name+" over one step only")
		}
	}
}

// texts holds how texts are looked for against the words.
func (h *held) texts() {
	if h.calls("left", "right", "substring", "split") || h.operates(cypher.Matches) || h.has(func(n cypher.Node) bool { _, ok := n.(*cypher.Index); return ok }) {
		return
	}
	for _, form := range []struct {
		words string
		op    cypher.BinaryOp
		name  string
	}{{h.said.Starts, cypher.StartsWith, "STARTS WITH"}, {h.said.Ends, cypher.EndsWith, "ENDS WITH"}} {
		if form.words != "" && !h.operates(form.op) && h.operates(cypher.Contains, cypher.StartsWith, cypher.EndsWith) {
			h.unlike(form.words, nil, "the query has no "+form.name)
		}
	}
}

// joins holds how conditions are joined against the words: both of two things that one
// node can't be, and one or the other.
func (h *held) joins(columns []column) {
	compares := h.has(func(n cypher.Node) bool {
		c, ok := n.(*cypher.Comparison)
		return ok && slices.ContainsFunc(c.X, func(x cypher.Expr) bool {
			count, isCall := x.(*cypher.Call)
			_, isName := x.(*cypher.Variable)
			return isName || isCall && slices.Contains([]string{"count", "size"}, strings.ToLower(count.Name))
		})
	})
	if w := h.said.Both; w != "" && !compares && !h.has(func(n cypher.Node) bool { _, ok := n.(*cypher.Quantified); return ok }) {
		for i, u := range h.uses {
			b, isIn := u.of.(*cypher.Binary)
			value, isText := h.textIn(u)
			several := isText && h.isSaid(value) && slices.ContainsFunc(h.uses[:i], func(o use) bool {
				other, isText := h.textIn(o)
				return o.of == u.of && isText && h.isSaid(other)
			})
			if isIn && b.Op == cypher.In && several && !slices.ContainsFunc(columns, func(c column) bool { return c.is.entityOf() == u.entity.root() }) {
				h.unlike(w, u.of, "the query takes what has one of them; ask for each in a pattern of its own")
			}
		}
	}
	alternatives := h.operates(cypher.Or, cypher.Xor, cypher.In) || len(h.stmt.Parts) > 1 || h.calls("any", "coalesce", "count") && len(h.compared) < 2 || h.has(func(n cypher.Node) bool {
		switch n.(type) {
		case *cypher.LabelOr, *cypher.Case, *cypher.Quantified:
			return true
		}
		return false
	})
	if w := h.said.Either; w != "" && !h.said.Denied && !alternatives && len(h.compared) > 1 && h.operates(cypher.And) {
		h.unlike(w, nil, "the query takes only what meets all of its conditions")
	}
}

// isSaid reports whether a text stands in the question.
func (h *held) isSaid(s string) bool { return strings.Contains(text.Fold(h.question), text.Fold(s)) }

func (h *held) textIn(u use) (string, bool) {
	value, _ := h.constant(u.with)
	s, ok := value.(string)
	return s, ok
}

// entityOf is the node or relationship that b is, or has a property of.
func (b *binding) entityOf() *entity {
	switch {
	case b == nil:
		return nil
	case b.entity != nil:
		return b.entity.root()
	case b.origin != nil:
		return b.origin.entity.root()
	}
	return nil
}

// things holds what is counted or returned against what the words ask for.
func (h *held) things(columns []column) {
	if t := h.said.Number; t.Label != "" && len(h.counts) == 1 {
		if e := h.counts[0].of.entityOf(); e != nil && !e.rel && h.isOther(e, t.Label) {
			h.unlike(t.Words, h.counts[0].call, fmt.Sprintf("%s counts something else", cypher.Print(h.counts[0].call)))
		}
	}
	t := h.said.Which
	if t.Label == "" || len(columns) == 0 || len(h.counts)+len(h.picks) > 0 {
		return
	}
	for _, c := range columns {
		if e := c.is.entityOf(); e == nil || e.rel || !h.isOther(e, t.Label) {
			return
		}
	}
	h.unlike(t.Words, nil, "the query returns nothing of them")
}

// isOther reports whether e is surely none of a label, which another node of the query is.
func (h *held) isOther(e *entity, label string) bool {
	i, known := h.graph.labels.number[label]
	if !known || h.mayBe(e, i) {
		return false
	}
	return slices.ContainsFunc(h.hops, func(hop *hop) bool { return h.mayBe(hop.left, i) || h.mayBe(hop.right, i) })
}

func (h *held) mayBe(e *entity, label int) bool {
	names := h.graph.namesOf(e)
	if names.none() {
		return true
	}
	for i := range names.each() {
		if i == label {
			return true
		}
	}
	return false
}

// twins finds a property of a node that is returned where a relationship of the pattern has
// one of the same name: the price of a product, and that at which it was ordered.
func (h *held) twins(columns []column) {
	for _, c := range columns {
		if c.is == nil || c.is.origin == nil || c.is.origin.entity.rel || h.scaleOf(c.is) == unknownScale {
			continue
		}
		o := *c.is.origin
		for _, hop := range h.hops {
			if hop.left.root() != o.entity.root() && hop.right.root() != o.entity.root() || slices.ContainsFunc(h.properties, func(u propertyUse) bool { return u.entity.root() == hop.is.root() && u.key == o.key }) {
				continue
			}
			if own := h.owners(origin{hop.is, o.key}); len(own.names) > 0 {
				h.find(Finding{Kind: Twin, Of: h.nameOf(o), Has: own.names[0] + "." + o.key, Pos: -1})
			}
		}
	}
}
