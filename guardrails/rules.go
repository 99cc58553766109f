package guardrails

import (
	_ "embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"precedent/store/text"
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

// Lists are the word lists by which questions are judged, together. They are read
// when the first question is.
type Lists struct {
	rules    []*rule
	polite   *rule           // openings before which a sentence has not yet begun
	cover    *rule           // greetings and the like, which say nothing
	filler   *rule           // words that may stand among them
	asking   *rule           // words by which something is asked for
	usage    *rule           // questions of how to use the bot
	general  map[string]bool // words of schemas that say nothing of what a question is about
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

// theLists are the lists for every graph.
var theLists = sync.OnceValue(func() *Lists { return readLists(nil) })

// With returns the lists for every graph and the files of a folder, *.txt, which are
// written like en.txt and zh.txt: what a graph has besides that isn't about it. They
// are read when they are first needed, which panics if one is broken: they ship
// with the program, and a test reads them.
func With(folder fs.FS) func() *Lists {
	return sync.OnceValue(func() *Lists { return readLists(folder) })
}

// readLists reads the lists for every graph, and those of a folder unless that is nil.
func readLists(folder fs.FS) *Lists {
	l := &Lists{spelling: map[string][]string{}, general: map[string]bool{}, words: make(map[string][]entry, leads), stems: map[string][]entry{}}
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	must(l.read("en.txt", enFile))
	must(l.read("zh.txt", zhFile))
	if folder != nil {
		names, err := fs.Glob(folder, "*.txt")
		must(err)
		for _, name := range names {
			b, err := fs.ReadFile(folder, name)
			must(err)
			must(l.read(name, string(b)))
		}
	}
	l.index()
	return l
}

// IsGeneral reports whether a folded word stands in schemas and in talk of all kinds
// (name, date, 今天), so that it says nothing of what a question is about.
func IsGeneral(word string) bool { return theLists().isGeneral(word) }

// isGeneral reports it of a phrase, all of whose words must be general.
func (l *Lists) isGeneral(phrase string) bool {
	if l.general[phrase] {
		return true
	}
	for word := range strings.FieldsSeq(phrase) {
		if !l.general[word] {
			return false
		}
	}
	return true
}

func (l *Lists) read(name, file string) error {
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
		case current.name == "general":
			for word := range strings.FieldsSeq(line) {
				l.general[text.KeyOf(word)] = true
			}
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
func (l *Lists) section(heading string) (*rule, error) {
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
	case "spelling", "general":
		return &rule{name: fields[0]}, nil
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

func (l *Lists) index() {
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
func (l *Lists) at(token string, yield func(entry) bool) {
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
