package embedded

import (
	"slices"
	"strings"

	"precedent/store"
)

// temporalKind is a type of temporal instant.
type temporalKind int

const (
	dateKind temporalKind = iota
	localTimeKind
	timeKind
	localDateTimeKind
	dateTimeKind
)

func (k temporalKind) dated() bool { return k == dateKind || k >= localDateTimeKind }
func (k temporalKind) timed() bool { return k != dateKind }
func (k temporalKind) zoned() bool { return k == timeKind || k == dateTimeKind }

// maxWritten is how many bytes the text of a temporal value may have.
const maxWritten = 200

// instant makes date(x), time(x) and the like: of a text, a map or another
// temporal value.
func instant(k temporalKind) func(*exec, []any) (any, error) {
	return func(x *exec, a []any) (any, error) {
		if len(a) == 0 {
			return k.now(x, "")
		}
		switch v := a[0].(type) {
		case string:
			if len(v) > maxWritten {
				return nil, queryError("%s is not a temporal value: it is too long", show(v))
			}
			out, err := k.parse(v)
			if err != nil {
				return nil, queryError("%v", err)
			}
			return out, nil
		case map[string]any:
			if zone, ok := v["timezone"].(string); ok && len(v) == 1 {
				return k.now(x, zone)
			}
			return k.fromMap(x, v)
		}
		m, err := asMoment(a[0])
		if err != nil {
			return nil, mismatch("String, Map or a temporal value", a[0])
		}
		if k >= localDateTimeKind && !m.timed {
			return nil, queryError("Cannot select datetime from: %s", show(a[0]))
		}
		return k.from(m)
	}
}

func (k temporalKind) parse(s string) (any, error) {
	switch k {
	case dateKind:
		return anyOf(store.ParseDate(s))
	case localTimeKind:
		return anyOf(store.ParseLocalTime(s))
	case timeKind:
		return anyOf(store.ParseTime(s))
	case localDateTimeKind:
		return anyOf(store.ParseLocalDateTime(s))
	}
	return anyOf(store.ParseDateTime(s))
}

// from narrows a moment to the kind; it must have a date where one is needed.
func (k temporalKind) from(m moment) (any, error) {
	if k.dated() && !m.dated || !k.dated() && !m.timed {
		return nil, queryError("Cannot get the %s of this value", map[bool]string{true: "date", false: "time"}[k.dated()])
	}
	switch k {
	case dateKind:
		return m.local.Date(), nil
	case localTimeKind:
		return m.local.Time(), nil
	case timeKind:
		return store.Time{Nanos: m.local.Time().Nanos, Offset: m.offset}, nil
	case localDateTimeKind:
		return m.local, nil
	}
	d, err := m.local.In(m.zoneText())
	if err != nil {
		return nil, queryError("%v", err)
	}
	return d, nil
}

func (m moment) zoneText() string {
	if m.zone != "" {
		return m.zone
	}
	return offsetName(m.offset)
}

var (
	dateFields = []string{"year", "quarter", "month", "week", "dayOfWeek", "dayOfQuarter", "ordinalDay", "day"}
	timeFields = []string{"hour", "minute", "second", "millisecond", "microsecond", "nanosecond"}
)

// fields reads the numbers of a map.
type fields map[string]int64

func (f fields) or(key string, missing int64) int64 {
	if n, ok := f[key]; ok {
		return n
	}
	return missing
}

func (f fields) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { _, ok := f[k]; return ok })
}

// fromMap makes an instant of {year: 2015, month: 7, …}, of {date: d, time: t},
// and of a mix, where single fields replace those of the value selected.
func (k temporalKind) fromMap(x *exec, m map[string]any) (any, error) {
	f := fields{}
	base, based := moment{}, false
	zone, rezone := "", false
	for _, key := range sortedKeys(m) {
		v := m[key]
		switch key {
		case "timezone":
			text, ok := v.(string)
			if zone, rezone = text, true; !ok || !k.zoned() {
				return nil, queryError("Cannot assign time zone to this type")
			}
		case "date", "time", "datetime":
			if err := k.selects(m, key); err != nil {
				return nil, err
			}
			from, err := asMoment(v)
			if err != nil {
				return nil, err
			}
			if key != "time" && !from.dated || key != "date" && !from.timed {
				return nil, queryError("Cannot select %s from %s", key, show(v))
			}
			base.merge(from, key)
			based = true
		case "epochSeconds", "epochMillis":
			n, ok := v.(int64)
			if !ok {
				return nil, mismatch("Integer", v)
			}
			if key == "epochMillis" {
				base.local = store.LocalDateTime{Seconds: floorDiv(n, 1000), Nanos: int(floorMod(n, 1000) * 1e6)}
			} else {
				base.local = store.LocalDateTime{Seconds: n}
			}
			base.dated, base.timed, base.zoned, based = true, true, true, true
		default:
			if err := f.take(k, key, v); err != nil {
				return nil, err
			}
		}
	}
	return k.build(x, f, base, based, zone, rezone)
}

