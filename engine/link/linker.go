package link

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"precedent/store"
	"precedent/store/text"
)

// A Value is a value of the graph that words may name.
type Value struct {
	Label    string   // the most general label whose nodes hold it
	Property string   //
	Value    string   // as stored
	Labels   []string // every label that holds it, Label among them
	Role     bool     // it is the name of a role that somebody plays, too
}

// An Alias is another name for a value.
type Alias struct {
	Label, Property string // any label that holds the value
	Value           string // as stored
	Name            string // what people say
}

// Config is what a Linker is built from.
type Config struct {
	Values  []Value
	Aliases []Alias
	// Nouns are the words for each label ("film", "电影"), folded as by
	// text.KeyOf. Beside one of them, a value of that label may be a common word.
	Nouns map[string][]string
	// Categories are the properties, as Label.property, of few values that
	// people name as they name kinds of things (comedy, French): common words
	// though they are, a word of Nouns anywhere in the question marks them, and
	// an alias always does.
	Categories map[string]bool
	// Shared are those of Categories that nodes share as they share a status:
	// common words are a value of theirs only beside a word for their own label or
	// property.
	Shared map[string]bool
	// Props are the words for each property, as Label.property; Verbs those for
	// relationship types. A value that is called like one, or like one of Nouns, is
	// that part of the schema, unless something marks it.
	Props map[string][]string
	Verbs []string
	// Known reports whether a folded word belongs to the language or the
	// domain, so that it isn't taken for a misspelt value. Nil knows none.
	Known func(word string) bool
}

// A Linker finds mentions. It is safe for concurrent use.
type Linker struct {
	values []Value
	byKey  map[string][]entry
	keys   []string // of byKey, in the order of their values, until Ready
	// longest number of tokens of a key that begins with a token
	first      map[string]int
	compact    map[string][]entry // keys without spaces and apostrophes, of at least minCompact bytes
	nouns      map[string]map[string]bool
	categories map[string]bool
	shared     map[string]bool
	props      map[string]map[string]bool
	words      map[string]bool // all of nouns and props
	verbs      map[string]bool
	begins     map[string]map[string]bool // by label, what its properties' words of several begin with
	known      func(string) bool
	other      map[string][]string // value → its aliases
	edits      editIndex
}

// entry leads from a key to a value.
type entry struct {
	value int32
	how   store.How
}

// Bounds of linking.
const (
	maxKeyTokens = 24 // no value of more tokens is looked for
	minCompact   = 5  // bytes of a key that may be written with or without spaces
	maxChoices   = 8  // values kept for one mention
)

// A Candidate is one value that a mention may name.
type Candidate struct {
	store.Link
	Labels []string // every label that holds the value
}

// A Mention is words that name one or more values.
type Mention struct {
	From, To   int  // tokens
	Weak       bool // the words are common words or a number, with nothing that marks them as a name
	Either     bool // they are weak, and stand where they may as well be a name: who asks knows
	Quoted     bool // the words are a whole quotation
	Spelt      bool // the words are a value or an alias, marks and folding aside
	Candidates []Candidate
}

// Sure reports whether the words are marked or spelt well enough to rest an answer on.
func (m Mention) Sure() bool {
	return !m.Weak && m.Candidates[0].How != store.ByEdit
}

// longWord is how many Chinese characters a common word has at least that
// speaks of the value called so (寄生虫).
const longWord = 3

