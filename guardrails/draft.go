package guardrails

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"precedent/store/cypher"
	"precedent/store/text"
)

// A Ground is what a query may tell without having found it in the graph.
type Ground struct {
	Question string    // as asked, and as it was understood
	Numbers  []float64 // that the question says
	Values   []string  // that it was linked to
	Words    []string  // names of the schema
	// IsValue reports whether a name, folded as by [text.KeyOf], is a value of
	// the graph; nil says that none is.
	IsValue func(name string) bool
}

//go:embed buckets.txt
var bucketsFile string

var buckets = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(bucketsFile) {
		if !strings.HasPrefix(line, "#") {
			for word := range strings.FieldsSeq(line) {
				words[word] = true
				for _, r := range word {
					if unicode.Is(unicode.Han, r) { // a token of its own
						words[string(r)] = true
					}
				}
			}
		}
	}
	return words
})

// Draft says what a query would tell that isn't from the graph; "" where there is
// nothing. Every value that it returns must derive from what it matches: a cell,
// or what Cypher computes of cells. Constants may be what the question says, the
// names of groups (words of the question, the schema or buckets.txt), factors
// between units, and what values are compared with. Names of columns are held to
// the words that names of groups are held to, unless they are plain identifiers
// without numbers or names of their own.
func (p Policy) Draft(s *cypher.Statement, params map[string]any, g Ground) string {
	d := &drafted{Ground: g, params: params, of: map[string]origin{}}
	d.asked = " " + text.KeyOf(g.Question) + " "
	cypher.Walk(s, func(n cypher.Node) bool {
		if l, ok := n.(*cypher.Literal); ok {
			d.number(l.Value)
		}
		return true
	})
	for _, v := range params {
		d.number(v)
	}
	if d.statement(s) != found && d.why == "" {
		d.why = "nothing that it returns comes from the graph"
	}
	return d.why
}

// An origin is where a value comes from.
type origin int

const (
	said  origin = iota // the question, or nothing that says anything
	found               // the graph
	madeUp
)

// drafted is one query under Draft.
type drafted struct {
	Ground
	params  map[string]any
	asked   string // the question's key between spaces
	of      map[string]origin
	matched bool // something was matched
	numbers []float64
	why     string
}

func (d *drafted) number(v any) {
	switch v := v.(type) {
	case int64:
		d.numbers = append(d.numbers, float64(v))
	case float64:
		d.numbers = append(d.numbers, v)
	}
}

// statement reads the clauses in order and gives where the last ones' columns
// come from, taken together.
func (d *drafted) statement(s *cypher.Statement) origin {
	out := said
	for _, part := range s.Parts {
		for _, c := range part.Clauses {
			switch c := c.(type) {
			case *cypher.Match:
				d.matched = true
				for _, path := range c.Patterns {
					d.bind(path)
				}
			case *cypher.Unwind:
				d.of[c.Var] = d.expr(c.List)
			case *cypher.With:
				d.projection(&c.Projection, false)
			case *cypher.CallSubquery:
				d.statement(c.Body)
			case *cypher.CallProcedure:
				d.matched = true
				for _, y := range c.Yield {
					d.of[y.Name], d.of[y.Alias] = found, found
				}
			case *cypher.Return:
				out = both(out, d.projection(&c.Projection, true))
			}
		}
	}
	return out
}

func (d *drafted) bind(p *cypher.Path) {
	cypher.Walk(p, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Path:
			d.of[n.Var] = found
		case *cypher.NodePattern:
			d.of[n.Var] = found
		case *cypher.RelPattern:
			d.of[n.Var] = found
		}
		return true
	})
}

