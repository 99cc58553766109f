package reading

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/text"
	"precedent/store/written"
)

// Held are the mistakes that glossaries have when they are held against the schema
// that they are for, and their words against each other: each with its place and what to do.
// A hidden name is known; of a schema that was read in part, one that is missing is no
// mistake. A nil schema leaves names alone.
func Held(files []GlossaryFile, s *store.Schema) written.Mistakes {
	names := schemaNamesOf(s)
	var found written.Mistakes
	words := spoken{closed: closedWords(), first: make(map[sense]meant), things: make(map[[2]string]meant)}
	for _, f := range files {
		h := holding{names: names, f: f, words: &words}
		h.labels()
		h.relationships()
		h.properties()
		h.events()
		h.conditions()
		h.absent()
		h.rest()
		found = append(found, h.found...)
	}
	return found.InOrder()
}

// A holding of one file against the schema.
type holding struct {
	names *schemaNames
	f     GlossaryFile
	words *spoken
	found written.Mistakes
}

func (h *holding) add(level written.Level, path []any, cure, what string, args ...any) {
	if !h.found.Full() {
		h.found = append(h.found, h.f.Doc.At(path...).At(level, cure, what, args...))
	}
}

// idle adds an entry that does nothing; at is the place of its key.
func (h *holding) idle(path []any, cure, what string, args ...any) {
	if !h.found.Full() {
		h.found = append(h.found, h.f.Doc.KeyAt(path...).At(written.Idle, cure, what, args...))
	}
}

// wordless is idle for an entry without words, but for one in which a mistake stands
// already, which may be where they are.
func (h *holding) wordless(path []any, cure, what string, args ...any) {
	if !slices.ContainsFunc(h.f.wrong, func(m written.Mistake) bool { return h.f.Doc.Holds(m.Place, path...) }) {
		h.idle(path, cure, what, args...)
	}
}

// missing adds a name that the graph lacks.
func (h *holding) missing(path []any, what, name, near, there string) {
	cure := there
	if near != "" {
		cure = "did you mean " + near + "?"
	}
	at := h.f.Doc.At(path...)
	if path[len(path)-1] == name { // it is a key
		at = h.f.Doc.KeyAt(path...)
	}
	if !h.found.Full() {
		h.found = append(h.found, at.At(written.Idle, cure, "the graph has no %s %s", what, name))
	}
}

// label reports whether there is a label, and else adds that there isn't.
func (h *holding) label(name string, path ...any) bool {
	if name == "" || h.names.label(name) || h.found.Full() {
		return name != ""
	}
	there := "it has " + few(h.names.labels)
	if h.names.isType(name) {
		there = fmt.Sprintf("%s is a relationship type; name the label at its end", name)
	}
	h.missing(path, "label", name, text.Nearest(name, h.names.labels), there)
	return false
}

// property reports whether there is Owner.property, what it is, and else adds that
// there isn't; nil is one that nobody knows, as it is hidden.
func (h *holding) property(name string, path ...any) (*store.Property, bool) {
	owner, key, ok := strings.Cut(name, ".")
	if !ok { // said already
		return nil, false
	}
	p, known := h.names.property(owner, key)
	if known || h.found.Full() {
		return p, known
	}
	if own := h.names.owned[owner]; own != nil || h.names.label(owner) || h.names.isType(owner) {
		near := text.Nearest(key, own)
		if near != "" {
			near = owner + "." + near
		}
		h.missing(path, "property", name, near, owner+" has "+few(own))
		return nil, false
	}
	near := text.Nearest(owner, slices.Concat(h.names.labels, h.names.types))
	if near != "" {
		near += "." + key
	}
	h.missing(path, "label or type", owner, near, "it has "+few(slices.Concat(h.names.labels, h.names.types)))
	return nil, false
}

