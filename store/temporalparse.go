package store

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// The ISO 8601 forms that Cypher's temporal functions take (Cypher Manual,
// "Temporal values", section "Specifying temporal instants").
const (
	dateForm = `(?:([0-9]{4})(?:([0-9]{2})([0-9]{2})?|W([0-9]{2})([0-9])?|Q([0-9])([0-9]{2})?|([0-9]{3}))` +
		`|([0-9]{4}|[+-][0-9]{1,9})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?|-?W([0-9]{1,2})(?:-([0-9]))?|-?Q([0-9])(?:-([0-9]{1,2}))?|-([0-9]{3}))?)`
	timeForm = `(?:([0-9]{1,2})(?::([0-9]{1,2})(?::([0-9]{1,2})(?:[.,]([0-9]{1,9}))?)?)?` +
		`|([0-9]{2})([0-9]{2})(?:([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)`
	zoneForm = `(Z|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?)?(?:\[([^\]]+)\])?`
)

var (
	dateRE     = regexp.MustCompile(`^` + dateForm + `$`)
	timeRE     = regexp.MustCompile(`^` + timeForm + `$`)
	zonedRE    = regexp.MustCompile(`^` + timeForm + zoneForm + `$`)
	offsetRE   = regexp.MustCompile(`^([+-])([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2}))?)?$`)
	durationRE = regexp.MustCompile(`^([-+])?P(?:([-+]?[0-9]+(?:[.,][0-9]+)?)Y)?(?:([-+]?[0-9]+(?:[.,][0-9]+)?)M)?` +
		`(?:([-+]?[0-9]+(?:[.,][0-9]+)?)W)?(?:([-+]?[0-9]+(?:[.,][0-9]+)?)D)?` +
		`(T(?:([-+]?[0-9]+(?:[.,][0-9]+)?)H)?(?:([-+]?[0-9]+(?:[.,][0-9]+)?)M)?(?:([-+]?[0-9]+(?:[.,][0-9]+)?)S)?)?$`)
	durationDateRE = regexp.MustCompile(`^([-+])?P([0-9]{4})(?:-?([0-9]{2})-?([0-9]{2}))` +
		`(?:T([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)?)?$`)
)

func badForm(kind, s, example string) error {
	return fmt.Errorf("%q is not a %s: write it as %s", s, kind, example)
}

// ParseDate reads a calendar, week, quarter or ordinal date in the forms of
// ISO 8601 that Cypher's date('…') takes: 2015-07-21, 20150721, 2015-07,
// 2015-W30-2, 2015-Q2-60, 2015-202, 2015.
func ParseDate(s string) (Date, error) {
	m := dateRE.FindStringSubmatch(s)
	if m == nil {
		return Date{}, badForm("date", s, "2015-07-21")
	}
	m = m[1:]
	if m[0] == "" { // the long form, with separators
		m = m[8:]
	}
	year, _ := strconv.ParseInt(m[0], 10, 64)
	n := func(i, missing int) int {
		if m[i] == "" {
			return missing
		}
		v, _ := strconv.Atoi(m[i])
		return v
	}
	d, ok := Date{}, false
	switch {
	case m[3] != "":
		d, ok = WeekDate(year, n(3, 1), n(4, 1))
	case m[5] != "":
		d, ok = QuarterDate(year, n(5, 1), n(6, 1))
	case m[7] != "":
		d, ok = OrdinalDate(year, n(7, 1))
	default:
		d, ok = CalendarDate(year, n(1, 1), n(2, 1))
	}
	if !ok {
		return Date{}, fmt.Errorf("%q is not a date: there is no such day", s)
	}
	return d, nil
}

// CalendarDate is the day of a month; ok tells whether it exists.
func CalendarDate(year int64, month, day int) (d Date, ok bool) {
	if month < 1 || month > 12 || day < 1 || day > DaysIn(year, month) {
		return Date{}, false
	}
	return DateOf(year, month, day), true
}

// DaysIn is the number of days of a month.
func DaysIn(year int64, month int) int {
	if month == 12 {
		return 31
	}
	return int(DateOf(year, month+1, 1).Days - DateOf(year, month, 1).Days)
}

// WeekDate is a day (1 is Monday) of a week of the ISO 8601 week-based year.
func WeekDate(year int64, week, day int) (d Date, ok bool) {
	if week < 1 || week > 53 || day < 1 || day > 7 {
		return Date{}, false
	}
	jan4 := DateOf(year, 1, 4)
	monday := jan4.Days - int64(jan4.Weekday()-1)
	d = Date{monday + int64(week-1)*7 + int64(day-1)}
	if y, _ := d.Week(); y != year {
		return Date{}, false
	}
	return d, true
}

