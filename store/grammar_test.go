package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A grammar says how to write random queries; see testdata/grammar.txt.
type grammar map[string][]production

// A production is one way to write a kind.
type production struct {
	weight int
	parts  []part
	call   bool // CALL { … }: of what is bound inside, only its own variables stay
}

// A part is text, and the hole behind it, "" at the end.
type part struct{ text, hole string }

func readGrammar(t testing.TB, file string) grammar {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, kind := grammar{}, ""
	for line := range strings.Lines(string(raw)) {
		text := strings.TrimSpace(line)
		switch {
		case text == "", strings.HasPrefix(text, "#"):
		case line[0] != '\t':
			kind = text
		default:
			p := production{weight: 1}
			if n, rest, ok := strings.Cut(text, "x "); ok {
				if w, err := strconv.Atoi(n); err == nil {
					p.weight, text = w, rest
				}
			}
			p.call = strings.HasPrefix(text, "CALL (") || strings.HasPrefix(text, "OPTIONAL CALL (")
			p.parts = cutHoles(text)
			g[kind] = append(g[kind], p)
		}
	}
	return g
}

func cutHoles(text string) []part {
	var parts []part
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '{' || c == '}') && i+1 < len(text) && text[i+1] == c:
			b.WriteByte(c)
			i++
		case c == '{':
			end := i + strings.IndexByte(text[i:], '}')
			parts = append(parts, part{b.String(), text[i+1 : end]})
			b.Reset()
			i = end
		default:
			b.WriteByte(c)
		}
	}
	return append(parts, part{b.String(), ""})
}

// statements are the kinds whose variables can be used by what stands behind them.
var statements = strings.Fields("query plain more with unwind return match patterns pattern selected columns")

// kindsOf are the kinds whose variables can stand for a kind.
var kindsOf = map[string][]string{"node": {"node", "person", "film", "place"}, "rel": {"rel", "knows", "acted"}}

// A writer writes one random query.
type writer struct {
	grammar
	*rand.Rand
	scope   []binding
	names   int
	ordered bool // by all columns
}

type binding struct{ name, kind string }

// deepest is how many kinds a query writes inside each other before it looks for ends.
const deepest = 7

// query writes a query of a seed.
func (g grammar) query(seed uint64) (text string, ordered bool) {
	w := &writer{grammar: g, Rand: rand.New(rand.NewPCG(seed, 1))}
	return w.write("query", 0), w.ordered
}

// named are the variables that can stand for a kind.
func (w *writer) named(kind string) []binding {
	kinds := kindsOf[kind]
	if kinds == nil {
		kinds = []string{kind}
	}
	var out []binding
	for _, b := range w.scope {
		if slices.Contains(kinds, b.kind) {
			out = append(out, b)
		}
	}
	return out
}

func (w *writer) write(kind string, depth int) string {
	switch kind {
	case "star":
		return "*"
	case "carry":
		return w.carry()
	case "columns":
		return w.columns()
	}
	p := w.pick(kind, depth)
	if p == nil {
		return "null"
	}
	var b strings.Builder
	before, own := len(w.scope), []binding(nil)
	late := []binding(nil) // x IN list: the list doesn't see x
	for i, part := range p.parts {
		b.WriteString(part.text)
		if strings.Contains(part.text, "UNION") {
			w.scope, before = nil, 0
		}
		fresh, isFresh := strings.CutPrefix(part.hole, "+")
		switch {
		case part.hole == "":
		case isFresh:
			w.names++
			v := binding{fmt.Sprintf("%c%d", fresh[0], w.names), fresh}
			b.WriteString(v.name)
			if own = append(own, v); strings.HasPrefix(p.parts[i+1].text, " IN ") {
				late = append(late, v)
			} else {
				w.scope = append(w.scope, v)
			}
		default:
			b.WriteString(w.fill(part.hole, depth))
			w.scope, late = append(w.scope, late...), nil
		}
	}
	switch {
	case p.call:
		w.scope = append(w.scope[:before:before], own...)
	case !slices.Contains(statements, kind):
		w.scope = w.scope[:before:before]
	}
	return b.String()
}

