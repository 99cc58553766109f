package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/store/text"
)

// superlative reads "5 longest", "highest rating", 评分最高, "the most films".
func (c *chunker) superlative() bool {
	k := 0
	for c.is(k, With, Has) && !c.is(k, Verb) {
		k++
	}
	var n *segment
	if s := c.at(k); s.qty.tokens > 0 && s.qty.kind == Number {
		n = &s
		k++
		if c.is(k, Measure) {
			k++
		}
	}
	if t, ok := c.at(k + 1).term(Noun); ok && c.is(k, First) && !t.Plural && n == nil { // the first film of X
		if l, p, ok := c.r.timeProp(nil); ok && l == t.Label {
			return c.put(k+1, item{kind: iOrder, order: &order{props: []Term{{Kind: Prop, Label: l, Prop: p}}}})
		}
	}
	if c.is(k, Top) && c.is(k+1, Top, PropMost) {
		k++
	}
	o := order{}
	s := c.at(k)
	switch {
	case s.has(PropMost) || s.has(PropLeast):
		kind := PropLeast
		if o.desc = s.has(PropMost); o.desc {
			kind = PropMost
		}
		for _, t := range s.terms {
			if t.Kind == kind {
				t.Kind = Prop
				o.props = append(o.props, t)
			}
		}
		k++
		if t, ok := c.at(k).term(Noun); ok { // the oldest movie: its year, nobody's birth
			own := slices.DeleteFunc(slices.Clone(o.props), func(p Term) bool { return p.Label != t.Label })
			if len(own) > 0 {
				o.props = own
			}
		}
		if c.is(k, First) {
			o.sorted = true
			k++
		}
		if t2, ok := c.at(k).term(Prop); ok && t2.Prop == o.props[0].Prop { // 最高评分 written twice
			k++
		}
	case s.has(Prop) && c.is(k+1, Top) && c.at(k+2).qty.tokens > 0 && c.language == "zh": // 票房前五
		t, _ := s.term(Prop)
		o.props, o.desc = []Term{t}, true
		k++
	case c.common(k): // the most common genre
		o.count, o.desc = &Term{Kind: Noun, Label: c.r.deed()}, c.is(k, Most)
		k++
	case c.is(k, Most) && !c.isMore(k) && c.seen(iTogether) && !c.is(k+1, Prop) && (!c.is(k+1, Noun, Agent) || c.language == "zh"): // 和X合作最多的演员
		o.count, o.desc = &Term{Kind: Noun, Label: c.r.deed()}, true
		k++
	case c.counts(k): // 科幻片最多的年份
		o.count, o.desc = &Term{Kind: Noun, Label: c.r.deed()}, c.is(k, Most)
		k++
	case (s.has(Prop) || s.has(Noun) || s.has(Agent)) && c.is(k+1, Most, Least) && !(c.language == "en" && c.is(k+2, Noun, Agent, Prop)) && !(c.is(k+1, Top) && c.at(k+2).qty.tokens > 0):
		o.desc = c.is(k+1, Most)
		o.more = c.isMore(k + 1)
		if !s.has(Prop) && !c.many(c.i+k+1, c.i+k+2) && c.language == "zh" && !o.more || !c.orderBy(&o, s) {
			return false
		}
		k += 2
	case c.is(k, Average) && c.is(k+1, PropMost, PropLeast): // 平均评分最高
		t, ok := c.at(k + 1).term(PropMost)
		if !ok {
			t, _ = c.at(k + 1).term(PropLeast)
		}
		t.Kind = Prop
		o.props, o.average, o.desc = []Term{t}, true, ok
		k += 2
	case c.is(k, Average) && c.is(k+1, Prop) && c.is(k+2, Most, Least) && !c.isMore(k+2): // 平均评分最高
		t, _ := c.at(k + 1).term(Prop)
		o.props, o.average, o.desc = []Term{t}, true, c.is(k+2, Most)
		k += 3
	case c.is(k, Sum) && c.is(k+1, PropMost, PropLeast) && c.at(k+1).has(PropMost) != c.at(k+1).has(PropLeast): // 总票房最高
		t, ok := c.at(k + 1).term(PropMost)
		if !ok {
			t, _ = c.at(k + 1).term(PropLeast)
		}
		t.Kind = Prop
		o.props, o.total, o.desc = []Term{t}, true, ok
		k += 2
	case c.is(k, Sum) && c.is(k+1, Prop) && c.is(k+2, Most, Least) && !c.isMore(k+2):
		t, _ := c.at(k + 1).term(Prop)
		o.props, o.total, o.desc = []Term{t}, true, c.is(k+2, Most)
		k += 3
	case c.is(k, Most, Least) && c.is(k+1, Sum) && c.is(k+2, Prop): // highest total revenue
		t, _ := c.at(k + 2).term(Prop)
		o.props, o.total, o.desc = []Term{t}, true, c.is(k, Most)
		k += 3
	case c.is(k, Most, Least) && c.is(k+1, Average) && c.is(k+2, Prop): // highest average rating
		t, _ := c.at(k + 2).term(Prop)
		o.props, o.average, o.desc = []Term{t}, true, c.is(k, Most)
		k += 3
	case c.language == "en" && c.is(k, Most) && c.is(k-1, In, Of) && c.said(k) == "most": // in most films
		c.stuck = "most of them, or more than others?"
		return false
	case c.is(k, Most, Least):
		o.desc = c.is(k, Most)
		o.more = c.isMore(k)
		if c.at(k+1).qty.tokens > 0 && n == nil { // top 5 …, most 3 …: read as a limit
			return false
		}
		next := c.at(k + 1)
		if next.mention != nil && c.many(c.i+k, c.i+k+1) && !c.isMore(k) && (c.is(k+2, Noun) && c.isDeed(k+2) || c.isCategory(next)) { // the most sci-fi films
			o.count = &Term{Kind: Noun, Label: c.r.deed()}
			k++
			break
		}
		if largest := c.language == "en" && next.has(Agent) && slices.Contains([]string{"largest", "the largest", "biggest", "the biggest", "smallest", "the smallest"}, text.Key(c.tokens[s.from:s.to])); !next.has(Prop) && !largest && !c.many(c.i+k, c.i+k+1) { // lowest user rated, 第一名导演
			return false
		}
		if t, ok := next.term(Prop); ok && c.r.isYearProp(t) && c.many(c.i+k, c.i+k+1) {
			c.stuck = "the most years?"
			return false
		}
		if !next.has(Prop) && !next.has(Noun) && !next.has(Agent) || !c.orderBy(&o, next) {
			return false
		}
		k += 2
	case (s.has(More) || s.has(Less)) && strings.HasSuffix(c.said(k), " than"): // longer than both X and Y
		c.stuck = "more than what?"
		return false
	case s.has(More) || s.has(Less): // which is longer, X or Y
		kind := Less
		if o.desc, o.more = s.has(More), true; o.desc {
			kind = More
		}
		for _, t := range s.terms {
			if t.Kind == kind {
				t.Kind = Prop
				o.props = append(o.props, t)
			}
		}
		k++
	default:
		return false
	}
	if slices.ContainsFunc(o.props, func(p Term) bool { return c.r.types[p.Label+"."+p.Prop] == "FLOAT" }) && c.many(c.i, c.i+k) { // the most ratings
		if o.count = c.r.raters(o.props[0]); o.count == nil {
			c.stuck = "the most of them, or the highest?"
			return false
		}
		o.props = nil
	}
	it := item{kind: iOrder, order: &o}
	if n == nil {
		j := k
		if c.is(j, Top) {
			j++
		}
		if s := c.at(j); s.qty.tokens > 0 && s.qty.kind == Number {
			n = &s
			k = j + 1
			if c.is(k, Measure) {
				k++
			}
		}
	}
	if n != nil {
		c.put(0, item{kind: iLimit, n: &Slot{Name: n.slot, Start: n.start, End: n.end, Type: "limit", Value: int64(n.qty.value)}})
	}
	return c.put(k, it)
}

