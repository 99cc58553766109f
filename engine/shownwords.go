package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// Bounds of what a prompt says beside the schema, the question and its links.
const (
	valueTokens = 120 // of the values of categories that the question touches
	caseTokens  = 290 // of similar cases
	leastCases  = 2   // that are shown however long they are
	wordTokens  = 60  // of the words of the domain
	maxSenses   = 3   // names of the schema for one word
	maxValue    = 60  // runes of a value in a list
)

// today is a's moment as a prompt says it.
func (a *asking) today() string { return a.now().Format("2006-01-02, Monday, UTC-07:00") }

// shownCases are the nearest of the recalled cases, as many as caseTokens allow.
func (a *asking) shownCases() (shown []similar) {
	left := caseTokens
	for i, m := range a.recalled {
		c := a.shownCase(m.Case)
		left -= tokensIn(string(c.Question) + string(c.Query) + "Question: Query: ")
		if left < 0 && i >= leastCases {
			break
		}
		shown = append(shown, c)
	}
	return shown
}

// A meant word is a word of the question and what it stands for in the schema.
type meantWord struct {
	Word  foreign
	Means string
}

// meantWords are the words of the domain in the question that say more than the
// names that they stand for.
func (a *asking) meantWords() (out []meantWord) {
	left := wordTokens
	for i, w := range a.rd.Marks.Domain {
		if slices.Contains(a.rd.Marks.Domain[:i], w) {
			continue
		}
		var names []string
		for _, name := range a.reader.Senses(w) {
			if reading.Says(w, name) && a.gate.names(name) && len(names) < maxSenses {
				names = append(names, promptProperty(name))
			}
		}
		m := meantWord{foreign(w), strings.Join(names, ", ")}
		if len(names) == 0 || tokensIn(w+m.Means)+2 > left {
			continue
		}
		left -= tokensIn(w+m.Means) + 2
		out = append(out, m)
	}
	return out
}

// promptProperty is a label, a type or Owner.property as it stands in a prompt.
func promptProperty(name string) string {
	owner, property, ok := strings.Cut(name, ".")
	if !ok {
		return promptName(name)
	}
	return promptName(owner) + "." + promptName(property)
}

// names reports whether a label, type or Owner.property isn't hidden.
func (g *gate) names(name string) bool {
	owner, key, _ := strings.Cut(name, ".")
	return !g.hide.Name(owner) && !g.hide.Property([]string{owner}, key)
}

// touch is what the question says of the schema.
func (a *asking) touch() touch {
	t := touch{told: make(map[string]float64)}
	for _, tok := range text.Tokens(a.Restated) {
		if tok.Kind != text.Mark && !slices.Contains(t.words, tok.Text) {
			t.words = append(t.words, tok.Text)
		}
	}
	t.tell(a.toldNames())
	return t
}

// A toldName is a label, a type or Owner.property that something in a question or
// beside it names.
type toldName struct {
	name   string
	weight float64 // from 0 to 1: one of several that may be meant weighs less
}

// toldNames are those that the question's links and words and the recalled cases
// name, in this order.
func (a *asking) toldNames() (names []toldName) {
	for _, m := range a.rd.Mentions {
		weight := 1.
		switch {
		case m.Weak && !strings.ContainsFunc(m.Candidates[0].Mention, unicode.IsLetter):
			continue
		case !m.Sure():
			weight = weightUnsure
		}
		weight /= float64(len(m.Candidates))
		for _, c := range m.Candidates {
			names = append(names, toldName{c.Label + "." + c.Property, weight}, toldName{c.Label, weight})
		}
	}
	for _, w := range a.rd.Marks.Domain {
		senses := a.reader.Senses(w)
		for _, sense := range senses {
			weight := 1 / float64(len(senses))
			names = append(names, toldName{sense, weight})
			if owner, _, ok := strings.Cut(sense, "."); ok {
				names = append(names, toldName{owner, weight * weightUnsure})
			}
		}
	}
	for _, m := range a.recalled[:min(len(a.recalled), toldCases)] {
		if s, err := cypher.Parse(m.Case.Query); err == nil {
			for _, name := range a.namedIn(s) {
				names = append(names, toldName{name, weightCase})
			}
		}
	}
	return names
}

// Weights of what names a part of the schema, beside 1 for a sure link and a word.
const (
	weightUnsure = .5
	weightCase   = .6
)

// toldCases are how many of the recalled cases say what a question touches.
const toldCases = 3

