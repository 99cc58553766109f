package bolt

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"precedent/store"
)

// explainTimeout bounds planning where ctx has no deadline.
const explainTimeout = 30 * time.Second

const explainPrefix = "EXPLAIN "

// Explain plans q. An error wraps store.ErrQuery too where q isn't a reading
// statement. Neo4j warns of a name only if no label, type or property of that
// name was ever in the database, so a name that fits nothing today can pass.
func (g *Graph) Explain(ctx context.Context, q store.Query) ([]store.Problem, error) {
	ctx, cancel := context.WithTimeout(ctx, explainTimeout)
	defer cancel()
	summary, err := g.read(ctx, store.Query{Text: explainPrefix + q.Text, Params: q.Params}, 1, nil)
	if err != nil {
		return nil, withoutPrefix(err)
	}
	if kind := summary.StatementType(); kind != neo4j.StatementTypeReadOnly {
		return nil, &failure{store.ErrQuery, "the query would change the graph, which is only read",
			fmt.Errorf("its statement type is %q", kind)}
	}
	var problems []store.Problem
	for _, n := range summary.Notifications() {
		pos := -1
		if p := n.Position(); p != nil {
			pos = byteOffset(q.Text, p.Offset()-len(explainPrefix))
		}
		problems = append(problems, g.problems(n, pos)...)
	}
	return problems, nil
}

// absent are the names that the graph lacks, by the notifications of a run.
func (g *Graph) absent(said []neo4j.Notification) (all []store.Problem) {
	for _, n := range said {
		for _, p := range g.problems(n, -1) {
			if p.Kind != "parameter" {
				all = append(all, p)
			}
		}
	}
	return all
}

// missing takes the name out of a notification's text: "… (the missing label
// name is: Moive)", "… (Missing parameters: a, b)".
var missing = regexp.MustCompile(`(?s)\((?:the missing [a-z ]+ is|Missing parameters): (.*)\)\s*$`)

// problems turns a notification into what goes back to the model. Those of
// style and speed are none.
func (g *Graph) problems(n neo4j.Notification, pos int) []store.Problem {
	name := n.Description()
	if m := missing.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	switch strings.TrimPrefix(n.Code(), "Neo.ClientNotification.Statement.") {
	case "UnknownLabelWarning":
		return []store.Problem{g.unknown("label", "label", name, pos)}
	case "UnknownRelationshipTypeWarning":
		return []store.Problem{g.unknown("type", "relationship type", name, pos)}
	case "UnknownPropertyKeyWarning":
		return []store.Problem{g.unknown("property", "property", name, pos)}
	case "ParameterNotProvided":
		var all []store.Problem
		for p := range strings.SplitSeq(name, ", ") {
			all = append(all, store.Problem{Kind: "parameter", Name: p, Pos: -1,
				Message: fmt.Sprintf("the query uses the parameter $%s, but no value is given for it", p)})
		}
		return all
	}
	return nil
}

// unknown is a problem with a name that the graph doesn't have.
func (g *Graph) unknown(kind, word, name string, pos int) store.Problem {
	p := store.Problem{Kind: kind, Name: name, Pos: pos, Message: fmt.Sprintf("the graph has no %s `%s`", word, name)}
	if s := g.schema.Load(); s != nil {
		p.Nearest = nearest(name, namesOf(s, kind))
	}
	if p.Nearest != "" {
		p.Message += fmt.Sprintf("; the nearest is `%s`", p.Nearest)
	}
	return p
}

// byteOffset turns an offset in Java's characters, which are UTF-16 units, into
// one in bytes; -1 where there is none.
func byteOffset(text string, units int) int {
	if units < 0 {
		return -1
	}
	for i, r := range text {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(r)
	}
	if units <= 0 {
		return len(text)
	}
	return -1
}

// place is where Neo4j says in its text that an error lies.
var place = regexp.MustCompile(`\(line (\d+), column (\d+) \(offset: (\d+)\)\)`)

// withoutPrefix makes an error speak of the query that the caller knows, not of
// the one with EXPLAIN before it.
func withoutPrefix(err error) error {
	f, ok := err.(*failure)
	if !ok {
		return err
	}
	text := f.text
	m := place.FindStringSubmatchIndex(text)
	if m == nil {
		return err
	}
	number := func(i int) int { n, _ := strconv.Atoi(text[m[i]:m[i+1]]); return n }
	line, column, offset := number(2), number(4), number(6)-len(explainPrefix)
	if line == 1 {
		column -= len(explainPrefix)
	}
	head, rest, where := strings.TrimSpace(text[:m[0]]), text[m[1]:], ""
	if line > 0 { // 0 says that the error has no place
		where = fmt.Sprintf(" (line %d, column %d (offset: %d))", line, column, offset)
	}
	if quoted, ok := strings.CutPrefix(rest, "\n\""+explainPrefix); ok {
		rest = "\n\"" + strings.Replace(quoted, "\n"+strings.Repeat(" ", len(explainPrefix)), "\n", 1)
	}
	return &failure{f.kind, head + where + rest, f.cause}
}
