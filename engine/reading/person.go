package reading

import (
	"slices"
	"strings"
)

// person gives linked people their part: what a preposition, an agent, a verb
// or a noun beside them says they did.
func (a *assembly) person(it *item, slots []Slot) {
	label, deed := slots[0].Label, a.deed()
	join := "/" // alternatives
	by := func(rels ...string) {
		slices.Sort(rels)
		a.add(Cond{Label: deed, What: strings.Join(rels, join) + " by", Neg: it.neg, Any: it.links.any, Slots: slots, Rel: rels})
	}
	work := func() {
		if own := a.r.roles(slots[0].Labels, label, deed); len(own) > 1 && a.label == label { // who directed X's films: those X directed too?
			a.fail("what %q did is unclear", slots[0].Mention)
			return
		}
		var rels []string
		for i, s := range slots {
			r := a.r.roles(s.Labels, label, deed)
			if i > 0 && !slices.Equal(r, rels) {
				a.fail("what the people did is unclear")
				return
			}
			rels = r
		}
		by(rels...)
	}
	possessed := false // X movies, X的电影
	for _, n := range a.items {
		if end := it.pos + len(it.links.mentions); n.kind == iNoun && n.term.Label == deed && (n.pos == end || n.pos == end+1 && a.segs[end].has(Of)) {
			possessed = true
		}
	}
	if in := a.marked(func(w RelWords) bool { return w.In }); in != "" && a.hasProperty(in) && !possessed { // what role did X play
		for _, v := range a.each(iVerb) {
			v.used = v.used || v.term.Rel == in
		}
		by(in)
		return
	}
	for i := range a.items { // X自导自演的
		c := &a.items[i]
		if c.kind != iCond || c.used || len(a.r.glossary.Conditions[c.cond.What].Relations) < 2 || a.label != deed || it.neg {
			continue
		}
		c.used = true
		join = "+"
		by(slices.Clone(a.r.glossary.Conditions[c.cond.What].Relations)...)
		return
	}
	if len(slots) > 1 && !it.links.any && it.links.prep == By && !a.both() && len(a.each(iTogether)) == 0 {
		a.fail("films by both, or by either?")
		return
	}
	// asked about themselves: when was X born
	if a.hasProperty(label) && len(a.each(iVerb)) == 0 {
		if len(slots) > 1 {
			it.links.any = true
		}
		a.add(Cond{Label: label, What: "is " + slots[0].Property, Any: it.links.any, Slots: slots, Prop: label + "." + slots[0].Property})
		return
	}
	// is X alive, was X born in 1956
	if a.label == label && a.f.Ask == "exists" && len(a.each(iVerb)) == 0 && len(slots) == 1 {
		a.add(Cond{Label: label, What: "is " + slots[0].Property, Neg: it.neg, Slots: slots, Prop: label + "." + slots[0].Property})
		return
	}
	// X or Y: who directed more
	if a.label == label && len(slots) > 1 && a.moreOf() {
		it.links.any = true
		a.add(Cond{Label: label, What: "is " + slots[0].Property, Any: true, Slots: slots, Prop: label + "." + slots[0].Property})
		return
	}
	switch it.links.prep {
	case By:
		if rel := a.marked(func(w RelWords) bool { return w.By }); rel != "" {
			if !a.can(slots, rel) {
				a.fail("what %q did is unclear", slots[0].Mention)
				return
			}
			by(rel)
			return
		}
	case With:
		if rel := a.marked(func(w RelWords) bool { return w.With }); rel != "" && !a.can(slots, rel) {
			a.fail("what %q did is unclear", slots[0].Mention)
			return
		} else if rel != "" {
			by(rel)
			return
		}
	}
	for _, ag := range a.each(iAgent) { // director X, 导演是X
		if a.beside(ag, it) {
			ag.used = true
			by(ag.term.Rel)
			return
		}
	}
	// the verb that follows: X directed, did X direct
	var verb *item
	for _, v := range a.each(iVerb) {
		if v.pos > it.pos && (verb == nil || v.pos < verb.pos) && a.r.given(v.term.Rel) == nil {
			verb = v
		}
	}
	if asks := a.asked(AskExists); asks != nil && a.language == "zh" && verb == nil && asks.pos == it.pos+1 && a.label == deed && a.nounAfter(it.pos) { // 诺兰有没有评分低于7分的电影
		possessed = true
	}
	if verb != nil && verb.term.Name == "portray" && (a.label == label || !a.nounAfter(-1) && verb.pos == len(a.segs)-1) { // who did X play
		a.fail("a role, or films?")
		return
	}
	switch {
	case possessed && (verb == nil || a.label != deed || a.personBetween(it, verb)):
		work()
	case verb != nil && !verb.term.Work && a.personBetween(it, verb): // X的Y导演的电影
		end := a.segs[it.pos+len(it.links.mentions)-1].end
		if rest := strings.TrimSpace(a.question[end:]); a.label != deed || !strings.HasPrefix(rest, "的") && !strings.HasPrefix(rest, "'s") {
			a.fail("what %q did is unclear", slots[0].Mention)
			return
		}
		work()
	case verb != nil && verb.term.Name == "stranded":
		a.fail("by whom?")
	case verb != nil && !verb.term.Work:
		verb.used = true
		rels := []string{verb.term.Rel}
		for _, v := range a.each(iVerb) { // direct and star in
			if v.pos > verb.pos && v.pos <= verb.pos+2 && !v.neg && !v.term.Work && a.r.given(v.term.Rel) == nil && v.term.Rel != verb.term.Rel && !it.neg && !verb.neg && !a.linkBetween(verb.pos, v.pos) {
				if a.language == "zh" && v.pos == verb.pos+2 && a.tokens[a.segs[v.pos-1].from-1].Text == "的" { // X演的和导的
					a.fail("what was done both ways, or either?")
					return
				}
				v.used = true
				rels, join = append(rels, v.term.Rel), "+"
			}
		}
		it.neg = it.neg || verb.neg
		by(rels...)
		for _, v := range a.each(iVerb) { // acted in but didn't direct
			if v.neg && !v.term.Work && v.pos > verb.pos && !verb.neg && !a.linkBetween(verb.pos, v.pos) {
				v.used = true
				a.add(Cond{Label: deed, What: v.term.Rel + " by", Neg: true, Slots: slots, Rel: []string{v.term.Rel}})
			}
		}
	case verb != nil && verb.term.Work:
		verb.used = true
		if it.neg = verb.neg; it.neg {
			a.fail("a negation of something unclear")
			return
		}
		work()
	case verb == nil && a.inTitle(): // is X in ⟨film⟩
		if rel := a.marked(func(w RelWords) bool { return w.In }); rel != "" {
			by(rel)
			return
		}
		a.fail("what %q did is unclear", slots[0].Mention)
	default:
		// who directed Tom Hanks: a verb before the person
		for _, v := range a.each(iVerb) {
			if v.pos < it.pos && a.label == label && (len(a.roles) == 0 || slices.Equal(a.roles, []string{v.term.Rel})) && !v.term.Work && !v.neg {
				if other := a.other(v.term.Rel); other != "" && a.can(slots, other) {
					if own := a.r.roles(slots[0].Labels, label, deed); len(own) > 1 && a.nounAfter(it.pos) { // who acted in X's comedies: X's as what?
						break
					}
					v.used = true
					a.roles = []string{v.term.Rel}
					by(other)
					return
				}
			}
		}
		if own := a.r.roles(slots[0].Labels, label, deed); a.label == label && len(own) == 1 && a.nounAfter(it.pos) { // who acted in X's 1990s films
			work()
			return
		}
		if a.label == deed && len(a.each(iVerb)) == 0 && a.f.Ask != "exists" && (len(a.f.Target) == 0 || a.nounAfter(-1)) {
			work()
			return
		}
		a.fail("what %q did is unclear", slots[0].Mention)
	}
}

