package embedded_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/embedded"
)

// TestHeld refuses a folder that would take more memory than it may, whatever
// takes it, and takes the same where it may.
func TestHeld(t *testing.T) {
	const most = 1 << 20
	rows := func(head, row string, n int) string {
		var b strings.Builder
		b.WriteString(head + "\n")
		for i := range n {
			fmt.Fprintf(&b, row+"\n", i)
		}
		return b.String()
	}
	two := "id:ID\na\nb\n"
	for name, files := range map[string][]string{
		"nodes":                  {"n.csv", rows("id:ID", "%d", 8000)},
		"long ids":               {"n.csv", rows("id:ID", strings.Repeat("x", 1000)+"%d", 1500)},
		"properties":             {"n.csv", rows(":ID,a:int,b:int,c:int,d:int,e:int,f:int,g:int,h:int", "%d,1,1,1,1,1,1,1,1", 3500)},
		"long texts":             {"n.csv", rows(":ID,a", "%d,"+strings.Repeat("x", 10_000), 150)},
		"arrays":                 {"n.csv", rows(":ID,a:int[]", "%d,"+strings.Repeat("1;", 2000)+"1", 30)},
		"sets of labels":         {"n.csv", rows(":ID,:LABEL", "%[1]d,A%[1]d;B%[1]d;C%[1]d", 5000)},
		"relationships":          {"n.csv", two, "r.csv", rows(":START_ID,:END_ID,:TYPE", "a,b,R%.0d", 12_000)},
		"theirs properties":      {"n.csv", two, "r.csv", rows(":START_ID,:END_ID,:TYPE,a", "a,b,R,"+strings.Repeat("x", 1000)+"%d", 1500)},
		"several files together": {"n.csv", rows("id:ID", "%d", 4000), "o.csv", rows("id:ID", "o%d", 4000)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := embedded.OpenWithin(folder(files...), most)
			if e, ok := errors.AsType[*embedded.FileError](err); !ok || !strings.Contains(e.Error(), "would take more than 1 MiB of memory: leave out rows or columns, or use Neo4j") || e.Line == 0 {
				t.Errorf("%v", err)
			}
			g, err := embedded.Open(folder(files...))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.Run(t.Context(), store.Query{Text: "MATCH (n) RETURN count(n)"}, store.Limits{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// FuzzFolder opens any two files: it ends, and what is wrong is said with the file.
func FuzzFolder(f *testing.F) {
	for _, seed := range [][2]string{
		{"id:ID,title,year:int,:LABEL\n1,Inception,2010,Film;Work\n2,\"a\n\"\"b\"\"\",,Film\n", ":START_ID,:END_ID,:TYPE,w:float\n1,2,R,0.5\n"},
		{"\ufeffid:ID(A){id-type:long},a:string[],p:point{crs:WGS-84}\r\n1,x;y,\"{x: 1, y: 2}\"\r\n", ":START_ID(A),:END_ID(A),:TYPE\n1,1,R\n"},
		{"id:ID\n\"", "\xff\xfe"}, {"id:ID\r1\r", "a;b\n"}, {":ID,:LABEL\n1,;;;\n", ":ID\n1\n"}, {"id:ID(((", ":START_ID\n"},
		{":ID,a:datetime{timezone:Europe/London},b:duration,c:date\n1,2020-07-01T10:00,P1D,2020-01-01\n", "x:ID,x\n"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		start := time.Now()
		_, err := embedded.OpenWithin(folder("a.csv", string(one), "b.csv", string(two)), 1<<20)
		if took := time.Since(start); took > longest() {
			t.Fatalf("took %v", took)
		}
		if err == nil {
			return
		}
		if _, ok := errors.AsType[*embedded.FileError](err); !ok || len(err.Error()) > 16<<10 {
			t.Fatalf("%T of %d bytes: %.200v", err, len(err.Error()), err)
		}
	})
}