func (d *drafted) projection(p *cypher.Projection, last bool) origin {
	out := said
	if p.Star {
		out = found
	}
	for _, item := range p.Items {
		from := d.expr(item.Expr)
		d.of[item.Name()] = from
		out = both(out, from)
		switch {
		case !last || d.why != "":
		case from == madeUp:
			d.why = fmt.Sprintf("%s would tell what isn't in the graph: return values of the graph, each in a column of its own", cypher.Print(item.Expr))
		case item.Alias != "" && !d.column(item.Alias):
			d.why = fmt.Sprintf("the column name %q says more than what it holds: name it after the property or with words of the question", item.Alias)
		}
	}
	return out
}

// both is where a value comes from that holds two others.
func both(a, b origin) origin { return max(a, b) }

// all is where a value comes from that holds each of xs.
func (d *drafted) all(xs ...cypher.Expr) origin {
	out := said
	for _, x := range xs {
		if x != nil {
			out = both(out, d.expr(x))
		}
	}
	return out
}

// passes are functions that return what they are given, or put it together.
var passes = []string{"coalesce", "nullif", "head", "last", "reverse", "tail", "collect", "tostring", "tointeger", "tofloat", "toboolean", "abs", "round", "floor", "ceil",
	"toupper", "tolower", "upper", "lower", "trim", "btrim", "ltrim", "rtrim", "left", "right", "substring", "sum", "avg", "min", "max", "date", "datetime", "localdatetime", "time", "localtime", "duration", "range"}

func (d *drafted) expr(x cypher.Expr) origin {
	switch x := x.(type) {
	case *cypher.Literal:
		return d.constant(x.Value)
	case *cypher.Parameter:
		return d.constant(d.params[x.Name])
	case *cypher.Variable:
		if from, ok := d.of[x.Name]; ok {
			return from
		}
		return found
	case *cypher.Property:
		return d.expr(x.X)
	case *cypher.Index:
		return d.expr(x.X)
	case *cypher.Slice:
		return d.expr(x.X)
	case *cypher.List:
		return d.all(x.Items...)
	case *cypher.Map:
		return d.all(x.Values...)
	case *cypher.MapProjection:
		out := d.expr(&cypher.Variable{Name: x.Var})
		for _, item := range x.Items {
			out = both(out, d.all(item.Value))
		}
		return out
	case *cypher.Unary:
		if x.Op == cypher.Not {
			return d.condition(x)
		}
		return d.expr(x.X)
	case *cypher.Binary:
		return d.binary(x)
	case *cypher.Case:
		return d.cases(x)
	case *cypher.Call:
		return d.call(x)
	case *cypher.Subquery:
		if x.Kind == cypher.Collect {
			return d.statement(x.Body)
		}
		return found
	}
	return d.loop(x)
}

// loop judges the expressions that bind a variable of their own, and conditions.
func (d *drafted) loop(x cypher.Expr) origin {
	switch x := x.(type) {
	case *cypher.ListComprehension:
		d.of[x.Var] = d.expr(x.List)
		if x.Map != nil {
			return d.expr(x.Map)
		}
		return d.of[x.Var]
	case *cypher.PatternComprehension:
		d.matched = true
		d.bind(x.Path)
		return d.expr(x.Map)
	case *cypher.Reduce:
		d.of[x.Var] = d.expr(x.List)
		d.of[x.Acc] = d.bucket(x.Init)
		return both(d.of[x.Acc], d.expr(x.Body))
	}
	return d.condition(x)
}

// condition is where a truth value comes from: the graph, if it looks at anything of it.
func (d *drafted) condition(x cypher.Expr) origin {
	out := madeUp
	cypher.Walk(x, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Variable:
			if from, ok := d.of[n.Name]; !ok || from == found {
				out = found
			}
		case *cypher.Path, *cypher.Subquery:
			out = found
		case *cypher.Call:
			if d.expr(n) == found {
				out = found
			}
		}
		return true
	})
	return out
}

