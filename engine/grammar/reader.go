package grammar

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/engine/link"
	"precedent/engine/meaning"
	"precedent/engine/reading"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

//go:embed en.grammar zh.grammar
var files embed.FS

// languages are those that there is a grammar of.
var languages = []string{"en", "zh"}

// A Reader reads questions about one graph. It is safe for concurrent use.
type Reader struct {
	schema    *schema
	glossary  *reading.Glossary
	linker    *link.Linker
	languages map[string]*spoken
}

// spoken is a language over a graph.
type spoken struct {
	*language
	lexicon *phrases // the graph's
}

// grammars are what the files say, by language. They are part of the program.
var grammars = sync.OnceValues(func() (map[string]*language, error) {
	out := map[string]*language{}
	for _, name := range languages {
		b, err := files.ReadFile(name + ".grammar")
		if err != nil {
			return nil, err
		}
		if out[name], err = parse(name, name+".grammar", string(b)); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// New builds a Reader from the words of a graph. The linker finds its values.
func New(g *reading.Glossary, s *store.Schema, linker *link.Linker) (*Reader, error) {
	all, err := grammars()
	if err != nil {
		return nil, err
	}
	r := &Reader{schema: schemaOf(s, g), glossary: g, linker: linker, languages: map[string]*spoken{}}
	for _, name := range languages {
		r.languages[name] = &spoken{all[name], lexiconOf(g, r.schema, all[name])}
	}
	for label, prop := range reading.InOrder(r.schema.years) {
		if g.Labels[label].Year == "" && r.isNamed("later", prop) { // the newest car isn't the one inspected last
			r.schema.years[label] = ""
		}
	}
	return r, nil
}

// isNamed reports whether a property's name has one of the words that the grammar files
// have for a kind of properties.
func (r *Reader) isNamed(kind, prop string) bool {
	return slices.ContainsFunc(languages, func(l string) bool {
		return slices.ContainsFunc(r.languages[l].affixes[kind], func(word string) bool { return isCalled(prop, word) })
	})
}

// A Reading is what a question means.
type Reading struct {
	Language string
	Meanings []*meaning.Meaning // that its words have, by their print; one is what is asked
	Unread   []string           // folded words that nothing explains
	Bounded  bool               // the question is too long to be sure of
}

// The costs of pieces: the fewest count, and of equals those with more names.
const (
	costPiece = 10
	costName  = 9
)

// maxTokens bounds what is read.
const maxTokens = 80

// Picked is the property of a link that picks a meaning by its exact print, among those
// of the question that it mentions.
const Picked = "meaning"

// Read finds the meanings of a question.
func (r *Reader) Read(question string) Reading { return r.ReadWith(question, nil) }

// ReadWith is Read of a question whose asker picked what some of its words name, or
// which of its meanings is meant.
func (r *Reader) ReadWith(question string, picked []store.Link) Reading {
	out := r.read(question, picked)
	for _, p := range picked {
		if p.Label == "" && p.Property == Picked && p.Mention == question {
			out.Meanings = slices.DeleteFunc(out.Meanings, func(m *meaning.Meaning) bool { return m.Exact() != p.Value })
		}
	}
	return out
}

func (r *Reader) read(question string, picked []store.Link) Reading {
	ts := text.Tokens(question)
	out := Reading{Language: reading.Language(question)}
	if len(ts) == 0 || len(ts) > maxTokens {
		out.Bounded = len(ts) > 0
		return out
	}
	l := r.languages[out.Language]
	c := newChart(&sentence{r, map[string][]string{}, map[string]bool{}, l.preps}, l.starts)
	c.words(l, question, ts, picked)
	c.run()
	if c.full {
		out.Bounded = true
		return out
	}
	best := 0
	for _, it := range c.done[span{"ask", 0, len(ts)}] {
		m, ok := it.value.(*meaning.Meaning)
		if !ok || len(out.Meanings) > 0 && it.cost > best {
			continue
		}
		if it.cost < best {
			out.Meanings = nil
		}
		best = it.cost
		out.Meanings = append(out.Meanings, m)
	}
	if len(out.Meanings) == 0 {
		out.Unread = c.unread(ts)
	}
	return out
}

// A sentence is a question being read.
type sentence struct {
	*Reader
	labels  map[string][]string // every label of a value that is named, by the print of its set
	byAlias map[string]bool     // values that another name stands for, likewise
	preps   map[string][]string // by preposition, the words of types that it is said of
}

// words puts in what every stretch of the question can be by itself.
func (c *chart) words(l *spoken, question string, ts []text.Token, picked []store.Link) {
	put := func(cat category, from, to int, v any, cost int) {
		c.add(&item{cat: cat, from: from, to: to, value: v, cost: cost})
	}
	for _, m := range c.r.linker.Mentions(question, ts) {
		candidates, sure := pick(m, picked)
		cost := costName
		if slices.ContainsFunc(candidates, c.r.isCategory) { // 选修 is a kind of course, and what students do
			cost = costPiece
		}
		for _, v := range candidates {
			cat := catName
			switch {
			case sure:
			case m.Spelt && c.r.isCategory(v): // a common word, where only what shares it can be meant
				cat = catValue
			default:
				continue // who asks is asked first
			}
			b := meaning.Bound{Property: v.Property, Op: meaning.Eq, Value: meaning.Value{Is: v.Value, Kind: meaning.Text}}
			if strings.HasPrefix(c.r.schema.typeOf(v.Label, v.Property), "LIST") {
				b.Op = meaning.Has
			}
			if sep := c.r.schema.parts[v.Label+"."+v.Property]; sep != "" && !strings.Contains(fmt.Sprint(v.Value), sep) {
				b.Op, b.Value.Next = meaning.PartOf, sep
			}
			s := setOf(v.Label, meaning.Property{Bound: b})
			c.r.labels[s.Exact()] = v.Labels
			c.r.byAlias[s.Exact()] = v.How == store.ByAlias
			put(cat, m.From, m.To, s, cost)
		}
	}
	for i := range ts {
		if ts[i].Quote > 0 {
			if i == 0 || ts[i-1].Quote != ts[i].Quote {
				to := i + 1
				for to < len(ts) && ts[to].Quote == ts[i].Quote {
					to++
				}
				put(catText, i, to, question[ts[i].Start:ts[to-1].End], costPiece)
			}
			continue
		}
		for _, p := range []*phrases{l.words, l.lexicon} {
			p.at(ts, i, func(e entry, n int) { put(e.cat, i, i+n, e.value, costPiece) })
		}
		if v, kind, n := reading.NumberAt(ts[i:]); n > 0 {
			if kind == reading.Year || kind == reading.Number {
				put(catNumber, i, i+n, number{v, v == float64(int64(v))}, costPiece)
			}
			switch kind {
			case reading.Year:
				put(catYear, i, i+n, years(int64(v), 1), costPiece)
			case reading.Decade:
				put(catPeriod, i, i+n, years(int64(v), 10), costPiece)
			}
		}
		if d, ok := guardrails.CalendarAt(ts, i); ok {
			from := time.Date(d.Year, time.Month(d.Month), max(d.Day, 1), 0, 0, 0, 0, time.UTC)
			next := from.AddDate(0, 1, 0)
			if d.Day > 0 {
				next = from.AddDate(0, 0, 1)
			}
			put(catPeriod, i, i+d.Tokens, period{from: from.Format(time.DateOnly), next: next.Format(time.DateOnly)}, costPiece)
		}
	}
}

// pick are the values that a mention may name: the one that was picked, if one was, else
// all. A misspelt one, or a common word, may be none; one picked to mean itself is.
func pick(m link.Mention, picked []store.Link) (candidates []link.Candidate, sure bool) {
	for _, p := range picked {
		if p.Mention != m.Candidates[0].Mention {
			continue
		}
		for _, c := range m.Candidates {
			if c.Label == p.Label && c.Property == p.Property && c.Value == p.Value {
				return []link.Candidate{c}, true
			}
		}
		if p.Label == "" {
			return nil, false
		}
	}
	return m.Candidates, m.Sure()
}

// isCategory reports whether few values of a property are shared by many.
func (r *Reader) isCategory(c link.Candidate) bool {
	return r.linker.Shares(c.Label, c.Property)
}

// years are n whole years from one on.
func years(from, n int64) period {
	return period{fmt.Sprintf("%04d-01-01", from), fmt.Sprintf("%04d-01-01", from+n), from, from + n}
}

// unread are the words that no piece explains.
func (c *chart) unread(ts []text.Token) (out []string) {
	known := make([]bool, len(ts))
	for s := range c.done { // whichever
		for i := s.from; i < s.to; i++ {
			known[i] = true
		}
	}
	for i, t := range ts {
		if !known[i] && t.Kind != text.Mark {
			out = append(out, t.Text)
		}
	}
	return out
}

// Printer prints meanings over the graph of the reader.
func (r *Reader) Printer() meaning.Printer {
	return meaning.Printer{Key: func(label string) string { return r.schema.keys[label] }, Type: r.schema.typeOf}
}