func (h *holding) labels() {
	for name, w := range InOrder(h.f.Labels) {
		at := []any{"labels", name}
		switch {
		case h.names.label(name):
		case h.names.isType(name):
			h.idle(at, "write it under relationships", "%s is a relationship type", name)
			continue
		default:
			h.label(name, at...)
			continue
		}
		for key, prop := range InOrder(map[string]string{"key": w.Key, "year": w.Year, "earns": w.Earns, "top": w.Top}) {
			path := append(slices.Clone(at), key)
			if _, bare, dotted := strings.Cut(prop, "."); dotted {
				h.add(written.Idle, path, "write "+bare, "%s is a property of %s already, without the label before it", key, name)
				continue
			}
			if prop == "" {
				continue
			}
			p, known := h.property(name+"."+prop, path...)
			switch {
			case !known || p == nil:
			case key == "year" && !isYearly(p):
				h.add(written.Idle, path, "name a property that holds years or dates", "%s.%s is of type %s, no year", name, prop, p.Type)
			case (key == "top" || key == "earns") && !isRanked(p):
				h.add(written.Idle, path, "name one that holds numbers", "%s.%s is of type %s, which has no most", name, prop, p.Type)
			}
		}
		nouns := h.phrases(w.One, senses{group: "noun", of: name}, "labels", name, "one") + h.phrases(w.Many, senses{group: "noun", of: name, again: true}, "labels", name, "many")
		h.phrases(w.Measure, senses{}, "labels", name, "measure")
		if nouns == 0 {
			h.wordless(at, "write one: {en: […], zh: […]}", "%s has no words, so nobody can ask for it", name)
		}
	}
}

func (h *holding) relationships() {
	for name, w := range InOrder(h.f.Relationships) {
		at := func(key string) []any { return []any{"relationships", name, key} }
		switch {
		case h.names.isType(name):
		case h.names.label(name):
			h.idle([]any{"relationships", name}, "write it under labels", "%s is a label", name)
			continue
		case h.found.Full():
			continue
		default:
			h.missing([]any{"relationships", name}, "relationship type", name, text.Nearest(name, h.names.types), "it has "+few(h.names.types))
			continue
		}
		from, to := h.label(w.From, at("from")...), h.label(w.To, at("to")...)
		if from && to {
			h.ends(name, w)
		}
		if w.Role != "" && h.label(w.Role, at("role")...) && !h.names.starts(w.Role, name) {
			h.add(written.Idle, at("role"), "leave role out, or name the label of those who do it", "no %s does %s", w.Role, name)
		}
		deed := name
		for key, ws := range InOrder(map[string]Words{"verb": w.Verb, "participle": w.Participle}) {
			h.phrases(ws, senses{group: key, within: w.From + " → " + w.To, of: deed}, "relationships", name, key)
		}
		h.phrases(w.Agent, senses{group: "agent", within: w.To, of: deed}, "relationships", name, "agent")
		h.phrases(w.Agents, senses{group: "agent", within: w.To, of: deed, again: true}, "relationships", name, "agents")
		h.phrases(w.Portray, senses{}, "relationships", name, "portray")
		h.phrases(w.Work, senses{}, "relationships", name, "work")
	}
}

// ends sees that a relationship leads from its first label to its second.
func (h *holding) ends(name string, w RelWords) {
	if h.names.leads(w.From, name, w.To) || h.names.schema == nil || h.names.schema.Sampled {
		return
	}
	path := []any{"relationships", name, "from"}
	if h.names.leads(w.To, name, w.From) {
		h.add(written.Idle, path, fmt.Sprintf("write from: %s and to: %s", w.To, w.From), "%s is turned round: it leads from %s to %s", name, w.To, w.From)
		return
	}
	var lead []string
	for _, r := range h.names.schema.Relationships {
		if r.Type == name {
			lead = append(lead, r.Start+" to "+r.End)
		}
	}
	if len(lead) > 0 {
		h.add(written.Idle, path, "it leads from "+few(lead), "no %s leads from %s to %s", name, w.From, w.To)
	}
}

