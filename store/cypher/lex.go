package cypher

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tEnd     tokenKind = iota // of the text
	tBad                      // what no token begins with; the lexer holds the reason
	tName                     // an unquoted word, keywords included
	tQuoted                   // `a name`
	tInteger                  // decimal, hexadecimal or octal
	tFloat
	tString
	tParen
	tParenEnd
	tBracket
	tBracketEnd
	tBrace
	tBraceEnd
	tComma
	tSemicolon
	tColon
	tColons // ::
	tDot
	tDots // ..
	tDollar
	tBar
	tBars // ||
	tAmpersand
	tBang
	tPercent
	tPlus
	tPlusEquals
	tMinus
	tDash // a dash that Neo4j takes in arrows only
	tStar
	tSlash
	tCaret
	tEquals
	tMatches // =~
	tNotEquals
	tBangEquals // !=
	tLess
	tLessEquals
	tGreater
	tGreaterEquals
	tLeftHead  // ⟨ and its like, in arrows only
	tRightHead // ⟩
)

// A token is a piece of the text. The last one of a text is tEnd or tBad.
type token struct {
	kind       tokenKind
	word       keyword // of a tName
	start, end int32
}

type lexer struct {
	text   string
	tokens []token
	bad    string // why the last token is tBad
}

// run fills tokens.
func (l *lexer) run() {
	i := 0
	for {
		i = l.skipSpace(i)
		if i >= len(l.text) {
			l.add(tEnd, len(l.text), len(l.text))
			return
		}
		if i = l.next(i); i < 0 {
			return
		}
	}
}

func (l *lexer) add(kind tokenKind, start, end int) int {
	l.tokens = append(l.tokens, token{kind: kind, start: int32(start), end: int32(end)})
	return end
}

// fail ends the tokens with one that nothing accepts.
func (l *lexer) fail(start, end int, why string) int {
	l.bad = why
	l.add(tBad, start, end)
	return -1
}

// skipSpace returns where the next token begins. An unfinished comment is left for next to refuse.
func (l *lexer) skipSpace(i int) int {
	text := l.text
	for i < len(text) {
		switch c := text[i]; {
		case c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f:
			i++
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			end := strings.IndexAny(text[i:], "\r\n")
			if end < 0 {
				end = len(text) - i
			}
			if hidesSign(text[i:i+end], commentSigns) >= 0 {
				return i
			}
			i += end
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			end := strings.Index(text[i+2:], "*/")
			if end < 0 || hidesSign(text[i:i+2+end], commentSigns) >= 0 {
				return i
			}
			i += end + 4
		case c < utf8.RuneSelf:
			return i
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if !isSpace(r) {
				return i
			}
			i += size
		}
	}
	return i
}

// isSpace reports the white space that Neo4j's lexer skips, beyond ASCII.
func isSpace(r rune) bool {
	switch r {
	case 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

const (
	hiddenSign   = `a \u escape of a sign that ends strings or comments, which Neo4j reads before anything else, expected the sign itself`
	commentSigns = "*/\n\r\\"
)

// hidesSign returns where text holds a \uXXXX escape of one of signs, or -1.
// Neo4j 5 replaces such escapes anywhere in a query, comments included, before
// it reads the query, so that they could end a string or a comment unseen.
func hidesSign(text, signs string) int {
	for i := strings.IndexByte(text, '\\'); i >= 0 && i+1 < len(text); {
		if text[i+1] == 'u' {
			if r, ok := hex4(text[i+2:]); ok && strings.ContainsRune(signs, r) {
				return i
			}
		}
		next := strings.IndexByte(text[i+2:], '\\')
		if next < 0 {
			break
		}
		i += 2 + next
	}
	return -1
}

// hex4 reads the first four bytes of s as hexadecimal digits.
func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// next adds the token that begins at i and returns its end, or -1 after tBad.
func (l *lexer) next(i int) int {
	text := l.text
	c := text[i]
	var after byte
	if i+1 < len(text) {
		after = text[i+1]
	}
	switch {
	case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_':
		return l.name(i)
	case c >= '0' && c <= '9' || c == '.' && after >= '0' && after <= '9':
		return l.number(i)
	case c == '\'' || c == '"':
		return l.quoted(i, c)
	case c == '`':
		return l.backquoted(i)
	case c >= utf8.RuneSelf:
		return l.wide(i)
	}
	for _, p := range pairs[c&0x7f] {
		if p.second == after {
			return l.add(p.kind, i, i+2)
		}
	}
	if kind := signs[c&0x7f]; kind != tEnd {
		return l.add(kind, i, i+1)
	}
	switch {
	case c == '/' && after == '*' && !strings.Contains(text[i+2:], "*/"):
		return l.fail(i, i+2, "a comment that is never closed, expected */")
	case c == '/' && (after == '*' || after == '/'):
		return l.fail(i, i+2, "a comment with "+hiddenSign)
	case c == '/':
		return l.add(tSlash, i, i+1)
	case c == '?':
		return l.fail(i, i+1, `found "?", expected a parameter such as $name`)
	}
	return l.fail(i, i+1, "found "+quoteSign(text[i:i+1])+", which begins nothing in Cypher, expected it inside quotes or backquotes")
}

var signs = [128]tokenKind{
	'(': tParen, ')': tParenEnd, '[': tBracket, ']': tBracketEnd, '{': tBrace, '}': tBraceEnd, ',': tComma,
	';': tSemicolon, ':': tColon, '.': tDot, '$': tDollar, '|': tBar, '&': tAmpersand, '!': tBang, '%': tPercent,
	'+': tPlus, '-': tMinus, '*': tStar, '^': tCaret, '=': tEquals, '<': tLess, '>': tGreater,
}

type pair struct {
	second byte
	kind   tokenKind
}

var pairs = [128][]pair{
	':': {{':', tColons}}, '.': {{'.', tDots}}, '|': {{'|', tBars}}, '+': {{'=', tPlusEquals}},
	'=': {{'~', tMatches}}, '!': {{'=', tBangEquals}}, '>': {{'=', tGreaterEquals}},
	'<': {{'=', tLessEquals}, {'>', tNotEquals}},
}

func (l *lexer) name(i int) int {
	end := nameEnd(l.text, i)
	l.tokens = append(l.tokens, token{tName, keywordOf(l.text[i:end]), int32(i), int32(end)})
	return end
}

// nameEnd returns the end of the name that has begun before or at i.
func nameEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$' {
				i++
				continue
			}
			return i
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isNamePart(r) {
			return i
		}
		i += size
	}
	return i
}

