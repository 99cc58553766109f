package check_test

import (
	"slices"
	"testing"

	"precedent/engine/check"
	"precedent/engine/reading"
	"precedent/store"
)

// market is a graph of customers, who place orders of several products, each of one
// category.
func market() *store.Schema {
	text := func(name string, present, distinct int64) store.Property {
		return store.Property{Name: name, Type: "STRING", Present: present, Distinct: distinct}
	}
	of := func(name, typ string, present int64) store.Property {
		return store.Property{Name: name, Type: typ, Present: present, Distinct: -1}
	}
	return &store.Schema{
		Labels: []store.Label{
			{Name: "Category", Count: 6, Properties: []store.Property{text("name", 6, 6)}},
			{Name: "City", Count: 9, Properties: []store.Property{text("country", 9, 3), text("name", 9, 9)}},
			{Name: "Customer", Count: 50, Properties: []store.Property{of("age", "INTEGER", 50), of("joined", "DATE", 50), text("name", 50, 50), text("tier", 50, 3)}},
			{Name: "Order", Count: 200, Properties: []store.Property{of("id", "STRING", 200), of("placed", "DATE", 200), of("shipped", "ZONED DATETIME", 200), text("status", 200, 5), of("total", "FLOAT", 200), of("year", "INTEGER", 200)}},
			{Name: "Product", Count: 40, Properties: []store.Property{text("kind", 40, 5), text("name", 40, 40), of("price", "FLOAT", 40), of("stock", "INTEGER", 40)}},
		},
		Types: []store.RelType{{Name: "CONTAINS", Count: 600, Properties: []store.Property{of("quantity", "INTEGER", 600)}}, {Name: "IN", Count: 40}, {Name: "LIVES_IN", Count: 50}, {Name: "PLACED", Count: 200}},
		Relationships: []store.Relation{
			{Start: "Customer", Type: "LIVES_IN", End: "City", Count: 50}, {Start: "Customer", Type: "PLACED", End: "Order", Count: 200},
			{Start: "Order", Type: "CONTAINS", End: "Product", Count: 600}, {Start: "Product", Type: "IN", End: "Category", Count: 40},
		},
	}
}

// leadsToOne is what the data of market say, where its counts don't.
func leadsToOne(s check.Step) bool {
	return slices.Contains([]check.Step{
		{From: "Order", Type: "PLACED", To: "Customer", Back: true}, {From: "Product", Type: "IN", To: "Category"}, {From: "Customer", Type: "LIVES_IN", To: "City"},
	}, s)
}

// A held is a question with a query, and what is found wrong in it: "" for nothing.
type heldQuery struct{ question, query, want string }

