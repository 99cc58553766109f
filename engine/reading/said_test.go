package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"precedent/engine/reading"
	"precedent/store"
)

// shop is a graph with a few labels, of which people speak in the plural too.
func shop(t *testing.T) *reading.Reader {
	t.Helper()
	s := &store.Schema{Labels: []store.Label{
		{Name: "Customer", Count: 2, Properties: []store.Property{{Name: "name", Type: "STRING"}}},
		{Name: "Order", Count: 2, Properties: []store.Property{{Name: "total", Type: "FLOAT"}, {Name: "placed", Type: "DATE"}}},
		{Name: "Product", Count: 2, Properties: []store.Property{{Name: "price", Type: "FLOAT"}}},
	}}
	r, err := reading.New(reading.DefaultGlossary(s), s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func toldBy(s reading.Said) string {
	var out []string
	for _, b := range s.Bounds {
		out = append(out, fmt.Sprint(b.Op, b.Values[0]))
	}
	if s.Order.Words != "" {
		out = append(out, fmt.Sprintf("order desc=%t", s.Order.Desc))
	}
	if s.First > 0 {
		out = append(out, fmt.Sprint("first ", s.First))
	}
	for _, x := range s.Times {
		said := x.Bounded
		for _, part := range []struct {
			mark string
			n    int
		}{{"y", int(x.Year)}, {"m", x.Month}, {"q", x.Quarter}, {"h", x.Half}, {"d", x.Day}} {
			if part.n > 0 {
				said += fmt.Sprint(part.mark, part.n)
			}
		}
		out = append(out, said)
	}
	return strings.Join(out, " ")
}

// TestSaid reads what questions say of size, order and time.
func TestSaid(t *testing.T) {
	r := shop(t)
	for question, want := range map[string]string{
		"orders over 500":                               ">500",
		"orders of at least 5 items":                    ">=5",
		"customers with more than 3 orders":             ">3",
		"customers with fewer than 3 orders":            "<3",
		"orders of 1,000 or more":                       ">=1000",
		"orders up to 50k":                              "<=50000",
		"超过500元的订单":                                     ">500",
		"500元以上的订单":                                     ">=500",
		"不到3个订单的客户":                                     "<3",
		"至少5个订单的客户":                                     ">=5",
		"最多5个订单的客户":                                     "<=5",
		"不超过5万元的订单":                                     "<=50000",
		"which customer has the most orders":            "order desc=true first 1",
		"which customers have the most orders":          "order desc=true",
		"the 5 cheapest products":                       "order desc=false first 5",
		"top 5 products by price":                       "first 5",
		"top 10% of customers":                          "",
		"哪个客户的订单最多":                                     "order desc=true first 1",
		"最贵的5个产品":                                       "order desc=true first 5",
		"价格最高的5个产品":                                     "order desc=true first 5",
		"价格前5的产品":                                       "first 5",
		"最便宜的产品是哪个":                                     "order desc=false first 1",
		"哪些客户的订单最少":                                     "order desc=false",
		"the latest order":                              "order desc=true",
		"which tickets have the highest priority":       "",
		"级别最高的工单":                                       "",
		"the cheapest and the most expensive product":   "",
		"the second most expensive product":             "",
		"orders sorted by total, lowest first":          "",
		"which product is the most expensive per order": "order desc=true",
		"orders placed in May 2025":                     "y2025m5",
		"orders placed in May":                          "m5",
		"which orders may be late":                      "",
		"orders before March 2024":                      "<y2024m3",
		"orders in Q3 2024":                             "y2024q3",
		"orders in the second quarter of 2024":          "y2024q2",
		"2024 Q2 orders":                                "y2024q2",
		"orders in 2024":                                "y2024",
		"orders since 2024":                             ">=y2024",
		"orders after 2020-05-03":                       ">y2020m5d3",
		"orders placed on May 3, 2024":                  "y2024m5d3",
		"orders placed on 3 May 2024":                   "y2024m5d3",
		"2025年5月的订单":                                    "y2025m5",
		"2025年5月3日的订单":                                  "y2025m5d3",
		"5月的订单":                                         "m5",
		"五月份的订单":                                        "m5",
		"3个月没下单的客户":                                     "",
		"2024年第三季度的订单":                                  "y2024q3",
		"二季度的订单":                                        "q2",
		"2024年上半年的订单":                                   "y2024h1",
		"2024年以后的订单":                                    ">y2024",
		"2024年之前的订单":                                    "<y2024",
		"orders between 2020 and 2023":                  "y2020 y2023",
		"orders of more than 2000":                      ">2000",
		"超过2000元的订单":                                    ">2000",
		"products that cost under 20 dollars":           "<20",
		"orders in the first half of May 2024":          "y2024m5h1",
		"which order took the longest":                  "order desc=true first 1",
		"至少22%的订单":                                      ">=22",
		"下过三张单的客户":                                      "",
		"最近三个月的订单":                                      "",
		"orders before the year 2000":                   "<y2000",
		"orders after 5 and before 9":                   ">5",
		"who placed the most orders":                    "order desc=true first 1",
		"the products that have the most orders":        "order desc=true",
		"orders by oldest to newest":                    "",
		"how many orders are there":                     "",
	} {
		ts := r.Read(question).Mentions
		if got := toldBy(r.Said(question, ts)); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

// TestNumberOf reads numbers that stand in texts.
func TestNumberOf(t *testing.T) {
	for s, want := range map[string]float64{"5": 5, "1,000": 1000, "5万": 50000, "2.5k": 2500, "-3": -3, " 7 ": 7} {
		if got, ok := reading.NumberOf(s); !ok || got != want {
			t.Errorf("%s: %v, %t", s, got, ok)
		}
	}
	for _, s := range []string{"", "five of them", "5 apples", "P0", "1990s", "high", "2024-05-01"} {
		if got, ok := reading.NumberOf(s); ok {
			t.Errorf("%s: %v", s, got)
		}
	}
}
