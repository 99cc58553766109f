package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// A moment is a comparison with a stretch of the calendar: a year, a month, a day.
type moment struct {
	compared
	from, to store.Date // to is the day behind it
	left     string     // what is compared, printed
}

// A component is a comparison with a part of a point in time: o.placed.month = 5.
type component struct {
	compared
	part string
	n    int64
}

// Years that a number is taken for one.
const (
	firstYear = 1800
	lastYear  = 2199
)

// parts are the components of points in time that a question names.
var parts = []string{"year", "month", "quarter", "day", "week", "dayOfWeek", "weekDay"}

// times holds the times that the words name against those of the query.
func (h *held) times() {
	if len(h.said.Times) == 0 || h.relative {
		return
	}
	var moments []moment
	var components []component
	for _, c := range h.compared {
		if p, ok := c.left.(*cypher.Property); ok && slices.Contains(parts, p.Key) && (p.X != nil && !isEntity(p.X)) {
			if n, ok := c.value.(int64); ok {
				components = append(components, component{c, p.Key, n})
				continue
			}
		}
		if from, to, ok := h.stretch(c.right); ok {
			moments = append(moments, moment{c, from, to, cypher.Print(bare(c.left))})
		}
	}
	printed := text.KeyOf(cypher.Print(h.stmt))
	for _, t := range h.said.Times {
		switch {
		case !h.stands(t, moments, components, printed):
			f := Finding{Kind: Unasked, Words: t.Words, Pos: -1}
			if len(moments) > 0 {
				f.Has, f.Pos = cypher.Print(moments[0].of), int(moments[0].of.Pos())
			} else if len(components) > 0 {
				f.Has, f.Pos = cypher.Print(components[0].of), int(components[0].of.Pos())
			}
			h.find(f)
		case t.Bounded != "":
			h.bounded(t, moments)
		case len(h.said.Times) == 1 && !h.said.Ranged && !h.said.Denied:
			h.within(t, moments, components)
		}
	}
}

// isEntity reports whether e is a variable, so that a part of it is a property.
func isEntity(e cypher.Expr) bool {
	_, ok := e.(*cypher.Variable)
	return ok
}

// bare is e without the functions that make a point in time of it.
func bare(e cypher.Expr) cypher.Expr {
	for {
		c, ok := e.(*cypher.Call)
		if !ok || len(c.Args) != 1 || !slices.Contains(keeping, strings.ToLower(c.Name)) {
			return e
		}
		e = c.Args[0]
	}
}

var isoPrefix = regexp.MustCompile(`^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?$`)

// stretch is the part of the calendar that e is.
func (h *held) stretch(e cypher.Expr) (from, to store.Date, ok bool) {
	if c, isCall := e.(*cypher.Call); isCall {
		name := strings.ToLower(c.Name)
		if len(c.Args) != 1 || name != "date" && name != "datetime" && name != "localdatetime" {
			return from, to, false
		}
		if m, isMap := c.Args[0].(*cypher.Map); isMap {
			return h.stretchOfMap(m)
		}
		from, to, ok = h.stretch(c.Args[0])
		if m, isText := h.textOf(c.Args[0]); isText && ok && len(m) < len("2006-01-02") {
			to = store.Date{Days: from.Days + 1} // date('2024') is a day
		}
		return from, to, ok
	}
	value, _ := h.constant(e)
	switch v := value.(type) {
	case int64:
		if v >= firstYear && v <= lastYear {
			return store.DateOf(v, 1, 1), store.DateOf(v+1, 1, 1), true
		}
	case string:
		m := isoPrefix.FindStringSubmatch(v)
		if m == nil {
			return from, to, false
		}
		year, _ := strconv.ParseInt(m[1], 10, 64)
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		return stretchOf(year, month, day)
	case store.Date:
		return v, store.Date{Days: v.Days + 1}, true
	}
	return from, to, false
}

func (h *held) textOf(e cypher.Expr) (string, bool) {
	value, _ := h.constant(e)
	s, ok := value.(string)
	return s, ok
}

