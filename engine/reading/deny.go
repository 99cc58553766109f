package reading

import (
	"slices"
	"strings"
)

// negated reads "not" and "without" with what they deny.
func (c *chunker) negated() bool {
	if !c.is(0, Not, Without) {
		return false
	}
	start, n := c.i, len(c.items)
	if c.language == "en" && c.i > 0 && c.segs[c.i-1].mention == nil && c.segs[c.i-1].has(With) && !c.segs[c.i-1].has(Has) { // with but not by X
		c.stuck = "a negation of something unclear"
		return false
	}
	if c.deniesAll() {
		c.stuck = "not all, or none?"
		return false
	}
	if c.i == 0 && c.language == "en" && strings.HasSuffix(c.said(0), "t") && c.at(0).to > c.at(0).from+1 { // isn't ⟨film⟩ by X
		c.stuck = "a question that expects a yes"
		return false
	}
	without := c.is(0, Without)
	if without && c.nullness() {
		return true
	}
	if without && c.seen(iYesNo) || without && c.language == "zh" && c.segs[len(c.segs)-1].has(YesNo) { // 没有喜剧超过3小时吗
		c.stuck = "none, or any but these?"
		return false
	}
	doer := c.is(1, Verb) && slices.ContainsFunc(c.items, func(it item) bool { return it.kind == iLink })
	if t, ok := c.at(1).term(Agent); ok && without && !doer && c.at(2).mention == nil && !c.is(2, Of) { // without a director
		to := c.r.glossary.Relationships[t.Rel].To
		return c.put(2, item{kind: iCond, cond: &Cond{Label: to, What: t.Rel, Neg: true, Rel: []string{t.Rel}}})
	}
	c.i++
	// 不是诺兰导演的: doer, then verb
	if s := c.at(0); s.mention != nil && c.is(1, Verb) {
		v, _ := c.at(1).term(Verb)
		if c.put(0, item{kind: iLink, links: &linkItem{mentions: []segment{s}}}); c.bindDoer(&c.items[n], v) {
			c.items[n].cond.Neg = true
			c.i += 2
			return true
		}
		c.items = c.items[:n]
	}
	if v, ok := c.at(0).term(Verb); ok && !v.Work && c.language == "en" && c.at(1).mention != nil { // that don't star X
		c.i++
		if !c.r.glossary.Relationships[v.Rel].With || !c.linkList(Unknown) || len(c.items) != n+1 || len(c.items[n].links.mentions) != 1 || !c.bindDoer(&c.items[n], v) {
			c.stuck = "a negation of something unclear"
			return false
		}
		c.items[n].cond.Neg = true
		return true
	}
	if v, ok := c.at(0).term(Verb); ok && !v.Work {
		return c.put(1, item{kind: iVerb, term: v, neg: true})
	}
	if without && c.at(0).mention != nil { // without Tom Hanks, 没有汤姆·汉克斯
		if c.linkList(With) && c.denyLast(n) {
			return true
		}
	}
	for _, step := range []func() bool{c.comparison, c.times, c.contains, c.linked} {
		if c.i < len(c.segs) && step() {
			if c.denyLast(n) && !(without && c.items[n].cond != nil && c.items[n].cond.Op == "=") { // 没有8分: below 8, not unequal
				return true
			}
			break
		}
	}
	c.i, c.items = start, c.items[:n]
	c.stuck = "a negation of something unclear"
	return false
}

// deniesAll reports whether the negation here is of all or both, which leaves
// open how many are left: not all comedies, 不都是喜剧.
func (c *chunker) deniesAll() bool {
	next := c.at(0).to
	return next < len(c.tokens) && slices.Contains([]string{"all", "every", "each", "both", "only", "just", "always", "都", "全", "所", "每", "只", "仅", "光"}, c.tokens[next].Text)
}

// denyLast negates the one item added since there were n.
func (c *chunker) denyLast(n int) bool {
	if len(c.items) != n+1 {
		return false
	}
	it := &c.items[n]
	switch it.kind {
	case iCond:
		it.cond.Neg = !it.cond.Neg
		return true
	case iLink:
		if len(it.links.mentions) == 1 {
			it.neg = true
			return true
		}
	}
	return false
}

