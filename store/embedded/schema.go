package embedded

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/store"
)

// Schema describes the whole graph: every count is exact, and Sampled is
// false unless budget (0 for none) ran out. Samples are the most frequent
// values, equally frequent ones in Cypher's order.
func (g *Graph) Schema(ctx context.Context, budget time.Duration) (*store.Schema, error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	d := &describer{g: g, ctx: ctx, free: unbounded()}
	if budget > 0 {
		d.deadline = time.Now().Add(budget)
	}
	s := &store.Schema{}
	for id, name := range g.labels.text {
		props := d.properties(func(yield func([]prop) bool) {
			for set, labels := range g.labelSets {
				if !containsID(labels, int32(id)) {
					continue
				}
				for _, n := range g.bySet[set] {
					if !yield(g.nodes[n].props) {
						return
					}
				}
			}
		})
		for i := range props {
			props[i].Unique = g.uniqueKeys[[2]int32{int32(id), g.keys.find(props[i].Name)}]
		}
		s.Labels = append(s.Labels, store.Label{Name: name, Count: int64(g.labelCount[id]), Properties: props})
	}
	for id, name := range g.types.text {
		props := d.properties(func(yield func([]prop) bool) {
			for i := range g.rels {
				if g.rels[i].typ == int32(id) && !yield(g.rels[i].props) {
					return
				}
			}
		})
		s.Types = append(s.Types, store.RelType{Name: name, Count: int64(g.typeCount[id]), Properties: props})
	}
	s.Relationships = d.relations()
	for set, labels := range g.labelSets {
		if names := make([]string, len(labels)); len(g.bySet[set]) > 0 {
			for i, label := range labels {
				names[i] = g.labels.text[label]
			}
			slices.Sort(names)
			s.LabelSets = append(s.LabelSets, names)
		}
	}
	s.Hidden = g.hidden
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrTimeout, err)
	}
	slices.SortFunc(s.Labels, func(a, b store.Label) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Types, func(a, b store.RelType) int { return strings.Compare(a.Name, b.Name) })
	if s.Sampled = d.late; d.late {
		s.Stops = []store.Stop{{Limit: store.StopTime, At: budget.Milliseconds()}}
	}
	s.Hash = s.ComputeHash()
	return s, nil
}

// describer reads a graph for its schema.
type describer struct {
	g        *Graph
	ctx      context.Context
	deadline time.Time // zero for none
	steps    int
	late     bool
	free     *exec // what it compares by
}

// goOn tells whether there is time left.
func (d *describer) goOn() bool {
	if d.steps++; d.steps%stepsPerLook == 0 && !d.late {
		d.late = d.ctx.Err() != nil || !d.deadline.IsZero() && time.Now().After(d.deadline)
	}
	return !d.late
}

// seen is what is known of a property.
type seen struct {
	types    map[string]bool
	present  int64
	values   map[any]*valueCount
	items    *seen // of lists; nil until one with an item comes
	min, max any
}

func newSeen() *seen { return &seen{types: map[string]bool{}, values: map[any]*valueCount{}} }

type valueCount struct {
	value any
	n     int64
}

func (d *describer) properties(all func(yield func([]prop) bool)) []store.Property {
	byKey := map[int32]*seen{}
	all(func(props []prop) bool {
		for _, p := range props {
			s := byKey[p.key]
			if s == nil {
				s = newSeen()
				byKey[p.key] = s
			}
			s.add(d.free, p.value)
		}
		return d.goOn()
	})
	var out []store.Property
	for key, s := range byKey {
		p := s.property(d.free, d.g.keys.text[key])
		if p.Type == listOfTexts {
			items := s.items.property(d.free, p.Name)
			p.Items = &items
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b store.Property) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// listOfTexts is the type of a property whose items may be called by name.
const listOfTexts = "LIST<STRING>"

func (s *seen) property(free *exec, name string) store.Property {
	p := store.Property{Name: name, Type: s.typeName(), Present: s.present, Distinct: int64(len(s.values)), Min: s.min, Max: s.max}
	p.SetSamples(s.byFrequency(free), nil)
	return p
}

func (s *seen) add(free *exec, v any) {
	s.present++
	typ := schemaType(v)
	s.types[typ] = true
	if typ == listOfTexts {
		if s.items == nil {
			s.items = newSeen()
		}
		for _, item := range v.([]any) {
			s.items.add(free, item)
		}
	}
	key := free.indexKey(v)
	if c := s.values[key]; c != nil {
		c.n++
	} else {
		s.values[key] = &valueCount{v, 1}
	}
	if _, ok := store.Float(v); !ok {
		if _, ok := compareTemporal(v, v); !ok {
			return
		}
	}
	if s.min == nil || rank(v) == rank(s.min) && free.order(v, s.min) < 0 {
		s.min = v
	}
	if s.max == nil || rank(v) == rank(s.max) && free.order(v, s.max) > 0 {
		s.max = v
	}
}

func (s *seen) typeName() string {
	if s.types[emptyList] && len(s.types) > 1 { // it fits any list
		delete(s.types, emptyList)
	}
	if len(s.types) == 1 {
		for t := range s.types {
			if t == emptyList {
				return "LIST<ANY>"
			}
			return t
		}
	}
	return "ANY"
}

// byFrequency are the distinct values, the most frequent first.
func (s *seen) byFrequency(free *exec) []any {
	all := make([]*valueCount, 0, len(s.values))
	for _, c := range s.values {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *valueCount) int { return cmp.Or(cmp.Compare(b.n, a.n), free.order(a.value, b.value)) })
	out := make([]any, len(all))
	for i, c := range all {
		out[i] = c.value
	}
	return out
}

// emptyList is the type of a list without items.
const emptyList = "LIST<NOTHING>"

// schemaType is the type of a stored value: STRING, …, LIST<STRING>, LIST<ANY> if mixed.
func schemaType(v any) string {
	l, ok := v.([]any)
	if !ok {
		return baseType(v)
	}
	item := ""
	for _, v := range l {
		if t := baseType(v); item == "" {
			item = t
		} else if item != t {
			item = "ANY"
		}
	}
	if item == "" {
		return emptyList
	}
	return "LIST<" + item + ">"
}

func (d *describer) relations() []store.Relation {
	g := d.g
	counts := map[[3]int32]int64{} // by start set, type, end set
	for i := range g.rels {
		r := &g.rels[i]
		counts[[3]int32{g.nodes[r.start].labels, r.typ, g.nodes[r.end].labels}]++
		if !d.goOn() {
			break
		}
	}
	byLabel := map[[3]string]int64{}
	for k, n := range counts {
		for _, start := range g.labelSets[k[0]] {
			for _, end := range g.labelSets[k[2]] {
				byLabel[[3]string{g.labels.text[start], g.types.text[k[1]], g.labels.text[end]}] += n
			}
		}
	}
	var out []store.Relation
	for k, n := range byLabel {
		out = append(out, store.Relation{Start: k[0], Type: k[1], End: k[2], Count: n})
	}
	slices.SortFunc(out, func(a, b store.Relation) int {
		return cmp.Or(strings.Compare(a.Start, b.Start), strings.Compare(a.Type, b.Type), strings.Compare(a.End, b.End))
	})
	return out
}
