package reading

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/text"
	"precedent/store/written"
)

// A Glossary maps the words of a domain to a graph's schema. People edit it as
// YAML; README describes each key.
type Glossary struct {
	Labels        map[string]LabelWords     `yaml:"labels"`
	Relationships map[string]RelWords       `yaml:"relationships"`
	Properties    map[string]PropWords      `yaml:"properties"` // by Label.property
	Events        map[string]EventWords     `yaml:"events"`
	Conditions    map[string]ConditionWords `yaml:"conditions"`
	Absent        map[string]AbsentWords    `yaml:"absent"`   // what people ask for and the graph lacks
	Examples      Words                     `yaml:"examples"` // questions to offer, the best first
	Linkable      []string                  `yaml:"linkable"` // further properties whose values people name
}

// Words are phrases by language.
type Words map[string][]string

// LabelWords are the words for the nodes of a label.
type LabelWords struct {
	One     Words  `yaml:"one"`     // film, 电影
	Many    Words  `yaml:"many"`    // films
	Measure Words  `yaml:"measure"` // 部
	Key     string `yaml:"key"`     // the property that names one
	Year    string `yaml:"year"`    // the property that a bare year means
	Earns   string `yaml:"earns"`   // the property that "how much did it make" means
	Top     string `yaml:"top"`     // the property that "top" means where nothing else is said
}

// Words returns every phrase for the label, in all languages.
func (w LabelWords) Words() []string {
	var out []string
	for _, ws := range []Words{w.One, w.Many} {
		for _, phrases := range inOrder(ws) {
			out = append(out, phrases...)
		}
	}
	return out
}

// RelWords are the words for a relationship type. Its doer is the start node.
type RelWords struct {
	From       string `yaml:"from"`
	To         string `yaml:"to"`
	Agent      Words  `yaml:"agent"`      // who does it: director
	Agents     Words  `yaml:"agents"`     // several: directors
	Verb       Words  `yaml:"verb"`       // doer before: directed, 导演
	Portray    Words  `yaml:"portray"`    // as Verb, but what follows is a role: played
	Work       Words  `yaml:"work"`       // doer before, whose labels decide: made, 拍
	Participle Words  `yaml:"participle"` // doer after: directed by, starring
	By         bool   `yaml:"by"`         // "films by X"
	With       bool   `yaml:"with"`       // "films with X"
	In         bool   `yaml:"in"`         // "X was in the film"
	Role       string `yaml:"role"`       // the label of those who do it, if they have one of their own: Director
}

// PropWords are the words for a property.
type PropWords struct {
	Noun  Words  `yaml:"noun"`  // runtime, 片长
	Ask   Words  `yaml:"ask"`   // how long
	Tail  Words  `yaml:"tail"`  // as Ask, at the end of a question only: what is it about
	More  Words  `yaml:"more"`  // longer
	Less  Words  `yaml:"less"`  // shorter
	Most  Words  `yaml:"most"`  // longest
	Least Words  `yaml:"least"` // shortest
	Units []Unit `yaml:"units"`
	Parts string `yaml:"parts"` // separator of the parts by which people name a value
}

// A Unit is a word behind a number that names the property.
type Unit struct {
	Words  Words   `yaml:"words"`
	Factor float64 `yaml:"factor"` // of the property's own unit
}

// EventWords are the words for something that has a date or a place.
type EventWords struct {
	Words Words  `yaml:"words"`
	Date  string `yaml:"date"`  // Label.property
	Year  string `yaml:"year"`  // Label.property, where the year is kept apart
	Place string `yaml:"place"` // Label.property
	State bool   `yaml:"state"` // that it happened at all says something: died
}

// ConditionWords are words for a condition without a slot.
type ConditionWords struct {
	Label      string   `yaml:"label"`
	Words      Words    `yaml:"words"`
	Properties []string `yaml:"properties"` // Label.property that the query must compare
	Relations  []string `yaml:"relations"`  // relationship types that it must follow
	Has        string   `yaml:"has"`        // Label.property that must have a value; nothing else is needed then
	Lacks      string   `yaml:"lacks"`      // Label.property that must have none
}

