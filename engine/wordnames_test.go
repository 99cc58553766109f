package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"precedent/engine"
	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store"
)

// writeWordy writes a graph of customers, orders and teams whose names are words.
func writeWordy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var orders, placed strings.Builder
	orders.WriteString(":ID(Order),number,status,placedOn:date,amount:double,:LABEL\n")
	placed.WriteString(":START_ID(Customer),:END_ID(Order),:TYPE,channel\n")
	for i := range 24 {
		fmt.Fprintf(&orders, "o%d,SO-%d,%s,2025-%02d-11,%d.5,Order\n", i, 1001+i, []string{"pending", "open", "shipped", "closed"}[i%4], 1+i%12, 10+i)
		fmt.Fprintf(&placed, "c%d,o%d,PLACED,%s\n", i%8, i, []string{"phone", "web"}[i%2])
	}
	customers := ":ID(Customer),name,city,tier,level,:LABEL\n"
	for i, name := range []string{"May", "Will Order", "June Kim", "Art", "Chase", "Anna Keller", "April", "五月", "Tom Hughes", "Lena Fox", "Ivo Berg", "Mia Stone"} {
		customers += fmt.Sprintf("c%d,%s,%s,%s,%s,Customer\n", i, name, []string{"Berlin", "Leeds"}[i%2], []string{"gold", "basic"}[i/6], []string{"高", "低"}[i%2])
	}
	teams := ":ID(Team),name,state,:LABEL\nt0,Support,up,Team\nt1,Sales,down,Team\nt2,Order,up,Team\nt3,Field,down,Team\n"
	serves := ":START_ID(Team),:END_ID(Customer),:TYPE\nt0,c0,SUPPORTS\nt1,c1,SUPPORTS\n"
	for name, content := range map[string]string{"orders.csv": orders.String(), "placed.csv": placed.String(), "customers.csv": customers, "teams.csv": teams, "serves.csv": serves} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNamesThatAreWords asks with words that are names, too.
func TestNamesThatAreWords(t *testing.T) {
	server := modeltest.Respond(t, func(string) modeltest.Reply {
		return modeltest.JSON(map[string]any{"action": "query", "query": "MATCH (n:Order) RETURN count(DISTINCT n) AS orders", "params": []any{}, "restated": "", "clarify": "", "refusal": "", "missing": ""})
	})
	e := open(t, engine.Config{Graph: writeWordy(t), Model: &model.Config{BaseURL: server.URL, Name: "writes"}})
	for _, test := range []struct {
		question string
		links    []string // that an answer rests on, as Label.property value
		asks     int      // choices, 0 if it doesn't ask
	}{
		// months are months
		{"how many orders were placed in May 2025", nil, 0},
		{"orders in may", nil, 0},
		{"orders since April", nil, 0},
		{"orders between April and June", nil, 0},
		{"orders of 5 May 2025", nil, 0},
		{"amount of orders at the end of May", nil, 0},
		{"orders of last May", nil, 0},
		{"orders from May to July", nil, 0},
		{"which customers may order", nil, 0},
		// customers are customers
		{"orders of customer May", []string{"Customer.name May"}, 0},
		{`orders of "May"`, []string{"Customer.name May"}, 0},
		{"what did May order in April 2025", []string{"Customer.name May"}, 0},
		{"orders of June Kim in June", []string{"Customer.name June Kim"}, 0},
		// both
		{"orders of May", nil, 2},
		{"orders for April", nil, 2},
		{"May's orders", nil, 2},
		// statuses, beside their thing or their property
		{"how many orders are pending", []string{"Order.status pending"}, 0},
		{"how many open orders are there", []string{"Order.status open"}, 0},
		{"the status is open", []string{"Order.status open"}, 0},
		{"orders whose status is closed", []string{"Order.status closed"}, 0},
		{"can you open the list", nil, 0},
		{"customers of gold tier", []string{"Customer.tier gold"}, 0},
		{"basic question about gold customers", []string{"Customer.tier gold"}, 0},
		// small words
		{"which teams are up", []string{"Team.state up"}, 0},
		{"look up the teams", nil, 0},
		{"teams with state down", []string{"Team.state down"}, 0},
		{"break down orders by city", nil, 0},
		{"级别最高的订单", nil, 0},
		{"level为高的customer", []string{"Customer.level 高"}, 0},
		// words of the schema
		{"how many Orders are there", nil, 0},
		{"customers without an order", nil, 0},
		{"the team Order", []string{"Team.name Order"}, 0},
		{"which customers order by phone", []string{"PLACED.channel phone"}, 0},
		{"customers of team Support", []string{"Team.name Support"}, 0},
		// a common word, capital or not
		{"orders of Art", []string{"Customer.name Art"}, 0},
		{"orders of modern art", nil, 0},
		{"will orders be shipped", []string{"Order.status shipped"}, 0},
		{"orders of Anna Keller", []string{"Customer.name Anna Keller"}, 0},
		// 我们 and our are the graph
		{"our pending orders", []string{"Order.status pending"}, 0},
	} {
		before := len(server.Requests())
		a := e.Ask(t.Context(), engine.Question{Text: test.question, Model: true}, nil)
		var links []string
		for _, l := range a.Links {
			links = append(links, fmt.Sprintf("%s.%s %v", l.Label, l.Property, l.Value))
		}
		if !slices.Equal(links, test.links) || len(a.Choices) != test.asks || (a.Route == engine.Clarify) != (test.asks > 0) {
			t.Errorf("%q links %q and offers %d (%s), want %q and %d", test.question, links, len(a.Choices), a.Text, test.links, test.asks)
		}
		for _, r := range server.Requests()[before:] {
			if strings.Contains(r.Messages[1].Content, "doesn't look for") && test.links == nil {
				t.Errorf("%q: a word is taken for a name: %s", test.question, r.Messages[1].Content)
			}
		}
	}
}

