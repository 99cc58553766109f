package embedded

import (
	"fmt"
	"maps"
	"slices"

	"precedent/store/cypher"
)

// A kind is what the compiler knows of a variable or an expression before it has
// a row; each of them may be null.
type kind int8

const (
	anyKind kind = iota
	nodeKind
	relKind
	relsKind // list of relationships of a variable-length pattern
	pathKind
	boolKind
	intKind
	floatKind
	numberKind // a whole number or a float
	textKind
	listKind
	mapKind
	pointKind
	instantKind // a date, a time or both
	lengthKind  // a duration

	// What is added to something unknown is of its kind, or a list.
	instantOrList
	textOrList
)

type variable struct {
	slot int
	kind kind
}

// A frame counts the slots of a row.
type frame struct{ size int }

func (f *frame) slot() int {
	f.size++
	return f.size - 1
}

// A scope knows which variables can be seen and where their values are.
type scope struct {
	vars    map[string]variable
	order   []string // in the order of declaration, for *
	frame   *frame
	outer   []string // variables of an enclosing query: constants that WITH does not end
	grouped *grouping
	local   map[string]bool // declared since the scope became grouped
}

func newScope() *scope { return &scope{vars: map[string]variable{}, frame: &frame{}} }

// child sees what s sees; what it declares s does not see. They share the row.
func (s *scope) child() *scope {
	return &scope{vars: maps.Clone(s.vars), order: slices.Clone(s.order), frame: s.frame, outer: s.outer,
		grouped: s.grouped, local: maps.Clone(s.local)}
}

func (s *scope) declare(name string, k kind) variable {
	v := variable{s.frame.slot(), k}
	if _, ok := s.vars[name]; !ok {
		s.order = append(s.order, name)
	}
	s.vars[name] = v
	if s.local != nil {
		s.local[name] = true
	}
	return v
}

// compiler turns one statement into closures over rows.
type compiler struct {
	g        *Graph
	text     string
	needs    map[string]int // parameters, with the position of the first use
	problems []problemAt
}

func (c *compiler) where(at cypher.Pos) string {
	line, column := cypher.Position(c.text, at)
	return fmt.Sprintf(" (line %d, column %d)", line, column)
}

func (c *compiler) undefined(name string, at cypher.Pos) error {
	return queryError("Variable `%s` not defined%s", name, c.where(at))
}
