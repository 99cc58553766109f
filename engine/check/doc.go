// Package check holds a parsed query against the schema of the graph it is
// meant for, and against the words of the question that it is to answer.
//
// [Checker.Check] corrects what has one right answer (a relationship written
// against its only direction, missing values that would come first in descending
// order, a literal of another type than its property, or written otherwise than
// the value it stands for) and names the rest: as problems where nothing could
// come of it, as findings where something may be wrong. [Checker.Doubts] finds what
// may be wrong with a query that is sound: rows that a pattern multiplies, patterns
// that nothing joins, an order, a number of rows, a comparison or a time that the
// words of the question say otherwise, a direction that the schema leaves open and they
// don't, and another form than they ask for: a sum for an average, one step for several,
// one of two for both. [Checker.Filters] takes a query that finds
// nothing apart, [TieOf] asks what LIMIT 1 leaves out.
//
// Reasons are fit to go back to the model ([Finding.Back]); sentences for people
// are made elsewhere, from a finding's kind and fields. Values of the graph are in
// a reason only where that is asked for.
//
// It never runs anything, never edits the tree it is given, and decides
// nothing about policy: whether a query may run at all is settled before. What only
// the data tell, it asks by functions that it is given ([Checker.Values], [Asked]), or
// leaves to be looked up ([Result.Lookups]). A doubt is raised where something is
// surely so: what isn't known counts for the query.
//
// Start reading at check.go, doubts.go and finding.go.
package check
