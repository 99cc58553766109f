package check

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// A nameUse is a label or type that the query names.
type nameUse struct {
	name   string
	pos    int
	rel    bool    // a type
	either bool    // of a value that may be a node or a relationship
	of     *entity // or nil
}

// A propertyUse is a property that the query reads of an entity.
type propertyUse struct {
	origin
	pos int
}

// namesIn notes the names in labels, which are said of e; e is nil where it
// isn't known.
func (v *survey) namesIn(labels cypher.LabelExpr, e *entity, rel bool) {
	cypher.Walk(labels, func(n cypher.Node) bool {
		if l, ok := n.(*cypher.Label); ok {
			v.names = append(v.names, nameUse{l.Name, int(l.Pos()), rel, e == nil && !rel, e})
		}
		return true
	})
}

func (v *survey) property(e *entity, key string, pos int) {
	v.properties = append(v.properties, propertyUse{origin{e, key}, pos})
}

func (v *survey) judgeNames() {
	g := v.graph
	for _, u := range v.names {
		_, label := g.labels.number[u.name]
		_, kind := g.types.number[u.name]
		if !u.rel && (label || u.either && kind) || u.rel && kind {
			continue
		}
		if u.rel {
			hint := kindHint(label, "a label")
			near := text.Nearest(u.name, g.types.names)
			if near == "" {
				if near = v.typeBetween(u.of); near != "" {
					hint += "; only " + near + " joins its two ends"
				}
			}
			v.unknown("type", "relationship type", u, near, hint, g.types.names)
			continue
		}
		near := text.Nearest(u.name, g.labels.names)
		if near == "" {
			near = v.labelBeside(u.of)
		}
		v.unknown("label", "label", u, near, kindHint(kind, "a relationship type"), g.labels.names)
	}
}

func kindHint(is bool, what string) string {
	if is {
		return "; it is " + what
	}
	return ""
}

func (v *survey) unknown(kind, words string, u nameUse, near, hint string, all []string) {
	message := fmt.Sprintf("there is no %s %s%s", words, u.name, hint)
	switch {
	case near != "":
		message += fmt.Sprintf("; did you mean %s?", near)
	case len(all) > 0:
		message += fmt.Sprintf("; there are %s", listed(all))
	}
	v.problem(store.Problem{Kind: kind, Name: u.name, Nearest: near, Pos: u.pos, Message: message})
}

// labelBeside is the one label that a node's relationships leave it, whatever
// label the query gives it, or "".
func (v *survey) labelBeside(e *entity) string {
	if e == nil || e.rel {
		return ""
	}
	left := v.graph.labels.all
	for _, h := range v.hops {
		if h.rel.Length != nil || h.rel.Quant != nil || h.left != e && h.right != e {
			continue
		}
		left = left.and(v.graph.placesOf(e, h))
	}
	if left.count() != 1 {
		return ""
	}
	return v.graph.labels.listed(left)[0]
}

// placesOf are the labels that h would leave its end e if that had none: in the
// written direction, or if that is impossible or not written, in the other.
func (g *graph) placesOf(e *entity, h *hop) set {
	n := len(g.labels.names)
	other, free, starts := h.right, &entity{}, h.rel.Dir != cypher.Left
	if h.right == e {
		other, starts = h.left, h.rel.Dir == cypher.Left
	}
	asStart, asEnd, others := empty(n), empty(n), empty(n)
	g.ends(free, h.is, other, asStart, others)
	g.ends(other, h.is, free, others, asEnd)
	switch {
	case h.rel.Dir == cypher.Both:
		return asStart.or(asEnd)
	case starts && !asStart.none() || asEnd.none():
		return asStart
	}
	return asEnd
}

// typeBetween is the one type that joins the ends of relationship e, or "".
func (v *survey) typeBetween(e *entity) string {
	for _, h := range v.hops {
		if e == nil || h.is != e {
			continue
		}
		joins := empty(len(v.graph.types.names))
		starts, ends := v.graph.candidates(h.left, false), v.graph.candidates(h.right, false)
		for t := range v.graph.triples {
			if v.graph.typeJoins(t, starts, ends) || v.graph.typeJoins(t, ends, starts) {
				joins.add(t)
			}
		}
		if joins.count() == 1 {
			return v.graph.types.listed(joins)[0]
		}
	}
	return ""
}

func (v *survey) judgeProperties() {
	for _, u := range v.properties {
		known := &v.graph.labels
		if u.entity.rel {
			known = &v.graph.types
		}
		if known.properties == nil {
			continue
		}
		of := v.graph.namesOf(u.entity)
		if !of.none() && known.has(of, u.key) || of.none() && known.has(known.all, u.key) {
			continue
		}
		v.lacking(u, known, of)
	}
}

// namesOf are the labels or types that e may have; none where the query gives
// it only names that the schema lacks.
func (g *graph) namesOf(e *entity) set {
	g.resolve(e)
	if e.rel {
		return g.typesOf(e)
	}
	return g.candidates(e, false)[0]
}

func (v *survey) lacking(u propertyUse, known *vocabulary, of set) {
	var own []string
	for i := range of.each() {
		for name := range known.properties[i] {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	own = slices.Compact(own)
	names := known.listed(of)
	subject := "nothing"
	if len(names) > 0 && len(names) <= mostRoads {
		subject = "no " + strings.Join(names, " or ")
	} else if u.entity.rel {
		subject = "no relationship"
	}
	near := text.Nearest(u.key, own)
	message := fmt.Sprintf("%s has a property %s", subject, u.key)
	if near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	} else {
		if others := v.graph.owners(u.key); len(others) > 0 {
			message += fmt.Sprintf("; it is a property of %s", listed(others))
		}
		if len(own) > 0 && len(names) <= mostRoads {
			message += fmt.Sprintf("; there are %s", listed(own))
		}
	}
	name := u.key
	if len(names) == 1 {
		name = names[0] + "." + u.key
	}
	v.problem(store.Problem{Kind: "property", Name: name, Nearest: near, Pos: u.pos, Message: message})
}

// owners are the labels and types that have the property.
func (g *graph) owners(key string) []string {
	var names []string
	for _, known := range [2]*vocabulary{&g.labels, &g.types} {
		for i, properties := range known.properties {
			if _, has := properties[key]; has {
				names = append(names, known.names[i])
			}
		}
	}
	return names
}

// mostListed is how many names a sentence lists.
const mostListed = 20

func listed(names []string) string {
	if len(names) > mostListed {
		return strings.Join(names[:mostListed], ", ") + " and more"
	}
	return strings.Join(names, ", ")
}
