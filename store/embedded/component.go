package embedded

import (
	"fmt"
	"strings"

	"precedent/store"
)

// component is v.key of a temporal value.
func component(v any, key string) (any, error) {
	var n int64
	ok := false
	switch v := v.(type) {
	case store.Date:
		n, ok = dateField(v, key)
	case store.LocalTime:
		n, ok = timeField(v.Nanos, key)
	case store.Time:
		if n, ok = timeField(v.Nanos, key); !ok {
			return zoneField(store.DateTime{Offset: v.Offset}, key, v)
		}
	case store.LocalDateTime:
		if n, ok = dateField(v.Date(), key); !ok {
			n, ok = timeField(v.Time().Nanos, key)
		}
	case store.DateTime:
		local := v.Local()
		if n, ok = dateField(local.Date(), key); !ok {
			n, ok = timeField(local.Time().Nanos, key)
		}
		switch {
		case ok:
		case key == "epochSeconds":
			n, ok = v.Seconds, true
		case key == "epochMillis":
			n, ok = v.Seconds*1000+int64(v.Nanos)/1e6, true
		default:
			return zoneField(v, key, v)
		}
	case store.Duration:
		n, ok = durationField(v, key)
	}
	if !ok {
		return nil, queryError("No such field: %s: a %s doesn't have it", key, typeName(v))
	}
	return n, nil
}

func zoneField(d store.DateTime, key string, v any) (any, error) {
	switch key {
	case "timezone":
		if d.Zone != "" {
			return d.Zone, nil
		}
		return offsetName(d.Offset), nil
	case "offset":
		return offsetName(d.Offset), nil
	case "offsetMinutes":
		return int64(d.Offset / 60), nil
	case "offsetSeconds":
		return int64(d.Offset), nil
	}
	return nil, queryError("No such field: %s: a %s doesn't have it", key, typeName(v))
}

// offsetName prints an offset as Z or +01:00.
func offsetName(seconds int) string { return store.Time{Offset: seconds}.String()[len("00:00:00"):] }

func dateField(d store.Date, key string) (int64, bool) {
	year, month, day := d.Civil()
	quarter := (month-1)/3 + 1
	switch key {
	case "year":
		return year, true
	case "quarter":
		return int64(quarter), true
	case "month":
		return int64(month), true
	case "day":
		return int64(day), true
	case "week":
		_, w := d.Week()
		return int64(w), true
	case "weekYear":
		y, _ := d.Week()
		return y, true
	case "dayOfWeek", "weekDay":
		return int64(d.Weekday()), true
	case "dayOfQuarter", "quarterDay":
		return d.Days - store.DateOf(year, quarter*3-2, 1).Days + 1, true
	case "ordinalDay":
		return d.Days - store.DateOf(year, 1, 1).Days + 1, true
	}
	return 0, false
}

func timeField(nanos int64, key string) (int64, bool) {
	switch key {
	case "hour":
		return nanos / 3600e9, true
	case "minute":
		return nanos / 60e9 % 60, true
	case "second":
		return nanos / 1e9 % 60, true
	case "millisecond":
		return nanos % 1e9 / 1e6, true
	case "microsecond":
		return nanos % 1e9 / 1e3, true
	case "nanosecond":
		return nanos % 1e9, true
	}
	return 0, false
}

func durationField(d store.Duration, key string) (int64, bool) {
	nanos := int64(d.Nanos)
	switch key {
	case "years":
		return d.Months / 12, true
	case "quarters":
		return d.Months / 3, true
	case "months":
		return d.Months, true
	case "weeks":
		return d.Days / 7, true
	case "days":
		return d.Days, true
	case "hours":
		return d.Seconds / 3600, true
	case "minutes":
		return d.Seconds / 60, true
	case "seconds":
		return d.Seconds, true
	case "milliseconds":
		return d.Seconds*1e3 + nanos/1e6, true
	case "microseconds":
		return d.Seconds*1e6 + nanos/1e3, true
	case "nanoseconds":
		return d.Seconds*1e9 + nanos, true
	case "quartersOfYear":
		return d.Months / 3 % 4, true
	case "monthsOfQuarter":
		return d.Months % 3, true
	case "monthsOfYear":
		return d.Months % 12, true
	case "daysOfWeek":
		return d.Days % 7, true
	case "minutesOfHour":
		return d.Seconds / 60 % 60, true
	case "secondsOfMinute":
		return d.Seconds % 60, true
	case "millisecondsOfSecond":
		return nanos / 1e6, true
	case "microsecondsOfSecond":
		return nanos / 1e3, true
	case "nanosecondsOfSecond":
		return nanos, true
	}
	return 0, false
}

// valueType names the type of a value as the function valueType does. Lists
// nested more than maxTypeDepth deep are lists of anything.
func (x *exec) valueType(v any) string { return x.valueTypeAt(v, 0) }

const maxTypeDepth = 100

func (x *exec) valueTypeAt(v any, depth int) string {
	x.tick()
	if depth > maxTypeDepth {
		return "ANY"
	}
	switch v := v.(type) {
	case nil:
		return "NULL"
	case []any:
		if len(v) == 0 {
			return "LIST<NOTHING> NOT NULL"
		}
		var kinds []string
		seen, null := map[string]bool{}, false
		for _, item := range v {
			t := x.valueTypeAt(item, depth+1)
			if item == nil {
				null = true
			} else if !seen[t] {
				seen[t] = true
				kinds = append(kinds, strings.TrimSuffix(t, " NOT NULL"))
			}
		}
		return "LIST<" + unionType(kinds, null) + "> NOT NULL"
	}
	return baseType(v) + " NOT NULL"
}

func unionType(kinds []string, null bool) string {
	sortByTypeOrder(kinds)
	if !null {
		for i := range kinds {
			kinds[i] += " NOT NULL"
		}
	}
	if len(kinds) == 0 {
		return "NULL"
	}
	return strings.Join(kinds, " | ")
}

// baseType is the Cypher name of a value's type.
func baseType(v any) string {
	switch v.(type) {
	case bool:
		return "BOOLEAN"
	case string:
		return "STRING"
	case int64:
		return "INTEGER"
	case float64:
		return "FLOAT"
	case store.Date:
		return "DATE"
	case store.LocalTime:
		return "LOCAL TIME"
	case store.Time:
		return "ZONED TIME"
	case store.LocalDateTime:
		return "LOCAL DATETIME"
	case store.DateTime:
		return "ZONED DATETIME"
	case store.Duration:
		return "DURATION"
	case store.Point:
		return "POINT"
	case *node:
		return "NODE"
	case *rel:
		return "RELATIONSHIP"
	case map[string]any:
		return "MAP"
	case []any:
		return "LIST<ANY>"
	case *path:
		return "PATH"
	}
	return fmt.Sprintf("%T", v)
}
