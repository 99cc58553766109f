package embedded

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"precedent/store"
)

var (
	overflow  = queryError("long overflow")
	divByZero = queryError("/ by zero")
)

// maxText is how many bytes one text that an expression builds may have: with
// fewer, nothing that is done to a text takes long enough to be interrupted in.
const maxText = 4 << 20

func tooLong(what string, most int) error {
	return fmt.Errorf("%w: %s would be longer than %d MiB", store.ErrTooLarge, what, most>>20)
}

// numbers splits two operands: both is 'i' for two integers, 'f' where at least
// one is a float, 0 where one is no number.
func numbers(a, b any) (i, j int64, f, g float64, both byte) {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return a, b, 0, 0, 'i'
		case float64:
			return 0, 0, float64(a), b, 'f'
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return 0, 0, a, float64(b), 'f'
		case float64:
			return 0, 0, a, b, 'f'
		}
	}
	return 0, 0, 0, 0, 0
}

func addInts(a, b int64) (any, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return nil, overflow
	}
	return sum, nil
}

func add(x *exec, a, b any) (any, error) {
	switch i, j, f, g, both := numbers(a, b); both {
	case 'i':
		return addInts(i, j)
	case 'f':
		return f + g, nil
	}
	if a == nil || b == nil {
		return nil, nil
	}
	la, aList := a.([]any)
	lb, bList := b.([]any)
	switch {
	case aList && bList:
		return join(x, la, lb)
	case aList:
		return join(x, la, []any{b})
	case bList:
		return join(x, []any{a}, lb)
	}
	_, aText := a.(string)
	_, bText := b.(string)
	if aText || bText {
		s, ok := textOf(a)
		t, ok2 := textOf(b)
		if ok && ok2 {
			return joinTexts(x, s, t)
		}
	}
	if v, ok, err := addTemporal(a, b, 1); ok || err != nil {
		return v, err
	}
	return nil, queryError("Type mismatch: cannot add %s and %s", typeName(a), typeName(b))
}

func join(x *exec, a, b []any) (any, error) {
	x.make(listBytes + (slotBytes+boxBytes)*(len(a)+len(b)))
	out := make([]any, 0, len(a)+len(b))
	return append(append(out, a...), b...), nil
}

func joinTexts(x *exec, s, t string) (any, error) {
	if len(s)+len(t) > maxText {
		return nil, tooLong("a text", maxText)
	}
	x.make(len(s) + len(t))
	return s + t, nil
}

// concat is a || b: two texts or two lists.
func concat(x *exec, a, b any) (any, error) {
	if a == nil || b == nil {
		return nil, nil
	}
	if s, ok := a.(string); ok {
		if t, ok := b.(string); ok {
			return joinTexts(x, s, t)
		}
	}
	if l, ok := a.([]any); ok {
		if m, ok := b.([]any); ok {
			return join(x, l, m)
		}
	}
	return nil, queryError("Type mismatch: cannot concatenate %s and %s", typeName(a), typeName(b))
}

func subtract(_ *exec, a, b any) (any, error) {
	switch i, j, f, g, both := numbers(a, b); both {
	case 'i':
		diff := i - j
		if (diff < i) != (j > 0) && j != 0 {
			return nil, overflow
		}
		return diff, nil
	case 'f':
		return f - g, nil
	}
	if a == nil || b == nil {
		return nil, nil
	}
	if _, ok := b.(store.Duration); ok {
		if v, ok, err := addTemporal(a, b, -1); ok || err != nil {
			return v, err
		}
	}
	return nil, queryError("Type mismatch: cannot subtract %s from %s", typeName(b), typeName(a))
}

