package guardrails

import (
	"math"
	"slices"
	"strings"

	"precedent/store/text"
)

// A statement is a sentence: what an answer says at once. What it says is bound to the rows
// of the names in it: see target.
type statement struct {
	span
	names    []name
	numerals []numeral
	cues     []cue
	chunk    []int    // of each token: which part between commas, conjunctions and brackets
	bracket  []int    // of each token: where the bracket around it opens, or -1
	groups   [][]name // names that "and" joins, of one column
	before   *statement
}

// split cuts the answer into sentences, and these into chunks and groups.
func (g *grounding) split() {
	from := 0
	var before *statement
	for i, t := range g.tokens {
		ends := t.Kind == text.Mark && strings.Contains(";!?", t.Text) || t.Text == "." && !g.abbreviates(i) || i+1 < len(g.tokens) && strings.Contains(g.text[t.End:g.tokens[i+1].Start], "\n")
		if !ends && i+1 < len(g.tokens) {
			continue
		}
		s := &statement{span: span{from, i}, before: before}
		g.fill(s)
		g.sentences = append(g.sentences, s)
		from, before = i+1, s
	}
}

// abbreviates reports whether the point at token i ends no sentence.
func (g *grounding) abbreviates(i int) bool {
	if g.tokens[i].End-g.tokens[i].Start > 1 { // 。
		return false
	}
	return g.covered[i] || i > 0 && slices.Contains([]string{"vs", "no", "mr", "mrs", "ms", "dr", "approx", "ca", "jr"}, g.tokens[i-1].Text) ||
		i+1 < len(g.tokens) && g.tokens[i+1].Start == g.tokens[i].End && g.tokens[i+1].Kind != text.Han ||
		i+1 < len(g.tokens) && g.tokens[i+1].Kind == text.Word && !g.tokens[i+1].Upper
}

func (g *grounding) fill(s *statement) {
	in := func(at span) bool { return at.first >= s.first && at.last <= s.last }
	for _, n := range g.names {
		if in(n.span) {
			s.names = append(s.names, n)
		}
	}
	for _, n := range g.numerals {
		if in(n.span) {
			s.numerals = append(s.numerals, n)
		}
	}
	for _, c := range g.cues {
		if in(c.span) {
			s.cues = append(s.cues, c)
		}
	}
	g.group(s)
	g.chunks(s)
}

// group joins names of one column that only "and", commas and articles part.
func (g *grounding) group(s *statement) {
	for i, n := range s.names {
		joins := i > 0 && s.names[i-1].column == n.column
		if joins {
			for at := s.names[i-1].last + 1; at < n.first; at++ {
				t := g.tokens[at]
				c, ok := g.cueAt(s, at)
				if !(t.Text == "," || t.Text == "&" || t.Text == "the" || t.Text == "both" || t.Text == "'s" || ok && c.kind == "and") {
					joins = false
				}
			}
		}
		if joins {
			s.groups[len(s.groups)-1] = append(s.groups[len(s.groups)-1], n)
		} else {
			s.groups = append(s.groups, []name{n})
		}
	}
}

// cueAt is the cue that token i belongs to.
func (g *grounding) cueAt(s *statement, i int) (cue, bool) {
	for _, c := range s.cues {
		if c.first <= i && i <= c.last {
			return c, true
		}
	}
	return cue{}, false
}

// chunks numbers the parts of a sentence.
func (g *grounding) chunks(s *statement) {
	s.chunk, s.bracket = make([]int, s.last-s.first+1), make([]int, s.last-s.first+1)
	inside := func(i int) bool { // within a name, a number, or a group of names
		return slices.ContainsFunc(s.names, func(n name) bool { return n.first <= i && i <= n.last }) ||
			slices.ContainsFunc(s.numerals, func(n numeral) bool { return n.first <= i && i <= n.last }) ||
			slices.ContainsFunc(s.groups, func(g []name) bool { return g[0].first <= i && i <= g[len(g)-1].last })
	}
	current, open := 0, -1
	for i := s.first; i <= s.last; i++ {
		t := g.tokens[i]
		c, isCue := g.cueAt(s, i)
		switch {
		case inside(i):
		case t.Text == "(":
			current++
			open = i
		case t.Text == ")":
			current++
			open = -1
		case t.Kind == text.Mark && (t.Text == "," || t.Text == ":"),
			t.Text == "-" && (i == s.first || g.tokens[i-1].End < t.Start || t.End-t.Start > 1),
			isCue && (c.kind == "break" || c.kind == "than" || c.kind == "and" || c.kind == "next") && c.first == i:
			current++
		}
		s.chunk[i-s.first], s.bracket[i-s.first] = current, open
	}
}