// IsTelling reports whether a question with these words is about the graph: they
// are sure, or a name of at least longWord Chinese characters, common word or not.
func (m Mention) IsTelling() bool {
	han := 0
	for _, r := range m.Candidates[0].Mention {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	return m.Sure() || m.Spelt && han >= longWord
}

// Shares reports whether a property is one of [Config.Categories].
func (l *Linker) Shares(label, property string) bool { return l.categories[label+"."+property] }

// New builds a Linker. Aliases of values that are not in Values are ignored.
func New(c Config) *Linker {
	l := &Linker{
		values:     c.Values,
		byKey:      make(map[string][]entry, len(c.Values)+len(c.Aliases)),
		first:      make(map[string]int, len(c.Values)),
		compact:    make(map[string][]entry),
		nouns:      make(map[string]map[string]bool),
		other:      make(map[string][]string),
		known:      c.Known,
		categories: c.Categories,
		shared:     c.Shared,
		props:      make(map[string]map[string]bool),
		words:      make(map[string]bool),
		verbs:      make(map[string]bool),
		begins:     make(map[string]map[string]bool),
	}
	for name, words := range c.Props {
		label, _, _ := strings.Cut(name, ".")
		if l.begins[label] == nil {
			l.begins[label] = make(map[string]bool)
		}
		for _, w := range words {
			if first, _, several := strings.Cut(w, " "); several {
				l.begins[label][first] = true
			}
		}
	}
	if l.known == nil {
		l.known = func(string) bool { return false }
	}
	for _, v := range c.Verbs {
		l.verbs[v] = true
	}
	for to, from := range map[*map[string]map[string]bool]map[string][]string{&l.nouns: c.Nouns, &l.props: c.Props} {
		for name, words := range from {
			(*to)[name] = make(map[string]bool, len(words))
			for _, w := range words {
				(*to)[name][w] = true
				l.words[w] = true
			}
		}
	}
	named := make(map[string]bool, len(c.Aliases)) // values with aliases
	for _, a := range c.Aliases {
		named[a.Value] = true
	}
	at := make(map[[3]string]int32, len(c.Aliases))
	for i, v := range c.Values {
		if named[v.Value] {
			for _, label := range v.Labels {
				key := [3]string{label, v.Property, v.Value}
				if _, taken := at[key]; !taken {
					at[key] = int32(i)
				}
			}
			at[[3]string{v.Label, v.Property, v.Value}] = int32(i)
		}
		ts := text.Tokens(v.Value)
		l.add(ts, entry{int32(i), store.Exact})
		if len(ts) > 1 && isArticle(ts[0].Text) && !(len(ts) == 2 && common(ts[1].Text)) {
			l.add(ts[1:], entry{int32(i), store.Folded})
		}
	}
	for _, a := range c.Aliases {
		if i, ok := at[[3]string{a.Label, a.Property, a.Value}]; ok {
			l.add(text.Tokens(a.Name), entry{i, store.ByAlias})
			l.other[a.Value] = append(l.other[a.Value], a.Name)
		}
	}
	return l
}

// Ready makes what misspelt names are found with, which else the first question that
// has one does. It takes about as long as New.
func (l *Linker) Ready() {
	l.edits.once.Do(func() {
		l.edits.build(l.byKey, l.keys)
		l.keys = nil
	})
}

func isArticle(word string) bool { return word == "the" || word == "a" || word == "an" }

func (l *Linker) add(ts []text.Token, e entry) {
	ts = unmarked(ts)
	if len(ts) == 0 || len(ts) > maxKeyTokens {
		return
	}
	key := text.Key(ts)
	known := l.byKey[key]
	for _, old := range known {
		if old.value == e.value {
			return
		}
	}
	if len(known) == 0 {
		l.keys = append(l.keys, key)
	}
	l.byKey[key] = append(l.byKey[key], e)
	l.first[ts[0].Text] = max(l.first[ts[0].Text], len(ts))
	if len(ts) > 1 && strings.HasPrefix(ts[1].Text, "'") {
		joined := ts[0].Text + ts[1].Text[1:] // "its" for "it's"
		l.first[joined] = max(l.first[joined], len(ts))
	}
	if c := compacted(key); len(c) >= minCompact {
		l.compact[c] = append(l.compact[c], e)
	}
}

// compacted is key as people write it who leave out spaces and apostrophes, or
// put in too many.
func compacted(key string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\'' {
			return -1
		}
		return r
	}, key)
}

func unmarked(ts []text.Token) []text.Token {
	return slices.DeleteFunc(slices.Clone(ts), func(t text.Token) bool { return t.Kind == text.Mark && t.Text != "&" })
}

// Values returns the values the linker knows.
func (l *Linker) Values() []Value { return l.values }

// Names returns every value that s names in full, by value, alias or folded spelling.
func (l *Linker) Names(s string) []Candidate {
	ts := unmarked(text.Tokens(s))
	if len(ts) == 0 {
		return nil
	}
	return l.candidates(l.byKey[text.Key(ts)], s)
}

// Nearest returns up to three values that s may be a misspelling of.
func (l *Linker) Nearest(s string) []string {
	var out []string
	for _, m := range l.misspelt(s, text.Tokens(s), nil) {
		for _, c := range m.Candidates[:min(len(m.Candidates), 3)] {
			out = append(out, c.Value.(string))
		}
	}
	return out
}

// Aliases returns the other names of a value.
func (l *Linker) Aliases(value string) []string { return l.other[value] }

