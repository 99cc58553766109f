package cypher

// Levels of precedence, weakest first, as in the Neo4j Cypher manual under
// "Operators" and in its grammar. Operators of one level lean left; those of
// levelTest don't chain at all.
const (
	levelOr = 1 + iota
	levelXor
	levelAnd
	levelNot
	levelCompare // = <> < > <= >=, chained
	levelTest    // IN, STARTS WITH, ENDS WITH, CONTAINS, =~, IS …
	levelAdd
	levelMultiply
	levelPower
	levelSign
	levelPostfix
)

// expr reads an expression.
func (p *parser) expr() Expr { return p.level(levelOr) }

// bracketed reads an expression inside brackets, where no | of outside counts.
func (p *parser) bracketed() Expr {
	outside := p.barEnds
	p.barEnds = false
	e := p.expr()
	p.barEnds = outside
	return e
}

// beforeBar reads an expression that a | may end.
func (p *parser) beforeBar() Expr {
	outside := p.barEnds
	p.barEnds = true
	e := p.expr()
	p.barEnds = outside
	return e
}

// exprs reads one or more expressions with commas, inside brackets.
func (p *parser) exprs() []Expr {
	all := []Expr{p.bracketed()}
	for p.takeKind(tComma) {
		all = append(all, p.bracketed())
	}
	return all
}

// level reads an expression of operators of at least the given level.
func (p *parser) level(least int) Expr {
	at := p.here()
	var left Expr
	most := levelPower
	if p.word() == kNot {
		if least > levelNot {
			p.unexpected("an expression; put NOT and what it negates in parentheses")
			return nil
		}
		p.at++
		p.enter()
		left = &Unary{At: at, Op: Not, X: p.level(levelNot)}
		p.leave()
		most = levelAnd
	} else {
		left = p.signed()
	}
	for {
		level, op := p.operator()
		if level < least || level > most {
			return left
		}
		switch level {
		case levelCompare:
			left = p.comparison(at, left)
			most = levelAnd
			continue
		case levelTest:
			left = p.test(at, left)
			most = levelCompare
			continue
		}
		p.at++
		left = &Binary{At: at, Op: op, L: left, R: p.level(level + 1)}
		most = level
	}
}

// operator returns the level of the operator at the current token, 0 if there
// is none, and for those that a Binary holds which one it is.
func (p *parser) operator() (level int, op BinaryOp) {
	switch t := p.peek(0); t.kind {
	case tName:
		switch t.word {
		case kOr:
			return levelOr, Or
		case kXor:
			return levelXor, Xor
		case kAnd:
			return levelAnd, And
		case kIn, kStarts, kEnds, kContains, kIs:
			return levelTest, 0
		}
	case tPlus:
		return levelAdd, Add
	case tMinus:
		return levelAdd, Sub
	case tBars:
		return levelAdd, Concat
	case tStar:
		return levelMultiply, Mul
	case tSlash:
		return levelMultiply, Div
	case tPercent:
		return levelMultiply, Mod
	case tCaret:
		return levelPower, Pow
	case tEquals, tNotEquals, tLess, tLessEquals, tGreater, tGreaterEquals:
		return levelCompare, 0
	case tMatches, tColons:
		return levelTest, 0
	}
	return 0, 0
}

// compareOp returns the comparison operator at the current token.
func (p *parser) compareOp() (CompareOp, bool) {
	switch p.kind() {
	case tEquals:
		return Eq, true
	case tNotEquals:
		return Ne, true
	case tLess:
		return Lt, true
	case tLessEquals:
		return Le, true
	case tGreater:
		return Gt, true
	case tGreaterEquals:
		return Ge, true
	}
	return 0, false
}

func (p *parser) comparison(at At, first Expr) Expr {
	c := &Comparison{At: at, X: append(make([]Expr, 0, 2), first)}
	for {
		op, ok := p.compareOp()
		if !ok {
			return c
		}
		p.at++
		c.Ops = append(c.Ops, op)
		c.X = append(c.X, p.level(levelTest))
	}
}