func (h *holding) properties() {
	for name, w := range InOrder(h.f.Properties) {
		p, known := h.property(name, "properties", name)
		if !known {
			continue
		}
		at := func(key string) []any { return []any{"properties", name, key} }
		owner, _, _ := strings.Cut(name, ".")
		n := 0
		for key, ws := range InOrder(map[string]Words{"noun": w.Noun, "ask": w.Ask, "tail": w.Tail}) {
			n += h.phrases(ws, senses{group: key, within: owner, of: name}, "properties", name, key)
		}
		ranked := 0
		for _, pair := range []struct {
			key, group string
			Words
		}{{"more", "compare", w.More}, {"less", "compare", w.Less}, {"most", "rank", w.Most}, {"least", "rank", w.Least}} {
			of := h.phrases(pair.Words, senses{group: pair.group, within: owner, of: name + " (" + pair.key + ")"}, "properties", name, pair.key)
			if of > 0 && p != nil && !isRanked(p) {
				h.idle(at(pair.key), "leave it out", "%s is of type %s, of which none is more than another", name, p.Type)
			}
			ranked += of
		}
		for i, u := range w.Units {
			h.unit(name, owner, i, u, p)
		}
		if w.Parts != "" && p != nil {
			h.parts(name, w.Parts, p)
		}
		if n+ranked+len(w.Units) == 0 && w.Parts == "" {
			h.wordless([]any{"properties", name}, "write noun: {en: […], zh: […]}", "%s has no words, so nobody can ask for it", name)
		}
	}
}

func (h *holding) unit(name, owner string, i int, u Unit, p *store.Property) {
	path := []any{"properties", name, "units", i, "factor"}
	if there := h.f.Doc.At(path...) != h.f.Doc.At(path[:4]...); there && u.Factor <= 0 {
		h.add(written.Wrong, path, "write how much of the property's own unit one is, such as 60 for hours of minutes", "a unit of %s has the factor %v", name, u.Factor)
	}
	n := h.phrases(u.Words, senses{group: "unit", within: owner, of: fmt.Sprintf("%s × %v", name, u.Factor)}, "properties", name, "units", i, "words")
	switch {
	case n == 0:
		h.add(written.Idle, path[:4], "write words: {en: [hours]}", "a unit of %s has no words", name)
	case p != nil && !isNumber(p) && p.Type != "DURATION":
		h.add(written.Idle, path[:4], "leave it out", "%s is of type %s, which has no units", name, p.Type)
	}
}

// parts sees that the values of a property have the separator.
func (h *holding) parts(name, separator string, p *store.Property) {
	path := []any{"properties", name, "parts"}
	texts := *p
	if p.Items != nil {
		texts = *p.Items
	}
	switch {
	case texts.Type != "STRING":
		h.add(written.Idle, path, "leave it out", "%s is of type %s, which has no parts", name, p.Type)
	case len(texts.Samples) > 0 && !slices.ContainsFunc(texts.Samples, func(v any) bool { s, _ := v.(string); return strings.Contains(s, separator) }) && texts.Lists():
		h.add(written.Idle, path, "write what stands between the parts, in quotes, or leave it out", "no %s has %q in it", name, separator)
	}
}

func (h *holding) events() {
	for name, w := range InOrder(h.f.Events) {
		at := []any{"events", name}
		for key, of := range InOrder(map[string]string{"date": w.Date, "year": w.Year, "place": w.Place}) {
			if of == "" {
				continue
			}
			path := append(slices.Clone(at), key)
			p, known := h.property(of, path...)
			switch {
			case !known || p == nil:
			case key == "date" && !isDate(p):
				h.add(written.Idle, path, "name one that holds dates, or write it under year or place", "%s is of type %s, no date", of, p.Type)
			case key == "year" && !isYearly(p):
				h.add(written.Idle, path, "name one that holds years", "%s is of type %s, no year", of, p.Type)
			case key == "place" && p.Type != "STRING" && p.Type != "LIST<STRING>" && p.Type != "ANY":
				h.add(written.Idle, path, "name one that holds texts", "%s is of type %s, no place", of, p.Type)
			}
		}
		if w.Date+w.Year+w.Place == "" {
			h.idle(at, "write date, year or place", "the event %s has neither date, year nor place", name)
		}
		if h.phrases(w.Words, senses{group: "event", of: name}, "events", name, "words") == 0 {
			h.wordless(at, "write words: {en: […], zh: […]}", "the event %s has no words", name)
		}
	}
}