// selects rejects what a value of the kind can't be taken from.
func (k temporalKind) selects(m map[string]any, key string) error {
	whole := k.dated() && k.timed()
	_, both := m["datetime"]
	switch {
	case !whole && (key == "datetime" || key == "date" != k.dated()):
		return queryError("Not supported: %s", key)
	case both && key != "datetime":
		return queryError("datetime cannot be selected together with date or time")
	}
	return nil
}

// take reads one field; null stands for the least that it can be.
func (f fields) take(k temporalKind, key string, v any) error {
	dated, timed := slices.Contains(dateFields, key), slices.Contains(timeFields, key)
	if !(k.dated() && dated) && !(k.timed() && timed) {
		return queryError("No such field: %s", key)
	}
	n, ok := v.(int64)
	if v == nil && dated && key != "year" {
		n = 1
	}
	if !ok && v != nil {
		return queryError("%s must be an integer value", key)
	}
	f[key] = n
	return nil
}

// merge takes the date, the time or both of from.
func (m *moment) merge(from moment, what string) {
	day, clock := m.local.Date(), m.local.Time()
	if what != "time" {
		day, m.dated = from.local.Date(), true
	}
	if what != "date" {
		clock, m.timed = from.local.Time(), true
		m.offset, m.zone, m.zoned = from.offset, from.zone, from.zoned
	}
	m.local = store.DateTimeOf(day, clock)
}

// setZone gives m another zone, or offset, at the same time of day. A time without
// a date has the offset that the zone has now.
func (x *exec) setZone(m *moment, zone string) {
	m.zone, m.offset, m.zoned = zone, 0, true
	if t, err := store.ParseTime("00:00" + zone); err == nil {
		m.zone, m.offset = "", t.Offset
	} else if at, err := x.clock().In(zone); err == nil {
		m.offset = at.Offset
	}
}

func (k temporalKind) build(x *exec, f fields, base moment, based bool, zone string, rezone bool) (any, error) {
	shift := rezone && base.zoned // the same instant on another clock, in the end
	if rezone && !shift {
		x.setZone(&base, zone)
	}
	day, clock := base.local.Date(), base.local.Time()
	if err := k.complete(f, base); err != nil {
		return nil, err
	}
	if k.dated() && (!base.dated || f.has(dateFields...)) {
		var err error
		if day, err = f.date(day, base.dated); err != nil {
			return nil, err
		}
	}
	if k.timed() && (!base.timed || f.has(timeFields...)) {
		var err error
		if clock, err = f.clock(clock, base.timed); err != nil {
			return nil, err
		}
	}
	base.local, base.dated, base.timed = store.DateTimeOf(day, clock), k.dated(), k.timed()
	out, err := k.from(base)
	if err != nil || !shift {
		return out, err
	}
	return onClock(out, zone)
}

// onClock shows a time or datetime on the clock of another zone.
func onClock(v any, zone string) (any, error) {
	at, isDateTime := v.(store.DateTime)
	t, _ := v.(store.Time)
	if !isDateTime {
		at = store.DateTime{Seconds: t.Nanos/1e9 - int64(t.Offset)}
	}
	in, err := at.In(zone)
	if err != nil {
		return nil, queryError("%v", err)
	}
	if isDateTime {
		return in, nil
	}
	return store.Time{Nanos: in.Local().Time().Nanos + t.Nanos%1e9, Offset: in.Offset}, nil
}

// dateGroups are the ways to name a day of a year, coarse fields first: a date is
// made of the fields of one of them.
var dateGroups = [][]string{{"month", "day"}, {"week", "dayOfWeek"}, {"quarter", "dayOfQuarter"}, {"ordinalDay"}}

