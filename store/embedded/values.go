package embedded

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"precedent/store"
)

// Lists and maps may nest maxDepth deep. Only reduce can make them deeper than
// the query text is, so that is where it is checked, now and then; deepest is
// what may have been added since, and by a query around it.
const (
	maxDepth = 1000
	deepest  = 4 * maxDepth
)

// A truth is a value of three-valued logic.
type truth int8

const (
	no truth = iota
	yes
	unknown
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// value is t as a Cypher value.
func (t truth) value() any {
	switch t {
	case yes:
		return true
	case no:
		return false
	}
	return nil
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

// equal is Cypher's = (Cypher Manual, "Equality and comparison").
func (x *exec) equal(a, b any) truth {
	if a == nil || b == nil {
		return unknown
	}
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return truthOf(a == b)
		case float64:
			return truthOf(compareIntFloat(a, b) == 0)
		}
		return no
	case float64:
		switch b := b.(type) {
		case float64:
			return truthOf(a == b)
		case int64:
			return truthOf(compareIntFloat(b, a) == 0)
		}
		return no
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return no
		}
		all := yes
		for i := range a {
			x.tick()
			switch x.equal(a[i], b[i]) {
			case no:
				return no
			case unknown:
				all = unknown
			}
		}
		return all
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return no
		}
		all := yes
		for k, v := range a {
			x.tick()
			w, ok := b[k]
			if !ok {
				return no
			}
			switch x.equal(v, w) {
			case no:
				return no
			case unknown:
				all = unknown
			}
		}
		return all
	case string:
		b, ok := b.(string)
		if ok && len(a) == len(b) {
			x.work(len(a))
		}
		return truthOf(ok && a == b)
	case *path:
		b, ok := b.(*path)
		if ok {
			x.work(slotBytes * len(a.nodes))
		}
		return truthOf(ok && slices.Equal(a.nodes, b.nodes) && slices.Equal(a.rels, b.rels))
	}
	return truthOf(a == b) // booleans, temporals, points, nodes, relationships
}

// compareIntFloat compares as floats, as Neo4j does; 2 means that b is NaN.
func compareIntFloat(a int64, b float64) int {
	if math.IsNaN(b) {
		return 2
	}
	return cmp.Compare(float64(a), b)
}

// less is the outcome of a comparison with <, <=, > or >= (Cypher Manual,
// "Comparability"): c is -1, 0 or 1 where ok is yes; ok is no where a NaN makes
// each of them false, unknown where the two can't be compared.
func (x *exec) less(a, b any) (c int, ok truth) {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b), yes
		case float64:
			if c := compareIntFloat(a, b); c != 2 {
				return c, yes
			}
			return 0, no
		}
	case float64:
		switch b := b.(type) {
		case float64:
			if math.IsNaN(a) || math.IsNaN(b) {
				return 0, no
			}
			return cmp.Compare(a, b), yes
		case int64:
			if c := compareIntFloat(b, a); c != 2 {
				return -c, yes
			}
			return 0, no
		}
	case string:
		if b, ok := b.(string); ok {
			x.work(min(len(a), len(b)))
			return cmp.Compare(a, b), yes
		}
	case bool:
		if b, ok := b.(bool); ok {
			return boolOrder(a) - boolOrder(b), yes
		}
	case store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime:
		if c, ok := compareTemporal(a, b); ok {
			return c, yes
		}
	case []any:
		if b, ok := b.([]any); ok {
			return x.lessList(a, b)
		}
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return x.lessMap(a, b)
		}
	}
	return 0, unknown
}

// lessMap compares sizes, then keys, then values.
func (x *exec) lessMap(a, b map[string]any) (int, truth) {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c, yes
	}
	keys := sortedKeys(a)
	if c := slices.Compare(keys, sortedKeys(b)); c != 0 {
		return c, yes
	}
	for _, k := range keys {
		if c, ok := x.less(a[k], b[k]); ok != yes || c != 0 {
			return c, ok
		}
	}
	return 0, yes
}

