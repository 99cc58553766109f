// Package guardrails says what may be asked, what may be run and what may be
// said. It is one type, [Policy], with a method for each:
//
//	Question  text from people      → a Refusal, or nil
//	Query     Cypher from anywhere  → a Verdict, with the tree of what may run
//	Answer    wording by a model    → the numbers, names and claims that are not so
//
// It is pure: no network, no clock, no state, no model; the same arguments
// always give the same result, and no argument makes it panic.
//
// It promises that a query it allows only reads: it is judged by the tree of
// our own parser, never by searching its text, and may call only what
// allowed.txt lists. This is one lock among several; the graph is still opened
// for reading only.
//
// It never refuses a question for what is missing from it. What refuses stands
// in the question and is returned with the refusal. The patterns are files for
// people to read, en.txt and zh.txt; they are tried on every question, whatever
// its language. They hold shapes of messages, not words: that a business has rules,
// prompts, admins, recipes or weather is no evidence of anything, and a word of the
// graph outweighs what looks off-topic. What one graph alone isn't asked is in a list
// of that graph's, see [With]. It doesn't promise to find every attack: what gets
// past it meets the check of the query.
//
// It never changes a text, and writes no sentences for chats except a verdict's
// reason, which is meant for whoever wrote the query: a model or a curator.
//
// A wording that it lets pass says of each row what that row holds, as far as its
// words are known; one that it can't account for is turned away, true or not.
//
// The words by which it reads one are files too: claims.txt, kinds.txt and
// ordinary.txt.
//
// Start reading at question.go, query.go or answer.go.
package guardrails
