package embedded

import (
	"reflect"

	"precedent/store"
)

// What values take in memory, in bytes, as the Go compiler and runtime lay them out.
const (
	slotBytes  = 16 // of any value in a list or row
	boxBytes   = 8  // of a number behind its slot
	largeBytes = 48 // of a point or temporal value behind its slot
	textBytes  = 16 // of a text, its signs not counted
	listBytes  = 24 // of a list, its slots not counted
	entryBytes = 48 // of an entry of a Go map keyed by text
	fewEntries = 8  // that the smallest map has room for
)

// mapBytes is what a map of n entries takes, the values behind its slots not counted.
func mapBytes(n int) int {
	const head = 64
	if n > fewEntries {
		return head + 2*n*entryBytes // half empty at worst
	}
	return head + fewEntries*(entryBytes-8)
}

// itemBytes is what v takes in a list: its slot and the number behind it. What
// lists, maps and texts hold was charged when they were made.
func itemBytes(v any) int {
	switch v.(type) {
	case int64, float64:
		return slotBytes + boxBytes
	case string:
		return slotBytes + textBytes
	case []any:
		return slotBytes + listBytes
	case store.Point, store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime, store.Duration:
		return slotBytes + largeBytes
	}
	return slotBytes
}

// settle says that of all that was made since temp was mark only v is left.
// Parts of a list or map may be anything made since, so all of it stays charged.
func (x *exec) settle(mark int, v any) {
	switch v := v.(type) {
	case string:
		x.temp = mark + len(v)
	case []any, map[string]any, *path:
	default:
		x.temp = mark
	}
}

// weigh returns the bytes that v takes with all that it holds; what it holds
// twice counts twice. It halts where they are more than a run may hold, or
// where v nests more than deepest lists and maps.
func (x *exec) weigh(v any) int { return x.weighAt(v, 0, deepest) }

// weighAt is weigh for a part of a value: sofar was weighed before, and it may
// nest so many levels more.
func (x *exec) weighAt(v any, sofar, levels int) int {
	x.tick()
	sofar += itemBytes(v)
	if levels < 0 {
		panic(&halt{queryError("a value nests lists or maps more than %d deep", maxDepth)})
	}
	switch v := v.(type) {
	case string:
		sofar += len(v)
	case []any:
		for _, item := range v {
			sofar = x.weighAt(item, sofar, levels-1)
		}
	case map[string]any:
		sofar += mapBytes(len(v))
		for _, item := range v {
			sofar = x.weighAt(item, sofar, levels-1)
		}
	case *path:
		sofar += 2 * slotBytes * len(v.nodes)
	}
	if sofar > x.most {
		x.tooLarge()
	}
	return sofar
}

// manyParts is how many lists and maps reachable looks at: with more, looking
// would take more memory than it finds.
const manyParts = 10_000

// reachable returns the bytes that v takes, what it holds twice counted once;
// ok is false where it has too many parts to tell.
func (x *exec) reachable(v any) (bytes int, ok bool) {
	seen := map[uintptr]bool{}
	var walk func(v any)
	walk = func(v any) {
		x.tick()
		bytes += itemBytes(v)
		switch v := v.(type) {
		case string:
			bytes += len(v)
		case []any:
			at := reflect.ValueOf(v).Pointer()
			if seen[at] || len(seen) > manyParts {
				return
			}
			seen[at] = true
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			at := reflect.ValueOf(v).Pointer()
			if seen[at] || len(seen) > manyParts {
				return
			}
			seen[at] = true
			bytes += mapBytes(len(v))
			for _, item := range v {
				walk(item)
			}
		case *path:
			bytes += 2 * slotBytes * len(v.nodes)
		}
	}
	walk(v)
	return bytes, len(seen) <= manyParts
}
