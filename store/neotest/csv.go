package neotest

import (
	"fmt"
	"strconv"
	"strings"
)

// A file is one CSV file, read.
type file struct {
	name          string
	columns       []column
	rows          [][]field
	relationships bool
}

func (f *file) order() int {
	if f.relationships {
		return 1
	}
	return 0
}

type column struct {
	name  string // of the property, or ""
	kind  string // :ID :START_ID :END_ID :LABEL :TYPE :IGNORE, or ""
	space string // ID space
	typ   string // in lower case, without []
	array bool
}

type field struct {
	text   string
	quoted bool
}

// parseFile reads text with the header format of neo4j-admin database import.
// encoding/csv can't be used: an empty field is null, a quoted empty one isn't.
func parseFile(name, text string) (*file, error) {
	rows, err := parseCSV(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no header", name)
	}
	f := &file{name: name, rows: rows[1:]}
	for _, h := range rows[0] {
		c := parseHeader(h.text)
		f.relationships = f.relationships || c.kind == ":START_ID"
		f.columns = append(f.columns, c)
	}
	return f, nil
}

func parseHeader(text string) column {
	name, typ, _ := strings.Cut(text, ":")
	typ, _, _ = strings.Cut(typ, "{") // options such as {id-type: long} don't matter here
	typ, space, _ := strings.Cut(strings.TrimSpace(typ), "(")
	c := column{name: strings.TrimSpace(name), space: strings.TrimSuffix(space, ")")}
	switch typ {
	case "ID", "START_ID", "END_ID", "LABEL", "TYPE", "IGNORE":
		c.kind = ":" + typ
		return c
	}
	c.typ, c.array = strings.CutSuffix(strings.ToLower(typ), "[]")
	return c
}

// value turns text into what is sent as a parameter.
func (c column) value(text string) (any, error) {
	if !c.array {
		return c.scalar(text)
	}
	list := []any{}
	if text == "" {
		return list, nil
	}
	for item := range strings.SplitSeq(text, ";") {
		v, err := c.scalar(item)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (c column) scalar(text string) (any, error) {
	switch c.typ {
	case "int", "long", "short", "byte":
		return strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	case "float":
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 32)
		return v, err
	case "double":
		return strconv.ParseFloat(strings.TrimSpace(text), 64)
	case "boolean":
		return strings.TrimSpace(text) == "true", nil
	case "point":
		m := map[string]any{}
		for part := range strings.SplitSeq(strings.Trim(text, "{} "), ",") {
			key, v, _ := strings.Cut(part, ":")
			v = strings.Trim(strings.TrimSpace(v), `"'`)
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				m[strings.TrimSpace(key)] = n
			} else {
				m[strings.TrimSpace(key)] = v
			}
		}
		return m, nil
	}
	return text, nil
}

// expression is the Cypher that makes the property's value of that parameter.
func (c column) expression(param string) string {
	switch c.typ {
	case "date", "time", "localtime", "datetime", "localdatetime", "duration", "point":
		if c.array {
			return "[i IN " + param + " | " + c.typ + "(i)]"
		}
		return c.typ + "(" + param + ")"
	}
	return param
}

// parseCSV splits text into fields, and knows which were quoted.
func parseCSV(text string) ([][]field, error) {
	var rows [][]field
	var row []field
	for line := 1; text != ""; {
		var f field
		if strings.HasPrefix(text, `"`) {
			f.quoted = true
			text = text[1:]
			for {
				i := strings.IndexByte(text, '"')
				if i < 0 {
					return nil, fmt.Errorf("line %d: a quote isn't closed", line)
				}
				f.text += text[:i]
				text = text[i+1:]
				if !strings.HasPrefix(text, `"`) {
					break
				}
				f.text += `"`
				text = text[1:]
			}
			line += strings.Count(f.text, "\n")
		} else {
			i := strings.IndexAny(text, ",\r\n")
			if i < 0 {
				i = len(text)
			}
			f.text, text = text[:i], text[i:]
		}
		row = append(row, f)
		if strings.HasPrefix(text, ",") {
			text = text[1:]
			if text != "" {
				continue
			}
			row = append(row, field{})
		}
		rest := strings.TrimLeft(text, "\r\n")
		if rest == text && text != "" {
			return nil, fmt.Errorf("line %d: text after a closing quote", line)
		}
		line += strings.Count(text[:len(text)-len(rest)], "\n")
		text = rest
		rows, row = append(rows, row), nil
	}
	return rows, nil
}
