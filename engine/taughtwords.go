package engine

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store/text"
)

// Bounds of what people teach.
const (
	maxCorrection = 400 // characters of a correction that may teach a name; longer ones tell a story
	minName       = 2   // characters of a name
	maxName       = 60
	maxNameTokens = 24 // words or Chinese characters; longer names are not looked for in questions
	maxCores      = 16 // ways to leave out what stands around a sentence
)

//go:embed taught.txt
var sayingsFile string

// A sentence says what a name means: words around and between
// the name and the value.
type sentence struct {
	before, between, after []text.Token
	valueFirst             bool
}

// sayings are the sentences of taught.txt, those with more words of their own
// first, and what may stand around them.
type sayings struct {
	all           []sentence
	before, after [][]text.Token
}

var knownSayings = sync.OnceValue(func() sayings {
	var out sayings
	for line := range strings.Lines(sayingsFile) {
		line = strings.TrimSpace(line)
		around, fillers, isFiller := strings.Cut(line, ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isFiller && (around == "before" || around == "after"):
			for f := range strings.SplitSeq(fillers, "|") {
				if around == "before" {
					out.before = append(out.before, text.Tokens(f))
				} else {
					out.after = append(out.after, text.Tokens(f))
				}
			}
		default:
			out.all = append(out.all, parseSentence(line))
		}
	}
	slices.SortStableFunc(out.all, func(a, b sentence) int { return b.words() - a.words() })
	return out
})

// parseSentence reads a line of taught.txt that has {name} and {value}.
func parseSentence(line string) sentence {
	first, second, s := "{name}", "{value}", sentence{}
	if s.valueFirst = strings.Index(line, second) < strings.Index(line, first); s.valueFirst {
		first, second = second, first
	}
	before, rest, _ := strings.Cut(line, first)
	between, after, _ := strings.Cut(rest, second)
	s.before, s.between, s.after = text.Tokens(before), text.Tokens(between), text.Tokens(after)
	return s
}

func (s sentence) words() int { return len(s.before) + len(s.between) + len(s.after) }

// parses calls see with the name and the value for each way in which ts is s.
func (s sentence) parses(ts []text.Token, see func(name, value []text.Token)) {
	if len(s.before)+len(s.after) > len(ts) || !says(ts[:len(s.before)], s.before) || !says(ts[len(ts)-len(s.after):], s.after) {
		return
	}
	ts = ts[len(s.before) : len(ts)-len(s.after)]
	for i := 1; i+len(s.between) < len(ts); i++ {
		j := i + len(s.between)
		if !says(ts[i:j], s.between) {
			continue
		}
		name, value := ts[:i], ts[j:]
		if s.valueFirst {
			name, value = value, name
		}
		see(bare(name), bare(value))
	}
}

// says reports whether ts are words, none of them quoted.
func says(ts, words []text.Token) bool {
	return slices.EqualFunc(ts, words, func(a, b text.Token) bool { return a.Text == b.Text && a.Quote == 0 })
}

// bare is ts without the marks around it.
func bare(ts []text.Token) []text.Token {
	for len(ts) > 0 && ts[0].Kind == text.Mark {
		ts = ts[1:]
	}
	for len(ts) > 0 && ts[len(ts)-1].Kind == text.Mark {
		ts = ts[:len(ts)-1]
	}
	return ts
}

// cores are ts without marks around it and without what may stand before or
// behind a sentence, in each way.
func (s sayings) cores(ts []text.Token) [][]text.Token {
	found := [][]text.Token{bare(ts)}
	add := func(core []text.Token) {
		core = bare(core)
		if len(core) > 0 && !slices.ContainsFunc(found, func(f []text.Token) bool { return &f[0] == &core[0] && len(f) == len(core) }) {
			found = append(found, core)
		}
	}
	for i := 0; i < min(len(found), maxCores) && len(found[i]) > 0; i++ {
		ts := found[i]
		for _, f := range s.before {
			if len(ts) > len(f) && says(ts[:len(f)], f) {
				add(ts[len(f):])
			}
		}
		for _, f := range s.after {
			if len(ts) > len(f) && says(ts[len(ts)-len(f):], f) {
				add(ts[:len(ts)-len(f)])
			}
		}
	}
	return found
}

// A teaching is what a correction says: that a name in a question means a value.
type teaching struct {
	name  string // as typed
	value link.Candidate
}

func (m teaching) key() string { return text.KeyOf(m.name) }

func (m teaching) isFor(c link.Candidate) bool {
	return c.Label == m.value.Label && c.Property == m.value.Property && c.Value == m.value.Value
}

// quoteMarks folds quotation marks that text.Tokens doesn't know.
var quoteMarks = strings.NewReplacer("„", "“", "‟", "“", "‹", "«", "›", "»", "`", `"`, "＂", `"`, "＇", "'", "〝", "“", "〞", "”", "〟", "”", "‚", "‘",
	"﹁", "「", "﹂", "」", "﹃", "『", "﹄", "』", "［", `"`, "］", `"`, "‛", "‘")

