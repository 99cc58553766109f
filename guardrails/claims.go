package guardrails

import (
	"math"
	"slices"
	"strings"

	"precedent/store/text"
)

// claims asks of each phrase that claims something that it be true.
func (g *grounding) claims() {
	for _, s := range g.sentences {
		for _, c := range s.cues {
			if !g.stands(s, c) {
				g.want(c.span, false)
			}
		}
		for i := 1; i < len(s.names); i++ {
			if g.unrelated(s, s.names[i-1], s.names[i]) {
				g.want(span{s.names[i-1].last + 1, s.names[i].first - 1}, false)
			}
		}
	}
}

// unrelated reports whether one thing is said to do to another what no phrase
// of claims.txt tells: "Titanic dwarfs Avatar".
func (g *grounding) unrelated(s *statement, a, b name) bool {
	between := span{a.last + 1, b.first - 1}
	if a.column != b.column || s.chunkOf(a.last) != s.chunkOf(b.first) || len(s.groupOf(a)) > 1 && s.groupOf(a)[0].first == s.groupOf(b)[0].first || between.last < between.first {
		return false
	}
	return !slices.ContainsFunc(s.cues, func(c cue) bool { return between.first <= c.first && c.last <= between.last }) &&
		!g.numberBetween(s, a.last, b.first) && g.strangeWithin(between)
}

// strangeWithin reports whether a span has a word that answers aren't made of.
func (g *grounding) strangeWithin(at span) bool {
	for i := at.first; i <= at.last; i++ {
		switch t := g.tokens[i]; {
		case t.Kind == text.Word && !ordinary()[t.Text] && !strings.HasPrefix(t.Text, "'"):
			return true
		case t.Kind == text.Han:
			end := i
			for end <= at.last && g.tokens[end].Kind == text.Han {
				end++
			}
			if g.leftHan(i, end, g.tellsHan) >= 0 {
				return true
			}
			i = end - 1
		}
	}
	return false
}

// saysHow reports whether what "than" or 比 compares is said by a phrase of
// claims.txt: of "funnier than" nothing is known.
func (g *grounding) saysHow(s *statement, c cue) bool {
	han := g.tokens[c.first].Kind == text.Han
	return slices.ContainsFunc(s.cues, func(d cue) bool {
		return slices.Contains([]string{"more", "less", "over", "under", "beats", "loses", "not", "from", "upto", "apart", "tie"}, d.kind) && (d.first > c.last) == han
	}) || c.first > s.first && (g.tokens[c.first-1].Text == "other" || g.tokens[c.first-1].Text == "rather")
}

// stands reports whether what a cue claims is so; false too if that can't be told.
func (g *grounding) stands(s *statement, c cue) bool {
	switch c.kind {
	case "more", "less", "over", "under", "beats", "loses":
		return g.compares(s, c)
	case "most", "least":
		return g.tops(s, c)
	case "next":
		return g.follows(s, c)
	case "tie":
		return g.ties(s, c)
	case "all", "none", "only", "majority":
		return g.quantifies(s, c)
	case "not":
		return g.denies(s, c)
	case "than":
		return g.saysHow(s, c)
	case "lacks":
		return !slices.ContainsFunc(s.names, func(n name) bool { return n.first > c.last && n.rows.count() > 0 })
	case "beyond":
		return g.known.says(unmarked(g.tokens[c.first : c.last+1]))
	}
	return true
}

// columnsFor are the columns that a claim is about: those its phrase measures,
// those its chunk names, those of the numbers there; the same of the sentence;
// the same of the question, unless it is of size; else all that hold numbers.
// Those of times only where the phrase is of times, or of anything.
func (g *grounding) columnsFor(s *statement, at span, what string) []int {
	var ordered []int
	for i, c := range g.known.columns {
		if c.ordered() {
			ordered = append(ordered, i)
		}
	}
	if what != "date" && what != anything && slices.ContainsFunc(ordered, func(i int) bool { return !g.isDate(i) }) {
		ordered = slices.DeleteFunc(ordered, g.isDate)
	}
	pick := func(fits func(column) bool) []int {
		var out []int
		for _, i := range ordered {
			if fits(g.known.columns[i]) {
				out = append(out, i)
			}
		}
		return out
	}
	if what != "" {
		if out := pick(func(c column) bool { return slices.Contains(c.what, what) }); len(out) > 0 {
			return out
		}
	}
	chunk := s.chunkOf(at.first)
	from, to := s.first, s.last
	for from <= s.last && s.chunkOf(from) != chunk {
		from++
	}
	for to > from && s.chunkOf(to) != chunk {
		to--
	}
	for _, part := range []span{{from, to}, s.span} {
		if out := g.named(pick, g.tokens[part.first:part.last+1]); len(out) > 0 {
			return out
		}
		if out := g.numbered(s, part, ordered); len(out) > 0 {
			return out
		}
	}
	if out := g.named(pick, g.known.questionTokens); len(out) > 0 && what != "size" {
		return out
	}
	return ordered
}

