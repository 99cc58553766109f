package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"precedent/engine/meaning"
	"precedent/engine/reading"
)

// Say is what a meaning asks, in a language's canonical words; "" where a part of it has
// none. Reading what was said gives the meaning again, or nothing is said.
func (r *Reader) Say(m *meaning.Meaning, language string) string {
	sp := r.languages[language]
	if sp == nil {
		return ""
	}
	s := &saying{Reader: r, language: language, templates: sp.templates}
	said := s.meaning(m)
	if s.mute {
		return ""
	}
	return strings.Join(strings.Fields(said), " ")
}

// A saying puts one meaning into words, by the templates of a grammar file.
type saying struct {
	*Reader
	language  string
	templates map[string]string
	mute      bool // a part has no words
}

// fill is a template with its {parts}, given as name, words, name, words.
func (s *saying) fill(template string, parts ...string) string {
	t, ok := s.templates[template]
	if !ok {
		s.mute = true
		return ""
	}
	var b strings.Builder
	put := func(words string) { // two words of letters or digits stay apart: Sci-Fi before Comedy
		last, _ := utf8.DecodeLastRuneInString(b.String())
		first, _ := utf8.DecodeRuneInString(words)
		if isLatin(last) && isLatin(first) {
			b.WriteByte(' ')
		}
		b.WriteString(words)
	}
	for t != "" {
		before, rest, found := strings.Cut(t, "{")
		put(before)
		part, behind, _ := strings.Cut(rest, "}")
		for i := 0; found && i < len(parts); i += 2 {
			if parts[i] == part {
				put(parts[i+1])
			}
		}
		t = behind
	}
	return b.String()
}

