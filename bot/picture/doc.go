// Package picture draws the rows of an answer where they are better looked at
// than read.
//
// A bar chart is drawn of rows that compare one measure:
//
//   - 3 to 25 rows, of at most five columns;
//   - the first column names what is compared: text, a date or time, a node with
//     a name or title, or whole numbers. Those are years, or go up or down from
//     row to row. Each row is named but once; where names come twice and a
//     column of years tells them apart, the year stands behind the name;
//   - one other column is of numbers. A column of ids, or of whole numbers from
//     1800 to 2100, which are years, isn't a measure. Neither names nor measures
//     are taken from the columns that are left, and those are no numbers;
//   - at most a third of the numbers are missing, no fewer than three are there,
//     and the shortest bar falls short of the longest by a fifth of it.
//
// The bars lie in the order of the rows, or stand from left to right where the
// first column holds years, decades or other whole numbers that go up or down:
// then what lies between them and isn't in the rows has its place too.
//
// A graph is drawn of rows that each hold one path; or nodes and relationships in
// turn; or, in a column called path, chain, route, 路径 or 路线, the names or nodes
// along one, three at least. Together they have 3 to 15 nodes and at most 30
// pairs of neighbours, none its own. Nodes lie in layers by how far they are from
// where the rows begin: from top to bottom, or from left to right where many are
// abreast. A name or the type of a relationship that finds no room keeps the
// graph from being drawn.
//
// Nothing else is drawn, nor what holds too much of scripts that the fonts lack.
//
// Rows are not to be trusted: what they hold can't make a picture larger than
// MaxWidth, MaxHeight and MaxBytes. Start reading at picture.go.
package picture