// complete rejects fields of which a coarser one is missing, or that name a day in two
// ways.
func (k temporalKind) complete(f fields, base moment) error {
	var group []string
	for _, g := range dateGroups {
		if !f.has(g...) {
			continue
		}
		if group != nil {
			return queryError("Cannot assign %s to a date that has %s", strings.Join(g, " or "), strings.Join(group, " or "))
		}
		group = g
	}
	finer := ""
	if !base.dated && k.dated() {
		needed := append([]string{"year"}, group...)
		if k.timed() && (f.has(timeFields...) || base.timed) {
			finer = "the time"
			if group == nil {
				needed = append(needed, dateGroups[0]...)
			}
		}
		if missing, before := f.gap(needed, finer); missing != "" {
			return queryError("%s must be specified: %s cannot be specified without it", missing, before)
		}
		if !f.has("year") {
			return queryError("year must be specified")
		}
	}
	if !k.timed() || base.timed {
		return nil
	}
	if f.has("millisecond", "microsecond", "nanosecond") {
		finer = "subsecond"
	} else {
		finer = ""
	}
	if missing, before := f.gap(timeFields[:3], finer); missing != "" {
		return queryError("%s must be specified: %s cannot be specified without it", missing, before)
	}
	if !k.dated() && !f.has("hour") {
		return queryError("hour must be specified")
	}
	return nil
}

// gap is a field that is missing before a finer one, or before what is finer than all.
func (f fields) gap(coarseFirst []string, finer string) (missing, before string) {
	for _, key := range slices.Backward(coarseFirst) {
		if f.has(key) {
			finer = key
		} else if finer != "" {
			return key, finer
		}
	}
	return "", ""
}

// date makes a day of the fields; those that are missing come from base where
// there is one, else are the first.
func (f fields) date(base store.Date, based bool) (store.Date, error) {
	missing := func(key string) int64 {
		if !based {
			return 1
		}
		n, _ := dateField(base, key)
		return n
	}
	get := func(key string) int { return int(f.or(key, missing(key))) }
	year := f.or("year", missing("year"))
	if year > 999_999_999 || year < -999_999_999 {
		return store.Date{}, queryError("Invalid value for year: %d", year)
	}
	for key, n := range f {
		if key != "year" && (n < 0 || n > 1e9) {
			return store.Date{}, queryError("Invalid value for %s: %d", key, n)
		}
	}
	var d store.Date
	ok := false
	switch {
	case f.has("week", "dayOfWeek"):
		if based && !f.has("year") {
			year = missing("weekYear")
		}
		if d, ok = store.WeekDate(year, get("week"), get("dayOfWeek")); !ok && based && get("week") == 53 { // the first of the year behind one of 52
			d, ok = store.WeekDate(year, 52, get("dayOfWeek"))
			d.Days += 7
		}
	case f.has("dayOfQuarter") || f.has("quarter") && !based:
		d, ok = store.QuarterDate(year, get("quarter"), get("dayOfQuarter"))
	case f.has("ordinalDay"):
		d, ok = store.OrdinalDate(year, get("ordinalDay"))
	default:
		month := get("month")
		if f.has("quarter") { // the same month of another quarter
			month += 3 * (get("quarter") - int(missing("quarter")))
		}
		day := get("day")
		if based && !f.has("day") && month >= 1 && month <= 12 { // or the last of a shorter month
			day = min(day, store.DaysIn(year, month))
		}
		d, ok = store.CalendarDate(year, month, day)
	}
	if !ok {
		return store.Date{}, queryError("Invalid date: there is no such day in %d", year)
	}
	return d, nil
}

// clock makes a time of day of the fields; finer ones than the finest given
// are 0.
func (f fields) clock(base store.LocalTime, based bool) (store.LocalTime, error) {
	limits := map[string]int64{"hour": 23, "minute": 59, "second": 59, "millisecond": 999, "microsecond": 999_999, "nanosecond": 999_999_999}
	if f.has("millisecond") {
		limits["microsecond"], limits["nanosecond"] = 999, 999_999
	}
	if f.has("microsecond") {
		limits["nanosecond"] = 999
	}
	for key, most := range limits {
		if n, ok := f[key]; ok && (n < 0 || n > most) {
			return store.LocalTime{}, queryError("Invalid value for %s: %d (valid values are 0 to %d)", key, n, most)
		}
	}
	missing := func(key string) int64 {
		if !based {
			return 0
		}
		n, _ := timeField(base.Nanos, key)
		return n
	}
	nanos := f.or("millisecond", 0)*1e6 + f.or("microsecond", 0)*1e3 + f.or("nanosecond", 0)
	if !f.has("millisecond", "microsecond", "nanosecond") {
		nanos = missing("nanosecond")
	}
	seconds := f.or("hour", missing("hour"))*3600 + f.or("minute", missing("minute"))*60 + f.or("second", missing("second"))
	return store.LocalTime{Nanos: seconds*1e9 + nanos}, nil
}
