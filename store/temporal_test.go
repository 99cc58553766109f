package store_test

import (
	"fmt"
	"math"
	"testing"

	"precedent/store"
)

func TestTemporalText(t *testing.T) {
	text := func(v fmt.Stringer, err error) string {
		if err != nil {
			return "error"
		}
		return v.String()
	}
	for _, c := range []struct {
		parse func(string) string
		cases [][2]string
	}{
		{func(s string) string { v, err := store.ParseDate(s); return text(v, err) }, [][2]string{
			{"2015-07-21", "2015-07-21"}, {"20150721", "2015-07-21"}, {"2015-07", "2015-07-01"}, {"201507", "2015-07-01"},
			{"2015-W30-2", "2015-07-21"}, {"2015W302", "2015-07-21"}, {"2015-W30", "2015-07-20"}, {"2015-Q2-60", "2015-05-30"},
			{"2015Q2", "2015-04-01"}, {"2015-202", "2015-07-21"}, {"2015202", "2015-07-21"}, {"2015", "2015-01-01"},
			{"-0001-02-03", "-0001-02-03"}, {"+12015-01-01", "+12015-01-01"}, {"2015-1-2", "2015-01-02"},
			{"2015-02-29", "error"}, {"2016-02-29", "2016-02-29"}, {"2015-W53", "2015-12-28"}, {"2014-W53", "error"}, {"2015-13-01", "error"}, {"today", "error"}, {"", "error"},
		}},
		{func(s string) string { v, err := store.ParseTime(s); return text(v, err) }, [][2]string{
			{"21:40:32.142+0100", "21:40:32.142+01:00"}, {"214032.142Z", "21:40:32.142Z"}, {"2140-02", "21:40:00-02:00"},
			{"22+18:00", "22:00:00+18:00"}, {"21:40", "21:40:00Z"}, {"24:00", "error"}, {"12:60", "error"}, {"12+19:00", "error"},
		}},
		{func(s string) string { v, err := store.ParseLocalDateTime(s); return text(v, err) }, [][2]string{
			{"2015-07-21T21:40:32.142", "2015-07-21T21:40:32.142"}, {"2015-W30-2T2140", "2015-07-21T21:40:00"}, {"2015", "2015-01-01T00:00:00"},
			{"1969-12-31T23:59:59.5", "1969-12-31T23:59:59.5"}, {"2015-07-21T", "error"}, {"2015-07-21T10Z", "error"},
		}},
		{func(s string) string { v, err := store.ParseDateTime(s); return text(v, err) }, [][2]string{
			{"2015-06-24T12:50:35.556+0100", "2015-06-24T12:50:35.556+01:00"},
			{"2015-07-21T21:40:32.142[Europe/London]", "2015-07-21T21:40:32.142+01:00[Europe/London]"},
			{"2015-11-21T21:40+00:00[Europe/London]", "2015-11-21T21:40:00Z[Europe/London]"},
			{"2015-07-21T21:40+05:00[Europe/London]", "error"}, {"2015-07-21T21:40[Mars/Olympus]", "error"}, {"2015-07-21T21:40[Local]", "error"},
			{"2021-03-28T01:30[Europe/London]", "2021-03-28T02:30:00+01:00[Europe/London]"}, // the gap
			{"2021-10-31T01:30[Europe/London]", "2021-10-31T01:30:00+01:00[Europe/London]"}, // the overlap
			{"2015-07-21", "2015-07-21T00:00:00Z"},
		}},
		{func(s string) string { v, err := store.ParseDuration(s); return text(v, err) }, [][2]string{
			{"P1Y2M3DT4H5M6.5S", "P1Y2M3DT4H5M6.5S"}, {"P14DT16H12M", "P14DT16H12M"}, {"P5M1.5D", "P5M1DT12H"}, {"P0.75M", "P22DT19H51M49.5S"},
			{"PT0.75M", "PT45S"}, {"P2012-02-02T14:37:21.545", "P2012Y2M2DT14H37M21.545S"}, {"P2W", "P14D"}, {"PT-0.5S", "PT-0.5S"},
			{"-P1Y", "P-1Y"}, {"PT0S", "PT0S"}, {"PT90S", "PT1M30S"}, {"P-1DT25H", "P-1DT25H"}, {"PT-1.25S", "PT-1.25S"}, {"P", "error"}, {"P1DT", "error"}, {"1Y", "error"},
			{"P99999999999999999999Y", "error"},
		}},
	} {
		for _, tc := range c.cases {
			want := tc[1]
			if got := c.parse(tc[0]); got != want {
				t.Errorf("%q = %s, want %s", tc[0], got, want)
			}
		}
	}
}

