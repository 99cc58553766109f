// Package grammar reads questions as meanings.
//
// A [Reader] knows the words of one graph and the rules of each language. The rules
// stand in a file per language (en.grammar, zh.grammar): words of a category, and
// patterns of categories with the combinator that puts them together (combine.go has their names).
// No rule names a word of a domain: those come from the graph's glossary (lexicon.go),
// its values from the linker.
//
// Every token of a question has a place in a parse, or the question has no meaning.
// All parses are found (chart.go); of those, the ones with the fewest pieces count, as a
// longer phrase says more than its words one by one. One meaning among them is what is
// asked; two are a question back; none names the first words that nothing explains.
//
// Start at [Reader.Read].
package grammar
