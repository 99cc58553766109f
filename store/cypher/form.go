package cypher

import (
	"math"
	"strings"
)

// keywordExpr reads an expression whose first word has a meaning of its own,
// or returns nil where the word is just a name.
func (p *parser) keywordExpr(t *token) Expr {
	at, next := At(t.start), p.peek(1)
	call := next.kind == tParen
	switch t.word {
	case noKeyword:
		return nil
	case kNull, kTrue, kFalse, kNan, kInf, kInfinity:
		if call {
			return nil
		}
		p.at++
		return &Literal{At: at, Value: constant(t.word)}
	case kCase:
		if p.beginsExpr(1) || next.word == kWhen {
			return p.caseExpr()
		}
	case kExists, kCount, kCollect:
		if next.kind == tBrace && p.peek(2).kind != tDot {
			return p.subquery(t.word)
		}
	case kAll, kAny, kNone, kSingle:
		if call && isName(p.peek(2)) && p.peek(3).word == kIn {
			return p.quantified(t)
		}
	case kReduce:
		if call && isName(p.peek(2)) && p.peek(3).kind == tEquals {
			return p.reduce()
		}
	case kShortestPath, kAllShortestPaths:
		if call {
			path := &Path{At: at}
			p.shortest(path)
			return &PatternPredicate{At: at, Path: path}
		}
	case kTrim:
		if call && p.trimsFrom() {
			return p.trim(at)
		}
	default:
		if p.beginsClause(t.word) {
			p.unexpected("an expression")
		}
	}
	return nil
}

func constant(word keyword) any {
	switch word {
	case kTrue:
		return true
	case kFalse:
		return false
	case kNan:
		return math.NaN()
	case kInf, kInfinity:
		return math.Inf(1)
	}
	return nil
}

// beginsClause reports whether a word is far more likely the next clause than a variable of that name.
func (p *parser) beginsClause(word keyword) bool {
	switch word {
	case kMatch, kReturn, kWith, kUnwind, kCall, kMerge, kCreate, kDelete, kDetach, kSet, kRemove, kWhere,
		kForeach, kLoad, kOptional, kOrder, kLimit, kSkip, kUnion:
		next := p.peek(1)
		switch next.kind {
		case tParen, tInteger, tString, tQuoted:
			return word != kOrder
		case tName:
			return next.word == noKeyword || word == kOrder && next.word == kBy
		}
	}
	return false
}

// trimsFrom looks for FROM inside the brackets of trim.
func (p *parser) trimsFrom() bool {
	for n, depth := 2, 0; ; n++ {
		switch p.peek(n).kind {
		case tParen, tBracket, tBrace:
			depth++
		case tParenEnd, tBracketEnd, tBraceEnd:
			if depth--; depth < 0 {
				return false
			}
		case tName:
			if depth == 0 && p.isWord(n, "from") && p.beginsExpr(n+1) {
				return true
			}
		case tEnd, tBad, tSemicolon:
			return false
		}
	}
}

func (p *parser) caseExpr() Expr {
	p.enter()
	defer p.leave()
	c := &Case{At: p.here()}
	p.at++
	if p.word() != kWhen || !p.beginsExpr(1) {
		c.Subject = p.bracketed()
	}
	for p.takeWord(kWhen) {
		w := When{Cond: p.when(c)}
		for c.Subject != nil && p.takeKind(tComma) {
			w.Or = append(w.Or, p.when(c))
		}
		p.needWord(kThen)
		w.Then = p.bracketed()
		c.Whens = append(c.Whens, w)
	}
	if len(c.Whens) == 0 {
		p.unexpected("WHEN")
	}
	if p.takeWord(kElse) {
		c.Else = p.bracketed()
	}
	if !p.takeWord(kEnd) {
		if c.Else != nil {
			p.unexpected("an operator or END")
		} else {
			p.unexpected("WHEN, ELSE or END")
		}
	}
	return c
}

// when reads one of the conditions of WHEN: a value, or, of a case with a
// subject, a test such as > 3 or IS NULL.
func (p *parser) when(c *Case) Expr {
	if c.Subject == nil || !p.testsSubject() {
		return p.bracketed()
	}
	outside := p.barEnds
	p.barEnds = false
	defer func() { p.barEnds = outside }()
	at := p.here()
	subject := &Subject{At: at}
	if op, ok := p.compareOp(); ok {
		p.at++
		return &Comparison{At: at, Ops: []CompareOp{op}, X: []Expr{subject, p.level(levelTest)}}
	}
	return p.test(at, subject)
}

// testsSubject tells WHEN > 3 and WHEN IS NULL from a value. A word that isn't
// one of these tests is a variable: IS :: INTEGER tests a variable called IS.
func (p *parser) testsSubject() bool {
	t, next := p.peek(0), p.peek(1)
	_, compares := p.compareOp()
	switch {
	case compares, t.kind == tMatches, t.kind == tColons:
		return true
	case t.word == kStarts, t.word == kEnds:
		return next.word == kWith
	case t.word != kIs:
		return false
	}
	if next.word == kNot {
		next = p.peek(2)
	}
	return next.word == kNull || next.word == kTyped || p.beginsNormalized(next)
}

// beginsNormalized tells whether NORMALIZED, perhaps with its form, begins at a token.
func (p *parser) beginsNormalized(t *token) bool {
	return t.word == kNormalized || t.kind == tName && normalForms[strings.ToUpper(p.source(t))]
}

var normalForms = map[string]bool{"NFC": true, "NFD": true, "NFKC": true, "NFKD": true}

