package embedded

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"precedent/store/cypher"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// lengthOf counts the signs of a text.
var lengthOf = function{1, 1, false, func(x *exec, a []any) (any, error) {
	s, err := texts(a)
	if err != nil {
		return nil, err
	}
	x.work(len(s[0]))
	return int64(utf8.RuneCountInString(s[0])), nil
}}

// inCase makes a function that writes each sign of a text in another way, a long
// text in pieces.
func inCase(write func(s string) string) function {
	const piece = 16 << 10 // bytes
	return function{1, 1, false, func(x *exec, a []any) (any, error) {
		all, err := texts(a)
		if err != nil {
			return nil, err
		}
		s := all[0]
		x.make(caseGrows * len(s))
		if len(s) <= piece {
			return write(s), nil
		}
		var b strings.Builder
		for s != "" {
			n := min(piece, len(s))
			if gap := strings.IndexByte(s[n:], ' '); gap >= 0 && gap < piece { // what a letter becomes hangs on its word
				n += gap
			}
			for n < len(s) && !utf8.RuneStart(s[n]) {
				n++
			}
			x.look()
			b.WriteString(write(s[:n]))
			s = s[n:]
		}
		return b.String(), nil
	}}
}

// trimmer makes a function that cuts white space, or the signs it is given.
func trimmer(cut func(s string, is func(rune) bool) string) function {
	return function{1, 2, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a)
		if err != nil {
			return nil, err
		}
		x.work(len(s[0]))
		is := unicode.IsSpace
		if len(s) > 1 {
			is = func(r rune) bool {
				x.tick()
				x.work(len(s[1]))
				return strings.ContainsRune(s[1], r)
			}
		}
		return x.part(cut(s[0], is)), nil
	}}
}

// madeTexts are the functions whose texts Neo4j holds in another way than those that
// were written or stored.
var madeTexts = map[string]bool{"tolower": true, "toupper": true, "lower": true, "upper": true, "replace": true, "split": true}

// isMade tells whether an expression makes such a text.
func isMade(e cypher.Expr) bool {
	switch e := e.(type) {
	case *cypher.Parameter, *cypher.Binary:
		return true
	case *cypher.Index:
		return isMade(e.X)
	case *cypher.Call:
		return madeTexts[strings.ToLower(e.Name)]
	}
	return false
}

// rightTrimmer is rtrim of a text that was written or stored: of one that is made of
// nothing but the signs it is given, Neo4j 5.26 leaves the first.
var rightTrimmer = function{1, 2, false, func(x *exec, a []any) (any, error) {
	out, err := trimmer(strings.TrimRightFunc).do(x, a)
	if s, ok := a[0].(string); ok && len(a) > 1 && out == "" {
		return x.part(firstRunes(s, 1)), nil
	}
	return out, err
}}

// part is a copy of a part of a text: the part itself would keep the whole.
func (x *exec) part(s string) string {
	x.make(len(s))
	return strings.Clone(s)
}

// normal is s in a normal form, which takes longer than anything else that is
// done to a text.
func (x *exec) normal(form norm.Form, s string) string {
	x.make(normGrows[form] * len(s))
	var segments norm.Iter
	segments.InitString(form, s)
	var b strings.Builder
	for !segments.Done() {
		x.tick()
		b.Write(segments.Next())
	}
	return b.String()
}

// firstRunes is s up to n signs.
func firstRunes(s string, n int) string {
	for at := range s {
		if n == 0 {
			return s[:at]
		}
		n--
	}
	return s
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

// How many times longer a text can be in other letters (ΐ in capitals), and in
// normal form (Unicode Standard Annex 15, "Maximum Expansion Factor").
const caseGrows = 3

var normGrows = map[norm.Form]int{norm.NFC: 3, norm.NFD: 3, norm.NFKC: 11, norm.NFKD: 11}

var normalForms = map[string]norm.Form{"": norm.NFC, "NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

// normalizing makes normalize of a form.
func normalizing(form norm.Form) function {
	return function{1, 1, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a)
		if err != nil {
			return nil, err
		}
		return x.normal(form, s[0]), nil
	}}
}

