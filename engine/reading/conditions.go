package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
)

// add adds a condition; links joined by "and" are one condition each.
func (a *assembly) add(c Cond) {
	if len(c.Slots) > 1 && !c.Any && (len(c.Rel) > 0 || c.Op == "has" || strings.HasPrefix(c.What, "is ")) {
		for _, s := range c.Slots {
			one := c
			one.Slots = []Slot{s}
			a.f.Conds = append(a.f.Conds, one)
		}
		return
	}
	if len(c.Slots) == 1 {
		c.Any = false
	}
	a.f.Conds = append(a.f.Conds, c)
}

// character reports whether a verb that says "played" of roles as of films (演)
// stands with a name that is both's, and nothing says that a film is meant.
func (a *assembly) character(v *item) bool {
	if _, ok := a.r.roleProperty(v.term.Rel); !ok || a.tokens[a.segs[v.pos].from].Text != "演" {
		return false
	}
	return slices.ContainsFunc(a.segs, func(s segment) bool {
		return s.mention != nil && a.tokens[s.from].Quote == 0 && slices.ContainsFunc(s.mention.Candidates, func(c link.Candidate) bool {
			name, _ := c.Link.Value.(string)
			return a.r.characters[name]
		})
	})
}

// verbs makes what no link claimed the part of those asked for.
func (a *assembly) verbs() {
	for _, v := range a.each(iVerb) {
		w := a.r.glossary.Relationships[v.term.Rel]
		if who := a.asked(AskWho); who != nil && v.term.Name != "stranded" && who.pos == 0 && a.language == "en" && v.pos == len(a.segs)-1 && v.pos > 0 && a.segs[v.pos-1].mention != nil && a.label == w.From && !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return strings.HasSuffix(c.What, " by") }) { // whom did ⟨film⟩ direct
			a.fail("what a film did?")
			return
		}
		if v.term.Name == "portray" && v.pos+1 < len(a.segs) && a.segs[v.pos+1].mention != nil { // who played Forrest Gump: a role, not a film
			a.fail("a role or a film?")
			return
		}
		if a.label == w.From && a.character(v) {
			a.fail("a role or a film?")
			return
		}
		switch {
		case a.label == w.From && !v.term.Work && !v.neg:
			if !slices.Contains(a.roles, v.term.Rel) {
				a.roles = append(a.roles, v.term.Rel)
			}
			v.used = true
		case a.label == w.From && v.neg:
			a.add(Cond{Label: w.From, What: v.term.Rel, Neg: true, Rel: []string{v.term.Rel}})
			v.used = true
		case v.term.Work && a.hasProperty(w.To) && !v.neg: // which year was it made
			v.used = true
		case a.label == w.From && v.term.Work && len(a.roles) == 0 && !v.neg: // who made
			v.used = true
			a.roles = []string{v.term.Rel}
			if slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Label == a.label && strings.HasPrefix(c.What, "is ") }) { // X or Y made more
				if a.roles = a.namedRoles(); len(a.roles) == 0 {
					a.fail("who did what is unclear")
					return
				}
			}
		case a.label == w.To && v.term.Work && len(a.each(iGroup)) > 0: // has each director made
			v.used = true
		case a.label == w.To && v.term.Work && slices.ContainsFunc(a.items, func(it item) bool {
			return it.kind == iCond && it.cond.Label == a.label || it.kind == iLink && it.pos == v.pos-1
		}): // 1994年拍的
			v.used = true
		case a.label == w.From && v.term.Work && len(a.roles) > 0: // directors who made
			v.used = true
		case a.label == w.To && !v.neg && slices.ContainsFunc(a.f.Conds, func(c Cond) bool {
			return slices.Contains(c.Rel, v.term.Rel) && (strings.HasSuffix(c.What, " by") || a.r.given(v.term.Rel) != nil && c.What == v.term.Rel)
		}):
			v.used = true
		}
	}
	for _, ag := range a.each(iAgent) {
		w := a.r.glossary.Relationships[ag.term.Rel]
		switch {
		case a.label == w.From && len(a.roles) > 1 && !a.any && a.language == "en": // who acted in films directed by French directors
			a.fail("who did what is unclear")
			return
		case a.label == w.From && (slices.Contains(a.roles, ag.term.Rel) || len(a.roles) == 0):
			ag.used = true
			a.roles = []string{ag.term.Rel}
		case a.label == w.From && len(a.roles) == 1 && a.andBetween(ag) && len(a.each(iBoth)) == 0: // director and cast of ⟨film⟩
			ag.used = true
			a.also = append(a.also, ag.term.Rel)
		case a.label == w.From && len(a.each(iBoth)) > 0:
			ag.used = true
			a.roles = append(a.roles, ag.term.Rel)
		case a.label == ag.term.Rel: // the cast with their roles
			ag.used = true
			a.roles = []string{ag.term.Rel}
		case a.label == w.To && len(a.joined) == 0:
			ag.used = true
			a.joined = append(a.joined, ag.term.Rel)
		}
	}
	if len(a.roles) > 1 {
		for _, it := range a.each(iBoth) {
			it.used = true
		}
		for _, it := range a.each(iSame) {
			if it.term.Kind == Noun && it.term.Label == a.deed() {
				it.used = true
				a.add(Cond{Label: a.r.doers(), What: "same " + a.deed()})
			}
		}
		a.roles = slices.Compact(slices.Sorted(slices.Values(a.roles)))
	}
	deed, person := a.deed(), a.r.doers()
	// whom did X direct: the asked are in what X did
	if a.label == person && person != "" && len(a.roles) == 0 && len(a.f.Target) == 0 {
		about := slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Label == deed }) || slices.ContainsFunc(a.each(iCond), func(it *item) bool { return it.cond.Label == deed })
		if about {
			for _, c := range a.f.Conds {
				if len(c.Rel) == 1 && strings.HasSuffix(c.What, " by") && !c.Neg {
					if o := a.other(c.Rel[0]); o != "" {
						a.roles = []string{o}
					}
				}
			}
			if len(a.roles) == 0 {
				a.fail("what the people asked for did is unclear")
			}
		}
	}
}

