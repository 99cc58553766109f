package check_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"precedent/engine/check"
	"precedent/store"
	"precedent/store/cypher"
)

// films is a small graph with nested labels: actors and directors are people.
// Every node has its key property; runtime, born and rating may be missing.
func films() *store.Schema {
	properties := func(count int64, names ...string) (all []store.Property) {
		for _, name := range names {
			name, sometimes := strings.CutSuffix(name, "?")
			present := count
			if sometimes {
				present = count / 2
			}
			all = append(all, store.Property{Name: name, Type: "STRING", Present: present})
		}
		return all
	}
	s := &store.Schema{
		Labels: []store.Label{
			{Name: "Movie", Count: 10, Properties: properties(10, "title", "releaseDate?", "runtime?", "imdbRating?")},
			{Name: "Person", Count: 10, Properties: properties(10, "name", "born?")},
			{Name: "Actor", Count: 6, Properties: properties(6, "name", "born?", "agent?")},
			{Name: "Director", Count: 6, Properties: properties(6, "name", "born?")},
			{Name: "User", Count: 10, Properties: properties(10, "name")},
			{Name: "Genre", Count: 10, Properties: properties(10, "name")},
		},
		Types: []store.RelType{
			{Name: "ACTED_IN", Count: 9, Properties: properties(9, "role?")},
			{Name: "RATED", Count: 9, Properties: properties(9, "rating?")},
		},
	}
	for _, triple := range []string{
		"Person ACTED_IN Movie", "Actor ACTED_IN Movie", "Director ACTED_IN Movie",
		"Person DIRECTED Movie", "Actor DIRECTED Movie", "Director DIRECTED Movie",
		"Movie IN_GENRE Genre", "User RATED Movie", "Person FOLLOWS Person", "Movie SEQUEL_OF Movie",
	} {
		t := strings.Fields(triple)
		s.Relationships = append(s.Relationships, store.Relation{Start: t[0], Type: t[1], End: t[2]})
	}
	return s
}

// found is the problems as "kind name > nearest".
func found(problems []store.Problem) string {
	var said []string
	for _, p := range problems {
		said = append(said, strings.TrimSuffix(fmt.Sprintf("%s %s > %s", p.Kind, p.Name, p.Nearest), " > "))
	}
	return strings.Join(said, "; ")
}

