package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"precedent/store"
)

// A spool holds the cases of an import that passed, in a file, until all have.
type spool struct {
	file *os.File
	to   *bufio.Writer
	n    int
}

// newSpool makes a spool in a folder. Where the system lets it, nothing of it is
// left after the program, however that ends.
func newSpool(folder string) (*spool, error) {
	f, err := os.CreateTemp(folder, ".import-*")
	if err != nil {
		return nil, fmt.Errorf("keeping the cases of an import: %w", err)
	}
	os.Remove(f.Name()) // some systems can't while it is open; close does it there
	return &spool{file: f, to: bufio.NewWriter(f)}, nil
}

// add keeps c as a line of JSON, with its values as they are stored.
func (s *spool) add(c store.Case) error {
	slots := make([]store.Slot, len(c.Slots))
	for i, slot := range c.Slots {
		text, err := store.EncodeValue(slot.Example)
		if err != nil {
			return fmt.Errorf("slot %s: %w", slot.Name, err)
		}
		slot.Example = json.RawMessage(text)
		slots[i] = slot
	}
	c.Slots = slots
	s.n++
	if err := json.NewEncoder(s.to).Encode(c); err != nil {
		return fmt.Errorf("keeping the cases of an import: %w", err)
	}
	return nil
}

// all are the cases that were added.
func (s *spool) all() iter.Seq2[store.Case, error] {
	return func(yield func(store.Case, error) bool) {
		err := s.to.Flush()
		if err == nil {
			_, err = s.file.Seek(0, io.SeekStart)
		}
		d := json.NewDecoder(bufio.NewReader(s.file))
		d.UseNumber()
		for err == nil {
			var c store.Case
			if err = d.Decode(&c); err != nil {
				break
			}
			for i := range c.Slots {
				c.Slots[i].Example = plainNumber(c.Slots[i].Example)
			}
			if !yield(c, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(store.Case{}, fmt.Errorf("reading the cases of an import again: %w", err))
		}
	}
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
