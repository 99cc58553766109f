package reading_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
)

func rows(t *testing.T, f string) [][]string {
	fh, err := os.Open("../../store/movies/graph/" + f)
	if err != nil {
		t.Fatal(err)
	}
	defer fh.Close()
	rs, err := csv.NewReader(fh).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rs[1:]
}

func devReader(t *testing.T) *reading.Reader {
	b, err := os.ReadFile("../../store/movies/glossary.yaml")
	if err != nil {
		t.Fatal(err)
	}
	g, err := reading.ParseGlossary("glossary.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	s := &store.Schema{Labels: []store.Label{{Name: "Movie", Properties: []store.Property{{Name: "year", Type: "INTEGER"}, {Name: "runtime", Type: "INTEGER"}, {Name: "imdbRating", Type: "FLOAT"}, {Name: "revenue", Type: "INTEGER"}, {Name: "budget", Type: "INTEGER"}, {Name: "released", Type: "DATE"}, {Name: "countries", Type: "LIST<STRING>"}, {Name: "languages", Type: "LIST<STRING>"}}}, {Name: "Person", Properties: []store.Property{{Name: "born", Type: "DATE"}, {Name: "died", Type: "DATE"}}}}}
	var vs []link.Value
	seen := map[string]bool{}
	add := func(l, p, v string, ls ...string) {
		if !seen[l+p+v] && v != "" {
			seen[l+p+v] = true
			vs = append(vs, link.Value{Label: l, Property: p, Value: v, Labels: append([]string{l}, ls...)})
		}
	}
	for _, r := range rows(t, "movies.csv") {
		add("Movie", "title", r[1])
		for _, c := range strings.Split(r[8], ";") {
			add("Movie", "countries", c)
		}
		for _, c := range strings.Split(r[9], ";") {
			add("Movie", "languages", c)
		}
	}
	for _, r := range rows(t, "people.csv") {
		add("Person", "name", r[1], strings.Split(r[5], ";")[1:]...)
		for _, c := range strings.Split(r[4], ", ") {
			add("Person", "bornIn", c)
		}
	}
	for _, r := range rows(t, "genres.csv") {
		add("Genre", "name", r[1])
	}
	for _, r := range rows(t, "users.csv") {
		add("User", "name", r[1])
	}
	var as []link.Alias
	if b, err := os.ReadFile("../../store/movies/aliases.yaml"); err == nil {
		var m map[string]map[string][]string
		if err := yaml.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		for lp, vals := range m {
			l, p, _ := strings.Cut(lp, ".")
			for v, ns := range vals {
				for _, n := range ns {
					as = append(as, link.Alias{Label: l, Property: p, Value: v, Name: n})
				}
			}
		}
	}
	r, err := reading.New(g, s, vs, as)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDev(t *testing.T) {
	r := devReader(t)
	f := os.Getenv("DEV_QUESTIONS")
	if f == "" {
		t.Skip()
	}
	fh, err := os.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	n, ok := 0, 0
	sc := bufio.NewScanner(fh)
	for sc.Scan() {
		var q struct{ Question string }
		if json.Unmarshal(sc.Bytes(), &q) != nil {
			q.Question = sc.Text()
		}
		n++
		rd := r.Read(q.Question)
		if rd.Frame != nil {
			ok++
			fmt.Printf("+ %s\n      %s\n", q.Question, rd.Key())
		} else {
			fmt.Printf("- %s\n      %s\n", q.Question, rd.Why)
		}
	}
	fmt.Println(ok, "of", n)
}