func (d *drafted) binary(x *cypher.Binary) origin {
	switch x.Op {
	case cypher.Add, cypher.Sub, cypher.Concat:
		return both(d.added(x.L), d.added(x.R))
	case cypher.Mul, cypher.Div, cypher.Mod, cypher.Pow:
		l, r := d.scalar(x.L), d.scalar(x.R)
		switch {
		case r != nil && d.undone(x, *r) != nil:
			return d.expr(d.undone(x, *r))
		case r != nil && d.factor(*r, x.Op):
			return d.expr(x.L)
		case l != nil && x.Op == cypher.Mul && d.factor(*l, x.Op):
			return d.expr(x.R)
		}
		return both(d.expr(x.L), d.expr(x.R))
	}
	return d.condition(x)
}

// added is where a part of a sum comes from: one more or less is counting.
func (d *drafted) added(x cypher.Expr) origin {
	if n := d.scalar(x); n != nil && (*n == 1 || *n == 0) {
		return said
	}
	return d.expr(x)
}

// scalar is the number that x is as written, or nil.
func (d *drafted) scalar(x cypher.Expr) *float64 {
	var v any
	switch x := x.(type) {
	case *cypher.Literal:
		v = x.Value
	case *cypher.Parameter:
		v = d.params[x.Name]
	}
	switch v := v.(type) {
	case int64:
		f := float64(v)
		return &f
	case float64:
		return &v
	}
	return nil
}

// factor reports whether multiplying or dividing by n changes a unit: percent,
// hours, weeks, thousands, roots and squares.
func (d *drafted) factor(n float64, op cypher.BinaryOp) bool {
	n = math.Abs(n)
	switch op {
	case cypher.Mul:
		return slices.Contains([]float64{1, 100, 60, 24, 7, 12}, n)
	case cypher.Div:
		if log := math.Log10(n); n >= 1 && log == math.Trunc(log) {
			return true
		}
		return slices.Contains([]float64{2, 60, 3600, 24, 7, 12, 30, 365, 365.25, 1024, 1048576, 86400}, n)
	case cypher.Mod:
		return true
	case cypher.Pow:
		return n == 2 || n == 0.5
	}
	return false
}

// undone is what x multiplies by n after it was divided by it, as a decade is made of
// a year, or the other way round, as a number is rounded; nil for anything else.
func (d *drafted) undone(x *cypher.Binary, n float64) cypher.Expr {
	inner := x.L
	for {
		call, ok := inner.(*cypher.Call)
		if !ok || len(call.Args) == 0 {
			break
		}
		inner = call.Args[0]
	}
	by, ok := inner.(*cypher.Binary)
	if !ok || !(x.Op == cypher.Mul && by.Op == cypher.Div || x.Op == cypher.Div && by.Op == cypher.Mul) {
		return nil
	}
	if was := d.scalar(by.R); was == nil || *was != n {
		return nil
	}
	return by.L
}

func (d *drafted) cases(x *cypher.Case) origin {
	out := said
	for _, w := range x.Whens {
		if d.condition(w.Cond) == found || x.Subject != nil && d.expr(x.Subject) == found {
			out = found
		}
	}
	for _, w := range x.Whens {
		out = both(out, d.bucket(w.Then))
	}
	if x.Else != nil {
		out = both(out, d.bucket(x.Else))
	}
	return out
}

// bucket is where the value comes from that stands for a group of others: 1 and 0
// count, and a name of a group says no more than why it is one.
func (d *drafted) bucket(x cypher.Expr) origin {
	l, ok := x.(*cypher.Literal)
	if !ok {
		return d.expr(x)
	}
	switch v := l.Value.(type) {
	case bool:
		return said
	case string:
		if d.group(v) {
			return said
		}
	default:
		if n := d.scalar(l); n != nil && (*n == 0 || *n == 1 || *n == -1) {
			return said
		}
	}
	return d.expr(x)
}

