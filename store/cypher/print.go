package cypher

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Print writes a tree as canonical text on one line: words of Cypher in upper
// case, names in backquotes where they need them, strings in single quotes,
// and no parentheses but those that keep the tree. It depends on the tree
// alone. Parsing the text gives an equal tree, which prints the same. Labels
// print without the colon before them.
func Print(n Node) string {
	p := printer{text: make([]byte, 0, 256)}
	switch n := n.(type) {
	case *Statement:
		p.statement(n)
	case *Part:
		p.part(n)
	case Clause:
		p.clause(n)
	case *Hint:
		p.hint(n)
	case *Path:
		p.path(n)
	case Element:
		p.element(n)
	case LabelExpr:
		p.labels(n, labelOr)
	case *Item:
		p.item(n)
	case *SortItem:
		p.sortItem(n)
	case *MapItem:
		p.mapItem(n)
	case Expr:
		p.expr(n, levelOr)
	}
	return string(p.text)
}

// Name is the column that i makes, as Neo4j names it: the alias; else the name
// of the variable or of the projected map; else the text of the expression as
// written, or as printed in trees built by hand.
func (i *Item) Name() string {
	if i.Alias != "" {
		return i.Alias
	}
	switch e := i.Expr.(type) {
	case *Variable:
		return e.Name
	case *MapProjection:
		return e.Var
	}
	if i.Text != "" {
		return i.Text
	}
	return Print(i.Expr)
}

type printer struct {
	text    []byte
	barEnds bool // a | outside of the expression would be taken for a part of it
}

func (p *printer) put(s string) { p.text = append(p.text, s...) }

func (p *printer) statement(s *Statement) {
	for i, part := range s.Parts {
		if i > 0 {
			p.put(" UNION ")
			if s.All[i-1] {
				p.put("ALL ")
			}
		}
		p.part(part)
	}
}

func (p *printer) part(part *Part) {
	for i, c := range part.Clauses {
		if i > 0 {
			p.put(" ")
		}
		p.clause(c)
	}
}

func (p *printer) clause(c Clause) {
	switch c := c.(type) {
	case *Match:
		if c.Optional {
			p.put("OPTIONAL ")
		}
		p.put("MATCH ")
		p.matched(c)
	case *Unwind:
		p.put("UNWIND ")
		p.expr(c.List, levelOr)
		p.put(" AS ")
		p.variable(c.Var)
	case *With:
		p.put("WITH ")
		p.projection(&c.Projection)
		p.where(c.Where)
	case *Return:
		p.put("RETURN ")
		p.projection(&c.Projection)
	case *CallSubquery:
		p.subqueryCall(c)
	case *CallProcedure:
		p.procedureCall(c)
	}
}

// matched writes what stands behind MATCH.
func (p *printer) matched(m *Match) {
	for i, path := range m.Patterns {
		p.comma(i)
		p.path(path)
	}
	for _, h := range m.Hints {
		p.put(" ")
		p.hint(h)
	}
	p.where(m.Where)
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.put(", ")
	}
}

func (p *printer) where(e Expr) {
	if e != nil {
		p.put(" WHERE ")
		p.expr(e, levelOr)
	}
}

func (p *printer) hint(h *Hint) {
	p.put("USING ")
	p.put(h.Kind)
	if h.Seek {
		p.put(" SEEK")
	}
	if h.Kind == "JOIN" {
		p.put(" ON")
	}
	p.put(" ")
	for i, v := range h.Vars {
		p.comma(i)
		p.variable(v)
	}
	if h.Label != "" {
		p.put(":")
		p.name(h.Label)
	}
	if len(h.Property) > 0 {
		p.put("(")
		for i, key := range h.Property {
			p.comma(i)
			p.name(key)
		}
		p.put(")")
	}
}

func (p *printer) projection(of *Projection) {
	if of.Distinct {
		p.put("DISTINCT ")
	}
	if of.Star {
		p.put("*")
	}
	for i, item := range of.Items {
		if i > 0 || of.Star {
			p.put(", ")
		}
		p.item(item)
	}
	for i, s := range of.OrderBy {
		if i == 0 {
			p.put(" ORDER BY ")
		}
		p.comma(i)
		p.sortItem(s)
	}
	if of.Skip != nil {
		p.put(" SKIP ")
		p.expr(of.Skip, levelOr)
	}
	if of.Limit != nil {
		p.put(" LIMIT ")
		p.expr(of.Limit, levelOr)
	}
}

