// Package cypher parses, edits and prints the reading part of Cypher 5.
//
// It is a leaf: it knows nothing of graphs, schemas or the bot. [Parse] never
// panics, whatever the text; what it can't take it says in an [*Error] with a
// kind and a position. [Print] makes text from a tree alone, so that an edited
// tree prints what it means. Start reading at ast.go.
package cypher
