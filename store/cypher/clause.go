package cypher

import "strings"

// clause reads one clause, or refuses the word it stands on.
func (p *parser) clause() Clause {
	t := p.peek(0)
	at := At(t.start)
	switch t.word {
	case kMatch:
		p.at++
		return p.match(at, false)
	case kOptional:
		p.at++
		if p.word() == kCall {
			p.at++
			return p.call(at, true)
		}
		p.needWord(kMatch)
		return p.match(at, true)
	case kUnwind:
		p.at++
		u := &Unwind{At: at, List: p.expr()}
		p.needWord(kAs)
		u.Var = p.name("a name for the items of UNWIND")
		return u
	case kWith:
		p.at++
		w := &With{At: at}
		p.projection(&w.Projection)
		p.namedItems(w.Items)
		if p.takeWord(kWhere) {
			w.Where = p.expr()
		}
		return w
	case kReturn:
		p.at++
		r := &Return{At: at}
		p.projection(&r.Projection)
		return r
	case kOrder, kSkip, kOffset, kLimit:
		// A clause of its own since Neo4j 5.24, the same as WITH * before it.
		w := &With{At: at, Projection: Projection{Star: true}}
		p.order(&w.Projection)
		return w
	case kCall:
		p.at++
		return p.call(at, false)
	}
	p.refuse(t)
	return nil
}

// refuse fails at a word that begins no clause with a tree.
func (p *parser) refuse(t *token) {
	word := p.source(t)
	switch t.word {
	case kCreate:
		if p.createsSchema() {
			p.fail(Admin, t, "found CREATE of an index, constraint, database, user or role, expected a query that only reads")
			return
		}
		p.fail(Write, t, "found CREATE, which changes the graph, expected a query that only reads")
	case kMerge, kSet, kDelete, kDetach, kNodetach, kRemove, kForeach, kInsert:
		p.fail(Write, t, "found "+strings.ToUpper(word)+", which changes the graph, expected a query that only reads")
	case kLoad:
		p.fail(Load, t, "found LOAD, which reads files and web pages, expected a query that reads the graph only")
	case kUsing:
		if p.isWord(1, "periodic") {
			p.fail(Load, t, "found USING PERIODIC COMMIT, which loads files, expected a query that reads the graph only")
			return
		}
		p.unexpected("a clause such as MATCH, WITH or RETURN; USING belongs behind the patterns of MATCH, before WHERE")
	case kExplain, kProfile:
		p.fail(Admin, t, "found "+strings.ToUpper(word)+", expected the query without it")
	case kCypher:
		p.fail(Admin, t, "found CYPHER options, expected the query without them")
	case kUse:
		p.fail(Admin, t, "found USE, which changes the database, expected a query of the database at hand")
	case kShow, kDrop, kAlter, kGrant, kDeny, kRevoke, kStop, kTerminate, kEnable, kRename,
		kDeallocate, kReallocate, kDryrun:
		p.fail(Admin, t, "found "+strings.ToUpper(word)+", which administers the server, expected a query that reads the graph")
	case kStart:
		if p.isWord(1, "database") || p.peek(1).kind == tDollar {
			p.fail(Admin, t, "found START DATABASE, which administers the server, expected a query that reads the graph")
			return
		}
		p.unexpected("MATCH, which has replaced START")
	case kFinish:
		p.fail(Unsupported, t, "found FINISH, which returns nothing, expected RETURN")
	case kWhere:
		p.unexpected("a clause such as MATCH, WITH or RETURN; WHERE belongs behind MATCH, WITH or YIELD")
	default:
		p.unexpected("a clause such as MATCH, WITH or RETURN")
	}
}

var schemaWords = []string{
	"alias", "btree", "composite", "constraint", "database", "fulltext", "immutable", "index", "lookup",
	"point", "range", "role", "text", "unique", "user", "vector",
}

// createsSchema tells CREATE INDEX and its like from CREATE (n).
func (p *parser) createsSchema() bool {
	n := 1
	if p.peek(1).word == kOr && p.isWord(2, "replace") {
		n = 3
	}
	for _, w := range schemaWords {
		if p.isWord(n, w) {
			return p.peek(n+1).kind != tEquals
		}
	}
	return false
}

func (p *parser) match(at At, optional bool) *Match {
	m := &Match{At: at, Optional: optional}
	if t := p.peek(0); (t.word == kRepeatable || t.word == kDifferent) && p.peek(1).kind == tName {
		p.fail(Unsupported, t, "found the match mode "+strings.ToUpper(p.source(t))+", expected MATCH without a mode")
		return m
	}
	m.Patterns = p.patterns()
	for p.word() == kUsing && !p.isWord(1, "periodic") {
		m.Hints = append(m.Hints, p.hint())
	}
	if p.takeWord(kWhere) {
		m.Where = p.expr()
	}
	return m
}

