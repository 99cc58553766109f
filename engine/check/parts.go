package check

import (
	"slices"

	"precedent/engine/reading"
	"precedent/store/cypher"
	"precedent/store/text"
)

// parts holds the direction of relationships that join things of one kind, which the
// schema can't tell, against who does what by the words.
func (h *held) parts(asked Asked) {
	if asked.Parts == nil {
		return
	}
	for _, hop := range h.hops {
		types, ok := hop.rel.Types.(*cypher.Label)
		if !ok || hop.rel.Dir == cypher.Both || !h.isAmongOneKind(types.Name) {
			continue
		}
		starts, ends := hop.left, hop.right
		if hop.rel.Dir == cypher.Left {
			starts, ends = ends, starts
		}
		for _, p := range asked.Parts(types.Name) {
			atStart, atEnd := h.isPinned(starts, p), h.isPinned(ends, p)
			if atStart != atEnd && atStart != p.Start {
				h.find(Finding{Kind: Reversed, Words: p.Words, Has: hop.printed(hop.rel.Dir), Pos: int(hop.rel.Pos())})
			}
		}
	}
}

// isAmongOneKind reports whether relationships of a type may join two things either way.
func (h *held) isAmongOneKind(name string) bool {
	i, known := h.graph.types.number[name]
	return known && slices.ContainsFunc(h.graph.triples[i], func(t triple) bool {
		return t.start == t.end || slices.Contains(h.graph.triples[i], triple{t.end, t.start})
	})
}

// isPinned reports whether the query looks for e by a value of p.
func (h *held) isPinned(e *entity, p reading.Part) bool {
	return slices.ContainsFunc(h.uses, func(u use) bool {
		if u.entity.root() != e.root() {
			return false
		}
		value, _ := h.constant(u.with)
		s, ok := value.(string)
		return ok && slices.ContainsFunc(p.Values, func(v any) bool {
			is, ok := v.(string)
			return ok && text.KeyOf(is) == text.KeyOf(s)
		})
	})
}

// root is the widest entity that e is.
func (e *entity) root() *entity {
	for e != nil && e.wider != nil {
		e = e.wider
	}
	return e
}
