// Package cases keeps the library of worked questions in one SQLite file,
// with the votes on them, who changed what and why, the journal of answers,
// and what is needed to recall the cases nearest to a question.
//
// It promises that a case or a vote whose call returned without an error
// survives the death of the process and of the machine; that every change to
// a case is written down with what was there before, and can be undone; that
// several processes may share the file; and that nothing asked in private is
// recalled for others before a curator has approved it.
//
// It never reads a query, a graph or a model's reply: what makes two
// questions the same is a key that its caller gives. Start reading at
// library.go, then rules.go, which is what votes do.
package cases
