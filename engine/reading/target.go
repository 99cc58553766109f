package reading

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// target finds what is asked for.
func (a *assembly) target() {
	who := a.asked(AskWho)
	props := a.each(iProp)
	for _, it := range a.items {
		if it.kind == iAsk && it.term.Kind == AskProp {
			a.property(it.term.Label, it.term.Prop)
		}
	}
	a.roleAsked(who)
	when, where := a.asked(AskWhen), a.asked(AskWhere)
	if when != nil || where != nil {
		a.event(when, where)
		if a.why != "" {
			return
		}
	}
	grouped := len(a.each(iGroup)) > 0
	switch {
	case a.asked(AskList) != nil && a.asked(AskList).term.Name == "money" && len(props) == 0 && a.label == "":
		label := a.deed()
		if earns := a.r.glossary.Labels[label].Earns; earns != "" {
			for _, v := range a.each(iVerb) {
				if v.term.Work {
					v.used = true
					a.property(label, earns)
				}
			}
		}
		if a.label == "" {
			a.fail("how much of what?")
		}
	case a.label != "": // of an aggregate, or set above
	case who != nil:
		if a.label = a.rater(); a.label == "" {
			a.label = a.r.doers()
		}
		if a.label == "" {
			a.fail("no label for who")
		}
	case len(a.f.Target) > 0:
	case len(props) > 0 && a.f.Ask == "list" && !grouped:
		for _, it := range props {
			if a.label != "" && a.label != it.term.Label && a.r.glossary.Relationships[it.term.Label].To == "" {
				a.fail("properties of different things")
				return
			}
			it.used = true
			a.property(it.term.Label, it.term.Prop)
			if it.term.Name == "decade" {
				a.f.Target[len(a.f.Target)-1] = "decade of " + it.term.Label + "." + it.term.Prop
			}
		}
	case len(props) == 1 && a.f.Ask == "count" && a.nodeNoun() == nil: // how many countries
		if !strings.HasPrefix(a.r.types[props[0].term.Label+"."+props[0].term.Prop], "LIST") {
			a.fail("how many of a %s", props[0].term.Prop)
			return
		}
		props[0].used = true
		a.property(props[0].term.Label, props[0].term.Prop)
	default:
		if it := a.nodeNoun(); it != nil {
			it.used = true
			a.label = it.term.Label
			if it.kind == iAgent {
				a.roles = []string{it.term.Rel}
			}
		}
	}
	if a.label == "" {
		a.label = a.hub()
	}
	if a.label == "" {
		a.fail("nothing is asked for")
	}
}

// rater is who gives things what users give, if "who" asks for one: who gave
// ⟨film⟩ 5 stars, 打分最多的用户是谁.
func (a *assembly) rater() string {
	for _, it := range a.items {
		switch {
		case it.kind == iVerb && !it.neg && a.r.given(it.term.Rel) != nil:
			return it.term.Label
		case it.kind == iNoun && a.language == "zh":
			for _, rel := range a.r.rels {
				w := a.r.glossary.Relationships[rel]
				if a.r.given(rel) != nil && w.From == it.term.Label {
					return w.From
				}
			}
		}
	}
	return ""
}

func (a *assembly) property(label, prop string) {
	a.label = label
	if name := label + "." + prop; !slices.Contains(a.f.Target, name) {
		a.f.Target = append(a.f.Target, name)
	}
}

// roleAsked reads "who did X play in ⟨film⟩" and "what did X play in ⟨film⟩":
// the role is asked for.
func (a *assembly) roleAsked(who *item) {
	rel := a.marked(func(w RelWords) bool { return w.In })
	if rel == "" || who == nil && a.asked(AskList) == nil || a.f.Ask != "list" || len(a.each(iProp)) > 0 {
		return
	}
	person, verb, film := -1, -1, -1
	for _, it := range a.items {
		switch {
		case it.kind == iNoun || it.kind == iAgent:
			return
		case it.kind == iVerb && it.term.Rel == rel:
			verb = it.pos
		case it.kind == iLink && a.r.slotOf(it.links.mentions[0], a.r.doers(), "") != nil:
			person = it.pos
		case it.kind == iLink && it.links.prep == Except:
			return
		case it.kind == iLink && a.isTitle(&it):
			film = it.pos
		}
	}
	if person < 0 || film < 0 || verb < person || who != nil && who.pos > person {
		return
	}
	if prop, ok := a.r.roleProperty(rel); ok {
		a.property(rel, prop)
		if who != nil {
			who.used = true
		}
	}
}

