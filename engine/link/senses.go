package link

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"precedent/store/text"
)

//go:embed senses.txt
var sensesFile string

// senses are the words of senses.txt by kind, folded.
var senses = sync.OnceValue(func() map[string]map[string]bool {
	all := make(map[string]map[string]bool)
	for line := range strings.Lines(sensesFile) {
		line, _, _ = strings.Cut(line, "#")
		kind, words, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		if all[kind] == nil {
			all[kind] = make(map[string]bool)
		}
		for w := range strings.FieldsSeq(words) {
			if key := text.KeyOf(w); key != "" {
				w = key
			}
			all[kind][w] = true
		}
	}
	return all
})

// is reports whether the tokens ts[i:j] are a word of a kind.
func is(kind string, ts []text.Token, i, j int) bool {
	if i < 0 || j > len(ts) || i >= j {
		return false
	}
	key := text.Key(ts[i:j])
	if key == "" {
		key = ts[i].Text
	}
	return senses()[kind][key]
}

// isAny reports whether up to three tokens that begin, or end, at i are a word of a kind.
func isAny(kind string, ts []text.Token, i int, ends bool) bool {
	for n := 1; n <= 3; n++ {
		from, to := i, i+n
		if ends {
			from, to = i-n, i
		}
		if is(kind, ts, from, to) {
			return true
		}
	}
	return false
}

// inTime reports whether a word of the calendar stands where a time does: "in May",
// "May 2025", "the 5th of May", "May to July".
func inTime(ts []text.Token, m Mention) bool {
	i, j := m.From, m.To
	if i > 0 && ts[i-1].Kind == text.Number || j < len(ts) && ts[j].Kind == text.Number {
		return true
	}
	if j+1 < len(ts) && ts[j].Kind == text.Mark && ts[j+1].Kind == text.Number { // May, 2025
		return true
	}
	if isAny("when", ts, i, true) || isAny("then", ts, j, false) {
		return true
	}
	if is("join", ts, j, j+1) && isAny("calendar", ts, j+1, false) || is("join", ts, i-1, i) && isAny("calendar", ts, i-1, true) {
		return true
	}
	if i > 1 && ts[i-1].Text == "of" {
		before := ts[i-2]
		return before.Kind == text.Number || isAny("part", ts, i-1, true) || len(before.Text) <= 4 && strings.Trim(before.Text, "0123456789") != before.Text
	}
	return false
}

// A wordKind is what else a name may be.
type wordKind struct {
	calendar bool // a month, a day, a season
	noun     bool // a word for a label or a property
	verb     bool // a word for a relationship type
	small    bool // words that stand in any sentence, or one Chinese character
}

func (l *Linker) kindOf(ts []text.Token, m Mention) wordKind {
	words := unmarked(ts[m.From:m.To])
	key := text.Key(words)
	k := wordKind{noun: l.words[key], verb: l.verbs[key]}
	k.calendar = senses()["calendar"][key] && !slices.ContainsFunc(m.Candidates, func(c Candidate) bool { return l.shared[c.Label+"."+c.Property] })
	k.small = !slices.ContainsFunc(words, func(t text.Token) bool { return !isSmall(t.Text) }) || len(words) == 1 && words[0].Kind == text.Han
	return k
}

// besideProp reports whether a word for the candidate's property stands right
// before m, or after it: "the status is open", "open status", 状态为待处理.
func (l *Linker) besideProp(ts []text.Token, m Mention, c Candidate) bool {
	i := m.From
	for skipped := 0; skipped < 2 && i > 0 && (is("is", ts, i-1, i) || ts[i-1].Kind == text.Mark || isArticle(ts[i-1].Text)); skipped++ {
		i--
	}
	for _, label := range append([]string{c.Label}, c.Labels...) {
		words := l.props[label+"."+c.Property]
		for n := 1; n <= maxNoun; n++ {
			if i-n >= 0 && words[text.Key(ts[i-n:i])] || m.To+n <= len(ts) && words[text.Key(ts[m.To:m.To+n])] {
				return true
			}
		}
	}
	return false
}

