package meaning

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"precedent/store"
)

// A world is a graph as plain lists, over which meanings are evaluated the slow way.
type world struct {
	nodes  []*thing
	out    map[*thing][]edge
	in     map[*thing][]edge
	key    func(label string) string
	schema *store.Schema
}

type thing struct {
	labels []string
	props  map[string]any
}

type edge struct {
	typ   string
	props map[string]any
	other *thing
}

// worldOf reads a graph whole.
func worldOf(t *testing.T, g store.Graph, schema *store.Schema, key func(string) string) *world {
	t.Helper()
	read := func(q string) [][]any {
		table, err := g.Run(t.Context(), store.Query{Text: q}, store.Limits{Rows: 1 << 20, Bytes: 1 << 30, Memory: 1 << 30})
		if err != nil || table.Truncated {
			t.Fatal(q, err)
		}
		return table.Rows
	}
	w := &world{out: map[*thing][]edge{}, in: map[*thing][]edge{}, key: key, schema: schema}
	byID := map[any]*thing{}
	for _, r := range read("MATCH (n) WITH collect(n) AS ns UNWIND range(0, size(ns) - 1) AS i RETURN i, labels(ns[i]), properties(ns[i])") {
		n := &thing{props: plainProps(r[2])}
		for _, l := range r[1].([]any) {
			n.labels = append(n.labels, l.(string))
		}
		byID[r[0]] = n
		w.nodes = append(w.nodes, n)
	}
	for _, r := range read(`MATCH (n) WITH collect(n) AS ns MATCH (a)-[r]->(b)
		RETURN [i IN range(0, size(ns) - 1) WHERE ns[i] = a][0], type(r), properties(r), [i IN range(0, size(ns) - 1) WHERE ns[i] = b][0]`) {
		a, b := byID[r[0]], byID[r[3]]
		w.out[a] = append(w.out[a], edge{r[1].(string), plainProps(r[2]), b})
		w.in[b] = append(w.in[b], edge{r[1].(string), plainProps(r[2]), a})
	}
	return w
}

// plainProps are properties whose dates are text.
func plainProps(v any) map[string]any {
	out := map[string]any{}
	for k, v := range v.(map[string]any) {
		out[k] = plainValue(v)
	}
	return out
}

func plainValue(v any) any {
	switch v := v.(type) {
	case store.Date, store.DateTime, store.LocalDateTime:
		return fmt.Sprint(v)
	case int:
		return int64(v)
	}
	return v
}

// A truth is yes, no or unknown.
type truth int

