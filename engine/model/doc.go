// Package model asks an OpenAI-compatible endpoint, hosted or local, for replies
// of a Go type and for embeddings.
//
// It promises that a call ends: by its answer, its deadline, its attempts or
// its breaker. A reply either fills the caller's struct or is an error of one of
// the kinds declared here; it is never half read. What an endpoint can't do
// (schemas, a temperature) is found out once and remembered while the process
// lives.
//
// It never streams, never logs, never shows a key, and knows no prompt: whoever
// asks brings the words.
//
// Start with [Config], then [Model.Reply].
package model
