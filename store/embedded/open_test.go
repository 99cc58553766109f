package embedded_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"precedent/store"
	"precedent/store/embedded"
)

// folder makes a folder of CSV files of name, text, name, text, ….
func folder(pairs ...string) fs.FS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name  string
		files fs.FS
		query string
		want  string
	}{
		{"null and empty", folder("n.csv", "id:ID,a,b\n1,,\"\"\n"),
			`MATCH (n) RETURN n.id, n.a IS NULL, n.b, keys(n)`, `[["1",true,"",["id","b"]]]`},
		{"byte order mark, CRLF, blank lines, lines in a field, no last line end",
			folder("n.csv", "\ufeffid:ID,a\r\n1,\"two\r\nlines, \"\"quoted\"\"\"\r\n\r\n2,x"),
			`MATCH (n) RETURN n.id, n.a ORDER BY n.id`, `[["1","two\r\nlines, \"quoted\""],["2","x"]]`},
		{"types", folder("n.csv", ":ID,i:int,l:long,s:short,b:byte,f:float,d:double,o:boolean,c:char,t\n1,1,2,3,4,1.5,2,true,x,5\n"),
			`MATCH (n) RETURN n.i, n.l, n.s, n.b, n.f, n.d, n.o, n.c, n.t`, `[[1,2,3,4,1.5,2.0,true,"x","5"]]`},
		{"temporal types", folder("n.csv", ":ID,a:date,b:time,c:localtime,d:datetime,e:localdatetime,f:duration,g:datetime{timezone:Europe/London}\n"+
			"1,2020-01-02,10:00+01:00,10:00:01,2020-01-02T10:00Z,2020-01-02T10:00,P1DT2H,2020-07-01T10:00\n"),
			`MATCH (n) RETURN n.a, n.b, n.c, n.d, n.e, n.f, n.g`,
			`[["2020-01-02","10:00:00+01:00","10:00:01","2020-01-02T10:00:00Z","2020-01-02T10:00:00","P1DT2H","2020-07-01T10:00:00+01:00[Europe/London]"]]`},
		{"points", folder("n.csv", ":ID,a:point,b:point{crs:WGS-84}\n1,\"{x: 1, y: 2, z: 3}\",\"{x: 1, y: 2}\"\n"),
			`MATCH (n) RETURN n.a, n.b`, `[[{"srid":9157,"x":1.0,"y":2.0,"z":3.0},{"srid":4326,"x":1.0,"y":2.0}]]`},
		{"arrays", folder("n.csv", ":ID,a:string[],b:int[],c:date[],d:string[]\n1,x;y,1;2,2020-01-01,\"\"\n"),
			`MATCH (n) RETURN n.a, n.b, n.c, n.d`, `[[["x","y"],[1,2],["2020-01-01"],[]]]`},
		{"spaces, labels, ids as properties", folder(
			"a.csv", "id:ID(A){id-type:long},:LABEL\n1,X;Y;X\n", "b.csv", "key:ID(B),:LABEL,skip:IGNORE\n1,Z,q\n",
			"r.csv", "w:int,:START_ID(A),:END_ID(B),:TYPE\n7,1,1,R\n"),
			`MATCH (a:X:Y)-[r:R]->(b:Z) RETURN a.id, b.key, b.skip, r.w`, `[[1,"1",null,7]]`},
		{"a header and no row", folder("a.csv", "id:ID(A),name,:LABEL\n", "b.csv", ":ID(B)\n1\n", "r.csv", ":START_ID(A),:END_ID(A),:TYPE\n", "s.csv", ":START_ID(B),:END_ID(B),:TYPE\n1,1,R\n"),
			`MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN labels(n), type(r)`, `[[[],"R"]]`},
		{"no row at all", folder("n.csv", "id:ID,name,:LABEL\n", "r.csv", ":START_ID,:END_ID,:TYPE\n"), `MATCH (n) RETURN count(n), count(n.name)`, `[[0,0]]`},
		{"no labels", folder("n.csv", ":ID\n1\n"), `MATCH (n) RETURN labels(n), properties(n)`, `[[[],{}]]`},
		{"other files are left alone", folder("n.csv", ":ID\n1\n", "README.md", "hello", "sub/x.csv", "nonsense"), `MATCH (n) RETURN count(n)`, `[[1]]`},
	} {
		g, err := embedded.Open(c.files)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		table, err := g.Run(t.Context(), store.Query{Text: c.query}, store.Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := string(encode(t, table.Rows)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	const nodes = "id:ID\n1\n2\n"
	for _, c := range []struct {
		name  string
		files fs.FS
		want  []string // parts of the error
	}{
		{"no files", folder(), []string{"no .csv files", ":ID"}},
		{"no node files", folder("r.csv", ":START_ID,:END_ID,:TYPE\n"), []string{"no file of nodes", ":ID column"}},
		{"empty file", folder("n.csv", ""), []string{"n.csv: is empty", "header"}},
		{"neither nodes nor relationships", folder("n.csv", "a,b\n1,2\n"), []string{"n.csv:1", "one :ID column", "id:ID"}},
		{"two ids", folder("n.csv", "a:ID,b:ID\n"), []string{"one :ID column, this has 2"}},
		{"no type column", folder("n.csv", nodes, "r.csv", ":START_ID,:END_ID\n"), []string{"r.csv:1", "one :TYPE column"}},
		{"no end column", folder("n.csv", nodes, "r.csv", ":START_ID,:TYPE\n"), []string{"one :END_ID column"}},
		{"nodes with a type", folder("n.csv", ":ID,:TYPE\n"), []string{"no :TYPE column", ":LABEL"}},
		{"unknown type", folder("n.csv", ":ID,a:number\n"), []string{`n.csv:1: column "a:number"`, `"number" is no type`, "int"}},
		{"nameless column", folder("n.csv", ":ID,,b\n"), []string{`column "2"`, "no name", ":IGNORE"}},
		{"nameless typed column", folder("n.csv", ":ID,:int\n"), []string{`column ":int"`, "no name"}},
		{"unknown option", folder("n.csv", ":ID,a:date{zone:x}\n"), []string{"no option", "timezone"}},
		{"same name twice", folder("n.csv", ":ID,a,a:int\n"), []string{`two columns are named "a"`}},
		{"bad int", folder("n.csv", ":ID,a:int\n1,x\n"), []string{`n.csv:2: column "a:int"`, `"x" is not a whole number`}},
		{"int out of range", folder("n.csv", ":ID,a:int\n1,3000000000\n"), []string{"out of range for int", "use long"}},
		{"bad boolean", folder("n.csv", ":ID,a:boolean\n1,ja\n"), []string{`"ja" is not true or false`}},
		{"bad double", folder("n.csv", ":ID,a:double\n1,\"1,5\"\n"), []string{`"1,5" is not a number`}},
		{"bad date", folder("n.csv", ":ID,a:date\n1,02.03.2020\n"), []string{"is not a date", "2015-07-21"}},
		{"bad day", folder("n.csv", ":ID,a:date\n1,2021-02-30\n"), []string{"no such day"}},
		{"bad char", folder("n.csv", ":ID,a:char\n1,ab\n"), []string{"not one character"}},
		{"bad point", folder("n.csv", ":ID,a:point\n1,\"{x: 1}\"\n"), []string{"is not a point"}},
		{"bad item of a list", folder("n.csv", ":ID,a:int[]\n1,1;x\n"), []string{`"x" is not a whole number`}},
		{"quoted empty number", folder("n.csv", ":ID,a:int\n1,\"\"\n"), []string{`"" is not a whole number`}},
		{"no id", folder("n.csv", "id:ID,a\n,x\n"), []string{`n.csv:2: column "id:ID"`, "has no id"}},
		{"id twice", folder("n.csv", "id:ID\n1\n1\n"), []string{"n.csv:3", `id "1" is used twice`, "ID spaces"}},
		{"id twice in two files", folder("a.csv", ":ID\n1\n", "b.csv", ":ID\n1\n"), []string{"b.csv:2", "used twice"}},
		{"dangling start", folder("n.csv", nodes, "r.csv", ":START_ID,:END_ID,:TYPE\n9,1,R\n"), []string{`r.csv:2: column ":START_ID"`, `no node has the id "9"`, "add the node or remove the line"}},
		{"dangling in a space", folder("n.csv", ":ID(A)\n1\n", "r.csv", ":START_ID(A),:END_ID(A),:TYPE\n1,x,R\n"), []string{`no node of ID space A has the id "x"`}},
		{"unknown space", folder("n.csv", ":ID(A)\n1\n", "r.csv", ":START_ID(B),:END_ID(A),:TYPE\n1,1,R\n"), []string{"no node file has the ID space B", ":ID(B)"}},
		{"missing space", folder("n.csv", ":ID(A)\n1\n", "r.csv", ":START_ID,:END_ID(A),:TYPE\n1,1,R\n"), []string{"name the space"}},
		{"no type", folder("n.csv", nodes, "r.csv", ":START_ID,:END_ID,:TYPE\n1,2,\n"), []string{`column ":TYPE"`, "has no type"}},
		{"ragged", folder("n.csv", ":ID,a\n1,x\n2\n3,y,z\n"), []string{"n.csv:3: has 1 fields where the header has 2", "n.csv:4: has 3 fields"}},
		{"open quote", folder("n.csv", ":ID,a\n1,\"x\n2,y\n"), []string{"n.csv:2", "never closed"}},
		{"text behind a quote", folder("n.csv", ":ID,a\n1,\"x\"y\n"), []string{"n.csv:2", "behind the closing quote"}},
		{"line numbers count lines in fields", folder("n.csv", ":ID,a:int,b\n1,1,\"x\ny\"\n2,z,w\n"), []string{`n.csv:4: column "a:int"`}},
		{"UTF-16", folder("n.csv", "\xff\xfei\x00d\x00"), []string{"n.csv:1: is UTF-16", "save it as UTF-8"}},
		{"Latin-1", folder("n.csv", ":ID,a\n1,Am\xe9lie\n"), []string{"n.csv:2: is not UTF-8", "save the file as UTF-8"}},
		{"lines that end in CR", folder("n.csv", ":ID,a\r1,x\r"), []string{"n.csv:1: lines end in CR alone", "LF or CRLF"}},
		{"semicolons", folder("n.csv", "id:ID;a\n1;x\n"), []string{"n.csv:1: the fields are parted by semicolons", "commas"}},
		{"tabs", folder("n.csv", "id:ID\ta\n1\tx\n"), []string{"the fields are parted by tabs"}},
		{"several at once", folder("n.csv", ":ID,a:int\n1,x\n2,y\n"), []string{"n.csv:2", "n.csv:3"}},
	} {
		_, err := embedded.Open(c.files)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nlacks %q", c.name, err, part)
			}
		}
	}
	_, err := embedded.Open(folder("n.csv", ":ID,a:int\n"+strings.Repeat("1,x\n", 50)))
	if n := strings.Count(err.Error(), "\n"); n != 10 {
		t.Errorf("ten errors and a last line, not %d line ends: %v", n, err)
	}
	if e, ok := errors.AsType[*embedded.FileError](err); !ok || e.Line != 2 || e.Column != "a:int" {
		t.Errorf("%v", err)
	}
}

