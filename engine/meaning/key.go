package meaning

import (
	"fmt"
	"slices"
	"strings"
)

// Key is the canonical print of m, in which the order of conditions that all hold
// doesn't matter and values are typed slots.
func (m *Meaning) Key() string { return keying{}.meaning(m) }

// Exact is Key with the values themselves: what two questions with equal ones ask is
// the same to the last number.
func (m *Meaning) Exact() string { return keying{exact: true}.meaning(m) }

// Exact is the canonical print of s with its values.
func (s *Set) Exact() string { return keying{exact: true}.set(s) }

// ExactCondition is the canonical print of c with its values.
func ExactCondition(c Condition) string { return keying{exact: true}.condition(c) }

// ExactMeasure is the canonical print of m with its values.
func ExactMeasure(m Measure) string { return keying{exact: true}.measure(m) }

// Exact is the canonical print of r with its values.
func (r Role) Exact() string { return keying{exact: true}.role(r) }

// Exact is the canonical print of b with its value.
func (b Bound) Exact() string { return keying{exact: true}.bound(b) }

// keying prints keys.
type keying struct{ exact bool }

func (k keying) meaning(m *Meaning) string {
	var b strings.Builder
	b.WriteString(string(m.Do))
	if m.Fn != "" {
		b.WriteString(" " + string(m.Fn))
	}
	if m.Measure != nil {
		b.WriteString(" " + k.measure(m.Measure))
	}
	if m.Each != nil {
		b.WriteString(" each " + k.each(m.Each))
	}
	for _, c := range m.Columns {
		b.WriteString(" show " + k.measure(c))
	}
	b.WriteString(" of " + k.set(m.Of))
	if m.With != nil {
		b.WriteString(" with " + k.set(m.With))
	}
	return b.String()
}

func (k keying) each(e *Each) string {
	var b strings.Builder
	if e.Set != nil {
		b.WriteString(k.role(e.Role) + " " + k.set(e.Set))
	} else {
		b.WriteString("." + e.Property)
	}
	if e.Having != nil {
		b.WriteString(" having " + k.bound(*e.Having))
	}
	if e.Order != Unsorted {
		fmt.Fprintf(&b, " order %s", e.Order)
	}
	if e.Take > 0 {
		b.WriteString(" take " + k.limit(e.Take))
	}
	return b.String()
}

func (k keying) limit(n int) string {
	if k.exact {
		return fmt.Sprint(n)
	}
	return "⟨limit⟩"
}

func (k keying) set(s *Set) string {
	var b strings.Builder
	b.WriteString("(" + s.Label)
	for _, c := range k.sorted(s.Where) {
		b.WriteString(" [" + c + "]")
	}
	if s.By != nil {
		fmt.Fprintf(&b, " by %s %s", k.measure(s.By), s.Sort)
	}
	switch {
	case s.Ties:
		fmt.Fprintf(&b, " rank %d", max(s.Nth, 1))
	case s.Take > 0:
		b.WriteString(" take " + k.limit(s.Take))
	}
	b.WriteString(")")
	return b.String()
}

// sorted are the keys of conditions in an order of their own.
func (k keying) sorted(conds []Condition) []string {
	var out []string
	for _, c := range conds {
		out = append(out, k.condition(c))
	}
	slices.Sort(out)
	return out
}

func (k keying) condition(c Condition) string {
	switch c := c.(type) {
	case Property:
		return k.bound(c.Bound)
	case Than:
		return fmt.Sprintf(".%s %s %d.%s", c.Property, c.Op, c.Node, c.Other)
	case Known:
		return "known ." + c.Property
	case Missing:
		return "missing ." + c.Property
	case Related:
		n := ""
		if c.How == Number {
			n = k.bound(c.N) + " "
		}
		return fmt.Sprintf("%s %s%s %s", c.How, n, k.role(c.Role), k.set(c.Set))
	case Same:
		return fmt.Sprintf("same %d", c.Node)
	case Not:
		return "not [" + k.condition(c.Cond) + "]"
	case Either:
		return "either [" + strings.Join(k.sorted(c.Conds), "] [") + "]"
	case Both:
		return "both [" + strings.Join(k.sorted(c.Conds), "] [") + "]"
	}
	return "?"
}

func (k keying) bound(b Bound) string {
	name := ""
	if b.Property != "" {
		name = "." + b.Property + " "
	}
	return fmt.Sprintf("%s%s %s", name, b.Op, k.value(b.Value))
}

func (k keying) value(v Value) string {
	switch {
	case !k.exact:
		return "⟨" + string(v.Kind) + "⟩"
	case v.Next != nil:
		return fmt.Sprintf("⟨%v to %v⟩", v.Is, v.Next)
	case v.Kind == Text:
		return fmt.Sprintf("%q", v.Is)
	}
	return fmt.Sprintf("⟨%v⟩", v.Is)
}

func (k keying) role(r Role) string {
	var b strings.Builder
	for _, s := range r.Steps {
		if s.Back {
			b.WriteString("<" + s.Type)
		} else {
			b.WriteString(s.Type + ">")
		}
	}
	for _, w := range r.With {
		b.WriteString(" {" + k.bound(w) + "}")
	}
	return b.String()
}

func (k keying) measure(m Measure) string {
	switch m := m.(type) {
	case Prop:
		return "." + m.Property
	case CountOf:
		return fmt.Sprintf("count %s %s", k.role(m.Role), k.set(m.Set))
	case Of:
		return fmt.Sprintf("%s .%s %s %s", m.Fn, m.Property, k.role(m.Role), k.set(m.Set))
	case Minus:
		return "(" + k.measure(m.A) + " - " + k.measure(m.B) + ")"
	case By:
		return "(" + k.measure(m.A) + " / " + k.measure(m.B) + ")"
	}
	return "?"
}