// isNormalized compiles X IS NORMALIZED; of what is no text nothing is known.
func (c *compiler) isNormalized(s *scope, e *cypher.IsNormalized) (expr, error) {
	of, err := c.expr(s, e.X)
	if err != nil {
		return nil, err
	}
	form := normalForms[e.Form]
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		text, ok := v.(string)
		if err != nil || !ok {
			return nil, err
		}
		x.work(len(text))
		return form.IsNormalString(text) != e.Not, nil
	}, nil
}

var textFunctions = map[string]function{
	"tolower": inCase(lowerCase),
	"toupper": inCase(upperCase),
	"lower":   inCase(lowerCase),
	"upper":   inCase(upperCase),
	"trim":    trimmer(strings.TrimFunc),
	"btrim":   trimmer(strings.TrimFunc),
	"ltrim":   trimmer(strings.TrimLeftFunc),
	"rtrim":   trimmer(strings.TrimRightFunc),

	"normalize":        normalizing(norm.NFC),
	"char_length":      lengthOf,
	"character_length": lengthOf,

	"left": {2, 2, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a[:1])
		if err != nil {
			return nil, err
		}
		n, err := lengthArg(a[1])
		if err != nil {
			return nil, err
		}
		x.work(len(s[0]))
		return x.part(firstRunes(s[0], n)), nil
	}},
	"right": {2, 2, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a[:1])
		if err != nil {
			return nil, err
		}
		n, err := lengthArg(a[1])
		if err != nil {
			return nil, err
		}
		x.work(len(s[0]))
		before := firstRunes(s[0], max(0, utf8.RuneCountInString(s[0])-n))
		return x.part(s[0][len(before):]), nil
	}},
	"substring": {2, 3, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a[:1])
		if err != nil {
			return nil, err
		}
		from, err := lengthArg(a[1])
		if err != nil {
			return nil, err
		}
		x.work(len(s[0]))
		rest := s[0][len(firstRunes(s[0], from)):]
		if len(a) == 3 {
			n, err := lengthArg(a[2])
			if err != nil {
				return nil, err
			}
			rest = firstRunes(rest, n)
		}
		return x.part(rest), nil
	}},
	"replace": {3, 3, false, func(x *exec, a []any) (any, error) {
		s, err := texts(a)
		if err != nil {
			return nil, err
		}
		x.work(len(s[0]))
		size := len(s[0]) + strings.Count(s[0], s[1])*(len(s[2])-len(s[1]))
		if s[1] == "" {
			size = len(s[0]) + (len(s[0])+1)*len(s[2])
		}
		if size > maxText {
			return nil, tooLong("a text", maxText)
		}
		x.make(size)
		if s[1] == "" {
			return replaceEmpty(s[0], s[2]), nil
		}
		return strings.ReplaceAll(s[0], s[1], s[2]), nil
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
		return x.splitAt(s, delims), nil
	}},
}

// halfSign is what Neo4j sends for half of a sign beyond the Basic Multilingual
// Plane: its texts are UTF-16, so an empty text is found in the middle of one.
const halfSign = "?"

// halves calls do for each UTF-16 unit of s.
func halves(s string, do func(unit string)) {
	for _, r := range s {
		if r > 0xFFFF {
			do(halfSign)
			do(halfSign)
			continue
		}
		do(string(r))
	}
}

// replaceEmpty puts with before, between and behind the units of s.
func replaceEmpty(s, with string) string {
	var b strings.Builder
	halves(s, func(unit string) {
		b.WriteString(with)
		b.WriteString(unit)
	})
	b.WriteString(with)
	return b.String()
}

// splitAt cuts s at any of the delimiters; an empty one cuts between all signs.
func (x *exec) splitAt(s string, delims []string) []any {
	if s == "" {
		return []any{""}
	}
	var out []any
	piece := func(s string) {
		x.make(slotBytes + itemBytes(s)) // a slot more, for a list has room to grow
		out = append(out, x.part(s))
	}
	start := 0
next:
	for at := 0; at < len(s); {
		for _, d := range delims {
			x.tick()
			if d == "" {
				r, size := utf8.DecodeRuneInString(s[at:])
				if r > 0xFFFF && start == at {
					piece(halfSign)
					piece(halfSign)
				} else {
					piece(s[start : at+size])
				}
				at += size
				start = at
				continue next
			}
			if strings.HasPrefix(s[at:], d) {
				piece(s[start:at])
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
		piece(s[start:])
	}
	return out
}