const (
	unknown truth = iota
	yes
	no
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func allOf(ts ...truth) truth {
	out := yes
	for _, t := range ts {
		if t == no {
			return no
		}
		if t == unknown {
			out = unknown
		}
	}
	return out
}

// members are the nodes of a set, of which outer stand around.
func (w *world) members(s *Set, outer []*thing) []*thing {
	var out []*thing
	for _, n := range w.nodes {
		if w.isIn(n, s, outer) == yes && (s.By == nil || s.Take == 0 && !s.Ties || w.measure(s.By, append(slices.Clone(outer), n)) != nil) {
			out = append(out, n)
		}
	}
	if s.By == nil {
		return out
	}
	by := func(n *thing) any { return w.measure(s.By, append(slices.Clone(outer), n)) }
	slices.SortStableFunc(out, func(a, b *thing) int {
		x, y := by(a), by(b)
		if (x == nil) != (y == nil) {
			return map[bool]int{true: 1, false: -1}[x == nil]
		}
		return cmp.Or(directed(order(x, y), s.Sort), order(w.named(a, s.Label), w.named(b, s.Label)))
	})
	if s.Ties {
		var ranks []any
		for _, n := range out {
			if v := by(n); len(ranks) == 0 || order(ranks[len(ranks)-1], v) != 0 {
				ranks = append(ranks, v)
			}
		}
		i := max(s.Nth, 1) - 1
		return slices.DeleteFunc(out, func(n *thing) bool { return i >= len(ranks) || order(by(n), ranks[i]) != 0 })
	}
	if s.Take > 0 && len(out) > s.Take {
		out = out[:s.Take]
	}
	return out
}

func directed(c int, s Sort) int {
	if s == Descending {
		return -c
	}
	return c
}

func (w *world) isIn(n *thing, s *Set, outer []*thing) truth {
	if !slices.Contains(n.labels, s.Label) {
		return no
	}
	around := append(slices.Clone(outer), n)
	ts := []truth{}
	for _, c := range s.Where {
		ts = append(ts, w.meets(c, around))
	}
	return allOf(ts...)
}

func (w *world) meets(c Condition, around []*thing) truth {
	n := around[len(around)-1]
	switch c := c.(type) {
	case Property:
		return w.bound(n.props, c.Bound)
	case Than:
		return compare(n.props[c.Property], c.Op, around[c.Node].props[c.Other])
	case Known:
		return truthOf(n.props[c.Property] != nil)
	case Missing:
		return truthOf(n.props[c.Property] == nil)
	case Same:
		return truthOf(n == around[c.Node])
	case Not:
		return w.meets(c.Cond, around).not()
	case Both:
		var ts []truth
		for _, c := range c.Conds {
			ts = append(ts, w.meets(c, around))
		}
		return allOf(ts...)
	case Either:
		var ts []truth
		for _, c := range c.Conds {
			ts = append(ts, w.meets(c, around).not())
		}
		return allOf(ts...).not()
	case Related:
		in, others := 0, 0
		for _, y := range w.reached(n, c.Role, c.Set.Label) {
			if w.isIn(y, c.Set, around) == yes {
				in++
			} else {
				others++
			}
		}
		switch c.How {
		case Some:
			return truthOf(in > 0)
		case None:
			return truthOf(in == 0)
		case Every:
			return truthOf(in > 0 && others == 0)
		case Number:
			return compare(int64(in), c.N.Op, c.N.Value.Is)
		}
	}
	panic(fmt.Sprintf("%T", c))
}

// reached are the different nodes of a label that a role leads to.
func (w *world) reached(n *thing, r Role, label string) []*thing {
	type at struct {
		n    *thing
		used []edgeID
	}
	now := []at{{n, nil}}
	for i, s := range r.Steps {
		var next []at
		for _, a := range now {
			edges := w.out[a.n]
			if s.Back {
				edges = w.in[a.n]
			}
			for k, e := range edges {
				id := w.idOf(a.n, s.Back, k)
				if e.typ != s.Type || slices.Contains(a.used, id) {
					continue
				}
				if i == len(r.Steps)-1 && slices.ContainsFunc(r.With, func(b Bound) bool { return w.bound(e.props, b) != yes }) {
					continue
				}
				next = append(next, at{e.other, append(slices.Clone(a.used), id)})
			}
		}
		now = next
	}
	var out []*thing
	for _, a := range now {
		if slices.Contains(a.n.labels, label) && !slices.Contains(out, a.n) {
			out = append(out, a.n)
		}
	}
	return out
}

// An edgeID names a relationship by its start and its place there, from whichever end it is seen.
type edgeID struct {
	start *thing
	place int
}

func (w *world) idOf(n *thing, back bool, k int) edgeID {
	if !back {
		return edgeID{n, k}
	}
	e := w.in[n][k]
	same := 0 // parallel ones before it
	for _, o := range w.in[n][:k] {
		if o.other == e.other && o.typ == e.typ {
			same++
		}
	}
	for i, o := range w.out[e.other] {
		if o.other == n && o.typ == e.typ {
			if same == 0 {
				return edgeID{e.other, i}
			}
			same--
		}
	}
	panic("no such relationship")
}

func (w *world) bound(props map[string]any, b Bound) truth {
	v := props[b.Property]
	switch b.Op {
	case Within:
		return allOf(compare(v, Ge, b.Value.Is), compare(v, Lt, b.Value.Next))
	case Has:
		list, ok := v.([]any)
		if !ok {
			return unknown
		}
		return truthOf(slices.Contains(list, b.Value.Is))
	case PartOf:
		s, ok := v.(string)
		if !ok {
			return unknown
		}
		return truthOf(slices.Contains(strings.Split(s, b.Value.Next.(string)), b.Value.Is.(string)))
	case Contains:
		s, ok := v.(string)
		if !ok {
			return unknown
		}
		return truthOf(strings.Contains(s, b.Value.Is.(string)))
	}
	return compare(v, b.Op, b.Value.Is)
}

func compare(a any, op Op, b any) truth {
	if a == nil || b == nil {
		return unknown
	}
	c := order(a, b)
	switch op {
	case Eq:
		return truthOf(c == 0)
	case Ne:
		return truthOf(c != 0)
	case Lt:
		return truthOf(c < 0)
	case Le:
		return truthOf(c <= 0)
	case Gt:
		return truthOf(c > 0)
	}
	return truthOf(c >= 0)
}

// order compares two values of a kind; a missing one comes last.
func order(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	if x, ok := store.Float(a); ok {
		y, _ := store.Float(b)
		return cmp.Compare(x, y)
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func (w *world) named(n *thing, label string) any { return n.props[w.key(label)] }

func (w *world) measure(m Measure, around []*thing) any {
	n := around[len(around)-1]
	in := func(r Role, s *Set) (out []*thing) {
		for _, y := range w.reached(n, r, s.Label) {
			if w.isIn(y, s, around) == yes {
				out = append(out, y)
			}
		}
		return out
	}
	switch m := m.(type) {
	case Prop:
		return n.props[m.Property]
	case CountOf:
		return int64(len(in(m.Role, m.Set)))
	case Of:
		var vs []any
		for _, y := range in(m.Role, m.Set) {
			vs = append(vs, y.props[m.Property])
		}
		return apply(m.Fn, vs)
	case Minus:
		a, b := w.measure(m.A, around), w.measure(m.B, around)
		if a == nil || b == nil {
			return nil
		}
		x, isInt := a.(int64)
		y, both := b.(int64)
		if isInt && both {
			return x - y
		}
		f, _ := store.Float(a)
		g, _ := store.Float(b)
		return f - g
	case By:
		a, b := w.measure(m.A, around), w.measure(m.B, around)
		if a == nil || b == nil {
			return nil
		}
		f, _ := store.Float(a)
		g, _ := store.Float(b)
		if g == 0 {
			return nil
		}
		return f / g
	}
	panic(fmt.Sprintf("%T", m))
}

func apply(f Fn, vs []any) any {
	vs = slices.DeleteFunc(vs, func(v any) bool { return v == nil })
	if len(vs) == 0 {
		return nil
	}
	slices.SortFunc(vs, order)
	sum, whole := 0.0, true
	for _, v := range vs {
		x, _ := store.Float(v)
		_, isInt := v.(int64)
		sum, whole = sum+x, whole && isInt
	}
	switch f {
	case Min:
		return vs[0]
	case Max:
		return vs[len(vs)-1]
	case Sum:
		if whole {
			return int64(sum)
		}
		return sum
	case Avg:
		return sum / float64(len(vs))
	}
	at := float64(len(vs)-1) / 2
	a, _ := store.Float(vs[int(math.Floor(at))])
	b, _ := store.Float(vs[int(math.Ceil(at))])
	return (a + b) / 2
}

// rows are those of a meaning.
func (w *world) rows(m *Meaning) [][]any {
	members := w.members(m.Of, nil)
	one := func(n *thing) []*thing { return []*thing{n} }
	switch m.Do {
	case List:
		var out [][]any
		for _, n := range members {
			row := []any{w.named(n, m.Of.Label)}
			for _, c := range m.Columns {
				row = append(row, w.measure(c, one(n)))
			}
			if m.Of.By != nil && m.shown(w.key(m.Of.Label)) < 0 {
				row = append(row, w.measure(m.Of.By, one(n)))
			}
			out = append(out, row)
		}
		if m.Of.By == nil {
			slices.SortStableFunc(out, func(a, b []any) int { return order(a[0], b[0]) })
		}
		return out
	case Count:
		return [][]any{{int64(len(members))}}
	case Exists:
		return [][]any{{len(members) > 0}}
	case Total:
		var vs []any
		for _, n := range members {
			vs = append(vs, w.measure(m.Measure, one(n)))
		}
		return [][]any{{apply(m.Fn, vs)}}
	case Groups:
		return w.groups(m, members)
	case Share:
		part := 0
		for _, n := range members {
			if w.isIn(n, m.With, nil) == yes {
				part++
			}
		}
		var share any
		if len(members) > 0 {
			share = 100 * float64(part) / float64(len(members))
		}
		return [][]any{{int64(part), int64(len(members)), share}}
	case Compare:
		var out [][]any
		for _, s := range []*Set{m.Of, m.With} {
			for _, n := range w.members(s, nil) {
				out = append(out, []any{w.named(n, s.Label), w.measure(m.Columns[0], one(n))})
			}
		}
		return out
	}
	panic(m.Do)
}

func (w *world) groups(m *Meaning, members []*thing) [][]any {
	type group struct {
		key any
		of  []*thing
	}
	var groups []*group
	byNode, byValue := map[*thing]*group{}, map[any]*group{}
	for _, n := range members {
		if e := m.Each; e.Set == nil {
			vs, isList := n.props[e.Property].([]any)
			if !isList {
				vs = []any{n.props[e.Property]}
			}
			seen := map[string]bool{}
			for _, v := range vs {
				k := fmt.Sprintf("%T %v", v, v)
				if v == nil || seen[k] {
					continue
				}
				seen[k] = true
				if byValue[k] == nil {
					byValue[k] = &group{key: v}
					groups = append(groups, byValue[k])
				}
				byValue[k].of = append(byValue[k].of, n)
			}
			continue
		}
		for _, y := range w.reached(n, m.Each.Role, m.Each.Set.Label) {
			if w.isIn(y, m.Each.Set, []*thing{n}) != yes {
				continue
			}
			if byNode[y] == nil {
				byNode[y] = &group{key: w.named(y, m.Each.Set.Label)}
				groups = append(groups, byNode[y])
			}
			byNode[y].of = append(byNode[y].of, n)
		}
	}
	var out [][]any
	for _, g := range groups {
		var value any = int64(len(g.of))
		if m.Measure != nil {
			var vs []any
			for _, n := range g.of {
				vs = append(vs, w.measure(m.Measure, []*thing{n}))
			}
			value = apply(m.Fn, vs)
		}
		if h := m.Each.Having; h != nil && compare(value, h.Op, h.Value.Is) != yes || m.Each.Having == nil && value == nil {
			continue
		}
		out = append(out, []any{g.key, value})
	}
	slices.SortStableFunc(out, func(a, b []any) int {
		if m.Each.Order != Unsorted {
			return cmp.Or(directed(order(a[1], b[1]), m.Each.Order), order(a[0], b[0]))
		}
		return order(a[0], b[0])
	})
	if m.Each.Take > 0 && len(out) > m.Each.Take {
		out = out[:m.Each.Take]
	}
	return out
}
