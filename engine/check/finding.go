package check

import (
	"fmt"
	"strings"

	"precedent/store/text"
)

// A Kind is what may be wrong with a query that runs.
type Kind string

// Kinds of findings, each with the fields that a sentence for people needs.
const (
	Unheld     Kind = "value"      // Of, Has: no node has this; Values, All
	Mistyped   Kind = "type"       // Of, Has, Want: the type of Of
	Multiplied Kind = "multiplied" // Has: the aggregate; By: the pattern that multiplies its rows
	Repeated   Kind = "repeated"   // Has: the count; By: as above
	Twin       Kind = "twin"       // Of: a property; Has: one of the same name that may be meant
	Ungrouped  Kind = "ungrouped"  // Has: a value of all rows
	Product    Kind = "product"    // Has, By: patterns that nothing joins
	Reversed   Kind = "reversed"   // Words: a value; Has: the pattern that has it at the other end
	Turned     Kind = "order"      // Words, Has: the key as it is sorted
	Unlimited  Kind = "limit"      // Words, Want: the number asked for; Has: the one in the query, or ""
	Bound      Kind = "comparator" // Words, Has: the comparison
	Unlike     Kind = "form"       // Words; Has: what the query has in their place, or ""; By: why it is something else
	Unasked    Kind = "time"       // Words; Has: what the query has in its place, or ""
	Emptied    Kind = "empty"      // Has: the condition that nothing meets; By: the range of what there is
	Apart      Kind = "apart"      // Has: conditions that no row meets together
	Tied       Kind = "tied"       // Values: what shares the first place, as far as read
)

// A Finding is something of a query that may be wrong without being impossible.
type Finding struct {
	Kind   Kind
	Of     string // a property, as Label.key
	Has    string // what the query has, printed
	By     string // printed
	Words  string // of the question
	Want   string
	Values []any // of the graph, that exist, the most alike first; at most maxShown
	All    bool  // Values are all that there are
	Pos    int   // offset in the text that was given, or -1
}

// maxShown is how many values a finding shows.
const maxShown = 30

// Back is the finding as a reason for whoever wrote the query. Values of the graph
// are in it only with samples.
func (f Finding) Back(samples bool) string {
	shown := ""
	if samples && len(f.Values) > 0 {
		said := make([]string, 0, len(f.Values))
		for _, v := range f.Values {
			said = append(said, literal(v))
		}
		shown = strings.Join(said, ", ")
	}
	switch f.Kind {
	case Unheld:
		back := fmt.Sprintf("no node has %s = %s", f.Of, f.Has)
		switch {
		case shown != "" && f.All:
			back += "; it has only " + shown
		case shown != "":
			back += "; the nearest values are " + shown
		}
		return back
	case Mistyped:
		back := fmt.Sprintf("%s is %s, and %s never compares with that", f.Of, f.Want, f.Has)
		if shown != "" {
			back += "; it holds values like " + shown
		}
		return back
	case Multiplied:
		return fmt.Sprintf("%s is taken over rows that %s multiplies, so that the same thing is added several times; aggregate before that pattern, in a WITH, or use EXISTS for it", f.Has, f.By)
	case Repeated:
		return fmt.Sprintf("%s counts the same thing once for each row of %s; write DISTINCT, or EXISTS for that pattern", f.Has, f.By)
	case Twin:
		return fmt.Sprintf("the query takes %s; %s may be what is asked for", f.Of, f.Has)
	case Ungrouped:
		return fmt.Sprintf("%s is one value of all rows, and the question asks for one of each group; aggregate beside the key", f.Has)
	case Product:
		return fmt.Sprintf("%s and %s share no variable and no condition, so each row of one is paired with each of the other; join them", f.Has, f.By)
	case Reversed:
		return fmt.Sprintf("%s has %s at the end where the words of the question don't put it; turn the arrow round", f.Has, text.Quote(f.Words))
	case Turned:
		return fmt.Sprintf("the question says %s, and the query sorts %s: that puts the others first", text.Quote(f.Words), f.Has)
	case Unlimited:
		if f.Has == "" {
			return fmt.Sprintf("the question says %s, and the query has no LIMIT %s", text.Quote(f.Words), f.Want)
		}
		return fmt.Sprintf("the question says %s, and the query has LIMIT %s, not %s", text.Quote(f.Words), f.Has, f.Want)
	case Bound:
		return fmt.Sprintf("the question says %s, and the query says %s", text.Quote(f.Words), f.Has)
	case Unlike:
		return fmt.Sprintf("the question says %s; %s", text.Quote(f.Words), f.By)
	case Unasked:
		if f.Has == "" {
			return fmt.Sprintf("the question says %s, and no condition of the query is about that time", text.Quote(f.Words))
		}
		return fmt.Sprintf("the question says %s, and the query says %s, which is another time", text.Quote(f.Words), f.Has)
	case Emptied:
		back := fmt.Sprintf("the query finds nothing: nothing at all meets %s", f.Has)
		if f.By != "" && samples {
			back += "; its values go " + f.By
		}
		return back
	case Apart:
		return fmt.Sprintf("the query finds nothing: nothing meets %s together", f.Has)
	case Tied:
		return fmt.Sprintf("LIMIT 1 leaves out what is equal to the first: %s", shown)
	}
	return string(f.Kind)
}