func (s *statement) chunkOf(i int) int   { return s.chunk[i-s.first] }
func (s *statement) bracketOf(i int) int { return s.bracket[i-s.first] }

// groupOf is the group that a name stands in.
func (s *statement) groupOf(n name) []name {
	for _, group := range s.groups {
		if group[0].first <= n.first && n.first <= group[len(group)-1].last {
			return group
		}
	}
	return []name{n}
}

// A target is what something is said of.
type target struct {
	any  []rowSet // it must hold of one of these
	each []rowSet // or, if there are these, of each
	free bool     // nothing is named: the whole table
}

// rows are all rows of a target.
func (t target) rows(k *known) rowSet {
	if t.free {
		return k.all()
	}
	out := make(rowSet, k.rows)
	for _, s := range slices.Concat(t.any, t.each) {
		out = out.or(s)
	}
	return out
}

// target is what the words at a span are said of: the name that brackets
// follow, the name right behind a number ("5 documentaries", "9 by Tarantino"),
// the names before it in its chunk, those after it there, or what the sentence
// and those before it spoke of.
func (g *grounding) target(s *statement, at span) target {
	if open := s.bracketOf(at.first); open >= 0 {
		inside := slices.ContainsFunc(s.names, func(n name) bool { return n.first > open && s.bracketOf(n.first) == open })
		list := g.listed(s, at)
		if before := g.nameBefore(s, open); before != nil && len(s.names) == 1 && len(list) == 2 && list[1].span == at && g.against(s, list[0].last, at.first) {
			return target{any: []rowSet{g.rest(before.rows)}} // A leads (8 versus 4)
		} else if before != nil && !inside && len(list) > 1 && len(list) == len(s.names) {
			return g.inherited(s, at)
		} else if before != nil && !inside {
			return target{any: []rowSet{before.rows}}
		}
	}
	if n := g.nameBehind(s, at); n != nil {
		return g.ofName(s, *n, at)
	}
	chunk := s.chunkOf(at.first)
	var before, after *name
	for i, n := range s.names {
		if s.chunkOf(n.first) == chunk || s.chunkOf(n.last) == chunk {
			if n.last < at.first {
				before = &s.names[i]
			} else if after == nil {
				after = &s.names[i]
			}
		}
	}
	switch {
	case before != nil:
		return g.ofName(s, *before, at)
	case after != nil:
		return g.ofName(s, *after, at)
	case g.ofStranger(s, at):
		return target{}
	}
	return g.inherited(s, at)
}

// ofStranger reports whether the chunk of a span begins with a word that nobody
// knows: 财务部有4个人.
func (g *grounding) ofStranger(s *statement, at span) bool {
	first := at.first
	for first > s.first && s.chunkOf(first-1) == s.chunkOf(at.first) {
		first--
	}
	for first < at.first && g.tokens[first].Kind == text.Mark {
		first++
	}
	told := func(at span) bool { return at.first <= first && first <= at.last }
	_, cued := g.cueAt(s, first)
	return first < at.first && !cued && !slices.ContainsFunc(s.numerals, func(n numeral) bool { return told(n.span) }) && g.strange(first)
}

// nameBefore is the last name that ends before token i, not far from it.
func (g *grounding) nameBefore(s *statement, i int) *name {
	const far = 4 // tokens
	for j := len(s.names) - 1; j >= 0; j-- {
		if s.names[j].last < i {
			if i-s.names[j].last > far {
				return nil
			}
			return &s.names[j]
		}
	}
	return nil
}

// nameBehind is the name that a number stands right before, or that "by", "for" or "from" joins to it.
func (g *grounding) nameBehind(s *statement, at span) *name {
	const far = 5 // tokens
	for i, n := range s.names {
		if n.first <= at.last {
			continue
		}
		gap := g.tokens[at.last+1 : n.first]
		near := len(gap) == 0 || len(gap) == 1 && (gap[0].Kind == text.Han && strings.Contains(measures, gap[0].Text))
		by := len(gap) <= far && slices.ContainsFunc(gap, func(t text.Token) bool { return slices.Contains([]string{"by", "for"}, t.Text) }) &&
			s.chunkOf(at.last) == s.chunkOf(n.first) && !slices.ContainsFunc(s.numerals, func(m numeral) bool { return m.first > at.last && m.last < n.first })
		if near && s.chunkOf(at.last) == s.chunkOf(n.first) || by {
			return &s.names[i]
		}
		return nil
	}
	return nil
}

