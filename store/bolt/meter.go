package bolt

import (
	"encoding/binary"
	"errors"
	"net"
)

// maxRecord is how many bytes a message of the server, which holds one row of a
// result, may take in our process when it is decoded. The driver knows no bound:
// a row of 100 MB on the wire takes up to 6 GB.
const maxRecord = 16 << 20

// errLargeRecord ends a connection on which a larger message comes.
var errLargeRecord = errors.New("one row of the result is too large")

// A metered connection reads along with the driver and closes itself before the
// driver has taken in a message that would be larger than maxRecord.
type metered struct {
	net.Conn
	meter meter
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	if !m.meter.fits(p[:n]) {
		m.Conn.Close()
		return 0, errLargeRecord
	}
	return n, err
}

// A meter follows what a server sends: the handshake, then messages in chunks
// (Bolt Protocol, "Handshake specification", "Manifest negotiation" and "Message
// transfer encoding"), and weighs the values of each message (PackStream
// specification, version 1) without keeping any.
type meter struct {
	stage  stage
	head   digits // of the stage
	left   int    // bytes of the chunk at hand, or of the handshake's list, still to come
	skip   int    // bytes of the value at hand still to come
	kind   kind   // what the size counts that is read
	size   int    // bytes that it is written in, 0 for none
	digits digits // of it
	bytes  int    // that the message at hand takes so far
}

// digits are the bytes of a number, of which some may come later than others.
type digits struct {
	got [4]byte
	has int
}

// take moves bytes from p until there are n, and returns what is left of p.
func (d *digits) take(p []byte, n int) []byte {
	taken := copy(d.got[d.has:n], p)
	d.has += taken
	return p[taken:]
}

type stage int

const (
	version      stage = iota // four bytes
	offers                    // a number, in sevens of bits
	offered                   // the versions
	capabilities              // a number, in sevens of bits
	header                    // of a chunk: its size in two bytes
	chunk
)

// kind is what a marker's size counts.
type kind int

const (
	signs kind = iota // bytes of a text or of bytes
	items             // of a list
	pairs             // of a map
	parts             // of a structure
)

// What decoded values take in memory, in bytes.
const (
	boxSize    = 8   // of a number
	slotSize   = 16  // of a value in a list
	textSize   = 16  // of a text, its bytes not counted
	listSize   = 24  // of a list, its slots not counted
	pairSize   = 64  // of a pair of a map
	mapSize    = 320 // of a map of few pairs
	structSize = 160 // of a node, relationship, path, point or temporal value
)

// fits takes what came and tells whether no message in it is too large.
func (m *meter) fits(p []byte) bool {
	for len(p) > 0 {
		switch m.stage {
		case version:
			if p = m.head.take(p, 4); m.head.has < 4 {
				return true
			}
			m.next(header)
			if m.head.got[3] == 0xFF && m.head.got[2] == 0x01 {
				m.next(offers)
			}
		case offers, capabilities:
			b := p[0]
			p = p[1:]
			if m.stage == offers && m.head.has < len(m.head.got) {
				m.left |= int(b&0x7F) << (7 * m.head.has)
				m.head.has++
			}
			if b < 0x80 {
				m.next(m.stage + 1)
				m.left *= 4
			}
		case offered:
			n := min(m.left, len(p))
			m.left, p = m.left-n, p[n:]
			if m.left == 0 {
				m.next(capabilities)
			}
		case header:
			if p = m.head.take(p, 2); m.head.has < 2 {
				return true
			}
			if m.left = int(binary.BigEndian.Uint16(m.head.got[:])); m.left == 0 {
				m.bytes, m.skip, m.size = 0, 0, 0 // the message ends
				m.next(header)
				continue
			}
			m.bytes += m.left
			m.next(chunk)
		case chunk:
			n := min(m.left, len(p))
			if !m.values(p[:n]) {
				return false
			}
			if m.left, p = m.left-n, p[n:]; m.left == 0 {
				m.next(header)
			}
		}
	}
	return true
}

func (m *meter) next(s stage) { m.stage, m.head.has = s, 0 }

// values weighs a part of a message.
func (m *meter) values(p []byte) bool {
	for len(p) > 0 && m.bytes <= maxRecord {
		switch {
		case m.skip > 0:
			n := min(m.skip, len(p))
			m.skip, p = m.skip-n, p[n:]
		case m.size > 0:
			if p = m.digits.take(p, m.size); m.digits.has < m.size {
				return true
			}
			n := 0
			for _, b := range m.digits.got[:m.size] {
				n = n<<8 | int(b)
			}
			m.size = 0
			m.sized(m.kind, n)
		default:
			m.marker(p[0])
			p = p[1:]
		}
	}
	return m.bytes <= maxRecord
}

// marker takes the first byte of a value.
func (m *meter) marker(b byte) {
	m.bytes += boxSize
	m.digits.has = 0
	few := int(b & 0x0F)
	switch {
	case b < 0x80, b >= 0xF0: // a small number
	case b < 0x90:
		m.sized(signs, few)
	case b < 0xA0:
		m.sized(items, few)
	case b < 0xB0:
		m.sized(pairs, few)
	case b < 0xC0:
		m.sized(parts, few)
	case b == 0xC1: // a float
		m.skip = 8
	case b >= 0xC8 && b <= 0xCB: // a number of 1, 2, 4 or 8 bytes
		m.skip = 1 << (b - 0xC8)
	case b >= 0xCC && b <= 0xCE: // bytes
		m.kind, m.size = signs, 1<<(b-0xCC)
	case b >= 0xD0 && b <= 0xD2:
		m.kind, m.size = signs, 1<<(b-0xD0)
	case b >= 0xD4 && b <= 0xD6:
		m.kind, m.size = items, 1<<(b-0xD4)
	case b >= 0xD8 && b <= 0xDA:
		m.kind, m.size = pairs, 1<<(b-0xD8)
	case b == 0xDC, b == 0xDD:
		m.kind, m.size = parts, 1<<(b-0xDC)
	}
}

// sized takes how many signs, items or pairs a value has. The driver makes room
// for all of them at once, so they count before they come.
func (m *meter) sized(k kind, n int) {
	switch k {
	case signs:
		m.bytes += textSize + n
		m.skip = n
	case items:
		m.bytes += listSize + slotSize*n
	case pairs:
		m.bytes += mapSize + pairSize*n
	case parts:
		m.bytes += structSize
		m.skip = 1 // what structure it is
	}
}