// namedIn are the labels and types that a query names, and their properties whose
// keys it names, in the order of the schema.
func (s *snapshot) namedIn(stmt *cypher.Statement) (out []string) {
	names, keys := namesIn(stmt)
	last := ""
	each(s.schema, func(owner string, p store.Property) {
		if !names[owner] {
			return
		}
		if owner != last {
			out, last = append(out, owner), owner
		}
		if keys[p.Name] {
			out = append(out, owner+"."+p.Name)
		}
	})
	return out
}

// A shownList is what a property may hold.
type shownList struct {
	Property string
	Values   string // quoted, on one line
}

// shownValues are the values of the categories that the question touches and the
// schema's text doesn't list: those of properties that links or words name first,
// then those of labels.
func (a *asking) shownValues(t touch) (out []shownList) {
	if !a.rowsToModel {
		return nil
	}
	type ranked struct {
		name   string
		values []any
		rank   int
	}
	var found []ranked
	p := a.pruner()
	told := a.toldNames()
	each(a.schema, func(owner string, prop store.Property) {
		name := owner + "." + prop.Name
		if prop.Items != nil {
			prop = *prop.Items
		}
		if !a.isListed(name, prop) {
			return
		}
		shared := isCategory(prop)
		rank := slices.IndexFunc(told, func(n toldName) bool { return n.name == name })
		switch {
		case rank >= 0:
		case p.said(t, wordsOf(prop.Name)) >= wellSaid:
			rank = len(told)
		case !shared:
			return
		case t.told[owner] >= weightUnsure || p.said(t, wordsOf(owner)) >= wellSaid:
			rank = len(told) + 1
		default:
			return
		}
		found = append(found, ranked{name, prop.Samples, rank})
	})
	slices.SortStableFunc(found, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(len(x.values), len(y.values)))
	})
	left := valueTokens
	for _, f := range found {
		line := a.valueLine(f.name, f.values, left-tokensIn(f.name)-1, f.rank <= len(told))
		if line == "" {
			continue
		}
		left -= tokensIn(f.name+line) + 1
		out = append(out, shownList{promptProperty(f.name), line})
	}
	return out
}

// wellSaid is how much of a name's words a question says that speaks of it.
const wellSaid = .75

// isListed reports whether the values of a property may be listed for a question.
func (s *snapshot) isListed(name string, p store.Property) bool {
	return p.Type == "STRING" && p.Lists() && s.named[name] && !s.text.listed[name] &&
		(isCategory(p) || len(p.Samples) <= fewValues) && p.Looks.Share(text.NameLook, text.CodeLook) > shareNames
}

// fewValues are so few that they are listed though they don't repeat.
const fewValues = 12

// valueLine are values within a number of tokens, quoted; "" if they don't fit.
// part says that the most frequent do where not all fit.
func (s *snapshot) valueLine(name string, values []any, tokens int, part bool) string {
	var b strings.Builder
	for i, v := range values {
		said := fmt.Sprint(v)
		if !s.tellsNothing(name, v) || len([]rune(said)) > maxValue {
			continue
		}
		quoted := text.Quote(said)
		if tokensIn(b.String()+quoted)+2 > tokens {
			if !part || i == 0 {
				return ""
			}
			b.WriteString(", …")
			break
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoted)
	}
	return b.String()
}

// promptSchema is what the question's prompt says of the schema: nothing where the
// part that is the same for all questions says it all.
func (a *asking) promptSchema(t touch) string {
	if a.text.text != "" {
		return ""
	}
	v := schemaView{Schema: a.schema, detail: details[len(details)-1], shows: a.shows(a.rowsToModel), keeps: a.pruner().prune(t, prunedTokens)}
	return formatSchema(v).text
}

// shows says whether a value may stand in a prompt; nil where none may.
func (s *snapshot) shows(samples bool) func(property string, value any) bool {
	if !samples {
		return nil
	}
	return s.tellsNothing
}

// describe sets the texts of the schema: for prompts, as detailed as schemaTokens
// allow, "" where a question has to choose; and in full, for people.
func (s *snapshot) describe(samples bool) {
	v := schemaView{Schema: s.schema, shows: s.shows(samples)}
	for i, d := range details {
		v.detail = d
		made := formatSchema(v)
		if i == 0 {
			s.whole = made.text
		}
		limit := schemaTokens
		if i == len(details)-1 {
			limit = wholeTokens
		}
		if tokensIn(made.text) <= limit {
			s.text = made
			return
		}
	}
}
