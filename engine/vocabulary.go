package engine

import (
	"context"
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/text"
)

// A vocabulary is the words by which a question shows that it is about the graph:
// those of its schema and glossary, and the values that were seen in it. A hidden
// name is in none of them. It says what isn't off-topic; links and readings don't
// rest on it.
type vocabulary struct {
	roots  map[string]bool // of words of names, in alphabets
	han    map[string]bool // words of names, in Han characters
	values map[string]bool // keys of values
	most   int             // the most tokens of a value
	long   int             // the most characters of a word in Han characters
}

// Bounds of a value that stands in the vocabulary.
const (
	maxValueTokens = 6
	minValueRunes  = 2 // of one in Han characters; of others one more
)

func newVocabulary(s *store.Schema, g *reading.Glossary) *vocabulary {
	v := &vocabulary{roots: map[string]bool{}, han: map[string]bool{}, values: map[string]bool{}}
	properties := func(of []store.Property) {
		for _, p := range of {
			v.name(p.Name)
			for _, sample := range p.Samples {
				v.value(sample)
			}
		}
	}
	for _, l := range s.Labels {
		v.name(l.Name)
		properties(l.Properties)
	}
	for _, t := range s.Types {
		v.name(t.Name)
		properties(t.Properties)
	}
	for _, words := range g.Nouns() {
		for _, word := range words {
			v.name(word)
		}
	}
	return v
}

// name adds the words of a name of the schema: orderDate, ACTED_IN, 签订日期.
func (v *vocabulary) name(name string) {
	var run []string // of Han characters
	end := func() {
		v.hanWords(run)
		run = nil
	}
	for _, t := range text.Tokens(reading.Spoken(name)) {
		switch t.Kind {
		case text.Han:
			run = append(run, t.Text)
			continue
		case text.Word:
			if len(t.Text) > 1 {
				v.roots[root(t.Text)] = true
			}
		}
		end()
	}
	end()
}

// hanWords adds a name in Han characters and the common words in it.
func (v *vocabulary) hanWords(run []string) {
	const least = 2 // characters; fewer stand in words that mean something else
	whole := strings.Join(run, "")
	if whole == "" {
		return
	}
	v.han[whole], v.long = true, max(v.long, len(run))
	for from := range run {
		for to := from + least; to <= len(run); to++ {
			if part := strings.Join(run[from:to], ""); link.IsCommon(part) {
				v.han[part] = true
			}
		}
	}
}

// value adds a value that was seen.
func (v *vocabulary) value(sample any) {
	if list, ok := sample.([]any); ok {
		for _, one := range list {
			v.value(one)
		}
		return
	}
	s, ok := sample.(string)
	if !ok {
		return
	}
	ts := text.Tokens(s)
	key, least := text.Key(ts), minValueRunes
	if !text.IsHan(key) {
		least++
	}
	if len(ts) > maxValueTokens || len([]rune(key)) < least || !slices.ContainsFunc(ts, func(t text.Token) bool { return t.Kind != text.Number }) {
		return
	}
	v.values[key] = true
	v.most = max(v.most, len(ts))
}

// in lists the vocabulary's words and values that stand in a question.
func (v *vocabulary) in(question string) (words, values []string) {
	ts := text.Tokens(question)
	for i, t := range ts {
		if t.Kind == text.Word && v.roots[root(t.Text)] {
			words = append(words, t.Text)
		}
		for n := 1; t.Kind == text.Han && n <= v.long && i+n <= len(ts) && ts[i+n-1].Kind == text.Han; n++ {
			if word := text.Key(ts[i : i+n]); v.han[word] {
				words = append(words, word)
			}
		}
		for n := 1; n <= v.most && i+n <= len(ts); n++ {
			if key := text.Key(ts[i : i+n]); v.values[key] {
				values = append(values, key)
			}
		}
	}
	return words, values
}

// root is what the forms of an English word begin with: ship, ships, shipped,
// shipping; carry, carries, carried. It is for comparing, and no word itself.
func root(word string) string {
	const least = 3 // letters that stay
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= least && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") {
			word = stem
			break
		}
	}
	if len(word) > least {
		word = strings.TrimSuffix(word, "e")
	}
	n := len(word)
	switch {
	case n > least && word[n-1] == word[n-2]:
		return word[:n-1]
	case n >= least && word[n-1] == 'y':
		return word[:n-1] + "i"
	}
	return word
}

// taughtWords lists the words of a question that stand in the wordings of verified
// cases of people's own: two that one case has, or one that gave the question away
// as off-topic. What ships has its words in its glossary.
func (a *asking) taughtWords(ctx context.Context, evidence string) []string {
	if a.shipped != nil && len(a.cases) <= len(a.shipped.cases) {
		return nil
	}
	ids, err := a.library.Sharing(ctx, text.Fold(a.q.Text), recalledCases)
	if err != nil {
		a.log.Warn("finding cases with the question's words", "err", err)
	}
	gave := a.contentWords(evidence)
	asked := a.contentWords(a.q.Text)
	for _, id := range ids {
		c := a.verifiedCase(id)
		if c == nil {
			continue
		}
		if a.shipped != nil && c.Source == "shipped" {
			continue
		}
		for _, wording := range append(slices.Clip(c.Wordings), c.Question) {
			of := a.contentWords(wording)
			shared := slices.DeleteFunc(slices.Clone(asked), func(w string) bool { return !slices.Contains(of, w) })
			if len(shared) > 1 || slices.ContainsFunc(shared, func(w string) bool { return slices.Contains(gave, w) }) {
				return shared
			}
		}
	}
	return nil
}

// contentWords are the words of a text that say what it is about: roots of English
// ones, common Chinese ones, and of neither what every question may hold.
func (a *asking) contentWords(s string) []string {
	const han = 2 // characters of a word
	ts := text.Tokens(s)
	var found []string
	for i, t := range ts {
		word := t.Text
		switch {
		case t.Kind == text.Han && i+han <= len(ts) && ts[i+1].Kind == text.Han:
			if word = text.Key(ts[i : i+han]); !link.IsCommon(word) {
				continue
			}
		case t.Kind != text.Word || len(word) < han:
			continue
		}
		if a.reader.Knows(word) || guardrails.IsGeneral(word) {
			continue
		}
		if t.Kind == text.Word {
			word = root(word)
		}
		found = append(found, word)
	}
	return found
}
