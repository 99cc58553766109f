package guardrails

import (
	"math"
	"slices"

	"precedent/store/text"
)

// isDifference reports whether a sentence says n of two rows: "12 years after",
// "two more films than", "by 660 million", 多赚了6亿.
func (g *grounding) isDifference(s *statement, n numeral) bool {
	const far = 3 // tokens between the number and its comparison
	for _, c := range s.cues {
		gap := c.first - n.last - 1
		setting := slices.Contains([]string{"over", "under", "beats", "loses"}, c.kind)
		comparing := c.kind == "more" || c.kind == "less" || setting && g.tokens[c.first].Kind != text.Han
		switch {
		case c.kind == "apart" && (s.chunkOf(c.first) == s.chunkOf(n.first) || !s.has("tie") && len(s.names) == 0):
			return true
		case comparing && (c.kind == "over" || c.kind == "under") && c.what == "" && g.numberAfter(s, c) != nil:
		case comparing && gap >= 0 && gap <= far && s.chunkOf(c.first) == s.chunkOf(n.last) && !g.numberBetween(s, n.last, c.first) && (gap == 0 || c.what == "date" || g.tokens[n.last+1].Kind == text.Word || g.tokens[n.last+1].Text == "-"):
			return true
		case comparing && gap < 0 && n.first > c.last && g.tokens[c.first].Kind == text.Han && g.hanDifference(s, c, n):
			return true
		case setting && g.tokens[c.first].Kind == text.Han && n.first > c.last && g.nameBetween(s, c.last, n.first) && g.hanDifference(s, c, n):
			return true
		}
	}
	if n.first > 0 && g.tokens[n.first-1].Text == "by" {
		return true
	}
	for i := n.first - 1; i >= s.first && i >= n.first-3; i-- { // by about 660 million
		if g.tokens[i].Text == "by" && !g.nameBetween(s, i, n.first) {
			return s.has("more", "less", "over", "under", "beats", "loses", "most", "least")
		}
	}
	return false
}

// hanDifference reports whether n is by how much 比 … 多 or 领先 … says: behind
// the comparison, in the same chunk or the one its other name stands in.
func (g *grounding) hanDifference(s *statement, c cue, n numeral) bool {
	const far = 6 // tokens
	if n.first-c.last > far || g.numberBetween(s, c.last, n.first) {
		return false
	}
	if c.kind != "more" && c.kind != "less" {
		return s.chunkOf(c.first) == s.chunkOf(n.first)
	}
	return s.has("than") && s.chunkOf(c.first) == s.chunkOf(n.first) || s.has("than") && c.last+1 >= n.first-1
}

func (g *grounding) numberBetween(s *statement, from, to int) bool {
	return slices.ContainsFunc(s.numerals, func(m numeral) bool { return m.first > from && m.last < to })
}

// difference reports whether n is how far two rows that are spoken of are apart.
func (g *grounding) difference(s *statement, n numeral) bool {
	a, b := g.sides(s)
	for i, column := range g.known.columns {
		if !g.fits(s, n, i) {
			continue
		}
		for _, x := range g.valuesOf(column, a) {
			for _, y := range g.valuesOf(column, b) {
				if d := math.Abs(x - y); d > 0 && readsIn(rounded(d), n) {
					return true
				}
			}
		}
		if len(column.cells) == 0 || !slices.Contains(column.what, "date") {
			continue
		}
		for _, x := range g.datesOf(column, a) {
			for _, y := range g.datesOf(column, b) {
				if g.spansTime(x, y, n) {
					return true
				}
			}
		}
	}
	return false
}

// spansTime reports whether n years, months or days lie between two dates.
func (g *grounding) spansTime(x, y civil, n numeral) bool {
	days := math.Abs(float64(x.days() - y.days()))
	unit := g.noun(n)
	if n.last+1 < len(g.tokens) && g.tokens[n.last+1].Kind == text.Han {
		unit = map[string]string{"年": "years", "个": "months", "月": "months", "天": "days", "日": "days"}[g.tokens[n.last+1].Text]
	}
	v := n.value * n.scale
	switch unit {
	case "days", "day":
		return v == days
	case "months", "month":
		return math.Abs(days/30.44-v) < 1
	case "years", "year", "":
		return v == math.Abs(float64(x.year-y.year)) || math.Abs(days/365.25-v) < 0.5
	}
	return false
}

