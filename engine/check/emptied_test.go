package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"precedent/engine/check"
	"precedent/store"
)

// TestFilters takes the conditions of a query apart.
func TestFilters(t *testing.T) {
	c := check.New(market())
	params := map[string]any{"tier": "gold", "least": int64(500)}
	query := `MATCH (c:Customer {tier: $tier})-[:PLACED]->(o:Order) WHERE o.total > $least AND (o.status = 'open' OR o.status = 'new') RETURN count(o) AS n`
	filters, whole := c.Filters(parsed(t, query), params)
	var got []string
	for _, f := range filters {
		got = append(got, fmt.Sprintf("%s | %s | %s %v | %s %v | %s %v", f.Shown, f.Of, f.Text, f.Numbers, f.Without.Text, f.Without.Params, f.Alone.Text, f.Alone.Params))
	}
	want := []string{
		`Customer.tier = 'gold' | Customer.tier | gold [] | MATCH (c:Customer {})-[:PLACED]->(o:Order) WHERE o.total > $least AND (o.status = 'open' OR o.status = 'new') RETURN 1 AS n LIMIT 1 map[least:500] | MATCH (c:Customer) WHERE c.tier = $tier RETURN 1 AS n LIMIT 1 map[tier:gold]`,
		`Order.total > 500 | Order.total |  [500] | MATCH (c:Customer {tier: $tier})-[:PLACED]->(o:Order) WHERE o.status = 'open' OR o.status = 'new' RETURN 1 AS n LIMIT 1 map[tier:gold] | MATCH (o:Order) WHERE o.total > $least RETURN 1 AS n LIMIT 1 map[least:500]`,
		`Order.status = 'open' OR Order.status = 'new' | Order.status | open [] | MATCH (c:Customer {tier: $tier})-[:PLACED]->(o:Order) WHERE o.total > $least RETURN 1 AS n LIMIT 1 map[least:500 tier:gold] | MATCH (o:Order) WHERE o.status = 'open' OR o.status = 'new' RETURN 1 AS n LIMIT 1 map[]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := `MATCH (c:Customer {tier: $tier})-[:PLACED]->(o:Order) WHERE o.total > $least AND (o.status = 'open' OR o.status = 'new') RETURN 1 AS n LIMIT 1`; whole.Text != want {
		t.Errorf("the whole is %s", whole.Text)
	}
	for _, query := range []string{
		`MATCH (o:Order) RETURN count(o)`, `RETURN 1 AS n`, `UNWIND [1] AS x MATCH (o:Order {id: 'x'}) RETURN o`, `OPTIONAL MATCH (o:Order {id: 'x'}) RETURN o`,
		`MATCH (o:Order {id: 'x'}) RETURN o UNION MATCH (o:Order) RETURN o`, `MATCH (o:Order) WHERE o.id > 'a' AND o.id > 'b' AND o.id > 'c' AND o.id > 'd' AND o.id > 'e' AND o.id > 'f' RETURN o`,
	} {
		if filters, _ := c.Filters(parsed(t, query), nil); len(filters) > 0 {
			t.Errorf("%s has %v", query, filters)
		}
	}
	filters, _ = c.Filters(parsed(t, `MATCH (:Customer {name: 'a'})-[r:PLACED]->(o:Order)-[l:CONTAINS {quantity: 3}]->(p) WHERE o.placed > date('2025-01-01') AND o.total > p.price RETURN o`), nil)
	if len(filters) != 4 || filters[0].Alone.Text != `MATCH (anya:Customer) WHERE anya.name = 'a' RETURN 1 AS n LIMIT 1` || filters[1].Alone.Text != `MATCH ()-[l:CONTAINS]->() WHERE l.quantity = 3 RETURN 1 AS n LIMIT 1` ||
		fmt.Sprint(filters[2].Numbers) != "[2025-01-01]" || filters[2].Text != "" || filters[3].Alone.Text != "" {
		t.Errorf("got %+v", filters)
	}
	if f := check.ApartOf(filters[:2]); f.Has != "Customer.name = 'a' AND `CONTAINS`.quantity = 3" {
		t.Errorf("got %+v", f)
	}
}

// TestTieOf asks for the rows next to the first.
func TestTieOf(t *testing.T) {
	for query, want := range map[string]string{
		`MATCH (p:Product) RETURN p.name AS n ORDER BY p.price DESC LIMIT 1`:                    `MATCH (p:Product) RETURN p.name AS n, p.price AS tied ORDER BY p.price DESC LIMIT 11`,
		`MATCH (p:Product) RETURN p.name, p.price AS x ORDER BY x LIMIT 1`:                      `MATCH (p:Product) RETURN p.name, p.price AS x ORDER BY x LIMIT 11`,
		`MATCH (c)-[:PLACED]->(o) RETURN c.name, count(o) AS n ORDER BY n DESC, c.name LIMIT 1`: `MATCH (c)-[:PLACED]->(o) RETURN c.name, count(o) AS n ORDER BY n DESC, c.name LIMIT 11`,
		`MATCH (c)-[:PLACED]->(o) RETURN c.name, count(o) ORDER BY count(o) DESC LIMIT 1`:       `MATCH (c)-[:PLACED]->(o) RETURN c.name, count(o) ORDER BY count(o) DESC LIMIT 11`,
		`MATCH (c)-[:PLACED]->(o) WITH c, count(o) AS n ORDER BY n DESC LIMIT 1 RETURN c.name`:  `MATCH (c)-[:PLACED]->(o) WITH c, count(o) AS n ORDER BY n DESC LIMIT 11 RETURN c.name, n AS tied`,
		`MATCH (c) WITH c ORDER BY c.age LIMIT 1 RETURN c.name`:                                 `MATCH (c) WITH c ORDER BY c.age LIMIT 11 RETURN c.name, c.age AS tied`,
		`MATCH (c) RETURN c.name ORDER BY c.age LIMIT 5`:                                        "",
		`MATCH (c) RETURN c.name ORDER BY c.age SKIP 1 LIMIT 1`:                                 "",
		`MATCH (c) RETURN c.name LIMIT 1`:                                                       "",
		`MATCH (c) RETURN DISTINCT c.name ORDER BY c.name LIMIT 2`:                              "",
		`MATCH (c)-[:PLACED]->(o) RETURN c.name, count(o) AS n ORDER BY sum(o.total) LIMIT 1`:   "",
		`MATCH (c) WITH c ORDER BY c.age LIMIT 1 MATCH (c)-[:PLACED]->(o) RETURN o.id`:          "",
		`MATCH (c) WITH c ORDER BY c.age LIMIT 1 RETURN count(c)`:                               "",
	} {
		tie, ok := check.TieOf(parsed(t, query), nil)
		if ok != (want != "") || tie.Query.Text != want {
			t.Errorf("%s\ngives %s\nwant  %s", query, tie.Query.Text, want)
		}
	}
	tie, _ := check.TieOf(parsed(t, `MATCH (p:Product) RETURN p.name AS n ORDER BY p.price DESC LIMIT 1`), nil)
	rows := store.Table{Columns: []string{"n", "tied"}, Rows: [][]any{{"a", int64(3)}, {"b", int64(3)}, {"c", int64(2)}}}
	if f, ok := tie.In(rows); !ok || fmt.Sprint(f.Values) != "[a b]" || !f.All {
		t.Errorf("got %+v", f)
	}
	rows.Rows[1][1] = int64(2)
	if f, ok := tie.In(rows); ok {
		t.Errorf("got %+v", f)
	}
}

// TestHoldingOf holds texts against lists of values.
func TestHoldingOf(t *testing.T) {
	status := []any{"PENDING", "IN_TRANSIT", "delivered", "归还", "P0", "P1"}
	for value, want := range map[string]string{
		"PENDING": "PENDING", "pending": "PENDING", "Pending ": "PENDING", "in transit": "IN_TRANSIT", "deliverd": "delivered", "歸還": "归还",
		"p0": "P0", "P2": "", "gone": "", "del": "", "": "",
	} {
		h := check.HoldingOf(value, status, true)
		got := h.Is
		if h.Held {
			got = value
		}
		if got != want || !h.Known || !h.Held && (!h.All || len(h.Nearest) != len(status)) {
			t.Errorf("%q: %+v, want %q", value, h, want)
		}
	}
	if h := check.HoldingOf("del", status, true); h.Nearest[0] != "delivered" {
		t.Errorf("nearest to del is %v", h.Nearest)
	}
	names := []any{"Ada Lind", "Bo Marsh"}
	for value, want := range map[string]string{"ada lind": "Ada Lind", "Ada Lynd": " [Ada Lind]", "Qwertz": " []"} {
		h := check.HoldingOf(value, names, false)
		if got := h.Is; got != want && fmt.Sprint(got, " ", h.Nearest) != want || h.All {
			t.Errorf("%q: %+v, want %q", value, h, want)
		}
	}
	if h := check.HoldingOf("OPEN?", []any{"Open", "open"}, true); h.Is != "" || h.Held {
		t.Errorf("got %+v", h)
	}
}
