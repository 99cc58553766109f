package guardrails_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cypher"
)

func TestQuery(t *testing.T) {
	tests := []struct {
		name, query string
		want        guardrails.QueryKind
	}{
		{"read", "MATCH (n:Person) RETURN n.name", guardrails.Read},
		{"write words in a string", "MATCH (n) WHERE n.x = 'CREATE (n) DELETE n' RETURN n", guardrails.Read},
		{"write words as names", "MATCH (n:`CREATE`)-[r:DELETE]->(m {set: 1}) RETURN n.`merge` AS `drop`, m.load", guardrails.Read},
		{"write words in a comment", "MATCH (n) /* DELETE n */ RETURN n // SET n.x = 1", guardrails.Read},
		{"a comment that doesn't hide", "MATCH (n) // '\nDELETE n // '", guardrails.Write},
		{"a write behind a block comment", "MATCH (n) /* */ DETACH /* x */ DELETE n", guardrails.Write},
		{"mixed case and space", "MATCH (n)\n\tsEt\u00a0n.x = 1", guardrails.Write},
		{"an escape in a keyword", `\u0043REATE (n)`, guardrails.Syntax},
		{"an escape that closes a string", `MATCH (n) WHERE n.x = 'a\u0027 DELETE n //' RETURN n`, guardrails.Syntax},
		{"a write in a subquery", "MATCH (n) CALL { WITH n CREATE (m) RETURN m } RETURN m", guardrails.Write},
		{"a write in EXISTS", "MATCH (n) WHERE EXISTS { CREATE (m) RETURN m } RETURN n", guardrails.Write},
		{"own transactions", "MATCH (n) CALL { WITH n RETURN 1 AS x } IN TRANSACTIONS RETURN x", guardrails.Admin},
		{"foreach", "FOREACH (x IN [1] | CREATE (:A))", guardrails.Write},
		{"load", "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", guardrails.Load},
		{"load behind a read", "MATCH (n) LOAD CSV FROM 'x' AS l RETURN l", guardrails.Load},
		{"explain", "EXPLAIN MATCH (n) RETURN n", guardrails.Admin},
		{"profile", "PROFILE MATCH (n) RETURN n", guardrails.Admin},
		{"show", "SHOW DATABASES", guardrails.Admin},
		{"use", "USE system MATCH (n) RETURN n", guardrails.Admin},
		{"index", "CREATE INDEX FOR (n:A) ON (n.x)", guardrails.Admin},
		{"two statements", "MATCH (n) RETURN n; MATCH (m) RETURN m", guardrails.Admin},
		{"a final semicolon", "MATCH (n) RETURN n;", guardrails.Read},
		{"broken", "MATCH (n RETURN n", guardrails.Syntax},
		{"too deep", "RETURN " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000), guardrails.Syntax},
		{"empty", "", guardrails.Syntax},
		{"a listed procedure", "CALL db.labels() YIELD label RETURN label", guardrails.Read},
		{"full text", "CALL db.index.fulltext.queryNodes('i', 'x') YIELD node, score RETURN node.name, score", guardrails.Read},
		{"an unlisted procedure", "CALL custom.answer() YIELD x RETURN x", guardrails.Procedure},
		{"apoc load", "CALL apoc.load.json('file:///x') YIELD value RETURN value", guardrails.Procedure},
		{"apoc load with spaces", "CALL apoc . load . json('x') YIELD value RETURN value", guardrails.Procedure},
		{"apoc load quoted", "CALL `apoc`.`load`.json('x') YIELD value RETURN value", guardrails.Procedure},
		{"apoc load in capitals", "CALL APOC.LOAD.JSON('x') YIELD value RETURN value", guardrails.Procedure},
		{"Cypher in a string", "CALL apoc.cypher.run('MATCH (n) DELETE n', {}) YIELD value RETURN value", guardrails.Procedure},
		{"a function that runs Cypher", "RETURN apoc.cypher.runFirstColumnSingle('CREATE (n) RETURN n', {})", guardrails.Procedure},
		{"in a subquery of an expression", "RETURN COUNT { CALL dbms.components() YIELD name RETURN name }", guardrails.Procedure},
		{"dbms", "CALL dbms.listConfig() YIELD name RETURN name", guardrails.Procedure},
		{"sleep", "CALL apoc.util.sleep(100000)", guardrails.Procedure},
		{"a function of values", "RETURN apoc.text.join(['a'], ',')", guardrails.Read},
		{"a built-in function in capitals", "MATCH (n) RETURN COUNT(n), toupper('a'), Date.Truncate('year', date())", guardrails.Read},
		{"an unknown function", "RETURN evil.fetch('x')", guardrails.Procedure},
		{"a projected graph", "CALL gds.graph.project('g', '*', '*') YIELD graphName RETURN graphName", guardrails.Procedure},
		{"an aggregation that runs Cypher", "UNWIND [1] AS x RETURN apoc.agg.row(x, '1 AS a UNION CREATE (n) RETURN 1 AS a')", guardrails.Procedure},
		{"the same in capitals", "UNWIND [1] AS x RETURN `apoc`.AGG.Row(x, $p)", guardrails.Procedure},
		{"an aggregation of values", "UNWIND [1] AS x RETURN apoc.agg.position(x, 1), apoc.agg.median(x)", guardrails.Read},
		{"a streaming algorithm", "CALL gds.pageRank.stream('g') YIELD nodeId, score RETURN gds.util.asNode(nodeId).name, score", guardrails.Read},
		{"a writing algorithm", "CALL gds.pageRank.write('g', {}) YIELD x RETURN x", guardrails.Procedure},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := guardrails.Policy{}.Query(tt.query)
			if v.Kind != tt.want || v.Allow != (tt.want == guardrails.Read) {
				t.Errorf("%s: got %s (allow %t): %s", tt.query, v.Kind, v.Allow, v.Reason)
			}
			if v.Allow == (v.Reason != "") || v.Allow == (v.Statement == nil) {
				t.Errorf("an allowed query has a tree and a refused one a reason: %+v", v)
			}
		})
	}
}