func (h *held) stretchOfMap(m *cypher.Map) (from, to store.Date, ok bool) {
	var year, month, day int64
	for i, key := range m.Keys {
		value, _ := h.constant(m.Values[i])
		n, isNumber := value.(int64)
		if !isNumber {
			return from, to, false
		}
		switch key {
		case "year":
			year = n
		case "month":
			month = n
		case "quarter":
			month = 3*n - 2
		case "day":
			day = n
		}
	}
	from, _, ok = stretchOf(year, int(max(month, 1)), int(max(day, 1)))
	return from, store.Date{Days: from.Days + 1}, ok
}

// stretchOf is a year, a month of it or a day of that; zeros aren't said.
func stretchOf(year int64, month, day int) (from, to store.Date, ok bool) {
	switch {
	case year < firstYear || year > lastYear || month > 12 || month > 0 && day > store.DaysIn(year, month):
		return from, to, false
	case month == 0:
		return store.DateOf(year, 1, 1), store.DateOf(year+1, 1, 1), true
	case day == 0:
		return store.DateOf(year, month, 1), firstOf(year, month+1), true
	}
	from = store.DateOf(year, month, day)
	return from, store.Date{Days: from.Days + 1}, true
}

// firstOf is the first day of a month; the thirteenth is of the next year.
func firstOf(year int64, month int) store.Date {
	if month > 12 {
		return store.DateOf(year+1, month-12, 1)
	}
	return store.DateOf(year, month, 1)
}

// span is the part of the calendar that t names, in the year that it has or else in
// that one.
func span(t reading.Time, year int64) (from, to store.Date) {
	if t.Year > 0 {
		year = t.Year
	}
	if t.Month > 0 && t.Day > 0 && t.Day <= store.DaysIn(year, t.Month) {
		from = store.DateOf(year, t.Month, t.Day)
		return from, store.Date{Days: from.Days + 1}
	}
	first, behind := t.Months()
	from, to = store.DateOf(year, first, 1), firstOf(year, behind)
	const half = 15 // days of the first half of a month
	if t.Month > 0 && t.Half == 1 {
		to = store.Date{Days: from.Days + half}
	} else if t.Month > 0 && t.Half == 2 {
		from = store.Date{Days: from.Days + half}
	}
	return from, to
}

// stands reports whether the query says t somehow.
func (h *held) stands(t reading.Time, moments []moment, components []component, printed string) bool {
	if words := text.KeyOf(t.Words); strings.Contains(printed, words) {
		return true
	}
	for _, m := range moments {
		year, _, _ := m.from.Civil()
		from, to := span(t, year)
		touches := m.from.Days < to.Days && m.to.Days > from.Days || m.from == to || m.to == from
		if touches && (t.IsYear() || m.to.Days-m.from.Days < 360) {
			return true
		}
		if year, _, _ := m.to.Civil(); t.Year == 0 && !t.IsYear() { // < 1 January, for December
			if from, to := span(t, year-1); m.from == to || m.to == from {
				return true
			}
		}
	}
	return h.standsInPart(t, components) || h.standsInConstant(t)
}

func (h *held) standsInPart(t reading.Time, components []component) bool {
	first, behind := t.Months()
	for _, c := range components {
		switch c.part {
		case "year":
			if t.IsYear() && (c.n == t.Year || c.n == t.Year-1 && c.op == cypher.Gt || c.n == t.Year+1 && c.op == cypher.Lt) {
				return true
			}
		case "month":
			if !t.IsYear() && (c.n >= int64(first) && c.n < int64(behind) || c.n == int64(behind) && c.op == cypher.Lt || c.n == int64(first)-1 && c.op == cypher.Gt) {
				return true
			}
		case "quarter":
			if t.Quarter > 0 && c.n == int64(t.Quarter) || t.Half > 0 && c.n >= int64(2*t.Half-1) && c.n <= int64(2*t.Half) {
				return true
			}
		}
	}
	return false
}

