package reading

import (
	"fmt"
	"slices"
	"strings"
)

// every: who was in all of a director's films isn't who was in any, and those
// whose films are comedies may have others too.
func (a *assembly) every() string {
	const why = "in all of them, or any?"
	if a.label == a.deed() {
		return ""
	}
	for i, t := range a.tokens {
		switch {
		case t.Quote != 0 || a.insideAsk(i):
		case t.Text == "一" && i > 0 && i+1 < len(a.tokens) && a.tokens[i+1].Text == "部" && a.label == a.r.doers() && !slices.Contains([]string{"同", "哪", "第", "每"}, a.tokens[i-1].Text):
			return "one, or any?"
		case t.Text == "都":
			if !a.asksAt(i+1) && a.namedPlaces() < 2 {
				return why
			}
		case slices.Contains([]string{"all", "every", "each", "whole", "entire", "每", "全"}, t.Text), t.Text == "有" && i > 0 && a.tokens[i-1].Text == "所":
			if a.quantifies(i) {
				return why
			}
		}
	}
	for _, it := range a.items { // whose films are comedies
		if it.kind == iNoun && it.term.Label == a.deed() && it.pos < len(a.segs) {
			if i := a.segs[it.pos].to; i < len(a.tokens) && slices.Contains([]string{"are", "were", "是"}, a.tokens[i].Text) && !a.asksAt(i) && a.label == a.r.doers() {
				return why
			}
		}
	}
	return ""
}

// heads: the comedies that a director's actors were in are no actors, and those
// actors of a director who were in most films may have been in others' too.
func (a *assembly) heads() string {
	for i, it := range a.items { // the Toy Story films
		if it.kind == iLink && a.isTitle(&it) && len(it.links.mentions) == 1 && i+1 < len(a.items) && a.items[i+1].kind == iNoun && a.items[i+1].term.Plural && a.items[i+1].pos == it.pos+1 && a.items[i+1].term.Label == a.deed() && a.language == "en" {
			return "one film, or all that are called so?"
		}
	}
	for i, it := range a.items { // films in different languages
		if it.kind == iProp && i > 0 && a.language == "en" && it.pos > 0 && a.segs[it.pos-1].mention == nil && a.segs[it.pos-1].has(In) && a.items[i-1].kind == iNoun && a.inTarget(it.term) {
			return "what about it is asked?"
		}
	}
	if a.label != a.r.doers() {
		return ""
	}
	if a.language == "en" {
		return a.headsEn()
	}
	for i, it := range a.items {
		if it.kind != iLink || i == 0 {
			continue
		}
		person := a.r.slotOf(it.links.mentions[0], a.label, "") != nil
		last := i == len(a.items)-1
		asked := a.items[i-1].kind == iAsk && a.items[i-1].pos == it.pos-1 && strings.ContainsAny(a.words(a.items[i-1]), "哪什几多")
		switch of := a.segs[it.pos].from - 1; {
		case !person && !a.isTitle(&it) && asked && (last || a.items[i+1].kind != iNoun && a.items[i+1].kind != iAgent), // 演过哪些喜剧
			!person && !a.isTitle(&it) && last && a.tokens[of].Text == "的" && a.items[i-1].kind == iVerb: // 演过的喜剧
			return "the people, or what they did?"
		case person && strings.HasPrefix(a.f.Order, "count ") && a.items[i-1].kind == iOrder && a.tokens[of].Text == "的":
			return "the most of all, or of these?"
		}
	}
	return ""
}

// headsEn refuses "which comedies did X's actors act in", in which comedies are
// asked for, and "who acted in ⟨film⟩ and directed a film", which isn't that film.
func (a *assembly) headsEn() string {
	verb, film := false, false
	for i, it := range a.items {
		switch {
		case it.kind == iVerb && verb && film && len(a.roles) > 1:
			return "in the same one?"
		case it.kind == iAgent && i > 0 && (a.items[i-1].kind == iLink || a.items[i-1].kind == iNoun) && it.pos > 0 && a.segs[it.pos-1].mention == nil && a.segs[it.pos-1].has(With) && a.asked(AskWho) == nil: // comedies with directors
			return "the people, or what they did?"
		case it.kind == iVerb:
			verb = true
		case it.kind == iLink && a.isTitle(&it):
			film = film || verb
		case it.kind == iLink && i > 0 && a.items[i-1].kind == iAsk && a.items[i-1].term.Kind == AskList && a.r.slotOf(it.links.mentions[0], a.label, "") == nil &&
			(i+1 == len(a.items) || a.items[i+1].kind != iNoun && a.items[i+1].kind != iAgent && (a.items[i+1].kind != iLink || a.r.slotOf(a.items[i+1].links.mentions[0], a.label, "") != nil)):
			return "the people, or what they did?"
		}
	}
	return ""
}

// numberTitles: who directed 1917 asks for a film, not for that year's.
func (a *assembly) numberTitles() string {
	l, p, ok := a.r.timeProp(nil)
	film := slices.ContainsFunc(a.items, func(it item) bool { return it.kind == iNoun && it.term.Label == l })
	if !ok || film || l != a.deed() {
		return ""
	}
	for _, c := range a.f.Conds {
		if c.Label != l || c.What != p || c.Op != "=" || len(c.Slots) != 1 || strings.HasPrefix(a.question[min(c.Slots[0].End, len(a.question)):], "年") {
			continue
		}
		for _, n := range a.r.linker.Names(fmt.Sprint(c.Slots[0].Value)) {
			if n.Label == l && n.Property == a.r.glossary.Labels[l].Key {
				return "a year, or a title?"
			}
		}
	}
	return ""
}

// quantifies reports whether the "all" at a token is of something other than
// what is asked for.
func (a *assembly) quantifies(at int) bool {
	if at+1 < len(a.tokens) && a.tokens[at+1].Text == "time" { // of all time
		return false
	}
	for _, it := range a.items {
		if it.pos >= len(a.segs) || a.segs[it.pos].from < at {
			continue
		}
		switch it.kind {
		case iLink:
			continue
		case iNoun:
			return it.term.Label == a.deed()
		case iAsk, iAgent, iProp, iGroup, iOrder, iLimit:
			return false
		}
		if a.language == "zh" { // 所有演过喜剧的演员
			return false
		}
	}
	return true
}

// insideAsk reports whether the token at i is part of the words that ask: who
// all, 都是谁.
func (a *assembly) insideAsk(i int) bool {
	return slices.ContainsFunc(a.segs, func(s segment) bool {
		return s.from <= i && i < s.to && slices.ContainsFunc([]Kind{AskList, AskWho, AskCount, AskProp, AskWhen, AskWhere}, s.has)
	})
}

// asksAt reports whether what begins at token i asks: 都谁, 都有谁, 都是哪些.
func (a *assembly) asksAt(i int) bool {
	for i < len(a.tokens) && (a.tokens[i].Text == "是" || a.tokens[i].Text == "有") {
		i++
	}
	return i < len(a.tokens) && a.insideAsk(i)
}

// namedPlaces is how many conditions are of something named that was done or
// whose doing it was: both films, both people.
func (a *assembly) namedPlaces() int {
	n := 0
	for _, c := range a.f.Conds {
		n += b2i(len(c.Slots) > 0 && (c.named() || len(c.Rel) > 0))
	}
	return n
}
