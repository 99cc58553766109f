package guardrails

import (
	"errors"
	"unicode"
	"unicode/utf8"

	"precedent/store/cypher"
)

// A Verdict says whether a query may run.
type Verdict struct {
	Allow     bool
	Kind      QueryKind
	Reason    string            // a sentence that says what to write instead; "" where allowed
	Pos       cypher.Pos        // where the reason stands; 0 where allowed
	Statement *cypher.Statement // the tree of an allowed query; nil where refused
	Narrowed  string            // what may run in its place, with all that is hidden kept out; "" where refused
}

// QueryKind is what a query turned out to be.
type QueryKind string

// Kinds of queries. Only Read is ever allowed.
const (
	Read        QueryKind = "read"
	Write       QueryKind = "write"       // changes the graph
	Admin       QueryKind = "admin"       // schema, users, server, EXPLAIN, PROFILE, SHOW, USE, several statements, own transactions
	Load        QueryKind = "load"        // reads files or addresses
	Procedure   QueryKind = "procedure"   // calls what is not known to only read
	Hidden      QueryKind = "hidden"      // uses a name that the operator hides
	Syntax      QueryKind = "syntax"      // is not Cypher 5, or longer or deeper than the parser takes
	Unsupported QueryKind = "unsupported" // reads, in a way that the parser doesn't know
)

var queryKinds = map[cypher.ErrorKind]QueryKind{
	cypher.Syntax: Syntax, cypher.TooDeep: Syntax, cypher.TooLong: Syntax, cypher.Unsupported: Unsupported,
	cypher.Write: Write, cypher.Load: Load, cypher.Admin: Admin,
}

// Query judges a query by its tree: what strings, comments and quoted names say
// is never taken for Cypher, and escapes never hide any.
//
// Allowed is what only reads, calls no more than allowed.txt lists, and uses no
// hidden name. With names to hide, what may run is narrowed: nodes of hidden
// labels and relationships of hidden types match nothing. Refused is what could
// reach a hidden property: by name, all properties of a node that may have one, a
// property under a computed name, of a node whose label is left open or of a value
// of which nothing is known. Whole nodes may be returned; who shows them must leave
// hidden properties out. Whether labels and properties exist is not judged here.
func (p Policy) Query(text string) Verdict {
	s, err := cypher.Parse(text)
	if e, ok := errors.AsType[*cypher.Error](err); ok {
		return Verdict{Kind: queryKinds[e.Kind], Pos: e.Pos, Reason: sentenceOf(e.Message)}
	}
	if err != nil {
		return Verdict{Kind: Syntax, Reason: sentenceOf(err.Error())}
	}
	h := p.hidden(text, s)
	verdict := Verdict{Allow: true, Kind: Read, Statement: s, Narrowed: text}
	cypher.WalkScoped(s, func(n cypher.Node, at *cypher.Scope) bool {
		if !verdict.Allow {
			return false
		}
		if v, refused := h.refusedCall(n); refused {
			verdict = v
		} else if v, refused := h.refused(n, at); refused {
			verdict = v
		}
		return verdict.Allow
	})
	if !verdict.Allow || h == nil {
		return verdict
	}
	narrowed, reason := h.narrow(s)
	if reason != "" {
		return Verdict{Kind: Hidden, Reason: reason}
	}
	if narrowed != s {
		verdict.Narrowed = cypher.Print(narrowed)
	}
	return verdict
}

// sentenceOf capitalises a message and ends it with a full stop.
func sentenceOf(message string) string {
	first, n := utf8.DecodeRuneInString(message)
	if n == 0 {
		return ""
	}
	s := string(unicode.ToUpper(first)) + message[n:]
	if last := s[len(s)-1]; last != '.' && last != '!' && last != '?' {
		s += "."
	}
	return s
}
