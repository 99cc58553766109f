package cypher

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var binaryLevels = [...]int{
	Or: levelOr, Xor: levelXor, And: levelAnd, Add: levelAdd, Sub: levelAdd, Concat: levelAdd,
	Mul: levelMultiply, Div: levelMultiply, Mod: levelMultiply, Pow: levelPower,
	In: levelTest, StartsWith: levelTest, EndsWith: levelTest, Contains: levelTest, Matches: levelTest,
}

var binaryWords = [...]string{
	Or: " OR ", Xor: " XOR ", And: " AND ", Add: " + ", Sub: " - ", Concat: " || ", Mul: " * ", Div: " / ",
	Mod: " % ", Pow: " ^ ", In: " IN ", StartsWith: " STARTS WITH ", EndsWith: " ENDS WITH ",
	Contains: " CONTAINS ", Matches: " =~ ",
}

var compareWords = [...]string{Eq: " = ", Ne: " <> ", Lt: " < ", Le: " <= ", Gt: " > ", Ge: " >= "}

// levelWhole is that of expressions which nothing around them can take apart.
const levelWhole = levelPostfix + 1

// levelOf is the precedence of the expression's own operator.
func (p *printer) levelOf(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return binaryLevels[e.Op]
	case *Comparison:
		return levelCompare
	case *IsNull:
		return levelTest
	case *IsNormalized:
		return levelTest
	case *IsTyped:
		if p.barEnds && strings.Contains(e.Type, "|") {
			return 0
		}
		return levelTest
	case *Unary:
		if e.Op == Not {
			return levelNot
		}
		return levelSign
	case *HasLabels:
		if _, ok := e.Labels.(*LabelOr); ok && p.barEnds {
			return 0
		}
		return levelPostfix
	case *Property, *Index, *Slice:
		return levelPostfix
	case *PatternPredicate:
		if e.Path.Shortest == AnyPath {
			return levelNot // a - or < behind it would go on with the pattern
		}
	}
	return levelWhole
}

// expr writes e, in parentheses if its operator is weaker than least.
func (p *printer) expr(e Expr, least int) {
	if p.levelOf(e) < least {
		p.parenthesised(e)
		return
	}
	switch e := e.(type) {
	case *Literal:
		p.literal(e.Value)
	case *Parameter:
		p.put("$")
		if _, err := strconv.ParseUint(e.Name, 10, 64); err == nil {
			p.put(e.Name)
		} else {
			p.name(e.Name)
		}
	case *Variable:
		p.variable(e.Name)
	case *Unary:
		p.unary(e)
	case *Binary:
		level := binaryLevels[e.Op]
		left := level
		if level == levelTest {
			left++
		}
		p.expr(e.L, left)
		p.put(binaryWords[e.Op])
		p.right(e.R, level+1)
	case *Comparison:
		p.expr(e.X[0], levelTest)
		for i, op := range e.Ops {
			p.put(compareWords[op])
			p.right(e.X[i+1], levelTest)
		}
	case *IsNull:
		p.expr(e.X, levelAdd)
		p.put(" IS ")
		p.not(e.Not)
		p.put("NULL")
	case *IsTyped:
		p.expr(e.X, levelAdd)
		p.put(" IS ")
		p.not(e.Not)
		if _, subject := e.X.(*Subject); subject {
			p.put("TYPED ") // IS :: would be a variable
		} else {
			p.put(":: ")
		}
		p.put(e.Type)
	case *IsNormalized:
		p.expr(e.X, levelAdd)
		p.put(" IS ")
		p.not(e.Not)
		if e.Form != "" {
			p.put(e.Form)
			p.put(" ")
		}
		p.put("NORMALIZED")
	case *HasLabels:
		p.base(e.X)
		p.put(":")
		p.labels(e.Labels, labelOr)
	case *Property:
		p.base(e.X)
		p.put(".")
		p.name(e.Key)
	default:
		p.brackets(e)
	}
}

func (p *printer) not(not bool) {
	if not {
		p.put("NOT ")
	}
}

func (p *printer) parenthesised(e Expr) {
	outside := p.barEnds
	p.barEnds = false
	p.put("(")
	p.expr(e, levelOr)
	p.put(")")
	p.barEnds = outside
}

// right writes an operand behind an operator. (…) - -(…) and (…) - […] - (…)
// would be patterns.
func (p *printer) right(e Expr, least int) {
	before := bytes.TrimRight(p.text, " -<")
	start := len(p.text)
	p.expr(e, least)
	if len(before) == 0 || before[len(before)-1] != ')' || len(before) == start {
		return
	}
	after := string(p.text[start:])
	if strings.HasPrefix(after, "[") || strings.HasPrefix(after, "-") && after[1:] != "" && !strings.ContainsRune("0123456789.IN", rune(after[1])) {
		p.text = p.text[:start]
		p.parenthesised(e)
	}
}

func (p *printer) unary(e *Unary) {
	switch e.Op {
	case Not:
		p.put("NOT ")
		p.expr(e.X, levelNot)
		return
	case Neg:
		p.put("-")
	case Plus:
		p.put("+")
	}
	p.base(e.X)
}

// base writes what a sign stands before or a property, index or label behind.
func (p *printer) base(e Expr) {
	switch l := e.(type) {
	case *HasLabels:
		p.parenthesised(e)
		return
	case *Literal:
		switch l.Value.(type) {
		case int64, float64:
			p.parenthesised(e)
			return
		}
	}
	p.expr(e, levelPostfix)
}

func (p *printer) literal(value any) {
	switch v := value.(type) {
	case nil:
		p.put("null")
	case bool:
		p.text = strconv.AppendBool(p.text, v)
	case int64:
		p.int(v)
	case float64:
		p.float(v)
	case string:
		p.string(v)
	}
}

// float writes f with a point or an exponent.
func (p *printer) float(f float64) {
	switch {
	case math.IsNaN(f):
		p.put("NaN")
		return
	case math.IsInf(f, 0):
		if f < 0 {
			p.put("-")
		}
		p.put("Infinity")
		return
	}
	start := len(p.text)
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	p.text = strconv.AppendFloat(p.text, f, format, -1, 64)
	if !bytes.ContainsAny(p.text[start:], ".e") {
		p.put(".0")
	}
}

func (p *printer) string(s string) {
	p.put("'")
	for _, r := range s {
		switch r {
		case '\'', '\\':
			p.put(`\`)
			p.put(string(r))
		case '\n':
			p.put(`\n`)
		case '\r':
			p.put(`\r`)
		case '\t':
			p.put(`\t`)
		case '\b':
			p.put(`\b`)
		case '\f':
			p.put(`\f`)
		default:
			if unicode.IsControl(r) {
				p.put(`\u`)
				p.put(strconv.FormatInt(int64(r)+0x10000, 16)[1:])
			} else {
				p.text = utf8.AppendRune(p.text, r)
			}
		}
	}
	p.put("'")
}
