package embedded

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"precedent/store"
)

// rank is the place of a value's type in ORDER BY (Cypher Manual, "Ordering
// and comparison of values", section "Ordering different types").
func rank(v any) int {
	switch v.(type) {
	case map[string]any:
		return 0
	case *node:
		return 1
	case *rel:
		return 2
	case []any:
		return 3
	case *path:
		return 4
	case store.Point:
		return 5
	case store.DateTime:
		return 6
	case store.LocalDateTime:
		return 7
	case store.Date:
		return 8
	case store.Time:
		return 9
	case store.LocalTime:
		return 10
	case store.Duration:
		return 11
	case string:
		return 12
	case bool:
		return 13
	case int64, float64:
		return 14
	}
	return 15 // null
}

// order is the total order of ORDER BY, min and max: -1, 0 or 1.
func (x *exec) order(a, b any) int {
	x.tick()
	if s, ok := a.(string); ok {
		if t, ok := b.(string); ok {
			x.work(min(len(s), len(t)))
			return strings.Compare(s, t)
		}
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case nil:
		return 0
	case int64, float64:
		return x.orderNumbers(a, b)
	case bool:
		return boolOrder(a) - boolOrder(b.(bool))
	case *node:
		return cmp.Compare(a.id, b.(*node).id)
	case *rel:
		return cmp.Compare(a.id, b.(*rel).id)
	case *path:
		return x.orderPaths(a, b.(*path))
	case store.Point:
		b := b.(store.Point)
		return cmp.Or(cmp.Compare(a.SRID, b.SRID), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
	case []any:
		b := b.([]any)
		for i := range min(len(a), len(b)) {
			if c := x.order(a[i], b[i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(len(a), len(b))
	case map[string]any:
		return x.orderMaps(a, b.(map[string]any))
	}
	c, _ := compareTemporal(a, b)
	return c
}

func (x *exec) orderNumbers(a, b any) int {
	f, aFloat := a.(float64)
	g, bFloat := b.(float64)
	if aNaN, bNaN := aFloat && math.IsNaN(f), bFloat && math.IsNaN(g); aNaN || bNaN {
		return boolOrder(aNaN) - boolOrder(bNaN)
	}
	c, _ := x.less(a, b)
	return c
}

func (x *exec) orderPaths(a, b *path) int {
	x.work(slotBytes * len(a.nodes))
	for i := range min(len(a.nodes), len(b.nodes)) {
		if c := cmp.Compare(a.nodes[i].id, b.nodes[i].id); c != 0 {
			return c
		}
		if i < len(a.rels) && i < len(b.rels) {
			if c := cmp.Compare(a.rels[i].id, b.rels[i].id); c != 0 {
				return c
			}
		}
	}
	return cmp.Compare(len(a.nodes), len(b.nodes))
}

func (x *exec) orderMaps(a, b map[string]any) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	keys := sortedKeys(a)
	if c := slices.Compare(keys, sortedKeys(b)); c != 0 {
		return c
	}
	for _, k := range keys {
		if c := x.order(a[k], b[k]); c != 0 {
			return c
		}
	}
	return 0
}
