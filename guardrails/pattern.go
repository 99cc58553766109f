package guardrails

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"precedent/store/text"
)

// A pattern is one line of a word list: what must stand where, over tokens.
// The lists say how it is written; see en.txt. Only its first words are read
// before a question has one of them: most questions meet few patterns.
type pattern struct {
	lead     []phrase // of which one must begin a match; nil where its only token is known to stand there
	elements []element
	unless   []phrase // none of these may stand anywhere in the question
	weak     bool     // a word of the graph's glossary outweighs it
	apart    bool     // a value that the question names doesn't, unless it is what the pattern found

	source  string
	of      *dialect
	compile sync.Once
}

// A dialect is what a word list says of how its patterns are to be read.
type dialect struct {
	gap     int                 // tokens that ~ passes over
	classes map[string]string   // the words that @name stands for
	read    map[string][]phrase // classes as phrases, as far as they were needed
	mu      sync.Mutex          // guards read
}

// An element is one step of a pattern.
type element struct {
	kind     elementKind
	phrases  []phrase // of words and not
	optional bool     // of words
	gap      int      // of gap: most tokens passed over
}

type elementKind uint8

const (
	words       elementKind = iota // one of the phrases
	not                            // none of the phrases begins here
	gap                            // up to gap tokens of the same sentence
	farGap                         // any number of tokens
	anyToken                       // any one token
	textStart                      // ^^
	sentenceEnd                    // $
	sentence                       // ^
	clause                         // ;
)

// A phrase is consecutive tokens; a token that ends in * stands for all that begin so.
type phrase []string

// anyNumber, as a token of a phrase, stands for any number.
const anyNumber = "NUM"

// A heard question is its tokens as patterns see them: marks dropped,
// contractions written out.
type heard struct {
	tokens    []string
	quoted    []bool // tokens[i] stands in quotation marks
	sentences []bool // a sentence begins at i, possibly after a polite opening
	clauses   []bool // a clause does
	ends      []bool // a sentence ends before i; len(tokens)+1 of them
	asks      bool   // it has a question mark
	folded    string // the text folded, marks and all
}

// newPattern reads the first words of a line.
func newPattern(line string, of *dialect) (*pattern, error) {
	p := &pattern{source: line, of: of}
	for field := range strings.FieldsSeq(line) {
		switch {
		case field == "weak", field == "apart", strings.HasPrefix(field, "unless:"), field == "^^", field == "^", field == ";":
			continue
		}
		e, err := of.element(field)
		if err != nil {
			return nil, err
		}
		if e.kind == words && !e.optional {
			p.lead = e.phrases
		}
		break
	}
	if len(p.lead) == 0 {
		return nil, fmt.Errorf("pattern %q must begin with words that are not optional", line)
	}
	return p, nil
}

// parse reads the whole line.
func (p *pattern) parse() error {
	for field := range strings.FieldsSeq(p.source) {
		switch field {
		case "weak":
			p.weak = true
			continue
		case "apart":
			p.apart = true
			continue
		}
		if words, ok := strings.CutPrefix(field, "unless:"); ok {
			alternatives, err := p.of.phrases(words)
			if err != nil {
				return err
			}
			p.unless = append(p.unless, alternatives...)
			continue
		}
		e, err := p.of.element(field)
		if err != nil {
			return err
		}
		p.elements = append(p.elements, e)
	}
	return nil
}

// whole is the pattern with its whole line read. It panics if that is broken,
// which a test would show.
func (p *pattern) whole() *pattern {
	p.compile.Do(func() {
		if err := p.parse(); err != nil {
			panic(err)
		}
	})
	return p
}

func (d *dialect) element(field string) (element, error) {
	switch field {
	case "^^":
		return element{kind: textStart}, nil
	case "^":
		return element{kind: sentence}, nil
	case ";":
		return element{kind: clause}, nil
	case "$":
		return element{kind: sentenceEnd}, nil
	case "_":
		return element{kind: anyToken}, nil
	case "~":
		return element{kind: gap, gap: d.gap}, nil
	case "~~":
		return element{kind: farGap}, nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(field, "~")); err == nil && field[0] == '~' {
		return element{kind: gap, gap: n}, nil
	}
	e := element{}
	if rest, ok := strings.CutPrefix(field, "!"); ok {
		e.kind, field = not, rest
	}
	if rest, ok := strings.CutSuffix(field, "?"); ok {
		e.optional, field = true, rest
	}
	var err error
	e.phrases, err = d.phrases(field)
	return e, err
}

