package embedded

import (
	"slices"
	"unicode/utf8"
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
func toAll(convert func(v any) (any, error)) function {
	return function{1, 1, false, func(x *exec, a []any) (any, error) {
		l, ok := a[0].([]any)
		if !ok {
			return nil, mismatch("List<Any>", a[0])
		}
		out := make([]any, len(l))
		for i, item := range l {
			if v, err := convert(item); err == nil && item != nil {
				out[i] = v
			}
		}
		return out, x.make(len(out))
	}}
}

var listFunctions = map[string]function{
	"size": {1, 1, false, func(_ *exec, a []any) (any, error) {
		switch v := a[0].(type) {
		case []any:
			return int64(len(v)), nil
		case string:
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
	"tail": onList(func(l []any) (any, error) {
		if len(l) == 0 {
			return l, nil
		}
		return l[1:], nil
	}),
	"reverse": {1, 1, false, func(x *exec, a []any) (any, error) {
		switch v := a[0].(type) {
		case []any:
			out := slices.Clone(v)
			slices.Reverse(out)
			return out, x.make(len(out))
		case string:
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
		if count > uint64(x.most) || count == 0 {
			return nil, queryError("range() would make a list of more than %d items: use a smaller range", x.most)
		}
		if err := x.make(int(count)); err != nil {
			return nil, err
		}
		out := make([]any, count)
		for i := range out {
			out[i] = from + int64(i)*by
		}
		return out, nil
	}},
	"nullif": {2, 2, true, func(_ *exec, a []any) (any, error) {
		if equal(a[0], a[1]) == yes {
			return nil, nil
		}
		return a[0], nil
	}},
	"tobooleanlist": toAll(toBoolean),
	"tofloatlist":   toAll(toFloat),
	"tointegerlist": toAll(toInteger),
	"tostringlist":  toAll(toText),
}
