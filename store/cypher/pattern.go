package cypher

import "strconv"

// patterns reads the patterns of a MATCH.
func (p *parser) patterns() []*Path {
	all := []*Path{p.path()}
	for p.takeKind(tComma) {
		all = append(all, p.path())
	}
	return all
}

// path reads a pattern with its variable and selection.
func (p *parser) path() *Path {
	path := &Path{At: p.here()}
	if isName(p.peek(0)) && p.peek(1).kind == tEquals {
		path.Var = p.name("")
		p.at++
	}
	p.selection(path)
	switch {
	case p.beginsShortest():
		p.shortest(path)
	case p.kind() == tParen:
		p.elements(path)
	default:
		p.unexpected("a pattern such as (a)-->(b)")
	}
	return path
}

// selection reads ANY SHORTEST and its kin.
func (p *parser) selection(path *Path) {
	switch t := p.peek(0); {
	case t.word == kAny:
		p.at++
		path.Shortest, path.K = SelectAny, 1
		if p.takeWord(kShortest) {
			path.Shortest, path.K = SelectAnyShortest, 0
		} else if p.kind() == tInteger {
			path.K = p.count()
		}
	case t.word == kAll:
		p.at++
		if p.takeWord(kShortest) {
			path.Shortest = SelectAllShortest
		}
	case t.word == kShortest:
		p.at++
		path.Shortest, path.K = SelectShortestK, 1
		counted := p.kind() == tInteger
		if counted {
			path.K = p.count()
		}
		p.pathWord()
		if p.isWord(0, "group") || p.isWord(0, "groups") {
			p.at++
			path.Shortest = SelectShortestGroups
		} else if !counted {
			p.unexpected("a number of paths, or GROUP")
		}
		return
	default:
		return
	}
	p.pathWord()
}

func (p *parser) pathWord() {
	if p.isWord(0, "path") || p.isWord(0, "paths") {
		p.at++
	}
}

func (p *parser) beginsShortest() bool {
	w := p.word()
	return (w == kShortestPath || w == kAllShortestPaths) && p.peek(1).kind == tParen
}

// shortest reads shortestPath(…) and allShortestPaths(…).
func (p *parser) shortest(path *Path) {
	path.Shortest = ShortestPath
	if p.word() == kAllShortestPaths {
		path.Shortest = AllShortestPaths
	}
	p.at += 2
	p.elements(path)
	p.needKind(tParenEnd, ")")
}

// elements reads nodes, relationships and groups as long as they follow each other.
func (p *parser) elements(path *Path) {
	p.enter()
	defer p.leave()
	for p.kind() == tParen {
		if p.beginsGroup() {
			path.Elements = append(path.Elements, p.group())
			continue
		}
		if n := len(path.Elements); n > 0 {
			if _, ok := path.Elements[n-1].(*NodePattern); ok {
				p.unexpected("a relationship between two nodes, such as -[:TYPE]->")
				return
			}
		}
		path.Elements = append(path.Elements, p.node())
		p.steps(path)
	}
	if len(path.Elements) == 0 {
		p.unexpected("a pattern such as (a)-->(b)")
	}
}

// steps reads relationships, each with the node behind it.
func (p *parser) steps(path *Path) {
	for p.beginsRel() {
		r := p.rel()
		r.Quant = p.quantifier()
		path.Elements = append(path.Elements, r)
		if p.kind() != tParen {
			p.unexpected("a node such as (a) behind the relationship")
			return
		}
		path.Elements = append(path.Elements, p.node())
	}
}

// simplePath reads the pattern of an expression, (a)-->(b), without groups.
func (p *parser) simplePath() *Path {
	p.enter()
	defer p.leave()
	path := &Path{At: p.here()}
	path.Elements = append(path.Elements, p.node())
	for p.beginsRel() {
		path.Elements = append(path.Elements, p.rel())
		if p.kind() != tParen {
			p.unexpected("a node such as (a) behind the relationship; what repeats belongs in EXISTS { … }, COUNT { … } or a MATCH")
			return path
		}
		path.Elements = append(path.Elements, p.node())
	}
	if len(path.Elements) == 1 {
		p.unexpected("a relationship such as -[:TYPE]->")
	}
	return path
}