// ofName is what is said of a name: of its rows, narrowed by the names of other
// columns in its chunk; of each name of its group, or, where as many numbers as
// names are listed, of the one in the same place.
func (g *grounding) ofName(s *statement, n name, at span) target {
	group := s.groupOf(n)
	if len(group) > 1 {
		list := g.listed(s, at)
		if len(list) == len(group) {
			for i, m := range list {
				if m.span == at {
					return target{any: []rowSet{group[i].rows}}
				}
			}
		}
		var each []rowSet
		for _, n := range group {
			each = append(each, n.rows)
		}
		return target{each: each}
	}
	rows := n.rows
	for _, other := range s.names {
		if other.column != n.column && s.chunkOf(other.first) == s.chunkOf(n.first) {
			if both := rows.and(other.rows); both.count() > 0 {
				rows = both
			}
		}
	}
	return target{any: []rowSet{rows}}
}

// listed are the numbers of a kind around the one at a span that no name parts.
func (g *grounding) listed(s *statement, at span) []numeral {
	i := slices.IndexFunc(s.numerals, func(n numeral) bool { return n.span == at })
	if i < 0 {
		return nil
	}
	parted := func(a, b span) bool {
		return slices.ContainsFunc(s.names, func(n name) bool { return n.first > a.last && n.last < b.first }) || s.bracketOf(a.first) != s.bracketOf(b.first)
	}
	first, last := i, i
	for first > 0 && !parted(s.numerals[first-1].span, s.numerals[first].span) {
		first--
	}
	for last+1 < len(s.numerals) && !parted(s.numerals[last].span, s.numerals[last+1].span) {
		last++
	}
	return s.numerals[first : last+1]
}

// inherited is what a chunk without names speaks of: where it lists as many
// numbers as the sentence named values, each in its place; else the first or
// the last name before it; else the first after it; else what the sentence
// before spoke of.
func (g *grounding) inherited(s *statement, at span) target {
	var before, after []name
	for _, n := range s.names {
		if n.last < at.first {
			before = append(before, n)
		} else {
			after = append(after, n)
		}
	}
	switch {
	case len(before) > 1:
		if list := g.listed(s, at); len(list) == len(before) {
			for i, m := range list {
				if m.span == at {
					return target{any: []rowSet{before[i].rows}}
				}
			}
		}
		last := s.groupOf(before[len(before)-1])
		if len(last) > 1 && last[0].first == before[0].first {
			return g.ofName(s, last[0], at)
		}
		return target{any: []rowSet{before[0].rows, before[len(before)-1].rows}}
	case len(before) == 1:
		if list := g.listed(s, at); len(list) == 2 && list[1].span == at && g.against(s, list[0].last, at.first) {
			return target{any: []rowSet{g.rest(before[0].rows)}} // he rates higher, 8.2 against 8.0
		}
		return target{any: []rowSet{before[0].rows}}
	case len(after) > 0:
		return g.ofName(s, after[0], at)
	}
	for b := s.before; b != nil; b = b.before {
		if len(b.names) == 0 {
			continue
		}
		all := make(rowSet, g.known.rows)
		var sets []rowSet
		for _, n := range b.names {
			all = all.or(n.rows)
			sets = append(sets, n.rows)
		}
		return target{any: append(sets, all)}
	}
	return target{free: true}
}

// spoken are the rows that the sentence names, or those before it, or all.
func (g *grounding) spoken(s *statement) []rowSet {
	for b := s; b != nil; b = b.before {
		if len(b.names) > 0 {
			var sets []rowSet
			for _, n := range b.names {
				sets = append(sets, n.rows)
			}
			return sets
		}
	}
	return nil
}

// has reports whether a sentence has a cue of one of the kinds.
func (s *statement) has(kinds ...string) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool { return slices.Contains(kinds, c.kind) })
}

// inChunk reports whether a cue of one of the kinds stands in a chunk.
func (s *statement) inChunk(chunk int, kinds ...string) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool { return slices.Contains(kinds, c.kind) && s.chunkOf(c.first) == chunk })
}

// numbers asks of each number that it be so in the rows it is said of.
func (g *grounding) numbers() {
	for _, s := range g.sentences {
		if len(s.numerals) > maxNumbers {
			g.want(s.span, true)
			continue
		}
		for _, n := range s.numerals {
			if !g.bears(s, n) {
				g.want(g.wrongPart(s, n), true)
			}
		}
		g.attributes(s)
	}
}

