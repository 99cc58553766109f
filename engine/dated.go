package engine

import (
	"fmt"
	"strings"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
)

// datedApart says what is wrong with a wording that means another day tomorrow, as
// "films of this year" does, for a query that doesn't: it would be answered by the day
// on which it was taught.
func datedApart(rd reading.Reading, c *store.Case) error {
	if rd.Frame != nil || rd.Dated == "" {
		return nil
	}
	if stmt, err := cypher.Parse(c.Query); err != nil || tellsTime(stmt) {
		return err
	}
	return fmt.Errorf("%w: %q means another day tomorrow, and the query goes by no clock; write it with date() or datetime(), or ask for the date itself", ErrCase, rd.Dated)
}

// tellsTime reports whether a query asks what time it is.
func tellsTime(s *cypher.Statement) bool {
	found := false
	cypher.Walk(s, func(n cypher.Node) bool {
		if c, ok := n.(*cypher.Call); ok {
			found = found || isClock(c)
		}
		return !found
	})
	return found
}

// isClock reports whether a call tells the time: date(), date({timezone: …}),
// date.statement(), timestamp() and their kin.
func isClock(c *cypher.Call) bool {
	name, at, _ := strings.Cut(strings.ToLower(c.Name), ".")
	switch name {
	case "timestamp":
		return true
	case "date", "time", "localtime", "datetime", "localdatetime":
	default:
		return false
	}
	switch at {
	case "transaction", "statement", "realtime":
		return true
	case "truncate":
		return len(c.Args) == 1
	case "":
		if len(c.Args) == 0 {
			return true
		}
		m, ok := c.Args[0].(*cypher.Map)
		return ok && len(m.Keys) == 1 && m.Keys[0] == "timezone"
	}
	return false
}
