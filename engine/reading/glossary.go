package reading

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/text"
	"precedent/store/written"
)

// A Glossary maps the words of a domain to a graph's schema. People edit it as
// YAML; README.md describes each key.
type Glossary struct {
	Labels        map[string]LabelWords     `yaml:"labels" sample:"{Film: {one: {en: [film], zh: [电影]}, key: title}}" doc:"words for the nodes of a label"`
	Relationships map[string]RelWords       `yaml:"relationships" sample:"{DIRECTED: {from: Person, to: Film, verb: {en: [directed]}}}" doc:"words for a relationship type"`
	Properties    map[string]PropWords      `yaml:"properties" sample:"{Film.minutes: {noun: {en: [length]}}}" is:"property" form:"^[^.]+\\..+$" like:"Label.property or TYPE.property" doc:"words for a property"`
	Events        map[string]EventWords     `yaml:"events" sample:"{released: {words: {en: [released]}, date: Film.released}}" doc:"words for what has a date, a year or a place"`
	Conditions    map[string]ConditionWords `yaml:"conditions" sample:"{dead: {label: Person, words: {en: [dead]}, has: Person.died}}" doc:"words for a condition without a value"`
	Absent        map[string]AbsentWords    `yaml:"absent" sample:"{awards: {say: {en: awards}, words: {en: [oscar]}}}" doc:"what people ask for and the graph lacks"`
	Examples      Words                     `yaml:"examples" doc:"questions to offer, the best first"`
	Linkable      []string                  `yaml:"linkable" sample:"[Film.countries]" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"further properties whose values people name"`
}

// Words are phrases by language.
type Words map[string][]string

// Tags say how words are written.
func (Words) Tags() reflect.StructTag {
	return `sample:"{en: [film], zh: [电影]}" is:"language" form:"^(en|zh)$" like:"en or zh"`
}

// LabelWords are the words for the nodes of a label.
type LabelWords struct {
	One     Words  `yaml:"one" doc:"one of them: film, 电影"`
	Many    Words  `yaml:"many" doc:"several: films"`
	Measure Words  `yaml:"measure" doc:"the measure word: 部"`
	Key     string `yaml:"key" sample:"title" doc:"the property that names one"`
	Year    string `yaml:"year" sample:"year" doc:"the property that a bare year means"`
	Earns   string `yaml:"earns" sample:"revenue" doc:"the property that \"how much did it make\" means"`
	Top     string `yaml:"top" sample:"rating" doc:"the property that \"top\" means where nothing else is said"`
}

// Words returns every phrase for the label, in all languages.
func (w LabelWords) Words() []string {
	var out []string
	for _, ws := range []Words{w.One, w.Many} {
		for _, phrases := range InOrder(ws) {
			out = append(out, phrases...)
		}
	}
	return out
}

// RelWords are the words for a relationship type. Its doer is the start node.
type RelWords struct {
	From       string `yaml:"from" sample:"Person" need:"true" doc:"the label where it begins: who does it"`
	To         string `yaml:"to" sample:"Film" need:"true" doc:"the label where it ends"`
	Agent      Words  `yaml:"agent" doc:"who does it: director"`
	Agents     Words  `yaml:"agents" doc:"several: directors"`
	Verb       Words  `yaml:"verb" doc:"doer before: directed, 导演"`
	Portray    Words  `yaml:"portray" doc:"as verb, but what follows is a role: played"`
	Work       Words  `yaml:"work" doc:"doer before, whose labels decide: made, 拍"`
	Participle Words  `yaml:"participle" doc:"doer after: directed by, starring"`
	By         bool   `yaml:"by" doc:"\"films by X\" means it"`
	With       bool   `yaml:"with" doc:"\"films with X\" means it"`
	In         bool   `yaml:"in" doc:"\"X was in the film\" means it"`
	Role       string `yaml:"role" sample:"Director" doc:"the label of those who do it, if they have one of their own"`
}

// PropWords are the words for a property.
type PropWords struct {
	Noun  Words  `yaml:"noun" doc:"what it is called: runtime, 片长"`
	Ask   Words  `yaml:"ask" doc:"what asks for it: how long"`
	Tail  Words  `yaml:"tail" doc:"as ask, at the end of a question only: what is it about"`
	More  Words  `yaml:"more" doc:"longer"`
	Less  Words  `yaml:"less" doc:"shorter"`
	Most  Words  `yaml:"most" doc:"longest"`
	Least Words  `yaml:"least" doc:"shortest"`
	Units []Unit `yaml:"units" sample:"[{words: {en: [hours]}, factor: 60}]" doc:"words behind a number that name the property"`
	Parts string `yaml:"parts" sample:"', '" doc:"separator of the parts by which people name a value"`
}