func (h *held) standsInConstant(t reading.Time) bool {
	first, behind := t.Months()
	for _, c := range h.constants {
		switch v := c.(type) {
		case int64:
			if t.IsYear() && v == t.Year || !t.IsYear() && len(h.constants) > 0 && v >= int64(first) && v < int64(behind) && v > 0 {
				return true
			}
		case string:
			if t.IsYear() && strings.Contains(v, fmt.Sprint(t.Year)) || t.Quarter > 0 && strings.Contains(strings.ToUpper(v), fmt.Sprintf("Q%d", t.Quarter)) {
				return true
			}
			if m := isoPrefix.FindStringSubmatch(v); m != nil && !t.IsYear() {
				if month, _ := strconv.Atoi(m[2]); month >= first && month <= behind || behind == 13 && month == 1 {
					return true
				}
			} else if strings.Contains(v, fmt.Sprintf("-%02d", first)) {
				return true
			}
		}
	}
	return false
}

// bounded holds a time that the words make a bound of against the side on which the
// query has it.
func (h *held) bounded(t reading.Time, moments []moment) {
	want := operators[t.Bounded]
	upper := want == cypher.Lt || want == cypher.Le
	var other *moment
	for i, m := range moments {
		year, _, _ := m.from.Civil()
		from, to := span(t, year)
		if m.from != from && m.from != to && m.to != from && m.to != to {
			continue
		}
		if m.op == cypher.Eq || m.op == cypher.Ne || (m.op == cypher.Lt || m.op == cypher.Le) == upper {
			return
		}
		other = &moments[i]
	}
	if other != nil && !h.said.Denied && !h.said.Ranged {
		h.find(Finding{Kind: Bound, Words: t.Words, Has: cypher.Print(other.of), Pos: int(other.of.Pos())})
	}
}

// within holds the only time of the question against the bounds that the query has:
// both, of just that.
func (h *held) within(t reading.Time, moments []moment, components []component) {
	if len(components) > 0 {
		day := slices.ContainsFunc(components, func(c component) bool { return c.part == "day" })
		if len(moments) == 0 && !day && t.Month > 0 && (t.Half > 0 || t.Day > 0) {
			h.find(Finding{Kind: Unasked, Words: t.Words, Has: cypher.Print(components[len(components)-1].of), Pos: int(components[0].of.Pos())})
		}
		return
	}
	if t.Day > 0 {
		return // on that day, or as of it
	}
	bounds := make(map[string]*interval)
	var lefts []string
	for _, m := range moments {
		b := bounds[m.left]
		if b == nil {
			b = &interval{}
			bounds[m.left] = b
			lefts = append(lefts, m.left)
		}
		b.add(m)
	}
	for _, left := range lefts {
		b := bounds[left]
		if b.from == nil || b.to == nil {
			continue
		}
		year, _, _ := b.from.Civil()
		if from, to := span(t, year); *b.from == from && *b.to == to {
			return
		}
	}
	for _, left := range lefts {
		if b := bounds[left]; b.from != nil || b.to != nil {
			h.find(Finding{Kind: Unasked, Words: t.Words, Has: strings.Join(b.said, " AND "), Pos: b.pos})
			return
		}
	}
}

// An interval is what comparisons leave of the calendar.
type interval struct {
	from, to *store.Date // to is the day behind it
	said     []string
	pos      int
}

func (b *interval) add(m moment) {
	switch m.op {
	case cypher.Eq:
		b.from, b.to = &m.from, &m.to
	case cypher.Ge:
		b.from = &m.from
	case cypher.Gt:
		b.from = &m.to
	case cypher.Lt:
		b.to = &m.from
	case cypher.Le:
		b.to = &m.to
	default:
		return
	}
	if said := cypher.Print(m.of); !slices.Contains(b.said, said) {
		b.said = append(b.said, said)
	}
	if b.pos == 0 {
		b.pos = int(m.of.Pos())
	}
}