// days is the day since 1970, near enough to compare.
func (d civil) days() int { return d.year*365 + d.year/4 + max(d.month-1, 0)*30 + d.month/2 + d.day }

// sides are the rows of what a comparison sets against what: of the first name
// and of the others; of the rows before where the sentence names one; of the
// first row and the others where nothing is named.
func (g *grounding) sides(s *statement) (a, b rowSet) {
	sets := g.spoken(s)
	none := make(rowSet, g.known.rows)
	a, b = none, none
	switch len(sets) {
	case 0:
		a, b = g.known.all(), g.known.all()
	case 1:
		a = sets[0]
		b = g.rest(a)
		for before := s.before; before != nil; before = before.before {
			for _, n := range before.names {
				if n.rows.and(a).count() == 0 {
					return a, n.rows
				}
			}
		}
	default:
		a = sets[0]
		for _, set := range sets[1:] {
			b = b.or(set)
		}
		if a.within(b) && b.within(a) {
			b = g.rest(a)
		}
	}
	return a, b
}

// rest are all rows but some.
func (g *grounding) rest(s rowSet) rowSet {
	out := g.known.all()
	for i, in := range s {
		out[i] = !in
	}
	return out
}

func (g *grounding) fits(s *statement, n numeral, column int) bool {
	noun := g.noun(n)
	if slices.Contains([]string{"year", "years", "day", "days", "month", "months"}, noun) {
		return slices.Contains(g.known.columns[column].what, "date")
	}
	return slices.Contains(g.fitting(s, n), column)
}

// valuesOf are the numbers by which a column orders some rows, dates left out.
func (g *grounding) valuesOf(c column, rows rowSet) []float64 {
	var out []float64
	for r, in := range rows {
		if cell := c.cells[r]; in && cell.single && len(cell.dates) == 0 {
			out = append(out, cell.value)
		}
	}
	return out
}

func (g *grounding) datesOf(c column, rows rowSet) []civil {
	var out []civil
	for r, in := range rows {
		if in && len(c.cells[r].dates) > 0 {
			out = append(out, c.cells[r].dates[0])
		}
	}
	return out
}

// scopes are the rows that a sum or an average may be of: those of the target,
// those that are spoken of, all.
func (g *grounding) scopes(s *statement, t target) []rowSet {
	var out []rowSet
	add := func(rows rowSet) {
		if rows.count() > 1 {
			out = append(out, rows)
		}
	}
	all := make(rowSet, g.known.rows)
	for _, set := range g.spoken(s) {
		all = all.or(set)
	}
	add(t.rows(g.known))
	add(all)
	add(g.known.all())
	return out
}