// A Unit is a word behind a number that names the property.
type Unit struct {
	Words  Words   `yaml:"words"`
	Factor float64 `yaml:"factor" sample:"60" need:"true" doc:"how much of the property's own unit one is; above 0"`
}

// EventWords are the words for something that has a date or a place.
type EventWords struct {
	Words Words  `yaml:"words" doc:"released, born, 出生"`
	Date  string `yaml:"date" sample:"Film.released" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"the property that holds its date"`
	Year  string `yaml:"year" sample:"Film.year" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"the property that holds its year, where that is kept apart"`
	Place string `yaml:"place" sample:"Person.bornIn" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"the property that holds its place"`
	State bool   `yaml:"state" doc:"that it happened at all says something: died"`
}

// ConditionWords are words for a condition without a slot.
type ConditionWords struct {
	Label      string   `yaml:"label" sample:"Person" need:"true" doc:"the label it is said of"`
	Words      Words    `yaml:"words" doc:"profitable, 盈利"`
	Properties []string `yaml:"properties" sample:"[Film.revenue, Film.budget]" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"properties that the query must compare"`
	Relations  []string `yaml:"relations" sample:"[ACTED_IN, DIRECTED]" doc:"relationship types that it must follow"`
	Has        string   `yaml:"has" sample:"Person.died" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"the property that must have a value; nothing else is needed then"`
	Lacks      string   `yaml:"lacks" sample:"Person.died" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"the property that must have none"`
}

// AbsentWords are the words for something that the graph lacks.
type AbsentWords struct {
	Say   map[string]string `yaml:"say" sample:"{en: awards, zh: 获奖信息}" is:"language" form:"^(en|zh)$" like:"en or zh" doc:"how to name it"`
	Words Words             `yaml:"words"`
}

// A GlossaryFile is a glossary and where its entries stand.
type GlossaryFile struct {
	*Glossary
	Doc   *written.Doc
	wrong written.Mistakes // that were found when it was read
}

// ParseGlossary reads a glossary that stands in file. What is a mistake isn't in it;
// those that only a schema tells are found by [Held].
func ParseGlossary(file string, content []byte) (GlossaryFile, written.Mistakes) {
	f := GlossaryFile{Glossary: &Glossary{}}
	doc, wrong := written.Parse(file, content)
	f.Doc = doc
	f.wrong = append(wrong, doc.Into(f.Glossary)...).InOrder()
	return f, f.wrong
}

// GlossarySchema is the JSON Schema of glossary files.
func GlossarySchema() ([]byte, error) { return written.Schema("A glossary of Precedent", Glossary{}) }

// DefaultGlossary names everything by its own name, in every language: label
// Movie is "movie", type ACTED_IN is "acted in", property imdbRating is "imdb
// rating".
func DefaultGlossary(s *store.Schema) *Glossary {
	g := &Glossary{Labels: map[string]LabelWords{}, Relationships: map[string]RelWords{}, Properties: map[string]PropWords{}}
	for _, l := range s.Labels {
		one := Spoken(l.Name)
		w := LabelWords{One: everywhere(one), Many: everywhere(plurals(one)...)}
		for _, p := range l.Properties {
			g.Properties[l.Name+"."+p.Name] = PropWords{Noun: everywhere(Spoken(p.Name))}
		}
		w.Key = keyOf(l)
		g.Labels[l.Name] = w
	}
	size := make(map[string]int64)
	for _, l := range s.Labels {
		size[l.Name] = l.Count
	}
	for _, r := range s.Relationships { // the most general labels: a Person, not an Actor
		w, ok := g.Relationships[r.Type]
		if !ok {
			w = RelWords{From: r.Start, To: r.End, Verb: everywhere(verbs(Spoken(r.Type))...)}
		}
		if size[r.Start] > size[w.From] {
			w.From = r.Start
		}
		if size[r.End] > size[w.To] {
			w.To = r.End
		}
		g.Relationships[r.Type] = w
	}
	return g
}

// keyOf is the property that names the nodes of a label: of those that tell nearly all
// apart the one whose values look most like names, "" where none does.
func keyOf(l store.Label) (key string) {
	best := 0.0
	for _, p := range l.Properties {
		if p.Type != "STRING" || p.Present == 0 {
			continue
		}
		apart := 1.0
		if p.Distinct >= 0 {
			apart = float64(p.Distinct) / float64(p.Present)
		}
		score := apart * apart * apart * float64(p.Present) / float64(max(l.Count, p.Present)) * (2 + p.Looks.Share(text.NameLook) - numbered(p.Samples))
		if nameLike(p.Name) {
			score += 3
		}
		if n := strings.ToLower(p.Name); n == "id" || strings.HasSuffix(p.Name, "Id") || strings.HasSuffix(n, "_id") {
			score /= 2
		}
		if score > best && (apart > .5 || nameLike(p.Name)) {
			best, key = score, p.Name
		}
	}
	return key
}

