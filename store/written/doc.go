// Package written reads what people write by hand, JSON and YAML, and says what
// is wrong with it in their words: the file, the line, the key, never a Go type.
package written