// common reports whether the word at k means that of which there are most or fewest.
func (c *chunker) common(k int) bool {
	t, ok := c.at(k).term(Most)
	if !ok {
		t, ok = c.at(k).term(Least)
	}
	return ok && t.Name == "count"
}

// counts reports whether the superlative at k counts what stands before it and
// the noun behind is asked for: 拍得最多的类型.
func (c *chunker) counts(k int) bool {
	if c.language == "zh" && c.i+k > 0 && c.is(k, Most, Least) && c.many(c.i+k, c.i+k+1) && !c.isMore(k) && c.segs[c.i+k-1].mention != nil && c.asksBefore() && (c.i+k+1 == len(c.segs) || c.is(k+1, AskList)) { // 哪一年科幻片最多
		return true
	}
	if c.language != "zh" || c.i+k == 0 || !c.is(k, Most, Least) || !c.is(k+1, Noun, Agent, Prop, DecadeMark, YearMark) || !c.ofBetween(k) || !c.many(c.i+k, c.i+k+1) {
		return false
	}
	if t, ok := c.at(k + 1).term(Noun); ok && t.Label == c.r.deed() {
		return false
	}
	last := c.segs[c.i+k-1]
	return last.mention != nil || last.has(Verb)
}

// asksBefore reports whether it was said what is asked for.
func (c *chunker) asksBefore() bool {
	return slices.ContainsFunc(c.items, func(it item) bool {
		return it.kind == iAsk || it.kind == iNoun || it.kind == iAgent || it.kind == iProp
	})
}