// normalized reads NFKC NORMALIZED behind IS.
func (p *parser) normalized(at At, x Expr, not bool) Expr {
	n := &IsNormalized{At: at, X: x, Not: not}
	if t := p.peek(0); t.word != kNormalized {
		p.at++
		n.Form = strings.ToUpper(p.source(t))
	}
	p.needWord(kNormalized)
	return n
}

// normalForm takes the form in normalize(text, NFD) for what it is, and no variable.
func (p *parser) normalForm(c *Call) {
	v, _ := c.Args[1].(*Variable)
	if v == nil || !normalForms[strings.ToUpper(v.Name)] {
		p.fail(Syntax, p.peek(-1), "found another second argument of normalize than NFC, NFD, NFKC or NFKD")
		return
	}
	c.Form, c.Args = strings.ToUpper(v.Name), c.Args[:1]
}

// trim reads trim(LEADING signs FROM text).
func (p *parser) trim(at At) Expr {
	p.enter()
	defer p.leave()
	c := &Call{At: at, Name: "btrim", From: true}
	p.at += 2
	for name, side := range trimSides {
		if p.isWord(0, strings.ToLower(side)) && (p.isWord(1, "from") || p.beginsExpr(1)) {
			c.Name = name
			p.at++
			break
		}
	}
	var signs Expr
	if !p.isWord(0, "from") || !p.beginsExpr(1) {
		signs = p.bracketed()
	}
	if !p.isWord(0, "from") {
		p.unexpected("FROM")
		return c
	}
	p.at++
	c.Args = append(c.Args, p.bracketed())
	if signs != nil {
		c.Args = append(c.Args, signs)
	}
	p.needKind(tParenEnd, "an operator or )")
	return c
}

var subqueryKinds = map[keyword]SubqueryKind{kExists: Exists, kCount: Count, kCollect: Collect}

func (p *parser) subquery(word keyword) Expr {
	outside := p.barEnds
	p.barEnds = false
	defer func() { p.barEnds = outside }()
	s := &Subquery{At: p.here(), Kind: subqueryKinds[word]}
	p.at += 2
	if word == kCollect {
		s.Body = p.statement(endsWithReturn)
	} else if s.Bare = p.beginsPattern(); s.Bare {
		p.enter()
		m := p.match(p.here(), false)
		p.leave()
		s.Body = &Statement{At: m.At, Parts: []*Part{{At: m.At, Clauses: []Clause{m}}}}
	} else {
		s.Body = p.statement(endsAnyhow)
	}
	p.needKind(tBraceEnd, "the next clause or }")
	return s
}

// beginsPattern tells EXISTS { (a)-->(b) } from EXISTS { MATCH … }.
func (p *parser) beginsPattern() bool {
	t, next := p.peek(0), p.peek(1)
	switch {
	case t.kind == tParen, isName(t) && next.kind == tEquals, p.beginsShortest():
		return true
	}
	switch t.word {
	case kAny, kAll, kShortest, kRepeatable, kDifferent:
		return true
	}
	return false
}

func (p *parser) quantified(t *token) Expr {
	p.enter()
	defer p.leave()
	q := &Quantified{At: At(t.start), Kind: keywordNames[t.word]}
	p.at += 2
	q.Var = p.name("")
	p.at++
	q.List = p.bracketed()
	p.needWord(kWhere)
	q.Where = p.bracketed()
	p.needKind(tParenEnd, "an operator or )")
	return q
}

func (p *parser) reduce() Expr {
	p.enter()
	defer p.leave()
	r := &Reduce{At: p.here()}
	p.at += 2
	r.Acc = p.name("")
	p.at++
	r.Init = p.bracketed()
	p.needKind(tComma, ", and x IN list")
	r.Var = p.name("a variable")
	p.needWord(kIn)
	r.List = p.beforeBar()
	p.needKind(tBar, "| and an expression")
	r.Body = p.bracketed()
	p.needKind(tParenEnd, "an operator or )")
	return r
}

// list reads [a, b], [x IN xs WHERE … | …] or [(a)-->(b) WHERE … | …].
func (p *parser) list(at At) Expr {
	p.enter()
	defer p.leave()
	t, next := p.peek(1), p.peek(2)
	switch {
	case isName(t) && next.word == kIn && t.word != kNot:
		return p.listComprehension(at)
	case p.comprehends(1), isName(t) && next.kind == tEquals && p.comprehends(3):
		return p.patternComprehension(at)
	}
	l := &List{At: at}
	p.at++
	if p.takeKind(tBracketEnd) {
		return l
	}
	l.Items = p.exprs()
	p.needKind(tBracketEnd, ", or ]")
	return l
}

func (p *parser) listComprehension(at At) Expr {
	p.at++
	c := &ListComprehension{At: at, Var: p.name("")}
	p.at++
	c.List = p.beforeBar()
	if p.takeWord(kWhere) {
		c.Where = p.beforeBar()
	}
	if p.takeKind(tBar) {
		c.Map = p.bracketed()
	}
	p.needKind(tBracketEnd, "WHERE, | or ]")
	return c
}

func (p *parser) patternComprehension(at At) Expr {
	p.at++
	varName := ""
	if p.kind() != tParen {
		varName = p.name("")
		p.at++
	}
	path := p.simplePath()
	path.Var = varName
	c := &PatternComprehension{At: at, Path: path}
	if p.takeWord(kWhere) {
		c.Where = p.beforeBar()
	}
	p.needKind(tBar, "| and an expression")
	c.Map = p.bracketed()
	p.needKind(tBracketEnd, "an operator or ]")
	return c
}
