package reading

import (
	"slices"
	"strings"

	"precedent/store"
)

// Extend lays a follow-up over the previous frame: further conditions ("only
// those after 2000"), another kind of answer ("how many?"), another order ("the
// longest one?"), another property ("评分呢"). A condition takes the place of the
// only one on the same property, unless the follow-up picks from what was
// answered. ok is false where it says more than that, or where it is one value
// that could as well stand for another.
func (r *Reader) Extend(question string, before Reading) (Reading, bool) {
	f := r.fragment(question)
	if before.Frame == nil || !f.narrows && f.has(Noun) {
		return Reading{}, false
	}
	if slots, _, ok := r.only(f); ok && !f.narrows && !f.has(By, With, Participle, Verb) {
		if fit := fitting(before.Slots, slots); len(fit) > 1 || len(fit) == 1 && fit[0].End > 0 {
			return Reading{}, false // Swap's to decide
		}
	}
	over := r.Read(f.text).Frame
	if over == nil || over.Group != "" || len(over.Target) != 1 || len(before.Frame.Target) != 1 || before.Frame.Group != "" {
		return Reading{}, false
	}
	g := *before.Frame
	g.Conds = slices.Clone(g.Conds)
	switch {
	case f.isPlain(over) && g.Ask == "list" && over.Ask == "list" && isProperty(g.Target[0]) && isProperty(over.Target[0]) && label(g.Target) == label(over.Target):
		g.Target = over.Target
	case over.Ask == "count" && len(over.Conds) == 0 && !f.has(Prop) && g.Order == "" && !isProperty(g.Target[0]):
		if g.Ask != "list" && g.Ask != "exists" || f.has(Measure) && label(g.Target) != over.Target[0] { // how many of whatever was listed
			return Reading{}, false
		}
		g.Ask = "count"
	case isProperty(g.Target[0]) || label(g.Target) != over.Target[0] || !r.merge(&g, over, f):
		return Reading{}, false
	}
	g.canonical()
	out := before
	out.Frame, out.Slots = &g, g.Slots()
	out.Language = f.language
	return out, true
}

// isPlain reports whether a follow-up's own frame has nothing but its target.
func (f fragment) isPlain(over *Frame) bool {
	return len(over.Conds) == 0 && over.Order == "" && over.Limit == NoLimit
}

// merge lays over on g: frames that ask for the same label.
func (r *Reader) merge(g, over *Frame, f fragment) bool {
	word, _, _ := strings.Cut(g.Ask, " ")
	switch {
	case over.Ask != "list" && over.Ask != "count":
		return false
	case word == "average" || word == "sum":
		if over.Ask != "list" || over.Order != "" || f.has(AskList, Plural) {
			return false
		}
	case word != "list" && word != "count" && word != "exists":
		return false
	}
	for _, c := range over.Conds {
		if !r.lay(g, c, f) {
			return false
		}
	}
	if over.Ask == "count" {
		g.Ask = "count"
	} else if over.Order != "" || f.has(AskList, Plural) {
		g.Ask = "list"
	}
	if over.Order != "" {
		byDefault := f.has(Top) && !slices.ContainsFunc(f.segs, func(s segment) bool {
			return s.has(Prop) || s.has(PropMost) || s.has(PropLeast) || s.has(Least) || s.has(Most) && !s.has(Top)
		})
		if g.Order == "" || !byDefault {
			g.Order, g.Desc = over.Order, over.Desc
		}
		g.Limit, g.N = over.Limit, over.N
		if g.N != nil && g.N.Value == int64(1) {
			g.Limit, g.N = LimitOne, nil // the longest one
		}
	}
	return g.Ask != "count" || g.Order == ""
}

// lay adds c to the conditions of g. Where others say something of the same
// property, it takes the place of the only one; picking from what was answered,
// it can but close a range. Of the same relationship there may be two only where
// it picks. It reports false where what is meant is open.
func (r *Reader) lay(g *Frame, c Cond, f fragment) bool {
	own, other := r.propsOf(c), f.otherProps(c)
	var same []int
	for i, old := range g.Conds {
		if old.Label != c.Label {
			continue
		}
		if len(c.Rel) > 0 && slices.Equal(old.Rel, c.Rel) && !f.narrows {
			return false
		}
		overlaps := func(props []string) bool {
			return slices.ContainsFunc(r.propsOf(old), func(p string) bool { return slices.Contains(props, p) })
		}
		if overlaps(own) {
			same = append(same, i)
		} else if overlaps(other) {
			return false // in French: another language, or also made in France
		}
	}
	if len(same) == 0 {
		g.Conds = append(g.Conds, c)
		return true
	}
	old := g.Conds[same[0]]
	switch {
	case len(same) > 1 || len(old.Slots) > 1 || len(c.Slots) > 1 || old.Neg != c.Neg:
		return false
	case f.narrows && !opposed(old, c):
		return false
	case f.narrows:
		g.Conds = append(g.Conds, c)
	case opposed(old, c) && overlap(old, c):
		return false // before 2000, then after 1990: both, or the other
	default:
		g.Conds[same[0]] = c
	}
	return true
}

// opposed reports whether one condition is a lower bound and the other an upper.
func opposed(a, b Cond) bool {
	return strings.HasPrefix(a.Op, "<") && strings.HasPrefix(b.Op, ">") || strings.HasPrefix(a.Op, ">") && strings.HasPrefix(b.Op, "<")
}

// overlap reports whether a value can be within both of two opposite bounds.
func overlap(a, b Cond) bool {
	if strings.HasPrefix(a.Op, "<") {
		a, b = b, a
	}
	low, isLow := bound(a)
	high, isHigh := bound(b)
	return !isLow || !isHigh || low <= high
}

func bound(c Cond) (float64, bool) {
	if len(c.Slots) != 1 {
		return 0, false
	}
	return store.Float(c.Slots[0].Value)
}

// otherProps are the properties that the words of a condition could mean as well.
func (f fragment) otherProps(c Cond) []string {
	var props []string
	for _, s := range f.segs {
		if s.mention == nil || !slices.ContainsFunc(c.Slots, func(slot Slot) bool { return slot.Mention == s.mention.Candidates[0].Mention }) {
			continue
		}
		for _, cand := range s.mention.Candidates {
			props = append(props, cand.Label+"."+cand.Property)
		}
	}
	return props
}

// propsOf are the properties that a condition compares.
func (r *Reader) propsOf(c Cond) []string {
	if c.Prop != "" {
		return []string{c.Prop}
	}
	return r.glossary.Conditions[c.What].Properties
}

func isProperty(target string) bool { return strings.Contains(target, ".") }

// label is the label of a frame's only target.
func label(target []string) string {
	if len(target) != 1 {
		return ""
	}
	name, _, _ := strings.Cut(target[0], " via ")
	l, _ := split(name)
	return l
}
