package embedded_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"precedent/store"
)

// fuzzLimit is how long a query of the fuzz tests may take; the test fails
// beyond twice of it.
const fuzzLimit = time.Second

// longest is how long a query may take: twice its limit while one fuzzes, and
// where the seeds are run beside all other tests, what a busy machine needs.
func longest() time.Duration {
	if fuzzing := flag.Lookup("test.fuzz"); fuzzing != nil && fuzzing.Value.String() != "" {
		return 2 * fuzzLimit
	}
	return time.Minute
}

func tryQuery(t *testing.T, g store.Graph, query string) {
	t.Helper()
	start := time.Now()
	table, err := g.Run(t.Context(), store.Query{Text: query, Params: map[string]any{"p": int64(1), "q": []any{"a", nil}}}, store.Limits{Timeout: fuzzLimit})
	if took := time.Since(start); took > longest() {
		t.Fatalf("%s\ntook %v", query, took)
	}
	if err != nil {
		for _, kind := range []error{store.ErrQuery, store.ErrUnsupported, store.ErrTimeout} {
			if errors.Is(err, kind) {
				return
			}
		}
		t.Fatalf("%s\nan error of no kind: %v", query, err)
	}
	if _, err := store.EncodeRows(table.Rows); err != nil {
		t.Fatalf("%s\n%v", query, err)
	}
}

// FuzzText runs any text.
func FuzzText(f *testing.F) {
	for _, c := range semantics(f) {
		f.Add(c.Query)
	}
	g := open(f, "testdata/graph")
	f.Fuzz(func(t *testing.T, query string) { tryQuery(t, g, query) })
}

// FuzzGrammar runs queries that a small grammar makes of random numbers.
func FuzzGrammar(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	g := open(f, "testdata/graph")
	f.Fuzz(func(t *testing.T, seed uint64) {
		w := &writer{rand: rand.New(rand.NewPCG(seed, seed))}
		tryQuery(t, g, w.query())
	})
}

// A writer writes random queries.
type writer struct {
	rand *rand.Rand
	vars []string
}

func (w *writer) one(of ...string) string { return of[w.rand.IntN(len(of))] }

func (w *writer) fresh(prefix string) string {
	v := fmt.Sprintf("%s%d", prefix, len(w.vars))
	w.vars = append(w.vars, v)
	return v
}

func (w *writer) variable() string {
	if len(w.vars) == 0 || w.rand.IntN(20) == 0 {
		return "nope"
	}
	return w.vars[w.rand.IntN(len(w.vars))]
}

func (w *writer) query() string {
	var b strings.Builder
	for range 1 + w.rand.IntN(3) {
		switch w.rand.IntN(6) {
		case 0:
			b.WriteString("UNWIND " + w.expr(2) + " AS " + w.fresh("u") + " ")
		case 1:
			value := w.expr(2)
			b.WriteString("WITH *, " + value + " AS " + w.fresh("w") + " ")
		case 2:
			b.WriteString("OPTIONAL MATCH " + w.path(true) + " ")
		default:
			b.WriteString("MATCH " + w.path(true) + " ")
			if w.rand.IntN(2) == 0 {
				b.WriteString("WHERE " + w.expr(3) + " ")
			}
		}
	}
	b.WriteString("RETURN " + w.one("", "DISTINCT "))
	for i := range 1 + w.rand.IntN(3) {
		if i > 0 {
			b.WriteString(", ")
		}
		e := w.expr(3)
		if w.rand.IntN(3) == 0 {
			e = w.one("count", "sum", "min", "max", "collect", "avg") + "(" + w.one("", "DISTINCT ") + e + ")"
		}
		fmt.Fprintf(&b, "%s AS r%d", e, i)
	}
	if w.rand.IntN(2) == 0 {
		b.WriteString(" ORDER BY r0 " + w.one("", "DESC"))
	}
	return b.String() + w.one("", " LIMIT 5", " SKIP 1", " LIMIT $p")
}

