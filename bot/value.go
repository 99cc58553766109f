package bot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"precedent/store"
)

// nothing stands for a null.
const nothing = "—"

// shownProperties is how many properties of a node or relationship are shown.
const shownProperties = 4

// Cell returns a value of a table as people read it, on one line and harmless
// to a terminal: a null is —, a float has no exponent where it needs none, a
// node or relationship shows its first properties.
func Cell(v any) string { return Line(cell(v)) }

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return nothing
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	case float64:
		return floatText(v)
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = cell(v[i])
		}
		return strings.Join(items, ", ")
	case map[string]any:
		return "{" + fields(v, len(v)) + "}"
	case store.Node:
		return "(" + strings.Join(append([]string{strings.Join(v.Labels, ":")}, nonEmpty(fields(v.Properties, shownProperties))...), " ") + ")"
	case store.Relationship:
		return "[" + strings.Join(append([]string{v.Type}, nonEmpty(fields(v.Properties, shownProperties))...), " ") + "]"
	case store.Path:
		var b strings.Builder
		for i, n := range v.Nodes {
			if i > 0 {
				b.WriteString("—" + v.Relationships[i-1].Type + "—")
			}
			b.WriteString(cell(n))
		}
		return b.String()
	case store.Point:
		text := floatText(v.X) + ", " + floatText(v.Y)
		if v.ThreeD() {
			text += ", " + floatText(v.Z)
		}
		return "(" + text + ")"
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// floatText shows what was stored as a float of 32 bits with the digits those
// have: 8.8, not 8.800000190734863.
func floatText(f float64) string {
	if narrow := float32(f); float64(narrow) == f && math.Abs(f) < 1e6 && math.Abs(f) >= 1e-4 {
		return strconv.FormatFloat(f, 'f', -1, 32)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e15) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// fields shows at most most properties: those that name a thing first, then by name.
func fields(m map[string]any, most int) string {
	keys := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if x, y := naming(a), naming(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for i, k := range keys {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, k+": "+cell(m[k]))
	}
	return strings.Join(parts, ", ")
}

func naming(key string) int {
	if i := slices.Index([]string{"name", "title"}, key); i >= 0 {
		return i
	}
	return 2
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
