package cypher

import (
	"bytes"
	"strings"
)

// brackets writes the expressions that have brackets or words around them.
func (p *printer) brackets(e Expr) {
	outside := p.barEnds
	p.barEnds = false
	switch e := e.(type) {
	case *Index:
		p.base(e.X)
		p.put("[")
		p.expr(e.I, levelOr)
		p.put("]")
	case *Slice:
		p.slice(e)
	case *List:
		p.list(e)
	case *Map:
		p.put("{")
		for i, key := range e.Keys {
			p.comma(i)
			p.name(key)
			p.put(": ")
			p.expr(e.Values[i], levelOr)
		}
		p.put("}")
	case *MapProjection:
		p.mapProjection(e)
	case *Call:
		p.call(e)
	case *Case:
		p.caseExpr(e)
	case *Subject: // of which nothing is written
	case *PatternPredicate:
		p.path(e.Path)
	case *Subquery:
		p.subquery(e)
	default:
		p.loop(e)
	}
	p.barEnds = outside
}

// beforeBar writes an expression which a | may follow.
func (p *printer) beforeBar(e Expr) {
	p.barEnds = true
	p.expr(e, levelOr)
	p.barEnds = false
}

// loop writes the expressions that bind a variable of their own.
func (p *printer) loop(e Expr) {
	switch e := e.(type) {
	case *ListComprehension:
		p.put("[")
		p.variable(e.Var)
		p.put(" IN ")
		p.beforeBar(e.List)
		p.comprehended(e.Where, e.Map)
	case *PatternComprehension:
		p.put("[")
		p.path(e.Path)
		p.comprehended(e.Where, e.Map)
	case *Quantified:
		p.put(e.Kind)
		p.put("(")
		p.variable(e.Var)
		p.put(" IN ")
		p.expr(e.List, levelOr)
		p.where(e.Where)
		p.put(")")
	case *Reduce:
		p.put("reduce(")
		p.variable(e.Acc)
		p.put(" = ")
		p.expr(e.Init, levelOr)
		p.put(", ")
		p.variable(e.Var)
		p.put(" IN ")
		p.beforeBar(e.List)
		p.put(" | ")
		p.expr(e.Body, levelOr)
		p.put(")")
	}
}

// comprehended writes the end of a comprehension.
func (p *printer) comprehended(where, mapped Expr) {
	if where != nil {
		p.put(" WHERE ")
		p.beforeBar(where)
	}
	if mapped != nil {
		p.put(" | ")
		p.expr(mapped, levelOr)
	}
	p.put("]")
}

func (p *printer) inBrackets(all []Expr) {
	outside := p.barEnds
	p.barEnds = false
	for i, e := range all {
		p.comma(i)
		p.expr(e, levelOr)
	}
	p.barEnds = outside
}

func (p *printer) slice(s *Slice) {
	p.base(s.X)
	p.put("[")
	if s.From != nil {
		p.expr(s.From, levelOr)
	}
	p.put("..")
	if s.To != nil {
		p.expr(s.To, levelOr)
	}
	p.put("]")
}

func (p *printer) list(l *List) {
	p.put("[")
	if len(l.Items) > 0 {
		if beginsWithIn(l.Items[0]) {
			p.parenthesised(l.Items[0])
		} else {
			p.expr(l.Items[0], levelOr)
		}
		for _, e := range l.Items[1:] {
			p.put(", ")
			p.expr(e, levelOr)
		}
	}
	p.put("]")
}

// beginsWithIn reports whether e begins with x IN, as a comprehension does.
func beginsWithIn(e Expr) bool {
	switch e := e.(type) {
	case *Binary:
		if e.Op == In {
			_, ok := e.L.(*Variable)
			return ok
		}
		return beginsWithIn(e.L)
	case *Comparison:
		return beginsWithIn(e.X[0])
	}
	return false
}

