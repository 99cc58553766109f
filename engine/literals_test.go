package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"precedent/engine"
	"precedent/engine/model"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

// A literalCase is a question on a graph, and a query whose literals or conditions
// aren't quite right.
type literalCase struct {
	graph, question, query string
	params                 map[string]any
	change, doubt          string // parts of what is corrected and of what is told
}

var literalCases = []literalCase{
	{"logistics", "Which driver has the office chairs?", "MATCH (s:Shipment {goods: 'Office Chairs'})-[:CARRIED_BY]->(d:Driver) RETURN d.name AS driver", nil, "{goods: 'Office Chairs'} → {goods: 'office chairs'}", ""},
	{"logistics", "Which shipments are in transit?", "MATCH (s:Shipment {status: $s}) RETURN s.name AS shipment", map[string]any{"s": "IN_TRANSIT"}, "$s = 'in transit'", ""},
	{"logistics", "How many shipments weigh at least 500 kilos?", "MATCH (s:Shipment) WHERE s.weightKg >= '500' RETURN count(s) AS shipments", nil, "s.weightKg >= 500", ""},
	{"logistics", "How many shipments were created in Q3 2026?", "MATCH (s:Shipment) WHERE s.createdOn >= '2026-07-01' AND s.createdOn < '2026-10-01' RETURN count(s) AS shipments", nil, "date('2026-07-01')", ""},
	{"logistics", "Which shipments are on the moon?", "MATCH (s:Shipment {status: 'on the moon'}) RETURN s.name AS shipment", nil, "", "nothing has Shipment.status = 'on the moon'"},
	{"logistics", "How many shipments weigh more than 900000 kilos?", "MATCH (s:Shipment) WHERE s.weightKg > 900000 RETURN count(s) AS shipments", nil, "", "Nothing at all meets Shipment.weightKg > 900000"},
	{"logistics", "How many lost shipments weigh more than 1 kilo and are insured?", "MATCH (s:Shipment) WHERE s.status = 'lost' AND s.weightKg > 1 AND s.insured = true AND s.name = 'SHP-7008' RETURN count(s) AS shipments", nil, "", "Nothing meets all of this at once"},
	{"hospital", "哪个医生主治的患者最多？", "MATCH (d:医生)-[:主治]->(p:患者) WITH d, count(p) AS n ORDER BY n DESC LIMIT 1 RETURN d.姓名 AS 医生, n AS 患者数", nil, "", "并列第一"},
	{"hospital", "七楼一共有几个科室？", "MATCH (k:科室 {楼层: $floor}) RETURN count(k) AS 科室数", map[string]any{"floor": "7"}, "$floor = 7", ""},
}

// TestLiterals has a model write literals that nothing holds, and that stands by them.
// What can only stand for another is corrected; the rest is told.
func TestLiterals(t *testing.T) {
	w := newWriter(t)
	for _, c := range literalCases {
		c.hold(t, w.ask(c.graph, c.question, c.query, c.params))
	}
}

// TestLiteralsNeo4j is TestLiterals on a real Neo4j.
func TestLiteralsNeo4j(t *testing.T) {
	server := neotest.Start(t)
	w := newWriter(t)
	for _, graph := range []string{"logistics", "hospital"} {
		server.Load(t, os.DirFS(filepath.Join("testdata/fair", graph)))
		w.engines[graph] = open(t, engine.Config{Graph: server.URI, Neo4j: bolt.Config{Username: server.Username, Password: server.Password}, Now: written, Model: &model.Config{BaseURL: w.model.URL, Name: "test"}})
		for _, c := range literalCases {
			if c.graph == graph {
				c.hold(t, w.ask(graph, c.question, c.query, c.params))
			}
		}
	}
}

func (c literalCase) hold(t *testing.T, a engine.Answer) {
	t.Helper()
	doubts := strings.Join(a.Doubts, " ")
	if a.Route != engine.ByModel || !strings.Contains(arrows(a.Changes), c.change) || !strings.Contains(doubts, c.doubt) || (c.doubt == "") != (doubts == "") {
		t.Errorf("%s\n\t%s: %s, changes %s, doubts %s, %d repairs\n\twant %s, %s", c.question, a.Route, a.Query, arrows(a.Changes), doubts, a.Repairs, c.change, c.doubt)
	}
}

func arrows(changes []engine.Change) string {
	var said []string
	for _, c := range changes {
		said = append(said, c.Before+" → "+c.After)
	}
	return strings.Join(said, "; ")
}

// TestCheckCypherValues has literals among the problems of a query.
func TestCheckCypherValues(t *testing.T) {
	e := open(t, engine.Config{Graph: "testdata/fair/logistics"})
	for query, want := range map[string]string{
		"MATCH (s:Shipment) WHERE s.status = 'lost' AND s.weightKg > 5 RETURN s.name": "",
		"MATCH (s:Shipment) WHERE s.status = 'gone' RETURN s.name":                    "value 'gone' Shipment.status",
		"MATCH (s:Shipment) WHERE s.createdOn = 2026 RETURN s.name":                   "value 2026 Shipment.createdOn is DATE",
	} {
		v := e.CheckCypher(t.Context(), engine.CypherCheck{Query: query})
		got := ""
		for _, p := range v.Problems {
			got += p.Kind + " " + p.Name + " " + p.Message
		}
		for part := range strings.FieldsSeq(want) {
			if !strings.Contains(got, part) {
				t.Errorf("%s\n\thas %s, want %s", query, got, want)
			}
		}
		if (got == "") != (want == "") || v.Query != query {
			t.Errorf("%s\n\thas %s, want %q", query, got, want)
		}
	}
}
