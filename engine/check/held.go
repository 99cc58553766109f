package check

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// A Lookup is a text that a query looks for where not all values are known: whether
// some node has it, only the graph can say.
type Lookup struct {
	Labels   []string // any of them
	Property string
	Value    string
	In       bool // the property holds lists
	Pos      int  // offset in the text that was given
}

// mostLookups is how many texts of one query are looked up.
const mostLookups = 8

// judgeText holds a text against the values of the property, and corrects one that
// can only stand for another.
func (v *survey) judgeText(u use, known ownership, text string) {
	if u.is == begins || u.is == matches {
		v.judgePart(u, known, text)
		return
	}
	is := v.heldText(u, known, text)
	if is == text {
		return
	}
	v.apply(u, fix{value: is}, isString)
}

// cased are the functions after which a text is in one case.
var cased = map[string]func(string) string{"tolower": strings.ToLower, "lower": strings.ToLower, "toupper": strings.ToUpper, "upper": strings.ToUpper}

// heldText is text, or the value that it can only stand for. What no node has is
// noted as a finding; what isn't known, to be looked up.
func (v *survey) heldText(u use, known ownership, text string) string {
	if u.is == orders || u.entity.rel && !known.all {
		return text
	}
	form := cased[u.made]
	if form != nil && form(text) != text {
		text = form(text)
	} else if u.made != "" && form == nil && u.made != "trim" && u.made != "btrim" {
		return text
	}
	var near []any
	every := true
	for _, name := range known.names {
		h := v.holding(name, u, known, text)
		switch {
		case !h.Known:
			v.lookUp(u, known, text)
			return text
		case h.Held, form != nil && slices.ContainsFunc(append([]any{h.Is}, h.Nearest...), func(x any) bool { s, ok := x.(string); return ok && form(s) == text }):
			return text
		case h.Is != "" && form != nil:
			return form(h.Is)
		case h.Is != "":
			return h.Is
		}
		every = every && h.All
		for _, n := range h.Nearest {
			if !slices.Contains(near, n) {
				near = append(near, n)
			}
		}
	}
	if len(near) == 0 {
		return text // a name that may well be asked for, of which there is none
	}
	if len(near) > maxShown {
		near, every = near[:maxShown], false
	}
	v.find(Finding{
		Kind: Unheld, Of: strings.Join(known.names, " or ") + "." + u.key, Has: literal(text), Values: near, All: every, Pos: int(u.with.Pos()),
	})
	return text
}

// holding is what is known of text as a value of u's property.
func (v *survey) holding(name string, u use, known ownership, text string) Holding {
	if v.values != nil && !u.entity.rel {
		return v.values(name, u.key, text)
	}
	if !known.all {
		return Holding{}
	}
	return HoldingOf(text, known.samples, known.kindsOf)
}

// judgePart holds a part of a text against a property of which all values are known.
func (v *survey) judgePart(u use, known ownership, text string) {
	b, ok := u.of.(*cypher.Binary)
	if !ok || !known.all || u.is == matches || known.kinds[0] != isString {
		return
	}
	has := map[cypher.BinaryOp]func(s, part string) bool{cypher.StartsWith: strings.HasPrefix, cypher.EndsWith: strings.HasSuffix, cypher.Contains: strings.Contains}[b.Op]
	form := cased[u.made]
	if form == nil {
		if u.made != "" {
			return
		}
		form = func(s string) string { return s }
	}
	for _, x := range known.samples {
		if s, ok := x.(string); ok && has(form(s), text) {
			return
		}
	}
	v.find(Finding{
		Kind: Unheld, Of: v.nameOf(u.origin), Has: fmt.Sprintf("… %s", literal(text)), Values: known.samples[:min(len(known.samples), maxShown)], All: len(known.samples) <= maxShown, Pos: int(u.with.Pos()),
	})
}

func (v *survey) lookUp(u use, known ownership, text string) {
	if u.made != "" || len(v.lookups) == mostLookups || u.is == orders || u.entity.rel {
		return
	}
	l := Lookup{Labels: known.names, Property: u.key, Value: text, In: u.is == member, Pos: int(u.with.Pos())}
	if !slices.ContainsFunc(v.lookups, func(o Lookup) bool {
		return o.Property == l.Property && o.Value == l.Value && slices.Equal(o.Labels, l.Labels)
	}) {
		v.lookups = append(v.lookups, l)
	}
}

// Unheld is the finding of a lookup that found nothing, with what it found near.
func (l Lookup) Unheld(near []any) Finding {
	return Finding{Kind: Unheld, Of: strings.Join(l.Labels, " or ") + "." + l.Property, Has: literal(l.Value), Values: near[:min(len(near), maxShown)], Pos: l.Pos}
}

// literal is value as a query would write it.
func literal(value any) string {
	switch x := value.(type) {
	case string, bool, int64, float64:
		return cypher.Print(&cypher.Literal{Value: value})
	case []any:
		said := make([]string, 0, len(x))
		for _, item := range x {
			said = append(said, literal(item))
		}
		return "[" + strings.Join(said, ", ") + "]"
	case store.Date:
		return x.String()
	}
	return fmt.Sprint(value)
}
