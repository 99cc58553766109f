package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"precedent/store"
)

// A Frame is what a question asks, whatever words and language it is asked in.
type Frame struct {
	Ask    string   // list, count, exists, average P, sum P, path, recommend, compare K
	Target []string // what is asked for: labels or Label.property
	Conds  []Cond   // unordered; canonical sorts them
	Group  string   // "per" what, or ""
	Order  string   // "Movie.year", "count Movie", …, or ""
	Desc   bool
	Limit  Limit
	N      *Slot // the limit's slot where Limit is LimitSlot
}

// Limit says how many of an ordered list are wanted.
type Limit string

// Limits of a frame.
const (
	NoLimit   Limit = ""
	LimitOne  Limit = "one"  // the best, and those that tie with it
	LimitSome Limit = "some" // several, the number left to us
	LimitSlot Limit = "slot" // as many as the question says
)

// A Cond is one condition of a frame.
type Cond struct {
	Label string // whose condition it is
	What  string // "DIRECTED by", "year", "is title", "count ACTED_IN", …
	Op    string // >, >=, …, "" where What says it all
	Neg   bool
	Any   bool // one of the slots, not all
	Slots []Slot
	// What the condition asks of a query, for proving it.
	Rel  []string // relationship types
	Prop string   // Label.property
	Than string   // Label.property it is compared with
}

// A Slot is a typed place of a frame with what fills it.
type Slot struct {
	Name     string // in a wording, the slot's name in the case
	Type     string // as store.Slot.Type
	Label    string
	Property string
	Value    any
	Mention  string
	Link     *store.Link // where the value is of the graph
	Labels   []string    // that hold the value
	Start    int         // bytes of the question that fill it
	End      int
}

func (s Slot) String() string {
	if s.Property != "" && s.Type != "count" && s.Label != "" {
		return "⟨" + s.Label + "." + s.Property + "⟩"
	}
	return "⟨" + s.Type + "⟩"
}

func (c Cond) key() string {
	var b strings.Builder
	if c.Neg {
		b.WriteString("not ")
	}
	b.WriteString(c.Label)
	b.WriteByte(' ')
	b.WriteString(c.What)
	if c.Op != "" {
		b.WriteString(" " + c.Op)
	}
	if c.Than != "" {
		b.WriteString(" " + c.Than + " of")
	}
	for i, s := range c.Slots {
		switch {
		case i > 0 && c.Any:
			b.WriteString(" or")
		case i > 0:
			b.WriteString(" to")
		}
		b.WriteString(" " + s.String())
	}
	return b.String()
}

// canonical sorts what has no order and says a denied comparison the other way round.
func (f *Frame) canonical() {
	for i := range f.Conds { // not longer than: at most
		c := &f.Conds[i]
		if op := opposite[c.Op]; c.Neg && len(c.Slots) == 1 && c.Than == "" && (op == "<" || op == ">" || op == "<=" || op == ">=") {
			c.Neg, c.Op = false, op
		}
	}
	slices.SortStableFunc(f.Conds, func(a, b Cond) int { return cmp.Compare(a.key(), b.key()) })
	slices.Sort(f.Target)
}

// Key is the frame as a line; two questions with the same key ask the same,
// but for the values in their slots.
func (f *Frame) Key() string {
	var b strings.Builder
	b.WriteString(f.Ask)
	if f.Limit != NoLimit {
		fmt.Fprintf(&b, " top %s", f.Limit)
	}
	b.WriteString(" " + strings.Join(f.Target, ", "))
	if f.Group != "" {
		b.WriteString(" per " + f.Group)
	}
	if f.Order != "" {
		b.WriteString(" by " + f.Order)
		if f.Desc {
			b.WriteString(" desc")
		} else {
			b.WriteString(" asc")
		}
	}
	for _, c := range f.Conds {
		b.WriteString(" | " + c.key())
	}
	return b.String()
}

// Slots returns the frame's slots in canonical order: those of the conditions,
// then the limit.
func (f *Frame) Slots() []Slot {
	var ss []Slot
	for _, c := range f.Conds {
		ss = append(ss, c.Slots...)
	}
	if f.N != nil {
		ss = append(ss, *f.N)
	}
	return ss
}