// TestEither picks each of the two readings that it is offered.
func TestEither(t *testing.T) {
	server := modeltest.Respond(t, func(prompt string) modeltest.Reply {
		query := "MATCH (o:Order) WHERE o.placedOn.month = 5 RETURN count(DISTINCT o) AS orders"
		if strings.Contains(prompt, `Customer.name "May"`) {
			query = "MATCH (:Customer {name: $name})-[:PLACED]->(o:Order) RETURN count(DISTINCT o) AS orders"
			return modeltest.JSON(map[string]any{"action": "query", "query": query, "params": []any{map[string]any{"name": "name", "value": "May"}}, "restated": "", "clarify": "", "refusal": "", "missing": ""})
		}
		return modeltest.JSON(map[string]any{"action": "query", "query": query, "params": []any{}, "restated": "", "clarify": "", "refusal": "", "missing": ""})
	})
	e := open(t, engine.Config{Graph: writeWordy(t), Model: &model.Config{BaseURL: server.URL, Name: "writes"}})
	for question, labels := range map[string][]string{
		"orders of May": {"customer: May", "the word “May” itself"},
		"五月的order有多少":   {"customer：五月", "“五月”这个词本身"},
	} {
		a := e.Ask(t.Context(), engine.Question{Text: question}, nil)
		var got []string
		for _, c := range a.Choices {
			got = append(got, c.Label)
		}
		if !slices.Equal(got, labels) {
			t.Fatalf("%q offers %q, want %q: %s", question, got, labels, a.Text)
		}
	}
	asked := e.Ask(t.Context(), engine.Question{Text: "orders of May"}, nil)
	for i, want := range []string{"Customer", "month = 5"} {
		a := e.Ask(t.Context(), engine.Question{Text: "orders of May", Choices: []store.Link{asked.Choices[i].Link}}, nil)
		if a.Route != engine.ByModel || !strings.Contains(a.Query, want) || a.Repairs > 0 {
			t.Errorf("picked %q: %s after %d repairs by %s: %s", asked.Choices[i].Label, a.Route, a.Repairs, a.Query, a.Text)
		}
	}
}