// isCategory reports whether s names a kind of the things that are counted: comedies.
func (c *chunker) isCategory(s segment) bool {
	return slices.ContainsFunc(s.mention.Candidates, func(x link.Candidate) bool {
		value, _ := x.Value.(string)
		return strings.HasSuffix(x.Mention, "s") && !strings.HasSuffix(value, "s") && x.Label != c.r.doers() && x.Label != c.r.deed()
	})
}

// many reports whether one of the segments from i to j is a word for the most
// of what is counted, not measured.
func (c *chunker) many(i, j int) bool {
	return slices.ContainsFunc(c.segs[i:j], func(s segment) bool {
		if s.mention != nil {
			return false
		}
		return slices.Contains([]string{"most", "the most", "fewest", "the fewest", "least", "the least", "more", "fewer", "most rated", "the most rated", "最多", "最少", "更多", "更少", "多一些", "多一点", "多些", "少一些", "数量最多"}, text.Key(c.tokens[s.from:s.to]))
	})
}

// isMore reports whether the superlative at k is only a comparative.
func (c *chunker) isMore(k int) bool {
	t, ok := c.at(k).term(Most)
	if !ok {
		t, _ = c.at(k).term(Least)
	}
	return t.Name == "more"
}

// orderBy sets what o orders by from a property, noun or agent.
func (c *chunker) orderBy(o *order, s segment) bool {
	if t, ok := s.term(Prop); ok {
		o.props = []Term{t}
		return true
	}
	t, ok := s.term(Noun)
	if !ok {
		t, ok = s.term(Agent)
	}
	o.count = &t
	return ok
}

// sorting reads "sorted by year", 按评分从高到低, "by rating" after "top 5".
func (c *chunker) sorting() bool {
	k := 0
	explicit := c.is(0, SortBy)
	if explicit || c.is(0, By) && c.is(1, Prop, YearMark) && (c.seen(iTop) || c.seen(iLimit) || (c.i+2 == len(c.segs) || c.is(2, Ascending, Descending) || c.is(2, And) && c.is(3, Ascending, Descending)) && !c.seenAsk(AskCount) && !c.seen(iAggregate)) {
		k = 1
	}
	if k == 0 && !(c.is(0, Prop) && c.is(1, Ascending, Descending)) && !c.is(0, Ascending, Descending) && !(c.is(0, By) && c.is(1, AskCount) && c.is(2, Noun, Agent)) {
		return false
	}
	o := order{sorted: true, desc: true}
	if (c.is(0, By) || explicit) && c.is(1, AskCount) && c.is(2, Noun, Agent) && c.language == "en" { // by number of films
		o.sorted = !c.seen(iTop) && !c.seen(iLimit)
		c.orderBy(&o, segment{terms: slices.DeleteFunc(slices.Clone(c.at(2).terms), func(t Term) bool { return t.Kind == Prop })})
		return c.put(3, item{kind: iOrder, order: &o})
	}
	if explicit && c.is(1, Noun, Agent) && c.is(2, AskCount) && c.language == "zh" { // 按电影数量
		c.orderBy(&o, segment{terms: slices.DeleteFunc(slices.Clone(c.at(1).terms), func(t Term) bool { return t.Kind == Prop })})
		return c.put(3, item{kind: iOrder, order: &o})
	}
	if t, ok := c.at(k).term(Prop); ok {
		o.props = []Term{t}
		o.desc = !c.r.isTimeProp(t)
		k++
	} else if t, ok := c.at(1).term(Prop); k == 0 && ok && c.is(0, Ascending, Descending) && c.i+2 == len(c.segs) { // from highest to lowest rating
		return c.put(2, item{kind: iOrder, order: &order{props: []Term{t}, desc: c.is(0, Descending), sorted: true}})
	} else if t, ok := c.lone(); k == 0 && ok && t.Name != "time" {
		// most first: of what, the group says
	} else if c.is(k, YearMark) || k == 0 {
		l, p, ok := c.r.timeProp(nil)
		if !ok {
			return false
		}
		o.props, o.desc = []Term{{Kind: Prop, Label: l, Prop: p}}, false
		if c.is(k, YearMark) {
			k++
		}
	} else if t, ok := c.at(k).term(Event); ok {
		l, p, ok := c.r.timeProp(&t)
		if !ok {
			return false
		}
		o.props, o.desc = []Term{{Kind: Prop, Label: l, Prop: p}}, false
		k++
		if c.is(k, YearMark) {
			k++
		}
	} else {
		return false
	}
	if comma, ok := c.at(k).term(And); ok && comma.Name == "," && (c.is(k+1, Ascending, Descending) || c.is(k+1, PropMost, PropLeast) && c.is(k+2, First)) { // sorted by rating, best first
		k++
	}
	switch {
	case c.is(k, Ascending), c.is(k, PropLeast) && c.is(k+1, First) && len(o.props) > 0:
		o.desc = false
		k += 1 + b2i(!c.is(k, Ascending))
	case c.is(k, Descending), c.is(k, PropMost) && c.is(k+1, First) && len(o.props) > 0:
		o.desc = true
		k += 1 + b2i(!c.is(k, Descending))
	}
	if c.seen(iTop) || c.seen(iLimit) {
		o.sorted = false
		if explicit || k > 0 {
			o.desc = !c.is(k-1, Ascending)
		}
	}
	return c.put(k, item{kind: iOrder, order: &o})
}