// anything is what a tie may be of.
const anything = "anything"

// named are the columns whose name words say, else those that measure what words mean.
func (g *grounding) named(pick func(func(column) bool) []int, ts []text.Token) []int {
	words := map[string]bool{}
	for i, t := range ts {
		words[t.Text] = true
		for _, one := range singulars(t.Text) {
			words[one] = true
		}
		for n := 2; n <= 3 && i+n <= len(ts); n++ {
			if t.Kind == text.Han {
				words[text.Key(ts[i:i+n])] = true
			}
		}
	}
	if out := pick(func(c column) bool {
		return slices.ContainsFunc(c.name, func(w string) bool {
			return len(w) > 2 && (words[w] || slices.ContainsFunc(singulars(w), func(one string) bool { return words[one] }))
		})
	}); len(out) > 0 {
		return out
	}
	said := map[string]bool{}
	for name, m := range theClaims().measures {
		for w := range m.says {
			if words[w] && !(name == "count" && len(w) <= 3 && ordinaryCounter(w)) {
				said[name] = true
			}
		}
	}
	return pick(func(c column) bool { return slices.ContainsFunc(c.what, func(w string) bool { return said[w] }) })
}

// ordinaryCounter reports whether a measure word counts anything.
func ordinaryCounter(w string) bool { return slices.Contains([]string{"部", "次", "单", "数"}, w) }

