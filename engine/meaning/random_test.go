package meaning

import (
	"math/rand/v2"
	"slices"
	"strings"

	"precedent/store"
)

// A maker makes random meanings over a world.
type maker struct {
	*rand.Rand
	w      *world
	labels []string // of the sets around, the innermost last
}

func pickOf[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

// roleFrom is a random role from a label and where it leads; ok is false where none leads away.
func (m *maker) roleFrom(label string) (r Role, to string, ok bool) {
	type way struct {
		step Step
		to   string
	}
	var ways []way
	for _, rel := range m.w.schema.Relationships {
		if rel.Start == label {
			ways = append(ways, way{Step{rel.Type, false}, rel.End})
		}
		if rel.End == label {
			ways = append(ways, way{Step{rel.Type, true}, rel.Start})
		}
	}
	if len(ways) == 0 {
		return r, "", false
	}
	first := pickOf(m, ways)
	r, to = Role{Steps: []Step{first.step}}, first.to
	if m.IntN(6) == 0 { // a path of two
		if more, end, ok := m.roleFrom(to); ok && len(more.Steps) == 1 && len(more.With) == 0 {
			r.Steps, to = append(r.Steps, more.Steps...), end
		}
	}
	last := r.Steps[len(r.Steps)-1].Type
	if b, ok := m.boundOf(m.propertiesOfType(last), func() any { return m.edgeValue(last) }); ok && m.IntN(4) == 0 {
		r.With = []Bound{b}
	}
	return r, to, true
}

func (m *maker) propertiesOf(label string) []store.Property {
	for _, l := range m.w.schema.Labels {
		if l.Name == label {
			return l.Properties
		}
	}
	return nil
}

func (m *maker) propertiesOfType(typ string) []store.Property {
	for _, t := range m.w.schema.Types {
		if t.Name == typ {
			return t.Properties
		}
	}
	return nil
}

// edgeValue is the properties of a random relationship of a type.
func (m *maker) edgeValue(typ string) any {
	var all []map[string]any
	for _, n := range m.w.nodes {
		for _, e := range m.w.out[n] {
			if e.typ == typ {
				all = append(all, e.props)
			}
		}
	}
	return pickOf(m, all)
}

// boundOf is a random comparison of one of the properties with a value that some owner has.
func (m *maker) boundOf(ps []store.Property, owner func() any) (b Bound, ok bool) {
	if len(ps) == 0 {
		return b, false
	}
	p := pickOf(m, ps)
	v := owner().(map[string]any)[p.Name]
	if v == nil {
		return b, false
	}
	b = Bound{Property: p.Name, Op: pickOf(m, []Op{Eq, Ne, Lt, Le, Gt, Ge})}
	switch p.Type {
	case "INTEGER":
		b.Value = Value{Is: v, Kind: Integer}
		if m.IntN(5) == 0 {
			b.Op, b.Value.Next = Within, v.(int64)+int64(1+m.IntN(20))
		}
	case "FLOAT":
		b.Value = Value{Is: v, Kind: Float}
	case "BOOLEAN":
		b.Op, b.Value = pickOf(m, []Op{Eq, Ne}), Value{Is: v, Kind: Truth}
	case "DATE":
		b.Value = Value{Is: v, Kind: Day}
		if m.IntN(4) == 0 {
			year := v.(string)[:4]
			b.Op, b.Value.Is, b.Value.Next = Within, year+"-01-01", year+"-12-31"
		}
	case "STRING":
		b.Op, b.Value = pickOf(m, []Op{Eq, Ne}), Value{Is: v, Kind: Text}
		if m.IntN(6) == 0 {
			b.Op, b.Value.Is, b.Value.Next = PartOf, strings.Split(v.(string), " ")[0], " "
		} else if s := []rune(v.(string)); len(s) > 2 && m.IntN(4) == 0 {
			b.Op, b.Value.Is = Contains, string(s[:2])
		}
	case "LIST<STRING>":
		list := v.([]any)
		if len(list) == 0 {
			return b, false
		}
		b.Op, b.Value = Has, Value{Is: pickOf(m, list), Kind: Text}
	default:
		return b, false
	}
	return b, true
}

func (m *maker) nodeOf(label string) *thing {
	var all []*thing
	for _, n := range m.w.nodes {
		if slices.Contains(n.labels, label) {
			all = append(all, n)
		}
	}
	return pickOf(m, all)
}

func (m *maker) set(label string, depth int) *Set {
	m.labels = append(m.labels, label)
	defer func() { m.labels = m.labels[:len(m.labels)-1] }()
	s := &Set{Label: label}
	for range m.IntN(3 - min(depth, 1)) {
		s.Where = append(s.Where, m.condition(depth))
	}
	return s
}

func (m *maker) condition(depth int) Condition {
	label := m.labels[len(m.labels)-1]
	if c, ok := m.special(label, depth); ok {
		return c
	}
	if b, ok := m.boundOf(m.propertiesOf(label), func() any { return m.nodeOf(label).props }); ok {
		return Property{b}
	}
	return Known{m.w.key(label)}
}

// special is a condition that is no plain comparison.
func (m *maker) special(label string, depth int) (Condition, bool) {
	ps := m.propertiesOf(label)
	switch m.IntN(10) {
	case 0:
		return Known{pickOf(m, ps).Name}, true
	case 1:
		return Missing{pickOf(m, ps).Name}, true
	case 2:
		return Not{m.condition(depth + 1)}, true
	case 3:
		return Either{[]Condition{m.condition(depth + 1), m.condition(depth + 1)}}, true
	case 4:
		for i, around := range m.labels[:len(m.labels)-1] {
			if around == label && m.IntN(2) == 0 {
				return Same{i}, true
			}
			for _, p := range ps {
				for _, o := range m.propertiesOf(around) {
					if p.Type == o.Type && (p.Type == "INTEGER" || p.Type == "DATE" || p.Type == "FLOAT") {
						return Than{p.Name, pickOf(m, []Op{Lt, Ge, Eq}), i, o.Name}, true
					}
				}
			}
		}
	case 5, 6, 7, 8:
		if depth > 1 {
			return nil, false
		}
		r, to, ok := m.roleFrom(label)
		if !ok {
			return nil, false
		}
		c := Related{How: pickOf(m, []Quantifier{Some, Some, None, Every, Number}), Role: r, Set: m.set(to, depth+1)}
		if c.How == Number {
			c.N = Bound{Op: pickOf(m, []Op{Eq, Gt, Ge, Lt}), Value: Value{Is: int64(m.IntN(4)), Kind: Integer}}
		}
		return c, true
	}
	return nil, false
}

// numeric is a random property of numbers of a label, "" if it has none.
func (m *maker) numeric(label string) string {
	var out []string
	for _, p := range m.propertiesOf(label) {
		if p.Type == "INTEGER" || p.Type == "FLOAT" {
			out = append(out, p.Name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return pickOf(m, out)
}

func (m *maker) measure(label string, depth int) Measure {
	m.labels = append(m.labels, label)
	defer func() { m.labels = m.labels[:len(m.labels)-1] }()
	p := m.numeric(label)
	switch n := m.IntN(8); {
	case n < 3 && p != "":
		return Prop{p}
	case n < 6:
		if r, to, ok := m.roleFrom(label); ok {
			of := m.set(to, 2)
			if q := m.numeric(to); q != "" && n == 5 {
				return Of{pickOf(m, []Fn{Avg, Sum, Min, Max}), q, r, of}
			}
			return CountOf{r, of}
		}
	case n == 6 && depth == 0:
		return Minus{m.inside(label), m.inside(label)}
	case n == 7 && depth == 0:
		return By{m.inside(label), m.inside(label)}
	}
	if p != "" {
		return Prop{p}
	}
	r, to, ok := m.roleFrom(label)
	if !ok {
		return Prop{m.w.key(label)}
	}
	return CountOf{r, &Set{Label: to}}
}

// inside is a measure within another, of the same node.
func (m *maker) inside(label string) Measure {
	last := m.labels
	m.labels = m.labels[:len(m.labels)-1]
	defer func() { m.labels = last }()
	return m.measure(label, 1)
}

// meaning is a random meaning.
func (m *maker) meaning() *Meaning {
	label := pickOf(m, m.w.schema.Labels).Name
	out := &Meaning{Do: pickOf(m, []Do{List, List, List, Count, Exists, Total, Groups, Groups, Share, Compare}), Of: m.set(label, 0)}
	switch out.Do {
	case List:
		for range m.IntN(2) {
			out.Columns = append(out.Columns, m.measure(label, 0))
		}
		if m.IntN(2) == 0 {
			out.Of.By, out.Of.Sort = m.measure(label, 0), pickOf(m, []Sort{Ascending, Descending})
			switch m.IntN(3) {
			case 0:
				out.Of.Ties, out.Of.Nth = true, m.IntN(4)
			case 1:
				out.Of.Take = 1 + m.IntN(5)
			}
		}
	case Total:
		out.Fn, out.Measure = pickOf(m, []Fn{Avg, Sum, Min, Max, Median}), m.measure(label, 0)
		if _, key := out.Measure.(Prop); key && m.numeric(label) == "" {
			out.Do, out.Fn, out.Measure = Count, "", nil
		}
	case Groups:
		m.group(out, label)
	case Share:
		out.With = m.set(label, 0)
	case Compare:
		out.Columns = []Measure{m.measure(label, 0)}
		for _, s := range []**Set{&out.Of, &out.With} {
			b := Bound{Property: m.w.key(label), Op: Eq, Value: Value{Is: m.nodeOf(label).props[m.w.key(label)], Kind: Text}}
			*s = &Set{Label: label, Where: []Condition{Property{b}}}
		}
	}
	return out
}

func (m *maker) group(out *Meaning, label string) {
	out.Each = &Each{Order: pickOf(m, []Sort{Unsorted, Ascending, Descending})}
	if r, to, ok := m.roleFrom(label); ok && m.IntN(2) == 0 {
		m.labels = append(m.labels, label)
		out.Each.Role, out.Each.Set = r, m.set(to, 1)
		m.labels = m.labels[:0]
	} else {
		out.Each.Property = pickOf(m, m.propertiesOf(label)).Name
	}
	if m.numeric(label) != "" && m.IntN(2) == 0 {
		out.Fn, out.Measure = pickOf(m, []Fn{Avg, Max, Sum}), Prop{m.numeric(label)}
	}
	if m.IntN(3) == 0 {
		out.Each.Having = &Bound{Op: pickOf(m, []Op{Gt, Lt, Ge}), Value: Value{Is: int64(m.IntN(4)), Kind: Integer}}
	}
	if m.IntN(4) == 0 && out.Each.Order != Unsorted {
		out.Each.Take = 1 + m.IntN(3)
	}
}
