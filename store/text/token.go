package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Token is a word, a run of digits, one Han character or one mark.
type Token struct {
	Text       string // folded
	Start, End int    // bytes of the original
	Kind       Kind
	Joined     bool // no space or mark between it and the token before
	Upper      bool // began with an upper-case letter
	Quote      int  // which quotation it stands in, from 1; 0 is none
}

// Kind of a token.
type Kind uint8

// Kinds of tokens. Marks that quote or separate without meaning are dropped.
const (
	Word   Kind = iota // letters
	Number             // decimal digits of any script as ASCII ones, possibly with one decimal point or thousands separators, those dropped
	Han                // one Chinese character
	Mark               // punctuation that separates: , ; : ? ! . / & + - ( ) and the like, folded to ASCII where it can be
)

// opens maps a quotation mark to the one that closes it.
var opens = map[rune]rune{'"': '"', '“': '”', '«': '»', '「': '」', '『': '』', '《': '》', '〈': '〉', '【': '】', '”': '”'}

// Tokens cuts s. A quotation (《…》, “…”, "…", 「…」, or '…' around whole words)
// numbers the tokens in it; its marks are dropped.
func Tokens(s string) []Token {
	c := cutter{s: s, out: make([]Token, 0, len(s)/3+4)}
	c.run()
	return c.out
}

type cutter struct {
	s      string
	out    []Token
	quotes int  // quotations opened so far
	quote  int  // the open one
	closer rune // what closes it
}

func (c *cutter) run() {
	joined := false
	for i := 0; i < len(c.s); {
		r, n := utf8.DecodeRuneInString(c.s[i:])
		switch {
		case c.quote > 0 && r == c.closer && !(r == '\'' && c.letterAt(i+n)):
			c.quote, c.closer = 0, 0
			joined = false
		case c.quote == 0 && c.opensAt(i, r, n):
			joined = false
		case unicode.Is(unicode.Han, r):
			c.add(Token{Start: i, End: i + n, Kind: Han, Joined: joined, Text: Fold(c.s[i : i+n])})
			joined = true
		case unicode.IsDigit(r):
			n = c.digits(i, joined)
			joined = true
		case unicode.IsLetter(r) || r == '½' || r == '_':
			n = c.word(i, joined, r)
			joined = true
		case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r):
			joined = false
		case unicode.Is(unicode.Mn, r):
		default:
			c.add(Token{Start: i, End: i + n, Kind: Mark, Joined: joined, Text: foldMark(r)})
			joined = false
		}
		i += n
	}
}

func (c *cutter) add(t Token) {
	t.Quote = c.quote
	c.out = append(c.out, t)
}