func holdAll(t *testing.T, params map[string]any, all []heldQuery) {
	t.Helper()
	s := market()
	c := check.New(s)
	r, err := reading.New(reading.DefaultGlossary(s), s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, h := range all {
		done := c.Check(h.query, parsed(t, h.query), params)
		found := c.Doubts(done.Text, done.Statement, done.Params, check.Asked{Said: r.Said(h.question, r.Read(h.question).Mentions), One: leadsToOne})
		got := ""
		if len(found) > 0 {
			got = string(found[0].Kind)
		}
		if got != h.want {
			t.Errorf("%s\n\t%s\n\tgot %q %v, want %q", h.question, h.query, got, backs(found), h.want)
		}
		if h.want == "" {
			right++
		}
	}
	const least = 20
	if right < least {
		t.Errorf("%d right queries, want at least %d", right, least)
	}
}

// TestMultiplied holds aggregates against the patterns that multiply their rows.
func TestMultiplied(t *testing.T) {
	holdAll(t, nil, []heldQuery{
		// right
		{"", `MATCH (o:Order) RETURN sum(o.total)`, ""},
		{"", `MATCH (c:Customer)-[:PLACED]->(o:Order) RETURN sum(o.total)`, ""},
		{"", `MATCH (c:Customer)-[:PLACED]->(o:Order) RETURN c.name, sum(o.total)`, ""},
		{"", `MATCH (c:Customer)-[:LIVES_IN]->(t:City) RETURN t.country, avg(c.age)`, ""},
		{"", `MATCH (o:Order)<-[:PLACED]-(c)-[:LIVES_IN]->(t:City) RETURN t.name, sum(o.total), count(o)`, ""},
		{"", `MATCH (o:Order)-[l:CONTAINS]->(p:Product) RETURN sum(l.quantity)`, ""},
		{"", `MATCH (o:Order)-[l:CONTAINS]->(p:Product) RETURN sum(l.quantity * p.price)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product)-[:IN]->(k:Category) RETURN k.name, count(DISTINCT o)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) RETURN p.name, sum(o.total)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product {name: 'x'}) RETURN sum(o.total)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) WHERE p.name = 'x' RETURN count(o)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) RETURN count(*)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) WITH o, count(p) AS n RETURN sum(o.total), avg(n)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) WITH DISTINCT o RETURN sum(o.total)`, ""},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) RETURN max(o.total), min(o.total)`, ""},
		{"", `MATCH (o:Order) WHERE EXISTS { (o)-[:CONTAINS]->(:Product {kind: 'x'}) } RETURN sum(o.total), count(o)`, ""},
		{"", `MATCH (c:Customer) OPTIONAL MATCH (c)-[:PLACED]->(o:Order) RETURN c.name, count(o) AS n`, ""},
		{"", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, sum(o.total) AS s MATCH (c)-[:LIVES_IN]->(t:City) RETURN t.name, avg(s)`, ""},
		{"", `MATCH (c:Customer) RETURN avg(COUNT { (c)-[:PLACED]->() })`, ""},
		{"", `MATCH (c:Customer)-[:PLACED]->(o:Order) WITH c, count(o) AS n ORDER BY n DESC LIMIT 1 MATCH (c)-[:PLACED]->(o)-[:CONTAINS]->(p) RETURN count(DISTINCT p)`, ""},
		{"", `UNWIND ['a', 'b'] AS name MATCH (c:Customer {name: name})-[:PLACED]->(o) RETURN name, count(o), sum(o.total)`, ""},
		{"", `MATCH (o:Order) WITH collect(o) AS os UNWIND os AS o RETURN sum(o.total)`, ""},
		{"", `MATCH (o:Order) RETURN 100.0 * sum(CASE WHEN o.status = 'x' THEN 1 ELSE 0 END) / count(o)`, ""},
		{"", `MATCH (c:Customer) WITH count(c) AS all MATCH (o:Order) RETURN all, count(o), sum(o.total)`, ""},
		{"", `MATCH (c:Customer)-[:PLACED]->(o:Order) RETURN c.tier, count(o), avg(o.total)`, ""},
		// wrong
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) RETURN sum(o.total)`, "multiplied"},
		{"", `MATCH (c:Customer)-[:PLACED]->(o:Order)-[:CONTAINS]->(p:Product) RETURN c.name, sum(o.total)`, "multiplied"},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product) RETURN p.kind, sum(o.total)`, "multiplied"},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p:Product {kind: 'x'}) RETURN avg(o.total)`, "multiplied"},
		{"", `MATCH (c:Customer)-[:PLACED]->(:Order) RETURN avg(c.age)`, "multiplied"},
		{"", `MATCH (o:Order)-[:CONTAINS]->(p) WITH o, collect(p) AS ps UNWIND ps AS p RETURN sum(o.total)`, "multiplied"},
		{"", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, sum(o.total) AS s MATCH (c)-[:PLACED]->(o) RETURN sum(s)`, "multiplied"},
		{"", `MATCH (o:Order) MATCH (o)-[:CONTAINS]->(p) WITH o, p RETURN sum(o.total)`, "multiplied"},
		{"", `MATCH (p:Product)<-[l:CONTAINS]-(o:Order) RETURN sum(o.total), sum(l.quantity)`, "multiplied"},
		{"", `MATCH (c:Customer)-[:PLACED]->(:Order) RETURN count(c)`, "repeated"},
		{"", `MATCH (c:Customer)-[:PLACED]->(o:Order)-[:CONTAINS]->(p:Product) RETURN c.name, count(o)`, "repeated"},
		{"", `MATCH (c:Customer)-[:LIVES_IN]->(t:City) RETURN count(t)`, "repeated"},
		{"", `MATCH (c:Customer)-[:PLACED]->()-[:CONTAINS]->(p:Product {kind: 'x'}) RETURN count(c.name)`, "repeated"},
		{"how many customers bought something?", `MATCH (c:Customer)-[:PLACED]->(:Order) RETURN count(*)`, "repeated"},
	})
}

