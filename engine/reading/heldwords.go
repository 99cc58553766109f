package reading

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"precedent/engine/link"
	"precedent/store/text"
	"precedent/store/written"
)

// spoken are the words of glossaries, for what they mean.
type spoken struct {
	closed map[string]*Lexicon // the program's own words, by language
	first  map[sense]meant
	things map[[2]string]meant // by language and key: words for what the graph has
}

// A sense is a word where it may mean one thing only: a noun, or the noun of a
// property of one label.
type sense struct{ group, within, language, key string }

// meant is what a word meant first, and where.
type meant struct {
	of   string
	doc  *written.Doc
	path []any
}

// at is where it stands, as seen from a file.
func (m meant) at(from *written.Doc) string {
	p := m.doc.At(m.path...)
	if m.doc != from {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("line %d", p.Line)
}

// senses say what the phrases of a list mean.
type senses struct {
	group, within string // within which a phrase means one thing; no group: it may mean several
	of            string // what they mean
	again         bool   // further words for what others mean too
	long          bool   // sentences
}

// closedWords are the lexicons without a glossary.
var closedWords = sync.OnceValue(func() map[string]*Lexicon {
	all := make(map[string]*Lexicon)
	for _, language := range languages {
		b, err := lexiconFiles.ReadFile(language + ".txt")
		if err != nil {
			panic(err) // it is part of the program
		}
		if all[language], err = parseLexicon(language, language+".txt", string(b)); err != nil {
			panic(err)
		}
	}
	return all
})

// phrases looks at a list of phrases in each language, and counts them.
func (h *holding) phrases(ws Words, s senses, path ...any) int {
	n := 0
	for language, phrases := range InOrder(ws) {
		if !slices.Contains(languages, language) {
			continue // its key is a mistake already
		}
		seen := make(map[string]int)
		for i, phrase := range phrases {
			n++
			h.phrase(phrase, language, s, seen, append(slices.Clone(path), language, i))
		}
	}
	return n
}

// phrase looks at one; seen are those of its list.
func (h *holding) phrase(phrase, language string, s senses, seen map[string]int, path []any) {
	ts, key := phraseOf(phrase)
	switch {
	case len(ts) == 0 && !s.long || strings.TrimSpace(phrase) == "":
		h.add(written.Wrong, path, "write a word, or leave it out", "%q has no letters and no digits", phrase)
		return
	case len(ts) > maxPhrase && !s.long:
		h.add(written.Wrong, path, "write a shorter one", "%q has %d words, and %d is the most", phrase, len(ts), maxPhrase)
		return
	case strings.ContainsAny(phrase, "，、；") && !s.long:
		h.add(written.Idle, path, "write a comma (,) and a space between words", "%q is one phrase", phrase)
	case strings.ContainsAny(phrase, "“”‘") && !s.long:
		h.add(written.Idle, path, `write plain quotes (" or ') around it, or none`, "%s has quotes in it", phrase)
	case language == "en" && text.IsHan(phrase):
		h.add(written.Idle, path, "write it under zh", "%s is Chinese, and stands under en", phrase)
		return
	case language == "zh" && s.long && !text.IsHan(phrase):
		h.add(written.Idle, path, "write it under en", "%q is no Chinese, and stands under zh", phrase)
	}
	if _, twice := seen[key]; twice {
		h.add(written.Idle, path, "keep one", "%q is here twice: case, marks, spaces and traditional characters make no difference", phrase)
		return
	}
	seen[key] = len(seen)
	if s.group == "" || s.long {
		return
	}
	h.closed(phrase, key, language, s, path)
	is := meant{s.of, h.f.Doc, path}
	where := sense{s.group, s.within, language, key}
	was, taken := h.words.first[where]
	if taken && was.of != s.of {
		h.add(written.Idle, path, "leave it to one of them", "%q is a word for %s, and for %s (%s)", phrase, s.of, was.of, was.at(h.f.Doc))
	}
	if !taken {
		h.words.first[where] = is
	}
	if s.group == "absent" {
		if has, also := h.words.things[[2]string{language, key}]; also {
			h.add(written.Idle, path, "leave it to one of them", "%q is said to be absent, and is a word for %s (%s)", phrase, has.of, has.at(h.f.Doc))
		}
	} else if slices.Contains(naming, s.group) {
		h.words.things[[2]string{language, key}] = is
	}
}

// framing are the parts of questions that no word of a domain plays.
var framing = []Kind{Blocker, AskCount, AskWho, AskWhere, AskWhen, YesNo, Gt, CmpPost, And, Or, Not, Without, Pronoun}

// frames reports whether a folded word is one that any question may hold, whatever it
// is about: one that names a thing takes the sentence apart.
func (l *Lexicon) frames(key string) bool {
	terms := l.terms[key]
	return len(terms) > 0 && (link.IsSmall(key) || utf8.RuneCountInString(key) == 1 ||
		slices.ContainsFunc(terms, func(t Term) bool { return slices.Contains(framing, t.Kind) }))
}

// naming are the groups of words for things.
var naming = []string{"noun", "agent", "verb", "participle", "event"}

// closed adds a word that every question may hold.
func (h *holding) closed(phrase, key, language string, s senses, path []any) {
	if s.group == "noun" && s.within != "" || s.group != "absent" && !slices.Contains(naming, s.group) {
		return
	}
	if h.words.closed[language].frames(key) {
		h.add(written.Idle, path, "leave it out, or say more with it", "%q is a word that any question may hold, and none for %s", phrase, s.of)
	}
}

// IsFraming reports whether a name is a word that any question may hold, whatever it
// is about. Capitals tell US from us, and one Chinese character is a name in quotes.
func IsFraming(name string) bool {
	_, key := phraseOf(name)
	return utf8.RuneCountInString(key) > 1 && !strings.ContainsFunc(name, unicode.IsUpper) &&
		slices.ContainsFunc(languages, func(language string) bool { return closedWords()[language].frames(key) })
}
