package engine

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"precedent/engine/link"
	"precedent/store"
)

// The file of what is shipped is compressed (RFC 1952) and holds, one after
// the other: the digest of its sources, the glossary as JSON, the aliases, the
// cases, each with its readings. A text stands behind its length in bytes, a
// list behind its length; lengths are varints as of encoding/binary. Equal
// contents give equal bytes.

// pack writes s, whose readings must be there.
func pack(s *shipped) ([]byte, error) {
	var p packer
	p.text(s.digest)
	g, err := json.Marshal(s.glossary)
	if err != nil {
		return nil, fmt.Errorf("packing the glossary: %w", err)
	}
	p.text(string(g))
	p.number(len(s.aliases))
	for _, a := range s.aliases {
		p.text(a.Label, a.Property, a.Value, a.Name)
	}
	p.number(len(s.cases))
	for i, c := range s.cases {
		if err := p.add(c); err != nil {
			return nil, fmt.Errorf("packing case %s: %w", c.ID, err)
		}
		p.number(len(s.readings[i].keys))
		for _, k := range s.readings[i].keys {
			if k.own || k.cast != nil {
				return nil, fmt.Errorf("packing case %s: a wording and the query don't prove each other", c.ID)
			}
			p.text(k.key)
			p.texts(k.names)
		}
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(p.out); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack reads what pack wrote.
func unpack(content []byte) (*shipped, error) {
	u, err := opened(content)
	if err != nil {
		return nil, err
	}
	s := newShipped(u.text())
	if err := json.Unmarshal([]byte(u.text()), &s.glossary); err != nil {
		return nil, fmt.Errorf("unpacking the glossary: %w", err)
	}
	s.aliases = make([]link.Alias, u.length())
	for i := range s.aliases {
		s.aliases[i] = link.Alias{Label: u.text(), Property: u.text(), Value: u.text(), Name: u.text()}
	}
	n := u.length()
	s.cases, s.readings = make([]store.Case, n), make([]heard, n)
	for i := range n {
		s.cases[i] = u.next()
		keys := make([]keyed, u.length())
		for j := range keys {
			keys[j] = keyed{key: u.text(), names: u.texts()}
		}
		s.readings[i].keys = keys
	}
	if !u.ok || u.rest != "" {
		return nil, errors.New("the file of what is shipped is damaged; go generate ./engine makes it")
	}
	return s, nil
}

func opened(content []byte) (*unpacker, error) {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.Grow(maxRatio * len(content))
	_, err = io.Copy(&b, z)
	return &unpacker{rest: b.String(), ok: true}, err
}

// maxRatio is by how much the file is compressed at most, or else reading it takes longer.
const maxRatio = 8

type packer struct{ out []byte }

func (p *packer) number(n int) { p.out = binary.AppendUvarint(p.out, uint64(n)) }

func (p *packer) text(ts ...string) {
	for _, t := range ts {
		p.number(len(t))
		p.out = append(p.out, t...)
	}
}

func (p *packer) texts(ts []string) {
	p.number(len(ts))
	p.text(ts...)
}

// add writes what differs from one shipped case to the next.
func (p *packer) add(c store.Case) error {
	p.text(c.ID, c.Question, c.Query, c.Note, strconv.FormatBool(c.EmptyOK))
	p.texts(c.Wordings)
	p.number(len(c.Slots))
	for _, s := range c.Slots {
		kind := "s"
		switch s.Example.(type) {
		case string:
		case int64:
			kind = "i"
		case float64:
			kind = "f"
		default:
			return fmt.Errorf("slot %s: the example %v (%T) is neither text nor number", s.Name, s.Example, s.Example)
		}
		p.text(s.Name, s.Label, s.Property, s.Type, kind, fmt.Sprint(s.Example))
	}
	return nil
}

// An unpacker takes texts and numbers from the front of rest until it is no
// longer ok; then it gives zeros.
type unpacker struct {
	rest string
	ok   bool
}

// length is a number of bytes or items, never more than there are bytes left.
func (u *unpacker) length() int {
	n, shift := uint64(0), 0
	for i := range min(len(u.rest), binary.MaxVarintLen64) {
		b := u.rest[i]
		n |= uint64(b&0x7f) << shift
		if shift += 7; b < 0x80 {
			u.rest = u.rest[i+1:]
			if n > uint64(len(u.rest)) {
				break
			}
			return int(n)
		}
	}
	u.ok, u.rest = false, ""
	return 0
}

func (u *unpacker) text() string {
	n := u.length()
	t := u.rest[:n]
	u.rest = u.rest[n:]
	return t
}

func (u *unpacker) texts() []string {
	ts := make([]string, u.length())
	for i := range ts {
		ts[i] = u.text()
	}
	return ts
}

func (u *unpacker) next() store.Case {
	c := newShippedCase()
	c.ID, c.Question, c.Query, c.Note = u.text(), u.text(), u.text(), u.text()
	c.EmptyOK = u.text() == strconv.FormatBool(true)
	c.Wordings = u.texts()
	c.Slots = make([]store.Slot, u.length())
	for i := range c.Slots {
		s := &c.Slots[i]
		s.Name, s.Label, s.Property, s.Type = u.text(), u.text(), u.text(), u.text()
		kind, example := u.text(), u.text()
		var err error
		switch s.Example = example; kind {
		case "i":
			s.Example, err = strconv.ParseInt(example, 10, 64)
		case "f":
			s.Example, err = strconv.ParseFloat(example, 64)
		}
		u.ok = u.ok && err == nil
	}
	return c
}
