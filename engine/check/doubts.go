package check

import (
	"slices"
	"time"

	"precedent/engine/reading"
	"precedent/store/cypher"
)

// An Asked is what a query is held against beside the schema.
type Asked struct {
	Question string
	Said     reading.Said
	// One says whether a step leads to one node at most, by the data. It is asked
	// only where the schema's counts don't prove that it leads to many. Nil: each does.
	One func(Step) bool
	// Parts are the ends at which the words put values, of relationships of a type that
	// joins things of one kind. Nil: nothing says so.
	Parts func(rel string) []reading.Part
	Today time.Time
}

// Doubts are what may be wrong with a query that Check found no fault with: rows that
// a pattern multiplies, patterns that nothing joins, and what the words of the
// question say otherwise. They come in the order of the text.
func (c *Checker) Doubts(text string, stmt *cypher.Statement, params map[string]any, asked Asked) []Finding {
	v := &survey{graph: c.graph, text: text, params: params, fits: true}
	columns := v.statement(stmt, nil, visible)
	v.directions() // what nodes without a label may be
	v.findings = nil
	v.multiplied(stmt, asked)
	for _, f := range v.apart {
		v.find(f)
	}
	h := held{survey: v, said: asked.Said, stmt: stmt, question: asked.Question, today: asked.Today}
	h.gather()
	h.parts(asked)
	h.order()
	h.picked()
	h.limit()
	h.takes()
	h.depth()
	h.texts()
	h.joins(columns)
	h.things(columns)
	h.twins(columns)
	h.bounds()
	h.times()
	slices.SortStableFunc(v.findings, func(a, b Finding) int { return a.Pos - b.Pos })
	return v.findings
}

// A sorting is a projection that is sorted, and what is known of its first key.
type sorting struct {
	of  *cypher.Projection
	key *binding
}

// Lists reports whether a query lists things by properties, one of which tells each from
// the others: of no two of them are the rows alike.
func (c *Checker) Lists(text string, stmt *cypher.Statement) bool {
	v := &survey{graph: c.graph, text: text, fits: true}
	columns := v.statement(stmt, nil, visible)
	v.directions()
	tells := false
	for _, column := range columns {
		b := column.is
		if b == nil || b.origin == nil || b.made != "" {
			return false
		}
		tells = tells || !b.origin.entity.rel && v.isUnique(*b.origin)
	}
	return tells
}

// Cuts is the LIMIT of a query's rows, 0 where it has none, and whether they are sorted.
func (c *Checker) Cuts(stmt *cypher.Statement, params map[string]any) (limit int64, sorted bool) {
	v := &survey{params: params}
	for _, clause := range stmt.Parts[len(stmt.Parts)-1].Clauses {
		if r, ok := clause.(*cypher.Return); ok && r.Limit != nil {
			n, _ := v.constant(r.Limit)
			limit, _ = n.(int64)
			sorted = sorted || len(r.OrderBy) > 0
		}
		if w, ok := clause.(*cypher.With); ok {
			sorted = sorted || len(w.OrderBy) > 0
		}
	}
	return limit, sorted
}

// isUnique reports whether a property is known to tell things apart.
func (v *survey) isUnique(o origin) bool {
	names := v.graph.namesOf(o.entity)
	for i := range names.each() {
		if p, has := v.graph.labels.properties[i][o.key]; !has || !p.unique {
			return false
		}
	}
	return !names.none()
}
