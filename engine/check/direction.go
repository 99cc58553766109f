package check

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// directions settles each hop: as it is written, turned round, or impossible.
//
// A hop is turned only where the schema rules out the written direction and
// allows the other, by what is known of its two ends: their labels, wherever
// in the query they are given; then the labels that the other relationships of
// an unlabelled end leave it; then those that have the properties that the
// query reads of it. Two hops of which one must be wrong, and nothing says
// which, stay as they are and become a problem.
func (v *survey) directions() {
	for _, h := range v.hops {
		for _, e := range [3]*entity{h.left, h.right, h.is} {
			v.graph.resolve(e)
		}
	}
	for v.settle(certain) {
	}
	if v.keepOwners() {
		for v.settle(likely) {
		}
	}
	for v.settle(guessed) {
	}
	for _, h := range v.hops {
		if h.flip {
			v.turn(h)
		}
	}
}

// ground is what hops are settled on.
type ground int

const (
	certain ground = iota // labels in the query and what follows from them
	likely                // besides, the properties that are read
	guessed               // besides, the written direction
)

// settle goes over the unsettled hops and reports whether it learned anything.
// A hop whose both directions are possible stays open; where nothing but
// guessing is left, the first such hop is taken as written.
func (v *survey) settle(on ground) bool {
	learned := false
	for _, h := range v.hops {
		if h.settled {
			continue
		}
		forth, back := v.possible(h)
		if h.rel.Dir == cypher.Both {
			forth = forth || back
			back = forth
		}
		switch {
		case !forth && !back && on == certain:
			v.misfit(h)
			learned = true
			continue
		case !forth && (!back || on == guessed):
			v.clash(h)
			continue
		case forth != back:
			h.settled, h.flip = true, back
			learned = true
		case on == guessed:
			h.settled = true
			back = back && h.rel.Dir == cypher.Both
		}
		if v.narrow(h, forth, back) {
			learned = true
		}
		if on == guessed && h.settled {
			return true
		}
	}
	return learned
}

// keepOwners leaves unlabelled nodes only labels that have the properties read
// of them, if their relationships leave any such, and reports whether it
// learned anything.
func (v *survey) keepOwners() bool {
	known := &v.graph.labels
	if known.properties == nil {
		return false
	}
	owners := make(map[*entity]set)
	for _, u := range v.properties {
		if u.entity.rel {
			continue
		}
		own, seen := owners[u.entity]
		if !seen {
			v.graph.resolve(u.entity)
			own = v.graph.candidates(u.entity, false)[0]
		}
		owners[u.entity] = known.owning(own, u.key)
	}
	learned := false
	for e, own := range owners {
		if !own.none() && v.graph.keep(e, own) {
			learned = true
		}
	}
	return learned
}

// possible says whether the schema has h as written, read from left to right
// as its arrow goes, and whether it has it turned round.
func (v *survey) possible(h *hop) (forth, back bool) {
	start, end := h.left, h.right
	if h.rel.Dir == cypher.Left {
		start, end = end, start
	}
	for _, strict := range [2]bool{true, false} {
		if h.rel.Length != nil || h.rel.Quant != nil {
			forth, back = v.graph.reaches(start, h, end, strict), v.graph.reaches(end, h, start, strict)
		} else {
			forth, back = v.graph.joins(start, h.is, end, strict), v.graph.joins(end, h.is, start, strict)
		}
		if forth || back {
			return forth, back
		}
	}
	return false, false
}

// narrow notes which labels h leaves its ends that have none in the query.
func (v *survey) narrow(h *hop, forth, back bool) bool {
	if h.rel.Length != nil || h.rel.Quant != nil {
		return false
	}
	start, end := h.left, h.right
	if h.rel.Dir == cypher.Left {
		start, end = end, start
	}
	n := len(v.graph.labels.names)
	starts, ends := empty(n), empty(n)
	if forth {
		v.graph.ends(start, h.is, end, starts, ends)
	}
	if back {
		v.graph.ends(end, h.is, start, ends, starts)
	}
	changed := v.graph.keep(start, starts)
	return v.graph.keep(end, ends) || changed
}

