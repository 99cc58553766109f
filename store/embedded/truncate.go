package embedded

import (
	"slices"
	"strings"

	"precedent/store"
)

// truncate makes date.truncate(unit, x, {fields}) and its kin; x is the time of the
// run where it is left out.
func truncate(k temporalKind) func(*exec, []any) (any, error) {
	return func(x *exec, a []any) (any, error) {
		unit, ok := a[0].(string)
		if !ok {
			return nil, mismatch("String", a[0])
		}
		if len(a) == 1 {
			a = append(a, x.clock())
		}
		if a[1] == nil {
			return nil, queryError("Invalid call signature for Truncate: there is nothing to truncate; test for IS NOT NULL first")
		}
		m, err := asMoment(a[1])
		if err != nil {
			return nil, err
		}
		if k.dated() && !m.dated {
			return nil, queryError("Cannot truncate %s to a %s: it has no date", typeName(a[1]), unit)
		}
		day, clock, ok := floorTo(m.local, strings.ToLower(unit))
		if !ok || !k.dated() && !timeUnit(unit) && strings.ToLower(unit) != "day" || k == dateKind && timeUnit(unit) {
			return nil, queryError("Unsupported unit: %s", unit)
		}
		m.local, m.timed = store.DateTimeOf(day, clock), true
		if len(a) < 3 || a[2] == nil {
			return k.from(m)
		}
		more, ok := a[2].(map[string]any)
		if !ok {
			return nil, mismatch("Map", a[2])
		}
		f := fields{}
		for key, v := range more {
			if key == "timezone" && k.zoned() { // the same time of day on another clock
				zone, ok := v.(string)
				if !ok {
					return nil, mismatch("String", v)
				}
				x.setZone(&m, zone)
				continue
			}
			if err := f.take(k, key, v); err != nil {
				return nil, err
			}
		}
		if k.timed() && f.has(timeFields...) { // finer than the unit; added, as the rest is 0
			f["nanosecond"] = f.or("nanosecond", 0) + m.local.Time().Nanos%1e9
		}
		return k.build(x, f, m, true, "", false)
	}
}

func timeUnit(unit string) bool { return slices.Contains(timeFields, strings.ToLower(unit)) }

func floorTo(local store.LocalDateTime, unit string) (store.Date, store.LocalTime, bool) {
	day := local.Date()
	year, month, _ := day.Civil()
	first := func(year int64, month int) (store.Date, store.LocalTime, bool) {
		return store.DateOf(year, month, 1), store.LocalTime{}, true
	}
	switch unit {
	case "millennium":
		return first(floorDiv(year, 1000)*1000, 1)
	case "century":
		return first(floorDiv(year, 100)*100, 1)
	case "decade":
		return first(floorDiv(year, 10)*10, 1)
	case "year":
		return first(year, 1)
	case "weekyear":
		wy, _ := day.Week()
		d, _ := store.WeekDate(wy, 1, 1)
		return d, store.LocalTime{}, true
	case "quarter":
		return first(year, (month-1)/3*3+1)
	case "month":
		return first(year, month)
	case "week":
		return store.Date{Days: day.Days - int64(day.Weekday()-1)}, store.LocalTime{}, true
	case "day":
		return day, store.LocalTime{}, true
	}
	units := map[string]int64{"hour": 3600e9, "minute": 60e9, "second": 1e9, "millisecond": 1e6, "microsecond": 1e3, "nanosecond": 1}
	n, ok := units[unit]
	if !ok {
		return day, store.LocalTime{}, false
	}
	nanos := local.Time().Nanos
	return day, store.LocalTime{Nanos: nanos - nanos%n}, true
}
