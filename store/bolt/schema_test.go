package bolt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/bolt"
)

// describe prints a schema, a line for each part.
func describe(s *store.Schema) string {
	var b strings.Builder
	properties := func(ps []store.Property) {
		for _, p := range ps {
			fmt.Fprintf(&b, "  %s %s present %d distinct %d unique %v %v", p.Name, p.Type, p.Present, p.Distinct, p.Unique, p.Samples)
			if p.Min != nil {
				fmt.Fprintf(&b, " from %v to %v", p.Min, p.Max)
			}
			b.WriteString("\n")
		}
	}
	for _, l := range s.Labels {
		fmt.Fprintf(&b, "(%s) %d\n", l.Name, l.Count)
		properties(l.Properties)
	}
	for _, t := range s.Types {
		fmt.Fprintf(&b, "[%s] %d\n", t.Name, t.Count)
		properties(t.Properties)
	}
	for _, r := range s.Relationships {
		fmt.Fprintf(&b, "%s-%s->%s %d\n", r.Start, r.Type, r.End, r.Count)
	}
	for _, i := range s.Indexes {
		if i.Type != "LOOKUP" { // every database has these, under names of its own
			fmt.Fprintf(&b, "%s %s %v %v %v\n", i.Name, i.Type, i.OnNodes, i.Labels, i.Properties)
		}
	}
	return b.String()
}

const cinemaSchema = `(Actor) 2
  born INTEGER present 2 distinct 2 unique false [1930 1956] from 1930 to 1956
  id STRING present 2 distinct 2 unique false [1 3]
  name STRING present 2 distinct 2 unique false [Clint "Eastwood" Tom Hanks]
  seen ZONED DATETIME present 1 distinct 1 unique false [2024-03-01T10:00:00+01:00] from 2024-03-01T10:00:00+01:00 to 2024-03-01T10:00:00+01:00
(Director) 2
  born INTEGER present 2 distinct 2 unique false [1930 1965] from 1930 to 1965
  id STRING present 2 distinct 2 unique false [2 3]
  name STRING present 2 distinct 2 unique false [Clint "Eastwood" Lana Wachowski]
(Movie) 2
  id STRING present 2 distinct 2 unique false [1 2]
  rating FLOAT present 1 distinct 1 unique false [8.7] from 8.7 to 8.7
  released DATE present 1 distinct 1 unique false [1999-03-31] from 1999-03-31 to 1999-03-31
  tags LIST<STRING> present 1 distinct 1 unique false [[a b]]
  title STRING present 2 distinct 2 unique true [The Matrix 黑客帝国]
  year INTEGER present 2 distinct 2 unique false [1999 2003] from 1999 to 2003
(Person) 3
  born INTEGER present 3 distinct 3 unique false [1930 1956 1965] from 1930 to 1965
  id STRING present 3 distinct 3 unique false [1 2 3]
  name STRING present 3 distinct 3 unique false [Clint "Eastwood" Lana Wachowski Tom Hanks]
  seen ZONED DATETIME present 1 distinct 1 unique false [2024-03-01T10:00:00+01:00] from 2024-03-01T10:00:00+01:00 to 2024-03-01T10:00:00+01:00
[ACTED_IN] 2
  role STRING present 2 distinct 2 unique false [Neo Smith]
[DIRECTED] 2
Actor-ACTED_IN->Movie 2
Actor-DIRECTED->Movie 1
Director-ACTED_IN->Movie 1
Director-DIRECTED->Movie 2
Person-ACTED_IN->Movie 2
Person-DIRECTED->Movie 2
movie_title RANGE true [Movie] [title]
`

