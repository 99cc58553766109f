package store

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zone names must work where the system has no zone files
)

// Units that temporal values are made of.
const (
	secondsPerDay  = 86400
	nanosPerSecond = 1_000_000_000
	nanosPerDay    = secondsPerDay * nanosPerSecond
)

// AverageMonth is the length of a month in seconds that Cypher uses where a
// part of a month has to become days, and to order durations: a twelfth of the
// mean Gregorian year.
const AverageMonth = 2629746

// DateOf returns the date of a day in the proleptic Gregorian calendar. Month
// and day must be in range.
func DateOf(year int64, month, day int) Date {
	// Days from civil, https://howardhinnant.github.io/date_algorithms.html.
	if month <= 2 {
		year--
	}
	era := floorDiv(year, 400)
	yearOfEra := year - era*400
	dayOfYear := int64((153*((month+9)%12)+2)/5 + day - 1)
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return Date{era*146097 + dayOfEra - 719468}
}

// Civil returns the year, month (1–12) and day (1–31) of d.
func (d Date) Civil() (year int64, month, day int) {
	z := d.Days + 719468
	era := floorDiv(z, 146097)
	dayOfEra := z - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	mp := (5*dayOfYear + 2) / 153
	day = int(dayOfYear - (153*mp+2)/5 + 1)
	month = int((mp+2)%12) + 1
	year = yearOfEra + era*400
	if month <= 2 {
		year++
	}
	return year, month, day
}

// Date returns the calendar day of d.
func (d LocalDateTime) Date() Date { return Date{floorDiv(d.Seconds, secondsPerDay)} }

// Time returns the time of day of d.
func (d LocalDateTime) Time() LocalTime {
	return LocalTime{floorMod(d.Seconds, secondsPerDay)*nanosPerSecond + int64(d.Nanos)}
}

// Local returns the date and time that a clock with d's offset shows.
func (d DateTime) Local() LocalDateTime {
	return LocalDateTime{d.Seconds + int64(d.Offset), d.Nanos}
}

// DateTimeOf joins a day and a time of day.
func DateTimeOf(d Date, t LocalTime) LocalDateTime {
	return LocalDateTime{d.Days*secondsPerDay + t.Nanos/nanosPerSecond, int(t.Nanos % nanosPerSecond)}
}

// In returns the instant at which a clock in zone shows d. Zone is an IANA
// name, or an offset such as +01:00 or Z. In a gap or an overlap it chooses as
// Java's ZonedDateTime does: a gap moves forward, an overlap takes the earlier.
func (d LocalDateTime) In(zone string) (DateTime, error) {
	if offset, ok := parseOffset(zone); ok {
		return DateTime{d.Seconds - int64(offset), d.Nanos, offset, ""}, nil
	}
	loc, err := loadZone(zone)
	if err != nil {
		return DateTime{}, err
	}
	// The offsets in force a day before and a day after bracket any change.
	_, before := time.Unix(d.Seconds-secondsPerDay, 0).In(loc).Zone()
	_, after := time.Unix(d.Seconds+secondsPerDay, 0).In(loc).Zone()
	shows := func(offset int) int {
		_, o := time.Unix(d.Seconds-int64(offset), 0).In(loc).Zone()
		return o
	}
	switch {
	case shows(before) == before:
		return DateTime{d.Seconds - int64(before), d.Nanos, before, loc.String()}, nil
	case shows(after) == after:
		return DateTime{d.Seconds - int64(after), d.Nanos, after, loc.String()}, nil
	}
	return DateTime{d.Seconds - int64(before), d.Nanos, shows(before), loc.String()}, nil
}

// In returns the same instant as a clock in zone shows it; zone as for
// [LocalDateTime.In].
func (d DateTime) In(zone string) (DateTime, error) {
	if offset, ok := parseOffset(zone); ok {
		return DateTime{d.Seconds, d.Nanos, offset, ""}, nil
	}
	loc, err := loadZone(zone)
	if err != nil {
		return DateTime{}, err
	}
	_, offset := time.Unix(d.Seconds, 0).In(loc).Zone()
	return DateTime{d.Seconds, d.Nanos, offset, loc.String()}, nil
}

func loadZone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("unknown time zone %q: use an IANA name such as Europe/London, or an offset such as +01:00", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("unknown time zone %q: use an IANA name such as Europe/London, or an offset such as +01:00", name)
	}
	return loc, nil
}