func (p *printer) mapProjection(m *MapProjection) {
	if w := keywordOf(m.Var); w == kExists || w == kCount || w == kCollect {
		p.backquote(m.Var)
	} else {
		p.variable(m.Var)
	}
	p.put(" {")
	for i := range m.Items {
		p.comma(i)
		p.mapItem(&m.Items[i])
	}
	p.put("}")
}

func (p *printer) mapItem(i *MapItem) {
	switch {
	case i.All:
		p.put(".*")
	case i.Var:
		p.variable(i.Key)
	case i.Value == nil:
		p.put(".")
		p.name(i.Key)
	default:
		p.name(i.Key)
		p.put(": ")
		p.expr(i.Value, levelOr)
	}
}

var trimSides = map[string]string{"ltrim": "LEADING", "rtrim": "TRAILING", "btrim": "BOTH"}

func (p *printer) call(c *Call) {
	if side := trimSides[c.Name]; c.From && side != "" && len(c.Args) > 0 {
		p.put("trim(")
		p.put(side)
		if len(c.Args) > 1 {
			p.put(" ")
			p.expr(c.Args[1], levelOr)
		}
		p.put(" FROM ")
		p.expr(c.Args[0], levelOr)
		p.put(")")
		return
	}
	p.dotted(c.Name, true)
	p.put("(")
	if c.Distinct {
		p.put("DISTINCT ")
	}
	if c.Star {
		p.put("*")
	}
	p.inBrackets(c.Args)
	if c.Form != "" {
		p.put(", ")
		p.put(c.Form)
	}
	p.put(")")
}

func (p *printer) caseExpr(c *Case) {
	p.put("CASE")
	if c.Subject != nil {
		p.put(" ")
		p.expr(c.Subject, levelOr)
	}
	for _, w := range c.Whens {
		p.put(" WHEN ")
		p.when(w.Cond)
		for _, or := range w.Or {
			p.put(", ")
			p.when(or)
		}
		p.put(" THEN ")
		p.expr(w.Then, levelOr)
	}
	if c.Else != nil {
		p.put(" ELSE ")
		p.expr(c.Else, levelOr)
	}
	p.put(" END")
}

// when writes a value or test behind WHEN.
func (p *printer) when(e Expr) {
	if !Tests(e) {
		p.expr(e, levelOr)
		return
	}
	// What stands behind the subject is written, and not the space before it.
	start := len(p.text)
	p.expr(e, levelOr)
	p.text = append(p.text[:start], bytes.TrimPrefix(p.text[start:], []byte(" "))...)
}

var subqueryWords = [...]string{Exists: "EXISTS", Count: "COUNT", Collect: "COLLECT"}

func (p *printer) subquery(s *Subquery) {
	p.put(subqueryWords[s.Kind])
	p.put(" { ")
	if m := bareMatch(s); m != nil {
		p.matched(m)
	} else {
		p.statement(s.Body)
	}
	p.put(" }")
}

// bareMatch returns the pattern of a short form, or nil if the body has become more than that.
func bareMatch(s *Subquery) *Match {
	if !s.Bare || s.Kind == Collect || len(s.Body.Parts) != 1 || len(s.Body.Parts[0].Clauses) != 1 {
		return nil
	}
	if m, ok := s.Body.Parts[0].Clauses[0].(*Match); ok && !m.Optional {
		return m
	}
	return nil
}

// String returns the word or sign of the operator as printed, without spaces.
func (op BinaryOp) String() string { return strings.TrimSpace(binaryWords[op]) }

// String returns the sign of the operator.
func (op CompareOp) String() string { return strings.TrimSpace(compareWords[op]) }

// String returns NOT, - or +.
func (op UnaryOp) String() string { return [...]string{Not: "NOT", Neg: "-", Plus: "+"}[op] }

// String returns EXISTS, COUNT or COLLECT.
func (k SubqueryKind) String() string { return subqueryWords[k] }