// misfit notes a hop that exists in neither direction. Of a path of several
// hops, only the query's author can say what was meant: it still may fit.
func (v *survey) misfit(h *hop) {
	h.settled = true
	variable := h.rel.Length != nil || h.rel.Quant != nil
	unknown := v.unknownIn(h)
	if !variable || unknown {
		v.fits = false
	}
	if unknown {
		return // the unknown name is the problem
	}
	v.problem(store.Problem{
		Kind: "direction", Name: h.name(), Pos: int(h.rel.Pos()),
		Message: fmt.Sprintf("%s matches nothing in either direction; %s", h.printed(h.rel.Dir), v.graph.roads(h.is)),
	})
}

// clash notes a hop that contradicts the rest of the query, where turning
// either would do.
func (v *survey) clash(h *hop) {
	h.settled = true
	v.problem(store.Problem{
		Kind: "direction", Name: h.name(), Pos: int(h.rel.Pos()),
		Message: fmt.Sprintf("%s contradicts the relationships beside it; %s", h.printed(h.rel.Dir), v.graph.roads(h.is)),
	})
}

func (v *survey) turn(h *hop) {
	turned := cypher.Right
	if h.rel.Dir == cypher.Right {
		turned = cypher.Left
	}
	v.edits = append(v.edits, edit{
		Change: Change{
			Kind: "direction", Before: h.printed(h.rel.Dir), After: h.printed(turned), Why: v.graph.roads(h.is),
		},
		node: h.rel,
		make: func(n cypher.Node) { n.(*cypher.RelPattern).Dir = turned },
	})
}

func (h *hop) printed(dir cypher.Direction) string {
	rel := *h.rel
	rel.Dir = dir
	return cypher.Print(&cypher.Path{Elements: []cypher.Element{h.parts[0], &rel, h.parts[2]}})
}

// name is the hop's types as written, or the hop where it has none.
func (h *hop) name() string {
	if h.rel.Types == nil {
		return h.printed(h.rel.Dir)
	}
	return cypher.Print(h.rel.Types)
}

// unknownIn reports whether h names a label or type that the schema lacks.
func (v *survey) unknownIn(h *hop) bool {
	return v.graph.lacks(h.left, false) || v.graph.lacks(h.right, false) || v.graph.lacks(h.is, true)
}

func (g *graph) lacks(e *entity, types bool) bool {
	known := &g.labels
	if types {
		known = &g.types
	}
	for ; e != nil; e = e.wider {
		for _, fact := range e.facts {
			missing := false
			cypher.Walk(fact, func(n cypher.Node) bool {
				if l, ok := n.(*cypher.Label); ok {
					_, has := known.number[l.Name]
					missing = missing || !has
				}
				return true
			})
			if missing {
				return true
			}
		}
	}
	return false
}

// mostRoads is how many pairs of labels a sentence lists.
const mostRoads = 4

// roads says where the types of e lead: "ACTED_IN leads from Person to Movie".
func (g *graph) roads(e *entity) string {
	var said []string
	more := false
	types := g.typesOf(e)
	if types.count() == len(g.types.names) && len(g.types.names) > mostRoads {
		return "no type in the schema joins these labels that way"
	}
	for t := range types.each() {
		pairs := g.triples[t]
		if pair, ok := g.widest[t]; ok {
			pairs = []triple{pair}
		}
		for i, pair := range pairs {
			if i >= mostRoads {
				more = true
				break
			}
			said = append(said, fmt.Sprintf("%s leads from %s to %s", g.types.names[t], g.labels.names[pair.start], g.labels.names[pair.end]))
		}
	}
	said = slices.Compact(said)
	if len(said) == 0 {
		return "no such relationship is in the graph"
	}
	if more {
		said = append(said, "and more")
	}
	return strings.Join(said, ", ")
}
