package cypher

// What follows looks ahead over tokens without building a tree, to tell forms
// apart that begin alike. Each look is linear in the brackets it skips.

// endsAtBar tells the | before the last part of a comprehension from one
// between labels: the last | inside the brackets is the comprehension's.
func (p *parser) endsAtBar() bool {
	if !p.barEnds {
		return false
	}
	depth := 0
	for n := 1; ; n++ {
		switch p.peek(n).kind {
		case tParen, tBracket, tBrace:
			depth++
		case tParenEnd, tBracketEnd, tBraceEnd:
			if depth--; depth < 0 {
				return true
			}
		case tBar:
			if depth == 0 {
				return false
			}
		case tEnd, tBad, tSemicolon:
			return true
		}
	}
}

// beginsPathExpr reports whether the parenthesis n tokens ahead begins a
// pattern, (a)-->(b), and not an expression in parentheses.
func (p *parser) beginsPathExpr(n int) bool {
	n++
	if isName(p.peek(n)) {
		n++
	}
	t := p.peek(n)
	if t.kind == tColon || t.word == kIs && p.peek(n+1).word != kNull && p.peek(n+1).word != kNot {
		n = p.skipLabels(n + 1)
	}
	switch p.peek(n).kind {
	case tBrace:
		n = p.skipBrackets(n)
	case tDollar:
		n += 2
	}
	if p.peek(n).word == kWhere {
		n = p.skipInside(n)
	}
	return p.peek(n).kind == tParenEnd && p.relFollows(n+1)
}

// relFollows reports whether a relationship stands n tokens ahead, and not a
// minus or a comparison.
func (p *parser) relFollows(n int) bool {
	end := p.relEnd(n)
	if end < 0 {
		return false
	}
	last := p.peek(end - 1).kind
	return p.peek(end).kind == tParen || last == tGreater || last == tRightHead
}

// relEnd returns the index behind the relationship n tokens ahead, or -1.
func (p *parser) relEnd(n int) int {
	if k := p.peek(n).kind; k == tLess || k == tLeftHead {
		n++
	}
	if !p.isDash(n) {
		return -1
	}
	n++
	if p.peek(n).kind == tBracket {
		n = p.skipBrackets(n)
	}
	if !p.isDash(n) {
		return -1
	}
	n++
	if k := p.peek(n).kind; k == tGreater || k == tRightHead {
		n++
	}
	return n
}

// comprehends reports whether a pattern stands n tokens ahead with the WHERE
// or | of a pattern comprehension behind it.
func (p *parser) comprehends(n int) bool {
	if p.peek(n).kind != tParen || !p.beginsPathExpr(n) {
		return false
	}
	for n = p.skipBrackets(n); p.relFollows(n); n = p.skipBrackets(n) {
		if n = p.relEnd(n); p.peek(n).kind != tParen {
			return false
		}
	}
	return p.peek(n).kind == tBar || p.peek(n).word == kWhere
}

// skipBrackets returns the index behind the brackets that open n tokens ahead.
func (p *parser) skipBrackets(n int) int { return p.skipInside(n+1) + 1 }

// skipInside returns the index of the bracket that closes around n.
func (p *parser) skipInside(n int) int {
	depth := 0
	for ; ; n++ {
		switch p.peek(n).kind {
		case tParen, tBracket, tBrace:
			depth++
		case tParenEnd, tBracketEnd, tBraceEnd:
			if depth--; depth < 0 {
				return n
			}
		case tEnd, tBad, tSemicolon:
			return n
		}
	}
}

// skipLabels returns the index behind the labels that begin n tokens ahead.
func (p *parser) skipLabels(n int) int {
	for operand := true; ; {
		switch k := p.peek(n).kind; {
		case operand && k == tBang:
			n++
		case operand && k == tParen:
			n, operand = p.skipBrackets(n), false
		case operand && (k == tName || k == tQuoted || k == tPercent):
			n, operand = n+1, false
		case !operand && (k == tBar || k == tAmpersand || k == tColon):
			n, operand = n+1, true
		case operand && k == tColon: // the old :A|:B
			n++
		default:
			return n
		}
	}
}

// beginsExpr reports whether an expression can begin n tokens ahead. Words that
// join or end expressions don't count, though they could be names.
func (p *parser) beginsExpr(n int) bool {
	t := p.peek(n)
	switch t.kind {
	case tQuoted, tInteger, tFloat, tString, tParen, tBracket, tBrace, tDollar, tMinus, tPlus, tStar, tBad:
		return true
	case tName:
		switch t.word {
		case kAnd, kOr, kXor, kIn, kIs, kStarts, kEnds, kContains, kAs, kThen, kWhen, kElse, kEnd,
			kOrder, kSkip, kOffset, kLimit, kWhere, kUnion:
			return false
		}
		return true
	}
	return false
}