func (p *parser) hint() *Hint {
	h := &Hint{At: p.here()}
	p.at++
	t := p.peek(0)
	switch {
	case p.isWord(0, "join"):
		p.at++
		h.Kind = "JOIN"
		if !p.isWord(0, "on") {
			p.unexpected("ON")
			return h
		}
		p.at++
		h.Vars = p.names("a variable")
		return h
	case p.isWord(0, "scan"), p.isWord(0, "index"):
		h.Kind = strings.ToUpper(p.source(t))
	case (p.isWord(0, "text") || p.isWord(0, "range") || p.isWord(0, "point")) && p.isWord(1, "index"):
		h.Kind = strings.ToUpper(p.source(t)) + " INDEX"
		p.at++
	default:
		p.unexpected("INDEX, TEXT INDEX, RANGE INDEX, POINT INDEX, SCAN or JOIN ON")
		return h
	}
	p.at++
	if h.Kind != "SCAN" && p.isWord(0, "seek") && p.peek(1).kind != tColon {
		p.at++
		h.Seek = true
	}
	h.Vars = []string{p.name("a variable")}
	p.needKind(tColon, ": and a label")
	h.Label = p.name("a label")
	if h.Kind != "SCAN" {
		p.needKind(tParen, "( and the properties of the index")
		h.Property = p.names("a property")
		p.needKind(tParenEnd, ")")
	}
	return h
}

// names reads one or more names with commas.
func (p *parser) names(what string) []string {
	all := []string{p.name(what)}
	for p.takeKind(tComma) {
		all = append(all, p.name(what))
	}
	return all
}

func (p *parser) projection(to *Projection) {
	if p.word() == kDistinct && p.beginsExpr(1) {
		p.at++
		to.Distinct = true
	}
	if p.takeKind(tStar) {
		to.Star = true
	} else {
		to.Items = append(to.Items, p.item())
	}
	for p.takeKind(tComma) {
		to.Items = append(to.Items, p.item())
	}
	p.order(to)
}

// order reads ORDER BY, SKIP and LIMIT, each where it is written.
func (p *parser) order(to *Projection) {
	if p.takeWord(kOrder) {
		p.needWord(kBy)
		for {
			s := &SortItem{At: p.here(), Expr: p.expr()}
			if p.takeWord(kDesc) || p.takeWord(kDescending) {
				s.Desc = true
			} else if !p.takeWord(kAsc) {
				p.takeWord(kAscending)
			}
			to.OrderBy = append(to.OrderBy, s)
			if !p.takeKind(tComma) {
				break
			}
		}
	}
	if p.takeWord(kSkip) || p.takeWord(kOffset) {
		to.Skip = p.expr()
	}
	if p.takeWord(kLimit) {
		to.Limit = p.expr()
		if w := p.word(); w == kSkip || w == kOffset {
			p.unexpected("SKIP before LIMIT")
		}
	}
}

func (p *parser) item() *Item {
	start := p.at
	i := &Item{At: p.here(), Expr: p.expr()}
	if p.err != nil {
		return i
	}
	i.Text = p.lexer.text[p.tokens[start].start:p.tokens[p.at-1].end]
	if p.takeWord(kAs) {
		i.Alias = p.name("a name for the column")
	}
	return i
}

// namedItems refuses expressions that WITH would carry on without a name.
func (p *parser) namedItems(items []*Item) {
	for _, i := range items {
		if _, ok := i.Expr.(*Variable); ok || i.Alias != "" || p.err != nil {
			continue
		}
		end := int32(i.At) + int32(len(i.Text))
		p.fail(Syntax, &token{start: int32(i.At), end: end}, "found "+quoteSign(i.Text)+" without a name, expected AS and a name behind it, as WITH needs")
	}
}

func (p *parser) call(at At, optional bool) Clause {
	if k := p.kind(); k == tBrace || k == tParen {
		return p.callSubquery(at, optional)
	}
	c := &CallProcedure{At: at, Optional: optional, Name: p.dotted("the name of a procedure, or a subquery in braces")}
	if p.takeKind(tParen) {
		c.HasArgs = true
		p.enter()
		if p.kind() != tParenEnd {
			c.Args = p.exprs()
		}
		p.leave()
		p.needKind(tParenEnd, ", or )")
	}
	if !p.takeWord(kYield) {
		return c
	}
	if p.takeKind(tStar) {
		c.YieldStar = true
		return c
	}
	for {
		y := YieldItem{Name: p.name("a column of the procedure, or *")}
		if p.takeWord(kAs) {
			y.Alias = p.name("a name for the column")
		}
		c.Yield = append(c.Yield, y)
		if !p.takeKind(tComma) {
			break
		}
	}
	if p.takeWord(kWhere) {
		c.Where = p.expr()
	}
	return c
}

// dotted reads a.b.c, each part perhaps in backquotes.
func (p *parser) dotted(what string) string {
	var name strings.Builder
	name.WriteString(p.name(what))
	for p.takeKind(tDot) {
		name.WriteString("." + p.name("a name"))
	}
	return name.String()
}

func (p *parser) callSubquery(at At, optional bool) *CallSubquery {
	c := &CallSubquery{At: at, Optional: optional}
	if p.takeKind(tParen) {
		c.Scoped = true
		switch p.kind() {
		case tStar:
			p.at++
			c.ImportAll = true
		case tParenEnd:
		default:
			c.Imports = p.names("a variable to bring into the subquery, or *")
		}
		p.needKind(tParenEnd, ", or )")
	}
	p.needKind(tBrace, "{ and a subquery")
	c.Body = p.statement(endsWithResult)
	p.needKind(tBraceEnd, "the next clause or }")
	if t := p.peek(0); t.word == kIn {
		p.fail(Admin, t, "found a subquery IN TRANSACTIONS, which commits on its own, expected a subquery without it")
	}
	return c
}