func multiply(_ *exec, a, b any) (any, error) {
	switch i, j, f, g, both := numbers(a, b); both {
	case 'i':
		if i == 0 || j == 0 {
			return int64(0), nil
		}
		p := i * j
		if p/j != i || i == -1 && j == math.MinInt64 || j == -1 && i == math.MinInt64 {
			return nil, overflow
		}
		return p, nil
	case 'f':
		return f * g, nil
	}
	if a == nil || b == nil {
		return nil, nil
	}
	if d, ok := a.(store.Duration); ok {
		if v, ok, err := scale(d, b, false); ok {
			return v, err
		}
	}
	if d, ok := b.(store.Duration); ok {
		if v, ok, err := scale(d, a, false); ok {
			return v, err
		}
	}
	return nil, queryError("Type mismatch: cannot multiply %s and %s", typeName(a), typeName(b))
}

func divide(_ *exec, a, b any) (any, error) {
	switch i, j, f, g, both := numbers(a, b); both {
	case 'i':
		if j == 0 {
			return nil, divByZero
		}
		if i == math.MinInt64 && j == -1 {
			return i, nil // as Java wraps
		}
		return i / j, nil
	case 'f':
		return f / g, nil
	}
	if a == nil || b == nil {
		return nil, nil
	}
	if d, ok := a.(store.Duration); ok {
		if v, ok, err := scale(d, b, true); ok {
			return v, err
		}
	}
	return nil, queryError("Type mismatch: cannot divide %s by %s", typeName(a), typeName(b))
}

func modulo(_ *exec, a, b any) (any, error) {
	switch i, j, f, g, both := numbers(a, b); both {
	case 'i':
		if j == 0 {
			return nil, divByZero
		}
		if j == -1 {
			return int64(0), nil
		}
		return i % j, nil
	case 'f':
		return math.Mod(f, g), nil
	}
	if a == nil || b == nil {
		return nil, nil
	}
	return nil, queryError("Type mismatch: cannot calculate modulus of %s and %s", typeName(a), typeName(b))
}

func power(_ *exec, a, b any) (any, error) {
	switch i, j, f, g, both := numbers(a, b); both {
	case 'i':
		return math.Pow(float64(i), float64(j)), nil
	case 'f':
		return math.Pow(f, g), nil
	}
	if a == nil || b == nil {
		return nil, nil
	}
	return nil, queryError("Type mismatch: cannot raise %s to the power of %s", typeName(a), typeName(b))
}

// textOf prints a value as toString does; ok is false for what has no text.
func textOf(v any) (s string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return floatText(v), true
	case store.Point:
		coords := []float64{v.X, v.Y, v.Z}
		names := []string{"x", "y", "z"}
		if !v.ThreeD() {
			coords = coords[:2]
		}
		parts := make([]string, len(coords))
		for i, f := range coords {
			parts[i] = names[i] + ": " + floatText(f)
		}
		return "point({" + strings.Join(parts, ", ") + ", crs: '" + crsName(v.SRID) + "'})", true
	case store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime, store.Duration:
		return v.(fmt.Stringer).String(), true
	}
	return "", false
}

// floatText prints f as Java's Double.toString does: 1.0, 0.001, 1.0E7, 1.0E-4.
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if a := math.Abs(f); a == 0 || a >= 1e-3 && a < 1e7 {
		s := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	e, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(e)
}

// scale multiplies or divides a duration by a number.
func scale(d store.Duration, by any, divides bool) (v any, ok bool, err error) {
	f, isNumber := store.Float(by)
	if !isNumber {
		return nil, false, nil
	}
	factor := new(big.Rat)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, true, queryError("a duration cannot be multiplied by %s", floatText(f))
	}
	factor.SetFloat64(f)
	if n, ok := by.(int64); ok {
		factor.SetInt64(n)
	}
	if divides {
		if factor.Sign() == 0 {
			return nil, true, divByZero
		}
		factor.Inv(factor)
	}
	times := func(n int64) *big.Rat { return new(big.Rat).Mul(big.NewRat(n, 1), factor) }
	seconds := new(big.Rat).Add(big.NewRat(d.Seconds, 1), big.NewRat(int64(d.Nanos), 1e9))
	out, fits := store.ApproximateDuration(times(d.Months), times(d.Days), seconds.Mul(seconds, factor))
	if !fits {
		return nil, true, overflow
	}
	return out, true, nil
}

