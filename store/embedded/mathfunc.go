package embedded

import (
	"math"
	"math/big"
	"strconv"

	"precedent/store"
)

// onNumber makes a function of one number that gives a float.
func onNumber(do func(f float64) float64) function {
	return function{1, 1, false, func(_ *exec, a []any) (any, error) {
		f, ok := store.Float(a[0])
		if !ok {
			return nil, mismatch("Float", a[0])
		}
		return do(f), nil
	}}
}

var mathFunctions = map[string]function{
	"pi": {0, 0, false, func(*exec, []any) (any, error) { return math.Pi, nil }},
	"e":  {0, 0, false, func(*exec, []any) (any, error) { return math.E, nil }},

	"ceil": onNumber(math.Ceil), "floor": onNumber(math.Floor), "sqrt": onNumber(math.Sqrt), "exp": onNumber(math.Exp),
	"log": onNumber(math.Log), "log10": onNumber(math.Log10),
	"sin": onNumber(math.Sin), "cos": onNumber(math.Cos), "tan": onNumber(math.Tan),
	"asin": onNumber(math.Asin), "acos": onNumber(math.Acos), "atan": onNumber(math.Atan),
	"sinh": onNumber(math.Sinh), "cosh": onNumber(math.Cosh), "tanh": onNumber(math.Tanh),
	"cot":      onNumber(func(f float64) float64 { return 1 / math.Tan(f) }),
	"coth":     onNumber(func(f float64) float64 { return 1 / math.Tanh(f) }),
	"degrees":  onNumber(func(f float64) float64 { return f * 180 / math.Pi }),
	"radians":  onNumber(func(f float64) float64 { return f / 180 * math.Pi }),
	"haversin": onNumber(func(f float64) float64 { return (1 - math.Cos(f)) / 2 }),
	"atan2": {2, 2, false, func(_ *exec, a []any) (any, error) {
		y, ok := store.Float(a[0])
		x, ok2 := store.Float(a[1])
		if !ok || !ok2 {
			return nil, mismatch("Float", a)
		}
		return math.Atan2(y, x), nil
	}},
	"abs": {1, 1, false, func(_ *exec, a []any) (any, error) {
		switch v := a[0].(type) {
		case int64:
			if v == math.MinInt64 {
				return v, nil // as Java wraps
			}
			return max(v, -v), nil
		case float64:
			return math.Abs(v), nil
		}
		return nil, mismatch("Float or Integer", a[0])
	}},
	"sign": {1, 1, false, func(_ *exec, a []any) (any, error) {
		f, ok := store.Float(a[0])
		if !ok {
			return nil, mismatch("Float", a[0])
		}
		switch {
		case f > 0:
			return int64(1), nil
		case f < 0:
			return int64(-1), nil
		}
		return int64(0), nil
	}},
	"isnan": {1, 1, false, func(_ *exec, a []any) (any, error) {
		f, ok := store.Float(a[0])
		if !ok {
			return nil, mismatch("Float or Integer", a[0])
		}
		return math.IsNaN(f), nil
	}},
	"round": {1, 3, false, round},
}

// round is round(x), round(x, places) and round(x, places, mode). Without a
// mode, ties of round(x) go up, others away from zero.
func round(_ *exec, a []any) (any, error) {
	f, ok := store.Float(a[0])
	if !ok {
		return nil, mismatch("Float", a[0])
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return f, nil
	}
	places, mode := int64(0), "HALF_UP"
	if len(a) > 1 {
		if places, ok = a[1].(int64); !ok {
			if g, isFloat := a[1].(float64); !isFloat || g != math.Trunc(g) {
				return nil, mismatch("Integer", a[1])
			} else {
				places = int64(g)
			}
		}
		if places < 0 {
			return nil, queryError("Precision argument to 'round()' cannot be negative")
		}
	}
	if len(a) > 2 {
		if mode, ok = a[2].(string); !ok {
			return nil, mismatch("String", a[2])
		}
	} else if places == 0 {
		if whole := math.Floor(f); f-whole >= 0.5 {
			return whole + 1, nil
		} else {
			return whole, nil
		}
	}
	const exact = 400 // no float has more decimals that matter
	if places > exact {
		return f, nil
	}
	x, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil))
	x.Mul(x, unit)
	whole, rest := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	half := new(big.Int).Abs(rest)
	tie := half.Lsh(half, 1).Cmp(x.Denom()) // of |rest| with a half
	away := false
	switch mode {
	case "UP":
		away = rest.Sign() != 0
	case "DOWN":
	case "CEILING":
		away = rest.Sign() > 0
	case "FLOOR":
		away = rest.Sign() < 0
	case "HALF_UP":
		away = tie >= 0
	case "HALF_DOWN":
		away = tie > 0
	case "HALF_EVEN":
		away = tie > 0 || tie == 0 && whole.Bit(0) == 1
	default:
		return nil, queryError("Unknown rounding mode. Valid values are: CEILING, FLOOR, UP, DOWN, HALF_EVEN, HALF_UP, HALF_DOWN; not %q", mode)
	}
	if away {
		whole.Add(whole, big.NewInt(int64(x.Sign())))
	}
	out, _ := new(big.Rat).Quo(new(big.Rat).SetInt(whole), unit).Float64()
	return out, nil
}