func (c *cutter) letterAt(i int) bool {
	r, _ := utf8.DecodeRuneInString(c.s[i:])
	return i < len(c.s) && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// opensAt starts a quotation if r opens one that is closed further on.
func (c *cutter) opensAt(i int, r rune, n int) bool {
	closer, ok := opens[r]
	if !ok {
		if r != '\'' && r != '‘' || i > 0 && c.letterBefore(i) || !c.letterAt(i+n) {
			return false
		}
		closer = '\''
		if r == '‘' {
			closer = '’'
		}
		rest := c.s[i+n:]
		at := strings.IndexRune(rest, closer)
		for at >= 0 {
			after := at + utf8.RuneLen(closer)
			next, _ := utf8.DecodeRuneInString(rest[after:])
			if after >= len(rest) || !unicode.IsLetter(next) {
				break
			}
			more := strings.IndexRune(rest[after:], closer)
			if more < 0 {
				return false
			}
			at = after + more
		}
		if at < 0 {
			return false
		}
	} else if !strings.ContainsRune(c.s[i+n:], closer) {
		return false
	}
	c.quotes++
	c.quote, c.closer = c.quotes, closer
	return true
}

func (c *cutter) letterBefore(i int) bool {
	r, _ := utf8.DecodeLastRuneInString(c.s[:i])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// digits adds a number and returns its length in bytes.
func (c *cutter) digits(start int, joined bool) int {
	i := start
	var b strings.Builder
	point := false
	for i < len(c.s) {
		r, n := utf8.DecodeRuneInString(c.s[i:])
		next, _ := utf8.DecodeRuneInString(c.s[i+n:])
		switch {
		case unicode.IsDigit(r):
			b.WriteByte('0' + digit(r))
		case r == '.' && !point && i+n < len(c.s) && unicode.IsDigit(next):
			point = true
			b.WriteByte('.')
		case (r == ',' || r == '，') && !point && thousands(c.s[i+n:]):
		default:
			c.add(Token{Start: start, End: i, Kind: Number, Joined: joined, Text: b.String()})
			return i - start
		}
		i += n
	}
	c.add(Token{Start: start, End: i, Kind: Number, Joined: joined, Text: b.String()})
	return i - start
}

// digit is the value of a decimal digit of any script: Unicode keeps the ten of
// a script in a row, from zero.
func digit(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r - '0')
	}
	for _, block := range unicode.Nd.R16 {
		if uint32(block.Lo) <= uint32(r) && uint32(r) <= uint32(block.Hi) {
			return byte((uint32(r) - uint32(block.Lo)) % 10)
		}
	}
	for _, block := range unicode.Nd.R32 {
		if block.Lo <= uint32(r) && uint32(r) <= block.Hi {
			return byte((uint32(r) - block.Lo) % 10)
		}
	}
	return 0
}

// thousands reports whether s begins with exactly three digits.
func thousands(s string) bool {
	for i := range 3 {
		if i >= len(s) || s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) == 3 || s[3] < '0' || s[3] > '9'
}

// word adds a word and returns its length in bytes. A possessive or
// contracted ending ('s, 're, n't) is a token of its own.
func (c *cutter) word(start int, joined bool, first rune) int {
	i := start
	for i < len(c.s) {
		r, n := utf8.DecodeRuneInString(c.s[i:])
		if unicode.Is(unicode.Han, r) || !(unicode.IsLetter(r) || r == '½' || r == '_' || unicode.Is(unicode.Mn, r)) {
			if (r == '\'' || r == '’') && c.letterAt(i+n) && !(c.quote > 0 && r == c.closer && false) {
				tail := i + n
				for tail < len(c.s) && c.letterAt(tail) {
					_, m := utf8.DecodeRuneInString(c.s[tail:])
					tail += m
				}
				c.add(Token{Start: start, End: i, Kind: Word, Joined: joined, Upper: unicode.IsUpper(first), Text: Fold(c.s[start:i])})
				c.add(Token{Start: i, End: tail, Kind: Word, Joined: true, Text: "'" + Fold(c.s[i+n:tail])})
				return tail - start
			}
			break
		}
		i += n
	}
	c.add(Token{Start: start, End: i, Kind: Word, Joined: joined, Upper: unicode.IsUpper(first), Text: Fold(c.s[start:i])})
	return i - start
}

// foldMark narrows a mark and maps Chinese punctuation to its ASCII kin.
func foldMark(r rune) string {
	switch r {
	case '。', '．':
		return "."
	case '、':
		return ","
	case '—', '–', '～', '~', '−':
		return "-"
	case '·', '•', '‧', '・':
		return "·"
	}
	return Fold(string(r))
}

// Key joins tokens into the form under which values and aliases are looked up:
// marks dropped, Han characters and joined tokens together, words apart by one space.
func Key(ts []Token) string {
	if len(ts) == 1 {
		return ts[0].Text
	}
	var b strings.Builder
	last := Mark
	for _, t := range ts {
		if t.Kind == Mark && t.Text != "&" {
			continue
		}
		word := t.Text
		if word == "&" {
			word = "and"
		}
		if b.Len() > 0 && !(t.Kind == Han && last == Han) && !strings.HasPrefix(word, "'") {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		last = t.Kind
	}
	return b.String()
}

// KeyOf is Key of s cut into tokens.
func KeyOf(s string) string { return Key(Tokens(s)) }
