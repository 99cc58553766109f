package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store"
)

// writeFilms writes a graph of two labels and six types, of the form of Neo4j's
// public movies graph.
func writeFilms(t *testing.T) string {
	dir := t.TempDir()
	var films, people, did strings.Builder
	films.WriteString(":ID(Movie),title,tagline,released:int,votes:int,:LABEL\n")
	people.WriteString(":ID(Person),name,born:int,:LABEL\n")
	did.WriteString(":START_ID(Person),:END_ID(Movie),:TYPE,roles:string[],rating:int,summary\n")
	places := strings.Fields("Harbour Winter Paper Glass River Night Stone Silver Garden Copper")
	kinds := strings.Fields("Lights Moons Road Train House Letters Kings Song")
	for i := range 80 {
		fmt.Fprintf(&films, "m%d,The %s %s,Some things that begin in %s never end where anybody would have thought they might,%d,%d,Movie\n", i, places[i%10], kinds[i/10], places[i%7], 1980+i%40, i*31)
	}
	for i := range 160 {
		first, last := places[i%10], kinds[i%8]
		fmt.Fprintf(&people, "p%d,%s%s %s%s,%d,Person\n", i, first[:3], strings.Repeat("a", i%4), last[:4], strings.Repeat("o", i/40), 1930+i%70)
		for j, typ := range []string{"ACTED_IN", "DIRECTED", "PRODUCED", "WROTE", "REVIEWED"} {
			if (i+j)%5 == 0 || j == 0 {
				roles, rating, summary := "", "", ""
				if j == 0 {
					roles = "The " + kinds[(i+3)%8]
				}
				if j == 4 {
					rating, summary = fmt.Sprint(40+i%60), "An amazing journey, though it lasts somewhat longer than it would have needed to"
				}
				fmt.Fprintf(&did, "p%d,m%d,%s,%s,%s,%q\n", i, (i*3+j)%80, typ, roles, rating, summary)
			}
		}
	}
	follows := ":START_ID(Person),:END_ID(Person),:TYPE\np1,p2,FOLLOWS\np2,p3,FOLLOWS\np3,p1,FOLLOWS\n"
	for name, content := range map[string]string{"films.csv": films.String(), "people.csv": people.String(), "did.csv": did.String(), "follows.csv": follows} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// filmCases are worked questions about the films of writeFilms.
var filmCases = []store.Case{
	{Question: "who wrote the most movies", Query: "MATCH (p:Person)-[:WROTE]->(m:Movie) RETURN p.name AS name, count(DISTINCT m) AS movies ORDER BY movies DESC LIMIT 1"},
	{Question: "which movies were released after 1999", Query: "MATCH (m:Movie) WHERE m.released > 1999 RETURN m.title AS title, m.released AS released ORDER BY released"},
	{Question: "how many people directed a movie that they acted in", Query: "MATCH (p:Person)-[:DIRECTED]->(m:Movie) WHERE EXISTS { (p)-[:ACTED_IN]->(m) } RETURN count(DISTINCT p) AS people"},
	{Question: "average rating of each reviewed movie", Query: "MATCH (:Person)-[r:REVIEWED]->(m:Movie) RETURN m.title AS title, avg(r.rating) AS rating ORDER BY rating DESC"},
	{Question: "people born before 1950 who produced movies", Query: "MATCH (p:Person)-[:PRODUCED]->(:Movie) WHERE p.born < 1950 RETURN DISTINCT p.name AS name, p.born AS born ORDER BY born"},
	{Question: "movies with more than 1000 votes", Query: "MATCH (m:Movie) WHERE m.votes > 1000 RETURN m.title AS title, m.votes AS votes ORDER BY votes DESC"},
}

// Bounds of the tokens of a prompt for two labels.
const (
	mostPlain = 600
	mostCases = 900
)

// TestPromptTokens shows and bounds what prompts take, on graphs of two to ten labels, and
// checks that their first part is the same from question to question.
func TestPromptTokens(t *testing.T) {
	t.Parallel()
	films := writeFilms(t)
	for _, test := range []struct {
		name, graph string
		cases       []store.Case
		most        int // tokens; 0 only shows
		questions   []string
	}{
		{"two labels", films, nil, mostPlain, []string{"who directed The Harbour Lights", "which movies did anyone born before 1960 write", "The Paper Moons 是谁导演的", "the best reviewed movie of 1999",
			"how many movies did each person produce", "which people follow somebody who acted in The Glass Road", "movies released in the last ten years with over 500 votes", "评分最高的电影"}},
		{"two labels, cases", films, filmCases, mostCases, []string{"who produced the most movies", "which movies released after 2005 have more than 100 votes", "how many people wrote a movie that they directed", "1990年以后上映的电影有哪些"}},
		{"shop", "testdata/fair/shop", nil, 0, []string{"how many pending orders are there", "gold customers in Berlin", "哪些商品的库存低于10件？"}},
		{"bank", "testdata/fair/bank", nil, 0, []string{"有多少白金客户", "已放款的贷款总额", "哪个支行的账户最多"}},
		{"zh_ops", "testdata/zh_ops", nil, 0, []string{"状态为处理中的P0故障有哪些", "支付组负责哪些核心服务", "how many incidents are open"}},
		{"movies", "movies", nil, 0, []string{"which directors born in Paris made thrillers"}},
	} {
		server := modeltest.Respond(t, func(string) modeltest.Reply { return modeltest.JSON(draft{Action: "clarify", Clarify: "which?"}) })
		e, _, err := Open(t.Context(), Config{Graph: test.graph, Data: t.TempDir(), Model: &model.Config{BaseURL: server.URL, Name: "writes"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range test.cases {
			if _, _, err := e.Add(t.Context(), c, "", ""); err != nil {
				t.Fatal(err)
			}
		}
		first := ""
		for _, q := range test.questions {
			before := len(server.Requests())
			a := e.Ask(t.Context(), Question{Text: q, Model: true}, nil)
			all := server.Requests()
			if len(all) == before {
				t.Errorf("%s: %q was no question for the model: %s", test.name, q, a.Text)
				continue
			}
			system, user := all[before].Messages[0].Content, all[before].Messages[1].Content
			n := tokensIn(system) + tokensIn(user)
			t.Logf("%-18s %4d tokens, %4d of them the same for all, %d cases: %s", test.name, n, tokensIn(system), strings.Count(user, "\nQuery: "), q)
			if test.most > 0 && n > test.most {
				t.Errorf("%s: %q takes %d tokens, want %d:\n%s\n%s", test.name, q, n, test.most, system, user)
			}
			if first == "" {
				first = system
			}
			if system != first {
				t.Errorf("%s: %q changes the first part", test.name, q)
			}
		}
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