func TestSchema(t *testing.T) {
	g := open(t, "testdata/graph")
	s, err := g.Schema(t.Context(), 0)
	if err != nil || s.Sampled || len(s.Hash) != 16 {
		t.Fatalf("%+v %v", s, err)
	}
	var labels, props, relations []string
	for _, l := range s.Labels {
		labels = append(labels, text(t, []any{l.Name, l.Count}))
		if l.Name == "Film" {
			for _, p := range l.Properties {
				v, _ := store.EncodeValue([]any{p.Name, p.Type, p.Present, p.Unique, p.Distinct, p.Samples, p.Min, p.Max})
				props = append(props, string(v))
			}
		}
	}
	for _, r := range s.Relationships {
		relations = append(relations, text(t, []any{r.Start, r.Type, r.End, r.Count}))
	}
	counted, err := g.Run(t.Context(), store.Query{Text: `MATCH (a)-[r]->(b) UNWIND labels(a) AS s UNWIND labels(b) AS e
		RETURN s, type(r) AS t, e, count(*) AS n ORDER BY s, t, e`}, store.Limits{})
	if got, want := "["+strings.Join(relations, ",")+"]", string(encode(t, counted.Rows)); err != nil || got != want {
		t.Errorf("relations %s, want %s, %v", got, want, err)
	}
	if got, want := strings.Join(labels, " "), `["Actor",3] ["Director",2] ["Film",4] ["Person",6] ["Place",3] ["Short",1]`; got != want {
		t.Errorf("labels %s", got)
	}
	if got := strings.Join(props, "\n"); got != strings.Join([]string{
		`["genres","LIST<STRING>",3,false,3,[["Comedy"],["Drama"],["Drama","War"]],null,null]`,
		`["id","STRING",4,true,4,["f1","f2","f3","f4"],null,null]`,
		`["length","DURATION",3,false,3,["PT1H30M","PT2H1M","P1DT1S"],"PT1H30M","P1DT1S"]`,
		`["plot","STRING",3,false,3,["","Two lines,\nwith a \"quote\"","科幻片"],null,null]`,
		`["rating","FLOAT",3,false,3,[6.25,7.5,8.0],6.25,8.0]`,
		`["released","ZONED DATETIME",3,false,3,["2000-05-01T20:00:00+02:00","2004-07-21T21:40:32.142+01:00[Europe/London]","2010-11-11T11:11:11Z"],"2000-05-01T20:00:00+02:00","2010-11-11T11:11:11Z"]`,
		`["title","STRING",4,false,4,["Alpha","Beta","Gamma","Ωmega"],null,null]`,
		`["year","INTEGER",4,false,3,[2004,2000,2010],2000,2010]`,
	}, "\n") {
		t.Errorf("properties\n%s", got)
	}
	again, _ := open(t, "testdata/graph").Schema(t.Context(), 0)
	if again.Hash != s.Hash {
		t.Error("the hash of the same graph differs")
	}
}