// TestUnjoined looks for patterns that nothing joins.
func TestUnjoined(t *testing.T) {
	holdAll(t, nil, []heldQuery{
		{"", `MATCH (c:Customer {name: 'a'}), (p:Product {name: 'b'}) RETURN c.age, p.price`, ""},
		{"", `MATCH (c:Customer {name: 'a'}), (d:Customer {name: 'b'}) RETURN c.age > d.age`, ""},
		{"", `MATCH (c:Customer)-[:PLACED]->(o), (o)-[:CONTAINS]->(p) RETURN c.name, p.name`, ""},
		{"", `MATCH (c:Customer) MATCH (c)-[:PLACED]->(o) RETURN c.name, o.id`, ""},
		{"", `MATCH (c:Customer), (d:Customer) WHERE c.age = d.age AND c.name < d.name RETURN c.name, d.name`, ""},
		{"", `MATCH (c:Customer), (d:Customer) WHERE c.age < d.age RETURN c.name, d.name`, ""},
		{"", `MATCH (c:Customer), (o:Order) WHERE (c)-[:PLACED]->(o) RETURN c.name`, ""},
		{"", `MATCH (c:Customer), (d:Customer {name: c.name}) RETURN c.name`, ""},
		{"", `MATCH (c:Customer) WITH count(c) AS n MATCH (p:Product) RETURN n, count(p)`, ""},
		{"", `MATCH (c:Customer) WITH avg(c.age) AS a MATCH (c:Customer) WHERE c.age > a RETURN c.name`, ""},
		{"", `MATCH (o:Order) WITH max(o.total) AS m MATCH (o:Order) WHERE o.total = m RETURN o.id`, ""},
		{"", `MATCH (c:Customer {name: 'a'}), (d:Customer {name: 'b'}), p = shortestPath((c)-[*]-(d)) RETURN length(p)`, ""},
		{"", `MATCH (c:Customer)-[:LIVES_IN]->(t:City), (d:Customer)-[:LIVES_IN]->(t) RETURN c.name, d.name`, ""},
		{"", `UNWIND ['a', 'b'] AS n MATCH (c:Customer {name: n}) RETURN c.age`, ""},
		{"", `MATCH (c:Customer) RETURN c.name UNION MATCH (p:Product) RETURN p.name`, ""},
		{"", `MATCH (c:Customer) OPTIONAL MATCH (c)-[:PLACED]->(o) RETURN c.name, count(o)`, ""},
		{"", `MATCH (p:Product {name: 'x'}) WITH p MATCH (q:Product) WHERE q.price > p.price RETURN q.name`, ""},
		{"", `MATCH (p:Product) WHERE p.name IN ['x', 'y'] RETURN p.price`, ""},
		{"", `MATCH (a:Product {name: 'x'})<-[:CONTAINS]-(o:Order)-[:CONTAINS]->(b:Product) RETURN b.name, count(*)`, ""},
		{"", `CALL { MATCH (c:Customer) RETURN count(c) AS n } CALL { MATCH (p:Product) RETURN count(p) AS m } RETURN n, m`, ""},
		{"", `MATCH (c:Customer) WHERE NOT EXISTS { MATCH (c)-[:PLACED]->(:Order), (p:Product {name: 'x'}) } RETURN c.name`, ""},
		{"", `MATCH (c:Customer), (p:Product) RETURN count(DISTINCT c), count(DISTINCT p)`, "product"},
		{"", `MATCH (c:Customer {tier: 'gold'}), (o:Order) RETURN c.name, o.id`, "product"},
		{"", `MATCH (c:Customer) MATCH (o:Order) RETURN c.name, o.id`, "product"},
		{"", `MATCH (c:Customer)-[:LIVES_IN]->(:City {name: 'x'}), (:Customer)-[:PLACED]->(o) RETURN c.name, o.id`, "product"},
		{"", `MATCH (a:Customer), (b:Customer) WHERE a <> b RETURN a.name, b.name`, "product"},
	})
}