// except reads "besides ⟨person⟩" and 除了⟨film⟩: others of the kind asked for.
func (c *chunker) except() bool {
	if c.is(0, Else) {
		return c.put(1, item{kind: iElse})
	}
	behind := c.at(0).mention != nil && c.is(1, But) // 喜剧以外的电影
	if !c.is(0, Except) && !behind {
		return false
	}
	n := len(c.items)
	if behind && n > 0 && c.items[n-1].kind == iLink && c.segs[c.i-1].mention != nil && c.segs[c.i-1].to == c.at(0).from { // 爱情喜剧以外
		c.stuck = "all but what?"
		return false
	}
	if !behind {
		c.i++
	}
	for c.linkList(Unknown) {
	}
	if c.is(0, But) { // 除了喜剧以外
		c.i++
	}
	j := b2i(c.is(0, Noun))
	joins, _ := c.at(j).term(And)
	if len(c.items) == n || (c.is(j, And) && joins.Name != "," || c.is(j, Or)) && c.at(j+1).mention != nil { // 除了喜剧片和爱情片
		c.stuck = "all but what?"
		return false
	}
	listed := slices.Clone(c.items[n:])
	c.items = c.items[:n]
	for _, it := range listed { // each of those named is denied
		for _, m := range it.links.mentions {
			c.items = append(c.items, item{kind: iLink, pos: it.pos, neg: true, links: &linkItem{mentions: []segment{m}, prep: Except}})
		}
	}
	return true
}

// nullness reads "without a plot", 没有简介, 预算未知, "with a known budget".
func (c *chunker) nullness() bool {
	null := func(t Term, missing bool, k int) bool {
		what := "has " + t.Prop
		return c.put(k, item{kind: iCond, cond: &Cond{Label: t.Label, What: what, Neg: missing, Prop: t.Label + "." + t.Prop}})
	}
	if t, ok := c.at(0).term(Prop); ok {
		switch {
		case c.is(1, Missing):
			return null(t, true, 2)
		case c.is(1, Known):
			return null(t, false, 2)
		}
		return false
	}
	if t, ok := c.at(1).term(Prop); ok {
		if _, rel := c.r.glossary.Relationships[t.Label]; rel || c.is(1, Noun, Verb) {
			return false
		}
		switch {
		case c.is(0, Without):
			k := 2
			if c.is(k, Known) {
				k++
			}
			return null(t, true, k)
		case c.is(0, Known):
			return null(t, false, 2)
		case c.is(0, Missing):
			return null(t, true, 2)
		case c.is(0, With, Has) && c.is(2, Missing): // whose budget is unknown
			return null(t, true, 3)
		case c.is(0, With, Has) && c.language == "zh" && c.i+2 < len(c.segs) && c.ofBetween(1) && !c.isAsked(2): // 有评分的
			return null(t, false, 2)
		case c.is(0, With, Has) && (c.is(2, Known) || !c.is(2, Gt, More, Less, TimeCmp, Between, In, From, Most, Least, CmpPost, Contains, Of, Starts, Ends) && c.at(2).qty.tokens == 0 && c.at(2).mention == nil && !c.isAsked(2)):
			k := 2
			if c.is(k, Known) {
				k++
			}
			return null(t, false, k)
		}
	}
	return false
}

// contains reads "titles containing 'love'".
func (c *chunker) contains() bool {
	k := 0
	var prop *Term
	if c.is(0, With, Contains) && c.quoted(1) && c.is(2, In) { // with "Love" in the title
		if t, ok := c.at(3).term(Prop); ok && c.r.types[t.Label+"."+t.Prop] == "STRING" {
			s := c.at(1)
			slot := Slot{Name: s.slot, Start: s.start, End: s.end, Type: "string", Label: t.Label, Property: t.Prop, Value: c.quotedText(s)}
			return c.put(4, item{kind: iCond, cond: &Cond{Label: t.Label, What: t.Prop, Op: "contains", Prop: t.Label + "." + t.Prop, Slots: []Slot{slot}}})
		}
	}
	if t, ok := c.at(0).term(Prop); ok {
		prop = &t
		k = 1
	}
	ops := map[Kind]string{Contains: "contains", Starts: "starts with", Ends: "ends with"}
	for kind, op := range ops {
		if !c.is(k, kind) || !c.quoted(k+1) || prop == nil {
			continue
		}
		s := c.at(k + 1)
		slot := Slot{Name: s.slot, Start: s.start, End: s.end, Type: "string", Label: prop.Label, Property: prop.Prop, Value: c.quotedText(s)}
		return c.put(k+2, item{kind: iCond, cond: &Cond{Label: prop.Label, What: prop.Prop, Op: op, Prop: prop.Label + "." + prop.Prop, Slots: []Slot{slot}}})
	}
	return false
}

func (c *chunker) quoted(k int) bool {
	s := c.at(k)
	return s.mention != nil && s.mention.Quoted || len(s.terms) == 1 && s.terms[0].Name == "quoted"
}
