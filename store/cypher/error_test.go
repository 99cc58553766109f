package cypher_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"precedent/store/cypher"
)

// errorCases are texts and what is said of them: kind, line:column, message.
var errorCases = []struct {
	query   string
	kind    cypher.ErrorKind
	at      string
	message string
}{
	{"", cypher.Syntax, "1:1", "the query ends, expected a clause such as MATCH, WITH or RETURN"},
	{"MATCH (n)", cypher.Syntax, "1:10", "the query ends, expected RETURN, which ends a query that reads"},
	{"MATCH (n) RETRN n", cypher.Syntax, "1:11", `found "RETRN", expected a clause such as MATCH, WITH or RETURN`},
	{"MATCH (n)\nWHERE n.größe != 3\nRETURN n", cypher.Syntax, "2:15", "found !=, expected <>, which is how Cypher says not equal"},
	{"MATCH (ö)\nWHERE ö.x = RETURN n", cypher.Syntax, "2:13", `found "RETURN", expected an expression`},
	{"MATCH (n:Person RETURN n", cypher.Syntax, "1:17", `found "RETURN", expected a label, {properties}, WHERE or )`},
	{"MATCH (n)-[:R]>(m) RETURN n", cypher.Syntax, "1:15", `found ">", expected - to end the relationship, such as -[:TYPE]->`},
	{"MATCH (a)(b) RETURN a", cypher.Syntax, "1:10", `found "(", expected a relationship between two nodes, such as -[:TYPE]->`},
	{"MATCH (n) WITH n.name RETURN 1", cypher.Syntax, "1:16", `found "n.name" without a name, expected AS and a name behind it, as WITH needs`},
	{"RETURN 1 RETURN 2", cypher.Syntax, "1:10", `found "RETURN", expected nothing after RETURN: move the clause before it, or carry on with WITH`},
	{"RETURN CASE WHEN > 3 THEN 1 END", cypher.Syntax, "1:22", `found "THEN", expected WHEN`},
	{"RETURN CASE WHEN 1, 2 THEN 1 END", cypher.Syntax, "1:19", `found ",", expected THEN`},
	{"RETURN CASE x WHEN CONTAINS 'a' THEN 1 END", cypher.Syntax, "1:29", `found "'a'", expected THEN`},
	{"RETURN trim(LEADING 'x' FROM y, z)", cypher.Syntax, "1:31", `found ",", expected an operator or )`},
	{"RETURN normalize(x, 'NFC')", cypher.Syntax, "1:21", "found another second argument of normalize than NFC, NFD, NFKC or NFKD"},
	{"RETURN 9223372036854775808", cypher.Syntax, "1:8", `found the integer "9223372036854775808", expected one between -9223372036854775808 and 9223372036854775807`},
	{"RETURN 017", cypher.Syntax, "1:8", `found the number "017" with a leading zero, expected it without, or 0x before hexadecimal and 0o before octal digits`},
	{"RETURN 0X1F", cypher.Syntax, "1:8", `found the number "0X1F" with a leading zero, expected it without, or 0x before hexadecimal and 0o before octal digits`},
	{"MATCH (n:A:B|C) RETURN n", cypher.Syntax, "1:10", "found labels joined by : together with |, &, ! or %, expected & in place of the colons between labels"},
	{"RETURN 1e999", cypher.Syntax, "1:8", `found the number "1e999", expected one between -1.797e308 and 1.797e308`},
	{"RETURN 12abc", cypher.Syntax, "1:8", `found "12abc", expected a number, or a name in backquotes`},
	{"RETURN {x}", cypher.Syntax, "1:10", `found "}", expected : and a value; a parameter is written $x`},
	{"RETURN 'abc", cypher.Syntax, "1:8", "a string that is never closed, expected '"},
	{"RETURN 1 /* abc", cypher.Syntax, "1:10", "a comment that is never closed, expected */"},
	{"RETURN a IN b IN c", cypher.Syntax, "1:15", `found "IN", expected a clause such as MATCH, WITH or RETURN`},
	{"RETURN 1 = NOT true", cypher.Syntax, "1:12", `found "NOT", expected an expression; put NOT and what it negates in parentheses`},
	{"RETURN all(x IN xs)", cypher.Syntax, "1:19", `found ")", expected WHERE`},
	{"RETURN ‘x’", cypher.Syntax, "1:8", "found the typographic quote ‘, expected ' or \""},
	{"RETURN 'a\xff'", cypher.Syntax, "1:10", "found a byte that is not UTF-8, expected UTF-8 text"},
	{"RETURN 1 # x", cypher.Syntax, "1:10", `found "#", which begins nothing in Cypher, expected it inside quotes or backquotes`},
	{"MATCH (n) RETURN n LIMIT 1 SKIP 2", cypher.Syntax, "1:28", `found "SKIP", expected SKIP before LIMIT`},
	{"MATCH (n) RETURN n GROUP BY n.x", cypher.Syntax, "1:20", `found "GROUP", expected a clause such as MATCH, WITH or RETURN`},
	{"MATCH (n)-->{3,1}(m) RETURN n", cypher.Syntax, "1:14", "found repetitions up to 1, expected at least 1 and no less than the lower bound"},
	{"RETURN 1;;", cypher.Syntax, "1:10", `found ";", expected the next clause or the end of the query`},
	// Neo4j turns \u escapes into signs before it reads anything: these would write there.
	{`RETURN 1 // \u000a DETACH DELETE n`, cypher.Syntax, "1:10", "a comment with a \\u escape of a sign that ends strings or comments, which Neo4j reads before anything else, expected the sign itself"},
	{`RETURN 1 /* \u002a\u002f MATCH (n) DELETE n /* */`, cypher.Syntax, "1:10", "a comment with a \\u escape of a sign that ends strings or comments, which Neo4j reads before anything else, expected the sign itself"},
	{`MATCH (n) WHERE n.x = '\u0027 DELETE n //' RETURN n`, cypher.Syntax, "1:24", "found a \\u escape of a sign that ends strings or comments, which Neo4j reads before anything else, expected the sign itself"},
	{"MATCH (n) RETURN n AS `\\u0060 DELETE n //`", cypher.Syntax, "1:23", `found a \u escape inside backquotes, expected the character itself`},
	{`MATCH (n) \u0044ELETE n`, cypher.Syntax, "1:11", `found "\", which begins nothing in Cypher, expected it inside quotes or backquotes`},

	{"MERGE\t(n)", cypher.Write, "1:1", "found MERGE, which changes the graph, expected a query that only reads"},
	{"/* x */ CREATE // y\n (n {a: 'broken", cypher.Write, "1:9", "found CREATE, which changes the graph, expected a query that only reads"},
	{"MATCH (n) SET n.x = 1", cypher.Write, "1:11", "found SET, which changes the graph, expected a query that only reads"},
	{"MATCH (n) WHERE n.x RETURN n CREATE (m)", cypher.Write, "1:30", "found CREATE, which changes the graph, expected a query that only reads"},
	{"MATCH (n) dEtAcH DELETE n", cypher.Write, "1:11", "found DETACH, which changes the graph, expected a query that only reads"},
	{"MATCH (n) NODETACH DELETE n", cypher.Write, "1:11", "found NODETACH, which changes the graph, expected a query that only reads"},
	{"MATCH (n) CALL { WITH n REMOVE n.x } RETURN 1", cypher.Write, "1:25", "found REMOVE, which changes the graph, expected a query that only reads"},
	{"MATCH (n) WHERE EXISTS { MATCH (n) DELETE n } RETURN n", cypher.Write, "1:36", "found DELETE, which changes the graph, expected a query that only reads"},
	{"FOREACH (x IN [1] | CREATE (n))", cypher.Write, "1:1", "found FOREACH, which changes the graph, expected a query that only reads"},
	{"INSERT (n:A)", cypher.Write, "1:1", "found INSERT, which changes the graph, expected a query that only reads"},
	{"CREATE (index)", cypher.Write, "1:1", "found CREATE, which changes the graph, expected a query that only reads"},

	{"LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", cypher.Load, "1:1", "found LOAD, which reads files and web pages, expected a query that reads the graph only"},
	{"MATCH (n) LOAD\nCSV FROM 'x' AS l RETURN l", cypher.Load, "1:11", "found LOAD, which reads files and web pages, expected a query that reads the graph only"},
	{"USING PERIODIC COMMIT 5 LOAD CSV FROM 'x' AS l CREATE (n)", cypher.Load, "1:1", "found USING PERIODIC COMMIT, which loads files, expected a query that reads the graph only"},

	{"EXPLAIN MATCH (n) RETURN n", cypher.Admin, "1:1", "found EXPLAIN, expected the query without it"},
	{"profile MATCH (n) RETURN n", cypher.Admin, "1:1", "found PROFILE, expected the query without it"},
	{"CYPHER runtime=slotted RETURN 1", cypher.Admin, "1:1", "found CYPHER options, expected the query without them"},
	{"USE neo4j RETURN 1", cypher.Admin, "1:1", "found USE, which changes the database, expected a query of the database at hand"},
	{"SHOW DATABASES", cypher.Admin, "1:1", "found SHOW, which administers the server, expected a query that reads the graph"},
	{"CREATE OR REPLACE DATABASE x", cypher.Admin, "1:1", "found CREATE of an index, constraint, database, user or role, expected a query that only reads"},
	{"CREATE FULLTEXT INDEX x FOR (n:A) ON EACH [n.x]", cypher.Admin, "1:1", "found CREATE of an index, constraint, database, user or role, expected a query that only reads"},
	{"DROP CONSTRAINT x", cypher.Admin, "1:1", "found DROP, which administers the server, expected a query that reads the graph"},
	{"START DATABASE x", cypher.Admin, "1:1", "found START DATABASE, which administers the server, expected a query that reads the graph"},
	{"RETURN 1; MATCH (n) DELETE n", cypher.Admin, "1:11", "found a second statement, expected a single one: remove everything after the first ;"},
	{"RETURN (; RETURN 2", cypher.Admin, "1:11", "found a second statement, expected a single one: remove everything after the first ;"},
	{"MATCH (n) CALL (n) { RETURN n.x AS x } IN 2 CONCURRENT TRANSACTIONS RETURN x", cypher.Admin, "1:40", "found a subquery IN TRANSACTIONS, which commits on its own, expected a subquery without it"},

	{"MATCH (n) FINISH", cypher.Unsupported, "1:11", "found FINISH, which returns nothing, expected RETURN"},
	{"MATCH REPEATABLE ELEMENTS (n)-->(m) RETURN n", cypher.Unsupported, "1:7", "found the match mode REPEATABLE, expected MATCH without a mode"},
	{"MATCH (n:$(x)) RETURN n", cypher.Unsupported, "1:10", "found a label given at run time, expected the label itself, such as :Person"},
}