// Mentions returns the mentions in question, whose tokens are ts, in order and
// without overlap. Where two overlap, the one of more tokens stays. A misspelt
// name has a word that nothing else explains: "Mulholand Drive" is the longer
// name, not the film Drive.
func (l *Linker) Mentions(question string, ts []text.Token) []Mention {
	found := l.spelt(question, ts)
	wrong := l.misspelt(question, ts, found)
	for i, w := range wrong { // a common word is looked for among the misspelt too
		wrong[i].Spelt = slices.ContainsFunc(found, func(m Mention) bool { return m.From == w.From && m.To == w.To })
	}
	found = slices.DeleteFunc(found, func(m Mention) bool {
		return slices.ContainsFunc(wrong, func(w Mention) bool { return w.From <= m.From && m.To <= w.To })
	})
	found = append(found, wrong...)
	slices.SortFunc(found, func(a, b Mention) int { return cmp.Compare(a.From, b.From) })
	return found
}

// spelt returns the mentions that are spelt as a value or an alias.
func (l *Linker) spelt(question string, ts []text.Token) []Mention {
	var all []Mention
	for i := range ts {
		if ts[i].Kind == text.Mark {
			continue
		}
		limit := min(len(ts), i+l.longestFrom(ts[i].Text))
		for j := limit; j > i; j-- {
			if splitsQuote(ts, i, j) || ts[j-1].Kind == text.Mark {
				continue
			}
			es := l.lookup(ts[i:j])
			if len(es) == 0 {
				continue
			}
			m := Mention{From: i, To: j, Candidates: l.candidates(es, question[ts[i].Start:ts[j-1].End])}
			m.Quoted = isQuoted(ts, i, j)
			m.Spelt = true
			if !m.Quoted {
				if l.kindOf(ts, m).calendar && inTime(ts, m) && !l.isBeside(ts, m) {
					break // a month, whoever is called so
				}
				m.Weak, m.Either = l.isWeak(ts, m)
			}
			l.narrow(ts, &m)
			all = append(all, m)
			break
		}
	}
	kept := longest(all)
	sure := slices.ContainsFunc(kept, func(m Mention) bool { return !m.Weak && l.isCategory(m) })
	for i := range kept { // action comedies
		if is := l.kindOf(ts, kept[i]); sure && kept[i].Weak && l.isKind(kept[i]) && !is.small && !is.calendar && !is.noun && !is.verb {
			kept[i].Weak = false
		}
	}
	return kept
}

// isCategory reports whether m names a kind of thing.
func (l *Linker) isCategory(m Mention) bool {
	c := m.Candidates[0]
	return l.categories[c.Label+"."+c.Property]
}

// isKind reports whether m names a kind of thing that isn't shared as a status is.
func (l *Linker) isKind(m Mention) bool {
	c := m.Candidates[0]
	return l.isCategory(m) && !l.shared[c.Label+"."+c.Property]
}

// longestFrom bounds the tokens of a key that begins with word; marks inside
// the question and words written apart may add to those of the key.
func (l *Linker) longestFrom(word string) int {
	if n := l.first[word]; n > 0 {
		return min(2*n+2, maxKeyTokens)
	}
	return 3 // "god father" for "Godfather"
}

func (l *Linker) lookup(ts []text.Token) []entry {
	key := text.Key(ts)
	if es := l.byKey[key]; len(es) > 0 {
		return es
	}
	c := compacted(key)
	if len(c) < minCompact {
		return nil
	}
	var es []entry
	for _, e := range l.compact[c] {
		es = append(es, entry{e.value, store.Folded})
	}
	return es
}

func (l *Linker) candidates(es []entry, mention string) []Candidate {
	var cs []Candidate
	for _, e := range es[:min(len(es), maxChoices)] {
		v := l.values[e.value]
		how := e.how
		if how == store.Exact && mention != v.Value {
			how = store.Folded
		}
		cs = append(cs, Candidate{store.Link{Mention: mention, Label: v.Label, Property: v.Property, Value: v.Value, How: how}, v.Labels})
	}
	return cs
}

// longest keeps, of overlapping mentions, those of more tokens, then earlier ones.
func longest(all []Mention) []Mention {
	slices.SortStableFunc(all, func(a, b Mention) int {
		return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.From, b.From))
	})
	var kept []Mention
	for _, m := range all {
		if !slices.ContainsFunc(kept, func(k Mention) bool { return m.From < k.To && k.From < m.To }) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b Mention) int { return cmp.Compare(a.From, b.From) })
	return kept
}

// splitsQuote reports whether ts[i:j] holds a part of a quotation but not all,
// or reaches out of one.
func splitsQuote(ts []text.Token, i, j int) bool {
	q := ts[i].Quote
	for _, t := range ts[i:j] {
		if t.Quote != q {
			return true
		}
	}
	return q > 0 && (i > 0 && ts[i-1].Quote == q || j < len(ts) && ts[j].Quote == q)
}

func isQuoted(ts []text.Token, i, j int) bool { return ts[i].Quote > 0 && !splitsQuote(ts, i, j) }
