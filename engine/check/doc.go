// Package check holds a parsed query against the schema of the graph it is
// meant for.
//
// It corrects what has one right answer (a relationship written against its
// only direction, missing values that would come first in descending order)
// and names the rest as problems whose messages are fit to go back to the
// model. It never runs anything, never edits the tree it is given, and decides
// nothing about policy: whether a query may run at all is settled before.
// Start reading at check.go.
package check