// beginsGroup tells ((a)-->(b)) and (p = (a)-->(b)) from a node.
func (p *parser) beginsGroup() bool {
	next := p.peek(1)
	return next.kind == tParen || isName(next) && p.peek(2).kind == tEquals ||
		(next.word == kShortestPath || next.word == kAllShortestPaths) && p.peek(2).kind == tParen
}

func (p *parser) group() *GroupPattern {
	p.enter()
	defer p.leave()
	g := &GroupPattern{At: p.here()}
	p.at++
	g.Path = p.path()
	if p.takeWord(kWhere) {
		g.Where = p.bracketed()
	}
	p.needKind(tParenEnd, ") or WHERE")
	g.Quant = p.quantifier()
	return g
}

// quantifier reads +, * or {…} behind a group or an arrow.
func (p *parser) quantifier() *Quant {
	switch {
	case p.takeKind(tPlus):
		return &Quant{Min: 1}
	case p.takeKind(tStar):
		return &Quant{}
	case !p.takeKind(tBrace):
		return nil
	}
	q := &Quant{}
	start := p.peek(0)
	counted := p.kind() == tInteger
	if counted {
		q.Min = p.count()
		q.Max = new(int64)
		*q.Max = q.Min
	}
	if p.takeKind(tComma) {
		q.Max = nil
		if p.kind() == tInteger {
			most := p.count()
			q.Max = &most
		}
	} else if !counted {
		p.unexpected("a number of repetitions such as {1,3}")
	}
	p.needKind(tBraceEnd, "} behind the number of repetitions")
	if q.Max != nil && *q.Max < max(q.Min, 1) && p.err == nil {
		p.fail(Syntax, start, "found repetitions up to "+strconv.FormatInt(*q.Max, 10)+", expected at least 1 and no less than the lower bound")
	}
	return q
}

// count reads a decimal integer that fits.
func (p *parser) count() int64 {
	t := p.peek(0)
	if t.kind != tInteger {
		p.unexpected("a whole number")
		return 0
	}
	p.at++
	return p.integer(t, false)
}

func (p *parser) node() *NodePattern {
	n := &NodePattern{At: p.here()}
	p.needKind(tParen, "(")
	n.Var = p.elementVar(tParenEnd)
	n.Labels = p.labelPart()
	n.Props = p.properties()
	if p.takeWord(kWhere) {
		n.Where = p.bracketed()
	}
	p.needKind(tParenEnd, "a label, {properties}, WHERE or )")
	return n
}

// elementVar reads the variable of a node or relationship, if there is one.
func (p *parser) elementVar(end tokenKind) string {
	t, next := p.peek(0), p.peek(1)
	if !isName(t) {
		return ""
	}
	switch next.kind {
	case end, tColon, tStar, tBrace, tDollar:
	default:
		follows := next.word == kWhere || next.word == kIs
		if t.word == kWhere && !follows || t.word == kIs && !follows && (isName(next) || beginsLabel(next.kind)) {
			return ""
		}
	}
	p.at++
	return p.nameOf(t)
}

// properties reads {…} or a parameter, if there is one.
func (p *parser) properties() Expr {
	switch p.kind() {
	case tBrace:
		return p.mapLiteral()
	case tDollar:
		return p.parameter()
	}
	return nil
}

func (p *parser) isDash(n int) bool {
	k := p.peek(n).kind
	return k == tMinus || k == tDash
}

// beginsRel reports whether the tokens go on with -, <- or a like sign.
func (p *parser) beginsRel() bool {
	k := p.kind()
	return k == tMinus || k == tDash || (k == tLess || k == tLeftHead) && p.isDash(1)
}