func TestNames(t *testing.T) {
	c := check.New(films())
	for _, test := range []struct{ name, query, want string }{
		{"known", `MATCH (p:Person)-[r:ACTED_IN]->(m:Movie) RETURN p.name, r.role, m.title`, ""},
		{"label by case", `MATCH (m:movie) RETURN m`, "label movie > Movie"},
		{"label in the plural", `MATCH (m:Movies) RETURN m`, "label Movies > Movie"},
		{"label by its place", `MATCH (f:Film)<-[:ACTED_IN]-(p:Person) RETURN f`, "label Film > Movie"},
		{"label without a neighbour", `MATCH (s:Spaceship) RETURN s`, "label Spaceship"},
		{"label in WHERE", `MATCH (m) WHERE m:Moovie RETURN m`, "label Moovie > Movie"},
		{"label in backquotes", "MATCH (m:`movie`) RETURN m", "label movie > Movie"},
		{"type for label", `MATCH (m:RATED) RETURN m`, "label RATED"},
		{"type by underscore", `MATCH (:Person)-[:ACTEDIN]->(:Movie) RETURN 1`, "type ACTEDIN > ACTED_IN"},
		{"type by words", `MATCH (:Movie)-[:HAS_GENRE]->(:Genre) RETURN 1`, "type HAS_GENRE > IN_GENRE"},
		{"type by its ends", `MATCH (:User)-[:SCORED]->(:Movie) RETURN 1`, "type SCORED > RATED"},
		{"type among several", `MATCH (:Person)-[:ACTED_IN|PLAYED]->(:Movie) RETURN 1`, "type PLAYED"},
		{"type in a string", `MATCH (:Person)-[r]->(:Movie) WHERE type(r) = 'ACTED' RETURN 1`, "type ACTED > ACTED_IN"},
		{"type in a list", `MATCH (:Person)-[r]->(:Movie) WHERE type(r) IN ['ACTED_IN', 'ACTED'] RETURN 1`, "type ACTED > ACTED_IN"},
		{"label in a string", `MATCH (n) WHERE 'Movies' IN labels(n) RETURN n`, "label Movies > Movie"},
		{"reported once", `MATCH (a:Film) MATCH (b:Film) WHERE a.title = b.title RETURN 1`, "label Film"},
		{"property", `MATCH (m:Movie) RETURN m.titel`, "property Movie.titel > title"},
		{"property by underscore", `MATCH (m:Movie) RETURN m.release_date`, "property Movie.release_date > releaseDate"},
		{"property by words", `MATCH (m:Movie) RETURN m.rating`, "property Movie.rating > imdbRating"},
		{"property of the other end", `MATCH (u:User)-[r:RATED]->(:Movie) RETURN u.rating`, "property User.rating"},
		{"property in a pattern", `MATCH (m:Movie {titel: 'x'}) RETURN m`, "property Movie.titel > title"},
		{"property of nobody named", `MATCH (:Movie {titel: 'x'}) RETURN 1`, "property Movie.titel > title"},
		{"property of a relationship", `MATCH ()-[r:RATED {stars: 5}]->() RETURN r.rating`, "property RATED.stars"},
		{"property in brackets", `MATCH (m:Movie) RETURN m['titel']`, "property Movie.titel > title"},
		{"property in a projected map", `MATCH (m:Movie) RETURN m {.titel, .title}`, "property Movie.titel > title"},
		{"property of one label of two", `MATCH (p:Person:Actor) RETURN p.agent`, ""},
		{"property of one label or another", `MATCH (p:Person|Actor) RETURN p.agent`, ""},
		{"property after WHERE n:Label", `MATCH (n) WHERE n:Genre RETURN n.title`, "property Genre.title"},
		{"property of a later label", `MATCH (n) MATCH (n:Genre) RETURN n.title`, "property Genre.title"},
		{"property of an inferred label", `MATCH (p:Person)-[:ACTED_IN]->(m) RETURN m.name`, "property Movie.name"},
		{"property of nested inferred labels", `MATCH (p)-[:ACTED_IN]->(m:Movie) RETURN p.agent`, ""},
		{"property of any label", `MATCH (n) RETURN n.title, n.name, n.nothing`, "property nothing"},
		{"through WITH", `MATCH (m:Movie) WITH m AS f RETURN f.name`, "property Movie.name"},
		{"through collect and UNWIND", `MATCH (m:Movie) WITH collect(m) AS ms UNWIND ms AS f RETURN f.name, head(ms).name`, "property Movie.name"},
		{"through a list comprehension", `MATCH (m:Movie) WITH collect(m) AS ms RETURN [x IN ms WHERE x.name = 'a' | x.title]`, "property Movie.name"},
		{"through a subquery", `CALL { MATCH (m:Movie) RETURN m } RETURN m.name`, "property Movie.name"},
		{"through a scope clause", `MATCH (m:Movie) CALL (m) { RETURN m.name AS n } RETURN n`, "property Movie.name"},
		{"in a pattern comprehension", `MATCH (p:Person) RETURN [(p)-[:ACTED_IN]->(m) | m.name]`, "property Movie.name"},
		{"a new variable of an old name", `MATCH (x:Movie) WITH x.title AS t MATCH (x:Person) RETURN x.name`, ""},
		{"another part of UNION", `MATCH (x:Movie) RETURN x.title AS t UNION MATCH (x:Person) RETURN x.name AS t`, ""},
		{"fields of a map", `MATCH (m:Movie) WITH {name: m.title} AS x RETURN x.name, x.other`, ""},
		{"a node in a map", `MATCH (m:Movie) WITH {film: m} AS x RETURN x.film.name`, "property Movie.name"},
		{"parts of a date", `MATCH (p:Person) RETURN p.born.year, date().month`, ""},
		{"what a procedure yields", `CALL db.labels() YIELD label RETURN label.anything`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := c.Check(test.query, parsed(t, test.query), nil)
			if got := found(r.Problems); got != test.want {
				t.Errorf("%s\ngot  %s\nwant %s", test.query, got, test.want)
			}
			for _, p := range r.Problems {
				if name := p.Name[strings.LastIndex(p.Name, ".")+1:]; !strings.HasPrefix(test.query[p.Pos:], name) &&
					!strings.HasPrefix(test.query[p.Pos+1:], name) {
					t.Errorf("%s: %q is at %q", test.query, name, test.query[p.Pos:])
				}
			}
		})
	}
}

