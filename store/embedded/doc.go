// Package embedded is a property graph in memory, read from a folder of CSV
// files, that runs the reading part of Cypher 5 as Neo4j 5.26 does.
//
// It promises the values, nulls, errors and orderings of Neo4j. What it can't
// run, and what would not be the same twice (rand, internal ids), it
// refuses by name with an error that wraps store.ErrUnsupported; it never runs a
// part of a query. Clocks show what [store.Query.Now] says, the same all through a
// query. It never writes, and reads no file after [Open]. A query takes
// no more time and memory than its limits say, whatever it computes. A [Graph] is
// safe for use by many goroutines.
//
// Start reading at graph.go; then load.go for the files, compile.go for how a
// statement becomes closures over rows, plan.go for the order of matching, group.go
// and selective.go for patterns that repeat and the shortest of them, values.go for
// equality and order, static.go for what is rejected before a row is read, budget.go
// for what a run may take. How far it is equal to Neo4j is told by the tests of the
// folder above it, see random_test.go and pairs_test.go there.
package embedded