// wrongPart is what of a number isn't so: of a date possibly only the month's name.
func (g *grounding) wrongPart(s *statement, n numeral) span {
	rest := n
	rest.date.month = 0
	for i := n.first; i <= n.last && n.kind == calendar; i++ {
		if monthAt(g.tokens, i) > 0 && g.bears(s, rest) {
			return span{i, i}
		}
	}
	return n.span
}

// attributes asks of names of different columns that are said together that one
// row hold them both: in one chunk; or, where a chunk has no other, with the
// name before or behind it, or with those of the sentence before.
func (g *grounding) attributes(s *statement) {
	for i, n := range s.names {
		if n.column == several {
			continue
		}
		differs := func(m name) bool { return m.column != several && m.column != n.column }
		together := func(m name) bool { return s.chunkOf(m.first) == s.chunkOf(n.first) }
		share := func(m name) bool { return m.rows.and(n.rows).count() > 0 }
		var before, behind *name
		alone := true
		for j, m := range s.names {
			if j == i || !differs(m) {
				continue
			}
			alone = alone && !together(m)
			if j < i {
				before = &s.names[j]
			} else if behind == nil {
				behind = &s.names[j]
			}
		}
		switch {
		case before != nil && together(*before):
			if !share(*before) {
				g.want(n.span, false)
			}
		case !alone || n.column == s.names[0].column && i > 0:
		case before != nil:
			if !share(*before) && (behind == nil || !share(*behind)) && !(differs(s.names[0]) && share(s.names[0])) {
				g.want(n.span, false)
			}
		case i == 0 && behind == nil && s.before != nil && len(s.before.names) > 0:
			if !slices.ContainsFunc(s.before.names, func(m name) bool { return !differs(m) || share(m) }) {
				g.want(n.span, false)
			}
		}
	}
}

// bears reports whether the rows that a sentence speaks of hold the number n.
func (g *grounding) bears(s *statement, n numeral) bool {
	k := g.known
	if n.kind == vague || g.numbersLine(n) || g.filters(n) {
		return true
	}
	t := g.target(s, n.span)
	if n.kind == ordinal {
		return g.ranks(s, n, t)
	}
	if n.kind == many {
		return g.holds(s, n, t, func(v float64) bool { return v >= n.scale && v < n.scale*1e3 })
	}
	if n.kind == times || n.kind == fraction {
		return g.ratio(s, n) || n.kind == fraction && g.share(s, n, t)
	}
	if n.kind == percent && (g.share(s, n, t) || len(s.names) > 1 && g.ratio(s, n) || g.isDifference(s, n) && g.ratio(s, n)) {
		return true
	}
	if g.isDifference(s, n) {
		return g.difference(s, n) || g.counts(s, n, t) || g.holdsIn(s, n, t, true)
	}
	if s.has("sum") && g.sums(s, n, t) || s.has("mean", "all") && g.means(s, n, t) || g.counts(s, n, t) {
		return true
	}
	if t.free && k.rows > 1 && s.inChunk(s.chunkOf(n.first), "sum") && !g.saysAny(s.span, pronouns) {
		return false
	}
	return g.holdsIn(s, n, t, false)
}

// against reports whether a word between two tokens sets one against the other: versus.
func (g *grounding) against(s *statement, from, to int) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool {
		return c.kind == "break" && c.first > from && c.last < to && c.last-c.first < 2 && c.first-from <= 2
	})
}

// pronouns stand for what the question asked about.
var pronouns = []string{"he", "she", "they", "他", "她"}

// saysAny reports whether one of some words stands in a span.
func (g *grounding) saysAny(at span, words []string) bool {
	return slices.ContainsFunc(g.tokens[at.first:at.last+1], func(t text.Token) bool { return slices.Contains(words, t.Text) })
}

// numbersLine reports whether n numbers a line of a list: "2. The Matrix".
func (g *grounding) numbersLine(n numeral) bool {
	t := g.tokens[n.first]
	before := strings.TrimRight(g.text[:t.Start], " \t*")
	after := g.text[g.tokens[n.last].End:]
	return (before == "" || strings.HasSuffix(before, "\n")) && after != "" && strings.ContainsAny(after[:1], ".):") && n.value <= float64(g.known.rows)
}