// phrases reads alternatives, the longest first so that a greeting is taken
// whole: a|b_c|@class.
func (d *dialect) phrases(field string) ([]phrase, error) {
	out := make([]phrase, 0, strings.Count(field, "|")+1)
	for alternative := range strings.SplitSeq(field, "|") {
		if name, ok := strings.CutPrefix(alternative, "@"); ok {
			inner, err := d.class(name)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
			continue
		}
		if alternative == "NUM" {
			out = append(out, phrase{anyNumber})
			continue
		}
		p := tokenPhrase(alternative)
		if len(p) == 0 {
			return nil, fmt.Errorf("%q of %q is no word", alternative, field)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%q names no words", field)
	}
	slices.SortStableFunc(out, func(a, b phrase) int { return len(b) - len(a) })
	return out, nil
}

// class is what @name stands for.
func (d *dialect) class(name string) ([]phrase, error) {
	d.mu.Lock()
	known, ok := d.read[name]
	d.mu.Unlock()
	if ok {
		return known, nil
	}
	members, ok := d.classes[name]
	if !ok {
		return nil, fmt.Errorf("no class @%s is defined above", name)
	}
	found, err := d.phrases(members)
	if err == nil {
		d.mu.Lock()
		d.read[name] = found
		d.mu.Unlock()
	}
	return found, err
}

func tokenPhrase(s string) phrase {
	s, open := strings.CutSuffix(s, "*")
	var p phrase
	switch { // the two that nearly all are, read as text.Tokens would
	case !strings.ContainsFunc(s, func(r rune) bool { return r != '_' && (r < 'a' || 'z' < r) }):
		p = slices.DeleteFunc(strings.Split(s, "_"), func(w string) bool { return w == "" })
		s = ""
	case !strings.ContainsFunc(s, func(r rune) bool { return !unicode.Is(unicode.Han, r) }):
		p = strings.Split(text.Fold(s), "")
		s = ""
	}
	for _, t := range text.Tokens(strings.ReplaceAll(s, "_", " ")) {
		if t.Kind != text.Mark {
			p = append(p, t.Text)
		}
	}
	if open && len(p) > 0 {
		p[len(p)-1] += "*"
	}
	return p
}

func tokenMatches(want, got string) bool {
	if stem, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(got, stem)
	}
	return want == got || want == anyNumber && got[0] >= '0' && got[0] <= '9'
}

// at reports whether the phrase stands at i.
func (p phrase) at(h *heard, i int) bool {
	if i+len(p) > len(h.tokens) {
		return false
	}
	for k, want := range p {
		if !tokenMatches(want, h.tokens[i+k]) {
			return false
		}
	}
	return true
}

func (p phrase) in(h *heard) bool {
	for i := range h.tokens {
		if p.at(h, i) {
			return true
		}
	}
	return false
}

// match reports the positions of the words that make p match at i.
func (p *pattern) match(h *heard, i int) ([]int, bool) {
	if p.lead != nil && !slices.ContainsFunc(p.lead, func(l phrase) bool { return l.at(h, i) }) {
		return nil, false
	}
	used, ok := step(h, p.whole().elements, i, make([]int, 0, 8))
	if !ok || slices.ContainsFunc(p.unless, func(u phrase) bool { return u.in(h) }) {
		return nil, false
	}
	return used, true
}

// step matches the elements from i on, trying every way.
func step(h *heard, elements []element, i int, used []int) ([]int, bool) {
	if len(elements) == 0 {
		return used, true
	}
	e, rest := elements[0], elements[1:]
	switch e.kind {
	case textStart:
		if i != 0 {
			return nil, false
		}
	case sentence:
		if i >= len(h.tokens) || !h.sentences[i] {
			return nil, false
		}
	case clause:
		if i >= len(h.tokens) || !h.clauses[i] {
			return nil, false
		}
	case sentenceEnd:
		if !h.ends[i] {
			return nil, false
		}
	case not:
		if slices.ContainsFunc(e.phrases, func(p phrase) bool { return p.at(h, i) }) {
			return nil, false
		}
	case anyToken:
		if i >= len(h.tokens) {
			return nil, false
		}
		return step(h, rest, i+1, append(used, i))
	case gap, farGap:
		for k := i; k <= len(h.tokens); k++ {
			if e.kind == gap && (k-i > e.gap || k > i && h.ends[k] && k < len(h.tokens)) {
				break
			}
			if found, ok := step(h, rest, k, used); ok {
				return found, true
			}
		}
		return nil, false
	case words:
		return stepWords(h, e, rest, i, used)
	}
	return step(h, rest, i, used)
}

func stepWords(h *heard, e element, rest []element, i int, used []int) ([]int, bool) {
	for _, p := range e.phrases {
		if !p.at(h, i) {
			continue
		}
		with := used
		for k := range p {
			with = append(with, i+k)
		}
		if found, ok := step(h, rest, i+len(p), with); ok {
			return found, true
		}
	}
	if e.optional {
		return step(h, rest, i, used)
	}
	return nil, false
}
