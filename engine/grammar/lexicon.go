package grammar

import (
	"maps"
	"precedent/engine/meaning"
	"slices"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/text"
)

// Categories of words that come from a graph, or from how numbers and days are written.
const (
	catNoun   category = "noun"  // *meaning.Set
	catNouns  category = "nouns" // of several
	catAgent  category = "agent" // verb: who does it, as a noun
	catAgents category = "agents"
	catVerb   category = "verb"   // verb, its doer before it
	catDoneBy category = "doneby" // verb, its doer behind it
	catDoing  category = "doing"  // verb: living in
	catBeing  category = "being"  // verb: supplied from, said of the one before it
	catProp   category = "prop"   // property
	catNumb   category = "numeric"
	catDate   category = "date"
	catFlag   category = "flag"  // property that is true or false, as a word for what it is true of
	catAsk    category = "ask"   // property, as a question word: how long
	catMore   category = "more"  // grade
	catMost   category = "most"  // grade
	catUnit   category = "unit"  // unit
	catEvent  category = "event" // event
	catName   category = "name"  // *meaning.Set: a value that the question names
	catNumber category = "number"
	catYear   category = "year"   // period
	catPeriod category = "period" // period: a day, a month, a decade, a year
	catText   category = "text"   // string: a quotation
	catMark   category = "mark"
)

// lexical are the categories that a question's words can have without a line in a
// grammar file.
var lexical = []category{catNoun, catNouns, catAgent, catAgents, catVerb, catDoneBy, catDoing, catBeing, catProp, catNumb, catDate, catFlag, catAsk, catMore, catMost, catUnit, catEvent,
	catName, catNumber, catYear, catPeriod, catText}

// lexicon are the words of a graph in a language.
func lexiconOf(g *reading.Glossary, s *schema, language string) (*phrases, error) {
	p := newPhrases()
	var failed error
	put := func(ws []string, c category, v any) {
		for _, w := range ws {
			if err := p.add(w, c, v); err != nil && failed == nil {
				failed = err
			}
		}
	}
	for label, w := range inOrder(g.Labels) {
		if !s.hasLabel(label) {
			continue
		}
		put(w.One[language], catNoun, setOf(label))
		put(w.Many[language], catNouns, setOf(label))
		put(w.Measure[language], "mw", nil)
	}
	for rel, w := range inOrder(g.Relationships) {
		for _, pair := range s.pairs(rel, w.From, w.To) {
			v := verb{rel, pair.Start, pair.End}
			put(w.Agent[language], catAgent, v)
			put(w.Agents[language], catAgents, v)
			put(w.Verb[language], catVerb, v)
			put(w.Participle[language], catDoneBy, v)
			if language == "en" {
				for _, said := range w.Verb[language] {
					doing, being, by := forms(said)
					put(doing, catDoing, v)
					put(being, catBeing, v)
					put(by, catDoneBy, v)
				}
			}
		}
	}
	for name, w := range inOrder(g.Properties) {
		label, prop, _ := strings.Cut(name, ".")
		typ := s.typeOf(label, prop)
		if typ == "" {
			continue
		}
		pr := property{label, prop, typ}
		put(w.Noun[language], catProp, pr)
		switch {
		case isNumber(typ):
			put(w.Noun[language], catNumb, pr)
		case isDay(typ):
			put(w.Noun[language], catDate, pr)
			put(eventWords(prop, language), catEvent, event{day: pr})
		case typ == "BOOLEAN":
			put(w.Noun[language], catFlag, pr)
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
	for _, w := range inOrder(g.Events) {
		e := event{s.property(w.Date), s.property(w.Year), s.property(w.Place)}
		if e.day.name == "" {
			e.day = e.year
		}
		if e.day.name != "" {
			put(w.Words[language], catEvent, e)
		}
	}
	return p, failed
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
	if slices.Contains(all[2:], first) { // a past form, which is the participle of all but a few verbs
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

// eventWords are the verbs in the name of a property that is a day: orderedAt, hire date,
// paid_on. A name of another kind says nothing of what happened.
func eventWords(prop, language string) []string {
	if language != "en" {
		return nil
	}
	said := strings.Fields(reading.Spoken(prop))
	if len(said) != 2 {
		return nil
	}
	switch said[1] {
	case "at", "on", "date", "day", "time", "year":
	default:
		return nil
	}
	forms := reading.VerbForms(said[0])
	if len(forms) < 3 { // no verb, or one whose past isn't known
		return nil
	}
	return forms[2:]
}

// inOrder are the entries of a map by key: nothing hangs on the order of a map.
func inOrder[V any](m map[string]V) func(func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
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
	rels  map[string]reading.RelWords
}

func schemaOf(s *store.Schema, g *reading.Glossary) *schema {
	out := &schema{Schema: s, types: map[string]string{}, count: map[string]int64{}, keys: map[string]string{}, years: map[string]string{}, parts: map[string]string{}, rels: g.Relationships}
	for _, l := range s.Labels {
		out.count[l.Name] = l.Count
		days := []string{}
		for _, p := range l.Properties {
			out.types[l.Name+"."+p.Name] = p.Type
			if isDay(p.Type) {
				days = append(days, p.Name)
			}
		}
		w := g.Labels[l.Name]
		out.keys[l.Name], out.years[l.Name] = w.Key, w.Year
		if w.Year == "" && len(days) == 1 {
			out.years[l.Name] = days[0]
		}
	}
	for name, w := range inOrder(g.Properties) {
		out.parts[name] = w.Parts
	}
	for _, t := range s.Types {
		for _, p := range t.Properties {
			out.types[t.Name+"."+p.Name] = p.Type
		}
	}
	return out
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
// labels do it together, the one of more nodes. A glossary's own pair comes alone.
func (s *schema) pairs(rel, from, to string) []store.Relation {
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

// spokenKey is how a word is looked up.
func spokenKey(s string) string { return text.KeyOf(s) }

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
func (s *schema) joins(from, to, prep string) (out []meaning.Role) {
	var marked []meaning.Role
	add := func(rel string, back bool) {
		role := meaning.Role{Steps: []meaning.Step{{Type: rel, Back: back}}}
		if slices.ContainsFunc(out, func(r meaning.Role) bool { return r.Exact() == role.Exact() }) {
			return
		}
		out = append(out, role)
		w := s.rels[rel]
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
	return out
}
