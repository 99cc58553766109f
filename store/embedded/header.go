package embedded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// columnKind is what a column of a CSV file holds.
type columnKind int

const (
	propertyColumn columnKind = iota
	idColumn
	labelColumn
	startColumn
	endColumn
	typeColumn
	ignoredColumn
)

// A column is one cell of a header in the format of neo4j-admin database
// import (Operations Manual, "Neo4j Admin import", section "CSV header format").
type column struct {
	text  string // as written
	name  string // of the property; "" if none
	kind  columnKind
	space string // ID space
	typ   string // of the property, lower case: "int", "string", …
	array bool
	zone  string // {timezone:…} of datetime and time
	crs   string // {crs:…} of point
}

var (
	headerTypes = []string{"boolean", "byte", "char", "date", "datetime", "double", "duration", "float", "int",
		"localdatetime", "localtime", "long", "point", "short", "string", "time"}
	specRE   = regexp.MustCompile(`^([A-Za-z_]+)(?:\(([^)]*)\))?(\[\])?(?:\{([^}]*)\})?$`)
	optionRE = regexp.MustCompile(`^\s*([A-Za-z-]+)\s*:\s*["']?([^"']*)["']?\s*$`)
)

// parseColumn reads one header cell. The error says what is wrong with it and
// what to write instead.
func parseColumn(text string) (column, error) {
	c := column{text: text, typ: "string"}
	name, spec, typed := strings.Cut(strings.TrimSpace(text), ":")
	if brace := strings.IndexByte(name, '{'); brace >= 0 { // the colon was one of an option's
		name, spec, typed = strings.TrimSpace(text), "", false
	}
	if i := strings.LastIndexByte(beforeBrace(spec), ':'); i >= 0 { // a colon in the name
		name, spec = name+":"+spec[:i], spec[i+1:]
	}
	c.name = strings.TrimSpace(name)
	if !typed {
		if c.name == "" {
			return c, fmt.Errorf("it has no name: name the property, or write :IGNORE")
		}
		return c, nil
	}
	m := specRE.FindStringSubmatch(strings.TrimSpace(spec))
	if m == nil {
		return c, fmt.Errorf("%.80q is no type of a column: write name:type, with one of %s, or :ID, :LABEL, :START_ID, :END_ID, :TYPE, :IGNORE",
			spec, strings.Join(headerTypes, " "))
	}
	c.space, c.array = m[2], m[3] != ""
	if err := c.options(m[4]); err != nil {
		return c, err
	}
	switch strings.ToUpper(m[1]) {
	case "ID":
		c.kind = idColumn
	case "LABEL":
		c.kind = labelColumn
	case "START_ID":
		c.kind = startColumn
	case "END_ID":
		c.kind = endColumn
	case "TYPE":
		c.kind = typeColumn
	case "IGNORE":
		c.kind = ignoredColumn
	default:
		c.typ = strings.ToLower(m[1])
		if c.typ == "integer" {
			c.typ = "int"
		}
		if !slices.Contains(headerTypes, c.typ) {
			return c, fmt.Errorf("%.80q is no type: use one of %s, each also as an array with []", m[1], strings.Join(headerTypes, " "))
		}
		if c.name == "" {
			return c, fmt.Errorf("it has a type but no name: write name:%s", spec)
		}
	}
	return c, nil
}

func beforeBrace(s string) string {
	s, _, _ = strings.Cut(s, "{")
	return s
}

// options reads what stands in braces: {timezone:Europe/London}, {crs:WGS-84},
// {id-type:int}. Labels of incremental import are read and not needed.
func (c *column) options(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for option := range strings.SplitSeq(text, ",") {
		m := optionRE.FindStringSubmatch(option)
		if m == nil {
			return fmt.Errorf("%.80q is no option: write {name:value}", option)
		}
		value := strings.TrimSpace(m[2])
		switch strings.ToLower(m[1]) {
		case "timezone":
			c.zone = value
		case "crs":
			c.crs = value
		case "id-type":
			if !slices.Contains([]string{"string", "int", "long", "integer", "actual"}, strings.ToLower(value)) {
				return fmt.Errorf("%.80q is no id-type: use string, int or long", value)
			}
			if value = strings.ToLower(value); value != "string" && value != "actual" {
				c.typ = "long"
			}
		case "label":
		default:
			return fmt.Errorf("%.80q is no option of a column: use timezone, crs or id-type", m[1])
		}
	}
	return nil
}

// A header is the columns of one file.
type header []column

// count is how many columns of a kind there are.
func (h header) count(k columnKind) int {
	n := 0
	for _, c := range h {
		if c.kind == k {
			n++
		}
	}
	return n
}

// relationships tells whether the file holds relationships rather than nodes.
func (h header) relationships() bool {
	return h.count(startColumn) > 0 || h.count(endColumn) > 0
}

// check reports what the columns lack together.
func (h header) check() error {
	if h.relationships() {
		for _, need := range []struct {
			kind columnKind
			name string
		}{{startColumn, ":START_ID"}, {endColumn, ":END_ID"}, {typeColumn, ":TYPE"}} {
			if n := h.count(need.kind); n != 1 {
				return fmt.Errorf("a file of relationships needs one %s column, this has %d", need.name, n)
			}
		}
		if h.count(idColumn) > 0 || h.count(labelColumn) > 0 {
			return fmt.Errorf("a file of relationships has no :ID and no :LABEL column: split it into a file of nodes and one of relationships")
		}
	} else {
		if n := h.count(idColumn); n != 1 {
			return fmt.Errorf("a file of nodes needs one :ID column, this has %d: name one column id:ID (a file of relationships needs :START_ID, :END_ID and :TYPE)", n)
		}
		if h.count(typeColumn) > 0 {
			return fmt.Errorf("a file of nodes has no :TYPE column: use :LABEL, or add :START_ID and :END_ID")
		}
	}
	seen := map[string]bool{}
	for _, c := range h {
		if c.name == "" || c.kind == ignoredColumn {
			continue
		}
		if c.kind != propertyColumn && c.kind != idColumn {
			continue
		}
		if seen[c.name] {
			return fmt.Errorf("two columns are named %.80q: rename one", c.name)
		}
		seen[c.name] = true
	}
	return nil
}