// filters reports whether n is a limit or a year of the question, said as one:
// "films after 2000", 2024年.
func (g *grounding) filters(n numeral) bool {
	v := n.value * n.scale
	if n.kind == calendar {
		v = float64(n.date.year)
	}
	if !slices.Contains(g.known.asked, v) {
		return false
	}
	before, after := "", ""
	if n.first > 0 {
		before = g.tokens[n.first-1].Text
	}
	if n.last+1 < len(g.tokens) {
		after = g.tokens[n.last+1].Text
	}
	return n.kind == decade || slices.Contains([]string{"in", "after", "before", "since", "from", "until", "between", "over", "under", "above", "below", "than", "least", "top", "the", "of", "during"}, before) ||
		strings.ContainsAny(after, "年以之后") && after != "" || strings.ContainsAny(before, "前过于自") && before != ""
}

// holdsIn reports whether the target's cells hold n, or a limit that n is.
// apart says that n is known to be a difference, so that only a cell that is
// one itself may hold it.
func (g *grounding) holdsIn(s *statement, n numeral, t target, apart bool) bool {
	columns := g.fitting(s, n)
	limit := g.limit(s, n)
	reads := func(rows rowSet) bool {
		for _, c := range columns {
			for r, in := range rows {
				cell := g.known.columns[c].cells[r]
				if !in || apart && !slices.Contains(g.known.columns[c].name, "difference") {
					continue
				}
				if cell.reads(n) || limit != "" && cell.single && len(cell.dates) == 0 && within(cell.value, limit, n) {
					return true
				}
			}
		}
		return false
	}
	switch {
	case t.free && g.known.rows > 1 && !g.saysAny(s.span, pronouns):
		return g.unnamed(s, columns, n)
	case t.free:
		return reads(g.known.all())
	case len(t.each) > 0:
		return !slices.ContainsFunc(t.each, func(rows rowSet) bool { return !reads(rows) })
	}
	return slices.ContainsFunc(t.any, reads)
}

// unnamed reports whether n, said of no row by name, is in all rows, or is where
// a column begins or ends and the sentence says so.
func (g *grounding) unnamed(s *statement, columns []int, n numeral) bool {
	ends := s.has("most", "least", "more", "less", "over", "under", "from", "upto", "next", "tie", "all") || g.saysAny(s.span, []string{"range", "ranges", "ranging", "between", "from", "to", "介", "从"})
	if g.limit(s, n) != "" && s.has("all", "none", "only", "majority") {
		return true // held with the quantifier
	}
	for _, m := range s.numerals { // three came out in 1994
		if m.span != n.span && m.kind == plain && s.chunkOf(m.first) == s.chunkOf(n.first) && g.selected(s, n).count() == int(m.value*m.scale) {
			return true
		}
	}
	for _, i := range columns {
		if at := n.first - 2; at >= s.first && g.tokens[at+1].Text == ":" && strings.HasSuffix(g.tokens[at].Text, joinedEnd(g.known.columns[i].name)) && slices.ContainsFunc(g.known.columns[i].cells, func(c cell) bool { return c.reads(n) }) {
			return true // year: 1994
		}
		all, end := true, false
		for r, cell := range g.known.columns[i].cells {
			reads := cell.reads(n)
			all = all && reads
			end = end || reads && (g.top(i, true)[r] || g.top(i, false)[r] || s.has("tie"))
		}
		if all || end && ends {
			return true
		}
	}
	return false
}

// joinedEnd is the last word of a column's name.
func joinedEnd(name []string) string {
	if len(name) == 0 {
		return "\x00" // no word ends so
	}
	return name[len(name)-1]
}

// holds reports whether a cell of the target passes.
func (g *grounding) holds(s *statement, n numeral, t target, pass func(float64) bool) bool {
	rows := t.rows(g.known)
	for _, c := range g.fitting(s, n) {
		for r, in := range rows {
			if cell := g.known.columns[c].cells[r]; in && cell.single && pass(cell.value) {
				return true
			}
		}
	}
	return false
}

// limit is the kind of limit that n is ("over", "from" …), or "".
func (g *grounding) limit(s *statement, n numeral) string {
	const far = 4 // tokens between "more than" and its number
	for _, c := range s.cues {
		gap := n.first - c.last - 1
		switch c.kind {
		case "more", "less": // more than 100
			for i := c.last + 1; i < n.first && gap <= far; i++ {
				if d, ok := g.cueAt(s, i); ok && d.kind == "than" && !g.nameBetween(s, i, n.first) {
					return map[string]string{"more": "over", "less": "under"}[c.kind]
				}
			}
		case "over", "under":
			if gap >= 0 && gap <= 2 && !g.nameBetween(s, c.last, n.first) {
				return c.kind
			}
		case "from", "upto":
			if gap >= 0 && gap <= 2 || c.first > n.last && c.first-n.last <= 3 {
				return c.kind
			}
		}
	}
	return ""
}