func TestCivilRoundTrip(t *testing.T) {
	for days := int64(-800000); days < 800000; days += 13 {
		y, m, d := store.Date{Days: days}.Civil()
		if got := store.DateOf(y, m, d).Days; got != days {
			t.Fatalf("day %d is %d-%d-%d, which is day %d", days, y, m, d, got)
		}
	}
}

func TestTemporalCompare(t *testing.T) {
	date := func(s string) store.DateTime { d, _ := store.ParseDateTime(s); return d }
	a, b := date("2020-01-01T12:00Z"), date("2020-01-01T13:00+01:00")
	if a.Compare(b) == 0 || a.Compare(date("2020-01-01T12:30+01:00")) <= 0 {
		t.Error("datetimes compare by instant, then by offset")
	}
	month, days := store.Duration{Months: 1}, store.Duration{Days: 30}
	if month.Compare(days) <= 0 || month.Compare(store.Duration{Days: 31}) >= 0 {
		t.Error("a month is between 30 and 31 days")
	}
}

func TestEncodeValue(t *testing.T) {
	date, _ := store.ParseDate("2015-07-21")
	node := store.Node{ID: "1", Labels: []string{"A"}, Properties: map[string]any{"x": 8.0, "d": date}}
	rel := store.Relationship{Type: "R", Properties: map[string]any{"w": 1e21}}
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, `null`}, {true, `true`}, {int64(7), `7`}, {8.0, `8.0`}, {1.5, `1.5`}, {1e300, `1e+300`}, {1e-7, `1e-07`}, {math.Copysign(0, -1), `-0.0`},
		{math.NaN(), `"NaN"`}, {math.Inf(1), `"Infinity"`}, {math.Inf(-1), `"-Infinity"`},
		{"<a> \"é\"\n", `"<a> \"é\"\n"`}, {[]any{int64(1), 2.0, nil}, `[1,2.0,null]`}, {map[string]any{"b": 2.0, "a": []any{}}, `{"a":[],"b":2.0}`},
		{node, `{"labels":["A"],"properties":{"d":"2015-07-21","x":8.0}}`},
		{rel, `{"type":"R","properties":{"w":1e+21}}`},
		{store.Node{}, `{"labels":[],"properties":{}}`},
		{store.Path{Nodes: []store.Node{node, {}}, Relationships: []store.Relationship{rel}},
			`{"nodes":[{"labels":["A"],"properties":{"d":"2015-07-21","x":8.0}},{"labels":[],"properties":{}}],"relationships":[{"type":"R","properties":{"w":1e+21}}]}`},
		{store.Point{SRID: 7203, X: 1, Y: 2.5}, `{"srid":7203,"x":1.0,"y":2.5}`},
		{store.Point{SRID: 9157, X: 1, Y: 2, Z: 3}, `{"srid":9157,"x":1.0,"y":2.0,"z":3.0}`},
		{store.Duration{Months: 14}, `"P1Y2M"`},
	} {
		got, err := store.EncodeValue(c.v)
		if err != nil || string(got) != c.want {
			t.Errorf("EncodeValue(%#v) = %s, %v; want %s", c.v, got, err, c.want)
		}
	}
	if _, err := store.EncodeValue(struct{}{}); err == nil {
		t.Error("a Go struct has no form")
	}
}
