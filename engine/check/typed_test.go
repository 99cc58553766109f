package check_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"precedent/engine/check"
	"precedent/store"
)

// warehouse is a small graph with a property of each type.
func warehouse() *store.Schema {
	property := func(name, typ string, samples ...any) store.Property {
		return store.Property{Name: name, Type: typ, Present: 20, Distinct: 18, Samples: samples}
	}
	status := store.Property{Name: "status", Type: "STRING", Present: 20, Distinct: 3, Samples: []any{"PENDING", "SHIPPED", "RETURNED"}}
	return &store.Schema{
		Labels: []store.Label{
			{Name: "Order", Count: 20, Properties: []store.Property{
				property("id", "STRING", "SO-1", "SO-2"), status, property("code", "STRING", "17", "23"), property("zip", "STRING", "01067", "80331"),
				property("total", "FLOAT", 9.5), property("items", "INTEGER", int64(3)), property("express", "BOOLEAN", true), property("gift", "STRING", "true", "false"),
				property("placed", "DATE"), property("shipped", "ZONED DATETIME"), property("packed", "LOCAL DATETIME"), property("took", "DURATION"),
				property("due", "STRING", "2024-05-01", "2024-06-30"), property("tags", "LIST<STRING>"), property("mixed", "ANY"),
			}},
		},
		Types:         []store.RelType{{Name: "LINE", Count: 30, Properties: []store.Property{property("quantity", "INTEGER")}}},
		Relationships: []store.Relation{{Start: "Order", Type: "LINE", End: "Order", Count: 30}},
	}
}

