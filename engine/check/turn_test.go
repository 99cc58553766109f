package check_test

import (
	"testing"

	"precedent/engine/check"
	"precedent/store/cypher"
)

const (
	people = "(Person, KNOWS, Person), (Person, WORKS_AT, Organization), (Person, INVESTED_IN, Organization), (Organization, OWNS, Organization), (Organization, IN_CITY, City)"
	nested = "(Person, ACTED_IN, Movie), (Actor, ACTED_IN, Movie), (Person, DIRECTED, Movie), (Director, DIRECTED, Movie), (Movie, IN_GENRE, Genre), (User, RATED, Movie), (Person, FOLLOWS, Person)"
)

// TestTurning holds kinds of patterns that the shared cases lack. An empty want
// means the query comes back as given, "-" that it can't fit.
func TestTurning(t *testing.T) {
	for _, test := range []struct{ name, schema, query, want string }{
		{"both ends labelled", people, `MATCH (o:Organization)-[:WORKS_AT]->(p:Person) RETURN p`, `MATCH (o:Organization)<-[:WORKS_AT]-(p:Person) RETURN p`},
		{"same label at both ends", people, `MATCH (a:Person)<-[:KNOWS]-(b:Person) RETURN a`, ""},
		{"one end anonymous", people, `MATCH (:City)-[:IN_CITY]->() RETURN 1`, `MATCH (:City)<-[:IN_CITY]-() RETURN 1`},
		{"no end labelled", people, `MATCH (a)-[:IN_CITY]->(b) RETURN a`, ""},
		{"no type", people, `MATCH (c:City)-->(o:Organization) RETURN o`, `MATCH (c:City)<--(o:Organization) RETURN o`},
		{"no type, both possible", people, `MATCH (a:Organization)<--(b) RETURN b`, ""},
		{"no type, dead end", people, `MATCH (c:City)-[r]->(x) RETURN r`, `MATCH (c:City)<-[r]-(x) RETURN r`},
		{"two arrowheads", people, `MATCH (c:City)<-[:IN_CITY]->(o:Organization) RETURN o`, ""},
		{"undirected and impossible", people, `MATCH (c:City)-[:KNOWS]-(p:Person) RETURN p`, "-"},
		{"impossible", people, `MATCH (c:City)-[:KNOWS]->(p:Person) RETURN p`, "-"},
		{"unknown type", people, `MATCH (a:Person)-[:LIKES]->(b:Person) RETURN a`, "-"},
		{"unknown label", people, `MATCH (a:Robot)-[:KNOWS]->(b:Person) RETURN a`, "-"},
		{"unknown label alone", people, `MATCH (a:Robot) RETURN a`, ""},
		{"unknown type among known", people, `MATCH (o:Organization)-[:WORKS_AT|LIKES]->(p:Person) RETURN p`, `MATCH (o:Organization)<-[:WORKS_AT|LIKES]-(p:Person) RETURN p`},
		{"several types", people, `MATCH (o:Organization)-[:WORKS_AT|INVESTED_IN]->(p) RETURN p`, `MATCH (o:Organization)<-[:WORKS_AT|INVESTED_IN]-(p) RETURN p`},
		{"several types, one possible", people, `MATCH (o:Organization)-[:WORKS_AT|OWNS]->(x) RETURN x`, ""},
		{"old alternatives", people, `MATCH (o:Organization)-[:WORKS_AT|:INVESTED_IN]->(p:Person) RETURN p`, `MATCH (o:Organization)<-[:WORKS_AT|:INVESTED_IN]-(p:Person) RETURN p`},
		{"negated type", people, `MATCH (c:City)-[:!KNOWS]->(o) RETURN o`, `MATCH (c:City)<-[:!KNOWS]-(o) RETURN o`},
		{"types in brackets", nested, `MATCH (m:Movie)-[:(!RATED&!IN_GENRE&!FOLLOWS)|Nothing]->(x) RETURN x`, `MATCH (m:Movie)<-[:(!RATED&!IN_GENRE&!FOLLOWS)|Nothing]-(x) RETURN x`},
		{"any type", people, `MATCH (c:City)-[:%]->(o) RETURN o`, `MATCH (c:City)<-[:%]-(o) RETURN o`},
		{"alternative labels", people, `MATCH (x:City|Person)-[:WORKS_AT]->(o:Organization) RETURN x`, ""},
		{"alternative labels, wrong way", people, `MATCH (x:City|Person)<-[:WORKS_AT]-(o:Organization) RETURN x`, `MATCH (x:City|Person)-[:WORKS_AT]->(o:Organization) RETURN x`},
		{"negated label", people, `MATCH (x:!Person)-[:WORKS_AT]->(p) RETURN x`, `MATCH (x:!Person)<-[:WORKS_AT]-(p) RETURN x`},
		{"conjunction", nested, `MATCH (a:Person&Actor)<-[:ACTED_IN]-(m) RETURN a`, `MATCH (a:Person&Actor)-[:ACTED_IN]->(m) RETURN a`},
		{"conjunction of which one does", nested, `MATCH (a:Person:Actor)-[:DIRECTED]->(m) RETURN a`, ""},
		{"backquotes", people, "MATCH (o:`Organization`)-[:`WORKS_AT`]->(p:`Person`) RETURN p", "MATCH (o:Organization)<-[:WORKS_AT]-(p:Person) RETURN p"},
		{"IS instead of a colon", people, `MATCH (o IS Organization)-[r IS WORKS_AT]->(p) RETURN p`, `MATCH (o:Organization)<-[r:WORKS_AT]-(p) RETURN p`},
		{"label in WHERE", people, `MATCH (o)-[:WORKS_AT]->(p) WHERE p:Person RETURN p`, `MATCH (o)<-[:WORKS_AT]-(p) WHERE p:Person RETURN p`},
		{"labels in WHERE with OR", people, `MATCH (o)-[:WORKS_AT]->(p) WHERE (p:Person OR p:City) AND 1 = 1 RETURN p`, `MATCH (o)<-[:WORKS_AT]-(p) WHERE (p:Person OR p:City) AND 1 = 1 RETURN p`},
		{"label under OR of something else", people, `MATCH (o)-[:WORKS_AT]->(p) WHERE p:Person OR o.name = 'x' RETURN p`, ""},
		{"label in a list", people, `MATCH (o)-[:WORKS_AT]->(p) WHERE 'Person' IN labels(p) RETURN p`, `MATCH (o)<-[:WORKS_AT]-(p) WHERE 'Person' IN labels(p) RETURN p`},
		{"type in WHERE", people, `MATCH (o:Organization)-[r]->(x) WHERE type(r) = 'WORKS_AT' RETURN x`, `MATCH (o:Organization)<-[r]-(x) WHERE type(r) = 'WORKS_AT' RETURN x`},
		{"label in an inner WHERE", people, `MATCH (o)-[:WORKS_AT]->(p WHERE p:Person) RETURN p`, `MATCH (o)<-[:WORKS_AT]-(p WHERE p:Person) RETURN p`},
		{"label afterwards", people, `MATCH (o)-[:WORKS_AT]->(p) MATCH (p:Person) RETURN p`, `MATCH (o)<-[:WORKS_AT]-(p) MATCH (p:Person) RETURN p`},
		{"label after WITH", people, `MATCH (o)-[:WORKS_AT]->(p) WITH p AS q MATCH (q:Person)-[:KNOWS]->(r) RETURN r`, `MATCH (o)<-[:WORKS_AT]-(p) WITH p AS q MATCH (q:Person)-[:KNOWS]->(r) RETURN r`},
		{"label of an optional match only", people, `MATCH (o)-[:WORKS_AT]->(p) OPTIONAL MATCH (p:Person)-[:KNOWS]->(r) RETURN r`, ""},
		{"comma", people, `MATCH (c:City), (o)-[:IN_CITY]->(c), (c)-[:IN_CITY]->(o) RETURN o`, `MATCH (c:City), (o)-[:IN_CITY]->(c), (c)<-[:IN_CITY]-(o) RETURN o`},
		{"chain", people, `MATCH (c:City)-[:IN_CITY]->(o:Organization)-[:WORKS_AT]->(p:Person)-[:KNOWS]->(q) RETURN q`, `MATCH (c:City)<-[:IN_CITY]-(o:Organization)<-[:WORKS_AT]-(p:Person)-[:KNOWS]->(q) RETURN q`},
		{"label inferred along a chain", people, `MATCH (p:Person)-[:WORKS_AT]->(o)<-[:IN_CITY]-(c) RETURN c`, `MATCH (p:Person)-[:WORKS_AT]->(o)-[:IN_CITY]->(c) RETURN c`},
		{"label inferred from behind", people, `MATCH (x)<-[:WORKS_AT]-(o)-[:IN_CITY]->(:City) RETURN x`, `MATCH (x)-[:WORKS_AT]->(o)-[:IN_CITY]->(:City) RETURN x`},
		{"inferred and impossible", people, `MATCH (p:Person)-[:WORKS_AT]->(o)-[:KNOWS]->(q) RETURN q`, "-"},
		{"loop", people, `MATCH (o:Organization)-[:OWNS]->(o) RETURN o`, ""},
		{"optional", people, `MATCH (o:Organization) OPTIONAL MATCH (o)-[:WORKS_AT]->(p) RETURN p`, `MATCH (o:Organization) OPTIONAL MATCH (o)<-[:WORKS_AT]-(p) RETURN p`},
		{"pattern predicate", people, `MATCH (o:Organization) WHERE NOT (o)-[:WORKS_AT]->() RETURN o`, `MATCH (o:Organization) WHERE NOT (o)<-[:WORKS_AT]-() RETURN o`},
		{"exists function", people, `MATCH (o:Organization) WHERE exists((o)-[:WORKS_AT]->(:Person)) RETURN o`, `MATCH (o:Organization) WHERE exists((o)<-[:WORKS_AT]-(:Person)) RETURN o`},
		{"COUNT", people, `MATCH (o:Organization) RETURN COUNT { (o)-[:WORKS_AT]->() } AS n`, `MATCH (o:Organization) RETURN COUNT { (o)<-[:WORKS_AT]-() } AS n`},
		{"EXISTS with MATCH", people, `MATCH (o:Organization) WHERE EXISTS { MATCH (o)-[:WORKS_AT]->(p) WHERE p.age > 3 } RETURN o`, `MATCH (o:Organization) WHERE EXISTS { MATCH (o)<-[:WORKS_AT]-(p) WHERE p.age > 3 } RETURN o`},
		{"COLLECT", people, `MATCH (o:Organization) RETURN COLLECT { MATCH (o)-[:WORKS_AT]->(p) RETURN p.name } AS n`, `MATCH (o:Organization) RETURN COLLECT { MATCH (o)<-[:WORKS_AT]-(p) RETURN p.name } AS n`},
		{"EXISTS inside EXISTS", people, `MATCH (o:Organization) WHERE EXISTS { MATCH (o)<-[:WORKS_AT]-(p) WHERE EXISTS { (p)<-[:INVESTED_IN]-(o) } } RETURN o`, `MATCH (o:Organization) WHERE EXISTS { MATCH (o)<-[:WORKS_AT]-(p) WHERE EXISTS { (p)-[:INVESTED_IN]->(o) } } RETURN o`},
		{"ORDER BY", people, `MATCH (o:Organization) RETURN o ORDER BY COUNT { (o)-[:WORKS_AT]->() }`, `MATCH (o:Organization) RETURN o ORDER BY COUNT { (o)<-[:WORKS_AT]-() }`},
		{"scope clause", people, `MATCH (o:Organization) CALL (o) { MATCH (o)-[:WORKS_AT]->(p) RETURN p } RETURN p`, `MATCH (o:Organization) CALL (o) { MATCH (o)<-[:WORKS_AT]-(p) RETURN p } RETURN p`},
		{"scope of everything", people, `MATCH (o:Organization) CALL (*) { MATCH (o)-[:WORKS_AT]->(p) RETURN p } RETURN p`, `MATCH (o:Organization) CALL (*) { MATCH (o)<-[:WORKS_AT]-(p) RETURN p } RETURN p`},
		{"not imported", people, `MATCH (o:Organization) CALL { MATCH (o)-[:WORKS_AT]->(p) RETURN p } RETURN p`, ""},
		{"UNION", people, `MATCH (o:Organization)-[:WORKS_AT]->(x) RETURN x UNION MATCH (o:Person)-[:WORKS_AT]->(x) RETURN x`, `MATCH (o:Organization)<-[:WORKS_AT]-(x) RETURN x UNION MATCH (o:Person)-[:WORKS_AT]->(x) RETURN x`},
		{"a name used anew", people, `MATCH (x:Organization) WITH count(x) AS n MATCH (x)-[:WORKS_AT]->(y) RETURN y`, ""},
		{"UNWIND", people, `MATCH (o:Organization) WITH collect(o) AS os UNWIND os AS x MATCH (x)-[:WORKS_AT]->(p) RETURN p`, `MATCH (o:Organization) WITH collect(o) AS os UNWIND os AS x MATCH (x)<-[:WORKS_AT]-(p) RETURN p`},
		{"WITH *", people, `MATCH (o:Organization) WITH *, 1 AS one MATCH (o)-[:WORKS_AT]->(p) RETURN p`, `MATCH (o:Organization) WITH *, 1 AS one MATCH (o)<-[:WORKS_AT]-(p) RETURN p`},
		{"variable length the wrong way", people, `MATCH (o:Organization)-[:WORKS_AT*1..3]->(p:Person) RETURN p`, `MATCH (o:Organization)<-[:WORKS_AT*1..3]-(p:Person) RETURN p`},
		{"variable length through one label", people, `MATCH (a:Organization)<-[:OWNS*]-(b:Organization) RETURN b`, ""},
		{"variable length of two types", people, `MATCH (c:City)-[:OWNS|IN_CITY*2]->(o:Organization) RETURN o`, `MATCH (c:City)<-[:OWNS|IN_CITY*2]-(o:Organization) RETURN o`},
		{"variable length, mixed ways", nested, `MATCH (a:Person)-[:ACTED_IN*2]->(b:Person) RETURN b`, ""},
		{"length zero", people, `MATCH (a:Organization)-[:IN_CITY*0..1]->(b) RETURN b`, ""},
		{"quantifier", people, `MATCH (o:Organization)-[:WORKS_AT]->{1,2}(p:Person) RETURN p`, `MATCH (o:Organization)<-[:WORKS_AT]-{1,2}(p:Person) RETURN p`},
		{"quantified path", people, `MATCH ((o:Organization)-[:WORKS_AT]->(p:Person)){1,2} RETURN p`, `MATCH ((o:Organization)<-[:WORKS_AT]-(p:Person)){1,2} RETURN p`},
		{"shortest path", people, `MATCH q = shortestPath((c:City)-[*..4]->(p:Person)) RETURN q`, `MATCH q = shortestPath((c:City)<-[*..4]-(p:Person)) RETURN q`},
		{"relationship's properties", people, `MATCH (o:Organization)-[r:WORKS_AT {since: 2001}]->(p) RETURN r.since`, `MATCH (o:Organization)<-[r:WORKS_AT {since: 2001}]-(p) RETURN r.since`},
		{"types only, no telling which is wrong", nested, `MATCH (a)-[:DIRECTED]->(m)-[:ACTED_IN]->(b) RETURN a`, ""},
		{"names with arrows in strings", people, `MATCH (o:Organization {name: ')-[:WORKS_AT]->('})<-[:WORKS_AT]-(p) RETURN p`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check.FromTriples(triplesOf(test.schema)).Check(test.query, parsed(t, test.query), nil)
			want := test.want
			if want == "" || want == "-" {
				want = test.query
			}
			if r.Fits != (test.want != "-") {
				t.Errorf("%s: fits %v, %v", test.query, r.Fits, r.Problems)
			}
			if !cypher.EqualTrees(r.Statement, parsed(t, want)) || want == test.query && r.Text != want {
				t.Errorf("%s\ngives %s\nwant  %s", test.query, r.Text, want)
			}
		})
	}
}

