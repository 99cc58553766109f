package cypher

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrorKind says why a text has no tree.
type ErrorKind int

const (
	Syntax      ErrorKind = iota // not Cypher 5
	Write                        // a clause that changes the graph: CREATE, MERGE, SET, DELETE, REMOVE, FOREACH, INSERT
	Load                         // LOAD CSV, USING PERIODIC COMMIT
	Admin                        // schema, users, databases, EXPLAIN and other prefixes, several statements, IN TRANSACTIONS
	Unsupported                  // Cypher 5 that reads, but has no tree here
	TooDeep                      // nested deeper than MaxDepth
	TooLong                      // longer than MaxLength
)

var kindNames = [...]string{"syntax", "write", "load", "admin", "unsupported", "too deep", "too long"}

// String returns the kind in lower case: "syntax", "write", "load", "admin",
// "unsupported", "too deep", "too long".
func (k ErrorKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// An Error is the first thing in a text that [Parse] can't take.
type Error struct {
	Kind      ErrorKind
	Pos       Pos    // 0 ≤ Pos ≤ len(text)
	Line, Col int    // both from 1; columns count runes
	Message   string // what was found and what to write instead, without the position
	Word      string // the offending word or sign as written, "" at the end of the text
}

// Error returns the position and the message: "line 1, column 7: found …, expected …".
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Message)
}

// Position turns a byte offset into a line and a column, both from 1. Lines
// end with "\n"; columns count runes. An offset outside of text counts as the
// nearest one inside.
func Position(text string, p Pos) (line, col int) {
	before := text[:min(max(int(p), 0), len(text))]
	line = 1 + strings.Count(before, "\n")
	return line, 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
