package check

import (
	"cmp"
	"slices"

	"precedent/store/cypher"
)

// A Use is a name that a query names.
type Use struct {
	Kind   string   // label, type or property
	Name   string   //
	Owners []string // of a property: the labels, or types, of which what has it may be one and that have it; all that have it where the query doesn't say
	OfType bool     // of a property: it is one of relationships
}

// Uses are the different names that stmt, the tree parsed from text, names, with what
// the schema says of them: a property that nothing has is of no owners. Their order
// hangs on the query alone.
func (c *Checker) Uses(text string, stmt *cypher.Statement) []Use {
	v := &survey{graph: c.graph, text: text, fits: true}
	v.statement(stmt, nil, visible)
	v.directions()
	var all []Use
	for _, u := range v.names {
		kind := "label"
		_, isType := c.graph.types.number[u.name]
		if _, isLabel := c.graph.labels.number[u.name]; u.rel || u.either && isType && !isLabel {
			kind = "type"
		}
		all = append(all, Use{Kind: kind, Name: u.name})
	}
	for _, u := range v.properties {
		known := &c.graph.labels
		if u.entity.rel {
			known = &c.graph.types
		}
		of := c.graph.namesOf(u.entity)
		if of.none() {
			of = known.all
		}
		all = append(all, Use{Kind: "property", Name: u.key, Owners: known.listed(known.owning(of, u.key)), OfType: u.entity.rel})
	}
	order := func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), slices.Compare(a.Owners, b.Owners))
	}
	slices.SortFunc(all, order)
	return slices.CompactFunc(all, func(a, b Use) bool { return order(a, b) == 0 && a.OfType == b.OfType })
}
