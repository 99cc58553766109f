package embedded

import (
	"math"
	"math/big"

	"precedent/store"
)

var temporalFunctions = map[string]function{
	"date":          {0, 1, false, instant(dateKind)},
	"localtime":     {0, 1, false, instant(localTimeKind)},
	"time":          {0, 1, false, instant(timeKind)},
	"localdatetime": {0, 1, false, instant(localDateTimeKind)},
	"datetime":      {0, 1, false, instant(dateTimeKind)},

	"date.truncate":          {1, 3, true, truncate(dateKind)},
	"localtime.truncate":     {1, 3, true, truncate(localTimeKind)},
	"time.truncate":          {1, 3, true, truncate(timeKind)},
	"localdatetime.truncate": {1, 3, true, truncate(localDateTimeKind)},
	"datetime.truncate":      {1, 3, true, truncate(dateTimeKind)},

	"datetime.fromepoch": {2, 2, false, func(_ *exec, a []any) (any, error) {
		s, ok := a[0].(int64)
		n, ok2 := a[1].(int64)
		if !ok || !ok2 {
			return nil, mismatch("Integer", a[0])
		}
		d := store.DateTime{Seconds: s + floorDiv(n, 1e9), Nanos: int(floorMod(n, 1e9))}
		return d, dateInRange(d.Local().Date().Days)
	}},
	"datetime.fromepochmillis": {1, 1, false, func(_ *exec, a []any) (any, error) {
		ms, ok := a[0].(int64)
		if !ok {
			return nil, mismatch("Integer", a[0])
		}
		d := store.DateTime{Seconds: floorDiv(ms, 1000), Nanos: int(floorMod(ms, 1000) * 1e6)}
		return d, dateInRange(d.Local().Date().Days)
	}},

	"duration":           {1, 1, false, func(_ *exec, a []any) (any, error) { return durationFrom(a[0]) }},
	"duration.between":   {2, 2, false, between(true, true)},
	"duration.inmonths":  {2, 2, false, between(true, false)},
	"duration.indays":    {2, 2, false, between(false, true)},
	"duration.inseconds": {2, 2, false, between(false, false)},
}

// durationUnits are the fields of duration({…}), as parts of months, days or seconds.
var durationUnits = map[string]struct {
	part int // 0 months, 1 days, 2 seconds
	unit *big.Rat
}{
	"years": {0, big.NewRat(12, 1)}, "months": {0, big.NewRat(1, 1)},
	"weeks": {1, big.NewRat(7, 1)}, "days": {1, big.NewRat(1, 1)},
	"hours": {2, big.NewRat(3600, 1)}, "minutes": {2, big.NewRat(60, 1)}, "seconds": {2, big.NewRat(1, 1)},
	"milliseconds": {2, big.NewRat(1, 1e3)}, "microseconds": {2, big.NewRat(1, 1e6)}, "nanoseconds": {2, big.NewRat(1, 1e9)},
}

func durationFrom(v any) (any, error) {
	switch v := v.(type) {
	case store.Duration:
		return v, nil
	case string:
		if len(v) > maxWritten {
			return nil, queryError("%s is not a duration: it is too long", show(v))
		}
		d, err := store.ParseDuration(v)
		if err != nil {
			return nil, queryError("%v", err)
		}
		return d, nil
	case map[string]any:
		var parts [3]*big.Rat
		for i := range parts {
			parts[i] = new(big.Rat)
		}
		for _, key := range sortedKeys(v) {
			unit, ok := durationUnits[key]
			if !ok {
				return nil, queryError("No such field: %s: a duration is made of years, months, weeks, days, hours, minutes, seconds …", key)
			}
			n := new(big.Rat)
			switch f := v[key].(type) {
			case nil:
				return nil, queryError("%s must be a number value, but was null", key)
			case int64:
				n.SetInt64(f)
			case float64:
				if math.IsNaN(f) || math.IsInf(f, 0) {
					return nil, queryError("%s is not a number of %s", floatText(f), key)
				}
				n.SetFloat64(f)
			default:
				return nil, mismatch("Float or Integer", f)
			}
			parts[unit.part].Add(parts[unit.part], n.Mul(n, unit.unit))
		}
		d, ok := store.ApproximateDuration(parts[0], parts[1], parts[2])
		if !ok {
			return nil, overflow
		}
		return d, nil
	}
	return nil, mismatch("String, Map or Duration", v)
}

// between makes duration.between (months and days), inMonths (months), inDays
// (days) and inSeconds.
func between(months, days bool) func(*exec, []any) (any, error) {
	return func(_ *exec, a []any) (any, error) {
		from, err := asMoment(a[0])
		if err != nil {
			return nil, err
		}
		to, err := asMoment(a[1])
		if err != nil {
			return nil, err
		}
		return from.until(to, months, days)
	}
}

