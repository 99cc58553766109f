package embedded

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"precedent/store/cypher"
)

// Bounds of regular expressions, which a query may build from anything. Go's
// match in time linear in the text, but (a{500}b{500}){2} is long when it is
// spelt out.
const (
	maxPattern  = 1000    // bytes of one
	maxProgram  = 10_000  // instructions that one becomes
	maxPatterns = 16      // kept of those that the rows of a run make
	atOnce      = 1 << 18 // signs of a text times instructions that are matched without looking up
)

// A pattern is a regular expression that matches whole texts.
type pattern struct {
	re   *regexp.Regexp
	size int // instructions, about
}

// newPattern compiles the text of a regular expression.
func newPattern(text string) (*pattern, error) {
	if len(text) > maxPattern {
		return nil, queryError("a regular expression of %d bytes is too long: at most %d", len(text), maxPattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		if strings.Contains(text, "(?=") || strings.Contains(text, "(?!") || strings.Contains(text, "(?<") || strings.Contains(text, `\1`) {
			return nil, unsupported("the regular expression %q: it looks ahead, behind or back", text)
		}
		return nil, queryError("Invalid Regex: %q: %v", text, err)
	}
	size := programSize(tree)
	if size > maxProgram {
		return nil, queryError("the regular expression %q repeats too much: spelt out it has more than %d parts", text, maxProgram)
	}
	re, err := regexp.Compile(`\A(?:` + text + `)\z`)
	if err != nil {
		return nil, queryError("Invalid Regex: %q: %v", text, err)
	}
	return &pattern{re, size}, nil
}

// programSize is about how many instructions package regexp compiles tree to;
// beyond maxProgram it is any larger number.
func programSize(tree *syntax.Regexp) int {
	size := 1 + len(tree.Rune)
	if tree.Op == syntax.OpCharClass {
		size = 1
	}
	for _, sub := range tree.Sub {
		if size += programSize(sub); size > maxProgram {
			return size
		}
	}
	if tree.Op == syntax.OpRepeat {
		size *= max(1, tree.Min, tree.Max)
	}
	return size
}

// matches tells whether the whole of s fits.
func (p *pattern) matches(x *exec, s string) bool {
	if len(s)*p.size <= atOnce {
		x.work(len(s) * p.size)
		return p.re.MatchString(s)
	}
	return p.re.MatchReader(&runeReader{x: x, s: s, cost: bytesPerStep * (1 + p.size/100)})
}

// runeReader reads a text sign by sign, and charges what matching a sign costs.
type runeReader struct {
	x    *exec
	s    string
	cost int // as bytes of work
}

func (r *runeReader) ReadRune() (rune, int, error) {
	r.x.work(r.cost)
	if r.s == "" {
		return 0, 0, io.EOF
	}
	sign, size := utf8.DecodeRuneInString(r.s)
	r.s = r.s[size:]
	return sign, size, nil
}

// pattern returns the compiled form of a text that rows made.
func (x *exec) pattern(text string) (*pattern, error) {
	if p := x.patterns[text]; p != nil {
		return p, nil
	}
	p, err := newPattern(text)
	if err != nil {
		return nil, err
	}
	if x.patterns == nil || len(x.patterns) >= maxPatterns {
		x.patterns = map[string]*pattern{}
	}
	x.patterns[text] = p
	return p, nil
}

// matches compiles a =~ b: the whole text must match.
func (c *compiler) matches(s *scope, e *cypher.Binary) (expr, error) {
	var fixed *pattern
	if l, ok := e.R.(*cypher.Literal); ok {
		if text, ok := l.Value.(string); ok {
			var err error
			if fixed, err = newPattern(text); err != nil {
				return nil, err
			}
		}
	}
	return c.two(s, e.L, e.R, func(x *exec, a, b any) (any, error) {
		text, ok := a.(string)
		if b == nil {
			return nil, nil
		}
		of, isText := b.(string)
		if !isText {
			return nil, mismatch("String", b)
		}
		if !ok {
			return nil, nil
		}
		p := fixed
		if p == nil {
			var err error
			if p, err = x.pattern(of); err != nil {
				return nil, err
			}
		}
		return p.matches(x, text), nil
	})
}
