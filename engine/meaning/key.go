package meaning

import (
	"fmt"
	"slices"
	"strings"
)

// Key is the canonical print of m, in which the order of conditions that all hold
// doesn't matter and values are typed slots.
func (m *Meaning) Key() string {
	var b strings.Builder
	b.WriteString(string(m.Do))
	if m.Fn != "" {
		b.WriteString(" " + string(m.Fn))
	}
	if m.Measure != nil {
		b.WriteString(" " + measureKey(m.Measure))
	}
	if m.Each != nil {
		b.WriteString(" each " + m.Each.key())
	}
	for _, c := range m.Columns {
		b.WriteString(" show " + measureKey(c))
	}
	b.WriteString(" of " + m.Of.key())
	if m.With != nil {
		b.WriteString(" with " + m.With.key())
	}
	return b.String()
}

func (e *Each) key() string {
	var b strings.Builder
	if e.Set != nil {
		b.WriteString(e.Role.key() + " " + e.Set.key())
	} else {
		b.WriteString("." + e.Property)
	}
	if e.Having != nil {
		b.WriteString(" having " + e.Having.key())
	}
	if e.Order != Unsorted {
		fmt.Fprintf(&b, " order %s", e.Order)
	}
	if e.Take > 0 {
		b.WriteString(" take ⟨limit⟩")
	}
	return b.String()
}

func (s *Set) key() string {
	var b strings.Builder
	b.WriteString("(" + s.Label)
	for _, c := range sortedKeys(s.Where) {
		b.WriteString(" [" + c + "]")
	}
	if s.By != nil {
		fmt.Fprintf(&b, " by %s %s", measureKey(s.By), s.Sort)
	}
	switch {
	case s.Ties:
		fmt.Fprintf(&b, " rank %d", max(s.Nth, 1))
	case s.Take > 0:
		b.WriteString(" take ⟨limit⟩")
	}
	b.WriteString(")")
	return b.String()
}

// sortedKeys are the keys of conditions in an order of their own.
func sortedKeys(conds []Condition) []string {
	var out []string
	for _, c := range conds {
		out = append(out, conditionKey(c))
	}
	slices.Sort(out)
	return out
}

func conditionKey(c Condition) string {
	switch c := c.(type) {
	case Property:
		return c.key()
	case Than:
		return fmt.Sprintf(".%s %s %d.%s", c.Property, c.Op, c.Node, c.Other)
	case Known:
		return "known ." + c.Property
	case Missing:
		return "missing ." + c.Property
	case Related:
		n := ""
		if c.How == Number {
			n = c.N.key() + " "
		}
		return fmt.Sprintf("%s %s%s %s", c.How, n, c.Role.key(), c.Set.key())
	case Same:
		return fmt.Sprintf("same %d", c.Node)
	case Not:
		return "not [" + conditionKey(c.Cond) + "]"
	case Either:
		return "either [" + strings.Join(sortedKeys(c.Conds), "] [") + "]"
	case Both:
		return "both [" + strings.Join(sortedKeys(c.Conds), "] [") + "]"
	}
	return "?"
}

func (b Bound) key() string {
	name := ""
	if b.Property != "" {
		name = "." + b.Property + " "
	}
	return fmt.Sprintf("%s%s ⟨%s⟩", name, b.Op, b.Value.Kind)
}

func (r Role) key() string {
	var b strings.Builder
	for _, s := range r.Steps {
		if s.Back {
			b.WriteString("<" + s.Type)
		} else {
			b.WriteString(s.Type + ">")
		}
	}
	for _, w := range r.With {
		b.WriteString(" {" + w.key() + "}")
	}
	return b.String()
}

func measureKey(m Measure) string {
	switch m := m.(type) {
	case Prop:
		return "." + m.Property
	case CountOf:
		return fmt.Sprintf("count %s %s", m.Role.key(), m.Set.key())
	case Of:
		return fmt.Sprintf("%s .%s %s %s", m.Fn, m.Property, m.Role.key(), m.Set.key())
	case Minus:
		return "(" + measureKey(m.A) + " - " + measureKey(m.B) + ")"
	case By:
		return "(" + measureKey(m.A) + " / " + measureKey(m.B) + ")"
	}
	return "?"
}
