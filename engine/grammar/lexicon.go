package grammar

import (
	"slices"
	"strings"

	"precedent/engine/meaning"
	"precedent/engine/reading"
	"precedent/store"
)

// Categories of words that come from a graph, or from how numbers and days are written.
const (
	catNoun    category = "noun"  // *meaning.Set
	catNouns   category = "nouns" // of several
	catAgent   category = "agent" // verb: who does it, as a noun
	catAgents  category = "agents"
	catVerb    category = "verb"     // verb, its doer before it
	catDoneBy  category = "doneby"   // verb, its doer behind it
	catDoing   category = "doing"    // verb: living in
	catPast    category = "pastverb" // verb: placed
	catBeing   category = "being"    // verb: supplied from, said of the one before it
	catProp    category = "prop"     // property
	catNumb    category = "numeric"
	catDate    category = "date"
	catFlagNot category = "unflag" // property that is true or false, as a word for what it isn't true of
	catValue   category = "value"  // *meaning.Set: a value of a category, by a common word
	catFlag    category = "flag"   // property that is true or false, as a word for what it is true of
	catAsk     category = "ask"    // property, as a question word: how long
	catMore    category = "more"   // grade
	catMost    category = "most"   // grade
	catUnit    category = "unit"   // unit
	catEvent   category = "event"  // event
	catName    category = "name"   // *meaning.Set: a value that the question names
	catNumber  category = "number"
	catYear    category = "year"   // period
	catPeriod  category = "period" // period: a day, a month, a decade, a year
	catText    category = "text"   // string: a quotation
	catMark    category = "mark"
)

// lexical are the categories that a question's words can have without a line in a
// grammar file.
var lexical = []category{catNoun, catNouns, catAgent, catAgents, catVerb, catDoneBy, catDoing, catPast, catBeing, catProp, catNumb, catDate, catFlag, catFlagNot, catValue, catAsk, catMore, catMost, catUnit, catEvent,
	catName, catNumber, catYear, catPeriod, catText}

// lexiconOf are the words of a graph in a language.
func lexiconOf(g *reading.Glossary, s *schema, l *language) *phrases {
	language := l.name
	p := newPhrases()
	put := func(ws []string, c category, v any) {
		for _, w := range ws {
			_ = p.add(w, c, v) // a phrase that can't be one is the glossary's mistake, and told as such
		}
	}
	for label, w := range reading.InOrder(g.Labels) {
		if !s.hasLabel(label) {
			continue
		}
		put(w.One[language], catNoun, setOf(label))
		put(w.Many[language], catNouns, setOf(label))
		put(w.Measure[language], "mw", nil)
	}
	for rel, w := range reading.InOrder(g.Relationships) {
		for _, pair := range s.pairs(rel) {
			v := verb{rel, pair.Start, pair.End, false}
			put(w.Agent[language], catAgent, v)
			put(w.Agents[language], catAgents, v)
			put(w.Verb[language], catVerb, v)
			put(w.Participle[language], catDoneBy, v)
			if language == "en" {
				for _, said := range w.Verb[language] {
					if past := reading.Pasts(said); len(past) > 0 { // driven by, of DRIVES
						put([]string{past[len(past)-1] + " by"}, catDoneBy, v)
						put(past[len(past)-1:], catPast, v)
					}
					doing, being, by := forms(said)
					put(doing, catDoing, v)
					put(being, catBeing, v)
					put(by, catDoneBy, v)
					for _, b := range by {
						put([]string{strings.TrimSuffix(b, " by")}, catPast, v)
					}
					put(active(said), catVerb, verb{rel, pair.End, pair.Start, true})
				}
			}
		}
	}
	for name, w := range reading.InOrder(g.Properties) {
		label, prop, _ := strings.Cut(name, ".")
		typ := s.typeOf(label, prop)
		if typ == "" {
			continue
		}
		pr := property{label, prop, typ}
		nouns := w.Noun[language]
		for _, n := range nouns { // weight kg: weight
			for _, u := range l.affixes["unit"] {
				if stem, ok := strings.CutSuffix(n, " "+u); ok {
					nouns = append(slices.Clip(nouns), stem)
				}
			}
		}
		w.Noun = reading.Words{language: nouns}
		put(nouns, catProp, pr)
		switch {
		case isNumber(typ):
			put(w.Noun[language], catNumb, pr)
		case isDay(typ):
			put(w.Noun[language], catDate, pr)
			if !s.told[name] {
				put(l.eventWords(prop), catEvent, event{day: pr})
			}
		case typ == "BOOLEAN":
			put(w.Noun[language], catFlag, pr)
			for _, not := range l.affixes["not"] {
				for _, said := range w.Noun[language] {
					put([]string{not + said}, catFlagNot, pr)
				}
			}
		}
		if isNumber(typ) {
			for _, sc := range l.scales {
				if slices.ContainsFunc(sc.of, func(of string) bool { return isCalled(prop, of) }) {
					put([]string{sc.more}, catMore, grade{pr, sc.down})
					put([]string{sc.most}, catMost, grade{pr, sc.down})
				}
			}
		}
		put(w.Ask[language], catAsk, pr)
		put(trimThan(w.More[language]), catMore, grade{pr, false})
		put(trimThan(w.Less[language]), catMore, grade{pr, true})
		put(w.Most[language], catMost, grade{pr, false})
		put(w.Least[language], catMost, grade{pr, true})
		for _, u := range w.Units {
			put(u.Words[language], catUnit, unit{pr, u.Factor})
		}
	}
	for _, w := range reading.InOrder(g.Events) {
		e := event{s.property(w.Date), s.property(w.Year), s.property(w.Place)}
		if e.day.name == "" {
			e.day = e.year
		}
		if e.day.name != "" {
			put(w.Words[language], catEvent, e)
		}
	}
	return p
}

