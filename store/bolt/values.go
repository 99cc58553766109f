package bolt

import (
	"fmt"
	"math"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"precedent/store"
)

const secondsPerDay = 24 * 60 * 60

// fromPoint, fromTime and so on turn values of the driver into the store's.
// Lists, maps and what holds properties are walked by [cut].

func fromPoint(v any) store.Point {
	if p, ok := v.(dbtype.Point3D); ok {
		return store.Point{SRID: int(p.SpatialRefId), X: p.X, Y: p.Y, Z: p.Z}
	}
	p := v.(dbtype.Point2D)
	return store.Point{SRID: int(p.SpatialRefId), X: p.X, Y: p.Y}
}

func nanosOfDay(t time.Time) int64 {
	return int64(t.Hour())*int64(time.Hour) + int64(t.Minute())*int64(time.Minute) +
		int64(t.Second())*int64(time.Second) + int64(t.Nanosecond())
}

func fromTime(v dbtype.Time) store.Time {
	t := time.Time(v)
	_, offset := t.Zone()
	return store.Time{Nanos: nanosOfDay(t), Offset: offset}
}

func fromLocalDateTime(v dbtype.LocalDateTime) store.LocalDateTime {
	t := time.Time(v)
	_, offset := t.Zone() // the driver puts it into time.Local
	return store.LocalDateTime{Seconds: t.Unix() + int64(offset), Nanos: t.Nanosecond()}
}

func fromDateTime(t time.Time) store.DateTime {
	_, offset := t.Zone()
	d := store.DateTime{Seconds: t.Unix(), Nanos: t.Nanosecond(), Offset: offset}
	if zone := t.Location().String(); zone != offsetZone {
		d.Zone = zone
	}
	return d
}

// offsetZone is the name by which the driver knows a zone that is only an offset.
const offsetZone = "Offset"

// toDriver turns a parameter into what the driver sends. An error wraps
// store.ErrQuery and names the parameter's path.
func toDriver(path string, v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, nil
	case int:
		return int64(v), nil
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			var err error
			if list[i], err = toDriver(fmt.Sprintf("%s[%d]", path, i), item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case []string:
		return v, nil
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, item := range v {
			var err error
			if m[key], err = toDriver(path+"."+key, item); err != nil {
				return nil, err
			}
		}
		return m, nil
	case store.Point:
		if v.SRID < 0 || v.SRID > math.MaxUint32 {
			return nil, fmt.Errorf("%w: parameter %s: no coordinate system has SRID %d", store.ErrQuery, path, v.SRID)
		}
		if v.ThreeD() {
			return dbtype.Point3D{SpatialRefId: uint32(v.SRID), X: v.X, Y: v.Y, Z: v.Z}, nil
		}
		return dbtype.Point2D{SpatialRefId: uint32(v.SRID), X: v.X, Y: v.Y}, nil
	case store.Date:
		return dbtype.Date(time.Unix(v.Days*secondsPerDay, 0).UTC()), nil
	case store.LocalTime:
		return dbtype.LocalTime(time.Unix(0, v.Nanos).UTC()), nil
	case store.Time:
		zone := time.FixedZone(offsetZone, v.Offset)
		return dbtype.Time(time.Date(1970, 1, 1, 0, 0, 0, 0, zone).Add(time.Duration(v.Nanos))), nil
	case store.LocalDateTime:
		return dbtype.LocalDateTime(time.Unix(v.Seconds, int64(v.Nanos)).UTC()), nil
	case store.DateTime:
		t := time.Unix(v.Seconds, int64(v.Nanos))
		if v.Zone == "" {
			return t.In(time.FixedZone(offsetZone, v.Offset)), nil
		}
		zone, err := time.LoadLocation(v.Zone)
		if err != nil {
			return nil, fmt.Errorf("%w: parameter %s: zone %q is not known", store.ErrQuery, path, v.Zone)
		}
		return t.In(zone), nil
	case store.Duration:
		return dbtype.Duration{Months: v.Months, Days: v.Days, Seconds: v.Seconds, Nanos: v.Nanos}, nil
	}
	return nil, fmt.Errorf("%w: parameter %s: a %T can't be sent", store.ErrQuery, path, v)
}
