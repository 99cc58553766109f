package embedded

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// converter makes a conversion; orNull turns the error for an unfit type into null.
func converter(convert func(x *exec, v any) (any, error), orNull bool) function {
	return function{1, 1, false, func(x *exec, a []any) (any, error) {
		v, err := convert(x, a[0])
		if err != nil && orNull {
			return nil, nil
		}
		return v, err
	}}
}

var convertFunctions = map[string]function{
	"toboolean":       converter(toBoolean, false),
	"tobooleanornull": converter(toBoolean, true),
	"tofloat":         converter(toFloat, false),
	"tofloatornull":   converter(toFloat, true),
	"tointeger":       converter(toInteger, false),
	"tointegerornull": converter(toInteger, true),
	"tostring":        converter(toText, false),
	"tostringornull":  converter(toText, true),
	"valuetype":       {1, 1, true, func(x *exec, a []any) (any, error) { return x.valueType(a[0]), nil }},
}

func toBoolean(x *exec, v any) (any, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case int64:
		return v != 0, nil
	case string:
		x.work(len(v))
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, nil
	}
	return nil, mismatch("Boolean, Integer or String", v)
}

func toFloat(x *exec, v any) (any, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int64:
		return float64(v), nil
	case string:
		x.work(len(v))
		s := strings.TrimSpace(v)
		if s == "NaN" || strings.TrimLeft(s, "+-") == "Infinity" {
			f, _ := strconv.ParseFloat(s, 64)
			return f, nil
		}
		if strings.ContainsAny(s, "xXpP_") || strings.ContainsAny(s, "nN") {
			return nil, nil
		}
		f, err := strconv.ParseFloat(strings.TrimRight(s, "dDfF"), 64)
		if err != nil && !math.IsInf(f, 0) || s == "" {
			return nil, nil
		}
		return f, nil
	}
	return nil, mismatch("Float, Integer or String", v)
}

// maxDigits is how long the text of a number may be: reading digits takes time
// that grows with their square.
const maxDigits = 1000

func toInteger(x *exec, v any) (any, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case float64:
		return truncated(v), nil
	case bool:
		return int64(boolOrder(v)), nil
	case string:
		s := v
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n, nil
		}
		x.work(len(s))
		if s == "" || len(s) > maxDigits || strings.ContainsAny(s, "xXpP_nN/ \t\r\n") {
			return nil, nil
		}
		if exp := strings.IndexAny(s, "eE"); exp >= 0 && len(s)-exp > 6 {
			return nil, nil // an exponent that no long has
		}
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			return nil, nil
		}
		n := new(big.Int).Quo(r.Num(), r.Denom())
		if !n.IsInt64() {
			return nil, queryError("integer, %s, is too large", show(v))
		}
		return n.Int64(), nil
	}
	return nil, mismatch("Integer, Float, Boolean or String", v)
}

// truncated is Java's cast from double to long.
func truncated(f float64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= 1<<63:
		return math.MaxInt64
	case f < -(1 << 63):
		return math.MinInt64
	}
	return int64(f)
}

func toText(_ *exec, v any) (any, error) {
	if s, ok := textOf(v); ok {
		return s, nil
	}
	return nil, mismatch("Float, Integer, Boolean, String, Point, Duration or a temporal value", v)
}
