// Package link finds the values of a graph that the words of a question name.
//
// A [Linker] is built from the values of the graph's linkable properties and a
// file of aliases, and never changes afterwards; a refresh builds another.
// [Linker.Mentions] returns at most one mention for any words, the longest,
// with every value they may name. Deciding between those is up to whoever
// knows what the question wants there. Start reading at linker.go.
package link