func (x *exec) lessList(a, b []any) (int, truth) {
	for i := range min(len(a), len(b)) {
		x.tick()
		if x.equal(a[i], b[i]) == yes {
			continue
		}
		c, ok := x.less(a[i], b[i])
		if ok != yes || c != 0 {
			return c, ok
		}
	}
	return cmp.Compare(len(a), len(b)), yes
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareTemporal compares two temporal values of one type.
func compareTemporal(a, b any) (int, bool) {
	switch a := a.(type) {
	case store.Date:
		if b, ok := b.(store.Date); ok {
			return a.Compare(b), true
		}
	case store.LocalTime:
		if b, ok := b.(store.LocalTime); ok {
			return a.Compare(b), true
		}
	case store.Time:
		if b, ok := b.(store.Time); ok {
			return a.Compare(b), true
		}
	case store.LocalDateTime:
		if b, ok := b.(store.LocalDateTime); ok {
			return a.Compare(b), true
		}
	case store.DateTime:
		if b, ok := b.(store.DateTime); ok {
			return a.Compare(b), true
		}
	case store.Duration:
		if b, ok := b.(store.Duration); ok {
			return a.Compare(b), true
		}
	}
	return 0, false
}

// indexKey maps equal values to equal keys of a Go map.
func (x *exec) indexKey(v any) any {
	switch v := v.(type) {
	case string, bool:
		return v
	case int64:
		return v
	case float64:
		if n, ok := wholeFloat(v); ok {
			return n
		}
		return v
	}
	return "\x00" + string(x.appendKey(nil, v))
}

const keyShare = 16

var nans atomic.Int64

func wholeFloat(f float64) (int64, bool) {
	if f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 {
		return int64(f), true
	}
	return 0, false
}

// appendKey appends bytes that are the same for values that grouping and
// DISTINCT take for the same: null is null, 1 is 1.0, but NaN is never NaN. It
// halts where they are more than a keyShare of what the run may hold.
func (x *exec) appendKey(b []byte, v any) []byte {
	x.tick()
	if len(b) > x.most/keyShare {
		panic(&halt{tooLong("what is grouped by, or made distinct,", x.most/keyShare)})
	}
	num := func(tag byte, n ...int64) []byte {
		b = append(b, tag)
		for _, n := range n {
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		return b
	}
	text := func(tag byte, s string) []byte {
		b = binary.LittleEndian.AppendUint32(append(b, tag), uint32(len(s)))
		return append(b, s...)
	}
	switch v := v.(type) {
	case nil:
		return append(b, 0)
	case bool:
		return append(b, 1, byte(boolOrder(v)))
	case int64:
		return num(2, v)
	case float64:
		if n, ok := wholeFloat(v); ok {
			return num(2, n)
		}
		if math.IsNaN(v) {
			return num(3, nans.Add(1)) // no NaN equals another
		}
		return num(4, int64(math.Float64bits(v)))
	case string:
		x.work(len(v))
		return text(5, v)
	case *node:
		return num(6, int64(v.id))
	case *rel:
		return num(7, int64(v.id))
	case *path:
		num(8, int64(len(v.rels)))
		for _, n := range v.nodes {
			num(6, int64(n.id))
		}
		for _, r := range v.rels {
			num(7, int64(r.id))
		}
		return b
	case []any:
		num(9, int64(len(v)))
		for _, item := range v {
			b = x.appendKey(b, item)
		}
		return b
	case map[string]any:
		num(10, int64(len(v)))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			b = x.appendKey(text(5, k), v[k])
		}
		return b
	case store.Date:
		return num(11, v.Days)
	case store.LocalTime:
		return num(12, v.Nanos)
	case store.Time:
		return num(13, v.Nanos, int64(v.Offset))
	case store.LocalDateTime:
		return num(14, v.Seconds, int64(v.Nanos))
	case store.DateTime:
		num(15, v.Seconds, int64(v.Nanos), int64(v.Offset))
		return text(5, v.Zone)
	case store.Duration:
		return num(16, v.Months, v.Days, v.Seconds, int64(v.Nanos))
	case store.Point:
		return num(17, int64(v.SRID), int64(math.Float64bits(v.X)), int64(math.Float64bits(v.Y)), int64(math.Float64bits(v.Z)))
	}
	return text(18, fmt.Sprint(v))
}

// typeName is what Neo4j calls the type of a value in its errors.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "Null"
	case bool:
		return "Boolean"
	case int64:
		return "Integer"
	case float64:
		return "Float"
	case string:
		return "String"
	case []any:
		return "List<Any>"
	case map[string]any:
		return "Map"
	case *node:
		return "Node"
	case *rel:
		return "Relationship"
	case *path:
		return "Path"
	case store.Point:
		return "Point"
	case store.Date:
		return "Date"
	case store.LocalTime:
		return "LocalTime"
	case store.Time:
		return "Time"
	case store.LocalDateTime:
		return "LocalDateTime"
	case store.DateTime:
		return "DateTime"
	}
	return "Duration"
}

// cutBytes is s without what goes beyond so many bytes.
func cutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// show prints a value for an error message, cut to a readable length.
func show(v any) string {
	const most = 60
	s := ""
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		s = strconv.Quote(cutBytes(v, 4*most))
	case []any:
		s = fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		s = fmt.Sprintf("a map of %d", len(v))
	case *node:
		s = "a node"
	case *rel:
		s = "a relationship"
	case *path:
		s = "a path"
	default:
		s, _ = textOf(v)
	}
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}
