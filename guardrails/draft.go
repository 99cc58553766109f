package guardrails

import (
	"fmt"

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
		case item.Alias != "" && !d.column(item.Alias) && !isNamedAfter(item.Alias, item.Expr):
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
