package reading

import (
	"slices"
	"strings"

	"precedent/store/text"
)

// scope refuses frames that two people would not share: what a word reaches is
// open, though each word has its place. Nothing here adds to a frame.
func (a *assembly) scope() {
	for _, why := range []func() string{
		a.denials, a.questions, a.alternatives, a.ratings, a.totals, a.firsts, a.pairs, a.groups, a.states, a.alsos, a.every, a.heads, a.numberTitles,
	} {
		if w := why(); w != "" {
			a.fail("%s", w)
			return
		}
	}
}

func (a *assembly) has(want func(Cond) bool) bool { return slices.ContainsFunc(a.f.Conds, want) }

// named reports whether c names a node by its key.
func (c Cond) named() bool { return strings.HasPrefix(c.What, "is ") }

// denials: countries without comedies, or countries of films that aren't any?
func (a *assembly) denials() string {
	denied := slices.ContainsFunc(a.segs, func(s segment) bool { return s.mention == nil && s.qty.tokens == 0 && s.has(Not) })
	if denied && !a.has(func(c Cond) bool { return c.Neg }) { // roles X has not played
		return "what is denied?"
	}
	if a.deniesPair() {
		return "how far does the negation reach?"
	}
	list := slices.ContainsFunc(a.f.Target, func(t string) bool { return strings.HasPrefix(a.r.types[t], "LIST") })
	if a.has(func(c Cond) bool { return c.Neg && (c.Label != a.label || list) }) {
		return "how far does the negation reach?"
	}
	return ""
}

// deniesPair reports whether what is denied may be two things at once: films
// that aren't romantic comedies, 不是法国喜剧的电影, not comedies from France.
func (a *assembly) deniesPair() bool {
	for i, it := range a.items {
		if it.kind != iLink || !it.neg && it.links.prep != Except || i+1 == len(a.items) || a.items[i+1].kind != iLink {
			continue
		}
		next := a.items[i+1]
		person := a.r.slotOf(it.links.mentions[0], a.r.doers(), "") != nil
		if person || next.neg && next.links.prep != Except || it.pos > 0 && a.tokens[a.segs[it.pos-1].from].Text == "non" {
			continue
		}
		last, from := a.segs[it.pos+len(it.links.mentions)-1].to, a.segs[next.pos].from
		if last == from || it.links.prep == Unknown && a.language == "en" && slices.Contains([]Kind{From, By, With, In}, next.links.prep) && last+1 == from {
			return true
		}
	}
	return false
}

// questions: who played what; how many, and which?
func (a *assembly) questions() string {
	who, what, count := false, false, false
	for _, it := range a.items {
		if it.kind != iAsk {
			continue
		}
		switch w := a.words(it); {
		case it.term.Kind == AskList && strings.ContainsAny(w, "类种") && a.label == a.deed() && len(a.f.Target) == 1 && a.f.Target[0] == a.label: // 哪类电影
			return "which kind, or which of them?"
		case it.term.Kind == AskWho:
			who = true
		case it.term.Kind == AskCount:
			count = true
		case it.term.Kind == AskList && (strings.Contains(w, "which") || strings.Contains(w, "what") || strings.Contains(w, "哪") || strings.Contains(w, "什么") || strings.Contains(w, "啥")):
			what = true
		}
	}
	first := len(a.items) > 0 && a.items[0].kind == iAsk && a.items[0].term.Kind == AskWho
	if a.asked(AskList, AskWho, AskCount, AskWhen, AskWhere, AskProp, AskRecommend) == nil && a.whether() {
		return "which, or whether?"
	}
	if a.twoKinds() {
		return "two questions in one"
	}
	if (who && what || count && (what || first)) && len(a.f.Target) < 2 {
		return "two questions in one"
	}
	return ""
}

// whether reports whether a superlative stands in a question of yes or no: is
// X's longest film a comedy?
func (a *assembly) whether() bool {
	return slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iYesNo }) &&
		slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iOrder && !it.order.more })
}