func TestHiddenNames(t *testing.T) {
	hide := []string{"Person.email", "ACTED_IN.salary", ":Secret", "Person.latitude"}
	// A person is never a film.
	apart := &store.Schema{Labels: []store.Label{{Name: "Person"}, {Name: "Movie"}, {Name: "Company"}}, Types: []store.RelType{{Name: "ACTED_IN"}, {Name: "DIRECTED"}},
		LabelSets: [][]string{{"Person"}, {"Movie"}, {"Company"}}, Hidden: store.Found{Labels: []string{"Secret"}}}
	tests := []struct {
		query string
		allow bool
	}{
		{"MATCH (p:Person) RETURN p.name", true},
		{"MATCH (p:Person) RETURN p", true},
		{"MATCH (p:Person) RETURN p.email", false},
		{"MATCH (p:Person) RETURN p.`email`", false},
		{"MATCH (p:Person) WHERE p.email STARTS WITH 'a' RETURN p.name", false},
		{"MATCH (p:Person {email: 'x'}) RETURN p.name", false},
		{"MATCH (p:Person WHERE p.email = 'x') RETURN p.name", false},
		{"MATCH (p:Person) RETURN p.name ORDER BY p.email", false},
		{"MATCH (m:Movie) WHERE EXISTS { (m)<--(:Person {email: 'x'}) } RETURN m.title", false},
		{"MATCH (m:Movie) RETURN COUNT { MATCH (p:Person) WHERE p.email = 'a' RETURN p }", false},
		{"MATCH (p:Person) RETURN p {.email}", false},
		{"MATCH (p:Person) RETURN p {.*}", false},
		{"MATCH (p:Person) RETURN p {.name}", true},
		{"MATCH (m:Movie) RETURN m {.*}", true},
		{"MATCH (p:Person) RETURN properties(p)", false},
		{"MATCH (p:Person) RETURN keys(p)", false},
		{"MATCH (m:Movie) RETURN keys(m), properties(m)", true},
		{"MATCH (p:Person) RETURN p['email']", false},
		{"MATCH (p:Person) RETURN p['na' + 'me']", false},
		{"MATCH (p:Person) RETURN p[$key]", false},
		{"MATCH (p:Person) RETURN p['name']", true},
		{"MATCH (p:Person) WITH collect(p.name) AS names RETURN names[0]", true},
		{"MATCH (c:Company) RETURN c.email", true},
		{"MATCH (c) RETURN c.email", false},
		{"MATCH (c:Company|Person) RETURN c.email", false},
		{"MATCH (c:!Person) RETURN c.email", false},
		{"MATCH (p:Person) WITH p AS q RETURN q.email", false},
		{"MATCH (p:Person) WITH {a: p} AS m RETURN m.a.email", false},
		{"MATCH (p:Person) UNWIND [p] AS c RETURN c.email", false},
		{"MATCH (c:Company) RETURN c.email AS x UNION MATCH (c) RETURN c.email AS x", false},
		{"MATCH (c:Company) CALL { MATCH (c) RETURN c.email AS x } RETURN x", false},
		{"MATCH (:Person)-[r:ACTED_IN]->(m:Movie) RETURN r.salary", false},
		{"MATCH (:Person)-[r:ACTED_IN|DIRECTED]->(m:Movie) RETURN r.salary", false},
		{"MATCH (:Person)-[r:DIRECTED]->(m:Movie) RETURN r.salary", true},
		{"MATCH (:Person)-[r]->(m:Movie) RETURN r.salary", false},
		{"MATCH (:Person)-[r:ACTED_IN {salary: 1}]->(m:Movie) RETURN m.title", false},
		{"MATCH (:Person)-[r:ACTED_IN]->(m:Movie) RETURN startNode(r).email", false},
		{"MATCH (s:Secret) RETURN count(s)", false},
		{"MATCH (n) WHERE n:Secret RETURN n", false},
		{"MATCH (n) WHERE 'Secret' IN labels(n) RETURN count(n)", false},
		{"MATCH (n)-[:Secret]->(m:Movie) RETURN m.title", false},
		{"MATCH (n) RETURN n.title", true}, // of those that aren't hidden
		{"MATCH (n) RETURN n.email", false},
		{"MATCH (c:Company) WITH count(c) AS k MATCH (c)-->() RETURN c.email", false},
		{"MATCH (c:Company) WITH count(c) AS c MATCH (x) WITH x AS c RETURN c.email", false},
		{"MATCH (n) WITH n, [(n:Company)-->() | n.email] AS e RETURN e", true},
		{"MATCH (n) WITH [(n:Company)-->() | 1] AS e, n RETURN n.email", false},
		{"MATCH (n) OPTIONAL MATCH (n:Company)-->() RETURN n.email", false},
		{"OPTIONAL MATCH (n:Company) RETURN n.email", true},
		{"MATCH (n) WHERE EXISTS { (n:Company) } RETURN n.email", false},
		{"MATCH (n) WHERE n:Company RETURN n.email", false},
		{"MATCH (n) WITH n, n.email AS e MATCH (n:Company) RETURN e", false},
		{"MATCH (c:Company) RETURN [c IN [1] | c] AS x, c.email", true},
		{"MATCH (c:Company), (p:Person) RETURN [c IN [p] | c.email] AS x", false},
		{"MATCH (c:Company), (p:Person) RETURN any(c IN [p] WHERE c.email = 'x') AS x", false},
		{"MATCH (c:Company), (p:Person) RETURN reduce(c = '', x IN [p] | c + x.email) AS x", false},
		{"MATCH (c:Company), (p:Person) RETURN reduce(s = '', c IN [p] | s + c.email) AS x", false},
		{"MATCH (c:Company), (p:Person) WITH p AS c, c AS p RETURN c.email", false},
		{"MATCH (c:Company), (p:Person) WITH p AS c, c AS p ORDER BY c.email RETURN 1", false},
		{"MATCH (c:Company), (p:Person) WITH c, p UNWIND [p] AS c2 RETURN c2.email", false},
		{"MATCH (c:Company) CALL { MATCH (p:Person) RETURN p AS q } RETURN q.email", false},
		{"MATCH (c:Company) CALL (c) { RETURN c AS q } RETURN q.email", true},
		{"MATCH (c:Company) CALL (c) { RETURN c AS q UNION MATCH (q) RETURN q } RETURN q.email", false},
		{"MATCH (:Person)-[r:DIRECTED]->() WITH count(r) AS k MATCH ()-[r]->() RETURN r.salary", false},
		{"MATCH ()-[r:DIRECTED*1..2]->() RETURN [x IN r | x.salary]", false},
		{"MATCH p = (:Person)-[:DIRECTED]->() RETURN [x IN nodes(p) | x.email]", false},
		{"MATCH (p:Person) RETURN head(collect(p)).email", false},
		{"MATCH (p:Person) RETURN CASE WHEN true THEN p END.email", false},
		{"MATCH (c:Company&!Person) RETURN c.email", true},
		{"MATCH (n)-[*1..3]->(m) RETURN m.title", true},
		{"MATCH (n)-[*1..3]->(m) RETURN *", false},
		{"MATCH (n) WHERE (n)-[*1..3]->() RETURN n.title", false},
		{"MATCH p = (n)-[*1..3]->(m) RETURN *", true},
		{"MATCH (n)-[:DIRECTED]->+(m) RETURN m.title", false},
		{"MATCH (n) RETURN n", true},
		{"CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey", false},
		{"MATCH (p:Person) RETURN apoc.convert.toJson(p)", false},
		{"MATCH (m:Movie) RETURN date(m.day).year, m.released.year", true},
		{"MATCH (p:Person) RETURN point(p).x", false},
		{"MATCH (p:Person) WITH {a: p} AS m RETURN point(m.a).x", false},
		{"MATCH (p:Person) WITH {a: {b: p}} AS m RETURN point(m.a.b)", false},
		{"MATCH (p:Person) RETURN point({a: p}.a)", false},
		{"MATCH (p:Person) UNWIND [{a: p}] AS m RETURN point(m.a)", false},
		{"MATCH (p:Person) RETURN [m IN [{a: p}] | point(m.a)]", false},
		{"MATCH (p:Person) WITH p {.name, me: p} AS m RETURN point(m.me)", false},
		{"MATCH (m:Movie) RETURN point(m.location).x", true},
		{"MATCH (p:Person) RETURN apoc.agg.rollup(p, ['email'], ['email'])", false},
		{"MATCH (p:Person) RETURN apoc.agg.multiStats(p, ['email'])", false},
		{"MATCH (p:Person) RETURN APOC.Agg.multistats(p, $keys)", false},
		{"MATCH (p:Person) RETURN apoc.meta.cypher.types(p)", false},
		{"MATCH ()-[r:ACTED_IN]->() RETURN apoc.meta.cypher.types(r)", false},
		{"MATCH (p:Person) RETURN apoc.meta.cypher.type(p.name)", true},
		{"MATCH p = ALL SHORTEST (a:Movie)-[*]->(b:Movie) RETURN length(p)", false},
		{"MATCH p = SHORTEST 2 (a:Movie)-[:DIRECTED*1..4]-(b:Movie) RETURN length(p)", false},
		{"MATCH p = ANY (a:Movie)-[:DIRECTED*..4]-(b:Movie) RETURN length(p)", false},
		{"MATCH p = ANY SHORTEST (a:Movie) ((x)-[:DIRECTED]->(y))+ (b:Movie) RETURN length(p)", true},
		{"MATCH p = shortestPath((a:Movie)-[*]-(b:Movie)) RETURN length(p)", true},
		{"MATCH (a:Movie) ((x:Company)-[:DIRECTED]->(y:Company)){1,3} (b:Movie) RETURN [n IN x | n.name]", true},
		{"MATCH (a:Movie) ((x:Company)-[:DIRECTED]->(y:Company)){1,3} (b:Movie) RETURN [n IN x | n.email]", false},
		{"MATCH (a:Movie) ((x:Company)-[:DIRECTED]->(y:Company)){1,3} (b:Movie) RETURN x[0].email", false},
		{"MATCH (a:Movie) ((x:Company)-[:DIRECTED]->(y:Company) WHERE x.email = 'a'){1,3} (b:Movie) RETURN a", true},
		{"MATCH (a:Movie) ((x)-[:DIRECTED]->(y) WHERE x.email = 'a'){1,3} (b:Movie) RETURN a", false},
		{"MATCH (a:Movie) ((x)-[r:ACTED_IN]->(y) WHERE r.salary > 1){1,3} (b:Movie) RETURN a", false},
		{"MATCH (a:Movie) ((x {email: 'a'})-[:DIRECTED]->(y)){1,3} (b:Movie) RETURN a", false},
		{"MATCH (a:Movie) ((x)-[:DIRECTED]->(y:Secret)){1,3} (b:Movie) RETURN a", false},
		{"MATCH p = SHORTEST 1 ((a:Movie) ((x)-[:DIRECTED]->(y))+ (b:Movie) WHERE a.email = b.email) RETURN length(p)", true},
		{"MATCH p = SHORTEST 1 ((a) ((x)-[:DIRECTED]->(y))+ (b:Movie) WHERE a.email = 'x') RETURN length(p)", false},
		{"MATCH (p:Person) RETURN CASE p.email WHEN 'x', 'y' THEN 1 END", false},
		{"MATCH (p:Person) RETURN CASE p.name WHEN 'x', p.email THEN 1 END", false},
		{"MATCH (p:Person) RETURN CASE p.name WHEN STARTS WITH p.email THEN 1 END", false},
		{"MATCH (p:Person) RETURN CASE WHEN p.email IS NORMALIZED THEN 1 END", false},
		{"MATCH (p:Person) RETURN trim(LEADING 'x' FROM p.email)", false},
		{"MATCH (p:Person) RETURN trim(BOTH p.email FROM 'x')", false},
		{"MATCH (p:Person) RETURN normalize(p.email, NFD)", false},
		{"MATCH (m:Movie) RETURN apoc.text.join(collect(m.title), ', ')", true},
	}
	for _, tt := range tests {
		v := guardrails.Policy{Hide: hide, Schema: apart}.Query(tt.query)
		if v.Allow != tt.allow || !tt.allow && v.Kind != guardrails.Hidden {
			t.Errorf("%s: got %s, want allowed %t: %s", tt.query, v.Kind, tt.allow, v.Reason)
		}
	}
	if v := (guardrails.Policy{Hide: hide}).Query("MATCH (c:Company) RETURN c.email"); v.Allow {
		t.Error("without a schema any two labels may meet, but Company.email is read")
	}
}

