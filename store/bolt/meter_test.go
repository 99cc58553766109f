package bolt

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// sent is what a server sends: the old handshake, and payloads as messages in
// chunks of so many bytes.
func sent(chunk int, payloads ...[]byte) []byte {
	out := []byte{0, 0, 8, 5}
	for _, p := range payloads {
		for part := range slices.Chunk(p, chunk) {
			out = append(binary.BigEndian.AppendUint16(out, uint16(len(part))), part...)
		}
		out = append(out, 0, 0)
	}
	return out
}

// record is a message with one row of one value.
func record(value ...[]byte) []byte {
	return append([]byte{0xB1, 0x71, 0x91}, bytes.Join(value, nil)...)
}

func sized(marker byte, n uint32) []byte { return binary.BigEndian.AppendUint32([]byte{marker}, n) }

func TestMeter(t *testing.T) {
	const many = 1_000_000
	text := func(n uint32) []byte { return append(sized(0xD2, n), make([]byte, n)...) }
	list := func(n int, item ...byte) []byte { return append(sized(0xD6, uint32(n)), bytes.Repeat(item, n)...) }
	float := append([]byte{0xC1}, make([]byte, 8)...)
	small := record(list(3, 0x81, 'a'), []byte{0xA1, 0x81, 'k', 0xC9, 1, 2})
	for _, test := range []struct {
		name string
		sent []byte
		fits bool
	}{
		{"nothing", sent(100), true},
		{"small", sent(7, small, small), true},
		{"a text of 4 MiB", sent(60_000, record(text(4<<20))), true},
		{"100,000 floats", sent(60_000, record(list(100_000, float...))), true},
		{"many messages", sent(60_000, slices.Repeat([][]byte{record(text(1 << 20))}, 40)...), true},
		{"bytes that look like markers", sent(60_000, record(append(sized(0xD2, 1<<20), bytes.Repeat([]byte{0xA0}, 1<<20)...))), true},
		{"a text of 9 MiB", sent(60_000, record(text(9<<20))), false},
		{"a text that hasn't come yet", sent(60_000, record(sized(0xD2, 1<<31))), false},
		{"bytes", sent(60_000, record(sized(0xCE, 1<<31))), false},
		{"a list that hasn't come yet", sent(60_000, record(sized(0xD6, 1<<31))), false},
		{"a map that hasn't come yet", sent(60_000, record(sized(0xDA, 1<<31))), false},
		{"small numbers", sent(60_000, record(list(many, 1))), false},
		{"floats", sent(60_000, record(list(many, float...))), false},
		{"empty maps", sent(60_000, record(list(many/10, 0xA0))), false},
		{"empty lists", sent(60_000, record(list(many, 0x90))), false},
		{"lists in lists", sent(60_000, record(bytes.Repeat([]byte{0x91}, many))), false},
		{"structures", sent(60_000, record(list(many/5, 0xB0, 0x4E))), false},
		{"small texts", sent(60_000, record(list(many, 0x81, 'a'))), false},
		{"behind messages that fit", sent(9, small, small, record(sized(0xD6, 1<<31))), false},
		{"behind a manifest", append([]byte{0, 0, 1, 0xFF, 2, 0, 8, 8, 5, 0, 4, 4, 4, 0x81, 0}, sent(9, small, record(sized(0xD6, 1<<31)))[4:]...), false},
	} {
		for _, step := range []int{1, 2, 3, 7, 4096, len(test.sent)} {
			if step < 7 && len(test.sent) > 1<<20 {
				continue // slow
			}
			m, fits := meter{}, true
			for part := range slices.Chunk(test.sent, max(1, step)) {
				if fits = m.fits(part); !fits {
					break
				}
			}
			if fits != test.fits {
				t.Errorf("%s, in pieces of %d: fits is %v", test.name, step, fits)
			}
		}
	}
}

// FuzzMeter: how what comes is cut into pieces decides nothing.
func FuzzMeter(f *testing.F) {
	f.Add(sent(9, record([]byte{0xD6, 0x7F, 0, 0, 0})), byte(1))
	f.Add(sent(3, record([]byte{0x92, 0x81, 'a', 0xCB, 1, 2, 3, 4, 5, 6, 7, 8}), []byte{0xB1, 0x70, 0xA0}), byte(2))
	f.Add([]byte{0, 0, 1, 0xFF, 1, 0, 8, 8, 5, 0, 0, 2, 0xD2, 0x7F, 0, 2, 0xFF, 0xFF}, byte(5))
	f.Fuzz(func(t *testing.T, sent []byte, step byte) {
		var whole, pieces meter
		fits := true
		for part := range slices.Chunk(sent, int(step)+1) {
			fits = fits && pieces.fits(part)
		}
		if whole.fits(sent) != fits {
			t.Errorf("whole it fits: %v, in pieces of %d: %v", !fits, step+1, fits)
		}
	})
}
