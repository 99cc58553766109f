package bolt_test

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/neotest"
)

func TestOpenErrors(t *testing.T) {
	s := neotest.StartWith(t, neotest.Options{Password: "correct-horse"})
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	good := bolt.Config{URI: s.URI, Username: "neo4j", Password: "correct-horse"}
	routed := strings.Replace(s.URI, "bolt:", "neo4j:", 1)
	tests := []struct {
		name   string
		change func(*bolt.Config)
		kind   error
		says   string
	}{
		{"good", func(c *bolt.Config) {}, nil, ""},
		{"good by name", func(c *bolt.Config) { c.Database = "neo4j" }, nil, ""},
		{"good by routing", func(c *bolt.Config) { c.URI = routed }, nil, ""},
		{"password", func(c *bolt.Config) { c.Password = "wrong" }, store.ErrDenied, "check NEO4J_USERNAME and NEO4J_PASSWORD"},
		{"password by routing", func(c *bolt.Config) { c.Password, c.URI = "wrong", routed }, store.ErrDenied, "check NEO4J_USERNAME"},
		{"no password", func(c *bolt.Config) { c.Username, c.Password = "", "" }, store.ErrDenied, ""},
		{"database", func(c *bolt.Config) { c.Database = "nope" }, store.ErrMissing, `database "nope" not found`},
		{"database by routing", func(c *bolt.Config) { c.Database, c.URI = "nope", routed }, store.ErrMissing, `database "nope" not found`},
		{"port", func(c *bolt.Config) { c.URI = "bolt://127.0.0.1:1" }, store.ErrUnavailable, "nothing answers at bolt://127.0.0.1:1: is Neo4j running"},
		{"port by routing", func(c *bolt.Config) { c.URI = "neo4j://127.0.0.1:1" }, store.ErrUnavailable, "nothing answers at neo4j://127.0.0.1:1"},
		{"host", func(c *bolt.Config) { c.URI = "bolt://nowhere.invalid" }, store.ErrUnavailable, "NEO4J_URI"},
		{"silent", func(c *bolt.Config) {
			c.URI, c.Connect, c.Acquire = "bolt://"+silent.Addr().String(), time.Second, time.Second
		}, store.ErrUnavailable, "doesn't answer"},
		{"TLS where there is none", func(c *bolt.Config) { c.URI = strings.Replace(s.URI, "bolt:", "bolt+ssc:", 1) }, store.ErrUnavailable, "encrypted"},
		{"HTTP", func(c *bolt.Config) { c.URI = "http://localhost:7474" }, bolt.ErrAddress, `has the scheme "http"; it looks like neo4j://host:7687`},
		{"empty", func(c *bolt.Config) { c.URI = "" }, bolt.ErrAddress, "looks like neo4j://host:7687"},
		{"blank", func(c *bolt.Config) { c.URI = "neo4j://a b" }, bolt.ErrAddress, "looks like neo4j://host:7687"},
		{"no host", func(c *bolt.Config) { c.URI = "neo4j://" }, bolt.ErrAddress, "names no host"},
		{"port alone", func(c *bolt.Config) { c.URI = "bolt://:7687" }, bolt.ErrAddress, "names no host"},
		{"high port", func(c *bolt.Config) { c.URI = "bolt://localhost:76870" }, bolt.ErrAddress, "port outside 1 to 65535"},
		{"port 0", func(c *bolt.Config) { c.URI = "bolt://localhost:0" }, bolt.ErrAddress, "port"},
		{"routing context", func(c *bolt.Config) { c.URI = "bolt://localhost?policy=eu" }, bolt.ErrAddress, "only neo4j:// takes"},
		{"password in it", func(c *bolt.Config) { c.URI = "bolt://neo4j:hunter22@localhost" }, bolt.ErrAddress, "set NEO4J_USERNAME and NEO4J_PASSWORD"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := good
			test.change(&c)
			start := time.Now()
			g, err := bolt.Open(t.Context(), c)
			if took := time.Since(start); took > 60*time.Second {
				t.Errorf("took %v", took)
			}
			if err == nil {
				defer g.Close(t.Context())
			}
			if !errors.Is(err, test.kind) || test.kind != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v", err)
			}
			if err != nil && (strings.Contains(err.Error(), "Neo4jError") || strings.Contains(err.Error(), c.Password+"x") || strings.Contains(err.Error(), "hunter22")) {
				t.Errorf("not for people: %v", err)
			}
		})
	}
}