// fill writes a hole: a variable of its kind, or something new.
func (w *writer) fill(kind string, depth int) string {
	vars := w.named(kind)
	if len(vars) > 0 && (w.grammar[kind] == nil || w.IntN(3) == 0) {
		return vars[w.IntN(len(vars))].name
	}
	return w.write(kind, depth+1)
}

// pick chooses one of the ways to write a kind that can be written here.
func (w *writer) pick(kind string, depth int) *production {
	var can []*production
	total := 0
	for i := range w.grammar[kind] {
		p := &w.grammar[kind][i]
		if w.fits(p, depth) {
			can = append(can, p)
			total += p.weight
		}
	}
	if len(can) == 0 && depth > deepest { // then deeper than it should be
		return w.pick(kind, 0)
	}
	if len(can) == 0 {
		return nil
	}
	n := w.IntN(total)
	for _, p := range can {
		if n -= p.weight; n < 0 {
			return p
		}
	}
	return nil
}

// fits tells whether there are the variables that p names, and, deep down, whether it
// needs nothing else.
func (w *writer) fits(p *production, depth int) bool {
	fresh := map[string]bool{}
	for _, part := range p.parts {
		kind, isFresh := strings.CutPrefix(part.hole, "+")
		switch {
		case isFresh:
			fresh[kind] = true
			for general, kinds := range kindsOf {
				if slices.Contains(kinds, kind) {
					fresh[general] = true
				}
			}
		case kind == "", kind == "star", kind == "carry", kind == "columns":
		case w.grammar[kind] == nil:
			if !fresh[kind] && len(w.named(kind)) == 0 {
				return false
			}
		case depth > deepest && !w.isShallow(kind):
			return false
		}
	}
	return true
}

// isShallow tells whether a kind is written without holes, however it is.
func (w *writer) isShallow(kind string) bool {
	return !slices.ContainsFunc(w.grammar[kind], func(p production) bool { return len(p.parts) > 1 })
}

// carry writes the variables that WITH takes along.
func (w *writer) carry() string {
	var kept []binding
	var b strings.Builder
	for _, v := range w.scope {
		if w.IntN(3) > 0 {
			kept = append(kept, v)
			b.WriteString(v.name + ", ")
		}
	}
	// What stands behind may still read those that end here, as Cypher lets it: but
	// then their names would have to be told apart from those that stay.
	w.scope = kept
	return b.String()
}

// columnKinds are the kinds of columns; those before scalarKinds have an order that all
// graphs share.
var columnKinds = strings.Fields("int int int text text bool float date duration datetime ints texts bag map localdatetime time localtime point any any node rel path nodes rels")

const scalarKinds = 8

func (w *writer) columns() string {
	var items, order []string
	grouped, sorted := w.IntN(4) == 0, w.IntN(5) == 0
	kinds := columnKinds
	if sorted {
		kinds = kinds[:scalarKinds]
	}
	for i := range 1 + w.IntN(3) {
		kind := kinds[w.IntN(len(kinds))]
		if w.grammar[kind] == nil && len(w.named(kind)) == 0 {
			kind = "int"
		}
		item := ""
		if grouped && (i > 0 || w.IntN(2) == 0) {
			if item = w.write("aggregate", 2); sorted && (strings.HasPrefix(item, "collect") || strings.HasPrefix(item, "m")) {
				item = "count(*)"
			}
		} else {
			item = w.fill(kind, 1)
		}
		name := "c" + strconv.Itoa(i+1)
		items = append(items, item+" AS "+name)
		if w.IntN(3) == 0 {
			name += " DESC"
		}
		order = append(order, name)
	}
	out := strings.Join(items, ", ")
	if w.IntN(6) == 0 {
		out = "DISTINCT " + out
	}
	if sorted {
		w.ordered = true
		out += " ORDER BY " + strings.Join(order, ", ")
		if w.IntN(2) == 0 {
			out += fmt.Sprintf(" SKIP %d", w.IntN(3))
		}
		if w.IntN(2) == 0 {
			out += fmt.Sprintf(" LIMIT %d", w.IntN(5))
		}
	}
	return out
}