func (g *grounding) nameBetween(s *statement, from, to int) bool {
	return slices.ContainsFunc(s.names, func(n name) bool { return n.first > from && n.last < to })
}

// within reports whether v keeps a limit.
func within(v float64, limit string, n numeral) bool {
	at := n.value * n.scale
	if n.kind == minutes && v > 24 && n.scale == 60 {
		at = n.value * 60
	}
	switch limit {
	case "over":
		return v > at
	case "from":
		return v >= at
	case "under":
		return v < at
	case "upto":
		return v <= at
	}
	return false
}

// fitting are the columns that n may be of, by the word behind it and its unit:
// "42 orders" is of the column orders, if there is one.
func (g *grounding) fitting(s *statement, n numeral) []int {
	var all, named []int
	noun := g.noun(n)
	for i, c := range g.known.columns {
		all = append(all, i)
		if noun != "" && slices.ContainsFunc(c.name, func(word string) bool {
			return word == noun || slices.Contains(singulars(noun), word) || slices.Contains(singulars(word), noun)
		}) && slices.ContainsFunc(c.cells, func(c cell) bool { return len(c.numbers)+len(c.sizes)+len(c.spans) > 0 }) {
			named = append(named, i)
		}
	}
	if len(named) > 0 {
		return named
	}
	label := noun != "" && g.isLabel(noun)
	out := all[:0]
	for _, i := range all {
		what := g.known.columns[i].what
		switch {
		case label && len(what) > 0 && !slices.Contains(what, "count"):
		case slices.Contains([]string{"year", "years", "day", "days", "month", "months"}, noun) && slices.Contains(what, "date"):
		case n.kind == minutes && len(what) > 0 && !slices.Contains(what, "length"):
		case n.kind == percent && len(what) > 0 && slices.Contains(what, "date"):
		default:
			out = append(out, i)
		}
	}
	return out
}

// noun is the word right behind a number, or behind a hyphen there.
func (g *grounding) noun(n numeral) string {
	if n.last+1 < len(g.tokens) && g.tokens[n.last+1].Kind == text.Word {
		return g.tokens[n.last+1].Text
	}
	return ""
}

// isLabel reports whether a word names what rows are of, or its plural.
func (g *grounding) isLabel(word string) bool {
	return slices.ContainsFunc(append(singulars(word), word), func(w string) bool {
		p := g.known.whole[w]
		return p != nil && p.schema && p.rows == nil && p.upper
	})
}

// reads reports whether a cell, shown like n, reads as n does.
func (c cell) reads(n numeral) bool {
	if n.kind == calendar {
		return slices.ContainsFunc(c.dates, func(d civil) bool {
			return (n.date.year == 0 || n.date.year == d.year) && (n.date.month == 0 || n.date.month == d.month) && (n.date.day == 0 || n.date.day == d.day)
		})
	}
	if n.kind == decade {
		in := func(v float64) bool {
			if n.value < 100 {
				return v > 1000 && math.Mod(v, 100) >= n.value && math.Mod(v, 100) < n.value+10
			}
			return v >= n.value && v < n.value+10
		}
		return slices.ContainsFunc(c.numbers, in) || slices.ContainsFunc(c.dates, func(d civil) bool { return in(float64(d.year)) })
	}
	if n.exact != "" && slices.Contains(c.exact, n.exact) {
		return true
	}
	if n.scale == 1 && n.kind == plain && slices.ContainsFunc(c.dates, func(d civil) bool { return float64(d.year) == n.value }) {
		return true
	}
	units := []float64{1}
	switch n.kind {
	case percent:
		units = []float64{1, 0.01}
	case minutes:
		units = []float64{1, 60, 1.0 / 60} // cells in minutes, seconds, hours
		if slices.ContainsFunc(c.spans, func(v float64) bool { return readsAs(v, n, 1) }) {
			return true
		}
	}
	for _, unit := range units {
		if slices.ContainsFunc(slices.Concat(c.numbers, c.sizes), func(v float64) bool { return readsAs(v, n, unit) }) {
			return true
		}
	}
	return false
}