func TestSchema(t *testing.T) {
	g, s := open(t, nil)
	s.Exec(t, "CREATE CONSTRAINT movie_title FOR (m:Movie) REQUIRE m.title IS UNIQUE", nil)
	schema, err := g.Schema(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(schema); got != cinemaSchema || schema.Sampled || len(schema.Hash) != 16 {
		t.Errorf("sampled %v, hash %s, got\n%s", schema.Sampled, schema.Hash, got)
	}
	s.Exec(t, "CREATE (:Movie {title: 'Heat'})", nil)
	grown, err := g.Schema(t.Context(), time.Minute)
	if err != nil || grown.Hash != schema.Hash {
		t.Errorf("a further film changes the hash: %v", err)
	}
	s.Exec(t, "MATCH (m:Movie {title: 'Heat'}) SET m.budget = 1", nil)
	changed, err := g.Schema(t.Context(), time.Minute)
	if err != nil || changed.Hash == schema.Hash {
		t.Errorf("a further property leaves the hash: %v", err)
	}
}

func TestSchemaSampled(t *testing.T) {
	// All ends of both types are films, so the kept counts give each triple
	// although no relationship is read.
	g, s := open(t, func(c *bolt.Config) { c.ScanLimit, c.SampleSize = 1, 1 })
	schema, err := g.Schema(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	got := describe(schema)
	want := cinemaSchema[strings.Index(cinemaSchema, "Actor-ACTED_IN"):strings.Index(cinemaSchema, "movie_title")]
	if !schema.Sampled || !strings.HasSuffix(got, want) || !strings.Contains(got, "(Person) 3") {
		t.Errorf("sampled %v, got\n%s", schema.Sampled, got)
	}
	// Ends without a common label leave nothing but a sample.
	s.Exec(t, "MATCH (p:Director {name: 'Lana Wachowski'}) CREATE (p)-[:LIKES]->(:Song), (:Fan)-[:LIKES]->(p)", nil)
	schema, err = g.Schema(t.Context(), time.Minute)
	if err != nil || !schema.Sampled || !strings.Contains(describe(schema), "-LIKES->") {
		t.Errorf("%v, got\n%s", err, describe(schema))
	}
}

// However short the budget, the answer is a sampled schema or an error in time.
func TestSchemaBudget(t *testing.T) {
	g, s := open(t, nil)
	s.Exec(t, "UNWIND range(1, 100000) AS i CREATE (:Item {name: 'item ' + i, n: i})", nil)
	for _, budget := range []time.Duration{time.Nanosecond, 20 * time.Millisecond, 200 * time.Millisecond, 0} {
		start := time.Now()
		schema, err := g.Schema(t.Context(), budget)
		took := time.Since(start)
		if budget > 0 && took > budget+30*time.Second {
			t.Errorf("budget %v: took %v", budget, took)
		}
		t.Logf("budget %v: took %v, sampled %v, error %v", budget, took, schema != nil && schema.Sampled, err)
		if budget == 0 && (err != nil || schema.Sampled) {
			t.Errorf("with the default budget: %v", err)
		}
		if budget == time.Nanosecond && err == nil {
			t.Error("a nanosecond is enough")
		}
	}
}

// What too many have is looked at in a sample; where that has few strings, they are
// counted, and what stopped the reading is said.
func TestSchemaFew(t *testing.T) {
	g, s := open(t, func(c *bolt.Config) { c.CountValues, c.SampleSize = 50, 60 })
	s.Exec(t, "UNWIND range(1, 300) AS i CREATE (:Order {status: ['open', 'paid', 'sent'][i % 3], code: 'SO-' + i, tags: ['a' + i % 2, 'b']})", nil)
	schema, err := g.Schema(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range schema.Labels {
		for _, p := range l.Properties {
			switch l.Name + "." + p.Name {
			case "Order.status":
				if p.Distinct != 3 || !p.Lists() || fmt.Sprint(p.Samples) != "[open paid sent]" {
					t.Errorf("status: %d values, %v", p.Distinct, p.Samples)
				}
			case "Order.code":
				if p.Distinct != -1 || p.Lists() || p.Looks.Seen() == 0 {
					t.Errorf("code: %d values, %d seen", p.Distinct, p.Looks.Seen())
				}
			}
		}
	}
	small, _ := open(t, func(c *bolt.Config) { c.ScanLimit, c.SampleSize = 1, 1 })
	if schema, err = small.Schema(t.Context(), time.Minute); err != nil || !schema.Sampled || len(schema.Stops) == 0 || schema.Stops[0].Limit != store.StopScan {
		t.Errorf("%v, stopped by %v", err, schema.Stops)
	}
}
