package bot

import (
	"fmt"
	"io"
	"strings"
)

// A style is how a terminal shows a text: an SGR parameter of ECMA-48.
type style string

const (
	normal style = ""
	bold   style = "1"
	faint  style = "2"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
	red    style = "31"
)

// A screen writes to a terminal. All text goes through [Plain]; the only
// escape sequences that reach the terminal are those of styles.
type screen struct {
	out   io.Writer
	color bool
	width func() int
}

// line writes pieces of text of one style each, wrapped by the terminal.
func (s screen) line(pieces ...any) {
	var b strings.Builder
	st := normal
	for _, p := range pieces {
		switch p := p.(type) {
		case style:
			st = p
		case string:
			b.WriteString(s.styled(st, Plain(p)))
		default:
			b.WriteString(s.styled(st, Plain(fmt.Sprint(p))))
		}
	}
	b.WriteByte('\n')
	io.WriteString(s.out, b.String())
}

func (s screen) styled(st style, text string) string {
	if !s.color || st == normal || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}

func (s screen) columns() int {
	if s.width == nil {
		return defaultWidth
	}
	return or(s.width(), defaultWidth)
}

// defaultWidth of output that isn't a terminal, in columns.
const defaultWidth = 100
