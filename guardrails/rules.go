package guardrails

import (
	_ "embed"
	"fmt"
	"slices"
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

	words, stems leads // by the first token of a pattern, and by its stem where it ends in *
}

// leads are patterns under what they can begin with.
type leads struct {
	at      map[string]span // of entries
	entries []entry
}

// An entry is a pattern and the rule that it is of.
type entry struct {
	rule    *rule
	pattern *pattern
}

// theLists are the lists for every graph.
var theLists = sync.OnceValue(func() *Lists { return readLists() })

// With returns the lists for every graph and further ones, which are written like
// en.txt and zh.txt: what a graph has besides that isn't about it. They are read
// when they are first needed, which panics if one is broken: they ship with the
// program, and a test reads them.
func With(lists ...string) func() *Lists {
	return sync.OnceValue(func() *Lists { return readLists(lists...) })
}

// readLists reads the lists for every graph, and more.
func readLists(more ...string) *Lists {
	l := &Lists{spelling: map[string][]string{}, general: map[string]bool{}}
	for i, list := range append([]string{enFile, zhFile}, more...) {
		if err := l.read(list); err != nil {
			panic(fmt.Errorf("list %d, line %w", i+1, err))
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

func (l *Lists) read(file string) error {
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
			return fmt.Errorf("%d: %w", number, err)
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
	all := append([]*rule{l.polite, l.cover, l.filler, l.asking, l.usage}, l.rules...)
	counts := func(yield func(lead string, stem bool, e entry)) {
		for _, r := range all {
			for _, p := range r.patterns {
				for _, lead := range p.lead {
					first, stem := strings.CutSuffix(lead[0], "*")
					yield(first, stem, entry{r, p})
				}
			}
		}
	}
	of := map[bool]*leads{false: &l.words, true: &l.stems}
	for _, in := range of {
		in.at = map[string]span{}
	}
	counts(func(lead string, stem bool, _ entry) {
		n := of[stem].at[lead]
		of[stem].at[lead] = span{0, n.last + 1}
	})
	for _, in := range of {
		next := 0
		for lead, n := range in.at {
			in.at[lead] = span{next, next - 1}
			next += n.last
		}
		in.entries = make([]entry, next)
	}
	counts(func(lead string, stem bool, e entry) {
		in := of[stem]
		n := in.at[lead]
		n.last++
		in.entries[n.last] = e
		in.at[lead] = n
	})
	for _, r := range all {
		for _, p := range r.patterns {
			if !slices.ContainsFunc(p.lead, func(lead phrase) bool { return len(lead) > 1 }) {
				p.lead = nil // which at has looked at
			}
		}
	}
}

// under calls yield with the entries under lead, until it returns false.
func (in *leads) under(lead string, yield func(entry) bool) bool {
	n, ok := in.at[lead]
	if !ok {
		return true
	}
	for _, e := range in.entries[n.first : n.last+1] {
		if !yield(e) {
			return false
		}
	}
	return true
}

// at calls yield with every entry that may begin at token, until it returns false.
func (l *Lists) at(token string, yield func(entry) bool) {
	if !l.words.under(token, yield) || token[0] >= '0' && token[0] <= '9' && !l.words.under(anyNumber, yield) {
		return
	}
	for n := 1; n <= len(token); n++ {
		if !l.stems.under(token[:n], yield) {
			return
		}
	}
}
