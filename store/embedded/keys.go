package embedded

// keys remembers the values that DISTINCT, UNION and the like have met. Its run
// holds them.
type keys struct {
	x    *exec
	seen map[string]bool
	buf  []byte
	mine int // bytes held
}

const (
	seenBytes   = 64       // of a key in a map, its own bytes not counted
	bufferBytes = 64 << 10 // of a buffer for keys that is worth keeping
)

func newKeys(x *exec) *keys { return &keys{x: x, seen: map[string]bool{}} }

// add tells whether these values, together, weren't met before.
func (k *keys) add(values ...any) bool {
	k.buf = reused(k.buf)
	for _, v := range values {
		k.buf = k.x.appendKey(k.buf, v)
	}
	if k.seen[string(k.buf)] {
		return false
	}
	n := seenBytes + len(k.buf)
	k.x.hold(n)
	k.mine += n
	k.seen[string(k.buf)] = true
	return true
}

// forget gives back what was held.
func (k *keys) forget() {
	k.x.held -= k.mine
	k.mine, k.seen = 0, nil
}

// reused is an empty buffer: b, unless that has become large.
func reused(b []byte) []byte {
	if cap(b) > bufferBytes {
		return nil
	}
	return b[:0]
}
