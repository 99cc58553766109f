// Package modeltest is an HTTP server for tests that speaks the OpenAI
// protocol: chat completions from a script, embeddings that depend on their
// text alone.
//
// It listens on a loopback port, turns away what OpenAI would turn away with
// the same kind of answer, and logs every request. A real client talks to it,
// so a test goes through the wire. It never streams unless a reply says so, and
// it judges no prompt: what a prompt says is seen in [Server.Prompts].
//
// Start with [New] and the functions that return a [Reply].
package modeltest
