package embedded

import (
	"maps"
	"time"

	"precedent/store"
)

// The clocks of a run stand still: whatever asks for the time in one query, and in
// all that are run with the same [store.Query.Now], gets the same.

// clock is what the clocks of the run show.
func (x *exec) clock() store.DateTime {
	_, offset := x.now.Zone()
	at := store.DateTime{Seconds: x.now.Unix(), Nanos: x.now.Nanosecond(), Offset: offset}
	if x.now.Location() != time.UTC { // which is an offset, and no place
		if in, err := at.In(x.now.Location().String()); err == nil && in.Offset == offset {
			return in
		}
	}
	return at
}

// now is the time as a value of the kind, on the clock of a zone, or of the run
// where none is named.
func (k temporalKind) now(x *exec, zone string) (any, error) {
	at := x.clock()
	if zone != "" {
		var err error
		if at, err = at.In(zone); err != nil {
			return nil, queryError("%v", err)
		}
	}
	return k.from(momentOf(at))
}

// clocks are the functions that tell the time and nothing else. Those of Neo4j
// differ in when they look at it; here that is once a run.
var clocks = func() map[string]function {
	all := map[string]function{"timestamp": {0, 0, false, func(x *exec, _ []any) (any, error) { return x.now.UnixMilli(), nil }}}
	for name, k := range map[string]temporalKind{"date": dateKind, "localtime": localTimeKind, "time": timeKind,
		"localdatetime": localDateTimeKind, "datetime": dateTimeKind} {
		tells := function{0, 1, false, func(x *exec, a []any) (any, error) {
			if len(a) == 0 {
				return k.now(x, "")
			}
			zone, err := texts(a)
			if err != nil {
				return nil, err
			}
			return k.now(x, zone[0])
		}}
		maps.Copy(all, map[string]function{name + ".transaction": tells, name + ".statement": tells, name + ".realtime": tells})
	}
	return all
}()