// conditions takes over the conditions that were whole as chunks.
func (a *assembly) conditions() {
	a.eventYears()
	for _, it := range a.each(iCond) {
		it.used = true
		c := *it.cond
		if strings.HasPrefix(c.What, "count ") {
			if !a.counted(&c, it.term) {
				a.fail("the number of what is unclear")
				return
			}
		}
		a.add(c)
	}
	for _, it := range a.each(iEvent) { // people who have died
		if e := a.r.glossary.Events[it.term.Name]; e.State {
			if label, prop := split(e.Date); label == a.label {
				it.used = true
				a.add(Cond{Label: label, What: "has " + prop, Neg: it.neg, Prop: e.Date})
			}
		}
	}
	for _, ag := range a.joined {
		person := a.r.glossary.Relationships[ag].From
		if len(a.f.Target) > 0 && !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Label == person }) { // director and year of ⟨film⟩
			a.f.Target = append(a.f.Target, person+" via "+ag)
			continue
		}
		if !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Label == person }) {
			a.fail("an agent without a condition")
			return
		}
		a.f.Conds = append(a.f.Conds, Cond{Label: person, What: "via " + ag, Rel: []string{ag}})
	}
	if a.label == a.r.doers() && slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Neg && strings.HasSuffix(c.What, " by") }) {
		a.fail("others than the one named, or films without them?")
		return
	}
	for _, c := range a.f.Conds { // never acted in a film after 2010: what does the never reach?
		if c.Neg && c.Label == a.label && c.Label != a.deed() && len(c.Rel) > 0 && slices.ContainsFunc(a.f.Conds, func(o Cond) bool { return o.Label == a.deed() }) {
			a.fail("how far does the negation reach?")
			return
		}
	}
	if a.label == a.r.doers() { // two films by two directors, or one film by both?
		seen := make(map[string]bool)
		for _, c := range a.f.Conds {
			if c.Label == a.deed() && !strings.HasPrefix(c.What, "is ") {
				if seen[c.key()] {
					a.fail("one film or several?")
					return
				}
				seen[c.key()] = true
			}
		}
	}
	for _, c := range a.f.Conds {
		if c.Label == a.label || c.Label == a.deed() && a.isDeedKin(a.label) || slices.ContainsFunc(a.joined, func(r string) bool { return a.r.glossary.Relationships[r].From == c.Label }) {
			continue
		}
		if in := a.marked(func(w RelWords) bool { return w.In }); c.Label == a.r.doers() && a.hasProperty(in) {
			continue
		}
		if w := a.r.glossary.Relationships[c.Label]; w.To != "" && (a.label == w.From || a.label == w.To) && a.follows(c.Label) { // rated above 4
			continue
		}
		a.fail("a condition on a %s when a %s is asked for", c.Label, a.label)
		return
	}
}

// follows reports whether the frame speaks of the relationship type.
func (a *assembly) follows(rel string) bool {
	return slices.Contains(a.roles, rel) || slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return slices.Contains(c.Rel, rel) })
}

// eventYears moves a year that stands apart from its event to it: how many
// actors died in 2016, 2016年有多少演员去世.
func (a *assembly) eventYears() {
	l, p, ok := a.r.timeProp(nil)
	if !ok || a.label == l || a.label == "" {
		return
	}
	film := slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iNoun && it.term.Label == l })
	for _, it := range a.each(iCond) {
		if it.cond.Label != l || it.cond.What != p {
			continue
		}
		date := ""
		for _, e := range a.each(iEvent) {
			if label, _ := split(a.r.glossary.Events[e.term.Name].Date); label == a.label {
				date = a.r.glossary.Events[e.term.Name].Date
				e.used = true
			}
		}
		if date == "" && !film {
			for _, c := range a.each(iCond) { // in 1960, born in London
				for _, name := range a.r.events {
					e := a.r.glossary.Events[name]
					if e.Place != "" && c.cond.Prop == e.Place {
						date = e.Date
					}
				}
			}
		}
		if date == "" {
			continue
		}
		label, prop := split(date)
		it.cond.Label, it.cond.What, it.cond.Prop = label, prop, date
		for i := range it.cond.Slots {
			if s := &it.cond.Slots[i]; s.Label != "" {
				s.Label, s.Property = label, prop
			}
		}
	}
}

// isDeedKin reports whether nodes of label are tied to those of the deed label.
func (a *assembly) isDeedKin(label string) bool {
	if label == a.r.doers() && len(a.roles) == 0 && a.f.Ask != "path" {
		return false
	}
	if _, ok := a.r.glossary.Relationships[label]; ok {
		return true
	}
	return label == a.r.doers() || a.relation(a.deed(), label) != ""
}

// counted finds what relationship a counted label or agent has to the asked.
func (a *assembly) counted(c *Cond, t Term) bool {
	if t.Kind == Prop {
		return t.Label == a.label || a.hasProperty(t.Label)
	}
	c.Label = a.label
	if t.Kind == Agent {
		return a.r.glossary.Relationships[t.Rel].To == a.label
	}
	if t.Label == a.deed() && a.label == a.r.doers() {
		if len(a.roles) != 1 {
			return false
		}
		c.Rel = a.roles
		c.Prop = ""
		return true
	}
	rel := a.relation(a.label, t.Label)
	c.Rel, c.Prop = []string{rel}, ""
	return rel != ""
}
