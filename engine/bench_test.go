package engine

import (
	"testing"
)

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		e, _, err := Open(b.Context(), Config{Data: dir})
		if err != nil {
			b.Fatal(err)
		}
		e.Close(b.Context())
	}
}
