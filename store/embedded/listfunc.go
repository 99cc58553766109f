package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"precedent/store"
)

// onList makes a function of one list.
func onList(do func(l []any) (any, error)) function {
	return function{1, 1, false, func(_ *exec, a []any) (any, error) {
		l, ok := a[0].([]any)
		if !ok {
			return nil, mismatch("List<Any>", a[0])
		}
		return do(l)
	}}
}

// toAll makes a function that converts each item of a list.
func toAll(convert func(x *exec, v any) (any, error)) function {
	return function{1, 1, false, func(x *exec, a []any) (any, error) {
		l, ok := a[0].([]any)
		if !ok {
			return nil, mismatch("List<Any>", a[0])
		}
		x.make(listBytes + slotBytes*len(l))
		out := make([]any, len(l))
		for i, item := range l {
			if v, err := convert(x, item); err == nil && item != nil {
				x.make(itemBytes(v) - slotBytes)
				out[i] = v
			}
		}
		return out, nil
	}}
}

var listFunctions = map[string]function{
	"size": {1, 1, false, func(x *exec, a []any) (any, error) {
		switch v := a[0].(type) {
		case []any:
			return int64(len(v)), nil
		case string:
			x.work(len(v))
			return int64(utf8.RuneCountInString(v)), nil
		}
		return nil, mismatch("String or List<Any>", a[0])
	}},
	"head": onList(func(l []any) (any, error) {
		if len(l) == 0 {
			return nil, nil
		}
		return l[0], nil
	}),
	"last": onList(func(l []any) (any, error) {
		if len(l) == 0 {
			return nil, nil
		}
		return l[len(l)-1], nil
	}),
	"tail": {1, 1, false, func(x *exec, a []any) (any, error) {
		l, ok := a[0].([]any)
		if !ok {
			return nil, mismatch("List<Any>", a[0])
		}
		if len(l) == 0 {
			return l, nil
		}
		x.make(listBytes + slotBytes*len(l))
		return slices.Clone(l[1:]), nil // a part would keep the whole
	}},
	"reverse": {1, 1, false, func(x *exec, a []any) (any, error) {
		switch v := a[0].(type) {
		case []any:
			x.make(listBytes + slotBytes*len(v))
			out := slices.Clone(v)
			slices.Reverse(out)
			return out, nil
		case string:
			const runeBytes = 4
			x.make((runeBytes + 1) * len(v))
			r := []rune(v)
			slices.Reverse(r)
			return string(r), nil
		}
		return nil, mismatch("String or List<Any>", a[0])
	}},
	"isempty": {1, 1, false, func(_ *exec, a []any) (any, error) {
		switch v := a[0].(type) {
		case []any:
			return len(v) == 0, nil
		case string:
			return v == "", nil
		case map[string]any:
			return len(v) == 0, nil
		}
		return nil, mismatch("String, Map or List<Any>", a[0])
	}},
	"range": {2, 3, true, func(x *exec, a []any) (any, error) {
		var n [3]int64
		n[2] = 1
		for i, v := range a {
			k, ok := v.(int64)
			if !ok {
				return nil, mismatch("Integer", v)
			}
			n[i] = k
		}
		from, to, by := n[0], n[1], n[2]
		if by == 0 {
			return nil, queryError("Invalid argument: the step argument to range() cannot be zero")
		}
		if by > 0 && from > to || by < 0 && from < to {
			return []any{}, nil
		}
		span := uint64(to) - uint64(from)
		step := uint64(by)
		if by < 0 {
			span, step = uint64(from)-uint64(to), -uint64(by)
		}
		count := span/step + 1
		const each = slotBytes + boxBytes
		if most := uint64(x.most / each); count > most || count == 0 { // 0 is 1<<64
			return nil, fmt.Errorf("%w: range() would make a list of more than %d items: use a smaller range", store.ErrTooLarge, most)
		}
		x.make(listBytes + each*int(count))
		out := make([]any, count)
		for i := range out {
			x.tick()
			out[i] = from + int64(i)*by
		}
		return out, nil
	}},
	"nullif": {2, 2, true, func(x *exec, a []any) (any, error) {
		if x.equal(a[0], a[1]) == yes {
			return nil, nil
		}
		return a[0], nil
	}},
	"tobooleanlist": toAll(toBoolean),
	"tofloatlist":   toAll(toFloat),
	"tointegerlist": toAll(toInteger),
	"tostringlist":  toAll(toText),
}

// hashOrder sorts the keys of a map as Neo4j goes through them: by their place in
// the table of java.util.HashMap, which has room for them from the start and grows
// at three quarters. Of keys in one place the order is that of their names; there it
// is that in which they came.
func hashOrder(keys []string) []string {
	size := 1
	for size < len(keys) {
		size *= 2
	}
	if 4*len(keys) > 3*size {
		size *= 2
	}
	place := func(key string) uint32 {
		var hash uint32
		for _, unit := range utf16.Encode([]rune(key)) {
			hash = 31*hash + uint32(unit)
		}
		return (hash ^ hash>>16) & uint32(size-1)
	}
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return keys
}