// QuarterDate is a day of a quarter.
func QuarterDate(year int64, quarter, day int) (d Date, ok bool) {
	if quarter < 1 || quarter > 4 || day < 1 {
		return Date{}, false
	}
	d = Date{DateOf(year, quarter*3-2, 1).Days + int64(day-1)}
	if y, m, _ := d.Civil(); y != year || (m-1)/3+1 != quarter {
		return Date{}, false
	}
	return d, true
}

// OrdinalDate is a day of a year.
func OrdinalDate(year int64, day int) (d Date, ok bool) {
	d = Date{DateOf(year, 1, 1).Days + int64(day-1)}
	y, _, _ := d.Civil()
	return d, day >= 1 && y == year
}

// Weekday returns 1 for Monday … 7 for Sunday.
func (d Date) Weekday() int { return int(floorMod(d.Days+3, 7)) + 1 }

// Week returns the ISO 8601 week of d and the year that week belongs to.
func (d Date) Week() (year int64, week int) {
	thursday := Date{d.Days + int64(4-d.Weekday())}
	year, _, _ = thursday.Civil()
	return year, int(thursday.Days-DateOf(year, 1, 1).Days)/7 + 1
}

// ParseLocalTime reads 21:40:32.142, 214032.142, 21:40, 2140 or 21.
func ParseLocalTime(s string) (LocalTime, error) {
	m := timeRE.FindStringSubmatch(s)
	if m == nil {
		return LocalTime{}, badForm("local time", s, "21:40:32")
	}
	return timeOf(s, m)
}

func timeOf(s string, m []string) (LocalTime, error) {
	m = m[1:9]
	if m[0] == "" {
		m = m[4:]
	}
	hour, _ := strconv.ParseInt(m[0], 10, 64)
	minute, _ := strconv.ParseInt(m[1], 10, 64)
	second, _ := strconv.ParseInt(m[2], 10, 64)
	if hour > 23 || minute > 59 || second > 59 {
		return LocalTime{}, fmt.Errorf("%q is not a time: hours go to 23, minutes and seconds to 59", s)
	}
	return LocalTime{(hour*3600+minute*60+second)*nanosPerSecond + parseNanos(m[3])}, nil
}

func parseNanos(digits string) int64 {
	n, _ := strconv.ParseInt((digits + "000000000")[:9], 10, 64)
	return n
}

// ParseTime reads a time as ParseLocalTime does, with an offset: Z, +01:00,
// +0100 or +01. Without one it is UTC.
func ParseTime(s string) (Time, error) {
	m := zonedRE.FindStringSubmatch(s)
	if m == nil || m[10] != "" {
		return Time{}, badForm("time", s, "21:40:32+01:00")
	}
	t, err := timeOf(s, m)
	if err != nil {
		return Time{}, err
	}
	offset := 0
	if m[9] != "" {
		var ok bool
		if offset, ok = parseOffset(m[9]); !ok {
			return Time{}, fmt.Errorf("%q is not a time: offsets go from -18:00 to +18:00", s)
		}
	}
	return Time{t.Nanos, offset}, nil
}

func parseOffset(s string) (seconds int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	m := offsetRE.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	h, _ := strconv.Atoi(m[2])
	mi, _ := strconv.Atoi(m[3])
	sec, _ := strconv.Atoi(m[4])
	seconds = h*3600 + mi*60 + sec
	if mi > 59 || sec > 59 || seconds > 18*3600 {
		return 0, false
	}
	if m[1] == "-" {
		seconds = -seconds
	}
	return seconds, true
}

// ParseLocalDateTime reads a date as ParseDate does and, behind a T, a time as
// ParseLocalTime does; without a time it is midnight.
func ParseLocalDateTime(s string) (LocalDateTime, error) {
	day, clock, timed := strings.Cut(s, "T")
	d, err := ParseDate(day)
	if err != nil {
		return LocalDateTime{}, badForm("local datetime", s, "2015-07-21T21:40:32")
	}
	var t LocalTime
	if timed {
		if t, err = ParseLocalTime(clock); err != nil {
			return LocalDateTime{}, badForm("local datetime", s, "2015-07-21T21:40:32")
		}
	}
	return DateTimeOf(d, t), nil
}

