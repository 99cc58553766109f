package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
)

func (a *assembly) link(it *item) {
	l := it.links
	first := l.mentions[0]
	cand := a.choose(it)
	if cand == nil {
		a.fail("%q could be several things here", first.mention.Candidates[0].Mention)
		return
	}
	var slots []Slot
	for _, m := range l.mentions {
		s := a.r.slotOf(m, cand.Label, cand.Property)
		if s == nil {
			a.fail("%q could be several things here", m.mention.Candidates[0].Mention)
			return
		}
		slots = append(slots, *s)
	}
	g := a.r.glossary
	if l.prep == Except { // besides those named
		switch {
		case g.Labels[cand.Label].Key == cand.Property && cand.Label == a.label:
			for _, s := range slots {
				a.f.Conds = append(a.f.Conds, Cond{Label: cand.Label, What: "is " + cand.Property, Neg: true, Slots: []Slot{s}, Prop: cand.Label + "." + cand.Property})
			}
			return
		case len(slots) > 1 || cand.Label == a.r.doers():
			a.fail("others than what?")
			return
		}
	}
	if g.Labels[cand.Label].Key != cand.Property { // a value of a property: countries, languages
		if len(slots) > 1 && !l.any && !a.both() {
			a.fail("%q and %q: both, or either?", slots[0].Mention, slots[1].Mention)
			return
		}
		op := "has"
		if g.Properties[cand.Label+"."+cand.Property].Parts != "" {
			op = "in"
		}
		a.add(Cond{Label: cand.Label, What: cand.Property, Op: op, Neg: it.neg, Any: l.any, Slots: slots, Prop: cand.Label + "." + cand.Property})
		return
	}
	if same := a.each(iSame); len(same) == 1 && len(slots) == 1 { // the same director as ⟨film⟩
		same[0].used = true
		t := same[0].term
		cond := Cond{Label: cand.Label, Slots: slots}
		switch t.Kind {
		case Agent:
			cond.What, cond.Rel = "same "+t.Rel, []string{t.Rel}
		case Noun:
			rel := a.relation(cand.Label, t.Label)
			if rel == "" {
				a.fail("the same what is unclear")
				return
			}
			cond.What, cond.Rel = "same "+rel, []string{rel}
		default:
			label, prop := t.Label, t.Prop
			if t.Kind != Prop {
				var e *Term
				if t.Kind == Event {
					e = &t
				}
				label, prop, _ = a.r.timeProp(e)
			}
			if label != cand.Label {
				a.fail("the same what is unclear")
				return
			}
			cond.What, cond.Prop = "same "+prop, label+"."+prop
		}
		a.add(cond)
		return
	}
	if a.f.Ask == "recommend" && cand.Label == a.label {
		a.add(Cond{Label: cand.Label, What: "like", Slots: slots})
		return
	}
	person := a.r.doers()
	if cand.Label == person && person != "" {
		a.person(it, slots)
		return
	}
	if cand.Label == a.label || cand.Label == a.deed() || a.hasProperty(cand.Label) {
		if len(slots) > 1 && !l.any && cand.Label == a.label {
			l.any = true // "Heat and Casino: which is longer" names both
			if !a.moreOf() && len(a.f.Target) == 0 {
				a.fail("several things asked for by name")
				return
			}
		}
		a.add(Cond{Label: cand.Label, What: "is " + cand.Property, Neg: it.neg, Any: l.any, Slots: slots, Prop: cand.Label + "." + cand.Property})
		if cand.Label != a.label && len(a.roles) == 0 && l.prep == In { // who was in ⟨film⟩
			if rel := a.marked(func(w RelWords) bool { return w.In }); rel != "" && len(a.each(iVerb)) == 0 {
				a.roles = []string{rel}
			}
		}
		return
	}
	if rel := a.relation(a.deedOr(cand.Label), cand.Label); rel != "" { // a genre
		if _, ok := a.r.roleProperty(rel); ok && (a.hasProperty(a.deed()) || strings.Contains(a.f.Ask, a.deed()+".")) {
			top := a.deed() + "." + a.r.glossary.Labels[a.deed()].Top
			if given := a.r.given(rel); given != nil && len(a.f.Target) == 1 && a.f.Target[0] == top && !a.says("imdb") && len(a.each(iVerb)) > 0 { // what did Ada give ⟨film⟩
				a.f.Target = nil
				a.property(given.Label, given.Prop)
			} else {
				a.fail("whose %s is asked for?", rel) // Ada's ratings are no film's rating
				return
			}
		}
		from := a.deedOr(cand.Label)
		if len(slots) > 1 && !l.any && l.prep != With && !a.both() && len(l.mentions) > 1 && !adjacent(l.mentions) {
			a.fail("%q and %q: both, or either?", slots[0].Mention, slots[1].Mention)
			return
		}
		a.add(Cond{Label: from, What: rel, Neg: it.neg, Any: l.any, Slots: slots, Rel: []string{rel}})
		return
	}
	a.fail("%q has no place here", first.mention.Candidates[0].Mention)
}

