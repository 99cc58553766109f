package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/text"
)

// A Linkable says whether people may name the values of a property in questions,
// and why.
type Linkable struct {
	Owner    string // label or relationship type
	Property string
	As       LinkKind // "" for a property that isn't linkable
	Why      string   // for operators
	Values   int      // those that questions may name; of lists their items
}

// Name is Owner.property.
func (l Linkable) Name() string { return l.Owner + "." + l.Property }

// LinkKind is why a property is linkable.
type LinkKind string

// Kinds of linkable properties, from the one whose values are read first.
const (
	Category   LinkKind = "category"   // few values, which many share; all are known
	Configured LinkKind = "configured" // by linkable in a glossary or the configuration
	Named      LinkKind = "name"       // short texts, mostly letters
	Identifier LinkKind = "identifier" // a text of its own for nearly each
)

var linkKinds = []LinkKind{Category, Configured, Named, Identifier}

// A Linking is what a configuration says of linkable properties, as Owner.property.
type Linking struct {
	Add    []string // linkable, whatever their values look like; prompts may show these
	Remove []string // not linkable
}

// Bounds of what is linkable by itself.
const (
	shareTells  = .2     // from this share of e-mail addresses, phone numbers or keys on, a property holds such
	shareProse  = 1. / 3 // of long texts
	shareNames  = .5     // of names
	shareOwn    = .95    // distinct values to each that has one: nearly unique
	timesShared = 2      // so often each value of a category stands on average at least
	maxCategory = store.MaxListed
	maxValues   = 200_000   // distinct values of a property; one of more is left to the database's full-text index
	maxAll      = 1_000_000 // distinct values of all properties together
)

// linkables judges every property of s, in its order: labels, then types.
func linkables(s *store.Schema, g *reading.Glossary, by Linking) []Linkable {
	added := append(slices.Clip(slices.Clone(g.Linkable)), by.Add...)
	var out []Linkable
	add := func(owner string, ps []store.Property, ofType bool) {
		for _, p := range ps {
			l := Linkable{Owner: owner, Property: p.Name}
			switch name := l.Name(); {
			case slices.Contains(by.Remove, name):
				l.Why = "taken away by the configuration"
			case slices.Contains(added, name):
				l.As, l.Why = Configured, "written under linkable"
			default:
				l.As, l.Why = kindOf(p)
			}
			if ofType && l.As != Category && l.As != Configured && l.As != "" {
				l.As, l.Why = "", "relationships are named by what they join"
			}
			out = append(out, l)
		}
	}
	for _, l := range s.Labels {
		add(l.Name, l.Properties, false)
	}
	for _, t := range s.Types {
		add(t.Name, t.Properties, true)
	}
	return out
}

// kindOf judges a property by its values: as what it is linkable, or why it isn't.
func kindOf(p store.Property) (LinkKind, string) {
	texts := p
	what := ""
	if p.Items != nil {
		texts, what = *p.Items, " in lists"
	}
	if texts.Type != "STRING" {
		return "", "type " + p.Type
	}
	looks := texts.Looks
	for _, look := range []text.Look{text.EmailLook, text.PhoneLook, text.KeyLook, text.AddressLook} {
		if looks.Share(look) >= shareTells {
			return "", look.String()
		}
	}
	for _, look := range []text.Look{text.ProseLook, text.MomentLook} {
		if looks.Share(look) >= shareProse {
			return "", look.String()
		}
	}
	own := float64(texts.Distinct) >= shareOwn*float64(texts.Present) || texts.Distinct >= texts.Present-1
	switch {
	case looks.Seen() == 0 && !p.Unique:
		return "", "its values weren't read"
	case texts.Distinct > maxValues:
		return "", fmt.Sprintf("%d values, more than %d", texts.Distinct, maxValues)
	case isCategory(texts):
		return Category, fmt.Sprintf("%d values%s that repeat", texts.Distinct, what)
	case looks.Share(text.NameLook) >= shareNames:
		return Named, "short texts of letters" + what
	case p.Unique || texts.Distinct > 0 && own:
		return Identifier, "a value of its own for nearly each" + what
	}
	return "", "codes that repeat" + what
}

// isCategory reports whether the values of a property are few, repeat, and are all in
// the schema.
func isCategory(p store.Property) bool {
	return p.Type == "STRING" && p.Lists() && p.Distinct <= maxCategory && p.Distinct*timesShared <= p.Present
}

// bounded takes from the linkable properties those whose values are too many
// together, from the last kind on.
func bounded(all []Linkable, s *store.Schema) {
	distinct := make(map[string]int64)
	each(s, func(owner string, p store.Property) {
		n := p.Distinct
		if p.Items != nil {
			n = p.Items.Distinct
		}
		distinct[owner+"."+p.Name] = max(n, 0)
	})
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(slices.Index(linkKinds, all[a].As), slices.Index(linkKinds, all[b].As))
	})
	total := int64(0)
	for _, i := range order {
		l := &all[i]
		if l.As == "" {
			continue
		}
		if n := distinct[l.Name()]; total+n > maxAll {
			l.As, l.Why = "", fmt.Sprintf("with it more than %d values would be linked", maxAll)
		} else {
			total += n
		}
	}
}

// each calls do with each property of s.
func each(s *store.Schema, do func(owner string, p store.Property)) {
	for _, l := range s.Labels {
		for _, p := range l.Properties {
			do(l.Name, p)
		}
	}
	for _, t := range s.Types {
		for _, p := range t.Properties {
			do(t.Name, p)
		}
	}
}

// Linkables says of each property whether questions may name its values.
func (e *Engine) Linkables() []Linkable { return slices.Clone(e.snapshot().linkables) }

// tellsNothing reports whether a value may stand in a prompt: it isn't like what may
// be somebody's own, unless the operator allowed the property.
func (s *snapshot) tellsNothing(property string, value any) bool {
	said, ok := value.(string)
	return !ok || s.allowed[property] || !text.LookOf(strings.TrimSpace(said)).Tells()
}

// stopped says what kept a schema from being read in full, for operators.
func stopped(s *store.Schema) string {
	by := make(map[string][]string)
	for _, stop := range s.Stops {
		limit := fmt.Sprintf("only %d members are read", stop.At)
		if stop.Limit == store.StopTime {
			limit = fmt.Sprintf("its time, %v, ran out", time.Duration(stop.At)*time.Millisecond)
		}
		part := stop.Part
		if part == "" {
			part = "the whole"
		}
		by[limit] = append(by[limit], part)
	}
	var said []string
	for _, limit := range slices.Sorted(maps.Keys(by)) {
		parts := by[limit]
		more := ""
		if len(parts) > shownNames {
			parts, more = parts[:shownNames], ", …"
		}
		said = append(said, fmt.Sprintf("of %s%s %s", strings.Join(parts, ", "), more, limit))
	}
	if len(said) == 0 {
		return "the graph is large"
	}
	return strings.Join(said, "; ")
}

// Stopped says what kept the schema from being read in full; "" for nothing.
func (e *Engine) Stopped() string {
	if s := e.snapshot().schema; s.Sampled {
		return stopped(s)
	}
	return ""
}
