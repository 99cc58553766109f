// Package tell puts rows into words without a model: what was asked for and not
// found, a yes or no, a value, a path, the values of things compared, those that
// tie for first, or how many rows there are and the first of them.
//
// It says of rows only what they and their query prove. Where the query doesn't
// show what is compared, or whether several are first, it names values by their
// columns and claims nothing. Numbers read the same here as in tables, which
// are written with [NumbersOf].
//
// Start reading at [Text].
package tell