// forms are what else an English verb of a glossary is said like: living in, as "that
// live in"; supplied from, where the thing itself is; placed by, of what it is done to.
func forms(said string) (doing, being, by []string) {
	first, rest, behind := strings.Cut(said, " ")
	all := reading.VerbForms(first)
	if len(all) < 2 {
		return nil, nil, nil
	}
	for _, ing := range reading.Continuous(all[0]) {
		doing = append(doing, strings.TrimSpace(ing+" "+rest))
	}
	if slices.Contains(reading.Pasts(first), first) { // a past form, which is the participle of all but a few verbs
		if behind {
			being = append(being, said)
		} else {
			by = append(by, said+" by")
		}
	}
	return doing, being, by
}

// trimThan takes the "than" off, which the grammar has.
func trimThan(words []string) []string {
	var out []string
	for _, w := range words {
		w = strings.TrimSuffix(w, " than")
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// eventWords are what happens on the day that a property tells, by its name: orderedAt,
// hire date, last patched, 入院日期. A name of another kind says nothing of it.
func (l *language) eventWords(prop string) []string {
	name := reading.Spoken(prop)
	for _, affix := range l.affixes["day"] {
		if l.name != "en" {
			if stem, ok := strings.CutSuffix(prop, affix); ok && stem != "" {
				return []string{stem}
			}
			continue
		}
		if stem, ok := strings.CutSuffix(name, " "+affix); ok {
			if past := reading.Pasts(stem); len(past) > 0 {
				return past
			}
			if !strings.Contains(stem, " ") { // due
				return []string{stem}
			}
		}
	}
	if l.name == "en" {
		for word := range strings.FieldsSeq(name) {
			if slices.Contains(reading.Pasts(word), word) {
				return []string{word}
			}
		}
	}
	return nil
}

// isCalled reports whether a property's name has a word: unitPrice of price.
func isCalled(prop, word string) bool {
	if strings.IndexFunc(word, func(r rune) bool { return r >= 0x80 }) >= 0 {
		return strings.Contains(prop, word)
	}
	return slices.Contains(strings.Fields(reading.Spoken(prop)), word)
}

// active are the forms of the verb in a type that says what is done to its start: of
// "carried by" carry, carries and carried.
func active(said string) []string {
	first, ok := strings.CutSuffix(said, " by")
	if !ok {
		return nil
	}
	return reading.VerbForms(first)
}

func isNumber(typ string) bool { return typ == "INTEGER" || typ == "FLOAT" }

func isDay(typ string) bool {
	return typ == "DATE" || typ == "LOCAL DATETIME" || typ == "ZONED DATETIME"
}

// A schema is what the grammar asks of a graph.
type schema struct {
	*store.Schema
	types map[string]string // Label.property → type
	count map[string]int64
	keys  map[string]string // label → the property that names its things
	years map[string]string // label → the property that a bare year means
	parts map[string]string // Label.property → what stands between its parts
	lacks map[string]bool   // Label.property that some of the label have no value of
	told  map[string]bool   // Label.property of the days that the glossary has events of
	rels  map[string]reading.RelWords
}

func schemaOf(s *store.Schema, g *reading.Glossary) *schema {
	out := &schema{Schema: s, types: map[string]string{}, count: map[string]int64{}, keys: map[string]string{}, years: map[string]string{}, parts: map[string]string{}, told: map[string]bool{}, lacks: map[string]bool{}, rels: g.Relationships}
	for _, l := range s.Labels {
		out.count[l.Name] = l.Count
		days := []string{}
		for _, p := range l.Properties {
			out.types[l.Name+"."+p.Name] = p.Type
			out.lacks[l.Name+"."+p.Name] = p.Present < l.Count || s.Sampled
			if isDay(p.Type) {
				days = append(days, p.Name)
			}
		}
		w := g.Labels[l.Name]
		out.keys[l.Name], out.years[l.Name] = w.Key, w.Year
		if w.Year == "" {
			out.years[l.Name] = ownDay(l.Name, days)
		}
	}
	for name, w := range reading.InOrder(g.Properties) {
		out.parts[name] = w.Parts
	}
	for _, w := range reading.InOrder(g.Events) {
		out.told[w.Date] = true
	}
	for _, t := range s.Types {
		for _, p := range t.Properties {
			out.types[t.Name+"."+p.Name] = p.Type
		}
	}
	return out
}

// isOnce reports whether, as far as the graph's counts tell, things of a label take a role
// but once: an order of two customers is none, so that "and" can't mean both.
func (s *schema) isOnce(label string, role meaning.Role) bool {
	var times int64
	for _, r := range s.Relationships {
		own := r.Start
		if role.Steps[0].Back {
			own = r.End
		}
		if r.Type == role.Steps[0].Type && s.fits(label, own) {
			times = max(times, r.Count)
		}
	}
	return times <= s.count[label]
}

// ownDay is the day that a bare period means of a label: its only one, or the only one
// that bears its name (the order date of an order); "" where there is none such.
func ownDay(label string, days []string) string {
	if len(days) == 1 {
		return days[0]
	}
	own := slices.DeleteFunc(slices.Clone(days), func(d string) bool { return !isCalled(d, reading.Spoken(label)) })
	if len(own) == 1 {
		return own[0]
	}
	return ""
}

func (s *schema) hasLabel(label string) bool { _, ok := s.count[label]; return ok }

// property is Label.property as the graph has it, the zero value where it doesn't.
func (s *schema) property(dotted string) property {
	label, name, _ := strings.Cut(dotted, ".")
	if typ := s.typeOf(label, name); typ != "" {
		return property{label, name, typ}
	}
	return property{}
}

func (s *schema) typeOf(owner, prop string) string { return s.types[owner+"."+prop] }

// fits reports whether things of a label can be of another, too.
func (s *schema) fits(label, owner string) bool {
	return label == owner || s.Meet([]string{label, owner})
}

// pairs are the labels that a type joins, the most general ones: where nodes of two
// labels do it together, the one of more nodes.
func (s *schema) pairs(rel string) []store.Relation {
	var out []store.Relation
	for _, r := range s.Relationships {
		if r.Type == rel {
			out = append(out, r)
		}
	}
	less := func(a, b string) bool { // a is a special b
		return a != b && s.Meet([]string{a, b}) && s.count[a] < s.count[b]
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(r store.Relation) bool {
		return slices.ContainsFunc(all, func(o store.Relation) bool {
			return (less(r.Start, o.Start) || r.Start == o.Start) && (less(r.End, o.End) || r.End == o.End) && o != r
		})
	})
}

// isKey reports whether a property names the things of a label.
func (s *schema) isKey(label, prop string) bool {
	if s.keys[label] == prop {
		return true
	}
	for _, l := range s.Labels {
		if l.Name != label {
			continue
		}
		for _, p := range l.Properties {
			if p.Name == prop {
				return p.Unique
			}
		}
	}
	return false
}

// joins are the relationships by which a thing of one label is joined to one of another:
// all of them, or those that the glossary has the preposition for, where it has it for any.
// A preposition that says where to or from is one of a type only that has such a word in
// its name: said are those words, none of a preposition that says nothing of that.
func (s *schema) joins(from, to, prep string, said []string) (out []meaning.Role) {
	var marked, unsaid []meaning.Role
	add := func(rel string, back bool) {
		role := meaning.Role{Steps: []meaning.Step{{Type: rel, Back: back}}}
		if slices.ContainsFunc(out, func(r meaning.Role) bool { return r.Exact() == role.Exact() }) {
			return
		}
		out = append(out, role)
		w := s.rels[rel]
		if said != nil && !(prep == "by" && back) && !slices.ContainsFunc(said, func(word string) bool { return isCalled(rel, word) }) {
			unsaid = append(unsaid, role)
		}
		if prep == "by" && w.By && back || prep == "with" && w.With && back || prep == "in" && w.In && !back {
			marked = append(marked, role)
		}
	}
	for _, r := range s.Relationships {
		if s.fits(from, r.Start) && s.fits(to, r.End) {
			add(r.Type, false)
		}
		if s.fits(from, r.End) && s.fits(to, r.Start) {
			add(r.Type, true)
		}
	}
	if len(marked) > 0 {
		return marked
	}
	return slices.DeleteFunc(out, func(r meaning.Role) bool {
		return slices.ContainsFunc(unsaid, func(u meaning.Role) bool { return u.Exact() == r.Exact() })
	})
}