func TestContradictionIsAProblem(t *testing.T) {
	query := `MATCH (a)-[:DIRECTED]->(m)-[:ACTED_IN]->(b) RETURN a`
	r := check.FromTriples(triplesOf(nested)).Check(query, parsed(t, query), nil)
	if found(r.Problems) != "direction ACTED_IN" || !r.Fits {
		t.Errorf("got %+v", r)
	}
}

// TestTurningByProperties holds what properties say of unlabelled nodes.
func TestTurningByProperties(t *testing.T) {
	c := check.New(films())
	for _, test := range []struct{ name, query, want, problems string }{
		{"both read", `MATCH (m)-[:ACTED_IN]->(p) RETURN m.title, p.name`, `MATCH (m)<-[:ACTED_IN]-(p) RETURN m.title, p.name`, ""},
		{"one read", `MATCH (m)-[:ACTED_IN]->(p) WHERE m.runtime > 90 RETURN p`, `MATCH (m)<-[:ACTED_IN]-(p) WHERE m.runtime > 90 RETURN p`, ""},
		{"one in a pattern", `MATCH ({name: 'x'})<-[:DIRECTED]-(m) RETURN m`, `MATCH ({name: 'x'})-[:DIRECTED]->(m) RETURN m`, ""},
		{"which of two is wrong", `MATCH (a)-[:DIRECTED]->(m)-[:ACTED_IN]->(b) RETURN m.title`, `MATCH (a)-[:DIRECTED]->(m)<-[:ACTED_IN]-(b) RETURN m.title`, ""},
		{"as written", `MATCH (p)-[:ACTED_IN]->(m) RETURN m.title, p.name`, "", ""},
		{"of either", `MATCH (x)-[:ACTED_IN]->(y) RETURN x.title, x.name`, "", "property title"},
		{"labels count more", `MATCH (p:Person)-[:ACTED_IN]->(m) RETURN m.name`, "", "property Movie.name"},
		{"contradictory", `MATCH (x)-[:ACTED_IN]->(y) RETURN x.title, y.title`, "", "direction ACTED_IN"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := c.Check(test.query, parsed(t, test.query), nil)
			want := test.want
			if want == "" {
				want = test.query
			}
			if r.Text != want || found(r.Problems) != test.problems || !r.Fits {
				t.Errorf("%s\ngives %s, %s, fits %v\nwant  %s, %s", test.query, r.Text, found(r.Problems), r.Fits, want, test.problems)
			}
		})
	}
}