// AbsentWords are the words for something that the graph lacks.
type AbsentWords struct {
	Say   map[string]string `yaml:"say"` // how to name it, by language
	Words Words             `yaml:"words"`
}

// LoadGlossary reads a glossary file; unknown keys are errors with their line.
func LoadGlossary(file string) (*Glossary, error) {
	b, err := written.Read(file, written.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("reading the glossary: %w; name a file of words under glossary", err)
	}
	return ParseGlossary(file, b)
}

// ParseGlossary is LoadGlossary of content that stands in file.
func ParseGlossary(file string, content []byte) (*Glossary, error) {
	var g Glossary
	if err := written.YAML(file, content, &g); err != nil {
		return nil, err
	}
	for name, r := range inOrder(g.Relationships) {
		if r.From == "" || r.To == "" {
			return nil, fmt.Errorf("%s: relationships.%s needs both from: and to:, the labels it joins", file, name)
		}
	}
	for name := range inOrder(g.Properties) {
		if !strings.Contains(name, ".") {
			return nil, fmt.Errorf("%s: properties.%s: want Label.property", file, name)
		}
	}
	return &g, nil
}

// DefaultGlossary names everything by its own name, in every language: label
// Movie is "movie", type ACTED_IN is "acted in", property imdbRating is "imdb
// rating".
func DefaultGlossary(s *store.Schema) *Glossary {
	g := &Glossary{Labels: map[string]LabelWords{}, Relationships: map[string]RelWords{}, Properties: map[string]PropWords{}}
	for _, l := range s.Labels {
		one := Spoken(l.Name)
		w := LabelWords{One: everywhere(one), Many: everywhere(plurals(one)...)}
		for _, p := range l.Properties {
			if p.Unique || nameLike(p.Name) {
				w.Key = p.Name
			}
			g.Properties[l.Name+"."+p.Name] = PropWords{Noun: everywhere(Spoken(p.Name))}
		}
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

// inOrder are the entries of a map by key, so that nothing hangs on the map's own
// order: of words that two properties share, the first by name has them.
func inOrder[M ~map[string]V, V any](m M) iter.Seq2[string, V] {
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

func nameLike(property string) bool {
	p := strings.ToLower(property)
	return p == "name" || p == "title" || strings.HasSuffix(p, "name") || strings.HasSuffix(p, "title")
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
	for label, w := range inOrder(g.Labels) {
		for _, p := range w.Words() {
			m[label] = append(m[label], text.KeyOf(p))
		}
	}
	return m
}

// terms adds the glossary's words in language to l.
func (g *Glossary) terms(l *Lexicon) error {
	var errs []error
	put := func(ws Words, t Term) {
		for _, p := range ws[l.Language] {
			if err := l.add(p, t); err != nil {
				errs = append(errs, err)
			}
		}
	}
	for label, w := range inOrder(g.Labels) {
		put(w.One, Term{Kind: Noun, Label: label})
		put(w.Many, Term{Kind: Noun, Label: label, Plural: true})
		put(w.Measure, Term{Kind: Measure, Label: label})
	}
	for rel, w := range inOrder(g.Relationships) {
		put(w.Agent, Term{Kind: Agent, Rel: rel, Label: w.From})
		put(w.Agents, Term{Kind: Agent, Rel: rel, Label: w.From, Plural: true})
		put(w.Verb, Term{Kind: Verb, Rel: rel, Label: w.From})
		put(w.Portray, Term{Kind: Verb, Rel: rel, Label: w.From, Name: "portray"})
		put(w.Work, Term{Kind: Verb, Rel: rel, Label: w.From, Work: true})
		put(w.Participle, Term{Kind: Participle, Rel: rel, Label: w.From})
	}
	for name, w := range inOrder(g.Properties) {
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
	for name, w := range inOrder(g.Events) {
		put(w.Words, Term{Kind: Event, Name: name})
	}
	for name, w := range inOrder(g.Absent) {
		put(w.Words, Term{Kind: Absent, Name: name})
	}
	for name, w := range inOrder(g.Conditions) {
		put(w.Words, Term{Kind: Fixed, Name: name, Label: w.Label})
	}
	if len(errs) > 0 {
		return fmt.Errorf("glossary: %w", errs[0])
	}
	return nil
}