// test reads what stands behind x: IN list, STARTS WITH text, IS NULL ….
func (p *parser) test(at At, x Expr) Expr {
	op := In
	switch t := p.peek(0); {
	case t.kind == tColons:
		p.at++
		return &IsTyped{At: at, X: x, Type: p.typeName()}
	case t.kind == tMatches:
		op = Matches
	case t.word == kContains:
		op = Contains
	case t.word == kStarts, t.word == kEnds:
		op = StartsWith
		if t.word == kEnds {
			op = EndsWith
		}
		p.at++
		if p.word() != kWith {
			p.unexpected("WITH")
			return x
		}
	case t.word == kIs:
		p.at++
		return p.is(at, x)
	}
	p.at++
	return &Binary{At: at, Op: op, L: x, R: p.level(levelAdd)}
}

func (p *parser) is(at At, x Expr) Expr {
	not := p.takeWord(kNot)
	switch {
	case p.takeWord(kNull):
		return &IsNull{At: at, X: x, Not: not}
	case p.takeKind(tColons), p.takeWord(kTyped):
		return &IsTyped{At: at, X: x, Not: not, Type: p.typeName()}
	case p.beginsNormalized(p.peek(0)):
		return p.normalized(at, x, not)
	default:
		p.unexpected("NULL, NOT NULL, :: and a type, or a label")
	}
	return x
}

// signed reads an expression with at most one sign before it. The sign of a
// number is part of the number.
func (p *parser) signed() Expr {
	at := p.here()
	switch p.kind() {
	case tPlus:
		p.at++
		return &Unary{At: at, Op: Plus, X: p.postfix()}
	case tMinus:
		if isNumber(p.peek(1)) {
			break
		}
		p.at++
		return &Unary{At: at, Op: Neg, X: p.postfix()}
	}
	return p.postfix()
}

// isNumber reports whether a token may follow a minus sign as one literal.
func isNumber(t *token) bool {
	return t.kind == tInteger || t.kind == tFloat || t.word == kInf || t.word == kInfinity
}

// postfix reads an expression and the .property, [index] and :Label behind it.
func (p *parser) postfix() Expr {
	at := p.here()
	x := p.primary()
	for {
		switch p.kind() {
		case tDot:
			p.at++
			x = &Property{At: at, X: x, Key: p.name("the name of a property")}
		case tBracket:
			p.at++
			x = p.indexed(at, x)
		case tColon:
			p.at++
			x = &HasLabels{At: at, X: x, Labels: p.labelExpr()}
		default:
			if !p.isLabelTest() {
				return x
			}
			p.at++
			x = &HasLabels{At: at, X: x, Labels: p.labelExpr()}
		}
	}
}

// isLabelTest tells n IS Person from n IS NULL and n IS :: INTEGER.
func (p *parser) isLabelTest() bool {
	if p.word() != kIs {
		return false
	}
	switch t := p.peek(1); t.word {
	case kNot, kNull, kTyped, kNormalized:
		return false
	default:
		return p.peek(2).word != kNormalized && (isName(t) || beginsLabel(t.kind) || t.kind == tDollar)
	}
}

func (p *parser) indexed(at At, x Expr) Expr {
	p.enter()
	defer p.leave()
	var from Expr
	if p.kind() != tDots {
		from = p.bracketed()
		if p.takeKind(tBracketEnd) {
			return &Index{At: at, X: x, I: from}
		}
	}
	s := &Slice{At: at, X: x, From: from}
	p.needKind(tDots, ".. or ]")
	if p.kind() != tBracketEnd {
		s.To = p.bracketed()
	}
	p.needKind(tBracketEnd, "]")
	return s
}

// primary reads an expression without operators.
func (p *parser) primary() Expr {
	t := p.peek(0)
	at := At(t.start)
	switch t.kind {
	case tName:
		if e := p.keywordExpr(t); e != nil || p.err != nil {
			return e
		}
		return p.named(t)
	case tQuoted:
		return p.named(t)
	case tInteger, tFloat:
		p.at++
		return p.number(t, false)
	case tMinus:
		n := p.peek(1)
		if !isNumber(n) {
			break
		}
		p.at += 2
		literal := p.number(n, true)
		literal.At = at
		return literal
	case tString:
		p.at++
		return &Literal{At: at, Value: p.unescape(t)}
	case tDollar:
		return p.parameter()
	case tParen:
		return p.parenthesised(at)
	case tBracket:
		return p.list(at)
	case tBrace:
		return p.mapLiteral()
	}
	p.unexpected("an expression")
	return nil
}