// personBetween reports whether another person stands between it and the verb,
// who is then the verb's doer.
func (a *assembly) personBetween(it, verb *item) bool {
	for i := range a.items {
		l := &a.items[i]
		if l.kind == iLink && l != it && l.pos > it.pos && l.pos < verb.pos && a.r.slotOf(l.links.mentions[0], a.r.doers(), "") != nil {
			return true
		}
	}
	return false
}

// can reports whether all the people can have done what rel says, as far as
// the labels that hold their names tell.
func (a *assembly) can(slots []Slot, rel string) bool {
	w := a.r.glossary.Relationships[rel]
	for _, s := range slots {
		if !slices.Contains(a.r.roles(s.Labels, w.From, w.To), rel) {
			return false
		}
	}
	return true
}

// nounAfter reports whether a noun for what is done follows the place pos.
func (a *assembly) nounAfter(pos int) bool {
	return slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iNoun && it.pos > pos && it.term.Label == a.deed() })
}

// inTitle reports whether the question says "in ⟨film⟩".
func (a *assembly) inTitle() bool {
	for i := range a.items {
		if l := &a.items[i]; l.kind == iLink && l.links.prep == In && a.isTitle(l) {
			return true
		}
	}
	return false
}

// linkBetween reports whether something named stands between two places.
func (a *assembly) linkBetween(from, to int) bool {
	return slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iLink && it.pos > from && it.pos < to })
}

// other is the other relationship that doers can have.
func (a *assembly) other(rel string) string {
	found := ""
	for r := range a.r.deeds.rels {
		if r != rel {
			if found != "" {
				return ""
			}
			found = r
		}
	}
	return found
}