// TestTurned holds the order of the rows, and how many there are, against the words.
func TestTurned(t *testing.T) {
	holdAll(t, map[string]any{"n": int64(5)}, []heldQuery{
		{"which order has the highest total?", `MATCH (o:Order) RETURN o.id ORDER BY o.total DESC LIMIT 1`, ""},
		{"which order has the lowest total?", `MATCH (o:Order) RETURN o.id ORDER BY o.total LIMIT 1`, ""},
		{"which customer has the most orders?", `MATCH (c:Customer)-[:PLACED]->(o) RETURN c.name, count(o) AS n ORDER BY n DESC LIMIT 1`, ""},
		{"which customer has the fewest orders?", `MATCH (c:Customer)-[:PLACED]->(o) RETURN c.name, count(o) AS n ORDER BY n LIMIT 1`, ""},
		{"the latest order", `MATCH (o:Order) RETURN o.id ORDER BY o.placed DESC LIMIT 1`, ""},
		{"the earliest order", `MATCH (o:Order) RETURN o.id ORDER BY o.placed LIMIT 1`, ""},
		{"which customer has been with us the longest?", `MATCH (c:Customer) RETURN c.name ORDER BY c.joined LIMIT 1`, ""},
		{"top 5 customers by age", `MATCH (c:Customer) RETURN c.name ORDER BY c.age DESC LIMIT 5`, ""},
		{"the 5 cheapest products", `MATCH (p:Product) RETURN p.name ORDER BY p.price LIMIT $n`, ""},
		{"the five most expensive products", `MATCH (p:Product) RETURN p.name ORDER BY p.price DESC LIMIT 5`, ""},
		{"which product is the most expensive?", `MATCH (p:Product) WITH max(p.price) AS m MATCH (p:Product {price: m}) RETURN p.name`, ""},
		{"which product is the most expensive?", `MATCH (p:Product) WITH p ORDER BY p.price DESC RETURN collect(p.name)[0]`, ""},
		{"which products are the most expensive?", `MATCH (p:Product) RETURN p.name, p.price ORDER BY p.price DESC`, ""},
		{"the most expensive product of each category", `MATCH (p:Product)-[:IN]->(k) WITH k, p ORDER BY p.price DESC RETURN k.name, collect(p.name)[0]`, ""},
		{"the second most expensive product", `MATCH (p:Product) RETURN p.name ORDER BY p.price DESC SKIP 1 LIMIT 1`, ""},
		{"top 10% of orders by total", `MATCH (o:Order) WITH o ORDER BY o.total DESC WITH collect(o) AS os RETURN os[0..20]`, ""},
		{"orders with the highest total first", `MATCH (o:Order) RETURN o.id ORDER BY o.total DESC`, ""},
		{"the newest customers in the lowest tier", `MATCH (c:Customer {tier: 'bronze'}) RETURN c.name ORDER BY c.joined DESC`, ""},
		{"最便宜的产品是哪个", `MATCH (p:Product) RETURN p.name ORDER BY p.price LIMIT 1`, ""},
		{"价格最高的3个产品", `MATCH (p:Product) RETURN p.name ORDER BY p.price DESC LIMIT 3`, ""},
		{"哪个客户下单最多", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n ORDER BY n DESC LIMIT 1 RETURN c.name, n`, ""},
		{"最早的订单", `MATCH (o:Order) RETURN o.id ORDER BY o.placed LIMIT 1`, ""},
		{"级别最高的客户", `MATCH (c:Customer) RETURN c.name ORDER BY c.tier LIMIT 1`, ""},
		{"各城市里年龄最大的客户", `MATCH (c:Customer)-[:LIVES_IN]->(t) RETURN t.name, max(c.age)`, ""},

		{"which order has the highest total?", `MATCH (o:Order) RETURN o.id ORDER BY o.total LIMIT 1`, "order"},
		{"which order has the lowest total?", `MATCH (o:Order) RETURN o.id ORDER BY o.total DESC LIMIT 1`, "order"},
		{"which customer has the most orders?", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n ORDER BY n LIMIT 1 RETURN c.name`, "order"},
		{"which customer has the fewest orders?", `MATCH (c:Customer) RETURN c.name ORDER BY COUNT { (c)-[:PLACED]->() } DESC LIMIT 1`, "order"},
		{"the latest order", `MATCH (o:Order) RETURN o.id ORDER BY o.placed LIMIT 1`, "order"},
		{"最早的订单", `MATCH (o:Order) RETURN o.id ORDER BY o.shipped DESC LIMIT 1`, "order"},
		{"最便宜的产品是哪个", `MATCH (p:Product) RETURN p.name ORDER BY p.price DESC LIMIT 1`, "order"},
		{"哪个客户下单最多", `MATCH (c:Customer)-[:PLACED]->(o) RETURN c.name, sum(o.total) AS n ORDER BY n LIMIT 1`, "order"},
		{"top 5 customers by age", `MATCH (c:Customer) RETURN c.name ORDER BY c.age DESC`, "limit"},
		{"top 5 customers by age", `MATCH (c:Customer) RETURN c.name ORDER BY c.age DESC LIMIT 10`, "limit"},
		{"the 3 cheapest products", `MATCH (p:Product) RETURN p.name ORDER BY p.price LIMIT $n`, "limit"},
		{"which product is the most expensive?", `MATCH (p:Product) RETURN p.name ORDER BY p.price DESC`, "limit"},
		{"价格最高的3个产品", `MATCH (p:Product) RETURN p.name ORDER BY p.price DESC LIMIT 1`, "limit"},
		{"哪个客户下单最多", `MATCH (c:Customer)-[:PLACED]->(o) RETURN c.name, count(o) AS n ORDER BY n DESC`, "limit"},
	})
}

