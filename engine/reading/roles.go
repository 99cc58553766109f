package reading

import (
	"slices"
	"strings"
)

// doer makes the condition that the linked values did what v says; nil if
// they can't have, or it is unclear.
func (r *Reader) doer(l *linkItem, v Term) *Cond {
	w := r.glossary.Relationships[v.Rel]
	var slots []Slot
	rels := []string{v.Rel}
	for _, m := range l.mentions {
		s := r.slotOf(m, w.From, "")
		if s == nil {
			return nil
		}
		if v.Work {
			rels = r.roles(s.Labels, w.From, w.To)
			if len(rels) != 1 {
				return nil
			}
		}
		slots = append(slots, *s)
	}
	return &Cond{Label: w.To, What: strings.Join(rels, "/") + " by", Any: l.any, Slots: slots, Rel: rels}
}

// roles returns the relationship types, from nodes labelled from to nodes
// labelled to, that a value held by labels can have: those whose agent label it
// holds. With no label that tells, all of them.
func (r *Reader) roles(labels []string, from, to string) []string {
	var all, fit []string
	for rel, w := range r.glossary.Relationships {
		if w.From != from || w.To != to || !r.isDeed(rel) {
			continue
		}
		all = append(all, rel)
		if slices.Contains(labels, w.Role) {
			fit = append(fit, rel)
		}
	}
	if len(fit) == 0 {
		fit = all
	}
	slices.Sort(fit)
	return fit
}

// doers is the label of those who do things, if the glossary has one.
func (r *Reader) doers() string { return r.deeds.from }

// deed is the label that doers do things to: of several the first by name.
func (r *Reader) deed() string { return r.deeds.to }

// given is the property of a relationship type by which those who aren't doers
// value things: RATED.rating. It is nil for other types.
func (r *Reader) given(rel string) *Term {
	if _, ok := r.glossary.Relationships[rel]; !ok || r.isDeed(rel) {
		return nil
	}
	prop, ok := r.roleProperty(rel)
	if !ok {
		return nil
	}
	return &Term{Kind: Prop, Label: rel, Prop: prop}
}

// raters is the noun of those who give things the property p: users.
func (r *Reader) raters(p Term) *Term {
	for _, rel := range r.rels {
		w := r.glossary.Relationships[rel]
		if r.given(rel) != nil && w.To == p.Label && r.glossary.Labels[p.Label].Top == p.Prop {
			return &Term{Kind: Noun, Label: w.From}
		}
	}
	return nil
}

// roleProperty is the property of a relationship type that names the doer's role.
// Of several it is the first by name.
func (r *Reader) roleProperty(rel string) (first string, ok bool) {
	for name := range r.glossary.Properties {
		if label, prop := split(name); label == rel && (!ok || prop < first) {
			first, ok = prop, true
		}
	}
	return first, ok
}
