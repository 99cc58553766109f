// Package reading finds out what a question asks.
//
// A [Reading] is a [Frame], which two people who mean the same share, whatever
// language they write, together with the values in its slots. It is built from
// a closed lexicon per language (en.txt, zh.txt) and the graph's [Glossary];
// it exists only if a link, a lexicon entry or a listed filler consumes every
// token. Near is not enough: one word left over, and there is no frame.
//
// Words outside the lexicon still have a literal reading: the folded words in
// order, with slots for the linked values. It equals only the same words with
// other values.
//
// [Prove] holds a frame against a query: words and query prove each other.
// Start reading at [Reader.Read]. A question is cut into segments (segment.go),
// these are read into items from left to right (chunk.go; compare.go, counted.go,
// deny.go, named.go, superlative.go, when.go), and the items are put together
// (assemble.go; target.go, linked.go, person.go, conditions.go, ranked.go).
// scope.go and reach.go refuse what two people would not read alike.
package reading

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/store"
	"precedent/store/text"
)

// A Reader reads questions about one graph. It is safe for concurrent use.
type Reader struct {
	glossary   *Glossary
	linker     *link.Linker
	lexicons   map[string]*Lexicon
	types      map[string]string // Label.property → type in the schema
	characters map[string]bool   // values that are names of roles, too
	deeds      deeds
	rels       []string // of the glossary, by name: the first that fits is the same each time
	events     []string // likewise
}

// A Reading is what a question asks.
type Reading struct {
	Language string // en or zh
	Frame    *Frame // nil if the words don't make one
	Literal  string // the words in order with slots; "" if nothing could be read
	Slots    []Slot // of the frame, else of the literal reading
	Mentions []link.Mention
	Unread   []string // folded words that nothing explains
	Why      string   // why there is no frame
	Bound    string   // a word that means another thing to another asker (my, 我的), which leaves no literal reading; "" for none
	Dated    string   // a word that means another day tomorrow (this year, 今年), which leaves only a literal reading; "" for none
	Marks    Marks    // what the words say whether or not they make a frame
}

// Marks are the parts of a question that a query must answer to.
type Marks struct {
	Numbers     []float64 // as written, a unit that was recognised applied
	Negated     bool      // not, without, 没有
	Superlative bool      // most, longest, 最
	Counted     bool      // how many
	Compared    bool      // X or Y, compared with
	Either      bool      // or
	Grouped     bool      // per, each, 各
	Domain      []string  // words of the glossary
	Pronouns    []Reference
	Absent      string // name in the glossary of something the graph lacks
	Opener      bool   // begins or ends like a follow-up
}

// A Reference stands for something said before.
type Reference struct {
	Label      string
	Start, End int // bytes of the question
}

// Key identifies the reading: the frame's, or the literal one's.
func (r Reading) Key() string {
	if r.Frame != nil {
		return r.Frame.Key()
	}
	return r.Literal
}

// languages are those that there are lexicons for.
var languages = []string{"en", "zh"}

// New builds a Reader. The glossary's labels, types and properties must be in
// the schema.
func New(g *Glossary, s *store.Schema, values []link.Value, aliases []link.Alias) (*Reader, error) {
	r := &Reader{glossary: g, lexicons: make(map[string]*Lexicon), types: make(map[string]string), deeds: deedsOf(g), characters: make(map[string]bool),
		rels: slices.Sorted(maps.Keys(g.Relationships)), events: slices.Sorted(maps.Keys(g.Events))}
	for _, v := range values {
		if v.Role {
			r.characters[v.Value] = true
		}
	}
	for _, l := range s.Labels {
		for _, p := range l.Properties {
			r.types[l.Name+"."+p.Name] = p.Type
		}
	}
	for _, t := range s.Types {
		for _, p := range t.Properties {
			r.types[t.Name+"."+p.Name] = p.Type
		}
	}
	for _, language := range languages {
		b, err := lexiconFiles.ReadFile(language + ".txt")
		if err != nil {
			return nil, err
		}
		l, err := parseLexicon(language, language+".txt", string(b))
		if err != nil {
			return nil, err
		}
		g.terms(l)
		r.lexicons[language] = l
	}
	nouns, props, verbs := g.linkWords(s)
	all, shared := categories(values, g, s)
	r.linker = link.New(link.Config{Values: values, Aliases: aliases, Nouns: nouns, Props: props, Verbs: verbs, Known: r.Knows, Categories: all, Shared: shared})
	return r, nil
}

// Linker returns the linker that the reader reads with.
func (r *Reader) Linker() *link.Linker { return r.linker }

// Glossary returns the glossary that the reader reads with.
func (r *Reader) Glossary() *Glossary { return r.glossary }