// twoKinds reports whether what was done is asked for twice over: films with X
// and films by Y, X演的电影和Y拍的电影.
func (a *assembly) twoKinds() bool {
	films := func(i int) bool {
		t, ok := a.segs[i].term(Noun)
		return ok && a.segs[i].mention == nil && t.Label == a.deed()
	}
	done := func(i int) bool { // 拍的电影, which may be one word
		s := a.segs[i]
		return films(i) && slices.ContainsFunc(a.tokens[max(s.from-1, 0):s.to], func(t text.Token) bool { return t.Text == "的" })
	}
	for i := 1; i < len(a.segs) && a.label == a.deed(); i++ {
		s := a.segs[i]
		switch {
		case s.mention != nil || !s.has(And):
		case a.language == "en" && i+1 < len(a.segs) && films(i+1) && slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iNoun && it.pos < i && it.term.Label == a.deed() }):
			return true
		case a.language == "zh" && done(i-1):
			for k := i + 2; k < len(a.segs); k++ {
				if done(k) {
					return true
				}
			}
		}
	}
	return false
}

// alternatives: is it a comedy or a drama?
func (a *assembly) alternatives() string {
	either := a.has(func(c Cond) bool { return c.Any })
	if !either && slices.ContainsFunc(a.segs, func(s segment) bool { return s.mention == nil && s.qty.tokens == 0 && s.has(Or) }) {
		return "this, or what?"
	}
	if a.f.Ask == "exists" && either && a.has(Cond.named) {
		return "which of the two, or any?"
	}
	return ""
}

// ratings: films that a user rated above 4 have the user's rating, not their own.
func (a *assembly) ratings() string {
	rated := func(rel string) bool { return a.r.given(rel) != nil }
	by := a.has(func(c Cond) bool { return len(c.Rel) == 1 && rated(c.Rel[0]) }) || slices.ContainsFunc(a.roles, rated) || rated(a.relation(a.deed(), a.label))
	top := a.r.glossary.Labels[a.deed()].Top
	rater := a.r.raters(Term{Label: a.deed(), Prop: top})
	if name := a.deed() + "." + top; rater != nil && (a.f.Group == rater.Label && strings.HasSuffix(a.f.Ask, name) || a.label == rater.Label && strings.HasSuffix(a.f.Order, name)) {
		return "whose rating?"
	}
	if rater != nil && a.f.Order == "count "+rater.Label && a.label == a.deed() && (slices.Contains(a.f.Target, a.deed()+"."+top) ||
		!slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iNoun && it.term.Label == a.deed() })) { // 哪个用户打分次数最多
		return "the most of whom?"
	}
	if len(a.f.Target) == 1 && a.r.given(a.f.Target[0]) != nil {
		return "nothing is asked for"
	}
	if by && top != "" && (a.has(func(c Cond) bool { return c.What == top || c.What == "has "+top }) || a.f.Order == a.deed()+"."+top) {
		return "whose rating?"
	}
	return ""
}

// totals: what three films made in total is no list.
func (a *assembly) totals() string {
	if a.f.Ask != "list" || len(a.f.Target) != 1 {
		return ""
	}
	switch a.r.types[a.f.Target[0]] {
	case "INTEGER", "FLOAT":
		titles := 0
		for _, c := range a.f.Conds {
			titles += b2i(c.named()) * len(c.Slots)
		}
		if titles != 1 && (a.says("together") || slices.ContainsFunc(a.segs, func(s segment) bool { return s.mention == nil && s.has(Sum) })) {
			return "each, or the sum?"
		}
	}
	return ""
}

// firsts: the first three films of a person by year or by rating?
func (a *assembly) firsts() string {
	byDefault := len(a.each(iOrder)) == 0 && a.f.Order != "" && a.f.Order == a.label+"."+a.r.glossary.Labels[a.label].Top && !slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iOrder })
	if byDefault && a.language == "zh" && a.has(func(c Cond) bool { return strings.HasSuffix(c.What, " by") }) {
		return "the first in which order?"
	}
	return ""
}

