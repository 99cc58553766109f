package embedded

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A field is one cell of a CSV file. An unquoted empty field is not the same as
// a quoted one, which is why encoding/csv won't do.
type field struct {
	text   string
	quoted bool
}

// null tells whether f stands for no value.
func (f field) null() bool { return f.text == "" && !f.quoted }

// Bounds of a line, which may be several of text where fields are quoted.
const (
	maxCell    = 4 << 20  // bytes
	maxLine    = 16 << 20 // bytes of its cells
	maxColumns = 4096
)

// What is beyond them, and a quoted field that never ends, or has text behind its end.
var (
	errLongCell = fmt.Errorf("a field is longer than %d bytes: shorten it, leave the column out, or close a quote that is open", maxCell)
	errLongLine = fmt.Errorf("a line is longer than %d bytes: shorten its fields, or leave columns out", maxLine)
	errColumns  = fmt.Errorf("a line has more than %d fields: leave columns out, or end the line", maxColumns)

	errOpenQuote  = errors.New(`a quoted field is never closed: add the missing "`)
	errAfterQuote = errors.New(`there is text behind the closing quote: double every " inside a quoted field`)
	errCRAlone    = errors.New("lines end in CR alone: save the file with line ends of LF or CRLF")
	errUTF16      = errors.New("is UTF-16: save it as UTF-8")
	errNotUTF8    = errors.New("is not UTF-8 here: save the file as UTF-8")
)

// otherFormat says what a header shows that is none of RFC 4180: line ends of CR
// alone, or fields that something else than commas parts.
func otherFormat(header []field) error {
	for _, f := range header {
		if strings.ContainsRune(f.text, '\r') && !f.quoted {
			return errCRAlone
		}
	}
	if len(header) > 1 || header[0].quoted {
		return nil
	}
	for _, mark := range []struct{ is, name string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		if strings.Contains(header[0].text, mark.is) {
			return fmt.Errorf("the fields are parted by %s: save the file with commas", mark.name)
		}
	}
	return nil
}

// A csvReader reads RFC 4180 with UTF-8, an optional byte order mark, lines
// that end in LF or CRLF, and fields over several lines. Blank lines are skipped.
// Another encoding is an error.
type csvReader struct {
	in   *bufio.Reader
	line int // of the next byte, counted from 1
	at   int // line on which the last record began
	buf  []byte
	ends []int
	quot []bool
	err  error // why nothing can be read
}

func newCSVReader(r io.Reader) *csvReader {
	in := bufio.NewReaderSize(r, 64<<10)
	out := &csvReader{in: in, line: 1}
	switch mark, _ := in.Peek(3); {
	case bytes.Equal(mark, []byte("\xef\xbb\xbf")):
		in.Discard(3)
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		out.err = errUTF16
	}
	return out
}

// next returns the next record, or io.EOF. After another error the reader is
// of no more use.
func (r *csvReader) next(into []field) ([]field, error) {
	for {
		r.at = r.line
		if r.err != nil {
			return nil, r.err
		}
		r.buf, r.ends, r.quot = r.buf[:0], r.ends[:0], r.quot[:0]
		if _, err := r.in.Peek(1); err != nil {
			return nil, err
		}
		if err := r.record(); err != nil {
			return nil, err
		}
		if len(r.ends) == 1 && len(r.buf) == 0 && !r.quot[0] {
			continue
		}
		if !utf8.Valid(r.buf) {
			return nil, errNotUTF8
		}
		text := string(r.buf) // one allocation for all fields
		into = into[:0]
		start := 0
		for i, end := range r.ends {
			into = append(into, field{text[start:end], r.quot[i]})
			start = end
		}
		return into, nil
	}
}

func (r *csvReader) record() error {
	for {
		start := len(r.buf)
		more, err := r.field()
		r.ends = append(r.ends, len(r.buf))
		switch {
		case len(r.buf)-start > maxCell:
			return errLongCell
		case len(r.buf) > maxLine:
			return errLongLine
		case err != nil || !more:
			return err
		case len(r.ends) == maxColumns:
			return errColumns
		}
	}
}

// field appends one field and consumes the comma or line end behind it; more
// tells which it was. It stops inside of one that is longer than maxCell.
func (r *csvReader) field() (more bool, err error) {
	c, err := r.in.ReadByte()
	if err == io.EOF {
		r.quot = append(r.quot, false)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if c == '"' {
		r.quot = append(r.quot, true)
		return r.quoted()
	}
	r.quot = append(r.quot, false)
	start := len(r.buf)
	for ; err == nil && len(r.buf)-start <= maxCell; c, err = r.in.ReadByte() {
		switch c {
		case ',':
			return true, nil
		case '\n':
			r.line++
			if n := len(r.buf); n > start && r.buf[n-1] == '\r' {
				r.buf = r.buf[:n-1]
			}
			return false, nil
		}
		r.buf = append(r.buf, c)
	}
	if err == io.EOF {
		if n := len(r.buf); n > start && r.buf[n-1] == '\r' {
			r.buf = r.buf[:n-1]
		}
		return false, nil
	}
	return false, err
}

func (r *csvReader) quoted() (more bool, err error) {
	for start := len(r.buf); len(r.buf)-start <= maxCell; {
		c, err := r.in.ReadByte()
		if err == io.EOF {
			return false, errOpenQuote
		}
		if err != nil {
			return false, err
		}
		if c == '\n' {
			r.line++
		}
		if c != '"' {
			r.buf = append(r.buf, c)
			continue
		}
		c, err = r.in.ReadByte()
		if c == '"' && err == nil {
			r.buf = append(r.buf, '"')
			continue
		}
		if c == '\r' && err == nil {
			c, err = r.in.ReadByte()
		}
		switch {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, err
		case c == ',':
			return true, nil
		case c == '\n':
			r.line++
			return false, nil
		}
		return false, errAfterQuote
	}
	return false, nil
}