func (p *parser) rel() *RelPattern {
	r := &RelPattern{At: p.here()}
	left := p.takeKind(tLess) || p.takeKind(tLeftHead)
	p.at++
	if p.takeKind(tBracket) {
		r.Var = p.elementVar(tBracketEnd)
		r.Types = p.labelPart()
		r.Length = p.length()
		r.Props = p.properties()
		if p.takeWord(kWhere) {
			r.Where = p.bracketed()
		}
		p.needKind(tBracketEnd, "a type, *, {properties}, WHERE or ]")
	}
	if !p.isDash(0) {
		p.unexpected("- to end the relationship, such as -[:TYPE]->")
		return r
	}
	p.at++
	right := p.takeKind(tGreater) || p.takeKind(tRightHead)
	switch {
	case right && !left:
		r.Dir = Right
	case left && !right:
		r.Dir = Left
	}
	return r
}

// length reads *, *2, *1..3 and the like.
func (p *parser) length() *Length {
	if !p.takeKind(tStar) {
		return nil
	}
	l := &Length{}
	if p.kind() == tInteger {
		n := p.count()
		l.Min = &n
	}
	if p.takeKind(tDots) {
		if p.kind() == tInteger {
			n := p.count()
			l.Max = &n
		}
	} else if l.Min != nil {
		n := *l.Min
		l.Max = &n
	}
	return l
}

// labelPart reads :A|B or IS A|B, if it is there.
func (p *parser) labelPart() LabelExpr {
	if p.takeKind(tColon) || p.takeWord(kIs) {
		return p.labelExpr()
	}
	return nil
}

// labelExpr reads labels. As in Neo4j, those joined by colons take no other sign.
func (p *parser) labelExpr() LabelExpr {
	start := p.peek(0)
	l := p.labelOr()
	colons, signs := false, false
	if p.err == nil {
		Walk(l, func(n Node) bool {
			switch n := n.(type) {
			case *LabelAnd:
				colons, signs = colons || n.Colons, signs || !n.Colons
			case *LabelOr, *LabelNot, *LabelWildcard:
				signs = true
			}
			return true
		})
	}
	if colons && signs {
		p.fail(Syntax, start, "found labels joined by : together with |, &, ! or %, expected & in place of the colons between labels")
	}
	return l
}

func beginsLabel(k tokenKind) bool { return k == tBang || k == tPercent || k == tParen }

func (p *parser) labelOr() LabelExpr {
	l := p.labelAnd()
	for p.kind() == tBar && !p.endsAtBar() {
		at := p.here()
		p.at++
		p.takeKind(tColon)
		l = &LabelOr{At: at, L: l, R: p.labelAnd()}
	}
	return l
}

func (p *parser) labelAnd() LabelExpr {
	l := p.labelNot()
	for {
		at := p.here()
		switch {
		case p.takeKind(tAmpersand):
			l = &LabelAnd{At: at, L: l, R: p.labelNot()}
		case p.takeKind(tColon):
			l = &LabelAnd{At: at, L: l, R: p.labelNot(), Colons: true}
		default:
			return l
		}
	}
}

func (p *parser) labelNot() LabelExpr {
	at := p.here()
	switch p.kind() {
	case tBang:
		p.at++
		p.enter()
		defer p.leave()
		return &LabelNot{At: at, X: p.labelNot()}
	case tParen:
		p.at++
		p.enter()
		defer p.leave()
		outside := p.barEnds
		p.barEnds = false
		l := p.labelOr()
		p.barEnds = outside
		p.needKind(tParenEnd, "&, | or )")
		return l
	case tPercent:
		p.at++
		return &LabelWildcard{At: at}
	case tDollar:
		p.fail(Unsupported, p.peek(0), "found a label given at run time, expected the label itself, such as :Person")
		return &LabelWildcard{At: at}
	}
	return &Label{At: at, Name: p.name("a label or type")}
}