func (p *printer) item(i *Item) {
	p.expr(i.Expr, levelOr)
	if i.Alias != "" {
		p.put(" AS ")
		p.variable(i.Alias)
	}
}

func (p *printer) sortItem(s *SortItem) {
	p.expr(s.Expr, levelOr)
	if s.Desc {
		p.put(" DESC")
	}
}

func (p *printer) subqueryCall(c *CallSubquery) {
	if c.Optional {
		p.put("OPTIONAL ")
	}
	p.put("CALL ")
	if c.Scoped {
		p.put("(")
		if c.ImportAll {
			p.put("*")
		}
		for i, v := range c.Imports {
			p.comma(i)
			p.variable(v)
		}
		p.put(") ")
	}
	p.put("{ ")
	p.statement(c.Body)
	p.put(" }")
}

func (p *printer) procedureCall(c *CallProcedure) {
	if c.Optional {
		p.put("OPTIONAL ")
	}
	p.put("CALL ")
	p.dotted(c.Name, false)
	if c.HasArgs || len(c.Args) > 0 {
		p.put("(")
		p.inBrackets(c.Args)
		p.put(")")
	}
	if c.YieldStar {
		p.put(" YIELD *")
		return
	}
	for i, y := range c.Yield {
		if i == 0 {
			p.put(" YIELD ")
		}
		p.comma(i)
		p.variable(y.Name)
		if y.Alias != "" {
			p.put(" AS ")
			p.variable(y.Alias)
		}
	}
	p.where(c.Where)
}

// name writes a label, type, property, key or parameter.
func (p *printer) name(s string) {
	if isPlain(s) {
		p.put(s)
		return
	}
	p.backquote(s)
}

// variable writes a name where a word of Cypher could stand as well.
func (p *printer) variable(s string) {
	if isPlain(s) && !reserved[keywordOf(s)] {
		p.put(s)
		return
	}
	p.backquote(s)
}

func (p *printer) backquote(s string) {
	p.put("`")
	p.put(strings.ReplaceAll(s, "`", "``"))
	p.put("`")
}

// isPlain reports whether s is a name without backquotes.
func isPlain(s string) bool {
	if s == "" || s[0] == '$' || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	return isNameStart(first) && nameEnd(s, 0) == len(s)
}

// reserved are the words that a variable isn't printed as without backquotes,
// though the grammar would mostly allow it.
var reserved = [keywordCount]bool{
	kAll: true, kAllShortestPaths: true, kAnd: true, kAny: true, kAs: true, kAsc: true, kAscending: true, kCall: true,
	kCase: true, kContains: true, kCreate: true, kDelete: true, kDesc: true, kDescending: true, kDetach: true,
	kDistinct: true, kElse: true, kEnd: true, kEnds: true, kFalse: true, kForeach: true, kIn: true, kInf: true,
	kInfinity: true, kInsert: true, kIs: true, kLimit: true, kLoad: true, kMatch: true, kMerge: true, kNan: true,
	kNodetach: true, kNone: true, kNot: true, kNull: true, kOffset: true, kOptional: true, kOr: true, kReduce: true,
	kRemove: true, kReturn: true, kSet: true, kShortest: true, kShortestPath: true, kSingle: true, kSkip: true,
	kStarts: true, kThen: true, kTrue: true, kUnion: true, kUnwind: true, kUsing: true, kWhen: true, kWhere: true,
	kWith: true, kXor: true, kYield: true,
}

// dotted writes the name of a procedure or function.
func (p *printer) dotted(s string, function bool) {
	n := 0
	for part := range strings.SplitSeq(s, ".") {
		if n++; n > 1 {
			p.put(".")
		}
		if function && n == 1 {
			p.variable(part)
		} else {
			p.name(part)
		}
	}
}

func (p *printer) int(n int64) { p.text = strconv.AppendInt(p.text, n, 10) }
