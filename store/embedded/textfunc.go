package embedded

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// onText makes a function of one text.
func onText(do func(s string) any) function {
	return function{1, 1, false, func(_ *exec, a []any) (any, error) {
		s, ok := a[0].(string)
		if !ok {
			return nil, mismatch("String", a[0])
		}
		return do(s), nil
	}}
}

// trimmer makes a function that cuts white space, or the signs it is given.
func trimmer(cut func(s string, is func(rune) bool) string) function {
	return function{1, 2, false, func(_ *exec, a []any) (any, error) {
		s, err := texts(a)
		if err != nil {
			return nil, err
		}
		if len(s) == 1 {
			return cut(s[0], unicode.IsSpace), nil
		}
		return cut(s[0], func(r rune) bool { return strings.ContainsRune(s[1], r) }), nil
	}}
}

func texts(args []any) ([]string, error) {
	out := make([]string, len(args))
	for i, a := range args {
		s, ok := a.(string)
		if !ok {
			return nil, mismatch("String", a)
		}
		out[i] = s
	}
	return out, nil
}

// length reads a number of signs, which may not be negative.
func lengthArg(v any) (int, error) {
	n, ok := v.(int64)
	if !ok {
		return 0, mismatch("Integer", v)
	}
	if n < 0 {
		return 0, queryError("%d is not a length: it must not be negative", n)
	}
	return int(min(n, 1<<31)), nil
}

var textFunctions = map[string]function{
	"tolower": onText(func(s string) any { return strings.ToLower(s) }),
	"toupper": onText(func(s string) any { return strings.ToUpper(s) }),
	"lower":   onText(func(s string) any { return strings.ToLower(s) }),
	"upper":   onText(func(s string) any { return strings.ToUpper(s) }),
	"trim":    trimmer(strings.TrimFunc),
	"btrim":   trimmer(strings.TrimFunc),
	"ltrim":   trimmer(strings.TrimLeftFunc),
	"rtrim":   trimmer(strings.TrimRightFunc),

	"normalize":        onText(func(s string) any { return norm.NFC.String(s) }),
	"char_length":      onText(func(s string) any { return int64(utf8.RuneCountInString(s)) }),
	"character_length": onText(func(s string) any { return int64(utf8.RuneCountInString(s)) }),

	"left": {2, 2, false, func(_ *exec, a []any) (any, error) {
		s, err := texts(a[:1])
		if err != nil {
			return nil, err
		}
		n, err := lengthArg(a[1])
		if err != nil {
			return nil, err
		}
		r := []rune(s[0])
		return string(r[:min(n, len(r))]), nil
	}},
	"right": {2, 2, false, func(_ *exec, a []any) (any, error) {
		s, err := texts(a[:1])
		if err != nil {
			return nil, err
		}
		n, err := lengthArg(a[1])
		if err != nil {
			return nil, err
		}
		r := []rune(s[0])
		return string(r[len(r)-min(n, len(r)):]), nil
	}},
	"substring": {2, 3, false, func(_ *exec, a []any) (any, error) {
		s, err := texts(a[:1])
		if err != nil {
			return nil, err
		}
		from, err := lengthArg(a[1])
		if err != nil {
			return nil, err
		}
		r := []rune(s[0])
		r = r[min(from, len(r)):]
		if len(a) == 3 {
			n, err := lengthArg(a[2])
			if err != nil {
				return nil, err
			}
			r = r[:min(n, len(r))]
		}
		return string(r), nil
	}},
	"replace": {3, 3, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a)
		if err != nil {
			return nil, err
		}
		if n := strings.Count(s[0], s[1]); n > 0 && len(s[0])+n*len(s[2]) > maxText {
			return nil, errTooLong
		}
		out := strings.ReplaceAll(s[0], s[1], s[2])
		return out, x.make(len(out) / 16)
	}},
	"split": {2, 2, false, func(x *exec, a []any) (any, error) {
		s, ok := a[0].(string)
		if !ok {
			return nil, mismatch("String", a[0])
		}
		var delims []string
		switch d := a[1].(type) {
		case string:
			delims = []string{d}
		case []any:
			for _, item := range d {
				t, ok := item.(string)
				if !ok {
					return nil, mismatch("String", item)
				}
				delims = append(delims, t)
			}
		default:
			return nil, mismatch("String or List<String>", d)
		}
		out := splitAt(s, delims)
		return out, x.make(len(out))
	}},
}

// splitAt cuts s at any of the delimiters; an empty one cuts between all signs.
func splitAt(s string, delims []string) []any {
	if s == "" {
		return []any{""}
	}
	var out []any
	start := 0
next:
	for at := 0; at < len(s); {
		for _, d := range delims {
			if d == "" {
				_, size := utf8.DecodeRuneInString(s[at:])
				out = append(out, s[start:at+size])
				at += size
				start = at
				continue next
			}
			if strings.HasPrefix(s[at:], d) {
				out = append(out, s[start:at])
				at += len(d)
				start = at
				if at == len(s) {
					return append(out, "")
				}
				continue next
			}
		}
		at++
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}