func isLatin(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

func (s *saying) silent() string {
	s.mute = true
	return ""
}

func (s *saying) meaning(m *meaning.Meaning) string {
	switch m.Do {
	case meaning.List:
		if len(m.Columns) > 0 {
			return s.fill("columns", "columns", s.columns(m), "set", s.set(m.Of, true))
		}
		return s.fill("list", "set", s.set(m.Of, true))
	case meaning.Count:
		return s.fill("count", "set", s.set(m.Of, true))
	case meaning.Exists:
		for i, c := range m.Of.Where { // of one thing: whether it is so
			if name, ok := s.entity(setOf(m.Of.Label, c)); ok && len(m.Of.Where) > 1 {
				rest := *m.Of
				rest.Where = append(slices.Clone(m.Of.Where[:i]), m.Of.Where[i+1:]...)
				return s.fill("truth", "name", name, "set", s.set(&rest, true))
			}
		}
		return s.fill("exists", "set", s.set(m.Of, true))
	case meaning.Total:
		return s.fill("total", "fn", s.fn(m.Fn), "measure", s.measure(m.Of, m.Measure), "set", s.set(m.Of, true))
	case meaning.Groups:
		each := s.each(m)
		if m.Each.Having != nil || m.Each.Take > 0 {
			return s.silent()
		}
		said := ""
		if m.Measure == nil {
			said = s.fill("groups.count", "set", s.set(m.Of, true), "each", each)
		} else {
			said = s.fill("groups", "fn", s.fn(m.Fn), "measure", s.measure(m.Of, m.Measure), "set", s.set(m.Of, true), "each", each)
		}
		if m.Each.Order == meaning.Ascending {
			said = s.fill("rising", "groups", said)
		}
		return said
	case meaning.Share:
		return s.fill("share", "set", s.set(m.Of, true), "with", s.set(m.With, true))
	case meaning.Compare:
		return s.compared(m)
	}
	return s.silent()
}

func (s *saying) compared(m *meaning.Meaning) string {
	way, measure := "compare", ""
	switch c := m.Columns[0].(type) {
	case meaning.CountOf:
		way, measure = "compare.count", s.related(m.Of, c.Role, c.Set)
	case meaning.Prop:
		if isDay(s.schema.typeOf(m.Of.Label, c.Property)) {
			way = "compare.day"
		}
		measure = s.property(m.Of.Label, c.Property)
	default:
		measure = s.measure(m.Of, c)
	}
	return s.fill(way, "measure", measure, "a", s.set(m.Of, false), "b", s.set(m.With, false))
}

func (s *saying) fn(f meaning.Fn) string { return s.fill("fn." + string(f)) }

func (s *saying) columns(m *meaning.Meaning) string {
	var out []string
	for _, c := range m.Columns {
		out = append(out, s.measure(m.Of, c))
	}
	return s.list(out, "and")
}

// list is words told one by one.
func (s *saying) list(words []string, last string) string {
	out := words[0]
	for i, w := range words[1:] {
		join := "comma"
		if i == len(words)-2 {
			join = last
		}
		out = s.fill(join, "a", out, "b", w)
	}
	return out
}

func (s *saying) each(m *meaning.Meaning) string {
	if m.Each.Set == nil {
		return s.property(m.Of.Label, m.Each.Property)
	}
	return s.set(m.Each.Set, false)
}

// measure is what a measure of the things of a set is called.
func (s *saying) measure(of *meaning.Set, m meaning.Measure) string {
	switch m := m.(type) {
	case meaning.Prop:
		return s.property(of.Label, m.Property)
	case meaning.CountOf:
		return s.fill("counted", "set", s.related(of, m.Role, m.Set))
	case meaning.Of:
		return s.fill("average", "fn", s.fn(m.Fn), "measure", s.property(m.Set.Label, m.Property), "set", s.related(of, m.Role, m.Set))
	}
	return s.silent()
}

// related is a set that a role leads to, if that role is the one that its words lead to.
func (s *saying) related(of *meaning.Set, role meaning.Role, set *meaning.Set) string {
	if len(role.With) > 0 {
		return s.silent()
	}
	q := &sentence{Reader: s.Reader}
	if roles := q.joins(of, []*meaning.Set{set}, ""); len(roles) != 1 || roles[0].Exact() != role.Exact() {
		return s.silent()
	}
	return s.set(set, true)
}

// property is what a property is called.
func (s *saying) property(label, prop string) string {
	if said := s.glossary.Properties[label+"."+prop].Noun[s.language]; len(said) > 0 {
		return said[0]
	}
	if s.schema.typeOf(label, prop) == "" { // of a label that goes with it
		for name, w := range reading.InOrder(s.glossary.Properties) {
			if _, p, _ := strings.Cut(name, "."); p == prop && len(w.Noun[s.language]) > 0 {
				return w.Noun[s.language][0]
			}
		}
	}
	return reading.Spoken(prop)
}

func (s *saying) noun(label string, several bool) string {
	w := s.glossary.Labels[label]
	if many := w.Many[s.language]; several && len(many) > 0 {
		return many[0]
	}
	if one := w.One[s.language]; len(one) > 0 {
		return one[0]
	}
	return reading.Spoken(label)
}

// A part is what a condition adds to a noun, before it or behind.
type saidPart struct {
	said   string
	before bool
}

// set is what the things of a set are called.
func (s *saying) set(x *meaning.Set, several bool) string {
	if x.By != nil {
		return s.ranked(x, several)
	}
	if v, ok := s.entity(x); ok {
		return v
	}
	noun, where := s.noun(x.Label, several), x.Where
	for i, c := range where { // directors, of people who direct
		if agent := s.agent(x, c, several); agent != "" {
			noun, where = agent, append(slices.Clone(where[:i]), where[i+1:]...)
			break
		}
	}
	before, behind := "", ""
	for _, c := range where {
		p := s.condition(x, c)
		if p.before {
			before = s.fill("before", "a", before, "b", p.said)
		} else {
			behind = s.fill("behind", "a", behind, "b", p.said)
		}
	}
	return s.fill("set", "before", before, "noun", noun, "behind", behind)
}

// entity is the name of the only thing of a set.
func (s *saying) entity(x *meaning.Set) (string, bool) {
	if len(x.Where) != 1 {
		return "", false
	}
	switch c := x.Where[0].(type) {
	case meaning.Property:
		if c.Op == meaning.Eq && s.schema.isKey(x.Label, c.Bound.Property) && c.Value.Kind == meaning.Text {
			return fmt.Sprint(c.Value.Is), true
		}
	case meaning.Either:
		var names []string
		for _, c := range c.Conds {
			name, ok := s.entity(setOf(x.Label, c))
			if !ok {
				return "", false
			}
			names = append(names, name)
		}
		return s.list(names, "or"), true
	}
	return "", false
}

// agent is the noun for those who do something at all, "" if c isn't that.
func (s *saying) agent(x *meaning.Set, c meaning.Condition, several bool) string {
	rel, ok := c.(meaning.Related)
	if !ok || rel.How != meaning.Some || len(rel.Role.Steps) != 1 || rel.Role.Steps[0].Back || !isBare(rel.Set) || len(rel.Role.With) > 0 {
		return ""
	}
	w := s.schema.rels[rel.Role.Steps[0].Type]
	if many := w.Agents[s.language]; several && len(many) > 0 {
		return many[0]
	}
	if one := w.Agent[s.language]; len(one) > 0 {
		return one[0]
	}
	return ""
}

func (s *saying) ranked(x *meaning.Set, several bool) string {
	plain := *x
	plain.By, plain.Sort, plain.Ties, plain.Nth, plain.Take = nil, "", false, 0, 0
	way := "most"
	if x.Sort == meaning.Ascending {
		way = "least"
	}
	measure := func() string { return s.measure(x, x.By) }
	if c, counts := x.By.(meaning.CountOf); counts {
		measure = func() string { return s.related(x, c.Role, c.Set) }
		way += ".count"
	} else if p, plain := x.By.(meaning.Prop); plain && isDay(s.schema.typeOf(x.Label, p.Property)) {
		way += ".day"
	}
	switch {
	case x.Ties && x.Nth > 1:
		return s.fill("nth."+way, "set", s.set(&plain, false), "nth", s.fill(fmt.Sprintf("nth.%d", x.Nth)), "measure", measure())
	case x.Ties:
		return s.fill("rank."+way, "set", s.set(&plain, false), "measure", measure())
	case x.Take > 0:
		return s.fill("top."+way, "n", strconv.Itoa(x.Take), "set", s.set(&plain, true), "measure", measure())
	}
	way, _, _ = strings.Cut(way, ".")
	return s.fill("sorted."+way, "set", s.set(&plain, true), "measure", s.measure(x, x.By))
}

// condition is what a condition adds to the things of a set.
func (s *saying) condition(x *meaning.Set, c meaning.Condition) saidPart {
	switch c := c.(type) {
	case meaning.Property:
		return s.bound(x.Label, c.Bound)
	case meaning.Known:
		return saidPart{s.fill("known", "prop", s.property(x.Label, c.Property)), false}
	case meaning.Missing:
		return saidPart{s.fill("missing", "prop", s.property(x.Label, c.Property)), false}
	case meaning.Related:
		return s.relation(x, c)
	case meaning.Either:
		return s.several(x, c.Conds, "or")
	case meaning.Both:
		return s.several(x, c.Conds, "and")
	case meaning.Not:
		return saidPart{s.fill("not", "cond", s.condition(x, c.Cond).said), false}
	}
	return saidPart{s.silent(), false}
}

// several are conditions told together: of one role, or from one number to another.
func (s *saying) several(x *meaning.Set, conds []meaning.Condition, join string) saidPart {
	if a, isA := conds[0].(meaning.Property); isA && len(conds) == 2 && join == "and" {
		if b, isB := conds[1].(meaning.Property); isB && a.Op == meaning.Ge && b.Op == meaning.Le && a.Bound.Property == b.Bound.Property {
			return saidPart{s.fill("range", "prop", s.property(x.Label, a.Bound.Property), "a", s.number(a.Value), "b", s.number(b.Value)), false}
		}
	}
	var names []string
	var first meaning.Related
	for i, c := range conds {
		rel, ok := c.(meaning.Related)
		if i == 0 {
			first = rel
		}
		name, named := "", false
		if ok {
			name, named = s.entity(rel.Set)
		}
		if !named || rel.Role.Exact() != first.Role.Exact() || rel.How != meaning.Some {
			return saidPart{s.silent(), false}
		}
		names = append(names, name)
	}
	return saidPart{s.verbed(x, first, s.list(names, join)), false}
}

// bound is a comparison of a property.
func (s *saying) bound(label string, b meaning.Bound) saidPart {
	prop := s.property(label, b.Property)
	typ := s.schema.typeOf(label, b.Property)
	isYear := typ == "INTEGER" && s.schema.years[label] == b.Property
	switch {
	case b.Op == meaning.PartOf:
		return saidPart{s.fill("part", "value", fmt.Sprint(b.Value.Is), "prop", prop), false}
	case b.Op == meaning.Contains:
		return saidPart{s.fill("contains", "value", fmt.Sprint(b.Value.Is), "prop", prop), false}
	case b.Value.Kind == meaning.Truth:
		if b.Value.Is == true {
			return saidPart{s.fill("flag", "flag", prop), true}
		}
		return saidPart{s.fill("flag.not", "flag", prop), false}
	case b.Value.Kind == meaning.Text && (b.Op == meaning.Eq || b.Op == meaning.Has):
		return saidPart{fmt.Sprint(b.Value.Is), true}
	case isDay(typ) || isYear:
		return s.when(label, prop, b, isYear)
	case b.Value.Kind == meaning.Integer || b.Value.Kind == meaning.Float:
		return saidPart{s.fill("bound."+string(b.Op), "prop", prop, "n", s.number(b.Value)), false}
	}
	return saidPart{s.silent(), false}
}

func (s *saying) number(v meaning.Value) string {
	switch n := v.Is.(type) {
	case int64:
		return strconv.FormatInt(n, 10)
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return s.silent()
}

// when is a day, or a year, in, before or since a period.
func (s *saying) when(label, prop string, b meaning.Bound, isYear bool) saidPart {
	words := prop
	if said := s.event(label, b.Property); said != "" {
		words = said
	}
	op := map[meaning.Op]string{meaning.Within: "in", meaning.Eq: "in", meaning.Lt: "before", meaning.Ge: "since"}[b.Op]
	when := ""
	switch {
	case op == "" || isYear && b.Op == meaning.Eq && b.Value.Next != nil:
		return saidPart{s.silent(), false}
	case op == "in" && b.Value.Next != nil:
		when = s.period(fmt.Sprint(b.Value.Is), fmt.Sprint(b.Value.Next))
	default:
		when = strings.TrimSuffix(fmt.Sprint(b.Value.Is), "-01-01")
	}
	template := "when."
	if words != prop {
		template = "event."
	}
	return saidPart{s.fill(template+op, "event", words, "prop", prop, "when", when), false}
}

// event is the word for what happened on a day that a property tells.
func (s *saying) event(label, prop string) string {
	for _, w := range reading.InOrder(s.glossary.Events) {
		if (w.Date == label+"."+prop || w.Year == label+"."+prop && s.schema.years[label] == prop) && len(w.Words[s.language]) > 0 {
			return w.Words[s.language][0]
		}
	}
	if said := s.languages[s.language].eventWords(prop); len(said) > 0 {
		return said[len(said)-1]
	}
	return ""
}

// period is a stretch of days or years as people write it.
func (s *saying) period(from, next string) string {
	a, err := time.Parse(time.DateOnly, from)
	b, err2 := time.Parse(time.DateOnly, next)
	if err != nil || err2 != nil {
		x, e1 := strconv.Atoi(from)
		y, e2 := strconv.Atoi(next)
		if e1 != nil || e2 != nil {
			return s.silent()
		}
		a, b = time.Date(x, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	switch {
	case a.AddDate(0, 0, 1).Equal(b):
		return a.Format(time.DateOnly)
	case a.AddDate(1, 0, 0).Equal(b) && a.YearDay() == 1:
		return a.Format("2006")
	case a.AddDate(0, 1, 0).Equal(b) && a.Day() == 1:
		return a.Format("2006-01")
	case a.YearDay() == 1 && b.YearDay() == 1:
		return s.fill("period", "a", a.Format("2006"), "b", b.AddDate(-1, 0, 0).Format("2006"))
	}
	return s.fill("period", "a", a.Format(time.DateOnly), "b", b.AddDate(0, 0, -1).Format(time.DateOnly))
}

// relation is how many of a set things are joined to.
func (s *saying) relation(x *meaning.Set, c meaning.Related) saidPart {
	if len(c.Role.Steps) != 1 || len(c.Role.With) > 0 || c.How == meaning.Every {
		return saidPart{s.silent(), false}
	}
	if name, ok := s.entity(c.Set); ok && c.How == meaning.Some && !s.isVerb(c.Role.Steps[0].Type) {
		s.related(x, c.Role, c.Set)
		return saidPart{name, true}
	}
	if s.isVerb(c.Role.Steps[0].Type) && !(c.How == meaning.Number && c.Role.Steps[0].Back) {
		return saidPart{s.verbed(x, c, s.set(c.Set, true)), false}
	}
	set := s.related(x, c.Role, c.Set)
	if c.How == meaning.Number {
		return saidPart{s.fill("near.number", "op", s.fill("op."+string(c.N.Op)), "n", s.number(c.N.Value), "set", set), false}
	}
	return saidPart{s.fill("near."+string(c.How), "set", set), false}
}

// isVerb reports whether a type has a verb in the language.
func (s *saying) isVerb(rel string) bool {
	w := s.schema.rels[rel]
	return len(w.Verb[s.language]) > 0
}

// verbed says a relation by its verb.
func (s *saying) verbed(x *meaning.Set, c meaning.Related, things string) string {
	step := c.Role.Steps[0]
	w := s.schema.rels[step.Type]
	if len(w.Verb[s.language]) == 0 || len(c.Role.With) > 0 {
		return s.silent()
	}
	verb := w.Verb[s.language][0]
	first, rest, _ := strings.Cut(verb, " ")
	if all := reading.VerbForms(first); len(all) > 1 && !slices.Contains(reading.Pasts(first), first) { // of many
		verb = strings.TrimSpace(all[0] + " " + rest)
	}
	if all := active(w.Verb[s.language][0]); len(all) > 0 && step.Back && s.language == "en" {
		verb, step.Back = all[0], false
	}
	by, side := "", "does"
	_, being, said := forms(verb)
	if ps := w.Participle[s.language]; len(ps) > 0 {
		by = ps[0]
	} else if past := reading.Pasts(w.Verb[s.language][0]); s.language == "en" && len(past) > 0 {
		by = past[len(past)-1] + " by"
	} else if len(said) > 0 && s.language == "en" {
		by = said[0]
	}
	if len(being) > 0 && s.language == "en" && len(w.Agent["en"]) == 0 { // who has a word acts
		side = "being"
	}
	if step.Back {
		if side = "done"; by != "" {
			side = "by"
		}
	}
	n := ""
	if c.How == meaning.Number {
		n = s.number(c.N.Value)
	}
	op := ""
	if c.How == meaning.Number {
		op = s.fill("op." + string(c.N.Op))
	}
	return s.fill(side+"."+string(c.How), "verb", verb, "by", by, "set", things, "n", n, "op", op)
}