// addTemporal adds a duration to a temporal value, or two durations; sign is 1 or -1.
func addTemporal(a, b any, sign int64) (v any, ok bool, err error) {
	d, isDuration := b.(store.Duration)
	if !isDuration {
		if d, isDuration = a.(store.Duration); !isDuration || sign < 0 {
			return nil, false, nil
		}
		a = b
	}
	d = store.Duration{Months: sign * d.Months, Days: sign * d.Days, Seconds: sign * d.Seconds, Nanos: int(sign) * d.Nanos}
	switch a := a.(type) {
	case store.Duration:
		return normal(a.Months+d.Months, a.Days+d.Days, a.Seconds+d.Seconds, int64(a.Nanos)+int64(d.Nanos)), true, nil
	case store.Date:
		// Whole days in the seconds count; what is left of them does not.
		day := plusMonths(a, d.Months).Days + d.Days + (d.Seconds+floorDiv(int64(d.Nanos), 1e9))/86400
		return store.Date{Days: day}, true, dateInRange(day)
	case store.LocalTime:
		return store.LocalTime{Nanos: plusNanos(a.Nanos, d)}, true, nil
	case store.Time:
		return store.Time{Nanos: plusNanos(a.Nanos, d), Offset: a.Offset}, true, nil
	case store.LocalDateTime:
		v := plusDuration(a, d)
		return v, true, dateInRange(v.Date().Days)
	case store.DateTime:
		// Months and days move the calendar, seconds the instant.
		zone := a.Zone
		if zone == "" {
			return shiftOffset(a, d)
		}
		moved, err := plusDuration(a.Local(), store.Duration{Months: d.Months, Days: d.Days}).In(zone)
		if err != nil {
			return nil, true, queryError("%v", err)
		}
		n := int64(moved.Nanos) + int64(d.Nanos)
		moved.Seconds += d.Seconds + floorDiv(n, 1e9)
		moved.Nanos = int(floorMod(n, 1e9))
		out, err := moved.In(zone)
		if err != nil {
			return nil, true, queryError("%v", err)
		}
		return out, true, dateInRange(out.Local().Date().Days)
	}
	return nil, false, nil
}

func shiftOffset(a store.DateTime, d store.Duration) (any, bool, error) {
	local := plusDuration(a.Local(), d)
	return store.DateTime{Seconds: local.Seconds - int64(a.Offset), Nanos: local.Nanos, Offset: a.Offset}, true, dateInRange(local.Date().Days)
}

// dateInRange refuses what Neo4j's dates can't hold.
func dateInRange(day int64) error {
	const most = 999_999_999 * 366
	if day > most || day < -most {
		return queryError("the date is out of range")
	}
	return nil
}

func plusDuration(a store.LocalDateTime, d store.Duration) store.LocalDateTime {
	day := plusMonths(a.Date(), d.Months).Days + d.Days
	n := int64(a.Nanos) + int64(d.Nanos)
	return store.LocalDateTime{
		Seconds: day*86400 + floorMod(a.Seconds, 86400) + d.Seconds + floorDiv(n, 1e9),
		Nanos:   int(floorMod(n, 1e9)),
	}
}

func plusNanos(nanos int64, d store.Duration) int64 {
	const day = 86400 * int64(1e9)
	return floorMod(nanos+floorMod(d.Seconds, 86400)*1e9+int64(d.Nanos), day)
}

// plusMonths keeps the day of the month where the month has it, else takes the last.
func plusMonths(d store.Date, months int64) store.Date {
	if months == 0 {
		return d
	}
	year, month, day := d.Civil()
	total := year*12 + int64(month-1) + months
	year, month = floorDiv(total, 12), int(floorMod(total, 12))+1
	return store.DateOf(year, month, min(day, store.DaysIn(year, month)))
}

// normal carries nanoseconds into seconds.
func normal(months, days, seconds, nanos int64) store.Duration {
	return store.Duration{Months: months, Days: days, Seconds: seconds + floorDiv(nanos, 1e9), Nanos: int(floorMod(nanos, 1e9))}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }
