package embedded_test

import (
	"testing"
	"time"

	"precedent/store"
)

// All clocks of a query show the instant that it was given, in the zone of that.
func TestClocks(t *testing.T) {
	g := open(t, "testdata/graph")
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 2, 29, 20, 30, 15, 250_000_000, time.UTC)
	for _, c := range []struct {
		now         time.Time
		query, want string
	}{
		{at, "RETURN date(), datetime(), localdatetime(), time(), localtime(), timestamp()",
			`["2024-02-29","2024-02-29T20:30:15.25Z","2024-02-29T20:30:15.25","20:30:15.25Z","20:30:15.25",1709238615250]`},
		{at.In(shanghai), "RETURN date(), datetime(), localdatetime(), time(), localtime(), timestamp()",
			`["2024-03-01","2024-03-01T04:30:15.25+08:00[Asia/Shanghai]","2024-03-01T04:30:15.25","04:30:15.25+08:00","04:30:15.25",1709238615250]`},
		{at.In(time.FixedZone("", -3600)), "RETURN datetime(), datetime().timezone", `["2024-02-29T19:30:15.25-01:00","-01:00"]`},
		{at, "RETURN date({timezone: 'Asia/Tokyo'}), datetime({timezone: '+02:00'}), time.realtime('Asia/Tokyo'), date.statement('Pacific/Honolulu')",
			`["2024-03-01","2024-02-29T22:30:15.25+02:00","05:30:15.25+09:00","2024-02-29"]`},
		{at, "RETURN date.transaction() = date.realtime() AND datetime() = datetime.statement() AND localtime.transaction() = localtime()", `[true]`},
		{at, "UNWIND [1, 2] AS x WITH collect(DISTINCT datetime()) AS all RETURN size(all)", `[1]`},
		{at, "RETURN date() - duration('P1Y'), datetime.truncate('month'), date.truncate('year', date()), duration.between(date('2024-01-01'), date())",
			`["2023-02-28","2024-02-01T00:00:00Z","2024-01-01","P1M28D"]`},
		{at, "MATCH (p:Person) WHERE p.joined.year = date().year - 4 RETURN count(*)", `[2]`},
		{at.AddDate(1, 0, 0), "MATCH (p:Person) WHERE p.joined.year = date().year - 4 RETURN count(*)", `[1]`}, // the same text, another year
		{at, "RETURN date(null), date.realtime(null)", `[null,null]`},
	} {
		table, err := g.Run(t.Context(), store.Query{Text: c.query, Now: c.now}, store.Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
		} else if got := text(t, table.Rows[0]); got != c.want {
			t.Errorf("%s\n have %s\n want %s", c.query, got, c.want)
		}
	}
	before := time.Now().UnixMilli()
	table, err := g.Run(t.Context(), store.Query{Text: "RETURN timestamp()"}, store.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if now := table.Rows[0][0].(int64); now < before || now > time.Now().UnixMilli() {
		t.Errorf("without an instant it is %d, not now", now)
	}
}