func TestRunErrors(t *testing.T) {
	g, _ := open(t, nil)
	tests := []struct {
		query string
		kind  error
		says  string
	}{
		{"RETRUN 1", store.ErrQuery, "Invalid input 'RETRUN'"},
		{"RETURN $x", store.ErrQuery, "Expected parameter(s): x"},
		{"RETURN 1 / 0", store.ErrQuery, "/ by zero"},
		{"RETURN date('x')", store.ErrQuery, "cannot be parsed to a Date"},
		{"UNWIND [1, 0] AS x RETURN 1 / x", store.ErrQuery, "/ by zero"}, // after the first row
		{"CALL nope.nope()", store.ErrQuery, "nope.nope"},
		{"CREATE (n:Movie)", store.ErrQuery, "would change the graph"},
		{"MATCH (n) SET n.x = 1", store.ErrQuery, "would change the graph"},
		{"MATCH (n) DETACH DELETE n", store.ErrQuery, "would change the graph"},
		{"CREATE INDEX x FOR (n:Movie) ON (n.title)", store.ErrQuery, "would change the graph"},
		{"MERGE (n:Movie {title: 'The Matrix'}) RETURN n", store.ErrQuery, "would change the graph"},
		{"", store.ErrQuery, ""},
	}
	for _, test := range tests {
		_, err := g.Run(t.Context(), store.Query{Text: test.query}, store.Limits{})
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "Neo4jError") {
			t.Errorf("%s: %v", test.query, err)
		}
	}
	if n := run(t, g, "MATCH (n) RETURN count(n)", nil).Rows[0][0]; n != int64(5) {
		t.Errorf("%v nodes", n)
	}
	for _, v := range []any{struct{}{}, store.Node{}, []any{func() {}}, store.Point{SRID: -1}, store.DateTime{Zone: "Not/AZone"}} {
		_, err := g.Run(t.Context(), store.Query{Text: "RETURN $p", Params: map[string]any{"p": v}}, store.Limits{})
		if !errors.Is(err, store.ErrQuery) || !strings.Contains(err.Error(), "$p") {
			t.Errorf("parameter %#v: %v", v, err)
		}
	}
	g.Close(t.Context())
	if _, err := g.Run(t.Context(), store.Query{Text: "RETURN 1"}, store.Limits{}); err == nil {
		t.Error("a closed graph answers")
	}
}

func TestExplain(t *testing.T) {
	g, _ := open(t, nil)
	if _, err := g.Schema(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	one := map[string]any{"x": int64(1)}
	tests := []struct {
		query  string
		params map[string]any
		want   []string // kind name nearest
	}{
		{"MATCH (m:Movie) RETURN m.title", nil, nil},
		{"MATCH (m:Movie) WHERE m.year > $x RETURN m", one, nil},
		{"MATCH (m:Moive) RETURN m", nil, []string{"label Moive Movie"}},
		{"MATCH (n:Spaceship) RETURN n", nil, []string{"label Spaceship "}},
		{"MATCH (n:`od``d x)`) RETURN n", nil, []string{"label od`d x) "}},
		{"MATCH ()-[:actedin]->() RETURN 1", nil, []string{"type actedin ACTED_IN"}},
		{"MATCH (m) WHERE '诺😀é' = m.titel RETURN m", nil, []string{"property titel title"}},
		{"MATCH (m {titel: $x})\nRETURN $y, $z", one, []string{"property titel title", "parameter y ", "parameter z "}},
		// Of style, speed and shape: not our concern.
		{"MATCH (m:Movie) RETURN id(m)", nil, nil},
		{"MATCH (a:Movie), (b:Movie) RETURN a, b", nil, nil},
		{"MATCH (:Movie)-[:ACTED_IN]->(:Actor) RETURN 1", nil, nil},
		{"MATCH (a)-[*]->(b) RETURN b", nil, nil},
	}
	for _, test := range tests {
		problems, err := g.Explain(t.Context(), store.Query{Text: test.query, Params: test.params})
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%s %s %s", p.Kind, p.Name, p.Nearest))
			if want := strings.Index(test.query, p.Name); p.Kind != "parameter" && want >= 0 && p.Pos != want {
				t.Errorf("%s: %s at byte %d, want %d", test.query, p.Name, p.Pos, want)
			}
			if !strings.Contains(p.Message, p.Name) || p.Nearest != "" && !strings.Contains(p.Message, p.Nearest) {
				t.Errorf("%s: message %q", test.query, p.Message)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.query, got, test.want)
		}
	}
}

func TestExplainErrors(t *testing.T) {
	g, _ := open(t, nil)
	tests := map[string]string{
		"CREATE (n:Movie)":                 "would change the graph",
		"MATCH (n) SET n.x = 1 RETURN n":   "would change the graph",
		"CREATE INDEX FOR (n:A) ON (n.b)":  "would change the graph",
		"PROFILE MATCH (n) RETURN n":       "execution mode",
		"MATCH (n) RETURN coun(n)":         "Unknown function 'coun' (line 1, column 18 (offset: 17))\n\"MATCH (n) RETURN coun(n)\"\n                  ^",
		"MATCH (n)\nRETURN coun(n)":        "(line 2, column 8 (offset: 17))",
		"MATCH (n) RETURN n; CREATE (m:X)": "",
		"MATCH (n RETURN n":                "Invalid input",
		"RETURN 'a' + ":                    "Invalid input",
		"":                                 "",
	}
	for query, says := range tests {
		_, err := g.Explain(t.Context(), store.Query{Text: query})
		if !errors.Is(err, store.ErrQuery) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "EXPLAIN ") {
			t.Errorf("%q: %v", query, err)
		}
	}
}