// numbered are the columns that hold the numbers of a part of a sentence, of
// the rows these are said of.
func (g *grounding) numbered(s *statement, part span, ordered []int) []int {
	var out []int
	for _, n := range s.numerals {
		if n.first < part.first || n.last > part.last || n.kind != plain && n.kind != minutes && n.kind != decade {
			continue
		}
		rows := g.target(s, n.span).rows(g.known)
		for _, i := range ordered {
			if slices.Contains(out, i) || !slices.Contains(g.fitting(s, n), i) {
				continue
			}
			for r, in := range rows {
				if cell := g.known.columns[i].cells[r]; in && cell.single && cell.reads(n) {
					out = append(out, i)
					break
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// isDate reports whether a column orders times.
func (g *grounding) isDate(column int) bool {
	return slices.Contains(g.known.columns[column].what, "date")
}

// turned reports whether a word of denial stands before a cue in its chunk.
func (g *grounding) turned(s *statement, c cue) bool {
	return slices.ContainsFunc(s.cues, func(d cue) bool {
		return (d.kind == "not" || d.kind == "none" && g.tokens[d.first].Text == "never") && d.last < c.first && s.chunkOf(d.first) == s.chunkOf(c.first)
	})
}

// compares holds a comparison against the rows of both sides.
func (g *grounding) compares(s *statement, c cue) bool {
	if n := g.numberAfter(s, c); n != nil {
		// The number was held against the rows as a limit.
		return true
	}
	if g.ordinalBefore(s, c) || g.quantified(s) {
		return true // held as a rank, or with the quantifier
	}
	more := c.kind == "more" || c.kind == "over" || c.kind == "beats"
	a, b := g.twoSides(s, c)
	if a.count() == 0 || b.count() == 0 {
		return false
	}
	turned := g.turned(s, c)
	what := c.what
	if (c.kind == "over" || c.kind == "under") && what == "date" && !g.hasDates() {
		what = ""
	}
	return g.every(g.columnsFor(s, c.span, what), func(i int) (ok, told bool) {
		for r, in := range a {
			for q, with := range b {
				x, y := g.known.columns[i].cells[r], g.known.columns[i].cells[q]
				if !in || !with || !x.single || !y.single || r == q {
					continue
				}
				told = true
				greater := x.value > y.value
				if !more {
					greater = x.value < y.value
				}
				if greater == turned {
					return false, true
				}
			}
		}
		return true, told
	})
}

// hasDates reports whether the table has a column of times.
func (g *grounding) hasDates() bool {
	return slices.ContainsFunc(g.known.columns, func(c column) bool { return slices.Contains(c.what, "date") })
}

// every reports whether all columns that tell agree, and one does.
func (g *grounding) every(columns []int, holds func(int) (ok, told bool)) bool {
	told := false
	for _, i := range columns {
		ok, tells := holds(i)
		if tells && !ok {
			return false
		}
		told = told || tells
	}
	return told
}

// numberAfter is the number that a comparison is with: "more than 100", 超过80.
func (g *grounding) numberAfter(s *statement, c cue) *numeral {
	const far = 4
	for i, n := range s.numerals {
		if n.first <= c.last || n.first-c.last-1 > far || g.nameBetween(s, c.last, n.first) {
			continue
		}
		if g.limit(s, n) != "" {
			return &s.numerals[i]
		}
	}
	return nil
}

// ordinalBefore reports whether a rank stands right before: "second highest", 第二高.
func (g *grounding) ordinalBefore(s *statement, c cue) bool {
	return slices.ContainsFunc(s.numerals, func(n numeral) bool {
		return n.kind == ordinal && n.last < c.first && c.first-n.last <= 2
	})
}

// quantified reports whether a quantifier speaks of the comparison.
func (g *grounding) quantified(s *statement) bool {
	return slices.ContainsFunc(s.cues, func(c cue) bool { return c.kind == "none" && !g.interjected(s, c) })
}

// twoSides are the rows of a comparison: what is more, and than what.
func (g *grounding) twoSides(s *statement, c cue) (a, b rowSet) {
	none := make(rowSet, g.known.rows)
	var other *name
	han := g.tokens[c.first].Kind == text.Han
	for _, d := range s.cues { // than B; 比 B 多; 没有 B 多
		thanBefore := han && (d.kind == "than" || g.tokens[d.first].Text == "没") && d.last < c.first
		thanAfter := !han && d.kind == "than" && d.first > c.last
		if !thanBefore && !thanAfter {
			continue
		}
		for i, n := range s.names {
			if n.first > d.last && (thanAfter || n.last < c.first) {
				other = &s.names[i]
				break
			}
		}
		if other != nil {
			break
		}
	}
	if other == nil && c.kind != "more" && c.kind != "less" {
		for i, n := range s.names {
			if n.first > c.last {
				other = &s.names[i]
				break
			}
		}
	}
	var subject *name
	for i, n := range s.names {
		if other != nil && n.first == other.first {
			continue
		}
		if n.last < c.first {
			if subject == nil || s.chunkOf(n.first) == s.chunkOf(c.first) && (other == nil || n.last < other.first) {
				subject = &s.names[i]
			}
		} else if subject == nil {
			subject = &s.names[i]
		}
	}
	if subject != nil {
		a = g.ofName(s, *subject, c.span).rows(g.known)
	} else {
		a = none
		for before := s.before; before != nil && a.count() == 0; before = before.before {
			for _, n := range before.names {
				if other == nil || n.rows.and(other.rows).count() == 0 {
					a = n.rows
					break
				}
			}
		}
	}
	switch {
	case other != nil:
		for _, n := range s.groupOf(*other) {
			none = none.or(n.rows)
		}
		return a, none
	case subject == nil:
		return a, none
	}
	return a, g.others(s, *subject, a)
}

// others are the rows that a comparison without "than" is with: those named
// before it, else all the rest.
func (g *grounding) others(s *statement, subject name, a rowSet) rowSet {
	out := make(rowSet, g.known.rows)
	for b := s; b != nil; b = b.before {
		for _, n := range b.names {
			if (b != s || n.first < subject.first) && n.rows.and(a).count() == 0 {
				out = out.or(n.rows)
			}
		}
	}
	if out.count() > 0 {
		return out
	}
	return g.rest(a)
}

// rowsOf are the rows that a rank is claimed of: the names before it in its
// chunk, else those after it, else what the sentence spoke of.
func (g *grounding) rowsOf(s *statement, c cue) []rowSet {
	chunk := s.chunkOf(c.first)
	var before, after *name
	for i, n := range s.names {
		switch {
		case s.chunkOf(n.last) != chunk && s.chunkOf(n.first) != chunk:
		case n.last < c.first:
			before = &s.names[i]
		case after == nil:
			after = &s.names[i]
		}
	}
	if before == nil {
		before = after
	}
	if before != nil {
		t := g.ofName(s, *before, span{-1, -1})
		return []rowSet{t.rows(g.known)}
	}
	t := g.inherited(s, c.span)
	if t.free {
		return nil
	}
	if len(t.each) > 0 {
		return []rowSet{t.rows(g.known)}
	}
	return t.any
}

// tops holds a superlative against the rows.
func (g *grounding) tops(s *statement, c cue) bool {
	if g.ordinalBefore(s, c) {
		return true
	}
	if g.winsThings(s, c) {
		return true
	}
	if c.first > s.first && slices.Contains(possessives, g.tokens[c.first-1].Text) && g.asksFor(c) {
		return true // his longest film, as the question chose one for each
	}
	columns := g.columnsFor(s, c.span, c.what)
	sets := g.rowsOf(s, c)
	if sets == nil {
		return g.topNumber(s, c, columns)
	}
	turned := g.turned(s, c)
	return slices.ContainsFunc(sets, func(rows rowSet) bool {
		return g.every(columns, func(i int) (ok, told bool) {
			top := g.top(i, c.kind == "most")
			return (top.count() > 0 && (top.within(rows))) != turned, top.count() > 0
		})
	})
}

// winsThings reports whether a cue is a verb of what is counted: "won 9 games".
func (g *grounding) winsThings(s *statement, c cue) bool {
	return slices.Contains([]string{"win", "wins", "won"}, g.tokens[c.first].Text) &&
		(slices.ContainsFunc(s.numerals, func(n numeral) bool { return n.first == c.last+1 }) || slices.ContainsFunc(s.cues, func(d cue) bool {
			return d.first > c.last && d.first <= c.last+3 && (d.kind == "most" || d.kind == "least")
		}))
}

// possessives make a superlative one of somebody's own.
var possessives = []string{"his", "her", "its", "their", "'s"}

// asksFor reports whether the question has the words of a cue.
func (g *grounding) asksFor(c cue) bool {
	return strings.Contains(" "+joined(g.known.questionTokens)+" ", " "+joined(g.tokens[c.first:c.last+1])+" ")
}

// top are the rows with the most, or the least, of a column.
func (g *grounding) top(column int, most bool) rowSet {
	rows := make(rowSet, g.known.rows)
	best := math.Inf(-1)
	for _, cell := range g.known.columns[column].cells {
		if v := ranked(cell, most); cell.single && v > best {
			best = v
		}
	}
	for r, cell := range g.known.columns[column].cells {
		rows[r] = cell.single && ranked(cell, most) == best
	}
	return rows
}

func ranked(c cell, most bool) float64 {
	if most {
		return c.value
	}
	return -c.value
}

// topNumber holds a superlative without a name against the numbers said with it.
func (g *grounding) topNumber(s *statement, c cue, columns []int) bool {
	asked := false
	for _, n := range s.numerals {
		if n.kind == ordinal || n.kind == vague || s.chunkOf(n.first) != s.chunkOf(c.first) {
			continue
		}
		for _, i := range columns {
			for r, in := range g.top(i, c.kind == "most") {
				if in && g.known.columns[i].cells[r].reads(n) {
					return true
				}
			}
		}
		asked = true
	}
	return !asked && len(g.names) == 0 && g.known.rows == 1
}

// follows holds "followed by B" against the ranks of B and the name before it.
func (g *grounding) follows(s *statement, c cue) bool {
	most, columns := true, []int(nil)
	for _, d := range s.cues {
		if d.kind == "most" || d.kind == "least" {
			most = d.kind == "most"
			columns = g.columnsFor(s, d.span, d.what)
		}
	}
	if columns == nil {
		columns = g.columnsFor(s, c.span, "")
	}
	var before, after *name
	for i, n := range s.names {
		if n.last < c.first {
			before = &s.names[i]
		} else if after == nil && n.first > c.last {
			after = &s.names[i]
		}
	}
	if after == nil && before != nil && len(s.names) > 1 { // 活着以9.3分居次
		after = before
		before = &s.names[0]
	}
	if before == nil && s.before != nil && len(s.before.names) > 0 {
		before = &s.before.names[len(s.before.names)-1]
	}
	if after == nil {
		return len(s.names) == 0
	}
	if before == nil {
		return false
	}
	// Names of one chunk narrow each other: 张艺谋的《活着》.
	a := g.ofName(s, *before, span{-1, -1}).rows(g.known)
	list := s.groupOf(*after)
	return g.every(columns, func(i int) (ok, told bool) {
		last := a
		for _, n := range list {
			b := g.narrowed(s, n)
			if !g.rightBehind(i, most, last, b) {
				return false, true
			}
			last = b
		}
		return true, true
	})
}

// narrowed are the rows of a name and of the others in its chunk.
func (g *grounding) narrowed(s *statement, n name) rowSet {
	rows := n.rows
	for _, other := range s.names {
		if other.column != n.column && s.chunkOf(other.first) == s.chunkOf(n.first) {
			if both := rows.and(other.rows); both.count() > 0 {
				rows = both
			}
		}
	}
	return rows
}

// rightBehind reports whether no row of a column lies between the best of a and
// the best of b, and a isn't behind b.
func (g *grounding) rightBehind(column int, most bool, a, b rowSet) bool {
	best := func(rows rowSet) (float64, int) {
		v, at := math.Inf(-1), -1
		for r, in := range rows {
			if cell := g.known.columns[column].cells[r]; in && cell.single && ranked(cell, most) > v {
				v, at = ranked(cell, most), r
			}
		}
		return v, at
	}
	x, first := best(a)
	y, second := best(b)
	if first < 0 || second < 0 || x < y {
		return false
	}
	for r, cell := range g.known.columns[column].cells {
		if v := ranked(cell, most); cell.single && !a[r] && !b[r] && v < x && v > y {
			return false
		}
	}
	return true
}

// ranks holds "the third", 第二 against the order of the rows and their ranks.
func (g *grounding) ranks(s *statement, n numeral, t target) bool {
	k := int(n.value)
	if t.free || len(g.names) == 0 {
		return k <= max(g.known.rows, g.known.lists, 1)
	}
	var sets []rowSet
	sets = append(sets, t.any...)
	sets = append(sets, t.each...)
	columns := g.columnsFor(s, n.span, "")
	if k == 1 && g.tokens[n.first].Text == "first" { // "started first" is of times
		for i := range g.known.columns {
			if g.isDate(i) && !slices.Contains(columns, i) && g.known.columns[i].ordered() {
				columns = append(columns, i)
			}
		}
	}
	return slices.ContainsFunc(sets, func(rows rowSet) bool {
		if k >= 1 && k <= len(rows) && rows[k-1] && (g.listsRows(s, n) || len(columns) == 0) {
			return true
		}
		return slices.ContainsFunc(columns, func(i int) bool {
			return g.hasRank(i, true, rows, k) && !g.isDate(i) && !s.has("least") || g.hasRank(i, false, rows, k) && (s.has("least", "less") || g.isDate(i))
		})
	})
}

// listsRows reports whether an ordinal may be of the rows as they are listed,
// "the third is B", and not of a rank: "B comes third", 第三名.
func (g *grounding) listsRows(s *statement, n numeral) bool {
	return n.value > 1 && g.tokens[n.first].Kind != text.Han && !g.saysAny(s.span, []string{"comes", "come", "came", "coming", "ranks", "ranked", "rank", "place", "places", "placed", "finishes", "finished", "number"})
}

func (c column) ordered() bool {
	return slices.ContainsFunc(c.cells, func(c cell) bool { return c.single })
}

// hasRank reports whether one of the rows is the k-th of a column.
func (g *grounding) hasRank(column int, most bool, rows rowSet, k int) bool {
	for r, in := range rows {
		cell := g.known.columns[column].cells[r]
		if !in || !cell.single {
			continue
		}
		before := 0
		for _, other := range g.known.columns[column].cells {
			if other.single && ranked(other, most) > ranked(cell, most) {
				before++
			}
		}
		if before+1 == k {
			return true
		}
	}
	return false
}

// ties holds "the same" against the rows that are spoken of.
func (g *grounding) ties(s *statement, c cue) bool {
	if slices.ContainsFunc(s.numerals, func(n numeral) bool {
		return (n.kind == times || n.kind == fraction) && n.last < c.first && c.first-n.last <= 3
	}) {
		return true // twice as many
	}
	rows := make(rowSet, g.known.rows)
	for _, n := range s.names {
		rows = rows.or(n.rows)
	}
	for _, n := range s.numerals {
		if at := g.selected(s, n); n.kind != ordinal && at.count() > 1 && rows.within(at) && !g.turned(s, c) {
			return true // a tie at 8.8
		}
	}
	for b := s; b != nil && rows.count() < 2; b = b.before {
		for _, n := range b.names {
			rows = rows.or(n.rows)
		}
	}
	if rows.count() < 2 {
		rows = g.known.all()
	}
	equal := g.every(g.columnsFor(s, c.span, anything), func(i int) (ok, told bool) {
		values := map[float64]bool{}
		n := 0
		for r, in := range rows {
			if cell := g.known.columns[i].cells[r]; in && cell.single {
				values[cell.value] = true
				n++
			}
		}
		return len(values) == 1, n > 1
	})
	return equal != g.turned(s, c)
}

// quantifies holds "all", "none", "only" and "most of" against the rows.
func (g *grounding) quantifies(s *statement, c cue) bool {
	switch {
	case c.kind == "only" && g.numberRight(s, c) && (c.first == 0 || g.tokens[c.first-1].Text != "the"):
		return true // only five
	case c.kind == "none" && (g.known.rows == 0 || g.interjected(s, c)):
		return true
	case c.kind == "all" && g.numberRight(s, c) && slices.Contains([]string{"each", "各"}, g.tokens[c.first].Text):
		return true // the number was held against each
	case c.kind == "all" && (s.has("mean", "sum") || s.has("apart")):
		return true
	case c.kind == "none" && s.has("more", "less", "most", "least", "beats", "loses") && !s.has("over", "under", "from", "upto") && !g.limited(s):
		return g.ties(s, c)
	}
	predicates := g.predicates(s, c.kind == "none")
	if c.kind == "none" && (g.nullCell(s) || g.zeroCell(s, c)) {
		return true
	}
	if len(predicates) == 0 {
		return false
	}
	predicate, scope := predicates[len(predicates)-1], g.known.all()
	subject := predicates[:len(predicates)-1]
	if c.kind == "only" {
		return g.exclusive(s, c, predicates)
	}
	for _, p := range subject {
		scope = scope.and(p)
	}
	if len(subject) == 0 && (g.tokens[c.first].Text == "both" || g.tokens[c.first].Text == "neither") {
		named := make(rowSet, g.known.rows)
		for _, rows := range g.spoken(s) {
			named = named.or(rows)
		}
		if named.count() > 1 && len(s.names) == 0 {
			scope = named
		}
	}
	both := scope.and(predicate).count()
	switch c.kind {
	case "none":
		return scope.count() > 0 && both == 0
	case "majority":
		return 2*both > scope.count()
	}
	return scope.count() > 1 && both == scope.count()
}

// interjected reports whether a cue is an answer of its own: "No."
func (g *grounding) interjected(s *statement, c cue) bool {
	return g.tokens[c.first].Text == "no" && c.first == s.first && (c.last == s.last || g.tokens[c.last+1].Kind == text.Mark)
}

// limited reports whether a number of the sentence is a limit.
func (g *grounding) limited(s *statement) bool {
	return slices.ContainsFunc(s.numerals, func(n numeral) bool { return g.limit(s, n) != "" })
}

// numberRight reports whether a number follows a cue: "only about five", 仅7.6.
func (g *grounding) numberRight(s *statement, c cue) bool {
	const far = 3
	return slices.ContainsFunc(s.numerals, func(n numeral) bool {
		return n.first > c.last && n.first-c.last <= far && !g.nameBetween(s, c.last, n.first)
	}) || c.last+1 < len(g.tokens) && slices.Contains([]string{"a", "an"}, g.tokens[c.last+1].Text)
}

// predicates are the rows of which each group of names and each number of a
// sentence is true, in order, of limits in any column or in all that they may
// be of; numbers that count don't say what rows are like.
func (g *grounding) predicates(s *statement, anyColumn bool) []rowSet {
	type part struct {
		at   int
		rows rowSet
	}
	var parts []part
	for _, group := range s.groups {
		rows := make(rowSet, g.known.rows)
		for _, n := range group {
			rows = rows.or(n.rows)
		}
		parts = append(parts, part{group[0].first, rows})
	}
	for _, n := range s.numerals {
		if n.kind == ordinal || n.kind == vague {
			continue
		}
		limit := g.limit(s, n)
		t := g.target(s, n.span)
		if limit == "" && g.isTotal(s, n) && n.kind == plain && n.scale == 1 && n.value < 100 || limit == "" && n.kind == plain && g.counts(s, n, t) && !g.anyReads(s, n) {
			continue
		}
		rows := g.selected(s, n)
		if limit != "" {
			rows = g.limitedTo(s, n, limit, anyColumn)
		}
		parts = append(parts, part{n.first, rows})
	}
	slices.SortFunc(parts, func(a, b part) int { return a.at - b.at })
	var out []rowSet
	for _, p := range parts {
		out = append(out, p.rows)
	}
	return out
}

// anyReads reports whether some cell is the number n.
func (g *grounding) anyReads(s *statement, n numeral) bool { return g.selected(s, n).count() > 0 }

// nullCell reports whether what the sentence names has a cell without a value:
// "OPS-40 has no assignee".
func (g *grounding) nullCell(s *statement) bool {
	if len(s.names) == 0 || len(s.numerals) > 0 {
		return false
	}
	for _, c := range g.known.columns {
		empty := true
		for r, in := range s.names[0].rows {
			empty = empty && (!in || c.cells[r].null)
		}
		if empty {
			return true
		}
	}
	return false
}

// zeroCell reports whether what "none" speaks of is a column that is 0 in the
// rows that are spoken of.
func (g *grounding) zeroCell(s *statement, c cue) bool {
	words := g.tokens[c.last+1 : s.last+1]
	rows := g.inherited(s, c.span).rows(g.known)
	return slices.ContainsFunc(g.known.columns, func(col column) bool {
		return slices.ContainsFunc(words, func(t text.Token) bool { return slices.Contains(col.name, t.Text) }) &&
			!slices.ContainsFunc(g.valuesOf(col, rows), func(v float64) bool { return v != 0 }) && len(g.valuesOf(col, rows)) == rows.count()
	})
}

// exclusive holds "only A …" against the rows: what is said is true of A's rows
// and of no others.
func (g *grounding) exclusive(s *statement, c cue, predicates []rowSet) bool {
	var who rowSet
	for _, n := range s.names { // the name behind the cue, else the one before
		if n.first > c.last {
			who = n.rows
			break
		}
	}
	if who == nil && len(s.names) > 0 {
		who = s.names[0].rows
	}
	if who == nil || len(predicates) < 2 {
		return false
	}
	what, itself := g.known.all(), false
	for _, p := range predicates {
		if !itself && p.within(who) && who.within(p) {
			itself = true
			continue
		}
		what = what.and(p)
	}
	return what.count() > 0 && what.count() < g.known.rows && what.within(who) && who.within(what)
}

// denies reports whether a denial may stand: it turns a comparison, a rank or a
// quantifier (held with it), names what is null, or speaks of nothing named.
func (g *grounding) denies(s *statement, c cue) bool {
	for _, d := range s.cues {
		if d.first > c.last && s.chunkOf(d.first) == s.chunkOf(c.first) && slices.Contains([]string{"more", "less", "over", "under", "beats", "loses", "most", "least", "tie"}, d.kind) {
			return true
		}
	}
	if g.known.negated && len(s.names) == 0 {
		return true
	}
	if g.nullCell(s) {
		return true
	}
	if len(s.names) > 0 || len(s.numerals) > 0 {
		return false
	}
	return s.before == nil || len(s.before.names) == 0
}
