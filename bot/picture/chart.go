package picture

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"precedent/bot/words"
	"precedent/engine/tell"
	"precedent/store"
)

// Which rows are compared by bars.
const (
	minBars    = 3
	maxBars    = 25
	maxColumns = 5
	maxSlots   = 30 // places for upright bars, empty ones among them
	firstYear  = 1800
	lastYear   = 2100
	leastGap   = 0.2 // of the longest bar: how far the shortest must fall short of it to be seen
	nullShare  = 3   // one number in so many may be missing
)

// A chart compares one measure.
type chart struct {
	of, measure string // names of columns
	bars        []bar
	upright     bool // they are in the order of at
}

type bar struct {
	name  string
	value float64
	from  any // what value was; nil where it is missing
	at    int64
}

// chartOf tells what rows compare, if they do.
func chartOf(columns []string, rows [][]any) (*chart, bool) {
	if len(rows) < minBars || len(rows) > maxBars || len(columns) < 2 || len(columns) > maxColumns {
		return nil, false
	}
	for _, row := range rows {
		if len(row) < len(columns) {
			return nil, false
		}
	}
	measure, years := -1, -1
	for i := 1; i < len(columns); i++ {
		switch kind := kindOf(columns[i], rows, i); {
		case kind == numbers && measure >= 0:
			return nil, false
		case kind == numbers:
			measure = i
		case kind == yearly && years < 0:
			years = i
		case kind == graphical:
			return nil, false
		}
	}
	if measure < 0 {
		return nil, false
	}
	c := &chart{of: columns[0], measure: columns[measure]}
	if !c.read(rows, measure) || !c.name(rows, years, kindOf(columns[0], rows, 0)) {
		return nil, false
	}
	return c, true
}

type kind int

const (
	other     kind = iota
	numbers        // may be measures
	yearly         // whole numbers that are years
	ids            // numbers, or text, that only identify
	graphical      // nodes, relationships, paths
)

var idName = regexp.MustCompile(`(?:^|[a-z._])(?:Id|ID|_id|\.id)$|^(?i:id)$|^(?i:(?:element)?id)\(|编号$`)

func kindOf(column string, rows [][]any, i int) kind {
	found, years, all := false, true, true
	for _, row := range rows {
		switch v := row[i].(type) {
		case nil:
		case store.Node, store.Relationship, store.Path:
			return graphical
		case int, int64, float64:
			f, _ := number(v)
			found = true
			years = years && f == math.Trunc(f) && f >= firstYear && f <= lastYear
		default:
			all = false
		}
	}
	switch {
	case idName.MatchString(column):
		return ids
	case !found || !all:
		return other
	case years:
		return yearly
	}
	return numbers
}

// number is v as a number that can be drawn.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// read takes the numbers and tells whether they are worth comparing.
func (c *chart) read(rows [][]any, measure int) bool {
	missing, low, high := 0, math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		f, ok := number(row[measure])
		if !ok {
			missing++
			c.bars = append(c.bars, bar{})
			continue
		}
		low, high = min(low, f), max(high, f)
		c.bars = append(c.bars, bar{value: f, from: row[measure]})
	}
	return high-low >= leastGap*max(math.Abs(low), math.Abs(high)) && high > low && len(rows)-missing >= minBars && missing*nullShare <= len(rows)
}

// name takes the names of the bars and tells whether there are good ones.
// years is the column that may tell equal names apart, or -1.
func (c *chart) name(rows [][]any, years int, first kind) bool {
	if first == ids {
		return false
	}
	places := 0
	for i, row := range rows {
		text, at, placed := nameOf(row[0])
		if text == "" {
			return false
		}
		if placed {
			places++
		}
		c.bars[i].name, c.bars[i].at = text, at
	}
	if !c.distinct() {
		if years < 0 {
			return false
		}
		for i, row := range rows {
			if y, ok := number(row[years]); ok {
				c.bars[i].name += fmt.Sprintf(" (%d)", int64(y))
			}
		}
		if places > 0 || !c.distinct() {
			return false
		}
	}
	c.upright = places == len(rows) && c.sorted()
	return first != numbers || c.upright
}

func (c *chart) distinct() bool {
	seen := map[string]bool{}
	for _, b := range c.bars {
		if seen[b.name] {
			return false
		}
		seen[b.name] = true
	}
	return true
}

// sorted tells whether bars go up or down without a break, and puts them so
// that they go up.
func (c *chart) sorted() bool {
	up, down := true, true
	for i := 1; i < len(c.bars); i++ {
		up = up && c.bars[i].at > c.bars[i-1].at
		down = down && c.bars[i].at < c.bars[i-1].at
	}
	if down {
		slices.Reverse(c.bars)
	}
	return up || down
}

var yearName = regexp.MustCompile(`^(\d{4})(?:s|年代?)?$`)

// nameOf is how a bar is named: "" for what names none. placed tells whether
// at is its place among whole numbers.
func nameOf(v any) (text string, at int64, placed bool) {
	switch v := v.(type) {
	case nil:
		return nothing, 0, false
	case string:
		text = clean(v)
		if m := yearName.FindStringSubmatch(text); m != nil {
			at, _ = strconv.ParseInt(m[1], 10, 64)
			return text, at, true
		}
		return text, 0, false
	case bool:
		return strconv.FormatBool(v), 0, false
	case int:
		return strconv.Itoa(v), int64(v), true
	case int64:
		return strconv.FormatInt(v, 10), v, true
	case store.Node:
		return title(v), 0, false
	case store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime:
		return clean(fmt.Sprint(v)), 0, false
	}
	return "", 0, false
}

// title is what a node is called, "" for one without a name.
func title(n store.Node) string {
	for _, key := range []string{"name", "title"} {
		if s, ok := n.Properties[key].(string); ok {
			if s = clean(s); s != "" {
				return s
			}
		}
	}
	return ""
}

func (c *chart) texts() []string {
	list := make([]string, len(c.bars))
	for i, b := range c.bars {
		list[i] = b.name
	}
	return list
}

func (c *chart) alt(w words.Pictures, title string) string {
	items := make([]string, len(c.bars))
	for i, b := range c.bars {
		items[i] = fmt.Sprintf(w.Item, b.name, inFull(b.from))
	}
	return told(headed(title, fmt.Sprintf(w.Bars, len(c.bars), c.measure, c.of)), items, w)
}

// Digits that are shown.
const (
	decimals    = 2    // behind the point
	significant = 3    // of numbers under one
	plainTo     = 1e15 // larger ones have an exponent
	plainFrom   = 1e-4 // and so have smaller ones
)

// inFull is a number as people read it: 2,923,706,026 and 8.25. More than four
// digits are grouped, which leaves years alone.
func inFull(v any) string {
	switch v := v.(type) {
	case int:
		return tell.Group(strconv.Itoa(v))
	case int64:
		return tell.Group(strconv.FormatInt(v, 10))
	case float64:
		switch a := math.Abs(v); {
		case a == 0:
			return "0"
		case a >= plainTo || a < plainFrom:
			return strconv.FormatFloat(v, 'g', significant, 64)
		case a < 1:
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', significant, 64), 64)
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return tell.Group(rounded(v))
	}
	return nothing
}

// rounded has at most two decimals.
func rounded(f float64) string {
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// inShort is a number in units: 2.92B, 29.24亿.
func inShort(v any, units []words.Unit) string {
	f, ok := number(v)
	if !ok {
		return nothing
	}
	for _, u := range units {
		if a := math.Abs(f); a >= u.Of && a < plainTo*10 {
			return rounded(f/u.Of) + u.Word
		}
	}
	return inFull(f)
}