// everywhere are words in all languages: names of a schema stand in any.
func everywhere(words ...string) Words {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return nil
	}
	all := Words{}
	for _, language := range languages {
		all[language] = slices.Clone(words)
	}
	return all
}

// InOrder are the entries of a map by key, so that nothing hangs on the map's own
// order: of words that two properties share, the first by name has them.
func InOrder[M ~map[string]V, V any](m M) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// Add lays o over g: entries of o replace those of the same name.
func (g *Glossary) Add(o *Glossary) {
	lay(&g.Labels, o.Labels)
	lay(&g.Relationships, o.Relationships)
	lay(&g.Properties, o.Properties)
	lay(&g.Events, o.Events)
	lay(&g.Conditions, o.Conditions)
	lay(&g.Absent, o.Absent)
	lay((*map[string][]string)(&g.Examples), o.Examples)
	for _, l := range o.Linkable {
		if !slices.Contains(g.Linkable, l) {
			g.Linkable = append(g.Linkable, l)
		}
	}
}

func lay[V any](to *map[string]V, from map[string]V) {
	if *to == nil {
		*to = make(map[string]V)
	}
	maps.Copy(*to, from)
}

// numbered is the share of values that are a word with a number in it: ks1, SO-1001.
func numbered(values []any) float64 {
	n := 0
	for _, v := range values {
		if s := fmt.Sprint(v); strings.ContainsAny(s, "0123456789") && !strings.Contains(s, " ") {
			n++
		}
	}
	return float64(n) / float64(max(len(values), 1))
}

// nameLike reports whether a property is called as what names things is.
func nameLike(property string) bool {
	p := strings.ToLower(property)
	return slices.ContainsFunc(irregulars().names, func(name string) bool { return strings.HasSuffix(p, name) })
}

// Spoken turns a name of the schema into words: imdbRating, ACTED_IN, OrderItem.
func Spoken(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r == '_' || r == '-':
			b.WriteByte(' ')
			lower = false
			continue
		case lower && 'A' <= r && r <= 'Z':
			b.WriteByte(' ')
		}
		lower = 'a' <= r && r <= 'z'
		b.WriteRune(r)
	}
	return text.KeyOf(b.String())
}

// Nouns returns, for each label, the folded words that stand for its nodes.
func (g *Glossary) Nouns() map[string][]string {
	m := make(map[string][]string)
	for label, w := range InOrder(g.Labels) {
		for _, p := range w.Words() {
			m[label] = append(m[label], text.KeyOf(p))
		}
	}
	return m
}

// terms adds the glossary's words in language to l, but for phrases that can't be
// read, of which [Held] tells.
func (g *Glossary) terms(l *Lexicon) {
	put := func(ws Words, t Term) {
		for _, p := range ws[l.Language] {
			_ = l.add(p, t)
		}
	}
	for label, w := range InOrder(g.Labels) {
		put(w.One, Term{Kind: Noun, Label: label})
		put(w.Many, Term{Kind: Noun, Label: label, Plural: true})
		put(w.Measure, Term{Kind: Measure, Label: label})
	}
	for rel, w := range InOrder(g.Relationships) {
		put(w.Agent, Term{Kind: Agent, Rel: rel, Label: w.From})
		put(w.Agents, Term{Kind: Agent, Rel: rel, Label: w.From, Plural: true})
		put(w.Verb, Term{Kind: Verb, Rel: rel, Label: w.From})
		put(w.Portray, Term{Kind: Verb, Rel: rel, Label: w.From, Name: "portray"})
		put(w.Work, Term{Kind: Verb, Rel: rel, Label: w.From, Work: true})
		put(w.Participle, Term{Kind: Participle, Rel: rel, Label: w.From})
	}
	for name, w := range InOrder(g.Properties) {
		label, prop, _ := strings.Cut(name, ".")
		t := Term{Label: label, Prop: prop}
		with := func(k Kind) Term { t.Kind = k; return t }
		put(w.Noun, with(Prop))
		put(w.Ask, with(AskProp))
		tail := with(AskProp)
		tail.Name = "tail"
		put(w.Tail, tail)
		put(w.More, with(More))
		put(w.Less, with(Less))
		put(w.Most, with(PropMost))
		put(w.Least, with(PropLeast))
		for _, u := range w.Units {
			ut := with(UnitWord)
			ut.Factor = u.Factor
			put(u.Words, ut)
		}
	}
	for name, w := range InOrder(g.Events) {
		put(w.Words, Term{Kind: Event, Name: name})
	}
	for name, w := range InOrder(g.Absent) {
		put(w.Words, Term{Kind: Absent, Name: name})
	}
	for name, w := range InOrder(g.Conditions) {
		put(w.Words, Term{Kind: Fixed, Name: name, Label: w.Label})
	}
}