func TestMessages(t *testing.T) {
	c := check.New(films())
	for query, want := range map[string]string{
		`MATCH (f:Film)<-[:DIRECTED]-() RETURN f`:     "there is no label Film; did you mean Movie?",
		`MATCH (g:Genre) RETURN g.titel`:              "no Genre has a property titel; there are name",
		`MATCH (u:User)-[:RATED]->() RETURN u.rating`: "no User has a property rating; it is a property of RATED; there are name",
		`MATCH (:User)-[:ACTED_IN]->(:Movie) RETURN 1`: "(:User)-[:ACTED_IN]->(:Movie) matches nothing in either direction; " +
			"ACTED_IN leads from Person to Movie, ACTED_IN leads from Actor to Movie, ACTED_IN leads from Director to Movie",
	} {
		r := c.Check(query, parsed(t, query), nil)
		if len(r.Problems) != 1 || r.Problems[0].Message != want {
			t.Errorf("%s\ngot  %+v\nwant %s", query, r.Problems, want)
		}
	}
}

func TestUnchangedComesBackAsGiven(t *testing.T) {
	text := "match (m:Movie)\n  return  m.title // a comment\n"
	stmt := parsed(t, text)
	r := check.New(films()).Check(text, stmt, nil)
	if r.Statement != stmt || r.Text != text || len(r.Changes) > 0 || len(r.Problems) > 0 || !r.Fits {
		t.Errorf("got %+v", r)
	}
}

// TestGivenTreeStays checks that corrections go into a copy.
func TestGivenTreeStays(t *testing.T) {
	text := `MATCH (m:Movie)-[:ACTED_IN]->(p:Person) RETURN p.name ORDER BY m.imdbRating DESC LIMIT 3`
	stmt := parsed(t, text)
	r := check.New(films()).Check(text, stmt, nil)
	if len(r.Changes) != 2 || !cypher.EqualTrees(stmt, parsed(t, text)) {
		t.Errorf("%+v left %s", r.Changes, cypher.Print(stmt))
	}
	if !cypher.EqualTrees(r.Statement, parsed(t, r.Text)) {
		t.Errorf("%s isn't its tree", r.Text)
	}
}

func TestSeveralAtOnce(t *testing.T) {
	c := check.New(films())
	stmt := parsed(t, `MATCH (m:Movie)-[:ACTED_IN]->(p) WHERE p:Person RETURN p.nam ORDER BY m.runtime DESC LIMIT 3`)
	want := c.Check("", stmt, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := c.Check("", stmt, nil); got.Text != want.Text || len(got.Problems) != len(want.Problems) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	wg.Wait()
}

// told is the findings as "kind of has > values".
func told(findings []check.Finding) string {
	var said []string
	for _, f := range findings {
		line := strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Kind, f.Of, f.Has))
		if len(f.Values) > 0 {
			line += fmt.Sprintf(" > %v", f.Values[0])
		}
		said = append(said, line)
	}
	return strings.Join(said, "; ")
}