// TestNarrowedColumns names the columns of narrowed queries: what Neo4j would call
// an expression without a name says nothing that the query doesn't.
func TestNarrowedColumns(t *testing.T) {
	p := guardrails.Policy{Hide: []string{":Secret", ":DISTRUSTS"}}
	for query, want := range map[string][]string{
		"MATCH (n:A) RETURN n.name, COUNT { (n)-->() }":                                        {"n.name", "COUNT { (n)-->() }"},
		"MATCH (n:A) RETURN count  {(n)--(m)} ORDER BY n.name":                                 {"count  {(n)--(m)}"},
		"MATCH (n:A) RETURN [(n)-->(m) | m.name]":                                              {"[(n)-->(m) | m.name]"},
		"MATCH (n:A) RETURN exists((n)-->()) , n":                                              {"exists((n)-->())", "n"},
		"MATCH (n:A) RETURN size(COLLECT { MATCH (n)-[:A*1..2]-(m) RETURN m.name }) > 1":       {"size(COLLECT { MATCH (n)-[:A*1..2]-(m) RETURN m.name }) > 1"},
		"MATCH (n:A) RETURN NOT (n)-->() UNION MATCH (n:B) RETURN NOT (n)-->()":                {"NOT (n)-->()"},
		"MATCH (n:A) RETURN DISTINCT CASE WHEN (n)-->(:B) THEN 1 END":                          {"CASE WHEN (n)-->(:B) THEN 1 END"},
		"MATCH (n:A) RETURN n {.name, all: [(n)--(m) | m.name]}":                               {"n"},
		"MATCH (n:A) RETURN COUNT { (n)-->() } AS k, any(x IN [n] WHERE EXISTS { (x)--(:B) })": {"k", "any(x IN [n] WHERE EXISTS { (x)--(:B) })"},
	} {
		v := p.Query(query)
		if !v.Allow {
			t.Errorf("%s: %s", query, v.Reason)
			continue
		}
		s, err := cypher.Parse(v.Narrowed)
		if err != nil {
			t.Errorf("%s: %v", v.Narrowed, err)
			continue
		}
		var got []string
		clauses := s.Parts[0].Clauses
		for _, item := range clauses[len(clauses)-1].(*cypher.Return).Items {
			got = append(got, item.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: its columns are %q", v.Narrowed, got)
		}
	}
}

// TestDiscreetReasons hides what no query names: a part of a longer word names nothing.
func TestDiscreetReasons(t *testing.T) {
	p := guardrails.Policy{Hide: []string{"Person.pay"}}
	for query, names := range map[string]bool{
		"MATCH (p:Person) RETURN p.pay":                         true,
		"MATCH (p:Person) RETURN p['pay']":                      true,
		"MATCH (p:`Person`) RETURN p {.`pay`}":                  true,
		"MATCH (p:Person) RETURN p {.*}, p.payments":            false,
		"MATCH (p:Person)-[:repays]->(o) RETURN keys(p)":        false,
		"MATCH (p:Person) WHERE p.repay > 1 RETURN p {.*}":      false,
		"MATCH (p:Person) RETURN properties(p) AS display_pays": false,
		"MATCH (p:Person) WHERE p.name = 'Tepaya' RETURN p[$k]": false,
		"MATCH (p:Persons) RETURN keys(p), p.`pay day`":         false,
		"MATCH (p:Person) RETURN keys(p) // how do they pay?":   false,
	} {
		v := p.Query(query)
		if v.Allow || strings.Contains(v.Reason, "Person.pay") != names {
			t.Errorf("%s: %s", query, v.Reason)
		}
	}
}

// TestGuardCases holds the policy to the shared queries.
func TestGuardCases(t *testing.T) {
	verdicts := map[string]map[guardrails.QueryKind]int{}
	for _, row := range shared(t, "guard_cases.csv") {
		v := guardrails.Policy{}.Query(row["query"])
		key := row["label"] + " " + row["expect"]
		if verdicts[key] == nil {
			verdicts[key] = map[guardrails.QueryKind]int{}
		}
		verdicts[key][v.Kind]++
		switch {
		case row["expect"] == "block" && v.Allow:
			t.Errorf("allowed: %s", row["query"])
		case row["expect"] == "allow" && !v.Allow && v.Kind != guardrails.Syntax && !strings.Contains(row["query"], "test."):
			t.Errorf("refused as %s: %s\n\t%s", v.Kind, row["query"], v.Reason)
		case row["expect"] == "allow" && !v.Allow && os.Getenv("GUARDRAILS_SHOW") == "1":
			t.Logf("refused as %s: %s\n\t%s", v.Kind, row["query"], v.Reason)
		}
	}
	for key, kinds := range verdicts {
		t.Log(key, kinds)
	}
}

// TestSharedQueriesAreAllowed counts refusals of the queries of the shared pairs.
func TestSharedQueriesAreAllowed(t *testing.T) {
	for _, name := range []string{"text2cypher_pairs.csv", "text2cypher_pairs_extra.csv"} {
		kinds := map[guardrails.QueryKind]int{}
		for _, row := range shared(t, name) {
			if row["syntax_error"] == "True" {
				continue
			}
			v := guardrails.Policy{}.Query(row["cypher"])
			kinds[v.Kind]++
			if !v.Allow && v.Kind != guardrails.Syntax {
				t.Logf("%s: %s\n\t%s", v.Kind, row["cypher"], v.Reason)
			}
		}
		t.Log(name, kinds)
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("MATCH (p:Person)-[r]->() WHERE p.email = $x RETURN p {.*}, r['a']")
	f.Add("CALL `apoc`.x.y(1) YIELD z AS w")
	p := guardrails.Policy{Hide: []string{"Person.email", ":Secret", "", ".", ":"}}
	f.Fuzz(func(t *testing.T, query string) {
		if v := p.Query(query); v.Allow == (v.Reason != "") {
			t.Errorf("%q: %+v", query, v)
		}
	})
}