func (d *drafted) call(x *cypher.Call) origin {
	name := strings.ToLower(x.Name)
	switch {
	case name == "count" || name == "size" && len(x.Args) == 1 && d.expr(x.Args[0]) != madeUp:
		if d.matched {
			return found
		}
		return madeUp
	case name == "coalesce":
		out := said
		for _, arg := range x.Args {
			out = both(out, d.bucket(arg))
		}
		return out
	case name == "sum" && len(x.Args) == 1:
		if from := d.bucket(x.Args[0]); from != said || !d.matched {
			return from
		}
		return found
	case name == "replace" && len(x.Args) == 3:
		return both(d.expr(x.Args[0]), d.expr(x.Args[2]))
	case len(x.Args) == 0:
		return said
	case slices.Contains(passes, name):
		return d.expr(x.Args[0])
	case strings.HasPrefix(name, "apoc."):
		return d.all(x.Args...)
	}
	out := said
	for _, arg := range x.Args {
		if from := d.expr(arg); from == found {
			return found
		} else {
			out = both(out, from)
		}
	}
	return out
}

// constant is where a value comes from that stands in the query itself.
func (d *drafted) constant(v any) origin {
	switch v := v.(type) {
	case nil:
		return said
	case string:
		if d.says(v) {
			return said
		}
	case []any:
		for _, x := range v {
			if d.constant(x) == madeUp {
				return madeUp
			}
		}
		return said
	case int64:
		if slices.Contains(d.Numbers, float64(v)) {
			return said
		}
	case float64:
		if slices.Contains(d.Numbers, v) {
			return said
		}
	}
	return madeUp
}

// says reports whether the question says s or was linked to it, or s says nothing.
func (d *drafted) says(s string) bool {
	key := text.KeyOf(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) || slices.ContainsFunc(d.Values, func(v string) bool { return text.KeyOf(v) == key }) {
		return true
	}
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return strings.Contains(d.asked, key)
	}
	return strings.Contains(d.asked, " "+key+" ")
}

// group reports whether s is no more than the name of a group: short, of words that
// the question, the schema or buckets.txt has, and numbers that the query compares with.
func (d *drafted) group(s string) bool {
	if d.says(s) {
		return true
	}
	const longest = 40 // runes
	if utf8.RuneCountInString(s) > longest || d.names(s) {
		return false
	}
	for _, t := range text.Tokens(spaced(s)) {
		if t.Kind != text.Mark && !d.word(t.Text) {
			return false
		}
	}
	return true
}

// names reports whether s is a value of the graph.
func (d *drafted) names(s string) bool { return d.IsValue != nil && d.IsValue(text.KeyOf(spaced(s))) }

func (d *drafted) word(w string) bool {
	if buckets()[w] || d.says(w) || slices.ContainsFunc(d.Words, func(name string) bool { return strings.Contains(" "+text.KeyOf(spaced(name))+" ", " "+w+" ") }) {
		return true
	}
	digits := strings.TrimRight(w, "s+") // 1990s
	return digits != "" && slices.ContainsFunc(d.numbers, func(n float64) bool { return fmt.Sprint(n) == digits })
}

// column reports whether a column may be called name.
func (d *drafted) column(name string) bool {
	if d.group(name) {
		return true
	}
	const longest = 40 // runes
	if utf8.RuneCountInString(name) > longest || d.names(name) {
		return false
	}
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && !(i > 0 && unicode.IsDigit(r)) {
			return false // no identifier
		}
	}
	for _, t := range text.Tokens(spaced(name)) {
		if strings.ContainsFunc(t.Text, unicode.IsDigit) && len(t.Text) > 1 && !d.word(t.Text) && !d.word(strings.TrimLeftFunc(t.Text, unicode.IsLetter)) {
			return false
		}
	}
	runes := []rune(name)
	for i := range runes { // a Chinese name within
		for j := i + 2; j <= min(len(runes), i+6) && unicode.Is(unicode.Han, runes[i]); j++ {
			if part := string(runes[i:j]); d.names(part) && !d.says(part) {
				return false
			}
		}
	}
	return true
}