func (p *parser) parenthesised(at At) Expr {
	if p.beginsPathExpr(0) {
		return &PatternPredicate{At: at, Path: p.simplePath()}
	}
	p.enter()
	defer p.leave()
	p.at++
	e := p.bracketed()
	p.needKind(tParenEnd, "an operator or )")
	return e
}

func (p *parser) parameter() Expr {
	param := &Parameter{At: p.here()}
	p.at++
	switch t := p.peek(0); {
	case t.kind == tInteger:
		p.at++
		param.Name = p.source(t)
		for i := range len(param.Name) {
			if c := param.Name[i]; c < '0' || c > '9' {
				p.unexpectedAt(t, "a parameter such as $name or $1")
				break
			}
		}
	case t.kind == tParen:
		p.fail(Unsupported, t, "found a name given at run time, expected the name itself")
	default:
		param.Name = p.name("the name of a parameter behind $")
	}
	return param
}

// mapLiteral reads {key: value, …}.
func (p *parser) mapLiteral() Expr {
	p.enter()
	defer p.leave()
	m := &Map{At: p.here()}
	p.at++
	if p.takeKind(tBraceEnd) {
		return m
	}
	for {
		t := p.peek(0)
		key := p.name("a key, or }")
		if p.kind() == tBraceEnd && len(m.Keys) == 0 && p.err == nil {
			p.unexpected(": and a value; a parameter is written $" + p.source(t))
			return m
		}
		p.needKind(tColon, ": and a value")
		m.Keys = append(m.Keys, key)
		m.Values = append(m.Values, p.bracketed())
		if !p.takeKind(tComma) {
			break
		}
	}
	p.needKind(tBraceEnd, ", or }")
	return m
}

// named reads what begins with a name: a function call, a map projection or a variable.
func (p *parser) named(t *token) Expr {
	at := At(t.start)
	n := 1
	for p.peek(n).kind == tDot && isName(p.peek(n+1)) {
		n += 2
	}
	switch {
	case p.peek(n).kind == tParen:
		return p.function(at)
	case p.peek(1).kind == tBrace:
		return p.mapProjection(at)
	}
	p.at++
	return &Variable{At: at, Name: p.nameOf(t)}
}

func (p *parser) function(at At) Expr {
	p.enter()
	defer p.leave()
	c := &Call{At: at, Name: p.dotted("the name of a function")}
	p.at++
	switch {
	case p.takeKind(tParenEnd):
		return c
	case p.kind() == tStar && sameWord(c.Name, "count"):
		p.at++
		c.Star = true
	default:
		if p.word() == kDistinct && p.beginsExpr(1) {
			p.at++
			c.Distinct = true
		} else if p.word() == kAll && p.peek(1).kind != tParen && p.beginsExpr(1) {
			p.at++ // ALL is the default
		}
		c.Args = p.exprs()
		if len(c.Args) == 2 && sameWord(c.Name, "normalize") {
			p.normalForm(c)
		}
	}
	p.needKind(tParenEnd, "an operator, a comma or )")
	return c
}

func (p *parser) mapProjection(at At) Expr {
	p.enter()
	defer p.leave()
	m := &MapProjection{At: at, Var: p.name("")}
	p.at++
	if p.takeKind(tBraceEnd) {
		return m
	}
	for {
		item := MapItem{At: p.here()}
		switch {
		case p.takeKind(tDot):
			if item.All = p.takeKind(tStar); !item.All {
				item.Key = p.name("the name of a property, or *")
			}
		default:
			item.Key = p.name(".property, .*, key: value or a variable")
			if p.takeKind(tColon) {
				item.Value = p.bracketed()
			} else {
				item.Var = true
			}
		}
		m.Items = append(m.Items, item)
		if !p.takeKind(tComma) {
			break
		}
	}
	p.needKind(tBraceEnd, ", or }")
	return m
}
