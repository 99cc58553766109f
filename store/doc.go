// Package store holds the words everything else is said in: values, queries,
// tables, graphs, schemas and cases.
//
// It promises plain types without behaviour that depends on a network or a
// clock. The folders below it keep things: cypher reads query text, embedded
// is a graph in memory, bolt is a graph in Neo4j, cases is the library in
// SQLite, movies is the graph that ships. Start reading at graph.go.
package store
