// Package bolt is the graph in Neo4j 5, read over the Bolt protocol.
//
// It promises that nothing it runs can write: sessions are in READ access mode,
// and Explain refuses what isn't a reading statement. READ mode does not stop
// LOAD CSV, nor procedures that load or export; the guardrails do, before a
// query comes here. It needs no APOC and no plug-in.
//
// Errors wrap those of package store with words that say what to do; the
// driver's own error is still in the chain. Start reading at open.go.
package bolt