func adjacent(ms []segment) bool { return len(ms) == 2 && ms[0].to == ms[1].from }

func (a *assembly) both() bool {
	bs := a.each(iBoth)
	for _, b := range bs {
		b.used = true
	}
	return len(bs) > 0
}

func (a *assembly) hasProperty(label string) bool {
	return slices.ContainsFunc(a.f.Target, func(t string) bool { return strings.HasPrefix(strings.TrimPrefix(t, "decade of "), label+".") })
}

// moreOf reports whether named things are compared: the one with more.
func (a *assembly) moreOf() bool { return len(a.each(iOrder)) > 0 }

// deedOr is the label whose nodes have the relationship to label.
func (a *assembly) deedOr(label string) string {
	if d := a.deed(); d != "" && a.relation(d, label) != "" {
		return d
	}
	return a.label
}

// relation is the one relationship type between two labels, in either direction.
func (a *assembly) relation(x, y string) string {
	found := ""
	for rel, w := range a.r.glossary.Relationships {
		if w.From == x && w.To == y || w.From == y && w.To == x {
			if found != "" {
				return ""
			}
			found = rel
		}
	}
	return found
}

func (a *assembly) marked(want func(RelWords) bool) string {
	found := ""
	for rel, w := range a.r.glossary.Relationships {
		if want(w) {
			if found != "" {
				return ""
			}
			found = rel
		}
	}
	return found
}

// choose picks what kind of value a mention names here.
func (a *assembly) choose(it *item) *link.Candidate {
	type kind struct{ label, prop string }
	var kinds []kind
	byKind := make(map[kind]link.Candidate)
	for _, c := range it.links.mentions[0].mention.Candidates {
		k := kind{c.Label, c.Property}
		if _, ok := byKind[k]; !ok {
			kinds = append(kinds, k)
		}
		byKind[k] = c
	}
	if len(kinds) == 1 {
		c := byKind[kinds[0]]
		return &c
	}
	ofFilms := slices.ContainsFunc(a.items, func(n item) bool {
		return n.pos < it.pos && ((n.kind == iNoun || n.kind == iCond && n.term.Kind == Noun) && n.term.Label == a.deed() ||
			n.kind == iOrder && n.order.count != nil && n.order.count.Label == a.deed())
	})
	score := func(k kind) int {
		n := 0
		p := it.links.prep
		list := strings.HasPrefix(a.r.types[k.label+"."+k.prop], "LIST")
		isKey := a.r.glossary.Labels[k.label].Key == k.prop
		language := strings.Contains(strings.ToLower(k.prop), "language")
		country := strings.Contains(strings.ToLower(k.prop), "countr")
		place := !isKey && !list
		next := segment{}
		if end := it.pos + len(it.links.mentions); end < len(a.segs) {
			next = a.segs[end]
		}
		switch {
		case it.links.mentions[0].mention.Quoted && isKey:
			n += 8
		case isKey:
			n += 2
		}
		if t, ok := next.term(Prop); ok && t.Prop == k.prop { // French-language
			n += 6
		}
		deedNext := false
		if t, ok := next.term(Noun); ok && t.Label == a.deed() {
			deedNext = true
		}
		if deedNext && country {
			n += 4
		}
		if p == In && language && !deedNext {
			n += 4
		}
		if country && !(p == In) {
			n++
		}
		if country && p == From && a.label != a.r.doers() {
			n += 3
		}
		if country && ofFilms {
			n += 3
		}
		if place && a.label == a.r.doers() && k.label == a.r.doers() && !ofFilms {
			if _, ok := next.term(Agent); ok || p == From || next.has(AskWho) {
				n += 5
			}
			if t, ok := next.term(Noun); ok && t.Label == a.r.doers() {
				n += 5
			}
		}
		return n
	}
	best, ties := kinds[0], 0
	for _, k := range kinds[1:] {
		switch s, b := score(k), score(best); {
		case s > b:
			best, ties = k, 0
		case s == b:
			ties++
		}
	}
	if ties > 0 {
		return nil
	}
	c := byKind[best]
	return &c
}