// teaching reads what said teaches about a word of one of the questions. ok is
// false where it teaches nothing, or one can't be sure what.
func (s *snapshot) teaching(said string, questions ...string) (m teaching, ok bool) {
	if utf8.RuneCountInString(said) > maxCorrection || !utf8.ValidString(said) {
		return m, false
	}
	said = quoteMarks.Replace(said)
	ts := text.Tokens(said)
	if len(ts) == 0 {
		return m, false
	}
	asking := ts[len(ts)-1].Text == "?" && ts[len(ts)-1].Quote == 0
	var asked []wording
	for _, q := range questions {
		asked = append(asked, spellingOf(q))
	}
	nouns := s.nouns()
	known := knownSayings()
	cores := known.cores(ts)
	var found []teaching
	for i, like := range known.all {
		if len(found) > 0 && like.words() < known.all[i-1].words() {
			break
		}
		for _, core := range cores {
			like.parses(core, func(name, value []text.Token) {
				if !usable(name) || len(value) == 0 || !slices.ContainsFunc(asked, func(q wording) bool { return q.has(name) }) {
					return
				}
				v, one := s.value(said, value, nouns)
				if !one || asking && !strings.HasSuffix(fmt.Sprint(v.Value), "?") {
					return
				}
				m := teaching{name: strings.Join(strings.Fields(said[name[0].Start:name[len(name)-1].End]), " "), value: v}
				if sayable(m.name) && !slices.ContainsFunc(found, func(f teaching) bool { return f.key() == m.key() && m.isFor(f.value) }) {
					found = append(found, m)
				}
			})
		}
	}
	if len(found) != 1 {
		return m, false
	}
	return found[0], true
}

// usable reports whether a name is of one piece, neither partly quoted nor too long.
func usable(name []text.Token) bool {
	return len(name) > 0 && len(name) <= maxNameTokens && !slices.ContainsFunc(name, func(t text.Token) bool { return t.Quote != name[0].Quote })
}

// sayable reports whether a name can stand in questions and lists: of a fair
// length, with letters, and without characters that can't be seen.
func sayable(name string) bool {
	n := utf8.RuneCountInString(name)
	return n >= minName && n <= maxName && utf8.RuneCountInString(spelling(text.KeyOf(name))) >= minName &&
		!strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.C, r) || r == utf8.RuneError })
}

// spelling is folded text without what doesn't count in a name: spaces and marks.
func spelling(folded string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ReplaceAll(folded, "&", "and"))
}

// A wording is a question in which names are looked for.
type wording struct {
	letters string
	edges   map[int]bool // bytes of letters where a word begins or ends
}

func spellingOf(question string) wording {
	s := wording{edges: map[int]bool{0: true}}
	var b strings.Builder
	for _, t := range text.Tokens(question) {
		b.WriteString(spelling(t.Text))
		s.edges[b.Len()] = true
	}
	s.letters = b.String()
	return s
}

// has reports whether the question has a name as whole words, spaces and marks aside.
func (s wording) has(name []text.Token) bool {
	want := spelling(text.Key(name))
	for at := 0; want != ""; at++ {
		i := strings.Index(s.letters[at:], want)
		if i < 0 {
			return false
		}
		if at += i; s.edges[at] && s.edges[at+len(want)] {
			return true
		}
	}
	return false
}

// value is the one value that ts, tokens of said, name: alone, or with a word
// for its label beside it ("the film Casablanca").
func (s *snapshot) value(said string, ts []text.Token, nouns map[string][]string) (v link.Candidate, one bool) {
	named := func(ts []text.Token) []link.Candidate {
		if len(ts) == 0 {
			return nil
		}
		return s.reader.Linker().Names(said[ts[0].Start:ts[len(ts)-1].End])
	}
	if found := named(ts); len(found) == 1 {
		return found[0], true
	}
	var found []link.Candidate
	keep := func(rest []text.Token, label string) {
		for _, c := range named(bare(rest)) {
			if (c.Label == label || slices.Contains(c.Labels, label)) && !slices.ContainsFunc(found, teaching{value: c}.isFor) {
				found = append(found, c)
			}
		}
	}
	core := ts
	if core[0].Text == "the" {
		core = core[1:]
	}
	for label, nouns := range nouns {
		for _, noun := range nouns {
			n := len(text.Tokens(noun))
			if n == 0 || n >= len(core) {
				continue
			}
			if text.Key(core[:n]) == noun {
				keep(core[n:], label)
			}
			if text.Key(core[len(core)-n:]) == noun {
				keep(core[:len(core)-n], label)
			}
		}
	}
	if len(found) != 1 {
		return v, false
	}
	return found[0], true
}

// nouns are the folded words for things of each label: film, actor.
func (s *snapshot) nouns() map[string][]string {
	g := s.reader.Glossary()
	found := g.Nouns()
	for _, rel := range g.Relationships {
		for _, words := range []reading.Words{rel.Agent, rel.Agents} {
			for _, phrases := range words {
				for _, p := range phrases {
					found[rel.From] = append(found[rel.From], text.KeyOf(p))
				}
			}
		}
	}
	return found
}