// event is what "when" or "where" asks: when released, where born.
func (a *assembly) event(when, where *item) {
	events := a.each(iEvent)
	if where != nil && where.term.Name != "" && len(events) == 0 { // 哪里人
		a.property(split(a.r.glossary.Events[where.term.Name].Place))
		return
	}
	if where != nil && when == nil && len(events) == 0 && a.language == "en" && len(a.segs) > 0 && a.segs[len(a.segs)-1].has(From) { // where is X from
		for _, name := range a.r.events {
			e := a.r.glossary.Events[name]
			if label, prop := split(e.Place); prop != "" {
				for _, it := range a.each(iLink) {
					if a.r.slotOf(it.links.mentions[0], label, "") != nil {
						a.property(label, prop)
						return
					}
				}
			}
		}
	}
	if len(events) == 1 && when != nil && where != nil { // where and when was X born
		if e := a.r.glossary.Events[events[0].term.Name]; e.Date != "" && e.Place != "" {
			events[0].used = true
			a.property(split(e.Date))
			a.property(split(e.Place))
			return
		}
		a.fail("when and where of what is unclear")
		return
	}
	if len(events) == 2 && where == nil { // when was X born and when did she die
		for _, it := range events {
			it.used = true
			if e := a.r.glossary.Events[it.term.Name]; e.Date != "" {
				a.property(split(e.Date))
			}
		}
		return
	}
	if len(events) != 1 {
		if where != nil && when == nil && len(events) == 0 && len(a.each(iProp)) > 0 { // 出生地在哪里
			return
		}
		if when != nil && len(a.each(iProp)) == 1 && a.r.isTimeProp(a.each(iProp)[0].term) { // 上映日期是哪天
			return
		}
		if when != nil && len(events) == 0 { // what year is The Matrix; 《X》是哪年的
			if l, p, ok := a.r.timeProp(nil); ok && when.term.Name == "year" {
				a.property(l, p)
				return
			}
		}
		a.fail("when or where of what is unclear")
		return
	}
	e := a.r.glossary.Events[events[0].term.Name]
	name := e.Date
	switch {
	case where != nil:
		name = e.Place
	case when.term.Name == "year" && e.Year != "":
		name = e.Year
	}
	if name == "" {
		a.fail("the graph has no place or date of that")
		return
	}
	events[0].used = true
	a.property(split(name))
}

// nodeNoun is the noun or agent that the question asks for: the one the
// question word points at, else in Chinese the last, in English the first.
func (a *assembly) nodeNoun() *item {
	var all []*item
	for i := range a.items {
		it := &a.items[i]
		if (it.kind == iNoun || it.kind == iAgent) && !it.used && !a.isDoerMark(it) {
			all = append(all, it)
		}
	}
	if len(all) == 0 {
		return nil
	}
	zh := a.language == "zh"
	ask := -1
	for _, it := range a.items {
		if it.kind == iAsk && slices.Contains([]Kind{AskCount, AskList, AskExists, AskRecommend}, it.term.Kind) {
			ask = it.pos
		}
	}
	if zh {
		if ask >= 0 {
			for _, it := range all {
				if it.pos == ask+1 {
					return it
				}
			}
			last := (*item)(nil)
			for _, it := range all {
				if it.pos < ask {
					last = it
				}
			}
			if last == nil || a.f.Ask == "recommend" || a.segs[ask].has(Per) || ask == 0 {
				last = all[len(all)-1]
			}
			if a.f.Ask == "count" && last != nil && all[len(all)-1].pos > ask { // 每个类型有多少部电影
				last = all[len(all)-1]
			}
			return last
		}
		return all[len(all)-1]
	}
	return all[0]
}

// isDoerMark reports whether an agent only says what the links beside it do:
// "director Christopher Nolan", 导演是诺兰.
func (a *assembly) isDoerMark(it *item) bool {
	if it.kind != iAgent {
		return false
	}
	for _, l := range a.each(iLink) {
		if a.beside(it, l) && a.r.doer(l.links, Term{Rel: it.term.Rel}) != nil && !a.isTitle(l) && l.links.prep != Of {
			return true
		}
	}
	return false
}

// beside reports whether an agent stands right before a link, or "is" between
// them: "director Christopher Nolan", 导演是诺兰.
func (a *assembly) beside(agent, l *item) bool {
	if l.pos <= agent.pos || agent.term.Plural {
		return false
	}
	from, to := a.segs[agent.pos].end, a.segs[l.pos].start
	switch text.Fold(strings.TrimSpace(a.question[from:to])) {
	case "", "是", "is", "was", "=", ":", "：", "为":
		return true
	}
	return false
}

func (a *assembly) isTitle(l *item) bool {
	return a.r.slotOf(l.links.mentions[0], a.deed(), "") != nil
}

// hub is the label that the conditions speak of, or the only one with a year.
func (a *assembly) hub() string {
	for _, it := range a.each(iCond) {
		if it.cond != nil && it.cond.Label != "" {
			return it.cond.Label
		}
	}
	l, _, _ := a.r.timeProp(nil)
	return l
}

// together reads "X and Y together" and "who worked with X".
func (a *assembly) together() {
	ts := a.each(iTogether)
	if len(ts) == 0 {
		return
	}
	acting := ""
	if ts[0].term.Name == "act" {
		acting = a.marked(func(w RelWords) bool { return w.In })
	}
	for _, it := range ts {
		it.used = true
	}
	for _, it := range a.each(iBoth) {
		it.used = true
	}
	n := 0
	for _, it := range a.each(iLink) {
		if it.links.prep == Except {
			continue
		}
		person := a.r.doers()
		for _, m := range it.links.mentions {
			s := a.r.slotOf(m, person, "")
			if s == nil {
				continue
			}
			if it.neg || it.links.any { // worked with X but not with Y
				a.fail("who worked with whom is unclear")
				return
			}
			n++
			it.used = true
			to := a.deed()
			rels := a.r.roles(s.Labels, person, to)
			if acting != "" {
				rels = []string{acting}
			}
			a.f.Conds = append(a.f.Conds, Cond{Label: to, What: strings.Join(rels, "/") + " by", Slots: []Slot{*s}, Rel: rels})
		}
	}
	switch {
	case n == 0:
		a.fail("who worked together is unclear")
	case n == 1 && (a.label == a.r.doers() || a.nodeNoun() == nil && a.f.Ask != "exists"):
		a.label = a.r.doers()
		if len(a.roles) == 0 && acting != "" {
			a.roles = []string{acting}
		}
		if len(a.roles) == 0 {
			a.roles, a.any = a.r.roles(nil, a.r.doers(), a.deed()), true
		}
	case n >= 2 && a.label != a.r.doers():
	case n >= 2 && a.f.Ask == "list" && len(a.f.Conds) == n: // who worked with both
		for i := range a.f.Conds {
			c := &a.f.Conds[i]
			c.Label, c.What = a.label, "with one who "+strings.Join(c.Rel, "/")
		}
		if len(a.roles) == 0 && acting != "" {
			a.roles = []string{acting}
		}
		if len(a.roles) == 0 {
			for _, ag := range a.each(iAgent) {
				ag.used, a.roles = true, []string{ag.term.Rel}
			}
		}
		if len(a.roles) == 0 {
			a.roles, a.any = a.r.roles(nil, a.r.doers(), a.deed()), true
		}
	default:
		a.fail("who worked with whom is unclear")
	}
}

// deed is the label that doers do things to.
func (a *assembly) deed() string { return a.r.deed() }