func TestExplain(t *testing.T) {
	g := open(t, "testdata/graph")
	for _, c := range []struct{ query, want string }{
		{`MATCH (p:Person) RETURN p.name`, ``},
		{`MATCH (p:Persn) RETURN p.nme`, `label Persn→Person@9 property nme→name@23`},
		{`MATCH (p)-[:ACTEDIN]->(f:Film {titel: $t}) RETURN f`, `type ACTEDIN→ACTED_IN@12 property titel→title@38 parameter t→@38`},
		{`MATCH (p:Spaceship) WHERE p:Alien RETURN p`, `label Spaceship→@9 label Alien→@28`},
		{`WITH {nope: 1} AS m RETURN m.nope, $a`, `parameter a→@35`},
	} {
		problems, err := g.Explain(t.Context(), store.Query{Text: c.query})
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		var got []string
		for _, p := range problems {
			got = append(got, p.Kind+" "+p.Name+"→"+p.Nearest+"@"+text(t, p.Pos))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.query, strings.Join(got, " "), c.want)
		}
	}
	if _, err := g.Explain(t.Context(), store.Query{Text: `MATCH (n RETURN n`}); !errors.Is(err, store.ErrQuery) {
		t.Error(err)
	}
}

func TestValues(t *testing.T) {
	g := open(t, "testdata/graph")
	var got []string
	for v, n := range g.Values("Person", "born") {
		got = append(got, text(t, []any{v, n}))
	}
	if s := strings.Join(got, " "); s != `[1980,2] [1975,1] [1990,1] [2001,1]` {
		t.Error(s)
	}
	for range g.Values("Person", "nope") {
		t.Error("a property that isn't there has values")
	}
	if !g.Exists("Person", "born", 1980.0) || g.Exists("Person", "born", int64(5)) || g.Exists("Nope", "born", 1) || !g.Exists("Actor", "name", "Ann") {
		t.Error("Exists")
	}
}