// amounts are columns that can be added up.
func (g *grounding) amounts(s *statement, n numeral) []column {
	var out []column
	for _, i := range g.fitting(s, n) {
		if c := g.known.columns[i]; !slices.Contains(c.what, "date") {
			out = append(out, c)
		}
	}
	return out
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// sums reports whether n is a column added up.
func (g *grounding) sums(s *statement, n numeral, t target) bool {
	for _, rows := range g.scopes(s, t) {
		for _, c := range g.amounts(s, n) {
			if values := g.valuesOf(c, rows); len(values) > 1 && readsIn(rounded(total(values)), n) {
				return true
			}
		}
	}
	return false
}

// rounded drops what floats lose when they are added.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// means reports whether n is the average of a column, or one column by another in a row.
func (g *grounding) means(s *statement, n numeral, t target) bool {
	if !s.has("mean") {
		return false
	}
	near := func(v float64) bool {
		return readsIn(v, n) || n.decimals == 0 && n.scale == 1 && math.Abs(v-n.value) <= 0.5
	}
	for _, rows := range g.scopes(s, t) {
		for _, c := range g.amounts(s, n) {
			if values := g.valuesOf(c, rows); len(values) > 1 && near(total(values)/float64(len(values))) {
				return true
			}
		}
	}
	for r, in := range t.rows(g.known) {
		for _, c := range g.known.columns {
			for _, d := range g.known.columns {
				x, y := c.cells[r], d.cells[r]
				if in && x.single && y.single && y.value != 0 && !slices.Contains(c.what, "date") && !slices.Contains(d.what, "date") && near(x.value/y.value) {
					return true
				}
			}
		}
	}
	return false
}

// How far "a third" may be off, and "about a third".
const (
	slackOfPart  = 0.02
	slackOfAbout = 0.05
)

// isPart reports whether v is the percentage, fraction or multiple n.
func isPart(v float64, n numeral) bool {
	switch n.kind {
	case percent:
		return math.Abs(v*100-n.value) <= math.Pow(10, -float64(n.decimals))/2+1e-9
	case fraction:
		slack := slackOfPart
		if n.about {
			slack = slackOfAbout
		}
		return math.Abs(v-n.value) <= slack
	}
	return math.Abs(v-n.value*n.scale) <= math.Pow(10, -float64(n.decimals))/2+1e-9 && (n.decimals > 0 || math.Abs(v-n.value) <= n.value*0.12)
}

// share reports whether n is the target's part of a column or of the rows.
func (g *grounding) share(s *statement, n numeral, t target) bool {
	if g.isDifference(s, n) {
		return false
	}
	var targets []rowSet
	if !t.free {
		targets = append(targets, t.any...)
		targets = append(targets, t.rows(g.known))
	}
	counted := g.picked(s, n)
	if counted != nil {
		targets = append(targets, counted)
	}
	whole := g.known.all()
	for _, rows := range targets {
		if rows.count() == 0 {
			continue
		}
		if counted != nil && isPart(float64(rows.count())/float64(whole.count()), n) && rows.count() > 1 {
			return true
		}
		for _, c := range g.amounts(s, n) {
			if of := total(g.valuesOf(c, whole)); of != 0 && isPart(total(g.valuesOf(c, rows))/of, n) {
				return true
			}
		}
	}
	return false
}

// ratio reports whether n is how many times one side is the other, or, of a
// difference, by what part it is more or less.
func (g *grounding) ratio(s *statement, n numeral) bool {
	a, b := g.sides(s)
	if sets := g.spoken(s); len(sets) > 1 {
		a, b = sets[0], sets[1]
		for _, m := range s.names[min(1, len(s.names)):] { // the name behind "as many as", before 的两倍
			if b = m.rows; m.first > n.last {
				break
			}
		}
	}
	apart := g.isDifference(s, n)
	fits := func(x, y float64) bool {
		switch {
		case y == 0:
			return false
		case apart && n.kind == times && n.value >= 2 && isPart(x/y, n): // "three times more" says either
			return g.tokens[n.first].Kind != text.Han
		case apart:
			return isPart(math.Abs(x-y)/math.Abs(y), n)
		}
		return isPart(x/y, n)
	}
	for _, i := range g.columnsFor(s, n.span, "") {
		if c := g.known.columns[i]; !slices.Contains(c.what, "date") {
			for _, x := range g.valuesOf(c, a) {
				if slices.ContainsFunc(g.valuesOf(c, b), func(y float64) bool { return fits(x, y) }) {
					return true
				}
			}
		}
	}
	return false
}

// counts reports whether n is how many rows, items or different values are spoken of.
func (g *grounding) counts(s *statement, n numeral, t target) bool {
	if n.kind != plain || n.decimals > 0 || n.scale != 1 && n.value*n.scale > 1e4 {
		return false
	}
	v := int(n.value * n.scale)
	if g.unitNoun(n) || !t.free && len(t.any)+len(t.each) == 0 {
		return false
	}
	if len(t.each) > 0 && g.saysAny(s.span, []string{"each", "各"}) && !slices.ContainsFunc(t.each, func(rows rowSet) bool { return rows.count() != v }) {
		return true
	}
	if rows := g.picked(s, n); rows != nil {
		return rows.count() == v || !g.namesIn(s, n) && v == g.known.rows && g.isTotal(s, n)
	}
	if !t.free && !g.isTotal(s, n) {
		for _, rows := range t.any {
			if rows.count() == v && rows.count() > 1 {
				return true
			}
		}
	}
	if v == g.known.rows || v == g.known.returned || v == g.known.lists && t.free {
		return true
	}
	for _, group := range s.groups {
		if len(group) == v && v > 1 {
			return true
		}
	}
	for b := s; b != nil; b = b.before { // the two of them
		if len(b.names) == v && v > 1 {
			return true
		}
	}
	return t.free && slices.Contains(g.distinct(), v)
}

// unitNoun reports whether what follows n is a unit, not what rows are of.
func (g *grounding) unitNoun(n numeral) bool {
	return slices.Contains([]string{"year", "years", "day", "days", "points", "dollars", "percent", "stars"}, g.noun(n))
}

// isTotal reports whether n counts what is spoken of as a whole: "of the five", 四位.
func (g *grounding) isTotal(s *statement, n numeral) bool {
	return n.first > 0 && slices.Contains([]string{"the", "all", "these", "of"}, g.tokens[n.first-1].Text) || n.first == s.first
}

// namesIn reports whether n's chunk names anything.
func (g *grounding) namesIn(s *statement, n numeral) bool {
	return slices.ContainsFunc(s.names, func(m name) bool { return s.chunkOf(m.first) == s.chunkOf(n.first) })
}

// picked are the rows that the names, years and limits of n's chunk pick out;
// nil if there are none of these.
func (g *grounding) picked(s *statement, n numeral) rowSet {
	chunk := s.chunkOf(n.first)
	var rows rowSet
	pick := func(more rowSet) {
		if rows == nil {
			rows = more
		} else {
			rows = rows.and(more)
		}
	}
	for _, group := range s.groups {
		if s.chunkOf(group[0].first) == chunk || s.chunkOf(group[len(group)-1].first) == chunk {
			union := make(rowSet, g.known.rows)
			for _, m := range group {
				union = union.or(m.rows)
			}
			pick(union)
		}
	}
	for _, m := range s.numerals {
		if m.span == n.span || s.chunkOf(m.first) != chunk || m.kind == ordinal || m.kind == vague {
			continue
		}
		if more := g.selected(s, m); more.count() > 0 && (m.kind == decade || m.kind == calendar || m.value >= 100 || m.decimals > 0 || g.limit(s, m) != "") {
			pick(more)
		}
	}
	return rows
}

// selected are the rows of which a number is true, as a value or a limit.
func (g *grounding) selected(s *statement, n numeral) rowSet {
	rows := make(rowSet, g.known.rows)
	limit := g.limit(s, n)
	columns := g.fitting(s, n)
	if limit != "" {
		return g.limitedTo(s, n, limit, false)
	}
	for _, i := range columns {
		for r, cell := range g.known.columns[i].cells {
			rows[r] = rows[r] || cell.reads(n)
		}
	}
	return rows
}

// limitedTo are the rows that keep a limit in all columns that it may be of, or in any.
func (g *grounding) limitedTo(s *statement, n numeral, limit string, anyColumn bool) rowSet {
	fitting := g.fitting(s, n)
	columns := g.columnsFor(s, n.span, "")
	if both := slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return !slices.Contains(fitting, i) }); len(both) > 0 {
		columns = both
	} else {
		columns = fitting
	}
	rows := make(rowSet, g.known.rows)
	for r := range rows {
		told, keeps, one := false, true, false
		for _, i := range columns {
			if cell := g.known.columns[i].cells[r]; cell.single && len(cell.dates) == 0 && g.comparable(i, n) {
				told = true
				in := within(cell.value, limit, n)
				keeps, one = keeps && in, one || in
			}
		}
		rows[r] = told && (keeps || anyColumn && one)
	}
	return rows
}

// comparable reports whether a limit may be of a column: none of years is.
func (g *grounding) comparable(column int, n numeral) bool {
	year := n.scale == 1 && n.value >= 1800 && n.value <= 2100 && n.decimals == 0
	return year == slices.Contains(g.known.columns[column].what, "date") || !slices.Contains(g.known.columns[column].what, "date")
}

// distinct are how many different texts the columns hold.
func (g *grounding) distinct() []int {
	seen := map[int]map[string]bool{}
	for _, c := range g.known.cellText {
		if seen[c.column] == nil {
			seen[c.column] = map[string]bool{}
		}
		seen[c.column][c.words] = true
	}
	var out []int
	for _, set := range seen {
		out = append(out, len(set))
	}
	return out
}
