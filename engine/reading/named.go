package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
)

// linked reads a mention, or several joined, with the preposition before it.
func (c *chunker) linked() bool {
	prep := Unknown
	k := 0
	// born in China, 出生在中国
	if c.is(0, Event) {
		j := 1
		for c.is(j, In, From) {
			j++
		}
		if t, _ := c.at(0).term(Event); c.at(j).mention != nil && c.r.glossary.Events[t.Name].Place != "" {
			return c.place(t, j, j+1)
		}
		return false // the event stands for itself
	}
	// 在中国出生, 中国出生
	if j := b2i(c.is(0, In, From)); c.at(j).mention != nil && c.is(j+1, Event) {
		if t, _ := c.at(j + 1).term(Event); c.r.glossary.Events[t.Name].Place != "" && c.isPlace(t, j) {
			return c.place(t, j, j+2)
		}
	}
	for c.is(k, By, With, In, From, Of, AgentMark, Has, For) && c.at(k).mention == nil {
		switch {
		case c.is(k, AgentMark), c.is(k, By):
			prep = By
		case c.is(k, With) && !c.is(k, Of) && prep == Unknown:
			prep = With
		case c.is(k, In) && prep == Unknown:
			prep = In
		case c.is(k, From) && prep == Unknown:
			prep = From
		case c.is(k, Of) && prep == Unknown:
			prep = Of
		}
		k++
	}
	if c.is(k, Participle) { // directed by X, starring X
		t, _ := c.at(k).term(Participle)
		if second, ok := c.at(k + 2).term(Participle); ok && c.is(k+1, And) && c.at(k+3).mention != nil && second.Rel != t.Rel { // directed by and starring X
			c.i += k + 3
			if !c.linkList(Unknown) || len(c.items[len(c.items)-1].links.mentions) != 1 || !c.bindDoer(&c.items[len(c.items)-1], t) {
				return false
			}
			cond := c.items[len(c.items)-1].cond
			cond.Rel = slices.Sorted(slices.Values([]string{t.Rel, second.Rel}))
			cond.What = strings.Join(cond.Rel, "+") + " by"
			return true
		}
		for c.is(k+1, By) || c.is(k+1, Both) && c.at(k+2).mention != nil {
			if c.is(k+1, Both) {
				c.put(0, item{kind: iBoth})
			}
			k++
		}
		if c.at(k+1).mention == nil {
			return false
		}
		c.i += k + 1
		if !c.linkList(Unknown) {
			return false
		}
		return c.bindDoer(&c.items[len(c.items)-1], t)
	}
	if c.is(k, Both) && c.at(k+1).mention != nil && k > 0 { // in both A and B
		c.put(0, item{kind: iBoth})
		k++
	}
	if c.is(k, Agent) && c.at(k+1).mention != nil && prep == By { // by director X
		k++
	}
	if c.at(k).mention == nil {
		return false
	}
	c.i += k
	// 由X导演: the doer with its verb
	if v, ok := c.at(1).term(Verb); ok && prep == By && !c.is(1, Prop) && c.language == "zh" {
		c.linkList(Unknown)
		if !c.bindDoer(&c.items[len(c.items)-1], v) {
			return false
		}
		c.i++
		return true
	}
	if !c.linkList(prep) {
		return false
	}
	if v, ok := c.at(0).term(Verb); ok && v.Work && c.items[len(c.items)-1].links.isProperty(c.r) { // 日本拍的
		c.i++
	}
	return true
}

// isProperty reports whether the links are values that aren't anybody's name.
func (l *linkItem) isProperty(r *Reader) bool {
	return !slices.ContainsFunc(l.mentions[0].mention.Candidates, func(c link.Candidate) bool { return r.glossary.Labels[c.Label].Key == c.Property })
}

// isPlace reports whether the mention at k names a place that event can have.
func (c *chunker) isPlace(event Term, k int) bool {
	label, prop := split(c.r.glossary.Events[event.Name].Place)
	return c.r.slotOf(c.at(k), label, prop) != nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// place is the place of an event: born in China.
func (c *chunker) place(event Term, k, n int) bool {
	label, prop := split(c.r.glossary.Events[event.Name].Place)
	slot := c.r.slotOf(c.at(k), label, prop)
	if slot == nil {
		return false
	}
	return c.put(n, item{kind: iCond, cond: &Cond{Label: label, What: prop, Op: "in", Prop: label + "." + prop, Slots: []Slot{*slot}}})
}

// linkList reads the mention here and those of the same kind joined to it.
func (c *chunker) linkList(prep Kind) bool {
	if c.at(0).mention == nil {
		return false
	}
	l := &linkItem{mentions: []segment{c.at(0)}, prep: prep}
	k := 1
	joined, or := false, false
	for {
		j := k
		for c.is(j, And) || c.is(j, Or) {
			or = or || c.is(j, Or)
			j++
		}
		if j == k || c.at(j).mention == nil || !sameKind(c.at(j), l.mentions[0]) {
			break
		}
		l.mentions = append(l.mentions, c.at(j))
		joined = true
		k = j + 1
	}
	if !joined {
		or = false
	}
	if t, ok := c.at(k).term(Prop); ok && len(l.mentions) == 1 { // French-language
		m := *l.mentions[0].mention
		m.Candidates = slices.DeleteFunc(slices.Clone(m.Candidates), func(x link.Candidate) bool { return x.Label != t.Label || x.Property != t.Prop })
		if len(m.Candidates) > 0 {
			l.mentions[0].mention = &m
			k++
		}
	}
	if t, ok := c.at(k).term(Noun); ok && t.Label != c.r.deed() && t.Label != c.r.doers() && c.r.slotOf(l.mentions[len(l.mentions)-1], t.Label, "") != nil { // 喜剧类, the comedy genre
		k++
	}
	l.any = or
	return c.put(k, item{kind: iLink, links: l})
}

// sameKind reports whether two mentions may name values of one property.
func sameKind(a, b segment) bool {
	return slices.ContainsFunc(a.mention.Candidates, func(x link.Candidate) bool {
		return slices.ContainsFunc(b.mention.Candidates, func(y link.Candidate) bool { return x.Label == y.Label && x.Property == y.Property })
	})
}

// bindDoer makes a condition of the links of it and a verb whose doer they are.
func (c *chunker) bindDoer(it *item, v Term) bool {
	cond := c.r.doer(it.links, v)
	if cond == nil {
		return false
	}
	it.kind, it.cond = iCond, cond
	return true
}

// owned reports whether 的 stands right before: X的导演.
func (c *chunker) owned() bool {
	return strings.HasSuffix(strings.TrimSpace(c.question[:c.at(0).start]), "的")
}

// afterDoer reports whether the mention of a doer stands right before, or who asks for one.
func (c *chunker) afterDoer() bool {
	if len(c.items) == 0 {
		return false
	}
	last := c.items[len(c.items)-1]
	if last.kind == iBoth && len(c.items) > 1 { // 诺兰既导演又主演的
		last = c.items[len(c.items)-2]
	}
	if last.kind == iAsk && last.term.Kind == AskWho && last.pos == c.i-1 {
		return c.i+1 < len(c.segs)
	}
	if last.kind != iLink || last.pos+len(last.links.mentions) > c.i {
		return false
	}
	for rel := range c.r.deeds.rels {
		if c.r.slotOf(last.links.mentions[len(last.links.mentions)-1], c.r.glossary.Relationships[rel].From, "") != nil {
			return true
		}
	}
	return false
}