func TestErrors(t *testing.T) {
	for _, c := range errorCases {
		t.Run(c.query, func(t *testing.T) {
			_, err := cypher.Parse(c.query)
			e, ok := errors.AsType[*cypher.Error](err)
			if !ok {
				t.Fatalf("error is %v", err)
			}
			if at := fmt.Sprintf("%d:%d", e.Line, e.Col); e.Kind != c.kind || at != c.at || e.Message != c.message {
				t.Errorf("got  %v %s %s\nwant %v %s %s", e.Kind, at, e.Message, c.kind, c.at, c.message)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	long := "RETURN '" + strings.Repeat("x", cypher.MaxLength) + "'"
	nested := func(open, inside, end string, n int) string {
		return "RETURN " + strings.Repeat(open, n) + inside + strings.Repeat(end, n)
	}
	for _, c := range []struct {
		name, query string
		kind        cypher.ErrorKind
		fine        bool
	}{
		{"long", long, cypher.TooLong, false},
		{"100 parentheses", nested("(", "1", ")", 100), 0, true},
		{"100 nodes in parentheses", nested("(a + (b) - ", "1", ")", 100), 0, true},
		{"100 lists with patterns", nested("[(a {x: ", "1", "})-->(b)]", 60), 0, true},
		{"100 comprehensions", nested("[(a)-->(b {x: ", "1", "}) WHERE a:A|B | 1]", 50), 0, true},
		{"too many parentheses", nested("(", "1", ")", cypher.MaxDepth+1), cypher.TooDeep, false},
		{"too many lists", nested("[", "1", "]", cypher.MaxDepth+1), cypher.TooDeep, false},
		{"too many NOTs", nested("NOT ", "a", "", cypher.MaxDepth+1), cypher.TooDeep, false},
		{"too many label NOTs", nested("", "n:"+strings.Repeat("!", cypher.MaxDepth+1)+"A", "", 1), cypher.TooDeep, false},
		{"too many subqueries", nested("COUNT { RETURN ", "1", "}", cypher.MaxDepth+1), cypher.TooDeep, false},
		{"unclosed patterns", nested("(a {b: [", "", "", cypher.MaxLength/16), cypher.TooDeep, false},
		{"unclosed labels", "RETURN [x IN y WHERE x:" + strings.Repeat("A|", cypher.MaxLength/2-20), cypher.Syntax, false},
		{"a long chain", "RETURN " + strings.Repeat("1+", cypher.MaxLength/2-10) + "1", 0, true},
		{"a long chain of properties", "RETURN " + strings.Repeat("a.", cypher.MaxLength/2-10) + "a", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			s, err := cypher.Parse(c.query)
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			e, ok := errors.AsType[*cypher.Error](err)
			switch {
			case c.fine && err != nil:
				t.Fatal(err)
			case c.fine:
				stable(t, c.query[:40], s)
				cypher.Walk(cypher.Clone(s), func(cypher.Node) bool { return true })
			case !ok || e.Kind != c.kind:
				t.Errorf("error is %v, want %v", err, c.kind)
			}
		})
	}
}
