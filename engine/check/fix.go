package check

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
)

// A fix is what becomes of a value that is compared with a property of another type.
type fix struct {
	value    any         // in its place, or
	with     string      // the function to call on it, or
	instead  cypher.Expr // this
	left     string      // the function to call on the property
	mistyped bool        // nothing that could be right
}

func (f fix) isNone() bool {
	return f.value == nil && f.with == "" && f.instead == nil && f.left == "" && !f.mistyped
}

// fixFor says what to do about a value of type got that is compared with one of type
// kind.
func (v *survey) fixFor(u use, kind, got string, value any, isConstant bool, known ownership) fix {
	text, isText := value.(string)
	switch kind {
	case isString:
		return fixString(u, got, value, isConstant, known)
	case isInteger, isFloat:
		switch {
		case isText:
			return fixNumber(kind, text)
		case got == isFloat && kind == isInteger && u.is != orders:
			f, ok := value.(float64)
			return fix{mistyped: ok && f != math.Trunc(f)}
		case got != isInteger && got != isFloat:
			return fix{mistyped: true}
		}
	case isBoolean:
		if got == isBoolean {
			return fix{}
		}
		if b, err := strconv.ParseBool(strings.ToLower(fmt.Sprint(value))); err == nil && isConstant {
			return fix{value: b}
		}
		return fix{mistyped: true}
	case isDate, isZoned, isLocal:
		if isText {
			return fixTime(u, kind, text)
		}
		return fixTemporal(u, kind, got)
	case isDuration:
		if _, err := store.ParseDuration(text); isText && err == nil {
			return fix{with: "duration"}
		}
		return fix{mistyped: got != isDuration}
	}
	return fix{}
}

var (
	isoDate     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	isoDateTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}(:\d{2}){0,2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?(\[.+\])?$`)
	slashedDate = regexp.MustCompile(`^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$`)
)

// allTexts reports whether there are samples and each is a text that is so.
func allTexts(samples []any, is func(string) bool) bool {
	return len(samples) > 0 && !slices.ContainsFunc(samples, func(v any) bool {
		s, ok := v.(string)
		return !ok || !is(s)
	})
}

// fixString is for a property that holds texts.
func fixString(u use, got string, value any, isConstant bool, known ownership) fix {
	plain := u.made == "" && (u.is == equals || u.is == differs)
	switch got {
	case isString, isList:
		return fix{}
	case isInteger, isFloat:
		said := fmt.Sprint(value)
		if plain && allTexts(known.samples, func(s string) bool { return isNumeral(s) && strconvForm(s) == s }) {
			return fix{value: said}
		}
	case isBoolean:
		want := fmt.Sprint(value)
		for _, s := range known.samples {
			if text, ok := s.(string); ok && plain && strings.EqualFold(text, want) {
				return fix{value: text}
			}
		}
	case isDate:
		if !allTexts(known.samples, isoDate.MatchString) || u.made != "" {
			break
		}
		if c, ok := u.with.(*cypher.Call); ok && len(c.Args) == 1 {
			switch arg := c.Args[0].(type) {
			case *cypher.Literal:
				if s, ok := arg.Value.(string); ok && isoDate.MatchString(s) {
					return fix{value: s}
				}
			case *cypher.Parameter:
				return fix{instead: arg}
			}
		}
		return fix{left: "date"}
	}
	return fix{mistyped: true}
}

func isNumeral(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// strconvForm is the number in s as a number prints; "007" isn't so.
func strconvForm(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return fmt.Sprint(n)
	}
	f, _ := strconv.ParseFloat(s, 64)
	return fmt.Sprint(f)
}

// fixNumber is for a property that holds numbers and a text.
func fixNumber(kind, text string) fix {
	n, ok := reading.NumberOf(text)
	switch {
	case !ok:
		return fix{mistyped: true}
	case n == math.Trunc(n) && math.Abs(n) < 1<<53 && (kind == isInteger || !strings.Contains(text, ".")):
		return fix{value: int64(n)}
	}
	return fix{value: n}
}

// fixTime is for a property that holds points in time and a text.
func fixTime(u use, kind, text string) fix {
	whole := u.op == cypher.Ge || u.op == cypher.Lt // of a day: where it begins
	if m := slashedDate.FindStringSubmatch(text); m != nil {
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		iso := fmt.Sprintf("%s-%02d-%02d", m[1], month, day)
		if _, err := store.ParseDate(iso); err == nil {
			f := fixTime(u, kind, iso)
			if f.with != "" {
				f.instead, f.with = &cypher.Call{Name: f.with, Args: []cypher.Expr{&cypher.Literal{Value: iso}}}, ""
			}
			return f
		}
	}
	_, err := store.ParseDate(text)
	isDay := isoDate.MatchString(text) && err == nil
	isPart := err == nil && !isDay // 2024, 2024-05: where it begins
	isInstant := isoDateTime.MatchString(text)
	chained := false
	if c, ok := u.of.(*cypher.Comparison); ok {
		chained = len(c.Ops) > 1
	}
	_, inMap := u.of.(*cypher.Map)
	function := map[string]string{isDate: "date", isZoned: "datetime", isLocal: "localdatetime"}[kind]
	switch {
	case kind == isDate && isDay, kind == isDate && isPart && u.is == orders && whole && len(text) <= len("2006-01"):
		return fix{with: "date"}
	case kind == isDate && isInstant && strings.Contains(text, "T00:00") && !strings.ContainsAny(text, "Z+["):
		day, _, _ := strings.Cut(text, "T")
		return fix{instead: &cypher.Call{Name: "date", Args: []cypher.Expr{&cypher.Literal{Value: day}}}}
	case kind != isDate && isInstant:
		return fix{with: function}
	case kind != isDate && isDay && u.is == orders && whole && !chained:
		return fix{with: function}
	case kind != isDate && isDay && !inMap && u.made == "":
		return fix{with: "date", left: "date"}
	case kind != isDate && isPart && u.is == orders && whole && !chained && len(text) <= len("2006-01"):
		return fix{with: function}
	}
	return fix{mistyped: true}
}

// fixTemporal is for a property that holds points in time and another value.
func fixTemporal(u use, kind, got string) fix {
	_, inMap := u.of.(*cypher.Map)
	switch {
	case got == kind:
		return fix{}
	case got == isDate && !inMap && u.made == "":
		return fix{left: "date"}
	case kind == isDate && (got == isZoned || got == isLocal) && u.is == orders:
		return fix{with: "date"}
	case kind == isLocal && got == isZoned:
		return fix{with: "localdatetime"}
	case kind == isZoned && got == isLocal:
		return fix{with: "datetime"}
	}
	return fix{mistyped: true}
}
