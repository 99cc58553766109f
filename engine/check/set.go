package check

import (
	"iter"
	"math/bits"
)

// A set is a set of small numbers. Sets of one vocabulary have one length.
type set []uint64

const wordBits = 64

func empty(n int) set { return make(set, (n+wordBits-1)/wordBits) }

func full(n int) set {
	s := empty(n)
	for i := range n {
		s.add(i)
	}
	return s
}

func (s set) add(i int)      { s[i/wordBits] |= 1 << (i % wordBits) }
func (s set) has(i int) bool { return s[i/wordBits]&(1<<(i%wordBits)) != 0 }

func (s set) none() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s set) or(t set) set {
	r := make(set, len(s))
	for i := range s {
		r[i] = s[i] | t[i]
	}
	return r
}

func (s set) and(t set) set {
	r := make(set, len(s))
	for i := range s {
		r[i] = s[i] & t[i]
	}
	return r
}

func (s set) minus(t set) set {
	r := make(set, len(s))
	for i := range s {
		r[i] = s[i] &^ t[i]
	}
	return r
}

func (s set) equal(t set) bool {
	for i := range s {
		if s[i] != t[i] {
			return false
		}
	}
	return true
}

func (s set) each() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i*wordBits + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
