package reading

import (
	"slices"
	"strings"
)

// order puts superlatives, sorting and limits in place.
func (a *assembly) order() {
	orders, limits := a.each(iOrder), a.each(iLimit)
	tops := a.each(iTop)
	for _, it := range tops {
		it.used = true
	}
	if len(orders) > 1 || len(limits) > 1 {
		a.fail("two orders or two limits")
		return
	}
	if len(limits) == 1 {
		limits[0].used = true
		a.f.N = limits[0].n
		a.f.Limit = LimitSlot
	}
	if len(orders) == 0 {
		if len(tops) > 0 && len(limits) == 1 && len(a.f.Target) == 1 && a.language == "en" { // top 5 box office
			switch a.r.types[a.f.Target[0]] {
			case "INTEGER", "FLOAT":
				a.f.Order, a.f.Desc, a.f.Target = a.f.Target[0], true, nil
				return
			}
		}
		if len(tops) > 0 || len(limits) > 0 {
			top := a.r.glossary.Labels[a.label].Top
			if a.f.Ask == "recommend" && len(limits) > 0 {
				return
			}
			if top == "" || len(a.f.Target) > 0 || len(tops) == 0 || len(a.each(iGroup)) > 0 {
				a.fail("how many, but in which order?")
				return
			}
			a.f.Order, a.f.Desc = a.label+"."+top, true
			if len(limits) == 0 {
				a.f.Limit = LimitSome
			}
		}
		return
	}
	o := orders[0].order
	orders[0].used = true
	a.f.Desc = o.desc
	prop := Term{}
	for i, p := range o.props {
		if i == 0 || p.Label == a.label {
			prop = p
		}
	}
	switch {
	case o.count != nil && o.count.Kind == Agent:
		if a.r.glossary.Relationships[o.count.Rel].To != a.label {
			a.fail("the number of what is unclear")
			return
		}
		a.f.Order = "count " + o.count.Rel
	case o.count != nil:
		t := *o.count
		if r := a.r.raters(Term{Label: a.deed(), Prop: a.r.glossary.Labels[a.deed()].Top}); r != nil && t.Label == r.Label && a.label == t.Label { // the user with the most ratings
			t.Label = a.deed()
		}
		if t.Label == a.label && !a.hasProperty(t.Label) || t.Label == a.deed() && a.label == a.r.doers() && len(a.roles) != 1 && !(len(a.roles) == 0) {
			a.fail("the number of what is unclear")
			return
		}
		if t.Label == a.deed() && a.label == a.r.doers() && len(a.roles) == 0 {
			a.roles = a.namedRoles()
		}
		if t.Label == a.deed() && a.label == a.r.doers() && len(a.roles) == 0 {
			a.fail("who did what most is unclear")
			return
		}
		if !(t.Label == a.deed() && a.label == a.r.doers()) && a.relation(a.label, t.Label) == "" && !a.hasProperty(t.Label) {
			a.fail("the number of what is unclear")
			return
		}
		a.f.Order = "count " + t.Label
	case prop.Prop == "":
		if len(a.each(iGroup)) == 0 {
			a.fail("in the order of what?")
			return
		}
		a.f.Order = "count"
		if strings.HasPrefix(a.f.Ask, "average") || strings.HasPrefix(a.f.Ask, "sum") {
			a.f.Order = "value"
		}
	case o.average, o.total:
		if prop.Label == a.label && !a.hasProperty(a.label) || a.label == a.r.doers() && len(a.roles) != 1 || a.label != a.r.doers() && a.label != prop.Label && a.relation(a.label, prop.Label) == "" && prop.Label != a.deed() {
			a.fail("the average or sum over what?")
			return
		}
		a.f.Order = "average " + prop.Label + "." + prop.Prop
		if o.total {
			a.f.Order = "sum " + prop.Label + "." + prop.Prop
		}
	default:
		if prop.Label != a.label && !(a.hasProperty(prop.Label)) {
			if _, own := a.r.roleProperty(a.relation(a.deed(), a.label)); own || prop.Label != a.deed() || a.label == a.r.doers() && (len(a.roles) != 1 || !a.ofOneFilm() || a.f.N != nil) || len(a.each(iGroup)) > 0 {
				a.fail("ordered by the %s of another thing", prop.Prop)
				return
			}
		}
		if strings.HasPrefix(a.r.types[prop.Label+"."+prop.Prop], "LIST") {
			a.fail("ordered by a list")
			return
		}
		a.f.Order = prop.Label + "." + prop.Prop
		if strings.HasSuffix(a.f.Ask, " "+a.f.Order) { // average runtime by genre, longest first
			a.f.Order = "value"
		}
	}
	for _, c := range a.f.Conds {
		if len(c.Rel) == 1 && a.f.Order == "count "+c.Rel[0] && strings.HasSuffix(c.What, " by") {
			a.fail("counted and named at once")
			return
		}
	}
	if o.more {
		if !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Any && strings.HasPrefix(c.What, "is ") }) {
			a.fail("more than what?")
			return
		}
		a.f.Limit = LimitOne
		return
	}
	if a.f.Ask == "count" && len(a.each(iGroup)) == 0 {
		a.fail("a count in an order")
		return
	}
	if o.sorted {
		return
	}
	if a.ofAnother() && a.f.Limit == NoLimit {
		if a.f.Limit = LimitOne; !a.ofOneFilm() && a.label == a.r.doers() {
			a.fail("ordered by the %s of another thing", prop.Prop)
		}
		return
	}
	if a.f.Limit == NoLimit {
		a.f.Limit = LimitOne
		if a.isPlural() {
			a.f.Limit = LimitSome
		}
	}
	if a.f.Ask == "count" && len(a.each(iGroup)) == 0 || a.f.Ask == "exists" || strings.HasPrefix(a.f.Ask, "average") && len(a.each(iGroup)) == 0 {
		a.fail("a count or average of the most or least")
	}
}

