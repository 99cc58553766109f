package cypher

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Limits of a text. A tree is at most about MaxDepth deep, but for a chain of
// operators of one level (a OR b OR …), which leans left and is as deep as it
// is long; even the longest that MaxLength allows is safe to recurse into.
const (
	MaxLength = 64 << 10 // bytes
	MaxDepth  = 200      // brackets, subqueries, NOTs and other things inside each other
)

// Parse reads one statement; a single semicolon may end it. The error is
// always an *[Error] and is the first problem of the text, except that a text
// of several statements is refused as such. What Neo4j checks beyond the
// grammar (names, types, aggregation) isn't checked here, save that RETURN
// ends a query and that WITH names what it carries on.
func Parse(text string) (*Statement, error) {
	if len(text) > MaxLength {
		return nil, newError(text, TooLong, token{start: MaxLength, end: MaxLength},
			"the query has "+strconv.Itoa(len(text))+" bytes, expected at most "+strconv.Itoa(MaxLength)+": shorten it or pass long values as parameters")
	}
	p := parsers.Get().(*parser)
	defer p.release()
	p.lexer.text = text
	p.lexer.run()
	s := p.whole()
	if second, ok := p.secondStatement(); ok {
		p.err = newError(text, Admin, second, "found a second statement, expected a single one: remove everything after the first ;")
	}
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// A parser reads tokens by recursive descent. The first failure sticks: it
// moves the parser to a tEnd behind the tokens, where every loop ends.
type parser struct {
	lexer
	at      int // index of the current token
	depth   int
	barEnds bool // a | may end the expression being read, as in [x IN xs WHERE x:A | x]
	err     *Error
}

const keepTokens = 4096 // tokens kept for the next text

func (p *parser) release() {
	tokens := p.tokens[:0]
	if cap(tokens) > keepTokens {
		tokens = nil
	}
	*p = parser{lexer: lexer{tokens: tokens}}
	parsers.Put(p)
}

var endToken token

func (p *parser) peek(n int) *token {
	if p.at+n < len(p.tokens) {
		return &p.tokens[p.at+n]
	}
	return &endToken
}

func (p *parser) kind() tokenKind { return p.peek(0).kind }
func (p *parser) word() keyword   { return p.peek(0).word }

// here is the position of the current token.
func (p *parser) here() At { return At(p.peek(0).start) }

// text of a token as written.
func (p *parser) source(t *token) string { return p.lexer.text[t.start:t.end] }

func (p *parser) takeKind(k tokenKind) bool {
	if p.kind() != k {
		return false
	}
	p.at++
	return true
}

func (p *parser) takeWord(k keyword) bool {
	if p.word() != k {
		return false
	}
	p.at++
	return true
}

func (p *parser) needKind(k tokenKind, what string) {
	if !p.takeKind(k) {
		p.unexpected(what)
	}
}

func (p *parser) needWord(k keyword) {
	if !p.takeWord(k) {
		p.unexpected(strings.ToUpper(keywordNames[k]))
	}
}

// isWord compares a token with a word that is no keyword; lower is in lower case.
func (p *parser) isWord(n int, lower string) bool {
	t := p.peek(n)
	return t.kind == tName && sameWord(p.source(t), lower)
}

func isName(t *token) bool { return t.kind == tName || t.kind == tQuoted }

// name takes a name, keywords included.
func (p *parser) name(what string) string {
	t := p.peek(0)
	if !isName(t) {
		p.unexpected(what)
		return ""
	}
	p.at++
	return p.nameOf(t)
}

func (p *parser) nameOf(t *token) string {
	s := p.source(t)
	if t.kind == tQuoted {
		s = s[1 : len(s)-1]
		if strings.Contains(s, "``") {
			s = strings.ReplaceAll(s, "``", "`")
		}
	}
	return s
}

// fail records the first failure and skips the rest of the text.
func (p *parser) fail(kind ErrorKind, t *token, message string) {
	if p.err == nil {
		p.err = newError(p.lexer.text, kind, *t, message)
	}
	p.at = len(p.tokens)
}

// unexpected fails at the current token, which is not what was expected.
func (p *parser) unexpected(what string) { p.unexpectedAt(p.peek(0), what) }

func (p *parser) unexpectedAt(t *token, what string) {
	if p.err != nil {
		return
	}
	switch t.kind {
	case tBad:
		p.fail(Syntax, t, p.bad)
	case tEnd:
		p.fail(Syntax, t, "the query ends, expected "+what)
	case tBangEquals:
		p.fail(Syntax, t, "found !=, expected <>, which is how Cypher says not equal")
	default:
		p.fail(Syntax, t, "found "+quoteSign(p.source(t))+", expected "+what)
	}
}

// enter counts nesting; leave must follow.
func (p *parser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.fail(TooDeep, p.peek(0), "the query is nested deeper than "+strconv.Itoa(MaxDepth)+" levels, expected fewer brackets and subqueries inside each other")
	}
}