func TestValues(t *testing.T) {
	c := check.New(films())
	genres := []any{"Sci-Fi", "Comedy"}
	c.Values = func(label, property, value string) check.Holding {
		switch label + "." + property {
		case "Genre.name":
			if value == "SciFi" || value == "sci-fi" {
				return check.Holding{Known: true, Is: "Sci-Fi", Nearest: genres}
			}
			return check.Holding{Known: true, Held: slices.Contains(genres, any(value)), Nearest: genres, All: true}
		case "Actor.name":
			return check.Holding{Known: true, Held: value == "Tom Hanks"}
		case "Director.name":
			return check.Holding{Known: true, Held: value == "Nolan"}
		case "Person.name":
			return check.Holding{Known: true, Held: value == "Tom Hanks" || value == "Nolan"}
		}
		return check.Holding{}
	}
	params := map[string]any{"genre": "SciFi", "names": []any{"Comedy", "Drama"}, "near": []any{"Comedy", "SciFi"}}
	for _, test := range []struct{ name, query, want, text string }{
		{"held", `MATCH (g:Genre {name: 'Comedy'}) WHERE g.name = 'Sci-Fi' RETURN g`, "", ""},
		{"in a pattern", `MATCH (g:Genre {name: 'Drama'}) RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"in WHERE", `MATCH (g:Genre) WHERE g.name = 'Drama' RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"the other way round", `MATCH (g:Genre) WHERE 'Drama' = g.name RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"in a list", `MATCH (g:Genre) WHERE g.name IN ['Comedy', 'Drama'] RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"in a parameter's list", `MATCH (g:Genre) WHERE g.name IN $names RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"parameter not given", `MATCH (g:Genre {name: $other}) RETURN g`, "", ""},
		{"inferred label", `MATCH (:Movie)-[:IN_GENRE]->(g) WHERE g.name = 'Drama' RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"any of several labels", `MATCH (p:Actor|Director {name: 'Nolan'}) RETURN p`, "", ""},
		{"denied", `MATCH (g:Genre) WHERE g.name <> 'Drama' RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"denied list", `MATCH (g:Genre) WHERE NOT g.name IN ['Drama'] RETURN g`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"through an alias", `MATCH (g:Genre) WITH g.name AS n WHERE n = 'Drama' RETURN n`, "value Genre.name 'Drama' > Sci-Fi", ""},
		{"in another case", `MATCH (g:Genre) WHERE toLower(g.name) = 'sci-fi' RETURN g`, "", ""},
		{"in a case that it never has", `MATCH (g:Genre) WHERE toLower(g.name) = 'Sci-Fi' RETURN g`, "", `MATCH (g:Genre) WHERE toLower(g.name) = 'sci-fi' RETURN g`},
		{"misspelt, in another case", `MATCH (g:Genre) WHERE toLower(g.name) = 'drama' RETURN g`, "value Genre.name 'drama' > Sci-Fi", ""},
		{"corrected", `MATCH (g:Genre {name: 'SciFi'}) RETURN g`, "", `MATCH (g:Genre {name: 'Sci-Fi'}) RETURN g`},
		{"corrected in a list", `MATCH (g:Genre) WHERE g.name IN ['Comedy', 'SciFi'] RETURN g`, "", `MATCH (g:Genre) WHERE g.name IN ['Comedy', 'Sci-Fi'] RETURN g`},
		{"corrected through an alias", `MATCH (g:Genre) WITH g.name AS n WHERE n <> 'SciFi' RETURN n`, "", `MATCH (g:Genre) WITH g.name AS n WHERE n <> 'Sci-Fi' RETURN n`},
		{"not all values known", `MATCH (m:Movie {title: 'Nowhere'}) RETURN m`, "", ""},
		{"a name that nobody has", `MATCH (p:Person {name: 'Nobody'}) RETURN p`, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := c.Check(test.query, parsed(t, test.query), params)
			if got := told(r.Findings); got != test.want || len(r.Problems) > 0 {
				t.Errorf("%s\ngot  %s %v\nwant %s", test.query, got, r.Problems, test.want)
			}
			if want := cmp.Or(test.text, test.query); r.Text != want || (len(r.Changes) > 0) != (test.text != "") {
				t.Errorf("%s\ngives %s\nwant  %s", test.query, r.Text, want)
			}
		})
	}
	for query, want := range map[string]string{
		`MATCH (g:Genre {name: $genre}) RETURN g`:          "map[genre:Sci-Fi names:[Comedy Drama] near:[Comedy SciFi]]",
		`MATCH (g:Genre) WHERE g.name IN $near RETURN g`:   "map[genre:SciFi names:[Comedy Drama] near:[Comedy Sci-Fi]]",
		`MATCH (g:Genre) WHERE g.name = 'Comedy' RETURN g`: "map[genre:SciFi names:[Comedy Drama] near:[Comedy SciFi]]",
	} {
		if r := c.Check(query, parsed(t, query), params); fmt.Sprint(r.Params) != want || params["genre"] != "SciFi" {
			t.Errorf("%s takes %v, want %s", query, r.Params, want)
		}
	}
	query := `MATCH (g:Genre {name: "Drama"}) RETURN g`
	f := c.Check(query, parsed(t, query), nil).Findings[0]
	if want := "no node has Genre.name = 'Drama'; it has only 'Sci-Fi', 'Comedy'"; f.Back(true) != want || f.Back(false) != "no node has Genre.name = 'Drama'" {
		t.Errorf("got %q and %q, want %q", f.Back(true), f.Back(false), want)
	}
	query = `MATCH (m:Movie)<-[:ACTED_IN]-(p {agent: 'a'}) WHERE m.title = 'Nowhere' AND m.title CONTAINS 'x' AND m.title < 'y' RETURN m`
	if got := fmt.Sprint(c.Check(query, parsed(t, query), nil).Lookups); got != "[{[Actor] agent a false 40} {[Movie] title Nowhere false 62}]" {
		t.Errorf("looks up %s", got)
	}
}