// pairs: the films of two directors are those of either, or of both together?
func (a *assembly) pairs() string {
	together := slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iTogether || it.kind == iBoth || it.kind == iVerb })
	titles := 0
	by := 0
	for _, c := range a.f.Conds {
		switch {
		case c.Neg || c.Any:
		case c.Label == a.deed() && c.named():
			titles++
		case c.What == a.marked(func(w RelWords) bool { return w.By })+" by":
			by++
		}
	}
	if by > 1 && !together && a.label == a.deed() && a.possessing() {
		return "films of both, or of either?"
	}
	if a.label == a.r.doers() && len(a.f.Conds) > 1 && !slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iTogether }) && slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iBoth }) {
		doers := 0
		for _, c := range a.f.Conds {
			doers += b2i(c.Label == a.deed() && strings.HasSuffix(c.What, " by"))
		}
		if doers > 1 {
			return "in one film, or in several?"
		}
	}
	shared := slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iBoth || it.kind == iSame })
	done := slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iVerb })
	if titles > 1 && !shared && len(a.roles) == 1 && (a.roles[0] == a.marked(func(w RelWords) bool { return w.By }) || !done || a.respectively()) {
		return "of both, or of each?"
	}
	return ""
}

// respectively reports whether what is asked is asked of each thing by itself.
func (a *assembly) respectively() bool {
	for i, t := range a.tokens {
		switch {
		case t.Quote != 0:
		case t.Text == "respectively", t.Text == "each", t.Text == "各", t.Text == "分" && i+1 < len(a.tokens) && a.tokens[i+1].Text == "别":
			return true
		}
	}
	return false
}

// possessing reports whether the doers are joined to what they did by 的 or 's alone.
func (a *assembly) possessing() bool {
	return !slices.ContainsFunc(a.items, func(it item) bool {
		return it.kind == iVerb || it.kind == iAgent || it.kind == iCond && strings.HasSuffix(it.cond.What, " by")
	})
}

// groups: the year or genre with the highest box office is no film's.
func (a *assembly) groups() string {
	label, prop := split(a.f.Order)
	if len(a.f.Target) != 1 || a.f.Limit == NoLimit || label != a.deed() || prop == "" || a.f.Group != "" || strings.Contains(a.f.Order, " ") || a.f.Order == a.f.Target[0] {
		return ""
	}
	t := strings.TrimPrefix(a.f.Target[0], "decade of ")
	_, own := split(t)
	grouping := t != a.f.Target[0] || own != "" && a.r.glossary.Labels[label].Year == own || strings.HasPrefix(a.r.types[t], "LIST") ||
		own == "" && a.label != label
	if grouping && !a.ofOneFilm() {
		return "of one, or of all together?"
	}
	return ""
}

// ofOneFilm reports whether the order is of single films: the highest grossing
// film, 票房最高的电影.
func (a *assembly) ofOneFilm() bool {
	for i, it := range a.items {
		if it.kind == iNoun && it.term.Label == a.deed() && !it.term.Plural && (a.language == "en" || i > 0 && a.items[i-1].kind == iOrder) {
			return true
		}
	}
	return false
}

// states: who was alive in 2000 isn't who has a film of 2000 and lives.
func (a *assembly) states() string {
	film := slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iNoun && it.term.Label == a.deed() })
	if film {
		return ""
	}
	l, p, _ := a.r.timeProp(nil)
	if a.label != l && a.has(func(c Cond) bool { return c.Label == l && c.What == p }) && a.has(func(c Cond) bool { return c.Label == a.label && strings.HasPrefix(c.What, "has ") }) {
		return "a year of what?"
	}
	return ""
}

// alsos: actors of a film who are also directors directed something, not that film.
func (a *assembly) alsos() string {
	if a.language != "en" { // 既…又
		return ""
	}
	for _, it := range a.items {
		if it.kind != iBoth || it.pos >= len(a.segs) || !a.segs[it.pos].has(Also) {
			continue
		}
		if len(a.roles) > 1 && a.has(Cond.named) {
			return "also in the same one?"
		}
		if !it.used && a.label == a.r.doers() {
			return "also what?"
		}
	}
	return ""
}
