package reading

import (
	"fmt"
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/store/text"
)

// assembly puts the items of a question together to a frame. Every item must
// find its place; the first that doesn't is why there is no frame.
type assembly struct {
	*chunker
	f      Frame
	label  string   // of what is asked for
	roles  []string // what the asked nodes do, where they are doers
	any    bool     // roles are alternatives, not all of them
	also   []string // what others asked for besides do
	joined []string // relationship types by which labels with conditions of their own are tied
	why    string
}

func (c *chunker) assemble() (*Frame, string) {
	a := &assembly{chunker: c}
	for _, step := range []func(){a.questionKind, a.path, a.target, a.together, a.links, a.verbs, a.conditions, a.order, a.group, a.targetNames, a.rest, a.scope} {
		if step(); a.why != "" {
			return nil, a.why
		}
		if a.f.Ask == "path" && len(a.f.Conds) > 0 {
			return &a.f, ""
		}
	}
	return &a.f, ""
}

func (a *assembly) fail(format string, args ...any) { a.why = fmt.Sprintf(format, args...) }

// each returns the unused items of kind.
func (a *assembly) each(kind itemKind) []*item {
	var out []*item
	for i := range a.items {
		if it := &a.items[i]; it.kind == kind && !it.used {
			out = append(out, it)
		}
	}
	return out
}

func (a *assembly) asked(kinds ...Kind) *item {
	for i := range a.items {
		if it := &a.items[i]; it.kind == iAsk && slices.Contains(kinds, it.term.Kind) {
			return it
		}
	}
	return nil
}

// questionKind decides what kind of answer is wanted.
func (a *assembly) questionKind() {
	a.f.Ask = "list"
	if n := 0; a.asked(AskCount) != nil {
		for _, it := range a.items {
			if it.kind == iAsk && it.term.Kind == AskCount && !strings.HasPrefix(a.words(it), "统计") {
				n++
			}
		}
		if n > 1 {
			a.fail("two questions in one")
			return
		}
	}
	aggs := a.each(iAggregate)
	switch {
	case len(aggs) == 1:
		t := aggs[0].term
		aggs[0].used = true
		if t.Prop == "" { // how long … on average
			for i := range a.items {
				if it := &a.items[i]; it.kind == iAsk && it.term.Kind == AskProp || it.kind == iProp {
					t.Label, t.Prop = it.term.Label, it.term.Prop
					it.kind, it.used = iProp, true
				}
			}
			if t.Prop == "" {
				a.fail("the average of what?")
				return
			}
		}
		for _, it := range a.each(iProp) {
			it.used = it.used || it.term.Label == t.Label && it.term.Prop == t.Prop
		}
		a.f.Ask = t.Name + " " + t.Label + "." + t.Prop
		a.label = t.Label
		if a.asked(AskCount) != nil {
			a.fail("a count and an average in one question")
		}
	case len(aggs) > 1:
		a.fail("two aggregates in one question")
	case a.secondQuestion():
		a.fail("two questions in one")
	case a.whos() > 1:
		a.fail("two questions in one")
	case a.asked(AskPath) != nil:
		a.f.Ask = "path"
	case len(a.each(iSimilar)) > 0:
		a.f.Ask = "recommend"
		for _, it := range a.each(iSimilar) {
			it.used = true
		}
	case a.asked(AskCount) != nil:
		a.f.Ask = "count"
	case a.asked(AskRecommend) != nil:
		a.f.Ask = "recommend"
	case a.asked(AskExists) != nil && a.asked(AskList, AskWho, AskWhen, AskWhere, AskProp) == nil,
		len(a.each(iYesNo)) > 0 && a.asked(AskList, AskWho, AskWhen, AskWhere, AskProp) == nil && len(a.each(iOrder)) == 0:
		a.f.Ask = "exists"
	}
	if who, which := a.asked(AskWho), a.asked(AskList); a.language == "en" && who != nil && which != nil && who.pos > which.pos+1 && a.segs[who.pos-1].has(And) {
		a.fail("two questions in one")
	}
	for _, it := range a.each(iYesNo) {
		it.used = true
	}
	if last := a.asked(AskList); a.f.Ask == "list" && last != nil && last.term.Name == "amount" && len(a.each(iProp)) == 0 && a.asked(AskProp) == nil {
		a.f.Ask = "count" // 出生在中国的人有多少
	}
}

