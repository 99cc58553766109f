package engine

import "testing"

// TestLiteralKeys asks the same words, which no lexicon knows, about values in
// either script: they are the same reading.
func TestLiteralKeys(t *testing.T) {
	e := openMovies(t, Shipped.Copy(t))
	reader := e.snapshot().reader
	for _, same := range [][]string{
		{"Christopher Nolan咋样啊哪部扑街", "诺兰咋样啊哪部扑街"},
		{"哪部扑街 Christopher Nolan 咋样", "哪部扑街诺兰咋样"},
		{"which ones by Christopher Nolan flopped zzyzx", "which ones by 诺兰 flopped zzyzx"},
	} {
		first := reader.Read(same[0])
		if first.Frame != nil || len(first.Slots) != 1 {
			t.Errorf("%q: %s with %d slots", same[0], first.Key(), len(first.Slots))
		}
		for _, q := range same[1:] {
			if rd := reader.Read(q); rd.Key() != first.Key() {
				t.Errorf("%q reads as %s, %q as %s", q, rd.Key(), same[0], first.Key())
			}
		}
	}
}