// ParseDateTime reads a local datetime with an offset, a zone in brackets or
// both, which must agree; with neither it is in UTC.
func ParseDateTime(s string) (DateTime, error) {
	day, clock, timed := strings.Cut(s, "T")
	d, err := ParseDate(day)
	if err != nil {
		return DateTime{}, badForm("datetime", s, "2015-07-21T21:40:32+01:00 or 2015-07-21T21:40:32[Europe/London]")
	}
	if !timed {
		return DateTime{Seconds: d.Days * secondsPerDay}, nil
	}
	m := zonedRE.FindStringSubmatch(clock)
	if m == nil {
		return DateTime{}, badForm("datetime", s, "2015-07-21T21:40:32+01:00 or 2015-07-21T21:40:32[Europe/London]")
	}
	t, err := timeOf(clock, m)
	if err != nil {
		return DateTime{}, err
	}
	local, offset, zone := DateTimeOf(d, t), m[9], m[10]
	switch {
	case zone == "" && offset == "":
		return local.In("Z")
	case zone == "":
		return local.In(offset)
	case offset == "":
		return local.In(zone)
	}
	at, err := local.In(offset)
	if err != nil {
		return DateTime{}, err
	}
	in, err := at.In(zone)
	if err != nil {
		return DateTime{}, err
	}
	if in.Offset != at.Offset {
		return DateTime{}, fmt.Errorf("%q is not a datetime: the zone %s does not have the offset %s then", s, zone, offset)
	}
	return in, nil
}

// ParseDuration reads P1Y2M3W4DT5H6M7.8S, where each number may have a sign
// and decimals, or P2012-02-02T14:37:21.545.
func ParseDuration(s string) (Duration, error) {
	if m := durationDateRE.FindStringSubmatch(s); m != nil {
		n := func(i int) *big.Rat { v, _ := strconv.ParseInt("0"+m[i], 10, 64); return big.NewRat(v, 1) }
		months := sum(scaled(n(2), 12), n(3))
		seconds := sum(scaled(n(5), 3600), scaled(n(6), 60), n(7), big.NewRat(parseNanos(m[8]), nanosPerSecond))
		return durationOf(s, m[1], months, n(4), seconds)
	}
	m := durationRE.FindStringSubmatch(s)
	if m == nil || strings.HasSuffix(s, "P") || strings.HasSuffix(s, "T") {
		return Duration{}, badForm("duration", s, "P1Y2M3DT4H5M6.5S")
	}
	n := func(i int) *big.Rat {
		r := new(big.Rat)
		if m[i] != "" {
			r.SetString(strings.Replace(m[i], ",", ".", 1))
		}
		return r
	}
	return durationOf(s, m[1],
		sum(scaled(n(2), 12), n(3)),
		sum(scaled(n(4), 7), n(5)),
		sum(scaled(n(7), 3600), scaled(n(8), 60), n(9)))
}

func scaled(r *big.Rat, by int64) *big.Rat { return new(big.Rat).Mul(r, big.NewRat(by, 1)) }

func sum(rs ...*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, r := range rs {
		total.Add(total, r)
	}
	return total
}

func durationOf(s, sign string, months, days, seconds *big.Rat) (Duration, error) {
	if sign == "-" {
		months.Neg(months)
		days.Neg(days)
		seconds.Neg(seconds)
	}
	d, ok := ApproximateDuration(months, days, seconds)
	if !ok {
		return Duration{}, fmt.Errorf("%q is not a duration: a part of it is too large", s)
	}
	return d, nil
}

// ApproximateDuration makes a duration of parts that need not be whole: what
// is left of a month becomes days by [AverageMonth], of a day seconds, of a
// second nanoseconds. Ok is false where a part exceeds an int64.
func ApproximateDuration(months, days, seconds *big.Rat) (d Duration, ok bool) {
	wholeMonths, rest := split(months)
	days = sum(days, new(big.Rat).Mul(rest, big.NewRat(AverageMonth, secondsPerDay)))
	wholeDays, rest := split(days)
	seconds = sum(seconds, scaled(rest, secondsPerDay))
	nanos, _ := split(scaled(seconds, nanosPerSecond))
	wholeSeconds, left := new(big.Int).DivMod(nanos, big.NewInt(nanosPerSecond), new(big.Int))
	if !wholeMonths.IsInt64() || !wholeDays.IsInt64() || !wholeSeconds.IsInt64() {
		return Duration{}, false
	}
	return Duration{wholeMonths.Int64(), wholeDays.Int64(), wholeSeconds.Int64(), int(left.Int64())}, true
}

// split returns the whole part of r, rounded toward zero, and the rest.
func split(r *big.Rat) (whole *big.Int, rest *big.Rat) {
	whole = new(big.Int).Quo(r.Num(), r.Denom())
	return whole, new(big.Rat).Sub(r, new(big.Rat).SetInt(whole))
}
