// Package guardrails says what may be asked, what may be run and what may be said.
package guardrails