func (h *holding) conditions() {
	for name, w := range InOrder(h.f.Conditions) {
		at := []any{"conditions", name}
		of := h.label(w.Label, "conditions", name, "label")
		for i, p := range w.Properties {
			h.property(p, "conditions", name, "properties", i)
		}
		for i, rel := range w.Relations {
			if !h.names.isType(rel) {
				h.missing([]any{"conditions", name, "relations", i}, "relationship type", rel, text.Nearest(rel, h.names.types), "it has "+few(h.names.types))
			}
		}
		for key, p := range InOrder(map[string]string{"has": w.Has, "lacks": w.Lacks}) {
			if p == "" {
				continue
			}
			_, known := h.property(p, "conditions", name, key)
			if owner, _, _ := strings.Cut(p, "."); known && of && !h.names.meet(w.Label, owner) {
				h.add(written.Idle, []any{"conditions", name, key}, "name a property of "+w.Label, "%s is no property of %s, of which it is said", p, w.Label)
			}
		}
		switch {
		case w.Has != "" && w.Has == w.Lacks:
			h.add(written.Idle, []any{"conditions", name, "lacks"}, "leave one of them out", "nothing both has and lacks %s", w.Has)
		case len(w.Properties)+len(w.Relations) == 0 && w.Has+w.Lacks == "":
			h.idle(at, "write properties, relations, has or lacks", "%s says nothing of the query", name)
		}
		if h.phrases(w.Words, senses{group: "condition", within: w.Label, of: name}, "conditions", name, "words") == 0 {
			h.wordless(at, "write words: {en: […], zh: […]}", "the condition %s has no words", name)
		}
	}
}

func (h *holding) absent() {
	for name, w := range InOrder(h.f.Absent) {
		at := []any{"absent", name}
		if h.phrases(w.Words, senses{group: "absent", of: name}, "absent", name, "words") == 0 {
			h.wordless(at, "write words: {en: […], zh: […]}", "%s has no words, so nobody can ask for it", name)
		}
		if len(w.Say) == 0 {
			h.idle(at, "write say: {en: …, zh: …}", "%s lacks say, how the answer is to name it", name)
		}
	}
}

// rest are the examples and the further linkable properties.
func (h *holding) rest() {
	h.phrases(h.f.Examples, senses{long: true}, "examples")
	seen := make(map[string]bool)
	for i, name := range h.f.Linkable {
		p, known := h.property(name, "linkable", i)
		switch {
		case seen[name]:
			h.add(written.Idle, []any{"linkable", i}, "keep one", "%s is here twice", name)
		case known && p != nil && p.Type != "STRING" && p.Type != "LIST<STRING>" && p.Type != "ANY":
			h.add(written.Idle, []any{"linkable", i}, "leave it out", "%s is of type %s, and only texts are named", name, p.Type)
		}
		seen[name] = true
	}
}

// isDate reports whether the values of a property have a date, or look like it.
func isDate(p *store.Property) bool {
	return p.Type == "ANY" || strings.HasPrefix(p.Type, "DATE") || strings.Contains(p.Type, "DATETIME") || p.Type == "STRING" && isMoments(p)
}

// isYearly reports whether they may be years.
func isYearly(p *store.Property) bool { return p.Type == "INTEGER" || isDate(p) }

func isNumber(p *store.Property) bool {
	return p.Type == "INTEGER" || p.Type == "FLOAT" || p.Type == "ANY"
}

// isRanked reports whether one of them may be more than another.
func isRanked(p *store.Property) bool {
	return isNumber(p) || isDate(p) || p.Type == "DURATION" || strings.Contains(p.Type, "TIME")
}

// isMoments reports whether texts look like dates.
func isMoments(p *store.Property) bool {
	const most = .9
	return p.Looks.Share(text.MomentLook) >= most
}

// fewNames is how many names stand in a cure.
const fewNames = 8

func few(names []string) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > fewNames:
		return strings.Join(names[:fewNames], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