func (w *writer) path(bind bool) string {
	node := func() string {
		name := ""
		if bind && w.rand.IntN(2) == 0 {
			name = w.fresh("n")
		} else if len(w.vars) > 0 && w.rand.IntN(3) == 0 {
			name = w.variable()
		}
		return "(" + name + w.one("", ":Person", ":Film", ":Person|Film", ":!Film") + w.one("", "", " {name: 'Ann'}", " {year: 2004}") + ")"
	}
	var s strings.Builder
	s.WriteString(node())
	for range w.rand.IntN(3) {
		name := ""
		if bind && w.rand.IntN(3) == 0 {
			name = w.fresh("e")
		}
		inner := "[" + name + w.one("", ":KNOWS", ":ACTED_IN|DIRECTED", ":NOPE") + w.one("", "", "*1..3", "*", "*0..2") + "]"
		if w.rand.IntN(4) == 0 {
			s.WriteString(w.group(bind) + node())
			continue
		}
		s.WriteString(w.one("-"+inner+"->", "<-"+inner+"-", "-"+inner+"-") + w.one("", "", "", "", "+", "*", "{1,3}", "{2}") + node())
	}
	if !bind {
		return s.String()
	}
	return w.one("", "", "", "", "", "", "SHORTEST 1 ", "ALL SHORTEST ", "SHORTEST 3 GROUPS ", "ANY ", "SHORTEST 1000000 ") + s.String()
}

// group is a pattern that repeats.
func (w *writer) group(bind bool) string {
	name := func() string {
		if !bind || w.rand.IntN(2) == 0 {
			return ""
		}
		return w.fresh("g")
	}
	a, r, b := name(), name(), name()
	path := fmt.Sprintf("(%s%s)-[%s%s]-%s(%s)", a, w.one("", ":Person"), r, w.one("", ":KNOWS"), w.one("", ">"), b)
	return "(" + path + w.one("", "--()") + w.one("", " WHERE "+w.expr(2)) + ")" + w.one("+", "*", "{1,3}", "{,2}", "{3}")
}

func (w *writer) expr(depth int) string {
	if depth == 0 || w.rand.IntN(4) == 0 {
		return w.one("1", "2.5", "'a'", "null", "true", "[]", "[1, null, 'x']", "{a: 1}", "$p", "$q", "date('2020-01-31')", "duration('P1M')",
			w.variable(), w.variable(), w.variable()+".name", w.variable()+".year", "0.0/0.0", "9223372036854775807")
	}
	x, y := w.expr(depth-1), w.expr(depth-1)
	switch w.rand.IntN(12) {
	case 10:
		return w.one("trim(LEADING "+x+" FROM "+y+")", x+" IS NORMALIZED", "normalize("+x+", NFKD)", "datetime.truncate("+x+", "+y+")", "date({timezone: "+x+"})")
	case 0:
		return "(" + x + w.one(" + ", " - ", " * ", " / ", " % ", " ^ ") + y + ")"
	case 1:
		return "(" + x + w.one(" = ", " <> ", " < ", " >= ") + y + ")"
	case 2:
		return "(" + x + w.one(" AND ", " OR ", " XOR ") + y + ")"
	case 3:
		return "(" + x + w.one(" IN ", " STARTS WITH ", " CONTAINS ", " =~ ") + y + ")"
	case 4:
		return w.one("size", "toString", "toInteger", "head", "keys", "labels", "abs", "reverse", "toUpper", "date", "isEmpty", "nodes", "properties", "type", "round") + "(" + x + ")"
	case 5:
		return "[z IN " + x + " WHERE " + y + " | z]"
	case 6:
		return w.one("CASE WHEN "+x, "CASE "+y+" WHEN "+x+", "+w.variable(), "CASE "+y+" WHEN > "+x+", IS NULL") + " THEN " + y + " ELSE " + w.expr(depth-1) + " END"
	case 7:
		return w.one("all", "any", "none", "single") + "(z IN " + x + " WHERE " + y + ")"
	case 8:
		return "COUNT { " + w.path(false) + " }"
	case 9:
		return "(" + x + ")[" + y + "]"
	}
	return "coalesce(" + x + ", " + y + ")"
}
