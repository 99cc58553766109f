package cases

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"
)

const idLetters = "0123456789abcdefghjkmnpqrstvwxyz" // Crockford's base 32

// idEpoch is where the 40 bits of milliseconds in an id begin; they last until 2059.
var idEpoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// An ids makes identities that sort by time.
type ids struct {
	mu   sync.Mutex
	last uint64
}

// next returns 12 letters and digits: 40 bits of milliseconds and 20 random
// bits. Those of one process never repeat and sort as they were made; two
// processes collide once in a million when they ask in the same millisecond.
func (i *ids) next(now time.Time) string {
	var random [4]byte
	rand.Read(random[:])
	id := uint64(now.Sub(idEpoch).Milliseconds())<<20 | uint64(binary.LittleEndian.Uint32(random[:])>>12)
	i.mu.Lock()
	if id <= i.last {
		id = i.last + 1
	}
	i.last = id
	i.mu.Unlock()
	var text [12]byte
	for n := len(text) - 1; n >= 0; n-- {
		text[n] = idLetters[id&31]
		id >>= 5
	}
	return string(text[:])
}
