package cypher

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// number makes a literal of a tInteger, a tFloat or the word Infinity.
func (p *parser) number(t *token, negative bool) *Literal {
	l := &Literal{At: At(t.start)}
	switch t.kind {
	case tInteger:
		l.Value = p.integer(t, negative)
	case tFloat:
		f, err := strconv.ParseFloat(strings.ReplaceAll(p.source(t), "_", ""), 64)
		if err != nil {
			p.fail(Syntax, t, "found the number "+quoteSign(p.source(t))+", expected one between -1.797e308 and 1.797e308")
		}
		if negative {
			f = -f
		}
		l.Value = f
	default:
		l.Value = math.Inf(-1)
	}
	return l
}

// integer reads decimal, 0x and 0o digits.
func (p *parser) integer(t *token, negative bool) int64 {
	s := p.source(t)
	digits, base := s, 10
	if len(s) > 1 && s[0] == '0' {
		switch s[1] {
		case 'x':
			digits, base = s[2:], 16
		case 'o':
			digits, base = s[2:], 8
		default:
			p.fail(Syntax, t, "found the number "+quoteSign(s)+" with a leading zero, expected it without, or 0x before hexadecimal and 0o before octal digits")
			return 0
		}
	}
	if strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		p.fail(Syntax, t, "found the number "+quoteSign(s)+", expected single underscores between digits only")
		return 0
	}
	n, err := strconv.ParseUint(strings.ReplaceAll(digits, "_", ""), base, 64)
	most := uint64(math.MaxInt64)
	if negative {
		most++
	}
	switch {
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax:
		p.fail(Syntax, t, "found the number "+quoteSign(s)+", expected digits of base "+strconv.Itoa(base))
		return 0
	case err != nil || n > most:
		p.fail(Syntax, t, "found the integer "+quoteSign(s)+", expected one between -9223372036854775808 and 9223372036854775807")
		return 0
	}
	if negative {
		return -int64(n)
	}
	return int64(n)
}

// unescape returns the value of a string. A backslash before a character that
// it doesn't change stays, as in Neo4j 5.
func (p *parser) unescape(t *token) string {
	s := p.lexer.text[t.start+1 : t.end-1]
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; i >= 0; i = strings.IndexByte(s, '\\') {
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case '\\', '\'', '"':
			b.WriteByte(c)
		case 'u':
			r, ok := hex4(s)
			if !ok {
				p.fail(Syntax, t, `found \u in a string without four hexadecimal digits behind it, expected them, or \\u`)
				return ""
			}
			s = s[4:]
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if strings.HasPrefix(s, `\u`) {
					low, _ = hex4(s[2:])
				}
				if r = utf16.DecodeRune(r, low); r == '\uFFFD' {
					p.fail(Syntax, t, `found half a \u surrogate pair in a string, expected both halves, or the character itself`)
					return ""
				}
				s = s[6:]
			}
			b.WriteRune(r)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	b.WriteString(s)
	return b.String()
}

// typeWords are the type names of one word; those of more follow in typeStarts.
var typeWords = []string{
	"NOTHING", "NULL", "BOOL", "BOOLEAN", "VARCHAR", "STRING", "INT", "INTEGER", "FLOAT", "DATE", "DURATION",
	"POINT", "NODE", "VERTEX", "RELATIONSHIP", "EDGE", "MAP", "PATH", "PATHS",
}

// typeStarts are the first words of longer type names, with what may follow.
var typeStarts = map[string][]string{
	"SIGNED": {"INTEGER"}, "LOCAL": {"TIME", "DATETIME"}, "ZONED": {"TIME", "DATETIME"}, "PROPERTY": {"VALUE"},
	"TIME":      {"WITH TIMEZONE", "WITHOUT TIMEZONE", "WITH TIME ZONE", "WITHOUT TIME ZONE"},
	"TIMESTAMP": {"WITH TIMEZONE", "WITHOUT TIMEZONE", "WITH TIME ZONE", "WITHOUT TIME ZONE"},
	"ANY":       {"PROPERTY VALUE", "VALUE", "NODE", "VERTEX", "RELATIONSHIP", "EDGE", "MAP", ""},
}

// typeName reads a type and returns it in upper case, words one space apart.
func (p *parser) typeName() string {
	p.enter()
	defer p.leave()
	var name strings.Builder
	name.WriteString(p.typePart())
	for p.kind() == tBar && !p.endsAtBar() {
		p.at++
		name.WriteString(" | " + p.typePart())
	}
	return name.String()
}

func (p *parser) typePart() string {
	t := p.peek(0)
	name := strings.ToUpper(p.source(t))
	rest, longer := typeStarts[name]
	switch {
	case t.kind != tName:
		p.unexpected("a type such as INTEGER or LIST<STRING>")
		return ""
	case name == "LIST" || name == "ARRAY":
		p.at++
		name = "LIST" + p.typeInside()
	case slices.Contains(typeWords, name):
		p.at++
	case longer:
		p.at++
		name += p.typeRest(rest)
		if p.kind() == tLess && (name == "ANY" || name == "ANY VALUE") {
			name += p.typeInside()
		}
	default:
		p.unexpected("a type such as INTEGER or LIST<STRING>")
		return ""
	}
	for {
		switch {
		case p.word() == kNot && p.peek(1).word == kNull:
			p.at += 2
			name += " NOT NULL"
		case p.takeKind(tBang):
			name += " NOT NULL"
		case p.isWord(0, "list") || p.isWord(0, "array"):
			p.at++
			name += " LIST"
		default:
			return name
		}
	}
}

// typeInside reads <TYPE>.
func (p *parser) typeInside() string {
	p.needKind(tLess, "< and the type of the items")
	outside := p.barEnds
	p.barEnds = false
	inside := p.typeName()
	p.barEnds = outside
	p.needKind(tGreater, ">")
	return "<" + inside + ">"
}

// typeRest reads one of the given continuations.
func (p *parser) typeRest(all []string) string {
	for _, words := range all {
		n := 0
		for w := range strings.FieldsSeq(words) {
			if !p.isWord(n, strings.ToLower(w)) {
				n = -1
				break
			}
			n++
		}
		if n > 0 {
			p.at += n
			return " " + words
		}
		if words == "" {
			return ""
		}
	}
	p.unexpected("one of " + strings.Join(all, ", "))
	return ""
}