// TestTypes holds what the query compares with a property against its type. A want
// that is a query is what becomes of it, else it is what is found; "" stays.
func TestTypes(t *testing.T) {
	c := check.New(warehouse())
	params := map[string]any{"n": "5", "d": "2024-05-01", "s": "pending", "list": []any{"5", int64(6)}, "none": nil}
	for _, test := range []struct{ where, want, found string }{
		// right ones stay
		{`o.total > 500`, "", ""}, {`o.total >= 500.5`, "", ""}, {`o.items = 5`, "", ""}, {`o.items > 4.5`, "", ""}, {`o.items IN [1, 2]`, "", ""},
		{`o.express`, "", ""}, {`o.express = true`, "", ""}, {`NOT o.express = false`, "", ""},
		{`o.placed >= date('2024-01-01')`, "", ""}, {`o.placed = date($d)`, "", ""}, {`o.placed.year = 2024`, "", ""}, {`date('2024-01-01') <= o.placed < date('2025-01-01')`, "", ""},
		{`o.placed >= date() - duration('P30D')`, "", ""}, {`o.placed > date({year: 2024, month: 5})`, "", ""}, {`toString(o.placed) STARTS WITH '2024'`, "", ""},
		{`o.shipped >= datetime('2024-05-01')`, "", ""}, {`date(o.shipped) = date('2024-05-01')`, "", ""}, {`o.packed < localdatetime('2024-05-01T00:00')`, "", ""},
		{`o.took > duration('P3D')`, "", ""}, {`o.due >= '2024-05-01'`, "", ""}, {`o.due STARTS WITH '2024-05'`, "", ""}, {`date(o.due) >= date('2024-05-01')`, "", ""},
		{`o.code = '17'`, "", ""}, {`toInteger(o.code) > 17`, "", ""}, {`o.gift = 'true'`, "", ""}, {`'x' IN o.tags`, "", ""}, {`o.tags = ['a']`, "", ""},
		{`o.mixed = '5' OR o.mixed = 5`, "", ""}, {`o.status = 'PENDING'`, "", ""}, {`toLower(o.status) = 'pending'`, "", ""}, {`o.status CONTAINS 'PEND'`, "", ""},
		{`o.status IN ['PENDING', 'SHIPPED']`, "", ""}, {`o.status <> 'RETURNED'`, "", ""}, {`o.total = $none`, "", ""}, {`o.total > o.items`, "", ""}, {`o.id = 'SO-7'`, "", ""},

		// numbers
		{`o.items = '5'`, `o.items = 5`, ""}, {`o.total > '1,000'`, `o.total > 1000`, ""}, {`o.total > '5万'`, `o.total > 50000`, ""}, {`o.total >= '99.5'`, `o.total >= 99.5`, ""},
		{`'5' <= o.items`, `5 <= o.items`, ""}, {`o.items IN ['1', 2]`, `o.items IN [1, 2]`, ""}, {`o.items = 5.5`, "", "type Order.items 5.5 > 3"}, {`o.items = 'many'`, "", "type Order.items 'many' > 3"},
		{`o.total = true`, "", "type Order.total true > 9.5"}, {`o.total > date('2024-01-01')`, "", "type Order.total date('2024-01-01') > 9.5"},
		{`o.code = 17`, `o.code = '17'`, ""}, {`o.code > 17`, "", "type Order.code 17 > 17"}, {`o.zip = 1067`, "", "type Order.zip 1067 > 01067"}, {`o.status = 1`, "", "type Order.status 1 > PENDING"},
		{`o.items CONTAINS '5'`, "", "type Order.items '5' > 3"},
		// booleans
		{`o.express = 'true'`, `o.express = true`, ""}, {`o.express = 'FALSE'`, `o.express = false`, ""}, {`o.express = 1`, `o.express = true`, ""}, {`o.express = 'maybe'`, "", "type Order.express 'maybe' > true"},
		{`o.gift = true`, `o.gift = 'true'`, ""}, {`o.status = true`, "", "type Order.status true > PENDING"},
		// points in time
		{`o.placed >= '2024-05-01'`, `o.placed >= date('2024-05-01')`, ""}, {`o.placed = '2024-05-01'`, `o.placed = date('2024-05-01')`, ""}, {`o.placed > $d`, `o.placed > date($d)`, ""},
		{`o.placed >= '2024/5/1'`, `o.placed >= date('2024-05-01')`, ""}, {`'2024-01-01' <= o.placed < '2025-01-01'`, `date('2024-01-01') <= o.placed < date('2025-01-01')`, ""},
		{`o.placed IN ['2024-05-01', '2024-05-02']`, `o.placed IN [date('2024-05-01'), date('2024-05-02')]`, ""}, {`o.placed >= '2024-05'`, `o.placed >= date('2024-05')`, ""},
		{`o.placed >= '2024-05-01T00:00:00'`, `o.placed >= date('2024-05-01')`, ""}, {`o.placed >= datetime('2024-05-01T00:00:00Z')`, `o.placed >= date(datetime('2024-05-01T00:00:00Z'))`, ""},
		{`o.placed = 'May 2024'`, "", "type Order.placed 'May 2024'"}, {`o.placed = 2024`, "", "type Order.placed 2024"}, {`o.placed STARTS WITH '2024'`, "", "type Order.placed '2024'"}, {`o.placed = '05/01/2024'`, "", "type Order.placed '05/01/2024'"},
		{`o.shipped >= '2024-05-01'`, `o.shipped >= datetime('2024-05-01')`, ""}, {`o.shipped <= '2024-05-31'`, `date(o.shipped) <= date('2024-05-31')`, ""}, {`o.shipped = '2024-05-31'`, `date(o.shipped) = date('2024-05-31')`, ""},
		{`'2024-05-01' <= o.shipped <= '2024-05-31'`, `date('2024-05-01') <= date(o.shipped) <= date('2024-05-31')`, ""}, {`o.shipped > '2024-05-01T10:00:00Z'`, `o.shipped > datetime('2024-05-01T10:00:00Z')`, ""},
		{`o.shipped >= date('2024-05-01')`, `date(o.shipped) >= date('2024-05-01')`, ""}, {`o.shipped > date() - duration('P7D')`, `date(o.shipped) > date() - duration('P7D')`, ""},
		{`o.packed >= datetime('2024-05-01')`, `o.packed >= localdatetime(datetime('2024-05-01'))`, ""}, {`o.packed < '2024-05-01T12:00'`, `o.packed < localdatetime('2024-05-01T12:00')`, ""},
		{`o.took > 'P3D'`, `o.took > duration('P3D')`, ""}, {`o.took > 3`, "", "type Order.took 3"},
		{`o.due >= date('2024-05-01')`, `o.due >= '2024-05-01'`, ""}, {`o.due < date($d)`, `o.due < $d`, ""}, {`o.due >= date() - duration('P30D')`, `date(o.due) >= date() - duration('P30D')`, ""}, {`o.id > date('2024-05-01')`, "", "type Order.id date('2024-05-01') > SO-1"},
		{`date(o.due) >= '2024-05-01'`, `date(o.due) >= date('2024-05-01')`, ""},
		// lists, and what a small list of values holds
		{`o.tags = 'a'`, "", "type Order.tags 'a'"}, {`o.tags CONTAINS 'a'`, "", "type Order.tags 'a'"},
		{`o.status = 'Pending'`, `o.status = 'PENDING'`, ""}, {`o.status IN ['pending', 'SHIPPED']`, `o.status IN ['PENDING', 'SHIPPED']`, ""}, {`o.status <> 'returned'`, `o.status <> 'RETURNED'`, ""},
		{`toLower(o.status) = 'Pending'`, `toLower(o.status) = 'pending'`, ""}, {`o.status = 'Open'`, "", "value Order.status 'Open' > PENDING"}, {`o.status CONTAINS 'pend'`, "", "value Order.status … 'pend' > PENDING"},
		{`toUpper(o.status) = 'Open'`, `toUpper(o.status) = 'OPEN'`, "value Order.status 'OPEN' > PENDING"},
	} {
		query := `MATCH (o:Order) WHERE ` + test.where + ` RETURN count(o) AS n`
		want := `MATCH (o:Order) WHERE ` + cmp.Or(test.want, test.where) + ` RETURN count(o) AS n`
		r := c.Check(query, parsed(t, query), params)
		if got := told(r.Findings); r.Text != want || got != test.found {
			t.Errorf("%s\ngives %s, %s\nwant  %s, %s", query, r.Text, got, want, test.found)
		}
		parsed(t, r.Text)
		for _, change := range r.Changes {
			if change.Kind != "value" || change.Before == change.After || change.Why == "" {
				t.Errorf("%s: %+v", query, change)
			}
		}
	}
	for where, want := range map[string]string{
		`o.items = $n`: "5", `o.status = $s`: "PENDING", `o.items IN $list`: "[5 6]",
	} {
		query := `MATCH (o:Order) WHERE ` + where + ` RETURN o`
		r := c.Check(query, parsed(t, query), params)
		name := where[len(where)-1:]
		if name == "t" {
			name = "list"
		}
		if got := fmt.Sprint(r.Params[name]); got != want || r.Text != query || len(r.Changes) != 1 {
			t.Errorf("%s takes %s, want %s; %+v", query, got, want, r.Changes)
		}
	}
	for query, want := range map[string]string{
		`MATCH (o:Order) WHERE o.status = $s OR o.id CONTAINS $s RETURN o`:                  `MATCH (o:Order) WHERE o.status = 'PENDING' OR o.id CONTAINS $s RETURN o`,
		`MATCH (o:Order {items: '5', express: 'true'}) RETURN o`:                            `MATCH (o:Order {items: 5, express: true}) RETURN o`,
		`MATCH ()-[r:LINE {quantity: '2'}]->() RETURN r`:                                    `MATCH ()-[r:LINE {quantity: 2}]->() RETURN r`,
		`MATCH (o:Order) WITH o.placed AS d WHERE d > '2024-05-01' RETURN d`:                `MATCH (o:Order) WITH o.placed AS d WHERE d > date('2024-05-01') RETURN d`,
		`MATCH (o:Order) WITH toLower(o.status) AS s WHERE s = 'SHIPPED' RETURN s`:          `MATCH (o:Order) WITH toLower(o.status) AS s WHERE s = 'shipped' RETURN s`,
		`MATCH (o:Order) RETURN sum(CASE WHEN o.status = 'shipped' THEN 1 ELSE 0 END) AS n`: `MATCH (o:Order) RETURN sum(CASE WHEN o.status = 'SHIPPED' THEN 1 ELSE 0 END) AS n`,
	} {
		if r := c.Check(query, parsed(t, query), params); r.Text != want || len(r.Findings) > 0 || fmt.Sprint(r.Params) != fmt.Sprint(params) {
			t.Errorf("%s\ngives %s, %v\nwant  %s", query, r.Text, r.Findings, want)
		}
	}
	many := make([]string, 0, 1000)
	for i := range cap(many) {
		many = append(many, fmt.Sprintf("'no %d'", i))
	}
	query := `MATCH (o:Order) WHERE o.status IN [` + strings.Join(many, ", ") + `] RETURN o`
	const most = 8
	if r := c.Check(query, parsed(t, query), nil); len(r.Findings) != most {
		t.Errorf("%d findings", len(r.Findings))
	}
}