func (p *parser) leave() { p.depth-- }

func newError(text string, kind ErrorKind, t token, message string) *Error {
	e := &Error{Kind: kind, Pos: Pos(t.start), Message: message, Word: text[t.start:t.end]}
	e.Line, e.Col = Position(text, e.Pos)
	return e
}

const longestQuote = 40 // runes of the text that a message repeats

// quoteSign shows a piece of the text inside a message.
func quoteSign(s string) string {
	short, n := s, 0
	for i := range s {
		if n++; n > longestQuote {
			short = s[:i] + "…"
			break
		}
	}
	for _, r := range short {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return strconv.QuoteToASCII(short)
		}
	}
	return `"` + short + `"`
}

// whole reads the text to its end.
func (p *parser) whole() *Statement {
	s := p.statement(endsWithResult)
	p.takeKind(tSemicolon)
	if p.kind() != tEnd {
		p.unexpected("the next clause or the end of the query")
	}
	return s
}

// secondStatement looks for anything behind a semicolon.
func (p *parser) secondStatement() (token, bool) {
	for i, t := range p.tokens {
		if t.kind == tSemicolon {
			next := p.tokens[i+1]
			return next, next.kind != tEnd && next.kind != tSemicolon
		}
	}
	return token{}, false
}

// statement reads parts joined by UNION.
func (p *parser) statement(must ending) *Statement {
	p.enter()
	defer p.leave()
	s := &Statement{At: p.here()}
	for {
		s.Parts = append(s.Parts, p.part(must))
		if !p.takeWord(kUnion) {
			return s
		}
		all := p.takeWord(kAll)
		if !all {
			p.takeWord(kDistinct)
		}
		s.All = append(s.All, all)
		if len(s.All) > 1 && s.All[0] != all {
			p.unexpectedAt(p.peek(-1), "the same kind of UNION throughout, either UNION or UNION ALL")
		}
	}
}

// An ending is what a part must end with.
type ending int

const (
	endsWithResult ending = iota // RETURN, or a procedure call
	endsAnyhow                   // in EXISTS { … } and COUNT { … }
	endsWithReturn               // in COLLECT { … }
)

func (p *parser) part(must ending) *Part {
	part := &Part{At: p.here()}
	for {
		t := p.peek(0)
		if t.kind == tEnd || t.kind == tSemicolon || t.kind == tBraceEnd || t.word == kUnion {
			break
		}
		c := p.clause()
		if p.err != nil {
			return part
		}
		if n := len(part.Clauses); n > 0 {
			if _, ok := part.Clauses[n-1].(*Return); ok {
				p.unexpectedAt(t, "nothing after RETURN: move the clause before it, or carry on with WITH")
				return part
			}
		}
		part.Clauses = append(part.Clauses, c)
	}
	p.endOf(part, must)
	return part
}

// endOf refuses a part that yields nothing.
func (p *parser) endOf(part *Part, must ending) {
	if p.err != nil {
		return
	}
	n := len(part.Clauses)
	if n == 0 {
		p.unexpected("a clause such as MATCH, WITH or RETURN")
		return
	}
	if must == endsAnyhow {
		return
	}
	switch last := part.Clauses[n-1].(type) {
	case *Return:
		return
	case *CallProcedure:
		if must == endsWithResult && (n == 1 || len(last.Yield) == 0 && !last.YieldStar) {
			return
		}
	}
	p.unexpected("RETURN, which ends a query that reads")
}