// isNameStart and isNamePart follow Neo4j's lexer, which knows the Basic
// Multilingual Plane only, but leave out invisible characters.
func isNameStart(r rune) bool {
	return r == '_' || r <= 0xffff && (unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Pc))
}

func isNamePart(r rune) bool {
	return isNameStart(r) || r <= 0xffff && unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Sc)
}

// wide adds a token that begins with a character beyond ASCII.
func (l *lexer) wide(i int) int {
	r, size := utf8.DecodeRuneInString(l.text[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return l.fail(i, i+1, notUTF8)
	case isNameStart(r):
		return l.name(i)
	case r >= 0x2010 && r <= 0x2015 || r == 0xfe58 || r == 0xfe63 || r == 0xff0d:
		return l.add(tDash, i, i+size)
	case r == 0x27e8 || r == 0x3008 || r == 0xfe64 || r == 0xff1c:
		return l.add(tLeftHead, i, i+size)
	case r == 0x27e9 || r == 0x3009 || r == 0xfe65 || r == 0xff1e:
		return l.add(tRightHead, i, i+size)
	case r >= 0x2018 && r <= 0x201f:
		return l.fail(i, i+size, "found the typographic quote "+string(r)+", expected ' or \"")
	}
	return l.fail(i, i+size, "found "+quoteSign(string(r))+", which begins nothing in Cypher, expected it inside quotes or backquotes")
}

// number adds a tInteger or tFloat. Whether an integer's digits and range are
// right is for the parser to say.
func (l *lexer) number(i int) int {
	text := l.text
	kind := tInteger
	end := digitsEnd(text, i)
	based := end == i+1 && text[i] == '0' && end < len(text) && strings.IndexByte("xXo", text[end]) >= 0
	if !based {
		if end+1 < len(text) && text[end] == '.' && text[end+1] >= '0' && text[end+1] <= '9' {
			kind = tFloat
			end = digitsEnd(text, end+1)
		}
		if end < len(text) && text[end]|0x20 == 'e' {
			exponent := end + 1
			if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
				exponent++
			}
			if after := digitsEnd(text, exponent); after > exponent {
				kind, end = tFloat, after
			}
		}
	}
	if after := nameEnd(text, end); after > end {
		if !based {
			return l.fail(i, after, "found "+quoteSign(text[i:after])+", expected a number, or a name in backquotes")
		}
		end = after
	}
	return l.add(kind, i, end)
}

// digitsEnd returns the end of decimal digits at i, which single underscores may separate.
func digitsEnd(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			i++
		} else if c == '_' && i > 0 && text[i-1] >= '0' && text[i-1] <= '9' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			i += 2
		} else {
			break
		}
	}
	return i
}

func (l *lexer) quoted(i int, quote byte) int {
	text := l.text
	escaped := false
	for end := i + 1; end < len(text); end++ {
		switch text[end] {
		case quote:
			if escaped {
				if at := hidesSign(text[i:end], string(quote)+`\`); at >= 0 {
					return l.fail(i+at, i+at+2, "found "+hiddenSign)
				}
			}
			return l.valid(tString, i, end+1)
		case '\\':
			escaped = true
			end++
		}
	}
	return l.fail(i, i+1, "a string that is never closed, expected "+string(quote))
}

func (l *lexer) backquoted(i int) int {
	text := l.text
	for end := i + 1; end < len(text); end++ {
		if text[end] != '`' {
			continue
		}
		if end+1 < len(text) && text[end+1] == '`' {
			end++
			continue
		}
		if end == i+1 {
			return l.fail(i, end+1, "found an empty name, expected a name between the backquotes")
		}
		if strings.Contains(text[i:end], `\u`) {
			return l.fail(i, end+1, `found a \u escape inside backquotes, expected the character itself`)
		}
		return l.valid(tQuoted, i, end+1)
	}
	return l.fail(i, i+1, "a name that is never closed, expected `")
}

const notUTF8 = "found a byte that is not UTF-8, expected UTF-8 text"

// valid adds a token in quotes, which must be UTF-8.
func (l *lexer) valid(kind tokenKind, start, end int) int {
	if utf8.ValidString(l.text[start:end]) {
		return l.add(kind, start, end)
	}
	for i := start; ; {
		r, size := utf8.DecodeRuneInString(l.text[i:end])
		if r == utf8.RuneError && size == 1 {
			return l.fail(i, i+1, notUTF8)
		}
		i += size
	}
}
