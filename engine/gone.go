package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"precedent/engine/check"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
)

// errGone is a query that ran, though the graph lacks what it names: what came of it
// says nothing.
var errGone = fmt.Errorf("%w: the graph has changed", store.ErrQuery)

// lookTime is how long the look whether what a query names is still there may take.
const lookTime = 5 * time.Second

// sparse is how many members of a label there are to one that has a property, for
// that to be looked for: where fewer have it, the look would read many others.
const sparse = 100

// stillThere says why a table isn't told: the graph lacks what its query names. It
// lacks it by its own word, or since it was read anew while the query ran, or, where
// others change it at any time, by a look at it after the query ran: the text of the
// query and the names in it were right when it was written.
func (a *asking) stillThere(ctx context.Context, q store.Query, t store.Table) error {
	lack, gone := a.gone(ctx, q, t)
	if !gone {
		return nil
	}
	a.outdated = true
	a.askFresh()
	a.log.Warn("an answer isn't told, since the graph changed; it is being looked at", "ref", a.ID, "why", lack.String())
	return fmt.Errorf("%w: %s", errGone, lack)
}

func (a *asking) gone(ctx context.Context, q store.Query, t store.Table) (lack cases.Lack, gone bool) {
	for _, p := range t.Problems {
		if l, lacks := lackOf(p); lacks {
			return l, true
		}
	}
	if now := a.Engine.snapshot(); now.schema != a.schema {
		had := a.lacks(a.snapshot, q.Text)
		for _, l := range append(a.lacks(now, q.Text), a.reformed(a.snapshot, q.Text, retyped(a.snapshot, now))...) {
			if !slices.Contains(had, l) {
				return l, true
			}
		}
	}
	if !a.source.away {
		return lack, false
	}
	return a.lookAgain(ctx, q.Text)
}

// A lookup is how what a query names is looked for in the graph.
type lookup struct {
	query string // "" for nothing
	asks  []ask
}

// An ask is one thing that is looked for.
type ask struct {
	lack  cases.Lack
	types []string // of a property: those that its values had
}

// lookAgain looks whether what a query names is in the graph now. Where the graph
// doesn't say so in time, it is.
func (a *asking) lookAgain(ctx context.Context, text string) (lack cases.Lack, gone bool) {
	l := a.lookupOf(text)
	if l.query == "" {
		return lack, false
	}
	t, ok := a.probe(ctx, store.Query{Text: l.query}, len(l.asks), lookTime)
	if !ok {
		return lack, false
	}
	found := make([]any, len(l.asks))
	seen := make([]bool, len(l.asks))
	for _, row := range t.Rows {
		if i, ok := row[0].(int64); ok && int(i) < len(seen) {
			seen[i], found[i] = true, row[1]
		}
	}
	for i, ask := range l.asks {
		if !seen[i] {
			return ask.lack, true
		}
		if typ, ok := found[i].(string); ok && len(ask.types) > 0 {
			if typ = strings.TrimSuffix(strings.ReplaceAll(typ, " NOT NULL", ""), " "); !fits(typ, ask.types) {
				return cases.Lack{Kind: cases.LackForm, Name: ask.lack.Name, Was: ask.types[0], Is: typ}, true
			}
		}
	}
	return lack, false
}

// fits reports whether a value of a type is like those of types.
func fits(typ string, types []string) bool {
	return slices.ContainsFunc(types, func(t string) bool {
		return t == typ || t == mixed || widened[[2]string{t, typ}] || strings.HasPrefix(t, "LIST") && strings.HasPrefix(typ, "LIST")
	})
}

// lookupOf is how what a query names is looked for, made once for each schema.
func (a *asking) lookupOf(text string) lookup {
	key := judged{text: a.schema.Hash + text}
	if l, ok := a.naming.find(key); ok {
		return l
	}
	l := a.newLookup(text)
	a.naming.keep(key, l)
	return l
}

func (a *asking) newLookup(text string) (l lookup) {
	stmt, err := cypher.Parse(text)
	if err != nil {
		return l
	}
	var parts []string
	look := func(match, typ string, k ask) {
		parts = append(parts, match+" RETURN "+strconv.Itoa(len(l.asks))+" AS i, "+typ+" AS t LIMIT 1")
		l.asks = append(l.asks, k)
	}
	uses := a.checker.Uses(text, stmt)
	for _, u := range uses {
		if u.Kind != "property" && slices.ContainsFunc(uses, func(p check.Use) bool { return a.implies(p, u) }) {
			continue
		}
		switch u.Kind {
		case "label":
			if a.schema.Knows(u.Name, true) {
				look("MATCH (n:"+name(u.Name)+")", "null", ask{lack: cases.Lack{Kind: cases.LackLabel, Name: u.Name}})
			}
		case "type":
			if a.schema.Knows(u.Name, false) {
				look("MATCH ()-[n:"+name(u.Name)+"]->()", "null", ask{lack: cases.Lack{Kind: cases.LackType, Name: u.Name}})
			}
		case "property":
			if pattern, k, ok := a.propertyLook(u); ok {
				look("MATCH "+pattern+" WHERE n."+name(u.Name)+" IS NOT NULL", "valueType(n."+name(u.Name)+")", k)
			}
		}
	}
	l.query = strings.Join(parts, " UNION ALL ")
	return l
}

// implies reports whether what has a property is found by looking for the property alone.
func (a *asking) implies(property, of check.Use) bool {
	if property.Kind != "property" || property.OfType != (of.Kind == "type") || len(property.Owners) != 1 || property.Owners[0] != of.Name {
		return false
	}
	_, _, ok := a.propertyLook(property)
	return ok
}

// propertyLook is the pattern of what may have a property, where enough of it has it
// to be found soon.
func (a *asking) propertyLook(u check.Use) (pattern string, k ask, ok bool) {
	var owners []string
	dense := func(owner string, count int64, properties []store.Property) {
		if !slices.Contains(u.Owners, owner) {
			return
		}
		owners = append(owners, name(owner))
		for _, p := range properties {
			if p.Name == u.Name {
				ok = ok || p.Present*sparse >= count
				k.types = append(k.types, p.Type)
			}
		}
	}
	if u.OfType {
		for _, t := range a.schema.Types {
			dense(t.Name, t.Count, t.Properties)
		}
		pattern = "()-[n:" + strings.Join(owners, "|") + "]->()"
	} else {
		for _, l := range a.schema.Labels {
			dense(l.Name, l.Count, l.Properties)
		}
		pattern = "(n:" + strings.Join(owners, "|") + ")"
	}
	k.lack = cases.Lack{Kind: cases.LackProperty, Name: u.Name}
	if len(u.Owners) == 1 {
		k.lack.Name = u.Owners[0] + "." + u.Name
	}
	return pattern, k, ok && len(owners) > 0
}