// String prints d as 2015-07-21.
func (d Date) String() string {
	year, month, day := d.Civil()
	var b strings.Builder
	switch {
	case year > 9999:
		fmt.Fprintf(&b, "+%d", year)
	case year < 0:
		fmt.Fprintf(&b, "-%04d", -year)
	default:
		fmt.Fprintf(&b, "%04d", year)
	}
	fmt.Fprintf(&b, "-%02d-%02d", month, day)
	return b.String()
}

// String prints t as 21:40:32.142, with as many decimals as it needs.
func (t LocalTime) String() string {
	s := t.Nanos / nanosPerSecond
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60) + fraction(t.Nanos%nanosPerSecond)
}

// String prints t as 21:40:32.142+01:00, or with Z for an offset of 0.
func (t Time) String() string { return LocalTime{t.Nanos}.String() + offsetText(t.Offset) }

// String prints d as 2015-07-21T21:40:32.142.
func (d LocalDateTime) String() string { return d.Date().String() + "T" + d.Time().String() }

// String prints d as 2015-07-21T21:40:32.142+01:00[Europe/London], without the
// brackets where no zone is known.
func (d DateTime) String() string {
	s := d.Local().String() + offsetText(d.Offset)
	if d.Zone != "" {
		s += "[" + d.Zone + "]"
	}
	return s
}

// String prints d as P1Y2M3DT4H5M6.5S.
func (d Duration) String() string {
	var b strings.Builder
	part := func(n int64, unit byte) {
		if n != 0 {
			b.WriteString(strconv.FormatInt(n, 10))
			b.WriteByte(unit)
		}
	}
	b.WriteByte('P')
	part(d.Months/12, 'Y')
	part(d.Months%12, 'M')
	part(d.Days, 'D')
	if d.Seconds != 0 || d.Nanos != 0 {
		s, n, sign := d.Seconds, int64(d.Nanos), ""
		if s < 0 && n != 0 { // the parts of a negative length are all negative
			s, n = s+1, nanosPerSecond-n
		}
		if d.Seconds < 0 {
			sign = "-"
		}
		b.WriteByte('T')
		part(s/3600, 'H')
		part(s/60%60, 'M')
		if s %= 60; s != 0 || n != 0 {
			b.WriteString(sign + strconv.FormatInt(max(s, -s), 10) + fraction(n) + "S")
		}
	}
	if b.Len() == 1 {
		return "PT0S"
	}
	return b.String()
}

// fraction prints nanoseconds as decimals, "" for 0.
func fraction(nanos int64) string {
	if nanos == 0 {
		return ""
	}
	return strings.TrimRight(fmt.Sprintf(".%09d", nanos), "0")
}

func offsetText(seconds int) string {
	if seconds == 0 {
		return "Z"
	}
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	s := fmt.Sprintf("%c%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		s += fmt.Sprintf(":%02d", seconds%60)
	}
	return s
}

// Compare returns -1, 0 or 1 as d is before, equal to or after e.
func (d Date) Compare(e Date) int { return cmp.Compare(d.Days, e.Days) }

// Compare returns -1, 0 or 1 as t is before, equal to or after u.
func (t LocalTime) Compare(u LocalTime) int { return cmp.Compare(t.Nanos, u.Nanos) }

// Compare orders by the time in UTC, then by offset: equal means the same in both.
func (t Time) Compare(u Time) int {
	return cmp.Or(
		cmp.Compare(t.Nanos-int64(t.Offset)*nanosPerSecond, u.Nanos-int64(u.Offset)*nanosPerSecond),
		cmp.Compare(t.Offset, u.Offset))
}

// Compare returns -1, 0 or 1 as d is before, equal to or after e.
func (d LocalDateTime) Compare(e LocalDateTime) int {
	return cmp.Or(cmp.Compare(d.Seconds, e.Seconds), cmp.Compare(d.Nanos, e.Nanos))
}

// Compare orders by the instant, then by offset and zone: equal means the same
// in all three.
func (d DateTime) Compare(e DateTime) int {
	return cmp.Or(cmp.Compare(d.Seconds, e.Seconds), cmp.Compare(d.Nanos, e.Nanos),
		cmp.Compare(d.Offset, e.Offset), cmp.Compare(d.Zone, e.Zone))
}

// Compare orders by average length, a month being [AverageMonth] seconds and a
// day 24 hours, then by months and days: equal means the same in every part.
func (d Duration) Compare(e Duration) int {
	length := func(d Duration) int64 { return d.Months*AverageMonth + d.Days*secondsPerDay + d.Seconds }
	return cmp.Or(cmp.Compare(length(d), length(e)), cmp.Compare(d.Nanos, e.Nanos),
		cmp.Compare(d.Months, e.Months), cmp.Compare(d.Days, e.Days), cmp.Compare(d.Seconds, e.Seconds))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }
