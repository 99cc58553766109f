package guardrails

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// The word lists. en.txt says how all of them are written.
//
//go:embed en.txt
var enFile string

//go:embed zh.txt
var zhFile string

// A rule is a section of a word list: patterns that say the same of a question.
type rule struct {
	kind      Kind
	name      string
	weak      bool     // a word of the graph's glossary outweighs it
	apart     bool     // a value that the question names doesn't, unless it is what a pattern found
	statement bool     // only of a question that asks for nothing
	unless    []phrase // where one of these stands, no pattern counts
	patterns  []*pattern
	raw       []string // pieces of the folded text, as rawIn reads them
}

// ruleKinds maps the first word of a section's heading.
var ruleKinds = map[string]Kind{"injection": Injection, "harmful": Harmful, "change": Change, "off_topic": OffTopic}

// lists is what the word lists hold together.
type lists struct {
	rules    []*rule
	polite   *rule // openings before which a sentence has not yet begun
	cover    *rule // greetings and the like, which say nothing
	filler   *rule // words that may stand among them
	asking   *rule // words by which something is asked for
	usage    *rule // questions of how to use the bot
	spelling map[string][]string

	words map[string][]entry // by the first token of a pattern
	stems map[string][]entry // by its stem, where it ends in *
}

// An entry is a pattern under a token that can begin it.
type entry struct {
	rule    *rule
	pattern *pattern
}

// leads is about how many tokens begin a pattern.
const leads = 2000

// theLists panics if an embedded list is broken, which a test would show.
var theLists = sync.OnceValue(readLists)

func readLists() *lists {
	l := &lists{spelling: map[string][]string{}, words: make(map[string][]entry, leads), stems: map[string][]entry{}}
	for _, list := range []struct{ name, text string }{{"en.txt", enFile}, {"zh.txt", zhFile}} {
		if err := l.read(list.name, list.text); err != nil {
			panic(err)
		}
	}
	l.index()
	return l
}

func (l *lists) read(name, file string) error {
	d := &dialect{gap: 5, classes: map[string]string{}, read: map[string][]phrase{}}
	var current *rule
	number := 0
	for line := range strings.Lines(file) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var err error
		switch {
		case strings.HasPrefix(line, "gap "):
			_, err = fmt.Sscanf(line, "gap %d", &d.gap)
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			current, err = l.section(strings.Trim(line, "[]"))
		case strings.HasPrefix(line, "@") && strings.Contains(line, " = "):
			class, members, _ := strings.Cut(line, " = ")
			class = class[1:]
			if d.classes[class] != "" {
				err = fmt.Errorf("class @%s is defined above", class)
			}
			d.classes[class] = strings.Join(strings.Fields(members), "|")
		case current == nil:
			err = fmt.Errorf("no section yet")
		case current.name == "spelling":
			typed, meant, _ := strings.Cut(line, " = ")
			l.spelling[typed] = strings.Fields(meant)
		case strings.HasPrefix(line, "raw "):
			raw := strings.TrimSuffix(strings.TrimPrefix(line, "raw `"), "`")
			current.raw = append(current.raw, raw)
		default:
			var p *pattern
			if p, err = newPattern(line, d); err == nil {
				p.unless = current.unless[:len(current.unless):len(current.unless)]
				current.patterns = append(current.patterns, p)
			}
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	return nil
}

// section finds or adds the rule that a heading names.
func (l *lists) section(heading string) (*rule, error) {
	fields := strings.Fields(heading)
	if len(fields) == 0 {
		return nil, fmt.Errorf("a section needs a name")
	}
	of := func(r **rule) *rule {
		if *r == nil {
			*r = &rule{name: fields[0]}
		}
		return *r
	}
	switch fields[0] {
	case "polite":
		return of(&l.polite), nil
	case "greeting":
		return of(&l.cover), nil
	case "filler":
		return of(&l.filler), nil
	case "asking":
		return of(&l.asking), nil
	case "usage":
		return of(&l.usage), nil
	case "spelling":
		return &rule{name: "spelling"}, nil
	}
	kind, known := ruleKinds[fields[0]]
	if !known || len(fields) < 2 {
		return nil, fmt.Errorf("[%s] is not a kind and a name", heading)
	}
	r := &rule{kind: kind, name: fields[1]}
	for _, flag := range fields[2:] {
		if list, ok := strings.CutPrefix(flag, "unless:"); ok {
			var err error
			if r.unless, err = new(dialect).phrases(list); err != nil {
				return nil, err
			}
			continue
		}
		switch flag {
		case "weak":
			r.weak = true
		case "apart":
			r.apart = true
		case "statement":
			r.statement = true
		default:
			return nil, fmt.Errorf("[%s]: %q is none of weak, apart, statement and unless:…", heading, flag)
		}
	}
	l.rules = append(l.rules, r)
	return r, nil
}

func (l *lists) index() {
	special := []*rule{l.polite, l.cover, l.filler, l.asking, l.usage}
	for _, r := range append(special, l.rules...) {
		for _, p := range r.patterns {
			for _, lead := range p.lead {
				if stem, ok := strings.CutSuffix(lead[0], "*"); ok {
					l.stems[stem] = append(l.stems[stem], entry{r, p})
				} else {
					l.words[lead[0]] = append(l.words[lead[0]], entry{r, p})
				}
			}
		}
	}
}

// at calls yield with every entry that may begin at token, until it returns false.
func (l *lists) at(token string, yield func(entry) bool) {
	for _, e := range l.words[token] {
		if !yield(e) {
			return
		}
	}
	if token[0] >= '0' && token[0] <= '9' {
		for _, e := range l.words[anyNumber] {
			if !yield(e) {
				return
			}
		}
	}
	for n := 1; n <= len(token); n++ {
		for _, e := range l.stems[token[:n]] {
			if !yield(e) {
				return
			}
		}
	}
}