// Knows reports whether a folded word is in a lexicon or the glossary.
func (r *Reader) Knows(word string) bool {
	for _, l := range r.lexicons { // whichever
		if l.Knows(word) {
			return true
		}
	}
	_, number := enNumbers[word]
	return number
}

// Language returns zh for a question with Chinese characters outside its
// quotations and links, else en.
func Language(question string) string {
	if text.IsHan(question) {
		return "zh"
	}
	return "en"
}

// Read reads a question.
func (r *Reader) Read(question string) Reading {
	ts := text.Tokens(question)
	return r.read(question, ts, r.linker.Mentions(question, ts), nil)
}

// ReadWith reads a question whose asker picked what some of its words name.
func (r *Reader) ReadWith(question string, picked []store.Link) Reading {
	if len(picked) == 0 {
		return r.Read(question)
	}
	ts := text.Tokens(question)
	mentions := r.linker.Mentions(question, ts)
	mentions = slices.DeleteFunc(mentions, func(m link.Mention) bool { // picked to mean itself
		return slices.ContainsFunc(picked, func(p store.Link) bool { return p.Label == "" && p.Mention == m.Candidates[0].Mention })
	})
	for i := range mentions {
		for _, p := range picked {
			if mentions[i].Candidates[0].Mention != p.Mention {
				continue
			}
			for _, c := range mentions[i].Candidates {
				if c.Label == p.Label && c.Property == p.Property && c.Value == p.Value {
					c.How = store.ByUser
					mentions[i].Candidates = []link.Candidate{c}
					mentions[i].Weak, mentions[i].Either, mentions[i].Quoted = false, false, true
					break
				}
			}
		}
	}
	return r.read(question, ts, mentions, nil)
}

// ReadWording reads a wording of a case, in which {name} stands for a slot.
func (r *Reader) ReadWording(wording string, slots []store.Slot) (Reading, error) {
	filled, spans, err := fill(wording, slots)
	if err != nil {
		return Reading{}, err
	}
	ts := text.Tokens(filled)
	var placed []segment
	for _, s := range spans {
		seg := segment{from: -1, slot: s.slot.Name}
		for i, t := range ts {
			if t.Start >= s.start && t.End <= s.end {
				if seg.from < 0 {
					seg.from = i
				}
				seg.to = i + 1
			}
		}
		if seg.from < 0 {
			return Reading{}, fmt.Errorf("slot {%s}: its example %v is empty", s.slot.Name, s.slot.Example)
		}
		span := ts[seg.from:seg.to]
		switch s.slot.Type {
		case "string":
			seg.mention = r.placed(s.slot, seg.from, seg.to, filled[s.start:s.end])
		case "date", "month":
			p, n := periodAt(span)
			if n != len(span) || p.Type != s.slot.Type {
				return Reading{}, fmt.Errorf("slot {%s}: its example %v is no %s as 2026-09-30 or 2026-09", s.slot.Name, s.slot.Example, s.slot.Type)
			}
			p.Name = s.slot.Name
			seg.period = &p
		default:
			seg.qty = quantityAt(span)
			if seg.qty.tokens != len(span) {
				return Reading{}, fmt.Errorf("slot {%s}: its example %v is no number", s.slot.Name, s.slot.Example)
			}
		}
		placed = append(placed, seg)
	}
	mentions := slices.DeleteFunc(r.linker.Mentions(filled, ts), func(m link.Mention) bool {
		return slices.ContainsFunc(placed, func(p segment) bool { return m.From < p.to && p.from < m.To })
	})
	return r.read(filled, ts, mentions, placed), nil
}

// placed is the mention of a wording's slot.
func (r *Reader) placed(s store.Slot, from, to int, mention string) *link.Mention {
	m := &link.Mention{From: from, To: to, Quoted: true}
	c := link.Candidate{Link: store.Link{Mention: mention, Label: s.Label, Property: s.Property, Value: s.Example, How: store.Exact}, Labels: []string{s.Label}}
	for _, known := range r.linker.Names(fmt.Sprint(s.Example)) {
		if known.Label == s.Label && known.Property == s.Property {
			c.Labels = known.Labels
		}
	}
	m.Candidates = []link.Candidate{c}
	return m
}

// spokenIn is the language of the words that name nothing: "who directed
// 盗梦空间" is English.
func spokenIn(question string, ts []text.Token, mentions []link.Mention, placed []segment) string {
	han, latin := false, false
	for i, t := range ts {
		if slices.ContainsFunc(mentions, func(m link.Mention) bool { return m.From <= i && i < m.To }) ||
			slices.ContainsFunc(placed, func(p segment) bool { return p.from <= i && i < p.to }) {
			continue
		}
		han = han || t.Kind == text.Han
		latin = latin || t.Kind == text.Word
	}
	if han || !latin && Language(question) == "zh" {
		return "zh"
	}
	return "en"
}

