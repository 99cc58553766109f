package engine

import (
	"fmt"
	"time"

	"precedent/engine/reading"
	"precedent/store"
)

// period is what a slot's value stands for where it fills two parameters: the first
// of it and what comes right behind it, and the last of it. Years of a decade are
// numbers; days are dates as ISO 8601 writes them.
type period struct{ first, next, last any }

// periodOf is the period of a decade by its first year, a year, or a month as 2026-09.
func periodOf(typ string, v any) (p period, ok bool) {
	at := func(from, next time.Time) (period, bool) {
		return period{from.Format(time.DateOnly), next.Format(time.DateOnly), next.AddDate(0, 0, -1).Format(time.DateOnly)}, true
	}
	switch typ {
	case "decade":
		n, ok := v.(int64)
		return period{n, n + 10, n + 9}, ok
	case "year":
		n, ok := float(v)
		if !ok || n != float64(int(n)) || n < reading.FirstYear || n > reading.LastYear {
			return p, false
		}
		from := time.Date(int(n), 1, 1, 0, 0, 0, 0, time.UTC)
		return at(from, from.AddDate(1, 0, 0))
	case "month":
		from, err := time.Parse("2006-01", fmt.Sprint(v))
		if err != nil {
			return p, false
		}
		return at(from, from.AddDate(0, 1, 0))
	}
	return p, false
}

// numbersOf are the year and the month that a period of days begins with.
func numbersOf(p period) (year, month int64, ok bool) {
	first, isText := p.first.(string)
	from, err := time.Parse(time.DateOnly, first)
	return int64(from.Year()), int64(from.Month()), isText && err == nil
}

// isPeriod reports whether a slot fills several parameters: $name_from and $name_to, a
// month also $name_year and $name_month.
func isPeriod(s store.Slot) bool { return s.Type == "decade" || s.Type == "year" || s.Type == "month" }

// before reports whether a lies before b: numbers, or dates as ISO 8601 writes them.
func before(a, b any) bool {
	x, isNumber := float(a)
	y, both := float(b)
	if isNumber && both {
		return x < y
	}
	s, isText := a.(string)
	t, both := b.(string)
	return isText && both && len(s) == len(time.DateOnly) && len(t) == len(s) && s < t
}