// secondQuestion reports whether a question word follows "and", or "who" follows
// what was asked for before it: "movies directed by someone who …".
func (a *assembly) secondQuestion() bool {
	film, asked := false, false
	for _, it := range a.items {
		switch {
		case it.kind == iNoun && it.term.Label == a.deed():
			film = true
		case it.kind != iAsk:
		case it.term.Kind == AskWhen || it.term.Kind == AskWhere || it.term.Kind == AskProp:
		case asked && it.pos > 0 && a.segs[it.pos-1].has(And):
			return true
		case it.term.Kind == AskWho && a.language == "en" && film:
			return true
		default:
			asked = true
		}
	}
	return false
}

// whos is how often the question asks who.
func (a *assembly) whos() int {
	n := 0
	for _, it := range a.items {
		if it.kind == iAsk && it.term.Kind == AskWho && a.language == "en" {
			n++
		}
	}
	return n
}

// path is the shortest path between two people.
func (a *assembly) path() {
	if a.f.Ask != "path" {
		return
	}
	var mentions []segment
	for _, it := range a.each(iLink) {
		mentions = append(mentions, it.links.mentions...)
		it.used = true
	}
	if len(mentions) != 2 {
		a.fail("a path needs two ends")
		return
	}
	var cond Cond
	for _, m := range mentions {
		s := a.key(m)
		if s == nil {
			a.fail("an end of the path is unclear")
			return
		}
		cond.Label, cond.What = s.Label, "is "+s.Property
		cond.Slots = append(cond.Slots, *s)
	}
	for _, it := range a.items {
		if !it.used && it.kind != iAsk && it.kind != iNoun && it.kind != iTogether && it.kind != iBoth {
			a.fail("a path with further conditions")
			return
		}
	}
	a.f.Target = []string{cond.Label}
	a.f.Conds = []Cond{cond}
}

// key is the slot of a mention that names a node by its label's key property.
func (a *assembly) key(m segment) *Slot {
	var found *Slot
	for _, c := range m.mention.Candidates {
		if a.r.glossary.Labels[c.Label].Key != c.Property {
			continue
		}
		if found != nil {
			return nil
		}
		found = a.r.slotOf(m, c.Label, c.Property)
	}
	return found
}

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
			for rel, w := range a.r.glossary.Relationships {
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
		for _, e := range a.r.glossary.Events {
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

// links gives every linked value its condition.
func (a *assembly) links() {
	for _, it := range a.each(iLink) {
		if a.why != "" {
			return
		}
		it.used = true
		a.link(it)
	}
}

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
			a.fail("whose %s is asked for?", rel) // Ada's ratings are no film's rating
			return
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
	return slices.ContainsFunc(a.f.Target, func(t string) bool { return strings.HasPrefix(t, label+".") })
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
	switch {
	case possessed && (verb == nil || a.label != deed || a.personBetween(it, verb)):
		work()
	case verb != nil && verb.term.Name == "stranded":
		a.fail("by whom?")
	case verb != nil && !verb.term.Work:
		verb.used = true
		rels := []string{verb.term.Rel}
		for _, v := range a.each(iVerb) { // direct and star in
			if v.pos > verb.pos && v.pos <= verb.pos+2 && !v.neg && !v.term.Work && a.r.given(v.term.Rel) == nil && v.term.Rel != verb.term.Rel && !it.neg && !verb.neg && !a.linkBetween(verb.pos, v.pos) {
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
				for _, e := range a.r.glossary.Events {
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
		if t.Label == a.label && !a.hasProperty(t.Label) && !slices.ContainsFunc(a.f.Target, func(n string) bool { return strings.HasPrefix(n, "decade of "+t.Label+".") }) || t.Label == a.deed() && a.label == a.r.doers() && len(a.roles) != 1 && !(len(a.roles) == 0) {
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
		if decades := len(a.f.Target) == 1 && strings.HasPrefix(a.f.Target[0], "decade of "+t.Label+"."); !decades && !(t.Label == a.deed() && a.label == a.r.doers()) && a.relation(a.label, t.Label) == "" && !a.hasProperty(t.Label) {
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
	case o.average:
		if prop.Label == a.label && !a.hasProperty(a.label) || a.label == a.r.doers() && len(a.roles) != 1 || a.label != a.r.doers() && a.label != prop.Label && a.relation(a.label, prop.Label) == "" && prop.Label != a.deed() {
			a.fail("the average over what?")
			return
		}
		a.f.Order = "average " + prop.Label + "." + prop.Prop
	default:
		if prop.Label != a.label && !(a.hasProperty(prop.Label)) {
			if _, own := a.r.roleProperty(a.relation(a.deed(), a.label)); own || prop.Label != a.deed() || a.label == a.r.doers() || len(a.each(iGroup)) > 0 {
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
	if o.sorted {
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
		case (it.kind == iNoun && it.term.Label == a.label || it.kind == iAgent && a.label == it.term.Label) && it.term.Plural:
			return true
		case it.kind == iProp && it.used && a.language == "en" && strings.HasSuffix(a.words(it), "s") && a.inTarget(it.term):
			return true
		case it.kind == iLink && len(it.links.mentions) > 0:
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

// rest finds items that nothing used.
func (a *assembly) rest() {
	for _, it := range a.items {
		if it.used {
			continue
		}
		switch it.kind {
		case iAsk, iTogether:
		case iElse:
			if !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Neg && c.named() }) {
				a.fail("who or what else?")
				return
			}
		case iCompare: // budget compared with revenue; X or Y
			if len(a.f.Target) < 2 && !slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Any }) {
				a.fail("a comparison of something unclear")
				return
			}
		case iNoun:
			if it.term.Label != a.label && it.term.Label != a.deed() && !a.mentioned(it.term.Label) {
				a.fail("a %s has no place here", it.term.Label)
				return
			}
		case iEvent: // "released" beside a film says nothing of its own
			if !a.idle(it) {
				a.fail("an event without a time")
				return
			}
		case iProp:
			if !strings.HasSuffix(a.f.Group, it.term.Label+"."+it.term.Prop) && !a.inTarget(it.term) {
				a.fail("a property without a condition")
				return
			}
		case iBoth:
		default:
			a.fail("%q has no place here", a.words(it))
			return
		}
	}
	if a.f.Ask == "list" && len(a.f.Target) == 1 && a.f.Target[0] == a.label && len(a.f.Conds) > 1 && a.f.Order == "" {
		for _, c := range a.f.Conds {
			if c.Label == a.label && strings.HasPrefix(c.What, "is ") && !c.Any && !c.Neg { // ⟨film⟩的剧情, of which 剧情 is no genre here
				a.fail("one thing by name, with further conditions")
				return
			}
		}
	}
	both := slices.ContainsFunc(a.items, func(it item) bool {
		return it.kind == iLink && len(it.links.mentions) > 1 || it.kind == iCond && it.cond.Label == a.deed() && len(it.cond.Slots) > 1
	})
	if a.f.Ask == "exists" && !both && slices.ContainsFunc(a.tokens, func(t text.Token) bool {
		return slices.Contains([]string{"all", "every", "each", "所", "每", "都"}, t.Text) && t.Quote == 0
	}) {
		a.fail("all of them, or any?")
		return
	}
	if a.label == a.deed() && len(a.f.Conds) == 0 && a.f.Ask == "exists" {
		a.fail("whether what exists?")
	}
}

func (a *assembly) inTarget(t Term) bool {
	return slices.ContainsFunc(a.f.Target, func(n string) bool { return strings.HasPrefix(n, t.Label+"."+t.Prop) }) ||
		slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Prop == t.Label+"."+t.Prop })
}

// mentioned reports whether a condition is about nodes of label.
func (a *assembly) mentioned(label string) bool {
	for _, c := range a.f.Conds {
		if c.Label == label || slices.ContainsFunc(c.Slots, func(s Slot) bool { return s.Label == label }) || strings.HasPrefix(c.What, "count "+label) {
			return true
		}
	}
	return strings.Contains(a.f.Order, label) || strings.Contains(a.f.Group, label)
}

// idle reports whether an event says nothing of its own: "released" with a
// condition or order on its date elsewhere.
func (a *assembly) idle(it item) bool {
	e := a.r.glossary.Events[it.term.Name]
	if slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Op == "has" }) && it.pos > 0 && a.segs[it.pos-1].mention != nil { // 台湾出品
		return true
	}
	for _, name := range []string{e.Date, e.Year} {
		if name != "" && (strings.Contains(a.f.Order, name) || strings.Contains(a.f.Group, name) || slices.ContainsFunc(a.f.Conds, func(c Cond) bool { return c.Prop == name })) {
			return true
		}
	}
	return false
}

func (a *assembly) words(it item) string {
	if it.pos >= len(a.segs) {
		return ""
	}
	s := a.segs[it.pos]
	return a.question[a.tokens[s.from].Start:a.tokens[s.to-1].End]
}
