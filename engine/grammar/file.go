package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"precedent/store/text"
)

// A category is what a stretch of a question can be: a word class or what rules make.
type category string

// A rule joins neighbouring pieces into one.
type rule struct {
	left  category
	right []category
	picks []int // the parts that the combinator takes, by their place in right, -1 for one left out
	do    action
	file  string
	line  int
}

// A language is what one file says.
type language struct {
	name  string
	rules []rule
	words *phrases // of no graph

	starts    map[category][]*rule // rules by their first part
	preps     map[string][]string  // by preposition, the words of types that it is said of
	templates map[string]string    // by which meanings are said
	affixes   map[string][]string  // that names of properties have: day, not
	scales    []scale
}

// A scale is an adjective of properties with a name like these.
type scale struct {
	down       bool
	more, most string
	of         []string
}

// parse reads a grammar file. Its lines are
//
//	say part = template with {parts}     how a part of a meaning is said (say.go)
//	affix kind = word, word              what names of properties have; none, what their values say for nothing
//	scale more | most = property         adjectives of properties that are called so
//	category value = phrase, phrase      words, with what they stand for
//	category -> part part? : combine arg   a rule; a part with ? may be left out
//	thing* -> noun* : combine              two rules: thing of noun, and things of nouns
//
// and # begins a remark.
func parse(name, file, content string) (*language, error) {
	l := &language{name: name, words: newPhrases(), templates: map[string]string{}, affixes: map[string][]string{},
		starts: map[category][]*rule{}, preps: map[string][]string{}}
	n := 0
	for raw := range strings.Lines(content) {
		n++
		line, _, _ := strings.Cut(raw, "# ")
		line = strings.TrimSpace(line)
		var err error
		switch left, right, isRule := strings.Cut(line, " -> "); {
		case line == "" || line == "#":
		case isRule && strings.Contains(line, "*"): // of one, and of several
			if err = l.rule(strings.ReplaceAll(left, "*", ""), strings.ReplaceAll(right, "*", ""), file, n); err == nil {
				err = l.rule(strings.ReplaceAll(left, "*", "s"), strings.ReplaceAll(right, "*", "s"), file, n)
			}
		case isRule:
			err = l.rule(left, right, file, n)
		case strings.HasPrefix(line, "say "):
			err = l.template(line)
		case strings.HasPrefix(line, "affix "), strings.HasPrefix(line, "scale "):
			err = l.affix(line)
		default:
			err = l.word(line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	for i := range l.rules {
		r := &l.rules[i]
		l.starts[r.right[0]] = append(l.starts[r.right[0]], r)
	}
	for kind, words := range l.affixes { // whichever
		if prep, ok := strings.CutPrefix(kind, "prep."); ok {
			l.preps[prep] = words
		}
	}
	return l, l.check(file)
}

func (l *language) word(line string) error {
	head, list, ok := strings.Cut(line, " = ")
	fields := strings.Fields(head)
	if !ok || len(fields) == 0 || len(fields) > 2 {
		return fmt.Errorf("want \"category value = phrase, phrase\", got %q", line)
	}
	var value any
	if len(fields) == 2 {
		value = strings.Replace(fields[1], "eq", "=", 1) // "=" stands behind the head
	}
	for phrase := range strings.SplitSeq(list, ", ") {
		if err := l.words.add(strings.TrimSpace(phrase), category(fields[0]), value); err != nil {
			return err
		}
	}
	return nil
}

// affix reads "affix kind = word, word" and "scale more | most = property, property"; a
// scale whose first word is - goes down.
func (l *language) affix(line string) error {
	head, list, ok := strings.Cut(line, " = ")
	fields := strings.Split(head, " | ")
	if !ok {
		return fmt.Errorf("want a list behind =, got %q", line)
	}
	words := strings.Split(list, ", ")
	if kind, is := strings.CutPrefix(head, "affix "); is {
		l.affixes[kind] = append(l.affixes[kind], words...)
		return nil
	}
	first, down := strings.CutPrefix(strings.TrimPrefix(fields[0], "scale "), "- ")
	if len(fields) != 2 {
		return fmt.Errorf("want \"scale more | most = property\", got %q", line)
	}
	l.scales = append(l.scales, scale{down, first, fields[1], words})
	return nil
}

func (l *language) template(line string) error {
	name, said, ok := strings.Cut(strings.TrimPrefix(line, "say "), " = ")
	if !ok || l.templates[name] != "" {
		return fmt.Errorf("want \"say part = template\", once for each, got %q", line)
	}
	l.templates[name] = said
	return nil
}

func (l *language) rule(left, right, file string, line int) error {
	pattern, said, _ := strings.Cut(right, " : ")
	do := action{comb: combinators["same"], picks: []int{1}}
	if f := strings.Fields(said); len(f) > 0 {
		var err error
		if do, err = parseAction(f); err != nil {
			return err
		}
	}
	// a part that may be left out makes two rules
	patterns := [][]part{nil}
	n := 0
	for word := range strings.FieldsSeq(pattern) {
		n++
		name, optional := strings.CutSuffix(word, "?")
		var next [][]part
		for _, p := range patterns {
			if optional {
				next = append(next, p)
			}
			next = append(next, append(slices.Clone(p), part{category(name), n}))
		}
		patterns = next
	}
	for _, p := range patterns {
		if len(p) == 0 {
			return fmt.Errorf("a rule needs a part that can't be left out")
		}
		r := rule{left: category(left), do: do, file: file, line: line}
		for _, pick := range do.picks {
			if pick < 1 || pick > n {
				return fmt.Errorf("there is no part %d", pick)
			}
			i := slices.IndexFunc(p, func(p part) bool { return p.n == pick })
			if i < 0 && !do.lenient {
				return fmt.Errorf("part %d may be left out, and what the rule does needs it", pick)
			}
			r.picks = append(r.picks, i)
		}
		for _, part := range p {
			r.right = append(r.right, part.cat)
		}
		l.rules = append(l.rules, r)
	}
	return nil
}

// A part of a pattern, and which it is from 1.
type part struct {
	cat category
	n   int
}

// An action is what a rule does: a combinator, the parts that it takes, an option, and
// what choosing the rule costs.
type action struct {
	comb   combinator
	picks  []int
	option string
	cost   int

	lenient bool // it takes nil for a part that was left out
}

// parseAction reads "combinator part part option /cost".
func parseAction(fields []string) (a action, err error) {
	var ok bool
	if a.comb, ok = combinators[fields[0]]; !ok {
		return a, fmt.Errorf("no combinator %q", fields[0])
	}
	a.lenient = slices.Contains(lenient, fields[0])
	for _, f := range fields[1:] {
		if n, err := strconv.Atoi(f); err == nil {
			a.picks = append(a.picks, n)
		} else if c, isCost := strings.CutPrefix(f, "/"); isCost {
			if a.cost, err = strconv.Atoi(c); err != nil {
				return a, fmt.Errorf("want a cost like /3, got %q", f)
			}
		} else {
			a.option = f
		}
	}
	return a, nil
}

// check finds categories that nothing makes.
func (l *language) check(file string) error {
	made := map[category]bool{}
	for _, c := range lexical {
		made[c] = true
	}
	for _, c := range l.words.categories {
		made[c] = true
	}
	for _, r := range l.rules {
		made[r.left] = true
	}
	for _, r := range l.rules {
		for _, c := range r.right {
			if !made[c] {
				return fmt.Errorf("%s:%d: nothing makes a %q", file, r.line, c)
			}
		}
	}
	return nil
}

// phrases map folded phrases to what they may be.
type phrases struct {
	entries    map[string][]entry
	longest    map[string]int // phrase that begins with a token, in tokens
	categories []category     // that have a word, each once
}

// An entry is one thing that a phrase may be.
type entry struct {
	cat   category
	value any
}

// maxPhrase bounds a phrase, in tokens.
const maxPhrase = 12

func newPhrases() *phrases {
	return &phrases{entries: map[string][]entry{}, longest: map[string]int{}}
}

func (p *phrases) add(phrase string, c category, value any) error {
	ts := text.Tokens(phrase)
	if ending, ok := strings.CutPrefix(phrase, "'"); ok { // 's, the ending of any word
		ts = text.Tokens("x'" + ending)[1:]
	}
	if len(ts) == 0 || len(ts) > maxPhrase {
		return fmt.Errorf("phrase %q: want 1 to %d words", phrase, maxPhrase)
	}
	key := text.Key(ts)
	e := entry{c, value}
	if slices.ContainsFunc(p.entries[key], func(o entry) bool { return o.cat == c && same(o.value, value) }) {
		return nil
	}
	p.entries[key] = append(p.entries[key], e)
	p.longest[ts[0].Text] = max(p.longest[ts[0].Text], len(ts))
	if !slices.Contains(p.categories, c) {
		p.categories = append(p.categories, c)
	}
	return nil
}

func same(a, b any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

// at calls yield with each phrase that begins at token i, and its length in tokens.
func (p *phrases) at(ts []text.Token, i int, yield func(e entry, n int)) {
	for n := 1; n <= min(p.longest[ts[i].Text], len(ts)-i); n++ {
		for _, e := range p.entries[text.Key(ts[i:i+n])] {
			yield(e, n)
		}
	}
}