func (r *Reader) read(question string, ts []text.Token, mentions []link.Mention, placed []segment) Reading {
	out := Reading{Language: spokenIn(question, ts, mentions, placed), Mentions: mentions}
	out.Literal, out.Slots = r.literal(question, ts, mentions, placed)
	lex := r.lexicons[out.Language]
	segs := r.segments(lex, ts, mentions, placed)
	out.Marks = marks(segs, ts)
	word := func(k Kind) string {
		i := slices.IndexFunc(segs, func(s segment) bool { return s.has(k) && !s.has(Filler) })
		if i < 0 {
			return ""
		}
		return question[ts[segs[i].from].Start:ts[segs[i].to-1].End]
	}
	out.Dated = word(Dated)
	if out.Bound = word(Blocker); out.Bound != "" {
		out.Literal, out.Slots = "", nil
	}
	out.Marks.Opener = opensFollowUp(question)
	for _, s := range segs {
		if len(s.terms) == 0 && s.mention == nil && s.qty.tokens == 0 {
			out.Unread = append(out.Unread, text.Key(ts[s.from:s.to]))
		}
	}
	if len(out.Unread) > 0 {
		out.Why = "unknown words: " + strings.Join(out.Unread, ", ")
		return out
	}
	for _, s := range segs {
		if s.mention != nil && s.slot == "" && !s.mention.Sure() {
			out.Why = fmt.Sprintf("%q may not be a name", question[ts[s.from].Start:ts[s.to-1].End])
			return out
		}
	}
	c := chunker{r: r, segs: meaningful(segs), question: question, language: out.Language, tokens: ts}
	if len(c.segs) == 0 {
		out.Why = "nothing is asked"
		return out
	}
	if !c.run() {
		if out.Why = c.stuck; out.Why == "" && c.i < len(c.segs) {
			s := c.segs[c.i]
			out.Why = fmt.Sprintf("%q has no place here", question[ts[s.from].Start:ts[s.to-1].End])
		}
		return out
	}
	f, why := c.assemble()
	if f == nil {
		out.Why = why
		return out
	}
	f.canonical()
	out.Frame, out.Slots = f, f.Slots()
	return out
}

func marks(segs []segment, ts []text.Token) Marks {
	var m Marks
	for i, s := range segs {
		if s.mention == nil && s.qty.tokens == 0 {
			m.Negated = m.Negated || s.has(Not) || s.has(Without) || s.has(Except) && (s.to > s.from+1 || ts[s.from].Kind == text.Word)
			m.Superlative = m.Superlative || s.has(PropMost) || s.has(PropLeast) || (s.has(Most) || s.has(Least)) && !s.has(Filler)
			m.Counted = m.Counted || s.has(AskCount)
			m.Compared = m.Compared || s.has(Or) || s.has(Compare)
			m.Either = m.Either || s.has(Or)
			m.Grouped = m.Grouped || s.has(Per)
			for _, t := range s.terms {
				if t.Kind >= Noun && t.Kind <= Fixed {
					m.Domain = append(m.Domain, text.Key(ts[s.from:s.to]))
					break
				}
			}
			if t, ok := s.term(Absent); ok {
				m.Absent = t.Name
			}
			if t, ok := s.term(Pronoun); ok {
				m.Pronouns = append(m.Pronouns, Reference{t.Name, ts[s.from].Start, ts[s.to-1].End})
			}
			continue
		}
		if s.qty.tokens > 0 {
			v := s.qty.value
			if i+1 < len(segs) {
				if u, ok := segs[i+1].term(UnitWord); ok && u.Factor > 0 {
					v *= u.Factor
				}
			}
			m.Numbers = append(m.Numbers, v)
		}
	}
	return m
}

// meaningful drops the segments that are nothing but filler. A leading word
// that may begin a yes-no question stays.
func meaningful(segs []segment) []segment {
	var out []segment
	for i, s := range segs {
		if s.mention == nil && s.qty.tokens == 0 && len(s.terms) > 0 &&
			!slices.ContainsFunc(s.terms, func(t Term) bool { return t.Kind != Filler && !(t.Kind == YesNo && i > 0 && s.has(Filler)) }) {
			continue
		}
		if s.has(Gt) && s.has(Filler) && len(out) > 0 && out[len(out)-1].to == s.from && out[len(out)-1].has(Verb) { // 拍过: done, not more than
			continue
		}
		out = append(out, s)
	}
	return out
}

// isDeed reports whether somebody does something by relationships of type rel.
func (r *Reader) isDeed(rel string) bool { return r.deeds.rels[rel] }