// TestBounds holds comparisons with numbers against the words.
func TestBounds(t *testing.T) {
	holdAll(t, map[string]any{"n": int64(500)}, []heldQuery{
		{"orders over 500", `MATCH (o:Order) WHERE o.total > 500 RETURN o.id`, ""},
		{"orders over 500", `MATCH (o:Order) WHERE 500 < o.total RETURN o.id`, ""},
		{"orders over 500", `MATCH (o:Order) WHERE NOT o.total <= $n RETURN o.id`, ""},
		{"orders of at least 500", `MATCH (o:Order) WHERE o.total >= $n RETURN o.id`, ""},
		{"orders of no more than 500", `MATCH (o:Order) WHERE o.total <= 500 RETURN o.id`, ""},
		{"orders under 500", `MATCH (o:Order) WHERE o.total < 500.0 RETURN o.id`, ""},
		{"orders of 500 or more", `MATCH (o:Order) WHERE o.total >= 500 RETURN o.id`, ""},
		{"customers with more than 3 orders", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n WHERE n > 3 RETURN c.name`, ""},
		{"customers with at least 4 orders", `MATCH (c:Customer) WHERE COUNT { (c)-[:PLACED]->() } >= 4 RETURN c.name`, ""},
		{"customers with more than 3 orders", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n WHERE n >= 4 RETURN c.name`, ""},
		{"orders between 100 and 500", `MATCH (o:Order) WHERE 100 <= o.total <= 500 RETURN o.id`, ""},
		{"orders not over 500", `MATCH (o:Order) WHERE NOT o.total > 500 RETURN o.id`, ""},
		{"orders that aren't over 500", `MATCH (o:Order) WHERE o.total <= 500 RETURN o.id`, ""},
		{"what percentage of orders is over 500?", `MATCH (o:Order) RETURN 100.0 * sum(CASE WHEN o.total > 500 THEN 1 ELSE 0 END) / count(o)`, ""},
		{"orders over 500 with 3 products", `MATCH (o:Order)-[:CONTAINS]->(p) WITH o, count(p) AS n WHERE o.total > 500 AND n = 3 RETURN o.id`, ""},
		{"超过500的订单", `MATCH (o:Order) WHERE o.total > 500 RETURN o.id`, ""},
		{"500元以上的订单", `MATCH (o:Order) WHERE o.total >= 500 RETURN o.id`, ""},
		{"500元以上的订单", `MATCH (o:Order) WHERE o.total > 500 RETURN o.id`, ""},
		{"不到500的订单", `MATCH (o:Order) WHERE o.total < 500 RETURN o.id`, ""},
		{"至少下过3单的客户", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n WHERE n >= 3 RETURN c.name`, ""},
		{"下过3单的客户", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n WHERE n = 3 RETURN c.name`, ""},
		{"不超过500的订单", `MATCH (o:Order) WHERE o.total <= 500 RETURN o.id`, ""},

		{"orders over 500", `MATCH (o:Order) WHERE o.total < 500 RETURN o.id`, "comparator"},
		{"orders over 500", `MATCH (o:Order) WHERE 500 > o.total RETURN o.id`, "comparator"},
		{"orders of at least 500", `MATCH (o:Order) WHERE o.total > 500 RETURN o.id`, "comparator"},
		{"orders under 500", `MATCH (o:Order) WHERE o.total > $n RETURN o.id`, "comparator"},
		{"customers with more than 3 orders", `MATCH (c:Customer)-[:PLACED]->(o) WITH c, count(o) AS n WHERE n = 3 RETURN c.name`, "comparator"},
		{"customers with fewer than 3 orders", `MATCH (c:Customer) WHERE COUNT { (c)-[:PLACED]->() } <= 3 RETURN c.name`, "comparator"},
		{"超过500的订单", `MATCH (o:Order) WHERE o.total < 500 RETURN o.id`, "comparator"},
		{"500元以上的订单", `MATCH (o:Order) WHERE o.total <= 500 RETURN o.id`, "comparator"},
		{"不到500的订单", `MATCH (o:Order) WHERE NOT o.total < 500 RETURN o.id`, "comparator"},
	})
}