// lone is the direction that stands here.
func (c *chunker) lone() (Term, bool) {
	if t, ok := c.at(0).term(Ascending); ok {
		return t, ok
	}
	return c.at(0).term(Descending)
}

func (c *chunker) seen(k itemKind) bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.kind == k })
}

// grouping reads "per genre", 每个类型, "by decade" of counts and averages.
func (c *chunker) grouping() bool {
	by := c.is(0, By) && !c.is(1, Agent) || c.is(0, SortBy) && c.is(1, Noun)
	if !c.is(0, Per) && !by {
		return false
	}
	k := 1
	if c.is(k, Measure) {
		k++
	}
	for _, kind := range []Kind{Noun, Agent, Prop, DecadeMark, YearMark} {
		if t, ok := c.at(k).term(kind); ok {
			if by && (kind == Noun && t.Plural || !c.seenAsk(AskCount) && !c.seen(iAggregate)) {
				return false
			}
			return c.put(k+1, item{kind: iGroup, term: t})
		}
	}
	return false
}

func (c *chunker) seenAsk(k Kind) bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.kind == iAsk && it.term.Kind == k })
}

// aggregate reads "average rating", 总票房.
func (c *chunker) aggregate() bool {
	if c.is(0, Average) && c.i == len(c.segs)-1 { // how long … on average
		return c.put(1, item{kind: iAggregate, term: Term{Name: "average"}})
	}
	for _, k := range []Kind{Average, Sum} {
		if t, ok := c.at(0).term(Prop); ok && c.is(1, k) { // 票房加起来
			t.Name = map[Kind]string{Average: "average", Sum: "sum"}[k]
			return c.put(2, item{kind: iAggregate, term: t})
		}
		if !c.is(0, k) {
			continue
		}
		if t, ok := c.at(1).term(Prop); ok {
			name := map[Kind]string{Average: "average", Sum: "sum"}[k]
			t.Name = name
			if c.is(2, And) && c.is(3, Prop) { // the sum of revenue and budget
				c.stuck = "a sum of two properties"
				return false
			}
			return c.put(2, item{kind: iAggregate, term: t})
		}
		if t, ok := c.at(1).term(AskProp); ok && (k == Average || c.seenNoun(c.r.deed())) { // 诺兰的电影总共赚了多少
			t.Kind, t.Name = Prop, map[Kind]string{Average: "average", Sum: "sum"}[k]
			return c.put(2, item{kind: iAggregate, term: t})
		}
	}
	return false
}

func (c *chunker) isAsked(k int) bool {
	return c.is(k, AskList, AskCount, AskWho, AskWhere, AskWhen)
}
