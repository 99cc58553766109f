package engine_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"precedent/engine"
	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store"
	"precedent/store/cases"
)

// TestOnlyWay looks for ways to a graph that go past the gate: nothing but the
// gate holds a store.Graph, and nothing but Open opens one, to give it to a gate.
// Doctor alone asks a server about its rights, which no question of people does.
func TestOnlyWay(t *testing.T) {
	for _, root := range []string{".", "../bot", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, _ := s.X.(*ast.Ident)
				switch {
				case x != nil && x.Name == "store" && s.Sel.Name == "Graph" && path != "gate.go",
					x != nil && (x.Name == "embedded" || x.Name == "bolt") && (s.Sel.Name == "Open" || s.Sel.Name == "Graph") && path != "open.go" && filepath.Base(path) != "doctorgraph.go",
					x != nil && x.Name == "g" && path == "open.go" && slices.Contains([]string{"Run", "Explain", "Schema"}, s.Sel.Name),
					s.Sel.Name == "graph" && !strings.Contains(path, "/") && path != "gate.go":
					t.Errorf("%s: %s goes past the gate", files.Position(s.Pos()), s.Sel.Name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestHideMovies hides what shipped cases answer.
func TestHideMovies(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	e := open(t, engine.Config{Graph: "movies", Hide: []string{"Person.bornIn", ":User", "Movie.budget", "ACTED_IN.role"}})
	for _, q := range []string{
		"what was the budget of Titanic", "《泰坦尼克号》的预算是多少", "which film had the biggest budget", "the five most expensive films", "films with a budget over 100 million",
		"where was Tom Hanks born", "Tom Hanks是哪里人", "who was born in London", "how many users are there", "有多少用户", "which users rated The Matrix",
		"who played Neo in The Matrix", "what role did Keanu Reeves play in The Matrix", "基努·里维斯在《黑客帝国》里演谁", "average budget of Nolan's films", "is The Matrix's budget higher than that of Titanic",
	} {
		a := e.Ask(t.Context(), engine.Question{Text: q}, nil)
		if a.Route == engine.ByCase {
			t.Errorf("%s: %s %v", q, a.Query, a.Rows)
		}
		for _, s := range append(a.Suggestions, a.Text) {
			if low := strings.ToLower(s); strings.Contains(low, "user") || strings.Contains(s, "用户") || strings.Contains(low, "budget") {
				t.Errorf("%s: %q is offered", q, s)
			}
		}
	}
	for _, q := range []string{"who directed The Matrix?", "《霸王别姬》是谁导演的", "top 5 comedies by rating", "how many films are there"} {
		if a := e.Ask(t.Context(), engine.Question{Text: q}, nil); a.Route != engine.ByCase || len(a.Rows) == 0 {
			t.Errorf("%s: %s %s", q, a.Route, a.Text)
		}
	}
	for _, typed := range []string{"budget", "user", "born", "预算", "用户", "play"} {
		for _, s := range e.Complete(t.Context(), typed, 25) {
			a := e.Ask(t.Context(), engine.Question{Text: s}, nil)
			if a.Route != engine.ByCase || strings.Contains(strings.ToLower(s), "budget") {
				t.Errorf("%q completes to %q: %s", typed, s, a.Route)
			}
		}
	}
	for _, word := range []string{"budget", "User", "RATED", "role", "bornIn"} {
		if strings.Contains(e.SchemaText(), word) {
			t.Errorf("the schema has %s", word)
		}
	}
}

// secretFolder is a graph with the marker in all that hidden names.
func secretFolder(t *testing.T) (folder string, hide []string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range map[string]string{
		"people.csv": `uid:ID,name,email,salary:int,:LABEL
1,Ann Lee,ZQXMARK1@x.example,888884711,Person
2,Bob Ray,ZQXMARK2@x.example,888884712,Person;Director
3,ZQXMARK Agent,ZQXMARK3@x.example,888884713,Person;Secret
4,ZQXMARK Mole,,888884714,Secret
5,Cid Vox,,,Director
`,
		"teams.csv": "tid:ID,name,email,:LABEL\n10,Blue,blue@x.example,Team\n11,ZQXMARK Team,t@x.example,Team;Secret\n",
		"joins.csv": ":START_ID,:END_ID,:TYPE,since:int,note\n1,10,MEMBER_OF,2001,ZQXMARKnote\n2,10,MEMBER_OF,2002,ZQXMARKnote\n3,10,MEMBER_OF,2003,\n4,11,MEMBER_OF,,\n1,3,KNOWS,,\n2,1,DISTRUSTS,,ZQXMARKwhy\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, []string{":Secret", "Person.email", "Person.salary", "MEMBER_OF.note", ":DISTRUSTS"}
}

// TestHiddenNowhere has people, a model and a curator reach for what is hidden. A
// marker that stands in all of it is in nothing that leaves.
func TestHiddenNowhere(t *testing.T) {
	folder, hide := secretFolder(t)
	before, _, err := engine.Open(t.Context(), engine.Config{Graph: folder, Data: filepath.Join(folder, "data")}) // when nothing was hidden yet
	if err != nil {
		t.Fatal(err)
	}
	for question, query := range map[string]string{
		"what is the email of Ann Lee":      "MATCH (p:Person {name: 'Ann Lee'}) RETURN p.email",
		"who is in the team Blue":           "MATCH (p:Person)-[:MEMBER_OF]->(t:Team {name: 'Blue'}) RETURN p.name",
		"what does ZQXMARK Agent do":        "MATCH (p:Person {name: 'ZQXMARK Agent'})-[:MEMBER_OF]->(t:Team) RETURN t.name",
		"who distrusts whom":                "MATCH (a)-[:DISTRUSTS]->(b) RETURN a.name, b.name",
		"what is written of the membership": "MATCH ()-[r:MEMBER_OF]->() RETURN r.note",
	} {
		if _, _, err := before.Add(t.Context(), store.Case{Question: question, Query: query}, "ann", ""); err != nil {
			t.Fatalf("%s: %v", question, err)
		}
	}
	if a := before.Ask(t.Context(), engine.Question{Text: "what is the email of Bob Ray"}, nil); a.Route != engine.ByCase || !strings.Contains(fmt.Sprint(a.Rows), "ZQXMARK2") {
		t.Fatalf("before anything is hidden: %s %v", a.Route, a.Rows)
	}
	if err := before.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	drafts := []string{
		"MATCH (p:Person) RETURN p.email", "MATCH (n) RETURN n.name, labels(n)", "MATCH (n) RETURN n", "MATCH (t:Team)<-[r]-(p) RETURN r.note", "MATCH (p:Person) RETURN properties(p)",
		"MATCH (t:Team) WITH count(t) AS c MATCH (t)-[:MEMBER_OF]->() RETURN t.name", "MATCH (d:Director) RETURN d.email", "MATCH (d:Director) RETURN d {.*}", "MATCH p = (:Team)-[*1..4]-(n) RETURN p",
		"MATCH (p:Person) RETURN [x IN collect(p) | x.email]", "MATCH (p:Person) WHERE date(p.email) = date() RETURN p.name", "MATCH ()-[r]->() RETURN r, type(r)", "MATCH (p:Person) RETURN p['em' + 'ail']",
		"MATCH (p:Person) RETURN p.name ORDER BY p.salary", "MATCH (p:Person) WHERE p.salary > 0 RETURN p.name", "MATCH (n:Secret) RETURN n", "MATCH (p:Person) RETURN keys(p)", "MATCH (p) RETURN DISTINCT labels(p)",
		"MATCH (p:Person)-[:KNOWS]-(q) RETURN q.name", "MATCH (a)-->(b) RETURN a.name + ' ' + b.name", "CALL db.labels() YIELD label RETURN label", "MATCH (p:Person) RETURN point({x: 1, y: 2}), point(p)",
		"MATCH (t:Team) RETURN t.name, [(t)<-[r]-(x) | x {.*, r: r.note}]", "MATCH (p:Person) WITH {a: p} AS m RETURN m.a.email", "MATCH (p:Person) UNWIND [p] AS q RETURN q.email", "MATCH (a)-[r:MEMBER_OF|DISTRUSTS]->(b) RETURN a, r, b",
	}
	n := 0
	server := modeltest.Respond(t, func(prompt string) modeltest.Reply {
		n++
		text, err := json.Marshal(map[string]any{"restated": "", "action": "query", "query": drafts[n%len(drafts)], "params": []any{}})
		if err != nil {
			t.Error(err)
		}
		return modeltest.Text(string(text))
	})
	for _, rows := range []string{"needed", "never"} {
		e := open(t, engine.Config{Graph: folder, Data: filepath.Join(folder, "data"), Hide: hide, RowsToModel: rows,
			Model: &model.Config{BaseURL: server.URL + "/v1", Key: "sk-test", Name: "test"}})
		var left, curators bytes.Buffer
		put := json.NewEncoder(&left)
		for _, q := range []string{
			"what is the email of Ann Lee", "what is the email of Bob Ray", "who is in the team Blue", "who distrusts whom", "list everyone", "what do we know of the agent", "how many people are there",
			"what is written of the membership", "Blue", "谁在Blue队", "所有人的邮箱", "show me all nodes", "who earns the most", "which teams are there", "what does the mole do", "ZQ", "sort people by salary",
		} {
			for range 2 {
				put.Encode(e.Ask(t.Context(), engine.Question{Text: q, Conversation: "c"}, nil))
			}
		}
		for _, q := range drafts {
			table, err := e.RunCypher(t.Context(), store.Query{Text: q})
			fmt.Fprintln(&curators, e.CheckCypher(t.Context(), engine.CypherCheck{Query: q}), table.Rows, err)
		}
		for _, typed := range []string{"", "what", "who", "zqx", "ann"} {
			fmt.Fprintln(&left, e.Complete(t.Context(), typed, 25))
		}
		put.Encode(e.Schema())
		fmt.Fprintln(&left, e.SchemaText(), e.Examples("en", 50), e.Examples("zh", 50))
		if i := strings.Index(curators.String(), "ZQXMARK"); i >= 0 {
			t.Errorf("a curator is told …%s", curators.String()[max(0, i-300):][:350])
		}
		for name, said := range map[string]string{"an answer, the schema or a completion": left.String(), "a prompt": server.Prompts()} {
			for _, hidden := range []string{"ZQXMARK", "DISTRUSTS", "888884712", "888884713"} {
				said := said
				for _, q := range drafts { // what a draft itself says isn't told by us
					said = strings.ReplaceAll(said, q, "")
					quoted, _ := json.Marshal(q)
					said = strings.ReplaceAll(said, string(quoted), "")
					said = strings.ReplaceAll(said, strings.Trim(string(quoted), `"`), "")
				}
				if i := strings.Index(said, hidden); i >= 0 {
					t.Errorf("rows %s: %s has %s: …%s…", rows, name, hidden, said[max(0, i-200):min(len(said), i+100)])
				}
			}
		}
	}
}

// TestAlteredCase changes the query of a verified case in its file.
func TestAlteredCase(t *testing.T) {
	for _, to := range []string{
		"LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", "MATCH (f:Film) RETURN count(f) + 1 AS n", "MATCH (n) DETACH DELETE n", "MATCH (f:Film) RETURN 42 AS n", "MATCH (f:Film) RETURN  count(f) AS n",
	} {
		c := engine.Config{Graph: "testdata/ask/films", Glossaries: []string{"testdata/ask/glossary.yaml"}, Data: t.TempDir()}
		e, _, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		const query = "MATCH (f:Film) RETURN count(f) AS n"
		if _, _, err := e.Add(t.Context(), store.Case{Question: "how many qwertz are there", Query: query}, "ann", ""); err != nil {
			t.Fatal(err)
		}
		if a := e.Ask(t.Context(), engine.Question{Text: "how many qwertz are there"}, nil); a.Route != engine.ByCase {
			t.Fatalf("%s: %s", a.Route, a.Text)
		}
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(c.Data, "*", "cases.db"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		db, err := sql.Open("sqlite", files[0])
		if err != nil {
			t.Fatal(err)
		}
		done, err := db.Exec("UPDATE cases SET body = replace(body, ?, ?)", query, strings.ReplaceAll(to, `"`, `\"`))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			t.Fatal(n, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		e = open(t, c)
		if a := e.Ask(t.Context(), engine.Question{Text: "how many qwertz are there"}, nil); a.Route == engine.ByCase || a.Query != "" || len(a.Rows) > 0 {
			t.Errorf("%s is run: %s %v", to, a.Route, a.Rows)
		}
		if found, err := e.Library().Recall(t.Context(), "how many qwertz are there", 3); err != nil || slices.ContainsFunc(found, func(m cases.Match) bool { return strings.Contains(m.Case.Question, "qwertz") }) {
			t.Errorf("%s is recalled: %v %v", to, found, err)
		}
	}
}