// ofAnother reports whether the order is by a property of what the asked hang
// on: the genres of the highest rated film.
func (a *assembly) ofAnother() bool {
	label, prop := split(a.f.Order)
	return prop != "" && label == a.deed() && a.label != label && len(a.each(iGroup)) == 0
}

// namedRoles is what the people compared by name all do, if it is one thing.
func (a *assembly) namedRoles() []string {
	var roles []string
	for _, c := range a.f.Conds {
		if c.Label != a.label || !strings.HasPrefix(c.What, "is ") {
			continue
		}
		for i, s := range c.Slots {
			r := a.r.roles(s.Labels, a.r.doers(), a.deed())
			if len(r) != 1 || i > 0 && !slices.Equal(r, roles) {
				return nil
			}
			roles = r
		}
	}
	return roles
}

// isPlural reports whether the question speaks of several things asked for.
func (a *assembly) isPlural() bool {
	for _, it := range a.items {
		switch {
		case it.kind == iAsk && it.term.Kind == AskList && it.term.Plural:
			return true
		case len(a.f.Target) == 0 && (it.kind == iNoun && it.term.Label == a.label || it.kind == iAgent && a.label == it.term.Label) && it.term.Plural:
			return true
		case it.kind == iProp && it.used && a.language == "en" && strings.HasSuffix(a.words(it), "s") && a.inTarget(it.term):
			return true
		case it.kind == iLink && len(it.links.mentions) > 0 && a.label == a.deed() && len(a.f.Target) == 0:
			c := it.links.mentions[0].mention.Candidates[0]
			if value, _ := c.Value.(string); strings.HasSuffix(c.Mention, "s") && !strings.HasSuffix(value, "s") { // comedies
				return true
			}
		}
	}
	for _, s := range a.segs {
		if s.has(Plural) && !s.has(AskCount) && a.language == "zh" {
			return true
		}
	}
	return false
}

// group is "per genre".
func (a *assembly) group() {
	gs := a.each(iGroup)
	if len(gs) == 0 {
		return
	}
	if a.f.Ask == "list" && len(gs) == 1 && len(a.f.Target) == 0 && a.f.Limit == NoLimit { // films per genre
		a.f.Ask = "count"
	}
	best := a.f.Ask == "list" && a.f.Limit == LimitOne && strings.HasPrefix(a.f.Order, a.label+".") // the best film per genre
	if len(gs) > 1 || a.f.Ask != "count" && !best && !strings.HasPrefix(a.f.Ask, "average") && !strings.HasPrefix(a.f.Ask, "sum") {
		a.fail("grouped what?")
		return
	}
	gs[0].used = true
	t := gs[0].term
	l, p, ok := a.r.timeProp(nil)
	switch t.Kind {
	case Noun:
		if a.relation(a.label, t.Label) == "" {
			a.fail("no relationship to group by")
			return
		}
		a.f.Group = t.Label
	case Agent:
		if a.r.glossary.Relationships[t.Rel].To != a.label {
			a.fail("no relationship to group by")
			return
		}
		a.f.Group = t.Label + " via " + t.Rel
	case Prop:
		if t.Label != a.label {
			a.fail("grouped by the property of another thing")
			return
		}
		a.f.Group = t.Label + "." + t.Prop
	case DecadeMark, YearMark:
		if !ok || l != a.label {
			a.fail("no year to group by")
			return
		}
		a.f.Group = l + "." + p
		if t.Kind == DecadeMark {
			a.f.Group = "decade of " + a.f.Group
		}
	}
}

// targetNames writes down what is asked for.
func (a *assembly) targetNames() {
	if len(a.f.Target) > 0 {
		if len(a.roles) > 0 && a.label != a.r.doers() {
			a.f.Target = append(a.f.Target, a.r.doers()+" via "+strings.Join(a.roles, "+"))
		} else if len(a.roles) > 0 {
			for i, t := range a.f.Target {
				a.f.Target[i] = t + " via " + strings.Join(a.roles, "+")
			}
		}
		return
	}
	if strings.HasPrefix(a.f.Ask, "average") || strings.HasPrefix(a.f.Ask, "sum") {
		if len(a.roles) > 0 {
			a.f.Target = []string{a.label + " via " + strings.Join(a.roles, "+")}
		}
		return
	}
	t := a.label
	if len(a.roles) > 0 {
		sep := "+"
		if a.any {
			sep = "/"
		}
		t += " via " + strings.Join(a.roles, sep)
	}
	a.f.Target = []string{t}
	for _, rel := range a.also {
		a.f.Target = append(a.f.Target, a.label+" via "+rel)
	}
}

// andBetween reports whether "and" alone stands between two agents.
func (a *assembly) andBetween(ag *item) bool {
	for _, it := range a.items {
		if it.kind == iAgent && it.used && ag.pos == it.pos+2 && a.segs[it.pos+1].has(And) {
			return slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return strings.HasPrefix(c.What, "is ") })
		}
	}
	return false
}