// TestTimes holds the times of the words against those of the query.
func TestTimes(t *testing.T) {
	holdAll(t, map[string]any{"from": "2025-05-01", "to": "2025-06-01"}, []heldQuery{
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed < date('2025-06-01') RETURN o.id`, ""},
		{"orders in May 2025", `MATCH (o:Order) WHERE date($from) <= o.placed < date($to) RETURN o.id`, ""},
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed <= date('2025-05-31') RETURN o.id`, ""},
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 AND o.placed.month = 5 RETURN o.id`, ""},
		{"orders in May 2025", `MATCH (o:Order) WHERE toString(o.placed) STARTS WITH '2025-05' RETURN o.id`, ""},
		{"orders shipped in May 2025", `MATCH (o:Order) WHERE o.shipped >= datetime('2025-05-01') AND o.shipped < datetime('2025-06-01') RETURN o.id`, ""},
		{"orders in May", `MATCH (o:Order) WHERE o.placed.month = 5 RETURN o.id`, ""},
		{"orders in May", `MATCH (o:Order) WHERE o.placed >= date('2026-05-01') AND o.placed < date('2026-06-01') RETURN o.id`, ""},
		{"orders in December", `MATCH (o:Order) WHERE o.placed >= date('2025-12-01') AND o.placed < date('2026-01-01') RETURN o.id`, ""},
		{"orders in Q3 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-07-01') AND o.placed < date('2025-10-01') RETURN o.id`, ""},
		{"orders in Q3 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 AND o.placed.quarter = 3 RETURN o.id`, ""},
		{"orders in Q3 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 AND o.placed.month IN [7, 8, 9] RETURN o.id`, ""},
		{"orders in 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 RETURN o.id`, ""},
		{"orders in 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-01-01') AND o.placed < date({year: 2026, month: 1, day: 1}) RETURN o.id`, ""},
		{"orders in 2025", `MATCH (o:Order {year: 2025}) RETURN o.id`, ""},
		{"orders since 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-01-01') RETURN o.id`, ""},
		{"orders before 2025", `MATCH (o:Order) WHERE o.year < 2025 RETURN o.id`, ""},
		{"orders after 2024", `MATCH (o:Order) WHERE o.placed >= date('2025-01-01') RETURN o.id`, ""},
		{"orders between 2020 and 2023", `MATCH (o:Order) WHERE o.year >= 2020 AND o.year <= 2023 RETURN o.id`, ""},
		{"orders from May to July 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed < date('2025-08-01') RETURN o.id`, ""},
		{"orders placed on May 3, 2025", `MATCH (o:Order) WHERE o.placed = date('2025-05-03') RETURN o.id`, ""},
		{"2025年5月的订单", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed < date('2025-06-01') RETURN o.id`, ""},
		{"2025年上半年的订单", `MATCH (o:Order) WHERE o.placed >= date('2025-01-01') AND o.placed <= date('2025-06-30') RETURN o.id`, ""},
		{"二季度的订单", `MATCH (o:Order) WHERE o.placed.quarter = 2 RETURN o.id`, ""},
		{"2025年之前的订单", `MATCH (o:Order) WHERE o.placed < date('2025-01-01') RETURN o.id`, ""},
		{"orders in the first half of May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed < date('2025-05-16') RETURN o.id`, ""},
		{"orders in early May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed <= date('2025-05-10') RETURN o.id`, ""},
		{"May I see the orders?", `MATCH (o:Order) RETURN o.id`, ""},
		{"which orders may be late", `MATCH (o:Order {status: 'late'}) RETURN o.id`, ""},

		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') RETURN o.id`, "time"},
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-05-01') AND o.placed < date('2025-07-01') RETURN o.id`, "time"},
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed >= date('2025-06-01') AND o.placed < date('2025-07-01') RETURN o.id`, "time"},
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 RETURN o.id`, "time"},
		{"orders in May 2025", `MATCH (o:Order) WHERE o.placed = date('2025-05-01') RETURN o.id`, "time"},
		{"orders in 2025", `MATCH (o:Order) WHERE o.year = 2024 RETURN o.id`, "time"},
		{"orders in 2025", `MATCH (o:Order) RETURN count(o)`, "time"},
		{"orders in Q3 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 AND o.placed.quarter = 2 RETURN o.id`, "time"},
		{"orders before May 2025", `MATCH (o:Order) WHERE o.placed > date('2025-05-01') RETURN o.id`, "comparator"},
		{"2025年之前的订单", `MATCH (o:Order) WHERE o.placed >= date('2025-01-01') RETURN o.id`, "comparator"},
		{"2025年5月的订单", `MATCH (o:Order) WHERE o.placed.month = 6 AND o.placed.year = 2025 RETURN o.id`, "time"},
		{"orders in the first half of May 2025", `MATCH (o:Order) WHERE o.placed.year = 2025 AND o.placed.month = 5 RETURN o.id`, "time"},
	})
}