// maxNoun is the most tokens of a word for a label or property that is looked for
// beside a name.
const maxNoun = 4

// beforeNoun reports whether a word for the candidate's own label follows m: "open
// tickets", 男患者.
func (l *Linker) beforeNoun(ts []text.Token, m Mention, c Candidate) bool {
	for _, label := range append([]string{c.Label}, c.Labels...) {
		for n := 1; n <= maxNoun && m.To+n <= len(ts); n++ {
			if l.nouns[label][text.Key(ts[m.To:m.To+n])] {
				return true
			}
		}
	}
	return false
}

// isEvent reports whether the words of m begin the name of another property of
// who holds the candidate: closed, beside closedOn.
func (l *Linker) isEvent(ts []text.Token, m Mention, c Candidate) bool {
	key := text.Key(unmarked(ts[m.From:m.To]))
	return slices.ContainsFunc(append([]string{c.Label}, c.Labels...), func(label string) bool { return l.begins[label][key] })
}

// isSaidOf reports whether m is said of the things that hold it: "orders are
// still pending", "which servers are up?", "orders open since May".
func (l *Linker) isSaidOf(ts []text.Token, m Mention, c Candidate) bool {
	if !isClosed(ts, m.To) || !l.hasNounOf(ts, c) {
		return false
	}
	i := m.From
	for i > 0 && is("still", ts, i-1, i) {
		i--
	}
	return i > 0 && ts[i-1].Kind == text.Word && is("is", ts, i-1, i)
}

// isPlaced reports whether m stands as what nodes share does: right before or after
// a word for those, or behind a preposition: "gold customers", "movies in English".
func (l *Linker) isPlaced(ts []text.Token, m Mention, c Candidate) bool {
	if l.beforeNoun(ts, m, c) {
		return true
	}
	if !isClosed(ts, m.To) || m.From == 0 {
		return false
	}
	return l.endsNoun(ts, m.From) || is("place", ts, m.From-1, m.From) && l.hasNounOf(ts, c)
}

// hasNounOf reports whether a word for a label that holds the candidate stands in
// the question; of candidates that nodes don't share, a word for any label.
func (l *Linker) hasNounOf(ts []text.Token, c Candidate) bool {
	if !l.shared[c.Label+"."+c.Property] {
		return l.hasNoun(ts)
	}
	return l.namesLabelOf(ts, c)
}

// namesLabelOf reports whether a word for a label that holds the candidate stands in
// the question.
func (l *Linker) namesLabelOf(ts []text.Token, c Candidate) bool {
	for _, label := range append([]string{c.Label}, c.Labels...) {
		for i := range ts {
			for n := 1; n <= maxNoun && i+n <= len(ts); n++ {
				if l.nouns[label][text.Key(ts[i:i+n])] {
					return true
				}
			}
		}
	}
	return false
}

// narrow leaves of several candidates, all of which nodes share as they share a
// status or a city, or which are one value of properties of one name, those whose
// property, else whose label, the question speaks of.
func (l *Linker) narrow(ts []text.Token, m *Mention) {
	first := m.Candidates[0]
	if len(m.Candidates) < 2 || slices.ContainsFunc(m.Candidates, func(c Candidate) bool {
		return !l.shared[c.Label+"."+c.Property] && (c.Property != first.Property || c.Value != first.Value)
	}) {
		return
	}
	for _, speaks := range []func([]text.Token, Mention, Candidate) bool{l.besideProp, l.beforeNoun,
		func(ts []text.Token, _ Mention, c Candidate) bool { return l.namesLabelOf(ts, c) }} {
		var fit []Candidate
		for _, c := range m.Candidates {
			if speaks(ts, *m, c) {
				fit = append(fit, c)
			}
		}
		if len(fit) > 0 {
			m.Candidates = fit
			return
		}
	}
}