// A moment is a temporal value spread out for comparison with another of
// whatever type.
type moment struct {
	local        store.LocalDateTime
	offset       int
	zone         string
	dated, timed bool
	zoned        bool
}

func momentOf(v store.DateTime) moment {
	return moment{local: v.Local(), offset: v.Offset, zone: v.Zone, dated: true, timed: true, zoned: true}
}

func asMoment(v any) (moment, error) {
	switch v := v.(type) {
	case store.Date:
		return moment{local: store.DateTimeOf(v, store.LocalTime{}), dated: true}, nil
	case store.LocalTime:
		return moment{local: store.DateTimeOf(store.Date{}, v), timed: true}, nil
	case store.Time:
		return moment{local: store.DateTimeOf(store.Date{}, store.LocalTime{Nanos: v.Nanos}), offset: v.Offset, timed: true, zoned: true}, nil
	case store.LocalDateTime:
		return moment{local: v, dated: true, timed: true}, nil
	case store.DateTime:
		return momentOf(v), nil
	}
	return moment{}, mismatch("Date, Time, LocalTime, LocalDateTime or DateTime", v)
}

// until measures from m to o, on the clock of m. What one of them lacks is taken
// from the other: the date, the zone; a missing time is midnight.
func (m moment) until(o moment, months, days bool) (store.Duration, error) {
	switch {
	case m.dated && !o.dated:
		o.local = store.DateTimeOf(m.local.Date(), o.local.Time())
	case o.dated && !m.dated:
		m.local = store.DateTimeOf(o.local.Date(), m.local.Time())
	}
	zone := ""
	switch {
	case m.zoned:
		zone = m.zoneText()
	case o.zoned:
		zone = o.zoneText()
	}
	end, err := o.in(zone)
	if err != nil {
		return store.Duration{}, err
	}
	d := store.Duration{}
	dated := m.dated && o.dated
	if months != days && !m.dated && !o.dated {
		return d, queryError("Unsupported unit: neither of the two times has a date")
	}
	if months && dated {
		d.Months = monthsBetween(m.local, end.Local())
		m = m.plus(store.Duration{Months: d.Months})
	}
	if days && dated {
		d.Days = daysBetween(m.local, end.Local())
		m = m.plus(store.Duration{Days: d.Days})
	}
	if months != days { // inMonths, inDays
		return d, nil
	}
	from, err := m.in(zone)
	if err != nil {
		return store.Duration{}, err
	}
	return normal(d.Months, d.Days, end.Seconds-from.Seconds, int64(end.Nanos-from.Nanos)), nil
}

// in is the instant of m on a clock of zone: its own where it has one, else the one
// at which that clock shows it. Without a zone, clocks show UTC.
func (m moment) in(zone string) (store.DateTime, error) {
	at := store.DateTime{Seconds: m.local.Seconds - int64(m.offset), Nanos: m.local.Nanos, Offset: m.offset}
	var err error
	switch {
	case zone == "":
	case m.zoned:
		at, err = at.In(zone)
	default:
		at, err = m.local.In(zone)
	}
	if err != nil {
		return at, queryError("%v", err)
	}
	return at, nil
}

// plus moves the calendar of m; where its zone skips that time of day, on to the
// next that there is. A time of day that comes twice stays at its offset.
func (m moment) plus(d store.Duration) moment {
	if d == (store.Duration{}) {
		return m
	}
	m.local = plusDuration(m.local, d)
	if m.zone == "" {
		return m
	}
	same, err := m.in(m.zone)
	if err != nil || same.Local() == m.local {
		return m
	}
	if at, err := m.local.In(m.zone); err == nil {
		m.local, m.offset = at.Local(), at.Offset
	}
	return m
}

// monthsBetween counts the whole months from a to b, negative where b is
// earlier, as Java does: the 31st is not a month before the 29th.
func monthsBetween(a, b store.LocalDateTime) int64 {
	end := b.Date()
	switch days := end.Days - a.Date().Days; {
	case days > 0 && b.Time().Nanos < a.Time().Nanos:
		end.Days--
	case days < 0 && b.Time().Nanos > a.Time().Nanos:
		end.Days++
	}
	y1, m1, d1 := a.Date().Civil()
	y2, m2, d2 := end.Civil()
	return ((y2*12+int64(m2))*32 + int64(d2) - (y1*12+int64(m1))*32 - int64(d1)) / 32
}

func daysBetween(a, b store.LocalDateTime) int64 {
	n := b.Date().Days - a.Date().Days
	switch c := a.Time().Compare(b.Time()); {
	case n > 0 && c > 0:
		n--
	case n < 0 && c < 0:
		n++
	}
	return n
}
